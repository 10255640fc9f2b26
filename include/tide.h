/*
** tide.h - for host programs and other modules in C and C++: what scripts may
** use of tide, and tide's arrays, streams and events from C. Installed as
** <tide.h>. There is nothing to link and no header of CUDA is needed; what is
** here finds tide through the lua_State. docs/embedding.md is its manual.
**
**   #include <tide.h>
**   tide_Limits limits = {.device_bytes = 1u << 30, .streams = 16,
**                         .leave_out = TIDE_POINTERS | TIDE_FILES};
**   tide_setlimits(L, &limits);              before the module is loaded
**   luaL_dostring(L, "tide = require 'tide'");
**
**   const tide_Api *api = tide_checkapi(L);
**   tide_Tensor t;
**   api->tensor(L, 1, &t);                   where argument 1's elements are
*/
#ifndef TIDE_H
#define TIDE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {  /* Lua's own headers say nothing of it */
#endif

#include <lauxlib.h>
#include <lua.h>

#define TIDE_VERSION "0.1.0"

/* {== limits ========================================================== */

/* Groups of functions that can be left out. */
#define TIDE_POINTERS 1u  /* raw addresses: s.ptr, a.ptr, tide.ExternalStream */
#define TIDE_KERNELS 2u   /* device code: tide.RawKernel and its like */
#define TIDE_FILES 4u     /* tide.save, tide.load, tide.open, h:readfrom,
                             h:writeto, tide.ipc */
#define TIDE_RESET 8u     /* dev:reset(), which other states feel */

/* For one lua_State. 0: no limit. */
typedef struct tide_Limits {
  size_t device_bytes;  /* memory of each device, with what is kept for reuse */
  size_t pinned_bytes;  /* page-locked memory of each device: HostArrays */
  size_t streams;       /* until their work is done, also those dropped */
  size_t events;
  unsigned leave_out;   /* groups */
  int leave_gc;         /* not 0: the collector's mode stays, and no steps of
                           it are made for the sake of device memory */
  double deadline;      /* seconds from when the module is loaded: after them
                           waits and calls of tide raise. api->deadline sets
                           another one. */
} tide_Limits;

/* Where the limits are in the registry: a table, and false once they hold. */
#define TIDE_LIMITS_KEY "tide.limits"

/* For programs that link libtide.a: luaL_requiref(L, "tide", luaopen_tide, 1);
** others require "tide". The second one opens its C half alone, tide.core. */
int luaopen_tide (lua_State *L);
int luaopen_tide_core (lua_State *L);

static inline void tide_setlimit (lua_State *L, const char *name, size_t n) {
  lua_pushinteger(L, n < (size_t)INT64_MAX ? (lua_Integer)n
                                           : (lua_Integer)INT64_MAX);
  lua_setfield(L, -2, name);
}

/* Before the module is first loaded into L, else it raises an error. */
static inline void tide_setlimits (lua_State *L, const tide_Limits *limits) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY) == LUA_TBOOLEAN)
    luaL_error(L, "tide is open in this lua_State: its limits hold");
  lua_pop(L, 1);
  lua_createtable(L, 0, 7);
  tide_setlimit(L, "device_bytes", limits->device_bytes);
  tide_setlimit(L, "pinned_bytes", limits->pinned_bytes);
  tide_setlimit(L, "streams", limits->streams);
  tide_setlimit(L, "events", limits->events);
  tide_setlimit(L, "leave_out", limits->leave_out);
  tide_setlimit(L, "leave_gc", limits->leave_gc != 0);
  lua_pushnumber(L, limits->deadline);
  lua_setfield(L, -2, "deadline");
  lua_setfield(L, LUA_REGISTRYINDEX, TIDE_LIMITS_KEY);
}

/* ==} */

/* {== arrays, streams and events from C ================================ */

