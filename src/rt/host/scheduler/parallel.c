/*
** parallel.c - long launches and copies in parts: idle workers help the worker
** that has such a task.
**
** DESIGN. The worker puts a Team on host.teams, wakes others, takes parts
** itself until none is left, and waits for the parts that others have begun. A
** helper takes part after part as long as no stream is ready. A team has up to
** host.team workers, which the program may change at any time. A host kernel
** finds the number of its part in block[1] and block[2]: part 1 of 1 is all of
** it (SPAN in host_kernels.h); programs get it as an argument. The cuts do not
** depend on the helpers, so results do not either. kernels/parts.lua has the
** rules that tell how many parts a kernel's launch can have.
*/
#include "rt/host/bytes.h"
#include "rt/host/host.h"
#include "rt/host/kernels/blas.h"
#include "rt/host/kernels/interpreter.h"
#include "rt/os/clock.h"

enum {
  LONG_LAUNCH = 1 << 18, /* elements worth waking others for: some 100 us */
  LEAST_PART = 1 << 16,  /* elements of a part, at least */
  LONG_BYTES = 4 * LONG_LAUNCH,
  LEAST_BYTES = 4 * LEAST_PART, /* of copies */
  PARTS = 8                     /* for each core, at most */
};

struct Team {
  struct Team *next;
  Task *task;
  void **params;
  unsigned nparts;
  unsigned taken;                  /* atomic: number of parts that were begun */
  bool begun[PARTS * MAX_WORKERS]; /* atomic: which parts */
  int helpers;   /* other workers in the team; under host.lock, as are */
  unsigned part; /* the first part known to have failed, and its error: */
  int wrong;
  char why[DRIVER_WHY];
};

/* Returns the number of independent units of a launch; 0: it cannot be
** divided. */
static size_t launch_units (const Task *t) {
  size_t n = t->u.kernel.n;
  if (n < LONG_LAUNCH)
    return 0;
  if (t->u.kernel.lines > 0)
    return t->u.kernel.lines;
  const HostKernel *builtin = t->u.kernel.builtin;
  return (builtin == NULL || builtin->each > 0) ? n / LEAST_PART
                                                : t->u.kernel.grid[0];
}

bool host_has_parts (const Task *t) {
  return host_team() > 1 && launch_units(t) > 1;
}

static size_t bytes_of (const Task *t) {
  return (t->kind == TASK_SET) ? t->u.set.bytes : t->u.copy.bytes;
}

/* Tells whether a copy writes what it reads. */
static bool overlaps (const Task *t) {
  uintptr_t to = (uintptr_t)t->u.copy.dst, from = (uintptr_t)t->u.copy.src;
  return (to > from ? to - from : from - to) < t->u.copy.bytes;
}

/* Likewise for a copy, or for setting bytes. */
static size_t bytes_units (const Task *t) {
  size_t n = bytes_of(t);
  return (n < LONG_BYTES || (t->kind == TASK_COPY && overlaps(t)))
           ? 0
           : n / LEAST_BYTES;
}

static void run_bytes (const Task *t, unsigned part, unsigned parts) {
  size_t each = bytes_of(t) / parts, first = each * part;
  size_t n = (part + 1 < parts) ? each : bytes_of(t) - first;
  if (t->kind == TASK_SET)
    memset((char *)t->u.set.dst + first, t->u.set.value, n);
  else
    bytes_copy((char *)t->u.copy.dst + first, (char *)t->u.copy.src + first, n);
}

/* Runs part 'part' of 'parts', counted from 0. */
static void run_part (Task *t, void **params, unsigned part, unsigned parts) {
  if (t->kind != TASK_KERNEL) {
    run_bytes(t, part, parts);
    return;
  }
  unsigned block[3] = {t->u.kernel.block[0], part + 1, parts};
  if (t->u.kernel.builtin == NULL)
    interpreter_run(t->u.kernel.program, params, &t->u.kernel.stop, part,
                    parts);
  else if (!__atomic_load_n(&t->u.kernel.stop, __ATOMIC_RELAXED))
    t->u.kernel.builtin->run(params, t->u.kernel.grid, block);
}

/* An error on this thread belongs to the launch, and its worker reports it. */
static void note_wrong (Team *team, unsigned part) {
  host_lock();
  if (team->wrong == CUDA_SUCCESS || part < team->part) {
    team->part = part;
    team->wrong = host_kernel_error;
    memcpy(team->why, interpreter_why, sizeof team->why);
  }
  pthread_mutex_unlock(&host.lock);
  host_kernel_error = CUDA_SUCCESS;
  interpreter_why[0] = '\0';
}

