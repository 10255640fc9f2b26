/*
** exchange.c - operations made of sends and receives: send, recv, and group,
** which makes one operation of many; all_to_all, gather and scatter.
**
** A group is a table that records its items (sendrecv.c), which are queued at
** its end. Sends and receives of one group run at the same time, so ranks in a
** ring may all send first. A group belongs to the coroutine that began it:
** others, and host functions that run meanwhile, use the communicator as usual.
** So there may be several groups, in a list that is the communicator's user
** value.
*/
#include "exchange.h"

#include "array/dtype.h"
#include "array/layout.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/list.h"
#include "base/option.h"
#include "base/type.h"
#include "device/current.h"
#include "sendrecv.h"

/* {== send, recv, group =============================================== */

/* Adds the array on the top (popped), of local rank 'at', to the table at
** 'list'. */
static void note_checked (lua_State *L, const Comm *c, int list,
                          CollectiveKind kind, int at, int peer) {
  Array *a = array_test(L, -1);
  if (a == NULL)
    type_error(L, 2, "tide.Array");
  array_check_open(L, 2, a);
  if (a->dev != c->at[at]->dev)
    dist_device_error(L, 2, c, at, a);
  if (kind == COLLECTIVE_RECV)
    layout_check_writable(L, 2, a);
  lua_pushvalue(L, list);
  lua_insert(L, -2);
  sendrecv_add(L, kind, at, peer);
  if (sendrecv_match_index(c, peer) >= 0)
    sendrecv_add_caller(L);
  lua_pop(L, 1);
}

/* Returns the other rank for local rank i: the number at 3, or one of its
** list. */
static int peer_of (lua_State *L, const Comm *c, int i) {
  if (!lua_istable(L, 3))
    return dist_check_rank(L, 3, c, "rank", "a, rank");
  lua_rawgeti(L, 3, i + 1);
  lua_Integer peer = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
  if (peer < 0 || peer >= c->at[0]->size)
    argerror_raise(L, 3, "item %d: a rank from 0 to %d expected, got %s", i + 1,
                   c->at[0]->size - 1, luaL_tolstring(L, -1, NULL));
  lua_pop(L, 1);
  return (int)peer;
}

/* A list has false for local ranks that do not take part. */
static void note_list (lua_State *L, const Comm *c, int list,
                       CollectiveKind kind) {
  if (!lua_istable(L, 2) || lua_rawlen(L, 2) != (lua_Unsigned)c->n)
    argerror_raise(L, 2,
                   "a list of %d expected: an array, or false, for each rank "
                   "of this process",
                   c->n);
  list_check(L, 2, (lua_Unsigned)c->n, "a list of arrays");
  if (lua_istable(L, 3))
    list_check(L, 3, (lua_Unsigned)c->n, "a list of ranks");
  for (int i = 0; i < c->n; i++) {
    lua_rawgeti(L, 2, i + 1);
    if (lua_toboolean(L, -1) && array_test(L, -1) == NULL)
      argerror_raise(L, 2, "item %d: tide.Array or false expected, got %s",
                     i + 1, type_push_name(L, lua_gettop(L)));
    if (lua_toboolean(L, -1))
      note_checked(L, c, list, kind, i, peer_of(L, c, i));
    else
      lua_pop(L, 1);
  }
}

/* Tells whether the field of the group on the top is that address. */
static bool has (lua_State *L, const char *field, const void *address) {
  lua_getfield(L, -1, field);
  bool same = lua_touserdata(L, -1) == address;
  lua_pop(L, 1);
  return same;
}

