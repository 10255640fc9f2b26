/*
** host_module.c - modules and functions: the table of twins (host_kernels.h),
** by name, and programs (program.h). Queued work points into a program's
** module, so it may be unloaded only when the work is done; the module of twins
** at any time.
*/
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "rt/host/kernels/count.h"
#include "rt/host/kernels/folds.h"
#include "rt/host/kernels/interpreter.h"
#include "rt/host/kernels/matmul.h"
#include "rt/host/kernels/rows.h"
#include "rt/host/kernels/scan.h"
#include "rt/host/kernels/strided.h"
#include "rt/host/kernels/transpose.h"

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

static bool begins (const char *name, const char *with) {
  return strncmp(name, with, strlen(with)) == 0;
}

/* Finds the arguments that tell how much work a launch is, for the fields of
** CUfunc_st. It goes by the kernel's name; most kernels have n elements. */
static void find_measures (struct CUfunc_st *f, const char *name,
                           const char *args) {
  const int n = (int)strspn(args, "wrei"), nargs = f->nargs;
  const char *shaped = strchr(args, 'g');
  f->geometry = (shaped != NULL) ? (int)(shaped - args) : 0;
  f->n = strcmp(args + n, "n") == 0 || strcmp(args + n, "ni") == 0 ||
             strcmp(args + n, "nid") == 0
           ? n
         : begins(name, "strew_") ? 5
                                  : 0;
  f->axis = strstr(name, "_axis_") != NULL ? n : 0;
  f->product = begins(name, "matmul_") ? n : 0;
  f->dotted = begins(name, "dot_rows_") ? n : 0;
  f->window = begins(name, "correlate_") ? n + 3 : 0;
  f->turned = begins(name, "transpose_w") ? atoi(name + 11) / 8 : 0;
  f->sorted = begins(name, "rows_") ? n : 0;
  f->chunked = begins(name, "chunk_") && strstr(args, "nnn") != NULL
                 ? (int)strcspn(args, "n")
                 : 0;
  f->chosen = begins(name, "topk_") ? n + 1 : 0;
  f->searched = begins(name, "search_") || begins(name, "isin_") ||
                    begins(name, "interp_")
                  ? n + 1
                  : 0;
  f->counted = begins(name, "bincount_") || begins(name, "histogram_")
                 ? (int)strcspn(args, "n")
                 : 0;
  f->weighed = begins(name, "weights_") ? n : 0;
  f->drawn = begins(args, "wx") ? nargs - 1 : 0;
  f->scanned = strstr(name, "_sums_") != NULL || strstr(name, "_apply_") != NULL
                 ? n
                 : 0;
  f->slice = begins(name, "mask_") ? n : begins(name, "take_") ? n + 2 : 0;
  f->sliced = begins(name, "mask_") ? n + 2 : begins(name, "take_") ? n + 3 : 0;
}

