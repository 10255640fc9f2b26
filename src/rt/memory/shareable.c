/*
** shareable.c - device memory that other processes can map.
**
** DESIGN. Memory of a pool cannot be handed to other processes by itself, and
** memory of cudaIpcGetMemHandle is gone with the process that had it. So this
** is memory of CUDA's virtual memory management: an allocation, a range of
** addresses where it is mapped, and a file descriptor that stands for it. It
** lives until the last process has unmapped it, so processes may end in any
** order.
**
** Each has a name, 16 random bytes. When the memory comes a second time, or
** comes home, it is found again by its name. So it is the same block, and its
** users are in order. In all other ways it is foreign memory (import.c).
*/
#include "shareable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "block.h"
#include "block_types.h"
#include "import.h"
#include "memory.h"
#include "rt/driver/context.h"
#include "rt/driver/status.h"

/* {== creation ======================================================== */

static CUmemAllocationProp properties_of (const RtDevice *dev) {
  CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
  p.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = dev->dev;
  return p;
}

/* Fails with the reason if the machine cannot do this. */
static Status check_support (RtDevice *dev) {
  static const int needed[] = {
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED};
  for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
    int yes = 0;
    Status st = dev->D->cuDeviceGetAttribute(&yes, needed[i], dev->dev);
    if (st != CUDA_SUCCESS)
      return status_fail(dev->rt, st, "cuDeviceGetAttribute");
    if (!yes)
      return status_explain(dev->rt, CUDA_ERROR_NOT_SUPPORTED, "tide.ipc",
                            "this device has no memory that other processes "
                            "can map");
  }
  return 0;
}

/* Releases the mapping, the address and the handle, as far as they exist. */
static void unmake (const RtShareable *m, bool mapped) {
  const Driver *D = m->dev->D;
  if (mapped && D->cuMemUnmap(m->ptr, m->size) != CUDA_SUCCESS)
    D->cuMemUnmap(m->ptr, m->size); /* again: nothing else will */
  if (m->ptr != 0 && D->cuMemAddressFree(m->ptr, m->size) != CUDA_SUCCESS)
    D->cuMemAddressFree(m->ptr, m->size);
  if (m->handle != 0 && D->cuMemRelease(m->handle) != CUDA_SUCCESS)
    D->cuMemRelease(m->handle);
}

/* Maps it at an address of its own, where the device may read and write it. */
static Status map (RtShareable *m) {
  RtDevice *dev = m->dev;
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, dev->dev},
                            CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  Status st = dev->D->cuMemAddressReserve(&m->ptr, m->size, 0, 0, 0);
  if (st != CUDA_SUCCESS)
    return m->ptr = 0, status_fail(dev->rt, st, "cuMemAddressReserve");
  st = dev->D->cuMemMap(m->ptr, m->size, 0, m->handle, 0);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemMap");
  st = dev->D->cuMemSetAccess(m->ptr, m->size, &access, 1);
  if (st == CUDA_SUCCESS)
    return 0;
  dev->D->cuMemUnmap(m->ptr, m->size);
  return status_fail(dev->rt, st, "cuMemSetAccess");
}

/* Gives 'm' a handle. */
typedef Status Getter (RtShareable *m, size_t bytes);

