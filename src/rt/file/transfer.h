/* transfer.h - moves bytes between files and memory, as streams come to them.
** See transfer.c. */
#ifndef TIDE_RT_FILE_TRANSFER_H
#define TIDE_RT_FILE_TRANSFER_H

#include "file.h"
#include "rt/memory/block_types.h"
#include "rt/queue/stream_types.h"

enum { QUEUE_SLOTS = 4, SLOT_LEAST = 64 << 10 };

/* The most that one operation transfers by slots; a call with more queues
** several. */
#define TRANSFER_MOST ((size_t)256 << 20)

/*
** One operation. Positions in it are counted from its first byte, which lies
** 'skew' bytes behind the start of a page of the file. So chunks, and slots,
** begin at pages. Numbers of chunks are the queue's.
*/
typedef struct RtTransfer {
  Link link;
  struct RtTransfer *sibling; /* the next one of the same call */
  Runtime *rt;
  RtFile *file; /* NULL: the threads have done with it */
  bool write;
  bool truth;  /* of bools: any byte that is not 0 becomes 1 */
  bool direct; /* between file and memory, without slots: one chunk */
  bool after;  /* must not begin before the stream has come to it */
  CUdeviceptr memory;
  uint64_t off; /* in the file */
  size_t bytes, skew;
  uint64_t until; /* the bytes to read exist once writes up to this byte
                            are done, if only as a hole; 0: they exist */
  size_t chunk;   /* bytes of a chunk; direct: all bytes */
  int nchunks;

  /* once it is queued */
  RtTransferQueue *queue;
  Point at;             /* the operation */
  uint32_t first, last; /* its chunks */
  bool handed;          /* threads have it before the stream comes to it */
  char *slots;          /* the queue's slots at that time */
  size_t slot;
  int nslots;
  uint32_t slots_from;

  /* under the lock of io_threads.c, until it is over and taken from there */
  struct RtTransfer *next;  /* in its queue, then in the list of those over */
  uint32_t undone;          /* the first chunk that is not done */
  size_t taken;             /* how far threads have begun */
  size_t left[QUEUE_SLOTS]; /* bytes not done of each chunk begun */
  int busy;                 /* threads that do parts of it */
  bool over;
  int error;         /* first in the file: an errno or READING_ENDED */
  uint64_t error_at; /* the byte where it is */

  int refs; /* its queue, and objects that ask for its error */
} RtTransfer;

/* The chunk that holds position 'at'; where a chunk begins and ends. */
static inline int transfer_chunk (const RtTransfer *t, size_t at) {
  return (int)((at + t->skew) / t->chunk);
}

static inline size_t transfer_chunk_begin (const RtTransfer *t, int i) {
  return (i == 0) ? 0 : (size_t)i * t->chunk - t->skew;
}

static inline size_t transfer_chunk_end (const RtTransfer *t, int i) {
  size_t end = (size_t)(i + 1) * t->chunk - t->skew;
  return (end < t->bytes) ? end : t->bytes;
}

/* Returns the place in page-locked memory that the byte at a position goes
** through. */
static inline char *transfer_slot (const RtTransfer *t, size_t at) {
  uint32_t number = t->first + (uint32_t)transfer_chunk(t, at);
  size_t slot = (number - t->slots_from) % (uint32_t)t->nslots;
  return t->slots + slot * t->slot + (at + t->skew) % t->chunk;
}

/*
** Makes a transfer of up to 'bytes', stored in t->bytes, between a file and
** memory of the device of 's'; 'pinned': page-locked. It has one reference, and
** keeps its file open.
*/
Status transfer_new (RtFile *f, bool write, uint64_t off, RtStream *s,
                     CUdeviceptr memory, size_t bytes, bool pinned,
                     RtTransfer **out);
void transfer_drop (RtTransfer *t);

/*
** Gets all that a transfer needs before it is submitted, with page-locked
** memory that the operation has to name (*slots, *scratch, if not NULL).
** Returns RT_BLOCKED if there is no room now. On CUDA_ERROR_OUT_OF_MEMORY the
** caller has to free transfer_slot_bytes bytes of page-locked memory. With
** 'less' it needs little, 2 * SLOT_LEAST bytes, and may shorten the transfer.
*/
Status transfer_prepare (RtStream *s, RtTransfer *t, bool less,
                         const char *what, RtBlock **slots, RtBlock **scratch);
size_t transfer_slot_bytes (const RtTransfer *t);

/* Returns how many bytes of its file it depends on. */
static inline size_t transfer_extent (const RtTransfer *t) {
  return (t->until > t->off + t->bytes) ? (size_t)(t->until - t->off)
                                        : t->bytes;
}

/* Returns the block for its file, to be named in accesses of an operation on
** 's'. */
static inline RtBlock *transfer_block (const RtTransfer *t, const RtStream *s) {
  RtBlock *b = &t->file->inode->block;
  b->dev = s->dev;
  b->generation = s->dev->generation;
  return b;
}

/* Give the operation its numbers when it is queued, or kept; let the threads
** read ahead once it is sent. */
void transfer_begin (RtStream *s, const Op *op);
void transfer_read_ahead (RtTransfer *t);

/* Ends the queueing of a transfer, or of 'n' chunks that threads and stream
** wait for. 'whole' false: a driver call failed, and the words of its queue
** cannot be trusted any more. */
void transfer_end (RtStream *s, RtTransfer *t, int n, bool whole);

/* Returns the first failed transfer of a call, once the stream has passed it;
** NULL: none. */
const RtTransfer *transfer_failed (const RtTransfer *t);

/* Drops transfers that the threads have done, and slots of idle queues: of the
** next queue in turn, or of 'all'. */
void transfer_reap (Runtime *rt, bool all);

/* Returns RT_BLOCKED while work of a closed file is under way, because it holds
** descriptors until then; 0: none is. */
Status transfer_wait_closed (Runtime *rt, const char *what);

/* The room at the steps of the runtime's life. */
extern const Extension transfer_extension;

#endif
