/*
** hurdles.c - which gates an operation comes after: those of its own stream,
** and from when on those of others, which a stream gets with each wait for them
** (hurdles). Queueing, waiting and refusing go by the same answers. Calls no
** driver.
*/
#include "hurdles.h"

#include <stdlib.h>

#include "rt/driver/status.h"

enum { HURDLES_FEW = 4 };

/* {== asking ========================================================== */

/* The null stream's operations follow those of blocking streams: so does a wait
** for it. */
bool rt_isshut (const RtStream *s, uint64_t seq) {
  const Runtime *rt = s->dev->rt;
  bool shut = rt_hasgate(s, seq);
  int n = (s->kind == STREAM_NULL && rt->shut > 0) ? rt->nstreams : 0;
  for (int i = 0; i < n && !shut; i++) {
    const RtStream *t = rt->streams[i];
    shut = (t->dev == s->dev && !t->nonblocking && rt_hasgate(t, seq));
  }
  return shut;
}

bool rt_isheld (const RtStream *s, uint64_t seq) {
  if (rt_hasgate(s, seq))
    return true;
  for (int i = 0; i < s->nhurdles; i++)
    if (s->hurdles[i].from <= seq &&
        rt_hasgate(s->hurdles[i].of, s->hurdles[i].upto))
      return true;
  return false;
}

bool rt_areheld (const MarkSet *m) {
  bool held = false;
  for (int i = 0; i < m->n && !held; i++)
    held = rt_isheld(m->at[i].s, m->at[i].seq);
  return held;
}

uint64_t rt_behindfrom (const RtStream *s, Point gate) {
  uint64_t from = (s == gate.s) ? gate.seq : UINT64_MAX;
  for (int i = 0; i < s->nhurdles; i++) {
    const Hurdle *h = &s->hurdles[i];
    if (h->of == gate.s && h->upto >= gate.seq && h->from < from)
      from = h->from;
  }
  return from;
}

bool rt_stands (const RtStream *s) {
  bool behind = (s->gates != NULL && s->gates->seq != s->unheld);
  for (int i = 0; i < s->nhurdles && !behind; i++)
    behind = rt_hasgate(s->hurdles[i].of, s->hurdles[i].upto);
  return behind;
}

/* ==} */

/* {== getting them ==================================================== */

/* Forgets hurdles that are open; room for 'n' more. */
Status rt_reservehurdles (RtStream *s, int n) {
  int j = 0;
  for (int i = 0; i < s->nhurdles; i++)
    if (rt_hasgate(s->hurdles[i].of, s->hurdles[i].upto))
      s->hurdles[j++] = s->hurdles[i];
  s->nhurdles = j;
  if (j + n <= s->caphurdles)
    return 0;
  int cap = 2 * (j + n) + HURDLES_FEW;
  Hurdle *hurdles = realloc(s->hurdles, (size_t)cap * sizeof *hurdles);
  if (hurdles == NULL)
    return rt_fail(s->dev->rt, RT_NOMEM, NULL);
  s->hurdles = hurdles;
  s->caphurdles = cap;
  return 0;
}

static void add_hurdle (RtStream *s, RtStream *of, uint64_t upto) {
  if (of == s || !rt_hasgate(of, upto))
    return;
  for (int i = 0; i < s->nhurdles; i++)
    if (s->hurdles[i].of == of && s->hurdles[i].upto >= upto)
      return;
  s->hurdles[s->nhurdles++] =
      (Hurdle){of, upto, s->dev->rt->stamp + 1, s->weight, 0};
}

void rt_follow (RtStream *s, RtStream *t, uint64_t seq) {
  if (s->dev->rt->shut == 0)
    return;
  add_hurdle(s, t, seq);
  for (int i = 0; i < t->nhurdles; i++)
    if (t->hurdles[i].from <= seq)
      add_hurdle(s, t->hurdles[i].of, t->hurdles[i].upto);
}

/* ==} */
