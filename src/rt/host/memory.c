/*
** memory.c - device memory (of the process, accounted per device, limited by
** TIDE_HOST_MEMORY), page-locked memory, pools, modules.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"

/* Stands before each allocation; as long as the alignment. */
typedef struct Header {
  CUcontext ctx;
  size_t bytes;
} Header;

enum { ALIGNMENT = 256 };

#if defined(TIDE_TESTING)
static void poison (void *p, int value, size_t bytes) {
  memset(p, value, bytes);
}
#else
static void poison (void *p, int value, size_t bytes) {
  (void)p; (void)value; (void)bytes;
}
#endif

/* NULL: the device's limit is reached, or the system's. */
static void *allocate (CUcontext ctx, size_t bytes) {
  size_t used = __atomic_add_fetch(&ctx->used, bytes, __ATOMIC_RELAXED);
  size_t room = (bytes + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *base = NULL;
  if (used <= ctx->limit && bytes <= ctx->limit)
    base = aligned_alloc(ALIGNMENT, room);
  if (base == NULL) {
    __atomic_sub_fetch(&ctx->used, bytes, __ATOMIC_RELAXED);
    return NULL;
  }
  *(Header *)base = (Header){ctx, bytes};
  poison(base + ALIGNMENT, 0xA5, bytes);
  return base + ALIGNMENT;
}

void host_freememory (void *p) {
  char *base = (char *)p - ALIGNMENT;
  Header *h = (Header *)base;
  poison(p, 0x5A, h->bytes);
  __atomic_sub_fetch(&h->ctx->used, h->bytes, __ATOMIC_RELAXED);
  free(base);
}

CUresult host_cuMemAllocFromPoolAsync (CUdeviceptr *p, size_t bytes,
                                       CUmemoryPool pool, CUstream handle) {
  CUcontext ctx;
  if (bytes == 0 || pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  host_leave();
  if (s == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  void *block = allocate(pool->ctx, bytes);
  *p = (CUdeviceptr)(uintptr_t)block;
  return (block != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemFreeAsync (CUdeviceptr p, CUstream s) {
  Task t = {.kind = TASK_FREE};
  CUcontext ctx;
  if (p == 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  t.u.free.p = (void *)(uintptr_t)p;
  r = host_submit(ctx, s, &t);
  host_leave();
  return r;
}

CUresult host_cuMemHostAlloc (void **p, size_t bytes, unsigned flags) {
  CUcontext ctx;
  if (bytes == 0 || flags > 7)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_leave();
  size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *p = (room >= bytes) ? aligned_alloc(ALIGNMENT, room) : NULL;
  return (*p != NULL) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult host_cuMemFreeHost (void *p) {
  if (p == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  free(p);
  return CUDA_SUCCESS;
}

CUresult host_cuMemGetInfo (size_t *bytes, size_t *total) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  size_t used = __atomic_load_n(&ctx->used, __ATOMIC_RELAXED);
  *total = ctx->limit;
  *bytes = (used < ctx->limit) ? ctx->limit - used : 0;
  host_leave();
  return r;
}

/* {== pools: a name for a device's memory ============================== */

CUresult host_cuMemPoolCreate (CUmemoryPool *pool,
                               const CUmemPoolProps *props) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  int id = props->location.id;
  host_leave();
  if (id < 0 || id >= host.ndevices)
    return CUDA_ERROR_INVALID_DEVICE;
  *pool = calloc(1, sizeof **pool);
  if (*pool == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  (*pool)->ctx = &host.devices[id];
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolDestroy (CUmemoryPool pool) {
  if (pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  free(pool);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolSetAttribute (CUmemoryPool pool,
                                     CUmemPool_attribute attr, void *value) {
  if (pool == NULL || attr != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    return CUDA_ERROR_INVALID_VALUE;
  pool->threshold = *(uint64_t *)value;
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolGetAttribute (CUmemoryPool pool,
                                     CUmemPool_attribute attr, void *value) {
  if (pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *(uint64_t *)value = (attr == CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) ?
      pool->threshold : __atomic_load_n(&pool->ctx->used, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolTrimTo (CUmemoryPool pool, size_t keep) {
  (void)keep;  /* freed memory has gone back already */
  return (pool != NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ==} */

/* {== modules: the table of twins ====================================== */

struct CUmod_st {
  struct CUfunc_st *fns;
  int n;
};

CUresult host_cuModuleLoadData (CUmodule *out, const void *image) {
  CUcontext ctx;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_leave();
  if (image != host_twins)
    return CUDA_ERROR_INVALID_IMAGE;
  CUmodule m = calloc(1, sizeof *m);
  if (m != NULL)
    m->fns = calloc((size_t)host_twin_count, sizeof *m->fns);
  if (m == NULL || m->fns == NULL)
    return free(m), CUDA_ERROR_OUT_OF_MEMORY;
  for (m->n = 0; m->n < host_twin_count; m->n++)
    m->fns[m->n].twin = host_twins[m->n];
  *out = m;
  return CUDA_SUCCESS;
}

CUresult host_cuModuleUnload (CUmodule m) {
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  free(m->fns);
  free(m);
  return CUDA_SUCCESS;
}

CUresult host_cuModuleGetFunction (CUfunction *f, CUmodule m,
                                   const char *name) {
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  for (int i = 0; i < m->n; i++) {
    if (strcmp(m->fns[i].twin.name, name) == 0) {
      *f = &m->fns[i];
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_NOT_FOUND;
}

/* ==} */
