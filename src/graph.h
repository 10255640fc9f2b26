/* graph.h - the Graph type. See graph.c. */
#ifndef TIDE_GRAPH_H
#define TIDE_GRAPH_H

#include "class.h"

typedef struct Graph {
  Object object;
  RtGraph *rg;   /* NULL from birth until instantiated, and once closed */
} Graph;

extern const Class tide_graphclass;

/* Ends the capture on 'rs' and pushes its Graph. Raises. */
void tide_pushgraph (lua_State *L, RtStream *rs);

#endif
