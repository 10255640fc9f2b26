/*
** limit.c - the machine's limit: every row of the bench in C, directly with the
** CUDA driver API, with nothing between the loop and the driver.
**
**   limit KERNELS         all rows, one a line: key median unit min max
**   limit KERNELS calls   only rows that count calls
**   limit KERNELS files [FILE]   rows of limit_files.c; with a FILE to read,
**                         also its row
**   limit KERNELS start   one cold result, then exit (bench/run times it)
**
** KERNELS is limit.cu compiled to a cubin or a fatbin. Every sample is a loop
** of n calls and a wait for the device, on a host clock; README.md describes
** the calls of each row.
*/
#define _POSIX_C_SOURCE 200809L

#include "limit.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

Limit G;

void must (CUresult r, const char *call) {
  const char *name = NULL;
  if (r == CUDA_SUCCESS)
    return;
  cuGetErrorName(r, &name);
  fprintf(stderr, "limit: %s: %s\n", call, name ? name : "unknown error");
  exit(1);
}

void require (int ok, const char *what) {
  if (!ok) {
    fprintf(stderr, "limit: wrong result: %s\n", what);
    exit(1);
  }
}

static double now (void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
** {======================================================
** Samples. A loop makes n calls; a sample is the loop and a wait for the
** device, over n. Rates come out in GB/s (1e9 bytes), times in us.
** =======================================================
*/

static int ascending (const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Takes 'repeats' samples after one for warm-up, or the first time after as
** many as take WARM seconds. Returns seconds per call. */
Sample sample (Loop loop, int n, int repeats) {
  static double warm = WARM;
  double t[REPEATS], start = now();
  do {
    loop(n);
    CU(cuCtxSynchronize());
  } while (now() - start < warm);
  warm = 0;
  for (int i = 0; i < repeats; i++) {
    start = now();
    loop(n);
    CU(cuCtxSynchronize());
    t[i] = (now() - start) / n;
  }
  qsort(t, (size_t)repeats, sizeof(t[0]), ascending);
  return (Sample){ t[0], t[repeats / 2], t[repeats - 1] };
}

void us (const char *key, Loop loop, int n) {
  Sample s = sample(loop, n, REPEATS);
  printf("%s\t%.4g\tus\t%.4g\t%.4g\n", key, s.median * 1e6, s.min * 1e6,
         s.max * 1e6);
  fflush(stdout);
}

void print_rate (const char *key, Sample s, double bytes) {
  printf("%s\t%.5g\tGB/s\t%.5g\t%.5g\n", key, bytes / s.median / 1e9,
         bytes / s.max / 1e9, bytes / s.min / 1e9);
  fflush(stdout);
}

/* }====================================================== */

void launch (CUfunction f, unsigned grid, unsigned block, CUstream s,
             void **args) {
  CU(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, s, args, NULL));
}

CUfunction function (const char *name) {
  CUfunction f;
  CU(cuModuleGetFunction(&f, G.mod, name));
  return f;
}

CUdeviceptr filled (size_t n) {
  CUdeviceptr p;
  void *args[] = { &p, &n };
  CU(cuMemAlloc(&p, n * sizeof(float)));
  launch(function("fill"), 1024, 256, G.s, args);
  return p;
}

/* The primary context, the kernels, three filled small arrays. */
static CUdevice open_device (const char *kernels) {
  CUdevice dev;
  CU(cuInit(0));
  CU(cuDeviceGet(&dev, 0));
  CU(cuDevicePrimaryCtxRetain(&G.ctx, dev));
  CU(cuCtxSetCurrent(G.ctx));
  CU(cuModuleLoad(&G.mod, kernels));
  CU(cuStreamCreate(&G.s, CU_STREAM_NON_BLOCKING));
  G.mul3 = function("mul3");
  G.busy = function("busy");
  G.mul8 = function("mul8");
  G.sum1 = function("sum1");
  G.x = filled(SMALL);
  G.y = filled(SMALL);
  G.z = filled(SMALL);
  return dev;
}

/* Freed memory stays in the pool, as tide keeps it. */
static void keep_pool (CUdevice dev) {
  CUmemoryPool pool;
  uint64_t all = UINT64_MAX;
  CU(cuDeviceGetDefaultMemPool(&pool, dev));
  CU(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
}

static void rows (CUdevice dev, const char *which, const char *path) {
  keep_pool(dev);
  if (strcmp(which, "files") == 0) {
    file_rows(path);
    return;
  }
  CU(cuStreamCreate(&G.t, CU_STREAM_NON_BLOCKING));
  CU(cuEventCreate(&G.e[0], CU_EVENT_DISABLE_TIMING));
  CU(cuEventCreate(&G.e[1], CU_EVENT_DISABLE_TIMING));
  call_rows();
  if (strcmp(which, "calls") != 0)
    byte_rows(dev);
}

int main (int argc, char **argv) {
  CUdevice dev;
  const char *which = (argc > 2) ? argv[2] : "all";
  if (argc < 2) {
    fprintf(stderr, "usage: %s KERNELS [calls|files [FILE]|start]\n", argv[0]);
    return 2;
  }
  dev = open_device(argv[1]);
  if (strcmp(which, "start") == 0)
    check_small();
  else
    rows(dev, which, (argc > 3) ? argv[3] : NULL);
  return 0;
}
