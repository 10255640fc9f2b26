/*
** extensions.c - the list of extensions, and the walks over it.
**
** DESIGN. The core of the runtime - streams, memory, graphs, waits - includes
** no header of a room of the list (spec/checks/rooms.lua). It meets these rooms
** here and, where operations are queued, by rt->extensions, if rt->active says
** that one of them has anything to do. The functions of a kind of operations
** are in driver/op_kinds.def instead, and those of graphs in GraphRanks.
*/
#include "extensions.h"

#include "rt/comm/comm.h"
#include "rt/driver/extension.h"
#include "rt/file/transfer.h"

const Extension *const extension_list[] = {&comm_extension, &transfer_extension,
                                           NULL};

bool extension_has_dropped (const Runtime *rt) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((rt->active & (*e)->bit) != 0 && (*e)->has_dropped != NULL &&
        (*e)->has_dropped(rt))
      return true;
  return false;
}

void extension_drain (Runtime *rt, bool all) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->drain != NULL)
      (*e)->drain(rt, all);
}

void extension_watch (Runtime *rt) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->watch != NULL)
      (*e)->watch(rt);
}

void extension_poll (Runtime *rt) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->poll != NULL)
      (*e)->poll(rt);
}

void extension_end (RtDevice *dev) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->end != NULL)
      (*e)->end(dev);
}

void extension_reset (RtDevice *dev) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->reset != NULL)
      (*e)->reset(dev);
}

void extension_forget (RtDevice *dev) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->forget != NULL)
      (*e)->forget(dev);
}

bool extension_has_work (const Runtime *rt) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->has_work != NULL && (*e)->has_work(rt))
      return true;
  return false;
}

void extension_stop (Runtime *rt, bool gone) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->stop != NULL)
      (*e)->stop(rt, gone);
}

void extension_free (Runtime *rt) {
  for (const Extension *const *e = extension_list; *e != NULL; e++)
    if ((*e)->free != NULL)
      (*e)->free(rt);
}
