/* service.h - where the host waits and host functions run. See service.c. */
#ifndef TIDE_DEVICE_SERVICE_H
#define TIDE_DEVICE_SERVICE_H

#include "base/state.h"
#include "luahooks.h"
#include "rt/runtime.h"

/* Asks for what a wait waits for: 0, CUDA_ERROR_NOT_READY, or an error. */
typedef Status (*Ready)(void *ud);

/*
** Waits until ready(ud) is 0, running host functions meanwhile; raises its
** error. Anything held across it may have changed afterwards: hold only objects
** on the Lua stack, and streams.
*/
void service_wait (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                   const char *what);

/* service_wait where something is half done: runs host functions only if
** 'serves', and returns a status, which may be RT_INTERRUPTED. ready(ud) must
** not be 0 now. 'what' NULL: the wait was announced. */
Status service_wait_quiet (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                           bool serves, const char *what);

/* Returns not 0 if the host, or a hook set after luahook_start, ends a call
** that computes on the host. No Lua runs. */
Status service_look_for_stop (lua_State *L, Hooks *h);

/* Announces that the host is about to block: counts it; sync_debug may
** refuse. */
Status service_announce (lua_State *L, Runtime *rt, const char *what);

/*
** A wait for more than what was queued when it began, so that host functions
** could keep it from ending. It counts those that were queued since.
*/
typedef struct WaitBound {
  uint64_t stamp;  /* the latest operation when it began */
  uint64_t served; /* host functions that have run by now, of all, */
  int newer;       /* and of those that were queued later */
} WaitBound;

WaitBound service_start_bound (const Runtime *rt);

/* Returns 'st' of such a wait, or an error instead of CUDA_ERROR_NOT_READY if
** there were too many. Call it after each function. */
Status service_check_bound (Runtime *rt, WaitBound *bound, Status st,
                            const char *what);

/* Waits for what a blocked call lacks. */
void service_wait_for (lua_State *L, const WaitReason *reason);

/* Wait for all present work of a stream or a device, and raise the errors of
** its host functions. */
void service_wait_stream (lua_State *L, RtStream *s, const char *what);
void service_wait_device (lua_State *L, RtDevice *dev, const char *what);

/* Waits for all work of a device and returns a status. Errors of host functions
** stay. */
Status service_finish_device (lua_State *L, RtDevice *dev, const char *what);

/* Waits for 'op', just queued on 's', unannounced, for debug_sync. */
void service_wait_op (lua_State *L, RtStream *s, const Op *op);

#endif
