/*
** owner.c - streams and events that are somebody else's: a host program's, a
** library's. tide uses them as its own, never destroys them, and tells each
** owner once when it has done with them: on the thread that is in the
** lua_State, after the last work that used them.
*/
#include "owner.h"

#include <stdlib.h>

#include "status.h"

Status rt_addowner (Runtime *rt, RtOwner **list, RtRelease *release,
                    void *ud) {
  if (release == NULL)
    return 0;
  RtOwner *o = malloc(sizeof *o);
  if (o == NULL)
    return rt_fail(rt, RT_NOMEM, NULL);
  *o = (RtOwner){*list, release, ud};
  *list = o;
  return 0;
}

void rt_release (RtOwner **list) {
  RtOwner *o;
  while ((o = *list) != NULL) {
    *list = o->next;
    o->release(o->ud);
    free(o);
  }
}
