--[[
Calling a function of a module with ':' is an error before the call has a door
of its own. The State's was that of a call which an error had ended: what was
read there was whatever lay on the C stack, and mostly the process ended. Found
by a program of a newcomer.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a function that is called with its module after an error", function ()
  it("is told of so #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local function deep (n) return n > 0 and deep(n - 1) .. "" or "" end
      local first = {
        function () local x = tide.zeros("3") return x end,
        function () local x = tide.ones(2):sum(7) return x end,
        function () local x = tide.Stream{ x = 1 } return x end,
        function () local x = tide.open("/nowhere/at/all") return x end,
        function () local x = tide.einsum() return x end
      }
      local second = {
        zeros = function () local x = tide:zeros(3) return x end,
        open = function () local x = tide:open("x") return x end,
        poll = function () local x = tide:poll() return x end,
        Event = function () local x = tide:Event() return x end,
        uniform = function () local x = tide.random:uniform(3) return x end
      }
      for _, fails in ipairs(first) do
        for name, call in pairs(second) do
          assert(not pcall(fails))
          deep(50)
          local ok, why = pcall(call)
          assert(not ok and why:find("calling '" .. name .. "' on bad self " ..
                 "(a function of a module is called with '.')", 1, true), why)
        end
      end
      print "done"
    ]])
    assert.equal("done\n", printed)
  end)
end)

end)
