--[[
272: a task that waited went on as if it were over when a generator's driver, or
whoever else had its coroutine, resumed it: x:await() raised that the device was
not ready, and the task was never woken again.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T
local sleep, spawn = tide.sleep, tide.spawn

helper.each_device(function ()

describe("a task that another coroutine resumes", function ()
  --- Resumes it where it waits -> what fn returned.
  local function resume_early (fn, release)
    return tide.run(function ()
      local co
      local task = spawn(function ()
        co = coroutine.running()
        return fn()
      end)
      sleep(0)
      assert.is_true(coroutine.resume(co))
      assert.equal("suspended", coroutine.status(co))
      if release then release() end
      return task:await()
    end)
  end

  it("waits for the device all the same", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    assert.is_true(resume_early(function () return s:await(20) end,
                                function () T.release(key) end))
  end)

  it("waits for the clock all the same", function ()
    local seconds = tide.clock()
    resume_early(function () sleep(0.02) end)
    assert.is_true(tide.clock() - seconds >= 0.02)
  end)

  it("waits in a line all the same", function ()
    local q = tide.queue()
    assert.equal(1, resume_early(function () return q:get() end,
                                 function () q:put(1) end))
  end)
end)

end)
