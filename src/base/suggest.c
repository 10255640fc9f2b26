/*
** suggest.c - "did you mean": what others call by that name, or else edit
** distance with transpositions (optimal string alignment), so 'dnoe' is one
** step from 'done'.
*/
#include "suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 31 };

static int min3 (int a, int b, int c) {
  int m = a < b ? a : b;
  return m < c ? m : c;
}

static int edit_distance (const char *a, int n, const char *b, int m) {
  int d[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      int change = (a[i - 1] != b[j - 1]);
      d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
                     d[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < d[i][j])
        d[i][j] = d[i - 2][j - 2] + 1;
    }
  }
  return d[n][m];
}

/* Names of NumPy, CuPy and PyTorch, and what they are here. Several: what there
** is of them. */
static const char *const meanings[][2] = {
  {"absolute", "abs"}, {"alltrue", "all"}, {"amax", "max"}, {"amin", "min"},
  {"append", "concatenate"}, {"arccos", "acos"}, {"arccosh", "acosh"},
  {"arcsin", "asin"}, {"arcsinh", "asinh"}, {"arctan", "atan"},
  {"arctan2", "atan2"}, {"arctanh", "atanh"}, {"around", "round"},
  {"array_split", "slice"}, {"as_tensor", "asarray"},
  {"ascontiguousarray", "copy"}, {"asnumpy", "totable"}, {"average", "mean"},
  {"axes", "axis"}, {"bitwise_and", "band"}, {"bitwise_left_shift", "lshift"},
  {"bitwise_not", "bnot"}, {"bitwise_or", "bor"},
  {"bitwise_right_shift", "rshift"}, {"bitwise_xor", "bxor"}, {"bmm", "matmul"},
  {"bool_", "bool"}, {"boolean", "bool"}, {"byte", "uint8"},
  {"cat", "concatenate"}, {"char", "int8"}, {"clamp", "clip"},
  {"clone", "copy"}, {"complex", "complex128"}, {"concat", "concatenate"},
  {"conjugate", "conj"}, {"contiguous", "copy"}, {"copy_", "copy_from"},
  {"cpu", "tohost"}, {"current_device", "get_device"},
  {"current_stream", "get_current_stream"}, {"deg2rad", "radians"},
  {"device_count", "devices"}, {"dim", "ndim"}, {"dim", "axis"},
  {"divide", "div"}, {"double", "float64"}, {"double", "astype"},
  {"elapsed_time", "get_elapsed_time"}, {"empty_cache", "trim"},
  {"equal", "eq"}, {"expand", "broadcast_to"}, {"f2", "float16"},
  {"f4", "float32"}, {"f8", "float64"}, {"fabs", "abs"}, {"fix", "trunc"},
  {"fliplr", "flip"}, {"flipud", "flip"}, {"float", "float64"},
  {"float", "astype"}, {"float_", "float64"}, {"floor_divide", "floordiv"},
  {"fmax", "maximum"}, {"fmin", "minimum"}, {"free_all_blocks", "trim"},
  {"from_numpy", "array"}, {"frombuffer", "frombytes"}, {"gather", "take"},
  {"get", "tohost"}, {"get_stream", "get_current_stream"}, {"greater", "gt"},
  {"greater_equal", "ge"}, {"half", "float16"}, {"half", "astype"},
  {"hstack", "concatenate"}, {"i1", "int8"}, {"i2", "int16"}, {"i4", "int32"},
  {"i8", "int64"}, {"identity", "eye"}, {"in_params", "params"},
  {"index_select", "take"}, {"int", "int64"}, {"int", "astype"},
  {"int_", "int64"}, {"integers", "randint"}, {"invert", "bnot"},
  {"is_done", "done"}, {"itemsize", "nbytes"}, {"left_shift", "lshift"},
  {"less", "lt"}, {"less_equal", "le"}, {"log_softmax", "logsoftmax"},
  {"long", "int64"}, {"long", "astype"},
  {"manual_seed", "seed"}, {"map_expr", "map"}, {"masked_select", "mask"},
  {"mem_get_info", "memory_info"}, {"memory_allocated", "memory_stats"},
  {"mm", "matmul"}, {"moveaxis", "permute"}, {"movedim", "permute"},
  {"multiply", "mul"}, {"negative", "neg"}, {"nelement", "size"},
  {"not_equal", "ne"}, {"numel", "size"}, {"numpy", "totable"},
  {"operation", "body"}, {"out_params", "out"}, {"output", "out"},
  {"outputs", "out"}, {"post_map_expr", "post"}, {"power", "pow"},
  {"product", "prod"}, {"query", "done"}, {"rad2deg", "degrees"},
  {"rand", "uniform"}, {"randn", "normal"}, {"random", "uniform"},
  {"random_sample", "uniform"}, {"randperm", "permutation"},
  {"ravel", "flatten"}, {"reduce_expr", "reduce"},
  {"remainder", "mod"}, {"repeat", "repeat_each"},
  {"repeat_interleave", "repeat_each"}, {"replay", "launch"}, {"result", "out"},
  {"right_shift", "rshift"}, {"rint", "round"}, {"short", "int16"},
  {"short", "astype"}, {"single", "float32"}, {"standard_normal", "normal"},
  {"subtract", "sub"}, {"swapaxes", "permute"}, {"sync", "synchronize"},
  {"tensor", "array"}, {"tolist", "totable"}, {"true_divide", "div"},
  {"type", "astype"}, {"u1", "uint8"}, {"uint", "uint64"},
  {"unsqueeze", "expand_dims"}, {"view", "reshape"}, {"vstack", "concatenate"},
  {"wait", "synchronize"}, {"zero_", "fill"}
};

