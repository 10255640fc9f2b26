/*
** tide.h - tide for host programs and other modules in C and C++: limits what
** scripts may use, and gives access to tide's arrays, streams and events.
** Installed as <tide.h>. It needs no library to link and no CUDA header,
** because everything here finds tide through the lua_State. The manual is
** docs/embedding.md.
**
**   #include <tide.h>
**   tide_Limits limits = {.device_bytes = 1u << 30, .streams = 16,
**                         .leave_out = TIDE_POINTERS | TIDE_FILES};
**   tide_setlimits(L, &limits);              before the module is loaded
**   luaL_dostring(L, "tide = require 'tide'");
**
**   const tide_Api *api = tide_checkapi(L);
**   tide_Tensor t;
**   api->tensor(L, 1, &t);                   the elements of argument 1
*/
#ifndef TIDE_H
#define TIDE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" { /* Lua's own headers do not declare it */
#endif

#include <lauxlib.h>
#include <lua.h>

#define TIDE_VERSION "0.1.0"

/* {== limits ========================================================== */

/* Groups of functions that can be left out. */
#define TIDE_POINTERS 1u /* raw addresses: s.ptr, a.ptr, tide.ExternalStream */
#define TIDE_KERNELS 2u  /* device code: tide.RawKernel and its like */
#define TIDE_FILES \
  4u                  /* tide.save, tide.load, tide.open, h:readfrom,
                             h:writeto, tide.ipc */
#define TIDE_RESET 8u /* dev:reset(), which affects other states as well */

/* The limits of one lua_State. 0: no limit. */
typedef struct tide_Limits {
  size_t device_bytes; /* memory of each device, including cached blocks */
  size_t pinned_bytes; /* page-locked memory of each device: HostArrays */
  size_t streams;      /* dropped ones count until their work is done */
  size_t events;
  unsigned leave_out; /* groups: TIDE_POINTERS ... */
  int leave_gc;       /* not 0: tide neither changes the collector's mode nor
                           runs its steps to free device memory */
  double deadline;    /* seconds after the module is loaded: from then on
                           waits and calls of tide raise. api->deadline sets
                           another one. */
} tide_Limits;

/* Registry key of the limits: a table, and false once they are in force. */
#define TIDE_LIMITS_KEY "tide.limits"

/* Opens tide in programs that link libtide.a:
** luaL_requiref(L, "tide", luaopen_tide, 1). Other programs require "tide".
** luaopen_tide_core opens its C half alone, tide.core. */
int luaopen_tide (lua_State *L);
int luaopen_tide_core (lua_State *L);

static inline void tide_setlimit (lua_State *L, const char *name, size_t n) {
  lua_pushinteger(L, n < (size_t)INT64_MAX ? (lua_Integer)n
                                           : (lua_Integer)INT64_MAX);
  lua_setfield(L, -2, name);
}

/* Sets the limits of L. Raises if tide is already loaded into it. */
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

/* Kinds of values: api->kind. */
enum {
  TIDE_NONE, /* not an object of this tide */
  TIDE_DEVICE,
  TIDE_STREAM,
  TIDE_EVENT,
  TIDE_GRAPH,
  TIDE_ARRAY,
  TIDE_HOSTARRAY
};

/* Kinds of memory, as in DLDevice. */
enum {
  TIDE_CPU = 1,     /* of the host; the host device has only this kind */
  TIDE_CUDA = 2,    /* of a GPU */
  TIDE_CUDAHOST = 3 /* of the host, page-locked by CUDA */
};

typedef struct tide_Device {
  int32_t type; /* one of these */
  int32_t id;   /* from 0 */
} tide_Device;

/* Type codes of elements, as in DLDataType. */
enum {
  TIDE_INT = 0,
  TIDE_UINT = 1,
  TIDE_FLOAT = 2,
  TIDE_BFLOAT = 4,
  TIDE_COMPLEX = 5,
  TIDE_BOOL = 6
};

typedef struct tide_DType {
  uint8_t code;   /* one of these */
  uint8_t bits;   /* of an element: 32 for float32, 64 for complex64 */
  uint16_t lanes; /* 1 */
} tide_DType;

/* A view of memory, laid out as a DLTensor: a cast between the two is valid. */
typedef struct tide_Tensor {
  void *data; /* NULL if there are no elements */
  tide_Device device;
  int32_t ndim; /* number of axes, at most 32 */
  tide_DType dtype;
  int64_t *shape;       /* elements along each axis */
  int64_t *strides;     /* in elements; NULL: row-major, without gaps */
  uint64_t byte_offset; /* of the first element, from 'data' */
} tide_Tensor;

/* A tensor that is handed over: its receiver calls deleter(self) once, from any
** thread. Laid out as DLManagedTensorVersioned. */
typedef struct tide_Managed {
  struct {
    uint32_t major, minor;
  } version;
  void *manager;
  void (*deleter)(struct tide_Managed *self); /* NULL: nothing to call */
  uint64_t flags;                             /* TIDE_READ_ONLY */
  tide_Tensor tensor;
} tide_Managed;

