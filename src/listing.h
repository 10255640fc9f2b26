/* listing.h - tables that print as what they hold. See listing.c. */
#ifndef TIDE_LISTING_H
#define TIDE_LISTING_H

#include "tide.h"

/* Makes the table on the top one. */
void tide_setlisting (lua_State *L);

#endif
