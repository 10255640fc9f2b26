/*
** device.c - a fake CUDA driver with one device: its memory is the host's, work
** is done when it is queued, and it only runs kernels that are written here
** again in C, if the compiled code has one of that name. With it
** spec/user_kernels/rawkernel_spec.lua tests the work of tide around a launch.
**
**   FAKE_LOG=path   a line for each module and launch
**   FAKE_OLD=1      a driver before cuFuncGetParamInfo
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/rt/driver/driver.h"

#define PUBLIC __attribute__((visibility("default")))

typedef CUresult (*Entry)(void);

/* {== the log ========================================================= */

static void note (const char *what, const char *name) {
  const char *path = getenv("FAKE_LOG");
  FILE *f = (path != NULL) ? fopen(path, "a") : NULL;
  if (f == NULL)
    return;
  fprintf(f, "%s %s\n", what, name);
  fclose(f);
}

/* ==} */

/* {== device, streams, events, memory ================================= */

static int context, handles;

static CUresult ok (void) { return CUDA_SUCCESS; }

static CUresult not_supported (void) { return CUDA_ERROR_NOT_SUPPORTED; }

static CUresult count_devices (int *n) {
  *n = 1;
  return 0;
}

static CUresult get_device (CUdevice *dev, int ordinal) {
  *dev = ordinal;
  return 0;
}

static CUresult get_name (char *name, int len, CUdevice dev) {
  snprintf(name, (size_t)len, "made up %d", dev);
  return 0;
}

static CUresult get_bytes (size_t *bytes, CUdevice dev) {
  *bytes = (size_t)dev + (1u << 30);
  return 0;
}

static CUresult get_memory (size_t *free_bytes, size_t *total) {
  *free_bytes = *total = 1u << 30;
  return 0;
}

/* The device has compute capability 9.0. */
static CUresult get_attribute (int *value, int attr, CUdevice dev) {
  *value = (attr == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) ? 9 : dev;
  return 0;
}

static CUresult retain (CUcontext *ctx, CUdevice dev) {
  (void)dev;
  *ctx = (CUcontext)(void *)&context;
  return 0;
}

static CUresult get_range (int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return 0;
}

/* Streams, events and pools are numbers from 16 on. */
static CUresult make_handle (void **handle) {
  *handle = (void *)(uintptr_t)(16 + 16 * ++handles);
  return 0;
}

static CUresult get_zero (CUstream s, int *value) {
  (void)s;
  *value = 0;
  return 0;
}

static CUresult elapsed (float *ms, CUevent a, CUevent b) {
  (void)a;
  (void)b;
  *ms = 0;
  return 0;
}

static CUresult allocate (CUdeviceptr *p, size_t bytes, CUmemoryPool pool,
                          CUstream s) {
  (void)pool;
  (void)s;
  *p = (CUdeviceptr)(uintptr_t)calloc(1, bytes);
  return 0;
}

static CUresult give_back (CUdeviceptr p, CUstream s) {
  (void)s;
  free((void *)(uintptr_t)p);
  return 0;
}

static CUresult allocate_host (void **p, size_t bytes, unsigned flags) {
  (void)flags;
  *p = calloc(1, bytes);
  return 0;
}

static CUresult free_host (void *p) {
  free(p);
  return 0;
}

static CUresult copy (CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                      CUstream s) {
  (void)s;
  memmove((void *)(uintptr_t)dst, (void *)(uintptr_t)src, bytes);
  return 0;
}

static CUresult error_name (int code, const char **name) {
  (void)code;
  *name = "CUDA_ERROR_FAKE";
  return 0;
}

/* ==} */

/* {== kernels ========================================================= */

typedef struct Dims {
  unsigned grid[3], block[3], shared;
} Dims;

#define ARG(i, T) (*(T *)params[i])

/* __global__ void saxpy (float a, const float *x, float *y, int n) */
static void saxpy (const Dims *d, void **params) {
  (void)d;
  for (int i = 0; i < ARG(3, int); i++)
    ARG(2, float *)[i] += ARG(0, float) * ARG(1, float *)[i];
}

/* extern "C" __global__ void dims (int *out): what it is launched with */
static void dims (const Dims *d, void **params) {
  memcpy(ARG(0, int *), d, sizeof *d);
}

