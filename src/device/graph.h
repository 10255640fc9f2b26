/* graph.h - the Graph type. See graph.c. */
#ifndef TIDE_DEVICE_GRAPH_H
#define TIDE_DEVICE_GRAPH_H

#include "base/class.h"

typedef struct Graph {
  Object object;
  RtGraph *rg; /* NULL from birth until instantiated, and once closed */
} Graph;

extern const Class graph_class;

/* Returns the Graph at 'arg'. Raises if it is another value or closed. */
Graph *graph_check (lua_State *L, int arg);

/* The methods begin_capture and end_capture of a Stream. */
int graph_begin_capture (lua_State *L);
int graph_end_capture (lua_State *L);

#endif
