/*
** limits.c - runs an untrusted script with limits: 16 MiB of a device, no files,
** no addresses, no code of its own for the device.
**
**   cc limits.c $(pkg-config --cflags tide) -llua5.4 && ./a.out
*/
#include <stdio.h>

#include <lualib.h>
#include <tide.h>

static const char script[] =
  "local function try (fn, ...)\n"
  "  local ok, err = pcall(fn, ...)\n"
  "  print(ok and 'done' or err:match '[^\\n]*')\n"
  "end\n"
  "try(tide.zeros, 1000)\n"
  "try(function () return tide.zeros(1000).ptr end)\n"
  "try(tide.save, 'x.npy', tide.zeros(3))\n"
  "try(tide.RawKernel, 'code', 'name')\n"
  "local ok, err = pcall(tide.zeros, 10000000)\n"
  "print(err:match 'CUDA_ERROR_[A-Z_]+')\n";

int main (void) {
  tide_Limits limits = {.device_bytes = 16 << 20,
                        .streams = 4,
                        .leave_out = TIDE_POINTERS | TIDE_KERNELS | TIDE_FILES |
                                     TIDE_RESET};
  lua_State *L = luaL_newstate();
  luaL_requiref(L, LUA_GNAME, luaopen_base, 1); /* neither debug, io nor os */
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(L, LUA_LOADLIBNAME, luaopen_package, 1);
  tide_setlimits(L, &limits);
  int status = luaL_dostring(L,
                             "tide = require 'tide'  package, require = nil");
  if (status == LUA_OK)
    status = luaL_dostring(L, script);
  if (status != LUA_OK)
    fprintf(stderr, "limits: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return status != LUA_OK;
}
