/*
** host_module.c - modules and functions: the table of host kernels
** (host_kernels.h), by name, and programs (program.h). Queued work points into
** a program's module, so it may be unloaded only when the work is done; the
** module of built-in kernels at any time.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "rt/program/program.h"

static void drop (Owned *o) {
  CUmodule m = (CUmodule)o; /* 'owned' is its first member */
  host_disown(o);
  free(m->program);
  free(m);
}

static CUmodule new_module (size_t nfns) {
  CUmodule m = calloc(1, sizeof *m + nfns * sizeof m->fns[0]);
  if (m != NULL)
    m->n = (int)nfns;
  return m;
}

/* Returns the index of the Geometry among the arguments, or 0. */
static int find_geometry (const char *args) {
  const char *g = strchr(args, 'g');
  return (g != NULL) ? (int)(g - args) : 0;
}

static CUresult load_builtins (CUcontext ctx, CUmodule *out) {
  size_t n = (size_t)host_kernel_count;
  CUmodule m = new_module(n);
  if (m == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const HostKernel *builtin = &host_kernel_table[i];
    size_t nargs = strlen(builtin->args);
    if (nargs > MAX_ARGS) {
      free(m);
      return CUDA_ERROR_INVALID_IMAGE;
    }
    m->fns[i] = (struct CUfunc_st){.ctx = ctx,
                                   .builtin = builtin,
                                   .module = m,
                                   .nargs = (int)nargs,
                                   .geometry = find_geometry(builtin->args)};
  }
  *out = m;
  return CUDA_SUCCESS;
}

/* Loads the module of a Program: one function, without a name of its own. */
static CUresult load_program (CUcontext ctx, const void *image, CUmodule *out) {
  CUmodule m = new_module(1);
  struct Program *program = malloc(sizeof *program);
  if (m == NULL || program == NULL) {
    free(m);
    free(program);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  memcpy(program, image, sizeof *program);
  m->program = program;
  m->fns[0] = (struct CUfunc_st){
    .ctx = ctx, .module = m, .nargs = PROGRAM_REPORT(program) + 1};
  *out = m;
  return CUDA_SUCCESS;
}

CUresult host_cuModuleLoadData (CUmodule *out, const void *image) {
  CUcontext ctx;
  CUmodule m = NULL;
  if (out == NULL || image == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  host_leave();
  if (image == host_kernel_table)
    r = load_builtins(ctx, &m);
  else if (memcmp(image, PROGRAM_MAGIC, sizeof PROGRAM_MAGIC) == 0)
    r = load_program(ctx, image, &m);
  else
    r = CUDA_ERROR_INVALID_IMAGE;
  if (r != CUDA_SUCCESS)
    return r;
  host_lock();
  host_own(ctx, &m->owned, drop);
  host_unlock();
  *out = m;
  return CUDA_SUCCESS;
}

CUresult host_cuModuleUnload (CUmodule m) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  host_lock();
  drop(&m->owned);
  host_unlock();
  return CUDA_SUCCESS;
}

/* Begins behind the last hit, because callers that want all functions ask in
** the order of the table. */
static struct CUfunc_st *find_builtin (CUmodule m, const char *name) {
  int from = __atomic_load_n(&m->next, __ATOMIC_RELAXED);
  for (int k = 0; k < m->n; k++) {
    int i = (from + k) % m->n;
    if (strcmp(m->fns[i].builtin->name, name) == 0) {
      __atomic_store_n(&m->next, i + 1, __ATOMIC_RELAXED);
      return &m->fns[i];
    }
  }
  return NULL;
}

CUresult host_cuModuleGetFunction (CUfunction *f, CUmodule m,
                                   const char *name) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (f == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (m == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  struct CUfunc_st *found = (m->program != NULL) ? m->fns
                                                 : find_builtin(m, name);
  if (found == NULL)
    return CUDA_ERROR_NOT_FOUND;
  *f = found;
  return CUDA_SUCCESS;
}

/* Host kernels have no variables. */
CUresult host_cuModuleGetGlobal (CUdeviceptr *p, size_t *bytes, CUmodule m,
                                 const char *name) {
  (void)p, (void)bytes, (void)m, (void)name;
  return CUDA_ERROR_NOT_FOUND;
}

/* Attributes of compiled kernels, which host kernels do not have. */
CUresult host_cuFuncGetAttribute (int *value, CUfunction_attribute attr,
                                  CUfunction f) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (value == NULL || f == NULL || attr < 0)
    return CUDA_ERROR_INVALID_VALUE;
  *value = (attr == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK) ? MAX_BLOCK : 0;
  return CUDA_SUCCESS;
}

CUresult host_cuFuncSetAttribute (CUfunction f, CUfunction_attribute attr,
                                  int value) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  return (f == NULL || attr < 0 || value < 0) ? CUDA_ERROR_INVALID_VALUE
                                              : CUDA_SUCCESS;
}

