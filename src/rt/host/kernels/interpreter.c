/*
** interpreter.c - runs a program, block by block. The addresses of a step's
** arguments are found once for a launch; for each block only the slots that
** move with it change.
*/
#include "interpreter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rt/driver/driver.h"

/* A launch of a program. */
typedef struct Run {
  const Program *p;
  bool *stop;                 /* atomic */
  uint64_t *slot;             /* by number */
  void *(*params)[STEP_ARGS]; /* by step */
  size_t lanes;               /* elements of a block */
  char *registers;
} Run;

static uint64_t read_arg (void **params, int i) {
  uint64_t v;
  memcpy(&v, params[i], sizeof v);
  return v;
}

static void set_slots (Run *r, void **params, size_t total) {
  for (int i = 0; i < r->p->nslots; i++) {
    const Slot *s = &r->p->slots[i];
    uint64_t *v = &r->slot[i];
    *v = 0;
    switch (s->kind) {
      case SLOT_REGISTER:
      case SLOT_INDICES:
        *v = (uint64_t)(uintptr_t)(r->registers + s->value);
        break;
      case SLOT_NUMBER: *v = s->value; break;
      case SLOT_STREAM:
      case SLOT_ARG:
      case SLOT_RESULT: *v = read_arg(params, s->arg); break;
      case SLOT_FIRST:
        memcpy(v, (void *)(uintptr_t)read_arg(params, s->arg), s->bytes);
        break;
      case SLOT_TOTAL: *v = total; break;
    }
  }
}

static void set_params (Run *r) {
  for (int i = 0; i < r->p->nsteps; i++)
    for (int k = 0; k < STEP_ARGS && r->p->steps[i].fn >= 0; k++)
      r->params[i][k] = &r->slot[r->p->steps[i].arg[k]];
}

static void count_up (int64_t *index, size_t first, size_t count) {
  for (size_t k = 0; k < count; k++)
    index[k] = (int64_t)(first + k);
}

/* Moves the slots to the next 'count' elements, from 'first' on. */
static void move_slots (Run *r, size_t first, size_t count, size_t moved) {
  for (int i = 0; i < r->p->nslots; i++) {
    const Slot *s = &r->p->slots[i];
    if (s->kind == SLOT_STREAM)
      r->slot[i] += moved * s->bytes;
    else if (s->kind == SLOT_INDEX)
      r->slot[i] = first;
    else if (s->kind == SLOT_COUNT)
      r->slot[i] = count;
    else if (s->kind == SLOT_INDICES)
      count_up((void *)(uintptr_t)r->slot[i], first, count);
  }
}

static bool has_any (const uint8_t *mask, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (mask[i])
      return true;
  return false;
}

/* A program may loop for ever, so this is tested at each backward jump and
** before each block. */
static inline bool is_over (const Run *r) {
  return __builtin_expect(__atomic_load_n(r->stop, __ATOMIC_RELAXED), 0);
}

/* Runs steps 'from' up to 'to' over one block, unless the program is
** stopped. */
static void run_steps (const Run *r, int from, int to, size_t count) {
  static const unsigned one[3] = {1, 1, 1};
  const Program *p = r->p;
  for (int i = from; i < to; i++) {
    const Step *s = &p->steps[i];
    if (s->fn >= PROGRAM_FNS)
      interpreter_steps[s->fn - PROGRAM_FNS].run(r->params[i], one, one);
    else if (s->fn >= 0)
      host_kernel_table[s->fn].run(r->params[i], one, one);
    else if (s->fn == STEP_JUMP && is_over(r))
      return;
    else if (s->fn == STEP_JUMP ||
             !has_any((void *)(uintptr_t)r->slot[s->arg[1]], count))
      i = s->arg[0] - 1;
  }
}

/* Allocates all that a launch needs, in one piece. */
static bool open_run (Run *r, const Program *p, bool *stop) {
  size_t slots = p->nslots * sizeof *r->slot;
  size_t params = p->nsteps * sizeof *r->params;
  size_t at = (slots + params + 63) / 64 * 64;
  char *memory = aligned_alloc(64, (at + p->bytes + 63) / 64 * 64);
  if (memory == NULL)
    return false;
  r->p = p;
  r->stop = stop;
  interpreter_outside.stop = stop;
  r->slot = (void *)memory;
  r->params = (void *)(memory + slots);
  r->registers = memory + at;
  return true;
}