/* What a value is: api->kind. */
enum {
  TIDE_NONE,  /* nothing of this tide's */
  TIDE_DEVICE, TIDE_STREAM, TIDE_EVENT, TIDE_GRAPH, TIDE_ARRAY, TIDE_HOSTARRAY
};

/* Where memory is; as DLDevice. */
enum {
  TIDE_CPU = 1,       /* of the host; on the host device, all there is */
  TIDE_CUDA = 2,      /* of a GPU */
  TIDE_CUDAHOST = 3   /* of the host, page-locked by CUDA */
};

typedef struct tide_Device {
  int32_t type;  /* one of these */
  int32_t id;    /* from 0 */
} tide_Device;

/* What an element is; as DLDataType. */
enum {
  TIDE_INT = 0, TIDE_UINT = 1, TIDE_FLOAT = 2, TIDE_BFLOAT = 4,
  TIDE_COMPLEX = 5, TIDE_BOOL = 6
};

typedef struct tide_DType {
  uint8_t code;    /* one of these */
  uint8_t bits;    /* of an element: 32 for float32, 64 for complex64 */
  uint16_t lanes;  /* 1 */
} tide_DType;

/* A view of memory; laid out as DLTensor, to which it may be cast. */
typedef struct tide_Tensor {
  void *data;          /* NULL if there are no elements */
  tide_Device device;
  int32_t ndim;        /* number of axes, at most 32 */
  tide_DType dtype;
  int64_t *shape;      /* elements along each axis */
  int64_t *strides;    /* in elements; NULL: row-major, without gaps */
  uint64_t byte_offset;  /* of the first element, from 'data' */
} tide_Tensor;

/* A tensor that is handed over: whoever gets it calls deleter(self) once, from
** any thread. Laid out as DLManagedTensorVersioned. */
typedef struct tide_Managed {
  struct { uint32_t major, minor; } version;
  void *manager;
  void (*deleter) (struct tide_Managed *self);  /* NULL: nobody wants to know */
  uint64_t flags;      /* TIDE_READ_ONLY */
  tide_Tensor tensor;
} tide_Managed;

/* Flags. Others are refused. */
enum {
  TIDE_READ_ONLY = 1,  /* what tensors and arrays over host memory may be */
  TIDE_AS_HOSTARRAY = 1 << 16  /* api->wrap: a HostArray of TIDE_CPU memory */
};

/* Called once, on the thread that is in the lua_State, after the last use of
** what it was given for. It may free it, and calls neither Lua nor tide. */
typedef void (*tide_Release) (void *ud);

/* What a piece of work does to an array: its place on the stack. */
typedef struct tide_Access {
  int arg;    /* Array or HostArray */
  int write;  /* not 0: it writes, and may read as well */
} tide_Access;

/*
** Queues work on a driver stream (a CUstream, or what api->onstream takes), in
** order, and returns at once: 0, or an error code of the driver. It calls
** neither Lua nor tide, but for onstream.
*/
typedef int (*tide_Work) (void *stream, void *ud);

/* How api->todlpack and fromdlpack mean "no stream". */
#define TIDE_NO_STREAM ((void *)(intptr_t)-1)

enum { TIDE_API_VERSION = 1 };

