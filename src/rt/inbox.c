/*
** inbox.c - the one place that other threads reach: host functions whose turn
** has come, on their way from the driver's threads to the Lua thread.
**
** DESIGN. A singly linked FIFO under one mutex. The driver's thread appends a
** node that was made when its function was queued, and signals. The owner takes
** one node at a time, that of the oldest operation. No other lock is ever taken
** while this one is held.
*/
#include "inbox.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

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

/* The lock is held. */
static void set_last (Inbox *in, RtHostNode **last) {
  in->last = last;
  __atomic_store_n(&in->pending, in->first != NULL, __ATOMIC_RELEASE);
}

void rt_post (void *ud) {
  RtHostNode *node = ud;
  Inbox *in = node->rt->inbox;
  pthread_mutex_lock(&in->lock);
  node->next = NULL;
  *in->last = node;
  set_last(in, &node->next);
  pthread_cond_signal(&in->posted);
  pthread_mutex_unlock(&in->lock);
}

bool rt_posted (const Inbox *in) {
  return __atomic_load_n(&in->pending, __ATOMIC_ACQUIRE) != 0;
}

static uint64_t seq_of (const RtHostNode *node) {
  const RtGate *gate = (node->body != NULL) ? node->body->launches : &node->gate;
  return (gate != NULL) ? gate->seq : 0;
}

/* Threads of the driver post in any order: of those that are there, the one that
** was queued first. */
RtHostNode *rt_takeposted (Inbox *in) {
  if (!rt_posted(in))
    return NULL;
  pthread_mutex_lock(&in->lock);
  RtHostNode **at = &in->first;
  for (RtHostNode **p = at; *p != NULL; p = &(*p)->next)
    if (seq_of(*p) < seq_of(*at))
      at = p;
  RtHostNode *node = *at;
  if (node != NULL) {
    *at = node->next;
    set_last(in, in->last == &node->next ? at : in->last);
  }
  pthread_mutex_unlock(&in->lock);
  return node;
}

int rt_countposted (Inbox *in) {
  int n = 0;
  pthread_mutex_lock(&in->lock);
  for (const RtHostNode *node = in->first; node != NULL; node = node->next)
    n++;
  pthread_mutex_unlock(&in->lock);
  return n;
}

void rt_sleepinbox (Inbox *in, long us) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&in->lock);
  int late = 0;
  while (in->first == NULL && late == 0)
    late = pthread_cond_timedwait(&in->posted, &in->lock, &until);
  pthread_mutex_unlock(&in->lock);
}

void rt_forgetposted (RtDevice *dev) {
  Inbox *in = dev->rt->inbox;
  pthread_mutex_lock(&in->lock);
  RtHostNode **at = &in->first;
  while (*at != NULL) {
    const RtHostNode *node = *at;
    if (dev == (node->body != NULL ? node->body->dev : node->gate.s->dev))
      *at = node->next;
    else
      at = &(*at)->next;
  }
  set_last(in, at);
  pthread_mutex_unlock(&in->lock);
}

/* {== nodes =========================================================== */

Status rt_lendnode (Runtime *rt, RtHostNode **out) {
  RtHostNode *node = rt->idle_nodes;
  if (node != NULL)
    rt->idle_nodes = node->next;
  else if ((node = calloc(1, sizeof *node)) == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  node->rt = rt;
  node->body = NULL;
  *out = node;
  return 0;
}

/* A graph's was never lent: if it were kept, they would get more with each. */
void rt_returnnode (Runtime *rt, RtHostNode *node) {
  if (node->body != NULL) {
    free(node);
    return;
  }
  node->next = rt->idle_nodes;
  rt->idle_nodes = node;
}

RtHostNode *rt_nodeof (RtGate *gate) {
  return (RtHostNode *)((char *)gate - offsetof(RtHostNode, gate));
}

void rt_abandonnode (RtHostNode *node) {
  Runtime *rt = node->rt;
  node->next = rt->unref;
  rt->unref = node;
}

static void free_list (RtHostNode *node) {
  while (node != NULL) {
    RtHostNode *next = node->next;
    free(node);
    node = next;
  }
}

void rt_freenodes (Runtime *rt) {
  free_list(rt->idle_nodes);
  free_list(rt->unref);
  rt->idle_nodes = rt->unref = NULL;
}

/* ==} */
