/* listing.h - tables that print their contents. See listing.c. */
#ifndef TIDE_BASE_LISTING_H
#define TIDE_BASE_LISTING_H

#include "state.h"

void open_listing (lua_State *L);

/* Makes the table on the top a listing. */
void listing_set (lua_State *L);

#endif
