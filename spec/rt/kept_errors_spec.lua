--[[
kept_errors_spec.lua - errors of work that was kept behind host functions (see
kept_spec.lua), and of these functions.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

local LATE = "which came after a host function, could not be queued: "

helper.each_device(function (kind)

local function finish () tide.Device(kind):synchronize() end

describe("an operation that cannot be sent", function ()
  local function late (name, queue, wait, code)
    local s <close>, a, e = new(), tide.zeros(8), tide.Event()
    local g <close> = tide.capture(function () a:add_(1) end)
    local ran = false
    s:with(queue, a, e, g)
    finish()
    s:launch_host_func(function ()
      ran = true
      T.failcall(1, code or 701, name)
    end)
    s:with(queue, a, e, g)
    fails(LATE .. name, wait or s.synchronize, s)
    T.failcall(0)
    assert.is_true(ran)
    s:with(function () a:fill(5) end)
    s:synchronize()
    assert.equal(40, a:sum():item())
  end

  for name, queue in pairs{
    cuLaunchKernel = function (_, a) a:add_(1) end,
    cuGraphLaunch = function (_, _, _, g) g:launch() end,
    cuEventRecord = function (s, _, e) s:record(e) end,
  } do
    it("raises in the next wait: " .. name, function ()
      late(name, queue)
    end)
  end

  it("raises in the wait for its device", function ()
    late("cuLaunchKernel", function (_, a) a:add_(1) end, finish)
  end)

  it("raises, too, if the device works in spite of a grave error", function ()
    late("cuLaunchKernel", function (_, a) a:add_(1) end, nil, 999)
  end)

  it("raises once, and what comes behind is sent", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.zeros(8), tide.zeros(8)
    a:add_(1)
    finish()
    s:launch_host_func(function () T.failcall(1, 701, "cuLaunchKernel") end)
    s:with(function ()
      a:add_(1)
      b:add_(3)
    end)
    t:with(function () b:add_(4) end)
    fails(LATE, t.synchronize, t)
    T.failcall(0)
    t:synchronize()
    s:synchronize()
    assert.same({ 8, 56 }, { a:sum():item(), b:sum():item() })
  end)

  it("is told at the end where nobody waited #process", function ()
    local _, err = helper.child_on(kind, [[
      io.stderr:setvbuf "no"
      local tide = require "tide"
      local s, a = tide.Stream{ non_blocking = true }, tide.zeros(8)
      a:add_(1)
      tide.get_device():synchronize()
      s:launch_host_func(function ()
        tide.T.failcall(1, 701, "cuLaunchKernel")
      end)
      s:with(function () a:add_(1) end)
      local ok, message = pcall(a.item, a:sum())
      print(not ok and message:find("could not be queued", 1, true) ~= nil)
    ]])
    assert(err == nil or err == "", err)
  end)
end)

describe("an error of a host function", function ()
  it("reaches what is behind it on other streams", function ()
    local s <close> = new()
    local t <close> = new()
    local u <close> = new()
    local a = tide.zeros(8)
    for _, wait in ipairs{ function () t:synchronize() end,
                           function () a:sum():item() end,
                           function () t:record():synchronize() end } do
      s:launch_host_func(function () error "no luck" end)
      s:with(function () a:fill(1) end)
      t:with(function () a:add_(1) end)
      u:synchronize()
      fails("no luck", wait)
      finish()
      assert.equal(16, a:sum():item())
    end
  end)

  it("and does not reach what is not", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.zeros(8), tide.zeros(8)
    s:launch_host_func(function () error "no luck" end)
    s:with(function () a:fill(1) end)
    t:with(function () b:add_(1) end)
    t:synchronize()
    assert.equal(8, t:with(function () return b:sum():item() end))
    fails("no luck", s.synchronize, s)
  end)
end)

end)