static Status create (RtShareable *m, size_t bytes) {
  RtDevice *dev = m->dev;
  CUmemAllocationProp p = properties_of(dev);
  size_t page = 0;
  Status st =
    dev->D->cuMemGetAllocationGranularity(&page, &p,
                                          CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuMemGetAllocationGranularity");
  m->size = (bytes + page - 1) / page * page;
  st = dev->D->cuMemCreate(&m->handle, m->size, &p, 0);
  if (st != CUDA_SUCCESS)
    return m->handle = 0, status_fail(dev->rt, st, "cuMemCreate");
  st =
    dev->D
      ->cuMemExportToShareableHandle(&m->fd, m->handle,
                                     CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                     0);
  return st ? status_fail(dev->rt, st, "cuMemExportToShareableHandle") : 0;
}

static Status import_handle (RtShareable *m, size_t bytes) {
  RtDevice *dev = m->dev;
  m->size = bytes;
  Status st = dev->D->cuMemImportFromShareableHandle(
    &m->handle, (void *)(intptr_t)m->fd,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  return st ? (m->handle = 0,
               status_fail(dev->rt, st, "cuMemImportFromShareableHandle"))
            : 0;
}

/* Owns 'fd' (or -1), even if it fails. */
static Status make (RtDevice *dev, Getter *get, const uint8_t *id, int fd,
                    size_t bytes, RtShareable **out) {
  RtShareable *m = calloc(1, sizeof *m);
  Status st = (m == NULL) ? status_fail(dev->rt, RT_NOMEM, NULL)
                          : context_enter(dev);
  if (st == 0)
    st = check_support(dev);
  if (st != 0) {
    if (fd >= 0)
      close(fd);
    free(m);
    return st;
  }
  m->dev = dev;
  m->fd = fd;
  memcpy(m->id, id, SHAREABLE_ID);
  st = get(m, bytes);
  if (st == 0)
    st = map(m);
  if (st != 0) {
    unmake(m, false);
    if (m->fd >= 0)
      close(m->fd);
    free(m);
    return st;
  }
  life_begin(&m->life, LIFE_SHAREABLE, dev);
  m->refs = 0;
  dev->rt->nshared++;
  dev->memory[0].shared += m->size;
  *out = m;
  return 0;
}

static Status check_limit (RtDevice *dev, size_t bytes) {
  const Memory *memory = &dev->memory[0];
  size_t used = memory->reserved + memory->shared, most = memory->cap;
  return (used <= most && bytes <= most - used)
           ? 0
           : status_explain(dev->rt, CUDA_ERROR_OUT_OF_MEMORY, "tide.ipc",
                            "%zu bytes are more than the host program allows",
                            bytes);
}

Status shareable_new (RtDevice *dev, size_t bytes, RtShareable **out) {
  uint8_t id[SHAREABLE_ID];
  Status st = context_enter(dev);
  if (st == 0)
    st = check_limit(dev, bytes);
  if (st == 0 && getrandom(id, sizeof id, 0) != sizeof id)
    st = status_explain(dev->rt, CUDA_ERROR_OPERATING_SYSTEM, "getrandom", "%s",
                        strerror(errno));
  return (st != 0) ? st : make(dev, create, id, -1, bytes, out);
}

static RtShareable *find (const RtDevice *dev, const uint8_t *id) {
  LIST_EACH (RtShareable, m, &dev->rt->held[LIFE_SHAREABLE])
    if (m->dev == dev && !life_is_stale(&m->life) &&
        memcmp(m->id, id, SHAREABLE_ID) == 0)
      return m;
  return NULL;
}

Status shareable_open (RtDevice *dev, const uint8_t *id, int fd, size_t size,
                       RtShareable **out) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  *out = find(dev, id);
  if (*out != NULL)
    return (*out)->size == size ? 0
                                : status_explain(dev->rt, RT_MISUSE, NULL,
                                                 "the memory has another size "
                                                 "than the one of that name");
  st = check_limit(dev, size);
  int own = (st == 0) ? dup(fd) : -1;
  if (st == 0 && own < 0)
    st = status_explain(dev->rt, CUDA_ERROR_OPERATING_SYSTEM, "dup", "%s",
                        strerror(errno));
  return (st != 0) ? st : make(dev, import_handle, id, own, size, out);
}

/* ==} */

/* {== use ============================================================= */

static void leave (void *ud) {
  RtShareable *m = ud;
  m->refs--;
}

Status shareable_use (RtShareable *m, RtImport **import, RtBlock **block) {
  Status st = import_memory(m->dev, FOREIGN_DEVICE, m->ptr, m->size, leave, m,
                            import, block);
  m->refs += (st == 0);
  return st;
}

RtShareable *shareable_find (const RtBlock *b) {
  if (b->foreign)
    LIST_EACH (RtShareable, m, &b->dev->rt->held[LIFE_SHAREABLE])
      if (m->dev == b->dev && !life_is_stale(&m->life) && m->ptr == b->ptr)
        return m;
  return NULL;
}

/* The device need not be open, because a search by id asks many devices. */
Status shareable_device_id (RtDevice *dev, uint8_t id[DEVICE_ID]) {
  CUuuid uuid;
  CUdevice handle;
  if (context_is_forked(dev->rt))
    return status_fail(dev->rt, RT_FORKED, NULL);
  Status st = dev->D->cuDeviceGet(&handle, dev->ordinal);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuDeviceGet");
  st = dev->D->cuDeviceGetUuid(&uuid, handle);
  if (st != CUDA_SUCCESS)
    return status_fail(dev->rt, st, "cuDeviceGetUuid");
  memcpy(id, uuid.bytes, DEVICE_ID);
  return 0;
}

/* ==} */

/* {== the end ========================================================= */

/* A reset of the device has left it mapped. */
static void end (RtShareable *m) {
  life_leave(&m->life, LIFE_SHAREABLE);
  m->dev->memory[0].shared -= m->size;
  m->dev->rt->nshared--;
  unmake(m, true);
  close(m->fd);
  free(m);
}

/* Ends those of a device; NULL: those that are not used. */
static void end_list (Runtime *rt, const RtDevice *dev) {
  List *list = &rt->held[LIFE_SHAREABLE];
  for (RtShareable *m = LIST_FIRST(RtShareable, list), *next; m != NULL;
       m = next) {
    next = LIST_NEXT(RtShareable, m);
    if (dev != NULL ? m->dev == dev : m->refs == 0)
      end(m);
  }
}

void shareable_drain (Runtime *rt) { end_list(rt, NULL); }

void shareable_end (RtDevice *dev) { end_list(dev->rt, dev); }

/* ==} */
