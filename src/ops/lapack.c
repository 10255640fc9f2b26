/*
** lapack.c - runs a routine of LAPACK over a batch of matrices, as an
** operation like others: a host kernel on the host device, cuSOLVER on CUDA
** or, for many small matrices, a kernel. This is one half of tide.linalg. The
** other half, lua/tide/linalg.lua, makes the operands and finds this function
** in the module tide.lapack.
**
** LAPACK tells of a singular matrix and the like by a number for each matrix.
** A kernel looks at these, and reports as kernels do (index_error.c): nothing
** waits, and the next wait raises the error.
*/
#include <limits.h>
#include <math.h>
#include <string.h>

#include "array/array.h"
#include "array/dtype.h"
#include "array/launch.h"
#include "array/shape.h"
#include "base/arg.h"
#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/field.h"
#include "base/state.h"
#include "device/current.h"
#include "device/index_error.h"
#include "device/submit.h"
#include "kernels/types.h"
#include "singular.h"
#include "openers.h"
#include "rt/code/cusolver.h"
#include "rt/host/kernels/lapack_host.h"
#include "rt/host/team.h"
#include "rt/kernels/kernels.h"
#include "rt/submit/op.h"

/* The end of the error for a decomposition that has not converged. */
static const char lapack_no_end[] =
  "did not converge; NaN and infinities have this effect";

static const char MATRIX[] = "matrix";

/* Overridable: matrices with so many columns have all threads to themselves. */
#if !defined(ALONE)
#define ALONE 128
#endif

/*
** A thread of a GPU for each matrix, or a call of cuSOLVER for each: threads
** pay if the cube of the longer side is at most PER_CALL for each matrix; a
** thread solves for its right sides one by one, so more of them than the side
** count instead of it. Measured on an H200 for float32, n = 4 to 64: threads
** take 0.2 us for each of the cube (getrf and getrs), 0.015 (potrf), 0.14
** (geqrf and orgqr), 1.25 (gesdd) and 1.7 (syevd), whether for one matrix or
** for thousands, and cuSOLVER 19 to 2000 us for each matrix. Threads have up
** to SMALL rows and columns, SMALL_ITERATED where the routine iterates and has
** workspace.
*/
enum { SMALL = 64, SMALL_ITERATED = 32, THREADS = 1 << 13 };

static const double PER_CALL[LAPACK_ROUTINES] = {
  [LAPACK_potrf] = 1300, [LAPACK_getrf] = 300, [LAPACK_getrs] = 300,
  [LAPACK_geqrf] = 600,  [LAPACK_orgqr] = 600, [LAPACK_gesdd] = 350,
  [LAPACK_syevd] = 60};

/* The arguments of a call. */
enum { ROUTINE = 1, FLAG, M, N, K, BATCHES, NAME, WHY, FIRST };

/* A job and its operands on the stack. */
typedef struct Call {
  RtSolver solver;
  Array *operand[LAPACK_OPERANDS];
} Call;

/* {== errors of matrices ============================================== */

/* See Explain. The string is the beginning of the message, a zero, then the
** number of matrices as text, a zero, what is wrong with one, a zero, and what
** a single one is called. */
static void explain (lua_State *L, int64_t word) {
  const char *text = lua_tostring(L, -1), *count = text + strlen(text) + 1,
             *why = count + strlen(count) + 1, *what = why + strlen(why) + 1;
  if (strcmp(count, "1") == 0)
    lua_pushfstring(L, "%s: the %s %s", text, what, why);
  else
    lua_pushfstring(L, "%s: matrix %I of %s %s", text,
                    (LUAI_UACINT)(word >> 32), count, why);
  lua_remove(L, -2);
}

/* Pushes the check for a batch of 'n' matrices; returns its index. The error
** is "file:line: name: the matrix why", with 'what' in place of "matrix"; name
** and why are on the stack. */
static int push_check (lua_State *L, RtStream *s, size_t n, int name, int why,
                       const char *what) {
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  error_push_caller(L);
  lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), lua_tostring(L, name));
  lua_remove(L, -2);
  lua_pushlstring(L, "", 1);
  lua_pushfstring(L, "%I", (LUAI_UACINT)n);
  lua_pushlstring(L, "", 1);
  lua_pushvalue(L, why);
  lua_pushlstring(L, "", 1);
  lua_pushstring(L, what);
  lua_concat(L, 7);
  index_error_push(L, s, explain);
  return lua_gettop(L);
}

