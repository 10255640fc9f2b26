#!/usr/bin/env bash
# rock.sh - the rockspec by luarocks, with no network: without nvcc and with it,
# packed and installed again, removed; and its test command.
. spec/ports/begin.sh
v=$("$LUA" -e 'print(_VERSION:match "%d.%d")')
for rocks in "luarocks-$v" luarocks ""; do
  [ -z "$rocks" ] || ! has "$rocks" || break
done
[ -n "$rocks" ] || skip "luarocks is not installed"
rm -rf "$work"/{tree,other,packed,home}
mkdir -p "$work"/{packed,home}
export HOME=$work/home

# make_rock TREE: there and complete?
make_rock() {
  "$rocks" make --tree "$1" tide-scm-1.rockspec >"$work/make.log" 2>&1 ||
    { tail -30 "$work/make.log"; fail "luarocks make"; }
  at=$1/lib/luarocks/rocks-$v/tide/scm-1
  [ -e "$at/include/tide.h" ] && [ -e "$at/docs/guide.md" ] ||
    fail "the rock lacks the header or the pages"
  (cd lua && find tide -name '*.lua') | while read -r f; do
    [ -e "$1/share/lua/$v/$f" ] || fail "the rock lacks $f"
  done
  smoke "$LUA" "$1/share/lua/$v" "$1/lib/lua/$v"
}

NVCC='' make_rock "$work/tree"
if has nvcc || [ -x /usr/local/cuda/bin/nvcc ]; then
  size=$(stat -c %s "$work/tree/lib/lua/$v/tide/core.so")
  KERNELS='' make_rock "$work/tree"  # PTX alone: a minute
  [ "$(stat -c %s "$work/tree/lib/lua/$v/tide/core.so")" -gt "$size" ] ||
    fail "no kernels in the module"
else
  echo "nvcc is not installed: the rock was tried without kernels"
fi
(cd "$work/packed" && "$rocks" pack --tree "$work/tree" tide >/dev/null)
"$rocks" install --tree "$work/other" "$work"/packed/tide-scm-1.*.rock \
  >"$work/make.log" 2>&1 || { tail "$work/make.log"; fail "luarocks install"; }
smoke "$LUA" "$work/other/share/lua/$v" "$work/other/lib/lua/$v"
"$rocks" remove --tree "$work/other" tide >/dev/null
[ ! -e "$work/other/lib/lua/$v/tide/core.so" ] || fail "luarocks remove"
SPECS=event "$rocks" test tide-scm-1.rockspec \
  >"$work/test.log" 2>&1 || { tail -30 "$work/test.log"; fail "luarocks test"; }
grep -E '^[0-9]+ passed, 0 failed' "$work/test.log"
