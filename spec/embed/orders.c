/*
** orders.c - a host's streams and a script's, in random order over the same
** memory, with delays: the results must be those of one after the other. The
** host's work is queued in all the ways that tide.h has. Arguments: rounds,
** seed. It runs on the host device: see spec/interop/interop_spec.lua.
*/
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "../../include/tide.h"
#include "embed.h"

enum { ARRAYS = 4, SIZE = 256, STREAMS = 3, IN_GRAPH = 3 };

static const tide_Api *api;
static uint64_t state;

static unsigned pick (unsigned n) { /* xorshift64* (Vigna, 2016) */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (unsigned)((state * UINT64_C(2685821657736338717)) >> 33) % n;
}

/* The model: what each array holds, one after the other. All elements of one
** are the same. */
static int32_t model[ARRAYS];
static int32_t memory[ARRAYS][SIZE];

/* to = to * times + from + by, by the host or by a script. */
typedef struct Step {
  int to, from;
  int32_t times, by;
  unsigned delay; /* us */
} Step;

static Step pick_step (void) {
  Step s = {(int)pick(ARRAYS), (int)pick(ARRAYS), (int32_t)pick(3),
            (int32_t)pick(100), pick(8) == 0 ? pick(300) : 0};
  return s;
}

static void do_model (const Step *s) {
  model[s->to] = (int32_t)((uint32_t)model[s->to] * (uint32_t)s->times +
                           (uint32_t)model[s->from] + (uint32_t)s->by);
}

/* On a thread of the device's. */
static void do_step (void *ud) {
  Step *s = ud;
  int32_t *to = memory[s->to];
  const int32_t *from = memory[s->from];
  if (s->delay > 0)
    usleep(s->delay);
  for (int i = 0; i < SIZE; i++)
    to[i] = (int32_t)((uint32_t)to[i] * (uint32_t)s->times + (uint32_t)from[i] +
                      (uint32_t)s->by);
}

static void do_once (void *ud) {
  do_step(ud);
  free(ud);
}

static Step *copy_of (const Step *s) {
  Step *p = malloc(sizeof *p);
  if (p == NULL)
    exit(bad("malloc", "no memory"));
  *p = *s;
  return p;
}

static int queue (void *stream, void *ud) {
  return api->onstream((tide_Device){TIDE_CPU, 0}, stream, do_once, ud);
}

static int queue_kept (void *stream, void *ud) {
  return api->onstream((tide_Device){TIDE_CPU, 0}, stream, do_step, ud);
}

/* On the stack: the arrays from 1 on, then the streams, then a function. */
enum { STREAM_1 = ARRAYS + 1, SCRIPT = STREAM_1 + STREAMS };

static void by_submit (lua_State *L, const Step *s) {
  const tide_Access access[2] = {{1 + s->from, 0}, {1 + s->to, 1}};
  api->submit(L, STREAM_1 + (int)pick(STREAMS), access, 2, queue, copy_of(s));
}

static void by_pair (lua_State *L, const Step *s) {
  const tide_Access access[2] = {{1 + s->from, 0}, {1 + s->to, 1}};
  int stream = STREAM_1 + (int)pick(STREAMS);
  if (queue(api->before(L, stream, access, 2), copy_of(s)) != 0)
    exit(bad("onstream", "failed"));
  api->after(L, stream, access, 2);
}

/* Lua: to = to * times + from + by, on a stream. */
static void by_script (lua_State *L, const Step *s) {
  lua_pushvalue(L, SCRIPT);
  lua_pushvalue(L, STREAM_1 + (int)pick(STREAMS));
  lua_pushvalue(L, 1 + s->to);
  lua_pushvalue(L, 1 + s->from);
  lua_pushinteger(L, s->times);
  lua_pushinteger(L, s->by);
  if (lua_pcall(L, 5, 0, 0) != LUA_OK)
    exit(bad("script", lua_tostring(L, -1)));
}

static void wait_stream (lua_State *L, int stream, int other) {
  lua_getfield(L, stream, "wait_stream");
  lua_pushvalue(L, stream);
  lua_pushvalue(L, other);
  lua_call(L, 2, 0);
}

