/*
** grow.c - the one place where lists grow. A list is a pointer, whose type only
** its owner knows, and the number of elements that fit.
*/
#include "grow.h"

#include <stdlib.h>
#include <string.h>

static int double_room (int cap, int wanted, int least) {
  int room = (cap > 0) ? 2 * cap : least;
  while (room < wanted)
    room *= 2;
  return room;
}

bool grow_now (const void *inside, void *list, int *cap, int wanted,
               size_t size, int least) {
  void *old, *at;
  memcpy(&old, list, sizeof old);
  bool moves_out = (inside != NULL && old == inside);
  int room = double_room(*cap, wanted, least);
  at = realloc(moves_out ? NULL : old, (size_t)room * size);
  if (at == NULL)
    return false;
  if (moves_out)
    memcpy(at, inside, (size_t)*cap * size);
  memcpy(list, &at, sizeof at);
  *cap = room;
  return true;
}
