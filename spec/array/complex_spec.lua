--[[
complex_spec.lua - complex64 and complex128: their values in Lua, elements,
arithmetic bit by bit, functions within rounding, reductions, refusals.
Promotion and casts: dtype_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local reference = require "spec.support.complex_reference"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg
local array, values = helper.array, helper.values
local modulus = reference.modulus

local huge, nan = math.huge, 0 / 0

local EDGES = { 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.1, 1e-30, -1e30, huge,
                -huge, nan }

--- All pairs of edges as elements of that dtype.
local function elements (dtype)
  local list, part = {}, numbers.parts[dtype]
  for _, re in ipairs(EDGES) do
    for _, im in ipairs(EDGES) do
      list[#list + 1] = { numbers.fit(re, part), numbers.fit(im, part) }
    end
  end
  return list
end

local function show (z)
  return type(z) == "table" and ("(%g, %g)"):format(z[1], z[2]) or tostring(z)
end

local function same (name, got, wanted, dtype, xs, ys)
  assert.equal(#wanted, #got)
  for i, z in ipairs(wanted) do
    if numbers.ulps(got[i], z, dtype) ~= 0 then
      error(("%s of %s and %s is %s, expected %s"):format(name, show(xs[i]),
            show(ys and ys[i]), show(got[i]), show(z)), 2)
    end
  end
end

--- The same to the bit where both are computed by this machine's functions, as
-- on the host device; a GPU has its own, which round otherwise.
local function alike (name, got, wanted, x, y)
  local z, w = { got[1], got[2] }, { wanted[1], wanted[2] }
  if not tostring(tide.get_device()):find "host" then
    local most = 1e-14 * (math.abs(w[1]) + math.abs(w[2]))
    for i = 1, 2 do
      if math.abs(z[i] - w[i]) <= most or z[i] == w[i] then w[i] = z[i] end
    end
  end
  same(name, { z }, { w }, "complex128", { x }, { y })
end

local function model (name, dtype, xs, ys)
  local list = {}
  local function fit (x) return numbers.fit(x, numbers.parts[dtype]) end
  for i, x in ipairs(xs) do
    list[i] = { reference.exact[name](x, ys[i], fit) }
  end
  return list
end

local function near (got, wanted, tolerance, what)
  local distance = modulus{ got[1] - wanted[1], got[2] - wanted[2] }
  assert(distance <= tolerance * math.max(modulus(wanted), 1e-3),
         ("%s is %s, expected %s"):format(what, show(got), show(wanted)))
end

local TOLERANCE = { complex64 = 1e-6, complex128 = 1e-13 }

local function random (n, pick)
  local list = {}
  for i = 1, n do
    list[i] = { (pick(81) - 41) / 8, (pick(81) - 41) / 8 }
  end
  return list
end

helper.each_device(function ()

describe("tide.complex", function ()
  it("is a value", function ()
    local z = tide.complex(1, -2.5)
    assert.same({ 1.0, -2.5 }, { z.re, z.im })
    assert.same({ 1.0, -2.5 }, { table.unpack(z) })
    assert.equal("1-2.5j", tostring(z))
    assert.equal("0+0j", tostring(tide.complex(0)))
    assert.equal("inf+nanj", tostring(tide.complex(huge, -nan)))
    assert.is_true(z == tide.complex(1, -2.5))
    assert.is_true(z ~= tide.complex(1, 2.5))
    assert.is_true(tide.complex(nan) ~= tide.complex(nan))
    assert.is_false(z == 1)
  end)

  it("cannot be changed, and wants numbers", function ()
    local z = tide.complex(1)
    assert.has_error(function () z.re = 2 end)
    fails("no field 'real'", function () return z.real end)
    fails("has the parts 1 and 2", function () return z[3] end)
    badarg(1, "number expected, got no value", tide.complex)
    badarg(2, "number expected, got table", tide.complex, 1, {})
  end)
end)

for _, dtype in ipairs(numbers.complex) do
  local part = numbers.parts[dtype]

  describe(dtype, function ()
    it("elements are read and written", function ()
      local a = tide.array({ tide.complex(1, 2), 3, true, { re = 4 },
                             { re = 5, im = -6 } }, dtype)
      assert.equal(dtype, a.dtype)
      assert.equal(5 * numbers.size[dtype], a.nbytes)
      local wanted = { { 1, 2 }, { 3, 0 }, { 1, 0 }, { 4, 0 }, { 5, -6 } }
      assert.same(wanted, values(a))
      for i, z in ipairs(a:totable()) do
        assert.is_true(z == tide.complex(table.unpack(wanted[i])))
        assert.is_true(z == a[i] and z == a:tohost()[i])
      end
      a[1], a[2], a[3] = { 7, 8 }, 9, tide.complex(0, 1)
      a[4] = { re = 2 }
      assert.same({ { 7, 8 }, { 9, 0 }, { 0, 1 }, { 2, 0 }, { 5, -6 } },
                  values(a))
      a:fill(tide.complex(1, 1))
      assert.is_true(a:eq(tide.complex(1, 1)):all():item())
      a:slice(2, 3):fill{ 3, 4 }
      assert.is_true(tide.complex(3, 4) == a[3])
      local h = tide.HostArray(2, dtype)
      h[1], h[2] = tide.complex(1, 2), 5
      assert.same({ { 1, 2 }, { 5, 0 } }, values(h))
      h:fill{ 1, -1 }
      assert.same({ { 1, -1 }, { 1, -1 } }, values(tide.array(h)))
    end)

    it("is refused what it is not", function ()
      local expected = "number or complex number expected"
      for _, bad in ipairs{ "x", {}, { 1 }, { 1, 2, 3 }, { "1", 2 },
                            { re = "x" } } do
        badarg(1, expected, function () tide.zeros(1, dtype):fill(bad) end)
      end
      fails("element 1 at depth 1: " .. expected, tide.array, { "x" }, dtype)
      for _, other in ipairs{ "float32", "int8", "bool" } do
        fails("number or boolean expected", tide.array, tide.complex(1, 2),
              other)
      end
    end)

    it("goes into bytes and back", function ()
      local bytes = numbers.pack(elements(dtype), dtype)
      local a = tide.frombytes(bytes, dtype)
      assert.is_true(bytes == a:tobytes())
      assert.is_true(bytes == a:copy():tobytes())
      assert.is_true(bytes == a:tohost():tobytes())
      assert.is_true(bytes == tide.array(a:totable(), dtype):tobytes())
    end)

    it("is made by zeros, ones and full", function ()
      for _, n in ipairs{ 1, 2, 255, 4097 } do
        local z = tide.complex(1, 2)
        assert.equal(0, tide.zeros(n, dtype):count_nonzero():item())
        assert.equal(n, tide.ones(n, dtype):eq(1):count_nonzero():item())
        assert.equal(n, tide.full(n, z, dtype):eq(z):count_nonzero():item())
      end
      assert.equal(dtype, tide.ones_like(tide.zeros(2, dtype)).dtype)
      badarg(2, "arange has no " .. dtype, tide.arange, 3, dtype)
    end)

    for name in pairs(reference.exact) do
      it(name .. " is NumPy's", function ()
        local xs, ys, list = {}, {}, elements(dtype)
        for i, x in ipairs(list) do
          for k = 1, #list, 3 do
            xs[#xs + 1], ys[#ys + 1] = x, list[(k + i) % #list + 1]
          end
        end
        local x, y = array(xs, dtype), array(ys, dtype)
        local z = tide[name](x, y)
        assert.equal(dtype, z.dtype)
        same(name, values(z), model(name, dtype, xs, ys), dtype, xs, ys)
        local out = array(xs, dtype)
        assert.equal(out, out[name .. "_"](out, y))
        assert.is_true(out:tobytes() == z:tobytes())
        -- as rows of a matrix, transposed: any strides
        local n = #xs // 13
        local function turned (a) return a:reshape{ 13, n }.T end
        local wanted = turned(z):copy()
        assert.is_true(tide[name](turned(x), turned(y)):tobytes() ==
                       wanted:tobytes())
      end)

      it(name .. " of numbers and arrays", function ()
        local list = elements(dtype)
        local a = array(list, dtype)
        for i = 1, #list, 7 do
          local x, same_x = list[i], {}
          for k = 1, #list do
            same_x[k] = x
          end
          local z = tide.complex(x[1], x[2])
          same(name, values(tide[name](a, z)),
               model(name, dtype, list, same_x), dtype, list, same_x)
          same(name, values(tide[name](z, a)),
               model(name, dtype, same_x, list), dtype, same_x, list)
        end
      end)
    end

    it("has parts, signs and moduli", function ()
      local list = elements(dtype)
      local a, parts = array(list, dtype), { real = {}, imag = {} }
      local conj, neg, isnan = {}, {}, {}
      for i, z in ipairs(list) do
        parts.real[i], parts.imag[i] = z[1], z[2]
        conj[i], neg[i] = { z[1], -z[2] }, { -z[1], -z[2] }
        isnan[i] = z[1] ~= z[1] or z[2] ~= z[2]
      end
      for name, wanted in pairs(parts) do
        assert.equal(part, a[name](a).dtype)
        same(name, values(a[name](a)), wanted, part, list)
      end
      same("conj", values(a:conj()), conj, dtype, list)
      same("neg", values(-a), neg, dtype, list)
      assert.same(isnan, a:isnan():totable())
      local b = array({ { 3, 4 }, { -5, 12 }, { 0, 0 }, { -huge, nan } },
                      dtype)
      assert.equal(part, b:abs().dtype)
      assert.same({ 5, 13, 0, huge }, b:abs():totable())
      assert.same({ false, false, true, false }, b:logical_not():totable())
    end)

    it("is equal where both parts are", function ()
      local a = array({ { 1, 2 }, { 1, -2 }, { 0, -0.0 }, { nan, 0 } }, dtype)
      local b = array({ { 1, 2 }, { 1, 2 }, { -0.0, 0 }, { nan, 0 } }, dtype)
      assert.same({ true, false, true, false }, a:eq(b):totable())
      assert.same({ false, true, false, true }, a:ne(b):totable())
      assert.same({ true, false, false, false },
                  a:eq(tide.complex(1, 2)):totable())
      assert.same({ false, false, true, false }, a:eq(0):totable())
    end)

    it("functions are right within rounding", function ()
      local list = random(300, helper.generator(77))
      local a = array(list, dtype)
      for name, fn in pairs(reference.functions) do
        local got = values(a[name](a))
        for i, z in ipairs(list) do
          if name ~= "log" or modulus(z) > 0 then
            near(got[i], fn(z), TOLERANCE[dtype], name .. show(z))
          end
        end
      end
    end)

    it("powers are right within rounding", function ()
      local list = random(60, helper.generator(5))
      for i, z in ipairs(list) do
        if modulus(z) == 0 then
          list[i] = { 1, 1 }
        end
      end
      local a = array(list, dtype)
      for _, y in ipairs{ { 0, 0 }, { 1, 0 }, { 2, 0 }, { 7, 0 }, { -3, 0 },
                          { 0.5, 0 }, { 0, 1 }, { 1.5, -0.75 } } do
        local got = values(a ^ tide.complex(y[1], y[2]))
        for i, z in ipairs(list) do
          near(got[i], reference.power(z, y), 10 * TOLERANCE[dtype],
               show(z) .. "^" .. show(y))
        end
      end
      local zero = tide.zeros(1, dtype)
      assert.same({ { 1, 0 } }, values(zero ^ 0))
      assert.same({ { 0, 0 } }, values(zero ^ 2))
      assert.is_true((zero ^ -1):isnan():item())
    end)

    it("functions keep to their limits", function ()
      local function of (name, re, im)
        local z = values(tide[name](array({ { re, im } }, dtype)))[1]
        return z[1], z[2]
      end
      assert.same({ 2, 0 }, { of("sqrt", 4, 0) })
      assert.same({ 0, 2 }, { of("sqrt", -4, 0) })
      assert.same({ 0, -2 }, { of("sqrt", -4, -0.0) })
      assert.same({ huge, -huge }, { of("sqrt", nan, -huge) })
      assert.same({ huge, 0 }, { of("sqrt", huge, 5) })
      assert.same({ 0, huge }, { of("sqrt", -huge, 5) })
      assert.same({ 0, 0 }, { of("exp", -huge, huge) })
      assert.same({ huge, 0 }, { of("exp", huge, 0) })
      assert.same({ -huge, 0 }, { of("log", 0, 0) })
      assert.same({ huge, numbers.fit(math.pi / 4, part) },
                  { of("log", huge, huge) })
      assert.same({ 0, huge }, { of("sin", 0, huge) })
      local largest = part == "float32" and 3e38 or 1.7e308
      local re, im = of("sqrt", largest, largest)
      assert.is_true(re < huge and im > 0)
      assert.is_true(of("log", largest, largest) < 1000)
      assert.is_true(of("exp", math.log(largest) + 0.3, math.pi / 3) < huge)
    end)

    it("reductions", function ()
      for _, n in ipairs{ 1, 31, 1025, 65537, 70000 } do
        local a = tide.full(n, tide.complex(0.5, -2), dtype)
        a[n // 2 + 1] = 0
        local sum = tide.complex(0.5 * (n - 1), -2 * (n - 1))
        assert.equal(dtype, a:sum().dtype)
        assert.is_true(sum == a:sum():item())
        assert.equal(n - 1, a:count_nonzero():item())
        assert.equal(n > 1, a:any():item())
        assert.is_false(a:all():item())
        assert.equal(dtype, a:mean().dtype)
        near(values(a:mean())[1], { sum.re / n, sum.im / n }, 1e-6, "mean")
        a:fill(tide.complex(0, 1))
        assert.is_true(a:all():item())
        local turns = { [0] = { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } }
        assert.is_true(a:prod():item() == tide.complex(turns[n % 4][1],
                                                       turns[n % 4][2]))
      end
      assert.is_true(tide.zeros(0, dtype):sum():item() == tide.complex(0))
      assert.is_true(tide.zeros(0, dtype):prod():item() == tide.complex(1))
    end)

    it("running sums and products", function ()
      local i = tide.complex(0, 1)
      for _, n in ipairs{ 1, 65, 3000 } do
        local a = tide.full({ n, 3 }, i, dtype)
        for axis = 1, 2 do
          local sum, product = a:cumsum(axis), a:cumprod(axis)
          assert.equal(dtype, sum.dtype)
          local rows = axis == 1 and n or 3
          assert.is_true(sum[{ n, 3 }] == tide.complex(0, rows))
          local whole = tide.full(rows, i, dtype):prod():item()
          assert.is_true(product[{ n, 3 }] == whole)
        end
        local out = tide.zeros({ 2 * n }, dtype)[{ { 1, -1, 2 } }]
        assert.equal(out, tide.full(n, i, dtype):cumsum{ out = out })
        assert.is_true(out[n] == tide.complex(0, n))
      end
    end)

    it("has no order", function ()
      local a = tide.ones(2, dtype)
      for _, name in ipairs{ "lt", "le", "gt", "ge", "maximum", "minimum",
                             "floordiv", "mod", "band", "lshift" } do
        fails("'" .. name .. "' is not defined for " .. dtype .. " arrays",
              tide[name], a, a)
        fails("'" .. name .. "' is not defined for complex",
              tide[name], tide.ones(2, "int8"), tide.complex(1, 1))
      end
      for _, name in ipairs{ "min", "max", "floor", "ceil", "tanh",
                             "bnot" } do
        fails("'" .. name .. "' is not defined for " .. dtype .. " arrays",
              tide[name], a)
      end
    end)

    it("prints as NumPy's", function ()
      local a = tide.array({ tide.complex(1, 2), tide.complex(-0.5, -1) },
                           dtype)
      assert.equal("[ 1. +2.j -0.5-1.j]", tostring(a):match "\n(.*)")
      assert.equal("0.+infj",
                   tostring(tide.full({}, tide.complex(0, huge), dtype))
                   :match "\n(.*)")
    end)
  end)
end

describe("a complex number of Lua", function ()
  it("takes the precision of its array", function ()
    local i = tide.complex(0, 1)
    for dtype, wanted in pairs{
      bool = "complex128", int8 = "complex128", uint64 = "complex128",
      float16 = "complex64", bfloat16 = "complex64", float32 = "complex64",
      float64 = "complex128", complex64 = "complex64",
      complex128 = "complex128" } do
      local a = tide.ones(2, dtype)
      for _, z in ipairs{ a * i, i * a, a + i - i, tide.mul(a, { im = 1,
                                                                 re = 0 }) } do
        assert.equal(wanted, z.dtype)
        assert.is_true(z[1].re == 0 or z[1].re == 1)
      end
      assert.is_true((a * i):eq(i):all():item())
    end
    assert.equal("complex128", tide.array{ 1, i }.dtype)
    assert.equal("complex128", tide.array(i).dtype)
    assert.equal("complex128", tide.full(2, i).dtype)
    assert.same({ 2, 1 }, tide.array{ { i }, { { re = 1 } } }.shape)
    local old = tide.set_default_dtype "float32"
    assert.equal("complex64", tide.array{ 1, i }.dtype)
    assert.equal("complex64", (tide.ones(2, "int8") * i).dtype)
    tide.set_default_dtype(old)
  end)
end)

--- Numbers for arithmetic and functions: edges, and others.
local function some_values ()
  local pick, list = helper.generator(8), {}
  for _, z in ipairs(elements "complex128") do list[#list + 1] = z end
  for _ = 1, 40 do
    list[#list + 1] = { (pick(2001) - 1001) / 300, (pick(2001) - 1001) / 300 }
  end
  return list
end

describe("arithmetic of complex numbers of Lua", function ()
  local OPERATORS = {
    add = function (x, y) return x + y end,
    sub = function (x, y) return x - y end,
    mul = function (x, y) return x * y end,
    div = function (x, y) return x / y end,
    pow = function (x, y) return x ^ y end,
  }

  it("is that of elements", function ()
    local xs = some_values()
    local ys = table.move(xs, 8, #xs, 1, {})
    for i = 1, 7 do ys[#ys + 1] = xs[i] end
    local a, b = array(xs, "complex128"), array(ys, "complex128")
    for name, op in pairs(OPERATORS) do
      local wanted = values(a[name](a, b))
      for i, x in ipairs(xs) do
        local y = ys[i]
        local z = op(tide.complex(x[1], x[2]), tide.complex(y[1], y[2]))
        alike(name, { z.re, z.im }, wanted[i], x, y)
      end
    end
  end)

  it("takes numbers on either side", function ()
    local z = tide.complex(3, 4)
    assert.equal(tide.complex(5, 4), z + 2)
    assert.equal(tide.complex(5, 4), 2 + z)
    assert.equal(tide.complex(-1, -4), 2 - z)
    assert.equal(tide.complex(1.5, 2), z / 2)
    assert.equal(tide.complex(0.12, -0.16), 1 / z)
    assert.equal(tide.complex(-7, 24), z ^ 2)
    assert.equal(tide.complex(-3, -4), -z)
    assert.equal(-0.0, (-tide.complex(0, 1)).re)
    assert.equal(tide.complex(-1, 0), tide.complex(0, 1) * tide.complex(0, 1))
  end)

  it("refuses what is no number", function ()
    local z = tide.complex(1, 2)
    for _, wrong in ipairs{ "1", {}, print } do
      fails("bad right operand of '+' (tide.Array, number or boolean expected",
            function () return z + wrong end)
      fails("bad left operand of '*' (tide.Array, number or boolean expected",
            function () return wrong * z end)
    end
    fails("at least one operand must be a tide.Array",
          function () return z - true end)
    fails("perform arithmetic", function () return z % z end)
    fails("attempt to compare", function () return z < z end)
    local gone = tide.ones(1)
    gone:close()
    fails("array is closed", function () return z * gone end)
  end)

  it("goes on in a fused function", function ()
    local f = tide.fuse(function (x)
      local i = tide.complex(0, 1)
      return (i * i + 3).re * x
    end)
    assert.equal(4, f(tide.full(2, 2.))[1])
  end)
end)

describe("functions of complex numbers of Lua", function ()
  local complex = tide.complex

  it("are those of elements", function ()
    local xs = some_values()
    local a = array(xs, "complex128")
    for _, name in ipairs{ "exp", "log", "sqrt", "sin", "cos", "conj" } do
      local wanted = values(a[name](a))
      for i, x in ipairs(xs) do
        local z = complex[name](complex(x[1], x[2]))
        alike(name, { z.re, z.im }, wanted[i], x)
      end
    end
    local lengths = a:abs():totable()
    for i, x in ipairs(xs) do
      local r = complex.abs(complex(x[1], x[2]))
      alike("abs", { r, 0 }, { lengths[i], 0 }, x)
    end
  end)

  it("undo each other", function ()
    local z = complex(0.3, -0.7)
    for f, g in pairs{ sin = "asin", cos = "acos", tan = "atan",
                       sinh = "asinh", cosh = "acosh", tanh = "atanh",
                       exp = "log" } do
      local w = complex[f](complex[g](z))
      assert.is_true(complex.abs(w - z) < 1e-14, f)
    end
    local w = complex.polar(complex.abs(z), complex.arg(z))
    assert.is_true(complex.abs(w - z) < 1e-15)
    assert.is_true(complex.abs(complex.tan(z) -
                               complex.sin(z) / complex.cos(z)) < 1e-15)
    assert.is_true(complex.abs(complex.tanh(z) -
                               complex.sinh(z) / complex.cosh(z)) < 1e-15)
  end)

  it("take numbers, and nothing else", function ()
    assert.equal(complex(0, 2), complex.sqrt(-4))
    assert.equal(4, complex.abs(-4))
    assert.equal(math.pi, complex.arg(-4))
    assert.equal(complex(4, 0), complex.polar(4, 0))
    for name, f in pairs(complex) do
      for _, wrong in ipairs{ "1", {}, true } do
        badarg(1, "number expected, got ", f, wrong,
               name == "polar" and 1 or nil)
      end
      assert.equal("function", type(f), name)
    end
    badarg(1, "tide.Complex or number expected, got no value", complex.exp)
    badarg(2, "number expected, got no value", complex.polar, 1)
    badarg(3, "no value expected", complex, 1, 2, 3)
    fails("no field 'exq' in tide.complex; did you mean 'exp'?",
          function () return complex.exq end)
  end)
end)

describe("of real arrays", function ()
  it("conj and real are copies, imag is 0", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = tide.ones(3, dtype)
      for name, wanted in pairs{ conj = 1, real = 1, imag = 0 } do
        local z = a[name](a)
        assert.equal(dtype, z.dtype)
        assert.is_true(z:eq(wanted):all():item())
        z:fill(0)
      end
      assert.is_true(a:all():item())
      assert.equal(a, a:imag{ out = a })
      assert.is_false(a:any():item())
    end
  end)
end)

end)
