/*
** hint.c - "did you mean": the name here of another library's function, or
** else the nearest name by edit distance with transpositions (optimal string
** alignment), so that 'dnoe' is one step from 'done'.
*/
#include "hint.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST = 31 };

static int min2 (int a, int b) { return a < b ? a : b; }

/* Returns the distance, or any number above 'limit' if it is above. */
static int edit_distance (const char *a, int n, const char *b, int m,
                          int limit) {
  int d[LONGEST + 1][LONGEST + 1];
  if (n - m > limit || m - n > limit)
    return limit + 1;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int least = d[i][0] = i;
    for (int j = 1; j <= m; j++) {
      int change = (a[i - 1] != b[j - 1]);
      d[i][j] = min2(min2(d[i - 1][j], d[i][j - 1]) + 1,
                     d[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = min2(d[i][j], d[i - 2][j - 2] + 1);
      least = min2(least, d[i][j]);
    }
    if (least > limit) /* no later row has a smaller value */
      return least;
  }
  return d[n][m];
}

/* Names in NumPy, CuPy, PyTorch and MPI, and the names here. A name with
** several meanings has consecutive rows. */
static const Meaning meanings[] = {
  {"__cuda_array_interface__", "ptr"},
  {"__enter__", "scope"},
  {"__exit__", "scope"},
  {"absolute", "abs"},
  {"all_gather_into_tensor", "all_gather"},
  {"all_to_all_single", "all_to_all"},
  {"alloc_pinned_memory", "HostArray"},
  {"alltrue", "all"},
  {"amax", "max"},
  {"amin", "min"},
  {"append", "concatenate"},
  {"arccos", "acos"},
  {"arccosh", "acosh"},
  {"arcsin", "asin"},
  {"arcsinh", "asinh"},
  {"arctan", "atan"},
  {"arctan2", "atan2"},
  {"arctanh", "atanh"},
  {"around", "round"},
  {"as_tensor", "asarray"},
  {"ascontiguousarray", "contiguous"},
  {"asnumpy", "totable"},
  {"average", "mean"},
  {"axes", "axis"},
  {"bcast", "broadcast"},
  {"bitwise_and", "band"},
  {"bitwise_left_shift", "lshift"},
  {"bitwise_not", "bnot"},
  {"bitwise_or", "bor"},
  {"bitwise_right_shift", "rshift"},
  {"bitwise_xor", "bxor"},
  {"block_size", "block"},
  {"bmm", "matmul"},
  {"bool_", "bool"},
  {"boolean", "bool"},
  {"bucketize", "digitize"},
  {"byte", "uint8"},
  {"cat", "concatenate"},
  {"cdiv", "div_"},
  {"char", "int8"},
  {"chunk", "array_split"},
  {"clamp", "clip"},
  {"clone", "copy"},
  {"cmul", "mul_"},
  {"compile", "fuse"},
  {"complex", "complex128"},
  {"concat", "concatenate"},
  {"conjugate", "conj"},
  {"contiguous", "copy"},
  {"conv2", "convolve2d"},
  {"copy_", "copy_from"},
  {"copyto", "copy_from"},
  {"cpu", "tohost"},
  {"createCudaHostTensor", "HostArray"},
  {"cuda_stream", "ptr"},
  {"cumulative_prod", "cumprod"},
  {"cumulative_sum", "cumsum"},
  {"current_device", "get_device"},
  {"current_stream", "get_current_stream"},
  {"data_ptr", "ptr"},
  {"debug_dot_str", "debug_dot"},
  {"default_rng", "Generator"},
  {"deg2rad", "radians"},
  {"destroy", "close"},
  {"destroy_process_group", "close"},
  {"device_count", "devices"},
  {"device_id", "device"},
  {"dim", "ndim"},
  {"dim", "axis"},
  {"distributed", "dist"},
  {"divide", "div"},
  {"double", "float64"},
  {"double", "astype"},
  {"ediff1d", "diff"},
  {"elapsed_time", "get_elapsed_time"},
  {"empty_cache", "trim"},
  {"empty_pinned", "HostArray"},
  {"equal", "eq"},
  {"expand", "broadcast_to"},
  {"f2", "float16"},
  {"f4", "float32"},
  {"f8", "float64"},
  {"fabs", "abs"},
  {"fix", "trunc"},
  {"flatnonzero", "nonzero"},
  {"fliplr", "flip"},
  {"flipud", "flip"},
  {"float", "float64"},
  {"float", "astype"},
  {"float_", "float64"},
  {"floor_divide", "floordiv"},
  {"fmax", "maximum"},
  {"fmin", "minimum"},
  {"free_all_blocks", "trim"},
  {"from_numpy", "array"},
  {"frombuffer", "frombytes"},
  {"gather", "take_along_axis"},
  {"gauss", "normal"},
  {"genfromtxt", "loadtxt"},
  {"get", "tohost"},
  {"get_default_memory_pool", "memory_stats"},
  {"get_device_id", "get_device"},
  {"get_rank", "rank"},
  {"get_stream", "get_current_stream"},
  {"get_world_size", "size"},
  {"getDevice", "get_device"},
  {"getDeviceCount", "devices"},
  {"getStream", "get_current_stream"},
  {"greater", "gt"},
  {"greater_equal", "ge"},
  {"half", "float16"},
  {"half", "astype"},
  {"histc", "histogram"},
  {"hstack", "concatenate"},
  {"i1", "int8"},
  {"i2", "int16"},
  {"i4", "int32"},
  {"i8", "int64"},
  {"identity", "eye"},
  {"in1d", "isin"},
  {"in_params", "params"},
  {"index", "take"},
  {"init_process_group", "dist"},
  {"init_process_group", "init"},
  {"initAll", "comm"},
  {"index_add", "scatter_add"},
  {"index_add_", "scatter_add"},
  {"index_copy", "put"},
  {"index_copy_", "put"},
  {"index_select", "take"},
  {"indexAdd", "scatter_add"},
  {"indexCopy", "put"},
  {"int", "int64"},
  {"int", "astype"},
  {"int_", "int64"},
  {"integers", "randint"},
  {"interpolate", "resize"},
  {"invert", "bnot"},
  {"irecv", "recv"},
  {"is_done", "done"},
  {"isend", "send"},
  {"itemsize", "nbytes"},
  {"left_shift", "lshift"},
  {"less", "lt"},
  {"less_equal", "le"},
  {"log_softmax", "logsoftmax"},
  {"long", "int64"},
  {"long", "astype"},
  {"manual_seed", "seed"},
  {"manualSeed", "seed"},
  {"map_expr", "map"},
  {"masked_select", "mask"},
  {"maskedSelect", "mask"},
  {"matrix_norm", "norm"},
  {"max_memory_allocated", "memory_stats"},
  {"max_memory_reserved", "memory_stats"},
  {"medfilt", "median_filter"},
  {"medfilt2d", "median_filter"},
  {"mem_get_info", "memory_info"},
  {"mem_info", "memory_info"},
  {"memory_allocated", "memory_stats"},
  {"memory_reserved", "memory_stats"},
  {"mm", "matmul"},
  {"movedim", "moveaxis"},
  {"multinomial", "choice"},
  {"multiply", "mul"},
  {"narrow", "slice"},
  {"negative", "neg"},
  {"nElement", "size"},
  {"nelement", "size"},
  {"new_group", "split"},
  {"not_equal", "ne"},
  {"nranks", "size"},
  {"num_processes", "size"},
  {"numel", "size"},
  {"numpy", "totable"},
  {"operation", "body"},
  {"out_params", "out"},
  {"output", "out"},
  {"outputs", "out"},
  {"permute_dims", "permute"},
  {"post_map_expr", "post"},
  {"power", "pow"},
  {"process_id", "rank"},
  {"product", "prod"},
  {"query", "done"},
  {"rad2deg", "degrees"},
  {"rand", "uniform"},
  {"randn", "normal"},
  {"random", "uniform"},
  {"random_sample", "uniform"},
  {"random_sample", "uniform"},
  {"randperm", "permutation"},
  {"range", "arange"},
  {"ravel", "flatten"},
  {"receive", "recv"},
  {"record_event", "record"},
  {"reduce_expr", "reduce"},
  {"reduce_scatter_tensor", "reduce_scatter"},
  {"remainder", "mod"},
  {"repeat", "repeat_each"},
  {"repeat_interleave", "repeat_each"},
  {"repeatTensor", "tile"},
  {"replay", "launch"},
  {"reset_max_memory_allocated", "reset_peak"},
  {"reset_peak_memory_stats", "reset_peak"},
  {"result", "out"},
  {"right_shift", "rshift"},
  {"rint", "round"},
  {"row_stack", "vstack"},
  {"scatter", "put_along_axis"},
  {"scatter_", "put_along_axis"},
  {"set", "copy_from"},
  {"set_default_tensor_type", "set_default_dtype"},
  {"set_limit", "memory_limit"},
  {"set_per_process_memory_fraction", "memory_limit"},
  {"set_sync_debug_mode", "sync_debug"},
  {"setdefaulttensortype", "set_default_dtype"},
  {"shared_mem", "shared"},
  {"short", "int16"},
  {"short", "astype"},
  {"single", "float32"},
  {"skip_header", "skiprows"},
  {"standard_normal", "normal"},
  {"subtract", "sub"},
  {"sync", "synchronize"},
  {"synchronizeAll", "synchronize"},
  {"t", "T"},
  {"tensor", "array"},
  {"tensor_split", "array_split"},
  {"tolist", "totable"},
  {"total_bytes", "memory_stats"},
  {"trapz", "trapezoid"},
  {"true_divide", "div"},
  {"type", "astype"},
  {"u1", "uint8"},
  {"uint", "uint64"},
  {"unbind", "unstack"},
  {"unsqueeze", "expand_dims"},
  {"used_bytes", "memory_stats"},
  {"vector_norm", "norm"},
  {"vstack", "concatenate"},
  {"wait", "synchronize"},
  {"world_size", "size"},
  {"xcorr2", "correlate2d"},
  {"zero", "fill"},
  {"zero", "zeros"},
  {"zero_", "fill"},
  {"zoom", "resize"},
};

/* Names of others for which there is no single name here, and what to write
** instead. The first column is the class or module, or "options"; NULL is
** anywhere. A text that begins with ';' is no code, and is printed as it is. */
static const char *const phrases[][3] = {
  {"tide", "asnumpy", "a:totable() or a:tohost()"},
  {"tide", "await", "x:await()"},
  {"tide", "block", "x:await() or s:synchronize()"},
  {"tide", "cdiv", "tide.div"},
  {"tide", "cmul", "tide.mul"},
  {"tide", "complex128", "the string \"complex128\""},
  {"tide", "complex64", "the string \"complex64\""},
  {"tide", "copas", "require \"tide.copas\""},
  {"tide", "copyto", "a:copy_from(b)"},
  {"tide", "cqueues", "require \"tide.cqueues\""},
  {"tide", "create_task", "tide.spawn(fn)"},
  {"tide", "cuda", "tide.Device \"cuda\""},
  {"tide", "CudaTensor", "tide.empty(shape, \"float32\")"},
  {"tide", "default_rng", "tide.random.Generator(seed)"},
  {"tide", "default_stream", "tide.Stream.null"},
  {"tide", "DoubleTensor", "tide.empty(shape, \"float64\")"},
  {"tide", "elapsed", "tide.get_elapsed_time(e, later)"},
  {"tide", "File", "tide.open(path)"},
  {"tide", "float16", "the string \"float16\""},
  {"tide", "float32", "the string \"float32\""},
  {"tide", "float64", "the string \"float64\""},
  {"tide", "device", "tide.Device(name), or tide.with_device(n, fn)"},
  {"tide", "FloatTensor", "tide.empty(shape, \"float32\")"},
  {"tide", "fromfile", "tide.open(path):read(a)"},
  {"tide", "Generator", "tide.random.Generator"},
  {"tide", "gauss", "tide.random.normal"},
  {"tide", "getDeviceProperties", "dev.attributes, or dev.name and the like"},
  {"tide", "getMemoryUsage", "dev:memory_info(), or tide.memory_stats()"},
  {"tide", "Graph", "tide.capture(fn)"},
  {"tide", "graph", "tide.capture(fn)"},
  {"tide", "group_by", "tide.group"},
  {"tide", "index_copy_", "a:put(indices, x, axis)"},
  {"tide", "inf", "math.huge"},
  {"tide", "int32", "the string \"int32\""},
  {"tide", "int64", "the string \"int64\""},
  {"tide", "IntTensor", "tide.empty(shape, \"int32\")"},
  {"tide", "is_available", "pcall(tide.Device, \"cuda\")"},
  {"tide", "item", "a:item()"},
  {"tide", "LongTensor", "tide.empty(shape, \"int64\")"},
  {"tide", "loop", "require \"tide.loop\""},
  {"tide", "luv", "require \"tide.luv\""},
  {"tide", "manual_seed", "tide.random.seed"},
  {"tide", "manualSeed", "tide.random.seed"},
  {"tide", "mem_get_info", "dev:memory_info()"},
  {"tide", "mem_info", "dev:memory_info()"},
  {"tide", "memmap", "tide.open(path):read(a, offset)"},
  {"tide", "multinomial", "tide.random.choice"},
  {"tide", "multiprocessing", "tide.ipc"},
  {"tide", "nan", "0/0"},
  {"tide", "narrow", "a:slice(first, last)"},
  {"tide", "newaxis", "a:expand_dims(axis)"},
  {"tide", "null", "tide.Stream.null"},
  {"tide", "numel", "a.size"},
  {"tide", "pi", "math.pi"},
  {"tide", "profile", "tide.get_elapsed_time(e, later), or NVIDIA's nsys"},
  {"tide", "profiler", "tide.get_elapsed_time(e, later), or NVIDIA's nsys"},
  {"tide", "ptds", "tide.Stream.ptds"},
  {"tide", "rand", "tide.random.uniform"},
  {"tide", "randn", "tide.random.normal"},
  {"tide", "randperm", "tide.random.permutation"},
  {"tide", "repl", "require \"tide.repl\""},
  {"tide", "savez", "tide.save(\"x.npz\", { name = array })"},
  {"tide", "savez_compressed",
   "tide.save(\"x.npz\", { name = array }, { compressed = true })"},
  {"tide", "set_device", "dev:use()"},
  {"tide", "set_stream", "s:use()"},
  {"tide", "setDefaultStream", "tide.Stream.null:use()"},
  {"tide", "setDevice", "dev:use()"},
  {"tide", "setStream", "s:use()"},
  {"tide", "shape", "a.shape"},
  {"tide", "stream", "tide.Stream(), or s:with(fn)"},
  {"tide", "streamBarrier", "s:wait_stream(t)"},
  {"tide", "streamCaptureModeRelaxed", "the string \"relaxed\""},
  {"tide", "streamSynchronize", "s:synchronize()"},
  {"tide", "streamWaitFor", "s:wait_stream(t)"},
  {"tide", "synchronize", "dev:synchronize() or s:synchronize()"},
  {"tide", "synchronizeAll", "dev:synchronize()"},
  {"tide", "Task", "tide.spawn(fn)"},
  {"tide", "Tensor", "tide.array{...}, or tide.empty(shape)"},
  {"tide", "timeout", "x:await(seconds), or tide.race"},
  {"tide", "Timer", "tide.clock(), or tide.Event()"},
  {"tide", "tofile", "tide.open(path, \"w\"):write(a)"},
  {"tide", "tolist", "a:totable()"},
  {"tide", "totable", "a:totable()"},
  {"tide", "vectorize", "tide.fuse(fn)"},
  {"tide", "wait", "x:await(), or tide.gather{...}"},
  {"tide", "wait_for", "x:await(seconds), or tide.race"},
  {"tide.Array", "apply", "tide.fuse(fn)"},
  {"tide.Array", "cpu", "a:tohost(), or a:to \"host\""},
  {"tide.Array", "cuda", "a:to \"cuda\""},
  {"tide.Array", "fromfile", "tide.open(path):read(a)"},
  {"tide.Array", "cholesky", "tide.linalg.cholesky(a)"},
  {"tide.Array", "cond", "tide.linalg.cond(a)"},
  {"tide.Array", "det", "tide.linalg.det(a)"},
  {"tide.Array", "eig", "tide.linalg.eig(a)"},
  {"tide.Array", "eigh", "tide.linalg.eigh(a)"},
  {"tide.Array", "eigvals", "tide.linalg.eigvals(a)"},
  {"tide.Array", "eigvalsh", "tide.linalg.eigvalsh(a)"},
  {"tide.Array", "expm", "tide.linalg.expm(a)"},
  {"tide.Array", "inv", "tide.linalg.inv(a)"},
  {"tide.Array", "lstsq", "tide.linalg.lstsq(a, b)"},
  {"tide.Array", "lu", "tide.linalg.lu(a)"},
  {"tide.Array", "matrix_power", "tide.linalg.matrix_power(a, n)"},
  {"tide.Array", "matrix_rank", "tide.linalg.matrix_rank(a)"},
  {"tide.Array", "pinv", "tide.linalg.pinv(a)"},
  {"tide.Array", "qr", "tide.linalg.qr(a)"},
  {"tide.Array", "slogdet", "tide.linalg.slogdet(a)"},
  {"tide.Array", "solve", "tide.linalg.solve(a, b)"},
  {"tide.Array", "solve_triangular", "tide.linalg.solve_triangular(a, b)"},
  {"tide.Array", "svd", "tide.linalg.svd(a)"},
  {"tide.Array", "svdvals", "tide.linalg.svdvals(a)"},
  {"tide.Array", "inverse", "tide.linalg.inv(a)"},
  {"tide.Array", "matrix_exp", "tide.linalg.expm(a)"},
  {"tide", "inverse", "tide.linalg.inv"},
  {"tide", "matrix_exp", "tide.linalg.expm"},
  {"tide", "gesv", "tide.linalg.solve"},
  {"tide", "symeig", "tide.linalg.eigh"},
  {"tide", "potrf", "tide.linalg.cholesky"},
  {"tide.linalg", "solve_ex", "tide.linalg.solve"},
  {"tide.linalg", "inverse", "tide.linalg.inv"},
  {"tide.linalg", "matrix_exp", "tide.linalg.expm"},
  {"tide.linalg", "multi_dot", "tide.einsum"},
  {"tide.linalg", "lu_factor", "tide.linalg.lu"},
  {"tide.Array", "map", "tide.fuse(fn)"},
  {"tide.Array", "pin_memory", "tide.HostArray(shape)"},
  {"tide.Array", "tofile", "tide.open(path, \"w\"):write(a)"},
  {"tide.Array", "wait", "a:await()"},
  {"tide.Communicator", "await", "a:await()"},
  {"tide.Communicator", "synchronize", "a:await() or comm:barrier()"},
  {"tide.Communicator", "wait", "a:await() or comm:barrier()"},
  {"tide.Device", "await", "dev:synchronize(), or s:await()"},
  {"tide.dist", "all_gather", "comm:all_gather(a)"},
  {"tide.dist", "all_reduce", "comm:all_reduce(a)"},
  {"tide.dist", "all_to_all", "comm:all_to_all(a)"},
  {"tide.dist", "barrier", "comm:barrier()"},
  {"tide.dist", "broadcast", "comm:broadcast(a, root)"},
  {"tide.dist", "comm", "tide.comm(devices)"},
  {"tide.dist", "destroy_process_group", "comm:close()"},
  {"tide.dist", "gather", "comm:gather(a, root)"},
  {"tide.dist", "get_rank", "comm.rank"},
  {"tide.dist", "get_world_size", "comm.size"},
  {"tide.dist", "group", "comm:group(fn)"},
  {"tide.dist", "new_group", "comm:split(color)"},
  {"tide.dist", "rank", "comm.rank"},
  {"tide.dist", "recv", "comm:recv(a, rank)"},
  {"tide.dist", "reduce", "comm:reduce(a, root)"},
  {"tide.dist", "reduce_scatter", "comm:reduce_scatter(a)"},
  {"tide.dist", "scatter", "comm:scatter(a, root)"},
  {"tide.dist", "send", "comm:send(a, rank)"},
  {"tide.dist", "size", "comm.size"},
  {"tide.dist", "split", "comm:split(color)"},
  {"tide.Event", "elapsed", "tide.get_elapsed_time(e, later)"},
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
  {"tide.Queue", "empty", "#q == 0"},
  {"tide.Queue", "len", "#q"},
  {"tide.Queue", "pop", "q:get()"},
  {"tide.Queue", "push", "q:put(value)"},
  {"tide.Queue", "qsize", "#q"},
  {"tide.Queue", "size", "#q"},
  {"tide.Semaphore", "close", "place:close(), of what it gave"},
  {"tide.Semaphore", "release", "place:release(), of what it gave"},
  {"tide.Stream", "wait", "s:synchronize() or s:wait_event(e)"},
  {"tide.Task", "join", "task:await()"},
  {"tide.Task", "result", "task:await()"},
  {"tide.Task", "wait", "task:await()"},
  {"options", "after_loop", "; the loop is tide's: tide.RawKernel has none"},
  {"options", "loop_prep", "; the loop is tide's: tide.RawKernel has none"},
  {"options", "ndmin", "; reshape the result instead"},
  {"options", "no_return", "; ignore the results instead"},
  {"options", "reduce_dims", "; leave it out: a body sees no shapes"},
  {"options", "return_tuple", "; the results come one by one: { k(x) }"},
  {"options", "unpack", "; transpose the result instead, with a.T"},
  {NULL, "angle", "z:imag():atan2(z:real())"},
  {NULL, "atleast_2d", "a:expand_dims(1)"},
  {NULL, "cdist", "; the page of recipes has distances between points"},
  {NULL, "compress", "a:mask(m)"},
  {NULL, "digamma", "; tide has lgamma, and no derivatives of it"},
  {NULL, "fft", "tide.fft.fft(a)"},
  {NULL, "fliplr", "a:flip(2)"},
  {NULL, "flipud", "a:flip(1)"},
  {NULL, "gelu", "0.5 * a * (1 + (a / 2 ^ 0.5):erf())"},
  {NULL, "ifft", "tide.fft.ifft(a)"},
  {NULL, "index_reduce_", "a:scatter_min(i, x, axis), or scatter_max"},
  {NULL, "len", "#a, or a.size"},
  {NULL, "masked_fill", "tide.where(m, x, a)"},
  {NULL, "masked_fill_", "a[m] = x"},
  {NULL, "maskedFill", "a[m] = x"},
  {NULL, "pdist", "; the page of recipes has distances between points"},
  {NULL, "polygamma", "; tide has lgamma, and no derivatives of it"},
  {NULL, "record_stream", "; there is nothing to do: tide knows who uses what"},
  {NULL, "reserveStreams",
   "; there is nothing to do: streams are made as they are wanted"},
  {NULL, "rfft", "tide.fft.rfft(a)"},
  {NULL, "time", "tide.clock(), or tide.get_elapsed_time(e, later)"},
  {NULL, "tri", "tide.tril(tide.ones{ n, n })"},
  {NULL, "vdot", "tide.vecdot(a, b)"},
};

const char *hint_translate (const char *where, const char *name) {
  for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
    if (strcmp(phrases[i][1], name) == 0 &&
        (phrases[i][0] == NULL || strcmp(phrases[i][0], where) == 0))
      return phrases[i][2];
  return NULL;
}

/* Returns the first row of meanings of the first n letters of 'name', or
** NULL. */
static const Meaning *find_meanings (const char *name, size_t n) {
  for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
    if (strncmp(name, meanings[i][0], n) == 0 && meanings[i][0][n] == '\0')
      return &meanings[i];
  return NULL;
}

/* Tells whether one of the meanings that begin at 'row' is the first n letters
** of 'candidate'. */
static bool is_meant (const Meaning *row, const char *candidate, size_t n) {
  const char *name = (*row)[0];
  for (; row < meanings + sizeof meanings / sizeof meanings[0] &&
         strcmp((*row)[0], name) == 0;
       row++)
    if (strncmp(candidate, (*row)[1], n) == 0 && (*row)[1][n] == '\0')
      return true;
  return false;
}

void hint_start (Guess *g, const char *name) {
  size_t n = strlen(name);
  bool in_place = (n > 1 && name[n - 1] == '_');
  *g = (Guess){.name = name, .meanings = find_meanings(name, n)};
  if (g->meanings == NULL && in_place)
    g->in_place = find_meanings(name, n - 1);
}

void hint_offer (Guess *g, const char *candidate) {
  size_t n = strlen(g->name), m = strlen(candidate);
  bool in_place = (g->in_place != NULL && m > 1 && candidate[m - 1] == '_');
  if (g->meanings != NULL || in_place) {
    if (in_place ? is_meant(g->in_place, candidate, m - 1)
                 : is_meant(g->meanings, candidate, m)) {
      g->best = candidate;
      g->distance = 0;
    }
    return;
  }
  if (n > LONGEST || m > LONGEST)
    return;
  int limit = (n < 7) ? 1 : (int)(n + 1) / 4;
  int d = edit_distance(g->name, (int)n, candidate, (int)m, limit);
  if (d <= limit && d < (int)n && (g->best == NULL || d < g->distance)) {
    g->best = candidate;
    g->distance = d;
  }
}

const char *hint_nearest (const char *name, const char *const names[]) {
  Guess g;
  hint_start(&g, name);
  for (int i = 0; names[i] != NULL; i++)
    hint_offer(&g, names[i]);
  return g.best;
}
