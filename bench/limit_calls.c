/*
** limit_calls.c - the rows of the limit program that count calls, in us.
*/
#include "limit.h"

static void mul_on (CUstream s) {
  void *args[] = { &G.x, &G.y, &G.z };
  launch(G.mul3, SMALL / 256, 256, s, args);
}

/*
** {======================================================
** Launches
** =======================================================
*/

static void loop_launch3 (int n) {
  while (n-- > 0)
    mul_on(G.s);
}

static void loop_launch3_null (int n) {
  while (n-- > 0)
    mul_on(NULL);
}

static void loop_mul8 (int n) {
  void *args[] = { &G.x, &G.y, &G.z };
  while (n-- > 0)
    launch(G.mul8, SMALL / 256, 256, G.s, args);
}

static void loop_sum (int n) {
  unsigned count = SMALL;
  void *args[] = { &G.x, &G.z, &count };
  while (n-- > 0)
    launch(G.sum1, 1, 256, G.s, args);
}

static void loop_alloc (int n) {
  while (n-- > 0) {
    CUdeviceptr p;
    CU(cuMemAllocAsync(&p, 4096, G.s));
    CU(cuMemFreeAsync(p, G.s));
  }
}

static void loop_mul_alloc (int n) {
  while (n-- > 0) {
    CUdeviceptr p;
    void *args[] = { &G.x, &G.y, &p };
    CU(cuMemAllocAsync(&p, SMALL * sizeof(float), G.s));
    launch(G.mul3, SMALL / 256, 256, G.s, args);
    CU(cuMemFreeAsync(p, G.s));
  }
}

static void loop_launch_sync (int n) {
  while (n-- > 0) {
    mul_on(G.s);
    CU(cuStreamSynchronize(G.s));
  }
}

void check_small (void) {
  float z[SMALL], sum;
  loop_mul8(1);
  CU(cuCtxSynchronize());
  CU(cuMemcpyDtoH(z, G.z, sizeof(z)));
  for (int i = 0; i < SMALL; i++)
    require(z[i] == (float)i * 0.25f * ((float)i * 0.25f) + 8.0f, "x*y+8");
  loop_sum(1);
  CU(cuCtxSynchronize());
  CU(cuMemcpyDtoH(&sum, G.z, sizeof(sum)));
  require(sum == 0.25f * (SMALL * (SMALL - 1) / 2), "sum of 1024");
}

static void launches (void) {
  check_small();
  us("launch3", loop_launch3, 2000);
  us("launch3_null", loop_launch3_null, 2000);
  us("mul", loop_launch3, 10000);
  us("mul_alloc", loop_mul_alloc, 10000);
  us("mul8_fused", loop_mul8, 10000);
  us("sum1k", loop_sum, 10000);
  us("empty4k", loop_alloc, 10000);
  us("launch_sync", loop_launch_sync, 1000);
}

/* }====================================================== */

/*
** {======================================================
** Streams, events, host functions
** =======================================================
*/

static void loop_record (int n) {
  while (n-- > 0)
    CU(cuEventRecord(G.e[0], G.s));
}

static void loop_wait (int n) {
  while (n-- > 0)
    CU(cuStreamWaitEvent(G.t, G.e[0], 0));
}

