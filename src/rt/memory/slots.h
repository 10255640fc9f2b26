/* slots.h - page-locked slots of a device. See slots.c. */
#ifndef TIDE_RT_MEMORY_SLOTS_H
#define TIDE_RT_MEMORY_SLOTS_H

#include "rt/rt.h"

/* Data up to this size goes into a page-locked block of its own, which is
** faster. No slot is smaller. */
#define STAGING_LEAST ((size_t)64 << 10)

/*
** Overridable (MYCFLAGS=-DSTAGING_SLOT=...), to be tuned by h2d_pageable of
** bench/copy.lua. Computed: at 55 GB/s the copy of a slot takes 38 us, long
** compared with the 3 us of queueing it. A window keeps both ends busy for 300
** us.
*/
#if !defined(STAGING_SLOT)
#define STAGING_SLOT ((size_t)2 << 20)
#endif
/*
** Returns an idle slot or a new one, with a reference for the caller.
** CUDA_ERROR_OUT_OF_MEMORY: there is none now.
*/
Status slot_take (RtDevice *dev, RtBlock **out);

/* Tells whether a slot is idle. CUDA_ERROR_NOT_READY: one will be. */
Status slot_query (RtDevice *dev);

/* Tells whether 'bytes' fit into idle and new slots. */
bool slot_has_room (RtDevice *dev, size_t bytes);

/* Gives an idle slot back to the driver. */
Status slot_free (RtDevice *dev, int i);

/* For a device that was reset or closes: its blocks go with all others. */
void slot_forget_all (RtDevice *dev);

#endif
