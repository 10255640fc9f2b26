/* service.h - where the host waits and host functions run. See service.c. */
#ifndef TIDE_DEVICE_SERVICE_H
#define TIDE_DEVICE_SERVICE_H

#include "base/state.h"
#include "rt/runtime.h"

/* What is asked again and again: 0, CUDA_ERROR_NOT_READY, or an error. */
typedef Status (*Ready) (void *ud);

/*
** Waits until ready(ud) is 0, running host functions meanwhile; raises its
** error. All that is held across it may have changed afterwards: hold nothing
** but objects on the Lua stack, and streams.
*/
void tide_await (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                 const char *what);

/* tide_await where something is half done, for what is not ready: runs host
** functions only if 'serves', returns a status, which may be RT_INTERRUPTED.
** 'what' NULL: it was announced. */
Status tide_awaitquietly (lua_State *L, RtDevice *dev, Ready ready, void *ud,
                          bool serves, const char *what);

/* The host is about to block: counted, and sync_debug may refuse it. */
Status tide_announce (lua_State *L, Runtime *rt, const char *what);

/*
** A wait that is not only for what was queued when it began, so that host
** functions could keep it from ending: it counts those that were queued since.
*/
typedef struct WaitBound {
  uint64_t stamp;   /* the latest operation then */
  uint64_t served;  /* functions that have run by now, of all, */
  int newer;        /* and of those that came behind it */
} WaitBound;

WaitBound tide_startbound (const Runtime *rt);

/* 'st' of such a wait; instead of CUDA_ERROR_NOT_READY, an error if there were
** too many. To be asked after each function. */
Status tide_bound (Runtime *rt, WaitBound *bound, Status st,
                   const char *what);

/* Waits for what a blocked call lacks. */
void tide_awaitwant (lua_State *L, const RtWant *want);

/* Waits for all that is on a stream now, or on all of a device, and raises the
** error of a host function that belongs to it. */
void tide_waitstream (lua_State *L, RtStream *s, const char *what);
void tide_waitdevice (lua_State *L, RtDevice *dev, const char *what);

/* Waits for all of a device: a status, and errors of host functions stay. */
Status tide_finishdevice (lua_State *L, RtDevice *dev, const char *what);

/* For debug_sync: waits for 'op', just queued on 's', without a word. */
void tide_waitoperation (lua_State *L, RtStream *s, const Op *op);

#endif
