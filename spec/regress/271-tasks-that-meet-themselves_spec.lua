--[[
271: a task that gathered itself waited for ever, or, once another of the list
had failed, got "a task cannot cancel itself" instead of that error. And so did
the end of a scope, of a task that was cancelling the one that has the scope.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails = helper.fails
local run, sleep, spawn = tide.run, tide.sleep, tide.spawn

describe("a task", function ()
  for _, name in ipairs{ "gather", "race" } do
    it("cannot wait for itself: " .. name, function ()
      run(function ()
        local me, began
        me = spawn(function ()
          sleep(0)
          fails(("tide.%s: a task cannot wait for itself"):format(name),
                tide[name], { function () began = true end, me })
        end)
        me:await()
        sleep(0)
        assert.is_nil(began)
      end)
    end)
  end

  it("may be in the scope of one that it cancels", function ()
    run(function ()
      local first, second
      first = spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          second:cancel()
        end })
        sleep(10)
      end)
      second = spawn(function ()
        local _ <close> = first
        sleep(10)
      end)
      sleep(0)
      assert.is_true(first:cancel())
      for _, task in ipairs{ first, second } do
        fails("was cancelled", task.await, task)
      end
    end)
  end)
end)
