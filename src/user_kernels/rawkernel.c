/*
** rawkernel.c - RawKernel: one kernel in CUDA C. Its signature is read when it
** is made. Its source is compiled when a device first needs it, to launch it or
** to tell its registers.
*/
#include "rawkernel.h"

#include <string.h>

#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "compile.h"
#include "device/current.h"
#include "kernel_code.h"
#include "openers.h"
#include "rt/code/codes.h"
#include "rt/program/signature.h"

static RawKernel *check_kernel (lua_State *L, int arg) {
  return class_check(L, arg, &rawkernel_class);
}

/* {== making ========================================================== */

static void read_signature (lua_State *L, RawKernel *k, int module,
                            const char *name, int signature) {
  char error[SIGNATURE_ERROR];
  bool ok;
  if (!lua_isnil(L, signature)) {
    if (lua_type(L, signature) != LUA_TSTRING)
      error_raise(L, "option 'signature' must be a string, got %s",
                  luaL_typename(L, signature));
    ok = signature_read(lua_tostring(L, signature), &k->sig, error);
  } else {
    lua_getiuservalue(L, module, MODULE_CODE);
    ok = signature_find(lua_tostring(L, -1), name, &k->sig, error);
    lua_pop(L, 1);
  }
  if (!ok)
    error_raise(L,
                "%s: %s; the option signature = \"const float *, int\" can say "
                "what it takes",
                k->what, error);
}

void rawkernel_push (lua_State *L, int module, const char *name,
                     int signature) {
  Runtime *rt = state_get(L)->rt;
  size_t codes = (size_t)rt->ndevices * sizeof(Code *);
  RawKernel *k = class_new_object(L, sizeof *k + codes, &rawkernel_class,
                                  KERNEL_UVS + rt->ndevices);
  lua_pushfstring(L, "RawKernel '%s'", name);
  k->what = lua_tostring(L, -1);
  lua_setiuservalue(L, -2, KERNEL_WHAT);
  k->name = lua_pushstring(L, name);
  lua_setiuservalue(L, -2, KERNEL_NAME);
  lua_pushvalue(L, module);
  lua_setiuservalue(L, -2, KERNEL_MODULE);
  read_signature(L, k, module, name, signature);
}

/*
** RawKernel(code, name [, { options=, signature= }]) -> RawKernel. 'name' is a
** function of the source, or an instance of a template: "f<float>".
*/
static int core_RawKernel (lua_State *L) {
  static const char *const names[] = {"options", "signature", NULL};
  Signature sig;
  char error[SIGNATURE_ERROR];
  state_rt(L);
  const char *code = arg_check_string(L, 1), *name = arg_check_string(L, 2);
  lua_settop(L, 3);
  bool any = option_check(L, 3, names);
  lua_pushnil(L);
  lua_pushnil(L);
  if (any) {
    option_get(L, 3, "options");
    lua_replace(L, 4);
    option_get(L, 3, "signature");
    lua_replace(L, 5);
  }
  lua_newtable(L); /* of names: functions made by macros go by symbol */
  if (signature_find(code, name, &sig, error) || strchr(name, '<') != NULL) {
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, 1);
  }
  rawkernel_push_module(L, 1, 4, 6);
  rawkernel_push(L, 7, name, 5);
  return 1;
}

/* ==} */

/* {== compiling ======================================================= */

/* Checks that the compiled function's parameters are those of the source. */
static void check_parameters (lua_State *L, RawKernel *k, RtDevice *dev,
                              CUfunction fn) {
  long bytes;
  for (int i = 0; i <= k->sig.n; i++) {
    Param *p = (i < k->sig.n) ? &k->sig.at[i] : NULL;
    error_check(L, code_param_size(dev, fn, i, &bytes));
    long size = (p == NULL) ? 0 : p->pointer ? 8 : (long)p->size;
    if (p != NULL && size == 0 && bytes > 0) {
      p->size = (size_t)bytes; /* of a struct, which is known only now */
      continue;
    }
    if (p != NULL && size == 0)
      error_raise(L,
                  "%s: the size of '%s' is not known; the option signature can "
                  "say it: bytes[24]",
                  k->what, p->type);
    if (bytes < 0 || bytes == size)
      continue;
    if (p == NULL)
      error_raise(L, "%s takes more than the %d parameters of its signature",
                  k->what, k->sig.n);
    error_raise(L,
                "%s: parameter %d (%s) is of %d bytes in its signature, of %d "
                "in the compiled code",
                k->what, i + 1, p->type, (int)size, (int)bytes);
  }
}

