--[[
insert_spec.lua - arrays with more elements, or fewer, along an axis.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("append", function ()
  it("puts values behind", function ()
    local a = tide.arange(4):reshape{ 2, 2 }
    assert.same({ 0, 1, 2, 3, 7 }, a:append(7):totable())
    assert.same({ 0, 2, 1, 3, 7, 8 }, a.T:append{ { 7 }, { 8 } }:totable())
    assert.same({ 0, 1, 2, 3, 0, 2, 1, 3 }, tide.append(a, a.T):totable())
    assert.same({ { 0, 1 }, { 2, 3 }, { 7, 8 } },
                a:append({ { 7, 8 } }, 1):totable())
    assert.same({ { 0, 1, 7 }, { 2, 3, 8 } },
                a:append({ { 7 }, { 8 } }, { axis = -1 }):totable())
    assert.same({ 5, 6 }, tide.array(5):append(6):totable())
    assert.same({ 1 }, tide.zeros(0):append(1):totable())
    assert.same({ 0, 1, 2, 3 }, a:append(tide.ones(0, "int64")):totable())
  end)

  it("promotes arrays, and numbers by their kind", function ()
    local a = tide.ones(1, "float32")
    assert.equal("float32", a:append(1.5).dtype)
    assert.equal("float32", a:append{ 1, 2 }.dtype)
    assert.equal("float64", a:append(tide.ones(1)).dtype)
    assert.equal("complex128", a:append{ tide.complex(1, 2) }.dtype)
    local b = tide.ones(1, "int8")
    assert.equal("int8", b:append(7).dtype)
    assert.equal("int16", b:append(tide.ones(1, "uint8")).dtype)
    assert.same({ 1.0, 2.5 }, b:append{ 2.5 }:totable())
    assert.equal("int64", tide.ones(1, "bool"):append{ 1 }.dtype)
    assert.equal("bool", tide.ones(1, "bool"):append(true).dtype)
  end)

  it("writes to out, which may be an operand", function ()
    local z = tide.arange(4)
    assert.equal(z, tide.append(z[{ { 3, 4 } }], z[{ { 1, 2 } }],
                                { out = z }))
    assert.same({ 2, 3, 0, 1 }, z:totable())
    fails("option 'out' must have shape 5, has 4", z.append, z, 1,
          { out = z })
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 2 }
    badarg(2, "values of shape 3x1 do not go with an array of shape 2x2",
           tide.append, a, tide.ones{ 3, 1 }, 2)
    badarg(2, "values of shape () do not go with an array of shape 2x2",
           tide.append, a, 7, 1)
    badarg(2, "tide.Array, table or number expected, got string",
           tide.append, a, "7")
    badarg(2, "tide.Array, table or number expected, got no value",
           tide.append, a)
    badarg(3, "axis 3 is out of range", tide.append, a, a, 3)
    local closed = tide.ones(1)
    closed:close()
    badarg(2, "array is closed", tide.append, a, closed)
  end)

  it("refuses integers that the array cannot have (#294)", function ()
    local a, text = tide.zeros(2, "int8"), "number is out of range for int8: "
    badarg(2, text .. 300, tide.append, a, 300)
    fails(text .. 300, tide.append, a, { 1, 300 })
    badarg(2, "out of range for uint8: -1", tide.append, tide.ones(1, "uint8"),
           -1)
    assert.same({ 0, 0, 44 }, a:append(tide.array{ 300 }:astype "int8")
                                :totable())
    assert.equal("int8", a:append{ { 1, -128 }, { 2, 127 } }.dtype)
  end)
end)

describe("insert", function ()
  it("puts values before an index", function ()
    local a = tide.array{ 1, 2, 3 }
    assert.same({ 7, 1, 2, 3 }, a:insert(1, 7):totable())
    assert.same({ 1, 2, 3, 7 }, a:insert(4, 7):totable())
    assert.same({ 1, 2, 7, 8, 3 }, tide.insert(a, -1, { 7, 8 }):totable())
    assert.same({ 7, 1, 2, 3 }, a:insert(-3, tide.array(7)):totable())
    assert.same({ 9 }, tide.zeros(0):insert(1, 9):totable())
    local m = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ 1, 9, 2, 3, 4 }, m:insert(2, 9):totable())
    assert.same({ { 1, 2 }, { 9, 9 }, { 3, 4 } },
                m:insert(2, 9, 1):totable())
    assert.same({ { 1, 7, 2 }, { 3, 8, 4 } },
                m:insert(2, { 7, 8 }, 2):totable())
    assert.same({ { 1, 7, 8, 2 }, { 3, 7, 8, 4 } },
                m:insert({ 2 }, { 7, 8 }, 2):totable())
  end)

  it("puts one before each of several", function ()
    local a = tide.array{ 1, 2, 3 }
    assert.same({ 8, 1, 7, 2, 3 }, a:insert({ 2, 1 }, { 7, 8 }):totable())
    assert.same({ 1, 7, 8, 2, 3, 9 },
                a:insert({ 2, 2, 4 }, { 7, 8, 9 }):totable())
    assert.same({ 0, 1, 0, 2, 3 }, a:insert({ 1, 2 }, 0):totable())
    assert.same({ 1, 2, 3 }, a:insert({}, 0):totable())
    local m = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ { 5, 1, 2, 6 }, { 7, 3, 4, 8 } },
                m:insert({ 1, 3 }, { { 5, 6 }, { 7, 8 } }, 2):totable())
    assert.same({ { 5, 1, 5, 2 }, { 6, 3, 6, 4 } },
                m.T:copy().T:insert({ 1, 2 }, tide.array{ { 5 }, { 6 } },
                                    { axis = -1 }):totable())
  end)

  it("keeps the dtype", function ()
    local a = tide.ones(2, "int8")
    assert.equal("int8", a:insert(1, tide.array{ 3.7 }).dtype)
    assert.same({ 3, 1, 1 }, a:insert(1, tide.array{ 3.7 }):totable())
    fails("number has no integer representation", a.insert, a, 1, 1.5)
    local z = tide.arange(4)
    assert.equal(z, z[{ { 1, 3 } }]:insert(1, z[{ { 4, 4 } }], { out = z }))
    assert.same({ 3, 0, 1, 2 }, z:totable())
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      assert.equal(3, tide.ones(3, t.name):insert(2, tide.zeros(2, t.name))
                        :count_nonzero():item())
    end
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "index 8 is out of range for an axis of 6 elements",
           tide.insert, a, 8, 1)
    badarg(2, "index 0 is out of range for an axis of 2 elements; indices " ..
           "count from 1", tide.insert, a, { 1, 0 }, 1, 1)
    badarg(2, "index -4 is out of range", tide.insert, a, -4, 1, 2)
    badarg(2, "an index must be an integer, got number", tide.insert, a, 1.5, 1)
    badarg(2, "integer or table expected, got no value", tide.insert, a)
    badarg(3, "tide.Array, table or number expected, got no value",
           tide.insert, a, 1)
    badarg(3, "shape 1x2 cannot be broadcast to 1x3", tide.insert, a, 1,
           { { 1, 2 } }, 1)
    badarg(3, "values of 2 axes do not go into an array of 1", tide.insert, a,
           1, a)
    badarg(2, "field 'axis' in a list of indices", tide.insert, a,
           { 1, axis = 2 }, 1)
  end)
