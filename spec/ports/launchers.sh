#!/usr/bin/env bash
# launchers.sh - the examples of ranks, two processes each, by every launcher
# that is here; Slurm where it runs, torchrun where Python has PyTorch. What is
# built already is tried.
. spec/ports/begin.sh
passed=0 skipped=0

# try NAME WORDS...: the examples by that launcher, which is known by its name.
try() {
  launcher=$1
  shift
  if ! has "$1"; then
    echo "skipped: there is no $1"
    skipped=$((skipped + 1))
    return
  fi
  named=$(timeout 60 "$@" "$LUA" -e '
    local tide = require "tide"
    local comm = tide.dist.init{ timeout = 30 }
    assert(comm.size == 2 and comm.local_rank == comm.rank)
    print(tide.dist.launcher())' 2>"$work/err" | sort | uniq -c | xargs) || true
  [ "$named" = "2 $launcher" ] ||
    { tail -5 "$work/err"; fail "$*: '$named' instead of '2 $launcher'"; }
  for example in heat network sort; do
    text=$(timeout 60 "$@" "$LUA" "examples/ranks_$example.lua" 2>"$work/err") ||
      { tail -5 "$work/err"; fail "$*: ranks_$example.lua"; }
    case $text in *"2 ranks"*) ;; *) fail "$*: ranks_$example.lua: $text" ;; esac
  done
  passed=$((passed + 1))
}

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export LUA_PATH="./lua/?.lua;./lua/?/init.lua;${LUA_PATH:-;}"
export LUA_CPATH="./${BUILD:-build}/?.so;${LUA_CPATH:-;}"
try openmpi mpirun.openmpi -n 2 --oversubscribe
try mpich mpirun.mpich -n 2
slurm=srun torch=torchrun
sinfo >/dev/null 2>&1 || slurm=srun-without-slurm
/usr/bin/python3 -c 'import torch' 2>/dev/null || torch=torchrun-without-torch
try slurm $slurm -n 2 --overcommit
try torchrun $torch --no_python --nproc_per_node 2
[ $passed -gt 0 ] || skip "there is no launcher"
echo "$passed passed, 0 failed, $skipped skipped"
