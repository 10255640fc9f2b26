#!/usr/bin/env bash
# hosts.sh - Debian's programs that have Lua 5.4 in them: lighttpd and Prosody
# answer requests by tide, are reloaded, and do not grow. Prosody is a daemon, so
# it forks once its modules are loaded. What is built already is tried.
. spec/ports/begin.sh
passed=0 skipped=0 pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true' EXIT
has curl || skip "there is no curl"
here=$root/spec/ports/hosts
export LUA_PATH_5_4="$root/lua/?.lua;$root/lua/?/init.lua;$here/?.lua;;"
export LUA_CPATH_5_4="$root/${BUILD:-build}/?.so;;"
rm -rf "$work" && mkdir -p "$work/data"

left_out() { echo "skipped: there is no $1"; skipped=$((skipped + 1)); }

# Below the range from which the system gives any: the server is to get it.
free_port() {
  /usr/bin/python3 -c 'import random, socket
while True:
  try:
    port = random.randrange(10000, 32000)
    socket.socket().bind(("127.0.0.1", port))
    break
  except OSError: pass
print(port)'
}

# until_there URL FILE: the server answers, and its process is in the file.
until_there() {
  for _ in $(seq 100); do
    curl -s -o "$work/first" "$1" && [ -s "$2" ] && pid=$(cat "$2") && return 0
    sleep 0.1
  done
  cat "$work"/*.log
  fail "$1 does not answer"
}

# ask URL N: as many requests, all of which have the right answer.
ask() {
  right=$(curl -s "$1?[1-$2]" | grep -c '^332833500 42$') || true
  [ "$right" = "$2" ] || { tail -5 "$work"/*.log; curl -s "$1"
                           fail "$1: $right of $2 answers are right"; }
}
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }

# try URL FILE RELOAD: 2,000 requests, with a reload in their middle. The process
# grows by less than 4 MB after the first 500.
try() {
  until_there "$1" "$2"
  ask "$1" 500
  before=$(memory)
  ask "$1" 500
  eval "$3"
  sleep 1  # a program that is told to begin again does not do so at once
  until_there "$1" "$2"
  ask "$1" 1000
  after=$(memory)
  echo "$1: $before kB, then $after kB"
  [ $((after - before)) -lt 4096 ] || fail "$1: it grew"
  kill "$pid"
  pid=
  passed=$((passed + 1))
}

lighttpd=$(PATH=$PATH:/usr/sbin command -v lighttpd || true)
if [ -z "$lighttpd" ] || [ ! -e /usr/lib/lighttpd/mod_magnet.so ]; then
  left_out "lighttpd with mod_magnet"
else
  port=$(free_port)
  cat >"$work/lighttpd.conf" <<END
server.document-root = "$here"
server.port = $port
server.bind = "127.0.0.1"
server.modules = ( "mod_magnet" )
server.errorlog = "$work/lighttpd.log"
server.pid-file = "$work/lighttpd.pid"
magnet.attract-raw-url-to = ( "$here/magnet.lua" )
END
  "$lighttpd" -f "$work/lighttpd.conf"
  # shellcheck disable=SC2016  # not yet
  try "http://127.0.0.1:$port/" "$work/lighttpd.pid" 'kill -USR1 "$pid"'
fi

if ! has prosody; then
  left_out prosody
else
  port=$(free_port)
  cat >"$work/prosody.cfg.lua" <<END
run_as_root = true
pidfile = "$work/prosody.pid"
data_path = "$work/data"
plugin_paths = { "$here/modules" }
certificates = "$work"
modules_enabled = { "tide", "posix" }
modules_disabled = { "s2s", "c2s" }
http_ports = { $port }
http_interfaces = { "127.0.0.1" }
https_ports = {} c2s_ports = {} s2s_ports = {}
log = { { levels = { min = "info" }, to = "file",
          filename = "$work/prosody.log" } }
VirtualHost "localhost"
END
  prosody -D --config "$work/prosody.cfg.lua"
  url=http://localhost:$port/tide
  try "$url/job" "$work/prosody.pid" "curl -s $url/reload >/dev/null"
fi
[ $passed -gt 0 ] || skip "there is no such program"
echo "$passed passed, 0 failed, $skipped skipped"
