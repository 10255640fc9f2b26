--[[
sweep_spec.lua - driver calls fail in turn. For every name that tide exports,
and for some longer tasks: the first driver call fails, then the second, and so
on until none does. Each time there is success, or an error that names the
call; the library works, and at the end nothing is left over. The same for
allocations is spec/embed/sweep.c.

A name without an entry in spec/whole/sweep_calls.lua is a failure that says so.
TIDE_SPEC_PART=2/4 does the second quarter of it, for a process each.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local calls = require "spec.whole.sweep_calls"
local T, new = helper.T, helper.new_stream

local OUT_OF_MEMORY = 2

local is_mine = helper.is_mine

--{{ tasks: what crosses more than one call

local tasks = {}

function tasks.array ()
  local a = tide.array{ { 1.5, 2 }, { 3, 4 } }
  local b = tide.zeros{ 2, 2 } + tide.ones{ 2, 2 } * a
  b = b - tide.full({ 2, 2 }, 3)
  b:fill(2)
  b:add_(a)
  b:copy_from(a:copy())
  b:slice(1, 1):fill(0)
  return a:astype "float32":sum():item(), b:totable(), b:tobytes(), a[1][2],
         tide.frombytes("abcd", "uint8"):totable(), tostring(a),
         tide.arange(5000):sum():item(), tide.asarray(a), tide.empty(3)
end

function tasks.hostarray (dev)
  local h = tide.HostArray(16, "int64")
  h:fill(3)
  h[2] = 5
  local a = tide.zeros(16, "int64"):copy_from(h)
  local k = a:tohost{ blocking = false }
  a:tohost{ out = h }
  dev:synchronize()
  return k[2], h:totable(), k:close()
end

--- A stream that others know, behind a host function.
function tasks.exposed ()
  local s <close> = new()
  local t <close> = new()
  local a = tide.ones(64)
  local x = tide.ExternalStream(t.ptr)
  x:with(function () a:add_(1) end)
  s:launch_host_func(function () end)
  s:wait_stream(x)
  s:with(function () a:mul_(2) end)
  s:synchronize()
  return a:sum():item()
end

function tasks.crossing ()
  local s <close> = new()
  local t <close> = new()
  local a, b = tide.ones(64), tide.ones(64)
  for _ = 1, 3 do
    s:with(function () a:add_(b) end)
    t:with(function () b:add_(a) end)
  end
  a:close()
  return b:sum():item()
end

function tasks.hostfunction ()
  local s <close> = new()
  local h, n = tide.HostArray(4), 0
  local a = tide.zeros(4)
  s:launch_host_func(function (x) h[1] = x end, 7)
  s:with(function () a:copy_from(h) end)
  s:add_callback(function () n = n + 1 end)
  s:synchronize()
  tide.poll()
  return a[1] == 7 and n == 1
end

function tasks.inside ()
  local s <close> = new()
  local t = new()  -- which the function needs, whatever fails
  local a, sum = tide.zeros(4), nil
  s:launch_host_func(function ()
    a:add_(1)
    t:launch_host_func(function () sum = (a * 2):sum() end)
    t:with(function () a:add_(1) end)
  end)
  s:with(function () a:add_(1) end)
  s:synchronize()
  t:synchronize()
  return sum:item() == 24 and a:sum():item()
end

function tasks.capture ()
  local s <close> = new()
  local t <close> = new()
  local a, b = tide.ones(32), tide.ones(32)
  s:begin_capture()
  s:with(function () a:add_(1) end)
  t:wait_event(s:record())
  t:with(function () b:add_(a) end)
  s:wait_stream(t)
  s:with(function () a:add_(b + 1) end)
  s:launch_host_func(function () end)
  local g <close> = s:end_capture()
  g:upload(s)
  g:launch(s)
  g:launch(t)
  return a:sum():item()
end

function tasks.graph ()
  local a, b = tide.ones(32), tide.ones(32)
  local g <close> = tide.capture(function () return a * 2 end)
  local other <close> = tide.capture(function () return b * 2 end)
  g:launch()
  g:update(other)
  g:launch()
  return g:debug_dot{ verbose = true }, a:sum():item()
end

function tasks.coroutines ()
  new():use()
  local co = tide.wrap(function ()
    local a = tide.ones(8)
    coroutine.yield()
    return a:sum():item()
  end)
  co()
  tide.Stream.null:use()
  return co()
end

--}}

--- One try with the n-th driver call failing -> its name, or nil if there was
-- none.
local function try (call, dev, n, code)
  T.trim()
  T.failcall(n, code)
  local ok, err = pcall(call, dev)
  local failed = T.failed()
  T.failcall(0)
  if not failed then
    assert(ok, err)
    return nil
  end
  assert(ok or tostring(err):find(failed, 1, true) or
         code == OUT_OF_MEMORY and tostring(err):find("host: ", 1, true),
         ("call %d, %s failed, but: %s"):format(n, failed, err))
  return failed
end

--- sweep(dev, call, code, check) -> how many tries it took until no driver call
-- was there to fail. check(n, failed) runs after each.
local function sweep (dev, call, code, check)
  local n = 0
  repeat
    n = n + 1
    local failed = try(call, dev, n, code)
    check(n, tostring(failed))
    assert(n < 2000, "no end of calls")
  until not failed
  return n
end

local function check_sum (n, failed)
  assert(tide.full(4, 2, "int32"):sum():item() == 8,
         ("broken after call %d, %s, failed"):format(n, failed))
end

local function check_leaks (n, failed)
  local errors = helper.settle()
  local left = helper.leftovers()
  local at = ("after call %d, %s, failed: "):format(n, failed)
  assert(not left, at .. "still alive: " .. tostring(left))
  for _, message in ipairs(errors) do  -- of a call for what had been kept
    assert(message:find("could not be queued: " .. failed, 1, true),
           at .. message)
  end
end

local function check_works (dev, n, failed)
  check_leaks(n, failed)
  dev:use()
  check_sum(n, failed)
  local s <close> = new()
  local ran = false
  s:launch_host_func(function () ran = true end)
  s:synchronize()
  assert(ran, ("broken after call %d, %s, failed"):format(n, failed))
end

describe("the sweep", function ()
  local _ = is_mine(1) and
  it("has a call for each name that tide exports, and no other", function ()
    local without, unknown = {}, {}
    for name in pairs(calls) do
      unknown[name] = true
    end
    for _, export in ipairs(exports.list(tide)) do
      unknown[export.name] = nil
      if not calls[export.name] then
        without[#without + 1] = export.name
      end
    end
    assert.equal("", table.concat(without, " "))
    assert.is_nil(next(unknown))
  end)
end)

helper.each_device(function (kind)

describe("driver calls fail in turn in #sweep", function ()
  for i, export in ipairs(exports.list(tide)) do
    local _ = is_mine(i) and it(export.name, function ()
      local dev = tide.Device(kind)
      local call = assert(calls[export.name], "no entry")(dev)
      for _, code in ipairs{ 999, OUT_OF_MEMORY } do
        sweep(dev, call, code, check_sum)
      end
    end)
  end

  for name, task in pairs(is_mine(1) and tasks or {}) do
    for _, code in ipairs{ 999, OUT_OF_MEMORY } do
      it(("the task '%s', code %d"):format(name, code), function ()
        local dev = tide.Device(kind)
        assert.is_true(sweep(dev, task, code, function (...)
          check_works(dev, ...)
        end) > 1)
      end)
    end
  end
end)

if is_mine(2) then

describe("sweeps of a host program #process", function ()
  it("fail each allocation of each call", function ()
    helper.program_in({ TIDE_HOST_DEVICES = "2" }, kind, "sweep", "alloc")
  end)

  it("fail each driver call of a lua_State that closes", function ()
    helper.program(kind, "sweep", "close")
  end)
end)

end

if not is_mine(3) then return end

describe("opening a device #process", function ()
  it("may fail at every call, and works at last", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local T, n = tide.T, 0
      tide.devices()
      repeat
        n = n + 1
        T.failcall(n)
        local ok, err = pcall(function ()
          return tide.Stream.null:synchronize()
        end)
        local failed = T.failed()
        T.failcall(0)
        assert(ok or err:find(failed or "tide", 1, true), err)
        assert(ok or failed, err)
        for class, live in pairs(T.live()) do
          assert(ok or live == 0, n .. ": " .. class .. "=" .. live)
        end
      until ok and not failed
      print(n > 5, tide.ones(3):sum():item())
    ]], { TIDE_DEVICE = kind })
    assert.equal("true\t3.0\n", printed)
  end)
end)

end)
