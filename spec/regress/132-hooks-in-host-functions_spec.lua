--[[
Host functions ran on coroutines of tide's own, where a hook that the host
program had set on the Lua state did not reach: a script under a count of
instructions could go round it there.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local PRELUDE = [[
  local tide = require "tide"
  local s = tide.Stream{ non_blocking = true }
  local function forever ()
    while true do end
  end
  local function stop ()
    error "too many instructions"
  end
  local function stopped (fn, ...)
    local ok, message = pcall(fn, ...)
    assert(not ok and message:find "too many instructions", message)
  end
]]

local function runs (code)
  helper.child_on(kind, PRELUDE .. code)
end

describe("a hook that counts instructions #process", function ()
  it("stops a host function, too", function ()
    runs [[
      s:launch_host_func(forever)
      debug.sethook(stop, "", 10000)
      stopped(s.synchronize, s)
    ]]
  end)

  it("stops one that tide.poll runs", function ()
    runs [[
      s:launch_host_func(forever)
      debug.sethook(stop, "", 100000)
      stopped(function ()
        while true do
          tide.poll()
        end
      end)
    ]]
  end)

  it("stops one of a graph", function ()
    runs [[
      local g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(forever)
      end)
      g:launch(s)
      debug.sethook(stop, "", 10000)
      stopped(s.synchronize, s)
    ]]
  end)

  it("stops one that a coroutine waits for", function ()
    runs [[
      s:launch_host_func(forever)
      local co = coroutine.create(function () s:synchronize() end)
      debug.sethook(co, stop, "", 10000)
      stopped(function () assert(coroutine.resume(co)) end)
    ]]
  end)
end)

end)
