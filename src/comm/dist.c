/*
** dist.c - the Communicator type: ranks that meet, split and part.
**
** This is one half of tide.dist. The other half, lua/tide/dist.lua, knows
** launchers and their environments. It finds these functions in the module
** tide.communicators.
*/
#include "dist.h"

#include <stdlib.h>
#include <string.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/blocking.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/field.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/listing.h"
#include "base/type.h"
#include "device/current.h"
#include "device/device.h"
#include "device/drain.h"
#include "device/host_error.h"
#include "device/hostfunc.h"
#include "device/service.h"
#include "exchange.h"
#include "include/tide.h"
#include "openers.h"
#include "rt/driver/status.h"
#include "rt/os/clock.h"
#include "rt/queue/stream_types.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/wait.h"

/* {== checks ========================================================== */

static Comm *check_open (lua_State *L, int arg) {
  Comm *c = class_check(L, arg, &dist_class);
  argerror_check(L, !c->closed, arg, "communicator is closed");
  return c;
}

Comm *dist_check (lua_State *L, int arg, const char *what) {
  Comm *c = check_open(L, arg);
  for (int i = 0; i < c->n; i++) {
    RtComm *rank = c->at[i];
    if (life_is_stale(&rank->life))
      error_raise(L, "%s: device was reset", what);
    if (comm_check_open(rank) != 0)
      error_raise(L, "%s: %s", what, rank->dev->rt->detail);
  }
  if (c->ngroups > 0 && strcmp(what, "comm:send") != 0 &&
      strcmp(what, "comm:recv") != 0 && strcmp(what, "comm:group") != 0 &&
      exchange_is_open(L, c, arg))
    error_raise(L, "%s: in comm:group there are only sends and receives", what);
  return c;
}

void dist_recheck (lua_State *L, const Comm *c) {
  bool open = !c->closed;
  for (int i = 0; i < c->n && open; i++)
    open = (c->at[i]->phase == COMM_OPEN);
  if (!open)
    entry_retry(L, c->object.state);
}

/* ==} */

/* {== meeting ========================================================= */

enum { RANKS_MANY = 32 };

typedef struct Meeting {
  const Comm *c;
  int64_t since;
} Meeting;

/* Other calls may close the communicator meanwhile. */
static Status has_met (void *ud) {
  const Meeting *m = ud;
  const Comm *c = m->c;
  return c->closed ? status_explain(c->object.state->rt, RT_MISUSE, NULL,
                                    "communicator was closed meanwhile")
                   : comm_has_met(c->at, c->n, m->since);
}

/* Waits until all ranks have come. */
static void meet (lua_State *L, Comm *c, int64_t since) {
  Meeting m = {c, since};
  RtDevice *dev = c->at[0]->dev;
  State *st = state_get(L);
  error_check(L, service_announce(L, dev->rt, "tide.dist"));
  error_check(L, service_wait_quiet(L, dev, has_met, &m, blocking_serves(L, st),
                                    NULL));
  host_error_count(st);
}

static Comm *new_comm (lua_State *L, int n, int local_rank) {
  Comm *c = class_new_object(L, sizeof *c + (size_t)n * sizeof(RtComm *),
                             &dist_class, 1);
  c->local_rank = local_rank;
  return c;
}

/* Reads the devices of the list at 'arg'. Returns how many. */
static int check_devices (lua_State *L, int arg, RtDevice *list[COMM_LOCAL]) {
  char name[DEVICE_NAME], first[DEVICE_NAME];
  type_check(L, arg, LUA_TTABLE);
  int n = (int)lua_rawlen(L, arg);
  argerror_call(state_get(L), "comm", 1);
  if (n < 1 || n > COMM_LOCAL)
    argerror_raise(L, arg, "1 to %d devices expected, got %d", COMM_LOCAL, n);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, arg, i + 1);
    list[i] = device_check(L, lua_gettop(L));
    device_write_name(list[i], name);
    if (list[i]->D != list[0]->D)
      argerror_raise(L, arg, "devices of one kind expected, got %s and %s",
                     device_write_name(list[0], first), name);
    for (int k = 0; k < i; k++)
      if (list[k] == list[i])
        argerror_raise(L, arg,
                       "item %d is %s, as item %d: each rank has a device of "
                       "its own",
                       i + 1, name, k + 1);
    lua_pop(L, 1);
  }
  argerror_object(state_get(L), NULL);
  return n;
}

