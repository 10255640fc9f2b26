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

static bool is_send (const Part *p) { return p->told.kind == SEND; }

static Pair *pair_of (ncclComm_t c, const Part *p) {
  return is_send(p) ? host_pair(c->map, c->rank, p->told.at)
                    : host_pair(c->map, p->told.at, c->rank);
}

static Side *my_side (Pair *pair, const Part *p) {
  return is_send(p) ? &pair->from : &pair->to;
}

static const Side *its_side (const Pair *pair, const Part *p) {
  return is_send(p) ? &pair->to : &pair->from;
}

static Member *member (ncclComm_t c, int rank) {
  return &c->map->segment->member[rank];
}

/* ==} */

/* {== disagreement ==================================================== */

static bool is_plain (const Told *t) {
  return strcmp(t->what, "send") == 0 || strcmp(t->what, "recv") == 0 ||
         strncmp(t->what, "nccl", 4) == 0;
}

/* Tells whether the two ends of a message go together. */
static bool do_match (const Told *a, const Told *b) {
  if (!is_plain(a) && !is_plain(b) && strcmp(a->what, b->what) != 0)
    return false;
  return a->t == b->t && a->count == b->count && strcmp(a->type, b->type) == 0;
}

/* Describes it in NCCL's words, for a difference that the programs' words do
** not show. */
static void call_plain (Told *t) {
  strcpy(t->what, t->kind == SEND ? "send" : "recv");
  strcpy(t->type, host_typename((ncclDataType_t)t->t));
  t->op[0] = '\0';
  t->n = t->count;
  t->root = t->at;
}

static Answer disagree (ncclComm_t c, const Told *mine, int peer,
                        const Told *its) {
  char text[NCCL_WHY];
  const Told *told[MAX_RANKS] = {NULL};
  Told a = *mine, b = *its;
  if (host_looksalike(&a, &b)) {
    call_plain(&a);
    call_plain(&b);
  }
  told[c->rank] = &a;
  told[peer] = &b;
  host_saydifference(text, told, c->size, mine->number);
  host_failranks(c, ncclInvalidUsage, "%s", text);
  return NEVER;
}

/* Returns a message that the peer waits for and we do not promise; or NULL. */
static const Told *find_unmet (ncclComm_t c, int peer) {
  const Pair *in = host_pair(c->map, peer, c->rank);
  const Pair *out = host_pair(c->map, c->rank, peer);
  const Side *side = NULL;
  if (host_read64(&in->from.promised) > host_read64(&in->to.promised))
    side = &in->from;
  else if (host_read64(&out->to.promised) > host_read64(&out->from.promised))
    side = &out->to;
  if (side == NULL)
    return NULL;
  uint64_t posted = host_read64(&side->posted);
  return posted > 0 ? &side->told[(posted - 1) % 2] : &member(c, peer)->now;
}

/* Checks whether a message that the peer has not described can still come. */
static Answer check_hope (ncclComm_t c, const Part *p, const Side *its) {
  int peer = p->told.at;
  const Member *m = member(c, peer);
  const Told *other = NULL;
  uint64_t doing = host_read64(&m->doing);
  if (doing % 4 == IDLE)
    other = host_parting(c, peer);
  else if (doing % 4 == COLLECTIVE && host_read64(&m->begun) == c->begun + 1)
    other = &m->told[(c->begun + 1) % 2];
  else if (doing % 4 == EXCHANGING && peer != c->rank)
    other = find_unmet(c, peer);
  else if (doing % 4 == EXCHANGING)
    other = &m->now;
  if (other == NULL || host_read64(&its->promised) >= p->message ||
      host_read64(&m->doing) != doing)
    return NOT_YET;
  return disagree(c, &p->told, peer, other);
}

/* ==} */

/* {== moving ========================================================== */

static bool is_gone (ncclComm_t c, int rank) {
  return host_read32(&member(c, rank)->presence) >= LEFT;
}

static void post (ncclComm_t c, Side *mine, Part *p) {
  mine->told[(p->message - 1) % 2] = p->told;
  host_write64(&mine->posted, p->message);
  host_ring(c->map->segment, p->told.at);
  p->stage = POSTED;
}

