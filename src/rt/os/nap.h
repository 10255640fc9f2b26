/* nap.h - the ways in which a thread pauses. See nap.c. */
#ifndef TIDE_RT_OS_NAP_H
#define TIDE_RT_OS_NAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Tells the processor that this is a turn of a spin loop. */
static inline void nap_pause (void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Sleeps for that long, or until a signal comes that the thread does not
** block. */
void nap_for (int64_t ns);

/* Sleeps until that time by clock_now, whatever signals come. */
void nap_until (int64_t time);

/* Lets the naps of this thread end at most 1 us late, instead of 50. */
void nap_precisely (void);

/* Returns for how long to nap, in nanoseconds, between two looks at something
** that has not happened for 'elapsed': for a part (1/part) of this time, within
** bounds. */
int64_t nap_length (int64_t elapsed, int part, int least_us, int most_us);

/* Makes a condition for nap_wait. */
void nap_init_condition (pthread_cond_t *condition);

/* Waits for the condition as pthread_cond_timedwait does, until that time by
** clock_now. Returns false if the time has come. */
bool nap_wait (pthread_cond_t *condition, pthread_mutex_t *lock, int64_t time);

/* Sleeps until another thread, perhaps of another process, wakes the word, and
** not at all if the word is not 'seen' any more. Returns false if nothing woke
** it for that long. */
bool nap_at_word (uint32_t *word, uint32_t seen, int64_t ns);

/* Wakes all that nap at the word. */
void nap_wake_word (uint32_t *word);

#endif
