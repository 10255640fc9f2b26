/*
** codegen.c - the CUDA C++ around the body of a generated kernel: a loop that
** moves 16 bytes at a time, as the built-in kernels do (elementwise.cuh).
*/
#include <stdarg.h>
#include <string.h>

#include "array/dtype.h"
#include "generated.h"
#include "rt/kernels/dtypes.h"

const char generated_headers[] = "#include \"types.h\"\n"
                                 "#include \"math.h\"\n"
                                 "#include \"float.h\"\n"
                                 "#include \"limits.h\"\n"
                                 "#include \"overloads.h\"\n";

void generated_addf (lua_State *L, luaL_Buffer *b, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  lua_pushvfstring(L, format, ap);
  va_end(ap);
  luaL_addvalue(b);
}

static bool is_packed (const KernelParam *p) { return p->mode == ARG_DENSE; }

/* Returns how many of the widest element that is moved fit in 16 bytes. */
int generated_choose_pack (const KernelText *text) {
  size_t widest = 1;
  bool any = false;
  for (int i = 0; i < text->nparams; i++) {
    const KernelParam *p = &text->params[i];
    any = any || is_packed(p);
    if (is_packed(p) && dtype_size(p->t) > widest)
      widest = dtype_size(p->t);
  }
  return any ? (int)(16 / widest) : 1;
}

/*
** Adds the parameters of the function for one element: elements by reference,
** numbers by value.
*/
void generated_add_body_params (luaL_Buffer *b, const Generated *g, int n) {
  lua_State *L = b->L;
  for (int i = 0; i < n; i++) {
    const KernelParam *p = &g->text.params[i];
    const char *type = build_suffix(p->t);
    if (p->mode == ARG_RAW)
      generated_addf(L, b, "Raw_<%st_%s> %s, ", p->out ? "" : "const ", type,
                     p->name);
    else
      generated_addf(L, b, "%st_%s %s%s, ", p->out ? "" : "const ", type,
                     p->out ? "&" : "", p->name);
  }
  luaL_addstring(b, "const long long i, const long long n");
}

void generated_add_kernel_params (luaL_Buffer *b, const Generated *g, int n) {
  lua_State *L = b->L;
  for (int i = 0; i < n; i++) {
    const KernelParam *p = &g->text.params[i];
    const char *type = build_suffix(p->t);
    if (p->mode == ARG_NUMBER)
      generated_addf(L, b, "t_%s a%d_, ", type, i);
    else
      generated_addf(L, b, "%st_%s *a%d_, ", p->out ? "" : "const ", type, i);
    if (p->mode == ARG_RAW)
      generated_addf(L, b, "long long s%d_, ", i);
    if (p->mode == ARG_STRIDED)
      generated_addf(L, b, "long long p%d_, long long q%d_, long long r%d_, ",
                     i, i, i);
  }
  if (kernel_text_has_strided(&g->text))
    luaL_addstring(b, "long long n1_, long long n2_, ");
}

/* Adds a call of body_ for element 'index'; 'k': within a pack, or NULL. */
static void add_call (lua_State *L, luaL_Buffer *b, const Generated *g,
                      const char *index, const char *k) {
  luaL_addstring(b, "body_(");
  for (int i = 0; i < g->text.nparams; i++) {
    const KernelParam *p = &g->text.params[i];
    switch (p->mode) {
      case ARG_RAW: generated_addf(L, b, "{a%d_, s%d_}, ", i, i); break;
      case ARG_NUMBER: generated_addf(L, b, "a%d_, ", i); break;
      case ARG_FIRST: generated_addf(L, b, "a%d_[0], ", i); break;
      case ARG_STRIDED:
        generated_addf(L, b,
                       "a%d_[w_.i0 * p%d_ + w_.i1 * q%d_ + (w_.i2 + %s) * "
                       "r%d_], ",
                       i, i, i, k != NULL ? k : "0", i);
        break;
      default:
        if (k != NULL)
          generated_addf(L, b, "p%d_.at[%s], ", i, k);
        else
          generated_addf(L, b, "a%d_[%s], ", i, index);
    }
  }
  if (k != NULL)
    generated_addf(L, b, "%s * %d + %s, n_);\n", index, g->pack, k);
  else
    generated_addf(L, b, "%s, n_);\n", index);
}