/* Pushes the code, and the compiler's messages if 'log'. */
static Code *make_code (lua_State *L, int idx, RawKernel *k, RtDevice *dev,
                        bool log) {
  CUfunction fn;
  lua_getiuservalue(L, idx, KERNEL_MODULE);
  int module = lua_gettop(L);
  Code *c = kernel_code_new(L, dev, k->name);
  rawkernel_load_module(L, module, c, k->what, log);
  const char *symbol = rawkernel_symbol(L, module, c, k->name);
  error_check(L, code_function(c->rc, symbol, &fn));
  check_parameters(L, k, dev, fn);
  error_check(L,
              code_attribute(dev, fn, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
                             &c->threads));
  c->shared = 48 * 1024;
  c->fn = fn;
  lua_remove(L, module);
  return c;
}

Code *rawkernel_code (lua_State *L, int idx, RawKernel *k, RtDevice *dev) {
  Code *c = k->codes[dev->index];
  if (kernel_code_is_ready(c, dev))
    return c;
  compile_check_cuda(L, dev, k->what);
  luaL_checkstack(L, 8, NULL);
  c = make_code(L, idx, k, dev, false);
  k->codes[dev->index] = c;
  lua_setiuservalue(L, idx, KERNEL_UVS + 1 + dev->index);
  return c;
}

void rawkernel_allow_shared (lua_State *L, Code *c, unsigned bytes) {
  if (bytes <= c->shared)
    return;
  error_check(L, code_allow_shared(c->rc, c->fn, bytes));
  c->shared = bytes;
}

/* Compiles it, loaded or not. Pushes the compiler's messages. */
static void recompile (lua_State *L, RawKernel *k) {
  RtDevice *dev = current_get_device(L);
  compile_check_cuda(L, dev, k->what);
  luaL_checkstack(L, 8, NULL);
  k->codes[dev->index] = make_code(L, 1, k, dev, true);
  lua_insert(L, -2);
  lua_setiuservalue(L, 1, KERNEL_UVS + 1 + dev->index);
}

/* k:compile([{ log= }]) -> k: compiles it now, for the current device; if log,
** also the compiler's messages, for which it compiles what is loaded again. */
static int kernel_compile (lua_State *L) {
  static const char *const names[] = {"log", NULL};
  RawKernel *k = check_kernel(L, 1);
  lua_settop(L, 2);
  bool log = option_check(L, 2, names) && option_flag(L, 2, "log", false);
  lua_settop(L, 1);
  if (log)
    recompile(L, k);
  else
    rawkernel_code(L, 1, k, current_get_device(L));
  return lua_gettop(L);
}

/* ==} */

/* {== occupancy ======================================================= */

/* Returns an integer from 'least' on; 0 is optional. */
static int check_count (lua_State *L, int arg, lua_Integer least) {
  lua_Integer n = least > 0 ? arg_check_integer(L, arg)
                            : arg_opt_integer(L, arg, least);
  argerror_check(L, n >= least && n <= INT32_MAX, arg,
                 "an integer from %I to 2^31 - 1 expected, got %I",
                 (LUAI_UACINT)least, (LUAI_UACINT)n);
  return (int)n;
}

/* k:max_active_blocks_per_multiprocessor(threads [, shared]) -> how many blocks
** of so many threads, with so many bytes of dynamic shared memory, run on a
** multiprocessor of the current device at a time. */
static int kernel_max_active_blocks (lua_State *L) {
  int blocks = 0;
  RawKernel *k = check_kernel(L, 1);
  int threads = check_count(L, 2, 1), shared = check_count(L, 3, 0);
  Code *c = rawkernel_code(L, 1, k, current_get_device(L));
  rawkernel_allow_shared(L, c, (unsigned)shared);
  error_check(L, code_active_blocks(c->rc, c->fn, threads, (size_t)shared,
                                    &blocks));
  lua_pushinteger(L, blocks);
  return 1;
}

/* k:max_potential_block_size([shared [, limit]]) -> the threads of a block, at
** most 'limit', with which the most threads run on the current device at a
** time; and the least grid of such blocks that fills it. */
static int kernel_max_block (lua_State *L) {
  int grid = 0, block = 0;
  RawKernel *k = check_kernel(L, 1);
  int shared = check_count(L, 2, 0), limit = check_count(L, 3, 0);
  Code *c = rawkernel_code(L, 1, k, current_get_device(L));
  rawkernel_allow_shared(L, c, (unsigned)shared);
  error_check(L, code_best_block(c->rc, c->fn, (size_t)shared, limit, &grid,
                                 &block));
  lua_pushinteger(L, block);
  lua_pushinteger(L, grid);
  return 2;
}

