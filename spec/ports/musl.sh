#!/usr/bin/env bash
# musl.sh - built with musl's headers, warnings are errors; tried on a Lua with
# musl if its sources can be had.
. spec/ports/begin.sh
has musl-gcc || skip "musl-gcc is not installed"
if lua_sources 5.4.8; then
  make_lua musl-gcc >"$work/lua.log" 2>&1 ||
    { tail "$work/lua.log"; fail "Lua with musl"; }
  cflags=-I$work/lua/include
else
  lua_headers "$work/include"
  cflags=-I$work/include
fi
build "$work/build" LUA="$LUA" CC=musl-gcc LUA_CFLAGS="$cflags" \
  HOST_KERNEL_OPT=-O1 all static
if [ -x "$work/lua/bin/lua" ]; then
  smoke "$work/lua/bin/lua" "$PWD/lua" "$work/build"
else
  echo "compiled only: TIDE_LUA_SOURCES has no Lua 5.4.8, nor have lua.org and Debian"
fi