/* Waits until no rank on the device waits for others, because the library must
** not make new ranks there before. No Lua may run between this and that
** call. */
static void check_idle (lua_State *L, RtDevice *dev, const char *what) {
  blocking_check(L, dev, what);
  Status st = device_lock_is_open(dev);
  if (st == CUDA_ERROR_NOT_READY)
    st = wait_block(dev, WAIT_OPEN, NULL, 0, what);
  error_check(L, st);
}

/* Returns the number of ranks that are held, by the program or by garbage. */
static int count_ranks (const Runtime *rt) {
  int n = -rt->nparting;
  LIST_EACH (const RtComm, c, &rt->held[LIFE_COMM])
    n++;
  return n;
}

/*
** Collects garbage if there are many ranks. A rank has descriptors, whose
** number is limited, and much memory of a GPU, and Lua's collector sees
** neither. If the ranks are in use, the next time is at twice as many.
*/
static void end_dropped (lua_State *L) {
  State *st = state_get(L);
  int n = count_ranks(st->rt);
  if (n < RANKS_MANY || n < st->ranks_most || st->pressure.left ||
      lua_gc(L, LUA_GCISRUNNING) <= 0)
    return;
  lua_gc(L, LUA_GCCOLLECT);
  drain_all(L);
  st->ranks_most = 2 * count_ranks(st->rt);
}

static int check_count (lua_State *L, int arg, int least, int most) {
  lua_Integer i = arg_check_integer(L, arg);
  if (i < least || i > most)
    argerror_raise(L, arg, "%d to %d expected", least, most);
  return (int)i;
}

/*
** meet(devices, rank, size, id, seconds, local_rank) -> Communicator with ranks
** 'rank' and following, one for each device. 'id' is from new_id, the same for
** all ranks. Waits until all have come.
*/
static int core_meet (lua_State *L) {
  RtDevice *devices[COMM_LOCAL];
  ncclUniqueId id;
  size_t len;
  int n = check_devices(L, 1, devices);
  int size = check_count(L, 3, n, INT_MAX);
  int rank = check_count(L, 2, 0, size - n);
  const char *bytes = arg_check_lstring(L, 4, &len);
  lua_Number seconds = arg_check_number(L, 5);
  argerror_check(L, len == sizeof id, 4, "not an id");
  argerror_check(L, seconds > 0 && seconds < 1e9, 5, "not a time");
  memcpy(&id, bytes, sizeof id);
  end_dropped(L);
  Comm *c = new_comm(L, n, check_count(L, 6, 0, INT_MAX));
  for (int i = 0; i < n; i++)
    check_idle(L, devices[i], "tide.dist");
  uint64_t family = comm_new_family();
  for (int i = 0; i < n; i++) {
    error_check(L, context_enter(devices[i]));
    error_check(L, device_lock_prepare(devices[i]));
    error_check(L, comm_new(devices[i], rank + i, size,
                            (int64_t)(seconds * 1e9), family, &c->at[i]));
    c->n = i + 1;
  }
  int64_t since = clock_now();
  error_check(L, comm_meet(c->at, n, &id));
  meet(L, c, since);
  return 1;
}

/*
** set_address([address]) -> true if it was set; nil removes it. NCCL reads the
** address in the environment only: when it makes an id, when ranks begin to
** meet, and while they do, on its own threads that look for the interface to
** that network. So the variable stays until they have met. The environment
** belongs to the process, and no lock of ours helps. A value that the user has
** set stays.
*/
static int core_set_address (lua_State *L) {
  static const char variable[] = "NCCL_COMM_ID";
  const char *address = arg_opt_string(L, 1, NULL);
  bool sets = (address != NULL && getenv(variable) == NULL);
  if (address == NULL)
    unsetenv(variable);
  else if (sets)
    setenv(variable, address, 1);
  lua_pushboolean(L, sets);
  return 1;
}

