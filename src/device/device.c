/*
** device.c - the Device type: enumerate, select, properties, memory.
*/
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/argerror.h"
#include "base/blocking.h"
#include "base/class.h"
#include "base/error.h"
#include "base/listing.h"
#include "base/option.h"
#include "base/state.h"
#include "base/type.h"
#include "current.h"
#include "drain.h"
#include "hostfunc.h"
#include "index_error.h"
#include "openers.h"
#include "rt/driver/context.h"
#include "rt/driver/device_info.h"
#include "rt/driver/fault.h"
#include "rt/driver/status.h"
#include "rt/memory/reclaim.h"
#include "rt/reset.h"
#include "rt/submit/peer.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/wait.h"
#include "service.h"

typedef struct Device {
  Object object;
  RtDevice *dev;
} Device;

const char *device_write_name (const RtDevice *dev, char buffer[DEVICE_NAME]) {
  snprintf(buffer, DEVICE_NAME, "%s:%d", dev->D->kind, dev->ordinal);
  return buffer;
}

/* There is one object for each device, so that devices compare by identity. */
void device_push (lua_State *L, RtDevice *dev) {
  state_push_uv(L, UV_DEVICES);
  if (lua_rawgeti(L, -1, dev->index + 1) == LUA_TNIL) {
    lua_pop(L, 1);
    Device *d = class_new_object(L, sizeof *d, &device_class, 0);
    d->dev = dev;
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, dev->index + 1);
  }
  lua_remove(L, -2);
}

/* {== from a spec ===================================================== */

static int count (const Runtime *rt, bool cuda) {
  return cuda ? rt->ncuda : rt->ndevices - rt->ncuda;
}

/* Raises for argument 'arg', or for TIDE_DEVICE if 'arg' is 0. */
static void refuse (lua_State *L, int arg, const char *why) {
  if (arg > 0)
    argerror_raise(L, arg, "%s", why);
  error_raise(L, "TIDE_DEVICE: %s", why);
}

static RtDevice *numbered (lua_State *L, Runtime *rt, bool cuda, lua_Integer n,
                           int arg) {
  int have = count(rt, cuda);
  if (n >= 0 && n < have)
    return &rt->devices[(cuda ? 0 : rt->ncuda) + n];
  if (cuda && have == 0)
    refuse(L, arg,
           lua_pushfstring(L,
                           "there is no CUDA device: %s; without a GPU there "
                           "is \"host\"",
                           rt->no_cuda));
  refuse(L, arg,
         lua_pushfstring(L, "there is no device '%s:%I' (%s devices: %d)",
                         cuda ? "cuda" : "host", n, cuda ? "CUDA" : "host",
                         have));
  return NULL;
}

/* Pushes a suggestion for names of other libraries, and for our own in other
** letter case, with the number appended. */
static const char *push_meant (lua_State *L, const char *spec) {
  static const char *const names[][2] = {
    {"cpu", "host"},  {"cuda", "cuda"},   {"gpu", "cuda"},
    {"host", "host"}, {"nvidia", "cuda"},
  };
  size_t n = strcspn(spec, ":");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i][0]) == n && strncasecmp(names[i][0], spec, n) == 0)
      return lua_pushfstring(L, "; did you mean \"%s%s\"?", names[i][1],
                             spec + n);
  return lua_pushliteral(L, "");
}

/* Returns the device named "cuda", "cuda:1", "host", "host:1". */
static RtDevice *named (lua_State *L, Runtime *rt, const char *spec, int arg) {
  bool cuda = strncmp(spec, "cuda", 4) == 0;
  const char *rest = spec + 4;
  char *end;
  if (!cuda && strncmp(spec, "host", 4) != 0)
    refuse(L, arg,
           lua_pushfstring(L,
                           "no device is called '%s' (expected \"cuda\", "
                           "\"cuda:N\", \"host\" or \"host:N\")%s",
                           spec, push_meant(L, spec)));
  if (*rest == '\0')
    return numbered(L, rt, cuda, 0, arg);
  long n = strtol(rest + 1, &end, 10);
  if (*rest != ':' || end == rest + 1 || *end != '\0')
    refuse(L, arg,
           lua_pushfstring(L, "'%s' is not a device (expected \"%s:N\")", spec,
                           cuda ? "cuda" : "host"));
  return numbered(L, rt, cuda, n, arg);
}

RtDevice *device_check (lua_State *L, int arg) {
  Runtime *rt = state_rt(L);
  Device *d = class_test(L, arg, &device_class);
  if (d != NULL)
    return d->dev;
  if (lua_isinteger(L, arg))
    return numbered(L, rt, rt->ncuda > 0, lua_tointeger(L, arg), arg);
  if (lua_type(L, arg) == LUA_TSTRING)
    return named(L, rt, lua_tostring(L, arg), arg);
  type_error(L, arg, "tide.Device, integer or string");
  return NULL;
}