/* Adds the packs: loaded, computed, stored. The compiler drops loads that are
** not needed, of results. */
static void add_packs (lua_State *L, luaL_Buffer *b, const Generated *g) {
  luaL_addstring(b, "  bool packs_ = true;\n");
  for (int i = 0; i < g->text.nparams; i++)
    if (is_packed(&g->text.params[i]))
      generated_addf(L, b,
                     "  packs_ = packs_ && (size_t)a%d_ %% sizeof(Pack_<t_%s>) "
                     "== 0;\n",
                     i, build_suffix(g->text.params[i].t));
  bool strided = kernel_text_has_strided(&g->text);
  if (strided)
    generated_addf(L, b, "  packs_ = packs_ && n2_ %% %d == 0;\n", g->pack);
  generated_addf(L, b,
                 "  if (packs_)\n    done_ = n_ / %d;\n"
                 "  for (size_t i_ = first_; i_ < done_; i_ += step_) {\n",
                 g->pack);
  if (strided)
    generated_addf(L, b, "    const Place_ w_(i_ * %d, n1_, n2_, n_);\n",
                   g->pack);
  for (int i = 0; i < g->text.nparams; i++)
    if (is_packed(&g->text.params[i]))
      generated_addf(L, b,
                     "    Pack_<t_%s> p%d_ = ((const Pack_<t_%s> "
                     "*)a%d_)[i_];\n",
                     build_suffix(g->text.params[i].t), i,
                     build_suffix(g->text.params[i].t), i);
  luaL_addstring(b, "#pragma unroll\n");
  generated_addf(L, b, "    for (int k_ = 0; k_ < %d; k_++)\n      ", g->pack);
  add_call(L, b, g, "i_", "k_");
  for (int i = 0; i < g->text.nparams; i++)
    if (is_packed(&g->text.params[i]) && g->text.params[i].out)
      generated_addf(L, b, "    ((Pack_<t_%s> *)a%d_)[i_] = p%d_;\n",
                     build_suffix(g->text.params[i].t), i, i);
  generated_addf(L, b, "  }\n  done_ *= %d;\n", g->pack);
}

/* Finds an element of strided operands along their three axes; most have two.
** Divisions of 32 bits take fewer instructions. */
static const char place[] =
  "struct Place_ {\n"
  "  long long i0, i1, i2;\n"
  "  __device__ Place_ (size_t i, long long n1, long long n2, size_t n) {\n"
  "    if (n <= 0xffffffffu) {\n"
  "      const unsigned k = (unsigned)i, m = (unsigned)n2, r = k / m;\n"
  "      i2 = k - r * m;\n"
  "      i0 = r < n1 ? 0 : r / (unsigned)n1;\n"
  "      i1 = r - i0 * n1;\n"
  "    } else {\n"
  "      const long long r = (long long)i / n2;\n"
  "      i2 = (long long)i - r * n2;\n"
  "      i0 = r < n1 ? 0 : r / n1;\n"
  "      i1 = r - i0 * n1;\n"
  "    }\n"
  "  }\n"
  "};\n";

/* The beginning of a kernel, as in built-in ones: kernels/common.cuh. */
static const char after_previous[] =
  "static __device__ __forceinline__ void after_previous_ (void) {\n"
  "#if __CUDA_ARCH__ >= 900\n"
  "  asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n"
  "#endif\n"
  "}\n";

