/*
** import.c - foreign memory: blocks that are ordered like our own, but count
** in no figure and in no cache; and loans of it.
**
** DESIGN. A lender wants to know when its *own* arrays and the work that they
** have queued are done, not when the memory is unused: others may have lent the
** same memory, and go on. So there is a loan each time that memory comes in.
** Arrays, their views and exports hold it. And there is one block for all
** memory that overlaps, which keeps the order. A loan without references takes
** a copy of the block's marks and waits in a queue until these have passed;
** then its owner is told. A graph holds the block and not the loan, so all
** loans of the block wait as long as there is one. Memory of our own that comes
** back through foreign code (a library's view of an array) is lent, too; its
** block is ours.
*/
#include "import.h"

#include <stdlib.h>

#include "address.h"
#include "block.h"
#include "hazard.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

enum { LOOK = 2 }; /* loans that a drain looks at: more than one call makes */

struct RtLoan {
  RtDevice *dev;
  RtBlock *block;
  size_t bytes;
  int refs;           /* arrays and exports */
  RtRelease *release; /* may be NULL */
  void *ud;
  MarkSet marks;      /* uses of the block when the last one was dropped */
  bool unmarked;      /* no memory for 'marks': the uses now count instead */
  RtLoan *next, **at; /* all loans; then the waiting ones */
};

/* {== blocks ========================================================== */

static Status refuse (const RtDevice *dev, const char *why) {
  return status_explain(dev->rt, RT_MISUSE, NULL, "%s", why);
}

static Status check_found (const RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                           size_t bytes, const RtBlock *b) {
  CUdeviceptr end = b->ptr + b->size;
  if (b->dev != dev)
    return refuse(dev, "this memory is an array's already, of another device");
  if (b->pinned != (kind != FOREIGN_DEVICE))
    return refuse(dev, "this memory is an array's already, of another type");
  if (!b->foreign && b->refs == 0)
    return refuse(dev, "this memory was an array's of tide's, which is closed");
  if (ptr < b->ptr || (ptr + bytes > end &&
                       (!b->foreign || b->registered ||
                        address_find(dev->rt, end, ptr + bytes - end) != NULL)))
    return refuse(dev, "a part of this memory is an array's already: wrap all "
                       "of it first, or close that one");
  return 0;
}

/* The driver may wait for the device. */
static Status lock_pages (RtBlock *b, const char *what) {
  RtDevice *dev = b->dev;
  Status st = context_enter(dev);
  if (st == 0)
    st = device_lock_take(dev, what);
  if (st != 0)
    return st;
  st = dev->D->cuMemHostRegister((void *)(uintptr_t)b->ptr, b->size,
                                 CU_MEMHOSTALLOC_PORTABLE |
                                   CU_MEMHOSTALLOC_DEVICEMAP);
  device_lock_release(dev);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemHostRegister");
  b->registered = true;
  return 0;
}

/* Returns false if it is impossible now. */
static bool unlock_pages (RtBlock *b) {
  RtDevice *dev = b->dev;
  if (!b->registered || context_is_stale(dev, b->generation))
    return true;
  if (context_reenter(dev) != 0 || !device_lock_try(dev))
    return false;
  dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
  device_lock_release(dev);
  b->registered = false;
  return true;
}

