/*
** buffers.c - a program with buffers and work of its own, and a script that
** computes on them: no copies, and whatever stream is used, in order.
**
**   cc buffers.c $(pkg-config --cflags tide) -llua5.4 && ./a.out
**
** On the host device. For CUDA: tensors of TIDE_CUDA memory, and kernels that
** are launched on 'stream' instead of onstream.
*/
#include <stdio.h>
#include <stdlib.h>

#include <lualib.h>
#include <tide.h>

enum { N = 8 };

static const tide_Device host = {TIDE_CPU, 0};
static const tide_Api *tide;

static const char script[] =
  "local tide = require 'tide'\n"
  "local samples, result = ...\n"
  "local s = tide.Stream{ non_blocking = true }\n"
  "s:with(function () tide.mul(samples, 2, { out = result }) end)\n";

/* Runs on a thread of the device's when its turn has come. */
static void add_one (void *ud) {
  float *x = ud;
  for (int i = 0; i < N; i++)
    x[i] += 1;
}

/* Queues that, and returns at once. */
static int queue_add_one (void *stream, void *ud) {
  return tide->onstream(host, stream, add_one, ud);
}

static void release (void *ud) {
  puts("the buffers are ours again");
  free(ud);
}

static int run (lua_State *L) {
  int64_t shape[1] = {N};
  float *samples = calloc(2 * N, sizeof *samples), *result = samples + N;
  tide = tide_checkapi(L);
  for (int i = 0; i < N; i++)
    samples[i] = (float)i;
  tide_Tensor t = {.data = samples,
                   .device = host,
                   .ndim = 1,
                   .shape = shape,
                   .dtype = {TIDE_FLOAT, 32, 1}};
  tide->wrap(L, &t, TIDE_READ_ONLY, release, samples); /* 1 */
  t.data = result;
  tide->wrap(L, &t, 0, NULL, NULL); /* 2 */
  if (luaL_loadstring(L, script) != LUA_OK)
    lua_error(L);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 0);
  tide_Access writes = {2, 1}; /* comes after what the script has queued */
  tide->submit(L, 0, &writes, 1, queue_add_one, result);
  tide->wait(L, 2, -1);
  for (int i = 0; i < N; i++)
    printf("%g%c", result[i], i < N - 1 ? ' ' : '\n');
  return 0;
}

int main (void) {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  lua_pushcfunction(L, run);
  int status = lua_pcall(L, 0, 0, 0);
  if (status != LUA_OK)
    fprintf(stderr, "buffers: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return status != LUA_OK;
}
