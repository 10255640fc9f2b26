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
#include "array/copy.h"
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
#include "composed.h"
#include "rt/driver/context.h"
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

static const char MATRIX[] = "matrix", SINGULAR[] = "is singular";

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
  lua_pushfstring(L, "%s: %s%c%I%c%s%c%s", lua_tostring(L, -1),
                  lua_tostring(L, name), 0, (LUAI_UACINT)n, 0,
                  lua_tostring(L, why), 0, what);
  lua_remove(L, -2);
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

static LapackRoutine check_routine (lua_State *L, int arg) {
  const char *name = arg_check_string(L, arg);
  int i = 0;
  while (i < LAPACK_ROUTINES && strcmp(lapack_names[i][0], name) != 0)
    i++;
  argerror_check(L, i < LAPACK_ROUTINES, arg, "no such routine");
  return (LapackRoutine)i;
}

static DType check_dtype (lua_State *L, int arg, const Array *a) {
  DType t = (DType)a->dtype;
  argerror_check(L,
                 t == DTYPE_FLOAT32 || t == DTYPE_FLOAT64 ||
                   t == DTYPE_COMPLEX64 || t == DTYPE_COMPLEX128,
                 arg, "LAPACK has no routines for %s", dtype_name(t));
  return t;
}

/* Reads the arguments of lapack_run. A script may have given any. */
static void read_job (lua_State *L, LapackJob *j) {
  j->routine = check_routine(L, ROUTINE);
  j->flag = check_size(L, FLAG);
  j->m = check_size(L, M);
  j->n = check_size(L, N);
  j->k = check_size(L, K);
  j->batches = check_size(L, BATCHES);
  argerror_check(L, j->routine == LAPACK_getrs || j->routine == LAPACK_orgqr,
                 ROUTINE, "'getrs' or 'orgqr' expected");
  argerror_check(L,
                 j->routine == LAPACK_getrs || (j->k <= j->n && j->n <= j->m),
                 N, "matrices of another shape expected");
  j->t = check_dtype(L, FIRST, array_check(L, FIRST));
}

/* Raises unless the array at 'arg' is that operand. */
static Array *check_operand (lua_State *L, int arg, const LapackJob *j,
                             const LapackOperand *o, const Array *first) {
  Array *a = array_check(L, arg);
  size_t size;
  array_check_devices(L, first, a);
  argerror_check(L,
                 a->dense && a->dtype == o->t &&
                   !__builtin_mul_overflow(o->elements, j->batches, &size) &&
                   a->size == size,
                 arg, "not an operand of such a routine");
  return a;
}