/*
** What this tide can do, from C. Functions are only ever added, at the end. All
** are called on the thread that is in the lua_State, raise Lua errors unless
** they say otherwise, and take stack indices for 'arg' and 'stream'; 'stream' 0
** is the running coroutine's current one. No group that is left out applies.
*/
typedef struct tide_Api {
  uint32_t version;     /* TIDE_API_VERSION */
  uint32_t size;        /* bytes of this struct */
  const char *release;  /* "0.1.0" */

  /* {-- what a value is */

  /* TIDE_ARRAY ..., TIDE_NONE if it is something else. Raises nothing. */
  int (*kind) (lua_State *L, int arg);

  /* Raises unless it is that, and open: "bad argument #1 to 'f' ...". */
  void (*check) (lua_State *L, int arg, int kind);

  /* Where the elements of an Array or HostArray are. Shape and strides belong
  ** to it and live as long. Waits for nothing: see submit and wait. */
  void (*tensor) (lua_State *L, int arg, tide_Tensor *t);

  /* A Stream's CUstream, an Event's CUevent, a Graph's CUgraphExec; an Array's
  ** or HostArray's first element. Of a default stream: 1 or 2, as CUDA has
  ** them. What is queued on such a stream is seen by tide as long as it waits
  ** for the stream, not for the array: see submit. Runs the host functions that
  ** the stream's work or the event comes after; in one it raises then. A graph
  ** with host functions has no handle: raises. */
  void *(*handle) (lua_State *L, int arg);

  /* The device of anything that has one. */
  tide_Device (*device) (lua_State *L, int arg);

  /* --} */
  /* {-- making values: each pushes one */

  void (*pushdevice) (lua_State *L, tide_Device device);

  /* Over a CUstream that somebody else made and destroys, once 'release'
  ** (which may be NULL) was called; over a CUevent likewise. */
  void (*pushstream) (lua_State *L, tide_Device device, void *stream,
                      tide_Release release, void *ud);
  void (*pushevent) (lua_State *L, tide_Device device, void *event,
                     tide_Release release, void *ud);

  /* The running coroutine's current stream on a device; its CUstream. */
  void (*pushcurrent) (lua_State *L, tide_Device device);
  void *(*current) (lua_State *L, tide_Device device);

  /* An Array (of TIDE_CUDA memory; of TIDE_CPU memory, on the host device) or
  ** a HostArray (TIDE_CUDAHOST; TIDE_CPU with TIDE_AS_HOSTARRAY, which is then
  ** page-locked) of new memory like 't', whose data and strides do not count:
  ** it is row-major, its elements are whatever was there, and TIDE_READ_ONLY
  ** changes nothing. A HostArray is of the current device, whatever device.id
  ** says, if that is a GPU or with TIDE_AS_HOSTARRAY: memory of the host has no
  ** number. */
  void (*create) (lua_State *L, const tide_Tensor *t, unsigned flags);

  /* The same over memory of somebody else's, with the strides that it has;
  ** with TIDE_READ_ONLY scripts cannot write it. It stays as it is until
  ** 'release' (which may be NULL) is called: once, when this array, its views,
  ** their work and graphs with the memory are gone; if this raises, never. */
  void (*wrap) (lua_State *L, const tide_Tensor *t, unsigned flags,
                tide_Release release, void *ud);

  /* --} */
  /* {-- work of your own, in order with tide's */

  /* Calls fn(stream, ud) at once, where what it queues on that driver stream
  ** comes after all that the accesses have to wait for; what uses the arrays
  ** next, on any stream, waits for it. In a capture it makes nodes. An error
  ** that it returns is raised, and what it has queued counts all the same. Runs
  ** host functions that this comes after first; in one it raises then. */
  void (*submit) (lua_State *L, int stream, const tide_Access *access, int n,
                  tide_Work fn, void *ud);

  /* The same as a pair, for who queues elsewhere: between them nobody else
  ** uses the arrays. 'before' returns the driver stream to queue on. */
  void *(*before) (lua_State *L, int stream, const tide_Access *access, int n);
  void (*after) (lua_State *L, int stream, const tide_Access *access, int n);

  /* For tide_Work: fn(ud) runs on a thread of the driver's, when the stream of
  ** that device gets there, as by cuLaunchHostFunc; so also on the host device.
  ** It calls neither Lua, nor tide, nor the driver. Raises nothing; 0, or an
  ** error code of the driver. */
  int (*onstream) (tide_Device device, void *stream, void (*fn) (void *ud),
                   void *ud);

  /* --} */
  /* {-- waiting */

  /* Runs host functions whose turn has come, as tide.poll(): how many ran. */
  int (*poll) (lua_State *L);

  /* A descriptor, readable when one may run: for poll(2) and its like. It is
  ** the lua_State's, and is not to be closed. */
  int (*pollfd) (lua_State *L);

  /* Waits for all that uses an Array or HostArray now, for a Stream, an Event
  ** or a Device: 1 when it is done, 0 when so many seconds have passed before;
  ** negative: for as long as it takes. Runs host functions meanwhile. */
  int (*wait) (lua_State *L, int arg, double seconds);

  /* --} */
  /* {-- DLPack */

  /* The Array or HostArray for somebody else. 'stream', the one that they will
  ** use it on, waits for what was queued; TIDE_NO_STREAM: it does not. Memory
  ** of the host is ready when this returns, so it waits, unless TIDE_NO_STREAM
  ** is given. */
  tide_Managed *(*todlpack) (lua_State *L, int arg, void *stream);

  /* Pushes an array over somebody else's tensor, whose deleter is called as
  ** 'release' is; what tide does with it comes after what 'stream' has now. If
  ** this raises, the tensor is still the caller's. 'flags': as of wrap. */
  void (*fromdlpack) (lua_State *L, tide_Managed *m, void *stream,
                      unsigned flags);

  /* --} */
  /* {-- ending scripts */

  /* Ends the wait of a state with this message as its error; if it does not
  ** wait, the next call of tide raises it, on any coroutine. Once: afterwards
  ** the state can be used as ever. 'L' is the state's main thread, the one that
  ** luaL_newstate returned. The message is not copied: it stays where it is as
  ** long as the state, as a literal does. A second one takes the place of one
  ** that is not raised yet; NULL takes it back.
  ** For any thread and for signal handlers. Raises nothing: 1, or 0 if tide is
  ** not open in such a state. While lua_close runs it does nothing; after that
  ** another state may be where this one was. */
  int (*interrupt) (lua_State *L, const char *message);

  /* So many seconds from now on each wait and each call of tide raises, until
  ** another deadline is set; 0: there is none. */
  void (*deadline) (lua_State *L, double seconds);

  /* --} */
} tide_Api;

