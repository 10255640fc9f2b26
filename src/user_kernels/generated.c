/*
** generated.c - code that tide generates, from its source to a launch.
*/
#include "generated.h"

#include <string.h>

#include "array/array.h"
#include "base/arg.h"
#include "base/error.h"
#include "base/option.h"
#include "base/state.h"
#include "compile.h"
#include "device/index_error.h"
#include "device/submit.h"
#include "kernel_code.h"
#include "rt/code/code_cache.h"
#include "rt/code/code_types.h"
#include "rt/code/codes.h"
#include "rt/driver/names.h"
#include "rt/program/lexer.h"
#include "rt/queue/op_types.h"
#include "rt/queue/stream_types.h"
#include "rt/submit/op.h"

enum { THREADS = 256 };

const char *generated_check_name (lua_State *L, int idx) {
  if (lua_isnil(L, idx)) {
    lua_pushliteral(L, "kernel");
    lua_replace(L, idx);
  }
  return arg_check_string(L, idx);
}

/* Writes a name as C++ has it between quotes. */
static void quote (char *to, const char *name) {
  for (; *name != '\0'; name++) {
    bool control = (unsigned char)*name < ' ';
    if (*name == '"' || *name == '\\')
      *to++ = '\\';
    *to++ = control ? ' ' : *name;
  }
  *to = '\0';
}

Generated *generated_new (lua_State *L, const char *name, int nuv) {
  Runtime *rt = state_get(L)->rt;
  size_t size = sizeof(Generated) + (size_t)rt->ndevices * sizeof(Code *);
  Generated *g = lua_newuserdatauv(L, size + 2 * strlen(name) + 1,
                                   nuv + rt->ndevices);
  memset(g, 0, size);
  g->nuv = nuv;
  g->name = name;
  g->file = (char *)g + size;
  quote(g->file, name);
  return g;
}

/* {== preambles and options =========================================== */

/* Returns the text of the macro in an option: "N=4"; NULL: there is none.
** *next: it is the next option. */
static const char *macro_of (const char *option, bool *next) {
  static const char *const begins[] = {"--define-macro=", "-D"};
  bool whole = *next;
  *next = strcmp(option, "-D") == 0 || strcmp(option, "--define-macro") == 0;
  if (whole)
    return option;
  for (int i = 0; i < 2 && !*next; i++)
    if (strncmp(option, begins[i], strlen(begins[i])) == 0)
      return option + strlen(begins[i]);
  return NULL;
}

/* Adds the line of a macro. */
static void add_macro (lua_State *L, luaL_Buffer *b, const char *what,
                       const char *macro) {
  const char *at = macro + strspn(macro, " "), *from = at;
  Word name = lexer_next(&at, from);
  if (name.kind != WORD_NAME || (*at != '\0' && *at != '=') ||
      strchr(at, '\n') != NULL)
    error_raise(L,
                "%s: '-D%s' in options is no macro: NAME or NAME=words "
                "expected",
                what, macro);
  luaL_addstring(b, "#define ");
  luaL_addlstring(b, name.at, (size_t)name.len);
  luaL_addchar(b, ' ');
  luaL_addstring(b, *at == '\0' ? "1" : at + (*at == '='));
  luaL_addchar(b, '\n');
}

/* Pushes the lines of all macros, and leaves the other options in the
** context. */
static void push_macros (lua_State *L, const char *what, KernelContext *c) {
  luaL_Buffer b;
  bool next = false;
  int n = 0;
  luaL_buffinit(L, &b);
  for (int i = 0; i < c->noptions; i++) {
    const char *macro = macro_of(c->options[i], &next);
    if (macro != NULL)
      add_macro(L, &b, what, macro);
    else if (!next)
      c->options[n++] = c->options[i];
  }
  c->noptions = n;
  luaL_pushresult(&b);
}

