/*
** status.c - errors: notes the call that failed in the Runtime, and returns its
** code as a Status. Also arrays that grow, which may fail as well.
*/
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

#include "grow.h"

Status status_fail (Runtime *rt, Status code, const char *call) {
  rt->faulty = NULL;
  rt->call = call;
  rt->detail[0] = '\0';
  return code;
}

Status status_explain (Runtime *rt, Status code, const char *call,
                       const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  rt->faulty = NULL;
  rt->call = call;
  vsnprintf(rt->detail, sizeof rt->detail, format, ap);
  va_end(ap);
  return code;
}

Status status_make_room (Runtime *rt, void *list, int n, size_t size) {
  int cap = n; /* a list of 2^k elements is full */
  if (n > 0 && (n & (n - 1)) != 0)
    return 0;
  return grow_list(list, &cap, n + 1, size, 1)
           ? 0
           : status_fail(rt, RT_NOMEM, NULL);
}
