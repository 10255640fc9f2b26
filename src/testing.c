/*
** testing.c - tide.core.T, in builds with -DTIDE_TESTING only: internals that
** specs need to see and to break. All else is tested through the public API.
*/
#if defined(TIDE_TESTING)

#include <string.h>

#include "array/array.h"
#include "array/launch.h"
#include "base/class.h"
#include "base/entry.h"
#include "base/error.h"
#include "base/state.h"
#include "device/device.h"
#include "device/drain.h"
#include "device/gc.h"
#include "device/hostfunc.h"
#include "device/stream.h"
#include "ipc/message.h"
#include "rt/code/code_cache.h"
#include "rt/code/nvrtc.h"
#include "rt/comm/comm.h"
#include "rt/driver/context.h"
#include "rt/archive/zip.h"
#include "rt/driver/probe.h"
#include "rt/driver/witness.h"
#include "rt/file/transfer.h"
#include "rt/host/hooks.h"
#include "rt/kernels/kernels.h"
#include "rt/op.h"
#include "rt/peer.h"
#include "rt/queue/handles.h"
#include "rt/queue/kept.h"
#include "rt/reclaim.h"
#include "rt/wait/device_lock.h"
#include "rt/wait/flags.h"
#include "rt/wait/progress.h"
#include "user_kernels/compile.h"

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
  for (int i = 0; i < rt->ndevices; i++)
    n += rt->devices[i].idle[0].n + rt->devices[i].idle[1].n;
  for (int i = 0; i < rt->nstreams; i++)
    n += rt->streams[i]->ntails;
  return n;
}

/*
** T.held() -> what users hold: events, streams, graphs, bytes of device and of
** page-locked memory in use, callbacks on their way, open captures, open files,
** transfers of files that may still be waited for, communicators, and dropped
** communicators that have not ended. All are zero in an empty house; what the
** library keeps for reuse does not count.
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
  lua_Integer files = 0, transfers = 0;
  for (const RtFile *f = rt->files; f != NULL; f = f->older)
    files++;
  for (const RtTransfer *t = rt->transfers; t != NULL; t = t->older)
    transfers++;
  lua_pushinteger(L, files);
  lua_setfield(L, -2, "files");
  lua_pushinteger(L, transfers);
  lua_setfield(L, -2, "transfers");
  lua_pushinteger(L, live[LIVE_SHAREABLE] + live[LIVE_ADDRESSES]);
  lua_setfield(L, -2, "shareables");
  lua_Integer comms = 0;
  for (const RtComm *c = rt->comms; c != NULL; c = c->next)
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

/* T.slots([on]): from now on all transfers between files and memory go through
** slots, on any device, as they do for a GPU; or they do not. */
static int t_slots (lua_State *L) {
  state_rt(L)->slotted_always = lua_toboolean(L, 1);
  return 0;
}

