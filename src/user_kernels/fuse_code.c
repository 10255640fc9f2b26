/*
** fuse_code.c - makes code of a trace: CUDA C++ from the expressions of
** kernels/table.lua, or a program of the host kernels. Both give the results of
** the single operations.
*/
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "fuse.h"
#include "generated.h"

/* {== parameters ====================================================== */

static KernelParam *add_param (lua_State *L, Fused *f, KernelText *text,
                               char letter) {
  int i = text->nparams++;
  if (i == KERNEL_PARAMS)
    error_raise(L, "a fused function has more than %d operands and results",
                KERNEL_PARAMS);
  snprintf(f->names[i], sizeof f->names[i], "%c%d", letter, i);
  text->params[i].name = f->names[i];
  text->params[i].out = false;
  return &text->params[i];
}

/* Finds the parameter of an array or number, which is shared by equal ones. */
static void find_param (lua_State *L, Fused *f, int node, const ArgMode *modes,
                        KernelText *text) {
  const TraceNode *n = &f->trace.at[node];
  ArgMode mode = (n->kind == NODE_NUMBER) ? ARG_NUMBER : modes[n->arg];
  for (int i = 0; i < text->nparams; i++) {
    if (f->source[i] == n->arg && text->params[i].t == n->t) {
      f->param[node] = i;
      return;
    }
  }
  f->param[node] = text->nparams;
  KernelParam *p = add_param(L, f, text, 'x');
  p->t = n->t;
  p->mode = mode;
  f->source[f->param[node]] = n->arg;
}

void fuse_finish_trace (lua_State *L, Fused *f, const ArgMode *modes,
                        KernelText *text) {
  memset(f->uses, 0, sizeof f->uses);
  text->nparams = text->ntypes = 0;
  for (int i = 0; i < f->nresults; i++)
    f->uses[f->result[i]]++;
  for (int i = f->trace.n - 1; i >= 0; i--)
    for (int k = 0; k < 3 && f->uses[i] > 0; k++)
      if (f->trace.at[i].in[k] >= 0)
        f->uses[f->trace.at[i].in[k]]++;
  for (int i = 0; i < f->trace.n; i++)
    if (f->uses[i] > 0 && f->trace.at[i].kind <= NODE_NUMBER)
      find_param(L, f, i, modes, text);
  for (int i = 0; i < f->nresults; i++) {
    int at = text->nparams;
    KernelParam *p = add_param(L, f, text, 'z');
    p->t = f->trace.at[f->result[i]].t;
    p->mode = ARG_DENSE;
    p->out = true;
    f->source[at] = -1;
  }
}

/* ==} */

/* {== CUDA C++ ======================================================== */

/* Adds the expression of node i as a function of x and y, like the functors of
** the built-in kernels. */
static void add_function (lua_State *L, luaL_Buffer *b, const Fused *f, int i) {
  const TraceNode *n = &f->trace.at[i];
  const char *t = build_suffix(f->trace.at[n->in[0]].t),
             *z = build_suffix(n->t);
  bool two = (n->kind == NODE_BINARY);
  generated_addf(L, b,
                 "FN t_%s f%d_ (const t_%s x_%s%s%s) {\n"
                 "  typedef t_%s T;\n  const auto x = LOAD(%s, x_);\n",
                 z, i, t, two ? ", const t_" : "", two ? t : "",
                 two ? " y_" : "", t, t);
  if (two)
    generated_addf(L, b, "  const auto y = LOAD(%s, y_);\n", t);
  generated_addf(L, b, "  return %s(%s, ",
                 n->kind == NODE_CAST ? "CONVERT" : "STORE", z);
  luaL_addstring(b, n->kind == NODE_CAST ? "x"
                    : two                ? kernel_binary_expressions[n->op]
                                         : kernel_unary_expressions[n->op]);
  luaL_addstring(b, ");\n}\n");
}

/* Adds a constant by its bits: exact for any dtype. */
static void add_constant (lua_State *L, luaL_Buffer *b, const TraceNode *n) {
  char text[96];
  uint32_t low = (uint32_t)n->bits, high = (uint32_t)(n->bits >> 32);
  if (n->t == DTYPE_FLOAT32)
    snprintf(text, sizeof text, "__int_as_float(0x%08x)", low);
  else if (n->t == DTYPE_FLOAT64)
    snprintf(text, sizeof text, "__longlong_as_double(0x%016llxll)",
             (unsigned long long)n->bits);
  else if (n->t == DTYPE_COMPLEX64)
    snprintf(text, sizeof text,
             "t_c64{__int_as_float(0x%08x), __int_as_float(0x%08x)}", low,
             high);
  else if (build_dtype_kind(n->t) == 'f')
    snprintf(text, sizeof text, "t_%s{0x%xu}", build_suffix(n->t), low);
  else
    snprintf(text, sizeof text, "(t_%s)0x%llxull", build_suffix(n->t),
             (unsigned long long)n->bits);
  generated_addf(L, b, "%s", text);
}