/* Atomic functions of int64 and float64 that CUDA lacks, and that the host
** device has as well. Templates give way to functions of a preamble. */
static const char atomics[] =
  "#define ATOMIC_(name_) \\\n"
  "  template <int = 0> static __device__ __forceinline__ \\\n"
  "  long long name_ (long long *p_, long long x_) { \\\n"
  "    return (long long)name_((unsigned long long *)p_, \\\n"
  "                            (unsigned long long)x_); \\\n"
  "  }\n"
  "ATOMIC_(atomicAdd)\nATOMIC_(atomicAnd)\nATOMIC_(atomicExch)\n"
  "ATOMIC_(atomicOr)\nATOMIC_(atomicXor)\n"
  "template <int = 0> static __device__ __forceinline__\n"
  "unsigned long long atomicSub (unsigned long long *p_,\n"
  "                              unsigned long long x_) {\n"
  "  return atomicAdd(p_, 0 - x_);\n"
  "}\n"
  "ATOMIC_(atomicSub)\n"
  "#undef ATOMIC_\n"
  "template <int = 0> static __device__ __forceinline__\n"
  "double atomicExch (double *p_, double x_) {\n"
  "  return __longlong_as_double((long long)atomicExch(\n"
  "    (unsigned long long *)p_,\n"
  "    (unsigned long long)__double_as_longlong(x_)));\n"
  "}\n";

static bool has_raw_result (const KernelText *text) {
  for (int i = 0; i < text->nparams; i++)
    if (text->params[i].mode == ARG_RAW && text->params[i].out)
      return true;
  return false;
}

/* The types that bodies and the code around them name. */
void generated_add_types (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  generated_addf(
    L, b,
    "template <class T> struct alignas(sizeof(T) * %d) Pack_ { T at[%d]; };\n"
    "template <class T> struct Raw_ {\n"
    "  T *at_;\n"
    "  long long size_;\n"
    "  __device__ T &operator[] (long long i) const { return at_[i]; }\n"
    "  __device__ long long size () const { return size_; }\n"
    "};\n"
    "struct Index_ {\n"
    "  long long size_;\n"
    "  __device__ long long size () const { return size_; }\n"
    "};\n",
    g->pack, g->pack);
  if (has_raw_result(&g->text))
    luaL_addstring(b, atomics);
  luaL_addstring(b, after_previous);
  if (kernel_text_has_strided(&g->text))
    luaL_addstring(b, place);
  for (int t = DTYPE_BOOL + 1; t < DTYPE_COUNT; t++)
    generated_addf(L, b, "typedef t_%s %s;\n", build_suffix((DType)t),
                   dtype_name((DType)t));
  for (int i = 0; i < g->text.ntypes; i++)
    generated_addf(L, b, "typedef t_%s %s;\n", build_suffix(g->text.types[i].t),
                   g->text.types[i].name);
  if (g->text.context != NULL && g->text.context->macros != NULL)
    luaL_addstring(b, g->text.context->macros);
  if (g->text.context != NULL && g->text.context->preamble != NULL)
    generated_addf(L, b, "#line 1 \"preamble of %s\"\n%s\n#line 1 \"loop\"\n",
                   g->file, g->text.context->preamble);
}

void generated_add_signature (luaL_Buffer *b, const Generated *g,
                              const char *end) {
  generated_add_types(b, g);
  luaL_addstring(b, "static __device__ __forceinline__ void body_ (");
  generated_add_body_params(b, g, g->text.nparams);
  luaL_addstring(b, end);
}

void generated_add_loop (luaL_Buffer *b, const Generated *g) {
  lua_State *L = b->L;
  luaL_addstring(b, "extern \"C\" __global__ void __launch_bounds__(256) "
                    "generated (");
  generated_add_kernel_params(b, g, g->text.nparams);
  luaL_addstring(b, "unsigned long long n_) {\n"
                    "  after_previous_();\n"
                    "  const size_t first_ = blockIdx.x * (size_t)blockDim.x + "
                    "threadIdx.x;\n"
                    "  const size_t step_ = gridDim.x * (size_t)blockDim.x;\n"
                    "  size_t done_ = 0;\n");
  if (g->pack > 1)
    add_packs(L, b, g);
  luaL_addstring(b, "  for (size_t i_ = done_ + first_; i_ < n_; i_ += step_) "
                    "{\n    ");
  if (kernel_text_has_strided(&g->text))
    luaL_addstring(b, "const Place_ w_(i_, n1_, n2_, n_);\n    ");
  add_call(L, b, g, "i_", NULL);
  luaL_addstring(b, "  }\n}\n");
}
