--[[
tile_spec.lua - arrays made several times of one.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("tile", function ()
  it("repeats the whole", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ { 1, 2, 1, 2 }, { 3, 4, 3, 4 } }, a:tile(2):totable())
    assert.same({ { 1, 2 }, { 3, 4 }, { 1, 2 }, { 3, 4 } },
                tide.tile(a, { 2, 1 }):totable())
    assert.same({ { { 1, 3, 1, 3 }, { 2, 4, 2, 4 } },
                  { { 1, 3, 1, 3 }, { 2, 4, 2, 4 } } },
                a.T:tile{ 2, 1, 2 }:totable())
    assert.same({ 2, 0 }, a:tile(0).shape)
    assert.same({ 5, 5 }, tide.array(5):tile(2):totable())
    badarg(1, "how often must be an integer from 0 on", function ()
      a:tile(-1)
    end)
    badarg(1, "how often must be an integer", function ()
      a:tile{ 1, "x" }
    end)
    fails("#2 to 'tile' (the shape has more than 2^46 elements)", a.tile, a,
          math.maxinteger)
  end)
end)

describe("repeat_each", function ()
  it("repeats elements", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ 1, 1, 2, 2, 3, 3, 4, 4 }, a:repeat_each(2):totable())
    assert.same({ 1, 1, 3, 3, 2, 2, 4, 4 },
                tide.repeat_each(a.T, 2):totable())
    assert.same({ { 1, 2 }, { 1, 2 }, { 3, 4 }, { 3, 4 } },
                a:repeat_each(2, 1):totable())
    assert.same({ { 1, 1, 1, 3, 3, 3 }, { 2, 2, 2, 4, 4, 4 } },
                a.T:repeat_each(3, -1):totable())
    assert.same({ 0, 2 }, a:repeat_each(0, 1).shape)
    assert.same({ 7, 7, 7 }, tide.array(7):repeat_each(3):totable())
    badarg(1, "how often must be an integer from 0 on", function ()
      a:repeat_each(1.5)
    end)
    badarg(2, "axis 3 is out of range", function () a:repeat_each(1, 3) end)
  end)

  it("repeats each as often as its count says", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ { 1, 2 }, { 3, 4 }, { 3, 4 } },
                a:repeat_each({ 1, 2 }, 1):totable())
    assert.same({ { 1, 1, 3 }, { 2, 2, 4 } },
                a.T:repeat_each({ 2, 1 }, -1):totable())
    assert.same({ 1, 3, 3, 4 }, a:repeat_each{ 1, 0, 2, 1 }:totable())
    assert.same({ 1, 1, 2, 2, 3, 3, 4, 4 }, a:repeat_each{ 2 }:totable())
    assert.same({ 0, 2 }, a:repeat_each({ 0, 0 }, 1).shape)
    assert.same({ 0, 2 }, tide.zeros{ 0, 2 }:repeat_each({}, 1).shape)
    assert.same({ 2, 0 }, tide.zeros{ 2, 0 }:repeat_each({}, 2).shape)
    assert.same({ 3, 0 }, tide.zeros{ 2, 0 }:repeat_each({ 1, 2 }, 1).shape)
    for _, t in ipairs{ "bool", "int8", "int64", "uint16", "uint64" } do
      local c = tide.array({ 7, 0, 7, 1 }, "int8"):ne(7):astype(t)
      assert.same({ 2, 4 }, a:repeat_each(c):totable(), t)
      assert.same({ 2, 4 }, a:repeat_each(c:flip():flip()):totable(), t)
    end
    assert.same({ 1, 1, 2, 2, 3, 3, 4, 4 },
                a:repeat_each(tide.array(2)):totable())
    assert.same({ 7, 7, 7 }, tide.array(7):repeat_each{ 3 }:totable())
    local out = tide.zeros({ 3, 2 }, "int64")
    assert.equal(out, a:repeat_each({ 1, 2 }, { axis = 1, out = out }))
    assert.same({ { 1, 2 }, { 3, 4 }, { 3, 4 } }, out:totable())
  end)

  it("repeats elements of any dtype", function ()
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      local a = tide.array({ 0, 1 }, "int8"):astype(t.name)
      assert.same((tide.array({ 0, 1, 1 }, "int8")):astype(t.name):totable(),
                  a:repeat_each{ 1, 2 }:totable(), t.name)
    end
  end)

  it("waits for no total that it is told", function ()
    local a, c = tide.array{ 1, 2, 3 }, tide.array({ 2, -5, 1 }, "int8")
    local before, z = tide.sync_debug "error"
    local short = a:repeat_each(c, { size = 2 })
    local long = a:repeat_each(c, { size = 5 })
    local waited = not pcall(a.repeat_each, a, c)
    tide.sync_debug(before)
    assert.is_true(waited)
    assert.same({ 1, 1 }, short:totable())
    assert.same({ 1, 1, 3, 3, 3 }, long:totable())
    local most = tide.full(3, 1 << 62, "int64")  -- whose sum is too much
    assert.same({ 1, 1 }, a:repeat_each(most, { size = 2 }):totable())
    local g = tide.capture(function () z = a:repeat_each(c, { size = 4 }) end)
    c:copy_from(tide.array({ 1, 2, 1 }, "int8"))
    g:launch()
    assert.same({ 1, 2, 2, 3 }, z:totable())
    fails("size", tide.capture, function () a:repeat_each(c) end)
  end)

  it("says what is wrong with counts", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    local function refuses (why, n, ...)
      local more <const> = table.pack(...)
      badarg(1, why, function ()
        a:repeat_each(n, table.unpack(more, 1, more.n))
      end)
    end
    for _, count in ipairs{ "table", "array" } do
      local function counts (x)
        return count == "table" and x or tide.array(x)
      end
      refuses("a count must not be negative, got -2", counts{ 1, -2 }, 1)
      refuses("a count for each of 2 elements expected, got 3",
              counts{ 1, 2, 3 }, 1)
      refuses("a count for each of 4 elements expected, got 2",
              counts{ 1, 2 })
      refuses("a count for each of 2 elements expected, got 1x2",
              counts{ { 1, 2 } }, 1)
      refuses("the shape has more than 2^46 elements",
              counts{ 1 << 62, 1 << 62 }, 1)
    end
    refuses("number has no integer representation: 2.5", { 1, 2.5 }, 1)
    refuses("counts must be integers, got float64", tide.ones(2), 1)
    refuses("got tide.HostArray", tide.HostArray(2), 1)
    refuses("field 'axis' in a list of counts; options are a table of",
            { axis = 1 })
    badarg(2, "option 'size' is for an array of counts", function ()
      a:repeat_each(2, { size = 3 })
    end)
    badarg(2, "option 'size' must be an integer, 0 or more", function ()
      a:repeat_each(tide.ones(4, "int8"), { size = -1 })
    end)
    local closed = tide.ones(2, "int8")
    closed:close()
    refuses("array is closed", closed, 1)
  end)
end)

end)