/* {== reductions ====================================================== */

static void set_count (const Run *r, size_t count) {
  for (int i = 0; i < r->p->nslots; i++)
    if (r->p->slots[i].kind == SLOT_COUNT)
      r->slot[i] = count;
}

/* Joins the first 'count' elements of the accumulator with those at 'other'. */
static void fold (const Run *r, uint64_t other, size_t count) {
  r->slot[r->p->other] = other;
  set_count(r, count);
  run_steps(r, r->p->fold, r->p->post, count);
}

/* Reduces the next n elements to one, in the accumulator's first place. */
static void reduce (Run *r, size_t at, size_t n, size_t *moved) {
  const Program *p = r->p;
  uint64_t acc = r->slot[p->accumulator], mapped = r->slot[p->mapped];
  size_t bytes = p->slots[p->accumulator].bytes, lanes = 0;
  for (size_t first = 0; first < n && !is_over(r); first += PROGRAM_BLOCK) {
    size_t count = (n - first < PROGRAM_BLOCK) ? n - first : PROGRAM_BLOCK;
    move_slots(r, at + first, count, *moved);
    *moved = count;
    run_steps(r, 0, p->fold, count);
    if (first > 0) {
      fold(r, mapped, count);
    } else {
      memcpy((void *)(uintptr_t)acc, (void *)(uintptr_t)mapped, count * bytes);
      lanes = count;
    }
  }
  while (lanes > 1) {
    size_t half = lanes / 2;
    fold(r, acc + (lanes - half) * bytes, half);
    lanes -= half;
  }
  set_count(r, 1);
  if (n == 0)
    run_steps(r, p->none, p->nsteps, 1);
}

static void move_results (Run *r, size_t n) {
  for (int i = 0; i < r->p->nslots; i++)
    if (r->p->slots[i].kind == SLOT_RESULT)
      r->slot[i] += n * r->p->slots[i].bytes;
}

/* Computes results 'from' up to 'to', of n elements each. */
static void run_reduction (Run *r, size_t from, size_t to, size_t n) {
  const Program *p = r->p;
  size_t moved = from * n;
  move_results(r, from);
  for (size_t k = from; k < to && !is_over(r); k++) {
    reduce(r, k * n, n, &moved);
    run_steps(r, p->post, p->none, 1);
    move_results(r, 1);
  }
}

/* ==} */

/* {== arrays that the body indexes ===================================== */

/* How a step uses an array: its argument 'array', before a size and an
** index. */
typedef struct Use {
  int array;
  bool reads, writes, local;
} Use;

static Use use_of (const Step *s) {
  int fn = s->fn - PROGRAM_FNS;
  if (fn >= FN_gather_1 && fn <= FN_gather_8)
    return (Use){1, true, false, false};
  if (fn >= FN_scatter_1 && fn <= FN_scatter_8)
    return (Use){0, false, true, false};
  if (fn >= FN_atomic_add_u32 && fn <= FN_atomic_xor_u64)
    return (Use){1, true, true, false};
  if (fn >= FN_put_1 && fn <= FN_put_8)
    return (Use){0, false, true, true};
  return (Use){1, fn >= FN_pick_1 && fn <= FN_pick_8, false, true};
}

/* Memory with elements. 'own': each lane has one. */
typedef struct Place {
  uint64_t at, bytes, each;
  bool own;
} Place;

static Place place_of (const Run *r, const Step *s, int array) {
  uint64_t each = r->p->slots[s->arg[array]].bytes;
  bool own = r->p->slots[s->arg[array + 2]].kind == SLOT_INDICES;
  return (Place){r->slot[s->arg[array]], r->slot[s->arg[array + 1]] * each,
                 each, own};
}

