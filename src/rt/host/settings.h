/* settings.h - the host device's settings from the environment. See
** settings.c. */
#ifndef TIDE_RT_HOST_SETTINGS_H
#define TIDE_RT_HOST_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Settings {
  int devices;
  int threads;             /* of a launch, at most; 0: one for each core */
  size_t memory;           /* of each device, in bytes */
  unsigned long long seed; /* of the random delays */
  unsigned max_delay_us;   /* 0: none */
  bool sticky;             /* faults are sticky, as with CUDA */
} Settings;

/* Reads the variables; an unreadable variable counts as not set. */
void settings_read (Settings *to);

/* Returns a sentence for the user about the first unreadable variable, or NULL.
** Looks for the library that TIDE_BLAS names. Thread-safe. */
const char *settings_complaint (void);

#endif