static Answer compare (ncclComm_t c, Part *p, const Side *its) {
  bool gone = is_gone(c, p->told.at);
  if (host_read64(&its->posted) < p->message) {
    if (!gone)
      return check_hope(c, p, its);
    host_failgone(c, p->told.at);
    return NEVER;
  }
  const Told *other = &its->told[(p->message - 1) % 2];
  if (!do_match(&p->told, other))
    return disagree(c, &p->told, p->told.at, other);
  p->stage = AGREED;
  return YES;
}

static size_t bytes_of (const Part *p) {
  return p->told.count * host_typesize((ncclDataType_t)p->told.t);
}

/* Tells whether the next letter can be filled, or emptied. */
static bool has_letter (const Part *p, const Side *mine, const Side *its) {
  uint64_t other = host_read64(&its->moved);
  return is_send(p) ? mine->moved - other < 2 : other > mine->moved;
}

static void move_letter (Pair *pair, Part *p, Side *mine) {
  unsigned char *letter = host_letter(pair, mine->moved);
  size_t n = bytes_of(p) - p->moved;
  n = n < LETTER ? n : LETTER;
  if (is_send(p))
    memcpy(letter, (const unsigned char *)p->from + p->moved, n);
  else
    memcpy((unsigned char *)p->to + p->moved, letter, n);
  p->moved += n;
  host_write64(&mine->moved, mine->moved + 1);
}

/* Moves two letters at most, because others of the job have their turns. */
static Answer move (ncclComm_t c, Pair *pair, Part *p) {
  Side *mine = my_side(pair, p);
  const Side *its = its_side(pair, p);
  bool gone = is_gone(c, p->told.at);
  Answer answer = NOT_YET;
  for (int i = 0; i < 2 && p->moved < bytes_of(p) && has_letter(p, mine, its);
       i++) {
    move_letter(pair, p, mine);
    answer = YES;
  }
  if (answer == YES)
    host_ring(c->map->segment, p->told.at);
  if (p->moved == bytes_of(p)) {
    p->stage = DONE;
    return YES;
  }
  if (answer == YES || !gone)
    return answer;
  host_failgone(c, p->told.at);
  return NEVER;
}

/* YES: it has made progress. Earlier messages of its side are done. */
static Answer advance (ncclComm_t c, Part *p) {
  Pair *pair = pair_of(c, p);
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
  Work *w;
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
      Part *p = &t->w->part[t->now[i]];
      Answer answer = advance(c, p);
      if (answer == NEVER || (answer == YES && host_isending(c)))
        return NEVER;
      moved |= (answer == YES);
      int now = (p->stage == DONE) ? p->next : t->now[i];
      if (now >= 0)
        t->now[left++] = now;
    }
    t->n = left;
    rounds -= host_quits(c);
  } while (moved && t->n > 0 && rounds > 0);
  return t->n == 0 ? YES : NOT_YET;
}

/* ==} */

static void promise (ncclComm_t c, Part *p) {
  Side *mine = my_side(pair_of(c, p), p);
  p->message = mine->promised + 1;
  p->moved = 0;
  p->stage = NEW;
  p->next = -1;
  host_write64(&mine->promised, p->message);
}

static void promise_all (ncclComm_t c, Work *w, Turns *t) {
  int last[2][MAX_RANKS]; /* of each side: index of its last part + 1 */
  memset(last, 0, sizeof last);
  t->w = w;
  t->n = 0;
  for (int i = 0; i < w->n; i++) {
    Part *p = &w->part[i];
    int *before = &last[is_send(p)][p->told.at];
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
static bool agree_on_all (ncclComm_t c, const Work *w) {
  Told t = w->part[0].told;
  t.kind = ALL_GATHER;
  t.t = t.redop = t.at = 0;
  t.count = t.n;
  return host_agree(c, &t);
}

bool host_exchange (ncclComm_t c, Work *w) {
  Turns turns;
  Member *me = member(c, c->rank);
  if (w->part[0].told.joint && !agree_on_all(c, w))
    return false;
  host_write64(&me->doing, 4 * c->jobs + PREPARING);
  promise_all(c, w, &turns);
  host_write64(&me->doing, 4 * c->jobs + EXCHANGING);
  return host_await(c, advance_all, &turns);
}