end)

describe("delete", function ()
  it("leaves elements out", function ()
    local a = tide.array{ 1, 2, 3, 4, 5 }
    assert.same({ 2, 3, 4, 5 }, a:delete(1):totable())
    assert.same({ 1, 2, 3, 4 }, tide.delete(a, -1):totable())
    assert.same({ 2, 4 }, a:delete{ 5, 1, 3, 1, -1 }:totable())
    assert.same({ 1, 2, 3, 4, 5 }, a:delete{}:totable())
    assert.same({}, a:delete{ 1, 2, 3, 4, 5 }:totable())
    local m = tide.array{ { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ 1, 2, 3, 5, 6 }, m:delete(4):totable())
    assert.same({ { 4, 5, 6 } }, m:delete(1, 1):totable())
    assert.same({ { 1, 3 }, { 4, 6 } }, m:delete(2, 2):totable())
    assert.same({ { 2 }, { 5 } }, m.T:delete({ 1, -1 }, 1).T:totable())
    assert.same({ 5, 1 }, tide.delete(tide.array{ 9, 5, 1 }, 1):totable())
  end)

  it("writes to out, and in a capture", function ()
    local z = tide.arange(4)
    local v = z[{ { 1, 3 } }]
    assert.equal(v, z:delete(1, { out = v }))
    assert.same({ 1, 2, 3, 3 }, z:totable())
    local g = tide.capture(function () v:copy_from(z:delete(2)) end)
    z:copy_from(tide.arange(4))
    g:launch()
    assert.same({ 0, 2, 3, 3 }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    badarg(2, "index 7 is out of range for an axis of 6 elements",
           tide.delete, a, 7)
    badarg(2, "index 3 is out of range for an axis of 2 elements",
           tide.delete, a, { 1, 3 }, 1)
    badarg(2, "index 1 is out of range for an axis of 0 elements",
           tide.delete, tide.ones(0), 1)
    badarg(2, "an index must be an integer, got boolean", tide.delete, a,
           { true })
    badarg(2, "integer or table expected, got tide.Array", tide.delete, a, a)
  end)
end)

end)