/* Tells whether a lane may use an element of x that another one uses of y. */
static bool is_shared (Place x, Place y) {
  if (x.at >= y.at + y.bytes || y.at >= x.at + x.bytes)
    return false;
  return !x.own || !y.own || x.at != y.at || x.each != y.each;
}

/* Tells whether a lane may read what another one writes in step w. Atomic
** functions alone may come in any order. */
static bool is_read (const Run *r, const Step *w, size_t n) {
  const Program *p = r->p;
  const Use u = use_of(w);
  const Place z = place_of(r, w, u.array);
  for (int i = 0; i < p->nslots; i++) {
    const Slot *s = &p->slots[i];
    if (s->kind == SLOT_STREAM &&
        is_shared(z, (Place){r->slot[i], n * s->bytes, s->bytes, true}))
      return true;
  }
  for (int i = 0; i < p->nsteps; i++) {
    const Use v = use_of(&p->steps[i]);
    if (v.reads && !v.local && !(u.reads && v.writes) &&
        is_shared(z, place_of(r, &p->steps[i], v.array)))
      return true;
  }
  return false;
}

/*
** Returns the number of elements of a block, which ends each operation before
** it begins the next one. If an element may read what another one writes, they
** run one by one, in order.
*/
static size_t count_lanes (const Run *r, size_t n) {
  for (int i = 0; i < r->p->nsteps && r->p->scatters; i++) {
    const Use u = use_of(&r->p->steps[i]);
    if (u.writes && !u.local && is_read(r, &r->p->steps[i], n))
      return 1;
  }
  return PROGRAM_BLOCK;
}

/* ==} */

/* {== faults ========================================================== */

_Thread_local char interpreter_why[DRIVER_WHY];

/* Writes which array, and where in the source, the step accessed out of
** bounds. */
static void explain (const Run *r) {
  const Program *p = r->p;
  const Outside *o = &interpreter_outside;
  size_t at = (size_t)(o->params - r->params[0]) / STEP_ARGS;
  const Step *s = &p->steps[at];
  const Use u = use_of(s);
  const char *does = u.writes ? "writes" : "reads";
  const Slot *array = &p->slots[s->arg[u.array]];
  const char *name = p->texts +
                     (array->kind == SLOT_ARG ? array->value : array->arg);
  snprintf(interpreter_why, sizeof interpreter_why,
           "line %d of %skernel '%s' %s %s[%lld], and %s has %lld element%s",
           p->lines[at] % IN_PREAMBLE,
           p->lines[at] >= IN_PREAMBLE ? "the preamble of " : "", p->name, does,
           name, (long long)o->index, name, (long long)o->size,
           o->size == 1 ? "" : "s");
}

/* ==} */

/* Runs blocks 'from' up to 'to' of n elements. */
static void run_blocks (Run *r, size_t from, size_t to, size_t n) {
  size_t first = from * r->lanes, moved = first;
  for (size_t b = from; b < to && !is_over(r); b++, first += r->lanes) {
    size_t count = (n - first < r->lanes) ? n - first : r->lanes;
    move_slots(r, first, count, moved);
    run_steps(r, 0, r->p->nsteps, count);
    moved = count;
  }
}

void interpreter_run (const Program *p, void **params, bool *stop,
                      unsigned part, unsigned parts) {
  Run r;
  if (!open_run(&r, p, stop)) {
    host_kernel_error = CUDA_ERROR_OUT_OF_MEMORY;
    return;
  }
  size_t n = read_arg(params, p->nargs - 1);
  size_t results = p->reduces ? read_arg(params, p->nargs - 2) : 1;
  set_slots(&r, params, n * results);
  set_params(&r);
  r.lanes = count_lanes(&r, n);
  size_t units = p->reduces ? results : (n + r.lanes - 1) / r.lanes;
  size_t from = host_kernel_cut(units, part, parts);
  size_t to = host_kernel_cut(units, part + 1, parts);
  if (p->reduces)
    run_reduction(&r, from, to, n);
  else
    run_blocks(&r, from, to, n);
  if (host_kernel_error == CUDA_ERROR_ILLEGAL_ADDRESS)
    explain(&r);
  free(r.slot);
}