/* new_id(device) -> the id by which ranks meet, as a string. With an address
** set it is the same for all callers; without one it is unique. */
static int core_new_id (lua_State *L) {
  RtDevice *dev = device_check(L, 1);
  ncclUniqueId id;
  memset(&id, 0, sizeof id);
  error_check(L, context_enter(dev));
  const Nccl *N = comm_nccl(dev);
  if (N == NULL)
    return error_fail(L, RT_MISUSE);
  ncclResult_t r = N->ncclGetUniqueId(&id);
  if (r != ncclSuccess)
    return error_raise(L, "ncclGetUniqueId: %s", N->ncclGetErrorString(r));
  lua_pushlstring(L, (const char *)&id, sizeof id);
  return 1;
}

/* ==} */

/* {== for dist.lua ==================================================== */

/* check_files(name): raises for the program's function 'name' if the host
** program leaves out files, and other processes with them. */
static int core_check_files (lua_State *L) {
  const char *name = arg_check_string(L, 1);
  return limits_exclude(L, TIDE_FILES) ? limits_refuse(L, name) : 0;
}

/* most_ranks(device) -> how many ranks the library allows; nil: no limit. */
static int core_most_ranks (lua_State *L) {
  const Nccl *N = comm_nccl(device_check(L, 1));
  if (N == NULL)
    return error_fail(L, RT_MISUSE);
  if (N->most > 0)
    lua_pushinteger(L, N->most);
  else
    lua_pushnil(L);
  return 1;
}

/* ==} */

/* {== splitting ======================================================= */

enum { NO_COLOR = -1 };

/* Reads the integers at 'arg': one, or a list of one for each local rank, in
** which nil and false stand for the defaults. */
static void read_integers (lua_State *L, int arg, const char *name,
                           const Comm *c, int least, const int *def,
                           int out[COMM_LOCAL]) {
  bool list = lua_istable(L, arg);
  if (list && lua_rawlen(L, arg) > (lua_Unsigned)c->n)
    argerror_raise(L, arg,
                   "a list of one %s for each rank of this process, %d, "
                   "expected, got %d",
                   name, c->n, (int)lua_rawlen(L, arg));
  if (list)
    list_check_keys(
      L, arg, (lua_Unsigned)c->n,
      lua_pushfstring(L, "a list of one %s for each rank of this process",
                      name));
  for (int i = 0; i < c->n; i++) {
    if (list)
      lua_rawgeti(L, arg, i + 1);
    else
      lua_pushvalue(L, arg);
    if (lua_isnil(L, -1) ||
        (list && lua_isboolean(L, -1) && !lua_toboolean(L, -1))) {
      out[i] = def[i];
    } else {
      if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < least ||
          lua_tointeger(L, -1) > INT_MAX)
        argerror_raise(L, arg,
                       "%s expected, an integer from %d to %d%s, got %s", name,
                       least, INT_MAX,
                       c->n > 1
                         ? " or a list of one for each rank of this process"
                         : "",
                       dist_describe_arg(L, lua_gettop(L)));
      out[i] = (int)lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
  }
}

/* Pushes a Communicator of the ranks of 'all' with that color, which it takes
** from 'all'. */
static void push_color (lua_State *L, Comm *all, const int *color, int which) {
  int n = 0;
  for (int i = 0; i < all->n; i++)
    n += (all->at[i] != NULL && color[i] == which);
  Comm *c = new_comm(L, n, all->local_rank);
  uint64_t family = comm_new_family();
  for (int i = 0; i < all->n; i++) {
    if (all->at[i] == NULL || color[i] != which)
      continue;
    c->at[c->n++] = all->at[i];
    all->at[i]->family = family;
    all->at[i] = NULL;
  }
}

