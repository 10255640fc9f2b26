/*
** dispatch_file.c - the driver calls of a transfer between a file and memory:
** copies of its chunks, and waits for the threads. See transfer.c. The
** functions are declared in queue/dispatch.h.
*/
#include "rt/driver/status.h"
#include "rt/memory/block.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "transfer.h"
#include "transfer_types.h"

static CUdeviceptr address (const void *p) { return (CUdeviceptr)(uintptr_t)p; }

/* {== calls =========================================================== */

/* Reports to the threads that the stream has come to that chunk. */
static Status tell (RtStream *s, const RtTransfer *t, uint32_t number) {
  Status st = s->dev->D->cuStreamWriteValue32(s->handle,
                                              address(t->queue->stream), number,
                                              CU_STREAM_WRITE_VALUE_DEFAULT);
  return st ? status_fail(s->dev->rt, st, "cuStreamWriteValue32") : 0;
}

/* Makes the stream wait until the threads have done that chunk. */
static Status await (RtStream *s, const RtTransfer *t, uint32_t number) {
  Status st = s->dev->D->cuStreamWaitValue32(s->handle,
                                             address(t->queue->threads), number,
                                             CU_STREAM_WAIT_VALUE_GEQ);
  return st ? status_fail(s->dev->rt, st, "cuStreamWaitValue32") : 0;
}

static Status copy (RtStream *s, const RtTransfer *t, int i) {
  size_t at = transfer_chunk_begin(t, i), n = transfer_chunk_end(t, i) - at;
  CUdeviceptr memory = t->memory + at, slot = address(transfer_slot(t, at));
  Status st = s->dev->D->cuMemcpyAsync(t->write ? slot : memory,
                                       t->write ? memory : slot, n, s->handle);
  return st ? status_fail(s->dev->rt, st, "cuMemcpyAsync") : 0;
}

/* Queues some work behind a wait for a word, because the null stream neither
** follows the wait itself, nor is followed by it (seen on an H200). */
static Status settle (RtStream *s, const RtTransfer *t) {
  if (s->nonblocking)
    return 0;
  Status st = s->dev->D->cuMemsetD8Async(t->queue->scratch->ptr, 0,
                                         sizeof(uint32_t), s->handle);
  return st ? status_fail(s->dev->rt, st, "cuMemsetD8Async") : 0;
}

/* ==} */

/* {== chunks ========================================================== */

/* Queues a chunk that the threads fill; they get its slot back. *n counts the
** chunks that the stream waits for. */
static Status queue_filled (RtStream *s, const RtTransfer *t, int i, int *n) {
  uint32_t number = t->first + (uint32_t)i;
  Status st = await(s, t, number);
  if (st != 0)
    return st;
  *n = i + 1;
  st = copy(s, t, i);
  return (st == 0) ? tell(s, t, number) : st;
}

/* Queues a chunk that the device fills, once the threads have emptied its slot.
** *begun: the slot is copied to, even if that is not reported to the
** threads. */
static Status queue_emptied (RtStream *s, const RtTransfer *t, int i, int *n,
                             bool *begun) {
  uint32_t number = t->first + (uint32_t)i;
  Status st = 0;
  if (number - t->slots_from >= (uint32_t)t->nslots)
    st = await(s, t, number - (uint32_t)t->nslots);
  if (st == 0)
    st = copy(s, t, i);
  if (st != 0)
    return st;
  *begun = true;
  st = tell(s, t, number);
  if (st == 0)
    *n = i + 1;
  return st;
}

static Status queue_chunks (RtStream *s, const RtTransfer *t, int *n,
                            bool *begun) {
  Status st = 0;
  if (t->after)
    st = tell(s, t, t->first - 1);
  for (int i = 0; i < t->nchunks && st == 0; i++)
    st = t->write ? queue_emptied(s, t, i, n, begun) : queue_filled(s, t, i, n);
  return st;
}

/* Queues a direct transfer: the stream says when, and then waits until all is
** done. */
static Status queue_whole (RtStream *s, const RtTransfer *t, int *n) {
  Status st = tell(s, t, t->first);
  if (st == 0)
    st = await(s, t, t->first);
  if (st == 0)
    *n = 1;
  return st;
}

/* ==} */

void dispatch_begin_file (RtStream *s, const Op *op) { transfer_begin(s, op); }

void dispatch_cancel_file (RtStream *s, const Op *op) {
  transfer_end(s, op->u.file.transfer, 0, false);
}

static Status first_of (Status st, Status next) {
  return (st != 0) ? st : next;
}

/*
** If a call fails half way, what was queued goes through, and the operation
** counts as queued, so that its memory is marked. The caller gets the error
** from 'result'.
*/
Status dispatch_file (RtStream *s, Op *op) {
  RtTransfer *t = op->u.file.transfer;
  int n = 0;
  bool begun = false;
  op->u.file.result = 0;
  if (op->seq == 0) /* else when it was kept */
    transfer_begin(s, op);
  transfer_read_ahead(t);
  Status st = t->direct ? queue_whole(s, t, &n)
                        : queue_chunks(s, t, &n, &begun);
  transfer_end(s, t, n, st == 0);
  if (n == 0 && !begun)
    return st;
  if (n > 0 && t->write && !t->direct)
    st = first_of(st, await(s, t, t->last));
  if (t->write || t->direct)
    st = first_of(st, settle(s, t));
  op->u.file.result = st;
  return 0;
}
