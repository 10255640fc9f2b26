/*
** reduction_code.c - the code of a ReductionKernel. Each thread of a block
** joins every 256th element. Then half of the threads join the values of the
** other half, until one is left. This needs no identity.
*/
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "generated.h"
#include "reduction.h"
#include "rt/program/kernel_text.h"
#include "rt/program/numeral.h"

/* Pushes the text of user value 'which', or its default. */
static const char *push_text (lua_State *L, int owner, int which,
                              const char *none) {
  if (lua_getiuservalue(L, owner, which) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushstring(L, none);
  }
  return lua_tostring(L, -1);
}

/* Pushes the number at 'idx' as C writes it: exact, and as a float if it is. C
** has no literal of the least integer: its digits alone are too large. */
static void push_constant (lua_State *L, int idx) {
  char text[NUMERAL];
  double x = lua_tonumber(L, idx);
  if (lua_isinteger(L, idx) && lua_tointeger(L, idx) == LUA_MININTEGER)
    lua_pushliteral(L, "(-0x7FFFFFFFFFFFFFFFLL - 1)");
  else if (lua_isinteger(L, idx))
    lua_pushfstring(L, "%I", (LUAI_UACINT)lua_tointeger(L, idx));
  else if (!isfinite(x))
    lua_pushstring(L, x != x ? "NAN" : x < 0 ? "-INFINITY" : "INFINITY");
  else {
    numeral_write(text, 17, x);
    lua_pushfstring(L, strpbrk(text, ".e") != NULL ? "%s" : "%s.0", text);
  }
}

static const char *push_identity (lua_State *L, int owner) {
  if (lua_getiuservalue(L, owner, REDUCTION_IDENTITY) == LUA_TNUMBER)
    push_constant(L, -1);
  else if (lua_isnil(L, -1))
    lua_pushliteral(L, "0");
  return lua_tostring(L, -1);
}

static const char *push_post (lua_State *L, int owner, const Generated *g) {
  const char *out = g->text.params[g->text.nparams - 1].name;
  const char *none = lua_pushfstring(L, "%s = a", out);
  return push_text(L, owner, REDUCTION_POST, none);
}

/* Numbers_ has the parameters that are numbers: 'post' and 'identity' see
** them. */
static void add_numbers (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  luaL_addstring(b, "struct Array_not_number_ {};\nstruct Numbers_ {\n");
  for (int i = 0; i < g->text.nparams - 1; i++)
    if (g->text.params[i].mode == ARG_NUMBER)
      generated_addf(L, b, "  t_%s %s;\n", build_suffix(g->text.params[i].t),
                     g->text.params[i].name);
  luaL_addstring(b, "};\n");
}

/* Begins a function that sees them. Other parameters have a type that no
** operator takes. */
static void add_visible (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  for (int i = 0; i < g->text.nparams - 1; i++) {
    const KernelParam *p = &g->text.params[i];
    if (p->mode == ARG_NUMBER)
      generated_addf(L, b, "  const t_%s %s = numbers_.%s;\n",
                     build_suffix(p->t), p->name, p->name);
    else
      generated_addf(L, b, "  const Array_not_number_ %s = {};\n", p->name);
    generated_addf(L, b, "  (void)%s;\n", p->name);
  }
}

/* Begins a kernel that has their arguments. */
static void add_given (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  luaL_addstring(b, "  after_previous_();\n  const Numbers_ numbers_ = {");
  for (int i = 0; i < g->text.nparams - 1; i++)
    if (g->text.params[i].mode == ARG_NUMBER)
      generated_addf(L, b, "a%d_, ", i);
  luaL_addstring(b, "};\n");
}

