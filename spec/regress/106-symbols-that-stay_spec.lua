--[[
A symbol that a fused function had left behind was told from those of the next
one by the address of its trace, which was often that of the one before: it was
taken for another value, or for none, and the process crashed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

local function collect ()
  collectgarbage()
  collectgarbage()
end

describe("a symbol of a fused function", function ()
  it("is of no use in another one, wherever that is in memory", function ()
    local a = tide.array{ 1, 2, 3 }
    for _ = 1, 20 do
      local left
      fails("enough", tide.fuse(function (x)
        for _ = 1, 90 do
          left = x + 1
        end
        error "enough"
      end), a)
      collect()
      fails("symbol of another fused function", tide.fuse(function (x)
        return left + x
      end), a)
      collect()
      fails("must return what it makes of its arguments",
            tide.fuse(function () return left end), a)
      collect()
      fails("symbol of another fused function", tide.fuse(function (x)
        return left.dtype == "int64" and x
      end), a)
      fails("cannot be used outside", function () return left.dtype end)
    end
  end)
end)

end)
