/*
** driver.h - the driver table: CUDA's types as far as tide needs them, and
** struct Driver, one slot per line of driver.def.
**
** Three functions make a table: driver_cuda (libcuda, by dlopen),
** driver_host (the host device) and probe_driver (tests: forwards to
** another table, counts live objects, fails call n). Code above does not know
** which one it calls. Never include this beside NVIDIA's cuda.h.
*/
#ifndef TIDE_RT_DRIVER_DRIVER_H
#define TIDE_RT_DRIVER_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUfunction_attribute;
typedef unsigned long long CUdeviceptr; /* on the host device: an address */
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef struct CUuuid {
  char bytes[16];
} CUuuid;
typedef void (*CUhostFn)(void *ud);
typedef size_t (*CUoccupancyB2DSize)(int threads);

enum {
  CUDA_SUCCESS = 0,
#define E(name, code, text) name = code,
#include "errors.def"
#undef E
};

/* The two stream handles that name a default stream whatever the context. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 };
enum {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_EVENT_INTERPROCESS = 4
};
enum { CU_STREAM_WAIT_VALUE_GEQ = 0, CU_STREAM_WAIT_VALUE_EQ = 1 };
enum { CU_STREAM_WRITE_VALUE_DEFAULT = 0 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEMHOSTALLOC_DEVICEMAP = 2 };

typedef enum CUstreamCaptureMode {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;

typedef enum CUstreamCaptureStatus {
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;

enum {
  CU_STREAM_ADD_CAPTURE_DEPENDENCIES = 0,
  CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1
};

typedef enum CUgraphExecUpdateResult {
  CU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
  CU_GRAPH_EXEC_UPDATE_ERROR = 1,
  CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
  CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
  CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
  CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
  CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6,
  CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
  CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8
} CUgraphExecUpdateResult;

typedef struct CUgraphExecUpdateResultInfo {
  CUgraphExecUpdateResult result;
  CUgraphNode errorNode;
  CUgraphNode errorFromNode;
} CUgraphExecUpdateResultInfo;

typedef enum CUmemPool_attribute {
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD = 4,    /* uint64_t */
  CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT = 5, /* uint64_t */
  CU_MEMPOOL_ATTR_USED_MEM_CURRENT = 7      /* uint64_t */
} CUmemPool_attribute;

enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1, CU_MEM_LOCATION_TYPE_DEVICE = 1 };

typedef struct CUmemPoolProps { /* 88 bytes: CUmemPoolProps_v1 */
  int allocType;                /* CU_MEM_ALLOCATION_TYPE_PINNED */
  int handleTypes;              /* 0 */
  struct {
    int type, id;
  } location;
  void *win32SecurityAttributes;
  size_t maxSize; /* 0: the system's default */
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;

enum {
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
  CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0
};

typedef struct CUmemLocation {
  int type, id;
} CUmemLocation;

typedef struct CUmemAllocationProp { /* 32 bytes: CUmemAllocationProp_v1 */
  int type;                          /* CU_MEM_ALLOCATION_TYPE_PINNED */
  int requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  struct {
    unsigned char compressionType, gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} CUmemAllocationProp;

typedef struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
} CUmemAccessDesc;

enum { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };

typedef struct CUlaunchAttribute { /* 72 bytes */
  int id;
  char pad[4];
  union {
    char pad[64];
    int programmaticStreamSerializationAllowed;
  } value;
} CUlaunchAttribute;

typedef struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
} CUlaunchConfig;

/* Device attributes tide reads by name (CUdevice_attribute). */
enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
  CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
};

/* Attributes of a function. */
enum {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
};

/* Classes of driver objects that can leak; the probe counts each. */
typedef enum DriverLive {
  NONE = 0,
  LIVE_CONTEXT,
  LIVE_STREAM,
  LIVE_EVENT,
  LIVE_POOL,
  LIVE_MEMORY,
  LIVE_PINNED,
  LIVE_MODULE,
  LIVE_GRAPH,
  LIVE_EXEC,
  LIVE_ADDRESSES,
  LIVE_SHAREABLE, /* of no context */
  LIVE_CLASSES
} DriverLive;

enum { DRIVER_KERNEL = 64, DRIVER_WHY = 200 };

/* A stream, with the ordinal of its device. */
typedef struct DriverStream {
  int ordinal;
  CUstream s;
} DriverStream;

/*
** Gives the kernels of a Runtime that run now 'ms' to end, then stops them,
** because users' kernels may run for ever, and built-in ones long. Users'
** kernels are found by 'owner', the id of their Runtime; built-in ones by the
** 'n' streams. Returns how many were stopped, and stores the name of the
** latest. A stopped kernel leaves its output incomplete.
*/
typedef int DriverStop (uint64_t owner, const DriverStream *streams, int n,
                        unsigned ms, char name[DRIVER_KERNEL]);

/* Writes more about why the context has failed; empty: nothing is known. */
typedef void DriverWhy (CUcontext ctx, char text[DRIVER_WHY]);

/*
** A launch of a program writes here that it went outside of an array, instead
** of failing the context. The first report stays until 'set' is cleared. The
** struct must live until the launch, or the last launch of its graph, is over.
*/
typedef struct DriverReport {
  uint32_t set; /* atomic; written after 'why' */
  char why[DRIVER_WHY];
} DriverReport;

/* A thread of tide's own has written a word that streams may wait for: they go
** on at once, without waiting for the next look. */
typedef void DriverLook (void);

/* A sleeping wait: wake(ud) is called whenever an event is reached, on any
** thread, with a lock held. It must be short and call no driver. */
typedef struct DriverListener {
  struct DriverListener *next;
  void (*wake)(void *ud);
  void *ud;
} DriverListener;

typedef void DriverListen (DriverListener *who, bool listens);

typedef struct Driver {
  const char *kind;  /* "cuda" or "host" */
  const void *image; /* built-in kernels for cuModuleLoadData; NULL: none */
  const void *ptx;   /* for devices without code in the image; may be NULL */
  const char *(*complaint)(void); /* returns a sentence why its devices cannot
                                       be used, or NULL; may be NULL */
#define X(kind, live, since, name, params, args) CUresult(*name) params;
#include "driver.def"
#undef X
  /* Entries without a CUDA counterpart; NULL in CUDA's table. */
  DriverStop *stop;
  DriverWhy *why;
  DriverLook *look;
  DriverListen *listen;
} Driver;

/*
** The CUDA driver, loaded once per process. NULL if it cannot be used; *why
** then says what is missing (a sentence for the user). Thread-safe.
*/
const Driver *driver_cuda (const char **why);

/* Returns 1000 * major + 10 * minor of the CUDA version that the driver
** supports; 0 if no driver has reported it. */
int driver_cuda_version (void);

/* Returns the host device's table, which is always there. */
const Driver *driver_host (void);

#endif