/* T.zip64([n]): numbers from n on have 64 bits in the archives that are
** written; as usual. */
static int t_zip64 (lua_State *L) {
  zip_limit = (uint64_t)luaL_optinteger(L, 1, 0xFFFFFFFF);
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

/* T.ahead(s) -> the number of file pieces that threads have read and the stream
** has not reached. */
static int t_ahead (lua_State *L) {
  const RtLane *lane = stream_resolve(L, stream_check(L, 1))->lanes[0];
  uint32_t n = 0;
  if (lane != NULL)
    n = __atomic_load_n(lane->threads, __ATOMIC_ACQUIRE) -
        __atomic_load_n(lane->stream, __ATOMIC_ACQUIRE);
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
  lua_pushinteger(L, rt->nleaving);
  lua_setfield(L, -2, "codes");
  lua_pushinteger(L, rt->names.n);
  lua_setfield(L, -2, "names");
  lua_pushinteger(L, rt->nstreams);
  lua_setfield(L, -2, "streams");
  return 1;
}

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

/* T.calls([name]) -> driver calls so far, of one entry or all. */
static int t_calls (lua_State *L) {
  lua_pushinteger(L, probe_calls(luaL_optstring(L, 1, NULL)));
  return 1;
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
** T.limits([n]): at most so many operations may be kept, not counting those
** that host functions queue; 0: as usual.
*/
static int t_limits (lua_State *L) {
  Runtime *rt = state_rt(L);
  rt->most_kept = (int)luaL_optinteger(L, 1, 0);
  return 0;
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

/* T.marks(array) -> how many uses of its block are remembered. */
static int t_marks (lua_State *L) {
  Array *a = lua_touserdata(L, 1);
  luaL_checktype(L, 1, LUA_TUSERDATA);
  lua_pushinteger(L, a->block != NULL ? a->block->marks.n : 0);
  return 1;
}

/* T.trim(): returns all idle cached memory to the drivers. */
static int t_trim (lua_State *L) {
  Runtime *rt = state_rt(L);
  for (int i = 0; i < rt->ndevices; i++)
    if (rt->devices[i].ctx != NULL)
      error_check(L, reclaim_all(&rt->devices[i]));
  return 0;
}

/* T.compile(code [, arch [, options [, names]]]) -> the code for that device,
** as a string, and the symbols of the names. */
static int t_compile (lua_State *L) {
  Runtime *rt = state_rt(L);
  RtSource source;
  memset(&source, 0, sizeof source);
  lua_settop(L, 4);
  source.code = luaL_checkstring(L, 1);
  source.name = "kernel.cu";
  source.arch = (int)luaL_optinteger(L, 2, 90);
  compile_permit(L, &source);
  source.noptions = compile_read_texts(L, 3, "options", MAX_OPTIONS,
                                       source.options);
  source.nnames = compile_read_texts(L, 4, "names", MAX_NAMES, source.names);
  RtImage *image = compile_push_image(L);
  compile_check(L, nvrtc_compile(rt, &source, image), image, "the source");
  lua_pushlstring(L, image->bytes, image->size);
  for (int i = 0; i < source.nnames; i++)
    lua_pushstring(L, nvrtc_symbol(image->symbols, i));
  return 1 + source.nnames;
}

static void read_key (lua_State *L, unsigned char key[SHA256_BYTES]) {
  Sha256 h;
  sha256_begin(&h);
  sha256_add_text(&h, luaL_checkstring(L, 1));
  sha256_end(&h, key);
}

/* T.store(key, code, symbols): puts code into the disk cache, with its symbols,
** each of which ends with a zero. */
static int t_store (lua_State *L) {
  unsigned char key[SHA256_BYTES];
  RtImage image = {0};
  read_key(L, key);
  image.bytes = (char *)luaL_checklstring(L, 2, &image.size);
  image.symbols = (char *)luaL_checklstring(L, 3, &image.nsymbols);
  code_cache_put(key, &image);
  return 0;
}

/* T.stored(key, n) -> the code in the disk cache and its n symbols, or nil. */
static int t_stored (lua_State *L) {
  unsigned char key[SHA256_BYTES];
  RtSource source;
  memset(&source, 0, sizeof source);
  read_key(L, key);
  source.nnames = (int)luaL_checkinteger(L, 2);
  compile_permit(L, &source);
  RtImage *image = compile_push_image(L);
  if (!code_cache_get(key, &source, image))
    return 0;
  lua_pushlstring(L, image->bytes, image->size);
  luaL_checkstack(L, source.nnames, NULL);
  for (int i = 0; i < source.nnames; i++)
    lua_pushstring(L, nvrtc_symbol(image->symbols, i));
  return 1 + source.nnames;
}

/* T.clock(t, cost): sets the clock of gc.c to t, in seconds, until the
** next call; each collection costs 'cost'. With a cost of 0: real time. */
static int t_clock (lua_State *L) {
  gc_set_clock(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 0));
  return 0;
}

/*
** T.again(n) -> the earlier n: every call begins again once, as if others had
** come in between, when it queues its n-th operation; 0: no call does.
*/
static int t_again (lua_State *L) {
  State *st = state_get(L);
  int old = st->again;
  st->again = (int)luaL_checkinteger(L, 1);
  lua_pushinteger(L, old);
  return 1;
}

/* T.collect(on): each call begins with a full collection. */
static int t_collect (lua_State *L) {
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  state_get(L)->collects = lua_toboolean(L, 1);
  return 0;
}

/* T.intercept(fd) -> the bytes of a connection's next message. */
static int t_intercept (lua_State *L) {
  int fd = (int)luaL_checkinteger(L, 1);
  ssize_t n = socket_next(fd);
  luaL_argcheck(L, n > 0, 1, "no message is there");
  Message *m = message_push_empty(L, (size_t)n);
  luaL_argcheck(L, socket_receive(fd, m) == 1, 1, "not received");
  lua_pushlstring(L, m->data, m->bytes);
  return 2;
}

/* T.forge(fd, message, bytes [, n]): sends these bytes, with the first n files
** of the message, or all of them. */
static int t_forge (lua_State *L) {
  int fd = (int)luaL_checkinteger(L, 1);
  const Message *from = lua_touserdata(L, 2);
  size_t bytes;
  const char *data = luaL_checklstring(L, 3, &bytes);
  int nfiles = (int)luaL_optinteger(L, 4, from->nfiles);
  luaL_argcheck(L, nfiles >= 0 && nfiles <= FILES_MOST, 4, "too many files");
  Message *m = lua_newuserdatauv(L, sizeof *m + bytes, 0);
  m->bytes = bytes;
  m->nfiles = nfiles;
  for (int i = 0; i < nfiles; i++) /* past its last file it starts anew */
    m->file[i] = from->file[i < from->nfiles ? i : 0];
  memcpy(m->data, data, bytes);
  luaL_argcheck(L, socket_send(fd, m) == 1, 1, "not sent");
  return 0;
}

/*
** T.witness(on [, blind]) -> how many uses of memory were compared since it was
** turned on for this thread, how many pairs of them are unordered, and a
** description of the first such pair. Each call starts anew: see witness.h.
*/
static int t_witness (lua_State *L) {
  long compared, bad;
  char complaint[COMPLAINT];
  luaL_checktype(L, 1, LUA_TBOOLEAN);
  witness_end(&compared, &bad, complaint);
  if (lua_toboolean(L, 1))
    witness_start((long)luaL_optinteger(L, 2, 0));
  lua_pushinteger(L, compared);
  lua_pushinteger(L, bad);
  lua_pushstring(L, complaint);
  return 3;
}

static const Function functions[] = {
  {"again", t_again, ANY},
  {"ahead", t_ahead, ANY},
  {"calls", t_calls, ANY},
  {"clock", t_clock, ANY},
  {"collect", t_collect, ANY},
  {"compile", t_compile, ANY},
  {"delays", t_delays, ANY},
  {"failcall", t_failcall, ANY},
  {"failed", t_failed, ANY},
  {"fault", t_fault, ANY},
  {"forge", t_forge, ANY},
  {"held", t_held, ANY},
  {"hold", t_hold, ANY},
  {"intercept", t_intercept, ANY},
  {"kept", t_kept, ANY},
  {"limits", t_limits, ANY},
  {"live", t_live, ANY},
  {"lose", t_lose, ANY},
  {"marks", t_marks, ANY},
  {"due", t_due, ANY},
  {"release", t_release, ANY},
  {"peers", t_peers, 1},
  {"slots", t_slots, ANY},
  {"store", t_store, ANY},
  {"stored", t_stored, ANY},
  {"trim", t_trim, ANY},
  {"witness", t_witness, ANY},
  {"zip64", t_zip64, ANY},
  {NULL, NULL, 0},
};

void open_testing (lua_State *L) {
  lua_newtable(L);
  class_set_funcs(L, functions);
  lua_setfield(L, -2, "T");
}

#endif