/* template <class T> __global__ void twice (T *x, int n), of double */
static void twice (const Dims *d, void **params) {
  (void)d;
  for (int i = 0; i < ARG(1, int); i++)
    ARG(0, double *)[i] *= 2;
}

/* extern "C" __global__ void values (bool b, signed char c, unsigned short s,
** long long l, double f, struct Pair p, double *out) */
static void values (const Dims *d, void **params) {
  double *out = ARG(6, double *);
  (void)d;
  out[0] = ARG(0, _Bool);
  out[1] = ARG(1, signed char);
  out[2] = ARG(2, unsigned short);
  out[3] = (double)ARG(3, long long);
  out[4] = ARG(4, double);
  out[5] = ((int *)params[5])[2];
}

/* A kernel, with the sizes of its parameters. */
typedef struct CUfunc_st {
  const char *name;
  void (*run)(const Dims *d, void **params);
  int n, bytes[8];
} Function;

static Function functions[] = {
  {"saxpy", saxpy, 4, {4, 8, 8, 4}},
  {"dims", dims, 1, {8}},
  {"_Z5twiceIdEvPT_i", twice, 2, {8, 4}},
  {"values", values, 7, {1, 1, 2, 8, 8, 12, 8}},
  {"built-in", NULL, 0, {0}},
};

enum { BUILT_IN = sizeof functions / sizeof functions[0] - 1 };

/* Where an ELF file's table of sections ends, which is the end of it. */
static size_t elf_size (const unsigned char *p) {
  uint64_t offset;
  uint16_t size, n;
  memcpy(&offset, p + 40, sizeof offset);
  memcpy(&size, p + 58, sizeof size);
  memcpy(&n, p + 60, sizeof n);
  return offset + (size_t)size * n;
}

static CUresult load_module (CUmodule *m, const void *image) {
  const unsigned char *p = image;
  *m = (CUmodule)image;
  if (memcmp(p, "\177ELF", 4) != 0)
    return CUDA_SUCCESS; /* the built-in kernels */
  size_t n = elf_size(p);
  unsigned char *copy_of = malloc(n);
  memcpy(copy_of, p, n);
  *m = (CUmodule)(void *)copy_of;
  note("load", "");
  return CUDA_SUCCESS;
}

static CUresult unload_module (CUmodule m) {
  if (memcmp((void *)m, "\177ELF", 4) == 0) {
    note("unload", "");
    free(m);
  }
  return CUDA_SUCCESS;
}

static CUresult find_function (CUfunction *f, CUmodule m, const char *name) {
  char section[128];
  *f = &functions[BUILT_IN];
  if (memcmp((void *)m, "\177ELF", 4) != 0)
    return CUDA_SUCCESS;
  int len = snprintf(section, sizeof section, ".text.%s", name);
  if (memmem(m, elf_size((void *)m), section, (size_t)len + 1) == NULL)
    return CUDA_ERROR_NOT_FOUND;
  for (int i = 0; i < BUILT_IN; i++)
    if (strcmp(functions[i].name, name) == 0)
      *f = &functions[i];
  return CUDA_SUCCESS;
}

/* Variables whose name the code has: each is of 32 bytes. */
static CUresult get_variable (CUdeviceptr *p, size_t *bytes, CUmodule m,
                              const char *name) {
  enum { MOST = 16 };
  static struct {
    CUmodule m;
    char name[32];
    double bytes[4];
  } known[MOST];
  int i = 0;
  if (memcmp((void *)m, "\177ELF", 4) != 0 ||
      memmem(m, elf_size((void *)m), name, strlen(name) + 1) == NULL)
    return CUDA_ERROR_NOT_FOUND;
  while (i < MOST - 1 && known[i].m != NULL &&
         (known[i].m != m || strcmp(known[i].name, name) != 0))
    i++;
  known[i].m = m;
  snprintf(known[i].name, sizeof known[i].name, "%s", name);
  *p = (CUdeviceptr)(uintptr_t)known[i].bytes;
  *bytes = sizeof known[i].bytes;
  return CUDA_SUCCESS;
}

