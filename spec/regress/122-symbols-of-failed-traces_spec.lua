--[[
What stands for an argument of a fused function was known by the address of its
trace. That of a trace that had failed could be where a later one was: then it
was taken for one of that, and read beyond it.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a symbol that a fused function has kept", function ()
  it("is refused in any other trace, also of one that failed", function ()
    local a = tide.arange(10)
    local kept = {}
    local bad = tide.fuse(function (x, y)
      local z = x
      for i = 1, 30 do
        z = z * 2 + y
        kept[i] = z
      end
      error "no"
    end)
    for round = 1, 50 do
      fails("no", bad, a, a)
      collectgarbage()
      local use = tide.fuse(function (x)
        return x + kept[round % #kept + 1]
      end)
      fails("symbol of another fused function", use, a)
    end
  end)

  it("is refused after its function has returned", function ()
    local a, kept = tide.arange(10), nil
    local good = tide.fuse(function (x)
      kept = x + 1
      return kept
    end)
    assert.equal(55, good(a):sum():item())
    collectgarbage()
    fails("symbol of another fused function",
          tide.fuse(function (x) return x + kept end), a)
    fails("symbol", function () return kept + 1 end)
  end)
end)

end)