/* Queues the look at 'info' for the check at 'idx'. */
static void launch_check (lua_State *L, RtStream *s, const Array *info,
                          int idx) {
  Op op;
  size_t n = info->size;
  int64_t *word = index_error_word(lua_touserdata(L, idx));
  op_start(&op, OP_LAUNCH, NULL);
  CUdeviceptr at = launch_reads(&op, info);
  void *params[] = {&at, &word, &n};
  KernelId id = kernel_named("lapack_info");
  launch_checked(L, s, &op, id, kernel_elementwise_grid(id, n), params, idx);
}

/* check(info, name, why [, what]): raises likewise for a dense array of int32
** with a number for each matrix, which is 0 for a good one. */
static int lapack_check (lua_State *L) {
  Array *info = array_check(L, 1);
  arg_check_string(L, 2);
  arg_check_string(L, 3);
  const char *what = lua_isnoneornil(L, 4) ? MATRIX : arg_check_string(L, 4);
  argerror_check(L, info->dense && info->dtype == DTYPE_INT32, 1,
                 "dense array of int32 expected");
  RtStream *s = current_get_stream(L, info->dev);
  if (info->size > 0)
    launch_check(L, s, info, push_check(L, s, info->size, 2, 3, what));
  return 0;
}

/* ==} */

/* {== jobs ============================================================ */

static size_t check_size (lua_State *L, int arg) {
  lua_Integer n = arg_check_integer(L, arg);
  argerror_check(L, n >= 0 && n <= INT_MAX, arg, "matrices are too large");
  return (size_t)n;
}

static void read_job (lua_State *L, LapackJob *j) {
  const char *name = arg_check_string(L, ROUTINE);
  int i = 0;
  while (i < LAPACK_ROUTINES && strcmp(lapack_names[i][0], name) != 0)
    i++;
  argerror_check(L, i < LAPACK_ROUTINES, ROUTINE, "no such routine");
  j->routine = (LapackRoutine)i;
  j->flag = check_size(L, FLAG);
  j->m = check_size(L, M);
  j->n = check_size(L, N);
  j->k = check_size(L, K);
  j->batches = check_size(L, BATCHES);
  DType t = (DType)array_check(L, FIRST)->dtype;
  argerror_check(L,
                 t == DTYPE_FLOAT32 || t == DTYPE_FLOAT64 ||
                   t == DTYPE_COMPLEX64 || t == DTYPE_COMPLEX128,
                 FIRST, "LAPACK has no routines for %s", dtype_name(t));
  j->t = t;
}

/* Raises unless the array at 'arg' is that operand. */
static Array *check_operand (lua_State *L, int arg, const LapackJob *j,
                             const LapackOperand *o, const Array *first) {
  Array *a = array_check(L, arg);
  array_check_devices(L, first, a);
  argerror_check(L,
                 a->dense && a->dtype == o->t &&
                   a->size == o->elements * j->batches,
                 arg, "not an operand of such a routine");
  return a;
}

/* Reads the operands that are given, and makes those that are only written. */
static void push_operands (lua_State *L, RtStream *s, Call *c) {
  const LapackJob *j = &c->solver.job;
  const Array *first = array_check(L, FIRST);
  for (int i = 0, arg = FIRST; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(j, i);
    const int64_t shape[] = {(int64_t)j->batches, (int64_t)o.elements};
    c->operand[i] = NULL;
    if (o.access == 'r' || o.access == 'x')
      c->operand[i] = check_operand(L, arg++, j, &o, first);
    else if (o.access == 'w')
      c->operand[i] = array_new(L, first->dev, o.t, 2, shape, s);
  }
}

/* Adds the accesses of the operands. */
static void add_operands (Op *op, Call *c) {
  for (int i = 0; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(&c->solver.job, i);
    const Array *a = c->operand[i];
    c->solver.at[i] = (a == NULL || a->size == 0) ? 0
                      : (o.access == 'r')         ? launch_reads(op, a)
                                                  : launch_writes(op, a);
  }
}

