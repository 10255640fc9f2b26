--[[
listing_spec.lua - tables that tide returns print as what they hold, and are
tables as any other.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("a listing", function ()
  it("prints as what it holds", function ()
    local a = tide.zeros{ 2, 3 }
    assert.equal("{2, 3}", tostring(a.shape))
    assert.equal("{3, 1}", tostring(a.strides))
    assert.equal("{}", tostring(a:sum().shape))
    assert.equal("{7}", tostring(tide.HostArray(7).shape))
    local devices = tostring(tide.devices())
    assert.is_truthy(devices:find(kind .. ":0", 1, true), devices)
    assert.is_truthy(devices:find "^{%l+:%d.*}$", devices)
    local stats = tide.memory_stats()
    assert.is_truthy(tostring(stats):find(
      "^{collecting=.*, collections=%d+, limit=0, live=" .. stats.live ..
      ", peak=%d+, peak_live=%d+, pinned=%d+, reserved=%d+}$"),
      tostring(stats))
  end)

  it("is a table as any other", function ()
    local shape = tide.zeros{ 2, 3 }.shape
    assert.equal("table", type(shape))
    assert.same({ 2, 3 }, shape)
    assert.equal(2, #shape)
    assert.equal("2x3", table.concat(shape, "x"))
    assert.equal(3, select(2, table.unpack(shape)))
    assert.is_nil(shape[3])
    assert.is_nil(shape.n)
    assert.is_nil(next(tide.zeros{}.shape))
    local n = 0
    for i, v in pairs(shape) do
      assert.equal(shape[i], v)
      n = n + 1
    end
    assert.equal(2, n)
    shape[3], shape.name = 4, "x"
    assert.equal("{2, 3, 4, name=x}", tostring(shape))
    shape.name = nil  -- which a list cannot have
    assert.same({ 2, 3 }, tide.zeros(shape):sum(3).shape)
    assert.are_not.equal(shape, tide.zeros(shape).shape)
  end)
end)

end)