static void loop_new_event (int n) {
  while (n-- > 0) {
    CUevent e;
    CU(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    CU(cuEventDestroy(e));
  }
}

static void loop_new_stream (int n) {
  while (n-- > 0) {
    CUstream s;
    CU(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CU(cuStreamDestroy(s));
  }
}

/* z is written on two streams in turn: launch, record, the other one waits */
static void loop_cross (int n) {
  CUstream s[2] = { G.s, G.t };
  while (n-- > 0) {
    int i = n & 1;
    mul_on(s[i]);
    CU(cuEventRecord(G.e[i], s[i]));
    CU(cuStreamWaitEvent(s[!i], G.e[i], 0));
  }
}

enum { RING = 1000 };

static struct { CUstream s[RING]; CUevent e[RING]; int n; } ring;

/* the same over the first ring.n of many streams */
static void loop_ring (int n) {
  for (int at = 0; n-- > 0; at = (at + 1) % ring.n) {
    mul_on(ring.s[at]);
    CU(cuEventRecord(ring.e[at], ring.s[at]));
    CU(cuStreamWaitEvent(ring.s[(at + 1) % ring.n], ring.e[at], 0));
  }
}

static void rings (void) {
  for (int i = 0; i < RING; i++) {
    CU(cuStreamCreate(&ring.s[i], CU_STREAM_NON_BLOCKING));
    CU(cuEventCreate(&ring.e[i], CU_EVENT_DISABLE_TIMING));
  }
  ring.n = 10;
  us("ring_s10", loop_ring, 20000);
  ring.n = RING;
  us("ring_s1000", loop_ring, 20000);
  for (int i = 0; i < RING; i++) {
    CU(cuStreamDestroy(ring.s[i]));
    CU(cuEventDestroy(ring.e[i]));
  }
}

static void CUDA_CB nothing (void *ud) {
  (void)ud;
}

static void loop_hostfunc (int n) {
  while (n-- > 0) {
    CU(cuLaunchHostFunc(G.s, nothing, NULL));
    CU(cuStreamSynchronize(G.s));
  }
}

/* Kernel, function, kernel, synchronize: by the driver's function, */
static void loop_hostfunc_driver (int n) {
  while (n-- > 0) {
    mul_on(G.s);
    CU(cuLaunchHostFunc(G.s, nothing, NULL));
    mul_on(G.s);
    CU(cuStreamSynchronize(G.s));
  }
}

/* and by the host, which asks until the first kernel is done. */
static void loop_hostfunc_work (int n) {
  while (n-- > 0) {
    mul_on(G.s);
    CU(cuEventRecord(G.e[0], G.s));
    while (cuEventQuery(G.e[0]) == CUDA_ERROR_NOT_READY)
      continue;
    nothing(NULL);
    mul_on(G.s);
    CU(cuStreamSynchronize(G.s));
  }
}

static void streams (void) {
  us("record", loop_record, 20000);
  us("wait", loop_wait, 20000);
  us("new_event", loop_new_event, 20000);
  us("new_stream", loop_new_stream, 2000);
  us("cross", loop_cross, 2000);
  us("hostfunc_sync", loop_hostfunc, 1000);
  us("hostfunc_work", loop_hostfunc_work, 1000);
  us("hostfunc_driver", loop_hostfunc_driver, 1000);
}

/* }====================================================== */

/*
** {======================================================
** Graphs: a chain of n mul3 launches, captured
** =======================================================
*/

static CUgraphExec the_graph;  /* of the current row */

static void loop_graph (int n) {
  while (n-- > 0)
    CU(cuGraphLaunch(the_graph, G.s));
}

static void graph_row (const char *key, int nodes, int n) {
  CUgraph graph;
  CU(cuStreamBeginCapture(G.s, CU_STREAM_CAPTURE_MODE_RELAXED));
  loop_launch3(nodes);
  CU(cuStreamEndCapture(G.s, &graph));
  CU(cuGraphInstantiate(&the_graph, graph, 0));
  us(key, loop_graph, n);
  CU(cuGraphExecDestroy(the_graph));
  CU(cuGraphDestroy(graph));
}

/* Captures, launches and destroys a graph in each call. */
static void loop_capture (int n) {
  while (n-- > 0) {
    CUgraph graph;
    CUgraphExec exec;
    CU(cuStreamBeginCapture(G.s, CU_STREAM_CAPTURE_MODE_RELAXED));
    loop_launch3(10);
    CU(cuStreamEndCapture(G.s, &graph));
    CU(cuGraphInstantiate(&exec, graph, 0));
    CU(cuGraphLaunch(exec, G.s));
    CU(cuGraphExecDestroy(exec));
    CU(cuGraphDestroy(graph));
  }
}

enum { WIDE = 64 };

/* 64 kernels of 20 us without edges. */
static void wide_row (void) {
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node;
  long long ns = 20000;
  void *args[] = {&G.z, &ns};
  CUDA_KERNEL_NODE_PARAMS params = {.func = G.busy, .gridDimX = 16,
                                    .gridDimY = 1, .gridDimZ = 1,
                                    .blockDimX = 256, .blockDimY = 1,
                                    .blockDimZ = 1, .kernelParams = args};
  CU(cuGraphCreate(&graph, 0));
  for (int i = 0; i < WIDE; i++)
    CU(cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
  CU(cuGraphInstantiate(&exec, graph, 0));
  the_graph = exec;
  us("graph_wide", loop_graph, 20);
  CU(cuGraphExecDestroy(exec));
  CU(cuGraphDestroy(graph));
}

/* }====================================================== */

void call_rows (void) {
  launches();
  streams();
  graph_row("graph1", 1, 2000);
  graph_row("graph10", 10, 500);
  graph_row("graph100", 100, 100);
  us("capture10", loop_capture, 200);
  wide_row();
  rings();
}
