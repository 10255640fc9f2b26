--[[
meshgrid_spec.lua - arrays spread along the axes of others.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("broadcast_arrays", function ()
  it("repeats all to one shape", function ()
    local a, b = tide.arange(3), tide.array{ { 10 }, { 20 } }
    local x, y, z, more = tide.broadcast_arrays{ a, b, tide.array(5) }
    assert.is_nil(more)
    assert.same({ { 0, 1, 2 }, { 0, 1, 2 } }, x:totable())
    assert.same({ { 10, 10, 10 }, { 20, 20, 20 } }, y:totable())
    assert.same({ { 5, 5, 5 }, { 5, 5, 5 } }, z:totable())
    a[1] = 7  -- they are views
    assert.equal(7, x[2][1])
    assert.same({ 0, 3 }, (tide.broadcast_arrays{ a, tide.ones{ 0, 1 } }).shape)
    assert.same({}, (tide.broadcast_arrays{ tide.array(1) }).shape)
    for _, v in ipairs{ x, y, z, (tide.broadcast_arrays{ a }) } do
      fails("cannot be written", v.fill, v, 1)
    end
  end)

  it("says which array does not fit", function ()
    local a = tide.arange(3)
    badarg(1, "array 3 has shape 4, which does not match 2x3, that of those " ..
           "before", tide.broadcast_arrays, { a, tide.ones{ 2, 1 },
                                              tide.ones(4) })
    badarg(1, "table expected, got tide.Array", tide.broadcast_arrays, a)
    badarg(1, "at least one array expected", tide.broadcast_arrays, {})
    badarg(1, "tide.Array expected as element 2, got number",
           tide.broadcast_arrays, { a, 1 })
    local closed = tide.ones(3)
    closed:close()
    badarg(1, "array 2 is closed", tide.broadcast_arrays, { a, closed })
  end)
end)

describe("broadcast_shapes", function ()
  it("says what arrays broadcast to", function ()
    assert.same({}, tide.broadcast_shapes())
    assert.same({}, tide.broadcast_shapes{})
    assert.same({ 3 }, tide.broadcast_shapes(3))
    assert.same({ 2, 3 }, tide.broadcast_shapes(3, { 2, 1 }, {}))
    assert.same({ 4, 2, 3 }, tide.broadcast_shapes({ 2, 1 }, 1, { 4, 1, 3 }))
    assert.same({ 0 }, tide.broadcast_shapes(0, 1))
    assert.same({ 2, 0 }, tide.broadcast_shapes({ 2, 1 }, 0))
    local huge = { 1 << 46, 1 << 46 }  -- no array's, but a shape
    assert.same(huge, tide.broadcast_shapes({ 1 << 46, 1 }, 1 << 46))
  end)

  it("says which shape does not fit", function ()
    fails("#2 to 'tide.broadcast_shapes' (shape 2x2 does not match 3, that " ..
          "of the shapes before)", tide.broadcast_shapes, 3, { 2, 2 })
    fails("#3 to 'tide.broadcast_shapes' (shape 0 does not match 2x3",
          tide.broadcast_shapes, 3, { 2, 1 }, 0)
    fails("#1 to 'tide.broadcast_shapes' (shape must be an integer or a " ..
          "table of integers, got string", tide.broadcast_shapes, "3")
    fails("#2 to 'tide.broadcast_shapes' (shape must not be negative",
          tide.broadcast_shapes, 3, { -1 })
  end)
end)

describe("meshgrid", function ()
  it("has an axis for each array", function ()
    local x, y = tide.arange(3), tide.array({ 5, 6 }, "int8")
    local gx, gy, more = tide.meshgrid{ x, y }
    assert.is_nil(more)
    assert.same({ { 0, 1, 2 }, { 0, 1, 2 } }, gx:totable())
    assert.same({ { 5, 5, 5 }, { 6, 6, 6 } }, gy:totable())
    assert.equal("int8", gy.dtype)
    gx:fill(1)  -- they are copies
    assert.same({ 0, 1, 2 }, x:totable())
    gx, gy = tide.meshgrid({ x, y }, { indexing = "ij" })
    assert.same({ { 0, 0 }, { 1, 1 }, { 2, 2 } }, gx:totable())
    assert.same({ { 5, 6 }, { 5, 6 }, { 5, 6 } }, gy:totable())
    local _, _, gz = tide.meshgrid{ x, y, tide.arange(4) }
    assert.same({ 2, 3, 4 }, gz.shape)
    assert.same({ 0, 1, 2, 3 }, gz[2][3]:totable())
    assert.same({ 0, 1, 2 }, (tide.meshgrid{ x }):totable())
    gx, gy = tide.meshgrid{ tide.array(7), tide.ones(0) }
    assert.same({ 0, 1 }, gx.shape)
    assert.same({ 0, 1 }, gy.shape)
  end)

  it("is sparse, or made of views, if told so", function ()
    local x, y = tide.arange(3), tide.arange(2)
    local gx, gy = tide.meshgrid({ x, y }, { sparse = true })
    assert.same({ { 0, 1, 2 } }, gx:totable())
    assert.same({ { 0 }, { 1 } }, gy:totable())
    gx:fill(9)
    assert.same({ 0, 1, 2 }, x:totable())
    gx, gy = tide.meshgrid({ x, y }, { copy = false })
    assert.same({ 0, 1 }, gx.strides)
    assert.same({ { 0, 0, 0 }, { 1, 1, 1 } }, gy:totable())
    fails("cannot be written", gx.fill, gx, 1)
    x[1] = 4
    assert.equal(4, gx[2][1])
    gx = tide.meshgrid({ x, y }, { copy = false, sparse = true })
    gx[1][2] = 8
    assert.equal(8, x[2])
  end)

  it("says what is wrong", function ()
    local x = tide.arange(3)
    local indexing = "option 'indexing' must be 'xy' or 'ij'"
    badarg(2, indexing, tide.meshgrid, { x }, { indexing = "yx" })
    badarg(2, indexing, tide.meshgrid, { x }, { indexing = 1 })
    badarg(2, "unknown option 'spares'; did you mean 'sparse'?",
           tide.meshgrid, { x }, { spares = true })
    badarg(1, "field 'sparse' in a list of arrays", tide.meshgrid,
           { x, sparse = true })
    local many = {}
    for i = 1, 33 do
      many[i] = tide.array(i)
    end
    badarg(1, "the result would have more than 32 axes", tide.meshgrid, many)
    many[33] = nil
    assert.equal(32, select("#", tide.meshgrid(many)))
  end)

  it("is captured", function ()
    local x, z = tide.arange(2), tide.zeros({ 2, 2 }, "int64")
    local g = tide.capture(function ()
      z:copy_from((tide.meshgrid({ x, x }, { indexing = "ij" })))
    end)
    x:add_(3)
    g:launch()
    assert.same({ { 3, 3 }, { 4, 4 } }, z:totable())
  end)
end)

describe("indices", function ()
  it("count from 1", function ()
    local i, j = table.unpack(tide.indices{ 2, 3 }:unstack())
    assert.same({ { 1, 1, 1 }, { 2, 2, 2 } }, i:totable())
    assert.same({ { 1, 2, 3 }, { 1, 2, 3 } }, j:totable())
    local a = tide.indices(3, "float32")
    assert.equal("float32", a.dtype)
    assert.same({ { 1, 2, 3 } }, a:totable())
    assert.same({ 0 }, tide.indices({}).shape)
    assert.same({ 2, 0, 3 }, tide.indices{ 0, 3 }.shape)
    for _, t in ipairs{ "int8", "uint64", "float16", "bfloat16" } do
      assert.equal(12, tide.indices({ 3, 2 }, t)[1]:sum():item())
    end
  end)

  it("are numbers", function ()
    badarg(2, "indices has no bool", tide.indices, 3, "bool")
    badarg(2, "a shape of several axes is a table: indices{2, 3}",
           tide.indices, 2, 3)
    badarg(1, "shape must not be negative", tide.indices, { 2, -1 })
    local many = {}
    for i = 1, 32 do
      many[i] = 1
    end
    badarg(1, "the result would have more than 32 axes", tide.indices, many)
  end)
end)

end)
