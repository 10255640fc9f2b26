/*
** rank_describe.c - sentences about ranks and their operations.
*/
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ranks.h"

/* Appends; text that does not fit ends in "...". */
void rank_append (char *text, size_t size, const char *format, ...) {
  size_t n = strlen(text);
  va_list args;
  va_start(args, format);
  if (vsnprintf(text + n, size - n, format, args) >= (int)(size - n))
    memcpy(text + size - 4, "...", 4);
  va_end(args);
}

/* {== "ranks 0-2, 5 and 7" ============================================ */

static int end_of_run (const bool *which, int from, int n) {
  int end = from;
  while (end < n && which[end])
    end++;
  return (end - from >= 3) ? end : from + 1;
}

static bool any_from (const bool *which, int from, int n) {
  while (from < n && !which[from])
    from++;
  return from < n;
}

static int count (const bool *which, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += which[i];
  return sum;
}

void rank_list (char *text, size_t size, const bool *which, int n) {
  const char *before = "";
  rank_append(text, size, count(which, n) == 1 ? "rank " : "ranks ");
  for (int i = 0, end; i < n; i = end) {
    end = i + 1;
    if (!which[i])
      continue;
    end = end_of_run(which, i, n);
    if (before[0] != '\0' && !any_from(which, end, n))
      before = " and ";
    rank_append(text, size, end - i > 1 ? "%s%d-%d" : "%s%d", before, i,
                end - 1);
    before = ", ";
  }
}

/* ==} */

/* {== operations ====================================================== */

static bool goes_to_root (const char *what) {
  static const char *const names[] = {"reduce", "gather", "send", "ncclReduce",
                                      "ncclSend"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(what, names[i]) == 0)
      return true;
  return false;
}

static const char *name_of (RankCallKind kind) {
  static const char *const names[] = {
    "ncclAllReduce",     "ncclReduce", "ncclBroadcast", "ncclAllGather",
    "ncclReduceScatter", "ncclSend",   "ncclRecv"};
  return names[kind];
}

static bool reduces (RankCallKind kind) {
  return kind == ALL_REDUCE || kind == REDUCE || kind == REDUCE_SCATTER;
}

static bool takes_root (RankCallKind kind) {
  return kind == REDUCE || kind == BROADCAST || kind >= SEND;
}

/* In NCCL's words. */
void rank_use_nccl_names (CallDesc *t) {
  strcpy(t->what, name_of(t->kind));
  strcpy(t->type, rank_type_name((ncclDataType_t)t->t));
  strcpy(t->op, reduces(t->kind) ? rank_op_name((ncclRedOp_t)t->redop) : "");
  t->n = t->count;
  t->root = takes_root(t->kind) ? t->at : -1;
}

/* Tells whether it is one send, or one receive, of a group. */
static bool is_in_group (const CallDesc *t) {
  return t->kind >= SEND && strcmp(t->what, "group") == 0;
}

/* Describes it without its place in the program. */
void rank_describe (char *text, size_t size, const CallDesc *t) {
  bool in_group = is_in_group(t);
  const char *what = !in_group ? t->what : t->kind == SEND ? "send" : "recv";
  rank_append(text, size, "%s", what);
  if (t->type[0] != '\0' && strcmp(what, "barrier") != 0)
    rank_append(text, size, " of %llu %s", (unsigned long long)t->n, t->type);
  if (t->root >= 0)
    rank_append(text, size, " %s rank %d", goes_to_root(what) ? "to" : "from",
                t->root);
  if (t->op[0] != '\0')
    rank_append(text, size, ", %s", t->op);
  if (in_group)
    rank_append(text, size, " in a group");
}

void rank_describe_at (char *text, size_t size, const CallDesc *t) {
  if (t->kind >= SEND && !t->joint) {
    rank_describe(text, size, t);
    rank_append(text, size, ", ");
  } else {
    rank_append(text, size, "%s ", t->what);
  }
  rank_append(text, size, "number %llu", (unsigned long long)t->number);
  if (t->place[0] != '\0')
    rank_append(text, size, " (%s)", t->place);
}

/* ==} */

/* {== differences ===================================================== */

/* Tells whether the programs' words for two operations are the same. */
bool rank_texts_match (const CallDesc *a, const CallDesc *b) {
  return strcmp(a->what, b->what) == 0 && strcmp(a->type, b->type) == 0 &&
         strcmp(a->op, b->op) == 0 && a->n == b->n && a->root == b->root;
}

/* Tells whether two operations go together as one collective. */
bool rank_calls_match (const CallDesc *a, const CallDesc *b) {
  return rank_texts_match(a, b) && a->kind == b->kind && a->t == b->t &&
         a->redop == b->redop && a->at == b->at && a->count == b->count;
}

/* Tells whether there is a difference that the programs' words do not show. */
static bool is_hidden (const CallDesc *const *desc, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; desc[i] != NULL && k < i; k++)
      if (desc[k] != NULL && rank_texts_match(desc[i], desc[k]) &&
          !rank_calls_match(desc[i], desc[k]))
        return true;
  return false;
}

static void describe_call (char text[NCCL_WHY], const CallDesc *t,
                           bool plainly) {
  CallDesc call = *t;
  if (plainly)
    rank_use_nccl_names(&call);
  rank_describe(text, NCCL_WHY, &call);
}

/* Lists the places of the ranks in 'which', each once. */
static void describe_places (char text[NCCL_WHY], const CallDesc *const *desc,
                             const bool *which, int n) {
  const char *before = " (";
  for (int i = 0; i < n; i++) {
    bool said = !which[i] || desc[i]->place[0] == '\0';
    for (int k = 0; !said && k < i; k++)
      said = which[k] && strcmp(desc[k]->place, desc[i]->place) == 0;
    if (said)
      continue;
    rank_append(text, NCCL_WHY, "%s%s", before, desc[i]->place);
    before = ", ";
  }
  if (before[0] == ',')
    rank_append(text, NCCL_WHY, ")");
}

/* NULL in 'desc': nothing is known of that rank. */
void rank_describe_diff (char text[NCCL_WHY], const CallDesc *const *desc,
                         int n, uint64_t number) {
  bool said[MAX_RANKS] = {false};
  const char *before = ": ";
  bool hidden = is_hidden(desc, n);
  snprintf(text, NCCL_WHY, "ranks do not agree on operation %llu",
           (unsigned long long)number);
  for (int i = 0; i < n; i++) {
    bool which[MAX_RANKS] = {false};
    if (desc[i] == NULL || said[i])
      continue;
    for (int k = i; k < n; k++)
      if (desc[k] != NULL && rank_calls_match(desc[i], desc[k]))
        which[k] = said[k] = true;
    rank_append(text, NCCL_WHY, "%s", before);
    rank_list(text, NCCL_WHY, which, n);
    rank_append(text, NCCL_WHY, ": ");
    describe_call(text, desc[i], hidden);
    describe_places(text, desc, which, n);
    before = "; ";
  }
}

/* ==} */

void rank_list_absent (ncclComm_t c, char text[NCCL_WHY]) {
  bool missing[MAX_RANKS] = {false};
  int n = 0;
  for (int i = 0; i < c->size; i++)
    n += missing[i] = (c->map == NULL)
                        ? i == 0 && c->rank != 0
                        : rank_read32(&c->map->segment->member[i].presence) ==
                            ABSENT;
  if (n == 0)
    return;
  rank_list(text, NCCL_WHY, missing, c->size);
  rank_append(text, NCCL_WHY, " of %d %s not come", c->size,
              n == 1 ? "has" : "have");
}
