--[[
luv_spec.lua - coroutines on luv's loop.
]]
local loops = require "spec.support.loops"
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T

local CODE <const> = [[
require "tide.luv"
local uv = require "luv"
local function start (fn) coroutine.wrap(fn)() end
local function loop () uv.run() end
]]

local go, run, code = loops("luv", CODE, true)

if go then helper.each_device(function (kind)

describe("luv's loop", function ()
  local uv = require "luv"

  it("serves host functions though nobody waits, while it goes on", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local ran
    local timer = uv.new_timer()
    s:launch_host_func(function () ran = true end)
    timer:start(1, 1, function ()
      if ran then timer:close() end
    end)
    uv.run()
    assert.is_true(ran)
  end)

  it("does not go on for our sake", function ()
    uv.run()
    assert.is_falsy(uv.loop_alive())
  end)

  it("may have all its handles closed", function ()
    local over
    go(function () tide.sleep(0.001) over = "first" end)
    uv.walk(function (handle)
      if not handle:is_closing() then handle:close() end
    end)
    go(function () tide.sleep(0.001) over = "second" end)
    run()
    assert.equal("second", over)
  end)

  it("raises the error of a coroutine, and goes on with others #process",
     function ()
    local printed, ok = helper.child(([[
      local tide = require "tide"
      %s
      go(function () tide.sleep(0.001) error "this one" end)
      run()
    ]]):format(code), { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.matches("this one", printed)
    assert.matches("stack traceback", printed)
  end)

  it("is interrupted by Ctrl-C, where Lua runs #process", function ()
    local printed, ok = helper.child(([[
      local tide = require "tide"
      %s
      go(function () while true do tide.sleep(0.001) end end)
      KILL = io.popen "sleep 0.2; kill -INT $PPID"
      run()
    ]]):format(code), { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.matches("interrupted!", printed)
  end)

  it("has coroutines that others resume as well", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key, co, over = T.hold(s), nil, nil
    go(function ()
      co = coroutine.running()
      over = s:await()
    end)
    go(function ()
      tide.sleep(0.001)
      coroutine.resume(co)
      assert.is_nil(over)
      T.release(key)
    end)
    run()
    assert.is_true(over)
  end)
end)

end) end
