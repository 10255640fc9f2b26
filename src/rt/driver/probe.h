/*
** probe.h - what the probe tables saw, and how to make them fail. Only
** in builds with -DTIDE_TESTING. See probe.c.
*/
#ifndef TIDE_RT_DRIVER_PROBE_H
#define TIDE_RT_DRIVER_PROBE_H

#include <stdbool.h>

#include "driver.h"
#include "nccl.h"

/* A table that forwards to 'base', counts and injects faults. */
const Driver *rt_probe_driver (const Driver *base);

/* The same of NCCL's: 0 for GPUs, 1 for host devices; NULL of NULL. Each call
** counts as one of the entry "nccl". */
const Nccl *rt_probe_nccl (const Nccl *base, int set);

/* Counts a call of NCCL: does it fail? */
bool rt_probe_due (void);

/* What such a table forwards to. */
const Driver *rt_probe_base (const Driver *probe);

/*
** Makes the n-th driver call from now on (from 1) return 'code' without being
** forwarded; with 'only', the n-th call of that entry. n <= 0: no call. Takes
** the place of an earlier order. Entries that destroy something, and those
** that name an error, never fail and are not counted.
*/
void rt_probe_fail (long n, CUresult code, const char *only);

/* The entry that the last rt_probe_fail made fail; NULL: none has so far. */
const char *rt_probe_failed (void);

/*
** From now on every call fails with 'code' while 'ctx' is current to its
** thread; what destroys something does so all the same. NULL: none does.
*/
void rt_probe_lose (CUcontext ctx, CUresult code);

/* Driver objects alive, by enum DriverLive. */
void rt_probe_live (long out[LIVE_CLASSES]);

/* Calls so far of the entry 'name', failed ones too; NULL: of all entries. */
long rt_probe_calls (const char *name);

#endif
