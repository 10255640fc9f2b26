--[[
helper.lua - what specs share: the devices there are, the leak check after each
test, checks, child processes. Loaded by busted once, and by require.

TIDE_SPEC_REQUIRE=cuda     no CUDA device is an error, not a reason to skip
TIDE_SPEC_DEVICES=host     runs on that kind of device only
TIDE_SPEC_GC=stress        the collector runs all the time; or generational;
                           or calls: at each call of tide all garbage goes
TIDE_SPEC_AGAIN=n          every call begins again at its n-th operation
]]
if package.loaded["spec.support.helper"] then
  return package.loaded["spec.support.helper"]
end

local tide = require "tide"
local busted = require "busted"
local child = require "spec.support.child"
local collector = require "spec.support.collector"
local elements = require "spec.support.elements"

assert(tide.T, "specs need a build with -DTIDE_TESTING=1")
local helper = {}
package.loaded["spec.support.helper"] = helper

if os.getenv "TIDE_SPEC_GC" == "stress" then
  collector.incremental(105, 400)
elseif os.getenv "TIDE_SPEC_GC" == "generational" then
  collector.generational(5, 10)
end

tide.T.collect(os.getenv "TIDE_SPEC_GC" == "calls")

tide.T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))

--{{ held streams

-- T with a memory: a test that fails while it holds a stream must not leave
-- the stream standing, or everything after it would wait for ever.
local held = {}
local T = setmetatable({}, { __index = tide.T })
helper.T = T

function T.hold (stream)
  local key = tide.T.hold(stream)
  held[key] = true
  return key
end

function T.release (key)
  held[key] = nil
  tide.T.release(key)
end

--}}

