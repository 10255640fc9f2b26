/*
** nap.c - pauses of a thread: for a time, at a condition with a deadline, and
** at a word in memory (a futex), which processes may share.
*/
#include "nap.h"

#include <errno.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* FUTEX_WAIT and FUTEX_WAKE of <linux/futex.h>, which musl does not bring. */
enum { WORD_WAIT = 0, WORD_WAKE = 1 };

static struct timespec from_ns (int64_t ns) {
  return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

void nap_for (int64_t ns) {
  struct timespec t = from_ns(ns);
  nanosleep(&t, NULL);
}

void nap_until (int64_t time) {
  struct timespec t = from_ns(time);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) != 0)
    ;
}

void nap_precisely (void) { prctl(PR_SET_TIMERSLACK, 1000UL); /* ns */ }

int64_t nap_length (int64_t elapsed, int part, int least_us, int most_us) {
  int64_t us = elapsed / part / 1000;
  us = us < least_us ? least_us : us > most_us ? most_us : us;
  return us * 1000;
}

void nap_init_condition (pthread_cond_t *condition) {
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &monotonic);
  pthread_condattr_destroy(&monotonic);
}

bool nap_wait (pthread_cond_t *condition, pthread_mutex_t *lock, int64_t time) {
  struct timespec t = from_ns(time);
  return pthread_cond_timedwait(condition, lock, &t) == 0;
}

bool nap_at_word (uint32_t *word, uint32_t seen, int64_t ns) {
  struct timespec t = from_ns(ns);
  return syscall(SYS_futex, word, WORD_WAIT, seen, &t, NULL, 0) == 0 ||
         errno != ETIMEDOUT;
}

void nap_wake_word (uint32_t *word) {
  syscall(SYS_futex, word, WORD_WAKE, INT_MAX, NULL, NULL, 0);
}
