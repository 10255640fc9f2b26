--[[
soak_spec.lua - a few seconds of `make soak`: random programs give what the same
programs give in plain Lua (spec/soak/program.lua), alone and on threads with
lua_States of their own (spec/embed/soak.c). random_spec.lua is about arrays
across streams alone, with more of them at a time.
]]
local helper = require "spec.helper"
local run = require "spec.soak.program"

helper.each_device(function (kind)

describe("random programs", function ()
  for first = 1, 31, 10 do
    it(("give what their model gives, seeds from %d on"):format(first),
    function ()
      for seed = first, first + 9 do
        run(seed, 200)
      end
    end)
  end

  it("do so on threads of their own #process", function ()
    helper.program(kind, "soak", "-q", 3, 1000, 3)
  end)
end)

end)