/* The host device has no multiprocessors. */
CUresult host_cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks,
                                                           CUfunction f,
                                                           int threads,
                                                           size_t shared) {
  (void)blocks, (void)f, (void)threads, (void)shared;
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult host_cuOccupancyMaxPotentialBlockSize (int *grid, int *block,
                                                CUfunction f,
                                                CUoccupancyB2DSize sizes,
                                                size_t shared, int limit) {
  (void)grid, (void)block, (void)f, (void)sizes, (void)shared, (void)limit;
  return CUDA_ERROR_NOT_SUPPORTED;
}

/* Returns the bytes of argument i that cuLaunchKernel copies. */
static size_t size_of_argument (CUfunction f, int i) {
  if (i > 0 && i == f->geometry)
    return sizeof(Geometry);
  return (f->builtin != NULL && f->builtin->args[i] == 'e') ? 16 : 8;
}

CUresult host_cuFuncGetParamInfo (CUfunction f, size_t index, size_t *offset,
                                  size_t *bytes) {
  CUresult r = host_usable();
  if (r != CUDA_SUCCESS)
    return r;
  if (f == NULL || index >= (size_t)f->nargs || offset == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  for (size_t i = 0; i < index; i++)
    *offset += size_of_argument(f, (int)i);
  if (bytes != NULL)
    *bytes = size_of_argument(f, (int)index);
  return CUDA_SUCCESS;
}

static bool is_shape (const unsigned grid[3], const unsigned block[3]) {
  return grid[0] > 0 && grid[0] <= INT32_MAX && grid[1] > 0 &&
         grid[1] <= 65535 && grid[2] > 0 && grid[2] <= 65535 && block[0] > 0 &&
         block[0] <= MAX_BLOCK && block[1] > 0 && block[1] <= MAX_BLOCK &&
         block[2] > 0 && block[2] <= 64 &&
         block[0] * block[1] * block[2] <= MAX_BLOCK;
}

/* A program whose writes are not by element may write a place twice, so its
** order must not change. */
static void measure_program (Task *t, const Program *p, void **params) {
  size_t n, results = 1;
  memcpy(&n, params[p->nargs - 1], sizeof n);
  if (p->reduces)
    memcpy(&results, params[p->nargs - 2], sizeof results);
  t->u.kernel.n = p->scatters ? 0 : n * results;
  t->u.kernel.lines = p->reduces ? results : 0;
}

/* Sets the size of a launch, and its number of independent parts. */
static void measure (Task *t, CUfunction f, void **params) {
  const HostKernel *builtin = f->builtin;
  t->u.kernel.n = t->u.kernel.lines = 0;
  if (builtin == NULL)
    measure_program(t, f->module->program, params);
  else if (builtin->measure != NULL)
    builtin->measure(params + builtin->first, &t->u.kernel.n,
                     &t->u.kernel.lines);
}

/* Copies 8 bytes for each argument of any kind, 16 for an element, and all of a
** Geometry. */
static void copy_arguments (Task *t, CUfunction f, void **params) {
  uint64_t *to = t->u.kernel.args;
  t->u.kernel.geometry = f->geometry;
  t->u.kernel.stop = false;
  measure(t, f, params);
  for (int i = 0; i < f->nargs; i++) {
    size_t slots = (f->builtin != NULL && f->builtin->args[i] == 'e') ? 2 : 1;
    if (i > 0 && i == f->geometry)
      memcpy(&t->u.kernel.shapes, params[i], sizeof t->u.kernel.shapes);
    else
      memcpy(to, params[i], slots * sizeof *to);
    to += slots;
  }
}

CUresult host_cuLaunchKernel (CUfunction f, unsigned gx, unsigned gy,
                              unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, CUstream handle,
                              void **params, void **extra) {
  CUcontext ctx;
  (void)shared;
  if (f == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  Task t;
  t.kind = TASK_KERNEL;
  t.u.kernel.builtin = f->builtin;
  t.u.kernel.program = f->module->program;
  memcpy(t.u.kernel.grid, (unsigned[]){gx, gy, gz}, sizeof t.u.kernel.grid);
  memcpy(t.u.kernel.block, (unsigned[]){bx, by, bz}, sizeof t.u.kernel.block);
  if (!is_shape(t.u.kernel.grid, t.u.kernel.block) || extra != NULL ||
      (params == NULL && f->nargs > 0))
    return CUDA_ERROR_INVALID_VALUE;
  copy_arguments(&t, f, params);
  CUresult r = host_enter(&ctx);
  if (r != CUDA_SUCCESS)
    return r;
  CUstream s = host_stream(ctx, handle);
  r = (s != NULL && s->ctx == f->ctx) ? host_queue(s, &t, NULL)
                                      : CUDA_ERROR_INVALID_HANDLE;
  host_leave();
  return r;
}

/* Ignores the attributes, which are for GPUs. */
CUresult host_cuLaunchKernelEx (const CUlaunchConfig *c, CUfunction f,
                                void **params, void **extra) {
  if (c == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return host_cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ,
                             c->blockDimX, c->blockDimY, c->blockDimZ,
                             c->sharedMemBytes, c->hStream, params, extra);
}
