--[[
A loop may go on within a task, and with it the coroutine of another run. As
that ended or gave its turn, there was no run any more for the task around it:
"attempt to index a nil value (upvalue 'run')".
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local cqueues = require "cqueues"

require "tide.cqueues"

helper.each_device(function ()

describe("a run that goes on within a task of another one", function ()
  local function began (fn)
    local loop = cqueues.new()
    loop:wrap(function () tide.run(fn) end)
    assert(loop:step(0))
    return loop
  end

  it("ends there", function ()
    local inner = began(function () tide.sleep(0.02) end)
    assert.equal("fine", tide.run(function ()
      assert(inner:loop())
      tide.sleep(0.001)
      assert.equal(3, tide.spawn(function () return 3 end):await())
      return "fine"
    end))
  end)

  it("gives its turn there", function ()
    local over = false
    local inner = began(function ()
      for _ = 1, 3 do tide.sleep(0.005) end
      over = true
    end)
    tide.run(function ()
      for _ = 1, 50 do
        assert(inner:step(0.001))
        tide.sleep(0.001)
      end
    end)
    assert(inner:loop())
    assert.is_true(over)
  end)
end)

end)
