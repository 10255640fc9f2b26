/*
** sendrecv.c - the sends and receives of one operation: recorded in a table,
** checked against each other, and queued together.
*/
#include "sendrecv.h"

#include <string.h>

#include "array/dtype.h"
#include "base/class.h"
#include "base/error.h"
#include "base/type.h"
#include "device/current.h"
#include "overlap.h"
#include "rt/kernels/dtypes.h"
#include "rt/queue/op_types.h"

/* {== recording and queueing ========================================== */

typedef struct Item {
  Array *given, *dense;
  CollectiveKind kind;
  int at, peer;
  bool shared; /* its target overlaps another item's array */
} Item;

int sendrecv_local_index (const Comm *c, int rank) {
  for (int i = 0; i < c->n; i++)
    if (c->at[i]->rank == rank)
      return i;
  return -1;
}

/* Returns -1 for NCCL with several ranks, which may send what fits into its
** buffers before the receive. */
int sendrecv_match_index (const Comm *c, int rank) {
  bool looks = (c->n == 1 || c->at[0]->N->announce != NULL);
  return looks ? sendrecv_local_index(c, rank) : -1;
}

void sendrecv_add (lua_State *L, CollectiveKind kind, int at, int peer) {
  lua_createtable(L, 4, 0);
  lua_insert(L, -2);
  lua_rawseti(L, -2, ITEM_ARRAY);
  lua_pushinteger(L, kind);
  lua_rawseti(L, -2, ITEM_KIND);
  lua_pushinteger(L, at);
  lua_rawseti(L, -2, ITEM_AT);
  lua_pushinteger(L, peer);
  lua_rawseti(L, -2, ITEM_PEER);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

void sendrecv_add_caller (lua_State *L) {
  lua_rawgeti(L, -1, (lua_Integer)lua_rawlen(L, -1));
  error_push_caller(L);
  lua_rawseti(L, -2, ITEM_PLACE);
  lua_pop(L, 1);
}

static int int_of (lua_State *L, int item, int which) {
  lua_rawgeti(L, item, which);
  int n = (int)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return n;
}

/* Reads item i of the table at 'list'. */
static void read_item (lua_State *L, const Comm *c, int list, int i,
                       const char *name, Item *x) {
  lua_rawgeti(L, list, i);
  int item = lua_gettop(L);
  x->kind = (CollectiveKind)int_of(L, item, ITEM_KIND);
  x->at = int_of(L, item, ITEM_AT);
  x->peer = int_of(L, item, ITEM_PEER);
  x->shared = false;
  lua_rawgeti(L, item, ITEM_ARRAY);
  x->given = x->dense = array_test(L, -1);
  if (x->given->closed)
    error_raise(L, "%s: an array that rank %d %s was closed meanwhile", name,
                c->at[x->at]->rank,
                x->kind == COLLECTIVE_SEND ? "sends" : "receives");
  lua_pop(L, 2);
}

/* Finds receives into memory that other items move, too. Views that are not
** dense move copies. */
static void mark_shared (lua_State *L, Item *items, int n) {
  int nspans = 0;
  Span *spans = class_new_memory(L, (size_t)n * sizeof *spans);
  for (int i = 0; i < n; i++) {
    const Array *a = items[i].given;
    bool receives = (items[i].kind == COLLECTIVE_RECV);
    uint64_t at = (uint64_t)dist_address(a);
    if (a->dense && a->size > 0)
      spans[nspans++] = (Span){at, at + array_bytes(a),
                               receives ? &items[i].shared : NULL};
  }
  overlap_mark(spans, nspans);
  lua_pop(L, 1);
}

/* Pushes the array that the library works on for item i of the table at
** 'list'. */
static void push_moved (lua_State *L, int list, int i, Item *x) {
  const Array *a = x->given;
  lua_rawgeti(L, list, i);
  lua_rawgeti(L, -1, ITEM_ARRAY);
  lua_remove(L, -2);
  if (!a->dense && x->kind == COLLECTIVE_SEND)
    x->dense = array_push_dense(L, lua_gettop(L));
  else if (!a->dense || x->shared)
    x->dense = array_new(L, a->dev, (DType)a->dtype, a->ndim, a->shape,
                         current_get_stream(L, a->dev));
}

/* Adds a call for the item. 'apart': announces the size and dtype for this item
** alone, and not for the operation. For NCCL an empty array is no message. */
static void add_item (Joint *j, const Item *x, bool apart) {
  size_t each;
  if (x->dense->size == 0 && j->comm->at[x->at]->N->announce == NULL)
    return;
  RtCollective call = {.kind = x->kind, .peer = x->peer};
  bool sends = (x->kind == COLLECTIVE_SEND);
  call.type = dist_move_type((DType)x->dense->dtype, &each);
  call.n = x->dense->size * each;
  if (apart) {
    call.elements = x->dense->size;
    call.dtype = dtype_name((DType)x->dense->dtype);
  }
  call.from = call.to = dist_address(x->dense);
  dist_add_call(j, x->at, &call, sends ? x->dense : NULL,
                sends ? NULL : x->dense);
}

static bool is_put_back (const Item *x) {
  return x->kind == COLLECTIVE_RECV && x->dense != x->given &&
         x->given->size > 0;
}

static void put_back (lua_State *L, const Item *x) {
  if (is_put_back(x))
    array_copyto(L, current_get_stream(L, x->given->dev), x->given, x->dense);
}

void sendrecv_submit (lua_State *L, Comm *c, int list, const char *name,
                      NcclCall says, int behind) {
  int n = (int)lua_rawlen(L, list);
  size_t room = (size_t)n;
  if (n == 0)
    return;
  Item *items = class_new_memory(L, room * sizeof *items);
  Joint j = {.says = says};
  j.calls = class_new_memory(L, room * sizeof *j.calls);
  j.accesses = class_new_memory(L, (size_t)dist_max_accesses(c, n) *
                                     sizeof *j.accesses);
  if (!lua_checkstack(L, 2 * n + 8))
    error_raise(L, "%s: too many sends and receives in one group", name);
  for (int i = 0; i < n; i++)
    read_item(L, c, list, i + 1, name, &items[i]);
  mark_shared(L, items, n);
  for (int i = 0; i < n; i++)
    push_moved(L, list, i + 1, &items[i]);
  dist_start_joint(L, &j, c, name);
  for (int at = 0; at < c->n; at++)
    for (int i = 0; i < n; i++)
      if (items[i].at == at)
        add_item(&j, &items[i], !says.joint);
  for (int i = 0; i < n; i++)
    j.behind += is_put_back(&items[i]);
  j.behind += behind;
  dist_submit_joint(L, &j);
  for (int i = 0; i < n; i++)
    put_back(L, &items[i]);
}

/* ==} */

/* {== sends without receives ========================================== */

/* "1 array", "2 arrays" */
static const char *push_arrays (lua_State *L, int n) {
  return n == 0 ? lua_pushliteral(L, "none")
                : lua_pushfstring(L, n == 1 ? "%d array" : "%d arrays", n);
}

/* Counts the items in the table like item i, or like its other side. */
static int count_like (lua_State *L, const Comm *c, int list, int item,
                       bool other) {
  int n = 0, rank = c->at[int_of(L, item, ITEM_AT)]->rank;
  int peer = int_of(L, item, ITEM_PEER), kind = int_of(L, item, ITEM_KIND);
  for (int i = 1; i <= (int)lua_rawlen(L, list); i++) {
    lua_rawgeti(L, list, i);
    int at = lua_gettop(L), its = c->at[int_of(L, at, ITEM_AT)]->rank;
    bool alike = (int_of(L, at, ITEM_KIND) == kind);
    n += other ? !alike && its == peer && int_of(L, at, ITEM_PEER) == rank
               : alike && its == rank && int_of(L, at, ITEM_PEER) == peer;
    lua_pop(L, 1);
  }
  return n;
}

/* Raises that the item on the top has no counterpart. */
static void refuse_unmet (lua_State *L, const Comm *c, int list,
                          const char *name) {
  int item = lua_gettop(L);
  bool sends = (int_of(L, item, ITEM_KIND) == COLLECTIVE_SEND);
  const char *some = push_arrays(L, count_like(L, c, list, item, false));
  const char *others = push_arrays(L, count_like(L, c, list, item, true));
  lua_rawgeti(L, item, ITEM_PLACE);
  error_raise(L,
              "%s: rank %d %s %s %s rank %d (%s), which %s %s: in one process "
              "what is sent is received in the same comm:group",
              name, c->at[int_of(L, item, ITEM_AT)]->rank,
              sends ? "sends" : "receives", some, sends ? "to" : "from",
              int_of(L, item, ITEM_PEER), lua_tostring(L, -1),
              sends ? "receives" : "sends", others);
}

/* No other process has the missing half, and the next operation of any rank
** comes after this one, so the ranks would wait until their time is over. */
void sendrecv_check (lua_State *L, const Comm *c, int list, const char *name) {
  size_t size = (size_t)c->n;
  int *sent = class_new_memory(L, size * size * sizeof *sent);
  memset(sent, 0, size * size * sizeof *sent);
  for (int pass = 0; pass < 2; pass++) /* counts, then checks */
    for (int i = 1; i <= (int)lua_rawlen(L, list); i++) {
      lua_rawgeti(L, list, i);
      int item = lua_gettop(L);
      size_t at = (size_t)int_of(L, item, ITEM_AT);
      int peer = sendrecv_match_index(c, int_of(L, item, ITEM_PEER));
      size_t other = (peer >= 0) ? (size_t)peer : at;
      bool sends = (int_of(L, item, ITEM_KIND) == COLLECTIVE_SEND);
      int *n = &sent[sends ? at * size + other : other * size + at];
      if (peer >= 0 && pass == 0)
        *n += sends ? 1 : -1;
      else if (peer >= 0 && (sends ? *n > 0 : *n < 0))
        refuse_unmet(L, c, list, name);
      lua_pop(L, 1);
    }
  lua_pop(L, 1);
}

/* ==} */
