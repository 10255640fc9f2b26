/* shareable.h - device memory that other processes can map. See shareable.c. */
#ifndef TIDE_RT_MEMORY_SHAREABLE_H
#define TIDE_RT_MEMORY_SHAREABLE_H

#include "rt/rt.h"

enum { SHAREABLE_ID = 16 };  /* bytes of a name that no other one has */

typedef struct RtShareable {
  struct RtShareable *next;  /* all of the Runtime */
  RtDevice *dev;
  unsigned generation;
  uint8_t id[SHAREABLE_ID];
  CUdeviceptr ptr;
  size_t size;               /* bytes, whole pages of the device */
  int uses;                  /* loans of it */
  int fd;                    /* for others */
  CUmemGenericAllocationHandle handle;
} RtShareable;

/* New memory, of 'bytes' or more. Nobody uses it yet: it goes at the next drain
** unless rt_useshareable says that somebody does. */
Status rt_newshareable (RtDevice *dev, size_t bytes, RtShareable **out);

/* That of another process, which calls it 'id', by its file, which stays the
** caller's; if it is known here, that. */
Status rt_openshareable (RtDevice *dev, const uint8_t *id, int fd, size_t size,
                         RtShareable **out);

/* A block over all of it, and a loan: with one reference each. */
Status rt_useshareable (RtShareable *m, RtLoan **loan, RtBlock **block);

/* Whose block it is, or NULL. */
RtShareable *rt_findshareable (const RtBlock *b);

/* The name of a device that all processes know it by. */
enum { DEVICE_ID = 16 };
Status rt_deviceid (RtDevice *dev, uint8_t id[DEVICE_ID]);

/* What nobody uses any more goes. */
void rt_drainshareables (Runtime *rt);

/* At close, once all loans are told: all of them. */
void rt_endshareables (RtDevice *dev);

#endif
