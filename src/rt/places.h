/* places.h - how many streams may stand behind gates. See places.c. */
#ifndef TIDE_PLACES_H
#define TIDE_PLACES_H

#include "rt.h"

/* Before 's' gets behind a gate. RT_CROWDED: no place is left. */
Status rt_takeplace (RtStream *s);

/* It did not get there after all. */
void rt_returnplace (RtStream *s);

/* The Runtime has no gate shut any more. */
void rt_returnplaces (Runtime *rt);

/* The device was reset: nobody stands anywhere. */
void rt_forgetplaces (RtDevice *dev);

/* The same as rt_takeplace, when others have left theirs if need be. */
Status rt_awaitplace (RtStream *s, const char *what);

#endif
