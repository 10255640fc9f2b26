/* graph.h - the Graph type. See graph.c. */
#ifndef TIDE_DEVICE_GRAPH_H
#define TIDE_DEVICE_GRAPH_H

#include "base/class.h"

typedef struct Graph {
  Object object;
  RtGraph *rg; /* NULL from birth until instantiated, and once closed */
} Graph;

extern const Class tide_graphclass;

/* Returns the Graph at 'arg'. Raises if it is another value or closed. */
Graph *tide_checkgraph (lua_State *L, int arg);

/* The methods begin_capture and end_capture of a Stream. */
int tide_begincapture (lua_State *L);
int tide_endcapture (lua_State *L);

#endif
