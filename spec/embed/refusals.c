/*
** refusals.c - a host program that calls the functions of tide.h with odd or
** wrong arguments: see interop_spec.lua. Argument: which part, of 'parts'
** at the end.
*/
#include "host.h"

static int released;

static void release (void *ud) { ++*(int *)ud; }

static int32_t memory[64];
static tide_Tensor given;
static unsigned flags;

static int wrap_given (lua_State *L) {
  api->wrap(L, &given, flags, release, &released);
  return 1;
}

/* {== objects ========================================================= */

static int check_stream (lua_State *L) {
  lua_getglobal(L, "x");
  api->check(L, -1, TIDE_STREAM);
  return 0;
}

/* Arrays have elements that are not there yet. */
static int names_types (void) {
  lua_State *L = open_tide();
  CHECK(run(L, "s, x = tide.Stream{ non_blocking = true }, tide.zeros(3)\n"
               "s:launch_host_func(function () ran = true end)\n"
               "s:with(function () x:add_(1) end)") == 0);
  fails(L, check_stream, "(tide.Stream expected, got tide.Array)");
  CHECK(run(L,
            "assert(not ran) s:synchronize()\n"
            "local file = package.searchpath('tide.core', package.cpath)\n"
            "local copy = os.tmpname()\n"
            "assert(os.execute(('cp %s %s'):format(file, copy)))\n"
            "local open = assert(package.loadlib(copy, 'luaopen_tide_core'))\n"
            "os.remove(copy)\n"
            "x = open().Stream()") == 0);
  fails(L, check_stream,
        "(tide.Stream expected, got tide.Stream of another "
        "copy of tide's library)");
  return finish(L);
}

/* ==} */

/* {== work ============================================================ */

static int code;

static int return_code (void *stream, void *ud) {
  (void)stream, (void)ud;
  return code;
}

static int submit_code (lua_State *L) {
  api->submit(L, 0, NULL, 0, return_code, NULL);
  return 0;
}

/* (array) */
static int write_array (lua_State *L) {
  static const tide_Access access[] = {{1, 1}, {-1, 1}};
  api->submit(L, 0, &access[lua_gettop(L) - 1], 1, return_code, NULL);
  return 0;
}

/* Errors count the arguments of the host's own function. */
static int names_arguments (void) {
  lua_State *L = open_tide();
  lua_pushcfunction(L, write_array);
  lua_setglobal(L, "write");
  CHECK(run(L,
            "local b = tide.zeros(3)\n"
            "local a = b:broadcast_to{ 2, 3 }\n"
            "b:close()\n"
            "local function blames (i, why, ...)\n"
            "  local ok, e = pcall(write, ...)\n"
            "  why = ('bad argument #%d to .write. %%(%s'):format(i, why)\n"
            "  assert(not ok and e:find(why), e)\n"
            "end\n"
            "blames(1, 'elements of a broadcast array', a)\n"
            "blames(2, 'elements of a broadcast array', 1, a)\n"
            "blames(2, 'array is closed', 1, b)\n"
            "blames(2, 'tide.Array or tide.HostArray expected', 1, 2)") == 0);
  return finish(L);
}

/* Whatever the work returns is raised as an error of the driver's. */
static int raises_codes (void) {
  static const int odd[] = {-1,     1000,   100000,    100001,   100003,
                            100007, 100008, INT32_MAX, INT32_MIN};
  lua_State *L = open_tide();
  char expected[100];
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    code = odd[i];
    snprintf(expected, sizeof expected,
             "tide_Api.submit: CUDA_ERROR_UNKNOWN "
             "(999): unknown error: the work that it queued returned %d,",
             code);
    fails(L, submit_code, expected);
  }
  code = 2;
  fails(L, submit_code, "tide_Api.submit: CUDA_ERROR_OUT_OF_MEMORY (2)");
  code = 950;
  fails(L, submit_code, "tide_Api.submit: CUDA_ERROR_UNKNOWN (950)");
  return finish(L);
}

