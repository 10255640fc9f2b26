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
  RtDevice *dev;
  RtBlock *block;
  size_t bytes;
  int refs;           /* arrays and exports */
  RtRelease *release; /* may be NULL */
  void *ud;
  MarkSet marks;        /* uses of the block when the last one was dropped */
  bool unmarked;        /* no memory for 'marks': the uses now count instead */
  RtImport *next, **at; /* all imports; then the waiting ones */
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

/* {== imports ========================================================= */

static void link_import (RtImport **list, RtImport *import) {
  import->next = *list;
  import->at = list;
  if (import->next != NULL)
    import->next->at = &import->next;
  *list = import;
}

static void unlink_import (RtImport *import) {
  Runtime *rt = import->dev->rt;
  if (rt->leaving_end == &import->next)
    rt->leaving_end = import->at;
  *import->at = import->next;
  if (import->next != NULL)
    import->next->at = import->at;
}

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
  *l = (RtImport){.dev = dev,
                  .block = *out,
                  .bytes = bytes,
                  .refs = 1,
                  .release = release,
                  .ud = ud};
  l->marks.exact = (*out)->marks.exact;
  (*out)->refs += 2; /* the import's, and the caller's */
  (*out)->imports++;
  account_of(l)->imported += bytes;
  link_import(&dev->rt->imports, l);
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

/* Puts an import at the end of the queue. */
static void queue (RtImport *import) {
  Runtime *rt = import->dev->rt;
  RtImport **end = rt->leaving_end;
  link_import(end, import);
  rt->leaving_end = &import->next;
  rt->nleaving_imports++;
}

void import_drop (RtImport *import) {
  if (import == NULL || --import->refs > 0)
    return;
  take_marks(import);
  unlink_import(import);
  queue(import);
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
  if (context_is_stale(b->dev, b->generation))
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

/* An import whose work goes on waits for its next turn. */
void import_drain (Runtime *rt, bool all) {
  int n = (all || rt->nleaving_imports < LOOK) ? rt->nleaving_imports : LOOK;
  for (; n > 0; n--) {
    RtImport *import = rt->leaving_imports;
    unlink_import(import);
    rt->nleaving_imports--;
    if (can_end(import))
      end_import(import);
    else
      queue(import);
  }
}

const RtImport *import_next_dropped (const RtDevice *dev, bool pinned,
                                     const RtImport *l, const MarkSet **work) {
  l = (l == NULL) ? dev->rt->leaving_imports : l->next;
  while (l != NULL && (l->dev != dev || l->block->pinned != pinned ||
                       is_graphs(l->block) || is_over(l->block, work_of(l))))
    l = l->next;
  if (l != NULL)
    *work = work_of(l);
  return l;
}

void import_detach (RtImport *import) {
  unlink_import(import);
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

static void end_imports (RtDevice *dev, RtImport *list) {
  for (RtImport *next; list != NULL; list = next) {
    next = list->next;
    if (list->dev != dev)
      continue;
    unlink_import(list);
    import_release(list);
  }
}

void import_end_all (RtDevice *dev, bool driver) {
  for (RtBlock *b = dev->foreign; b != NULL && driver; b = b->older)
    if (b->registered)
      dev->D->cuMemHostUnregister((void *)(uintptr_t)b->ptr);
  end_imports(dev, dev->rt->imports);
  end_imports(dev, dev->rt->leaving_imports);
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
