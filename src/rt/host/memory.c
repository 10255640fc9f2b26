/*
** memory.c - memory of the host device, which is the process's own: counted per
** device and pool, limited by TIDE_HOST_MEMORY.
**
** Blocks are handed out at once and taken back in stream order. Each stands
** behind a header as long as the alignment. With -DTIDE_TESTING the rest of the
** header and as much behind the block are red zones, checked when it is freed.
** New and freed memory is filled with values that no program expects.
*/
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

enum {
  ALIGNMENT = 256,
  HUGE_PAGE = 2 << 20,  /* bytes, on most processors */
  LARGE = 2 * HUGE_PAGE /* from here on: see get_huge */
};

/* Mark a header: the block is in use, or about to be freed. */
#define IN_USE UINT64_C(0x74696465626C6F63)
#define CLAIMED UINT64_C(0x74696465656E6421)

typedef struct BlockHeader {
  Owned owned;
  uint64_t state; /* atomic */
  CUmemoryPool pool;
  size_t bytes;
} BlockHeader;

static BlockHeader *header_of (void *p) {
  return (BlockHeader *)((char *)p - ALIGNMENT);
}

/* {== red zones ======================================================= */

#if defined(TIDE_TESTING)

enum { NEW = 0xA5, FREED = 0x5A, ZONE = 0xC3, TAIL = ALIGNMENT };

static void check_zone (const void *p, const unsigned char *zone, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (zone[i] != ZONE) {
      fprintf(stderr,
              "tide: host memory: block %p of %zu bytes: written %td bytes "
              "from its start\n",
              p, header_of((void *)p)->bytes,
              (zone + i) - (const unsigned char *)p);
      abort();
    }
  }
}

static void open_zones (void *p, size_t bytes) {
  memset(header_of(p) + 1, ZONE, ALIGNMENT - sizeof(BlockHeader));
  memset((char *)p + bytes, ZONE, TAIL);
  memset(p, NEW, bytes);
}

static void close_zones (void *p, size_t bytes) {
  check_zone(p, (void *)(header_of(p) + 1), ALIGNMENT - sizeof(BlockHeader));
  check_zone(p, (unsigned char *)p + bytes, TAIL);
  memset(p, FREED, bytes);
}

#else

enum { TAIL = 0 };

static void open_zones (void *p, size_t bytes) { (void)p, (void)bytes; }
static void close_zones (void *p, size_t bytes) { (void)p, (void)bytes; }

#endif

/* ==} */

/* {== blocks ========================================================== */