static RtDevice *automatic (Runtime *rt) {
  RtDevice *first = &rt->devices[0];
  if (rt->ncuda > 0 && context_enter(first) != 0) {
    snprintf(rt->no_cuda, sizeof rt->no_cuda, "%s",
             rt->detail[0] != '\0' ? rt->detail
                                   : "the first device does not work");
    first = &rt->devices[rt->ncuda];
  }
  return first;
}

/* Sets the limits that were given before any device was open. */
static void set_limits (lua_State *L, State *st, RtDevice *dev) {
  for (int kind = 0; kind < 2; kind++) {
    if (st->limits[kind] != 0)
      error_check(L, reclaim_set_limit(dev, kind, st->limits[kind]));
    st->limits[kind] = 0;
  }
}

RtDevice *device_default (lua_State *L) {
  State *st = state_get(L);
  Runtime *rt = state_rt(L);
  const char *spec = getenv("TIDE_DEVICE");
  if (st->device != NULL)
    return st->device;
  bool any = (spec == NULL || *spec == '\0' || strcmp(spec, "auto") == 0);
  RtDevice *dev = any ? automatic(rt) : named(L, rt, spec, 0);
  error_check(L, context_enter(dev));
  set_limits(L, st, dev);
  st->device = dev;
  return dev;
}

/* ==} */

static void find_default (lua_State *L) { device_default(L); }

/* {== functions ======================================================= */

/* Device([spec]) -> Device; spec 0, "cuda:1", "cuda", "host", "host:1"; without
** a spec, the current device. */
static int core_Device (lua_State *L) {
  state_rt(L);
  RtDevice *dev = lua_isnone(L, 1) ? current_get_device(L) : device_check(L, 1);
  error_check(L, context_enter(dev));
  device_push(L, dev);
  return 1;
}

/* devices([kind]) -> list of Device: CUDA devices first, then host devices; or
** only those of that kind. */
static int core_devices (lua_State *L) {
  static const char *const kinds[] = {"cuda", "host", NULL};
  Runtime *rt = state_rt(L);
  int kind = lua_isnoneornil(L, 1) ? -1 : option_choice(L, 1, -1, kinds);
  int first = (kind == 1) ? rt->ncuda : 0;
  int last = (kind == 0) ? rt->ncuda : rt->ndevices;
  lua_createtable(L, last - first, 0);
  for (int i = first; i < last; i++) {
    device_push(L, &rt->devices[i]);
    lua_rawseti(L, -2, i - first + 1);
  }
  listing_set(L);
  return 1;
}

/* ==} */

/* {== fields ========================================================== */

static RtDevice *check_device (lua_State *L) {
  state_rt(L);
  return ((Device *)class_check(L, 1, &device_class))->dev;
}

static int device_kind (lua_State *L) {
  lua_pushstring(L, check_device(L)->D->kind);
  return 1;
}

static int device_id (lua_State *L) {
  lua_pushinteger(L, check_device(L)->ordinal);
  return 1;
}

static int device_name (lua_State *L) {
  char name[DEVICE_NAME_MAX];
  error_check(L, device_info_name(check_device(L), name));
  lua_pushstring(L, name);
  return 1;
}

/* d.total_memory: bytes */
static int device_total_memory (lua_State *L) {
  size_t bytes;
  error_check(L, device_info_total(check_device(L), &bytes));
  lua_pushinteger(L, (lua_Integer)bytes);
  return 1;
}

/* d.compute_capability: "9.0"; "0.0" on the host device. */
static int device_compute_capability (lua_State *L) {
  int major, minor;
  RtDevice *dev = check_device(L);
  error_check(L, device_info_attribute(
                   dev, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major));
  error_check(L, device_info_attribute(
                   dev, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor));
  lua_pushfstring(L, "%d.%d", major, minor);
  return 1;
}

