/*
** settings.c - the environment variables of the host device: each is as its
** page says, or the device cannot be used and says why.
*/
#include "settings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "host.h"
#include "kernels/blas.h"
#include "rt/program/numeral.h"

enum { COMPLAINT = 256 }; /* as long as Runtime.detail */

/* Returns the value of a variable; NULL: not set, or empty. */
static const char *value_of (const char *name) {
  const char *text = getenv(name);
  return (text != NULL && *text != '\0') ? text : NULL;
}

/* {== reading ========================================================= */

static size_t within (size_t bytes, int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      limit.rlim_cur >= bytes)
    return bytes;
  return (size_t)limit.rlim_cur;
}

/* Returns the machine's memory, or less if setrlimit allows less. */
static size_t all_memory (void) {
  size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) *
                 (size_t)sysconf(_SC_PAGESIZE);
  return within(within(bytes, RLIMIT_AS), RLIMIT_DATA);
}

/* Reads bytes, with an optional K, M or G, or a share of the machine's memory,
** in percent; 0: not readable. */
static size_t read_bytes (const char *text) {
  static const char units[] = "KMG";
  const char *end;
  double n = numeral_read(text, &end);
  if (strcmp(end, "%") == 0) {
    n = (end > text && n > 0 && n <= 100) ? n / 100 * (double)all_memory() : 0;
  } else if (*end != '\0') {
    int power = 0;
    while (units[power] != '\0' && units[power] != (*end & ~0x20))
      power++; /* small letters too */
    if (units[power] == '\0' || end == text || end[1] != '\0')
      return 0;
    n *= (double)((size_t)1024 << 10 * power);
  }
  return (n >= 1 && n < 9e18) ? (size_t)n : 0;
}

static bool is_digit (char c) { return c >= '0' && c <= '9'; }

/* Reads a number from 1 to 'most'; 0: not readable. */
static int read_count (const char *text, int most) {
  char *end;
  long n = strtol(text, &end, 10);
  return (is_digit(*text) && *end == '\0' && n <= most) ? (int)n : 0;
}

/* seed:microseconds */
static bool read_delays (const char *text, Settings *to) {
  int end = 0;
  return is_digit(*text) &&
         sscanf(text, "%llu:%9u%n", &to->seed, &to->max_delay_us, &end) == 2 &&
         text[end] == '\0';
}

/* ==} */

static void complain (char *to, const char *name, const char *expected,
                      const char *got) {
  if (*to == '\0')
    snprintf(to, COMPLAINT, "%s must be %s, got '%.80s'", name, expected, got);
}

/* 'why' gets the first complaint. */
static void read_all (Settings *to, char *why) {
  const char *text;
  *to = (Settings){.devices = 1};
  *why = '\0';
  if ((text = value_of("TIDE_HOST_DEVICES")) != NULL &&
      (to->devices = read_count(text, MAX_DEVICES)) == 0) {
    complain(why, "TIDE_HOST_DEVICES", "an integer from 1 to 64", text);
    to->devices = 1;
  }
  if ((text = value_of("TIDE_HOST_THREADS")) != NULL &&
      (to->threads = read_count(text, TEAM_MOST)) == 0)
    complain(why, "TIDE_HOST_THREADS", "an integer from 1 to 64", text);
  if ((text = value_of("TIDE_HOST_MEMORY")) != NULL &&
      (to->memory = read_bytes(text)) == 0)
    complain(why, "TIDE_HOST_MEMORY",
             "a number of bytes, like 1048576, 512K, 10M or 4G, or a share, "
             "like 50%",
             text);
  if (to->memory == 0)
    to->memory = all_memory();
  if ((text = value_of("TIDE_HOST_DELAYS")) != NULL && !read_delays(text, to)) {
    complain(why, "TIDE_HOST_DELAYS", "seed:microseconds, like 1:1000", text);
    to->max_delay_us = 0;
  }
  if ((text = value_of("TIDE_HOST_FAULTS")) == NULL)
    return;
  to->sticky = (strcmp(text, "sticky") == 0);
  if (!to->sticky && strcmp(text, "raise") != 0)
    complain(why, "TIDE_HOST_FAULTS", "'raise' or 'sticky'", text);
}

void settings_read (Settings *to) {
  char why[COMPLAINT];
  read_all(to, why);
}

/* {== complaining ===================================================== */

static char complaint[COMPLAINT];

static void check (void) {
  Settings settings;
  const char *blas = value_of("TIDE_BLAS");
  read_all(&settings, complaint);
  if (*complaint != '\0' || blas == NULL || strcmp(blas, "none") == 0 ||
      blas_find())
    return;
  complain(complaint, "TIDE_BLAS", "a library with cblas_sgemm, or 'none'",
           blas);
  size_t n = strlen(complaint);
  snprintf(complaint + n, COMPLAINT - n, " (%s)", blas_error());
}

const char *settings_complaint (void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, check);
  return (*complaint != '\0') ? complaint : NULL;
}

/* ==} */
