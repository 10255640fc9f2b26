/*
** inbox.c - the one place that other threads reach: finished host-function
** nodes on their way from the driver's threads to the Lua thread.
**
** DESIGN. A singly linked FIFO under one mutex. The driver's thread appends a
** node that was allocated when its function was queued, and signals. The
** owner takes one node at a time under the lock and runs it unlocked: what
** waits behind it stays visible to a wait inside that function. No other lock
** is ever taken while this one is held.
*/
#include "inbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "graphs.h"
#include "runtime.h"

typedef struct Inbox {
  pthread_mutex_t lock;
  pthread_cond_t posted;
  RtHostNode *first, **last;
  int pending;  /* read without the lock by rt_posted */
} Inbox;

Status rt_openinbox (Inbox **out) {
  Inbox *in = calloc(1, sizeof *in);
  if (in == NULL)
    return RT_NOMEM;
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_mutex_init(&in->lock, NULL);
  pthread_cond_init(&in->posted, &attr);
  pthread_condattr_destroy(&attr);
  in->last = &in->first;
  *out = in;
  return 0;
}

void rt_closeinbox (Inbox *in) {
  if (in == NULL)
    return;
  pthread_cond_destroy(&in->posted);
  pthread_mutex_destroy(&in->lock);
  free(in);
}

void rt_post (void *ud) {
  RtHostNode *node = ud;
  Inbox *in = node->rt->inbox;
  pthread_mutex_lock(&in->lock);
  node->next = NULL;
  *in->last = node;
  in->last = &node->next;
  __atomic_store_n(&in->pending, 1, __ATOMIC_RELEASE);
  pthread_cond_signal(&in->posted);
  pthread_mutex_unlock(&in->lock);
}

bool rt_posted (const Inbox *in) {
  return __atomic_load_n(&in->pending, __ATOMIC_ACQUIRE) != 0;
}

/* Where the oldest node up to 'last' hangs; *NULL: there is none. Locked. */
static RtHostNode **find_due (Inbox *in, uint64_t last) {
  RtHostNode **at = &in->first;
  while (*at != NULL && rt_nodeseq(*at) > last)
    at = &(*at)->next;
  return at;
}

bool rt_isdue (Inbox *in, uint64_t last) {
  pthread_mutex_lock(&in->lock);
  bool due = (*find_due(in, last) != NULL);
  pthread_mutex_unlock(&in->lock);
  return due;
}

RtHostNode *rt_takeposted (Inbox *in, uint64_t last) {
  pthread_mutex_lock(&in->lock);
  RtHostNode **at = find_due(in, last), *node = *at;
  if (node != NULL) {
    *at = node->next;
    if (*at == NULL)
      in->last = at;
  }
  if (in->first == NULL)
    __atomic_store_n(&in->pending, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&in->lock);
  return node;
}

void rt_sleepinbox (Inbox *in, long us, uint64_t last) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&in->lock);
  int late = 0;
  while (*find_due(in, last) == NULL && late == 0)
    late = pthread_cond_timedwait(&in->posted, &in->lock, &until);
  pthread_mutex_unlock(&in->lock);
}

Status rt_lendnode (Runtime *rt, RtHostNode **out) {
  RtHostNode *node = rt->idle_nodes;
  if (node != NULL)
    rt->idle_nodes = node->next;
  else if ((node = calloc(1, sizeof *node)) == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  node->rt = rt;
  node->body = NULL;
  node->lent = true;
  node->newer = NULL;
  node->older = rt->lent_nodes;
  if (node->older != NULL)
    node->older->newer = node;
  rt->lent_nodes = node;
  *out = node;
  return 0;
}

static void unlink_lent (Runtime *rt, RtHostNode *node) {
  if (node->newer != NULL)
    node->newer->older = node->older;
  else
    rt->lent_nodes = node->older;
  if (node->older != NULL)
    node->older->newer = node->newer;
  node->lent = false;
}

/* One that a graph has left behind was never lent: if it were kept, they would
** get more with each. */
void rt_returnnode (Runtime *rt, RtHostNode *node) {
  if (!node->lent) {
    free(node);
    return;
  }
  unlink_lent(rt, node);
  node->next = rt->idle_nodes;
  rt->idle_nodes = node;
}

static void free_list (RtHostNode *node) {
  while (node != NULL) {
    RtHostNode *next = node->next;
    free(node);
    node = next;
  }
}

static bool is_on (const RtHostNode *node, const RtDevice *dev) {
  return dev == (node->body != NULL ? node->body->dev : node->s->dev);
}

static void forget_posted (Inbox *in, const RtDevice *dev) {
  pthread_mutex_lock(&in->lock);
  RtHostNode **at = &in->first;
  while (*at != NULL) {
    if (is_on(*at, dev))
      *at = (*at)->next;
    else
      at = &(*at)->next;
  }
  in->last = at;
  if (in->first == NULL)
    __atomic_store_n(&in->pending, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&in->lock);
}

/* They have run, and their keys are gone. */
static void forget_ending (const RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (RtHostNode **at = &rt->ending, *node; (node = *at) != NULL;) {
    if (!is_on(node, dev)) {
      at = &node->next;
      continue;
    }
    *at = node->next;
    if (node->body == NULL)
      rt_returnnode(rt, node);
  }
}

/* Those of graphs belong to their bodies. */
void rt_forgetnodes (RtDevice *dev) {
  Runtime *rt = dev->rt;
  forget_posted(rt->inbox, dev);
  forget_ending(dev);
  for (RtHostNode *node = rt->lent_nodes, *next; node != NULL; node = next) {
    next = node->older;
    if (!is_on(node, dev))
      continue;
    unlink_lent(rt, node);
    node->next = rt->unref;
    rt->unref = node;
  }
}

/* The driver never calls a host function that stands behind a fault. */
void rt_freenodes (Runtime *rt) {
  rt->ending = NULL;
  while (rt->lent_nodes != NULL)
    rt_returnnode(rt, rt->lent_nodes);
  free_list(rt->idle_nodes);
  free_list(rt->unref);
  rt->idle_nodes = rt->unref = NULL;
}
