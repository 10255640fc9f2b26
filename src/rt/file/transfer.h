/* transfer.h - bytes between files and memory, as streams come to them. See
** transfer.c. */
#ifndef TIDE_RT_FILE_TRANSFER_H
#define TIDE_RT_FILE_TRANSFER_H

#include "file.h"

enum { LANE_SLOTS = 4, SLOT_LEAST = 64 << 10 };

/* As much as one operation transfers by slots; what is more goes in several. */
#define TRANSFER_MOST ((size_t)256 << 20)

/*
** One operation. Positions in it are counted from the page of the file that it
** begins in, 'skew' bytes before its first byte, so that pieces, and slots,
** begin at pages. Numbers of pieces are the lane's.
*/
typedef struct RtTransfer {
  struct RtTransfer *sibling;  /* of the same call */
  Runtime *rt;
  RtFile *file;          /* NULL: the threads have done with it */
  bool write;
  bool truth;            /* of bools: whatever is not 0 becomes 1 */
  bool direct;           /* between file and memory, without slots: one piece */
  bool after;            /* it may not begin before the stream has come to it */
  CUdeviceptr memory;
  uint64_t off;          /* in the file */
  size_t bytes, skew;
  uint64_t until;        /* what is read is there once all writes up to that
                            byte are done: 0, or behind it, in a hole */
  size_t piece;          /* bytes of a piece; direct: all */
  int npieces;

  /* once it is queued */
  RtLane *lane;
  Point at;              /* the operation */
  uint32_t first, last;  /* its pieces */
  bool handed;           /* the threads have it before the stream is there */
  char *slots;           /* as the lane has them then */
  size_t slot;
  int nslots;
  uint32_t slots_from;

  /* under the lock of threads.c, until it is over and taken from there */
  struct RtTransfer *next;   /* of its lane, then of what is over */
  uint32_t undone;           /* the first piece that is not done */
  size_t taken;              /* how far threads have begun, */
  size_t left[LANE_SLOTS];   /* and what is not done of the pieces begun */
  int busy;                  /* threads that do parts of it */
  bool over;
  int error;                 /* the first in the file: errno, FILE_ENDED */
  uint64_t error_at;         /* at that byte */

  int refs;              /* who asks for its error, and its lane */
  struct RtTransfer *older, *newer;  /* all of the Runtime */
} RtTransfer;

/* The piece that holds position 'at'; where it begins and ends. */
static inline int rt_piece (const RtTransfer *t, size_t at) {
  return (int)((at + t->skew) / t->piece);
}

static inline size_t rt_piecebegin (const RtTransfer *t, int i) {
  return (i == 0) ? 0 : (size_t)i * t->piece - t->skew;
}

static inline size_t rt_pieceend (const RtTransfer *t, int i) {
  size_t end = (size_t)(i + 1) * t->piece - t->skew;
  return (end < t->bytes) ? end : t->bytes;
}

/* Where in page-locked memory the byte at that position goes through. */
static inline char *rt_slotof (const RtTransfer *t, size_t at) {
  uint32_t number = t->first + (uint32_t)rt_piece(t, at);
  size_t slot = (number - t->slots_from) % (uint32_t)t->nslots;
  return t->slots + slot * t->slot + (at + t->skew) % t->piece;
}

/*
** A transfer of up to 'bytes', as many as t->bytes says then, between a file
** and memory of the device of 's', which is page-locked if 'pinned'. It has one
** reference, and keeps its file open.
*/
Status rt_newtransfer (RtFile *f, bool write, uint64_t off, RtStream *s,
                       CUdeviceptr memory, size_t bytes, bool pinned,
                       RtTransfer **out);
void rt_droptransfer (RtTransfer *t);

/*
** Before it is submitted: there is room for it, and page-locked memory, which
** the operation has to name (*slots, *scratch, if not NULL). RT_BLOCKED: not
** now. CUDA_ERROR_OUT_OF_MEMORY: page-locked memory has to be found, as much
** as rt_slotbytes says; with 'less' a bit will do, twice SLOT_LEAST bytes, and
** it may transfer less then.
*/
Status rt_readytransfer (RtStream *s, RtTransfer *t, bool less,
                         const char *what, RtBlock **slots,
                         RtBlock **scratch);
size_t rt_slotbytes (const RtTransfer *t);

/* How many bytes of its file it depends on. */
static inline size_t rt_fileextent (const RtTransfer *t) {
  return (t->until > t->off + t->bytes) ? (size_t)(t->until - t->off) :
                                          t->bytes;
}

/* The bytes of its file, as accesses of an operation on 's' name them. */
static inline RtBlock *rt_fileblock (const RtTransfer *t, const RtStream *s) {
  RtBlock *b = &t->file->inode->block;
  b->dev = s->dev;
  b->generation = s->dev->generation;
  return b;
}

/* The operation is being queued, or kept: it gets its numbers. It is sent: the
** threads may begin to read ahead. */
void rt_begintransfer (RtStream *s, const Op *op);
void rt_readahead (RtTransfer *t);

/* It is queued, or 'n' pieces of it: those that threads and stream wait for.
** Not whole: a call of the driver failed, and the words of its lane are not to
** be trusted any more. */
void rt_endtransfer (RtStream *s, RtTransfer *t, int n, bool whole);

/* What went wrong, once the stream has passed it: the first that failed of a
** call's; NULL: none. */
const RtTransfer *rt_failedtransfer (const RtTransfer *t);

/* Lets go of what the threads have done, and of slots that nobody needs:
** one lane is looked at, in turn, or 'all'. */
void rt_reap (Runtime *rt, bool all);

/* Waits for work of a file that was closed, which has descriptors until then:
** RT_BLOCKED; 0: there is none. */
Status rt_awaitclosed (Runtime *rt, const char *what);

static inline bool rt_hasdone (const Runtime *rt) {
  return rt->nslotted > 0 || __atomic_load_n(&rt->nover, __ATOMIC_ACQUIRE) > 0;
}

/* The device was reset, or closes: its lanes go, and the word. */
void rt_forgetlanes (RtDevice *dev);

/* At close: threads do nothing more for it; then all goes that is left. */
void rt_endtransfers (Runtime *rt);
void rt_freetransfers (Runtime *rt);

#endif
