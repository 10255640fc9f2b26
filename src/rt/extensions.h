/* extensions.h - the extensions of the runtime at the steps of its life. See
** extensions.c. */
#ifndef TIDE_RT_EXTENSIONS_H
#define TIDE_RT_EXTENSIONS_H

#include "rt.h"

/* All extensions in order, up to NULL. */
extern const Extension *const extension_list[];

/* Each calls the function of that name of all extensions: see Extension. */
bool extension_has_dropped (const Runtime *rt);
void extension_drain (Runtime *rt, bool all);
void extension_watch (Runtime *rt);
void extension_poll (Runtime *rt);
void extension_end (RtDevice *dev);
void extension_reset (RtDevice *dev);
void extension_forget (RtDevice *dev);
bool extension_has_work (const Runtime *rt);
void extension_stop (Runtime *rt, bool gone);
void extension_free (Runtime *rt);

#endif
