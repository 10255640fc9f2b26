#!/usr/bin/env bash
# lua55.sh - all specs on Lua 5.5: an installed one with its headers, or one that
# is built of its sources. busted is that of the other Lua, adapted.
. spec/ports/begin.sh
if has lua5.5 && pkg-config --exists lua5.5 2>/dev/null; then
  lua=lua5.5 words=()
elif lua_sources 5.5.0; then
  [ -x "$work/lua/bin/lua" ] || make_lua "${CC:-cc}" >"$work/lua.log" 2>&1 ||
    { tail "$work/lua.log"; fail "Lua 5.5"; }
  lua=$work/lua/bin/lua
  words=(LUA_CFLAGS="-I$work/lua/include" LUA_LIBS="$work/lua/lib/liblua.a -lm -ldl")
else
  skip "no lua5.5 is installed, TIDE_LUA_SOURCES has none, lua.org cannot be" \
       "reached"
fi
busted=$("$LUA" -e 'print(package.searchpath("busted.core", package.path))')
[ -e "$busted" ] || skip "busted is not installed"
# What is generated is the same for all: so is what ccache, if there is one, has.
build "$work/build" LUA="$lua" MADE="${BUILD:-build}/generated" \
  "${words[@]}" all lib-testing
rm -rf "$work/share"
"$lua" spec/ports/adapt.lua "$(dirname "$(dirname "$busted")")" "$work/share" \
  >"$work/adapt.log"
export LUA_PATH_5_5="$PWD/spec/ports/busted/?.lua;$work/share/?.lua;"
export LUA_PATH_5_5="$LUA_PATH_5_5$work/share/?/init.lua;;"
LUA=$lua BUILD=$work/build "$lua" spec/run.lua testing examples
