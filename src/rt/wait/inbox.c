/*
** inbox.c - the one place that other threads reach: host functions whose turn
** has come, on their way from the driver's threads to the Lua thread.
**
** DESIGN. The driver's threads post in any order, and there may be very many;
** the owner takes one at a time, that of the oldest operation. So functions
** that run once, which know their operation, are in a pairing heap (Fredman et
** al., 1986), which needs no memory of its own. Those of graphs, of which there
** are few, are in a list: which launch they are of the owner alone knows. All
** is under one mutex; no other lock is ever taken while it is held.
*/
#include "inbox.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "rt/driver/status.h"

enum { NODES_KEPT = 1024 };

typedef struct Inbox {
  pthread_mutex_t lock;
  pthread_cond_t posted;
  RtHostNode *heap;    /* its children are in 'child', they in 'next' */
  RtHostNode *graphs;
  int pending;         /* both; read without the lock by rt_posted */
  int fd;              /* an eventfd, readable while there are some, or -1 */
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
  RtHostNode *older = (a->seq < b->seq) ? a : b, *other = (older == a) ? b : a;
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

/* The lock is held, here and below. Neither can fail: its count is 0 or 1. */
static void show (Inbox *in) {
  const uint64_t one = 1;
  if (in->fd >= 0 && in->pending == 1)
    (void)!write(in->fd, &one, sizeof one);
}

static void hide (Inbox *in) {
  uint64_t n;
  if (in->fd >= 0 && in->pending == 0)
    (void)!read(in->fd, &n, sizeof n);
}

Status rt_inboxfd (Runtime *rt, int *fd) {
  Inbox *in = rt->inbox;
  pthread_mutex_lock(&in->lock);
  if (in->fd < 0)
    in->fd = eventfd(in->pending > 0, EFD_CLOEXEC | EFD_NONBLOCK);
  *fd = in->fd;
  pthread_mutex_unlock(&in->lock);
  return (*fd >= 0) ? 0 : rt_explain(rt, RT_MISUSE, NULL,
      "no descriptor for events: too many files are open");
}

/* ==} */

static void put (Inbox *in, RtHostNode *node) {
  node->next = node->child = NULL;
  if (node->body == NULL) {
    in->heap = meld(in->heap, node);
  } else {
    node->next = in->graphs;
    in->graphs = node;
  }
  __atomic_store_n(&in->pending, in->pending + 1, __ATOMIC_RELEASE);
  show(in);
}

static uint64_t launch_of (const RtHostNode *node) {
  const RtGate *gate = node->body->launches;
  return (gate != NULL) ? gate->seq : 0;
}

/* Where the oldest of graphs is linked; its operation. */
static RtHostNode **oldest (Inbox *in, uint64_t *seq) {
  RtHostNode **at = &in->graphs;
  *seq = UINT64_MAX;
  for (RtHostNode **p = at; *p != NULL; p = &(*p)->next) {
    if (launch_of(*p) < *seq) {
      *seq = launch_of(*p);
      at = p;
    }
  }
  return at;
}

static RtHostNode *get (Inbox *in) {
  uint64_t seq;
  RtHostNode **at = oldest(in, &seq), *node = in->heap;
  if (node != NULL && node->seq < seq) {
    in->heap = meld_all(node->child);
  } else if ((node = *at) != NULL) {
    *at = node->next;
  } else {
    return NULL;
  }
  __atomic_store_n(&in->pending, in->pending - 1, __ATOMIC_RELEASE);
  hide(in);
  return node;
}

void rt_post (void *ud) {
  RtHostNode *node = ud;
  Inbox *in = node->rt->inbox;
  pthread_mutex_lock(&in->lock);
  put(in, node);
  pthread_cond_signal(&in->posted);
  pthread_mutex_unlock(&in->lock);
}

bool rt_posted (const Inbox *in) {
  return __atomic_load_n(&in->pending, __ATOMIC_ACQUIRE) != 0;
}

RtHostNode *rt_takeposted (Inbox *in) {
  if (!rt_posted(in))
    return NULL;
  pthread_mutex_lock(&in->lock);
  RtHostNode *node = get(in);
  pthread_mutex_unlock(&in->lock);
  return node;
}

int rt_countposted (const Inbox *in) {
  return __atomic_load_n(&in->pending, __ATOMIC_ACQUIRE);
}

void rt_sleepinbox (Inbox *in, long us) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += us * 1000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&in->lock);
  int late = 0;
  while (in->pending == 0 && late == 0)
    late = pthread_cond_timedwait(&in->posted, &in->lock, &until);
  pthread_mutex_unlock(&in->lock);
}

void rt_forgetposted (RtDevice *dev) {
  Inbox *in = dev->rt->inbox;
  RtHostNode *others = NULL, *node;
  pthread_mutex_lock(&in->lock);
  while ((node = get(in)) != NULL) {
    if (dev == (node->body != NULL ? node->body->dev : node->gate.s->dev))
      continue;
    node->next = others;
    others = node;
  }
  while ((node = others) != NULL) {
    others = node->next;
    put(in, node);
  }
  pthread_mutex_unlock(&in->lock);
}

/* {== nodes =========================================================== */

Status rt_lendnode (Runtime *rt, RtHostNode **out) {
  RtHostNode *node = rt->idle_nodes;
  if (node != NULL) {
    rt->idle_nodes = node->next;
    rt->nidle_nodes--;
  } else if ((node = calloc(1, sizeof *node)) == NULL) {
    return rt_fail(rt, RT_NOMEM, NULL);
  }
  node->rt = rt;
  node->body = NULL;
  *out = node;
  return 0;
}

/* A graph's was never lent: if it were kept, they would get more with each. */
void rt_returnnode (Runtime *rt, RtHostNode *node) {
  if (node->body != NULL || rt->nidle_nodes == NODES_KEPT) {
    free(node);
    return;
  }
  node->next = rt->idle_nodes;
  rt->idle_nodes = node;
  rt->nidle_nodes++;
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
  rt->nidle_nodes = 0;
}

/* ==} */
