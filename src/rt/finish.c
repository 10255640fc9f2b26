/*
** finish.c - the last wait of a Runtime: for all of its work, without Lua.
*/
#include "finish.h"

#include "rt/comm/comm.h"
#include "rt/wait/gate.h"
#include "rt/wait/inbox.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* Memory goes back next, so all work has to be done, or stopped: nobody will
** see what it makes. What other ranks do not come to ends when it is late. */
static void run_dry (RtStream *s) {
  char name[DRIVER_KERNEL];
  RtHostNode *node;
  RtWaiter w;
  rt_startwaiter(&w, s->dev);
  while (!rt_isover(s, s->seq)) {
    if ((node = rt_takeposted(s->dev->rt->inbox)) != NULL) {
      rt_endfunction(node);
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
** return: its gate opens as if it had. */
void rt_finish (Runtime *rt) {
  if (rt->running != NULL)
    rt_endfunction(rt->running);
  for (int i = 0; i < rt->nstreams; i++)
    run_dry(rt->streams[i]);
}
