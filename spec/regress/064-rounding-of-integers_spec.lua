--[[
064: floor, ceil, trunc and round made float64 of integers, so that large ones
lost digits. They leave them as they are, as in NumPy 2.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local NAMES = { "floor", "ceil", "trunc", "round" }

helper.each_device(function ()

it("integers and bools are whole", function ()
  local large = math.maxinteger - 1
  for _, name in ipairs(NAMES) do
    local a = tide.array{ 1, -7, large }
    local z = tide[name](a)
    assert.equal("int64", z.dtype)
    assert.same({ 1, -7, large }, z:totable())
    z:fill(0)  -- is not a view
    assert.same({ 1, -7, large }, a:totable())
    assert.equal("bool", tide[name](tide.ones(2, "bool")).dtype)
    assert.same({ 1, 1 }, tide[name](tide.ones(2, "uint8")):totable())
  end
end)

it("also into out, which may overlap", function ()
  for _, name in ipairs(NAMES) do
    local a = tide.arange(6, "int32")
    local z = a:slice(2)
    assert.equal(z, tide[name](a:slice(1, -2), { out = z }))
    assert.same({ 0, 0, 1, 2, 3, 4 }, a:totable())
    assert.equal(a, tide[name](a, { out = a }))
    helper.fails("must have dtype int32", tide[name], a,
                 { out = tide.zeros(6) })
  end
end)

it("also in a fused function", function ()
  for _, name in ipairs(NAMES) do
    local f = tide.fuse(function (x, y) return x[name](x) + y end)
    local z = f(tide.array{ 2, 3 }, tide.array{ 1, math.maxinteger - 3 })
    assert.equal("int64", z.dtype)
    assert.same({ 3, math.maxinteger }, z:totable())
    local g = tide.fuse(function (x) return x[name](x) end)
    assert.same({ true, false }, g(tide.array{ true, false }):totable())
  end
end)

end)