/* Pushes the open group of this coroutine for the communicator at 'arg'.
** Returns false and pushes nothing if there is none. */
static bool push_group (lua_State *L, const Comm *c, int arg) {
  if (c->ngroups == 0)
    return false;
  lua_getiuservalue(L, arg, 1);
  for (int i = c->ngroups; i >= 1; i--) {
    lua_rawgeti(L, -1, i);
    if (has(L, "coroutine", L) &&
        has(L, "running", c->object.state->rt->running)) {
      lua_remove(L, -2);
      return true;
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return false;
}

bool exchange_is_open (lua_State *L, const Comm *c, int arg) {
  bool open = push_group(L, c, arg);
  lua_pop(L, open ? 1 : 0);
  return open;
}

static int transfer (lua_State *L, const char *name, CollectiveKind kind) {
  Comm *c = dist_check(L, 1, name);
  lua_settop(L, 3);
  const bool grouping = push_group(L, c, 1);
  if (!grouping)
    lua_newtable(L);
  int list = lua_gettop(L);
  if (!grouping && c->n > 1)
    return error_raise(L,
                       "%s: of several ranks of one process a send and its "
                       "receive go into one comm:group",
                       name);
  if (c->n == 1 && !lua_istable(L, 2)) {
    lua_pushvalue(L, 2);
    note_checked(L, c, list, kind, 0, peer_of(L, c, 0));
  } else {
    note_list(L, c, list, kind);
  }
  if (!grouping && lua_rawlen(L, list) > 0) {
    lua_rawgeti(L, list, 1);
    lua_rawgeti(L, -1, ITEM_ARRAY);
    const Array *a = array_test(L, -1);
    sendrecv_check(L, c, list, name);
    sendrecv_submit(L, c, list, name,
                    (NcclCall){.what = name + sizeof "comm:" - 1,
                               .n = a->size,
                               .type = dtype_name((DType)a->dtype),
                               .root = -1},
                    0);
  }
  lua_settop(L, 2);
  return 1;
}

/* comm:send(a, rank) -> a; comm:recv(a, rank) -> a */
static int comm_send (lua_State *L) {
  return transfer(L, "comm:send", COLLECTIVE_SEND);
}

static int comm_recv (lua_State *L) {
  return transfer(L, "comm:recv", COLLECTIVE_RECV);
}

static void set (lua_State *L, const char *field, void *address) {
  lua_pushlightuserdata(L, address);
  lua_setfield(L, -2, field);
}

/* tide's own Lua calls it on behalf of the caller of comm:group(fn). */
int exchange_begin (lua_State *L) {
  argerror_call(state_get(L), "group", 0);
  Comm *c = dist_check(L, 1, "comm:group");
  argerror_call(state_get(L), "group", 1);
  if (lua_isnil(L, 2))
    lua_settop(L, 1);
  type_check_callable(L, 2);
  if (exchange_is_open(L, c, 1))
    return error_raise(L, "comm:group: a group of this communicator is open");
  lua_newtable(L);
  set(L, "coroutine", L);
  set(L, "running", c->object.state->rt->running);
  lua_pushinteger(L, ++c->groups);
  lua_setfield(L, -2, "number");
  if (c->ngroups == 0) {
    lua_newtable(L);
    lua_setiuservalue(L, 1, 1);
  }
  lua_getiuservalue(L, 1, 1);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, c->ngroups + 1);
  c->ngroups++;
  lua_pushinteger(L, c->groups);
  return 1;
}

/* Pushes the list of groups of the communicator at 1, and the group with the
** number at 2; returns its place. If it is not open, returns 0 and pushes
** nil. */
static int push_numbered (lua_State *L, const Comm *c) {
  lua_Integer number = arg_check_integer(L, 2);
  lua_getiuservalue(L, 1, 1);
  for (int i = c->ngroups; i >= 1; i--) {
    lua_rawgeti(L, -1, i);
    lua_getfield(L, -1, "number");
    bool found = (lua_tointeger(L, -1) == number);
    lua_pop(L, 1);
    if (found)
      return i;
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  return 0;
}

/* drop_group(comm, number): closes the group if it is open; also after a
** failure. */
int exchange_drop (lua_State *L) {
  Comm *c = class_check(L, 1, &dist_class);
  int i = push_numbered(L, c);
  if (i == 0)
    return 0;
  lua_pop(L, 1);
  lua_rawgeti(L, -1, c->ngroups);
  lua_rawseti(L, -2, i);
  lua_pushnil(L);
  lua_rawseti(L, -2, c->ngroups);
  c->ngroups--;
  return 0;
}

/* end_group(comm, number): queues its sends and receives. Other calls meanwhile
** are in no group. The group stays until it is dropped, because the call may
** begin again. */
int exchange_end (lua_State *L) {
  static const char name[] = "comm:group";
  argerror_call(state_get(L), "group", 0);
  Comm *c = dist_check(L, 1, name);
  int list = lua_gettop(L) + 2;
  argerror_check(L, push_numbered(L, c) > 0, 2, "group is not open");
  set(L, "coroutine", NULL);
  sendrecv_check(L, c, list, name);
  sendrecv_submit(L, c, list, name,
                  (NcclCall){.what = "group", .type = "", .root = -1}, 0);
  return 0;
}

/* ==} */

/* {== all_to_all, gather, scatter ===================================== */

/* Pushes part 'i' of 'n' of a dense array along its first axis; for an array
** without axes all of it, and with an axis more than 'ndim' item i. */
static void push_part (lua_State *L, Array *a, int i, int n, int ndim,
                       const int64_t *shape) {
  size_t bytes = array_bytes(a) / (size_t)n;
  array_push_view(L, a, ndim, shape, NULL, a->off + bytes * (size_t)i);
}

/* Adds the parts of all ranks, in the order of ranks. */
static void note_parts (lua_State *L, const Comm *c, int list,
                        CollectiveKind kind, int at, Array *whole, int ndim,
                        const int64_t *shape) {
  int size = c->at[0]->size;
  lua_pushvalue(L, list);
  for (int r = 0; r < size; r++) {
    push_part(L, whole, r, size, ndim, shape);
    sendrecv_add(L, kind, at, r);
  }
  lua_pop(L, 1);
}

static void note_array (lua_State *L, int list, CollectiveKind kind, int at,
                        int idx, int peer) {
  lua_pushvalue(L, list);
  lua_pushvalue(L, idx);
  sendrecv_add(L, kind, at, peer);
  lua_pop(L, 1);
}

static NcclCall describe_call (const char *what, const Array *a, int root) {
  return (NcclCall){.what = what,
                    .n = a->size,
                    .type = dtype_name((DType)a->dtype),
                    .root = root,
                    .joint = true};
}

static const char *const out_only[] = {"out", NULL};
static const char of_rooted[] = "a, root [, { out= }]";

/* comm:all_to_all(a [, { out= }]) -> the parts that all ranks have for this
** one, one after the other. */
static int comm_all_to_all (lua_State *L) {
  static const char name[] = "comm:all_to_all";
  Comm *c = dist_check(L, 1, name);
  Operands x, from, out, to;
  int64_t shape[MAX_DIMS];
  lua_settop(L, 3);
  option_check(L, 3, out_only);
  lua_newtable(L);
  dist_push_arrays(L, c, 2, &x);
  int ndim = dist_scatter_shape(L, 2, x.a[0], x.size, shape);
  dist_push_dense(L, &x, &from);
  if (!dist_push_out(L, c, 3, &out))
    dist_push_new(L, c, &out, (DType)x.a[0]->dtype, x.a[0]->ndim,
                  x.a[0]->shape);
  dist_check_out(L, 3, &out, (DType)x.a[0]->dtype, x.a[0]->ndim, x.a[0]->shape);
  out.list = x.list;
  dist_push_separate(L, &out, &from, &to);
  for (int i = 0; i < c->n && x.a[0]->size > 0; i++) {
    note_parts(L, c, 4, COLLECTIVE_SEND, i, from.a[i], ndim, shape);
    note_parts(L, c, 4, COLLECTIVE_RECV, i, to.a[i], ndim, shape);
  }
  sendrecv_submit(L, c, 4, name, describe_call("all_to_all", x.a[0], -1),
                  dist_count_copies(&out, &to));
  dist_copy_back(L, &out, &to);
  return dist_return(L, c, &out);
}

/* Pushes the option 'out' at 4, one array on the device of local rank i, or a
** new array. */
static Array *push_out (lua_State *L, const Comm *c, int i, const Array *like,
                        int ndim, const int64_t *shape) {
  RtDevice *dev = c->at[i]->dev;
  Operands one = {.n = 1};
  if (lua_istable(L, 4) && option_get(L, 4, "out") != LUA_TNIL) {
    one.a[0] = array_test(L, -1);
    argerror_check(
      L, one.a[0] != NULL && !one.a[0]->closed && one.a[0]->dev == dev, 4,
      "option 'out' must be an open tide.Array on the rank's device");
    dist_check_out(L, 4, &one, (DType)like->dtype, ndim, shape);
    layout_check_writable(L, 4, one.a[0]);
    return one.a[0];
  }
  return array_new(L, dev, (DType)like->dtype, ndim, shape,
                   current_get_stream(L, dev));
}

/* comm:gather(a, root [, { out= }]) -> at 'root' the arrays of all ranks, one
** after the other along the first axis; nil at other ranks. */
static int comm_gather (lua_State *L) {
  static const char name[] = "comm:gather";
  Comm *c = dist_check(L, 1, name);
  Operands x, from;
  Array *out = NULL, *to = NULL;
  int64_t shape[MAX_DIMS];
  int result = 0;
  lua_settop(L, 4);
  int root = dist_check_rank(L, 3, c, "root", of_rooted);
  int at = sendrecv_local_index(c, root);
  option_check(L, 4, out_only);
  lua_newtable(L);
  dist_push_arrays(L, c, 2, &x);
  dist_push_dense(L, &x, &from);
  int ndim = dist_gather_shape(x.a[0], x.size, shape);
  for (int i = 0; i < c->n && x.a[0]->size > 0; i++)
    note_array(L, 5, COLLECTIVE_SEND, i, from.at + i, root);
  if (at >= 0) {
    out = to = push_out(L, c, at, x.a[0], ndim, shape);
    result = lua_gettop(L);
    if (!out->dense || layout_overlaps(out, from.a[at]))
      to = array_new(L, out->dev, (DType)out->dtype, ndim, shape,
                     current_get_stream(L, out->dev));
    if (out->size > 0)
      note_parts(L, c, 5, COLLECTIVE_RECV, at, to, x.a[0]->ndim, x.a[0]->shape);
  }
  sendrecv_submit(L, c, 5, name, describe_call("gather", x.a[0], root),
                  out != to);
  if (out != to)
    array_copyto(L, current_get_stream(L, out->dev), out, to);
  if (at >= 0)
    lua_pushvalue(L, result);
  else
    lua_pushnil(L);
  return 1;
}

/* Pushes the results of scatter at ranks of this process: the option 'out', or
** new arrays if the array of 'root' gives their shape. */
static void push_scattered (lua_State *L, const Comm *c, const Array *whole,
                            int ndim, const int64_t *shape, Operands *out) {
  if (dist_push_out(L, c, 4, out)) {
    if (whole != NULL)
      dist_check_out(L, 4, out, (DType)whole->dtype, ndim, shape);
    return;
  }
  argerror_check(L, whole != NULL, 4,
                 "option 'out' expected: only the root knows what there is");
  dist_push_new(L, c, out, (DType)whole->dtype, ndim, shape);
  out->list = (c->n > 1);
}

/* comm:scatter(a, root [, { out= }]) -> this rank's part, along the first axis,
** of the array at 'root'. At other ranks 'a' may be nil, and 'out' gives the
** shape. */
static int comm_scatter (lua_State *L) {
  static const char name[] = "comm:scatter";
  Comm *c = dist_check(L, 1, name);
  Operands out, to, from = {.n = c->n};
  Array *whole = NULL;
  int64_t shape[MAX_DIMS];
  int ndim = 0;
  lua_settop(L, 4);
  int root = dist_check_rank(L, 3, c, "root", of_rooted);
  int at = sendrecv_local_index(c, root);
  option_check(L, 4, out_only);
  lua_newtable(L);
  if (at >= 0) {
    whole = array_check(L, 2);
    if (whole->dev != c->at[at]->dev)
      dist_device_error(L, 2, c, at, whole);
    ndim = dist_scatter_shape(L, 2, whole, c->at[0]->size, shape);
    from.a[at] = whole = array_push_dense(L, 2);
    if (whole->size > 0)
      note_parts(L, c, 5, COLLECTIVE_SEND, at, whole, ndim, shape);
  }
  push_scattered(L, c, whole, ndim, shape, &out);
  dist_push_separate(L, &out, &from, &to);
  for (int i = 0; i < c->n && out.a[0]->size > 0; i++)
    note_array(L, 5, COLLECTIVE_RECV, i, to.at + i, root);
  sendrecv_submit(L, c, 5, name, describe_call("scatter", out.a[0], root),
                  dist_count_copies(&out, &to));
  dist_copy_back(L, &out, &to);
  return dist_return(L, c, &out);
}

/* ==} */

const Function dist_exchanges[] = {
  {"all_to_all", comm_all_to_all, 3},
  {"gather", comm_gather, 4},
  {"recv", comm_recv, 3},
  {"scatter", comm_scatter, 4},
  {"send", comm_send, 3},
  {NULL, NULL, 0},
};
