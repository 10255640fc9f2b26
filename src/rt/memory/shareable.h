/* shareable.h - device memory that other processes can map. See shareable.c. */
#ifndef TIDE_RT_MEMORY_SHAREABLE_H
#define TIDE_RT_MEMORY_SHAREABLE_H

#include "rt/driver/life.h"
#include "rt/rt.h"

enum { SHAREABLE_ID = 16 }; /* bytes of its unique name */

typedef struct RtShareable {
  LIFE; /* referenced by its imports */
  uint8_t id[SHAREABLE_ID];
  CUdeviceptr ptr;
  size_t size; /* bytes, whole pages of the device */
  int fd;      /* to hand to other processes */
  CUmemGenericAllocationHandle handle;
} RtShareable;

/* Makes new memory of 'bytes' or more. Nothing uses it yet: the next drain
** frees it unless shareable_use is called before. */
Status shareable_new (RtDevice *dev, size_t bytes, RtShareable **out);

/* Opens memory of another process, whose name is 'id', by its file, which stays
** the caller's. If this memory is known here, returns the existing object. */
Status shareable_open (RtDevice *dev, const uint8_t *id, int fd, size_t size,
                       RtShareable **out);

/* Returns a block over all of it, and an import, with one reference each. */
Status shareable_use (RtShareable *m, RtImport **import, RtBlock **block);

/* Returns the object that the block belongs to, or NULL. */
RtShareable *shareable_find (const RtBlock *b);

/* The name by which all processes know a device. */
enum { DEVICE_ID = 16 };
Status shareable_device_id (RtDevice *dev, uint8_t id[DEVICE_ID]);

/* Frees unused memory. */
void shareable_drain (Runtime *rt);

/* At close, once the owners of all imports are notified: frees all. */
void shareable_end (RtDevice *dev);

#endif
