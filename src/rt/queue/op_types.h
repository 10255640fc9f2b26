/* op_types.h - an operation and its accesses. */
#ifndef TIDE_RT_QUEUE_OP_TYPES_H
#define TIDE_RT_QUEUE_OP_TYPES_H

#include "rt/driver/op_kinds.h"
#include "rt/rt.h"

/* A use of a range of a block by an operation. */
struct Access {
  RtBlock *block;
  size_t off, len;
  bool write; /* counts as a read as well, for ordering */
  bool blind; /* does not read what was there before, and as a write leaves
                  nothing of it: poison.c */
};

enum {
  OP_ACCESSES = 7
}; /* room inside an Op; graphs have lists of their
                              own */

/* Queues work of the host program on a driver stream. Returns 0 or an error;
** after an error the work that it queued still counts. */
typedef int RtWork (void *stream, void *ud);

/* The transforms that a plan of cuFFT does. */
typedef struct FftKey {
  size_t n, batches; /* length of a line, number of lines */
  size_t inner;      /* from an element to the next; if it is not 1, lines are
                        side by side */
  int kind;          /* of rt/kernels/fft.h */
  bool wide;         /* of doubles */
} FftKey;

/* A Fourier transform by cuFFT. No other operation uses 'work' meanwhile. */
typedef struct RtFft {
  FftKey key;
  CUdeviceptr out, in, work;
  size_t bytes; /* of 'work' */
} RtFft;

/* One operation to queue: filled on the C stack, handed to op_submit. */
struct Op {
  OpKind kind;
  const char *name;     /* for graphs, errors and traces: a static string,
                              or the name of 'code' */
  const Access *access; /* 'own', or a list that outlives the call */
  int naccess;
  bool foreign; /* runs code that tide did not write */
  bool opaque;  /* may use more than 'access' says */
  bool early;   /* of a launch: the kernel begins with a wait for
                              what comes before it */
  int ahead;    /* how many more operations must follow this one */
  int part;     /* of OP_GRAPH: which part of the graph */
  bool must;    /* it must follow an earlier operation of its call */
  uint64_t seq; /* its number if it was kept; 0: the next */
  const struct RtGemm *gemm; /* of a launch: what cuBLAS may compute instead */
  const struct RtSolver *solver; /* ... what cuSOLVER computes: no kernel */
  RtCode *code;                  /* of a launch; NULL: a built-in kernel */
  Access own[OP_ACCESSES];
  union {
    struct {
      CUfunction fn;
      unsigned grid[3], block[3];
      unsigned shared; /* bytes of dynamic shared memory */
      void **params;
    } launch;
    struct {
      CUdeviceptr dst, src;
      size_t bytes;
    } copy;
    struct {
      CUdeviceptr dst;
      size_t bytes;
    } zero;
    RtFft fft;             /* OP_FFT */
    struct RtEvent *event; /* OP_RECORD */
    struct {               /* OP_WAIT */
      struct RtEvent *event;
      uint64_t at;     /* a recording of its timeline; 0: none of it */
      int64_t *broken; /* see timeline_wait */
    } wait;            /* event NULL: see op_wait_stream */
    struct {
      int ref;
    } hostfn;              /* key of the Lua function */
    struct RtGraph *graph; /* OP_GRAPH, OP_UPLOAD */
    uint32_t *hold;        /* OP_HOLD: tests block a stream */
    struct {               /* OP_FILE */
      struct RtTransfer *transfer;
      Status result; /* the error half way, or 0 */
    } file;
    struct OpCall {
      RtWork *fn;
      void *ud;
      int result;
    } call;
    struct {                             /* OP_COLLECTIVE */
      const struct RtTogether *together; /* NULL: an operation for order
                                             only */
      struct RtComm *comm;               /* this rank, if another one submits */
      const Access *all;                 /* of all ranks of this process */
      int nall;                          /* their number */
    } collective;
  } u;
};

#endif