/* Flags. All others are refused. */
enum {
  TIDE_READ_ONLY = 1,         /* only for tensors and arrays over host memory */
  TIDE_AS_HOSTARRAY = 1 << 16 /* api->wrap: a HostArray of TIDE_CPU memory */
};

/* Releases the memory, stream or event that it was given for. Called once,
** after the last use, on the thread that is in the lua_State. It calls neither
** Lua nor tide. */
typedef void (*tide_Release)(void *ud);

/* How a piece of work uses an array; 'arg' is its stack index. */
typedef struct tide_Access {
  int arg;   /* Array or HostArray */
  int write; /* not 0: it writes, and may read as well */
} tide_Access;

/*
** Queues work on a driver stream (a CUstream, or the stream of api->onstream),
** in order, and returns at once: 0, or an error code of the driver. It calls
** neither Lua nor tide, except api->onstream.
*/
typedef int (*tide_Work)(void *stream, void *ud);

/* Stands for "no stream" in api->todlpack and api->fromdlpack. */
#define TIDE_NO_STREAM ((void *)(intptr_t)-1)

enum { TIDE_API_VERSION = 1 };

/*
** The functions of this tide. New ones are only added, at the end. Call them on
** the thread that is in the lua_State. They raise Lua errors unless their
** comment says otherwise. 'arg' and 'stream' are stack indices; 'stream' 0 is
** the running coroutine's current stream. Groups that are left out restrict
** scripts only: all functions here stay available.
*/
typedef struct tide_Api {
  uint32_t version;    /* TIDE_API_VERSION */
  uint32_t size;       /* bytes of this struct */
  const char *release; /* "0.1.0" */

  /* {-- kinds and addresses of values */

  /* Returns TIDE_ARRAY ..., or TIDE_NONE for any other value. Raises
  ** nothing. */
  int (*kind)(lua_State *L, int arg);

  /* Raises unless the value is of that kind and open:
  ** "bad argument #1 to 'f' ...". */
  void (*check)(lua_State *L, int arg, int kind);

  /* Describes the elements of an Array or HostArray. Shape and strides belong
  ** to the array and live as long. Does not wait: see submit and wait. */
  void (*tensor)(lua_State *L, int arg, tide_Tensor *t);

  /* Returns a Stream's CUstream, an Event's CUevent, a Graph's CUgraphExec, or
  ** the address of an Array's or HostArray's first element. A default stream
  ** is 1 or 2, as in CUDA. tide orders its work after yours on such a stream
  ** only if it waits for the stream; a wait for an array is not enough: see
  ** submit. Runs the host functions that the stream's work or the event comes
  ** after, and raises in a host function if there are any. Raises for a graph
  ** with host functions, because it has no handle. */
  void *(*handle)(lua_State *L, int arg);

  /* Returns the device of an object. Raises if the value has none. */
  tide_Device (*device)(lua_State *L, int arg);

  /* --} */
  /* {-- making values: each function pushes one, except current */

  void (*pushdevice)(lua_State *L, tide_Device device);

  /* Pushes a Stream over a CUstream, or an Event over a CUevent, which belongs
  ** to the caller. Destroy it once 'release' (which may be NULL) was called. */
  void (*pushstream)(lua_State *L, tide_Device device, void *stream,
                     tide_Release release, void *ud);
  void (*pushevent)(lua_State *L, tide_Device device, void *event,
                    tide_Release release, void *ud);

  /* The running coroutine's current stream on a device, and its CUstream. */
  void (*pushcurrent)(lua_State *L, tide_Device device);
  void *(*current)(lua_State *L, tide_Device device);

  /* Pushes an Array (for TIDE_CUDA; on the host device, for TIDE_CPU) or a
  ** HostArray (for TIDE_CUDAHOST, or TIDE_CPU with TIDE_AS_HOSTARRAY, which is
  ** page-locked then). It has new memory and the shape and dtype of 't'; data
  ** and strides of 't' are ignored. The array is row-major and uninitialized,
  ** and TIDE_READ_ONLY has no effect. A HostArray belongs to the current
  ** device, not to device.id, if that is a GPU or with TIDE_AS_HOSTARRAY,
  ** because host memory has no device number. */
  void (*create)(lua_State *L, const tide_Tensor *t, unsigned flags);

  /* Pushes an Array or HostArray over the memory of 't', with its strides.
  ** Scripts cannot write it with TIDE_READ_ONLY. The memory must stay until
  ** 'release' (which may be NULL) is called: once, when this array, its views,
  ** their work and graphs with the memory are gone. If this function raises,
  ** 'release' is never called. */
  void (*wrap)(lua_State *L, const tide_Tensor *t, unsigned flags,
               tide_Release release, void *ud);

  /* --} */
  /* {-- work of your own, in order with tide's */

  /* Calls fn(stream, ud) at once. Work that it queues on that driver stream
  ** comes after all that the accesses have to wait for, and the next use of the
  ** arrays, on any stream, waits for it. In a capture it makes nodes. Raises
  ** the error that 'fn' returns; the work that it has queued counts all the
  ** same. Runs the host functions that this work comes after first, and raises
  ** in a host function if there are any. */
  void (*submit)(lua_State *L, int stream, const tide_Access *access, int n,
                 tide_Work fn, void *ud);

  /* submit as a pair of calls, for work that is queued by other code: between
  ** the two nothing else may use the arrays. 'before' returns the driver stream
  ** to queue on. */
  void *(*before)(lua_State *L, int stream, const tide_Access *access, int n);
  void (*after)(lua_State *L, int stream, const tide_Access *access, int n);

  /* For tide_Work: queues fn(ud), which a thread of the driver runs in the
  ** order of that stream, as cuLaunchHostFunc does; the host device, too. 'fn'
  ** calls neither Lua, nor tide, nor the driver. Returns 0 or an error code of
  ** the driver. Raises nothing. */
  int (*onstream)(tide_Device device, void *stream, void (*fn)(void *ud),
                  void *ud);

  /* --} */
  /* {-- waiting */

  /* Runs host functions that are due, as tide.poll(). Returns how many ran. */
  int (*poll)(lua_State *L);

  /* Returns a descriptor for poll(2) and its like, which is readable when a
  ** host function may be due. It belongs to the lua_State: do not close it. */
  int (*pollfd)(lua_State *L);

  /* Waits for all current uses of an Array or HostArray, or for a Stream, an
  ** Event or a Device. Returns 1 when it is done, 0 when so many seconds have
  ** passed before. Negative seconds: no limit. Runs host functions
  ** meanwhile. */
  int (*wait)(lua_State *L, int arg, double seconds);

  /* --} */
  /* {-- DLPack */

  /* Exports an Array or HostArray. 'stream', on which the receiver will use it,
  ** waits for what was queued; with TIDE_NO_STREAM it does not. Host memory is
  ** ready when this returns, so the call waits for it, unless TIDE_NO_STREAM is
  ** given. */
  tide_Managed *(*todlpack)(lua_State *L, int arg, void *stream);

  /* Pushes an array over a tensor of another library, whose deleter is called
  ** as 'release' is. tide's work on it comes after the present work of
  ** 'stream'. If this raises, the tensor still belongs to the caller. 'flags'
  ** are those of wrap. */
  void (*fromdlpack)(lua_State *L, tide_Managed *m, void *stream,
                     unsigned flags);

  /* --} */
  /* {-- ending scripts */

  /* Ends the wait of a state with this message as its error. If the state does
  ** not wait, its next call of tide raises it, on any coroutine. It is raised
  ** once; afterwards the state works as before. 'L' is the state's main thread,
  ** which luaL_newstate returned. The message is not copied: it must live as
  ** long as the state, as a literal does. A second message replaces one that
  ** was not raised yet; NULL takes it back.
  ** Any thread may call this, and so may signal handlers. Raises nothing.
  ** Returns 1, or 0 if tide is not open in such a state. While lua_close runs
  ** it does nothing; after that another state may have the same address. */
  int (*interrupt)(lua_State *L, const char *message);

  /* Sets a deadline, so many seconds from now: after it each wait and each call
  ** of tide raises, until another deadline is set. 0: no deadline. */
  void (*deadline)(lua_State *L, double seconds);

  /* --} */
} tide_Api;

