/* deadlines.h - the numbers of waits, and a heap of their deadlines. See
** deadlines.c. */
#ifndef TIDE_RT_WAIT_DEADLINES_H
#define TIDE_RT_WAIT_DEADLINES_H

#include <stdbool.h>

/* Two lists with one room: the heap, whose entries are 1 to n, and the numbers,
** which are 1 to 'most'. */
typedef struct RtDeadline {
  double at; /* of an entry: its time */
  int id;    /* and the number that has this deadline */
  int place; /* of a number: its entry, or 0; ~m of one that no wait has, where
                m is the next such number, or 0 */
} RtDeadline;

/* All zero: there are none. Times are seconds of CLOCK_MONOTONIC. */
typedef struct RtDeadlines {
  RtDeadline *list;
  int n, most, room;
  int free; /* a number that no wait has, or 0 */
} RtDeadlines;

/* Afterwards no number is taken. */
void deadlines_close (RtDeadlines *d);

/* Takes a number that no wait has, and returns it; 0 if memory is short. */
int deadlines_take (RtDeadlines *d);

/* Gives a number back, with its deadline. This call and those below do nothing
** for a number that is not taken, because they may come from Lua. */
void deadlines_give (RtDeadlines *d, int id);

/* Sets the deadline of a number, or clears it. Neither needs memory. */
void deadlines_set (RtDeadlines *d, int id, double at);
void deadlines_clear (RtDeadlines *d, int id);
bool deadlines_has (const RtDeadlines *d, int id);

/* Clears a deadline that is not later than 'now', and returns its number; 0 if
** there is none. */
int deadlines_next (RtDeadlines *d, double now);

/* Returns the earliest time; INFINITY if there is none. */
double deadlines_first (const RtDeadlines *d);

#endif
