--[[
run.lua SUITE... - runs suites one after the other and adds up what they say.
The last line is alone: N passed, N failed, N skipped. The Makefile calls it
once the builds are there; from the root of the tree, so may you:

  lua5.4 spec/run.lua asan                 one suite
  SPECS=event lua5.4 spec/run.lua testing asan
  lua5.4 spec/run.lua demo [FILE]          examples/demo.lua, or pipeline.lua
                                           on FILE, and no counts

A suite is one or more processes. A process that dies, hangs or exits badly
without having counted a failure counts as one.
]]

local BUILD = os.getenv "BUILD" or "build"
local CC = os.getenv "CC" or "cc"
local LUA = os.getenv "LUA" or "lua5.4"
local SPECS = os.getenv "SPECS"           -- instead of the suite's own
local FUZZ = tonumber(os.getenv "FUZZ_SECONDS" or 60)
local FUZZ_SEED = os.getenv "FUZZ_SEED" or
                  (os.getenv "FUZZ_SECONDS" and 0 or 1)
local SOAK = tonumber(os.getenv "SOAK_SECONDS" or 240)
local SECONDS = os.getenv "TIDE_SPEC_SECONDS" or  -- then it hangs
                math.max(600, FUZZ + 300, SOAK + 300) // 1

-- Specs worth running under compute-sanitizer: it is 10 to 100 times slower.
local MEMCHECK = "along array bincount cumulative distributions dot_product " ..
  "elementwise event fold graph hostarray host_function matmul philox put " ..
  "random_calls reduce scatter search shape sort strided stream take_mask " ..
  "transfer triangle unique upload"
local RACECHECK =  -- shared memory
  "along bincount cumulative dot dot_product fold isin matmul put reduce " ..
  "scatter search shape sort take_mask unique"

-- Specs of several ranks: under TSan they are devices of one process.
local RANKS = "collectives comm dist_order exchange"
local SUBCOMMS = "collectives comm dist_order"  -- what differs is not looked at

-- Where all garbage would go a million times.
local MANY_CALLS = "api_arguments numpy sweep"

-- Specs that begin before all others.
local LONGEST = "allocations code_lifetime ends gc_pressure ipc " ..
  "limits_sweep parity reentrancy states sweep"

local PORTS = { "install", "rock", "lua55", "clang", "musl", "aarch64",
                "launchers", "hosts" }

-- The arguments that examples need on their command line.
local ARGUMENTS = { ["pipeline.lua"] = { BUILD .. "/tide/core.so", "4" } }

local processes = dofile "spec/processes.lua"
local quote, output, has = processes.quote, processes.output, processes.has
local command_line, run = processes.command_line, processes.run
local complain, add = processes.complain, processes.add
local counts_of, add_one = processes.counts_of, processes.add_one
local total, failures = processes.total, processes.failures

processes.seconds = SECONDS

-- Processes at a time: one more than there are cores, because some wait.
local JOBS = tonumber(os.getenv "JOBS") or tonumber(output "nproc" or 1) + 1

