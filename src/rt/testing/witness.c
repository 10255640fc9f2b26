/*
** witness.c - for tests: checks that conflicting uses of memory are in order,
** by driver calls alone.
**
** DESIGN. A program whose waits are wrong mostly has the right results all the
** same. So the witness does not look at results. It knows the memory that each
** operation uses. About order it knows only what it sees of driver calls:
** events recorded and waited for, and queries that say "done". From these each
** operation has a vector clock (Fidge, Mattern, 1988): for every stream, how
** much of it is known to come before. Two uses of the same bytes conflict if
** one of them is a write. They are in no order if the clock of the later one
** does not include the earlier one, whatever the results.
**
** Clocks belong to the host (0) and to streams. The order that the legacy
** stream has without being told is not counted, with one exception: its events
** come after all blocking streams when the host asks about them. A file has
** uses like memory; they also end when threads have told the host that they are
** done. Within a capture clocks begin anew, and the uses are those of that
** capture; a launch is one operation.
**
** The witness sees the calls of one thread, from witness_start on. If memory
** is short the test aborts.
*/
#include "witness.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"
#include "rt/driver/grow.h"
#include "rt/driver/observer.h"
#include "rt/graph/capture_types.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"

enum { HOST = 0, LINES = 1024, BINS = 4096, NAME = 32 };

/* {== clocks ========================================================== */

typedef struct Clocks {
  struct Clocks *next; /* in the list of all */
  int n;               /* clocks beyond these are 0 */
  uint32_t at[];
} Clocks;

typedef struct Line {
  uint64_t key; /* a stream's handle */
  bool blocking;
  uint32_t tick, now[LINES];
  const Clocks *past; /* in a capture: bits of the nodes before the next */
} Line;

/* A use of a range of bytes. */
typedef struct Use {
  int line; /* in a capture: the number of the operation */
  uint32_t tick;
  size_t lo, hi;
  bool write;
  const Clocks *clocks; /* of its operation */
  char name[NAME];
} Use;

typedef enum What { EVENT, QUERIED, CAPTURED_EVENT, NODE, MEMORY } What;

/* Facts about an event, or a block, in capture n or (0) in none. */
typedef struct Fact {
  struct Fact *next;
  What what;
  uint64_t key, n;
  const Clocks *clocks;
  Use *uses;
  int nuses, cap;
} Fact;

typedef struct Witness {
  Line *lines[LINES];
  int nlines;
  Fact *bins[BINS];
  Clocks *all;
  long blind; /* counts down the waits up to one that is not seen */
  int nodes;  /* captured operations */
  long compared, bad;
  char complaint[COMPLAINT];
} Witness;

static _Thread_local Witness *w;

static void *get (size_t bytes) {
  void *p = malloc(bytes);
  if (p == NULL)
    abort();
  return p;
}

static Line *new_line (uint64_t key) {
  if (w->nlines == LINES)
    abort();
  Line *line = calloc(1, sizeof *line);
  if (line == NULL)
    abort();
  line->key = key;
  w->lines[w->nlines++] = line;
  return line;
}

static int find_line (uint64_t key) {
  for (int i = 1; i < w->nlines; i++)
    if (w->lines[i]->key == key)
      return i;
  new_line(key);
  return w->nlines - 1;
}

static Clocks *copy (const uint32_t *at) {
  size_t bytes = (size_t)w->nlines * sizeof *at;
  Clocks *c = get(sizeof *c + bytes);
  c->n = w->nlines;
  memcpy(c->at, at, bytes);
  c->next = w->all;
  w->all = c;
  return c;
}

static void join (uint32_t *at, const uint32_t *more, int n) {
  for (int i = 0; i < n; i++)
    if (at[i] < more[i])
      at[i] = more[i];
}

static void join_clocks (uint32_t *at, const Clocks *c) {
  if (c != NULL)
    join(at, c->at, c->n);
}

static bool has (const Clocks *c, int line, uint32_t tick) {
  return c != NULL && line < c->n && c->at[line] >= tick;
}

/* Returns the union of two sets of captured operations, which never change. */
static const Clocks *unite (const Clocks *a, const Clocks *b) {
  if (a == NULL || b == NULL)
    return (a != NULL) ? a : b;
  const Clocks *longer = (a->n > b->n) ? a : b;
  const Clocks *other = (longer == a) ? b : a;
  Clocks *c = get(sizeof *c + (size_t)longer->n * sizeof c->at[0]);
  *c = (Clocks){w->all, longer->n};
  for (int i = 0; i < c->n; i++)
    c->at[i] = longer->at[i] | (i < other->n ? other->at[i] : 0);
  w->all = c;
  return c;
}

