--[[
dot of two float16 or bfloat16 vectors rounded each product to 16 bits before it
was added: small ones were lost, large ones infinite. Products are float32 now,
added in float64, and what is rounded to 16 bits is the sum, once.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local MANY = 70000  -- more than one block adds up

--- The dot of lists as arrays of a dtype, and that of the same in float64.
local function dots (dtype, xs, ys)
  local x, y = tide.array(xs, dtype), tide.array(ys, dtype)
  local exact = x:astype "float64":dot(y:astype "float64")
  local z = x:dot(y)
  assert.equal(dtype, z.dtype)
  return z, exact
end

local function same (dtype, xs, ys)
  local z, exact = dots(dtype, xs, ys)
  assert.equal(exact:astype(dtype):item(), z:item())
  return z:item(), exact:item()
end

local function repeated (n, ...)
  local list, of = {}, { ... }
  for i = 1, n do
    list[i] = of[(i - 1) % #of + 1]
  end
  return list
end

helper.each_device(function ()

describe("dot of", function ()
  it("float16 keeps products that are no float16", function ()
    for _, n in ipairs{ 64, MANY } do
      local small = repeated(n, 2^-13)
      assert.equal(n * 2^-26, (select(2, same("float16", small, small))))
      assert.is_true(same("float16", small, small) > 0)
    end
    local large = repeated(9, 300, 300, 1)
    local signs = repeated(9, 300, -300, 1)
    assert.equal(3, same("float16", large, signs))
  end)

  it("bfloat16 keeps products that are no bfloat16", function ()
    local near, one = 1 + 2^-7, 1 + 2^-6
    for _, n in ipairs{ 64, MANY } do
      local z = same("bfloat16", repeated(n, near, -one), repeated(n, near, 1))
      assert.is_true(math.abs(z - n / 2 * 2^-14) <= n * 2^-23)
    end
  end)

  for _, dtype in ipairs{ "float16", "bfloat16" } do
    it(dtype .. " is rounded once", function ()
      local pick = helper.generator(5)
      for _, n in ipairs{ 0, 1, 2, 1000, MANY } do
        local xs, ys = {}, {}
        for i = 1, n do
          xs[i], ys[i] = (pick(2001) - 1001) / 512, (pick(2001) - 1001) / 4096
        end
        same(dtype, xs, ys)
      end
      -- float32, on the way, would be halfway between two of them
      local ulp = dtype == "float16" and 2^-10 or 2^-7
      same(dtype, { 1, ulp, 2^-12 }, { 1, 0.5, 2^-12 })
      same(dtype, { 1, -ulp / 2, -2^-12 }, { 1, 0.5, 2^-12 })
    end)

    it(dtype .. " with others, in views and with out", function ()
      local x = tide.array({ 2^-10, 0, 2^-10, 0 }, dtype)
      local y = tide.array({ 1, 0, 1 }, "bool")
      assert.equal(2^-9, x:slice(1, 3):dot(y):item())
      assert.equal(dtype, x:slice(1, 3):dot(y).dtype)
      assert.equal(2^-10, x:slice(1, 4, 2):dot(x:flip(1):slice(2, 4, 2):astype(
                     "float32")):item() * 2^9)
      local out = tide.zeros({}, dtype)
      assert.equal(out, x:dot(x, { out = out }))
      assert.equal(2^-19, out:item())
    end)

    it(dtype .. " matrices adds in float32 as well", function ()
      local small = tide.full({ 2, 64 }, 2^-13, dtype)
      local z = small:matmul(small:transpose())
      assert.same({ 2, 2 }, z.shape)
      assert.equal(2^-20, z:max():item())
      assert.equal(2^-20, small:select(1, 1):matmul(small:select(1, 2)):item())
      assert.equal(2^-20, small:dot(small:transpose()):min():item())
    end)
  end
end)

end)