static bool take (Team *team, unsigned part) {
  bool taken = !__atomic_exchange_n(&team->begun[part], true, __ATOMIC_RELAXED);
  if (taken)
    __atomic_add_fetch(&team->taken, 1, __ATOMIC_RELAXED);
  return taken;
}

static void work_on (Team *team, bool helps) {
  unsigned n = team->nparts, size = (unsigned)host_team();
  unsigned first = (unsigned)(host_worker - 1) % size * n / size;
  for (unsigned i = 0; i < n; i++) {
    unsigned part = (first + i < n) ? first + i : first + i - n;
    if (helps && __atomic_load_n(&host.nready, __ATOMIC_RELAXED) > 0)
      return;
    if (!take(team, part))
      continue;
    run_part(team->task, team->params, part, n);
    if (host_kernel_error != CUDA_SUCCESS)
      note_wrong(team, part);
  }
}

/* The lock is held. Workers that wake look for a team: see work. */
static void call_helpers (unsigned most) {
  for (; most > 0 && host.sleeping > 0; most--) {
    host.sleeping--;
    host.waking++;
    pthread_cond_signal(&host.work);
  }
  for (; most > 0 && host.nworkers < host_team(); most--)
    host_start_worker();
}

/* Spins, because the parts of others are short and sleeping would take longer.
** Without the lock. */
static void await_helpers (const Team *team) {
  int64_t end = clock_now() + SPIN_NS;
  for (int turn = 0; __atomic_load_n(&team->helpers, __ATOMIC_RELAXED) > 0;
       turn++) {
    host_relax(turn);
    if (turn % 16 == 15 && clock_now() > end)
      break;
  }
}

static void dismiss (Team *team) {
  Team **at = &host.teams;
  while (*at != team)
    at = &(*at)->next;
  __atomic_store_n(at, team->next, __ATOMIC_RELAXED);
  while (team->helpers > 0)
    pthread_cond_wait(&host.parted, &host.lock);
}

/* Not inlined, because short tasks need no such frame. */
static void __attribute__((noinline))
run_parts(Task *t, void **params, size_t n, unsigned size) {
  unsigned most = PARTS * size;
  Team team = {
    .task = t, .params = params, .nparts = n < most ? (unsigned)n : most};
  host_lock();
  team.next = host.teams;
  __atomic_store_n(&host.teams, &team, __ATOMIC_RELAXED);
  call_helpers(size - 1);
  pthread_mutex_unlock(&host.lock);
  work_on(&team, false);
  await_helpers(&team);
  host_lock();
  dismiss(&team);
  pthread_mutex_unlock(&host.lock);
  if (team.wrong != CUDA_SUCCESS) {
    host_kernel_error = team.wrong;
    memcpy(interpreter_why, team.why, sizeof team.why);
  }
}

static void run (Task *t, void **params, size_t n) {
  int size = host_team();
  if (n < 2 || size == 1)
    run_part(t, params, 0, 1);
  else
    run_parts(t, params, n, (unsigned)size);
}

int team_size (void) {
  host_cuInit(0); /* may fail, as in a fork: the number stays */
  return host_team();
}

void team_resize (int n) {
  host_cuInit(0);
  __atomic_store_n(&host.team, n, __ATOMIC_RELAXED);
  blas_limit_threads(n);
}

void host_run_kernel (Task *t, void **params) {
  run(t, params, launch_units(t));
}

void host_run_bytes (Task *t) { run(t, NULL, bytes_units(t)); }

/* Tells whether a team has parts left, and is not full. */
static bool wants_help (const Team *team) {
  return __atomic_load_n(&team->taken, __ATOMIC_RELAXED) < team->nparts &&
         team->helpers + 1 < host_team();
}

bool host_help_team (void) {
  Team *team = host.teams;
  while (team != NULL && !wants_help(team))
    team = team->next;
  if (team == NULL)
    return false;
  __atomic_add_fetch(&team->helpers, 1, __ATOMIC_RELAXED);
  host_unlock();
  work_on(team, true);
  host_lock();
  if (__atomic_sub_fetch(&team->helpers, 1, __ATOMIC_RELAXED) == 0)
    pthread_cond_broadcast(&host.parted);
  return true;
}