static const Clocks *bit_of (int node) {
  int n = node / 32 + 1;
  Clocks *c = get(sizeof *c + (size_t)n * sizeof c->at[0]);
  memset(c->at, 0, (size_t)n * sizeof c->at[0]);
  c->at[n - 1] = UINT32_C(1) << node % 32;
  c->n = n;
  c->next = w->all;
  w->all = c;
  return c;
}

static bool has_bit (const Clocks *c, int node) {
  return c != NULL && node / 32 < c->n &&
         (c->at[node / 32] >> node % 32 & 1) != 0;
}

static uint32_t *host (void) { return w->lines[HOST]->now; }

static Fact *fact (What what, uint64_t key, uint64_t n) {
  uint64_t hash = (key ^ (n << 40) ^ n ^ what) * 0x9E3779B97F4A7C15u;
  Fact **bin = &w->bins[hash >> 52], *f = *bin;
  while (f != NULL && (f->what != what || f->key != key || f->n != n))
    f = f->next;
  if (f != NULL)
    return f;
  f = get(sizeof *f);
  *f = (Fact){.next = *bin, .what = what, .key = key, .n = n};
  *bin = f;
  return f;
}

static uint64_t key_of (const void *p) { return (uint64_t)(uintptr_t)p; }

/* ==} */

/* {== uses ============================================================ */

/* Returns the uses of a block, by its address; a file has none
** (rt/file/file.c). */
static Fact *memory (const RtBlock *b, uint64_t capture) {
  return fact(MEMORY, b->ptr != 0 ? b->ptr : key_of(b), capture);
}

static void complain (const Use *a, const char *name, bool write) {
  if (w->bad++ > 0)
    return;
  snprintf(w->complaint, sizeof w->complaint,
           "'%s', which %s bytes %zu to %zu, and '%s', which %s them", a->name,
           a->write ? "writes" : "reads", a->lo, a->hi, name,
           write ? "writes" : "reads");
}

static bool conflict (const Use *a, size_t lo, size_t hi, bool write) {
  return (a->write || write) && a->lo < hi && lo < a->hi;
}

/* Compares a use with the earlier ones, and forgets those known to be done,
** which come before all later ones; not in a capture, where nothing is done. */
static void compare (Fact *f, const Access *x, const Clocks *c,
                     const char *name, bool captured) {
  int j = 0;
  for (int i = 0; i < f->nuses; i++) {
    const Use *a = &f->uses[i];
    w->compared++;
    if (conflict(a, x->off, x->off + x->len, x->write) &&
        !(captured ? has_bit(c, a->line) : has(c, a->line, a->tick)))
      complain(a, name, x->write);
    if (captured || host()[a->line] < a->tick)
      f->uses[j++] = *a;
  }
  f->nuses = j;
}

static void add (Fact *f, const Access *x, int line, uint32_t tick,
                 const Clocks *c, const char *name) {
  if (!grow_list(&f->uses, &f->cap, f->nuses + 1, sizeof *f->uses, 4))
    abort();
  Use *u = &f->uses[f->nuses++];
  *u = (Use){.line = line,
             .tick = tick,
             .lo = x->off,
             .hi = x->off + x->len,
             .write = x->write,
             .clocks = c};
  snprintf(u->name, sizeof u->name, "%s", name);
}

static void use (const Op *op, int line, uint32_t tick, const Clocks *c,
                 uint64_t capture) {
  for (int i = 0; i < op->naccess; i++)
    compare(memory(op->access[i].block, capture), &op->access[i], c, op->name,
            capture != 0);
  for (int i = 0; i < op->naccess; i++)
    add(memory(op->access[i].block, capture), &op->access[i], line, tick, c,
        op->name);
}

/* ==} */

/* {== what the driver is asked to do ================================== */

enum { NWITNESSES = 2 };

/* The table that each one forwards to, written once; C functions carry no
** closure. */
static Driver tables[NWITNESSES];
static const Driver *bases[NWITNESSES];

static bool is_seen (const Driver *D) {
  return w != NULL && D >= tables && D < tables + NWITNESSES;
}

static bool is_default (CUstream s) {
  return s == CU_STREAM_LEGACY || s == CU_STREAM_PER_THREAD;
}

