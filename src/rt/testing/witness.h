/*
** witness.h - checks, in builds with -DTIDE_TESTING, that conflicting uses of
** memory are in order, by driver calls alone. See witness.c, which is the
** observer of the runtime (rt/driver/observer.h).
*/
#ifndef TIDE_RT_TESTING_WITNESS_H
#define TIDE_RT_TESTING_WITNESS_H

enum { COMPLAINT = 512 };

/* Starts the witness for this thread; earlier work counts as done. It ignores
** wait number 'blind' for an event; 0: it ignores none. */
void witness_start (long blind);

/* Ends it. Stores how many uses of memory were compared, how many pairs of them
** are in no order, and a description of the first such pair. */
void witness_end (long *compared, long *bad, char complaint[COMPLAINT]);

#endif
