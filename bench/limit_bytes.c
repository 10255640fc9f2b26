/*
** limit_bytes.c - the rows of the limit program that count bytes, in GB/s.
*/
#include "limit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIG ((size_t)1 << 28)        /* elements of the big arrays */
#define COPY ((size_t)256 << 20)     /* bytes of one host copy */
#define MAXPARTS 8192                /* blocks of a big sum, at most */

static struct {
  CUdeviceptr a, b, c, part;         /* big arrays, partial sums */
  void *pinned, *plain;              /* host memory, COPY bytes each */
  CUfunction big;                    /* the kernel of the current row, */
  unsigned grid, block;              /* and its shape */
} B;

static void rate (const char *key, Loop loop, int n, double bytes) {
  print_rate(key, sample(loop, n, 7), bytes);
}

/*
** {======================================================
** Bandwidth: 2^28 float32, three arrays. The best of a few kernel shapes.
** =======================================================
*/

static void loop_add (int n) {
  void *args[] = { &B.a, &B.b, &B.c };
  while (n-- > 0)
    launch(B.big, B.grid, B.block, G.s, args);
}

static void loop_sum_big (int n) {
  size_t n4 = BIG / 4;
  void *first[] = { &B.a, &B.part, &n4 };
  void *second[] = { &B.part, &G.z, &B.grid };
  while (n-- > 0) {
    launch(B.big, B.grid, B.block, G.s, first);
    launch(G.sum1, 1, 1024, G.s, second);
  }
}

static Sample better (Sample a, Sample b) {
  return (a.median <= b.median) ? a : b;
}

/* The last element is 255.75 in each of the arrays. */
static void stream_row (const char *key, const char *prefix, double bytes,
                        float want) {
  char name[16];
  Sample best = { INFINITY, INFINITY, INFINITY };
  float last;
  for (unsigned per = 1; per <= 4; per *= 2)
    for (B.block = 256; B.block <= 1024; B.block *= 2) {
      snprintf(name, sizeof name, "%s%u", prefix, per);
      B.big = function(name);
      B.grid = (unsigned)(BIG / 4 / (B.block * per));
      CU(cuMemsetD32Async(B.c, 0x7fc00000u, BIG, G.s));  /* all NaN */
      best = better(best, sample(loop_add, 20, 7));
      CU(cuMemcpyDtoH(&last, B.c + (BIG - 1) * sizeof(float), sizeof(last)));
      require(last == want, name);
    }
  print_rate(key, best, bytes * (double)BIG);
}

static void sum_big (int sms) {
  static const char *const kernels[] =
    { "sum2_parts", "sum4_parts", "sum8_parts" };
  Sample best = { INFINITY, INFINITY, INFINITY };
  double want = (double)BIG * 1023.0 * 0.125;
  float sum;
  for (int k = 0; k < 3; k++)
    for (unsigned threads = 1024; threads <= 8192; threads *= 2) {
      B.big = function(kernels[k]);
      B.block = 512;
      B.grid = (unsigned)sms * threads / B.block;
      if (B.grid > MAXPARTS)
        continue;
      best = better(best, sample(loop_sum_big, 20, 7));
      CU(cuMemcpyDtoH(&sum, G.z, sizeof(sum)));
      require(fabs(sum - want) < 1e-4 * want, kernels[k]);
    }
  print_rate("sum_big", best, 4.0 * (double)BIG);
}

static void bandwidth (CUdevice dev) {
  int sms;
  CU(cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, dev));
  B.a = filled(BIG);
  B.b = filled(BIG);
  CU(cuMemAlloc(&B.c, BIG * sizeof(float)));
  CU(cuMemAlloc(&B.part, MAXPARTS * sizeof(float)));
  stream_row("add_big", "add", 12.0, 2 * 255.75f);
  stream_row("copy_big", "copy", 8.0, 255.75f);
  sum_big(sms);
}

/* }====================================================== */

/*
** {======================================================
** Copies of 256 MiB
** =======================================================
*/

static void loop_h2d_pinned (int n) {
  while (n-- > 0)
    CU(cuMemcpyHtoDAsync(B.a, B.pinned, COPY, G.s));
}

static void loop_d2h_pinned (int n) {
  while (n-- > 0)
    CU(cuMemcpyDtoHAsync(B.pinned, B.a, COPY, G.s));
}

static void loop_h2d_pageable (int n) {
  while (n-- > 0)
    CU(cuMemcpyHtoD(B.a, B.plain, COPY));
}

/* new host memory each time, as a call that returns a host object must */
static void loop_d2h_new (int n) {
  while (n-- > 0) {
    void *p = malloc(COPY);
    require(p != NULL, "malloc");
    CU(cuMemcpyDtoH(p, B.a, COPY));
    free(p);
  }
}

static void copies (void) {
  CU(cuMemHostAlloc(&B.pinned, COPY, CU_MEMHOSTALLOC_PORTABLE));
  B.plain = malloc(COPY);
  require(B.plain != NULL, "malloc");
  CU(cuMemcpyDtoH(B.pinned, B.a, COPY));
  memcpy(B.plain, B.pinned, COPY);
  rate("h2d_pinned", loop_h2d_pinned, 10, (double)COPY);
  rate("d2h_pinned", loop_d2h_pinned, 10, (double)COPY);
  rate("h2d_pageable", loop_h2d_pageable, 2, (double)COPY);
  rate("d2h_new", loop_d2h_new, 2, (double)COPY);
  require(memcmp(B.plain, B.pinned, COPY) == 0, "copies");
}

/* }====================================================== */

void byte_rows (CUdevice dev) {
  bandwidth(dev);
  copies();
}
