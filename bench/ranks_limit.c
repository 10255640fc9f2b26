/*
** ranks_limit.c - the limit of several GPUs: copies between two of them by the
** driver, and NCCL between processes, with nothing in between.
**
**   ranks_limit peers     one process: copies from memory to memory
**   ranks_limit ranks [n] n processes (2), which meet by NCCL_COMM_ID
**
** NCCL is loaded (TIDE_LIBNCCL, or libnccl.so.2), so its header is not needed.
** Rows have the form of limit.c's: key, median, unit, min, max.
*/
#define _POSIX_C_SOURCE 200809L

#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 15
#define CU(call) must((call) == CUDA_SUCCESS, #call)
#define NCCL(call) must_nccl((call), #call)

enum { FLOAT32 = 7, SUM = 0 };

typedef struct Id { char bytes[128]; } Id;

static struct {
  int (*id) (Id *id);
  int (*init) (void **comm, int size, Id id, int rank);
  int (*all_reduce) (const void *from, void *to, size_t n, int type, int op,
                     void *comm, CUstream s);
  int (*destroy) (void *comm);
  const char *(*why) (void *comm);
} nccl;

static void must (int ok, const char *what) {
  if (ok)
    return;
  fprintf(stderr, "ranks_limit: %s failed\n", what);
  exit(1);
}

static void must_nccl (int result, const char *what) {
  if (result != 0)
    fprintf(stderr, "ranks_limit: NCCL: %d, %s\n", result, nccl.why(NULL));
  must(result == 0, what);
}

static double now (void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Makes n calls, and waits. */
typedef void (*Loop) (int n);

/* Prints microseconds, or GB/s of 'bytes' a call. */
static void row (const char *key, Loop loop, int n, double bytes, int prints) {
  double t[REPEATS], start;
  loop(n);
  for (int i = 0; i < REPEATS; i++) {
    start = now();
    loop(n);
    t[i] = (now() - start) / n;
  }
  qsort(t, REPEATS, sizeof t[0], ascending);
  double *m = &t[REPEATS / 2];
  if (!prints)
    return;
  if (bytes > 0)
    printf("%s\t%.5g\tGB/s\t%.5g\t%.5g\n", key, bytes / *m / 1e9,
           bytes / t[REPEATS - 1] / 1e9, bytes / t[0] / 1e9);
  else
    printf("%s\t%.5g\tus\t%.5g\t%.5g\n", key, *m * 1e6, t[0] * 1e6,
           t[REPEATS - 1] * 1e6);
  fflush(stdout);
}

/* {== copies between two GPUs ========================================= */

static CUstream stream;
static CUdeviceptr from, to;
static size_t bytes;

static void copy (int n) {
  for (int i = 0; i < n; i++)
    CU(cuMemcpyAsync(to, from, bytes, stream));
  CU(cuStreamSynchronize(stream));
}

static CUcontext context (int ordinal, CUdevice *dev) {
  CUcontext ctx;
  CU(cuDeviceGet(dev, ordinal));
  CU(cuDevicePrimaryCtxRetain(&ctx, *dev));
  CU(cuCtxSetCurrent(ctx));
  return ctx;
}

static CUmemoryPool pool_of (CUdevice dev, CUdevice other) {
  CUmemoryPool pool;
  CUmemPoolProps props;
  memset(&props, 0, sizeof props);
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  props.location.id = dev;
  CU(cuMemPoolCreate(&pool, &props));
  CUmemAccessDesc who = {{CU_MEM_LOCATION_TYPE_DEVICE, other},
                         CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CU(cuMemPoolSetAccess(pool, &who, 1));
  return pool;
}

static void peers (void) {
  CUdevice dev[2];
  CUstream s;
  CUcontext ctx = context(0, &dev[0]), other = context(1, &dev[1]);
  size_t most = (size_t)256 << 20;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuMemAllocFromPoolAsync(&to, most, pool_of(dev[1], dev[0]), stream));
  CU(cuStreamSynchronize(stream));
  CU(cuCtxSetCurrent(ctx));
  CU(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
  CU(cuMemAllocFromPoolAsync(&from, most, pool_of(dev[0], dev[1]), s));
  CU(cuStreamSynchronize(s));
  CU(cuCtxSetCurrent(other));
  bytes = most;
  row("peer_256m", copy, 50, (double)bytes, 1);
  bytes = 1 << 20;
  row("peer_1m", copy, 500, 0, 1);
  bytes = 4096;
  row("peer_4k", copy, 2000, 0, 1);
}

/* ==} */

/* {== NCCL between two processes ====================================== */

static void *comm;
static size_t count;

static void reduce (int n) {
  void *p = (void *)(size_t)from;
  for (int i = 0; i < n; i++)
    NCCL(nccl.all_reduce(p, p, count, FLOAT32, SUM, comm, stream));
  CU(cuStreamSynchronize(stream));
}

static void find (void *lib, const char *name, void *fn) {
  void *address = dlsym(lib, name);
  must(address != NULL, name);
  memcpy(fn, &address, sizeof address);
}

static void load (void) {
  const char *path = getenv("TIDE_LIBNCCL");
  void *lib = dlopen(path != NULL ? path : "libnccl.so.2", RTLD_NOW);
  must(lib != NULL, "loading NCCL");
  find(lib, "ncclGetUniqueId", &nccl.id);
  find(lib, "ncclCommInitRank", &nccl.init);
  find(lib, "ncclAllReduce", &nccl.all_reduce);
  find(lib, "ncclCommDestroy", &nccl.destroy);
  find(lib, "ncclGetLastError", &nccl.why);
}

static void run_rank (int rank, int size) {
  CUdevice dev;
  Id id;
  CU(cuInit(0));
  context(rank, &dev);
  load();
  NCCL(nccl.id(&id));
  NCCL(nccl.init(&comm, size, id, rank));
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuMemAlloc(&from, (size_t)1 << 30));
  CU(cuMemsetD8(from, 0, (size_t)1 << 30));
  count = 1 << 28;
  row("reduce_1g", reduce, 5, (double)count * 4, rank == 0);
  count = 1 << 18;
  row("reduce_1m", reduce, 500, 0, rank == 0);
  count = 2;
  row("reduce_8", reduce, 2000, 0, rank == 0);
  NCCL(nccl.destroy(comm));
}

static int ranks (int size) {
  int failed = 0, status, rank = 0;
  setenv("NCCL_COMM_ID", "127.0.0.1:45321", 0);
  for (int i = 1; i < size && rank == 0; i++)
    rank = fork() == 0 ? i : 0;
  run_rank(rank, size);
  while (rank == 0 && wait(&status) > 0)
    failed |= status != 0;
  return failed;
}

/* ==} */

int main (int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "ranks") == 0)
    return ranks(argc > 2 ? atoi(argv[2]) : 2);
  CU(cuInit(0));
  peers();
  return 0;
}