/* Adds map_, fold_, none_ and post_: the user's expressions as functions. */
static void add_functions (luaL_Buffer *b, const Generated *g,
                           const char *const texts[4]) {
  lua_State *L = b->L;
  const KernelParam *out = &g->text.params[g->text.nparams - 1];
  generated_addf(L, b, "typedef t_%s R_;\n", build_suffix(g->extra));
  add_numbers(b, g);
  luaL_addstring(b, "static __device__ __forceinline__ R_ map_ (");
  generated_add_body_params(b, g, g->text.nparams - 1);
  luaL_addstring(b, ") {\n  const Index_ _ind = {n};\n  (void)_ind;\n");
  generated_addf(L, b, "  return (R_)(\n#line 1 \"map of %s\"\n%s\n);\n}\n",
                 g->file, texts[0]);
  luaL_addstring(b, "static __device__ __forceinline__ R_ fold_ (const R_ a, "
                    "const R_ b) {\n");
  generated_addf(L, b, "  return (R_)(\n#line 1 \"reduce of %s\"\n%s\n);\n}\n",
                 g->file, texts[1]);
  generated_addf(L, b,
                 "static __device__ __forceinline__ void post_ (const R_ a, "
                 "t_%s &%s, const Numbers_ &numbers_) {\n",
                 build_suffix(out->t), out->name);
  add_visible(b, g);
  generated_addf(L, b, "  {\n#line 1 \"post of %s\"\n%s\n;\n  }\n}\n", g->file,
                 texts[2]);
  luaL_addstring(b, "static __device__ __forceinline__ R_ none_ (const "
                    "Numbers_ &numbers_) {\n");
  add_visible(b, g);
  generated_addf(L, b,
                 "  return (R_)(\n#line 1 \"identity of %s\"\n%s\n);\n}\n"
                 "#line 1 \"loop\"\n",
                 g->file, texts[3]);
}

/* How a block joins its 'count_' values, one for each thread. */
static const char block_fold[] =
  "static __device__ R_ block_ (R_ value_, unsigned count_) {\n"
  "  __shared__ R_ shared_[256];\n"
  "  const unsigned t_ = threadIdx.x;\n"
  "  shared_[t_] = value_;\n"
  "  __syncthreads();\n"
  "  while (count_ > 1) {\n"
  "    const unsigned half_ = count_ / 2;\n"
  "    if (t_ < half_)\n"
  "      shared_[t_] = fold_(shared_[t_], shared_[count_ - half_ + t_]);\n"
  "    count_ -= half_;\n"
  "    __syncthreads();\n"
  "  }\n"
  "  return shared_[0];\n"
  "}\n"
  "static __device__ unsigned count_ (unsigned long long n_,\n"
  "                                   unsigned long long from_) {\n"
  "  const unsigned long long left_ = n_ > from_ ? n_ - from_ : 0;\n"
  "  return left_ < 256 ? (unsigned)left_ : 256;\n"
  "}\n";

static const char combine[] =
  "  const unsigned long long o_ = blockIdx.x;\n"
  "  R_ value_ = none_(numbers_);\n"
  "  for (unsigned long long i_ = threadIdx.x; i_ < n_; i_ += 256) {\n"
  "    const R_ x_ = part_[o_ * n_ + i_];\n"
  "    value_ = i_ < 256 ? x_ : fold_(value_, x_);\n"
  "  }\n"
  "  value_ = block_(value_, count_(n_, 0));\n"
  "  if (threadIdx.x == 0)\n"
  "    post_(value_, z_[o_], numbers_);\n"
  "}\n";

static void add_combine (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  luaL_addstring(b, "extern \"C\" __global__ void __launch_bounds__(256) "
                    "combine (const R_ *part_, Z_ *z_, ");
  for (int i = 0; i < g->text.nparams - 1; i++)
    if (g->text.params[i].mode == ARG_NUMBER)
      generated_addf(L, b, "t_%s a%d_, ", build_suffix(g->text.params[i].t), i);
  luaL_addstring(b, "unsigned long long n_) {\n");
  add_given(b, g);
  luaL_addstring(b, combine);
}

