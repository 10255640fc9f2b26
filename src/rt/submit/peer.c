/*
** peer.c - tells which devices reach each other's memory.
**
** DESIGN. Another device reaches memory of a pool once the pool allows that;
** cuCtxEnablePeerAccess is for other memory. Some drivers agree to all of that,
** and their copies then write nothing (CUDA.jl#3112). So tide makes the first
** copy of a pair of devices itself: a page there and back, compared. The call
** that asked waits for it in its API entry, and is begun again. Until the
** answer is known, and where there is no direct way, copies go through the
** host.
*/
#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "op.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

enum { PAGE = 4096 };

typedef enum PeerState {
  PEER_UNKNOWN,
  PEER_TRIED,
  PEER_DIRECT,
  PEER_STAGED
} PeerState;

typedef struct RtPeer {
  PeerState state;
  RtBlock *page;   /* tried: the page sent, then the page that came back */
  Point at;        /* the point behind that copy */
  const char *why; /* staged: the reason */
} RtPeer;

/* {== the pair ======================================================== */

static RtPeer *peer_of (const RtDevice *to, const RtDevice *from) {
  Runtime *rt = to->rt;
  return &rt->peers[to->index * rt->ndevices + from->index];
}

/* NULL: out of memory. */
static RtPeer *find (const RtDevice *to, const RtDevice *from) {
  Runtime *rt = to->rt;
  size_t n = (size_t)rt->ndevices;
  if (rt->peers == NULL)
    rt->peers = calloc(n * n, sizeof *rt->peers);
  return (rt->peers != NULL) ? peer_of(to, from) : NULL;
}

static void drop_page (RtPeer *p) {
  block_drop(p->page);
  p->page = NULL;
}

static void stage (RtPeer *p, const char *why) {
  p->state = PEER_STAGED;
  p->why = why;
}

/* ==} */

/* {== access ========================================================== */

static bool is_severed (const Runtime *rt) {
#if defined(TIDE_TESTING)
  return rt->peers_off == PEERS_SEVERED;
#else
  return (void)rt, false;
#endif
}

