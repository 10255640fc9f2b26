#!/usr/bin/env bash
# clang.sh - built by clang, warnings are errors, and all specs on that.
. spec/ports/begin.sh
has "${CLANG:=clang}" || skip "clang is not installed"
build "$work/build" LUA="$LUA" CC="$CLANG" lib-testing
CC=$CLANG BUILD=$work/build "$LUA" spec/run.lua testing
