/*
** heap.h - for host programs: an allocator of Lua that fails the n-th time it
** is asked for more, once it is armed: then only, or from then on.
*/
#ifndef HEAP_H
#define HEAP_H

#include <stdlib.h>

typedef struct Heap {
  long n, count;
  int armed, all, struck;
} Heap;

static inline void *heap_alloc (void *ud, void *p, size_t old, size_t size) {
  Heap *heap = ud;
  if (size == 0) {
    free(p);
    return NULL;
  }
  if (heap->armed && (p == NULL || size > old)) {
    heap->count++;
    if (heap->count == heap->n || (heap->all && heap->count > heap->n)) {
      heap->struck = 1;
      return NULL;
    }
  }
  return realloc(p, size);
}

#endif