/*
** The macros of options become lines before the preamble, because tide's own
** code, and its headers, have names that they would change.
*/
void generated_read_context (lua_State *L, int idx, int first, const char *what,
                             KernelContext *c) {
  int kernel = lua_gettop(L);
  int type = option_get(L, idx, "preamble");
  if (type != LUA_TNIL && type != LUA_TSTRING)
    error_raise(L, "%s: preamble must be a string, got %s", what,
                luaL_typename(L, -1));
  c->preamble = lua_tostring(L, -1);
  lua_setiuservalue(L, kernel, first);
  option_get(L, idx, "options");
  lua_pushfstring(L, "%s: options", what);
  compile_push_texts(L, -2, lua_tostring(L, -1), KERNEL_OPTIONS);
  c->noptions = compile_read_texts(L, -1, lua_tostring(L, -2), KERNEL_OPTIONS,
                                   c->options);
  lua_setiuservalue(L, kernel, first + 1);
  push_macros(L, what, c);
  c->macros = lua_tostring(L, -1);
  c->arrays = c->arrays || strchr(c->macros, '[') != NULL ||
              (c->preamble != NULL && strchr(c->preamble, '[') != NULL);
  lua_setiuservalue(L, kernel, first + 2);
  lua_settop(L, kernel);
}

int generated_push_options (lua_State *L, int first) {
  lua_getiuservalue(L, 1, first + 1);
  compile_push_texts(L, -1, "options", KERNEL_OPTIONS);
  return 1;
}

/* ==} */

/* {== those of a kernel =============================================== */

Generated *generated_find (lua_State *L, int nuv, Variants *v,
                           const unsigned char *key) {
  for (Generated **at = &v->first, *g; (g = *at) != NULL; at = &g->next) {
    if (memcmp(g->key, key, sizeof g->key) != 0)
      continue;
    *at = g->next;
    g->next = v->first;
    v->first = g;
    lua_getiuservalue(L, OWNER, nuv + 1 + g->place);
    return g;
  }
  return NULL;
}

/* Frees the place of the least recently used one, and returns it. */
static int free_place (Variants *v) {
  Generated **at = &v->first;
  while ((*at)->next != NULL)
    at = &(*at)->next;
  int place = (*at)->place;
  *at = NULL;
  return place;
}

void generated_keep (lua_State *L, int nuv, Variants *v, Generated *g,
                     const unsigned char *key) {
  memcpy(g->key, key, sizeof g->key);
  g->place = (v->n < VARIANTS) ? v->n++ : free_place(v);
  g->next = v->first;
  v->first = g;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, OWNER, nuv + 1 + g->place);
}

/* ==} */

/* {== code for a device =============================================== */

static void load_source (lua_State *L, const Recipe *recipe, Generated *g,
                         Code *c) {
  RtSource source;
  memset(&source, 0, sizeof source);
  lua_pushfstring(L, "kernel '%s'", g->name);
  recipe->source(L, OWNER, g);
  source.code = lua_tostring(L, -1);
  source.name = g->name;
  source.generated = true;
  if (recipe->exact)
    source.options[source.noptions++] = "-fmad=false";
  const KernelContext *context = g->text.context;
  for (int i = 0; context != NULL && i < context->noptions; i++)
    source.options[source.noptions++] = context->options[i];
  if (context != NULL && context->preamble != NULL)
    source.options[source.noptions++] = "--device-as-default-execution-space";
  compile_load(L, c, &source, lua_tostring(L, -2));
  lua_pop(L, 2);
}

/* Hashes the used part of a program, which is mostly the smaller one. */
static void hash_program (const Program *p, unsigned char key[SHA256_BYTES]) {
  Sha256 h;
  sha256_begin(&h);
  sha256_add(&h, p, offsetof(Program, slots));
  sha256_add(&h, p->slots, p->nslots * sizeof p->slots[0]);
  sha256_add(&h, p->steps, p->nsteps * sizeof p->steps[0]);
  sha256_add(&h, p->lines, p->nsteps * sizeof p->lines[0]);
  sha256_end(&h, key);
}

static void load_program (lua_State *L, const Recipe *recipe, Generated *g,
                          Code *c) {
  unsigned char key[SHA256_BYTES];
  Builder *b = class_new_memory(L, sizeof *b);
  recipe->program(L, OWNER, g, b);
  build_name(b, g->name);
  hash_program(&b->p, key);
  RtImage image = {.bytes = (char *)&b->p, .size = sizeof b->p};
  error_check(L, code_load(c->rc, key, &image));
  lua_pop(L, 1);
  kernel_code_charge(L, image.size);
}

