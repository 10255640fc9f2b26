--[[
printoptions_spec.lua - how much of an array is shown, and with how many digits.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local badarg = helper.badarg

local DEFAULTS = { threshold = 1000, edgeitems = 3, precision = 8,
                   linewidth = 75, suppress = false }

helper.each_device(function ()

describe("printoptions", function ()
  after_each(function () tide.printoptions(DEFAULTS) end)

  local function text (a) return tostring(a):match "\n(.*)" end

  it("gives those until now, and leaves what is not named", function ()
    assert.same(DEFAULTS, tide.printoptions())
    assert.same(DEFAULTS, tide.printoptions{ precision = 3 })
    local now = tide.printoptions()
    assert.equal(3, now.precision)
    assert.equal(1000, now.threshold)
    tide.printoptions(DEFAULTS)
    assert.same(DEFAULTS, tide.printoptions{})
  end)

  it("threshold and edgeitems say what is left out", function ()
    tide.printoptions{ threshold = 5, edgeitems = 1 }
    assert.equal("[0 1 2 3 4]", text(tide.arange(5)))
    assert.equal("[0 ... 5]", text(tide.arange(6)))
    assert.equal("[[[ 0 ...  4]\n  ...\n  [15 ... 19]]\n\n ...\n\n" ..
                 " [[40 ... 44]\n  ...\n  [55 ... 59]]]",
                 text(tide.arange(60):reshape{ 3, 4, 5 }))
    tide.printoptions{ threshold = math.maxinteger }
    local _, n = text(tide.arange(5000)):gsub("%d+", "")
    assert.equal(5000, n)
    tide.printoptions{ threshold = 0, edgeitems = 2 }
    assert.equal("[0 1 2 3]", text(tide.arange(4)))
    assert.equal("[0 1 ... 3 4]", text(tide.arange(5)))
  end)

  it("precision is digits behind the point", function ()
    tide.printoptions{ precision = 3 }
    assert.equal("[0.333 0.5   1.   ]", text(tide.array{ 1 / 3, 0.5, 1 }))
    assert.equal("[1.235e+10]", text(tide.array{ 12345678901.0 }))
    tide.printoptions{ precision = 0 }
    assert.equal("[0. 2.]", text(tide.array{ 0.25, 1.75 }))
    tide.printoptions{ precision = 17 }
    assert.equal("[0.3333333333333333]", text(tide.array{ 1 / 3 }))
    assert.equal("[0.1]", text(tide.array{ 0.1 }))
  end)

  it("suppress leaves exponents out", function ()
    tide.printoptions{ suppress = true }
    assert.equal("[0.00001 1.     ]", text(tide.array{ 1e-5, 1 }))
    assert.equal("[0. 1.]", text(tide.array{ 1e-20, 1 }))
    assert.equal("[1.e+10]", text(tide.array{ 1e10 }))
  end)

  it("linewidth is where lines end", function ()
    tide.printoptions{ linewidth = 10 }
    assert.equal("[0 1 2 3\n 4 5]", text(tide.arange(6)))
    assert.equal("[[0 1 2]\n [3 4 5]]", text(tide.arange(6):reshape{ 2, 3 }))
    tide.printoptions{ linewidth = 1 }
    assert.equal("[100\n 101]", text(tide.arange(100, 102)))
  end)

  it("are checked, and stay as they were if one is wrong", function ()
    badarg(1, "unknown option 'treshold'; did you mean 'threshold'?",
           tide.printoptions, { treshold = 1 })
    for _, name in ipairs{ "threshold", "edgeitems", "precision",
                           "linewidth" } do
      badarg(1, "option '" .. name .. "' must be from", tide.printoptions,
             { [name] = -1 })
      badarg(1, "option '" .. name .. "' must be an integer, got string",
             tide.printoptions, { [name] = "5" })
    end
    badarg(1, "option 'suppress' must be a boolean", tide.printoptions,
           { precision = 5, suppress = 1 })
    badarg(1, "table expected, got number", tide.printoptions, 5)
    assert.same(DEFAULTS, tide.printoptions())
  end)
end)

end)
