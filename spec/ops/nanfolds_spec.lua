--[[
nanfolds_spec.lua - nansum and its kin: what is left out, and what comes of NaNs
alone. NumPy's answers are in numpy_spec.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

local NAN <const> = 0 / 0
local FOLDS <const> = { "nansum", "nanprod", "nanmean", "nanvar", "nanstd",
                        "nanmin", "nanmax", "nanargmin", "nanargmax",
                        "nanmedian" }

--- The same without NaNs, of a list that has none.
local function plain (name, list)
  local a = tide.array(list)
  return a[name:sub(4)](a):item()
end

helper.each_device(function ()

describe("a fold without NaNs", function ()
  it("is that of the other elements", function ()
    local pick = helper.generator(14)
    for _, n in ipairs{ 1, 2, 30, 2000 } do
      local rows, rest = {}, { {}, {} }
      for row = 1, 2 do
        rows[row] = {}
        for i = 1, n do
          local x = (i == 1 or pick(3) > 1) and (pick(9) - 5) / 4 or NAN
          rows[row][i] = x
          if x == x then rest[row][#rest[row] + 1] = x end
        end
      end
      local a = tide.array(rows)
      for _, name in ipairs(FOLDS) do
        if not name:find "arg" then
          local z, t = a[name](a, 2), a.T[name](a.T, 1)
          for row = 1, 2 do
            local x = plain(name, rest[row])
            assert.is_true(math.abs(z[row] - x) <= 1e-12 * math.abs(x), name)
          end
          assert.is_true(tide.allclose(z, t))
        else
          local z = a[name](a, 2)
          for row = 1, 2 do
            local best = plain(name:gsub("arg", ""), rest[row])
            assert.equal(best, rows[row][z[row]])
          end
        end
      end
    end
  end)

  it("of NaNs alone has what sums of nothing have, or NaN", function ()
    local a = tide.array{ NAN, NAN }
    assert.equal(0.0, a:nansum():item())
    assert.equal(1.0, a:nanprod():item())
    assert.equal(1, a:nanargmin():item())
    assert.equal(1, a:nanargmax():item())
    for _, name in ipairs{ "nanmean", "nanvar", "nanstd", "nanmin", "nanmax",
                           "nanmedian" } do
      local x = a[name](a):item()
      assert.is_true(x ~= x, name)
    end
    local x = tide.array{ 1, NAN }:nanvar{ ddof = 1 }:item()
    assert.is_true(x ~= x)
    assert.equal(1 / 0, tide.array{ 1 / 0, NAN }:nanmin():item())
    x = tide.array{ 1 / 0, NAN, 3 }:nanstd():item()  -- as NumPy has it
    assert.is_true(x ~= x)
  end)

  it("has the dtypes, axes and options of the fold", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "int8", "bool" } do
      local a = tide.ones({ 2, 3 }, t)
      for _, name in ipairs(FOLDS) do
        if not (t == "bool" and name:find "m[ie]d?n") then
          local own = name:sub(4)
          assert.equal(a[own](a).dtype, a[name](a).dtype, name .. t)
          assert.same({ 2, 1 }, a[name](a, 2, { keepdims = true }).shape)
        end
      end
    end
    local a = tide.array({ { 1, NAN }, { 3, 5 } }, "float32")
    assert.equal(9.0, a:nansum{ 1, 2 }:item())
    assert.equal("float64", a:nansum{ dtype = "float64" }.dtype)
    assert.same({ 1.0, 8.0 }, a:nansum{ axis = 2 }:totable())
    local z = tide.zeros(2, "float32")
    assert.equal(z, a:nanmean(2, { out = z }))
    assert.same({ 1.0, 4.0 }, z:totable())
    assert.equal(300.0, tide.full(400, 300, "float16"):nanmean():item())
    local c = tide.array{ tide.complex(1, 2), tide.complex(NAN, 1) }
    assert.equal(tide.complex(1, 2), c:nansum():item())
  end)

  it("of long rows and of views", function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      local a = tide.tile(tide.array({ 1, 0 / 0, -3, 4 }, t), 25000)
      local m = a:reshape(4, -1)
      assert.same({ 2, 2, 2, 2 }, (m:nansum(2) / 6250):totable())
      assert.equal(2, (a.T:nansum() / 25000):item())
      assert.equal(tide.array({ 2 / 3 }, t)[1], a:nanmean():item())
      assert.same({ 1 }, a:slice(1, 5):nansum{ keepdims = true }.shape)
      assert.equal(3, a:slice(5, 9):nansum():item())
      for first = 2, 4 do
        local wanted = ({ 1 / 2, 1 / 2, 4 })[first - 1]
        assert.equal(wanted, a:slice(first, 4):nanmean():item())
      end
      local x, y = m:nanmean{ axis = 1, keepdims = true }, m:nanmean(1)
      assert.same({ 1, 25000 }, x.shape)
      assert.same({ 25000 }, y.shape)
      assert.is_true(y[2] ~= y[2])
      x = a:reshape(-1, 4):nanmean(1)  -- in parts: see kernel_axis_chunks
      assert.same({ 1, -3, 4 }, x:take{ 1, 3, 4 }:totable())
      assert.is_true(x[2] ~= x[2])
      assert.is_true(m:nanmean(2):eq(tide.array({ 2 / 3 }, t)):all():item())
    end
  end)

  it("is rounded once, at the end", function ()
    local x = tide.array({ 1 << 24, 1, NAN, 0, 0, 0 }, "float32")
    assert.equal(3355443.5, x:nanmean():item())
    assert.equal(1.0, tide.ones(100000, "float16"):nanmean():item())
  end)

  it("is captured", function ()
    local a, z = tide.array{ 1, NAN, 4 }, tide.zeros({})
    local g <close> = tide.capture(function () a:nanmedian{ out = z } end)
    a:mul_(2)
    g:launch()
    assert.equal(5.0, z:item())
  end)

  it("says what is wrong", function ()
    local a = tide.ones{ 2, 3 }
    for _, name in ipairs(FOLDS) do
      badarg(2, "axis 3 is out of range", tide[name], a, 3)
      badarg(3, "unknown option 'keepdim'", tide[name], a, 1,
             { keepdim = true })
    end
    fails("of an array without elements", tide.nanmin, tide.zeros(0))
    fails("'nanstd' is not defined for complex64 arrays", tide.nanstd,
          tide.ones(2, "complex64"))
  end)
end)

end)
