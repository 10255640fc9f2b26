/*
** probe.h - what the probe tables saw, and how to make them fail. See probe.c.
** Builds without -DTIDE_TESTING use each table itself.
*/
#ifndef TIDE_RT_TESTING_PROBE_H
#define TIDE_RT_TESTING_PROBE_H

#include <stdbool.h>

#include "rt/driver/driver.h"
#include "rt/driver/nccl.h"

#if defined(TIDE_TESTING)

/* Returns a table that forwards to 'base', counts and injects faults. */
const Driver *probe_driver (const Driver *base);

/* As above for NCCL: set 0 for GPUs, 1 for host devices; NULL for NULL. Each
** call counts as one of the entry "nccl". */
const Nccl *probe_nccl (const Nccl *base, int set);

/* Counts a call of NCCL, and tells whether it must fail. */
bool probe_is_due (void);

/* Returns the table that a probe forwards to. */
const Driver *probe_base (const Driver *probe);

/*
** Makes the n-th driver call from now on (from 1) return 'code' without being
** forwarded; with 'only', the n-th call of that entry. n <= 0: no call fails.
** Replaces an earlier order. Entries that destroy something, and those that
** name an error, never fail and are not counted.
*/
void probe_fail (long n, CUresult code, const char *only);

/* Returns the entry that the last probe_fail made fail; NULL: none so
** far. */
const char *probe_failed (void);

/*
** From now on every call fails with 'code' while 'ctx' is current to its
** thread; entries that destroy something still do so. NULL: no call fails.
*/
void probe_lose (CUcontext ctx, CUresult code);

/* Counts the driver objects alive, by enum DriverLive. */
void probe_live (long out[LIVE_CLASSES]);

/* Returns the number of calls of the entry 'name', with failed ones; NULL: of
** all entries. */
long probe_calls (const char *name);

#else

#define probe_driver(base) (base)
#define probe_base(probe) (probe)
#define probe_nccl(base, set) (base)

#endif

#endif