/* Reads the operands that are given, the second at 'second', and makes those
** that are only written. */
static void push_operands (lua_State *L, RtStream *s, Call *c, int second) {
  const LapackJob *j = &c->solver.job;
  const Array *first = array_check(L, FIRST);
  for (int i = 0, arg = FIRST; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(j, i);
    const int64_t shape[] = {(int64_t)j->batches, (int64_t)o.elements};
    c->operand[i] = NULL;
    if (o.access == 'r' || o.access == 'x') {
      c->operand[i] = check_operand(L, i == 1 ? second : arg, j, &o, first);
      arg++;
    } else if (o.access == 'w')
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
  if (context_is_host(s->dev) || j->routine == LAPACK_geev ||
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
  else if (!context_is_host(s->dev))
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
  const bool cuda = !context_is_host(s->dev);
  const Array *info = push_room(L, s, DTYPE_INT32, v->job.batches),
              *work = (v->bytes > 0 || cuda)
                        ? push_room(L, s, DTYPE_UINT8, v->bytes + 1)
                        : NULL;
  int check = checked ? push_check(L, s, v->job.batches, name, why, MATRIX) : 0;
  Op op;
  op_start(&op, OP_LAUNCH, NULL);
  add_operands(&op, c);
  v->info = launch_writes(&op, info);
  v->work = (work != NULL) ? launch_writes(&op, work) : 0;
  op.ahead = checked;
  if (threads > 0)
    launch_threads(L, s, &op, v, threads);
  else if (cuda)
    solve(L, s, &op, v);
  else
    launch_rooms(L, s, &op, v, rooms);
  if (checked)
    launch_check(L, s, info, check);
}

/* Pushes the exchanges of rows at 'arg', which are indices: a script may have
** given any. Returns the index of the array. */
static int push_swaps (lua_State *L, int arg, const LapackJob *j) {
  (void)array_check(L, arg);
  lua_pushinteger(L, 1);
  lua_pushinteger(L, (lua_Integer)j->n);
  return composed_call(L, "clip", arg, 2);
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
  int second = FIRST + 1;
  if (c.solver.job.routine == LAPACK_getrs && c.solver.job.n > 0)
    second = push_swaps(L, second, &c.solver.job);
  RtStream *s = current_get_stream(L, array_check(L, FIRST)->dev);
  int top = lua_gettop(L);
  push_operands(L, s, &c, second);
  int results = lua_gettop(L) - top;
  if (c.operand[0]->size == 0)
    return results;
  queue(L, s, &c, NAME, WHY);
  array_drop(L, top + results);
  return results;
}

/* ==} */

/* {== matrices of an array ============================================ */

/* Pushes the view of the transposes. */
static Array *push_transposes (lua_State *L, Array *a) {
  int axes[MAX_DIMS];
  for (int i = 0; i < a->ndim; i++)
    axes[i] = i;
  axes[a->ndim - 2] = a->ndim - 1;
  axes[a->ndim - 1] = a->ndim - 2;
  return shape_push_permuted(L, a, axes);
}

/* Pushes a dense copy, for a routine to overwrite. */
static Array *push_copy (lua_State *L, RtStream *s, Array *a) {
  Array *z = array_new(L, a->dev, (DType)a->dtype, a->ndim, a->shape, s);
  array_copyto(L, s, z, a);
  return z;
}

/* Returns the call of a routine for the dense matrices in the last two axes of
** x. LAPACK sees their transposes. */
static Call start (lua_State *L, LapackRoutine routine, size_t flag, Array *x) {
  const int last = x->ndim - 1;
  Call c = {.operand = {x}};
  LapackJob *j = &c.solver.job;
  *j = (LapackJob){.routine = routine,
                   .t = check_dtype(L, 1, x),
                   .flag = flag,
                   .m = (size_t)x->shape[last],
                   .n = (size_t)x->shape[last - 1],
                   .batches = 1};
  for (int i = 0; i < last - 1; i++)
    j->batches *= (size_t)x->shape[i];
  argerror_check(L, j->m <= INT_MAX && j->n <= INT_MAX && j->batches <= INT_MAX,
                 1, "matrices are too large");
  return c;
}

/* Pushes the operands that the routine only writes, in the batch of its first
** one: vectors, and as c and d matrices of as many columns as c has m and d has
** n. */
static void push_written (lua_State *L, RtStream *s, Call *c) {
  const LapackJob *j = &c->solver.job;
  const Array *x = c->operand[0];
  int64_t shape[MAX_DIMS];
  memcpy(shape, x->shape, (size_t)x->ndim * sizeof *shape);
  for (int i = 1; i < LAPACK_OPERANDS; i++) {
    const LapackOperand o = lapack_operand(j, i);
    const size_t columns = (i == 1) ? 1 : (i == 2) ? j->m : j->n;
    if (o.access != 'w' || (i > 1 && j->flag == 0))
      continue;
    shape[x->ndim - 2] = (int64_t)(columns > 0 ? o.elements / columns : 0);
    shape[x->ndim - 1] = (int64_t)columns;
    c->operand[i] = array_new(L, x->dev, o.t, x->ndim - (i == 1), shape, s);
  }
}

/* Pushes the factors of 'a', then the other operands that the routine writes.
** 'name' and 'why' are as in lapack_run. */
static Call push_factors (lua_State *L, RtStream *s, LapackRoutine routine,
                          size_t flag, Array *a, int name, int why) {
  Call c = start(L, routine, flag, push_copy(L, s, a));
  push_written(L, s, &c);
  int top = lua_gettop(L);
  if (c.operand[0]->size > 0) {
    queue(L, s, &c, name, why);
    array_drop(L, top);
  }
  return c;
}

/* Raises unless the routine replaces matrices as those of 'a', at 3, and reads
** nothing else. */
static void check_factors (lua_State *L, LapackRoutine routine, size_t flag,
                           Array *a) {
  const LapackJob j = start(L, routine, flag, a).solver.job;
  const LapackOperand x = lapack_operand(&j, 0), y = lapack_operand(&j, 1);
  argerror_check(L, x.access == 'x' && y.access != 'r', 1, "no such routine");
  argerror_check(L, flag <= 2, 2, "no such flag");
  argerror_check(L,
                 x.elements == j.m * j.n &&
                   (routine != LAPACK_gesdd || j.m >= j.n),
                 3, "matrices of another shape expected");
}

/*
** decompose(routine, flag, a, name, why) -> the factors of 'a', or what else
** the routine replaces it by, and the operands that are only written:
** push_written. It sees the transposes of 'a', which stays as it is.
*/
static int lapack_decompose (lua_State *L) {
  enum { A = 3, LAST = 5 };
  LapackRoutine routine = check_routine(L, 1);
  size_t flag = check_size(L, 2);
  Array *a = array_check(L, A);
  argerror_check(L, a->ndim >= 2, A, "matrices expected");
  check_factors(L, routine, flag, a);
  luaL_checkstack(L, 24, NULL);
  lua_settop(L, LAST);
  RtStream *s = current_get_stream(L, a->dev);
  push_factors(L, s, routine, flag, a, LAST - 1, LAST);
  return lua_gettop(L) - LAST;
}

Array *singular_push_values (lua_State *L, RtStream *s, Array *a,
                             const char *name) {
  const int last = a->ndim - 1;
  bool tall = (a->shape[last - 1] > a->shape[last]);
  lua_pushstring(L, name);
  lua_pushstring(L, lapack_no_end);
  int why = lua_gettop(L);
  Array *x = tall ? push_transposes(L, a) : a;
  return push_factors(L, s, LAPACK_gesdd, 0, x, why - 1, why).operand[1];
}

/* ==} */

/* {== equations ======================================================= */

/* Returns the dtype of an array, with float64 for integers and bools. */
static DType float_dtype (const Array *a) {
  return dtype_kind(a->dtype) < KIND_FLOAT ? DTYPE_FLOAT64 : (DType)a->dtype;
}

/* Pushes the array at 'arg' in the common dtype of 'a' and 'b', which may be
** NULL. */
static Array *push_floats (lua_State *L, int arg, const Array *a,
                           const Array *b) {
  DType t = float_dtype(a);
  if (b != NULL)
    t = dtype_promote(t, float_dtype(b));
  return array_push_cast(L, arg, t);
}

/* Pushes identity matrices of the shape and dtype of x. */
static Array *push_identity (lua_State *L, RtStream *s, const Array *x) {
  Array *z = array_new(L, x->dev, (DType)x->dtype, x->ndim, x->shape, s);
  Element one = {0};
  array_zero(L, s, z);
  if (z->size == 0)
    return z;
  lua_pushinteger(L, 1);
  dtype_read_element(L, -1, (DType)z->dtype, &one);
  Array *d = shape_push_diagonal(L, z, 0, z->ndim - 2, z->ndim - 1);
  copy_strided(L, s, d, NULL, &one);
  array_release(d);
  lua_pop(L, 2);
  return z;
}

/* Replaces x, with the transposes of right sides, k for each of the batch, by
** those of the solutions. */
static void solve_factored (lua_State *L, RtStream *s, const Call *factors,
                            Array *x, size_t k, bool transposed) {
  Call c = *factors;
  c.solver.job.routine = LAPACK_getrs;
  c.solver.job.flag = transposed;
  c.solver.job.k = k;
  c.operand[2] = x;
  lua_pushnil(L);
  if (x->size > 0)
    queue(L, s, &c, 0, lua_gettop(L));
}

/* Pushes the solutions for right sides in the shape of the batch. The routine
** has factors of the transposes. */
static void push_solutions (lua_State *L, RtStream *s, const Call *factors,
                            Array *b, bool vectors) {
  const int64_t k = vectors ? 1 : b->shape[b->ndim - 1];
  Array *x = push_copy(L, s, k == 1 ? b : push_transposes(L, b));
  int at = lua_gettop(L);
  solve_factored(L, s, factors, x, (size_t)k, true);
  if (k == 1)
    lua_pushvalue(L, at);
  else
    push_copy(L, s, push_transposes(L, x));
}

/* Finds the common batch of two arrays of matrices. Returns its number of
** axes. */
static int find_batch (const Array *a, const Array *b, bool vectors,
                       int64_t shape[MAX_DIMS]) {
  const int na = a->ndim - 2, nb = vectors ? 0 : b->ndim - 2,
            n = na > nb ? na : nb;
  for (int i = 0; i < n; i++) {
    const int64_t x = (i < n - na) ? 1 : a->shape[i - (n - na)],
                  y = (i < n - nb) ? 1 : b->shape[i - (n - nb)];
    shape[i] = (x == 1) ? y : x;
  }
  return n;
}

/* Pushes 'a', at 'arg', broadcast to a batch of n axes; the last 'own' ones are
** its own. */
static Array *push_batch (lua_State *L, int arg, Array *a, int n, int own,
                          int64_t shape[MAX_DIMS]) {
  if (a->ndim == n + own &&
      memcmp(a->shape, shape, (size_t)n * sizeof *shape) == 0)
    return a;
  memcpy(shape + n, a->shape + a->ndim - own, (size_t)own * sizeof *shape);
  return shape_push_broadcast(L, arg, a, n + own, shape);
}

/* Returns the array at 1. Raises unless its matrices are square. */
static Array *check_square (lua_State *L) {
  Array *a = array_check(L, 1);
  const int last = a->ndim - 1;
  argerror_check(L, last > 0 && a->shape[last] == a->shape[last - 1], 1,
                 "square matrices expected");
  return a;
}

/*
** solve(a, b, name) -> the x of a x = b, where b is a vector or has matrices;
** solve(a, nil, name) -> the inverses. Both are broadcast, and converted to a
** dtype of LAPACK's. Without a name, singular matrices are no error.
**
** The inverse of the transposes is the transposes of the inverse. So it is
** solved for with the transposes, which lets the BLAS skip the zeros of the
** identity, and needs no other copy.
*/
static int lapack_solve (lua_State *L) {
  enum { A = 1, B, LABEL, REASON };
  int64_t shape[MAX_DIMS];
  luaL_checkstack(L, 48, NULL);
  lua_settop(L, LABEL);
  Array *a = check_square(L), *b = NULL;
  if (!lua_isnil(L, B)) {
    array_check_devices(L, a, b = array_check(L, B));
    argerror_check(L,
                   b->ndim > 0 && b->shape[b->ndim == 1 ? 0 : b->ndim - 2] ==
                                    a->shape[a->ndim - 1],
                   B, "as many rows as in the matrices expected");
  }
  if (lua_isnil(L, LABEL))
    lua_pushnil(L);
  else
    lua_pushstring(L, SINGULAR);
  RtStream *s = current_get_stream(L, a->dev);
  Array *const m = push_floats(L, A, a, b);
  if (b == NULL) {
    Call c = push_factors(L, s, LAPACK_getrf, 0, m, LABEL, REASON);
    Array *x = push_identity(L, s, m);
    int at = lua_gettop(L);
    solve_factored(L, s, &c, x, c.solver.job.n, false);
    lua_pushvalue(L, at);
    return array_return(L, REASON);
  }
  const bool vectors = (b->ndim == 1);
  b = push_floats(L, B, b, a);
  int n = find_batch(m, b, vectors, shape);
  Array *right = push_batch(L, B, b, n, vectors ? 1 : 2, shape),
        *whole = push_batch(L, A, m, n, 2, shape);
  Call c = push_factors(L, s, LAPACK_getrf, 0, whole, LABEL, REASON);
  push_solutions(L, s, &c, right, vectors);
  return array_return(L, REASON);
}

/*
** pivots(a) -> the diagonals of U in P a = L U, with the sign changed for each
** exchange of rows: their product is the determinant.
*/
static int lapack_pivots (lua_State *L) {
  enum { A = 1, NONE };
  const Element one = {.bits = 1};
  luaL_checkstack(L, 48, NULL);
  Array *a = check_square(L);
  lua_settop(L, NONE);
  RtStream *s = current_get_stream(L, a->dev);
  a = push_floats(L, A, a, NULL);
  Call c = push_factors(L, s, LAPACK_getrf, 0, a, NONE, NONE);
  const int swaps = lua_gettop(L), steps = swaps + 1, u = swaps + 2;
  const int64_t *n = &a->shape[a->ndim - 1];
  launch_arange(L, s, array_new(L, a->dev, DTYPE_INT32, 1, n, s), one, one);
  shape_push_diagonal(L, c.operand[0], 0, a->ndim - 2, a->ndim - 1);
  int odd = composed_binary(L, "ne", swaps, steps);
  composed_unary(L, "neg", u);
  lua_pushvalue(L, u);
  composed_call(L, "where", odd, 2);
  return array_return(L, A);
}

/*
** measure(x) -> the dtype of an open array and its number of axes; for matrices
** the lengths of the last two and the number of matrices. Returns nothing for
** another value.
*/
static int lapack_measure (lua_State *L) {
  const Array *a = array_test(L, 1);
  lua_Integer batches = 1;
  luaL_checkstack(L, 5, NULL);
  if (a == NULL || a->closed)
    return 0;
  lua_pushstring(L, dtype_name((DType)a->dtype));
  lua_pushinteger(L, a->ndim);
  if (a->ndim < 2)
    return 2;
  for (int i = 0; i < a->ndim - 2; i++)
    batches *= a->shape[i];
  lua_pushinteger(L, a->shape[a->ndim - 2]);
  lua_pushinteger(L, a->shape[a->ndim - 1]);
  lua_pushinteger(L, batches);
  return 5;
}

/* ==} */

static const Function functions[] = {
  {"check", lapack_check, 4},
  {"decompose", lapack_decompose, 5},
  {"measure", lapack_measure, 1},
  {"pivots", lapack_pivots, 1},
  {"run", lapack_run, FIRST + LAPACK_OPERANDS - 1},
  {"solve", lapack_solve, 3},
  {NULL, NULL, 0},
};

void open_lapack (lua_State *L) {
  class_add_module(L, "tide.lapack", functions);
  lua_newtable(L); /* init.lua fills it with Lua functions */
  field_set_strict(L, "tide.linalg");
  lua_setfield(L, -2, "linalg");
}
