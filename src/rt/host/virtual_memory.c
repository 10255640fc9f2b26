/*
** virtual_memory.c - memory of the host device that other processes can map. An
** allocation is a file without a name (memfd_create(2)), and its shareable
** handle a descriptor of that file. A reserved range of addresses is an
** inaccessible mapping until the file is mapped there. These objects belong to
** no context, and stay when one is reset, as with CUDA (seen on an H200).
*/
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"
#include "rt/os/file_limit.h"

typedef struct Allocation {
  CUcontext ctx; /* counts it; NULL: another process's */
  int fd;
  size_t bytes;
  int refs; /* its handle, and its mappings */
} Allocation;

typedef struct ReservedRange {
  struct ReservedRange *next;
  char *p;
  size_t bytes;
  Allocation *mapped; /* or NULL */
} ReservedRange;

static ReservedRange *ranges; /* all ranges of the process; under the lock */

static size_t page_size (void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* {== allocations ===================================================== */

static bool account (CUcontext ctx, size_t bytes) {
  size_t used = __atomic_add_fetch(&ctx->used, bytes, __ATOMIC_RELAXED);
  if (used <= ctx->limit && used >= bytes)
    return true;
  __atomic_sub_fetch(&ctx->used, bytes, __ATOMIC_RELAXED);
  return false;
}

/* The lock is held, here and below. */
static void release (Allocation *a) {
  if (--a->refs > 0)
    return;
  if (a->ctx != NULL)
    __atomic_sub_fetch(&a->ctx->used, a->bytes, __ATOMIC_RELAXED);
  close(a->fd);
  free(a);
}

/* Owns the descriptor, even if it fails. */
static CUresult make (CUmemGenericAllocationHandle *h, int fd, size_t bytes,
                      CUcontext account_of) {
  Allocation *a = malloc(sizeof *a);
  if (a == NULL) {
    close(fd);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *a = (Allocation){account_of, fd, bytes, 1};
  *h = (CUmemGenericAllocationHandle)(uintptr_t)a;
  return CUDA_SUCCESS;
}

CUresult host_cuMemGetAllocationGranularity (size_t *bytes,
                                             const CUmemAllocationProp *prop,
                                             int option) {
  if (bytes == NULL || prop == NULL || option < 0 || option > 1)
    return CUDA_ERROR_INVALID_VALUE;
  *bytes = page_size();
  return host_usable();
}

/* Seals the size, so that other processes cannot make our accesses fail. */
static int new_file (size_t bytes) {
  int fd = memfd_create("tide", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return -1;
  if (file_limit_truncate(fd, (off_t)bytes) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return fd;
  close(fd);
  return -1;
}

CUresult host_cuMemCreate (CUmemGenericAllocationHandle *h, size_t bytes,
                           const CUmemAllocationProp *prop,
                           unsigned long long flags) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (h == NULL || prop == NULL || flags != 0 || bytes == 0 ||
      bytes % page_size() != 0 || bytes > SIZE_MAX / 2 ||
      prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  int id = prop->location.id;
  if (id < 0 || id >= host.ndevices)
    return CUDA_ERROR_INVALID_DEVICE;
  CUcontext ctx = &host.devices[id];
  if (!account(ctx, bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  int fd = new_file(bytes);
  r = (fd >= 0) ? make(h, fd, bytes, ctx) : CUDA_ERROR_OUT_OF_MEMORY;
  if (r != CUDA_SUCCESS)
    __atomic_sub_fetch(&ctx->used, bytes, __ATOMIC_RELAXED);
  return r;
}

CUresult host_cuMemRelease (CUmemGenericAllocationHandle h) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (h == 0)
    return CUDA_ERROR_INVALID_VALUE;
  host_lock();
  release((Allocation *)(uintptr_t)h);
  host_unlock();
  return CUDA_SUCCESS;
}

CUresult host_cuMemExportToShareableHandle (void *out,
                                            CUmemGenericAllocationHandle h,
                                            int type,
                                            unsigned long long flags) {
  const Allocation *a = (const Allocation *)(uintptr_t)h;
  if (out == NULL || a == NULL || flags != 0 ||
      type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  int fd = fcntl(a->fd, F_DUPFD_CLOEXEC, 0);
  if (fd < 0)
    return CUDA_ERROR_OPERATING_SYSTEM;
  memcpy(out, &fd, sizeof fd);
  return host_usable();
}

/* 'file' is the descriptor itself, as in CUDA. */
CUresult host_cuMemImportFromShareableHandle (CUmemGenericAllocationHandle *h,
                                              void *file, int type) {
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW;
  struct stat st;
  int given = (int)(intptr_t)file;
  int has = fcntl(given, F_GET_SEALS); /* -1: not a memfd */
  if (h == NULL || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      fstat(given, &st) != 0 || st.st_size <= 0 || has < 0 ||
      (has & seals) != seals)
    return CUDA_ERROR_INVALID_VALUE;
  int fd = fcntl(given, F_DUPFD_CLOEXEC, 0);
  return (fd >= 0) ? make(h, fd, (size_t)st.st_size, NULL)
                   : CUDA_ERROR_OPERATING_SYSTEM;
}

/* ==} */

/* {== addresses ======================================================= */

static void *map (void *at, size_t bytes, int fd, int access, int how) {
  return mmap(at, bytes, access, how | (at != NULL ? MAP_FIXED : 0), fd, 0);
}

static void *block_off (void *at, size_t bytes) {
  return map(at, bytes, -1, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
}

static void drop_range (ReservedRange *r) {
  ReservedRange **at = &ranges;
  while (*at != r)
    at = &(*at)->next;
  *at = r->next;
  munmap(r->p, r->bytes);
  free(r);
}

/* Returns the range that begins there and is as long, or NULL. */
static ReservedRange *find (CUdeviceptr p, size_t bytes) {
  ReservedRange *r = ranges;
  while (r != NULL && ((CUdeviceptr)(uintptr_t)r->p != p || r->bytes != bytes))
    r = r->next;
  return r;
}

CUresult host_cuMemAddressReserve (CUdeviceptr *p, size_t bytes,
                                   size_t alignment, CUdeviceptr at,
                                   unsigned long long flags) {
  if (p == NULL || bytes == 0 || bytes % page_size() != 0 || alignment != 0 ||
      at != 0 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (host_usable() != CUDA_SUCCESS)
    return CUDA_ERROR_NOT_INITIALIZED;
  ReservedRange *r = malloc(sizeof *r);
  void *addresses = (r != NULL) ? block_off(NULL, bytes) : MAP_FAILED;
  if (addresses == MAP_FAILED) {
    free(r);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  host_lock();
  *r = (ReservedRange){ranges, addresses, bytes, NULL};
  ranges = r;
  host_unlock();
  *p = (CUdeviceptr)(uintptr_t)addresses;
  return CUDA_SUCCESS;
}

CUresult host_cuMemAddressFree (CUdeviceptr p, size_t bytes) {
  CUresult result = host_usable();
  if (result != CUDA_SUCCESS)
    return result;
  host_lock();
  ReservedRange *r = find(p, bytes);
  if (r == NULL || r->mapped != NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  else
    drop_range(r);
  host_unlock();
  return result;
}

/* It is inaccessible before cuMemSetAccess. */
static CUresult put (ReservedRange *r, Allocation *a) {
  if (r == NULL || r->mapped != NULL || r->bytes > a->bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (map(r->p, r->bytes, a->fd, PROT_NONE, MAP_SHARED) == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  r->mapped = a;
  a->refs++;
  return CUDA_SUCCESS;
}

CUresult host_cuMemMap (CUdeviceptr p, size_t bytes, size_t offset,
                        CUmemGenericAllocationHandle h,
                        unsigned long long flags) {
  if (h == 0 || offset != 0 || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult result = host_usable();
  if (result != CUDA_SUCCESS)
    return result;
  host_lock();
  result = put(find(p, bytes), (Allocation *)(uintptr_t)h);
  host_unlock();
  return result;
}

CUresult host_cuMemUnmap (CUdeviceptr p, size_t bytes) {
  CUresult result = host_usable();
  if (result != CUDA_SUCCESS)
    return result;
  host_lock();
  ReservedRange *r = find(p, bytes);
  if (r == NULL || r->mapped == NULL) {
    result = CUDA_ERROR_INVALID_VALUE;
  } else {
    block_off(r->p, r->bytes);
    release(r->mapped);
    r->mapped = NULL;
  }
  host_unlock();
  return result;
}

CUresult host_cuMemSetAccess (CUdeviceptr p, size_t bytes,
                              const CUmemAccessDesc *who, size_t n) {
  CUresult result = host_usable();
  if (result != CUDA_SUCCESS)
    return result;
  if (who == NULL || n != 1 || who->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_INVALID_VALUE;
  host_lock();
  const ReservedRange *r = find(p, bytes);
  if (r == NULL || r->mapped == NULL)
    result = CUDA_ERROR_INVALID_VALUE;
  else if (mprotect(r->p, r->bytes, PROT_READ | PROT_WRITE) != 0)
    result = CUDA_ERROR_OUT_OF_MEMORY;
  host_unlock();
  return result;
}

/* ==} */
