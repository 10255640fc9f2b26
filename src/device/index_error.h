/* index_error.h - errors that kernels find in their arguments, and threads in
** files. See index_error.c. */
#ifndef TIDE_DEVICE_INDEX_ERROR_H
#define TIDE_DEVICE_INDEX_ERROR_H

#include "base/state.h"

struct RtTransfer;

/* Replaces the string on the top by the message for a word that a kernel has
** set. */
typedef void Explain (lua_State *L, int64_t word);

/* A word of page-locked memory that a kernel sets if it finds an error; or
** transfers of a file, which have their own errors; or launches of a graph,
** whose operations have checks. */
typedef struct Check {
  State *state;
  int64_t *word;                /* NULL: given back, or */
  struct RtTransfer *transfers; /* of one call, by 'sibling' */
  struct RtTransfer *next;      /* not queued yet; or NULL */
  Explain *explain;             /* NULL: the string is the message */
  DriverReport *report;         /* of a program on the host device, or NULL */
  RtDevice *dev;
  uint64_t born;       /* the call that it was made for */
  bool dropped;        /* that call began again: its error counts no more */
  unsigned generation; /* of the device */
  RtStream *s;         /* the operation; NULL: not queued, or checked */
  uint64_t seq;
  bool captured;   /* launches of a graph may set it */
  bool graph;      /* the operation is the oldest launch; */
  Point *launches; /* later ones, in their order */
  int nlaunches, room;
} Check;

/* Pushes a check for an operation to come on 's'. The string on the top
** (popped) is the message of its error, or 'explain' makes the message of it.
*/
Check *index_error_push (lua_State *L, const RtStream *s, Explain *explain);

/* Drops the checks of operations that a call has queued since and queues again.
** Files have their errors by themselves. */
void index_error_drop (lua_State *L, uint64_t since);

/* Returns the word, which a kernel gets as an argument. */
static inline int64_t *index_error_word (const Check *c) {
  return (c != NULL) ? c->word : NULL;
}

/* index_error_push for transfers, of which there are none yet: the message
** names the call and the file. */
Check *index_error_push_file (lua_State *L, const RtStream *s);

/* index_error_push for a kernel that may index out of range, where the device
** can report the array, index and line. Else returns NULL, and only pops the
** message. */
Check *index_error_push_report (lua_State *L, const RtStream *s);

/* Returns the index of a check that has just been pushed; 0 for NULL. */
static inline int index_error_idx (lua_State *L, const Check *c) {
  return (c != NULL) ? lua_gettop(L) : 0;
}

/* Returns the report's address, which a program gets as an argument. */
static inline uint64_t index_error_address (const Check *c) {
  return (c != NULL) ? (uint64_t)(uintptr_t)c->report : 0;
}

/* Pushes a check for launches of the graph that 's' captures, or nil if no
** operation has a check. Returns the number of the capture. */
uint64_t index_error_push_graph (lua_State *L, const RtStream *s);

/* Gives the checks of a capture that has ended to its graph's, on the top. */
void index_error_adopt (lua_State *L, uint64_t id);

/* Forgets the checks of captures that were abandoned. */
void index_error_forget_captures (lua_State *L, const Runtime *rt);

/* Makes room before an operation with a check is queued on 's', so that
** index_error_set cannot fail. */
void index_error_reserve (lua_State *L, const State *st, const RtStream *s);

/* Sets the check at 'idx' for the operation that has just been queued on 's',
** before any other call. It may have earlier operations of the same call. */
void index_error_set (lua_State *L, int idx, RtStream *s);

/* Looks at all checks. Errors of finished operations are kept like those of
** host functions. */
void index_error_settle (lua_State *L);

/* Tells whether the check on the top is that of a graph, and pushes the list of
** the checks of its operations if so. */
bool index_error_is_graph (lua_State *L);

/* Looks at a few checks, so that programs that never wait do not collect
** them. */
void index_error_settle_some (lua_State *L);

/* Returns the error of the check on the top if it was not reported yet; else
** NULL. */
const char *index_error_unreported (lua_State *L);

#endif
