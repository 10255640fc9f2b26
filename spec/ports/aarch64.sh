#!/usr/bin/env bash
# aarch64.sh - compiled for 64-bit ARM, warnings are errors; tried by qemu on a
# Lua for it if its sources can be had.
. spec/ports/begin.sh
cc=aarch64-linux-gnu-gcc
has $cc || skip "$cc is not installed"
if lua_sources 5.4.8; then
  make_lua $cc >"$work/lua.log" 2>&1 ||
    { tail "$work/lua.log"; fail "Lua for aarch64"; }
  cflags=-I$work/lua/include
else
  lua_headers "$work/include"
  cflags=-I$work/include
fi
build "$work/build" LUA="$LUA" CC=$cc LUA_CFLAGS="$cflags" \
  HOST_KERNEL_OPT=-O1 all static
if [ -x "$work/lua/bin/lua" ] && has qemu-aarch64; then
  smoke "$work/lua/bin/lua" "$PWD/lua" "$work/build" \
    qemu-aarch64 -L /usr/aarch64-linux-gnu
else
  echo "compiled only: no Lua 5.4.8 for it, or no qemu-aarch64"
fi
