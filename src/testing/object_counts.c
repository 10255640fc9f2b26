/*
** object_counts.c - the functions of tide.T that count the driver's objects and
** calls, and the internals of the library that are alive.
*/
#include "testing.h"

#include "array/array.h"
#include "base/class.h"
#include "device/drain.h"
#include "device/stream.h"
#include "rt/comm/comm.h"
#include "rt/file/transfer.h"
#include "rt/file/transfer_types.h"
#include "rt/memory/block_types.h"
#include "rt/memory/memory.h"
#include "rt/queue/handles.h"
#include "rt/queue/kept.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/stream_types.h"
#include "rt/testing/probe.h"
#include "rt/wait/progress.h"

/* T.live() -> driver objects alive by class, with the pools' idle ones. */
static int t_live (lua_State *L) {
  static const char *const names[LIVE_CLASSES] = {
    NULL,     "contexts", "streams", "events", "pools",     "memory",
    "pinned", "modules",  "graphs",  "execs",  "addresses", "shareables"};
  long live[LIVE_CLASSES];
  probe_live(live);
  lua_newtable(L);
  for (int i = 1; i < LIVE_CLASSES; i++) {
    lua_pushinteger(L, live[i]);
    lua_setfield(L, -2, names[i]);
  }
  return 1;
}

static int count_idle_events (Runtime *rt) {
  int n = 0;
  for (int i = 0; i < rt->ndevices; i++) {
    const RtDevice *dev = &rt->devices[i];
    n += dev->idle[0].n + dev->idle[1].n;
    n += (dev->shared != NULL && dev->shared->filled != NULL);
  }
  for (int i = 0; i < rt->nstreams; i++)
    n += rt->streams[i]->ntails;
  return n;
}

/* Counts the numbers of waits, but for that of the ticket that may be kept. */
static int count_numbers (const RtDeadlines *d) {
  int n = d->most;
  for (int id = d->free; id != 0; id = ~d->list[id].place)
    n--;
  return (n > 0) ? n - 1 : 0;
}

/*
** T.held() -> what users hold: events, streams, graphs, bytes of device and of
** page-locked memory in use, callbacks on their way, open captures, open files,
** transfers of files that may still be waited for, communicators, dropped
** communicators that have not ended, deadlines and numbers of waits. All are
** zero if nothing has leaked; what the library keeps for reuse does not count.
*/
static int t_held (lua_State *L) {
  Runtime *rt = state_rt(L);
  long live[LIVE_CLASSES], own = 0;
  size_t bytes = 0, pinned = 0;
  drain_all(L);
  probe_live(live);
  for (int i = 0; i < rt->ndevices; i++) {
    RtDevice *dev = &rt->devices[i];
    bytes += dev->memory[0].live;
    pinned += dev->memory[1].live;
    own += (dev->mem != NULL) + (dev->fn != NULL);
    own += (dev->shared != NULL) ? handle_count_idle(dev) : 0;
  }
  for (int i = 0; i < rt->nstreams; i++) {
    const RtStream *s = rt->streams[i];
    own += !s->live && s->handle != NULL && s->kind == STREAM_OWNED;
  }
  lua_newtable(L);
  lua_pushinteger(L, live[LIVE_STREAM] - own);
  lua_setfield(L, -2, "streams");
  lua_pushinteger(L, live[LIVE_EVENT] - count_idle_events(rt));
  lua_setfield(L, -2, "events");
  lua_pushinteger(L, live[LIVE_GRAPH] + live[LIVE_EXEC]);
  lua_setfield(L, -2, "graphs");
  lua_pushinteger(L, (lua_Integer)bytes);
  lua_setfield(L, -2, "bytes");
  lua_pushinteger(L, (lua_Integer)pinned);
  lua_setfield(L, -2, "pinned");
  lua_pushinteger(L, rt->ncaptures);
  lua_setfield(L, -2, "captures");
  const RtDeadlines *d = &state_get(L)->deadlines;
  lua_pushinteger(L, d->n);
  lua_setfield(L, -2, "deadlines");
  lua_pushinteger(L, count_numbers(d));
  lua_setfield(L, -2, "waits");
  const RtFiles *all = rt->files;
  lua_pushinteger(L, all != NULL ? all->open.n : 0);
  lua_setfield(L, -2, "files");
  lua_pushinteger(L, all != NULL ? all->transfers.n : 0);
  lua_setfield(L, -2, "transfers");
  lua_pushinteger(L, live[LIVE_SHAREABLE] + live[LIVE_ADDRESSES]);
  lua_setfield(L, -2, "shareables");
  lua_Integer comms = 0;
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM])
    comms += (c->phase < COMM_LEAVING);
  lua_pushinteger(L, comms);
  lua_setfield(L, -2, "communicators");
  lua_pushinteger(L, rt->nparting);
  lua_setfield(L, -2, "leaving");
  state_push_uv(L, UV_CALLBACKS);
  lua_Integer callbacks = state_get(L)->ninflight;
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    callbacks++;
  lua_pop(L, 1);
  lua_pushinteger(L, callbacks);
  lua_setfield(L, -2, "callbacks");
  return 1;
}

