/*
** threads.c - two Lua states on two threads, each with streams of its own on
** the same device. Nothing has to be locked.
**
**   cc threads.c $(pkg-config --cflags tide) -llua5.4 -pthread && ./a.out
*/
#include <pthread.h>
#include <stdio.h>

#include <lauxlib.h>
#include <lualib.h>

static const char script[] = "local tide = require 'tide'\n"
                             "local s = tide.Stream{ non_blocking = true }\n"
                             "local x = s:with(function ()\n"
                             "  local x = tide.ones(100000, 'int64')\n"
                             "  for _ = 1, 20 do x:mul_(2) end\n"
                             "  return x\n"
                             "end)\n"
                             "return x:sum():item()\n";

typedef struct Job {
  long long sum;
  char error[200];
} Job;

static void *run (void *ud) {
  Job *job = ud;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  if (luaL_dostring(L, script) == LUA_OK)
    job->sum = lua_tointeger(L, -1);
  else
    snprintf(job->error, sizeof job->error, "%s", lua_tostring(L, -1));
  lua_close(L);
  return NULL;
}

int main (void) {
  pthread_t thread[2];
  Job job[2] = {{0, ""}, {0, ""}};
  for (int i = 0; i < 2; i++)
    pthread_create(&thread[i], NULL, run, &job[i]);
  for (int i = 0; i < 2; i++) {
    pthread_join(thread[i], NULL);
    if (job[i].error[0] != '\0')
      return fprintf(stderr, "threads: %s\n", job[i].error), 1;
    printf("state %d: %lld\n", i + 1, job[i].sum);
  }
  return 0;
}
