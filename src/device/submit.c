/*
** submit.c - the last step above the wall: queues an operation unless other
** calls have come in between since its call began, and notes its place in the
** program.
*/
#include "submit.h"

#include "base/door.h"
#include "base/error.h"
#include "index_error.h"
#include "rt/comm/losses.h"
#include "rt/driver/fault_trace.h"
#include "rt/submit.h"
#include "service.h"

/* {== what is not there =============================================== */

static void refuse (lua_State *L, Runtime *rt, const RtLoss *loss) {
  uint64_t family = loss->family;
  lua_pushstring(L, loss->text);
  rt_notetold(rt, family);
  tide_raise(L, "%s", lua_tostring(L, -1));
}

void tide_checkreads (lua_State *L, const RtStream *s, const Op *op) {
  Runtime *rt = s->dev->rt;
  const RtLoss *loss = NULL;
  if (rt->losses != NULL && s->capture == NULL)
    loss = rt_findloss(op);
  if (loss != NULL)
    refuse(L, rt, loss);
}

void tide_checkbytes (lua_State *L, const RtBlock *b, size_t lo, size_t hi) {
  const RtLoss *loss = rt_lossin(b, lo, hi);
  if (loss != NULL)
    refuse(L, b->dev->rt, loss);
}

/* ==} */

/*
** Begins the call again if an operand was closed since it was checked: making
** room for a result may have run finalizers.
*/
static void prepare (lua_State *L, State *st, const RtStream *s, const Op *op) {
  tide_checkcalm(L, st);
  if (op->kind == OP_COLLECTIVE)
    tide_noteoutside(L, st->rt); /* comm:group is in Lua */
  else if (rt_wantsplace(op))
    tide_noteplace(L, st->rt);
  for (int i = 0; i < op->naccess; i++)
    if (op->access[i].block == NULL)
      tide_again(L, st);
  tide_checkreads(L, s, op);
}

/*
** An operation that fails may be queued all the same, if its mark cannot be
** had; then its check looks at it as usual. Host functions run in the wait:
** their effects on the stream do not concern the operation.
*/
void tide_submitchecked (lua_State *L, RtStream *s, Op *op, int check) {
  State *st = tide_owner(s->dev->rt);
  op->must = tide_isbound(st);
  prepare(L, st, s, op);
  if (check != 0)
    tide_reservecheck(L, st);
  uint64_t seq = s->seq;
  Status status = rt_submit(s, op);
  if (check != 0 && (status == 0 || s->seq != seq))
    tide_setcheck(L, check, s);
  if (status != 0)
    tide_fail(L, status);
  tide_notequeued(st);
  if (op->ahead > 0)
    tide_bind(st, op->ahead);
  else if (st->debug_sync)
    tide_waitoperation(L, s, op);
}

void tide_submit (lua_State *L, RtStream *s, Op *op) {
  tide_submitchecked(L, s, op, 0);
}
