--[[
isin_spec.lua - isin, beside loops in Lua. NumPy's answers: numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local badarg, fails = helper.badarg, helper.fails

--- Some of which are the same, and all that are special.
local function elements (n, dtype, pick)
  local list, edges = numbers.random(dtype, n, pick), numbers.edges(dtype)
  for i = 1, n do
    if pick(3) == 1 then list[i] = edges[pick(#edges)] end
  end
  return list
end

local function array (list, dtype)
  local bytes = numbers.pack(list, dtype)
  return tide.frombytes(bytes, dtype, { #list })
end

local function both (a, values)
  local found = a:isin(values)
  assert.same(found:logical_not():totable(),
              a:isin(values, { invert = true }):totable())
  assert.equal("bool", found.dtype)
  return found:totable()
end

helper.each_device(function ()

describe("isin", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype, function ()
      local pick = helper.generator(43)
      for _, n in ipairs{ 0, 1, 2, 7, 16, 17, 300 } do
        local a = array(elements(600, dtype, pick), dtype)
        local v = array(elements(n, dtype, pick), dtype)
        local x, y, wanted = a:totable(), v:totable(), {}
        for i = 1, #x do
          wanted[i] = false
          for k = 1, n do
            wanted[i] = wanted[i] or x[i] == y[k]
          end
        end
        assert.same(wanted, both(a, v))
      end
    end)
  end

  --- Which of the elements are among some of them, by a table of Lua's.
  local function among (a, v)
    local has, wanted = {}, {}
    for _, x in ipairs(v:totable()) do has[x] = true end
    for i, x in ipairs(a:totable()) do wanted[i] = has[x] or false end
    return wanted
  end

  it("of integers that are near each other, and far apart", function ()
    for _, dtype in ipairs{ "int16", "uint32", "int32", "int64", "float64" } do
      for _, far in ipairs{ 1, 37, 1 << 20 } do
        if dtype ~= "int16" or far < 1 << 20 then
          for _, n in ipairs{ 1, 40, 800 } do
            local a = ((tide.arange(40000) * 7919 % 1000 - 100) * far):clip(
              0, 1e9):astype(dtype)
            local v = ((tide.arange(n) * 31 % 900 - 50) * far):clip(
              1, 2e9):astype(dtype)
            assert.same(among(a, v), both(a, v))
            assert.same(among(v, a), both(v, a))
          end
        end
      end
    end
  end)

  it("of more elements than a table has room for", function ()
    local a = (tide.arange(50000) * 7919 % 50021):astype("float32") / 8
    local v = a:slice(1, 20000):copy()
    assert.same(among(a, v), both(a, v))
  end)

  for _, dtype in ipairs{ "complex64", "complex128" } do
    it("of " .. dtype, function ()
      local parts = { 0, -0.0, 1, -2, 1 / 0, 0 / 0 }
      local list = {}
      for _, re in ipairs(parts) do
        for _, im in ipairs(parts) do
          list[#list + 1] = tide.complex(re, im)
        end
      end
      local a = tide.array(list, dtype)
      local odd = a:slice(1, #list, 2)
      local x, y = a:totable(), odd:totable()
      local wanted = {}
      for i = 1, #x do
        wanted[i] = false
        for k = 1, #y do
          wanted[i] = wanted[i] or
                      x[i].re == y[k].re and x[i].im == y[k].im
        end
      end
      assert.same(wanted, both(a, odd))
      assert.same({ true, false }, both(tide.array{ 1, 2 },
                                        tide.array({ 1 }, dtype)))
    end)
  end

  it("has all digits of int64 and uint64", function ()
    local big = (1 << 53) + 1
    local a = tide.array{ big, -1, 5, math.mininteger }
    local u = tide.array({ big - 1, -1, 5, math.mininteger }, "uint64")
    assert.same({ false, false, true, false }, both(a, u))
    assert.same({ false, false, true, false }, both(u, a))
    assert.same({ false, true, false },
                both(tide.array({ -1, -2, 3 }, "uint64"),
                     tide.array({ -2 }, "uint64")))
    assert.same({ false, true }, both(tide.array{ big, big + 1 },
                                      tide.array{ big + 1 }))
  end)

  it("compares what has another dtype", function ()
    local a = tide.array({ 0.5, 1, 300, -1 }, "float32")
    assert.same({ false, true, false, false },
                both(a, tide.array({ 1, 44 }, "uint8")))
    assert.same({ true, false, false, true },
                both(a, tide.array({ 0.5, -1 }, "float16")))
    assert.same({ true, false }, both(tide.array{ true, false },
                                      tide.array{ 1, 7 }))
    assert.same({ false, true }, both(tide.array({ -1, 2 }, "int8"),
                                      tide.array({ 255, 2 }, "uint8")))
  end)

  it("takes numbers as eq does, tables, and any shape", function ()
    local a = tide.array{ { 1, 2, 3 }, { 4, 5, 6 } }
    assert.same({ { false, true, false }, { false, false, false } },
                both(a, 2))
    assert.same({ { false, false }, { false, true }, { true, false } },
                both(a.T, { { 3 }, { 5 } }))
    assert.same({ true, false }, both(a:select(1, 1):slice(1, 3, 2), { 1 }))
    assert.same({ true, false }, both(a:select(1, 1):slice(3, 1, -2), { 3 }))
    assert.same({ true }, both(tide.array({ 0.1 }, "float32"), 0.1))
    assert.same({ false }, both(tide.array({ 0.1 }, "float32"), { 0.1 }))
    assert.is_true(tide.isin(3, a):item())
    assert.same({}, tide.isin(3, a).shape)
    assert.is_true(a:sum():isin(tide.array{ 20, 21 }):item())
    assert.same({ true, false }, both(tide.array{ true, false }, true))
    assert.is_false(tide.array{ 0 / 0 }:isin(0 / 0):item())
    assert.is_true(tide.array{ 0 / 0 }:isin(0 / 0, { invert = true }):item())
  end)

  it("of nothing, or in nothing", function ()
    assert.same({ 0, 3 }, tide.ones{ 0, 3 }:isin{ 1 }.shape)
    assert.same({ false, false }, both(tide.ones(2), tide.zeros(0)))
    assert.same({ false, false }, both(tide.ones(2, "complex64"),
                                       tide.zeros{ 2, 0 }))
    assert.same({ 0 }, tide.zeros(0):isin(tide.zeros(0)).shape)
  end)

  it("writes to 'out', and leaves its operands", function ()
    local a, v = tide.array{ 3, 1, 2 }, tide.array{ 2, 3 }
    local z = tide.zeros({ 3, 2 }, "bool"):select(2, 1)
    assert.equal(z, a:isin(v, { out = z }))
    assert.same({ true, false, true }, z:totable())
    assert.same({ 3, 1, 2 }, a:totable())
    assert.same({ 2, 3 }, v:totable())
    local b = tide.array{ true, false }
    assert.equal(b, b:isin(tide.array{ false }, { out = b }))
    assert.same({ false, true }, b:totable())
  end)

  it("does not wait, and is captured", function ()
    local a, v = tide.arange(6), tide.array{ 5, 1 }
    local z = tide.zeros(6, "bool")
    tide.sync_debug "error"
    local g <close> = tide.capture(function () a:isin(v, { out = z }) end)
    v:add_(-1)
    g:launch()
    tide.sync_debug "off"
    assert.same({ true, false, false, false, true, false }, z:totable())
  end)

  it("says what is wrong", function ()
    local a = tide.arange(3)
    badarg(2, "tide.Array, number, boolean or table expected", tide.isin, a)
    badarg(3, "unknown option 'inverse'", tide.isin, a, 1, { inverse = true })
    badarg(3, "option 'invert' must be a boolean, got number", tide.isin, a, 1,
           { invert = 1 })
    badarg(3, "option 'out' must have dtype bool, has int64", tide.isin, a, a,
           { out = a })
    local closed = tide.ones(2)
    closed:close()
    badarg(2, "array is closed", tide.isin, a, closed)
    fails("array is closed", tide.isin, closed, a)
  end)
end)

end)
