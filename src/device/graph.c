/*
** graph.c - the Graph type, and how a Stream captures one. User value 1 of a
** Graph is the table of its Lua functions by key; while a launch is in flight
** the State holds that table too, so a graph may be dropped at any time. User
** value 2 is the check of its launches (index_error.c), or nil.
*/
#include "graph.h"

#include <stdio.h>

#include "await.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "device.h"
#include "drain.h"
#include "hostfunc.h"
#include "index_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/graph/capture.h"
#include "rt/graph/capture_types.h"
#include "rt/graph/graph_exec.h"
#include "rt/graph/graph_types.h"
#include "rt/graph/nodes.h"
#include "rt/queue/kept_types.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "scheduler.h"
#include "stream.h"
#include "submit.h"

static bool is_stale (const Graph *g) { return life_is_stale(&g->rg->life); }

Graph *graph_check (lua_State *L, int arg) {
  Graph *g = class_check(L, arg, &graph_class);
  argerror_check(L, g->rg != NULL, arg, "graph is closed");
  argerror_check(L, !is_stale(g), arg, "device was reset");
  return g;
}

/* {== capture ========================================================= */

enum { CAPTURES_MANY = 16 };

/*
** A capture that is never ended stays open until its stream is collected, and
** while a capture is open nothing is freed. So where many are open this
** collects garbage; if they are in use, at twice as many the next time.
*/
static void end_abandoned (lua_State *L, const Runtime *rt) {
  State *st = state_get(L);
  if (rt->ncaptures < CAPTURES_MANY || rt->ncaptures < st->captures_most ||
      st->pressure.left || lua_gc(L, LUA_GCISRUNNING) <= 0)
    return;
  lua_gc(L, LUA_GCCOLLECT);
  drain_all(L);
  st->captures_most = 2 * rt->ncaptures;
}

/* s:begin_capture([mode]) -> s; mode "relaxed", "thread_local", "global". */
int graph_begin_capture (lua_State *L) {
  static const char *const names[] = {"relaxed", "thread_local", "global",
                                      NULL};
  static const CUstreamCaptureMode modes[] = {
    CU_STREAM_CAPTURE_MODE_RELAXED, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    CU_STREAM_CAPTURE_MODE_GLOBAL};
  end_abandoned(L, state_rt(L));
  Stream *s = stream_check(L, 1);
  int mode = option_choice(L, 2, 0, names);
  RtStream *rs = stream_resolve(L, s);
  drain_dropped(L);
  index_error_forget_captures(L, rs->dev->rt);
  error_note_outer(L, rs->dev->rt);
  error_check(L, capture_begin(rs, modes[mode], "stream:begin_capture"));
  lua_settop(L, 1);
  return 1;
}

/* Moves the captured functions from the State's table to the one at 'to'. */
static void adopt_functions (lua_State *L, RtBody *body, int to) {
  state_push_uv(L, UV_CALLBACKS);
  for (int i = 0; i < body->nparts; i++) {
    const RtKept *function = body->parts[i].function;
    if (function == NULL)
      continue;
    int ref = function->op.u.hostfn.ref;
    lua_rawgeti(L, -1, ref);
    lua_rawseti(L, to, ref); /* in place: the table was sized for it */
    lua_pushnil(L);
    lua_rawseti(L, -2, ref);
  }
  lua_pop(L, 1);
  body->owned = true;
}

/* s:end_capture() -> Graph. */
int graph_end_capture (lua_State *L) {
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  Graph *g = class_new_object(L, sizeof *g, &graph_class, 2);
  int idx = lua_gettop(L);
  lua_createtable(L, 0, capture_count_functions(rs));
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, idx, 1);
  uint64_t id = index_error_push_graph(L, rs);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, idx, 2);
  error_check(L, capture_end(rs, &g->rg, "stream:end_capture"));
  index_error_adopt(L, id);
  adopt_functions(L, g->rg->body, idx + 1);
  lua_settop(L, idx);
  drain_dropped(L);
  return 1;
}

static int stream_is_capturing (lua_State *L) {
  bool capturing;
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  error_check(L, capture_is_active(rs, &capturing));
  lua_pushboolean(L, capturing);
  return 1;
}

