/*
** program.c - runs a program, block by block. The addresses of a step's
** arguments are found once for a launch; for a block only the slots change
** that move with it.
*/
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "../driver.h"

/* One launch. */
typedef struct Run {
  const Program *p;
  uint64_t *slot;      /* by number */
  void *(*params)[STEP_ARGS];  /* by step */
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
        *v = (uint64_t)(uintptr_t)(r->registers + s->value);
        break;
      case SLOT_NUMBER:
        *v = s->value;
        break;
      case SLOT_STREAM: case SLOT_ARG:
        *v = read_arg(params, s->arg);
        break;
      case SLOT_FIRST:
        memcpy(v, (void *)(uintptr_t)read_arg(params, s->arg), s->bytes);
        break;
      case SLOT_TOTAL:
        *v = total;
        break;
    }
  }
}

static void set_params (Run *r) {
  for (int i = 0; i < r->p->nsteps; i++)
    for (int k = 0; k < STEP_ARGS && r->p->steps[i].fn >= 0; k++)
      r->params[i][k] = &r->slot[r->p->steps[i].arg[k]];
}

/* The elements from 'first' on, 'count' of them, are next. */
static void move_slots (Run *r, size_t first, size_t count, size_t moved) {
  for (int i = 0; i < r->p->nslots; i++) {
    const Slot *s = &r->p->slots[i];
    if (s->kind == SLOT_STREAM)
      r->slot[i] += moved * s->bytes;
    else if (s->kind == SLOT_INDEX)
      r->slot[i] = first;
    else if (s->kind == SLOT_COUNT)
      r->slot[i] = count;
  }
}

static bool has_any (const uint8_t *mask, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (mask[i])
      return true;
  return false;
}

/* The steps over one block. */
static void run_block (const Run *r, size_t count) {
  static const unsigned one[3] = {1, 1, 1};
  const Program *p = r->p;
  for (int i = 0; i < p->nsteps; i++) {
    const Step *s = &p->steps[i];
    if (s->fn >= TWINS)
      host_steps[s->fn - TWINS].run(r->params[i], one, one);
    else if (s->fn >= 0)
      host_twins[s->fn].run(r->params[i], one, one);
    else if (s->fn == STEP_JUMP ||
             !has_any((void *)(uintptr_t)r->slot[s->arg[1]], count))
      i = s->arg[0] - 1;
  }
}

/* All that a launch needs, in one piece. */
static bool open_run (Run *r, const Program *p) {
  size_t slots = p->nslots * sizeof *r->slot;
  size_t params = p->nsteps * sizeof *r->params;
  size_t at = (slots + params + 63) / 64 * 64;
  char *memory = aligned_alloc(64, (at + p->bytes + 63) / 64 * 64);
  if (memory == NULL)
    return false;
  r->p = p;
  r->slot = (void *)memory;
  r->params = (void *)(memory + slots);
  r->registers = memory + at;
  return true;
}

void host_runprogram (const Program *p, void **params) {
  Run r;
  size_t n = read_arg(params, p->nargs - 1), moved = 0;
  if (!open_run(&r, p)) {
    host_wrong = CUDA_ERROR_OUT_OF_MEMORY;
    return;
  }
  set_slots(&r, params, n);
  set_params(&r);
  for (size_t first = 0; first < n; first += PROGRAM_BLOCK) {
    size_t count = (n - first < PROGRAM_BLOCK) ? n - first : PROGRAM_BLOCK;
    move_slots(&r, first, count, moved);
    run_block(&r, count);
    moved = count;
  }
  free(r.slot);
}
