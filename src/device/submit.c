/*
** submit.c - the last step above the wall: an operation is queued if nobody has
** come in between since its call began, and its place in the program is noted.
*/
#include "submit.h"

#include "base/door.h"
#include "base/error.h"
#include "rt/driver/fault_trace.h"
#include "rt/submit.h"
#include "service.h"

/*
** Making room for a result may have run finalizers, and they may have closed an
** operand that was open when it was checked.
*/
void tide_submit (lua_State *L, RtStream *s, Op *op) {
  State *st = tide_owner(s->dev->rt);
  tide_checkcalm(L, st);
  if (rt_wantsplace(op))
    tide_noteplace(L, st->rt);
  for (int i = 0; i < op->naccess; i++)
    if (op->access[i].block == NULL)
      tide_again(L, st);
  Status status = rt_submit(s, op);
  if (status != 0)
    tide_fail(L, status);
  if (op->ahead > 0)
    tide_bind(st, op->ahead);
  else if (st->rt->debug_sync)
    tide_waitoperation(L, s, op);
}
