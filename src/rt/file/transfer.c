/*
** transfer.c - moves bytes between files and memory, as streams come to them.
**
** DESIGN. Threads read and write files (io_threads.c); they call no driver and
** wait only for words in page-locked memory. The call itself queues all that
** the device has to do. So no step waits for a lock of the driver's, and a
** stream that waits for the threads goes on without Lua.
**
** A stream has two transfer queues, from files and to files. The chunks of a
** queue are numbered, and two words say how far the stream and the threads have
** come:
**   - Between a file and memory that threads can access (page-locked memory,
**     all memory of the host device) a transfer is one chunk. The stream writes
**     the chunk's number when it comes there, the threads do the chunk, and the
**     stream waits for the number in their word.
**   - From a file to a GPU's memory, chunks go through slots of page-locked
**     memory. For each chunk the stream waits for the threads, copies, and
**     writes the number, which frees the slot. The threads read ahead as far as
**     there are slots, before the stream has come there. They can, because a
**     read depends on no work of the device, unless that writes the same bytes
**     of the file.
**   - From a GPU's memory to a file, the stream waits for the slot, copies, and
**     writes the number; the threads write the file. At the end the stream
**     waits for the last chunk, so that the file has the data once the
**     operation is done.
** The slots are a block like any other: its marks say when it may be reused. It
** stays with the queue while the queue has work under way.
**
** Each chunk takes places in the driver's queue of the stream, which has about
** a thousand; a call that needs more would block inside the driver. So such a
** call waits before (has_room).
*/
#include "transfer.h"

#include <stdlib.h>

#include "file_io.h"
#include "io_threads.h"
#include "rt/driver/context.h"
#include "rt/driver/extension.h"
#include "rt/driver/observer.h"
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/queue/op_types.h"
#include "rt/wait/flags.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"
#include "transfer_types.h"

/*
** Overridable (MYCFLAGS=-DCHUNK_MOST=...), to be tuned by bench/file.lua. The
** values are computed: at 55 GB/s a slot is copied in 150 us, long compared
** with the 10 us that a GPU takes to notice a word, and eight threads fill it
** in 190 us.
*/
#if !defined(CHUNK_MOST)
#define CHUNK_MOST ((size_t)8 << 20)
#endif
#if !defined(CHUNK_LEAST)
#define CHUNK_LEAST ((size_t)256 << 10)
#endif

/*
** Measured: while all slots together stay in a processor's cache, a file
** reaches an H200 at the speed of its bus, 52 GB/s. With 192 MiB of slots it
** was 40, with 256 MiB 36. So chunks are smaller the more queues there are.
*/
#if !defined(SLOTS_CACHED)
#define SLOTS_CACHED ((size_t)128 << 20)
#endif

enum {
  CHUNKS = 8,            /* of short transfers: copies overlap reads */
  CHUNK_SHARE = 1 << 20, /* not made smaller for other queues */
  TRANSFER_CHUNKS = 32,  /* at most */
  CHUNKS_MOST = 128      /* on a stream: up to 1 GiB */
};

/* {== transfers ======================================================= */

/* Tells whether the transfer goes through slots. */
static bool is_slotted (const RtStream *s, bool pinned) {
#if defined(TIDE_TESTING)
  if (s->dev->rt->slotted_always)
    return !pinned;
#endif
  return !pinned && !context_is_host(s->dev);
}

/* Sets the size of chunks, and shortens the transfer to the most chunks that it
** may have. */
static void cut_chunks (RtTransfer *t, size_t chunk) {
  t->chunk = chunk;
  if (t->bytes > TRANSFER_CHUNKS * chunk - t->skew)
    t->bytes = TRANSFER_CHUNKS * chunk - t->skew;
  t->nchunks = transfer_chunk(t, t->bytes - 1) + 1;
}

/* Returns the longest chunk for a queue if 'nqueues' queues have slots. */
static size_t longest_chunk (size_t nqueues) {
  size_t chunk = CHUNK_MOST;
  while (chunk > CHUNK_SHARE && chunk * QUEUE_SLOTS * nqueues > SLOTS_CACHED)
    chunk /= 2;
  return chunk;
}

