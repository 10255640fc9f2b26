--[[
split_spec.lua - lists of views that an array falls into.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

helper.each_device(function ()

local function tables (list)
  local all = {}
  for i, a in ipairs(list) do
    all[i] = a:totable()
  end
  return all
end

describe("split", function ()
  it("makes parts of one length", function ()
    local a = tide.arange(6)
    assert.same({ { 0, 1 }, { 2, 3 }, { 4, 5 } }, tables(a:split(3)))
    assert.same({ { 0, 1, 2, 3, 4, 5 } }, tables(tide.split(a, 1)))
    local m = a:reshape{ 2, 3 }
    assert.same({ { { 0 }, { 3 } }, { { 1 }, { 4 } }, { { 2 }, { 5 } } },
                tables(m:split(3, 2)))
    m:split(3, -1)[2]:fill(9)
    assert.same({ 0, 9, 2, 3, 9, 5 }, a:totable())
    assert.same({ {}, {} }, tables(tide.ones(0):split(2)))
  end)

  it("makes a part begin at each index", function ()
    local a = tide.arange(6)
    assert.same({ { 0 }, { 1, 2, 3 }, { 4, 5 } }, tables(a:split{ 2, 5 }))
    assert.same({ { 0, 1, 2, 3 }, { 4 }, { 5 } }, tables(a:split{ -2, -1 }))
    assert.same({ {}, { 0, 1, 2, 3, 4, 5 } }, tables(a:split{ 1 }))
    assert.same({ { 0, 1, 2, 3, 4, 5 }, {} }, tables(a:split{ 7 }))
    assert.same({ { 0, 1, 2, 3, 4, 5 }, {}, {} }, tables(a:split{ 99, 100 }))
    assert.same({ { 0, 1, 2, 3 }, {}, { 2, 3, 4, 5 } },
                tables(a:split{ 5, 3 }))
    assert.same({ {}, { 0, 1, 2, 3, 4, 5 } }, tables(a:split{ -100 }))
    assert.same({ { 0, 1, 2, 3, 4, 5 } }, tables(a:split{}))
    assert.same({ {}, {} }, tables(tide.ones(0):split{ -1 }))
    assert.same({ { { 0, 1 }, { 3, 4 } }, { { 2 }, { 5 } } },
                tables(a:reshape{ 2, 3 }:split({ 3 }, { axis = 2 })))
  end)

  it("says what is wrong", function ()
    local a = tide.arange(6)
    badarg(1, "6 elements along axis 1 cannot be split into 4 equal parts; " ..
           "tide.array_split makes others", function () a:split(4) end)
    badarg(2, "at least one part expected", tide.split, a, 0)
    badarg(2, "at least one part expected", tide.array_split, a, -1)
    badarg(2, "too many parts", tide.array_split, a, math.maxinteger)
    badarg(2, "integer or table expected, got string", tide.split, a, "2")
    badarg(2, "integer or table expected, got no value", tide.split, a)
    badarg(2, "an index must be an integer, from 1 or negative from the " ..
           "end, got 0", tide.split, a, { 0 })
    badarg(2, "got 1.5", tide.split, a, { 2, 1.5 })
    badarg(2, "got table", tide.split, a, { {} })
    badarg(2, "field 'axis' in a list of indices", tide.split, a,
           { 2, axis = 1 })
    badarg(1, "an array without axes cannot be split", tide.split,
           tide.array(1), 1)
  end)
end)

describe("array_split", function ()
  it("lets the first parts be longer", function ()
    local a = tide.arange(7)
    assert.same({ { 0, 1, 2 }, { 3, 4 }, { 5, 6 } }, tables(a:array_split(3)))
    assert.same({ { 0 }, { 1 }, {} },
                tables(tide.array_split(a:slice(1, 2), 3)))
    assert.same({ { 0, 1 }, { 2, 3, 4, 5, 6 } },
                tables(a:array_split{ 3 }))
  end)
end)

describe("unstack", function ()
  it("gives the slices without the axis", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, tables(a:unstack()))
    assert.same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, tables(tide.unstack(a, 2)))
    assert.same(a:totable(), tide.stack(a:unstack(-1), 2):totable())
    local x, y = table.unpack(a:unstack())
    x:copy_from(y)
    assert.same({ { 3, 4, 5 }, { 3, 4, 5 } }, a:totable())
    local parts = tide.arange(3):unstack()
    assert.same({}, parts[3].shape)
    assert.equal(2, parts[3]:item())
    assert.same({}, tide.ones{ 0, 3 }:unstack())
    assert.same({ 0 }, tide.ones{ 0, 3 }:unstack(2)[3].shape)
    badarg(1, "an array without axes cannot be split", tide.unstack,
           tide.array(1))
  end)

  it("keeps what must not be written", function ()
    helper.fails("cannot be written", function ()
      tide.ones(3):broadcast_to(2, 3):unstack()[1]:fill(0)
    end)
  end)
end)

end)