/* T.ahead(s) -> the number of file pieces that threads have read and the stream
** has not reached. */
static int t_ahead (lua_State *L) {
  const RtTransferQueue *queue =
    stream_resolve(L, stream_check(L, 1))->queues[0];
  uint32_t n = 0;
  if (queue != NULL)
    n = __atomic_load_n(queue->threads, __ATOMIC_ACQUIRE) -
        __atomic_load_n(queue->stream, __ATOMIC_ACQUIRE);
  lua_pushinteger(L, n <= INT32_MAX ? n : 0);
  return 1;
}

/*
** T.kept() -> what the library still has of this State: codes of kernels that
** are no longer referenced, names, structs of streams, host functions that can
** no longer run, operations that have not been sent.
*/
static int t_kept (lua_State *L) {
  Runtime *rt = state_rt(L);
  lua_Integer functions = 0;
  for (const RtKept *k = rt->unref; k != NULL; k = k->next)
    functions++;
  lua_newtable(L);
  lua_pushinteger(L, functions);
  lua_setfield(L, -2, "functions");
  lua_pushinteger(L, rt->nkept);
  lua_setfield(L, -2, "operations");
  lua_pushinteger(L, rt->dropped[LIFE_CODE].n);
  lua_setfield(L, -2, "codes");
  lua_pushinteger(L, rt->names.n);
  lua_setfield(L, -2, "names");
  lua_pushinteger(L, rt->nstreams);
  lua_setfield(L, -2, "streams");
  return 1;
}

/* T.marks(array) -> how many uses of its block are remembered. */
static int t_marks (lua_State *L) {
  Array *a = lua_touserdata(L, 1);
  luaL_checktype(L, 1, LUA_TUSERDATA);
  lua_pushinteger(L, a->block != NULL ? a->block->marks.n : 0);
  return 1;
}

/* T.due() -> whether streams have host functions that are due, and how many. */
static int t_due (lua_State *L) {
  int n = 0;
  for (RtStream *s = state_rt(L)->keepers; s != NULL; s = s->next_keeper)
    n += (kept_is_function(s->kept) && progress_passed(s, s->sent) == 0);
  lua_pushboolean(L, n > 0);
  lua_pushinteger(L, n);
  return 2;
}

/* T.calls([name]) -> driver calls so far, of one entry or all. */
static int t_calls (lua_State *L) {
  lua_pushinteger(L, probe_calls(luaL_optstring(L, 1, NULL)));
  return 1;
}

static const Function functions[] = {
  {"ahead", t_ahead, ANY}, {"calls", t_calls, ANY}, {"due", t_due, ANY},
  {"held", t_held, ANY},   {"kept", t_kept, ANY},   {"live", t_live, ANY},
  {"marks", t_marks, ANY}, {NULL, NULL, 0},
};

void testing_add_counts (lua_State *L) { class_set_funcs(L, functions); }
