/*
** capture_mode.c - captures in the modes "global" and "thread_local". The
** driver refuses calls that allocate or query on the thread that began one, for
** "global" on all threads, and invalidates the capture. Our own calls are safe,
** because they use other streams, and other Lua states have nothing to do with
** the capture. So each thread that is inside tide is relaxed while a strict
** capture is open anywhere in the process. Afterwards its mode is restored.
**
** DESIGN. The mode belongs to the thread, and a Lua state may change threads,
** so the thread remembers what was set. A thread that never comes back to tide
** stays relaxed.
*/
#include "capture_mode.h"

static int strict; /* open strict captures of all Runtimes; atomic */
bool capture_mode_ever_strict;

/* For the drivers of the first and of the last device of any Runtime. */
static _Thread_local struct {
  bool relaxed;
  bool set[2];
  CUstreamCaptureMode saved[2];
} thread;

void capture_mode_adjust (Runtime *rt) {
  bool relax = __atomic_load_n(&strict, __ATOMIC_ACQUIRE) > 0;
  if (relax == thread.relaxed)
    return;
  const Driver *D[2] = {rt->devices[0].D, rt->devices[rt->ndevices - 1].D};
  for (int i = 0; i < 2 && (i == 0 || D[1] != D[0]); i++) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    if (!relax && !thread.set[i])
      continue;
    if (!relax)
      mode = thread.saved[i];
    thread.set[i] = D[i]->cuThreadExchangeStreamCaptureMode(&mode) ==
                      CUDA_SUCCESS &&
                    relax;
    thread.saved[i] = mode;
  }
  thread.relaxed = relax;
}

void capture_mode_count (Runtime *rt, int n) {
  if (n > 0)
    __atomic_store_n(&capture_mode_ever_strict, true, __ATOMIC_RELEASE);
  __atomic_fetch_add(&strict, n, __ATOMIC_RELEASE);
  capture_mode_adjust(rt);
}