/* Launches a kernel of the job's type with its first parameters, or all. */
static void launch (lua_State *L, RtStream *s, Op *op, DType t, bool each,
                    size_t grid, void **params) {
  static const char *const names[2][4] = {
    {"lapack_f32", "lapack_f64", "lapack_c64", "lapack_c128"},
    {"lapack_each_f32", "lapack_each_f64", "lapack_each_c64",
     "lapack_each_c128"}};
  int type = t == DTYPE_FLOAT32     ? 0
             : t == DTYPE_FLOAT64   ? 1
             : t == DTYPE_COMPLEX64 ? 2
                                    : 3;
  launch_kernel(L, s, op, kernel_named(names[each][type]), (unsigned)grid,
                params);
}

/* Launches the kernel of the host device, with so many rooms for workspace. */
static void launch_rooms (lua_State *L, RtStream *s, Op *op, RtSolver *v,
                          size_t rooms) {
  LapackJob *j = &v->job;
  size_t routine = j->routine, bytes = v->bytes / rooms;
  void *params[] = {&v->at[0], &v->at[1],   &v->at[2], &v->at[3], &v->info,
                    &v->work,  &routine,    &j->flag,  &j->m,     &j->n,
                    &j->k,     &j->batches, &bytes,    &rooms};
  launch(L, s, op, j->t, false, 1, params);
}

/* Launches the kernel with so many threads, each with matrices of its own. */
static void launch_threads (lua_State *L, RtStream *s, Op *op, RtSolver *v,
                            size_t threads) {
  LapackJob *j = &v->job;
  size_t routine = j->routine, work = lapack_work(j), each[LAPACK_OPERANDS];
  for (int i = 0; i < LAPACK_OPERANDS; i++)
    each[i] = lapack_operand(j, i).elements;
  void *params[] = {&v->at[0], &v->at[1],   &v->at[2], &v->at[3], &v->info,
                    &v->work,  &routine,    &j->flag,  &j->m,     &j->n,
                    &j->k,     &j->batches, &each[0],  &each[1],  &each[2],
                    &each[3],  &work};
  launch(L, s, op, j->t, true, threads / LAPACK_BLOCK, params);
}

/* Queues the job for cuSOLVER. */
static void solve (lua_State *L, RtStream *s, Op *op, RtSolver *v) {
  op->solver = v;
  op->name = lapack_names[v->job.routine][lapack_is_complex(v->job.t)];
  op_set_grid(op, 1, 1);
  op->u.launch.fn = NULL;
  op->u.launch.params = NULL;
  submit_work(L, s, op);
}

/* Pushes an array of bytes, or of other elements, for a job. */
static Array *push_room (lua_State *L, RtStream *s, DType t, size_t n) {
  const int64_t shape = (int64_t)n;
  return array_new(L, s->dev, t, 1, &shape, s);
}

/* Returns the number of threads of the host device that share a batch. The
** BLAS shares out large matrices by itself. */
static size_t count_rooms (const LapackJob *j) {
  const size_t team = (size_t)team_size();
  const size_t most = (j->n < ALONE) ? team : 1;
  return j->batches < most ? j->batches : most;
}

/*
** Returns with how many threads of a GPU a batch of small matrices is
** computed, each with a matrix at a time: 0 if a call of cuSOLVER for each is
** faster. Threads are the only way if there is no cuSOLVER.
*/
static size_t count_threads (const RtStream *s, const LapackJob *j) {
  const bool iterates = (lapack_work(j) > 0);
  const double n = (double)(j->m > j->n ? j->m : j->n);
  if (s->dev->index >= s->dev->rt->ncuda || j->routine == LAPACK_geev ||
      n > (iterates ? SMALL_ITERATED : SMALL) ||
      (cusolver_name() != NULL && n * n * fmax(n, (double)j->k) >
                                    PER_CALL[j->routine] * (double)j->batches))
    return 0;
  const size_t most = j->batches < THREADS ? j->batches : THREADS;
  return (most + LAPACK_BLOCK - 1) / LAPACK_BLOCK * LAPACK_BLOCK;
}

/* Sets the bytes of workspace for one way to run the job. */
static void plan (lua_State *L, RtStream *s, RtSolver *v, size_t threads,
                  size_t rooms) {
  const LapackJob *j = &v->job;
  if (threads > 0)
    v->bytes = threads * lapack_work(j) * dtype_size(j->t);
  else if (s->dev->index < s->dev->rt->ncuda)
    error_check(L, cusolver_plan(s, v));
  else
    v->bytes = rooms * lapack_host_bytes(j);
}

