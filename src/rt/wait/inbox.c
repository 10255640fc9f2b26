/*
** inbox.c - the one place that other threads reach: host functions whose turn
** has come, on their way from the driver's threads to the Lua thread.
**
** DESIGN. The driver's threads post in any order, and there may be very many;
** the owner takes one at a time, that of the oldest operation. What is posted
** is put on a list, under a mutex, and no other lock is taken under that. The
** owner, who alone knows which operation a node is of, moves it from there to a
** pairing heap (Fredman et al., 1986), which needs no memory of its own.
*/
#include "inbox.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "rt/driver/status.h"

typedef struct Inbox {
  pthread_mutex_t lock;
  pthread_cond_t posted;
  RtHostNode *list;    /* by 'next' */
  RtHostNode *heap;    /* the owner's: children in 'child', they in 'next' */
  int pending;         /* in both; read without the lock by rt_posted */
  bool alerted;        /* read without the lock by rt_isalerted */
  bool woken;          /* since it last slept */
  int fd;              /* an eventfd, or -1; and is it readable? While some */
  bool shown;          /* are there, or an alert */
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
  in->fd = -1;
  *out = in;
  return 0;
}

void rt_closeinbox (Inbox *in) {
  if (in == NULL)
    return;
  if (in->fd >= 0)
    close(in->fd);
  pthread_cond_destroy(&in->posted);
  pthread_mutex_destroy(&in->lock);
  free(in);
}

/* {== the heap ======================================================== */

static RtHostNode *meld (RtHostNode *a, RtHostNode *b) {
  if (a == NULL || b == NULL)
    return (a != NULL) ? a : b;
  bool first = rt_gateof(a)->seq < rt_gateof(b)->seq;
  RtHostNode *older = first ? a : b, *other = first ? b : a;
  other->next = older->child;
  older->child = other;
  return older;
}

/* The heap of what was below a root: in pairs, then these from the last. */
static RtHostNode *meld_all (RtHostNode *list) {
  RtHostNode *pairs = NULL, *heap = NULL;
  while (list != NULL) {
    RtHostNode *a = list, *b = a->next;
    list = (b != NULL) ? b->next : NULL;
    a = meld(a, b);
    a->next = pairs;
    pairs = a;
  }
  while (pairs != NULL) {
    RtHostNode *next = pairs->next;
    heap = meld(heap, pairs);
    pairs = next;
  }
  return heap;
}

/* ==} */

/* {== the descriptor ================================================== */

/* The lock is held. The count of the descriptor is 0 or 1, so neither call can
** fail. */
static void show (Inbox *in) {
  uint64_t one = 1;
  bool any = (in->pending > 0 || in->alerted);
  if (in->fd < 0 || any == in->shown)
    return;
  in->shown = any;
  if (any)
    (void)!write(in->fd, &one, sizeof one);
  else
    (void)!read(in->fd, &one, sizeof one);
}

static void count (Inbox *in, int by) {
  __atomic_store_n(&in->pending, in->pending + by, __ATOMIC_RELEASE);
  show(in);
}

static void set_alert (Inbox *in, bool on) {
  pthread_mutex_lock(&in->lock);
  __atomic_store_n(&in->alerted, on, __ATOMIC_RELEASE);
  show(in);
  pthread_mutex_unlock(&in->lock);
}

void rt_alert (Inbox *in) {
  if (!rt_isalerted(in))
    set_alert(in, true);
}

bool rt_isalerted (const Inbox *in) {
  return __atomic_load_n(&in->alerted, __ATOMIC_ACQUIRE);
}

void rt_takealert (Inbox *in) {
  if (rt_isalerted(in))
    set_alert(in, false);
}

Status rt_inboxfd (Runtime *rt, int *fd) {
  Inbox *in = rt->inbox;
  pthread_mutex_lock(&in->lock);
  if (in->fd < 0)
    in->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  show(in);
  *fd = in->fd;
  pthread_mutex_unlock(&in->lock);
  return (*fd >= 0) ? 0 : rt_explain(rt, RT_MISUSE, NULL,
      "no descriptor for events: too many files are open");
}

void rt_settleinbox (Inbox *in) {
  uint64_t n;
  pthread_mutex_lock(&in->lock);
  if (in->fd >= 0 && !in->shown)
    (void)!read(in->fd, &n, sizeof n);
  pthread_mutex_unlock(&in->lock);
}

/* ==} */

void rt_post (void *ud) {
  RtHostNode *node = ud;
  Inbox *in = node->rt->inbox;
  pthread_mutex_lock(&in->lock);
  node->next = in->list;
  in->list = node;
  count(in, 1);
  pthread_cond_signal(&in->posted);
  pthread_mutex_unlock(&in->lock);
}

int rt_posted (const Inbox *in) {
  return __atomic_load_n(&in->pending, __ATOMIC_ACQUIRE);
}

RtHostNode *rt_takeposted (Inbox *in) {
  if (rt_posted(in) == 0)
    return NULL;
  pthread_mutex_lock(&in->lock);
  RtHostNode *list = in->list;
  in->list = NULL;
  count(in, -1);
  pthread_mutex_unlock(&in->lock);
  while (list != NULL) {
    RtHostNode *next = list->next;
    list->next = list->child = NULL;
    in->heap = meld(in->heap, list);
    list = next;
  }
  RtHostNode *node = in->heap;
  in->heap = meld_all(node->child);
  return node;
}

void rt_sleepinbox (Inbox *in, long us) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&in->lock);
  int late = 0;
  while (in->pending == 0 && !in->woken && late == 0)
    late = pthread_cond_timedwait(&in->posted, &in->lock, &until);
  in->woken = false;
  pthread_mutex_unlock(&in->lock);
}

void rt_wakeinbox (void *ud) {
  Inbox *in = ud;
  pthread_mutex_lock(&in->lock);
  in->woken = true;
  pthread_cond_signal(&in->posted);
  pthread_mutex_unlock(&in->lock);
}

void rt_forgetposted (RtDevice *dev) {
  RtHostNode *others = NULL, *node;
  while ((node = rt_takeposted(dev->rt->inbox)) != NULL) {
    if (rt_gateof(node)->s->dev == dev)
      continue;
    node->next = others;
    others = node;
  }
  while ((node = others) != NULL) {
    others = node->next;
    rt_post(node);
  }
}

/* {== nodes =========================================================== */

RtHostNode *rt_nodeof (RtGate *gate) {
  return (RtHostNode *)((char *)gate - offsetof(RtHostNode, gate));
}

RtGate *rt_gateof (RtHostNode *node) {
  return (node->body != NULL) ? node->body->launches : &node->gate;
}

void rt_abandonnode (RtHostNode *node) {
  Runtime *rt = node->rt;
  node->next = rt->unref;
  rt->unref = node;
}

void rt_freenodes (Runtime *rt) {
  for (RtHostNode *node; (node = rt->unref) != NULL;) {
    rt->unref = node->next;
    free(node);
  }
}

/* ==} */
