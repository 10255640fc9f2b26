/*
** random.c - each device's generator of random numbers: a key and a counter in
** the memory of the device, which the kernels read and move on.
**
** DESIGN. The state is a block with marks, and whatever draws numbers writes
** it. So numbers are drawn in the order of the program, whatever the stream; a
** graph that draws some holds the block, each launch takes it from where it is
** then, and so never repeats numbers. Seeding must not become part of a graph:
** it is queued on the device's own stream, and is refused while a capture has
** the block.
*/
#include "random.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/kernels/kernels.h"
#include "kernels/random.h"
#include "kernels/types.h"
#include "rt/driver/image.h"
#include "rt/memory/block.h"
#include "submit.h"

enum { GRID_MOST = 132 * 8 * 4 };  /* four waves of an H200 */

unsigned rt_random_grid (uint64_t values) {
  uint64_t blocks = (values + MAP_BLOCK - 1) / MAP_BLOCK;
  return (blocks < GRID_MOST) ? (unsigned)blocks : GRID_MOST;
}

uint64_t rt_anyseed (void) {
  uint64_t seed;
  struct timespec t;
  if (getentropy(&seed, sizeof seed) == 0)
    return seed;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint64_t)t.tv_sec * 1000000007u ^ (uint64_t)t.tv_nsec ^
         (uint64_t)getpid() << 40;
}

static void set_seed (Runtime *rt, uint64_t seed) {
  rt->seed = seed;
  rt->seeds++;
  for (int i = 0; i < rt->ndevices; i++)
    rt->devices[i].epoch = 0;
}

static Status seed_device (RtDevice *dev) {
  Runtime *rt = dev->rt;
  Op op;
  rt_startop(&op, OP_LAUNCH, "random_seed");
  void *params[] = {&dev->random->ptr, &rt->seed, &dev->epoch};
  rt_setgrid(&op, 1, 1);
  op.u.launch.params = params;
  rt_access(&op, dev->random, 0, sizeof(RandomState), true);
  unsigned seeds = rt->seeds;
  Status st = rt_function(dev, rt_kernel_named("random_seed"),
                          &op.u.launch.fn);
  if (st == 0)
    st = rt_submit(dev->fn, &op);
  if (st == 0)
    dev->seeds = seeds;
  return st;
}

Status rt_random (RtDevice *dev, RtBlock **out) {
  Status st = rt_enter(dev);
  if (dev->rt->seeds == 0)
    set_seed(dev->rt, rt_anyseed());
  if (st == 0 && dev->random == NULL)
    st = rt_newown(dev, sizeof(RandomState), &dev->random);
  if (st == 0 && dev->seeds != dev->rt->seeds)
    st = seed_device(dev);
  if (st == 0)
    *out = dev->random;
  return st;
}

Status rt_seed (Runtime *rt, uint64_t seed, const char *what) {
  Status st = 0;
  for (int i = 0; i < rt->ndevices; i++)
    if (rt->devices[i].random != NULL && rt->devices[i].random->ncaptures > 0)
      return rt_explain(rt, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what,
                        "an open capture has drawn random numbers");
  set_seed(rt, seed);
  for (int i = 0; i < rt->ndevices && st == 0; i++) {
    RtDevice *dev = &rt->devices[i];
    if (dev->random == NULL || dev->fault.code != 0)
      continue;
    st = rt_enter(dev);
    if (st == 0)
      st = seed_device(dev);
  }
  return st;
}

/* The block goes with the others; a graph that has it is stale. */
void rt_forgetrandom (RtDevice *dev) {
  if (dev->random == NULL)
    return;
  dev->random->refs--;
  dev->random = NULL;
  dev->seeds = 0;
  dev->epoch++;
}