static void choose_chunks (RtTransfer *t, const RtTransferQueue *queue) {
  if (t->direct) {
    t->chunk = t->bytes;
    t->nchunks = 1;
    return;
  }
  bool another = (queue == NULL || queue->slots == NULL);
  size_t most = longest_chunk((size_t)t->rt->files->nslotted + another);
  size_t chunk = CHUNK_LEAST;
  t->skew = t->off % FILE_PAGE;
  while (chunk < most && chunk * CHUNKS < t->bytes + t->skew)
    chunk *= 2;
  cut_chunks(t, chunk);
}

Status transfer_new (RtFile *f, bool write, uint64_t off, RtStream *s,
                     CUdeviceptr memory, size_t bytes, bool pinned,
                     RtTransfer **out) {
  Runtime *rt = s->dev->rt;
  RtTransfer *t = calloc(1, sizeof *t);
  if (t == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  t->rt = rt;
  t->file = f;
  f->refs++;
  t->write = write;
  t->direct = !is_slotted(s, pinned);
  t->memory = memory;
  t->off = off;
  t->bytes = bytes;
  if (!t->direct && bytes > TRANSFER_MOST)
    t->bytes = TRANSFER_MOST;
  t->refs = 1;
  choose_chunks(t, s->queues[write]);
  t->until = write ? 0 : file_growth(f, off + t->bytes);
  t->after = !write && file_is_busy(f->inode, off, transfer_extent(t), true);
  links_add(&rt->files->transfers, &t->link);
  rt->active |= EXTENSION_FILES;
  *out = t;
  return 0;
}

static void free_transfer (RtTransfer *t) {
  links_remove(&t->rt->files->transfers, &t->link);
  if (t->file != NULL)
    file_drop(t->file);
  free(t);
}

void transfer_drop (RtTransfer *t) {
  if (--t->refs == 0)
    free_transfer(t);
}

const RtTransfer *transfer_failed (const RtTransfer *t) {
  const RtTransfer *failed = NULL;
  for (; t != NULL; t = t->sibling)
    if (__atomic_load_n(&t->error, __ATOMIC_RELAXED) != 0 &&
        (failed == NULL || t->off < failed->off))
      failed = t;
  return failed;
}

/* ==} */

/* {== queues ========================================================== */

static Status new_queue (RtStream *s, RtTransferQueue **out) {
  RtDevice *dev = s->dev;
  RtTransferQueue *queue = calloc(1, sizeof *queue);
  if (queue == NULL)
    return status_fail(dev->rt, RT_NOMEM, NULL);
  Status st = flag_take(dev, &queue->stream);
  if (st == 0)
    st = flag_take(dev, &queue->threads);
  if (st != 0) {
    flag_return(dev, queue->stream);
    free(queue);
    return st;
  }
  queue->dev = dev;
  queue->last = &queue->first;
  queue->older = dev->rt->files->queues;
  dev->rt->files->queues = queue;
  *out = queue;
  return 0;
}

static void queue_slotted (Runtime *rt, RtTransferQueue *queue) {
  RtFiles *files = rt->files;
  if (files->nslotted++ == 0)
    files->slotted_end = &files->slotted;
  queue->next = NULL;
  *files->slotted_end = queue;
  files->slotted_end = &queue->next;
}

static RtTransferQueue *next_slotted (Runtime *rt) {
  RtFiles *files = rt->files;
  RtTransferQueue *queue = files->slotted;
  files->slotted = queue->next;
  if (--files->nslotted == 0)
    files->slotted_end = &files->slotted;
  return queue;
}

static int most_slots (const RtTransfer *t) {
  int n = t->nchunks < QUEUE_SLOTS ? t->nchunks : QUEUE_SLOTS;
  return n > 2 ? n : 2;
}

size_t transfer_slot_bytes (const RtTransfer *t) {
  return (size_t)most_slots(t) * t->chunk;
}

/* Allocates slots. 'less': fewer or smaller ones if memory is limited. */
static Status get_slots (RtDevice *dev, RtTransfer *t, bool less, int *n,
                         RtBlock **out) {
  *n = most_slots(t);
  Status st;
  while ((st = block_new(dev, (size_t)*n * t->chunk, true, NULL, out)) ==
           CUDA_ERROR_OUT_OF_MEMORY &&
         less) {
    if (*n > 2)
      *n = 2;
    else if (t->chunk > SLOT_LEAST)
      cut_chunks(t, t->chunk / 2);
    else
      break;
  }
  return st;
}

/* Makes the queue's slots fit the transfer. Earlier transfers keep the old
** slots, whose marks protect them. */
static Status fit_slots (RtTransferQueue *queue, RtTransfer *t, bool less) {
  Runtime *rt = queue->dev->rt;
  RtBlock *b;
  int n;
  if (queue->slots != NULL && queue->slot >= t->chunk &&
      (queue->nslots == QUEUE_SLOTS || queue->nslots >= t->nchunks))
    return 0;
  Status st = get_slots(queue->dev, t, less, &n, &b);
  if (st != 0)
    return st;
  if (queue->slots != NULL)
    block_drop(queue->slots);
  else
    queue_slotted(rt, queue);
  queue->slots = b;
  queue->nslots = n;
  queue->slot = t->chunk;
  queue->slots_from = queue->issued + 1;
  return 0;
}

/* ==} */

/* {== queueing ======================================================== */

/* Tells whether a wait for a word is queued last. */
static bool ends_waiting (const RtTransfer *t) { return t->direct || t->write; }

/* Tells whether a queue with slots is idle, or none is left. Slots of broken
** queues do not count: they go by their marks. */
static bool has_idle_slots (const WaitReason *w) {
  bool any = false;
  for (const RtTransferQueue *queue = w->dev->rt->files->slotted; queue != NULL;
       queue = queue->next) {
    if (queue->dev != w->dev || queue->broken)
      continue;
    if (__atomic_load_n(queue->stream, __ATOMIC_ACQUIRE) == queue->issued &&
        __atomic_load_n(queue->threads, __ATOMIC_ACQUIRE) == queue->issued)
      return true;
    any = true;
  }
  return !any;
}

/* Returns the number of chunks that the stream has not come to. */
static uint64_t count_chunks (const RtTransferQueue *queue) {
  return (queue == NULL || queue->stream == NULL)
           ? 0
           : queue->issued - __atomic_load_n(queue->stream, __ATOMIC_ACQUIRE);
}

/*
** Tells whether the queue of 's' takes 'n' more chunks of files. Each chunk
** occupies places of the driver's queue until the stream has passed it, and a
** call that queues more than there is room for blocks inside the driver.
*/
static bool has_room (const RtStream *s, uint64_t n) {
  uint64_t now = count_chunks(s->queues[0]) + count_chunks(s->queues[1]);
  return now == 0 || now + n <= CHUNKS_MOST;
}

static bool takes_chunks (const WaitReason *w) {
  return has_room(w->s, w->seq);
}

/* Gets slots, or returns RT_BLOCKED if slots in use by other queues will be
** free. */
static Status ready_slots (RtStream *s, RtTransfer *t, bool less,
                           const char *what) {
  RtDevice *dev = s->dev;
  Status st = fit_slots(s->queues[t->write], t, less);
  if (st != CUDA_ERROR_OUT_OF_MEMORY || !less)
    return st;
  transfer_reap(dev->rt, true);
  st = fit_slots(s->queues[t->write], t, less);
  if (st != CUDA_ERROR_OUT_OF_MEMORY || dev->rt->files->nslotted == 0 ||
      !rt_may_serve(dev->rt))
    return st;
  return wait_block_until(has_idle_slots, dev, s, 0, what);
}

Status transfer_prepare (RtStream *s, RtTransfer *t, bool less,
                         const char *what, RtBlock **slots, RtBlock **scratch) {
  RtDevice *dev = s->dev;
  *slots = *scratch = NULL;
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  transfer_reap(dev->rt, false);
  if (!has_room(s, (uint64_t)t->nchunks) && rt_may_serve(dev->rt))
    return wait_block_until(takes_chunks, dev, s, (uint64_t)t->nchunks, what);
  st = io_threads_retain(dev->rt);
  RtTransferQueue **queue = &s->queues[t->write];
  if (st == 0 && *queue == NULL)
    st = new_queue(s, queue);
  if (st == 0 && !t->direct) {
    st = ready_slots(s, t, less, what);
    *slots = (*queue)->slots;
  }
  if (st == 0 && !s->nonblocking && ends_waiting(t)) {
    if ((*queue)->scratch == NULL)
      st = block_new_own(dev, sizeof(uint32_t), &(*queue)->scratch);
    *scratch = (*queue)->scratch;
  }
  return st;
}

/* Tells whether threads get the transfer before all of it is queued. */
static bool is_early (const RtTransfer *t) { return !t->direct && !t->write; }

/* Adds the transfer to its queue, until the threads have done it. */
static void join_queue (RtTransferQueue *queue, RtTransfer *t) {
  RtInode *inode = t->file->inode;
  t->queue = queue;
  t->refs++;
  queue->ntransfers++;
  if (!t->write)
    return;
  if (inode->nwrites++ == 0)
    inode->end = 0;
  if (t->off + t->bytes > inode->end)
    inode->end = t->off + t->bytes;
}

/* Takes the transfer off its queue. After a failure its use of the file counts
** until its stream has passed it, so that operations behind it learn of it. It
** keeps the file open no longer, even if its error is still asked for. */
static void leave_queue (RtTransfer *t) {
  t->queue->ntransfers--;
  t->file->inode->nwrites -= t->write;
  if (t->error == 0 && t->at.s != NULL) {
    file_forget_use(t->file->inode, t->at);
    observer_note_done(t->at.s, &t->file->inode->block, t->off,
                       transfer_extent(t), t->write);
  }
  file_drop(t->file);
  t->file = NULL;
  transfer_drop(t);
}

void transfer_begin (RtStream *s, const Op *op) {
  RtTransfer *t = op->u.file.transfer;
  RtTransferQueue *queue = s->queues[t->write];
  t->at = (Point){s, op->seq != 0 ? op->seq : s->dev->rt->stamp + 1};
  if (t->after && !t->direct)
    queue->issued++;
  t->first = queue->issued + 1;
  t->last = queue->issued += (uint32_t)t->nchunks;
  if (!t->direct) {
    t->slots = (char *)(uintptr_t)queue->slots->ptr;
    t->slot = queue->slot;
    t->nslots = queue->nslots;
    t->slots_from = queue->slots_from;
  }
  join_queue(queue, t);
}

void transfer_read_ahead (RtTransfer *t) {
  t->handed = is_early(t);
  if (t->handed)
    io_threads_add(t);
}

static void cut (RtTransfer *t, int n) {
  if (n == 0)
    t->at.s = NULL; /* another operation has its number */
  if (t->handed && n > 0) {
    io_threads_cut(t, t->first + (uint32_t)n - 1);
  } else if (t->handed) {
    io_threads_remove(t);
  } else if (n > 0) {
    t->last = t->first + (uint32_t)n - 1;
    t->bytes = transfer_chunk_end(t, n - 1);
  } else {
    leave_queue(t);
  }
}

void transfer_end (RtStream *s, RtTransfer *t, int n, bool whole) {
  bool late = !is_early(t) && n > 0;
  if (!whole) {
    t->queue->broken = true;
    s->queues[t->write] = NULL;
  }
  if (n < t->nchunks)
    cut(t, n);
  if (late)
    io_threads_add(t);
}

/* ==} */

/* {== letting go ====================================================== */

/* Tells whether the stream has left the queue's slots. The words of a broken
** queue do not show that, but the marks of the slots do. */
static bool is_idle (const RtTransferQueue *queue) {
  uint32_t now = __atomic_load_n(queue->stream, __ATOMIC_ACQUIRE);
  return queue->ntransfers == 0 && (queue->broken || now == queue->issued);
}

static void leave_queues (RtTransfer *t) {
  while (t != NULL) {
    RtTransfer *next = t->next;
    leave_queue(t);
    t = next;
  }
}

static void reap_transfers (Runtime *rt) {
  if (__atomic_load_n(&rt->files->nover, __ATOMIC_ACQUIRE) > 0)
    leave_queues(io_threads_collect(rt));
}

void transfer_reap (Runtime *rt, bool all) {
  RtFiles *files = rt->files;
  if (files == NULL)
    return;
  reap_transfers(rt);
  for (int n = all ? files->nslotted : files->nslotted > 0; n > 0; n--) {
    RtTransferQueue *queue = next_slotted(rt);
    if (!is_idle(queue)) {
      queue_slotted(rt, queue);
      continue;
    }
    block_drop(queue->slots);
    queue->slots = NULL;
  }
  if (files->transfers.n == 0 && files->nslotted == 0)
    rt->active &= ~(unsigned)EXTENSION_FILES;
}

/* Tells whether its stream has not passed it yet. */
static bool is_under_way (const RtTransfer *t) {
  return t->file != NULL && t->queue != NULL && t->at.s != NULL &&
         progress_passed(t->at.s, t->at.seq) == CUDA_ERROR_NOT_READY;
}

/* Takes the lock first, because transfers that streams have passed are in
** files->over, or will be once the lock is free. */
Status transfer_wait_closed (Runtime *rt, const char *what) {
  const RtTransfer *last = NULL;
  if (rt->files == NULL)
    return 0;
  leave_queues(io_threads_collect(rt));
  LIST_EACH (const RtTransfer, t, &rt->files->transfers)
    if (is_under_way(t) && t->file->closed &&
        (last == NULL || last->file == t->file))
      last = t; /* the newest one of the file that the oldest one uses */
  return (last == NULL) ? 0
                        : wait_block(last->at.s->dev, WAIT_PASSED, last->at.s,
                                     last->at.seq, what);
}

static void forget_slots (RtDevice *dev) {
  Runtime *rt = dev->rt;
  for (int n = rt->files->nslotted; n > 0; n--) {
    RtTransferQueue *queue = next_slotted(rt);
    if (queue->dev == dev)
      queue->slots->refs--; /* the block is freed with the others */
    else
      queue_slotted(rt, queue);
  }
}

static void forget (RtDevice *dev) {
  Runtime *rt = dev->rt;
  if (rt->files == NULL)
    return;
  reap_transfers(rt); /* the words of its queues may be gone */
  forget_slots(dev);
  for (int i = 0; i < rt->nstreams; i++)
    if (rt->streams[i]->dev == dev)
      rt->streams[i]->queues[0] = rt->streams[i]->queues[1] = NULL;
  for (RtTransferQueue **at = &rt->files->queues; *at != NULL;) {
    RtTransferQueue *queue = *at;
    if (queue->dev != dev) {
      at = &queue->older;
      continue;
    }
    *at = queue->older;
    if (queue->scratch != NULL)
      queue->scratch->refs--; /* likewise */
    free(queue);
  }
}

static void stop (Runtime *rt, bool gone) {
  (void)gone;
  if (rt->files == NULL)
    return;
  if (rt->files->has_threads)
    io_threads_drop(rt, NULL);
  reap_transfers(rt);
  io_threads_release(rt);
}

/* Frees the transfers that are still referenced, and files of finalizers. A
** forked child has no thread but this one. */
static void free_all (Runtime *rt) {
  RtFiles *files = rt->files;
  if (files == NULL)
    return;
  while (files->transfers.n > 0)
    free_transfer(LIST_FIRST(RtTransfer, &files->transfers));
  file_close_all(rt);
  for (RtTransferQueue *queue; (queue = files->queues) != NULL;) {
    files->queues = queue->older;
    free(queue);
  }
  rt->files = NULL;
  free(files);
}

/* ==} */

/* {== as an extension ================================================= */

static bool any_done (const Runtime *rt) {
  const RtFiles *files = rt->files;
  return files->nslotted > 0 ||
         __atomic_load_n(&files->nover, __ATOMIC_ACQUIRE) > 0;
}

static void drain (Runtime *rt, bool all) {
  if (rt->files != NULL && any_done(rt))
    transfer_reap(rt, all);
}

static void reset (RtDevice *dev) { io_threads_drop(NULL, dev); }

static bool has_transfers (const Runtime *rt) {
  return rt->files != NULL && rt->files->transfers.n > 0;
}

const Extension transfer_extension = {.bit = EXTENSION_FILES,
                                      .has_dropped = any_done,
                                      .drain = drain,
                                      .reset = reset,
                                      .forget = forget,
                                      .has_work = has_transfers,
                                      .stop = stop,
                                      .free = free_all};

/* ==} */