static CUresult load_twins (CUcontext ctx, CUmodule *out) {
  size_t n = (size_t)host_kernel_count;
  CUmodule m = new_module(n);
  if (m == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const HostTwin *twin = &host_kernel_table[i];
    size_t nargs = strlen(twin->args);
    if (nargs > MAX_ARGS) {
      free(m);
      return CUDA_ERROR_INVALID_IMAGE;
    }
    m->fns[i] = (struct CUfunc_st){
      .ctx = ctx, .twin = twin, .module = m, .nargs = (int)nargs};
    find_measures(&m->fns[i], twin->name, twin->args);
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
    r = load_twins(ctx, &m);
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
static struct CUfunc_st *find_twin (CUmodule m, const char *name) {
  int from = __atomic_load_n(&m->next, __ATOMIC_RELAXED);
  for (int k = 0; k < m->n; k++) {
    int i = (from + k) % m->n;
    if (strcmp(m->fns[i].twin->name, name) == 0) {
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
  struct CUfunc_st *found = (m->program != NULL) ? m->fns : find_twin(m, name);
  if (found == NULL)
    return CUDA_ERROR_NOT_FOUND;
  *f = found;
  return CUDA_SUCCESS;
}

/* Attributes of compiled kernels, which twins do not have. */
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

/* Returns the bytes of argument i that cuLaunchKernel copies. */
static size_t size_of_argument (CUfunction f, int i) {
  if (i > 0 && i == f->geometry)
    return sizeof(Geometry);
  return (f->twin != NULL && f->twin->args[i] == 'e') ? 16 : 8;
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

/* Rows and columns of the window, and the number of results. */
static void measure_window (Task *t, void **params) {
  size_t rows, columns, n;
  memcpy(&rows, params[0], sizeof rows);
  memcpy(&columns, params[1], sizeof columns);
  memcpy(&n, params[4], sizeof n);
  t->u.kernel.n = n * (rows * columns / 8 + 1);
  t->u.kernel.lines = n / 1024 + 1;
}

/* Elements of a row, and the number of rows. */
static void measure_rows (Task *t, void **params) {
  size_t n, rows;
  memcpy(&n, params[0], sizeof n);
  memcpy(&rows, params[2], sizeof rows);
  t->u.kernel.n = row_work(n, rows);
  t->u.kernel.lines = row_parts(rows);
}

/* The number of rows, and elements of a row. */
static void measure_dots (Task *t, void **params) {
  size_t n;
  memcpy(&t->u.kernel.lines, params[0], sizeof t->u.kernel.lines);
  memcpy(&n, params[1], sizeof n);
  t->u.kernel.n = 2 * n * t->u.kernel.lines;
}

/* Elements of a row, its chunks, and the number of rows. */
static void measure_chunks (Task *t, void **params) {
  size_t at[3];
  for (int i = 0; i < 3; i++)
    memcpy(&at[i], params[i], sizeof at[i]);
  t->u.kernel.n = 2 * at[0] * at[2];
  t->u.kernel.lines = at[1] * at[2];
}

/* Elements of a row, its chunks, one more, and the number of rows. */
static void measure_choices (Task *t, void **params) {
  size_t at[4];
  for (int i = 0; i < 4; i++)
    memcpy(&at[i], params[i], sizeof at[i]);
  t->u.kernel.n = 2 * at[0] * at[3];
  t->u.kernel.lines = at[1] * at[3];
}

/* The number of elements to search for, at ten steps or so each. */
static void measure_searches (Task *t, void **params) {
  size_t count;
  memcpy(&count, params[0], sizeof count);
  t->u.kernel.n = 8 * count;
  t->u.kernel.lines = count / 1024 + 1;
}

/* Elements and bins; for sums of weights, a number and then parts. */
static void measure_counts (Task *t, void **params, bool weighs) {
  size_t bins;
  memcpy(&t->u.kernel.n, params[0], sizeof t->u.kernel.n);
  memcpy(&bins, params[1], sizeof bins);
  t->u.kernel.lines = count_nparts(t->u.kernel.n, bins);
  if (weighs)
    memcpy(&t->u.kernel.lines, params[3], sizeof t->u.kernel.lines);
}

/* The number of random numbers. Rejection kernels, which have parameters of
** their own, take longest. */
static void measure_draws (Task *t, void **params, bool rejects) {
  size_t count;
  memcpy(&count, params[0], sizeof count);
  t->u.kernel.n = (rejects ? 32 : 4) * count;
  t->u.kernel.lines = count / 1024 + 1;
}

/* For scans: n and inner, one more, chunks and lines. */
static void measure_scan (Task *t, void **params) {
  size_t at[5];
  for (int i = 0; i < 5; i++)
    memcpy(&at[i], params[i], sizeof at[i]);
  t->u.kernel.n = at[0] * at[4];
  t->u.kernel.lines = scan_parts(at[1], at[3], at[4]);
}

/* Elements of a slice, and of all slices. */
static void measure_slices (Task *t, const void *inner, const void *count) {
  size_t each;
  memcpy(&each, inner, sizeof each);
  memcpy(&t->u.kernel.n, count, sizeof t->u.kernel.n);
  t->u.kernel.lines = t->u.kernel.n / each;
}

/* Elements, and the length of the axis that is cut. */
static void measure_strided (Task *t, const Geometry *g) {
  size_t n = 1;
  for (int d = 0; d < g->ndim; d++)
    n *= (size_t)g->shape[d];
  t->u.kernel.n = n;
  t->u.kernel.lines = (size_t)g->shape[strided_cut_axis(g)];
}

/* Sets the size of a launch, and its number of independent parts. */
static void measure (Task *t, CUfunction f, void **params) {
  size_t at[4];
  t->u.kernel.n = t->u.kernel.lines = 0;
  if (f->twin == NULL)
    measure_program(t, f->module->program, params);
  if (f->n > 0)
    memcpy(&t->u.kernel.n, params[f->n], sizeof t->u.kernel.n);
  for (int i = 0; i < 4 && f->axis + f->product > 0; i++)
    memcpy(&at[i], params[f->axis + f->product + i], sizeof at[i]);
  if (f->axis > 0) { /* outer, n, inner, chunks */
    t->u.kernel.n = at[0] * at[1] * at[2];
    t->u.kernel.lines = at[0] * at[3] * fold_column_tiles(at[2]);
  } else if (f->product > 0) { /* m, k, n, batches */
    t->u.kernel.n = matmul_work(at[0], at[1], at[2], at[3]);
    t->u.kernel.lines = matmul_parts(at[0], at[2], at[3]);
  } else if (f->dotted > 0) {
    measure_dots(t, params + f->dotted);
  } else if (f->window > 0) {
    measure_window(t, params + f->window);
  } else if (f->sorted > 0) {
    measure_rows(t, params + f->sorted);
  } else if (f->chunked > 0) {
    measure_chunks(t, params + f->chunked);
  } else if (f->chosen > 0) {
    measure_choices(t, params + f->chosen);
  } else if (f->searched > 0) {
    measure_searches(t, params + f->searched);
  } else if (f->counted + f->weighed > 0) {
    measure_counts(t, params + f->counted + f->weighed, f->weighed > 0);
  } else if (f->drawn > 0) {
    measure_draws(t, params + f->drawn, f->drawn > 4);
  } else if (f->scanned > 0) {
    measure_scan(t, params + f->scanned);
  } else if (f->slice > 0) {
    measure_slices(t, params[f->slice], params[f->sliced]);
  } else if (f->turned > 0) {
    const Geometry *g = params[f->geometry];
    t->u.kernel.lines = transpose_parts(g, (size_t)f->turned);
    t->u.kernel.n = t->u.kernel.lines * (size_t)g->shape[g->ndim - 1] *
                    (TRANSPOSE_LINE / (size_t)f->turned);
  } else if (f->geometry > 0) {
    measure_strided(t, params[f->geometry]);
  }
}

/* Copies 8 bytes for each argument of any kind, 16 for an element, and all of a
** Geometry. */
static void copy_arguments (Task *t, CUfunction f, void **params) {
  uint64_t *to = t->u.kernel.args;
  t->u.kernel.geometry = f->geometry;
  t->u.kernel.stop = false;
  measure(t, f, params);
  for (int i = 0; i < f->nargs; i++) {
    size_t slots = (f->twin != NULL && f->twin->args[i] == 'e') ? 2 : 1;
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
  t.u.kernel.twin = f->twin;
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
