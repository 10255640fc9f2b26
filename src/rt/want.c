/*
** want.c - what a call that was RT_BLOCKED lacks: is it there?
*/
#include "want.h"

#include "rt/wait/gate.h"
#include "rt/wait/progress.h"
#include "rt/wait/standing.h"
#include "upload.h"

Status rt_isready (const RtWant *w) {
  switch (w->kind) {
    case WANT_PASSED: return rt_passed(w->s, w->seq);
    case WANT_ROOM:
      return rt_isroomy(w->s, w->seq) ? 0 : CUDA_ERROR_NOT_READY;
    case WANT_STAND: return rt_hasroom(w->dev, w->what);
    case WANT_OPEN: return rt_isopen(w->dev, w->what);
    case WANT_QUIET: return w->dev->rt->shut > 0 ? CUDA_ERROR_NOT_READY : 0;
    case WANT_SLOT: return rt_hasslot(w->dev);
  }
  return 0;
}