static int line_of (const Driver *D, CUstream s) {
  int n = w->nlines, i = find_line(key_of(s));
  unsigned flags = 0;
  if (i == n)
    w->lines[i]->blocking = is_default(s) ||
                            (D->cuStreamGetFlags(s, &flags) == CUDA_SUCCESS &&
                             flags == CU_STREAM_DEFAULT);
  return i;
}

/* Returns the clocks of 's'. Work queued next comes after all that the host
** knows. */
static uint32_t *now (const Driver *D, CUstream s) {
  Line *line = w->lines[line_of(D, s)];
  join(line->now, host(), w->nlines);
  return line->now;
}

static const Clocks **past (const Driver *D, CUstream s) {
  return &w->lines[line_of(D, s)]->past;
}

static bool is_capturing (const Driver *D, CUstream s) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return s != CU_STREAM_LEGACY &&
         D->cuStreamIsCapturing(s, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

static CUresult begin_capture (const Driver *D, CUstream s,
                               CUstreamCaptureMode mode) {
  CUresult r = D->cuStreamBeginCapture(s, mode);
  if (w != NULL && r == CUDA_SUCCESS)
    *past(D, s) = NULL;
  return r;
}

/* When the host asks about an event on the legacy stream, it learns of earlier
** work on blocking streams as well. */
static const Clocks *clocks_of_event (const Driver *D, CUstream s) {
  uint32_t all[LINES];
  memcpy(all, now(D, s), sizeof all);
  for (int i = 1; i < w->nlines && s == CU_STREAM_LEGACY; i++)
    if (w->lines[i]->blocking)
      join(all, w->lines[i]->now, w->nlines);
  return copy(all);
}

static CUresult record (const Driver *D, CUevent e, CUstream s) {
  CUresult r = D->cuEventRecord(e, s);
  if (w == NULL || r != CUDA_SUCCESS)
    return r;
  if (is_capturing(D, s)) {
    fact(CAPTURED_EVENT, key_of(e), 0)->clocks = *past(D, s);
    return r;
  }
  fact(EVENT, key_of(e), 0)->clocks = copy(now(D, s));
  fact(QUERIED, key_of(e), 0)->clocks = clocks_of_event(D, s);
  return r;
}

/* Tells whether this wait, for an event with these clocks, is to be ignored. */
static bool is_blind (const Clocks *c) {
  return c != NULL && w->blind > 0 && --w->blind == 0;
}

static CUresult wait_event (const Driver *D, CUstream s, CUevent e,
                            unsigned flags) {
  bool before = (w != NULL && is_capturing(D, s));
  CUresult r = D->cuStreamWaitEvent(s, e, flags);
  if (w == NULL || r != CUDA_SUCCESS)
    return r;
  bool after = is_capturing(D, s);
  const Clocks *c = fact(after ? CAPTURED_EVENT : EVENT, key_of(e), 0)->clocks;
  if (after && !before)
    *past(D, s) = NULL;
  if (is_blind(c))
    return r;
  if (after)
    *past(D, s) = unite(*past(D, s), c);
  else
    join_clocks(now(D, s), c);
  return r;
}

static CUresult add_empty (const Driver *D, CUgraphNode *node, CUgraph graph,
                           const CUgraphNode *nodes, size_t n) {
  CUresult r = D->cuGraphAddEmptyNode(node, graph, nodes, n);
  if (w == NULL || r != CUDA_SUCCESS)
    return r;
  const Clocks *all = NULL;
  for (size_t i = 0; i < n; i++)
    all = unite(all, fact(NODE, key_of(nodes[i]), 0)->clocks);
  fact(NODE, key_of(*node), 0)->clocks = all;
  return r;
}

static CUresult depend (const Driver *D, CUstream s, CUgraphNode *nodes,
                        size_t n, unsigned flags) {
  CUresult r = D->cuStreamUpdateCaptureDependencies(s, nodes, n, flags);
  if (w == NULL || r != CUDA_SUCCESS)
    return r;
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
    *past(D, s) = NULL;
  for (size_t i = 0; i < n; i++) {
    const Clocks *c = fact(NODE, key_of(nodes[i]), 0)->clocks;
    if (!is_blind(c))
      *past(D, s) = unite(*past(D, s), c);
  }
  return r;
}

static CUresult query_event (const Driver *D, CUevent e) {
  CUresult r = D->cuEventQuery(e);
  if (w != NULL && r == CUDA_SUCCESS)
    join_clocks(host(), fact(QUERIED, key_of(e), 0)->clocks);
  return r;
}

static CUresult query_stream (const Driver *D, CUstream s) {
  CUresult r = D->cuStreamQuery(s);
  if (w != NULL && r == CUDA_SUCCESS)
    join(host(), w->lines[line_of(D, s)]->now, w->nlines);
  return r;
}

/* Memory from the driver has no uses yet; its earlier uses are the driver's
** affair. */
static CUresult get_memory (const Driver *D, CUdeviceptr *p, size_t bytes,
                            CUmemoryPool pool, CUstream s) {
  CUresult r = D->cuMemAllocFromPoolAsync(p, bytes, pool, s);
  if (w == NULL || r != CUDA_SUCCESS)
    return r;
  Fact *f = fact(MEMORY, *p, 0);
  f->nuses = 0;
  int line = line_of(D, s);
  uint32_t tick = now(D, s)[line] = ++w->lines[line]->tick;
  add(f, &(Access){NULL, 0, bytes, true, false}, line, tick,
      copy(w->lines[line]->now), "allocation");
  return r;
}

static CUresult get_pinned (const Driver *D, void **p, size_t bytes,
                            unsigned flags) {
  CUresult r = D->cuMemHostAlloc(p, bytes, flags);
  if (w != NULL && r == CUDA_SUCCESS)
    fact(MEMORY, key_of(*p), 0)->nuses = 0;
  return r;
}

static CUresult free_memory (const Driver *D, CUdeviceptr p, CUstream s) {
  if (w != NULL) {
    Fact *f = fact(MEMORY, p, 0);
    const Access all = {NULL, 0, SIZE_MAX, true, false};
    compare(f, &all, copy(now(D, s)), "free", false);
    f->nuses = 0;
  }
  return D->cuMemFreeAsync(p, s);
}

/* clang-format off */
#define SEEN(X) \
  X(cuStreamBeginCapture, begin_capture, \
    (CUstream s, CUstreamCaptureMode mode), (D, s, mode)) \
  X(cuEventRecord, record, (CUevent e, CUstream s), (D, e, s)) \
  X(cuStreamWaitEvent, wait_event, (CUstream s, CUevent e, unsigned flags), \
    (D, s, e, flags)) \
  X(cuStreamUpdateCaptureDependencies, depend, \
    (CUstream s, CUgraphNode * nodes, size_t n, unsigned flags), \
    (D, s, nodes, n, flags)) \
  X(cuGraphAddEmptyNode, add_empty, \
    (CUgraphNode *node, CUgraph graph, const CUgraphNode *nodes, size_t n), \
    (D, node, graph, nodes, n)) \
  X(cuEventQuery, query_event, (CUevent e), (D, e)) \
  X(cuStreamQuery, query_stream, (CUstream s), (D, s)) \
  X(cuMemAllocFromPoolAsync, get_memory, \
    (CUdeviceptr *p, size_t bytes, CUmemoryPool pool, CUstream s), \
    (D, p, bytes, pool, s)) \
  X(cuMemHostAlloc, get_pinned, (void **p, size_t bytes, unsigned flags), \
    (D, p, bytes, flags)) \
  X(cuMemFreeAsync, free_memory, (CUdeviceptr p, CUstream s), (D, p, s))
/* clang-format on */

#define FORWARD(set, name, fn, params, args) \
  static CUresult name##set params { \
    const Driver *D = bases[set]; \
    return fn args; \
  }