static void add_node (lua_State *L, luaL_Buffer *b, const Fused *f, int i) {
  const TraceNode *n = &f->trace.at[i];
  generated_addf(L, b, "  const t_%s v%d_ = ", build_suffix(n->t), i);
  switch (n->kind) {
    case NODE_ARRAY:
    case NODE_NUMBER: generated_addf(L, b, "%s", f->names[f->param[i]]); break;
    case NODE_CONSTANT: add_constant(L, b, n); break;
    case NODE_BINARY:
      generated_addf(L, b, "f%d_(v%d_, v%d_)", i, n->in[0], n->in[1]);
      break;
    case NODE_UNARY:
    case NODE_CAST: generated_addf(L, b, "f%d_(v%d_)", i, n->in[0]); break;
    case NODE_SELECT:
      generated_addf(L, b, "v%d_ ? v%d_ : v%d_", n->in[0], n->in[1], n->in[2]);
      break;
  }
  luaL_addstring(b, ";\n");
}

static void push_source (lua_State *L, int owner, Generated *g) {
  luaL_Buffer b;
  const Fused *f = g->made;
  (void)owner;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "#include \"ops.h\"\n");
  for (int i = 0; i < f->trace.n; i++)
    if (f->uses[i] > 0 &&
        (f->trace.at[i].kind == NODE_BINARY ||
         f->trace.at[i].kind == NODE_UNARY || f->trace.at[i].kind == NODE_CAST))
      add_function(L, &b, f, i);
  generated_add_signature(&b, g, ") {\n");
  for (int i = 0; i < f->trace.n; i++)
    if (f->uses[i] > 0)
      add_node(L, &b, f, i);
  for (int i = 0; i < f->nresults; i++)
    generated_addf(L, &b, "  %s = v%d_;\n",
                   f->names[g->text.nparams - f->nresults + i], f->result[i]);
  luaL_addstring(&b, "}\n");
  generated_add_loop(&b, g);
  luaL_pushresult(&b);
}

/* ==} */

/* {== programs ======================================================== */

/* Uses a node once more. Its last use may overwrite it. */
static Value use (Value *values, int *uses, int node) {
  Value v = values[node];
  v.temp = v.temp && --uses[node] == 0;
  return v;
}

static Value make_node (Builder *b, const Fused *f, const KernelText *text,
                        Value *values, int *uses, int i) {
  const TraceNode *n = &f->trace.at[i];
  Value x[3];
  for (int k = 2; k >= 0; k--) /* x may be y as well: overwritten once */
    if (n->in[k] >= 0)
      x[k] = use(values, uses, n->in[k]);
  switch (n->kind) {
    case NODE_CONSTANT: return build_number(b, n->t, &n->bits);
    case NODE_CAST: return build_convert(b, x[0], n->t);
    case NODE_BINARY: return build_binary(b, (BinaryOp)n->op, x[0], x[1]);
    case NODE_UNARY: return build_unary(b, (UnaryOp)n->op, x[0]);
    case NODE_SELECT: return build_select(b, x[0], x[1], x[2]);
    default: break;
  }
  return kernel_text_param(b, text, f->param[i]);
}

static void make_program (lua_State *L, int owner, Generated *g, Builder *b) {
  const Fused *f = g->made;
  Value values[MAX_NODES];
  int uses[MAX_NODES];
  (void)owner;
  memcpy(uses, f->uses, sizeof uses);
  build_begin(b, kernel_text_nargs(&g->text) + 1);
  for (int i = 0; i < f->trace.n; i++)
    if (f->uses[i] > 0)
      values[i] = make_node(b, f, &g->text, values, uses, i);
  for (int i = 0; i < f->nresults; i++) {
    int p = g->text.nparams - f->nresults + i;
    Value z = kernel_text_param(b, &g->text, p);
    build_store(b, z, use(values, uses, f->result[i]));
  }
  if (b->error != NULL)
    error_raise(L, "fused function '%s': %s", g->name, b->error);
}

/* ==} */

const Recipe fuse_recipe = {
  .exact = true,
  .source = push_source,
  .program = make_program,
};
