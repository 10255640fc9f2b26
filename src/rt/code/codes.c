/*
** codes.c - RtCode: one Runtime's hold on a module.
**
** DESIGN. A Lua object with a kernel on a device holds an RtCode. So does the
** body of a graph, or an open capture, for each node that launches it; a body
** stays until its last launch has passed. Other launches leave a mark in the
** code, as uses of a block do in the block. A code without references waits in
** a queue until its marks have passed. So no work under way runs it when its
** module is given back (modules.c), and no code waits for the work of another
** one.
**
** Finalizers only put codes into that queue. Each request for code looks at
** some of the queue, so it does not grow while codes come and go.
*/
#include "codes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "code_types.h"
#include "modules.h"
#include "nvrtc.h"
#include "rt/driver/context.h"
#include "rt/driver/names.h"
#include "rt/driver/status.h"
#include "rt/memory/block_types.h"
#include "rt/memory/hazard.h"
#include "rt/memory/import.h"
#include "rt/queue/op_types.h"
#include "rt/wait/progress.h"

enum { LOOK = 2 }; /* codes that a drain looks at */

/* {== creation ======================================================== */

Status code_new (RtDevice *dev, const char *name, RtCode **out) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  RtCode *c = calloc(1, sizeof *c);
  RtName *kept = (c != NULL) ? name_intern(dev->rt, name) : NULL;
  if (kept == NULL) {
    free(c);
    return status_fail(dev->rt, RT_NOMEM, NULL);
  }
  c->name = kept;
  life_begin(&c->life, LIFE_CODE, dev);
  *out = c;
  return 0;
}

static Status ask_arch (RtDevice *dev, int *arch) {
  int major = 0, minor = 0;
  Status st =
    dev->D->cuDeviceGetAttribute(&major,
                                 CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                 dev->dev);
  if (st == CUDA_SUCCESS)
    st =
      dev->D->cuDeviceGetAttribute(&minor,
                                   CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                                   dev->dev);
  *arch = 10 * major + minor;
  return st ? status_fail(dev->rt, st, "cuDeviceGetAttribute") : 0;
}

/* A finalizer may have reset the device since the code was made. */
static Status enter (RtCode *c) {
  Status st = context_enter(c->dev);
  if (st == 0 && life_is_stale(&c->life))
    st = status_fail(c->dev->rt, RT_RESET, NULL);
  return st;
}

Status code_load (RtCode *c, const unsigned char key[SHA256_BYTES],
                  const RtImage *image) {
  Status st = enter(c);
  return (st != 0) ? st : module_load(c->dev, key, image, &c->module);
}

/* Loads compiled code as it is. */
static Status load_compiled (RtCode *c, const RtSource *source,
                             RtImage *image) {
  unsigned char key[SHA256_BYTES];
  Sha256 h;
  image->size = source->compiled;
  image->bytes = malloc(image->size + 1);
  if (image->bytes == NULL)
    return status_fail(c->dev->rt, RT_NOMEM, NULL);
  memcpy(image->bytes, source->code, image->size);
  image->bytes[image->size] = '\0';
  sha256_begin(&h);
  sha256_add(&h, image->bytes, image->size);
  sha256_end(&h, key);
  return module_load(c->dev, key, image, &c->module);
}

Status code_compile (RtCode *c, RtSource *source, RtImage *image) {
  unsigned char key[SHA256_BYTES];
  RtDevice *dev = c->dev;
  Status st = enter(c);
  if (st == 0 && source->compiled > 0)
    return load_compiled(c, source, image);
  if (st == 0)
    st = ask_arch(dev, &source->arch);
  if (st == 0)
    st = nvrtc_key(dev->rt, source, key);
  if (st != 0)
    return st;
  c->module = source->wants_log ? NULL : module_find(dev, key);
  if (c->module != NULL)
    return 0;
  st = nvrtc_compile(dev->rt, source, image);
  return (st != 0) ? st : module_load(dev, key, image, &c->module);
}

/* ==} */

/* {== functions ======================================================= */

Status code_function (RtCode *c, const char *name, CUfunction *fn) {
  Status st = enter(c);
  return (st != 0) ? st : module_function(c->dev, c->module, name, fn);
}

const char *code_symbol (const RtCode *c, int i) {
  if (c->module == NULL || c->module->symbols == NULL)
    return NULL;
  return nvrtc_symbol(c->module->symbols, i);
}

Status code_attribute (RtDevice *dev, CUfunction fn, int attribute,
                       int *value) {
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuFuncGetAttribute(value, attribute, fn);
  return st ? status_fail(dev->rt, st, "cuFuncGetAttribute") : 0;
}

Status code_allow_shared (RtCode *c, CUfunction fn, unsigned bytes) {
  Status st = enter(c);
  return (st != 0) ? st : module_allow_shared(c->dev, c->module, fn, bytes);
}

Status code_active_blocks (RtCode *c, CUfunction fn, int threads, size_t shared,
                           int *blocks) {
  const Driver *D = c->dev->D;
  Status st = enter(c);
  if (st != 0)
    return st;
  st = D->cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, fn, threads,
                                                      shared);
  return st ? status_fail(c->dev->rt, st,
                          "cuOccupancyMaxActiveBlocksPerMultiprocessor")
            : 0;
}

Status code_best_block (RtCode *c, CUfunction fn, size_t shared, int limit,
                        int *grid, int *block) {
  const Driver *D = c->dev->D;
  Status st = enter(c);
  if (st != 0)
    return st;
  st = D->cuOccupancyMaxPotentialBlockSize(grid, block, fn, NULL, shared,
                                           limit);
  return st ? status_fail(c->dev->rt, st, "cuOccupancyMaxPotentialBlockSize")
            : 0;
}

