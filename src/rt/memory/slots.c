/*
** slots.c - page-locked slots, through which strings and files are copied to a
** device.
**
** A slot has one reference, the staging buffer's, and is in no cache. A second
** reference means that it is being filled, or that a graph has it. The staging
** buffer counts as reserved, under the limit, but not as live. reclaim.c gives
** idle slots back.
*/
#include "slots.h"

#include "block.h"
#include "hazard.h"
#include "memory.h"
#include "reclaim.h"
#include "rt/driver/observer.h"
#include "rt/wait/deferral.h"

/*
** Looks for an idle slot of at least 'least' bytes: 0, and its place.
** CUDA_ERROR_NOT_READY: some will be idle; CUDA_ERROR_OUT_OF_MEMORY: there is
** none that can be waited for.
*/
static Status find_slot (RtDevice *dev, size_t least, int *at) {
  Status st = CUDA_ERROR_OUT_OF_MEMORY;
  for (int n = 0; n < dev->nstaging; n++) {
    int i = (dev->next_slot + n) % dev->nstaging;
    const RtBlock *b = dev->staging[i];
    if (b->refs > 1 || b->size < least)
      continue;
    Status idle = block_query(dev->staging[i]);
    *at = i;
    if (idle != CUDA_ERROR_NOT_READY)
      return idle;
    if (deferral_find_use(&b->marks) == NULL)
      st = CUDA_ERROR_NOT_READY;
  }
  return st;
}

Status slot_query (RtDevice *dev) {
  int i;
  return find_slot(dev, 0, &i);
}

Status slot_free (RtDevice *dev, int i) {
  RtBlock *b = dev->staging[i];
  size_t size = b->size;
  Status st = block_free(b);
  if (st != 0)
    return st;
  dev->memory[1].staging -= size;
  dev->staging[i] = dev->staging[--dev->nstaging];
  return 0;
}

/* Drops the staging slots. A slot that an upload still fills goes when the
** upload drops it, the others with the blocks without references. */
void slot_forget_all (RtDevice *dev) {
  while (dev->nstaging > 0)
    dev->staging[--dev->nstaging]->refs--;
  dev->memory[1].staging = 0;
}

/* Makes a slot; under a limit a smaller one, if at all. */
static Status new_slot (RtDevice *dev, RtBlock **out) {
  Memory *m = &dev->memory[1];
  size_t n = STAGING_SLOT, most = m->peak_live; /* slots are not live */
  if (dev->nstaging == STAGING_SLOTS)
    return CUDA_ERROR_OUT_OF_MEMORY;
  Status st = block_new(dev, n, true, NULL, out);
  if (st == CUDA_ERROR_OUT_OF_MEMORY &&
      (st = reclaim_cached(dev, true, n)) == 0)
    st = block_new(dev, n, true, NULL, out);
  while (st == CUDA_ERROR_OUT_OF_MEMORY && (n /= 2) >= STAGING_LEAST)
    st = block_new(dev, n, true, NULL, out);
  if (st != 0)
    return st;
  m->live -= (*out)->size;
  m->peak_live = most;
  m->nlive--;
  m->staging += (*out)->size;
  dev->staging[dev->nstaging++] = *out;
  return 0;
}

Status slot_take (RtDevice *dev, RtBlock **out) {
  int i = 0;
  Status st = find_slot(dev, STAGING_SLOT, &i);
  if (st == CUDA_ERROR_NOT_READY || st == CUDA_ERROR_OUT_OF_MEMORY) {
    st = new_slot(dev, out);
    i = dev->nstaging - 1;
    if (st == CUDA_ERROR_OUT_OF_MEMORY)
      st = find_slot(dev, 0, &i);
  }
  if (st != 0)
    return (st == CUDA_ERROR_NOT_READY) ? CUDA_ERROR_OUT_OF_MEMORY : st;
  *out = dev->staging[i];
  observer_note_host(*out, 0, (*out)->size, true);
  hazard_prune(&(*out)->marks);
  (*out)->marks.since = dev->rt->stamp;
  block_retain(*out);
  dev->next_slot = (i + 1) % dev->nstaging;
  return 0;
}

bool slot_has_room (RtDevice *dev, size_t bytes) {
  size_t room = (size_t)(STAGING_SLOTS - dev->nstaging) * STAGING_SLOT;
  for (int i = 0; i < dev->nstaging && room < bytes; i++)
    if (dev->staging[i]->refs == 1 && block_query(dev->staging[i]) == 0)
      room += dev->staging[i]->size;
  return room >= bytes;
}
