// vectors.cpp - in C++: a std::vector as an array of a script, which keeps it
// alive for as long as anything uses it.
//
//   c++ vectors.cpp $(pkg-config --cflags tide) -llua5.4 && ./a.out
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include <lualib.h>
}
#include <tide.h>

namespace {

// Pushes the vector as an array; the array owns it from then on.
void push (lua_State *L, std::unique_ptr<std::vector<double>> v) {
  int64_t shape[1] = {static_cast<int64_t>(v->size())};
  tide_Tensor t{};
  t.data = v->data();
  t.device = {TIDE_CPU, 0};
  t.ndim = 1;
  t.shape = shape;
  t.dtype = {TIDE_FLOAT, 64, 1};
  tide_checkapi(L)->wrap(
    L, &t, 0,
    [] (void *ud) {
      delete static_cast<std::vector<double> *>(ud);
      std::puts("the vector is gone");
    },
    v.get());
  v.release();
}

// The elements of an array, once they are there.
std::vector<double> take (lua_State *L, int arg) {
  const tide_Api *api = tide_checkapi(L);
  tide_Tensor t;
  api->wait(L, arg, -1);
  api->tensor(L, arg, &t);
  const double *at = static_cast<const double *>(t.data);
  return std::vector<double>(at, at + t.shape[0]);
}

const char script[] = "local v = ... return tide.sort(v * v)";

// Lua errors are no exceptions: what has a destructor is not on this stack then.
int run (lua_State *L) {
  push(L, std::make_unique<std::vector<double>>(std::initializer_list<double>{
            3, -1, 2}));
  if (luaL_loadstring(L, script) != LUA_OK)
    return lua_error(L);
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  for (double x : take(L, 1))
    std::printf("%g\n", x);
  return 0;
}

}  // namespace

int main () {
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  bool ok = luaL_dostring(L, "tide = require 'tide'") == LUA_OK;
  if (ok) {
    lua_pushcfunction(L, run);
    ok = lua_pcall(L, 0, 0, 0) == LUA_OK;
  }
  if (!ok)
    std::fprintf(stderr, "vectors: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return ok ? 0 : 1;
}
