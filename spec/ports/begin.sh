# begin.sh - what the scripts here begin with: they run from the root of the
# tree, work in a folder of their own, $work, and have skip. Those that build
# have a BUILD of their own in it, which make keeps up to date.
set -eu
name=$(basename "$0" .sh)
work=$PWD/${BUILD:-build}/ports/$name
mkdir -p "$work"
unset MAKEFLAGS MAKELEVEL MFLAGS  # a make of its own, not one of the caller's
export TIDE_DEVICE=host

# skip WHY: 77 is what run.lua counts as skipped.
skip() { echo "skipped: $*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }
fail() { echo "failed: $*"; exit 1; }

# build DIRECTORY WORDS...: the release for the host device; says what is wrong.
build() {
  make -j"$(nproc)" BUILD="$@" NVCC= >"$work/make.log" 2>&1 ||
    { tail -30 "$work/make.log"; fail "make BUILD=$*"; }
}

# smoke LUA SHARE LIB [WORDS...]: smoke.lua on a build; words go before LUA.
smoke() {
  lua=$1 share=$2 lib=$3
  shift 3
  (cd / && env -u LUA_PATH -u LUA_CPATH -u LUA_PATH_5_4 -u LUA_CPATH_5_4 \
    LUA_PATH="$share/?.lua;$share/?/init.lua" LUA_CPATH="$lib/?.so" \
    "$@" "$lua" "$root/spec/ports/smoke.lua")
}
root=$PWD

# lua_sources VERSION: where the sources of that Lua are, in $sources: those that
# TIDE_LUA_SOURCES (a folder with lua-VERSION in it) has, lua.org's, or Debian's.
lua_sources() {
  for sources in "${TIDE_LUA_SOURCES:-/nowhere}/lua-$1" "$work/lua-$1"; do
    [ ! -e "$sources/src" ] || sources=$sources/src
    [ ! -e "$sources/lua.h" ] || return 0
  done
  package=lua${1%.*}
  for url in "https://www.lua.org/ftp/lua-$1.tar.gz" \
             "https://deb.debian.org/debian/pool/main/l/$package/${package}_$1.orig.tar.gz"
  do
    curl -sfm 20 "$url" -o "$work/lua.tar.gz" && break
  done &&
    tar -xzf "$work/lua.tar.gz" -C "$work" || return 1
  sources=$work/lua-$1/src
}

# make_lua CC [FLAGS...]: builds the Lua of $sources, with these flags besides,
# into $work/lua/{bin,include,lib}.
make_lua() {
  p=$work/lua cc=$1
  shift
  rm -rf "$p" && mkdir -p "$p/bin" "$p/include" "$p/lib" "$p/o"
  for f in "$sources"/l*.c; do
    case $f in */ltests.c | */luac.c) continue ;; esac
    echo "$f"
  done | xargs -P "$(nproc)" -I{} sh -c '"$0" -std=gnu11 -O2 -fPIC \
    -DLUA_USE_LINUX $2 -c -o "$1/o/$(basename "$3" .c).o" "$3"' \
    "$cc" "$p" "$*" {}
  cp "$sources"/lua.h "$sources"/luaconf.h "$sources"/lauxlib.h \
    "$sources"/lualib.h "$p/include"
  mv "$p/o/lua.o" "$p"
  ar rcs "$p/lib/liblua.a" "$p"/o/*.o
  "$cc" -o "$p/bin/lua" "$p/lua.o" "$p/lib/liblua.a" -Wl,-E -lm -ldl
}

# lua_headers DIRECTORY: those of $LUA_CFLAGS alone, without what lies beside
# them for this machine's compiler.
lua_headers() {
  rm -rf "$1" && mkdir -p "$1"
  printf '#include <lua.h>\n#include <lauxlib.h>\n#include <lualib.h>\n' |
    # shellcheck disable=SC2086  # flags are words
    ${CC:-cc} -E $LUA_CFLAGS - |
    sed -n 's/^# 1 "\(.*\/\(lua[^/]*\|lauxlib\)\.h\)".*/\1/p' | sort -u |
    xargs -I{} cp {} "$1"
}
