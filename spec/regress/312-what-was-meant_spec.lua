--[[
312: messages that were right and said the wrong thing: an array for the text of
einsum, gaps where there are none, options where weights were meant, "-nan".
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local blames, fails = helper.blames, helper.fails

helper.each_device(function ()

describe("a message", function ()
  it("is about the text of einsum", function ()
    local a <const> = tide.ones{ 2, 3 }
    blames(1, "unexpected '1j'", tide.einsum, "1j", a)
    blames(1, "unexpected '1->i'", tide.einsum, "i1->i", a)
    blames(2, "an array of 1 axis expected, got one of 2", tide.einsum, "i", a)
    blames(2, "an array of 1 axis or more expected, got one of 0",
           tide.einsum, "i...", tide.ones{})
    assert.same({ 3, 2 }, { table.unpack(tide.einsum("i j -> j i", a).shape) })
  end)

  it("says which indices there are", function ()
    local a <const> = tide.ones{ 2, 3 }
    local expected <const> = "array index must be an integer, a table or an " ..
                             "array of integers or bools, got "
    fails(expected .. "nil", function () a[nil] = 0 end)
    fails(expected .. "1.5", function () a[1.5] = 3 end)
    fails(expected .. "nan", function () return a[-(0 / 0)] end)
    fails(expected .. "tide.Stream", function () return a[tide.Stream()] end)
    fails("array index must be an integer or a table, got 1.5",
          function () return tide.HostArray(3)[1.5] end)
  end)

  it("says that an array's order is not that of its memory", function ()
    local a <const> = tide.ones{ 2, 3 }
    local f <close> = tide.open "/dev/zero"
    for _, x in ipairs{ a:flip(), a.T, tide.ones(8):slice(1, -1, 2) } do
      blames(2, "the array is not contiguous in the order of its elements",
             f.read, f, x)
    end
  end)

  it("says what weights are", function ()
    local x <const> = tide.array{ 1, 2, 3 }:astype "int64"
    blames(2, "weights are a tide.Array, not a list; options have names",
           tide.bincount, x, { 1, 2, 3 })
    blames(2, "option 'weights' must be an open tide.Array", tide.histogram, x,
           { weights = { 1, 2 } })
  end)

  it("has the argument in which a list is", function ()
    local a <const> = tide.ones{ 2, 3 }
    blames(2, "field 'mode' in a pair { before, after }; options", tide.pad, a,
           { 1, 1, mode = "edge" })
    blames(2, "field 'mode' in a pair", tide.pad, a,
           { { 1, 1 }, { 1, 1, mode = "edge" } })
    for _, name in ipairs{ "modf", "frexp" } do
      blames(2, "field 'x' in option 'out', a list of two arrays", tide[name],
             a, { out = { a, a, x = 1 } })
    end
    blames(2, "field 'x' in option 'axis', a list", tide.sum, a,
           { axis = { 1, x = 2 } })
    fails(debug.getinfo(1, "S").short_src, function ()
      tide.array{ 1, x = 2 }
    end)
  end)

  it("has a NaN without a sign", function ()
    local a <const> = tide.ones{ 2, 3 }
    local expected <const> = "got nan"
    for _, nan in ipairs{ 0 / 0, -(0 / 0) } do
      fails(expected, tide.sleep, nan)
      fails(expected, tide.queue, nan)
      fails(expected, tide.progress, nan)
      fails(expected, tide.random.bernoulli, nan, 3)
      fails(expected, tide.random.permutation, nan)
      fails(expected, tide.random.gamma, nan, 1, 3)
      fails(expected, tide.random.uniform, 0, 1, nan)
      fails(expected, tide.zeros, nan)
      fails(expected, tide.pad, a, nan)
      fails(expected, a.plot, a, { bins = nan })
    end
  end)

  it("knows what others call it", function ()
    fails("no field 'await' in tide.Device; did you mean dev:synchronize()",
          function () tide.get_device():await() end)
    fails("no field 'gauss' in tide.random; did you mean 'normal'?",
          function () return tide.random.gauss end)
    fails("no field 'gauss' in tide; did you mean tide.random.normal?",
          function () return tide.gauss end)
  end)
end)

end)