/* is_free(stream) -> whether a task may use it: it is open, does not capture,
** and has no error of the task before, nor work that may still have one. */
static int core_is_free (lua_State *L) {
  const Stream *s = class_check(L, 1, &stream_class);
  const RtStream *rs = s->rs;
  if (rs != NULL && rs->errors > 0)
    index_error_settle(L);
  lua_pushboolean(L, !s->closed && rs != NULL && rs->capture == NULL &&
                       rs->errors == 0 && rs->kept == NULL &&
                       !life_is_stale(&rs->life));
  return 1;
}

/* abandon(stream) -> whether a capture had begun on it, which is discarded. */
static int core_abandon (lua_State *L) {
  const Stream *s = class_check(L, 1, &stream_class);
  RtStream *rs = s->rs;
  bool began = (rs != NULL && rs->capture != NULL && rs->capture->origin == rs);
  if (began)
    capture_abandon(rs);
  lua_pushboolean(L, began);
  return 1;
}

static const Function scheduler[] = {
  {"abandon", core_abandon, 1},
  {"is_free", core_is_free, 1},
  {NULL, NULL, 0},
};

static const Function stream_methods[] = {
  {"begin_capture", graph_begin_capture, 2},
  {"end_capture", graph_end_capture, 1},
  {"is_capturing", stream_is_capturing, 1},
  {NULL, NULL, 0},
};

/* ==} */

/* {== life ============================================================ */

/* Shared by __gc and __close: launches in flight complete. */
static int graph__gc (lua_State *L) {
  State *st = state_get(L);
  Graph *g = class_check_gc(L, &graph_class, NULL);
  RtGraph *rg = g->rg;
  g->rg = NULL;
  if (rg != NULL && st->rt != NULL)
    graph_exec_drop(rg);
  for (int i = 1; i <= 2; i++) {
    lua_pushnil(L);
    lua_setiuservalue(L, 1, i);
  }
  return 0;
}

/* g:close() */
static int graph_close (lua_State *L) {
  Graph *g = class_check(L, 1, &graph_class);
  argerror_check(L, g->rg != NULL, 1, "graph is closed");
  graph__gc(L);
  drain_dropped(L);
  return 0;
}

static int graph__tostring (lua_State *L) {
  Graph *g = class_check(L, 1, &graph_class);
  char name[DEVICE_NAME];
  if (g->rg == NULL)
    return lua_pushliteral(L, "tide.Graph (closed)"), 1;
  if (is_stale(g))
    return lua_pushliteral(L, "tide.Graph (device was reset)"), 1;
  int n = g->rg->body->nnodes;
  lua_pushfstring(L, "tide.Graph (%d node%s, %s)", n, n == 1 ? "" : "s",
                  device_write_name(g->rg->dev, name));
  return 1;
}

/* ==} */

/* Makes the State hold the functions of a body until its launches have
** passed. */
static void anchor (lua_State *L, Graph *g) {
  State *st = state_get(L);
  RtBody *body = g->rg->body;
  if (body->nfunctions == 0)
    return;
  state_push_uv(L, UV_INFLIGHT);
  lua_getiuservalue(L, 1, 1);
  lua_rawsetp(L, -2, body);
  if (!body->anchored)
    st->ninflight++;
  body->anchored = true;
  lua_pop(L, 1);
}

static RtStream *stream_for (lua_State *L, Graph *g) {
  RtStream *rs = stream_opt(L, 2, g->rg->dev);
  char a[DEVICE_NAME], b[DEVICE_NAME];
  if (rs->dev != g->rg->dev)
    error_raise(L, "the graph belongs to device %s, the stream to device %s",
                device_write_name(g->rg->dev, a),
                device_write_name(rs->dev, b));
  return rs;
}

/*
** g:launch([stream]) -> g: on the current stream of its device by default.
** Comes after all earlier uses of its arrays, on any stream.
*/
static int graph_launch (lua_State *L) {
  Graph *g = graph_check(L, 1);
  RtStream *rs = stream_for(L, g);
  drain_dropped(L);
  if (lua_getiuservalue(L, 1, 2) != LUA_TNIL)
    index_error_settle_some(L);
  anchor(L, g);
  graph_check(L, 1); /* a finalizer may just have closed it */
  Op op;
  op_start(&op, OP_GRAPH, "graph:launch");
  op.part = 0;
  op.access = g->rg->body->access;
  op.naccess = g->rg->body->naccess;
  op.u.graph = g->rg;
  bool checked = (lua_getiuservalue(L, 1, 2) != LUA_TNIL);
  submit_checked(L, rs, &op, checked ? lua_gettop(L) : 0);
  lua_settop(L, 1);
  return 1;
}

