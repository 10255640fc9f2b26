/*
** fault_injection.c - the functions of tide.T that make calls and devices fail,
** and that make devices slow or hold their streams.
*/
#include "testing.h"

#include "array/launch.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "device/device.h"
#include "device/stream.h"
#include "rt/driver/context.h"
#include "rt/host/hooks.h"
#include "rt/kernels/kernels.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"
#include "rt/submit/peer.h"
#include "rt/testing/probe.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/flags.h"

/* T.failcall(n [, code [, name]]): the n-th driver call from now on fails. */
static int t_failcall (lua_State *L) {
  probe_fail((long)luaL_checkinteger(L, 1),
             (CUresult)luaL_optinteger(L, 2, CUDA_ERROR_UNKNOWN),
             luaL_optstring(L, 3, NULL));
  return 0;
}

/* T.failed() -> the driver entry that was made to fail, or nil. */
static int t_failed (lua_State *L) {
  lua_pushstring(L, probe_failed());
  return 1;
}

/*
** T.fault(stream [, code]): queues a kernel at which the device fails with that
** code (700). Its context cannot be used afterwards.
*/
static int t_fault (lua_State *L) {
  state_rt(L);
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  int64_t code = luaL_optinteger(L, 2, CUDA_ERROR_ILLEGAL_ADDRESS);
  void *params[] = {&code};
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  op.foreign = true;
  error_check(L, context_enter(rs->dev));
  launch_kernel(L, rs, &op, kernel_named("fault_i64"), 1, params);
  return 0;
}

/*
** T.lose(device, code): from now on all calls fail with that code while the
** device is current, as if it had fallen off its bus; 0: it works again.
*/
static int t_lose (lua_State *L) {
  state_rt(L);
  RtDevice *dev = device_check(L, 1);
  CUresult code = (CUresult)luaL_checkinteger(L, 2);
  luaL_argcheck(L, dev->ctx != NULL || code == 0, 1, "device is not open");
  probe_lose(code != 0 ? dev->ctx : NULL, code);
  return 0;
}

/* T.peers(how): devices cannot access each other's memory ("severed"), or
** copies between them write nothing ("silent"); nil: as usual. */
static int t_peers (lua_State *L) {
  static const char *const names[] = {"on", "severed", "silent", NULL};
  Runtime *rt = state_rt(L);
  rt->peers_off = luaL_checkoption(L, 1, "on", names);
  for (int i = 0; i < rt->ndevices; i++)
    peer_forget(&rt->devices[i]);
  return 0;
}

/* T.delays(seed, max_us [, pause_us]): makes devices slow: the host device for
** all its users (hooks.h), and GPUs for the work that this State queues. */
static int t_delays (lua_State *L) {
  Runtime *rt = state_rt(L);
  rt->late_seed = (uint64_t)luaL_checkinteger(L, 1);
  rt->late_us = (unsigned)luaL_checkinteger(L, 2);
  rt->pause_us = (unsigned)luaL_optinteger(L, 3, 0);
  hook_delays(rt->late_seed, rt->late_us, rt->pause_us);
  return 0;
}

typedef struct Key {
  RtDevice *dev;
  unsigned generation;
  uint32_t *flag;
} Key;

/* T.hold(stream) -> a key: the stream stands still until T.release(key). */
static int t_hold (lua_State *L) {
  state_rt(L);
  RtStream *rs = stream_resolve(L, stream_check(L, 1));
  Key *key = lua_newuserdatauv(L, sizeof *key, 0);
  *key = (Key){.dev = rs->dev, .generation = rs->dev->generation};
  entry_check_calls(L, state_get(L));
  error_check(L, flag_take(rs->dev, &key->flag));
  Op op;
  op_start(&op, OP_HOLD, "T.hold");
  op.u.hold = key->flag;
  Status st = op_submit(rs, &op);
  if (st != 0)
    flag_return(rs->dev, key->flag);
  error_check(L, st);
  return 1;
}

/* T.release(key); the flag is not reused until its device closes. */
static int t_release (lua_State *L) {
  luaL_checktype(L, 1, LUA_TUSERDATA);
  const Key *key = lua_touserdata(L, 1);
  state_rt(L);
  if (context_is_stale(key->dev, key->generation))
    return 0;
  flag_set(key->flag, 1);
  device_lock_hold(key->dev, -1);
  return 0;
}

static const Function functions[] = {
  {"delays", t_delays, ANY}, {"failcall", t_failcall, ANY},
  {"failed", t_failed, ANY}, {"fault", t_fault, ANY},
  {"hold", t_hold, ANY},     {"lose", t_lose, ANY},
  {"peers", t_peers, 1},     {"release", t_release, ANY},
  {NULL, NULL, 0},
};

void testing_add_faults (lua_State *L) { class_set_funcs(L, functions); }
