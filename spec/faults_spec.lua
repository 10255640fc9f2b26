--[[
faults_spec.lua - for every task, the first driver call fails, then the second,
and so on until none does. Each time there is success, or an error that names
the call; nothing is left over, and the library works.
]]
local tide = require "tide"
local helper = require "spec.helper"
local T = helper.T

local OUT_OF_MEMORY = 2

local function new ()
  return tide.Stream{ non_blocking = true }
end

--{{ the tasks: between them they call every public function

local tasks = {}

function tasks.device (dev)
  local d = tide.Device(tostring(dev))
  return d.name, d.total_memory, d.compute_capability, d.attributes,
         d:memory_info(), d:use(), d:synchronize(), #tide.devices(),
         tide.with_device(d, tide.get_device)
end

function tasks.stream ()
  local s <close> = new()
  local t <close> = tide.Stream{ priority = -1 }
  s:wait_event(t:record())
  s:wait_stream(t)
  t:record():synchronize()
  s:with(function () tide.Stream.ptds:use() end)
  do
    local _ <close> = s:scope()
    tide.get_current_stream():synchronize()
  end
  tide.with_stream(function (u) u:record() end)
  tide.Stream.ptds:record()
  return s.done, s.ptr, tostring(s), s:synchronize(), t:close()
end

function tasks.external ()
  local s <close> = new()
  local e <close> = tide.Stream.from_external(s.ptr)
  local f <close> = tide.ExternalStream(s.ptr)
  e:record()
  f:synchronize()
  return e:is_capturing(), f.priority
end

function tasks.event ()
  local a <close> = tide.Event()
  local b <close> = tide.Event{ block = true }
  local c <close> = tide.Event{ disable_timing = true, interprocess = true }
  a:record()
  b:record(tide.Stream.null)
  c:record()
  b:synchronize()
  c:synchronize()
  return a.done, tide.get_elapsed_time(a, b), tostring(c), a:close()
end

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

function tasks.nested ()
  local s <close> = new()
  s:launch_host_func(function ()
    tide.with_stream(function (t)
      t:launch_host_func(function () tide.ones(3):sum():item() end)
      t:synchronize()
    end)
  end)
  s:synchronize()
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

--- One try with the n-th call failing -> its name, or nil if there was none.
local function try (dev, task, n, code)
  T.trim()
  T.failcall(n, code)
  local ok, err = pcall(task, dev)
  local failed = T.failed()
  T.failcall(0)
  if not failed then
    assert(ok, err)
    return nil
  end
  assert(ok or tostring(err):find(failed, 1, true),
         ("call %d, %s failed, but: %s"):format(n, failed, err))
  return failed
end

local function check_house (n, what)
  local errors = helper.settle()
  local left = helper.leftovers()
  local at = ("after call %d, %s, failed: "):format(n, what)
  assert(not left, at .. "still alive: " .. tostring(left))
  assert(not errors[1], at .. tostring(errors[1]))
end

local function check_works (n)
  local s <close> = new()
  local sum = s:with(function () return (tide.arange(100) + 1):sum() end)
  local ran = false
  s:launch_host_func(function () ran = true end)
  s:synchronize()
  assert(sum:item() == 5050 and ran, "broken after call " .. n)
end

helper.each_device(function (kind)

describe("driver calls fail in turn:", function ()
  for name, task in pairs(tasks) do
    for _, code in ipairs{ 999, OUT_OF_MEMORY } do
      it(name .. ", code " .. code, function ()
        local dev = tide.Device(kind)
        local n = 0
        repeat
          n = n + 1
          dev:use()
          local failed = try(dev, task, n, code)
          check_house(n, tostring(failed))
          dev:use()
          check_works(n)
          assert(n < 2000, "no end of calls")
        until not failed
        assert.is_true(n > 1)
      end)
    end
  end
end)

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
