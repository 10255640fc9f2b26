/*
** submit.c - the last step above the wall: queues an operation unless other
** calls have come in between since its call began, and notes its place in the
** program.
*/
#include "submit.h"

#include "base/entry.h"
#include "base/error.h"
#include "index_error.h"
#include "rt/comm/poison.h"
#include "rt/driver/fault.h"
#include "rt/memory/block_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "service.h"

/* {== what is not there =============================================== */

static void refuse (lua_State *L, Runtime *rt, const RtPoison *poison) {
  uint64_t family = poison->family;
  lua_pushstring(L, poison->text);
  comm_note_reported(rt, family);
  error_raise(L, "%s", lua_tostring(L, -1));
}

/* Not inlined, so that the usual case needs no registers. */
__attribute__((noinline)) static void check_poisons (lua_State *L, Runtime *rt,
                                                     const Op *op) {
  const RtPoison *poison = poison_find(op);
  if (poison != NULL)
    refuse(L, rt, poison);
}

void submit_check_reads (lua_State *L, const RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  if (rt->poisons != NULL && s->capture == NULL)
    check_poisons(L, rt, op);
}

void submit_check_bytes (lua_State *L, const RtBlock *b, size_t lo, size_t hi) {
  const RtPoison *poison = poison_in(b, lo, hi);
  if (poison != NULL)
    refuse(L, b->dev->rt, poison);
}

/* ==} */

/*
** Begins the call again if an operand was closed since it was checked: making
** room for a result may have run finalizers.
*/
static void prepare (lua_State *L, State *st, const RtStream *s, const Op *op) {
  entry_check_calls(L, st);
  if (op->kind == OP_COLLECTIVE)
    error_note_outer(L, st->rt); /* comm:group is in Lua */
  else if (fault_needs_line(op))
    error_note_place(L, st->rt);
  for (int i = 0; i < op->naccess; i++)
    if (op->access[i].block == NULL)
      entry_retry(L, st);
  submit_check_reads(L, s, op);
}

/*
** An operation that fails may be queued all the same, if its mark cannot be
** had; then its check looks at it as usual. Host functions run in the wait:
** their effects on the stream do not concern the operation.
*/
void submit_checked (lua_State *L, RtStream *s, Op *op, int check) {
  State *st = state_of_rt(s->dev->rt);
  op->must = entry_committed(st);
  prepare(L, st, s, op);
  if (check != 0)
    index_error_reserve(L, st, s);
  uint64_t seq = s->seq;
  Status status = op_submit(s, op);
  if (check != 0 && (status == 0 || s->seq != seq))
    index_error_set(L, check, s);
  if (status != 0)
    error_fail(L, status);
  entry_note_queued(st);
  if (op->ahead > 0)
    entry_commit(st, op->ahead);
  else if (st->debug_sync)
    service_wait_op(L, s, op);
}

void submit_work (lua_State *L, RtStream *s, Op *op) {
  submit_checked(L, s, op, 0);
}
