--[[
310: what a function puts behind its arguments once more, to find it there, was
named by its place: bad argument #6 to 'histogram', which takes three. The names
of steps were said in place of the function's own.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local blames, fails = helper.blames, helper.fails

helper.each_device(function ()

describe("an argument that is wrong", function ()
  it("is edges, or their number", function ()
    local b <const> = tide.ones(3)
    local expected <const> = "number of bins, tide.Array or table of edges " ..
                             "expected, got string"
    blames(2, expected, tide.histogram, b, "auto")
    blames(3, expected, tide.histogram2d, b, b, "x")
    blames(3, expected, tide.histogram2d, b, b, { 2, "x" })
    fails("bad argument #1 to 'histogram' (" .. expected, function ()
      b:histogram "auto"
    end)
    local gone <const> = tide.ones(2)
    gone:close()
    blames(2, "array is closed", tide.histogram, b, gone)
    blames(3, "array is closed", tide.histogram2d, b, b, { 2, gone })
  end)

  -- Each with the number of its options among the arguments.
  local OUT <const> = {
    average = 2, bincount = 2, convolve = 3, corrcoef = 2, cov = 2,
    correlate = 3, diff = 2, digitize = 3, median = 2, nanargmax = 2,
    nanmax = 2, nanmean = 2, nanmedian = 2, nanmin = 2, nanprod = 2, nanstd = 2,
    nansum = 2, nanvar = 2, percentile = 3, ptp = 2, quantile = 3,
    searchsorted = 3, trapezoid = 2
  }
  for name, at in pairs(OUT) do
    it("is the options of " .. name, function ()
      local a <const> = tide.array({ 1, 2, 3 }, "int32")
      local second <const> = (name == "percentile" or name == "quantile") and
                             0.5 or a
      local arguments <const> = { a, second }
      arguments[at] = { out = 1 }
      local err = blames(at, "option 'out'", tide[name],
                         table.unpack(arguments, 1, at))
      assert(err:find(name, 1, true), err)
      arguments[at] = { out = tide.ones{ 5, 5 } }
      blames(at, "option 'out'", tide[name], table.unpack(arguments, 1, at))
    end)
  end

  it("is the options of a function of lists", function ()
    local a <const> = tide.ones(3)
    blames(2, "option 'out'", tide.lexsort, { a, a }, { out = 1 })
    for _, name in ipairs{ "convolve", "correlate" } do
      blames(3, "option 'mode' must be 'full', 'same' or 'valid'", tide[name],
             a, a, { mode = "x" })
    end
  end)

  it("is a list, by its number", function ()
    blames(1, "tide.Array, table or integer expected, got string",
           tide.ravel_multi_index, { "x" }, 2)
    blames(1, "indices must be integers", tide.ravel_multi_index,
           { tide.ones(2) }, 2)
    assert.equal(2, tide.ravel_multi_index({ 1, 2 }, { 2, 2 }):item())
  end)

  it("is of the function that was called, not of a step", function ()
    blames(2, "one axis expected", tide.nanargmax, tide.ones{ 2, 2 }, { 1, 2 })
    fails("nan_to_num: option 'out'", tide.nan_to_num, tide.ones(2, "int32"),
          { out = 1 })
    fails("'clip' is not defined for complex128 arrays", tide.clip,
          tide.ones(2), tide.complex(1, 2))
  end)
end)

end)
