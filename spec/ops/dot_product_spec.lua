--[[
dot_product_spec.lua - dot: of vectors, of matrices and of more axes; how sums
of 16 bits are rounded.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails = helper.fails
local array, values = helper.array, helper.values

--- Small integers: products of floats are exact, too.
local function elements (n, dtype, pick)
  local list = {}
  for i = 1, n do
    local x = pick(9) - (dtype:find "^u" and 1 or 5)
    list[i] = numbers.fit(dtype == "bool" and x % 2 or x, dtype)
  end
  return list
end

helper.each_device(function ()

describe("dot of vectors", function ()
  it("is the sum of the products, of any length and wherever they lie",
     function ()
    for _, t in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, n in ipairs{ 0, 1, 7, 33, 1000, 65537, 200003 } do
        local x = (tide.arange(n + 3) % 5):astype(t)
        local y = (tide.arange(n + 3) % 3 - 1):astype(t)
        for first = 1, 4 do
          local a, b = x:slice(first, first + n - 1), y:slice(3, n + 2)
          local wanted = (a:astype "float64" * b:astype "float64"):sum()
          assert.equal(wanted:astype(t):item(), a:dot(b):item())
          assert.equal(t, a:dot(b).dtype)
        end
        local z = tide.empty({}, t)
        assert.equal(z, x:dot(x, { out = z }))
        assert.equal((x:astype "float64" ^ 2):sum():astype(t):item(), z:item())
      end
    end
    for _, n in ipairs{ 100, 65536, 65537, 1000003 } do
      for _, t in ipairs{ "float32", "float64" } do  -- not a bit differs
        local x = (tide.arange(n):astype(t) + 0.3):sqrt()
        assert.equal((x * x:flip(1)):sum():item(), x:dot(x:flip(1)):item())
      end
    end
    assert.equal(3e4 * 3e4 * 3, tide.array({ 3e4, 3e4, 3e4 }, "float32")
                                :dot(tide.array{ 3e4, 3e4, 3e4 }):item())
  end)
end)

describe("dot", function ()
  it("is the sum of products of two vectors", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local pick, sum = helper.generator(5), 0
      local xs, ys = elements(3000, dtype, pick), elements(3000, dtype, pick)
      for i, x in ipairs(xs) do sum = sum + x * ys[i] end
      local z = array(xs, dtype):dot(array(ys, dtype))
      assert.equal(dtype, z.dtype)
      assert.same({}, z.shape)
      assert.equal(numbers.fit(sum, dtype), values(z)[1])
    end
    fails("cannot be multiplied", tide.dot, tide.ones(2), tide.ones(3))
  end)

  it("is the product of matrices, and a multiple", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same(a:matmul(a.T):totable(), a:dot(a.T):totable())
    assert.same({ 8, 26 }, a:dot(tide.array{ 1, 2, 3 }):totable())
    assert.same({ 0, 3, 6 }, tide.array(3):dot(a[1]):totable())
    assert.same((a * 2):totable(), a:dot(tide.array(2)):totable())
  end)

  it("of more axes goes over the last and the last but one", function ()
    local a = tide.arange(12):reshape{ 2, 2, 3 }
    local b = tide.arange(24):reshape{ 4, 3, 2 }
    local z = a:dot(b)
    assert.same({ 2, 2, 4, 2 }, z.shape)
    for i = 1, 2 do
      for j = 1, 4 do
        assert.same(a[i]:matmul(b[j]):totable(),
                    tide.stack{ z[i][1][j], z[i][2][j] }:totable())
      end
    end
    fails("shapes 2x2x3 and 4x2x2 cannot be multiplied", tide.dot, a,
          tide.ones{ 4, 2, 2 })
  end)

  it("goes into an array of one's own", function ()
    local a, out = tide.array{ 1, 2, 3 }, tide.array(0)
    assert.equal(out, a:dot(a, { out = out }))
    assert.equal(14, out:item())
    local m = tide.arange(6):reshape{ 2, 3 }
    local z = tide.zeros({ 2, 2 }, "int64")
    assert.equal(z, tide.dot(m, m.T, { out = z }))
    assert.same({ { 5, 14 }, { 14, 50 } }, z:totable())
    fails("option 'out' must have shape", function ()
      a:dot(a, { out = a })
    end)
  end)
end)

-- Products of two numbers of 16 bits are float32, added in float64.
describe("dot of 16 bits", function ()
  local MANY = 70000  -- more than one block adds up

  local function repeated (n, ...)
    local list, of = {}, { ... }
    for i = 1, n do list[i] = of[(i - 1) % #of + 1] end
    return list
  end

  --- The dot of two lists, which must be that in float64, rounded once.
  local function rounded (dtype, xs, ys)
    local x, y = tide.array(xs, dtype), tide.array(ys, dtype)
    local exact = x:astype "float64":dot(y:astype "float64")
    local z = x:dot(y)
    assert.equal(dtype, z.dtype)
    assert.equal(exact:astype(dtype):item(), z:item())
    return z:item(), exact:item()
  end

  it("keeps products that have no 16 bits (#089)", function ()
    for _, n in ipairs{ 64, MANY } do
      local small = repeated(n, 2^-13)
      local z, exact = rounded("float16", small, small)
      assert.equal(n * 2^-26, exact)
      assert.is_true(z > 0)
      local near, one = 1 + 2^-7, 1 + 2^-6
      z = rounded("bfloat16", repeated(n, near, -one), repeated(n, near, 1))
      assert.is_true(math.abs(z - n / 2 * 2^-14) <= n * 2^-23)
    end
    assert.equal(3, (rounded("float16", repeated(9, 300, 300, 1),
                             repeated(9, 300, -300, 1))))
  end)

  for _, dtype in ipairs{ "float16", "bfloat16" } do
    it("is rounded once: " .. dtype, function ()
      local pick = helper.generator(5)
      for _, n in ipairs{ 0, 1, 2, 1000, MANY } do
        local xs, ys = {}, {}
        for i = 1, n do
          xs[i], ys[i] = (pick(2001) - 1001) / 512, (pick(2001) - 1001) / 4096
        end
        rounded(dtype, xs, ys)
      end
      -- float32, on the way, would be halfway between two of them
      local ulp = dtype == "float16" and 2^-10 or 2^-7
      rounded(dtype, { 1, ulp, 2^-12 }, { 1, 0.5, 2^-12 })
      rounded(dtype, { 1, -ulp / 2, -2^-12 }, { 1, 0.5, 2^-12 })
    end)

    it("takes other dtypes, views and out: " .. dtype, function ()
      local x = tide.array({ 2^-10, 0, 2^-10, 0 }, dtype)
      local z = x:slice(1, 3):dot(tide.array({ 1, 0, 1 }, "bool"))
      assert.same({ 2^-9, dtype }, { z:item(), z.dtype })
      assert.equal(2^-19, x:slice(1, 4, 2):dot(x:flip(1):slice(2, 4, 2)
                                               :astype "float32"):item())
      local out = tide.zeros({}, dtype)
      assert.equal(out, x:dot(x, { out = out }))
      assert.equal(2^-19, out:item())
    end)

    it("of matrices is added in float32 as well: " .. dtype, function ()
      local small = tide.full({ 2, 64 }, 2^-13, dtype)
      assert.equal(2^-20, small:matmul(small.T):max():item())
      assert.equal(2^-20, small:dot(small.T):min():item())
      assert.equal(2^-20, small[1]:matmul(small:select(1, 2)):item())
    end)
  end
end)

end)