/* g:await([seconds]) -> true, once its latest launch has passed; or nil and
** "timeout". */
static int graph_await (lua_State *L) {
  const Graph *g = graph_check(L, 1);
  const RtBody *body = g->rg->body;
  Awaited w = {.dev = body->dev, .what = "graph:await", .point = g->rg->last};
  return await_all(L, &w);
}

/* g:upload([stream]) -> g: copies it to the device ahead of its launch. */
static int graph_upload (lua_State *L) {
  Graph *g = graph_check(L, 1);
  RtStream *rs = stream_for(L, g);
  graph_check(L, 1);
  Op op;
  op_start(&op, OP_UPLOAD, "graph:upload");
  op.u.graph = g->rg;
  submit_work(L, rs, &op);
  lua_settop(L, 1);
  return 1;
}

/*
** g:update(other) -> true, and g does what other does from now on; or false and
** the reason, and g is unchanged.
*/
static int graph_update (lua_State *L) {
  const char *reason = NULL;
  Graph *g = graph_check(L, 1), *other = graph_check(L, 2);
  argerror_check(L, g->rg->dev == other->rg->dev, 2,
                 "graph belongs to another device");
  Status st = graph_exec_update(g->rg, other->rg, "graph:update", &reason);
  if (st == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) {
    lua_pushboolean(L, 0);
    lua_pushstring(L, reason);
    return 2;
  }
  error_check(L, st);
  for (int i = 1; i <= 2; i++) {
    lua_getiuservalue(L, 2, i);
    lua_setiuservalue(L, 1, i);
  }
  lua_pushboolean(L, 1);
  return 1;
}

/* Adds text to a string in quotes, as Graphviz reads them. */
static void add_quoted (luaL_Buffer *b, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\' || *text == '\n')
      luaL_addchar(b, '\\');
    luaL_addchar(b, *text == '\n' ? 'n' : *text);
  }
}

/* Adds node 'i' and its edges. */
static void add_node (luaL_Buffer *b, const RtBody *body, int i, bool verbose) {
  char text[64];
  const GraphNode *node = &body->nodes[i];
  bool more = verbose && node->detail[0] != '\0';
  snprintf(text, sizeof text, "  n%d [label=\"", i + 1);
  luaL_addstring(b, text);
  add_quoted(b, node->name);
  if (more) {
    luaL_addstring(b, "\\n");
    add_quoted(b, node->detail);
  }
  luaL_addstring(b, "\"];\n");
  for (int k = 0; k < node->nafter; k++) {
    snprintf(text, sizeof text, "  n%d -> n%d;\n",
             body->edges[node->after + k] + 1, i + 1);
    luaL_addstring(b, text);
  }
}

/* g:debug_dot{ verbose= } -> DOT text with the names of the kernels. */
static int graph_debug_dot (lua_State *L) {
  static const char *const names[] = {"verbose", NULL};
  luaL_Buffer b;
  Graph *g = graph_check(L, 1);
  option_check(L, 2, names);
  bool verbose = option_flag(L, 2, "verbose", false);
  const RtBody *body = g->rg->body;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "digraph tide {\n  node [shape=box];\n");
  for (int i = 0; i < body->nnodes; i++)
    add_node(&b, body, i, verbose);
  luaL_addstring(&b, "}\n");
  luaL_pushresult(&b);
  return 1;
}

static int graph_device (lua_State *L) {
  device_push(L, graph_check(L, 1)->rg->dev);
  return 1;
}

static const Function methods[] = {
  {"close", graph_close, 1},
  {"debug_dot", graph_debug_dot, 2},
  {"await", graph_await, 2},
  {"launch", graph_launch, 2},
  {"update", graph_update, 2},
  {"upload", graph_upload, 2},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"device", graph_device, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__gc", graph__gc, 1},
  {"__close", graph__gc, 2},
  {"__tostring", graph__tostring, 1},
  {NULL, NULL, 0},
};

const Class graph_class = {
  .name = "tide.Graph",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

void open_graph (lua_State *L) {
  class_define(L, &graph_class);
  class_add_methods(L, &stream_class, stream_methods);
  scheduler_add(L, scheduler);
}
