--[[
elementwisekernel_spec.lua - tide.ElementwiseKernel: parameters and types, the
part of C that the host device reads, what it refuses; on every device.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local Kernel = tide.ElementwiseKernel

local function same (wanted, a)
  local got = a:totable()
  assert.equal(#wanted, #got)
  for i, x in ipairs(wanted) do
    local equal = got[i] == x or (x ~= x and got[i] ~= got[i])
    assert(equal, ("element %d is %s, expected %s"):format(i, got[i], x))
  end
end

--- Tells whether kernels can be compiled for the current device.
local function usable ()
  local ok, why = pcall(Kernel("T x", "T y", "y = x", "probe"), tide.ones(1))
  assert(ok or why:find("NVRTC", 1, true), why)
  return ok
end

-- Constants and functions of C and CUDA, with their values.
local KNOWN <const> = {
  CHAR_BIT = 8, SCHAR_MIN = -128, UCHAR_MAX = 255, SHRT_MIN = -32768,
  USHRT_MAX = 65535, INT_MIN = -(1 << 31), INT_MAX = (1 << 31) - 1,
  UINT_MAX = (1 << 32) - 1, LONG_MAX = 0x1p63, LLONG_MIN = -0x1p63,
  ULLONG_MAX = 0x1p64, INT16_MAX = 32767, INT64_MIN = -0x1p63,
  UINT64_MAX = 0x1p64, ["-INT_MAX - 1 == INT_MIN"] = 1,
  FLT_MAX = (2 - 0x1p-23) * 0x1p127, FLT_MIN = 0x1p-126,
  FLT_EPSILON = 0x1p-23, DBL_MAX = (2 - 0x1p-52) * 0x1p1023,
  DBL_MIN = 0x1p-1022, DBL_EPSILON = 0x1p-52, ["FLT_MAX * 2"] = math.huge,
  M_PI = math.pi, M_E = math.exp(1), M_PI_2 = math.pi / 2,
  M_SQRT2 = 2 ^ 0.5, M_LN2 = math.log(2), ["-INFINITY"] = -math.huge,
  HUGE_VAL = math.huge, NAN = 0 / 0,

  ["fma(2., 3., 4.)"] = 10, ["fmaf(2.f, 3.f, 4.f)"] = 10,
  ["rcbrt(8.)"] = 0.5, ["rcbrtf(8.f)"] = 0.5, ["exp10(3.)"] = 1000,
  ["sinpi(-1.5)"] = 1, ["sinpif(1e30f)"] = 0, ["cospi(1.)"] = -1,
  ["cospi(0.5)"] = 0, ["sinpi(INFINITY)"] = 0 / 0, ["normcdf(0.)"] = 0.5,
  ["erfinv(1.)"] = math.huge, ["remainder(5.5, 2.)"] = -0.5,
  ["nextafter(1., 2.)"] = 1 + 0x1p-52, ["ldexp(1.5, 3)"] = 12,
  ["nearbyint(2.5)"] = 2, ["lrint(2.5)"] = 2, ["llround(-2.5)"] = -3,
  ["lroundf(2.5f) / 2"] = 1, ["signbit(-0.)"] = 1, ["labs(-5.5)"] = 5,
  ["__popc(255)"] = 8, ["__popcll(-1)"] = 64, ["__clz(1)"] = 31,
  ["__clz(0)"] = 32, ["__clzll(1)"] = 63, ["__ffs(8)"] = 4,
  ["__ffs(0)"] = 0, ["__ffsll(1ll << 40)"] = 41, ["__brev(3)"] = 3 << 30,
  ["__brevll(2)"] = 0x1p62, ["__popc(255) - 9 < 0"] = 1,
  ["__mulhi(-1, 5)"] = -1, ["__umulhi(-1, 5)"] = 4,
  ["__mul64hi(-1, 5)"] = -1, ["__umul64hi(-1, 5)"] = 4,
  ["__float_as_int(-0.f)"] = -(1 << 31), ["__int_as_float(x << 30)"] = 2,
  ["__float_as_uint(-0.f)"] = 1 << 31, ["__uint_as_float(1u << 30)"] = 2,
  ["__double_as_longlong(2.)"] = 1 << 62,
  ["__longlong_as_double(1ll << 62)"] = 2,
  ["__float2int_rn(2.5f)"] = 2, ["__float2int_rz(-2.5f)"] = -2,
  ["__float2int_rd(-2.5f)"] = -3, ["__float2int_ru(2.5f)"] = 3,
  ["__int2float_rn(16777217)"] = 16777216, ["__fdividef(1.f, 4.f)"] = 0.25,
  ["__fadd_rn(1.f, FLT_EPSILON / 2)"] = 1, ["__dadd_rn(1., 2.)"] = 3,
  ["__fmul_rn(2.f, 3.f)"] = 6, ["__fmaf_rn(2.f, 3.f, 4.f)"] = 10,
  ["__fma_rn(2., 3., 4.)"] = 10, ["__fsqrt_rn(4.f)"] = 2,
  ["__dsqrt_rn(4.)"] = 2, ["__frcp_rn(4.f)"] = 0.25, ["__drcp_rn(4.)"] = 0.25,
  ["__frsqrt_rn(4.f)"] = 0.5, ["__powf(2.f, 3.f)"] = 8, ["__sinf(0.f)"] = 0,
  ["__cosf(0.f)"] = 1, ["__tanf(0.f)"] = 0, ["__expf(0.f)"] = 1,
  ["__exp10f(0.f)"] = 1, ["__logf(1.f)"] = 0, ["__log2f(8.f)"] = 3,
  ["__log10f(1.f)"] = 0,
}

describe("constants and functions of C and CUDA", function ()
  (helper.has_nvrtc() and it or pending)("are there for NVRTC", function ()
    local lines = {}
    for text in pairs(KNOWN) do
      lines[#lines + 1] = "z[0] += " .. text .. ";"
    end
    helper.T.compile(([[
      #include <math.h>
      #include <float.h>
      #include <limits.h>
      #include <stdint.h>
      __global__ void f (double *z, int x) { %s }
    ]]):format(table.concat(lines, "\n")))
  end)
end)

describe("parameters", function ()
  it("are read when the kernel is made", function ()
    fails("ElementwiseKernel 'k': parameter 'x' must be a type and a name",
          Kernel, "x", "T y", "", "k")
    fails("parameter 'T *x' must be a type and a name", Kernel, "T *x", "T y",
          "", "k")
    for _, text in ipairs{ "T x T y", "T x, ", "T x,, T y", ", T x", "T x y",
                           "T float", "T float32", "T int", "T unsigned",
                           "T for", "raw T x T y", "T double x" } do
      fails("must be a type and a name: \"float32 x\"", Kernel, text, "T z", "")
      fails("must be a type and a name: \"float32 x\"", Kernel, "T z", text, "")
    end
    fails("parameter 'foo x' has a type that is neither a dtype nor a letter",
          Kernel, "foo x", "T y", "", "k")
    fails("parameter 'x' is there twice", Kernel, "T x", "T x", "", "k")
    for _, name in ipairs{ "i", "n", "_x", "x_" } do
      fails("has a name that is taken", Kernel, "T " .. name, "T y", "")
    end
    fails("more than 15 parameters", Kernel, "T a, T b, T c, T d, T e, T f, " ..
          "T g, T h, T j, T k, T l, T m, T o, T p, T q", "T y", "")
    fails("it has no parameters", Kernel, "", "", "")
    fails("params must be a string, got number", Kernel, 1, "T y", "")
    fails("out must be a string, got nil", Kernel, "T x")
    fails("body must be a string, got nil", Kernel, "T x", "T y")
    for theirs, ours in pairs{
      bdy = "body", in_params = "params", operation = "body",
      out_params = "out",
    } do
      fails("unknown option '" .. theirs .. "'; did you mean '" .. ours ..
            "'?", Kernel, { [theirs] = "" })
    end
    for theirs, remark in pairs{
      after_loop = "the loop is tide's: tide.RawKernel has none",
      loop_prep = "the loop is tide's: tide.RawKernel has none",
      no_return = "ignore the results instead",
      reduce_dims = "leave it out: a body sees no shapes",
      return_tuple = "the results come one by one: { k(x) }",
    } do
      fails("unknown option '" .. theirs .. "'; " .. remark, Kernel,
            { [theirs] = "" })
    end
  end)

  it("have errors where the operator stands, and C++'s literals", function ()
    if tide.get_device().kind == "cuda" then return end  -- NVRTC's own words
    for body, where in pairs{
      ["x = 1"] = "column 3: what is only read", ["++x"] = "column 1",
      ["o = 1.5 % 2"] = "column 9", ["o = 2.5 ^ 2"] = "column 9",
      ["o = ~1.5"] = "column 5", ["x += 1"] = "column 3",
      ["o = 'ab'"] = "column 5: one character is expected",
    } do
      fails(where, Kernel("int32 x", "float64 o", body), tide.ones(1, "int32"))
    end
    for literal, wanted in pairs{
      ["'a'"] = 97, ["'\\n'"] = 10, ["'\\0'"] = 0, ["'\\x41'"] = 65,
      ["'\\''"] = 39, ["'\\101'"] = 65, ["1'000"] = 1000, ["0x1'0"] = 16,
      ["1'0.5"] = 10.5
    } do
      local k = Kernel("int32 x", "float64 o", "o = " .. literal)
      assert.equal(wanted, k(tide.ones(1, "int32"))[1], literal)
    end
  end)

  it("are in a table or in a row", function ()
    local k = Kernel{ params = "T x", out = "T y", body = "y = x",
                      name = "same" }
    assert.equal("tide.ElementwiseKernel: same", tostring(k))
    assert.equal("same", k.name)
    assert.equal("y = x", k.body)
    assert.equal("kernel", Kernel("T x", "T y", "y = x").name)
  end)

  it("are fields of the kernel, as all its options", function ()
    local spec = { params = "T x, int k", out = "T y", body = "y = x",
                   name = "same", preamble = "// none",
                   options = { "-DN=1", "-use_fast_math" } }
    local k = Kernel(spec)
    for key, value in pairs(spec) do assert.same(value, k[key]) end
    k.options[1] = "-DN=2"
    assert.same({ "-DN=1", "-use_fast_math" }, k.options)
    k = Kernel("T x", "T y", "y = x")
    assert.is_nil(k.preamble)
    assert.same({}, k.options)
    spec.options = "-DN=1"
    assert.same({ "-DN=1" }, Kernel(spec).options)
  end)
end)

helper.each_device(function (kind)
if not usable() then
  pending("ElementwiseKernel needs NVRTC on " .. kind)
  return
end

--- check(type, operands, body, wanted): what the body makes of x (and y), each
-- a list, is wanted.
local function check (types, x, body, wanted, y)
  local tx, tz = types:match "(%w+) (%w+)"
  local params = tx .. " x" .. (y and ", " .. tx .. " y" or "")
  local k = Kernel(params, tz .. " z", body, "check")
  x = tide.array(x, tx)
  same(wanted, y and k(x, tide.array(y, tx)) or k(x))
end

describe("arguments of an ElementwiseKernel", function ()
  local k = Kernel("T x, T y", "T z", "z = x*y + 8", "xy8")

  it("decide what its letters stand for", function ()
    for _, dtype in ipairs{ "uint8", "int32", "int64", "float32",
                            "float64" } do
      local x = tide.array({ 1, 2, 3 }, dtype)
      local z = k(x, x)
      assert.equal(dtype, z.dtype)
      same({ 9, 12, 17 }, z)
      same({ 10, 12, 14 }, k(x, 2))
      same({ 10, 12, 14 }, k(2, x))
      same({ 10, 12, 14 }, k(x, tide.array({ 2 }, dtype)))
    end
    fails("argument 2 ('y') must be an array of float32, got one of int32", k,
          tide.ones(2, "float32"), tide.ones(2, "int32"))
    fails("argument 2 ('y') must be of type int32: number has no integer", k,
          tide.ones(2, "int32"), 1.5)
  end)

  it("have one shape", function ()
    local x = tide.array{ { 1., 2. }, { 3., 4. } }
    assert.same({ 2, 2 }, k(x, x).shape)
    assert.same({ 2, 2 }, k(x, tide.ones{}).shape)
    assert.same({ 1 }, k(tide.ones(1), tide.ones{ 1 }).shape)
    fails("argument 2 ('y') has shape 3, others have 2x2", k, x, tide.ones(3))
    same({ 18, 48 }, k(x, tide.array{ 10., 20. })[1])
    same({ 18, 68 }, k(x, tide.array{ { 10. }, { 20. } }):transpose()[1])
    same({ 18, 68 }, k(x.T, tide.array{ 10., 20. })[1])
    local z = tide.zeros{ 2, 2 }
    k(x, 1, z.T)
    same({ 9, 11 }, z[1])
    same({ 9, 11 }, k(x.T, 1)[1])
    assert.same({ 0 }, k(tide.ones(0), 1).shape)
  end)

  it("are counted and checked", function ()
    local x = tide.ones(2)
    fails("ElementwiseKernel 'xy8' takes 2 arguments, or its results as " ..
          "well, got 1", k, x)
    fails("takes 2 arguments, or its results as well, got 4", k, x, x, x, x)
    fails("argument 1 ('x') must be a tide.Array, a number or a boolean", k,
          "1", x)
    fails("nothing says how many elements there are", k, 1, 2)
    local closed = tide.ones(2)
    closed:close()
    fails("argument 2 ('y') is a closed array", k, x, closed)
    fails("'xy8': unknown option 'ouT'; did you mean 'out'?", k, x, x,
          { ouT = x })
    fails("'xy8': unknown option 'output'; did you mean 'out'?", k, x, x,
          { output = x })
    fails("'xy8': option 'size' must be an integer, got string", k, x, x,
          { size = "3" })
    for _, wrong in ipairs{ { { x, x } }, { x, { x } } } do
      fails("'xy8': options must have names, as in { out = ... }", k,
            table.unpack(wrong))
    end
  end)

  it("may be where the result goes", function ()
    local x, y = tide.array{ 1., 2. }, tide.array{ 10., 20. }
    local z = tide.zeros(2)
    assert.equal(z, k(x, y, z))
    same({ 18, 48 }, z)
    assert.equal(z, k(x, y, { out = z }))
    k(x, y, x)
    same({ 18, 48 }, x)
    fails("argument 3 ('z') must be an array of float64, got one of int32", k,
          x, y, tide.zeros(2, "int32"))
    fails("argument 3 ('z') has shape 3, others have 2", k, x, y,
          { out = tide.zeros(3) })
    fails("argument 3 ('z') has shape 1, the result has 2", k, x, y,
          { out = tide.zeros(1) })
    fails("argument 3 ('z') must be a tide.Array to write to", k, x, y, 3)
    local all = tide.arange(4, "float64")
    k(all:slice(1, 3), 1, { out = all:slice(2, 4) })
    same({ 0, 8, 9, 10 }, all)
    local two = Kernel("T x", "T y, T z", "y = x; z = x", "two")
    fails("ElementwiseKernel 'two': 'y' overlaps 'z'", two, x,
          { out = { z, z } })
  end)

  it("are read before results in the same memory are written", function ()
    local b = Kernel("T x, T y", "T z", "z = y; z = z + x; z *= x", "twice")
    local x, y = tide.array{ 1, 2, 3 }, tide.array{ 10, 20, 30 }
    same({ 11, 44, 99 }, b(x, y))
    if kind == "host" then
      same({ 11, 44, 99 }, b(x, y, { out = x }))
    end
  end)

  it("are read before results that are written in part, or read", function ()
    local values = { 1, 2, 3, 4, 5, 6 }
    for _, body in ipairs{
      "if (x > 2) z = 0; if (x <= 2) z = x + 1;",
      "int q = 0; for (int j = 0; j < 3; j++) { q += x; z = q; }",
      "z = x > 2 ? (z = 5) : 1; z += x;",
      "z += 1; z += x; z *= x;",
      "for (int j = 0; j < x; j++) z = x + j;",
      "if (x > 4) { z = 1; } z -= x; while (z < 3) { z += x; }",
    } do
      local parts = Kernel("int64 x", "int64 z", body, "parts")
      local apart, x = tide.array(values), tide.array(values)
      parts(apart:copy(), { out = apart })
      parts(x, { out = x })
      assert.same(apart:totable(), x:totable(), body)
    end
    local swap = Kernel("T x, T y", "T a, T b",
      "if (x > 3) { a = y; b = x; } else { a = x; b = y; }", "swap")
    local x, y = tide.array(values), tide.array{ 10, 20, 30, 40, 50, 60 }
    swap(x, y, { out = { x, y } })
    same({ 1, 2, 3, 40, 50, 60 }, x)
    same({ 10, 20, 30, 4, 5, 6 }, y)
    for n = 511, 1025, 257 do
      local many = tide.arange(n)
      swap(many, many + 1, { out = { many, tide.zeros(n, "int64") } })
      assert.same({ 0, 5, n }, { many[1], many[5], many[n] })
    end
  end)

  it("have any name", function ()
    for _, name in ipairs{ 'a"b', "a\nb", "a\\", "a b/\u{fc}.cu", "" } do
      same({ 1 }, Kernel("T x", "T y", "y = x", name)(tide.ones(1)))
      local sum = tide.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0",
                                       name)
      assert.equal(2, sum(tide.ones(2)):item())
    end
  end)

  it("may be raw", function ()
    local stencil = Kernel("raw T x", "T y",
      "y = (i > 0 ? x[i-1] : 0) + x[i] + (i < x.size()-1 ? x[i+1] : 0)", "st")
    local x = tide.arange(5)
    local z = tide.zeros(5, "int64")
    same({ 1, 3, 6, 9, 7 }, stencil(x, z))
    same({ 1, 3, 6, 9, 7 }, stencil(x, { size = 5 }))
    local reverse = Kernel("T x", "raw T y", "y[_ind.size() - i - 1] = x")
    same({ 4, 3, 2, 1, 0 }, (reverse(x, z)))
    fails("the result 'y' is raw: pass an array for it", reverse, x)
    fails("argument 1 ('x') must be a tide.Array", stencil, 3, z)
    fails("option 'size' is 4, the arrays have 5 elements", stencil, x, z,
          { size = 4 })
    for _, size in ipairs{ -1, -2, math.mininteger } do
      fails("option 'size' must not be negative, got " .. size, stencil, x,
            { size = size })
    end
  end)

  it("make several results", function ()
    local k2 = Kernel("T x", "T s, int64 c", "s = x * x; c = (int64)x + 1")
    local s, m = k2(tide.array{ 1.5, 2.5 })
    same({ 2.25, 6.25 }, s)
    same({ 2, 3 }, m)
    local a, b = tide.zeros(2), tide.zeros(2, "int64")
    assert.equal(a, (k2(tide.array{ 3., 4. }, { out = { a, b } })))
    same({ 4, 5 }, b)
    fails("option 'out' must have 2 arrays, has 1", k2, a, { out = { a } })
    fails("no argument says what type 'U' is; pass an array for 'y'",
          Kernel("T x", "U y", "y = x"), a)
  end)

  it("may be many more than one block", function ()
    for _, n in ipairs{ 511, 512, 513, 1024, 100003 } do
      local x = tide.arange(n, "float32")
      assert.is_true(k(x, 2):eq(x * 2 + 8):all():item())
      assert.is_true(k(x:slice(2, n), 2):eq(
        x:slice(2, n) * 2 + 8):all():item())
    end
  end)

  it("are read before, also where the call begins again (#190)", function ()
    for _, swap in ipairs{
      Kernel("T x, T y", "T z, T w", "z = y; w = x;", "swap"),
      tide.fuse(function (x, y) return y, x end)
    } do
      for n = 1, 6 do
        local base = tide.arange(3000)
        local x, y = base[{ { 1, 1000 } }], base[{ { 1001, 2000 } }]
        local z, w = base[{ { 3, 1002 } }], base[{ { 1005, 2004 } }]
        local first, second = x:copy(), y:copy()
        helper.T.again(n)
        local ok, why = pcall(swap, x, y, { out = { z, w } })
        helper.T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))
        assert(ok, why)
        assert.is_true(tide.array_equal(z, second), n)
        assert.is_true(tide.array_equal(w, first), n)
      end
    end
  end)
end)

describe("the body of an ElementwiseKernel", function ()
  it("computes as C does", function ()
    check("int32 int32", { 7, -7, 7, -7 }, "z = x / y * 100 + x % y",
          { 301, -301, -299, 299 }, { 2, 2, -2, -2 })
    check("int32 int32", { 5, -6 }, "z = (x << 2) | (x >> 1) ^ ~x & 15",
          { 5 << 2 | 2 ~ (~5 & 15), (-24) | (-3 ~ (5 & 15)) })
    check("int32 float64", { 1, 2 }, "z = x / 2 + x / 2.0", { 0.5, 2 })
    check("uint8 int32", { 200, 255 }, "z = x + x", { 400, 510 })
    check("uint8 uint8", { 200, 255 }, "z = x + x", { 144, 254 })
    check("float32 float64", { 1, 3 }, "z = x / 3", { 0x1.555556p-2, 1 })
    check("float64 float64", { 1, 3 }, "z = 1 + 2 * x - -x", { 4, 10 })
    check("float64 int64", { 2.7, -2.7 }, "z = (int)x + int(x) + " ..
          "static_cast<int64>(x)", { 6, -6 })
    check("int64 bool", { 0, 1, 2 }, "z = x", { false, true, true })
    check("float64 bool", { 0, 0.5 }, "z = !x || x > 1 && x < 2",
          { true, false })
    check("int32 int32", { 1, 2, 3 },
          "z = x == 1 ? 10 : x == 2 ? 20 : 30", { 10, 20, 30 })
    check("int32 int32", { 0, 3 }, "z = x + 0x1F", { 31, 34 })
    check("int64 int64", { 1 << 40 }, "z = x + 5000000000 + 2L", {
          (1 << 40) + 5000000002 })
  end)

  it("has variables, and assigns to them", function ()
    check("int32 int32", { 3, 4 }, [[
      int a = x, b = 2;  // two
      const float half = 0.5f;
      a += b; a *= 2; a -= 1; a /= 3; a <<= 3; a |= 1; a ^= 2; a &= 127;
      int c = a++, d = ++a; /* after, before */
      c--; --d;
      z = a * 10000 + b * 1000 + c * half + d;
    ]], { 290000 + 2000 + 13 + 28, 290000 + 2000 + 13 + 28 })
  end)

  it("has branches, each for the elements it is for", function ()
    check("int64 int64", { 1, 2, 3, 4, 5, 6 }, [[
      z = 0;
      if (x % 2 == 0) {
        z = 10;
        if (x > 3) z += 1; else z += 2;
      } else if (x == 5)
        z = 5;
      else { z = -x; }
    ]], { -1, 12, -3, 11, 5, 11 })
  end)

  it("calls functions of math.h with integers", function ()
    check("float32 float64", { 4, 9 },
          "z = x * sqrt(4) + pow(2, 3) - pow(x, 2)", { 0, -55 })
    check("int64 float64", { 4, 9 }, "z = sqrt(x) + floor(i / 2) + exp(0)",
          { 3, 4 })
    check("float32 float32", { -4, 9 }, "z = max(x, 0) + min(x, 1) + max(i, 1)",
          { -3, 11 })
    check("int32 int64", { -4, 9 }, "z = max(x, 2u) + min(n - 1, x) + abs(x)",
          { 4294967292, 19 })
    check("int32 bool", { 7 }, "z = isfinite(x) && !isnan(x) && !signbit(3)",
          { true })
    check("int32 float64", { 7 }, "uint k = x; z = hypot(3, 4) + fmod(k, 4)",
          { 8 })
    check("int8 float64", { 7 }, "z = atan2(0, x) + copysign(x, -1)", { -7 })
  end)

  it("has names in a branch that end with it", function ()
    check("float64 float64", { 1, 3 },
          "int q = 1; if (x > 2) int q = 3; else int q = 4; z = q;", { 1, 1 })
    fails("", Kernel("T x", "T z", "if (x > 0) int q = 3; z = q;", "k"),
          tide.ones(1))
  end)

  it("has one variable of a name in a block", function ()
    for _, body in ipairs{
      "int q = 1; int q = 2; z = q;", "int x = 3; z = x;", "int z = 1;",
      "int i = 4; z = i;", "int n = 7; z = n;", "int x[2] = { 1, 2 }; z = 1;",
      "{ int q = 1, q = 2; z = q; }",
      "for (int j = 0, j = 1; j < 1; j++) z = j;",
    } do
      fails("", Kernel("T x", "T z", body, "k"), tide.ones(1))
    end
    check("int32 int32", { 3 }, [[
      int q = 1;
      { int q = 2; { int x = q; z = x; } int n = 5; z += n; }
      for (int q = 0; q < 2; q++) { int i = q; z += i; }
      for (int q = 0; q < 2; q++) z += q;
      if (x > 0) int q = 9;
      z += q * 100;
    ]], { 109 })
  end)

  it("has C++'s types and constants", function ()
    check("float64 float64", { 1, 2 },
          "long double h = x / 8; z = h * (long double)4;", { 0.5, 1 })
    check("float64 float64", { 1, 2 }, "z = (double(x) + 1) / 2 + (int(x) + 1)",
          { 3, 4.5 })
    check("float32 float32", { 1 },
          "z = (1.00000017881393432617187499f - 1) * 8388608", { 1 })
    check("float32 float64", { 1 }, "z = 9223372036854775808", { 0x1p63 })
  end)

  it("assigns in a condition, or in a side, for the elements there", function ()
    local function gives (wanted, body)
      same(wanted, Kernel("T x", "T y", body)(tide.array{ -1, 0, 1, 2 }))
    end
    gives({ 7, 7, 5, 5 }, "T c = 7; x > 0 && (c = 5); y = c")
    gives({ 5, 5, 7, 7 }, "T c = 7; x > 0 || (c = 5); y = c")
    gives({ 2, 2, 1, 1 }, "T c = 0; x > 0 ? (c = 1) : (c = 2); y = c")
    gives({ 1, 1, 0, 0 },
          "bool b = x > 0; if (b) b = false; else b = true; y = b")
    gives({ 1, 1, 1, 1 }, "bool b = true; y = b && (b = false, true)")
    gives({ 1, 1, 1, 1 }, "bool b = true; y = b ? (b = false, 1) : 2")
    gives({ 31, 31, 31, 31 }, [[
      bool first = true;
      y = 0;
      for (int k = 0; k < 4; k++) {
        if (first) { y += 1; first = false; } else y += 10;
      }
    ]])
    gives({ 9, 9, 8, 6 }, [[
      T c = 0;
      for (T k = 0; k < 3 && (x <= 0 || k < x || (c += 1) > 9); k++) c += 3;
      y = c - (x > 0 ? 0 : 0) + (x == 1) * 4 - (x == 2);
    ]])
  end)

  it("has loops, each as long as its elements want", function ()
    check("int64 int64", { 1, 2, 3, 6, 7, 27 }, [[
      z = 0;
      long long v = x;
      while (v != 1) { v = v % 2 == 0 ? v / 2 : 3 * v + 1; z++; }
    ]], { 0, 1, 7, 8, 16, 111 })
    check("int64 int64", { 0, 1, 5, 100 }, [[
      z = 0;
      for (int j = 0; j < 10; ++j) {
        if (j == x) break;
        if (j % 2) continue;
        z += j;
      }
    ]], { 0, 0, 6, 20 })
    check("int64 int64", { 0, 1, 4 }, [[
      z = 0;
      for (int j = 0; j < x; j++)
        for (int k = 0; k < 5; k++) {
          if (k > j) break;
          z += 1;
        }
    ]], { 0, 1, 10 })
  end)

  it("knows i, n and _ind.size()", function ()
    check("int64 int64", { 5, 5, 5 }, "z = i * 100 + n * 10 + _ind.size()",
          { 33, 133, 233 })
  end)

  it("calls the functions of math.h", function ()
    local x = { 0.25, 0.5, 1, 2 }
    local function near (body, fn)
      local k = Kernel("T x", "T z", "z = " .. body)
      for dtype, tolerance in pairs{ float64 = 1e-12, float32 = 1e-5 } do
        local wanted = {}
        for j, v in ipairs(x) do
          wanted[j] = fn(v)
        end
        helper.array_near(k(tide.array(x, dtype)), wanted, tolerance)
      end
    end
    near("sqrt(x) + fabs(-x)", function (v) return v ^ 0.5 + v end)
    near("exp(x) * log(x)", function (v) return math.exp(v) * math.log(v) end)
    near("sin(x) + cos(x) + tan(x)", function (v)
      return math.sin(v) + math.cos(v) + math.tan(v)
    end)
    near("atan2(x, (T)2) + pow(x, 3)", function (v)
      return math.atan(v, 2) + v ^ 3
    end)
    near("floor(x) + 10 * ceil(x) + 100 * trunc(x)", function (v)
      return math.floor(v) + 10 * math.ceil(v) + 100 * (v // 1)
    end)
    near("fmod(x, (T)0.4) + hypot(x, x)", function (v)
      return math.fmod(v, 0.4) + v * 2 ^ 0.5
    end)
    near("max(x, (T)1) + min(x, (T)1)", function (v)
      return math.max(v, 1) + math.min(v, 1)
    end)
    near("rsqrt(x) + log2(x) + exp2(x)", function (v)
      return v ^ -0.5 + math.log(v, 2) + 2 ^ v
    end)
    check("float32 float32", { 4 }, "z = sqrtf(x) + fmaxf(x, 5.f)", { 7 })
    check("int32 int32", { -3, 4 }, "z = abs(x) + max(x, 0)", { 3, 8 })
    check("float64 bool", { 0 / 0, 1 / 0, 1 },
          "z = isnan(x) || isinf(x) || !isfinite(x)", { true, true, false })
  end)

  it("knows constants and CUDA's functions", function ()
    for text, wanted in pairs(KNOWN) do
      local z = Kernel("int x", "double z", "z = " .. text)(1, { size = 1 })[1]
      local slack = kind == "host" and 0 or 1e-7  -- a GPU rounds otherwise
      assert(z == wanted or z ~= z and wanted ~= wanted or
             math.abs(z - wanted) <= slack * math.abs(wanted),
             ("%s is %s, expected %s"):format(text, z, wanted))
    end
  end)

  helper.host_it("refuses functions that CUDA lacks", function ()
    for _, call in ipairs{ "isnanf(1.f)", "finite(1.)", "__sin(1.)",
                           "fma(1., 2.)", "__popcf(1)" } do
      fails("the host device has no such function", Kernel("", "double z",
            "z = " .. call), { size = 1 })
    end
    fails("only variables and elements can be assigned to",
          Kernel("", "double z", "z = FLT_MAX++"), { size = 1 })
    local k = Kernel("", "double z", "double M_PI = 3, FLT_MAX; FLT_MAX = " ..
                     "M_PI; z = FLT_MAX")
    assert.equal(3, k({ size = 1 })[1])
  end)

  local function value (text)
    return Kernel("", "float64 y", "y = " .. text)({ size = 1 })[1]
  end

  -- Their loops are those of arrays' functions, several elements at once.
  helper.host_it("calls functions that give what arrays' functions give",
  function ()
    local names = "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf " ..
      "erfc exp exp2 expm1 floor log log10 log1p log2 rsqrt sin sinh sqrt " ..
      "tan tanh trunc"
    for _, dtype in ipairs{ "float32", "float64" } do
      local x = tide.linspace(-3, 3, 1001):astype(dtype)
      for name in names:gmatch "%w+" do
        for _, suffix in ipairs{ "", dtype == "float32" and "f" or nil } do
          local body = ("z = %s%s(x)"):format(name, suffix)
          local z = Kernel("T x", "T z", body)(x)
          assert.equal(tide[name](x):tobytes(), z:tobytes(), name)
        end
      end
    end
  end)

  helper.host_it("has numbers that are all of their word (#081)", function ()
    for text, expected in pairs{
      ["0x1p3"] = 8, ["0x1.8p1f"] = 3, ["0X.8P+2"] = 2, ["1e2f"] = 100,
      ["5.f"] = 5, [".5L"] = 0.5, ["017"] = 15, ["0x1F"] = 31, ["0b101"] = 5,
      ["0B11u"] = 3, ["10ull"] = 10, ["0"] = 0, ["0x1f"] = 31, ["1E-2"] = 0.01,
      ["7uL"] = 7, ["08.5"] = 8.5
    } do
      assert.equal(expected, value(text), text)
    end
    for _, text in ipairs{ "1.2.3", "12abc", "1e", "0x", "1.5g", "08", "0b12",
                           "0x1p", "1_000", "1.5ff", "1fl", "99lul",
                           "18446744073709551616", "0x1ffffffffffffffff" } do
      fails("is no number at '" .. text .. "'", value, text)
    end
  end)
end)

describe("a kernel that cannot be", function ()
  local function refuses (text, body)
    fails(text, Kernel("T x", "T y", body, "k"), tide.ones(3, "int64"))
  end

  helper.host_it("says where the host device gives up", function ()
    local who = "ElementwiseKernel 'k' cannot run on the host device: "
    refuses(who .. "line 2, column 5: the host device has no such function " ..
            "of one argument at 'foo'", "\ny = foo(x)")
    refuses("no such function without arguments at 'sin'", "y = sin()")
    refuses("no such function of two arguments at 'sin'", "y = sin(x, x)")
    refuses("no such function of more than two arguments at 'norm3d'",
            "y = norm3d(x, x, x)")
    refuses("line 1, column 5: the host device knows no such name at 'a'",
            "y = a")
    refuses("syntax error in line 1, column 8: an expression is expected",
            "y = x +")
    refuses("line 1, column 7: ';' is expected at 'y'", "y = x y")
    refuses("what is only read cannot be assigned to", "x = 3; y = 1")
    refuses("only variables and elements can be assigned to", "3 = x")
    refuses("there is no loop around at 'break'", "break;")
    refuses("'%' is not for floating point numbers", "y = 1.5 % x")
    refuses("an operation on bits is for integers", "y = 1.5 & x")
    refuses("a power is pow(x, y)", "y = 1.5 ^ x")
    refuses("only raw parameters and arrays have an index at 'x'", "y = x[i]")
    refuses("no such directive at 'if'",
            "int k = 1'000;\n#if 0\nk = 7;\n#endif\ny = k")
    refuses("no such directive at 'if'", "\n#if 0\ny = 2;\n#endif\ny = x")
    refuses("a body returns nothing: it assigns to its results at 'return'",
            "return x * 2")
    refuses("nothing is assigned to 'y'", "x * 2")
    refuses("nothing is assigned to 'y'", "")
    refuses("'}' is expected", "{ y = x;")
    refuses("a name is expected", "int a, 3;")
    local many = {}
    for k = 1, 80 do many[k] = ("int b%d = x;"):format(k) end
    refuses("too many variables", table.concat(many))
    refuses("too many operations", "y = x" .. (" + x"):rep(1200))
    refuses("too many values",  -- and not that & is for integers
            "y = " .. ("(x >= 1.) + "):rep(600) .. "((x >= 2.) & 7);")
    refuses("nested too deeply", ("if (x) "):rep(40) .. "y = 1;")
    for _, deep in ipairs{ "(", "{", "-", "y = ", "x ? x : ", "if (x) ",
                           "for (;x;) ", "x[", "int(", "sin(", "x && " } do
      pcall(Kernel("T x", "T y", deep:rep(100000), "k"), tide.ones(3, "int64"))
    end
    refuses("nested too deeply", "y = " .. ("("):rep(100000))
    refuses("a declaration is expected at '=='", "const int == x")
    refuses("knows no such name at 'q'", "for (;x;q + 1) y = x;")
  end)

  helper.gpu_it("shows what the compiler says", function ()
    refuses("kernel 'k' cannot be compiled:\nk(2): error: ", "\ny = a;")
  end)

  helper.host_it("stops where it reads outside of an array", function ()
    local dev = tide.get_device()
    local k = Kernel("raw T x", "T y", "y = x[i + 1]")
    k(tide.ones(3), { size = 3 })
    fails("reads x[3], and x has 3 elements", dev.synchronize, dev)
    same({ 1, 1 }, k(tide.ones(3), { size = 2 }))
  end)
end)

describe("an ElementwiseKernel", function ()
  it("is ordered, and can be captured", function ()
    local k = Kernel("T x, T y", "T z", "z = x + y", "plus")
    local x = tide.ones(1000)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    for _ = 1, 20 do
      s:with(function () k(x, 1, x) end)
      t:with(function () x:add_(1) end)
    end
    assert.equal(41, x[1])
    local g <close> = tide.capture(function () k(x, 1, x) end)
    assert.is_truthy(g:debug_dot():find("plus", 1, true))
    k = nil
    collectgarbage()
    g:launch()
    g:launch()
    assert.equal(43, x[1000])
  end)

  it("works again after a reset", function ()
    local k = Kernel("T x", "T y", "y = x + 1")
    same({ 2 }, k(tide.ones(1)))
    tide.get_device():reset()
    same({ 2 }, k(tide.ones(1)))
  end)
end)

end)