#define X(name, fn, params, args) \
  FORWARD(0, name, fn, params, args) FORWARD(1, name, fn, params, args)
SEEN(X)
#undef X

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Leaves CUDA's table alone, because the queries about streams would invalidate
** captures there. */
static const Driver *watched (const Driver *base) {
  const Driver *found = NULL;
  if (base == NULL || strcmp(base->kind, "host") != 0)
    return base;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < NWITNESSES && found == NULL; i++) {
    if (bases[i] == NULL) {
      tables[i] = *base;
#define X(name, fn, params, args) tables[i].name = i == 0 ? name##0 : name##1;
      SEEN(X)
#undef X
      bases[i] = base;
    }
    if (bases[i] == base)
      found = &tables[i];
  }
  pthread_mutex_unlock(&lock);
  return found;
}

/* ==} */

/* {== what tide does ================================================== */

static const Driver *table (const Driver *D) {
  return (D != NULL) ? watched(probe_driver(D)) : NULL;
}

static const Driver *behind (const Driver *D) {
  bool seen = (D >= tables && D < tables + NWITNESSES);
  return probe_base(seen ? bases[D - tables] : D);
}

static void note_op (const RtStream *s, const Op *op) {
  if (!is_seen(s->dev->D) || op->naccess == 0)
    return;
  int line = line_of(s->dev->D, s->handle);
  uint32_t *at = now(s->dev->D, s->handle);
  at[line] = ++w->lines[line]->tick;
  use(op, line, at[line], copy(at), 0);
}

