#!/usr/bin/env bash
# install.sh - make dist, what is unpacked of it, make install, tide.pc, a program
# that links libtide.a, make uninstall.
. spec/ports/begin.sh
version=$(sed -n 's/^.define TIDE_VERSION "\(.*\)"/\1/p' include/tide.h)
rm -rf "$work"/{one,two,tide-*,root}
make BUILD="$work/one" LUA="$LUA" dist >/dev/null
tar -xzf "$work/one/tide-$version.tar.gz" -C "$work"
cd "$work/tide-$version"
make BUILD="$work/two" LUA="$LUA" dist >/dev/null
cmp "$work"/{one,two}/"tide-$version.tar.gz" ||
  fail "the sources pack themselves into other bytes"

settings=(NVCC= LUA="$LUA" BUILD=build DESTDIR="$work/root" PREFIX=/opt/tide)
make -j"$(nproc)" "${settings[@]}" >"$work/make.log" 2>&1
[ -e build/tide/core.so ] || { cat "$work/make.log"; fail "make, alone"; }
make -j"$(nproc)" "${settings[@]}" install >"$work/make.log" 2>&1 ||
  { tail -30 "$work/make.log"; fail "make install"; }
opt=$work/root/opt/tide
v=$("$LUA" -e 'print(_VERSION:match "%d.%d")')
smoke "$LUA" "$opt/share/lua/$v" "$opt/lib/lua/$v"

if has pkg-config; then
  pc() { PKG_CONFIG_PATH=$opt/lib/pkgconfig pkg-config "$@" tide; }
  [ "$(pc --modversion)" = "$version" ] || fail "the version in tide.pc"
  # DESTDIR is not where it will be, so its paths come before.
  # shellcheck disable=SC2046,SC2086
  ${CC:-cc} -Werror -I"$opt/include" -I"$root" -iquote "$root/src" \
    $(pc --cflags) "$root/spec/embed/static.c" -Wl,-E -o "$work/static" \
    -L"$opt/lib/lua/$v" $(pc --libs) $(make -s "${settings[@]}" echo |
      sed -n 's/^LUA_LIBS = //p')
  (cd / && LUA_PATH= LUA_CPATH= "$work/static" bare) || fail "libtide.a"
  for example in buffers.c limits.c threads.c vectors.cpp; do
    compiler=${CC:-cc}
    [ "${example##*.}" = c ] || compiler=${CXX:-c++}
    # shellcheck disable=SC2046
    ! has "$compiler" || $compiler -I"$opt/include" $(pc --cflags) \
      "$root/examples/embed/$example" -o "$work/example" \
      $(make -s "${settings[@]}" echo | sed -n 's/^LUA_LIBS = //p') -pthread ||
      fail "$example"
  done
fi
make "${settings[@]}" uninstall >/dev/null
[ ! -e "$opt" ] || { find "$opt"; fail "uninstall"; }
SPECS=event make "${settings[@]}" quick 2>&1 | tail -1 |
  grep -q '^[1-9][0-9]* passed, 0 failed'
