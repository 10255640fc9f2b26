/*
** compiled_code.c - the functions of tide.T that compile kernels without a
** device, and that read and write the cache of code on disk.
*/
#include "testing.h"

#include <string.h>

#include "base/class.h"
#include "rt/code/code_cache.h"
#include "rt/code/nvrtc.h"
#include "user_kernels/compile.h"

/* T.compile(code [, arch [, options [, names]]]) -> the code for that device,
** as a string, and the symbols of the names. */
static int t_compile (lua_State *L) {
  Runtime *rt = state_rt(L);
  RtSource source;
  memset(&source, 0, sizeof source);
  lua_settop(L, 4);
  source.code = luaL_checkstring(L, 1);
  source.name = "kernel.cu";
  source.arch = (int)luaL_optinteger(L, 2, 90);
  compile_permit(L, &source);
  source.noptions = compile_read_texts(L, 3, "options", MAX_OPTIONS,
                                       source.options);
  source.nnames = compile_read_texts(L, 4, "names", MAX_NAMES, source.names);
  RtImage *image = compile_push_image(L);
  compile_check(L, nvrtc_compile(rt, &source, image), image, "the source");
  lua_pushlstring(L, image->bytes, image->size);
  for (int i = 0; i < source.nnames; i++)
    lua_pushstring(L, nvrtc_symbol(image->symbols, i));
  return 1 + source.nnames;
}

static void read_key (lua_State *L, unsigned char key[SHA256_BYTES]) {
  Sha256 h;
  sha256_begin(&h);
  sha256_add_text(&h, luaL_checkstring(L, 1));
  sha256_end(&h, key);
}

/* T.store(key, code, symbols): puts code into the disk cache, with its symbols,
** each of which ends with a zero. */
static int t_store (lua_State *L) {
  unsigned char key[SHA256_BYTES];
  RtImage image = {0};
  read_key(L, key);
  image.bytes = (char *)luaL_checklstring(L, 2, &image.size);
  image.symbols = (char *)luaL_checklstring(L, 3, &image.nsymbols);
  code_cache_put(key, &image);
  return 0;
}

/* T.stored(key, n) -> the code in the disk cache and its n symbols, or nil. */
static int t_stored (lua_State *L) {
  unsigned char key[SHA256_BYTES];
  RtSource source;
  memset(&source, 0, sizeof source);
  read_key(L, key);
  source.nnames = (int)luaL_checkinteger(L, 2);
  compile_permit(L, &source);
  RtImage *image = compile_push_image(L);
  if (!code_cache_get(key, &source, image))
    return 0;
  lua_pushlstring(L, image->bytes, image->size);
  luaL_checkstack(L, source.nnames, NULL);
  for (int i = 0; i < source.nnames; i++)
    lua_pushstring(L, nvrtc_symbol(image->symbols, i));
  return 1 + source.nnames;
}

static const Function functions[] = {
  {"compile", t_compile, ANY},
  {"store", t_store, ANY},
  {"stored", t_stored, ANY},
  {NULL, NULL, 0},
};

void testing_add_code (lua_State *L) { class_set_funcs(L, functions); }
