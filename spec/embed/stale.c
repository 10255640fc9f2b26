/*
** stale.c - Lua whose memory is never clean: a new userdata has in it what an
** array left that has been freed, and who writes past the end of a block is
** found when it is freed.
**
**   stale SCRIPT [ARGUMENTS]
**
** It prints what the script prints.
*/
#include <stdint.h>

#include "embed.h"

enum { GUARD = 64, CONTENT = 32 };  /* where a userdata without values begins */

static unsigned char left[96];  /* of an array; once it is known */
static size_t nleft;

static void check_guard (const unsigned char *p, size_t size) {
  for (int i = 0; i < GUARD; i++)
    if (p[size + i] != 0x5a) {
      fprintf(stderr, "stale: %d bytes past a block of %zu were written\n",
              i, size);
      abort();
    }
}

static void *allocate (void *ud, void *ptr, size_t osize, size_t nsize) {
  (void)ud;
  if (ptr != NULL)
    check_guard(ptr, osize);
  if (nsize == 0) {
    free(ptr);
    return NULL;
  }
  unsigned char *p = realloc(ptr, nsize + GUARD);
  if (p == NULL)
    return NULL;
  memset(p + nsize, 0x5a, GUARD);
  if (ptr == NULL && osize == LUA_TUSERDATA && nsize > CONTENT)
    memcpy(p + CONTENT, left,
           nsize - CONTENT < nleft ? nsize - CONTENT : nleft);
  return p;
}

/* What an array of one axis leaves when it is closed. */
static int learn (lua_State *L) {
  if (run(L, "local a = require 'tide'.ones(1)\n"
             "a:close()\n"
             "return a") != 0)
    return 1;
  size_t n = lua_rawlen(L, -1);
  n = (n < sizeof left) ? n : sizeof left;
  memcpy(left, lua_touserdata(L, -1), n);
  nleft = n;
  lua_pop(L, 1);
  return 0;
}

int main (int argc, char **argv) {
  lua_State *L = tide_newluastate(allocate, NULL);
  if (L == NULL || argc < 2)
    return bad("stale", "stale SCRIPT [ARGUMENTS]");
  luaL_openlibs(L);
  lua_createtable(L, argc, 2);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  if (learn(L) != 0 || luaL_loadfile(L, argv[1]) != LUA_OK)
    return bad("stale", lua_tostring(L, -1));
  for (int i = 2; i < argc; i++)
    lua_pushstring(L, argv[i]);
  if (lua_pcall(L, argc - 2, 0, 0) != LUA_OK)
    return bad("stale", lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
