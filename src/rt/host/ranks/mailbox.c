/*
** mailbox.c - sends and receives: all of a job go on at the same time.
**
** DESIGN. A pair of ranks has two sides in each direction, the sender's and the
** receiver's. Both describe a message, and compare; then the sender fills two
** letters in turn and the receiver empties them. The k-th send of a pair meets
** its k-th receive. A side begins a message when the one before it is done, and
** needs the other's description for that, so two of each are enough.
**
** Before a job begins it promises how many messages each side will have. A
** message that the peer has not promised cannot come if the peer needs us
** before it can go on:
**   - the peer is in a collective that follows those we have been in, or in a
**     split that follows those we have begun;
**   - the peer, in a job of its own, waits for a message we do not promise.
*/
#include <string.h>

#include "ranks.h"

/* {== the sides of a part ============================================= */

static bool is_send (const WorkPart *p) { return p->desc.kind == SEND; }

static RankPair *pair_of (ncclComm_t c, const WorkPart *p) {
  return is_send(p) ? rank_pair(c->map, c->rank, p->desc.at)
                    : rank_pair(c->map, p->desc.at, c->rank);
}

static PairSide *my_side (RankPair *pair, const WorkPart *p) {
  return is_send(p) ? &pair->from : &pair->to;
}

static const PairSide *its_side (const RankPair *pair, const WorkPart *p) {
  return is_send(p) ? &pair->to : &pair->from;
}

static Member *member (ncclComm_t c, int rank) {
  return &c->map->segment->member[rank];
}

/* ==} */

/* {== disagreement ==================================================== */

static bool is_plain (const CallDesc *t) {
  return strcmp(t->what, "send") == 0 || strcmp(t->what, "recv") == 0 ||
         strncmp(t->what, "nccl", 4) == 0;
}

/* Tells whether the two ends of a message go together. */
static bool do_match (const CallDesc *a, const CallDesc *b) {
  if (!is_plain(a) && !is_plain(b) && strcmp(a->what, b->what) != 0)
    return false;
  return a->t == b->t && a->count == b->count && strcmp(a->type, b->type) == 0;
}

/* Describes it in NCCL's words, for a difference that the programs' words do
** not show. */
static void call_plain (CallDesc *t) {
  strcpy(t->what, t->kind == SEND ? "send" : "recv");
  strcpy(t->type, rank_type_name((ncclDataType_t)t->t));
  t->op[0] = '\0';
  t->n = t->count;
  t->root = t->at;
}

static Answer disagree (ncclComm_t c, const CallDesc *mine, int peer,
                        const CallDesc *its) {
  char text[NCCL_WHY];
  const CallDesc *desc[MAX_RANKS] = {NULL};
  CallDesc a = *mine, b = *its;
  if (rank_texts_match(&a, &b)) {
    call_plain(&a);
    call_plain(&b);
  }
  desc[c->rank] = &a;
  desc[peer] = &b;
  rank_describe_diff(text, desc, c->size, mine->number);
  rank_fail(c, ncclInvalidUsage, "%s", text);
  return NEVER;
}

/* Returns a message that the peer waits for and we do not promise; or NULL. */
static const CallDesc *find_unmet (ncclComm_t c, int peer) {
  const RankPair *in = rank_pair(c->map, peer, c->rank);
  const RankPair *out = rank_pair(c->map, c->rank, peer);
  const PairSide *side = NULL;
  if (rank_read64(&in->from.promised) > rank_read64(&in->to.promised))
    side = &in->from;
  else if (rank_read64(&out->to.promised) > rank_read64(&out->from.promised))
    side = &out->to;
  if (side == NULL)
    return NULL;
  uint64_t posted = rank_read64(&side->posted);
  return posted > 0 ? &side->desc[(posted - 1) % 2] : &member(c, peer)->now;
}

/* Checks whether a message that the peer has not described can still come. */
static Answer check_hope (ncclComm_t c, const WorkPart *p,
                          const PairSide *its) {
  int peer = p->desc.at;
  const Member *m = member(c, peer);
  const CallDesc *other = NULL;
  uint64_t doing = rank_read64(&m->doing);
  if (doing % 4 == IDLE)
    other = rank_other_split(c, peer);
  else if (doing % 4 == COLLECTIVE && rank_read64(&m->begun) == c->begun + 1)
    other = &m->desc[(c->begun + 1) % 2];
  else if (doing % 4 == EXCHANGING && peer != c->rank)
    other = find_unmet(c, peer);
  else if (doing % 4 == EXCHANGING)
    other = &m->now;
  if (other == NULL || rank_read64(&its->promised) >= p->message ||
      rank_read64(&m->doing) != doing)
    return NOT_YET;
  return disagree(c, &p->desc, peer, other);
}

/* ==} */

/* {== moving ========================================================== */

static bool is_gone (ncclComm_t c, int rank) {
  return rank_read32(&member(c, rank)->presence) >= LEFT;
}

static void post (ncclComm_t c, PairSide *mine, WorkPart *p) {
  mine->desc[(p->message - 1) % 2] = p->desc;
  rank_write64(&mine->posted, p->message);
  rank_wake(c->map->segment, p->desc.at);
  p->stage = POSTED;
}

