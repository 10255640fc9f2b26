/*
** rawmodule.c - RawModule: CUDA C that is compiled once, for any number of
** kernels. It is compiled when a device first needs one of them.
*/
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "base/arg.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "compile.h"
#include "device/current.h"
#include "openers.h"
#include "rawkernel.h"
#include "rt/code/codes.h"
#include "rt/program/signature.h"

static const Class rawmodule_class;

static void check_module (lua_State *L, int arg) {
  class_check(L, arg, &rawmodule_class);
}

void rawkernel_push_module (lua_State *L, int code, int options, int names) {
  class_new_object(L, sizeof(Object), &rawmodule_class, MODULE_UVS);
  lua_pushvalue(L, code);
  lua_setiuservalue(L, -2, MODULE_CODE);
  compile_push_texts(L, options, "options", MAX_OPTIONS);
  lua_setiuservalue(L, -2, MODULE_OPTIONS);
  compile_push_texts(L, names, "names", MAX_NAMES);
  lua_setiuservalue(L, -2, MODULE_NAMES);
}

/* Reads the source from the four user values, which stay on the stack. */
static void read_source (lua_State *L, int idx, RtSource *source) {
  memset(source, 0, sizeof *source);
  lua_getiuservalue(L, idx, MODULE_CODE);
  source->code = lua_tostring(L, -1);
  lua_getiuservalue(L, idx, MODULE_OPTIONS);
  source->noptions = compile_read_texts(L, -1, "options", MAX_OPTIONS,
                                        source->options);
  lua_getiuservalue(L, idx, MODULE_NAMES);
  source->nnames = compile_read_texts(L, -1, "names", MAX_NAMES, source->names);
  source->name = "kernel.cu";
}

void rawkernel_load_module (lua_State *L, int idx, Code *c, const char *what,
                            bool log) {
  RtSource source;
  int top = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  read_source(L, lua_absindex(L, idx), &source);
  source.wants_log = log;
  compile_find_binary(L, &source, lua_rawlen(L, top + 1), what);
  compile_load(L, c, &source, what);
  if (log)
    lua_replace(L, top + 1);
  lua_settop(L, top + log);
}

const char *rawkernel_symbol (lua_State *L, int idx, const Code *c,
                              const char *name) {
  const char *names[MAX_NAMES], *symbol = NULL;
  lua_getiuservalue(L, idx, MODULE_NAMES);
  int n = compile_read_texts(L, -1, "names", MAX_NAMES, names);
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0)
      symbol = code_symbol(c->rc, i);
  lua_pop(L, 1);
  return (symbol != NULL) ? symbol : name;
}

/* {== for Lua ========================================================= */

/* Pushes a list: all kernels that the source names directly, then those of the
** option name_expressions. */
static void push_names (lua_State *L, const char *code, int options) {
  const char *given[MAX_NAMES], *name;
  int n = 0, len, ngiven;
  lua_createtable(L, 4, 0);
  int list = lua_gettop(L);
  while (n < MAX_NAMES && (name = signature_next_name(&code, &len)) != NULL) {
    lua_pushlstring(L, name, (size_t)len);
    lua_rawseti(L, list, ++n);
  }
  if (!lua_istable(L, options))
    return;
  option_get(L, options, "name_expressions");
  ngiven = compile_read_texts(L, -1, "option 'name_expressions'", MAX_NAMES,
                              given);
  for (int i = 0; i < ngiven; i++) {
    lua_pushstring(L, given[i]);
    lua_rawseti(L, list, ++n);
  }
  lua_settop(L, list);
}

/*
** RawModule(code [, { options=, name_expressions= }]) -> RawModule: CUDA C++
** with any number of kernels. Templates are instantiated as name_expressions
** says.
*/
static int core_RawModule (lua_State *L) {
  static const char *const names[] = {"options", "name_expressions", NULL};
  state_rt(L);
  const char *code = arg_check_string(L, 1);
  lua_settop(L, 2);
  if (option_check(L, 2, names))
    option_get(L, 2, "options");
  else
    lua_pushnil(L);
  push_names(L, code, 2);
  rawkernel_push_module(L, 1, 3, 4);
  return 1;
}

/* m:get_function(name [, { signature= }]) -> RawKernel. */
static int module_get_function (lua_State *L) {
  static const char *const names[] = {"signature", NULL};
  check_module(L, 1);
  const char *name = arg_check_string(L, 2);
  lua_settop(L, 3);
  if (option_check(L, 3, names))
    option_get(L, 3, "signature");
  else
    lua_pushnil(L);
  rawkernel_push(L, 1, name, 4);
  return 1;
}

/* Pushes an array without memory, of a variable of so many bytes at p. */
static Array *push_variable (lua_State *L, RtDevice *dev, const char *name,
                             DType t, CUdeviceptr p, size_t bytes) {
  int64_t n = (int64_t)(bytes / dtype_size(t));
  if (bytes % dtype_size(t) != 0 || p % dtype_size(t) != 0)
    error_raise(L, "variable '%s' has %I bytes at %p, which are no array of %s",
                name, (LUAI_UACINT)bytes, (void *)(uintptr_t)p, dtype_name(t));
  return array_push_import(L, &array_class, dev, t, 1, &n);
}

/* m:get_global(name [, dtype]) -> an array over the memory of a variable on the
** current device: bytes, if no dtype is given. */
static int module_get_global (lua_State *L) {
  static const char what[] = "RawModule";
  CUdeviceptr p = 0;
  size_t bytes = 0;
  RtImport *import;
  check_module(L, 1);
  const char *name = arg_check_string(L, 2);
  DType t = lua_isnoneornil(L, 3) ? DTYPE_UINT8 : dtype_check(L, 3);
  RtDevice *dev = current_get_device(L);
  compile_check_cuda(L, dev, what);
  Code *c = kernel_code_new(L, dev, what);
  rawkernel_load_module(L, 1, c, what, false);
  error_check(L, code_variable(c->rc, rawkernel_symbol(L, 1, c, name), &p,
                               &bytes));
  Array *a = push_variable(L, dev, name, t, p, bytes);
  error_check(L, code_import_variable(c->rc, p, bytes, &import, &a->block));
  array_set_import(a, import);
  a->off = (size_t)(p - a->block->ptr);
  return 1;
}

static int module_code (lua_State *L) {
  check_module(L, 1);
  lua_getiuservalue(L, 1, MODULE_CODE);
  return 1;
}

static int module_options (lua_State *L) {
  check_module(L, 1);
  lua_getiuservalue(L, 1, MODULE_OPTIONS);
  compile_push_texts(L, -1, "options", MAX_OPTIONS);
  return 1;
}

static int module__tostring (lua_State *L) {
  check_module(L, 1);
  lua_pushliteral(L, "tide.RawModule");
  return 1;
}

static const Function methods[] = {
  {"get_function", module_get_function, 3},
  {"get_global", module_get_global, 3},
  {NULL, NULL, 0},
};

static const Function fields[] = {
  {"code", module_code, 1},
  {"options", module_options, 1},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__tostring", module__tostring, 1},
  {NULL, NULL, 0},
};

static const Class rawmodule_class = {
  .name = "tide.RawModule",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_KERNELS "RawModule", core_RawModule, 2},
  {NULL, NULL, 0},
};

void open_rawmodule (lua_State *L) {
  class_define(L, &rawmodule_class);
  class_set_funcs(L, functions);
}

/* ==} */
