/*
** finish.c - the last wait of a Runtime: for all its work, without Lua.
*/
#include "finish.h"

#include "rt/comm/comm.h"
#include "rt/queue/kept.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* Memory goes back next, so all work has to be done or stopped, although its
** results are lost. Work that waits for other ranks is aborted when it is
** late. */
static void run_dry (RtStream *s) {
  char name[DRIVER_KERNEL];
  RtKept *k;
  RtWaiter w;
  rt_startwaiter(&w, s->dev);
  while (!rt_isover(s, s->seq)) {
    if ((k = rt_nextfunction(s->dev->rt, UINT64_MAX)) != NULL) {
      rt_endfunction(k);
      rt_refresh(&w);
      continue;
    }
    if (w.tired)
      rt_stopkernels(s->dev->rt, 0, name);
    rt_watchcomms(s->dev->rt);
    if (rt_rest(&w) != 0)
      break;
  }
  rt_endwaiter(&w);
}

/* The lua_State may close inside a host function (os.exit), which will not
** return. Work behind it goes on as if it had returned. */
void rt_finish (Runtime *rt) {
  if (rt->running != NULL)
    rt_endfunction(rt->running);
  for (int i = 0; i < rt->nstreams; i++)
    run_dry(rt->streams[i]);
}