/* Where it is: in the registry, and in the metatable of each object. */
#define TIDE_API_KEY "tide.api"

/* Of what is on the top, which goes; NULL and a message instead of it. */
static inline const tide_Api *tide_acceptapi (lua_State *L) {
  const tide_Api *api = (const tide_Api *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (api == NULL)
    lua_pushliteral(L, "this tide has no functions for C: it is too old");
  else if (api->version != TIDE_API_VERSION || api->size < sizeof *api)
    lua_pushfstring(L, "tide %s has other functions for C than the tide.h "
                    "that this was compiled with", api->release);
  else
    return api;
  return NULL;
}

/*
** What tide in this lua_State can do; tide is loaded, if need be. NULL, and a
** message on the stack: it cannot be loaded, is too old or of another version.
*/
static inline const tide_Api *tide_api (lua_State *L) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "tide");
    if (lua_pcall(L, 1, 0, 0) != LUA_OK)
      return NULL;
    lua_getfield(L, LUA_REGISTRYINDEX, TIDE_API_KEY);
  }
  return tide_acceptapi(L);
}

/* The same; raises. */
static inline const tide_Api *tide_checkapi (lua_State *L) {
  const tide_Api *api = tide_api(L);
  if (api == NULL)
    lua_error(L);
  return api;
}

/*
** Whose a value is: of programs that load more than one copy of tide, each
** knows its own objects. NULL, and nothing on the stack: no tide's, or that of
** one with other functions.
*/
static inline const tide_Api *tide_apiof (lua_State *L, int arg) {
  const tide_Api *api;
  if (lua_type(L, arg) != LUA_TUSERDATA ||
      luaL_getmetafield(L, arg, TIDE_API_KEY) == LUA_TNIL)
    return NULL;
  api = tide_acceptapi(L);
  if (api == NULL)
    lua_pop(L, 1);
  return api;
}

/* ==} */

#if defined(__cplusplus)
}
#endif

#endif