/* Key of the tide_Api, in the registry and in the metatable of each object. */
#define TIDE_API_KEY "tide.api"

/* Pops the tide_Api on the top and returns it. If it does not fit this header,
** returns NULL and pushes a message. */
static inline const tide_Api *tide_acceptapi (lua_State *L) {
  const tide_Api *api = (const tide_Api *)lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (api == NULL)
    lua_pushliteral(L, "this tide has no functions for C: it is too old");
  else if (api->version != TIDE_API_VERSION || api->size < sizeof *api)
    lua_pushfstring(L,
                    "tide %s has other functions for C than the tide.h that "
                    "this was compiled with",
                    api->release);
  else
    return api;
  return NULL;
}

/*
** Returns the tide_Api of this lua_State, and loads tide if need be. Returns
** NULL, with a message on the stack, if tide cannot be loaded, is too old or is
** of another version.
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

/* tide_api that raises. */
static inline const tide_Api *tide_checkapi (lua_State *L) {
  const tide_Api *api = tide_api(L);
  if (api == NULL)
    lua_error(L);
  return api;
}

/*
** Returns the tide_Api of the tide that has made the value: in programs that
** load more than one copy of tide, each copy knows its own objects only.
** Returns NULL, with nothing on the stack, if it is no object of tide or its
** tide does not fit this header.
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
