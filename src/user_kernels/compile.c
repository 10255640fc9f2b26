/*
** compile.c - compiles kernels for Lua. If NVRTC refuses a source, raises an
** error with its log, whose line numbers are those of the user's text.
*/
#include "compile.h"

#include <string.h>

#include "base/error.h"
#include "base/guard.h"
#include "base/limits.h"
#include "base/list.h"
#include "base/state.h"
#include "device/device.h"
#include "include/tide.h"
#include "kernel_code.h"
#include "rt/code/codes.h"
#include "rt/code/nvrtc.h"

static int image__gc (lua_State *L);

static const Guard guard = {"image", image__gc, NULL};

static int image__gc (lua_State *L) {
  nvrtc_free_image(guard_check(L, &guard));
  return 0;
}

RtImage *compile_push_image (lua_State *L) {
  return guard_new(L, sizeof(RtImage), 0, &guard);
}

void compile_check (lua_State *L, Status st, const RtImage *image,
                    const char *what) {
  if (st == 0)
    return;
  if (st == RT_MISUSE && image->log != NULL)
    error_raise(L, "%s cannot be compiled:\n%s", what, image->log);
  if (st == RT_MISUSE)
    error_raise(L, "%s cannot be compiled: %s", what, state_get(L)->rt->detail);
  error_fail(L, st);
}

void compile_permit (lua_State *L, RtSource *source) {
  source->no_files = limits_exclude(L, TIDE_FILES);
}

/* {== compiled code ==================================================== */

/* Tells whether a text is PTX: its first directive is the version. */
static bool is_ptx (const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else if (strncmp(text, "/*", 2) == 0 && strstr(text, "*/") != NULL)
      text = strstr(text, "*/") + 2;
    else
      return strncmp(text, ".version", 8) == 0;
  }
}

static uint64_t read_word (const char *at, size_t bytes) {
  uint64_t word = 0;
  memcpy(&word, at, bytes);
  return word;
}

/* Returns the sum, or more than any code has: the offset may be any number. */
static uint64_t end_of (uint64_t offset, uint64_t bytes) {
  const uint64_t most = (uint64_t)1 << 62;
  return offset > most ? most : offset + bytes;
}

/* Returns where a table of an ELF file ends. */
static uint64_t table_end (const char *code, int offset, int size) {
  return end_of(read_word(code + offset, 8),
                read_word(code + size, 2) * read_word(code + size + 2, 2));
}

/* Returns the bytes that a cubin or a fatbin says it has; 0: it is neither. The
** last thing in a cubin is one of ELF's two tables; CUDA's fatbinary_section.h
** has the header of a fatbin. */
static uint64_t binary_size (const char *code, size_t n) {
  enum { ELF_HEADER = 64, FATBIN_HEADER = 16 };
  if (n >= ELF_HEADER && memcmp(code, "\177ELF", 4) == 0) {
    uint64_t programs = table_end(code, 0x20, 0x36);
    uint64_t sections = table_end(code, 0x28, 0x3a);
    return programs > sections ? programs : sections;
  }
  if (n >= FATBIN_HEADER && read_word(code, 4) == 0xba55ed50)
    return end_of(read_word(code + 8, 8), read_word(code + 6, 2));
  return 0;
}

/* Code that is compiled already is loaded as it is. The driver believes what it
** finds in binary code, so a limited script must not bring it. */
void compile_find_binary (lua_State *L, RtSource *source, size_t n,
                          const char *what) {
  compile_permit(L, source);
  uint64_t size = binary_size(source->code, n);
  if (size == 0 && !is_ptx(source->code))
    return;
  if (size > n)
    error_raise(L, "%s: the code has %I bytes, and says that it has %I", what,
                (LUAI_UACINT)n, (LUAI_UACINT)size);
  if (size > 0 && source->no_files)
    error_raise(L, "%s: binary code is not for limited scripts", what);
  if (source->noptions > 0)
    error_raise(L,
                "%s: options are for the compiler, and this code is compiled",
                what);
  source->compiled = n;
}

/* ==} */

void compile_load (lua_State *L, Code *c, RtSource *source, const char *what) {
  compile_permit(L, source);
  RtImage *image = compile_push_image(L);
  Status st = code_compile(c->rc, source, image);
  compile_check(L, st, image, what);
  size_t size = image->size;
  if (source->wants_log)
    lua_pushstring(L, image->log != NULL ? image->log : "");
  nvrtc_free_image(image);
  lua_remove(L, source->wants_log ? -2 : -1);
  kernel_code_charge(L, size);
}

void compile_check_cuda (lua_State *L, const RtDevice *dev, const char *what) {
  char name[DEVICE_NAME];
  if (strcmp(dev->D->kind, "cuda") != 0)
    error_raise(L,
                "%s is CUDA C and cannot run on device %s; "
                "tide.ElementwiseKernel, tide.ReductionKernel and tide.fuse "
                "run on every device",
                what, device_write_name(dev, name));
}

/* Accepts strings only, because a converted number would have no owner. */
static const char *check_text (lua_State *L, int idx, const char *what) {
  if (lua_type(L, idx) != LUA_TSTRING)
    error_raise(L, "%s must be a string or a list of strings, got %s", what,
                luaL_typename(L, idx));
  return lua_tostring(L, idx);
}

int compile_read_texts (lua_State *L, int idx, const char *what, int max,
                        const char **at) {
  if (lua_isnil(L, idx))
    return 0;
  if (!lua_istable(L, idx)) {
    at[0] = check_text(L, idx, what);
    return 1;
  }
  lua_Unsigned n = lua_rawlen(L, idx);
  if (n > (lua_Unsigned)max)
    error_raise(L, "%s are more than %d", what, max);
  list_check_of(L, what, idx, n, "a list of strings");
  for (int i = 0; i < (int)n; i++) {
    lua_rawgeti(L, idx, i + 1);
    at[i] = check_text(L, -1, what);
    lua_pop(L, 1);
  }
  return (int)n;
}

void compile_push_texts (lua_State *L, int idx, const char *what, int max) {
  const char *at[MAX_OPTIONS > MAX_NAMES ? MAX_OPTIONS : MAX_NAMES];
  idx = lua_absindex(L, idx);
  int n = compile_read_texts(L, idx, what, max, at);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    if (lua_istable(L, idx))
      lua_rawgeti(L, idx, i + 1);
    else
      lua_pushvalue(L, idx);
    lua_rawseti(L, -2, i + 1);
  }
}