static CUresult function_attribute (int *value, int attr, CUfunction f) {
  (void)f;
  *value = (attr == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ? 1024 : attr;
  return 0;
}

static CUresult set_attribute (CUfunction f, int attr, int value) {
  char text[32];
  snprintf(text, sizeof text, "%d=%d", attr, value);
  note(f->name, text);
  return 0;
}

/* Multiprocessors with room for 2048 threads and 228 KB, of which there are
** 132. */
static CUresult active_blocks (int *blocks, CUfunction f, int threads,
                               size_t shared) {
  (void)f;
  *blocks = 2048 / threads < 32 ? 2048 / threads : 32;
  if (shared > 0 && (size_t)*blocks > (228 << 10) / shared)
    *blocks = (int)((228 << 10) / shared);
  return 0;
}

static CUresult best_block (int *grid, int *block, CUfunction f,
                            CUoccupancyB2DSize sizes, size_t shared,
                            int limit) {
  (void)sizes;
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  active_blocks(grid, f, *block, shared);
  *grid *= 132;
  return 0;
}

static CUresult parameter (CUfunction f, size_t i, size_t *offset,
                           size_t *bytes) {
  if (i >= (size_t)f->n)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = 8 * i;
  *bytes = (size_t)f->bytes[i];
  return 0;
}

static CUresult launch (CUfunction f, unsigned gx, unsigned gy, unsigned gz,
                        unsigned bx, unsigned by, unsigned bz, unsigned shared,
                        CUstream s, void **params, void **extra) {
  Dims d = {{gx, gy, gz}, {bx, by, bz}, shared};
  (void)s;
  (void)extra;
  note("launch", f->name);
  if (f->run != NULL)
    f->run(&d, params);
  return 0;
}

/* ==} */

/* {== the table ======================================================= */

#define E(name, fn) \
  { name, (Entry)(void (*)(void))fn }

static const struct {
  const char *name;
  Entry entry;
} known[] = {
  E("cuDeviceGetCount", count_devices),
  E("cuDeviceGet", get_device),
  E("cuDeviceGetName", get_name),
  E("cuDeviceTotalMem", get_bytes),
  E("cuDeviceGetAttribute", get_attribute),
  E("cuDevicePrimaryCtxRetain", retain),
  E("cuCtxGetCurrent", retain),
  E("cuCtxGetStreamPriorityRange", get_range),
  E("cuStreamCreateWithPriority", make_handle),
  E("cuEventCreate", make_handle),
  E("cuMemPoolCreate", make_handle),
  E("cuStreamGetFlags", get_zero),
  E("cuStreamGetPriority", get_zero),
  E("cuStreamIsCapturing", get_zero),
  E("cuEventElapsedTime", elapsed),
  E("cuMemGetInfo", get_memory),
  E("cuMemAllocFromPoolAsync", allocate),
  E("cuMemFreeAsync", give_back),
  E("cuMemHostAlloc", allocate_host),
  E("cuMemFreeHost", free_host),
  E("cuMemcpyAsync", copy),
  E("cuGetErrorName", error_name),
  E("cuGetErrorString", error_name),
  E("cuModuleLoadData", load_module),
  E("cuModuleUnload", unload_module),
  E("cuModuleGetFunction", find_function),
  E("cuModuleGetGlobal", get_variable),
  E("cuFuncGetAttribute", function_attribute),
  E("cuFuncSetAttribute", set_attribute),
  E("cuFuncGetParamInfo", parameter),
  E("cuOccupancyMaxActiveBlocksPerMultiprocessor", active_blocks),
  E("cuOccupancyMaxPotentialBlockSize", best_block),
  E("cuLaunchKernel", launch),
  E("cuStreamBeginCapture", not_supported),
  E("cuLaunchHostFunc", not_supported),
};

PUBLIC int cuDriverGetVersion (int *version) {
  *version = 13000;
  return 0;
}

PUBLIC int cuGetProcAddress_v2 (const char *name, void **fn, int since,
                                uint64_t flags, int *status) {
  Entry entry = ok;
  (void)since;
  (void)flags;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0)
      entry = known[i].entry;
  if (getenv("FAKE_OLD") != NULL && strcmp(name, "cuFuncGetParamInfo") == 0)
    entry = NULL;
  *status = 0;
  memcpy(fn, &entry, sizeof entry);
  return entry != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ==} */
