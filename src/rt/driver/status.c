/*
** status.c - errors: notes the call that failed in the Runtime, and returns its
** code as a Status. Also arrays that grow, which may fail as well.
*/
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
  void *at;
  if (n > 0 && (n & (n - 1)) != 0)
    return 0;
  memcpy(&at, list, sizeof at);
  at = realloc(at, (size_t)(n > 0 ? 2 * n : 1) * size);
  if (at == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  memcpy(list, &at, sizeof at);
  return 0;
}
