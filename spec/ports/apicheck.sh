#!/usr/bin/env bash
# apicheck.sh - the specs on a Lua that checks how its C API is used: what is
# pushed where there is no room on the stack, or popped where there is nothing,
# stops the program. SPECS="spec/x_spec.lua ...": these.
. spec/ports/begin.sh
lua_sources 5.4.8 || skip "TIDE_LUA_SOURCES has no Lua 5.4.8, nor have lua.org" \
                          "and Debian"
[ -x "$work/lua/bin/lua" ] ||
  make_lua "${CC:-cc}" -DLUA_USE_APICHECK >"$work/lua.log" 2>&1 ||
  { tail "$work/lua.log"; fail "Lua with checks"; }
LUA_PATH_5_4=$("$LUA" -e 'print(package.path)')  # busted is that of the other one
LUA_CPATH_5_4=$("$LUA" -e 'print(package.cpath)')
export LUA_PATH_5_4 LUA_CPATH_5_4
LUA=$work/lua/bin/lua "$work/lua/bin/lua" spec/run.lua testing
