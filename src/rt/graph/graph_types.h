/* graph_types.h - a graph, and its body, which graphs may share. */
#ifndef TIDE_RT_GRAPH_GRAPH_TYPES_H
#define TIDE_RT_GRAPH_GRAPH_TYPES_H

#include "rt/driver/life.h"
#include "rt/rt.h"

enum { NODE_DETAIL = 64 };

/* A node of a captured graph, for printing: its name and its edges. */
typedef struct GraphNode {
  const char *name;
  RtCode *code; /* the code that it launches, with its name; or NULL */
  char detail[NODE_DETAIL]; /* sizes, for the verbose form */
  int after;  /* index in the body's edges of the nodes that it follows,
                        without those that another of them follows */
  int nafter; /* their number */
} GraphNode;

/* A part of a launch, which does its parts in turn: the driver's graph, or a
** host function. */
typedef struct GraphPart {
  CUgraph graph;    /* NULL: a function, or lost (graph_exec_lose) */
  RtKept *function; /* holds the function's key; or NULL */
} GraphPart;

/* The functions that a graph with operations of ranks calls:
** comm/collective.c. */
typedef struct GraphRanks {
  /* Checks that all its ranks are open. 'what' names the call. */
  Status (*check)(const RtBody *body, const char *what);
  /* Notes that 'op' has launched it on 's'. */
  void (*note)(RtStream *s, const Op *op);
  /* Tells whether no rank is known to have failed or closed. */
  bool (*is_open)(const RtBody *body);
  /* The body goes. */
  void (*leave)(RtBody *body);
} GraphRanks;

/*
** The contents of a graph, which a launch runs; graphs share it after an
** update. 'last' orders launches of bodies with host functions, which must not
** overlap.
*/
struct RtBody {
  LIFE;
  GraphPart *parts; /* what a launch does in turn */
  int nparts;
  int nfunctions; /* parts that are host functions */
  Access *access; /* each block at most once read and once written;
                              page-locked memory as it is used */
  int naccess;
  Access *uses; /* of page-locked memory, by each node */
  int nuses;
  GraphNode *nodes;
  int nnodes;
  int *edges; /* indices of nodes */
  int nedges;
  Point last;              /* its latest launch */
  List execs;              /* dropped graphs that launched it */
  bool anchored;           /* the State holds its Lua functions for a launch */
  bool owned;              /* a Graph keeps its Lua functions */
  const GraphRanks *ranks; /* NULL: it has no operations of ranks */
  struct GraphComm *comms; /* ranks with operations in it; it holds them */
  int ncomms;
};

struct RtGraph {
  LIFE;
  RtBody *body;
  Point last; /* its latest launch, whichever body */
  int nexecs; /* one per part; NULL: a host function, or lost */
  CUgraphExec execs[];
};

#endif
