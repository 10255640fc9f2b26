/*
** threshold.c - how much more memory may be held before garbage is collected.
**
** DESIGN. A closed array costs nothing; what counts is 'live', the bytes held
** by objects, garbage or not. The step is a quarter of the limit or, without
** one, a sixteenth of the device's memory. It is at most STEP_MOST, because
** memory of garbage is warm and new memory is not. On the host device it is at
** most STEP_HOST, which still fits a processor's cache when it is used again.
** Garbage is collected (device/gc.c) each time that 'live' has grown by a step,
** or is 'room' beyond the floor, which is the least that was held since the
** last full collection. Then what that has freed says how to go on:
**  - if the growth is in use the step doubles;
**  - if three quarters of what is beyond the floor are in use, room and step
**    double. If not, steps have missed garbage, because objects that survive
**    two young collections are old to Lua. So on the host device steps become
**    twice as long then, enough for most loops, and short again later.
** If 'live' falls by a step, because a big array was closed or Lua itself has
** collected, the growth counts from there.
**
** With a big heap Lua waits long before it looks for garbage. Meanwhile a
** program makes many small arrays, each with new memory of the driver's, which
** is slower than the cache. So a step also runs whenever so many more blocks
** are held: up to eight times as many if it costs more than freeing them, or
** does not free half of them.
*/
#include "threshold.h"

#include "reclaim.h"
#include "rt/driver/context.h"

enum {
  PART_LIMIT = 4,
  PART_TOTAL = 16,
  PART_MOST = 2, /* steps: parts of all */
  MANY = 1024,
  MANY_MOST = 8 * MANY, /* more blocks than there were */
  STREAK = 64,          /* steps in a row that free some; then shorter ones */
  FEW = 3               /* steps that free nothing: all is in use */
};

#define STEP_MOST ((size_t)64 << 20) /* bytes */
#define STEP_HOST ((size_t)4 << 20)
#define LONGEST_HOST (2 * STEP_HOST)
#define ROOM_HOST (8 * STEP_HOST)

static size_t first_step (const RtDevice *dev, bool pinned) {
  size_t most = context_is_host(dev) ? STEP_HOST : STEP_MOST;
  size_t part = dev->memory[pinned].limit != NO_LIMIT ? PART_LIMIT : PART_TOTAL;
  size_t step = reclaim_budget(dev, pinned) / part + 1;
  return (step < most) ? step : most;
}

/* Returns 'most' bytes, or a part of the budget if that is less, but at least a
** step. */
static size_t some_steps (const RtDevice *dev, bool pinned, size_t most) {
  size_t first = first_step(dev, pinned);
  size_t part = reclaim_budget(dev, pinned) / PART_LIMIT + 1;
  size_t bytes = (most < part) ? most : part;
  return (first < bytes) ? bytes : first;
}

/* Returns how long a step may become for memory that is used for longer. */
static size_t longest_step (const RtDevice *dev, bool pinned) {
  return some_steps(dev, pinned, LONGEST_HOST);
}

/* Returns how much may be held beyond the floor before a full collection. */
static size_t first_room (const RtDevice *dev, bool pinned) {
  return some_steps(dev, pinned, ROOM_HOST);
}

static void set_threshold (Memory *m) {
  m->base = threshold_held(m);
  m->threshold = m->base + m->step;
  m->nmost = m->nlive + m->nstep;
}

void threshold_watch (RtDevice *dev, bool pinned) {
  Memory *m = &dev->memory[pinned];
  m->step = first_step(dev, pinned);
  m->room = first_room(dev, pinned);
  m->floor = threshold_held(m);
  m->nstep = MANY;
  set_threshold(m);
}

void threshold_follow (Memory *m) {
  if (threshold_held(m) + 2 * m->step < m->threshold) {
    m->base = threshold_held(m);
    m->threshold = m->base + m->step;
    m->floor = (m->floor < m->base) ? m->floor : m->base;
  }
  if (m->nlive + 2 * m->nstep < m->nmost)
    m->nmost = m->nlive + m->nstep;
}

size_t threshold_sum (const Runtime *rt, size_t *growth) {
  size_t sum = 0;
  *growth = 0;
  for (int i = 0; i < rt->ndevices; i++) {
    for (int k = 0; k < 2; k++) {
      const Memory *m = &rt->devices[i].memory[k];
      size_t bytes = threshold_held(m);
      sum += bytes;
      *growth += (bytes > m->base) ? bytes - m->base : 0;
    }
  }
  return sum;
}

size_t threshold_beyond (const Memory *m) {
  size_t bytes = threshold_held(m);
  return (bytes > m->floor) ? bytes - m->floor : 0;
}

void threshold_restart (Runtime *rt, bool all) {
  for (int i = 0; i < rt->ndevices; i++) {
    for (int k = 0; k < 2; k++) {
      Memory *m = &rt->devices[i].memory[k];
      if (m->threshold == 0)
        continue;
      set_threshold(m);
      if (all || m->floor > m->base)
        m->floor = m->base;
    }
  }
}

static size_t twice (size_t n, size_t most) {
  return (n < most / 2) ? 2 * n : most;
}

/* Returns how long a step may become where all is in use. */
static size_t most_step (const RtDevice *dev, bool pinned) {
  return reclaim_budget(dev, pinned) / PART_MOST + 1;
}

void threshold_lengthen (RtDevice *dev, bool pinned) {
  Memory *m = &dev->memory[pinned];
  m->step = twice(m->step, most_step(dev, pinned));
}

void threshold_learn (RtDevice *dev, bool pinned, size_t freed, size_t beyond) {
  Memory *m = &dev->memory[pinned];
  size_t most = most_step(dev, pinned);
  bool used = (freed < beyond / 4);
  m->room = used ? twice(m->room, most) : first_room(dev, pinned);
  m->step = twice(m->step, used ? most : longest_step(dev, pinned));
  m->streak = 0;
}

/* Adapts to a step that freed nothing. One step may miss all garbage; a few in
** a row do not. */
static void lengthen_later (RtDevice *dev, bool pinned) {
  Memory *m = &dev->memory[pinned];
  m->streak = (m->streak < 0) ? m->streak - 1 : -1;
  size_t most = (m->streak <= -FEW) ? most_step(dev, pinned)
                                    : longest_step(dev, pinned);
  if (m->step < most)
    m->step = twice(m->step, most);
}

void threshold_adapt (RtDevice *dev, bool pinned, size_t freed, size_t growth) {
  Memory *m = &dev->memory[pinned];
  size_t first = first_step(dev, pinned), longest = longest_step(dev, pinned);
  if (freed == 0) {
    lengthen_later(dev, pinned);
    return;
  }
  m->streak = (m->streak < 0) ? 1 : m->streak + 1;
  if (m->step > longest && freed >= growth - growth / 4) {
    m->step = longest; /* memory in use stays in use, and is not more */
  } else if (m->streak > STREAK) {
    m->step = (m->step / 2 > first) ? m->step / 2 : first;
    m->streak = 0;
  }
}

bool threshold_adapt_number (Memory *m, size_t before, size_t paid) {
  bool freed = (m->nlive + m->nstep / 2 <= before);
  size_t next = freed ? paid : 2 * m->nstep;
  m->nstep = (next < MANY) ? MANY : (next < MANY_MOST) ? next : MANY_MOST;
  m->nmost = m->nlive + m->nstep;
  return freed;
}

void threshold_postpone (Memory *m, size_t bytes) {
  if (bytes > m->threshold)
    m->threshold = bytes + m->step / 4;
  if (m->nlive >= m->nmost)
    m->nmost = m->nlive + m->nstep / 4;
}
