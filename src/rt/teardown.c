/*
** teardown.c - the last wait of a Runtime: for all its work, without Lua.
*/
#include "teardown.h"

#include "extensions.h"
#include "rt/memory/export.h"
#include "rt/queue/kept.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/progress.h"
#include "rt/wait/wait.h"

/* Tells whether others may read the results: files, ranks, other processes,
** who holds an export. */
static bool is_read_later (const Runtime *rt) {
  return extension_has_work(rt) || rt->held[LIFE_SHAREABLE].n > 0 ||
         export_any(rt);
}

/* Memory goes back next, so all work has to be done, or stopped if its results
** are lost. Work that waits for other ranks is aborted when it is late. */
static void run_dry (RtStream *s) {
  char name[DRIVER_KERNEL];
  RtKept *k;
  RtWaiter w;
  wait_start(&w, s->dev);
  while (!progress_is_over(s, s->seq)) {
    if ((k = kept_next_function(s->dev->rt, UINT64_MAX)) != NULL) {
      kept_end_function(k);
      wait_respin(&w);
      continue;
    }
    if (w.tired && !is_read_later(s->dev->rt))
      wait_stop_kernels(s->dev->rt, 0, name);
    extension_watch(s->dev->rt);
    if (wait_rest(&w) != 0)
      break;
  }
  wait_end(&w);
}

/* The lua_State may close inside a host function (os.exit), which will not
** return. Work behind it goes on as if it had returned. */
void teardown_finish (Runtime *rt) {
  if (rt->running != NULL)
    kept_end_function(rt->running);
  for (int i = 0; i < rt->nstreams; i++)
    run_dry(rt->streams[i]);
}
