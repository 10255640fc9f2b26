/*
** deadlines.c - the one heap of the deadlines of a Lua state: of x:await() with
** a time, of sleeps, and of other waits between coroutines, whatever runs them.
** It is a binary heap, and each number knows its place, so that a wait that
** ends early takes its deadline along.
**
** Each wait has a number, by which Lua finds its coroutine (lua/tide/
** waiting.lua). Numbers are small and are reused, because Lua allocates a table
** anew if a key comes for which it has no room: if each wait had a new key, 64
** tasks that wait in turn would cause that each time.
*/
#include "deadlines.h"

#include <math.h>
#include <stdlib.h>

#include "rt/driver/grow.h"

enum { LEAST = 16 }; /* room of the first list */

void deadlines_close (RtDeadlines *d) {
  free(d->list);
  *d = (RtDeadlines){.list = NULL};
}

/* {== numbers ========================================================= */

int deadlines_take (RtDeadlines *d) {
  int id = d->free;
  if (id != 0)
    d->free = ~d->list[id].place;
  else if (grow_list(&d->list, &d->room, d->most + 2, sizeof *d->list, LEAST))
    id = ++d->most;
  else
    return 0;
  d->list[id].place = 0;
  return id;
}

static bool is_taken (const RtDeadlines *d, int id) {
  return id > 0 && id <= d->most && d->list[id].place >= 0;
}

void deadlines_give (RtDeadlines *d, int id) {
  if (!is_taken(d, id))
    return;
  deadlines_clear(d, id);
  d->list[id].place = ~d->free;
  d->free = id;
}

/* ==} */

/* {== the heap ======================================================== */

static void put (RtDeadlines *d, int i, double at, int id) {
  d->list[i].at = at;
  d->list[i].id = id;
  d->list[id].place = i;
}

static void move (RtDeadlines *d, int from, int to) {
  put(d, to, d->list[from].at, d->list[from].id);
}

/* Puts a deadline where it belongs; entry i is free. */
static void settle (RtDeadlines *d, int i, double at, int id) {
  for (; i > 1 && d->list[i / 2].at > at; i /= 2)
    move(d, i / 2, i);
  for (int k; (k = 2 * i) <= d->n; i = k) {
    if (k < d->n && d->list[k + 1].at < d->list[k].at)
      k++;
    if (d->list[k].at >= at)
      break;
    move(d, k, i);
  }
  put(d, i, at, id);
}

bool deadlines_has (const RtDeadlines *d, int id) {
  return id > 0 && id <= d->most && d->list[id].place > 0;
}

void deadlines_set (RtDeadlines *d, int id, double at) {
  deadlines_clear(d, id);
  if (is_taken(d, id))
    settle(d, ++d->n, at, id);
}

void deadlines_clear (RtDeadlines *d, int id) {
  if (!deadlines_has(d, id))
    return;
  int i = d->list[id].place;
  RtDeadline last = d->list[d->n--];
  d->list[id].place = 0;
  if (i <= d->n)
    settle(d, i, last.at, last.id);
}

int deadlines_next (RtDeadlines *d, double now) {
  if (deadlines_first(d) > now)
    return 0;
  int id = d->list[1].id;
  deadlines_clear(d, id);
  return id;
}

double deadlines_first (const RtDeadlines *d) {
  return (d->n > 0) ? d->list[1].at : INFINITY;
}

/* ==} */