static Status make (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                    size_t bytes, RtBlock **out) {
  RtBlock *b = calloc(1, sizeof *b);
  if (b == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  b->dev = dev;
  b->ptr = ptr;
  b->size = bytes;
  b->foreign = true;
  b->pinned = b->marks.exact = (kind != FOREIGN_DEVICE);
  b->generation = dev->generation;
  Status st = (kind == FOREIGN_PLAIN) ? lock_pages(b, "cuMemHostRegister") : 0;
  if (st == 0 && (st = address_add(b)) != 0)
    unlock_pages(b);
  if (st != 0) {
    free(b);
    return st;
  }
  block_link(b);
  *out = b;
  return 0;
}

/* Finds the block that has all of it, or can grow upwards to have it. Growth
** leaves what its arrays know of it true. */
static Status find_or_make (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                            size_t bytes, RtBlock **out) {
  RtBlock *b = address_find(dev->rt, ptr, bytes);
  Status st = (b == NULL) ? make(dev, kind, ptr, bytes, &b)
                          : check_found(dev, kind, ptr, bytes, b);
  if (st != 0)
    return st;
  if (ptr + bytes > b->ptr + b->size)
    b->size = ptr + bytes - b->ptr;
  *out = b;
  return 0;
}

void import_graph_hold (RtBlock *b) {
  block_retain(b);
  b->graphs++;
}

void import_graph_leave (RtBlock *b) {
  b->graphs--;
  block_drop(b);
}

/* ==} */

/* {== loans =========================================================== */

static void link_loan (RtLoan **list, RtLoan *loan) {
  loan->next = *list;
  loan->at = list;
  if (loan->next != NULL)
    loan->next->at = &loan->next;
  *list = loan;
}

static void unlink_loan (RtLoan *loan) {
  Runtime *rt = loan->dev->rt;
  if (rt->leaving_end == &loan->next)
    rt->leaving_end = loan->at;
  *loan->at = loan->next;
  if (loan->next != NULL)
    loan->next->at = loan->at;
}

static Memory *account_of (const RtLoan *loan) {
  return &loan->dev->memory[loan->block->pinned];
}

Status import_memory (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                      size_t bytes, RtRelease *release, void *ud, RtLoan **loan,
                      RtBlock **out) {
  RtLoan *l = calloc(1, sizeof *l);
  if (l == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  Status st = find_or_make(dev, kind, ptr, bytes, out);
  if (st != 0) {
    free(l);
    return st;
  }
  *l = (RtLoan){.dev = dev,
                .block = *out,
                .bytes = bytes,
                .refs = 1,
                .release = release,
                .ud = ud};
  l->marks.exact = (*out)->marks.exact;
  (*out)->refs += 2; /* the loan's, and the caller's */
  (*out)->loans++;
  account_of(l)->lent += bytes;
  link_loan(&dev->rt->loans, l);
  *loan = l;
  return 0;
}

void import_retain (RtLoan *loan) { loan->refs++; }

void import_cancel (RtLoan *loan) { loan->release = NULL; }

/* Copies the block's marks. The allocation of our own block is no use. */
static void take_marks (RtLoan *loan) {
  const MarkSet *m = &loan->block->marks;
  loan->unmarked = (hazard_reserve(&loan->marks, m->n) != 0);
  for (int i = 0; i < m->n && !loan->unmarked; i++)
    if (m->at[i].s != loan->dev->mem)
      loan->marks.at[loan->marks.n++] = m->at[i];
}

/* Puts a loan at the end of the queue. */
static void queue (RtLoan *loan) {
  Runtime *rt = loan->dev->rt;
  RtLoan **end = rt->leaving_end;
  link_loan(end, loan);
  rt->leaving_end = &loan->next;
  rt->nleaving_loans++;
}

void import_drop (RtLoan *loan) {
  if (loan == NULL || --loan->refs > 0)
    return;
  take_marks(loan);
  unlink_loan(loan);
  queue(loan);
}

void import_release (RtLoan *loan) {
  if (loan->release != NULL)
    loan->release(loan->ud);
  free(loan);
}

/* Ends a loan that is in no list. */
static void end_loan (RtLoan *loan) {
  RtBlock *b = loan->block;
  account_of(loan)->lent -= loan->bytes;
  b->loans--;
  hazard_free(&loan->marks);
  block_drop(b);
  import_release(loan);
}

/* On a device with a fault no work runs any more, and after a reset none is
** left. */
static bool is_over (const RtBlock *b, const MarkSet *m) {
  if (context_is_stale(b->dev, b->generation))
    return true;
  for (int i = 0; i < m->n; i++)
    if (!progress_is_over(m->at[i].s, m->at[i].seq))
      return false;
  return true;
}

static const MarkSet *work_of (const RtLoan *loan) {
  return loan->unmarked ? &loan->block->marks : &loan->marks;
}

static bool is_graphs (const RtBlock *b) { return b->foreign && b->graphs > 0; }

static bool can_end (RtLoan *loan) {
  RtBlock *b = loan->block;
  if (is_graphs(b) || !is_over(b, work_of(loan)))
    return false;
  return b->loans > 1 || unlock_pages(b);
}

/* A loan whose work goes on waits for its next turn. */
void import_drain (Runtime *rt, bool all) {
  int n = (all || rt->nleaving_loans < LOOK) ? rt->nleaving_loans : LOOK;
  for (; n > 0; n--) {
    RtLoan *loan = rt->leaving_loans;
    unlink_loan(loan);
    rt->nleaving_loans--;
    if (can_end(loan))
      end_loan(loan);
    else
      queue(loan);
  }
}

const RtLoan *import_next_dropped (const RtDevice *dev, bool pinned,
                                   const RtLoan *l, const MarkSet **work) {
  l = (l == NULL) ? dev->rt->leaving_loans : l->next;
  while (l != NULL && (l->dev != dev || l->block->pinned != pinned ||
                       is_graphs(l->block) || is_over(l->block, work_of(l))))
    l = l->next;
  if (l != NULL)
    *work = work_of(l);
  return l;
}

void import_detach (RtLoan *loan) {
  unlink_loan(loan);
  account_of(loan)->lent -= loan->bytes;
  loan->block->loans--;
  loan->refs = 0;
  hazard_free(&loan->marks);
}

bool import_drop_detached (RtLoan *loan) { return --loan->refs == 0; }

/* ==} */

/* {== the end ========================================================= */

static void free_foreign (RtBlock *b) {
  block_unlink(b);
  address_remove(b);
  hazard_free(&b->marks);
  free(b);
}

/* The owners of its loans were told, so nothing uses it; no graph holds it. */
void import_free_block (RtBlock *b) { free_foreign(b); }

static void end_loans (RtDevice *dev, RtLoan *list) {
  for (RtLoan *next; list != NULL; list = next) {
    next = list->next;
    if (list->dev != dev)
      continue;
    unlink_loan(list);
    import_release(list);
  }
}

void import_end_all (RtDevice *dev, bool driver) {
  for (RtBlock *b = dev->foreign; b != NULL && driver; b = b->older)
    if (b->registered)
      dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
  end_loans(dev, dev->rt->loans);
  end_loans(dev, dev->rt->leaving_loans);
  while (dev->foreign != NULL)
    free_foreign(dev->foreign);
}

/* Blocks with references are freed when they are dropped. */
void import_forget_all (RtDevice *dev) {
  while (dev->foreign != NULL) {
    address_remove(dev->foreign);
    block_unlink(dev->foreign);
  }
}

/* ==} */
