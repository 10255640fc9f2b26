/* op_kinds.h - the kinds of operations, and sets of kinds. See op_kinds.def. */
#ifndef TIDE_RT_DRIVER_OP_KINDS_H
#define TIDE_RT_DRIVER_OP_KINDS_H

#include <stdbool.h>

typedef enum OpKind {
#define OP(ID, queue, capture, detail, entry, uses, suspect) OP_##ID,
#include "op_kinds.def"
#undef OP
  OP_KINDS
} OpKind;

/* Values of the columns. */
enum { USES_NOTHING, USES_EVENT, USES_GRAPH };
enum { SUSPECT_FIRST = 1, SUSPECT_SECOND, SUSPECT_LAST, SUSPECT_NEVER };

/* Sets of kinds, a bit for each, because every operation is tested against
** them. */
enum {
  OPS_OF_EVENTS = 0
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  | (USES_##uses == USES_EVENT) << OP_##ID
#include "op_kinds.def"
#undef OP
  ,
  OPS_OF_GRAPHS = 0
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  | (USES_##uses == USES_GRAPH) << OP_##ID
#include "op_kinds.def"
#undef OP
  ,
  OPS_SUSPECT = 0
#define OP(ID, queue, capture, detail, entry, uses, suspect) \
  | (SUSPECT_##suspect != SUSPECT_NEVER) << OP_##ID
#include "op_kinds.def"
#undef OP
};

static inline bool op_kind_is_in (OpKind kind, int set) {
  return (set >> kind & 1) != 0;
}

#endif
