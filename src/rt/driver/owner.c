/*
** owner.c - owners of foreign streams and events, which belong to a host
** program or a library. tide uses these like its own but never destroys them.
** It tells each owner once when it no longer uses them: on the thread that is
** in the lua_State, after the last work that used them.
*/
#include "owner.h"

#include <stdlib.h>

#include "status.h"

Status owner_add (Runtime *rt, RtOwner **list, RtRelease *release, void *ud) {
  if (release == NULL)
    return 0;
  RtOwner *o = malloc(sizeof *o);
  if (o == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  *o = (RtOwner){*list, release, ud};
  *list = o;
  return 0;
}

void owner_release_all (RtOwner **list) {
  RtOwner *o;
  while ((o = *list) != NULL) {
    *list = o->next;
    o->release(o->ud);
    free(o);
  }
}
