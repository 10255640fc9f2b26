--[[
reduce_spec.lua - reductions: results and their dtypes, options, sizes, order.
Their values on every dtype: parity_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local NAMES = { "sum", "prod", "mean", "min", "max", "any", "all",
                "count_nonzero" }

-- One block of a kernel, the last size of one stage and the first of two.
local SIZES = { 1, 2, 3, 31, 32, 33, 255, 257, 1023, 1024, 1025, 65535, 65536,
                65537, 1000003 }

helper.each_device(function ()

describe("a reduction", function ()
  it("is a function and a method that gives a 0-d array", function ()
    local a = tide.array{ { 3, -1 }, { 0, 5 } }
    for name, wanted in pairs{ sum = 7, prod = 0, mean = 1.75, min = -1,
                               max = 5, any = true, all = false,
                               count_nonzero = 3 } do
      local z = tide[name](a)
      assert.same({}, z.shape)
      assert.equal(wanted, z:item())
      assert.equal(wanted, a[name](a):item())
      assert.equal(wanted, a[name](a, nil):item())
    end
  end)

  it("has NumPy's dtypes", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.ones(3, dtype)
      local float = numbers.is_float(dtype)
      local sum = numbers.sum_dtype(dtype)
      for name, wanted in pairs{ sum = sum, prod = sum, min = dtype,
                                 max = dtype, any = "bool", all = "bool",
                                 mean = float and dtype or "float64",
                                 count_nonzero = "int64" } do
        assert.equal(wanted, a[name](a).dtype)
      end
    end
  end)

  it("of a mean is rounded once", function ()
    local pick = helper.generator(44)
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "complex64" } do
      local max = tide.finfo(dtype == "complex64" and "float32" or dtype).max
      local wide = dtype == "complex64" and "complex128" or "float64"
      for _, shape in ipairs{ { 3 }, { 70001 }, { 3, 2 }, { 700, 3 },
                              { 40000, 2 }, { 2, 3, 4 } } do
        local a = tide.full(shape, max, dtype)
        for _, axes in ipairs{ {}, { 1 }, { #shape } } do
          local m = a:mean(axes[1])
          assert.is_true(tide.array_equal(m, tide.full_like(m, max)), dtype)
        end
      end
      for n = 2, 60 do
        local t = {}
        for i = 1, n do t[i] = pick(1000) / 7 - 20 end
        local a = tide.array(t, dtype)
        local once = a:astype(wide):mean():astype(dtype):item()
        assert.equal(once, a:mean():item())
        if dtype ~= "complex64" then
          assert.equal(once, a:nanmean():item())
        end
      end
    end
    for n = 2, 60 do
      local a = tide.random.uniform(0, 1, n)
      assert.equal(a:mean():item(), a:nanmean():item())
    end
  end)

  it("works in all sizes, aligned or not", function ()
    for _, n in ipairs(SIZES) do
      for _, dtype in ipairs(n > 70000 and { "uint8", "int64", "float32" } or
                             numbers.sets.NUMBER) do
        for by = 0, 1 do
          local a = tide.ones(n + by, dtype):slice(1 + by)
          local sum = numbers.sum_dtype(dtype)
          assert.equal(numbers.fit(n, sum), a:sum():item())
          assert.equal(n, a:count_nonzero():item())
          assert.equal(1.0, a:mean():item())
          assert.is_true(a:all():item())
          a:slice(-1):fill(0)
          assert.equal(numbers.fit(n - 1, sum), a:sum():item())
          assert.equal(0, a:min():item())
          assert.is_false(a:all():item())
          assert.equal(n > 1, a:any():item())
        end
      end
    end
  end)

  it("of integers wraps in 64 bits only", function ()
    assert.equal(255 * 70000, tide.full(70000, 255, "uint8"):sum():item())
    assert.equal(((1 << 31) - 1) * 70000,
                 tide.full(70000, (1 << 31) - 1, "int32"):sum():item())
    assert.equal(math.mininteger,
                 tide.array{ math.maxinteger, 1 }:sum():item())
    assert.equal(-128 * 70000, tide.full(70000, -128, "int8"):sum():item())
    assert.equal(65535 * 70000, tide.full(70000, 65535, "uint16"):sum():item())
    assert.equal(0xffffffff * 70000,
                 tide.full(70000, 0xffffffff, "uint32"):sum():item())
    assert.equal(-70000, tide.full(70000, -1, "uint64"):sum():item())
    assert.equal(1 << 63, tide.full(63, 2, "uint16"):prod():item())
    assert.equal(1 << 62, tide.full(62, 2, "uint8"):prod():item())
    assert.equal(0, tide.full(64, 2, "uint8"):prod():item())
  end)

  it("of float32 is added in float64", function ()
    local n = 1000003
    local x = numbers.fit(0.1, "float32")
    assert.equal(numbers.fit(n * x, "float32"),
                 tide.full(n, 0.1, "float32"):sum():item())
    local a = tide.full(n, 1, "float32")
    a[1] = 2.0 ^ 24
    assert.equal(numbers.fit(2.0 ^ 24 + n - 1, "float32"), a:sum():item())
  end)

  it("of floats is the same every time, wherever they lie", function ()
    local pick = helper.generator(99)
    local bytes = numbers.pack(numbers.random("float64", 70001, pick),
                               "float64")
    local a = tide.frombytes(bytes, "float64")
    local wanted = a:sum():tobytes()
    for by = 1, 3 do
      local b = tide.zeros(70001 + by):slice(by + 1):copy_from(a)
      assert.is_true(b:sum():tobytes() == wanted)
      assert.is_true(a:sum():tobytes() == wanted)
    end
  end)

  it("of floats is the same of elements that are apart", function ()
    local pick = helper.generator(98)
    for _, n in ipairs{ 1, 2, 63, 64, 1000, 4096, 4097, 65536, 65537, 131073,
                        9000001 } do
      local few = n > 200000
      local bytes = numbers.pack(numbers.random("float64", few and 1000 or n,
                                                pick), "float64")
      local a = tide.frombytes(bytes, "float64")
      a = few and tide.tile(a, n // 1000 + 1):slice(1, n) or a
      for _, t in ipairs(few and { "float32" } or { "float64", "float32",
                         "float16", "int32", "uint8", "bool", "complex128" }) do
        local x = (t == "bool" and a:gt(0) or a):clip(-100, 100):astype(t)
        for _, by in ipairs(few and { 2 } or { -3, -2, -1, 0, 2, 3 }) do
          local wide = tide.zeros(n * math.max(1, math.abs(by)), t)
          local view = by > 0 and wide[{ { 1, n * by, by } }] or
                       by < 0 and wide[{ { n * -by, 1, by } }]
          view = view or tide.full({}, x[1], t):broadcast_to{ n }
          local same = by ~= 0 and x or tide.full(n, x[1], t)
          if by ~= 0 then view:copy_from(x) end
          for _, name in ipairs(t == "complex128" and { "sum", "mean" } or
                                { "sum", "mean", "max", "all", "any",
                                  "count_nonzero" }) do
            assert.equal(same[name](same):tobytes(), view[name](view):tobytes(),
                         ("%s of %d %s, %d apart"):format(name, n, t, by))
          end
        end
      end
    end
  end)

  it("lets NaN win, and passes infinities on", function ()
    local nan = 0 / 0
    for _, n in ipairs{ 5, 70000 } do
      local a = tide.zeros(n)
      a[n // 2], a[n] = nan, 1 / 0
      for _, name in ipairs{ "sum", "prod", "mean", "min", "max" } do
        assert.is_true(a[name](a):isnan():item())
      end
      assert.is_true(a:any():item())
      assert.equal(2, a:count_nonzero():item())
      a[n // 2] = 0
      assert.same({ 1 / 0, 1 / 0, 0.0 }, { a:sum():item(), a:max():item(),
                                           a:min():item() })
    end
  end)

  it("of a mean of integers does not wrap around (#032)", function ()
    local high = math.maxinteger
    assert.equal(2.0 ^ 63, tide.array{ high, high }:mean():item())
    assert.equal(-2.0 ^ 63, tide.full(100000, math.mininteger):mean():item())
    assert.equal(2 / 3, tide.array{ true, true, false }:mean():item())
    assert.equal(255.0, tide.full(100000, 255, "uint8"):mean():item())
    assert.equal(-2.0 ^ 31, tide.full(100000, -1 << 31, "int32"):mean():item())
  end)
end)

describe("any and all", function ()
  local LENGTHS <const> = { 1, 1023, 1024, 1025, 65536, 65537, 700001 }

  it("find one element, wherever it is", function ()
    for _, n in ipairs(LENGTHS) do
      for _, dtype in ipairs{ "bool", "int16", "float32", "complex64" } do
        local a = tide.zeros(n + 3, dtype):slice(3, n + 2)
        for _, at in ipairs{ 1, (n + 1) // 2, n } do
          assert.is_false(a:any():item())
          a[at] = 1
          assert.is_true(a:any():item())
          a[at] = 0
          a:fill(1)
          assert.is_true(a:all():item())
          a[at] = 0
          assert.is_false(a:all():item())
          a:fill(0)
        end
      end
    end
  end)

  it("find it in rows", function ()
    local a = tide.zeros({ 5, 3000 }, "int32")
    a[2][1], a[4][3000] = -1, 7
    assert.same({ false, true, false, true, false }, a:any(2):totable())
    assert.same({ true, false, true, false, true },
                a:eq(0):all(2):totable())
  end)

  it("look again whenever a graph is launched", function ()
    local a, z = tide.zeros(700001), tide.array(false)
    local g <close> = tide.capture(function () a:any{ out = z } end)
    for _, at in ipairs{ 1, 350000, 700001 } do
      a[at] = 1
      g:launch()
      assert.is_true(z:item())
      a[at] = 0
      g:launch()
      assert.is_false(z:item())
    end
  end)
end)

describe("count_nonzero", function ()
  it("counts as many as there are, in rows and in all", function ()
    for _, dtype in ipairs{ "bool", "int8", "uint16", "int32", "float32",
                            "int64", "float64", "complex64" } do
      for _, n in ipairs{ 1, 31, 127, 128, 129, 32640, 32641, 65536, 300001 } do
        local a = tide.zeros(n + 1, dtype):slice(2, n + 1)
        assert.equal(0, a:count_nonzero():item())
        a[n] = 1
        assert.equal(1, a:count_nonzero():item())
        a:fill(1)
        assert.equal(n, a:count_nonzero():item())
        a[(n + 1) // 2] = 0
        assert.same({ n - 1, n - 1 },
                    tide.vstack{ a, a }:count_nonzero(2):totable())
      end
    end
  end)
end)

describe("without elements", function ()
  it("gives what changes nothing", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.zeros({ 0, 3 }, dtype)
      assert.equal(0, a:sum():item())
      assert.equal(1, a:prod():item())
      assert.equal(0, a:count_nonzero():item())
      assert.is_false(a:any():item())
      assert.is_true(a:all():item())
      assert.is_true(a:mean():isnan():item())
    end
  end)

  it("min and max are refused", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.zeros(0, dtype)
      fails("'min' of an array without elements", a.min, a)
      fails("'max' of an array without elements", tide.max, a)
    end
  end)

  it("in its rows has a value for each of them (#061)", function ()
    for _, dtype in ipairs{ "float64", "float32", "int32", "bool" } do
      assert.same({ 0, 0 }, tide.empty({ 2, 0 }, dtype):sum(2):totable())
      assert.same({ 1, 1, 1 }, tide.empty({ 0, 3 }, dtype):prod(1):totable())
    end
  end)
end)

describe("out", function ()
  it("is one element of the result's dtype, of any shape", function ()
    local a = tide.arange(5)
    for _, z in ipairs{ tide.zeros({}, "int64"), tide.zeros(1, "int64"),
                        tide.zeros({ 1, 1 }, "int64"),
                        tide.zeros(9, "int64"):slice(4, 4) } do
      assert.equal(z, a:sum{ out = z })
      assert.equal(10, z:item())
      assert.equal(z, tide.max(a, { out = z }))
      assert.equal(4, z:item())
    end
    local flag = tide.zeros({}, "bool")
    assert.is_true(a:any{ out = flag }:item())
  end)

  it("may be an element of the array itself", function ()
    for _, n in ipairs{ 5, 70000 } do
      local a = tide.ones(n, "int64")
      a:sum{ out = a:slice(2, 2) }
      assert.equal(n, a[2])
      assert.equal(2 * n - 1, a:sum():item())
    end
  end)

  it("the first true and the first false of bools", function ()
    for _, n in ipairs{ 1, 2, 7, 8, 9, 63, 64, 65, 72, 200, 1025, 5000 } do
      for _, at in ipairs{ 1, n // 2 + 1, n } do
        local one = tide.zeros({ 3, n }, "bool")
        one[{ 2, at }] = true
        local none = ~one
        assert.same({ 1, at, 1 }, one:argmax{ axis = 2 }:totable())
        assert.same({ 1, at, 1 }, none:argmin{ axis = 2 }:totable())
        assert.same({ 1, at, 1 }, one.T:argmax{ axis = 1 }:totable())
        assert.same({ false, true, false }, one:any{ axis = 2 }:totable())
        assert.same({ true, false, true }, none:all{ axis = 2 }:totable())
        assert.equal(at, one[2]:argmax():item())
        assert.equal(at, none[2]:argmin():item())
        assert.is_true(one:any():item())
        assert.is_false(none:all():item())
      end
    end
  end)

  it("axis is the axes, as an argument is", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    for _, name in ipairs(NAMES) do
      for _, axes in ipairs{ 1, -1, { 1, 3 }, { 2 } } do
        local z = a[name](a, axes)
        assert.is_true(z:array_equal(a[name](a, { axis = axes })), name)
        z = a[name](a, axes, { keepdims = true })
        local y = z:copy():fill(0)
        assert.equal(y, a[name](a, { axis = axes, keepdims = true, out = y }))
        assert.is_true(z:array_equal(y), name)
        assert.is_true(y:array_equal(tide[name](a, nil, { axis = axes,
                                                  keepdims = true })))
      end
    end
    assert.equal("float32", a:sum{ axis = 1, dtype = "float32" }.dtype)
    assert.is_true(a:std(1, { ddof = 1 }):allclose(a:std{ axis = 1, ddof = 1 }))
    assert.same({ 2, 1, 1 }, tide.argmax(a, { axis = 2 }):max{ axis = 2,
                              keepdims = true }:expand_dims(2).shape)
    assert.is_true(a:array_equal(a:sum{ axis = {} }))
  end)

  it("that is wrong is refused and stays as it was", function ()
    local a, z = tide.arange(5), tide.full(2, 7)
    local closed = tide.zeros({}, "int64")
    closed:close()
    for _, name in ipairs(NAMES) do
      local text = "option 'out' must be an open tide.Array of one "
      for _, bad in ipairs{ z, closed, tide.HostArray(1, "int64"), 1, "x",
                            tide.zeros({}, "float32"),
                            tide.zeros(0, "int64") } do
        badarg(2, text, tide[name], a, { out = bad })
      end
      badarg(2, "unknown option 'axes'; did you mean 'axis'?", tide[name], a,
             { axes = 1 })
      badarg(2, "axis 2 is out of range for an array of 1 axes", tide[name],
             a, { axis = 2 })
      badarg(2, "axis must be an integer, got string", tide[name], a,
             { axis = "x" })
      badarg(3, "option 'axis' is given besides an axis", tide[name], a, 1,
             { axis = 1 })
      badarg(2, "axis 2 is out of range for an array of 1 axes", tide[name],
             a, 2)
      badarg(2, "axis must be an integer, got string", tide[name], a, "x")
      badarg(2, "axis 1 is there twice", tide[name], tide.ones{ 2, 2 },
             { 1, -2 })
      badarg(3, "table expected, got number", tide[name], a, 1, 2)
      badarg(3, "nothing comes after the options", tide[name], a,
             { keepdims = true }, 1)
      badarg(3, "option 'keepdims' must be a boolean", tide[name], a, 1,
             { keepdims = 1 })
      badarg(1, "tide.Array expected, got number", tide[name], 5)
      badarg(1, "tide.Array expected, got tide.HostArray", tide[name],
             tide.HostArray(1))
    end
    assert.same({ 7, 7 }, z:totable())
    assert.equal(10, a:sum():item())
  end)

  it("takes a mean, also where it is read", function ()
    for _, dtype in ipairs{ "float64", "float32" } do
      local a = tide.array({ 1, 2, 6 }, dtype)
      local z = a:slice(2, 2)
      assert.equal(z, a:mean{ out = z })
      assert.same({ 1.0, 3.0, 6.0 }, a:totable())
    end
    local z = tide.zeros{}
    assert.equal(z, tide.mean(tide.array({ 1, 4 }, "uint8"), { out = z }))
    assert.equal(2.5, z:item())
  end)
end)

describe("the work", function ()
  it("is one launch, or two for many elements #once", function ()
    local small, large = tide.ones(65536), tide.ones(65537)
    for _, name in ipairs{ "sum", "prod", "min", "max", "any", "all",
                           "count_nonzero" } do
      assert.equal(1, helper.launches(small[name], small))
      assert.equal(2, helper.launches(large[name], large))
    end
  end)

  it("goes to the current stream, after what it reads", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(70000)
    tide.get_device():synchronize()
    local key, sum = T.hold(s), nil
    s:with(function ()
      a:fill(1)
      sum = a:sum()
    end)
    assert.is_false(s.done)
    local mean = a:mean()
    T.release(key)
    assert.equal(70000, sum:item())
    assert.equal(1, mean:item())
  end)

  it("along an axis that is not the last one is that of rows", function ()
    local pick = helper.generator(7)
    local inners = { 2, 3, 4, 8, 12, 64, 100, 128, 260, 516 }
    for case = 1, 60 do
      local inner, n = inners[pick(#inners)], pick(2) == 1 and pick(20) or
                                              pick(1500)
      local outer = pick(math.max(1, 40000 // (n * inner)))
      local dtype = ({ "float32", "int64", "float16", "uint8" })[case % 4 + 1]
      local a = tide.arange(outer * n * inner):mul(7919):mod(101):astype(dtype)
      a = a:reshape(outer, n, inner)
      local rows = a:permute(1, 3, 2):copy()
      for _, name in ipairs{ "sum", "max", "argmin", "count_nonzero", "any" } do
        assert.is_true(a[name](a, 2):array_equal(rows[name](rows, 3)),
                       ("%s of %d x %d x %d"):format(name, outer, n, inner))
      end
      assert.is_true(a:astype "float64":var(2)
                      :allclose(rows:astype "float64":var(3)))
    end
  end)

  it("can be captured", function ()
    local a, z = tide.arange(70000), tide.zeros({}, "int64")
    local mean = tide.zeros{}
    local g <close> = tide.capture(function ()
      a:sum{ out = z }
      a:mean{ out = mean }
    end)
    for i = 0, 2 do
      g:launch()
      assert.equal(70000 * 69999 // 2 + i * 70000, z:item())
      assert.equal(69999 / 2 + i, mean:item())
      a:add_(1)
    end
  end)
end)

end)
