/* status.h - noting what failed; lists that grow. See status.c. */
#ifndef TIDE_RT_DRIVER_STATUS_H
#define TIDE_RT_DRIVER_STATUS_H

#include "rt/rt.h"

/* Notes which call failed and passes the code on. */
Status rt_fail (Runtime *rt, Status code, const char *call)
    __attribute__((cold));

/* The same with an explanation (printf). RT_MISUSE: it is the message. */
Status rt_explain (Runtime *rt, Status code, const char *call,
                   const char *format, ...)
    __attribute__((cold, format(printf, 4, 5)));

/* Room for one more in an array that doubles; 'list' points to its pointer,
** 'n' of its elements are in use. Failing leaves it as it was. */
Status rt_room (Runtime *rt, void *list, int n, size_t size);

#endif
