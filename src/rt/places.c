/*
** places.c - how many streams of the process stand behind gates, on each
** device.
**
** DESIGN. A device has 8 queues, or CUDA_DEVICE_MAX_CONNECTIONS. A stream that
** stands at a gate occupies one, and so does each that waits for it; when all
** are taken nothing runs any more, and calls that queue work block inside the
** driver: for ever, if a host function needs them to open its gate (seen on an
** H200, driver 580: 8 gates, or 4 and a stream behind each, or 6 in graphs).
** So a stream takes one of few places before it gets behind a gate, and keeps
** it until its Runtime has no gate shut: whoever finds none waits on the host
** for the gate instead. Host functions have some more, as others wait for what
** they do.
*/
#include "places.h"

#include <pthread.h>
#include <stdlib.h>

#include "runtime.h"
#include "shared.h"
#include "streams.h"
#include "wait.h"

enum {
  CONNECTIONS = 8,
  FREE = 3,          /* that others do not occupy, */
  FREE_RUNNING = 1   /* and host functions */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int connections = CONNECTIONS;

/* With more of them, as many graphs with gates were enough to fill all. */
static void read_connections (void) {
  const char *text = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  long n = (text != NULL) ? strtol(text, NULL, 10) : CONNECTIONS;
  if (n > 0 && n < CONNECTIONS)
    connections = (int)n;
}

static int most (const Runtime *rt) {
  pthread_once(&once, read_connections);
  int n = connections - (rt->running.depth > 0 ? FREE_RUNNING : FREE);
  return (n > 0) ? n : 1;
}

Status rt_takeplace (RtStream *s) {
  RtDevice *dev = s->dev;
  RtShared *sh = dev->shared;
  if (s->placed)
    return 0;
  pthread_mutex_lock(&sh->lock);
  bool room = (sh->placed < most(dev->rt));
  sh->placed += room;
  dev->nplaced += room;
  s->placed = room;
  pthread_mutex_unlock(&sh->lock);
  return room ? 0 : RT_CROWDED;
}

static void give (RtDevice *dev, int n) {
  pthread_mutex_lock(&dev->shared->lock);
  dev->shared->placed -= n;
  dev->nplaced -= n;
  pthread_mutex_unlock(&dev->shared->lock);
}

void rt_returnplace (RtStream *s) {
  if (s->placed)
    give(s->dev, 1);
  s->placed = false;
}

void rt_returnplaces (Runtime *rt) {
  for (int i = 0; i < rt->nstreams; i++)
    rt->streams[i]->placed = false;
  for (int i = 0; i < rt->ndevices; i++)
    if (rt->devices[i].nplaced > 0)
      give(&rt->devices[i], rt->devices[i].nplaced);
}

void rt_forgetplaces (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->dev == dev)
      rt->streams[i]->placed = false;
  give(dev, dev->nplaced);
}

/* Is there room once other threads have opened their gates? */
static bool is_hopeless (RtDevice *dev) {
  RtShared *sh = dev->shared;
  int n = 0;
  pthread_mutex_lock(&sh->lock);
  for (const RtDevice *d = sh->users; d != NULL; d = d->peer)
    if (d == dev || d->shutter == rt_thread())
      n += d->nplaced;
  pthread_mutex_unlock(&sh->lock);
  return n >= most(dev->rt);
}

static Status look_again (void *ud) {
  RtStream *s = ud;
  Status st = rt_takeplace(s);
  return (st == RT_CROWDED) ? CUDA_ERROR_NOT_READY : st;
}

/*
** This Runtime's own host functions run first. What other threads hold they
** leave sooner or later, as they wait for nobody with gates shut; other states
** of this thread cannot.
*/
Status rt_awaitplace (RtStream *s, const char *what) {
  RtDevice *dev = s->dev;
  Status st = rt_takeplace(s);
  if (st == RT_CROWDED && dev->rt->running.depth == 0)
    st = rt_quiesce(dev->rt, what);
  if (st == 0)
    st = rt_takeplace(s);
  if (st != RT_CROWDED)
    return st;
  if (dev->rt->running.depth > 0 || is_hopeless(dev))
    return rt_explain(dev->rt, CUDA_ERROR_NOT_PERMITTED, what,
                      "%d streams wait for host functions that cannot run "
                      "now: no more can", most(dev->rt));
  return rt_waituntil(dev, dev->rt->stamp, look_again, s, what);
}
