/* interruption.h - how any thread, or a signal handler, ends another thread's
** wait. See interruption.c. */
#ifndef TIDE_RT_WAIT_INTERRUPTION_H
#define TIDE_RT_WAIT_INTERRUPTION_H

#include <stdbool.h>
#include <stddef.h>

/* The latest message for one Lua state. */
typedef struct RtInterrupt {
  const void *key;          /* names the state; never dereferenced */
  const char *message;      /* sent and not yet taken, or NULL */
  int fd;                   /* readable once there is a message; or -1 */
  struct RtInterrupt *next; /* in the list of the process */
} RtInterrupt;

/* The owner makes 'key' interruptible from the first call to the second. */
void interruption_open (RtInterrupt *in, const void *key);
void interruption_close (RtInterrupt *in);

/* Leaves a message for the owner; NULL takes one back. The message is not
** copied. Returns false if there is no such key. Any thread and any signal
** handler may call it. */
bool interruption_send (const void *key, const char *message);

static inline bool interruption_is_sent (const RtInterrupt *in) {
  return __atomic_load_n(&in->message, __ATOMIC_ACQUIRE) != NULL;
}

/* Takes the message and returns it; NULL if there is none. For the owner. */
const char *interruption_take (RtInterrupt *in);

/* Makes 'fd' readable with each message, until interruption_close. For the
** owner. */
void interruption_set_fd (RtInterrupt *in, int fd);

#endif
