/*
** import.c - foreign memory: blocks that are ordered like our own, but count in
** no figure and in no cache; and the imports of it.
**
** DESIGN. The owner of foreign memory must learn when its *own* arrays and the
** work that they have queued are done, not when the memory is unused: other
** programs may have wrapped the same memory, and go on. So memory is imported
** anew each time that it comes in. Arrays, their views and exports hold the
** import. All memory that overlaps has one block, which keeps the order. An
** import without references takes a copy of the block's marks and waits in a
** queue until these have passed; then its owner is notified. A graph holds the
** block and not the import, so all imports of the block wait as long as there
** is a graph. Memory of our own that comes back through foreign code (a
** library's view of an array) is imported, too; its block is ours.
*/
#include "import.h"

#include <limits.h>
#include <stdlib.h>

#include "address.h"
#include "block.h"
#include "block_types.h"
#include "hazard.h"
#include "memory.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

enum { LOOK = 2 }; /* imports that a drain looks at: more than one call makes */

struct RtImport {
  LIFE; /* referenced by arrays and exports */
  RtBlock *block;
  size_t bytes;
  RtRelease *release; /* may be NULL */
  void *ud;
  MarkSet marks; /* uses of the block when the last one was dropped */
  bool unmarked; /* no memory for 'marks': the uses now count instead */
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
  if (!b->registered || life_is_stale(&b->life))
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
  b->generation = dev->generation;
  b->ptr = ptr;
  b->size = bytes;
  b->foreign = true;
  b->pinned = b->marks.exact = (kind != FOREIGN_DEVICE);
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

/* {== imports ========================================================= */

static Memory *account_of (const RtImport *import) {
  return &import->dev->memory[import->block->pinned];
}

Status import_memory (RtDevice *dev, RtForeign kind, CUdeviceptr ptr,
                      size_t bytes, RtRelease *release, void *ud,
                      RtImport **import, RtBlock **out) {
  RtImport *l = calloc(1, sizeof *l);
  if (l == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  Status st = find_or_make(dev, kind, ptr, bytes, out);
  if (st != 0) {
    free(l);
    return st;
  }
  l->block = *out;
  l->bytes = bytes;
  l->release = release;
  l->ud = ud;
  l->marks.exact = (*out)->marks.exact;
  (*out)->refs += 2; /* the import's, and the caller's */
  (*out)->imports++;
  life_begin(&l->life, LIFE_IMPORT, dev);
  account_of(l)->imported += bytes;
  *import = l;
  return 0;
}

void import_retain (RtImport *import) { import->refs++; }

void import_cancel (RtImport *import) { import->release = NULL; }

/* Copies the block's marks. The allocation of our own block is no use. */
static void take_marks (RtImport *import) {
  const MarkSet *m = &import->block->marks;
  import->unmarked = (hazard_reserve(&import->marks, m->n) != 0);
  for (int i = 0; i < m->n && !import->unmarked; i++)
    if (m->at[i].s != import->dev->mem)
      import->marks.at[import->marks.n++] = m->at[i];
}

void import_drop (RtImport *import) {
  if (import != NULL && life_drop(&import->life, LIFE_IMPORT))
    take_marks(import);
}

void import_release (RtImport *import) {
  if (import->release != NULL)
    import->release(import->ud);
  free(import);
}

/* Ends an import that is in no list. */
static void end_import (RtImport *import) {
  RtBlock *b = import->block;
  account_of(import)->imported -= import->bytes;
  b->imports--;
  hazard_free(&import->marks);
  block_drop(b);
  import_release(import);
}

/* On a device with a fault no work runs any more, and after a reset none is
** left. */
static bool is_over (const RtBlock *b, const MarkSet *m) {
  if (life_is_stale(&b->life))
    return true;
  for (int i = 0; i < m->n; i++)
    if (!progress_is_over(m->at[i].s, m->at[i].seq))
      return false;
  return true;
}

static const MarkSet *work_of (const RtImport *import) {
  return import->unmarked ? &import->block->marks : &import->marks;
}

static bool is_graphs (const RtBlock *b) { return b->foreign && b->graphs > 0; }

static bool can_end (RtImport *import) {
  RtBlock *b = import->block;
  if (is_graphs(b) || !is_over(b, work_of(import)))
    return false;
  return b->imports > 1 || unlock_pages(b);
}

static bool end (Life *o) {
  RtImport *import = (RtImport *)o;
  bool ends = can_end(import);
  if (ends)
    end_import(import);
  return ends;
}

void import_drain (Runtime *rt, bool all) {
  life_drain(rt, LIFE_IMPORT, all ? INT_MAX : LOOK, end);
}

const RtImport *import_next_dropped (const RtDevice *dev, bool pinned,
                                     const RtImport *l, const MarkSet **work) {
  l = (l == NULL) ? LIST_FIRST(RtImport, &dev->rt->dropped[LIFE_IMPORT])
                  : LIST_NEXT(RtImport, l);
  while (l != NULL && (l->dev != dev || l->block->pinned != pinned ||
                       is_graphs(l->block) || is_over(l->block, work_of(l))))
    l = LIST_NEXT(RtImport, l);
  if (l != NULL)
    *work = work_of(l);
  return l;
}

void import_detach (RtImport *import) {
  life_leave(&import->life, LIFE_IMPORT);
  account_of(import)->imported -= import->bytes;
  import->block->imports--;
  import->refs = 0;
  hazard_free(&import->marks);
}

bool import_drop_detached (RtImport *import) { return --import->refs == 0; }

/* ==} */

/* {== the end ========================================================= */

static void free_foreign (RtBlock *b) {
  block_unlink(b);
  address_remove(b);
  hazard_free(&b->marks);
  free(b);
}

/* The owners of its imports were notified, so nothing uses it; no graph holds
** it. */
void import_free_block (RtBlock *b) { free_foreign(b); }

static void end_imports (const RtDevice *dev, List *imports) {
  for (RtImport *import = LIST_FIRST(RtImport, imports), *next; import != NULL;
       import = next) {
    next = LIST_NEXT(RtImport, import);
    if (import->dev != dev)
      continue;
    links_remove(imports, &import->link);
    import_release(import);
  }
}

void import_end_all (RtDevice *dev, bool driver) {
  LIST_EACH (RtBlock, b, &dev->foreign)
    if (driver && b->registered)
      dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
  end_imports(dev, &dev->rt->held[LIFE_IMPORT]);
  end_imports(dev, &dev->rt->dropped[LIFE_IMPORT]);
  while (dev->foreign.n > 0)
    free_foreign(LIST_FIRST(RtBlock, &dev->foreign));
}

/* Blocks with references are freed when they are dropped. */
void import_forget_all (RtDevice *dev) {
  while (dev->foreign.n > 0) {
    RtBlock *b = LIST_FIRST(RtBlock, &dev->foreign);
    address_remove(b);
    block_unlink(b);
  }
}

/* ==} */
