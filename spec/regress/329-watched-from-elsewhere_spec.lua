--[[
Who waited for a task of another run, or as a coroutine of a loop, was never
woken if that run failed or was closed: it forgot who watched its tasks.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

require "tide.loop"

helper.each_device(function ()

describe("a task of a run that fails", function ()
  local task

  after_each(function () task = nil end)

  local function start ()
    task = nil
    local co = coroutine.create(function ()
      local _, why = pcall(tide.run, function ()
        task = tide.spawn(tide.sleep, 60)
        tide.sleep(0.02)
        error "the run fails"
      end)
      assert.matches("the run fails", why)
    end)
    coroutine.resume(co)
    return co
  end

  local function told (wait)
    local ok, why
    coroutine.wrap(function () ok, why = pcall(wait) end)()
    return function (finish)
      assert.is_nil(ok)
      finish()
      local til = tide.clock() + 10
      while ok == nil and tide.clock() < til do tide.poll(0.01) end
      assert.is_false(ok)
      assert.matches("was cancelled", why)
    end
  end

  it("raises where a coroutine of a loop awaits it", function ()
    start()
    told(function () task:await() end)(function () end)
  end)

  it("raises in gather and race of another run", function ()
    for _, name in ipairs{ "gather", "race" } do
      start()
      told(function () tide.run(tide[name], { task }) end)(function () end)
    end
  end)

  it("raises where that run's coroutine is closed", function ()
    local co = start()
    told(function () tide.run(function () task:await() end) end)(function ()
      coroutine.close(co)
    end)
  end)
end)

end)