/* CUDA's names without the prefix, in lower case, and their numbers. */
static const struct {
  const char *name;
  int attribute;
} attributes[] = {
  {"max_threads_per_block", CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
  {"max_block_dim_x", 2},
  {"max_block_dim_y", 3},
  {"max_block_dim_z", 4},
  {"max_grid_dim_x", 5},
  {"max_grid_dim_y", 6},
  {"max_grid_dim_z", 7},
  {"max_shared_memory_per_block", 8},
  {"total_constant_memory", 9},
  {"warp_size", 10},
  {"max_registers_per_block", 12},
  {"clock_rate", 13},
  {"multiprocessor_count", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
  {"integrated", 18},
  {"can_map_host_memory", 19},
  {"compute_mode", 20},
  {"concurrent_kernels", 31},
  {"ecc_enabled", 32},
  {"pci_bus_id", 33},
  {"pci_device_id", 34},
  {"memory_clock_rate", 36},
  {"global_memory_bus_width", 37},
  {"l2_cache_size", 38},
  {"max_threads_per_multiprocessor", 39},
  {"async_engine_count", 40},
  {"unified_addressing", 41},
  {"stream_priorities_supported", 78},
  {"max_shared_memory_per_multiprocessor", 81},
  {"managed_memory", 83},
  {"memory_pools_supported", CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED},
  {NULL, 0},
};

/* d.attributes: a table of integers, without the attributes that the device
** does not know. */
static int device_attributes (lua_State *L) {
  int value;
  RtDevice *dev = check_device(L);
  lua_newtable(L);
  for (int i = 0; attributes[i].name != NULL; i++) {
    if (device_info_attribute(dev, attributes[i].attribute, &value) != 0)
      continue;
    lua_pushinteger(L, value);
    lua_setfield(L, -2, attributes[i].name);
  }
  return 1;
}

/* ==} */

/* dev:memory_info() -> free, total in bytes */
static int device_memory_info (lua_State *L) {
  size_t free, total;
  RtDevice *dev = check_device(L);
  error_check(L, device_info_memory(dev, &free, &total));
  lua_pushinteger(L, (lua_Integer)free);
  lua_pushinteger(L, (lua_Integer)total);
  return 2;
}

/*
** dev:can_access_peer(other) -> true: copies to 'dev' from 'other' go from
** memory to memory; or false, and why not. The first call tries it, and waits.
*/
static int device_can_access_peer (lua_State *L) {
  RtDevice *dev = check_device(L), *other = device_check(L, 2);
  bool direct = (dev == other);
  const char *why = "they are of different kinds";
  if (!direct && dev->D == other->D) {
    blocking_check(L, dev, "device:can_access_peer");
    error_check(L, peer_is_direct(dev, other, true, &direct));
    why = peer_why_staged(dev, other);
  }
  lua_pushboolean(L, direct);
  if (direct)
    return 1;
  lua_pushstring(L, why);
  return 2;
}

/* dev:synchronize(): waits for all work that this lua_State queued on the
** device and for the legacy null stream; runs host functions. */
static int device_synchronize (lua_State *L) {
  RtDevice *dev = check_device(L);
  service_wait_device(L, dev, "device:synchronize");
  drain_all(L);
  return 0;
}

/* dev:use() -> dev, now current for this coroutine. */
static int device_use (lua_State *L) {
  RtDevice *dev = check_device(L);
  error_check(L, context_enter(dev));
  current_use_device(L, dev);
  lua_settop(L, 1);
  return 1;
}

/* Waits for all queued work, unless the device fails at it. Before that, waits
** for ranks that wait for others. */
static void finish (lua_State *L, RtDevice *dev) {
  static const char what[] = "device:reset";
  Status st = device_lock_is_open(dev);
  if (st == CUDA_ERROR_NOT_READY)
    st = wait_block(dev, WAIT_OPEN, NULL, 0, what);
  if (st == 0)
    st = service_finish_device(L, dev, what);
  if (st != 0 && fault_lost_device(dev->rt, st) != dev)
    error_fail(L, st);
}

static void check_reset (lua_State *L, RtDevice *dev) {
  static const char what[] = "device:reset";
  Runtime *rt = dev->rt;
  error_check(
    L, blocking_serves(L, state_get(L))
         ? runtime_check_captures(dev, what)
         : status_explain(rt, CUDA_ERROR_NOT_PERMITTED, what,
                          "called in a %s, around which work is under way",
                          rt->running != NULL ? "host function" : "finalizer"));
}

/*
** dev:reset() -> dev: destroys all that this process has on the device, which
** then works again even if it had failed. Existing objects raise "device was
** reset". Waits for its work. Not allowed in a capture on the device, in a host
** function or a finalizer.
*/
static int device_reset (lua_State *L) {
  RtDevice *dev = check_device(L);
  drain_dropped(L);
  check_reset(L, dev);
  if (dev->ctx != NULL && dev->fault.code == 0)
    finish(L, dev);
  index_error_settle(L); /* the reset frees what kernels have set */
  error_check(L, reset_device(dev, "device:reset"));
  drain_all(L);
  lua_settop(L, 1);
  return 1;
}

static int device__tostring (lua_State *L) {
  char name[DEVICE_NAME];
  lua_pushstring(L, device_write_name(check_device(L), name));
  return 1;
}

/* A device is not a resource: closing it ends nothing. */
static int device__close (lua_State *L) {
  (void)L;
  return 0;
}

static const Function functions[] = {
  {"Device", core_Device, 1},
  {"devices", core_devices, 1},
  {NULL, NULL, 0},
};

static const Function methods[] = {
  {"can_access_peer", device_can_access_peer, 2},
  {"memory_info", device_memory_info, 1},
  {GROUP_RESET "reset", device_reset, 1},
  {"synchronize", device_synchronize, 1},
  {"use", device_use, 1},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"attributes", device_attributes, 1},
  {"compute_capability", device_compute_capability, 1},
  {"id", device_id, 1},
  {"kind", device_kind, 1},
  {"name", device_name, 1},
  {"total_memory", device_total_memory, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__close", device__close, 2},
  {"__tostring", device__tostring, 1},
  {NULL, NULL, 0},
};

const Class device_class = {
  .name = "tide.Device",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

void open_devices (lua_State *L) {
  state_get(L)->find_default = find_default;
  class_define(L, &device_class);
  class_set_funcs(L, functions);
}