/* ==} */

/* {== fields ========================================================== */

/* Returns an attribute of its code for the current device. */
static int attribute (lua_State *L, int which) {
  int value;
  RawKernel *k = check_kernel(L, 1);
  RtDevice *dev = current_get_device(L);
  const Code *c = rawkernel_code(L, 1, k, dev);
  error_check(L, code_attribute(dev, c->fn, which, &value));
  lua_pushinteger(L, value);
  return 1;
}

#define ATTRIBUTE(name, NAME) \
  static int kernel_##name(lua_State *L) { \
    return attribute(L, CU_FUNC_ATTRIBUTE_##NAME); \
  }
ATTRIBUTE(binary_version, BINARY_VERSION)
ATTRIBUTE(const_size_bytes, CONST_SIZE_BYTES)
ATTRIBUTE(local_size_bytes, LOCAL_SIZE_BYTES)
ATTRIBUTE(max_threads_per_block, MAX_THREADS_PER_BLOCK)
ATTRIBUTE(num_regs, NUM_REGS)
ATTRIBUTE(ptx_version, PTX_VERSION)
ATTRIBUTE(shared_size_bytes, SHARED_SIZE_BYTES)

static int kernel_name (lua_State *L) {
  check_kernel(L, 1);
  lua_getiuservalue(L, 1, KERNEL_NAME);
  return 1;
}

static int kernel_code (lua_State *L) {
  check_kernel(L, 1);
  lua_getiuservalue(L, 1, KERNEL_MODULE);
  lua_getiuservalue(L, -1, MODULE_CODE);
  return 1;
}

static int kernel_options (lua_State *L) {
  check_kernel(L, 1);
  lua_getiuservalue(L, 1, KERNEL_MODULE);
  lua_getiuservalue(L, -1, MODULE_OPTIONS);
  compile_push_texts(L, -1, "options", MAX_OPTIONS);
  return 1;
}

static const Function fields[] = {
  {"binary_version", kernel_binary_version, 1},
  {"code", kernel_code, 1},
  {"const_size_bytes", kernel_const_size_bytes, 1},
  {"local_size_bytes", kernel_local_size_bytes, 1},
  {"max_threads_per_block", kernel_max_threads_per_block, 1},
  {"name", kernel_name, 1},
  {"num_regs", kernel_num_regs, 1},
  {"options", kernel_options, 1},
  {"ptx_version", kernel_ptx_version, 1},
  {"shared_size_bytes", kernel_shared_size_bytes, 1},
  {NULL, NULL, 0},
};

/* tide.RawKernel: saxpy(float a, const float *x, float *y) */
static int kernel__tostring (lua_State *L) {
  RawKernel *k = check_kernel(L, 1);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "tide.RawKernel: ");
  luaL_addstring(&b, k->name);
  luaL_addchar(&b, '(');
  for (int i = 0; i < k->sig.n; i++) {
    const Param *p = &k->sig.at[i];
    luaL_addstring(&b, i > 0 ? ", " : "");
    luaL_addstring(&b, p->pointer && p->constant ? "const " : "");
    luaL_addstring(&b, p->type);
    luaL_addstring(&b, p->pointer ? " *" : p->name[0] != '\0' ? " " : "");
    luaL_addstring(&b, p->name);
  }
  luaL_addchar(&b, ')');
  luaL_pushresult(&b);
  return 1;
}

/* ==} */

static const Function methods[] = {
  {"compile", kernel_compile, 2},
  {"launch", rawkernel_launch, 2},
  {"max_active_blocks_per_multiprocessor", kernel_max_active_blocks, 3},
  {"max_potential_block_size", kernel_max_block, 3},
  {NULL, NULL, 0},
};

static const Function metamethods[] = {
  {"__call", rawkernel__call, ANY},
  {"__tostring", kernel__tostring, 1},
  {NULL, NULL, 0},
};

const Class rawkernel_class = {
  .name = "tide.RawKernel",
  .methods = methods,
  .fields = fields,
  .metamethods = metamethods,
};

static const Function functions[] = {
  {GROUP_POINTERS "Pointer", rawkernel_pointer, 1},
  {GROUP_KERNELS "RawKernel", core_RawKernel, 3},
  {NULL, NULL, 0},
};

void open_rawkernel (lua_State *L) {
  class_define(L, &rawkernel_class);
  class_set_funcs(L, functions);
}