/* Pushes a list: for each local rank its Communicator, or false. */
static void push_colors (lua_State *L, Comm *all, const int *color) {
  lua_createtable(L, all->n, 0);
  for (int i = 0; i < all->n; i++) {
    int k = 0;
    while (color[k] != color[i])
      k++;
    if (color[i] == NO_COLOR)
      lua_pushboolean(L, 0);
    else if (k < i)
      lua_rawgeti(L, -1, k + 1);
    else
      push_color(L, all, color, color[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Blocks until the rank's earlier operations are done, because the time that
** ranks have to come counts from then on. */
static void check_quiet (lua_State *L, RtComm *rank, const char *what) {
  if (comm_is_idle(rank))
    return;
  Point at = comm_latest(rank)->at;
  error_check(L, wait_block(at.s->dev, WAIT_PASSED, at.s, at.seq, what));
}

/*
** comm:split(color [, key]) -> Communicator of the ranks with that color,
** ordered by key, then by rank; nil if color is nil. With several ranks in one
** process: lists. Waits for the other ranks.
*/
static int comm_split (lua_State *L) {
  static const char name[] = "comm:split";
  static const int none[COMM_LOCAL] = {NO_COLOR};
  Comm *c = dist_check(L, 1, name);
  int color[COMM_LOCAL], key[COMM_LOCAL], ranks[COMM_LOCAL], no[COMM_LOCAL];
  lua_settop(L, 3);
  end_dropped(L);
  dist_check(L, 1, name); /* a finalizer may have closed it */
  for (int i = 0; i < c->n; i++) {
    ranks[i] = c->at[i]->rank;
    no[i] = none[0];
  }
  read_integers(L, 2, "color", c, 0, no, color);
  read_integers(L, 3, "key", c, INT_MIN, ranks, key);
  Comm *made = new_comm(L, c->n, c->local_rank);
  for (int i = 0; i < c->n; i++) {
    check_idle(L, c->at[i]->dev, name);
    check_quiet(L, c->at[i], name);
  }
  for (int i = 0; i < c->n; i++) {
    error_check(L, comm_new(c->at[i]->dev, 0, 0, c->at[i]->timeout,
                            comm_new_family(), &made->at[i]));
    made->n = i + 1;
  }
  dist_recheck(L, c);
  error_note_place(L, c->at[0]->dev->rt);
  int64_t since = clock_now();
  error_check(L, comm_split_all(c->at, c->n, color, key, made->at));
  Meeting parents = {c, since};
  service_wait(L, c->at[0]->dev, has_met, &parents, name);
  meet(L, made, since);
  for (int i = 0; i < made->n; i++)
    comm_ask_size(made->at[i]);
  push_colors(L, made, color);
  if (c->n == 1)
    lua_rawgeti(L, -1, 1);
  if (c->n == 1 && !lua_toboolean(L, -1))
    lua_pushnil(L);
  return 1;
}

/* ==} */

/* {== parting ========================================================= */

static void leave (Comm *c) {
  if (c->closed)
    return;
  c->closed = true;
  for (int i = 0; i < c->n; i++)
    if (c->at[i] != NULL && c->object.state->rt != NULL) {
      dist_drop_stream(c->at[i]);
      comm_leave(c->at[i]);
    }
}

/* Without a Runtime, frees only a rank that the Runtime has let go. */
static void drop (RtComm *rank, bool has_runtime) {
  if (has_runtime)
    dist_drop_stream(rank);
  if (has_runtime || !rank->listed)
    comm_drop(rank);
}

static int comm__close (lua_State *L) {
  leave(class_check_gc(L, &dist_class, NULL));
  return 0;
}

/* Calls may close a communicator and go on, so its ranks stay until it is
** collected. Graphs may hold them even longer. */
static int comm__gc (lua_State *L) {
  Comm *c = class_check_gc(L, &dist_class, NULL);
  c->closed = true;
  for (int i = 0; i < c->n; i++) {
    RtComm *rank = c->at[i];
    c->at[i] = NULL;
    if (rank != NULL)
      drop(rank, c->object.state->rt != NULL);
  }
  return 0;
}

/* Operations under way end, or fail; failures are reported elsewhere. */
static Status is_quiet (void *ud) {
  const Comm *c = ud;
  for (int i = 0; i < c->n && !c->closed; i++)
    if (!comm_is_idle(c->at[i]))
      return CUDA_ERROR_NOT_READY;
  return 0;
}

/* comm:close(): waits for operations under way. */
static int comm_close (lua_State *L) {
  Comm *c = check_open(L, 1);
  for (int i = 0; i < c->n; i++)
    blocking_check(L, c->at[i]->dev, "comm:close");
  service_wait(L, c->at[0]->dev, is_quiet, c, "comm:close");
  leave(c);
  drain_dropped(L);
  return 0;
}

/* ==} */

/* {== fields ========================================================== */

static int comm_rank (lua_State *L) {
  lua_pushinteger(L, check_open(L, 1)->at[0]->rank);
  return 1;
}

static int comm_size (lua_State *L) {
  lua_pushinteger(L, check_open(L, 1)->at[0]->size);
  return 1;
}

static int comm_local_rank (lua_State *L) {
  lua_pushinteger(L, check_open(L, 1)->local_rank);
  return 1;
}

/* c.ranks: the ranks of this process. */
static int comm_ranks (lua_State *L) {
  const Comm *c = check_open(L, 1);
  lua_createtable(L, c->n, 0);
  for (int i = 0; i < c->n; i++) {
    lua_pushinteger(L, c->at[i]->rank);
    lua_rawseti(L, -2, i + 1);
  }
  listing_set(L);
  return 1;
}

static int comm_devices (lua_State *L) {
  const Comm *c = check_open(L, 1);
  lua_createtable(L, c->n, 0);
  for (int i = 0; i < c->n; i++) {
    device_push(L, c->at[i]->dev);
    lua_rawseti(L, -2, i + 1);
  }
  listing_set(L);
  return 1;
}

/* c.error: why it has failed; nil if it has not. */
static int comm_error (lua_State *L) {
  const Comm *c = check_open(L, 1);
  comm_poll(c->at[0]->dev->rt);
  for (int i = 0; i < c->n; i++)
    if (comm_has_failed(c->at[i]))
      return lua_pushstring(L, c->at[i]->why), 1;
  lua_pushnil(L);
  return 1;
}

/* Pushes "0 to 3", or "1, 0" as a split may order them. */
static void push_ranks (lua_State *L, const Comm *c) {
  int first = c->at[0]->rank, i = 1;
  while (i < c->n && c->at[i]->rank == first + i)
    i++;
  if (i == c->n) {
    lua_pushfstring(L, "%d to %d", first, first + c->n - 1);
    return;
  }
  lua_pushfstring(L, "%d", first);
  for (i = 1; i < c->n; i++) {
    lua_pushfstring(L, ", %d", c->at[i]->rank);
    lua_concat(L, 2);
  }
}

static int comm__tostring (lua_State *L) {
  char name[DEVICE_NAME];
  const Comm *c = class_check(L, 1, &dist_class);
  if (c->closed)
    lua_pushliteral(L, "tide.Communicator (closed)");
  else if (c->n == 1)
    lua_pushfstring(L, "tide.Communicator rank %d of %d, %s", c->at[0]->rank,
                    c->at[0]->size, device_write_name(c->at[0]->dev, name));
  else {
    push_ranks(L, c);
    lua_pushfstring(L, "tide.Communicator ranks %s of %d", lua_tostring(L, -1),
                    c->at[0]->size);
  }
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"close", comm_close, 1},
  {"split", comm_split, 3},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"devices", comm_devices, 1},
  {"error", comm_error, 1},
  {"local_rank", comm_local_rank, 1},
  {"rank", comm_rank, 1},
  {"ranks", comm_ranks, 1},
  {"size", comm_size, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__close", comm__close, 2},
  {"__gc", comm__gc, 1},
  {"__tostring", comm__tostring, 1},
  {NULL, NULL, 0},
};

const Class dist_class = {
  .name = "tide.Communicator",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

/* add_methods{ name = function }: adds methods that are written in Lua. */
static int core_add_methods (lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  class_add_lua_methods(L, &dist_class, 1);
  return 0;
}

static const Function functions[] = {
  {"add_methods", core_add_methods, 1},
  {"begin_group", exchange_begin, 2},
  {"check_files", core_check_files, 1},
  {"drop_group", exchange_drop, 2},
  {"end_group", exchange_end, 2},
  {GROUP_FILES "meet", core_meet, 6},
  {GROUP_FILES "most_ranks", core_most_ranks, 1},
  {GROUP_FILES "new_id", core_new_id, 1},
  {GROUP_FILES "set_address", core_set_address, 1},
  {NULL, NULL, 0},
};

void open_dist (lua_State *L) {
  class_define(L, &dist_class);
  class_add_methods(L, &dist_class, dist_collectives);
  class_add_methods(L, &dist_class, dist_exchanges);
  class_add_module(L, "tide.communicators", functions);
  lua_newtable(L); /* init.lua fills it with Lua functions */
  field_set_strict(L, "tide.dist");
  lua_setfield(L, -2, "dist");
}
