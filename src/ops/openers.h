/* openers.h - the functions that open the types of this folder: each adds its
** functions to the module table on the top. */
#ifndef TIDE_OPS_OPENERS_H
#define TIDE_OPS_OPENERS_H

#include "base/state.h"

void tide_openjoin (lua_State *L);
void tide_openroll (lua_State *L);
void tide_opentile (lua_State *L);
void tide_opensplit (lua_State *L);
void tide_openmesh (lua_State *L);
void tide_opentriangle (lua_State *L);
void tide_openpad (lua_State *L);
void tide_openinsert (lua_State *L);
void tide_openonehot (lua_State *L);
void tide_openelementwise (lua_State *L);
void tide_opencomplexmath (lua_State *L);
void tide_openconvolve (lua_State *L);
void tide_openreduce (lua_State *L);
void tide_openscan (lua_State *L);
void tide_openproduct (lua_State *L);
void tide_openproducts (lua_State *L);
void tide_opennorm (lua_State *L);
void tide_opensoftmax (lua_State *L);
void tide_openeinsum (lua_State *L);
void tide_openscatter (lua_State *L);
void tide_opensort (lua_State *L);
void tide_opengather (lua_State *L);
void tide_openput (lua_State *L);
void tide_openalong (lua_State *L);
void tide_opennonzero (lua_State *L);
void tide_openunravel (lua_State *L);
void tide_openchoose (lua_State *L);
void tide_openrandom (lua_State *L);
void tide_opengenerator (lua_State *L);
void tide_opendistributions (lua_State *L);
void tide_opendifferences (lua_State *L);
void tide_opensearch (lua_State *L);
void tide_openmembers (lua_State *L);
void tide_openbincount (lua_State *L);
void tide_openhistogram (lua_State *L);
void tide_openquantile (lua_State *L);
void tide_openunique (lua_State *L);
void tide_opentopk (lua_State *L);
void tide_opennanfolds (lua_State *L);
void tide_openspread (lua_State *L);
void tide_openmoments (lua_State *L);
void tide_openplace (lua_State *L);
void tide_opensymbol (lua_State *L);
void tide_opencompare (lua_State *L);
void tide_openparts (lua_State *L);
void tide_opencomposed (lua_State *L);

#endif