/* Queues the job, and the look at its result right behind it: it must not
** begin again, because it has overwritten its operands. */
static void queue (lua_State *L, RtStream *s, Call *c, int name, int why) {
  RtSolver *v = &c->solver;
  const bool checked = !lua_isnil(L, why);
  const size_t threads = count_threads(s, &v->job),
               rooms = count_rooms(&v->job);
  plan(L, s, v, threads, rooms);
  const Array *info = push_room(L, s, DTYPE_INT32, v->job.batches),
              *work = push_room(L, s, DTYPE_UINT8, v->bytes + 1);
  int check = checked ? push_check(L, s, v->job.batches, name, why, MATRIX) : 0;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  add_operands(&op, c);
  v->info = launch_writes(&op, info);
  v->work = launch_writes(&op, work);
  op.ahead = checked;
  if (threads > 0)
    launch_threads(L, s, &op, v, threads);
  else if (s->dev->index < s->dev->rt->ncuda)
    solve(L, s, &op, v);
  else
    launch_rooms(L, s, &op, v, rooms);
  if (checked)
    launch_check(L, s, info, check);
}

/*
** run(routine, flag, m, n, k, batches, name, why, operands...) -> the operands
** that are only written, each as [batches, elements]. Operands that are read
** are given, dense, those that are written as well are overwritten. 'why' says
** what is wrong with a matrix whose job fails, for the error that names the
** function 'name'; nil: such matrices are no error.
*/
static int lapack_run (lua_State *L) {
  Call c;
  read_job(L, &c.solver.job);
  luaL_checkstack(L, 24, NULL);
  lua_settop(L, FIRST + LAPACK_OPERANDS);
  RtStream *s = current_get_stream(L, array_check(L, FIRST)->dev);
  int top = lua_gettop(L);
  push_operands(L, s, &c);
  int results = lua_gettop(L) - top;
  if (c.operand[0]->size == 0)
    return results;
  queue(L, s, &c, NAME, WHY);
  array_drop(L, top + results);
  return results;
}

/* Pushes a dense copy of the matrices, or of their transposes, that has at
** least as many columns as rows. */
static Array *push_wide (lua_State *L, RtStream *s, Array *a) {
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  if (a->shape[a->ndim - 2] > a->shape[a->ndim - 1]) {
    axes[a->ndim - 2] = a->ndim - 1;
    axes[a->ndim - 1] = a->ndim - 2;
  }
  Array *x = shape_push_permuted(L, a, axes);
  Array *z = array_new(L, a->dev, (DType)a->dtype, a->ndim, x->shape, s);
  if (z->size > 0)
    array_copyto(L, s, z, x);
  return z;
}

Array *singular_push_values (lua_State *L, RtStream *s, Array *a,
                             const char *name) {
  const int last = a->ndim - 1;
  Call c = {.operand = {push_wide(L, s, a)}};
  LapackJob *j = &c.solver.job;
  const Array *x = c.operand[0];
  *j = (LapackJob){.routine = LAPACK_gesdd,
                   .t = (DType)a->dtype,
                   .m = (size_t)x->shape[last],
                   .n = (size_t)x->shape[last - 1],
                   .batches = 1};
  for (int i = 0; i < last - 1; i++)
    j->batches *= (size_t)x->shape[i];
  argerror_check(L, j->m <= INT_MAX && j->batches <= INT_MAX, 1,
                 "matrices are too large");
  DType t = lapack_operand(j, 1).t;
  c.operand[1] = array_new(L, a->dev, t, last, x->shape, s);
  int top = lua_gettop(L);
  if (x->size > 0) {
    lua_pushstring(L, name);
    lua_pushstring(L, lapack_no_end);
    queue(L, s, &c, top + 1, top + 2);
    array_drop(L, top);
  }
  return c.operand[1];
}

/* ==} */

static const Function functions[] = {
  {"check", lapack_check, 4},
  {"run", lapack_run, FIRST + LAPACK_OPERANDS - 1},
  {NULL, NULL, 0},
};

void open_lapack (lua_State *L) {
  class_add_module(L, "tide.lapack", functions);
  lua_newtable(L); /* init.lua fills it with Lua functions */
  field_set_strict(L, "tide.linalg");
  lua_setfield(L, -2, "linalg");
}
