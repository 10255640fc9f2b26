--[[
states_spec.lua - several lua_States and threads. The host program is
spec/embed/states.c. #process: see run.lua, which runs some of this under
ThreadSanitizer by itself.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local function states (...) helper.program(kind, "states", ...) end

describe("lua_States #process", function ()
  it("on two threads at once", function () states("threads", 2) end)

  it("on eight threads at once", function () states("threads", 8) end)

  it("on four threads, with kernels that come and go", function ()
    states("kernels", 4)
  end)

  it("closed with work pending", function () states "pending" end)

  it("closed while another one of the thread has functions to run", function ()
    states("pending", "both")
  end)

  it("moved from thread to thread", function () states "move" end)

  it("with captures of each mode: on the move, and beside others", function ()
    states "captures"
  end)

  it("each have a sync_debug of their own", function () states "debug" end)
end)

describe("with, as the first use of a lua_State #process", function ()
  local function check (before)
    helper.program(kind, "several", ([[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      local t = tide.Stream{ non_blocking = true }
      local a, kept, started = tide.ones(10), {}, false
      t:launch_host_func(function ()
        for i = 1, 400 do  -- all that there are
          local ok, stream = pcall(tide.Stream, { non_blocking = true })
          if not ok then break end
          kept[i] = stream
        end
        start(1, %q)
        started = true
        sleep(0.2)
      end)
      s:launch_host_func(function () end)
      s:with(function () a:add_(1) end)
      sleep(0.05)
      repeat tide.poll() until started
      s:synchronize()
      finish()
      kept = nil
    ]]):format(before .. [[
      local tide = require "tide"
      local ran = tide.Stream.null:with(function () return "ran" end)
      assert(ran == "ran", ran)
    ]]))
  end

  helper.host_it("waits as other calls do (#222)", function () check "" end)

  helper.host_it("also after an error deep in the stack", function ()
    check [[
      local tide = require "tide"
      local function deep (n)
        if n > 0 then deep(n - 1) else pcall(tide.zeros, -1) end
        return n
      end
      deep(30)
    ]]
  end)
end)

describe("a wait for a stream of somebody else's #process", function ()
  it("is for what its owner has queued (#260)", function ()
    helper.program(kind, "several", [[
      local tide = require "tide"
      local s = tide.Stream{ non_blocking = true }
      tide.get_device():synchronize()
      local key = tide.T.hold(s)
      run(1, ("PTR = %d"):format(s.ptr))
      run(1, [=[
        local tide = require "tide"
        t = tide.Stream{ non_blocking = true }
        t:wait_stream(tide.ExternalStream(PTR))
        assert(not t.done)
      ]=])
      tide.T.release(key)
      s:synchronize()
      run(1, "t:synchronize() assert(t.done)")
    ]])
  end)
end)

end)
