/* extension.h - the functions of a room that works along with the core. */
#ifndef TIDE_RT_DRIVER_EXTENSION_H
#define TIDE_RT_DRIVER_EXTENSION_H

#include "rt/rt.h"

/*
** A room that the core of the runtime does not include: ranks, files. The core
** calls its functions where the comments say; NULL: it has nothing to do there.
** src/rt/extensions.c lists all, in the order in which they are called.
*/
struct Extension {
  unsigned bit; /* of rt->active */

  /* With an operation, while the extension is active: returns 0 if 's' may have
  ** 'op' now, or RT_BLOCKED; notes that 'op' is operation 'seq'. */
  Status (*before_submit)(RtStream *s, const Op *op);
  void (*note)(const Runtime *rt, const Op *op, uint64_t seq);

  /* Tells whether drain has anything to do, while it is active; frees dropped
  ** objects as far as possible. */
  bool (*has_dropped)(const Runtime *rt);
  void (*drain)(Runtime *rt, bool all);

  /* In waits: looks for work that will not end. When all work is done: looks
  ** for failures. */
  void (*watch)(Runtime *rt);
  void (*poll)(Runtime *rt);

  /* At a reset of the device, in this order: ends its work on it, with the
  ** driver; keeps threads away from its memory, in all Runtimes; forgets its
  ** objects, without the driver. */
  void (*end)(RtDevice *dev);
  void (*reset)(RtDevice *dev);
  void (*forget)(RtDevice *dev); /* also before the device closes */

  /* At close, in this order: tells whether some work may still fail; ends all
  ** work ('gone': the driver is, and nothing can be given back); frees all. The
  ** last is all that is called in a fork. */
  bool (*has_work)(const Runtime *rt);
  void (*stop)(Runtime *rt, bool gone);
  void (*free)(Runtime *rt);
};

enum { EXTENSION_RANKS = 1, EXTENSION_FILES = 2 }; /* bits */

#endif