static Answer compare (ncclComm_t c, WorkPart *p, const PairSide *its) {
  bool gone = is_gone(c, p->desc.at);
  if (rank_read64(&its->posted) < p->message) {
    if (!gone)
      return check_hope(c, p, its);
    rank_fail_gone(c, p->desc.at);
    return NEVER;
  }
  const CallDesc *other = &its->desc[(p->message - 1) % 2];
  if (!do_match(&p->desc, other))
    return disagree(c, &p->desc, p->desc.at, other);
  p->stage = AGREED;
  return YES;
}

static size_t bytes_of (const WorkPart *p) {
  return p->desc.count * rank_type_size((ncclDataType_t)p->desc.t);
}

/* Tells whether the next letter can be filled, or emptied. */
static bool has_letter (const WorkPart *p, const PairSide *mine,
                        const PairSide *its) {
  uint64_t other = rank_read64(&its->moved);
  return is_send(p) ? mine->moved - other < 2 : other > mine->moved;
}

static void move_letter (RankPair *pair, WorkPart *p, PairSide *mine) {
  unsigned char *letter = rank_letter(pair, mine->moved);
  size_t n = bytes_of(p) - p->moved;
  n = n < LETTER ? n : LETTER;
  if (is_send(p))
    memcpy(letter, (const unsigned char *)p->from + p->moved, n);
  else
    memcpy((unsigned char *)p->to + p->moved, letter, n);
  p->moved += n;
  rank_write64(&mine->moved, mine->moved + 1);
}

/* Moves two letters at most, because others of the job have their turns. */
static Answer move (ncclComm_t c, RankPair *pair, WorkPart *p) {
  PairSide *mine = my_side(pair, p);
  const PairSide *its = its_side(pair, p);
  bool gone = is_gone(c, p->desc.at);
  Answer answer = NOT_YET;
  for (int i = 0; i < 2 && p->moved < bytes_of(p) && has_letter(p, mine, its);
       i++) {
    move_letter(pair, p, mine);
    answer = YES;
  }
  if (answer == YES)
    rank_wake(c->map->segment, p->desc.at);
  if (p->moved == bytes_of(p)) {
    p->stage = DONE;
    return YES;
  }
  if (answer == YES || !gone)
    return answer;
  rank_fail_gone(c, p->desc.at);
  return NEVER;
}

/* YES: it has made progress. Earlier messages of its side are done. */
static Answer advance (ncclComm_t c, WorkPart *p) {
  RankPair *pair = pair_of(c, p);
  switch (p->stage) {
    case NEW: post(c, my_side(pair, p), p); return YES;
    case POSTED: return compare(c, p, its_side(pair, p));
    case AGREED: return move(c, pair, p);
    case DONE: break;
  }
  return NOT_YET;
}

/* A job's messages, by side. */
typedef struct Turns {
  RankWork *w;
  int n;                  /* sides that are not done, and for each ... */
  int now[2 * MAX_RANKS]; /* ... the part whose turn it is */
} Turns;

enum { LAST_ROUNDS = 16 };

/* Goes on as far as possible without waiting for others. After a failure it
** takes only what is there already: for each side two messages at most, and two
** letters of each. */
static Answer advance_all (ncclComm_t c, void *ud) {
  Turns *t = ud;
  int rounds = LAST_ROUNDS;
  bool moved;
  do {
    int left = 0;
    moved = false;
    for (int i = 0; i < t->n; i++) {
      WorkPart *p = &t->w->part[t->now[i]];
      Answer answer = advance(c, p);
      if (answer == NEVER || (answer == YES && rank_is_ending(c)))
        return NEVER;
      moved |= (answer == YES);
      int now = (p->stage == DONE) ? p->next : t->now[i];
      if (now >= 0)
        t->now[left++] = now;
    }
    t->n = left;
    rounds -= rank_must_quit(c);
  } while (moved && t->n > 0 && rounds > 0);
  return t->n == 0 ? YES : NOT_YET;
}

/* ==} */

static void promise (ncclComm_t c, WorkPart *p) {
  PairSide *mine = my_side(pair_of(c, p), p);
  p->message = mine->promised + 1;
  p->moved = 0;
  p->stage = NEW;
  p->next = -1;
  rank_write64(&mine->promised, p->message);
}

static void promise_all (ncclComm_t c, RankWork *w, Turns *t) {
  int last[2][MAX_RANKS]; /* of each side: index of its last part + 1 */
  memset(last, 0, sizeof last);
  t->w = w;
  t->n = 0;
  for (int i = 0; i < w->n; i++) {
    WorkPart *p = &w->part[i];
    int *before = &last[is_send(p)][p->desc.at];
    promise(c, p);
    if (*before > 0)
      w->part[*before - 1].next = i;
    else
      t->now[t->n++] = i;
    *before = i + 1;
  }
}

/* A message exchange of all ranks is compared as a whole, because each rank has
** other messages. */
static bool agree_on_all (ncclComm_t c, const RankWork *w) {
  CallDesc t = w->part[0].desc;
  t.kind = ALL_GATHER;
  t.t = t.redop = t.at = 0;
  t.count = t.n;
  return rank_agree(c, &t);
}

bool rank_exchange (ncclComm_t c, RankWork *w) {
  Turns turns;
  Member *me = member(c, c->rank);
  if (w->part[0].desc.joint && !agree_on_all(c, w))
    return false;
  rank_write64(&me->doing, 4 * c->jobs + PREPARING);
  promise_all(c, w, &turns);
  rank_write64(&me->doing, 4 * c->jobs + EXCHANGING);
  return rank_wait(c, advance_all, &turns);
}