--{{ suites

local function name_of (path) return path:match "([^/]+)_spec%.lua$" end

--- Tells whether a word is in a list of words.
local function is_in (word, list)
  return (" " .. list .. " "):find(" " .. word .. " ", 1, true) ~= nil
end

--- The spec files, or those of some names.
local function specs (names)
  local found = {}
  local list <close> = assert(io.popen "find spec -name '*_spec.lua' | sort")
  for path in list:lines() do
    if not names or is_in(name_of(path), names) then
      found[#found + 1] = path
    end
  end
  return found
end

--- Returns the paths, the slowest first: if one of these began last, it would
-- run alone at the end.
local function longest_first (paths)
  local list = { {}, {} }
  for _, path in ipairs(paths) do
    table.insert(list[is_in(name_of(path), LONGEST) and 1 or 2], path)
  end
  return table.move(list[2], 1, #list[2], #list[1] + 1, list[1])
end

--- words(options) -> the command line of busted. --ignore-lua: do not start
-- another Lua, which would lose the quotes of these words.
local function words (path, options)
  local busted = os.getenv "BUSTED" or has "busted" or "busted"
  local list = table.move(options.under or {}, 1, #(options.under or {}), 1, {})
  for _, word in ipairs{ options.lua or LUA, busted, "--ignore-lua" } do
    list[#list + 1] = word
  end
  if options.without then  -- of a file all tests may be: see ci_handler.lua
    list[#list + 1] = "--exclude-tags=" .. options.without
  end
  list[#list + 1] = path
  return list
end

--- Writes the command that runs a file of specs, or its part ("1/4") in
-- TIDE_SPEC_PART; returns the path of the command.
local function write_job (folder, i, path, part, options, of)
  local job = ("%s/%03d"):format(folder, i)
  local file <close> = assert(io.open(job .. ".sh", "w"))
  local build = BUILD .. "/" .. (options.variant or "testing")
  local env = table.move(options.env or {}, 1, #(options.env or {}), 1, {})
  env[#env + 1] = options.env_of and options.env_of[name_of(path)]
  env[#env + 1] = "TIDE_SPEC_EMPTY=" .. (options.without and "1" or "")
  env[#env + 1] = "TIDE_SPEC_PART=" .. part
  file:write(command_line(build, env, words(path, options)),
             " >", quote(job .. ".log"), "\necho $? >", quote(job .. ".code"),
             "\ntimes >", quote(job .. ".times"),
             "\n[ ! -t 1 ] || printf '\\r\\033[K", i, " of ", of, ": ", path,
             "\\r' >&2\n")
  return job
end

--- The processor time that a job's process took, in seconds.
local function seconds_of (job)
  local sum = 0
  for line in io.lines(job.at .. ".times") do
    for minutes, seconds in line:gmatch "(%d+)m([%d.,]+)s" do
      sum = sum + minutes * 60 + tonumber((seconds:gsub(",", ".")))
    end
  end
  return sum
end

--- Where the time of a suite went.
local function print_times (name, jobs, wall)
  local sum, longest = 0, {}
  for _, job in ipairs(jobs) do
    job.seconds = seconds_of(job)
    sum = sum + job.seconds
  end
  table.sort(jobs, function (a, b) return a.seconds > b.seconds end)
  for i = 1, math.min(#jobs, 5) do
    longest[i] = ("%s %.0f"):format(jobs[i].path:match "([^/]+)%.lua$",
                                    jobs[i].seconds)
  end
  print(("== %s: %d s, %.0f of processors: %s"):format(
    name, wall, sum, table.concat(longest, ", ")))
end

--- The spec files that SPECS lists, by name or path.
local function chosen_specs ()
  return SPECS and specs(SPECS:gsub("%S+", function (word)
    return name_of(word) or word
  end))
end

--- Each file is a process of its own, because what a sanitizer keeps grows with
-- the process, and so does Lua's heap.
local function run_specs (name, options)
  local folder = BUILD .. "/log/" .. name
  local jobs, chosen = {}, options.specs
  print(("== %s"):format(name))
  io.stdout:flush()
  assert(os.execute(("rm -rf %s && mkdir -p %s"):format(quote(folder),
                                                        quote(folder))))
  chosen = longest_first(chosen_specs() or chosen or specs())
  local start = os.time()
  for _, path in ipairs(chosen) do
    local parts = options.parts and options.parts[name_of(path)] or 1
    for part = 1, parts do
      jobs[#jobs + 1] = { path = path, at = write_job(folder, #jobs + 1, path,
                          part .. "/" .. parts, options, #chosen) }
    end
  end
  os.execute(("ls %s/*.sh | xargs -P %d -n 1 sh"):format(quote(folder), JOBS))
  local sum = { 0, 0, 0 }
  for _, job in ipairs(jobs) do
    local code = output("cat " .. quote(job.at .. ".code")) or "no code"
    local shown = code == "0" and "grep -E '^[0-9]+ passed' " or "cat "
    if code ~= "0" then
      print(("-- %s"):format(job.path))
    end
    local p, f, sk = run(shown .. quote(job.at .. ".log"))
    for i, n in ipairs{ counts_of(job.path, p, f, sk, code == "0",
                                  "exit " .. code) } do
      sum[i] = sum[i] + n
    end
  end
  if sum[1] + sum[2] == 0 then
    complain(name, "nothing ran")
    sum[2] = 1
  end
  print_times(name, jobs, os.difftime(os.time(), start))
  add(name, table.unpack(sum))
end

--- preloaded(variant) -> a program that is Lua with a sanitizer's runtime. The
-- runtime must be there before instrumented code, and Lua is not instrumented.
-- Programs that it starts lack the runtime (spec/fake/alone.c), except for
-- another such Lua, which a script finds as arg[-1].
local function preloaded (variant)
  local path = output "pwd" .. "/" .. BUILD .. "/" .. variant
  if BUILD:sub(1, 1) == "/" then path = BUILD .. "/" .. variant end
  local runtime = output(quote(CC) .. " -print-file-name=lib" .. variant ..
                         ".so")
  local file <close> = assert(io.open(path .. "/lua", "w"))
  file:write(("#!/bin/bash\nLD_PRELOAD=%s exec -a \"$0\" %s \"$@\"\n"):format(
    quote(runtime .. ":" .. path .. "/fake/alone.so"), quote(LUA)))
  os.execute("chmod +x " .. quote(path .. "/lua"))
  return path .. "/lua"
end

local function sanitizer (name, tool, names)
  local path = has "compute-sanitizer"
  if not path then
    print(("== %s: left out, compute-sanitizer is not installed"):format(name))
    return
  end
  run_specs(name, {
    without = "slow,held", specs = specs(names),
    env = { "TIDE_DEVICE=cuda", "TIDE_SPEC_REQUIRE=cuda" },
    under = { path, "--tool", tool, "--error-exitcode", "9",
              "--report-api-errors", "no" }
  })
end

local suites = {}

-- The sweep collects garbage so often that it takes half the time in parts.
local SWEEP <const> = { sweep = 4 }

function suites.testing () run_specs("testing", { parts = SWEEP }) end

--{{ quick

--- The specs of what differs from the last commit: those with the name of a
-- source, and the specs themselves.
function suites.quick ()
  local list <close> = assert(io.popen(
    "git diff --name-only HEAD; git ls-files -o --exclude-standard"))
  local names = {}
  for path in list:lines() do
    names[#names + 1] = name_of(path) or path:match "([^/]+)%.[ch]u?$"
  end
  local found = specs(table.concat(names, " "))
  if #found == 0 and not SPECS then
    print("no spec has the name of a file that differs from the last commit;" ..
          " name some: SPECS=event make quick")
    os.exit(1)
  end
  run_specs("quick", { variant = "testing", specs = found })
end

--}}

-- A sanitizer finds most while the collector runs all the time, which costs a
-- sixth more (spec/support/helper.lua).
function suites.asan ()
  local lua = preloaded "asan"
  run_specs("asan", { variant = "asan", without = "slow", lua = lua,
                      parts = SWEEP, env = {
    "LUA=" .. lua, "TIDE_SPEC_GC=stress", "TIDE_SPEC_SHARE=1",
    "ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:abort_on_error=0:" ..
    "quarantine_size_mb=64:malloc_context_size=8",  -- a fifth of the time
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
  } })
end

-- #process: specs that start programs; the shell dies of libtsan. #sweep: the
-- same call thousands of times on one thread, minutes here. Host programs
-- that are about threads are run without one; not "ends fork busy": a lock of
-- TSan's own that another thread holds at the fork stays shut in the child
-- (LibIgnore, which dlclose takes). Without a BLAS: TSan takes the threads of a
-- library that it does not see into for races.
local THREADS = {
  "states threads 8", "states kernels 4", "states pending both",
  "states move", "states captures", "states kept", "ends return",
  "ends atexit", "ends thread", "ends fork before", "ends fork after",
  "resets failed", "resets functions", "resets threads",
  "interop work", "interop wait", "interop dlpack", "imports closing",
  "carray kept",
  "orders 10000 1", "soak -q 5 1 3"
}

local function run_threads ()
  local build = BUILD .. "/tsan"
  for _, line in ipairs(THREADS) do
    local list = {}
    line:gsub("%S+", function (word) list[#list + 1] = word end)
    list[1] = build .. "/embed/" .. list[1]
    add_one("tsan: " .. line, build, {
      "TIDE_DEVICE=host",
      "TIDE_HOST_DEVICES=" .. (line:find "^soak" and 2 or 1),
      "TIDE_BLAS=none", "TSAN_OPTIONS=halt_on_error=1:atexit_sleep_ms=10"
    }, list)
  end
end

function suites.tsan ()
  local lua = preloaded "tsan"
  run_specs("tsan", { variant = "tsan", without = "slow,process,sweep",
                      lua = lua, env = {
    "LUA=" .. lua, "TIDE_BLAS=none",
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1"
  } })
  if not SPECS then
    local function run_ranks (name, names, ...)
      run_specs(name, {
        variant = "tsan", without = "slow,process,sweep", lua = lua,
        specs = specs(names), env = {
          "LUA=" .. lua, "TIDE_BLAS=none", "TIDE_SPEC_INSIDE=1",
          "TIDE_HOST_DEVICES=4",
          "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1", ...
        }
      })
    end
    run_ranks("tsan-ranks", RANKS)
    run_ranks("tsan-subcomms", SUBCOMMS, "TIDE_TEST_SUBCOMMS=1")
    run_threads()
  end
end

--- The collector runs all the time: as in asan, without the cost of asan. Then
-- all garbage goes at each call, and finalizers come wherever that may be.
-- #collector: specs are left out that count on the collector's mode or on when
-- it comes. So are specs of very many calls.
function suites.stress ()
  local few = {}
  for _, path in ipairs(specs()) do
    local name = name_of(path)
    if not (" " .. MANY_CALLS .. " "):find(" " .. (name or "") .. " ", 1,
                                           true) then
      few[#few + 1] = path
    end
  end
  run_specs("stress", { without = "slow", env = { "TIDE_SPEC_GC=stress" } })
  run_specs("stress-calls", {
    without = "slow,collector", specs = few, env = { "TIDE_SPEC_GC=calls" }
  })
end

-- Every call begins again at its n-th operation, as when a finalizer has come
-- in between. #once: specs that count operations. Lua's memory is watched
-- meanwhile: see spec/embed/stale.c.
local function again (n, chosen)
  run_specs("again-" .. n, { without = "slow,process,sweep,once",
                             specs = chosen,
                             lua = BUILD .. "/testing/embed/stale",
                             env = { "TIDE_SPEC_AGAIN=" .. n } })
end

--- turn(n) -> the specs whose turn it is to begin again at n, of 2 to 6: each
-- at one of them, at another with the next commit. AGAIN_TURN is a number
-- instead of how many commits there are, or "all" for all.
local function turn (n)
  local found, now = {}, os.getenv "AGAIN_TURN" or
                         output "git rev-list --count HEAD 2>/dev/null" or 0
  for i, path in ipairs(specs()) do
    if now == "all" or (i + now) % 5 == n - 2 then
      found[#found + 1] = path
    end
  end
  return found
end

function suites.again ()
  again(1)
  for n = 2, 6 do
    again(n, turn(n))
  end
end

--- Ten times as long as in the other suites: TIDE_SPEC_SCALE says how long.
function suites.longlived ()
  run_specs("longlived", {
    specs = specs "longlived growth",
    env = { "TIDE_SPEC_SCALE=" .. (os.getenv "TIDE_SPEC_SCALE" or 10) }
  })
end

-- A context has 8 connections if nothing is said. A stream may share one with a
-- held stream, and then stands still as well. Contexts with more are a few at a
-- time on a GPU: the next ones are out of memory.
function suites.gpu ()
  run_specs("gpu", {
    env = { "TIDE_DEVICE=cuda", "TIDE_SPEC_REQUIRE=cuda" },
    env_of = { file_order = "CUDA_DEVICE_MAX_CONNECTIONS=32" },
    parts = { allocations = 9, sweep = 8 }  -- they wait more than they compute
  })
end

function suites.memcheck ()
  sanitizer("memcheck", "memcheck", MEMCHECK)
end

function suites.racecheck ()
  sanitizer("racecheck", "racecheck", RACECHECK)
end

--- The corpus, then inputs made from it; new ones are kept in the build folder.
-- A product of 1000 x 1000 integers takes 20 s there, and more on busy cores.
-- Runs of a chosen time get random inputs, `make test` the same each time.
function suites.fuzz ()
  add_one("fuzz", BUILD .. "/fuzz", {
    "ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=12",
    "UBSAN_OPTIONS=print_stacktrace=1"
  }, { "sh", "-c", [[mkdir -p "$0/found" && exec "$0/fuzz" \
    -max_total_time="$1" -seed="$2" -max_len=300 -len_control=0 \
    -timeout=240 -verbosity=0 -print_final_stats=1 -artifact_prefix="$0/" \
    "$0/found" spec/fuzz/corpus]],
    BUILD .. "/fuzz", FUZZ, FUZZ_SEED })
end

local SOAK_SEED = tonumber(os.getenv "SOAK_SEED" or
                           os.time() % 1000000 * 1000)
local SOAK_THREADS = os.getenv "SOAK_THREADS"

local function soak (name, variant, seconds, seed)
  local build = BUILD .. "/" .. variant
  add_one(name, build, {
    "TIDE_DEVICE=host", "TIDE_HOST_DEVICES=2",
    "TSAN_OPTIONS=halt_on_error=1:atexit_sleep_ms=10"
  }, { build .. "/embed/soak", seconds, seed, SOAK_THREADS or 3 })
end

--- Half of the time plain, half of it under ThreadSanitizer.
function suites.soak ()
  soak("soak", "testing", SOAK / 2, SOAK_SEED)
  soak("soak: tsan", "tsan", SOAK / 2, SOAK_SEED + 100000)
end

--- Most of the time plain; some under compute-sanitizer, where it is installed.
-- Programs mostly wait for the GPU: an H200 runs 86 a second of 12 threads, and
-- 35 of 3.
suites["soak-gpu"] = function ()
  local build, env = BUILD .. "/testing", { "TIDE_DEVICE=cuda" }
  local program, tool = build .. "/embed/soak", has "compute-sanitizer"
  add_one("soak: cuda", build, env,
          { program, SOAK * 3 / 4, SOAK_SEED, SOAK_THREADS or 12 })
  if tool then
    add_one("soak: memcheck", build, env,
            { tool, "--tool", "memcheck", "--error-exitcode", "9",
              "--report-api-errors", "no", program, SOAK / 4, SOAK_SEED, 1 })
  end
end

--- Every example runs on the release build, as users see it.
function suites.examples ()
  local list <close> = assert(io.popen "ls examples/*.lua 2>/dev/null")
  for path in list:lines() do
    local arguments = ARGUMENTS[path:match "[^/]+$"] or {}
    add_one(path, BUILD, {}, { LUA, path, table.unpack(arguments) })
  end
end

--- Each script of spec/ports builds tide in another way, and tries it. A script
-- may count for itself; if it cannot do its work here, it exits with 77.
function suites.ports ()
  for _, name in ipairs(PORTS) do
    local p, f, s, ok, how = run(("exec env BUILD=%s CC=%s LUA=%s " ..
      "spec/ports/%s.sh 2>&1"):format(quote(BUILD), quote(CC), quote(LUA),
                                      name))
    if how == "exit 77" then
      add("ports: " .. name, 0, 0, 1)
    elseif ok and not p then
      add("ports: " .. name, 1, 0, 0)
    else
      add("ports: " .. name, counts_of("ports: " .. name, p, f, s, ok, how))
    end
  end
end

--- Checks the sources: luacheck, with the columns of Lua; the columns of C,
-- except in tables; pinned.lua, rooms.lua and words.lua. Also
-- checks that docs/api and the stubs agree with lua/tide/api, and the examples
-- with the stubs, and that the library exports one name only.
function suites.check ()
  add_one("luacheck", BUILD, {}, { "luacheck", "-q", "." })
  add_one("columns", BUILD, { "LC_ALL=C.UTF-8" }, { "sh", "-c", [[
    ! grep -rnE '^.{81,}$' src include kernels spec --include=*.c \
      --include=*.h --include=*.cu --include=*.cuh
  ]] })
  local version = has "clang-format" and output "clang-format --version"
  if version and version:find " 14%." then
    add_one("format", BUILD, {}, { "sh", "-c", [[
      find src include spec examples -name '*.[ch]' -o -name '*.cpp' |
        xargs clang-format --dry-run -Werror
    ]] })
  else
    print "== format: left out, clang-format 14 is not installed"
  end
  add_one("pinned", BUILD, {}, { "sh", "-c",
    LUA .. " spec/checks/pinned.lua " ..
    "$(find src -path src/rt -prune -o -name '*.[ch]' -print)" })
  add_one("rooms", BUILD, {}, { LUA, "spec/checks/rooms.lua", BUILD })
  add_one("names", BUILD, {}, { "sh", "-c",
    LUA .. " spec/checks/names.lua $(find src -name '*.h')" })
  add_one("methods", BUILD, {}, { "sh", "-c",
    LUA .. " spec/checks/methods.lua lua/tide/*.lua" })
  add_one("words", BUILD, {}, { LUA, "spec/checks/words.lua", "clean" })
  add_one("docs", BUILD, {}, { LUA, "docs/generate.lua", "check" })
  if has "lua-language-server" then
    add_one("stubs", BUILD, {}, { "sh", "-c", [[
      for folder in examples library; do
        lua-language-server --check="$folder" --configpath="$PWD/.luarc.json" \
          --logpath="$0/log/stubs" || exit
      done
    ]], BUILD })
  else
    print "== stubs: left out, lua-language-server is not installed"
  end
  add_one("exports", BUILD, {}, { "sh", "-c", [[
    names=$(nm -D --defined-only "$0" | sed 's/.* //') || exit
    [ "$names" = luaopen_tide_core ] || { echo "exported: $names"; exit 1; }
  ]], BUILD .. "/tide/core.so" })
end

--}}

local function demo (file)
  local program = { LUA, "examples/demo.lua" }
  if file then
    program = { LUA, "examples/pipeline.lua", file, "4" }
  end
  local _, _, _, ok = run(command_line(BUILD, {}, program))
  os.exit(ok == true)
end

if arg[1] == "demo" then
  demo(arg[2])
end
for _, name in ipairs(arg) do
  local suite = suites[name] or error("no suite is called " .. name, 0)
  suite()
end
if total.passed + total.failed == 0 then
  print "nothing ran"
  total.failed = 1
end
if #failures > 0 then
  print("\nWhat failed:\n" .. table.concat(failures, "\n"))
end
print(("%d passed, %d failed, %d skipped"):format(
  total.passed, total.failed, total.skipped))
os.exit(total.failed == 0)