/* Adds the arguments of map_ for element i_. */
static void add_arguments (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  for (int i = 0; i < g->text.nparams - 1; i++) {
    switch (g->text.params[i].mode) {
      case ARG_RAW: generated_addf(L, b, "{a%d_, s%d_}, ", i, i); break;
      case ARG_NUMBER: generated_addf(L, b, "a%d_, ", i); break;
      case ARG_FIRST: generated_addf(L, b, "a%d_[0], ", i); break;
      case ARG_DENSE: generated_addf(L, b, "a%d_[at_], ", i); break;
      case ARG_STRIDED: break; /* was copied */
    }
  }
  luaL_addstring(b, "at_, m_ * n_");
}

static void add_kernel (luaL_Buffer *b, const Generated *g) {
  luaL_addstring(b, "extern \"C\" __global__ void __launch_bounds__(256) "
                    "generated (");
  generated_add_kernel_params(b, g, g->text.nparams - 1);
  luaL_addstring(b, "Z_ *z_, R_ *part_, unsigned long long m_, unsigned long "
                    "long n_) {\n");
  add_given(b, g);
  luaL_addstring(b, "  const unsigned long long o_ = blockIdx.x;\n"
                    "  const unsigned long long from_ = blockIdx.y * 256ull;\n"
                    "  const unsigned long long step_ = gridDim.y * 256ull;\n"
                    "  R_ value_ = none_(numbers_);\n"
                    "  bool any_ = false;\n"
                    "  for (unsigned long long i_ = from_ + threadIdx.x; i_ < "
                    "n_; i_ += step_) {\n"
                    "    const unsigned long long at_ = o_ * n_ + i_;\n"
                    "    const R_ x_ = map_(");
  add_arguments(b, g);
  luaL_addstring(b, ");\n"
                    "    value_ = any_ ? fold_(value_, x_) : x_;\n"
                    "    any_ = true;\n"
                    "  }\n"
                    "  value_ = block_(value_, count_(n_, from_));\n"
                    "  if (threadIdx.x > 0)\n"
                    "    return;\n"
                    "  if (part_ != 0)\n"
                    "    part_[o_ * gridDim.y + blockIdx.y] = value_;\n"
                    "  else\n"
                    "    post_(value_, z_[o_], numbers_);\n"
                    "}\n");
}

static void push_source (lua_State *L, int owner, Generated *g) {
  luaL_Buffer b;
  int top = lua_gettop(L);
  const char *texts[4] = {push_text(L, owner, REDUCTION_MAP, ""),
                          push_text(L, owner, REDUCTION_REDUCE, ""),
                          push_post(L, owner, g), push_identity(L, owner)};
  luaL_buffinit(L, &b);
  luaL_addstring(&b, generated_headers);
  generated_add_types(&b, g);
  generated_addf(L, &b, "typedef t_%s Z_;\n",
                 build_suffix(g->text.params[g->text.nparams - 1].t));
  add_functions(&b, g, texts);
  luaL_addstring(&b, block_fold);
  add_combine(&b, g);
  add_kernel(&b, g);
  luaL_pushresult(&b);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
}

static void make_program (lua_State *L, int owner, Generated *g, Builder *b) {
  char error[C_ERROR];
  ReductionText text = {.kernel = g->text, .t = g->extra};
  int top = lua_gettop(L);
  text.map = push_text(L, owner, REDUCTION_MAP, "");
  text.reduce = push_text(L, owner, REDUCTION_REDUCE, "");
  text.post = push_post(L, owner, g);
  text.identity = push_identity(L, owner);
  if (!kernel_text_reduction(b, &text, error))
    error_raise(L, "ReductionKernel '%s' cannot run on the host device: %s",
                g->name, error);
  lua_settop(L, top);
}

const Recipe reduction_recipe = {
  .combines = true,
  .source = push_source,
  .program = make_program,
};