/* Notes that the driver's nodes that 's' is at, all or only the unknown ones,
** come after all operations on it. */
static void mark_nodes (const RtStream *s, bool all) {
  CUstreamCaptureStatus status;
  cuuint64_t id;
  CUgraph graph;
  const CUgraphNode *nodes;
  size_t n = 0;
  const Driver *D = s->dev->D;
  if (D->cuStreamGetCaptureInfo(s->handle, &status, &id, &graph, &nodes, &n) !=
      CUDA_SUCCESS)
    return;
  for (size_t i = 0; i < n; i++) {
    Fact *f = fact(NODE, key_of(nodes[i]), 0);
    if (all || f->clocks == NULL)
      f->clocks = *past(D, s->handle);
  }
}

static void note_nodes (const RtStream *s) {
  if (is_seen(s->dev->D))
    mark_nodes(s, false);
}

static void note_captured (const RtCapture *c, const RtStream *s,
                           const Op *op) {
  if (!is_seen(s->dev->D))
    return;
  const Clocks **at = past(s->dev->D, s->handle);
  use(op, w->nodes, 0, *at, c->id);
  *at = unite(*at, bit_of(w->nodes++));
  mark_nodes(s, true);
}

/* The uses of a stream end in their order: of several equal ones the first. */
static void note_done (const RtStream *s, const RtBlock *b, size_t off,
                       size_t len, bool write) {
  if (!is_seen(s->dev->D))
    return;
  Fact *f = memory(b, 0);
  int line = line_of(s->dev->D, s->handle), i = 0;
  for (; i < f->nuses; i++) {
    const Use *a = &f->uses[i];
    if (a->line == line && a->lo == off && a->hi == off + len &&
        a->write == write)
      break;
  }
  if (i == f->nuses)
    return;
  f->nuses--;
  memmove(&f->uses[i], &f->uses[i + 1],
          (size_t)(f->nuses - i) * sizeof *f->uses);
}

static void note_cut (const RtCapture *c) {
  for (int i = 0; w != NULL && i < BINS; i++)
    for (Fact *f = w->bins[i]; f != NULL; f = f->next)
      if (f->what == MEMORY && f->n == c->id)
        f->nuses = 0;
}

/* Work that the host queues later comes after this use, because the host acts
** in sequence. Inside a host function the work behind it has not been
** queued. */
static void note_host (const RtBlock *b, size_t off, size_t len, bool write) {
  if (!is_seen(b->dev->D))
    return;
  Fact *f = memory(b, 0);
  for (int i = 0; i < f->nuses; i++) {
    const Use *a = &f->uses[i];
    w->compared++;
    if (conflict(a, off, off + len, write) && host()[a->line] < a->tick)
      complain(a, "the host", write);
  }
}

const Observer observer = {table,      behind,    note_op,  note_captured,
                           note_nodes, note_done, note_cut, note_host};

/* ==} */

void witness_start (long blind) {
  long compared, bad;
  char complaint[COMPLAINT];
  witness_end(&compared, &bad, complaint);
  w = calloc(1, sizeof *w);
  if (w == NULL)
    abort();
  w->blind = blind;
  new_line(0);
}

static void free_fact (Fact *f) {
  free(f->uses);
  free(f);
}

void witness_end (long *compared, long *bad, char complaint[COMPLAINT]) {
  *compared = *bad = 0;
  complaint[0] = '\0';
  if (w == NULL)
    return;
  *compared = w->compared;
  *bad = w->bad;
  memcpy(complaint, w->complaint, COMPLAINT);
  for (int i = 0; i < w->nlines; i++)
    free(w->lines[i]);
  for (int i = 0; i < BINS; i++)
    for (Fact *f; (f = w->bins[i]) != NULL; free_fact(f))
      w->bins[i] = f->next;
  for (Clocks *c; (c = w->all) != NULL; free(c))
    w->all = c->next;
  free(w);
  w = NULL;
}
