--[[
host_context_spec.lua - what a host function runs in: alone, with a device and a
stream of its own, with streams in stock, under hooks, beside other lua_States.
#process: see run.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

helper.each_device(function (kind)

describe("a host function", function ()
  it("starts no other one, whatever it calls (#005) (#125)", function ()
    local k <close> = new()
    local j <close> = new()
    local a, order = tide.zeros(4, "int64"), {}
    local later = T.hold(j)
    k:launch_host_func(function ()
      order[#order + 1] = "k"
      T.release(later)
      helper.spin(5)                               -- j's is due by now
      assert.equal(0, tide.poll())
      pcall(j.synchronize, j)
      pcall(a.item, a)
      j:with(function () a:add_(1) end)
      order[#order + 1] = "k again"
    end)
    j:launch_host_func(function () order[#order + 1] = "j" end)
    k:synchronize()
    j:synchronize()
    assert.same({ "k", "k again", "j" }, order)
    assert.equal(4, a:sum():item())
  end)

  it("has its stream's device as the current one (#063) #process", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      for i = 0, 1 do
        tide.with_device(tide.Device("host:" .. i), function ()
          tide.Stream():launch_host_func(function ()
            local dev = tide.get_device()
            assert(dev == tide.Device("host:" .. i))
            assert(dev == tide.get_current_stream().device)
            io.write "ran "
          end)
        end)
      end
      repeat until select(2, tide.T.due()) == 2  -- until both are due
      tide.poll()
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("ran ran ", printed)
  end)

  it("leaves the stream free that it made current (#071)", function ()
    local token
    local function nested ()
      local other = new()
      other:launch_host_func(function () new():use() end)
      other:close()
    end
    for _, fn in ipairs{
      function () new():use() end,
      function () new():use() error("raised", 0) end,
      function () token = new():scope() new():use() end,
      nested
    } do
      local base <close> = new()
      base:launch_host_func(fn)
      pcall(base.synchronize, base)
      tide.Device(kind):synchronize()
      if token then token:close() end
      token = nil
      helper.settle()
      assert.equal(1, T.held().streams)  -- base
    end
  end)

  it("has a current stream that is in no capture (#161)", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = tide.zeros(1), tide.zeros(1)
    local REFUSED <const> = "takes no part in captures"
    s:begin_capture()
    s:with(function () a:add_(1) end)
    t:launch_host_func(function () fails(REFUSED, a.add_, a, 1) end)
    t:synchronize()
    t:launch_host_func(function ()
      tide.get_current_stream():begin_capture()
    end)
    fails(REFUSED, t.synchronize, t)
    t:launch_host_func(function () b:add_(1) end)
    t:synchronize()
    assert.equal(1, b[1])
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(1, a[1])
  end)
end)

describe("the stock of streams for host functions", function ()
  it("is not needed to run them (#131)", function ()
    local first <close> = new()
    local second <close> = new()
    local all, ran = {}, {}
    first:launch_host_func(function ()  -- here, none can be made
      while #all < 200 and pcall(function () all[#all + 1] = new() end) do end
      ran[#ran + 1] = "first"
      tide.get_current_stream():wait_stream(second)  -- stands, from now on
    end)
    first:record()
    second:wait_stream(first)
    second:launch_host_func(function () ran[#ran + 1] = "second" end)
    second:record()
    first:synchronize()
    second:synchronize()
    assert.same({ "first", "second" }, ran)
    for _, stream in ipairs(all) do stream:close() end
    first:launch_host_func(function () ran[#ran + 1] = "third" end)
    T.failcall(1, 2, "cuStreamCreateWithPriority")
    first:synchronize()
    T.failcall(0)
    assert.equal("third", ran[3])
  end)

  it("is there if as many of another kind are idle (#262) #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local many = {}
      for i = 1, 140 do many[i] = tide.Stream{ non_blocking = true } end
      for i = 1, 140 do many[i]:close() end
      tide.poll()
      local s, x = tide.Stream{ non_blocking = true }, tide.ones(3)
      s:launch_host_func(function ()
        for _ = 1, 8 do tide.Stream() end
        print "ran"
      end)
      s:with(function () x:add_(1) end)
      s:synchronize()
    ]])
    assert.equal("ran\n", printed)
  end)
end)

describe("a hook", function ()
  it("that counts instructions stops host functions (#132) #process",
     function ()
    for _, code in ipairs{ [[
      s:launch_host_func(forever)
      debug.sethook(stop, "", 100000)
      stopped(function () while true do tide.poll() end end)
    ]], [[
      local g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(forever)
      end)
      g:launch(s)
      debug.sethook(stop, "", 10000)
      stopped(s.synchronize, s)
    ]], [[
      s:launch_host_func(forever)
      local co = coroutine.create(function () s:synchronize() end)
      debug.sethook(co, stop, "", 10000)
      stopped(function () assert(coroutine.resume(co)) end)
    ]] } do
      helper.child_on(kind, [[
        local tide = require "tide"
        local s = tide.Stream{ non_blocking = true }
        local function forever () while true do end end
        local function stop () error "too many instructions" end
        local function stopped (fn, ...)
          local ok, message = pcall(fn, ...)
          assert(not ok and message:find "too many instructions", message)
        end
      ]] .. code)
    end
  end)

  it("that a host function sets or removes ends no wait (#136)", function ()
    local s <close> = new()
    local lines, a = 0, tide.ones(3)
    s:launch_host_func(function ()
      debug.sethook(function () lines = lines + 1 end, "l")
    end)
    s:with(function () a:add_(1) end)
    local ok, err = pcall(function ()
      s:synchronize()
      return a:sum():item()
    end)
    debug.sethook()
    assert(ok, err)
    assert.equal(6, err)
    assert(lines > 0)
    s:launch_host_func(debug.sethook)
    debug.sethook(function () end, "", 100000)
    ok, err = pcall(s.synchronize, s)
    debug.sethook()
    assert(ok, err)
  end)

  it("that stops a host function and goes has its own message", function ()
    local s <close> = new()
    s:launch_host_func(function () while true do end end)
    debug.sethook(function ()
      debug.sethook()
      error "the script took too long"
    end, "", 10000)
    local ok, err = pcall(s.synchronize, s)
    debug.sethook()
    assert.is_false(ok)
    assert.is_truthy(err:find("the script took too long", 1, true), err)
    s:synchronize()
  end)
end)

describe("a host function that runs another lua_State #process", function ()
  helper.host_it("has its own device afterwards (#220)", function ()
    helper.program_in({ TIDE_HOST_DEVICES = 2 }, kind, "several", [[
      local tide = require "tide"
      tide.Device "host:0":use()
      run(1, "tide = require 'tide'; tide.Device 'host:1':use(); " ..
             "x = tide.ones(10)")
      local s, h = tide.Stream{ non_blocking = true }, nil
      s:launch_host_func(function ()
        tide.Event()
        run(1, "y = tide.ones(10000000)")
        h = tide.HostArray(1 << 22)
      end)
      s:synchronize()
      run(1, "tide.Device 'host:1':reset()")
      h:fill(3)
      assert(h[5] == 3 and tide.asarray(h):sum():item() == 3 << 22)
    ]])
  end)

  helper.host_it("notices that it has reset the device (#221)", function ()
    for _, wait in ipairs{ "pcall(s.synchronize, s)",
                           "while tide.poll() == 0 do end" } do
      helper.program(kind, "several", ([[
        local tide = require "tide"
        run(1, "require 'tide'.ones(10):sum():item()")
        local s, a = tide.Stream{ non_blocking = true }, tide.ones(10)
        s:launch_host_func(function ()
          run(1, "require 'tide'.get_device():reset()")
        end)
        %s
        assert(not pcall(a.add_, a, 1))
        assert(tide.ones(7):sum():item() == 7)
      ]]):format(wait))
    end
  end)
end)

end)
