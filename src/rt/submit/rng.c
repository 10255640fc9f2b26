/*
** rng.c - random number generators: a key and a counter in the memory of
** each device, which the kernels read and move on.
**
** DESIGN. The state is a block with marks, and each operation that draws
** numbers writes it. So numbers are drawn in the order of the program, whatever
** the stream. A graph that draws numbers holds the block; each launch goes on
** from the current state, so launches never repeat numbers. Seeding must not
** become part of a graph: it is queued on the device's own stream, and is
** refused while a capture has the block.
*/
#include "rng.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "kernels/philox.h"
#include "kernels/types.h"
#include "op.h"
#include "rt/driver/context.h"
#include "rt/driver/image.h"
#include "rt/driver/status.h"
#include "rt/kernels/kernels.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/os/clock.h"
#include "rt/queue/op_types.h"

enum { GRID_MOST = 132 * 8 * 4 }; /* four waves of an H200 */

unsigned rng_grid (uint64_t values) {
  uint64_t blocks = (values + MAP_BLOCK - 1) / MAP_BLOCK;
  return (blocks < GRID_MOST) ? (unsigned)blocks : GRID_MOST;
}

uint64_t rng_random_seed (void) {
  uint64_t seed;
  if (getentropy(&seed, sizeof seed) == 0)
    return seed;
  return (uint64_t)clock_nanoseconds(CLOCK_REALTIME) ^ (uint64_t)getpid() << 40;
}

/* {== creation and end ================================================ */

size_t rng_size (const Runtime *rt) {
  return sizeof(RtGenerator) + (size_t)rt->ndevices * sizeof(RtRandom);
}

void rng_start (Runtime *rt, RtGenerator *g) {
  memset(g, 0, rng_size(rt));
  g->rt = rt;
  links_add(&rt->generators, &g->link);
}

void rng_end (RtGenerator *g) {
  links_remove(&g->rt->generators, &g->link);
  for (int i = 0; i < g->rt->ndevices; i++)
    block_drop(g->on[i].block);
}

Status rng_default (Runtime *rt, RtGenerator **out) {
  if (rt->generator == NULL) {
    RtGenerator *g = malloc(rng_size(rt));
    if (g == NULL)
      return status_fail(rt, RT_NOMEM, NULL);
    rng_start(rt, g);
    rt->generator = g;
  }
  *out = rt->generator;
  return 0;
}

/* The blocks go with their devices. */
void rng_end_all (Runtime *rt) {
  free(rt->generator);
  rt->generator = NULL;
  rt->generators = (List){0};
}

size_t rng_state_bytes (void) { return sizeof(RandomState); }

bool rng_needs_state (const RtGenerator *g, const RtDevice *dev) {
  return g != g->rt->generator && g->on[dev->index].block == NULL;
}

void rng_set_state (RtGenerator *g, RtBlock *block) {
  RtRandom *r = &g->on[block->dev->index];
  r->block = block;
  r->seeds = 0;
}

/* ==} */

/* {== seeds =========================================================== */

static void set_seed (RtGenerator *g, uint64_t seed) {
  g->seed = seed;
  g->seeds++;
  for (int i = 0; i < g->rt->ndevices; i++)
    g->on[i].epoch = 0;
}

static Status seed_device (RtGenerator *g, RtDevice *dev) {
  RtRandom *r = &g->on[dev->index];
  Op op;
  op_start(&op, OP_LAUNCH, "random_seed");
  void *params[] = {&r->block->ptr, &g->seed, &r->epoch};
  op_set_grid(&op, 1, 1);
  op.u.launch.params = params;
  op_access(&op, r->block, 0, sizeof(RandomState), true);
  unsigned seeds = g->seeds;
  Status st = image_function(dev, kernel_named("random_seed"), &op.u.launch.fn);
  if (st == 0)
    st = op_submit(dev->fn, &op);
  if (st == 0)
    r->seeds = seeds;
  return st;
}

Status rng_state (RtGenerator *g, RtDevice *dev, RtBlock **out) {
  RtRandom *r = &g->on[dev->index];
  Status st = context_enter(dev);
  if (g->seeds == 0)
    set_seed(g, rng_random_seed());
  if (st == 0 && r->block == NULL)
    st = block_new_own(dev, sizeof(RandomState), &r->block);
  if (st == 0 && r->seeds != g->seeds)
    st = seed_device(g, dev);
  if (st == 0)
    *out = r->block;
  return st;
}

Status rng_seed (RtGenerator *g, uint64_t seed, const char *what) {
  Runtime *rt = g->rt;
  Status st = 0;
  for (int i = 0; i < rt->ndevices; i++)
    if (g->on[i].block != NULL && g->on[i].block->ncaptures > 0)
      return status_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                            "an open capture has drawn random numbers");
  set_seed(g, seed);
  for (int i = 0; i < rt->ndevices && st == 0; i++) {
    RtDevice *dev = &rt->devices[i];
    if (g->on[i].block == NULL || dev->fault.code != 0)
      continue;
    st = context_enter(dev);
    if (st == 0)
      st = seed_device(g, dev);
  }
  return st;
}

/* ==} */

static void forget (RtRandom *r) {
  if (r->block == NULL)
    return;
  r->block->refs--;
  r->block = NULL;
  r->seeds = 0;
  r->epoch++;
}

/* The blocks go with all others; a graph that has one is stale. */
void rng_forget (RtDevice *dev) {
  LIST_EACH (RtGenerator, g, &dev->rt->generators)
    forget(&g->on[dev->index]);
}
