/*
** stale.c - Lua whose memory is never clean: a new userdata has the bytes of a
** freed array in it. Memory that is freed or moved, as all that grows is, stays
** there for a while. The program finds writes to it, and writes past the end of
** a block.
**
**   stale SCRIPT [ARGUMENTS]
**
** It prints what the script prints.
*/
#include <stdint.h>

#include "embed.h"

enum { GUARD = 64, CONTENT = 32 }; /* where a userdata without values begins */
enum { FULL = 0x5a, FREE = 0xdd, KEPT = 4096 };

static unsigned char left[96]; /* of an array; once it is known */
static size_t nleft;

static struct {
  unsigned char *p;
  size_t size;
} kept[KEPT];
static size_t oldest;

static void check (const unsigned char *p, size_t n, int byte, size_t size,
                   const char *what) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != byte) {
      fprintf(stderr, "stale: byte %zu %s a block of %zu was written\n", i,
              what, size);
      abort();
    }
}

static void give_back (void) {
  check(kept[oldest].p, kept[oldest].size + GUARD, FREE, kept[oldest].size,
        "of what was");
  free(kept[oldest].p);
  kept[oldest].p = NULL;
}

static void keep (unsigned char *p, size_t size) {
  check(p + size, GUARD, FULL, size, "behind");
  memset(p, FREE, size + GUARD);
  if (kept[oldest].p != NULL)
    give_back();
  kept[oldest].p = p;
  kept[oldest].size = size;
  oldest = (oldest + 1) % KEPT;
}

static void *allocate (void *ud, void *ptr, size_t osize, size_t nsize) {
  (void)ud;
  unsigned char *p = NULL;
  if (nsize > 0 && (p = malloc(nsize + GUARD)) != NULL) {
    memset(p + nsize, FULL, GUARD);
    if (ptr == NULL && osize == LUA_TUSERDATA && nsize > CONTENT)
      memcpy(p + CONTENT, left,
             nsize - CONTENT < nleft ? nsize - CONTENT : nleft);
    else if (ptr != NULL)
      memcpy(p, ptr, nsize < osize ? nsize : osize);
  }
  if (ptr != NULL && (p != NULL || nsize == 0))
    keep(ptr, osize);
  return p;
}

static void give_all_back (void) {
  for (int i = 0; i < KEPT; i++, oldest = (oldest + 1) % KEPT)
    if (kept[oldest].p != NULL)
      give_back();
}

/* Notes the bytes that an array of one axis leaves when it is closed. tide is
** loaded from where .busted has it. */
static int learn (lua_State *L) {
  if (run(L, "local path <const> = package.path\n"
             "package.path = './lua/?.lua;./lua/?/init.lua;' .. path\n"
             "local a = require 'tide'.ones(1)\n"
             "package.path = path\n"
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

/* As lua.c, all of it in a function. */
static int run_script (lua_State *L) {
  int argc = (int)lua_tointeger(L, 1);
  char **argv = lua_touserdata(L, 2);
  luaL_openlibs(L);
  lua_createtable(L, argc, 2);
  for (int i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i - 1);
  }
  lua_setglobal(L, "arg");
  if (learn(L) != 0)
    exit(1);
  if (luaL_loadfile(L, argv[1]) != LUA_OK)
    return lua_error(L);
  for (int i = 2; i < argc; i++)
    lua_pushstring(L, argv[i]);
  lua_call(L, argc - 2, 0);
  return 0;
}

int main (int argc, char **argv) {
  lua_State *L = compat_newstate(allocate, NULL);
  if (L == NULL || argc < 2)
    return bad("stale", "stale SCRIPT [ARGUMENTS]");
  atexit(give_all_back); /* a script may call os.exit */
  lua_pushcfunction(L, run_script);
  lua_pushinteger(L, argc);
  lua_pushlightuserdata(L, argv);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK)
    return bad("stale", lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