/* A few steps of both, captured and launched a few times. The host's must live
** as long as the graph. */
static void by_graph (lua_State *L) {
  static Step kept[IN_GRAPH];
  if (run(L, "return tide.Stream{ non_blocking = true }") != 0)
    exit(1);
  int stream = lua_gettop(L);
  lua_getfield(L, stream, "begin_capture");
  lua_pushvalue(L, stream);
  lua_call(L, 1, 0);
  bool joined = false;
  for (int i = 0; i < IN_GRAPH; i++) {
    kept[i] = pick_step();
    const tide_Access access[2] = {{1 + kept[i].from, 0}, {1 + kept[i].to, 1}};
    if (!joined && pick(2) == 0) {
      wait_stream(L, STREAM_1, stream); /* takes part from here on */
      joined = true;
    }
    api->submit(L, joined && pick(2) == 0 ? STREAM_1 : stream, access, 2,
                queue_kept, &kept[i]);
  }
  if (joined)
    wait_stream(L, stream, STREAM_1);
  lua_getfield(L, stream, "end_capture");
  lua_pushvalue(L, stream);
  lua_call(L, 1, 1);
  int graph = lua_gettop(L), times = 1 + (int)pick(3);
  for (int n = 0; n < times; n++) {
    lua_getfield(L, graph, "launch");
    lua_pushvalue(L, graph);
    lua_pushvalue(L, STREAM_1 + (int)pick(STREAMS));
    lua_call(L, 2, 0);
    for (int i = 0; i < IN_GRAPH; i++)
      do_model(&kept[i]);
  }
  lua_getfield(L, graph, "close");
  lua_pushvalue(L, graph);
  lua_call(L, 1, 0);
  for (int i = 0; i < ARRAYS; i++) /* before the steps are others */
    api->wait(L, 1 + i, -1);
  lua_settop(L, SCRIPT);
}

static void check (lua_State *L, long round) {
  for (int k = 0; k < ARRAYS; k++) {
    api->wait(L, 1 + k, -1);
    for (int i = 0; i < SIZE; i++) {
      if (memory[k][i] != model[k]) {
        fprintf(stderr, "round %ld: array %d, element %d: %d instead of %d\n",
                round, k, i, memory[k][i], model[k]);
        exit(1);
      }
    }
  }
}

static int released;

static void release (void *ud) {
  (void)ud;
  released++;
}

static void wrap (lua_State *L, int k) {
  static int64_t shape[1] = {SIZE};
  tide_Tensor t;
  memset(&t, 0, sizeof t);
  t.data = memory[k];
  t.device.type = TIDE_CPU;
  t.dtype = (tide_DType){TIDE_INT, 32, 1};
  t.ndim = 1;
  t.shape = shape;
  api->wrap(L, &t, 0, release, NULL);
}

int main (int argc, char **argv) {
  if (argc != 3)
    return bad("orders", "rounds and seed?");
  long rounds = atol(argv[1]);
  state = (uint64_t)atol(argv[2]) * UINT64_C(0x9E3779B97F4A7C15) + 1;
  lua_State *L = open_state();
  if (run(L, "tide = require 'tide'") != 0)
    return 1;
  api = tide_checkapi(L);
  lua_settop(L, 0);
  for (int k = 0; k < ARRAYS; k++)
    wrap(L, k);
  if (run(L, "return tide.Stream{ non_blocking = true }, tide.Stream(),\n"
             "  tide.Stream.null,\n"
             "  function (s, to, from, times, by)\n"
             "    s:with(function () tide.add(to * times + from, by,\n"
             "                                { out = to }) end)\n"
             "  end") != 0)
    return 1;
  for (long round = 1; round <= rounds; round++) {
    for (unsigned n = 1 + pick(8); n > 0; n--) {
      const Step s = pick_step();
      switch (pick(3)) {
        case 0: by_submit(L, &s); break;
        case 1: by_pair(L, &s); break;
        default: by_script(L, &s);
      }
      do_model(&s);
    }
    if (pick(8) == 0)
      by_graph(L);
    if (pick(4) == 0)
      check(L, round);
  }
  check(L, rounds);
  lua_close(L);
  L = open_state();
  if (released != ARRAYS)
    return bad("release", "not once for each array");
  if (run(L, nothing_lives) != 0)
    return 1;
  lua_close(L);
  puts("ok");
  return 0;
}
