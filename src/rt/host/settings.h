/* settings.h - what the environment says of the host device. See settings.c. */
#ifndef TIDE_RT_HOST_SETTINGS_H
#define TIDE_RT_HOST_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Settings {
  int devices;
  size_t memory;            /* of each, in bytes */
  unsigned long long seed;  /* of the random delays */
  unsigned max_delay_us;    /* 0: none */
  bool sticky;              /* faults are, as CUDA's */
} Settings;

/* Reads the variables; what cannot be read is as if it were not set. */
void host_readsettings (Settings *to);

/* The first that could not be read, as a sentence for the user; or NULL. Looks
** for the library that TIDE_BLAS names. Thread-safe. */
const char *host_complaint (void);

#endif