Status code_param_size (RtDevice *dev, CUfunction fn, int i, long *bytes) {
  size_t offset = 0, size = 0;
  *bytes = -1;
  if (dev->D->cuFuncGetParamInfo == NULL)
    return 0;
  Status st = context_enter(dev);
  if (st != 0)
    return st;
  st = dev->D->cuFuncGetParamInfo(fn, (size_t)i, &offset, &size);
  if (st == CUDA_SUCCESS || st == CUDA_ERROR_INVALID_VALUE) {
    *bytes = (st == CUDA_SUCCESS) ? (long)size : 0;
    return 0;
  }
  return status_fail(dev->rt, st, "cuFuncGetParamInfo");
}

/* ==} */

/* {== variables ======================================================= */

Status code_variable (RtCode *c, const char *name, CUdeviceptr *p,
                      size_t *bytes) {
  Status st = enter(c);
  return (st != 0) ? st : module_variable(c->dev, c->module, name, p, bytes);
}

static void unlink_variable (Runtime *rt, const RtVariable *v) {
  RtVariable **at = &rt->variables;
  while (*at != v)
    at = &(*at)->next;
  *at = v->next;
}

/* For the last import: the arrays that had it are gone, and their work is
** done. */
static void release_variable (void *ud) {
  RtVariable *v = ud;
  if (--v->imports > 0)
    return;
  if (v->code != NULL) {
    unlink_variable(v->code->dev->rt, v);
    code_drop(v->code);
  }
  free(v);
}

const RtVariable *code_next_variable (const RtCode *c,
                                      const RtVariable *after) {
  const RtVariable *v = (after != NULL) ? after->next : c->dev->rt->variables;
  while (v != NULL && (c->module == NULL || v->code->module != c->module))
    v = v->next;
  return v;
}

static RtVariable *find_variable (const RtCode *c, CUdeviceptr p) {
  const RtVariable *v = NULL;
  while ((v = code_next_variable(c, v)) != NULL && v->ptr != p)
    continue;
  return (RtVariable *)v;
}

Status code_import_variable (RtCode *c, CUdeviceptr p, size_t bytes,
                             RtImport **import, RtBlock **block) {
  Runtime *rt = c->dev->rt;
  Status st = enter(c);
  if (st != 0)
    return st;
  RtVariable *v = find_variable(c, p), *known = v;
  if (v == NULL)
    v = calloc(1, sizeof *v);
  if (v == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  st = import_memory(c->dev, FOREIGN_DEVICE, p, bytes, release_variable, v,
                     import, block);
  if (st != 0 && known == NULL)
    free(v);
  if (st != 0)
    return st;
  v->imports++;
  if (known != NULL)
    return 0;
  code_retain(c);
  v->code = c;
  v->block = *block;
  v->ptr = p;
  v->bytes = bytes;
  v->written = c->module->has_globals;
  v->next = rt->variables;
  rt->variables = v;
  return 0;
}

/* ==} */

/* {== uses ============================================================ */

Status code_reserve_use (RtCode *c) {
  if (c->uses.n < c->uses.cap || hazard_reserve(&c->uses, 1) == 0)
    return 0;
  return status_fail(c->dev->rt, RT_NOMEM, NULL);
}

void code_note_use (RtCode *c, RtStream *s, uint64_t seq) {
  MarkSet *m = &c->uses;
  if (m->n == 1 && m->at->s == s) {
    m->at->seq = seq;
    return;
  }
  Access a = {NULL, 0, 1, false, false};
  hazard_note(m, &a, s, seq);
}

static bool is_over (const RtCode *c) {
  if (life_is_stale(&c->life))
    return true;
  for (int i = 0; i < c->uses.n; i++)
    if (!progress_is_over(c->uses.at[i].s, c->uses.at[i].seq))
      return false;
  return true;
}

/* ==} */

/* {== freeing ========================================================= */

void code_retain (RtCode *c) { c->refs++; }

void code_drop (RtCode *c) {
  if (c != NULL)
    life_drop(&c->life, LIFE_CODE);
}

static void free_code (RtCode *c) {
  name_drop(c->dev->rt, c->name);
  hazard_free(&c->uses);
  free(c);
}

static bool end (Life *o) {
  RtCode *c = (RtCode *)o;
  if (!is_over(c))
    return false;
  if (c->module != NULL) {
    module_drop(c->dev, c->module);
    module_trim(c->dev);
  }
  free_code(c);
  return true;
}

void code_drain (Runtime *rt, bool all) {
  life_drain(rt, LIFE_CODE, all ? INT_MAX : LOOK, end);
}

static void forget_list (const RtDevice *dev, const List *codes) {
  LIST_EACH (RtCode, c, codes) {
    if (c->dev != dev || c->module == NULL)
      continue;
    module_drop(c->dev, c->module);
    c->module = NULL;
  }
}

void code_forget_all (RtDevice *dev) {
  forget_list(dev, &dev->rt->held[LIFE_CODE]);
  forget_list(dev, &dev->rt->dropped[LIFE_CODE]);
  if (dev->shared != NULL)
    module_trim(dev);
}

static void free_list (List *codes) {
  while (codes->n > 0)
    free_code((RtCode *)links_take(codes));
}

void code_free_all (Runtime *rt) {
  for (RtVariable *v = rt->variables; v != NULL; v = v->next)
    v->code = NULL;
  free_list(&rt->held[LIFE_CODE]);
  free_list(&rt->dropped[LIFE_CODE]);
}

/* ==} */
