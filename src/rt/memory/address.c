/*
** address.c - finds blocks by address. A tree has the blocks of foreign memory,
** and our own as far as others know their addresses. Blocks in it do not
** overlap, so all ranges that share bytes with a block compare as equal to it.
*/
#include "address.h"

#include <search.h>

#include "block_types.h"
#include "rt/driver/status.h"

static int compare (const void *x, const void *y) {
  const RtBlock *a = x, *b = y;
  if (a->ptr + a->size <= b->ptr)
    return -1;
  return b->ptr + b->size <= a->ptr;
}

Status address_add (RtBlock *b) {
  Runtime *rt = b->dev->rt;
  if (b->placed)
    return 0;
  if (tsearch(b, &rt->places, compare) == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  b->placed = true;
  return 0;
}

void address_remove (RtBlock *b) {
  if (b->placed)
    tdelete(b, &b->dev->rt->places, compare);
  b->placed = false;
}

RtBlock *address_find (const Runtime *rt, CUdeviceptr ptr, size_t bytes) {
  RtBlock key = {.ptr = ptr, .size = bytes};
  RtBlock **node = tfind(&key, &rt->places, compare);
  return (node != NULL) ? *node : NULL;
}