/* ==} */

/* {== tensors ========================================================= */

/* All that goes by strides. */
static const char all[] =
  "local a = ...\n"
  "local sum = a:sum():item()\n"
  "assert(tide.flip(a):sum():item() == sum)\n"
  "assert(tide.roll(a, 1):sum():item() == sum)\n"
  "assert(a:copy():sum():item() == sum and a.T:sum():item() == sum)\n"
  "a:add_(1)\n"
  "local n = sum + a.size\n"
  "assert(a:reshape(-1):sum():item() == n)\n"
  "assert(a:tohost():to('host'):sum():item() == n)\n"
  "return n";

/* The stride of an axis of one element means nothing. */
static int takes_any_stride (void) {
  static int64_t ones[2] = {1, 1}, row[2] = {1, 4}, column[2] = {4, 1};
  static int64_t most[2] = {INT64_MAX, INT64_MIN}, far_row[2] = {INT64_MAX, 1},
                 far_column[2] = {-1, INT64_MIN};
  static const struct {
    int64_t *shape, *strides;
    int sum;
  } odd[] = {
    {ones, most, 7},
    {row, far_row, 7 + 8 + 9 + 10},
    {column, far_column, 7 + 6 + 5 + 4},
  };
  lua_State *L = open_tide();
  for (int i = 0; i < 3; i++) {
    for (int n = 0; n < 64; n++)
      memory[n] = n;
    given = tensor(memory + 7, 2, odd[i].shape);
    given.strides = odd[i].strides;
    flags = 0;
    wrap_given(L);
    int size = (int)(odd[i].shape[0] * odd[i].shape[1]);
    CHECK(number(L, 1, all) == odd[i].sum + size);
    collect(L);
    CHECK(released == i + 1);
  }
  return finish(L);
}

static int create_given (lua_State *L) {
  api->create(L, &given, flags);
  return 1;
}

static int take_given (lua_State *L) {
  static tide_Managed managed;
  managed.version.major = 1;
  managed.tensor = given;
  api->fromdlpack(L, &managed, NULL, flags);
  return 1;
}

static int knows_its_flags (void) {
  static int64_t shape[2] = {4, 8}, strides[2] = {1, 4};
  lua_State *L = open_tide();
  given = tensor(memory, 2, shape);
  flags = 0x100 | TIDE_READ_ONLY | TIDE_AS_HOSTARRAY;
  fails(L, wrap_given, "flags 0x100: this tide knows none of these");
  fails(L, create_given, "flags 0x100");
  fails(L, take_given, "flags 0x100");
  flags = TIDE_AS_HOSTARRAY;
  given.device.id = 99;
  given.strides = strides;
  create_given(L);
  CHECK(api->kind(L, 1) == TIDE_HOSTARRAY && api->device(L, 1).id == 0);
  api->tensor(L, 1, &given);
  CHECK(given.strides[0] == 8 && given.strides[1] == 1);
  return finish(L);
}

/* Where there is nothing, nothing has to be aligned. */
static int takes_nothing (void) {
  static int64_t none[2] = {0, 5}, far[2] = {INT64_MIN, INT64_MAX};
  lua_State *L = open_tide();
  given = tensor((char *)memory + 3, 2, none);
  given.strides = far;
  for (int i = 0; i < 2; i++) {
    flags = (i == 0) ? 0 : TIDE_AS_HOSTARRAY;
    wrap_given(L);
    CHECK(number(L, 1, "return (...).size + #(...):totable()") == 0);
    collect(L);
    CHECK(released == i + 1);
  }
  return finish(L);
}

/* ==} */

static const Part parts[] = {
  {"types", names_types},
  {"codes", raises_codes},
  {"arguments", names_arguments},
  {"strides", takes_any_stride},
  {"flags", knows_its_flags},
  {"nothing", takes_nothing},
  {NULL, NULL},
};

int main (int argc, char **argv) {
  return run_part(parts, argc == 2 ? argv[1] : "");
}
