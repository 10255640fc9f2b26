--[[
A fused function that called itself with more arguments while it was traced: the
call around it took what its own arguments never were for arrays.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a fused function that calls itself", function ()
  local function sum (...)
    local s = ...
    for i = 2, select("#", ...) do s = s + select(i, ...) end
    return s
  end

  it("has its own arguments", function ()
    for _, inner in ipairs{ 1, 2, 8, 14 } do
      for _, outer in ipairs{ 1, 2, 7, 14 } do
        local once, f
        local c, z = tide.ones(20), tide.zeros(20)
        local args, more = {}, {}
        for i = 1, outer do args[i] = c:copy() end
        for i = 1, inner do more[i] = c end
        f = tide.fuse(function (...)
          if not once then
            once = true
            assert.equal(20.0 * inner, f(table.unpack(more)):sum():item())
          end
          return sum(...)
        end)
        args[outer + 1] = { out = z }
        f(table.unpack(args))
        assert.equal(20.0 * outer, z:sum():item())
      end
    end
  end)
end)

end)