/* Asks Lua for everything before the functions, so that a code that has
** functions is whole. */
static Code *make_code (lua_State *L, const Recipe *recipe, Generated *g,
                        RtDevice *dev) {
  CUfunction fn;
  Code *c = kernel_code_new(L, dev, g->name);
  bool cuda = strcmp(dev->D->kind, "cuda") == 0;
  if (cuda)
    load_source(L, recipe, g, c);
  else
    load_program(L, recipe, g, c);
  if (cuda && recipe->combines)
    error_check(L, code_function(c->rc, "combine", &c->combine));
  error_check(L, code_function(c->rc, "generated", &fn));
  c->fn = fn;
  return c;
}

Code *generated_code (lua_State *L, const Recipe *recipe, Generated *g, int at,
                      RtDevice *dev) {
  Code *c = g->codes[dev->index];
  if (kernel_code_is_ready(c, dev))
    return c;
  luaL_checkstack(L, 8, NULL);
  c = make_code(L, recipe, g, dev);
  g->codes[dev->index] = c;
  lua_setiuservalue(L, at, g->nuv + 1 + dev->index);
  return c;
}

/* ==} */

static unsigned grid_size (const Generated *g, size_t n) {
  size_t each = (size_t)THREADS * (size_t)g->pack;
  size_t blocks = n / each + (n % each != 0);
  return (unsigned)(blocks < INT32_MAX ? blocks : INT32_MAX);
}

Check *generated_push_check (lua_State *L, const RtStream *s,
                             const char *name) {
  error_push_caller(L);
  lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), name);
  lua_remove(L, -2);
  return index_error_push_report(L, s);
}

bool generated_may_index (const Generated *g) {
  if (g->text.context != NULL && g->text.context->arrays)
    return true;
  for (int i = 0; i < g->text.nparams; i++)
    if (g->text.params[i].mode == ARG_RAW)
      return true;
  return false;
}

void generated_run (lua_State *L, const Recipe *recipe, Generated *g, int at,
                    RtStream *s, const Argument *args, size_t n,
                    const int64_t axes[PARAM_AXES], const Later *later) {
  uint64_t values[2 * KERNEL_PARAMS + 3];
  void *params[2 * KERNEL_PARAMS + 3];
  Access access[2 * KERNEL_PARAMS];
  Op op, one;
  int count = 0, top = lua_gettop(L);
  if (n == 0)
    return;
  const Check *check = generated_may_index(g)
                         ? generated_push_check(L, s, g->name)
                         : NULL;
  int idx = index_error_idx(L, check);
  const Code *c = generated_code(L, recipe, g, at, s->dev);
  op_start(&op, OP_LAUNCH, c->rc->name->text);
  op.access = access;
  op.code = c->rc;
  op.u.launch.fn = c->fn;
  for (int i = 0; i < g->text.nparams; i++) {
    const KernelParam *p = &g->text.params[i];
    const Array *a = args[i].array;
    if (p->mode != ARG_NUMBER && a->size > 0) {
      one.naccess = 0;
      array_access(&one, a, p->out);
      one.own[0].blind = p->out && p->mode != ARG_RAW;
      access[op.naccess++] = one.own[0];
    }
    values[count++] = (a != NULL) ? array_pointer(a) : args[i].value;
    if (p->mode == ARG_RAW)
      values[count++] = a->size;
    for (int k = 0; k < PARAM_AXES && p->mode == ARG_STRIDED; k++)
      values[count++] = (uint64_t)args[i].step[k];
  }
  for (int k = 1; k < PARAM_AXES && kernel_text_has_strided(&g->text); k++)
    values[count++] = (uint64_t)axes[k];
  for (int i = 0; i < later->n; i++) {
    one.naccess = 0;
    array_access(&one, later->to[i], true);
    access[op.naccess++] = one.own[0];
  }
  op.ahead = later->n;
  values[count++] = n;
  values[count++] = s->dev->rt->id; /* for a program; CUDA ignores it */
  values[count++] = index_error_address(check);
  for (int i = 0; i < count; i++)
    params[i] = &values[i];
  op.foreign = true;
  op_set_grid(&op, grid_size(g, n), THREADS);
  op.u.launch.params = params;
  submit_checked(L, s, &op, idx);
  lua_settop(L, top);
  for (int i = 0; i < later->n; i++)
    array_copyto(L, s, later->to[i], later->from[i]);
}
