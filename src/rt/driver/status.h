/* status.h - notes errors; arrays that grow. See status.c. */
#ifndef TIDE_RT_DRIVER_STATUS_H
#define TIDE_RT_DRIVER_STATUS_H

#include "rt/rt.h"

/* Notes which call failed and passes the code on. */
Status status_fail (Runtime *rt, Status code, const char *call)
  __attribute__((cold));

/* As above, with an explanation (printf). With RT_MISUSE it is the whole
** message. */
Status status_explain (Runtime *rt, Status code, const char *call,
                       const char *format, ...)
  __attribute__((cold, format(printf, 4, 5)));

/* Makes room for one more element in a list of 'n' elements whose room is not
** stored: it doubles (grow.h) whenever n is a power of two. */
Status status_make_room (Runtime *rt, void *list, int n, size_t size);

#endif
