#!/usr/bin/env bash
# clang.sh - built by clang, warnings are errors, and all specs on that: by a Lua
# that checks how its C API is used, if its sources can be had. What is pushed
# where there is no room on the stack, or popped where there is nothing, stops
# the program then; undefined behaviour does too, of kinds that gcc's sanitizer
# lets through (an address made from NULL). SPECS=x: these. They have been
# through their cases before, so a small share is enough.
. spec/ports/begin.sh
has "${CLANG:=clang}" || skip "clang is not installed"
build "$work/build" LUA="$LUA" CC="$CLANG" lib-testing \
  MYCFLAGS="-fsanitize=undefined -fsanitize-trap=undefined -Wno-pass-failed"
if lua_sources 5.4.8; then
  [ -x "$work/lua/bin/lua" ] ||
    make_lua "$CLANG" -DLUA_USE_APICHECK >"$work/lua.log" 2>&1 ||
    { tail "$work/lua.log"; fail "Lua with checks"; }
  LUA_PATH_5_4=$("$LUA" -e 'print(package.path)')  # busted is that of the other
  LUA_CPATH_5_4=$("$LUA" -e 'print(package.cpath)')
  export LUA_PATH_5_4 LUA_CPATH_5_4
  LUA=$work/lua/bin/lua
else
  echo "without checks: TIDE_LUA_SOURCES has no Lua 5.4.8, nor have lua.org and" \
       "Debian"
fi
TIDE_SPEC_SCALE=1 TIDE_SPEC_SHARE=2 CC=$CLANG BUILD=$work/build LUA=$LUA "$LUA" spec/run.lua testing
