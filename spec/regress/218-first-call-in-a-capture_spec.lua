--[[
The first call of a fused function traces it, and that made the call begin again
behind the copies of its operands: in a capture they were nodes of the graph
twice, which then could not be updated from one captured later.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a fused function that is first called in a capture", function ()
  local function stencil (c, n, s, w, e, k)
    return c + k * (n + s + w + e - 4 * c)
  end

  it("makes a graph like those of later calls", function ()
    local f = tide.fuse(stencil)
    local u = tide.arange(400.0):reshape(20, 20)
    local i, l, r = { 2, -2 }, { 1, -3 }, { 3, -1 }
    local function capture (k)
      return tide.capture(function ()
        f(u[{ i, i }], u[{ l, i }], u[{ r, i }], u[{ i, l }], u[{ i, r }], k,
          { out = u[{ i, i }] })
      end)
    end
    local first, second = capture(0.1), capture(0.2)
    local NODES = "%d+ nodes"
    assert.equal(tostring(second):match(NODES), tostring(first):match(NODES))
    assert.is_true((first:update(second)))
  end)

  it("says so if it closes what is to be copied", function ()
    local x = tide.arange(300.0 * 400):reshape(300, 400)
    local y = x.T
    local f = tide.fuse(function (a, b)
      y:close()
      return a + b
    end)
    fails("closed", f, y, tide.ones{ 400, 300 })
    assert.equal(300 * 400, x.size)
    local z = x.T
    local g = tide.fuse(function (a, _) x:close() z:close() return a + 1 end)
    fails("closed", g, z[{ { 1, 400 } }]:broadcast_to(400, 300), z)
  end)
end)

end)
