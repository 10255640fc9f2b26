/*
** soak.c - random programs (spec/soak/program.lua), one lua_State after the
** other on several threads at once, for some time; see `make soak`. At the end
** no driver object is alive, and memory is where it was after a while.
**
**   soak [-q] SECONDS [SEED [THREADS [ROUNDS]]]
**
** Each program has a seed of its own, counted up from SEED; a failure prints
** it. SECONDS 0: that one program, to see it again. -q: no figures. Needs
** spec/?.lua.
*/
#include "embed.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum {
  PROGRAMS = 20,    /* in one lua_State */
  WARM = 10,        /* lua_States of a thread until memory counts */
  GROWTH = 32 << 20 /* bytes that memory may grow by after that */
};

static atomic_long next_seed;
static atomic_int any_failed;
static double until;
static int rounds = 300, once, quiet;

static double now (void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes of this process in memory; 0 where nothing says. */
static long resident (void) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL)
    return 0;
  if (fscanf(f, "%*s %ld", &pages) != 1)
    pages = 0;
  fclose(f);
  return pages * sysconf(_SC_PAGESIZE);
}

static int run_program (lua_State *L, const char *how) {
  long seed = atomic_fetch_add(&next_seed, 1);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "spec.soak.program");
  lua_call(L, 1, 1);
  lua_pushinteger(L, seed);
  lua_pushinteger(L, rounds);
  lua_pushstring(L, how);
  if (lua_pcall(L, 3, 0, 0) == LUA_OK)
    return 0;
  return bad("soak", lua_tostring(L, -1));
}

/* The last program of a state is left to lua_close as it is, sometimes: one of
** those, or another one that has everything under way. */
static int run_state (long n) {
  int failed = 0;
  lua_State *L = open_state();
  for (int i = 0; i < PROGRAMS && !failed && !any_failed; i++) {
    failed = run_program(L, once ? "alone" : "shared");
    if (once || now() > until)
      break;
  }
  if (!failed && n % 4 == 0)
    failed = run(L, "RAN = function () end\n") || run(L, unfinished);
  else if (!failed && n % 4 == 2)
    failed = run_program(L, "left");
  lua_close(L);
  return failed;
}

static void *work (void *unused) {
  (void)unused;
  for (long n = 0; !any_failed && (n == 0 || (!once && now() < until)); n++)
    if (run_state(n))
      any_failed = 1;
  return NULL;
}

static int run_threads (int nthreads, long first) {
  pthread_t threads[64];
  int started = 0;
  while (started < nthreads && started < 64 &&
         pthread_create(&threads[started], NULL, work, NULL) == 0)
    started++;
  if (started < nthreads)
    any_failed = bad("soak", "pthread_create");
  long warm = 0, before = 0;
  while (!any_failed && !once && now() < until) {
    struct timespec nap = {0, 100000000};
    nanosleep(&nap, NULL);
    if (warm == 0 && next_seed - first > (long)WARM * PROGRAMS * started) {
      warm = next_seed;
      before = resident();
    }
  }
  for (int i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  long after = resident();
  if (!quiet)
    printf("%ld programs from seed %ld on, %d threads; memory %ld KiB, after "
           "the first %ld: %ld KiB\n",
           next_seed - first, first, started, after / 1024,
           warm > 0 ? warm - first : 0, before / 1024);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  if (warm > 0 && after > before + GROWTH)
    any_failed = bad("soak", "memory grows");
#endif
  return any_failed;
}

int main (int argc, char **argv) {
  quiet = (argc > 1 && strcmp(argv[1], "-q") == 0);
  argc -= quiet;
  argv += quiet;
  double seconds = argc > 1 ? atof(argv[1]) : 5;
  long seed = argc > 2 ? atol(argv[2]) : 1;
  int threads = argc > 3 ? atoi(argv[3]) : 2;
  if (argc > 4)
    rounds = atoi(argv[4]);
  once = (seconds <= 0);
  until = now() + seconds;
  atomic_store(&next_seed, seed);
  int failed = run_threads(once ? 1 : threads, seed);
  lua_State *monitor = open_state();
  failed |= run(monitor, nothing_lives);
  lua_close(monitor);
  if (!failed)
    puts("ok");
  return failed;
}
