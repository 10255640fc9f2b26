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
      local tried, refused = 0, 0
      for seed = first, first + 9 do
        local n, m = run(seed, 200, "alone")
        tried, refused = tried + n, refused + m
      end
      assert(tried > 100 and refused * 10 < tried, refused .. " refused")
    end)
  end

  helper.host_it("do so on a device that is not the default one #process",
  function ()
    local printed = helper.child_on("host", [[
      package.path = "./?.lua;" .. package.path
      require "tide".Device "host:1":use()
      for seed = 1, 20 do require "spec.soak.program" (seed, 200, "alone") end
      print "ok"
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("ok\n", printed)
  end)

  it("do so on threads of their own #process", function ()
    helper.program(kind, "soak", "-q", 3, 1000, 3)
  end)
end)

end)