--{{ devices

--- can_use(kind) -> true, or nil and why not.
local function can_use (kind)
  local only = os.getenv "TIDE_SPEC_DEVICES"
  if only and only ~= kind then
    return nil, "TIDE_SPEC_DEVICES=" .. only
  end
  return pcall(tide.Device, kind)
end

local function find_kinds ()
  local list = {}
  for _, kind in ipairs{ "host", "cuda" } do
    local ok, why = can_use(kind)
    if ok then
      list[#list + 1] = kind
    elseif os.getenv "TIDE_SPEC_REQUIRE" == kind then
      error("TIDE_SPEC_REQUIRE=" .. kind .. ": " .. tostring(why), 0)
    end
  end
  assert(list[1], "no device to run on")
  return list
end

helper.kinds = find_kinds()

--- leftovers() -> what lives that should not, as text; nil: nothing has leaked.
function helper.leftovers ()
  local found = {}
  for name, n in pairs(T.held()) do
    if n ~= 0 then
      found[#found + 1] = name .. "=" .. n
    end
  end
  table.sort(found)
  return found[1] and table.concat(found, " ")
end

--- Ends whatever a test may have left switched on; the null stream is current
-- on every device afterwards.
local function reset ()
  T.failcall(0)
  T.delays(0, 0)
  T.limits()
  tide.sync_debug "off"
  for key in pairs(held) do
    T.release(key)
  end
  for i = #helper.kinds, 1, -1 do
    tide.Device(helper.kinds[i]):use()
    tide.Stream.null:use()
    tide.memory_limit(0)
    tide.memory_limit(0, "pinned")
  end
end

--- settle() -> the errors of host functions not yet reported, as a list.
-- Finishes all work and collects garbage.
function helper.settle ()
  local errors = {}
  local function try (fn, ...)
    local ok, message
    repeat  -- an error of a host function ends the wait before its time
      ok, message = pcall(fn, ...)
      errors[#errors + 1] = not ok and message or nil
    until ok or #errors >= 10
  end
  reset()
  local turn = 0
  repeat
    turn = turn + 1
    if turn > 4 then
      tide.sleep(0.005)
    else  -- garbage that is freed may keep other garbage: a capture does
      collectgarbage()
    end
    try(tide.poll)
    repeat  -- functions may queue others
      for _, kind in ipairs(helper.kinds) do
        try(tide.Device(kind).synchronize, tide.Device(kind))
      end
    until T.held().callbacks == 0 or #errors >= 10
    -- Threads that end communicators take their time: seconds, where a GPU has
    -- many programs. So may threads that finish the writes of a failed call.
    local left = T.held()
    local over = turn >= 4 and left.leaving == 0 and left.transfers == 0 or
                 turn == 12000  -- a minute
  until over or not helper.leftovers()
  try(tide.poll)
  return errors
end

local expected = {}  -- counts that functions from expect must reach

local function check_leaks ()
  local errors = helper.settle()
  local counts = expected
  expected = {}
  local left = helper.leftovers()
  assert(not left, "still alive: " .. tostring(left))
  assert(not errors[1], "nobody saw: " .. tostring(errors[1]))
  for _, check in ipairs(counts) do
    check()
  end
end

--- each_device(fn): describes fn(kind) for every kind of device there is; it is
-- current in each test, and after it nothing may have leaked.
function helper.each_device (fn)
  for _, kind in ipairs(helper.kinds) do
    busted.describe("on " .. kind, function ()
      busted.before_each(function ()
        tide.Device(kind):use()
        tide.Stream.null:use()
      end)
      busted.after_each(check_leaks)
      helper.kind = kind
      fn(kind)
    end)
  end
end

local function it_on (kind, name, fn)
  if helper.kind == kind then
    busted.it(name, fn)
  else
    busted.pending(name .. " (" .. kind .. " only)")
  end
end

--- Inside each_device: a test for one kind of device, pending on the other.
function helper.gpu_it (name, fn) it_on("cuda", name, fn) end

function helper.host_it (name, fn) it_on("host", name, fn) end

--}}

local PART, PARTS = (os.getenv "TIDE_SPEC_PART" or "1/1"):match "^(%d+)/(%d+)$"

--- is_mine(i): whether the i-th piece of a spec's work is for this process.
-- TIDE_SPEC_PART=2/4 is the second quarter: see 'parts' in spec/run.lua.
function helper.is_mine (i) return (i - PART) % PARTS == 0 end

--{{ checks

--- limit(bytes [, kind]): sets a memory limit when nothing is held or kept, so
-- that figures are exact. The test has to take it back.
function helper.limit (bytes, kind)
  collectgarbage()
  collectgarbage()
  tide.poll()
  tide.get_device():synchronize()
  tide.trim()
  tide.memory_limit(bytes, kind)
  assert(tide.memory_stats(kind).live == 0, "something is held")
end

--- expect(fn, n) -> a function that calls fn, and a function that checks that
-- there were n calls. The end of the test checks it, too.
function helper.expect (fn, n)
  local count = 0
  local function check ()
    assert(count == n, ("called %d times, expected %d"):format(count, n))
  end
  expected[#expected + 1] = check
  return function (...)
    count = count + 1
    return fn(...)
  end, check
end

--- fails(text, fn, ...): fn(...) must raise a message with that plain text in
-- it; returns the message.
function helper.fails (text, fn, ...)
  local ok, err = pcall(fn, ...)
  assert(not ok, "expected an error with: " .. text)
  assert(tostring(err):find(text, 1, true),
         ("expected %q in %q"):format(text, tostring(err)))
  return tostring(err)
end

--- badarg(n, text, fn, ...): the same, and the message names argument n.
function helper.badarg (n, text, fn, ...)
  local err = helper.fails(text, fn, ...)
  local argument = "bad argument #" .. n .. " to "
  assert(err:find(argument, 1, true),
         ("expected %q in %q"):format(argument, err))
  return err
end

--- array(list, dtype [, shape]) -> the array of exactly these elements.
function helper.array (list, dtype, shape)
  return tide.frombytes(elements.pack(list, dtype), dtype, shape)
end

--- values(a) -> its elements as a list, exactly.
function helper.values (a)
  return elements.unpack(a:tobytes(), a.dtype)
end

--- Checks that all elements of an array are near the elements of a table.
function helper.array_near (a, wanted, tolerance)
  local got = a:totable()
  assert(#got == #wanted, ("%d elements, expected %d"):format(#got, #wanted))
  for i, x in ipairs(wanted) do
    assert(math.abs(got[i] - x) <= (tolerance or 0),
           ("element %d is %s, expected %s"):format(i, got[i], x))
  end
end

--- A stream for which the null stream does not wait.
function helper.new_stream () return tide.Stream{ non_blocking = true } end

--- counted(t) -> a closable that counts itself in t.n.
function helper.counted (t)
  t.n = (t.n or 0) + 1
  return setmetatable({}, { __close = function () t.n = t.n - 1 end })
end

--- during(name, fn, ...) -> how often fn(...) calls that driver entry.
function helper.during (name, fn, ...)
  local before = T.calls(name)
  fn(...)
  return T.calls(name) - before
end

--- launches(fn, ...) -> how many kernels it launches.
function helper.launches (fn, ...)
  local before = T.calls("cuLaunchKernelEx")
  local n = helper.during("cuLaunchKernel", fn, ...)
  return n + T.calls("cuLaunchKernelEx") - before
end

--- spin(ms): makes time pass.
function helper.spin (ms)
  local start = tide.clock()
  while tide.clock() - start < ms / 1000 do end
end

helper.generator = require "spec.support.generator"

--}}

--{{ child processes

local quote = child.quote

--- child(code [, env]) -> what Lua printed, whether it ended well, and its
-- exit code. env: { NAME = "value" }.
function helper.child (code, env)
  local words = { "exec env -u TIDE_DEFAULT_STREAM -u TIDE_HOST_MEMORY",
                  "-u TIDE_HOST_DEVICES" }
  for name, value in pairs(env or {}) do
    words[#words + 1] = quote(name .. "=" .. value)
  end
  words[#words + 1] = child.paths()
  words[#words + 1] = ("timeout 300 %s -W -e %s 2>&1"):format(child.lua,
                                                             quote(code))
  local pipe = assert(io.popen(table.concat(words, " ")))
  local printed = pipe:read "a"
  local ok, _, status = pipe:close()
  return printed, ok == true, status
end

--- The same on the kind of device that each_device describes, and it must end
-- well; returns what it printed.
function helper.child_on (kind, code, env)
  local variables = { TIDE_DEVICE = kind }
  for name, value in pairs(env or {}) do
    variables[name] = value
  end
  local printed, ok, status = helper.child(code, variables)
  assert(ok, ("ended with %s: %s"):format(status, printed))
  return printed
end

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"

--- program_in(env, kind, name, ...): runs a host program, spec/embed/name.c,
-- with that default device; it must print ok and end well. Many leave host
-- functions behind on purpose, which they need not report.
function helper.program_in (env, kind, name, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    words[i] = quote(tostring(word))
  end
  local variables = {}
  for key, value in pairs(env) do
    variables[#variables + 1] = quote(key .. "=" .. value)
  end
  local command = ("exec env TIDE_DEVICE=%s TIDE_UNHANDLED_ERRORS=warn " ..
    "%s %s timeout 300 " ..
    "%s/embed/%s %s 2>&1"):format(kind, child.paths(),
    table.concat(variables, " "), BUILD, name, table.concat(words, " "))
  local pipe = assert(io.popen(command))
  local printed = pipe:read "a"
  local ok, how, status = pipe:close()
  assert(printed == "ok\n", printed)
  assert(ok, ("ended with %s %s"):format(how, status))
end

function helper.program (...) helper.program_in({}, ...) end

--- printed(program) -> what a program of the build prints, errors too, on the
-- host device.
function helper.printed (program)
  local pipe <close> = assert(io.popen(("exec env TIDE_DEVICE=host %s " ..
    "timeout 300 %s/%s 2>&1"):format(child.paths(), BUILD, program)))
  return pipe:read "a"
end

--- The variant of the build: "testing", "asan", "tsan".
helper.variant = BUILD:match "[^/]+$"

--- has_nvrtc() -> can sources be compiled here? Sanitizers have nothing to say
-- about NVRTC itself, which is not ours.
function helper.has_nvrtc ()
  if helper.variant ~= "testing" then
    return false
  end
  local ok, why = pcall(T.compile, "__global__ void f () {}")
  assert(ok or why:find("cannot be loaded", 1, true), why)
  return ok
end

--}}

return helper