static Status set_access (RtDevice *to, RtDevice *from, RtPeer *p) {
  CUmemAccessDesc who = {{CU_MEM_LOCATION_TYPE_DEVICE, to->dev},
                         CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  Status st = device_lock_take(from, "copy between devices");
  if (st != 0)
    return st;
  if (from->D->cuMemPoolSetAccess(from->pool, &who, 1) != CUDA_SUCCESS)
    stage(p, "the driver gives no access to the pool");
  device_lock_release(from);
  return 0;
}

/* Asks for access in the direction of the copy. */
static Status open_pool (RtDevice *to, RtDevice *from, RtPeer *p) {
  int can = 0;
  Status st = context_enter(from);
  if (st == 0)
    st = context_enter(to);
  if (st != 0)
    return st;
  if (to->D->cuDeviceCanAccessPeer(&can, to->dev, from->dev) != CUDA_SUCCESS ||
      can == 0 || is_severed(to->rt)) {
    stage(p, "no peer access");
    return 0;
  }
  return set_access(to, from, p);
}

/* ==} */

/* {== a page there and back =========================================== */

/* Fills the page so that no two neighbours are equal, and none is 0. */
static void fill_page (char *page) {
  for (int i = 0; i < PAGE; i++)
    page[i] = (char)(i % 251 + 1);
  memset(page + PAGE, 0, PAGE);
}

static Status zero (RtDevice *dev, RtBlock *b) {
  Op op;
  op_start(&op, OP_ZERO, "try of a copy between devices");
  op.u.zero.dst = b->ptr;
  op.u.zero.bytes = PAGE;
  op_access(&op, b, 0, PAGE, true);
  return op_submit(dev->mem, &op);
}

static Status copy (RtDevice *dev, RtBlock *to, size_t off, RtBlock *from) {
  Op op;
  op_start(&op, OP_COPY, "try of a copy between devices");
  op.u.copy.dst = to->ptr + off;
  op.u.copy.src = from->ptr;
  op.u.copy.bytes = PAGE;
  op_access(&op, from, 0, PAGE, false);
  op_access(&op, to, off, PAGE, true);
  return op_submit(dev->mem, &op);
}

static bool is_silent (const Runtime *rt) {
#if defined(TIDE_TESTING)
  return rt->peers_off == PEERS_SILENT;
#else
  return (void)rt, false;
#endif
}

/* Sends a page of the host through 'from' and 'to' and back to the host. */
static Status send_page (RtDevice *to, RtDevice *from, RtBlock *page,
                         RtBlock *source, RtBlock *target) {
  Status st = copy(from, source, 0, page);
  if (st == 0)
    st = zero(to, target);
  if (st == 0 && !is_silent(to->rt))
    st = copy(to, target, 0, source);
  return (st == 0) ? copy(to, page, PAGE, target) : st;
}

static Status try_copy (RtDevice *to, RtDevice *from, RtPeer *p) {
  RtBlock *page = NULL, *source = NULL, *target = NULL;
  Status st = block_new(to, 2 * PAGE, true, NULL, &page);
  if (st == 0)
    st = block_new(from, PAGE, false, from->mem, &source);
  if (st == 0)
    st = block_new(to, PAGE, false, to->mem, &target);
  if (st == 0) {
    fill_page((char *)(uintptr_t)page->ptr);
    st = send_page(to, from, page, source, target);
  }
  block_drop(source);
  block_drop(target);
  if (st != 0) {
    block_drop(page);
    return st;
  }
  p->page = page;
  p->at = (Point){to->mem, to->mem->seq};
  p->state = PEER_TRIED;
  return 0;
}

/* Sets the pair's state, by what came back. */
static void compare (RtPeer *p) {
  const char *page = (const char *)(uintptr_t)p->page->ptr;
  if (memcmp(page, page + PAGE, PAGE) == 0)
    p->state = PEER_DIRECT;
  else
    stage(p, "the driver's copies between the two do not arrive");
  drop_page(p);
}

/* ==} */

static Status try_pair (RtDevice *to, RtDevice *from, RtPeer *p) {
  Status st = open_pool(to, from, p);
  return (st == 0 && p->state == PEER_UNKNOWN) ? try_copy(to, from, p) : st;
}

/* Looks whether the trial copy is done. */
static Status look_at (RtDevice *to, RtPeer *p, bool waits) {
  Status st = progress_passed(p->at.s, p->at.seq);
  if (st == 0)
    compare(p);
  if (st != CUDA_ERROR_NOT_READY)
    return st;
  return waits ? wait_block(to, WAIT_PASSED, p->at.s, p->at.seq,
                            "copy between devices")
               : 0;
}

Status peer_is_direct (RtDevice *to, RtDevice *from, bool waits, bool *direct) {
  RtPeer *p = find(to, from);
  if (p == NULL)
    return status_fail(to->rt, RT_NOMEM, NULL);
  Status st = 0;
  if (p->state == PEER_UNKNOWN && waits)
    st = try_pair(to, from, p);
  if (st == CUDA_ERROR_OUT_OF_MEMORY)
    st = 0; /* copy through the host; the pair is tried again later */
  if (st == 0 && p->state == PEER_TRIED)
    st = look_at(to, p, waits);
  *direct = (p->state == PEER_DIRECT);
  return st;
}

const char *peer_why_staged (const RtDevice *to, const RtDevice *from) {
  return (to->rt->peers != NULL) ? peer_of(to, from)->why : NULL;
}

static void forget (RtPeer *p) {
  drop_page(p);
  *p = (RtPeer){PEER_UNKNOWN, NULL, {NULL, 0}, NULL};
}

void peer_forget (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int i = 0; i < rt->ndevices && rt->peers != NULL; i++) {
    forget(peer_of(dev, &rt->devices[i]));
    forget(peer_of(&rt->devices[i], dev));
  }
}

void peer_end (Runtime *rt) {
  free(rt->peers);
  rt->peers = NULL;
}