/*
** Larger blocks come in huge pages, where the system has them, because page
** faults would take most of the time of the first writes. The rest of the last
** page stays small, so no more memory is taken.
*/
static void *get_huge (size_t bytes) {
  void *p = NULL;
  if (posix_memalign(&p, HUGE_PAGE, bytes) != 0)
    return NULL;
#if defined(MADV_HUGEPAGE)
  madvise(p, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
  return p;
}

/* NULL: the system has no more. */
static void *get_pages (size_t bytes) {
  size_t room = bytes + (ALIGNMENT - 1);
  if (room < bytes)
    return NULL;
  return (bytes >= LARGE)
           ? get_huge(bytes)
           : aligned_alloc(ALIGNMENT, room / ALIGNMENT * ALIGNMENT);
}

/* False: over the device's limit. */
static bool account (CUmemoryPool pool, size_t bytes) {
  CUcontext ctx = pool->ctx;
  size_t used = __atomic_load_n(&ctx->used, __ATOMIC_RELAXED);
  do {
    if (bytes > ctx->limit - used)
      return false;
  } while (!__atomic_compare_exchange_n(&ctx->used, &used, used + bytes, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __atomic_add_fetch(&pool->used, bytes, __ATOMIC_RELAXED);
  __atomic_add_fetch(&pool->refs, 1, __ATOMIC_RELAXED);
  return true;
}

static void release_pool (CUmemoryPool pool) {
  if (__atomic_sub_fetch(&pool->refs, 1, __ATOMIC_ACQ_REL) == 0)
    free(pool);
}

static void unaccount (CUmemoryPool pool, size_t bytes) {
  __atomic_sub_fetch(&pool->ctx->used, bytes, __ATOMIC_RELAXED);
  __atomic_sub_fetch(&pool->used, bytes, __ATOMIC_RELAXED);
  release_pool(pool);
}

static void *allocate (CUmemoryPool pool, size_t bytes) {
  if (!account(pool, bytes))
    return NULL;
  char *base = (bytes < SIZE_MAX / 2) ? get_pages(ALIGNMENT + bytes + TAIL)
                                      : NULL;
  if (base == NULL) {
    unaccount(pool, bytes);
    return NULL;
  }
  *(BlockHeader *)base = (BlockHeader){{NULL, NULL, NULL}, IN_USE, pool, bytes};
  open_zones(base + ALIGNMENT, bytes);
  return base + ALIGNMENT;
}

static bool change_state (void *p, uint64_t from, uint64_t to) {
  return __atomic_compare_exchange_n(&header_of(p)->state, &from, to, false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Marks the block, so that it cannot be freed a second time. False: it does not
** look like a block, or is marked already. */
bool host_claim_memory (void *p) {
  return p != NULL && (uintptr_t)p % ALIGNMENT == 0 &&
         change_state(p, IN_USE, CLAIMED);
}

void host_unclaim_memory (void *p) { change_state(p, CLAIMED, IN_USE); }

static void free_block (BlockHeader *h) {
  close_zones((char *)h + ALIGNMENT, h->bytes);
  unaccount(h->pool, h->bytes);
  h->state = 0;
  free(h);
}

void host_free_memory (void *p) {
  host_lock();
  host_disown(&header_of(p)->owned);
  host_unlock();
  free_block(header_of(p));
}

static void drop_block (Owned *o) { free_block((BlockHeader *)o); }

CUresult host_cuMemAllocFromPoolAsync (CUdeviceptr *p, size_t bytes,
                                       CUmemoryPool pool, CUstream handle) {
  CUcontext ctx;
  if (p == NULL || bytes == 0 || pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  if (s == NULL)
    r = CUDA_ERROR_INVALID_HANDLE;
  else if (s->capture != NULL)
    r = host_refuse(s, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  else
    r = host_check_legacy(s);
  host_leave();
  if (r != CUDA_SUCCESS)
    return r;
  void *block = allocate(pool, bytes);
  if (block == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  host_lock();
  host_own(ctx, &header_of(block)->owned, drop_block);
  host_unlock();
  *p = (CUdeviceptr)(uintptr_t)block;
  return CUDA_SUCCESS;
}

/* Frees at once, because the caller has waited for work on the memory. */
CUresult host_cuMemFree (CUdeviceptr at) {
  void *p = (void *)(uintptr_t)at;
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (!host_claim_memory(p))
    return CUDA_ERROR_INVALID_VALUE;
  host_free_memory(p);
  return CUDA_SUCCESS;
}

CUresult host_cuMemGetInfo (size_t *bytes, size_t *total) {
  CUcontext ctx;
  if (bytes == NULL || total == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_leave();
  *total = ctx->limit;
  *bytes = ctx->limit - __atomic_load_n(&ctx->used, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

/* ==} */

/* {== page-locked memory: any memory, here ============================ */

/* Tells whether the machine has as much memory, for page-locked memory. */
static bool fits_memory (size_t bytes) {
  return bytes / (size_t)sysconf(_SC_PAGESIZE) <
         (size_t)sysconf(_SC_PHYS_PAGES);
}

/* Page-locked memory begins ALIGNMENT behind its Owned, in one allocation. */
static void drop_pinned (Owned *o) {
  host_disown(o);
  free(o);
}

CUresult host_cuMemHostAlloc (void **p, size_t bytes, unsigned flags) {
  CUcontext ctx;
  if (p == NULL || bytes == 0 || flags > 7)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  r = host_check_unsafe();
  host_leave();
  if (r != CUDA_SUCCESS)
    return r;
  char *base = fits_memory(bytes) ? get_pages(ALIGNMENT + bytes) : NULL;
  if (base == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  host_lock();
  host_own(ctx, (Owned *)base, drop_pinned);
  host_unlock();
  *p = base + ALIGNMENT;
  return CUDA_SUCCESS;
}

/* Waits for the devices, as CUDA does, except for users' kernels. (Memory that
** tide frees is idle.) */
CUresult host_cuMemFreeHost (void *p) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (p == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (host_worker > 0)
    return CUDA_ERROR_NOT_PERMITTED;
  host_lock();
  r = host_check_unsafe();
  for (int i = 0; r == CUDA_SUCCESS && i < host.ndevices; i++)
    r = host_drain(&host.devices[i]);
  if (r == CUDA_SUCCESS)
    drop_pinned((Owned *)((char *)p - ALIGNMENT));
  host_unlock();
  return r;
}

/* Any memory can be registered here as page-locked. */
static CUresult check_registered (const void *p, CUcontext *ctx) {
  if (p == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(ctx);
  if (r == CUDA_SUCCESS) {
    r = host_check_unsafe();
    host_leave();
  }
  return r;
}

CUresult host_cuMemHostRegister (void *p, size_t bytes, unsigned flags) {
  CUcontext ctx;
  if (bytes == 0 || flags > 15)
    return CUDA_ERROR_INVALID_VALUE;
  return check_registered(p, &ctx);
}

CUresult host_cuMemHostUnregister (void *p) {
  CUcontext ctx;
  return check_registered(p, &ctx);
}

/* ==} */

/* {== pools: names for shares of a device's memory ==================== */

static void drop_pool (Owned *o) {
  host_disown(o);
  release_pool((CUmemoryPool)o);
}

CUresult host_cuMemPoolCreate (CUmemoryPool *pool,
                               const CUmemPoolProps *props) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL || props == NULL ||
      props->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      props->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  int id = props->location.id;
  if (id < 0 || id >= host.ndevices)
    return CUDA_ERROR_INVALID_DEVICE;
  CUmemoryPool new = calloc(1, sizeof *new);
  if (new == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  new->ctx = &host.devices[id];
  new->refs = 1;
  host_lock();
  host_own(new->ctx, &new->owned, drop_pool);
  host_unlock();
  *pool = new;
  return CUDA_SUCCESS;
}

/* Allocations keep the part of the pool that they need. */
CUresult host_cuMemPoolDestroy (CUmemoryPool pool) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  host_lock();
  drop_pool(&pool->owned);
  host_unlock();
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolSetAttribute (CUmemoryPool pool,
                                     CUmemPool_attribute attr, void *value) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL || value == NULL ||
      attr != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&pool->threshold, *(uint64_t *)value, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult host_cuMemPoolGetAttribute (CUmemoryPool pool,
                                     CUmemPool_attribute attr, void *value) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL || value == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attr) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      *(uint64_t *)value = __atomic_load_n(&pool->threshold, __ATOMIC_RELAXED);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      *(uint64_t *)value = __atomic_load_n(&pool->used, __ATOMIC_RELAXED);
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

/* Does nothing, because each device reaches all memory of the process. */
CUresult host_cuMemPoolSetAccess (CUmemoryPool pool, const CUmemAccessDesc *who,
                                  size_t n) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL || (who == NULL && n > 0))
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < n; i++)
    if (who[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        who[i].location.id < 0 || who[i].location.id >= host.ndevices)
      return CUDA_ERROR_INVALID_DEVICE;
  return CUDA_SUCCESS;
}

/* Asks the C library for pages, to which freed memory has gone back at once.
** glibc keeps pages of blocks below a threshold of up to 32 MiB, which grows as
** larger blocks are freed (mallopt(3), M_MMAP_THRESHOLD). */
CUresult host_cuMemPoolTrimTo (CUmemoryPool pool, size_t keep) {
  CUresult r = host_usable();
  (void)keep;
  if (r != CUDA_SUCCESS)
    return r;
  if (pool == NULL)
    return CUDA_ERROR_INVALID_VALUE;
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  return CUDA_SUCCESS;
}

/* ==} */
