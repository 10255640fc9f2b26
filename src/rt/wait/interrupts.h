/* interrupts.h - how any thread, or a signal handler, ends a wait of another
** one. See interrupts.c. */
#ifndef TIDE_RT_WAIT_INTERRUPTS_H
#define TIDE_RT_WAIT_INTERRUPTS_H

#include <stdbool.h>
#include <stddef.h>

/* What others may send to one Lua state. */
typedef struct RtInterrupt {
  const void *key;           /* whose it is: never looked into */
  const char *message;       /* sent and not taken yet, or NULL */
  int fd;                    /* readable from a message on; or -1 */
  struct RtInterrupt *next;  /* of all in the process */
} RtInterrupt;

/* The owner's: from the first to the second, 'key' can be interrupted. */
void rt_openinterrupt (RtInterrupt *in, const void *key);
void rt_closeinterrupt (RtInterrupt *in);

/* Any thread's, and a signal handler's: leaves the message, which is not
** copied, for the owner; NULL takes one back. false: there is no such key. */
bool rt_sendinterrupt (const void *key, const char *message);

static inline bool rt_isinterrupted (const RtInterrupt *in) {
  return __atomic_load_n(&in->message, __ATOMIC_ACQUIRE) != NULL;
}

/* The owner's: the message, which is gone then; NULL: there is none. */
const char *rt_takeinterrupt (RtInterrupt *in);

/* The owner's: a message makes 'fd' readable, until rt_closeinterrupt. */
void rt_showinterrupts (RtInterrupt *in, int fd);

#endif