/* What is no name here, or a name of something else: what is written instead.
** The first column says where: NULL is anywhere. */
static const char *const phrases[][3] = {
  {"tide", "File", "tide.open(path)"},
  {"tide", "Generator", "tide.random.Generator"},
  {"tide", "Graph", "tide.capture(fn)"},
  {"tide", "Task", "tide.spawn(fn)"},
  {"tide", "Tensor", "tide.array{...}"},
  {"tide", "asnumpy", "a:totable() or a:tohost()"},
  {"tide", "await", "x:await()"},
  {"tide", "complex128", "the string \"complex128\""},
  {"tide", "complex64", "the string \"complex64\""},
  {"tide", "copas", "require \"tide.copas\""},
  {"tide", "cqueues", "require \"tide.cqueues\""},
  {"tide", "create_task", "tide.spawn(fn)"},
  {"tide", "cuda", "tide.Device \"cuda\""},
  {"tide", "float16", "the string \"float16\""},
  {"tide", "float32", "the string \"float32\""},
  {"tide", "float64", "the string \"float64\""},
  {"tide", "fromfile", "tide.open(path):read(a)"},
  {"tide", "inf", "math.huge"},
  {"tide", "int32", "the string \"int32\""},
  {"tide", "int64", "the string \"int64\""},
  {"tide", "item", "a:item()"},
  {"tide", "loop", "require \"tide.loop\""},
  {"tide", "luv", "require \"tide.luv\""},
  {"tide", "manual_seed", "tide.random.seed"},
  {"tide", "memmap", "tide.open(path):read(a, offset)"},
  {"tide", "nan", "0/0"},
  {"tide", "newaxis", "a:expand_dims(axis)"},
  {"tide", "pi", "math.pi"},
  {"tide", "rand", "tide.random.uniform"},
  {"tide", "randint", "tide.random.randint"},
  {"tide", "randn", "tide.random.normal"},
  {"tide", "repl", "require \"tide.repl\""},
  {"tide", "savez", "tide.save, an array for each file"},
  {"tide", "set_device", "dev:use()"},
  {"tide", "set_stream", "s:use()"},
  {"tide", "shape", "a.shape"},
  {"tide", "synchronize", "dev:synchronize() or s:synchronize()"},
  {"tide", "timeout", "x:await(seconds), or tide.race"},
  {"tide", "tofile", "tide.open(path, \"w\"):write(a)"},
  {"tide", "tolist", "a:totable()"},
  {"tide", "wait", "x:await(), or tide.gather{...}"},
  {"tide", "wait_for", "x:await(seconds), or tide.race"},
  {"tide.Array", "cpu", "a:tohost(), or a:to \"host\""},
  {"tide.Array", "cuda", "a:to \"cuda\""},
  {"tide.Array", "fromfile", "tide.open(path):read(a)"},
  {"tide.Array", "tofile", "tide.open(path, \"w\"):write(a)"},
  {"tide.Array", "wait", "a:await()"},
  {"tide.Event", "elapsed_time", "tide.get_elapsed_time(e, later)"},
  {"tide.Event", "wait", "e:synchronize(), or s:wait_event(e)"},
  {"tide.File", "await", "a:await() or s:await()"},
  {"tide.File", "flush", "a:await() or s:synchronize()"},
  {"tide.File", "seek", "f:read(a, offset)"},
  {"tide.File", "synchronize", "s:synchronize()"},
  {"tide.Graph", "synchronize", "g:await()"},
  {"tide.Graph", "wait", "g:await()"},
  {"tide.HostArray", "tofile", "tide.open(path, \"w\"):write(h)"},
  {"tide.HostArray", "wait", "h:await()"},
  {"tide.Stream", "wait", "s:synchronize() or s:wait_event(e)"},
  {NULL, "len", "#a, or a.size"}
};

const char *tide_phrase (const char *where, const char *name) {
  for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
    if (strcmp(phrases[i][1], name) == 0 &&
        (phrases[i][0] == NULL || strcmp(phrases[i][0], where) == 0))
      return phrases[i][2];
  return NULL;
}

/* Is it one of those names? Then only what it means is near. */
static bool is_known (const char *name, const char *candidate, bool *meant) {
  bool known = false;
  *meant = false;
  for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    if (strcmp(meanings[i][0], name) == 0) {
      known = true;
      *meant = *meant || strcmp(meanings[i][1], candidate) == 0;
    }
  return known;
}

void tide_suggest (const char *name, const char *candidate, const char **best,
                   int *distance) {
  size_t n = strlen(name), m = strlen(candidate);
  bool meant;
  if (is_known(name, candidate, &meant)) {
    *best = meant ? candidate : *best;
    return;
  }
  if (n > LONGEST || m > LONGEST)
    return;
  int d = edit_distance(name, (int)n, candidate, (int)m);
  int limit = (n < 7) ? 1 : (int)(n + 1) / 4;
  if (d <= limit && d < (int)n && (*best == NULL || d < *distance)) {
    *best = candidate;
    *distance = d;
  }
}

const char *tide_nearest (const char *name, const char *const names[]) {
  const char *best = NULL;
  int distance = 0;
  for (int i = 0; names[i] != NULL; i++)
    tide_suggest(name, names[i], &best, &distance);
  return best;
}
