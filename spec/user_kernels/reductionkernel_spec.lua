--[[
reductionkernel_spec.lua - tide.ReductionKernel: all elements or along axes,
types, the identity, what it refuses; on every device.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local Kernel = tide.ReductionKernel

local function norm ()
  return Kernel{ params = "T x", out = "T y", map = "x * x",
                 reduce = "a + b", post = "y = sqrt(a)", identity = "0",
                 name = "norm" }
end

--- Tells whether kernels can be compiled for the current device.
local function usable ()
  local ok, why = pcall(norm(), tide.ones(1))
  assert(ok or why:find("NVRTC", 1, true), why)
  return ok
end

describe("a ReductionKernel", function ()
  it("is checked when it is made", function ()
    local function refuses (text, change)
      local spec = { params = "T x", out = "T y", map = "x", reduce = "a + b",
                     name = "k" }
      for key, value in pairs(change) do
        spec[key] = value or nil
      end
      fails(text, Kernel, spec)
    end
    refuses("ReductionKernel 'k': map must be a string, got nil",
            { map = false })
    refuses("reduce must be a string, got number", { reduce = 3 })
    refuses("post must be a string, got table", { post = {} })
    refuses("it must have parameters, and one result", { out = "T y, T z" })
    refuses("it must have parameters, and one result", { params = "" })
    refuses("its result must not be raw", { out = "raw T y" })
    refuses("'a' and 'b' are what is joined", { params = "T a" })
    for _, name in ipairs{ "foo", "U", "", "float *", "float x", "float16",
                           "complex64" } do
      refuses("reduce_type must be a dtype that kernels of text compute " ..
              "with, C's name of one, or a letter of the parameters, got '" ..
              name .. "'", { reduce_type = name })
    end
    refuses("identity must be a string or a number, got table",
            { identity = {} })
    for theirs, ours in pairs{
      mapp = "map", in_params = "params", out_params = "out",
      map_expr = "map", reduce_expr = "reduce", post_map_expr = "post",
    } do
      refuses("unknown option '" .. theirs .. "'; did you mean '" .. ours ..
              "'?", { [theirs] = "x" })
    end
    assert.equal("tide.ReductionKernel: norm", tostring(norm()))
    assert.equal("kernel", Kernel("T x", "T y", "x", "a + b").name)
  end)

  it("has all its options as fields", function ()
    local spec = { params = "T x", out = "T y", map = "x", reduce = "a + b",
                   post = "y = a", identity = 0.5, name = "k",
                   reduce_type = "double", preamble = "// none",
                   options = { "-DN=1", "-DM" } }
    local k = Kernel(spec)
    for key, value in pairs(spec) do assert.same(value, k[key]) end
    k.options[1] = "-DN=2"
    assert.same({ "-DN=1", "-DM" }, k.options)
    k = Kernel("T x", "T y", "x", "a + b")
    for _, key in ipairs{ "post", "identity", "reduce_type", "preamble" } do
      assert.is_nil(k[key])
    end
    assert.same({}, k.options)
  end)
end)

helper.each_device(function (kind)
if not usable() then
  pending("ReductionKernel needs NVRTC on " .. kind)
  return
end

describe("a reduction", function ()
  it("is of all elements", function ()
    local k = norm()
    for _, dtype in ipairs{ "float32", "float64" } do
      local y = k(tide.array({ 3, 4 }, dtype))
      assert.equal(dtype, y.dtype)
      assert.equal(0, y.ndim)
      assert.equal(5, y:item())
    end
    assert.equal(5, k(tide.array{ { 3., 0. }, { 0., 4. } }):item())
    assert.equal(2, k(tide.array{ 2. }):item())
  end)

  it("is right for any number of elements", function ()
    local sum = Kernel("T x", "int64 y", "x", "a + b", nil, "0", "sum")
    local max = Kernel("T x", "T y", "x", "max(a, b)", nil, nil, "max")
    for _, n in ipairs{ 1, 2, 3, 255, 256, 257, 511, 512, 513, 1000, 100003,
                        3000001 } do
      local x = tide.arange(n)
      assert.equal(n * (n - 1) // 2, sum(x):item(), n)
      assert.equal(n - 1, max(x):item(), n)
    end
  end)

  it("is along axes", function ()
    local sum = Kernel("T x", "T y", "x", "a + b", "y = a * 10", 0, "sum")
    local x = tide.arange(24):reshape{ 2, 3, 4 }
    local function check (axis, keepdims, shape, ...)
      local y = sum(x, { axis = axis, keepdims = keepdims })
      assert.same(shape, y.shape)
      local flat = y:reshape(y.size):totable()
      for i, v in ipairs{ ... } do
        assert.equal(v * 10, flat[i])
      end
    end
    check(3, false, { 2, 3 }, 6, 22, 38, 54, 70, 86)
    check(-1, true, { 2, 3, 1 }, 6, 22, 38, 54, 70, 86)
    check(1, false, { 3, 4 }, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34)
    check(2, false, { 2, 4 }, 12, 15, 18, 21, 48, 51, 54, 57)
    check({ 1, 3 }, false, { 3 }, 60, 92, 124)
    check({ 1, 2, 3 }, true, { 1, 1, 1 }, 276)
    check({}, false, { 2, 3, 4 }, 0, 1, 2, 3)
    check(nil, true, { 1, 1, 1 }, 276)
    local wide = sum(tide.ones{ 3, 1000 }, { axis = 1 })
    assert.equal(30, wide[1000])
    assert.equal(10000, sum(tide.ones{ 3, 1000 }, { axis = 2 })[3])
  end)

  it("takes numbers, strided and raw arrays, and broadcasts", function ()
    local dot = Kernel("T x, T y", "T z", "x * y", "a + b", nil, "0", "dot")
    local x = tide.array{ { 1., 2. }, { 3., 4. } }
    assert.equal(20, dot(x, 2):item())
    assert.equal(30, dot(x, x):item())
    assert.equal(29, dot(x, x.T):item())
    assert.equal(10 + 20 * 2 + 30 + 40 * 2,
                 dot(tide.array{ { 10., 20. }, { 30., 40. } },
                     tide.array{ 1., 2. }):item())
    local last = Kernel("T x, raw T y", "T z", "x * y[i % y.size()]", "a + b")
    assert.equal(1 * 5 + 2 * 7 + 3 * 5, last(tide.array{ 1, 2, 3 },
                                             tide.array{ 5, 7 }):item())
    assert.equal(5, dot(tide.array{ 5. }, tide.array{ 1. }):item())
  end)

  it("has types of its own", function ()
    local any = Kernel("T x", "bool y", "x > 2", "a || b", nil, "false", "any")
    assert.is_true(any(tide.array{ 1, 2, 3 }):item())
    assert.is_false(any(tide.array{ 1, 2 }):item())
    local mean = Kernel{ params = "T x", out = "float32 y",
                         map = "x", reduce = "a + b", reduce_type = "float64",
                         post = "y = a / 4", identity = "0" }
    local y = mean(tide.array{ 1, 2, 4, 5 })
    assert.equal("float32", y.dtype)
    assert.equal(3, y:item())
  end)

  it("has accumulators of any type that C or a letter names", function ()
    local x = tide.array({ 1.75, 2.75 }, "float32")
    local n = (1 << 24) + 1
    for name, wanted in pairs{
      float = 1 << 24, double = n, T = n, int = n, ["long long"] = n,
      ["unsigned long long"] = n, size_t = n, int64_t = n, int64 = n,
      float64 = n, R = 1 << 24
    } do
      local k = Kernel{ params = "T x, R y", out = "int64 z", map = "x",
                        reduce = "a + b", reduce_type = name }
      local y = tide.array({ n - 2, 2 }, "int64")
      assert.equal(wanted, k(y, x):item(), name)
    end
    local k = Kernel{ params = "T x", out = "T y", map = "x",
                      reduce = "a + b", reduce_type = "int" }
    assert.equal(3, k(x):item())
  end)

  it("has numbers in 'post' and 'identity' as well", function ()
    local k = Kernel("T x, T m, int32 q", "T z", "x", "a + b",
                     "z = a / m + q", "m + 1", "mean")
    assert.equal(5, k(tide.ones(4), 2, 3):item())
    assert.equal(4.5, k(tide.zeros(0), 2, 3):item())
    assert.same({ 4, 4, 4 }, k(tide.ones{ 3, 4 }, 4, 3, { axis = 2 }):totable())
    local n = 1 << 20
    assert.equal(3, k(tide.ones(n), n, 2):item())
    local own = Kernel("T x, T m", "T z", "x", "a + b",
                       "T x = a; { T m = 2; x = x / m; } z = x * m", "0", "own")
    assert.equal(6, own(tide.ones(4), 3):item())
  end)

  it("of no elements is the identity, or refused", function ()
    local k = Kernel("T x", "T y", "x", "a * b", "y = a + 1", 1, "prod")
    assert.equal(2, k(tide.zeros(0)):item())
    local y = k(tide.zeros{ 0, 3 }, { axis = 1 })
    assert.same({ 2, 2, 2 }, y:totable())
    assert.same({ 0 }, k(tide.zeros{ 0, 3 }, { axis = 2 }).shape)
    fails("there are no elements, and no identity says what that gives",
          Kernel("T x", "T y", "x", "a + b"), tide.zeros(0))
  end)

  it("of no elements is the very number given as identity", function ()
    for _, x in ipairs{ 1 / 3, 0x1p-1074, 1e300, -2.0, math.huge, -math.huge,
                        0.1 } do
      local k = Kernel("T x", "float64 y", "x", "a + b", nil, x, "id")
      assert.equal(x, k(tide.zeros(0)):item())
    end
    local k = Kernel("T x", "int64 y", "x", "a + b", nil, -3, "id")
    assert.equal(-3, k(tide.zeros(0, "int64")):item())
    k = Kernel("T x", "double y", "x", "a + b", nil, math.mininteger, "id")
    assert.equal(-0x1p63, k(tide.zeros(0)):item())
  end)

  it("refuses an identity that its type does not have", function ()
    local function refuses (why, t, identity, reduce_type)
      local k = Kernel{ params = "T x", out = "T y", map = "x",
                        reduce = "a + b", identity = identity,
                        reduce_type = reduce_type, name = "k" }
      local text = "ReductionKernel 'k': option 'identity' must be of type " ..
                   (reduce_type or t) .. ": number " .. why
      fails(text, k, tide.zeros(0, t))
      fails(text, k, tide.ones(2, t))
    end
    local none = "has no integer representation: "
    refuses(none .. "0.5", "int32", 0.5)
    refuses(none .. "inf", "int64", math.huge)
    refuses(none .. "nan", "int64", -(0 / 0))
    refuses(none .. "1e+300", "uint8", 1e300)
    refuses(none .. "0.5", "float64", 0.5, "int32")
    refuses("is out of range for uint8: 256", "uint8", 256)
    refuses("is out of range for uint64: -1", "float32", -1.0, "uint64")
    local k = Kernel{ params = "T x", out = "T y", map = "x",
                      reduce = "a + b", identity = 2.0 }
    assert.equal(2, k(tide.zeros(0, "int32")):item())
  end)

  it("may go into an array of yours", function ()
    local k = norm()
    local z = tide.zeros(2)
    assert.equal(z, k(tide.array{ { 3., 4. }, { 5., 12. } },
                      { axis = 2, out = z }))
    assert.same({ 5, 13 }, z:totable())
    local text = "option 'out' must be an open, dense tide.Array of float64 " ..
                 "and shape 2 on the same device"
    local x = tide.ones{ 2, 2 }
    fails(text, k, x, { axis = 1, out = tide.zeros(3) })
    fails(text, k, x, { axis = 1, out = tide.zeros(2, "int32") })
    fails(text, k, x, { axis = 1, out = 3 })
  end)

  it("checks its arguments", function ()
    local k, x = norm(), tide.ones{ 2, 2 }
    fails("ReductionKernel 'norm' takes 1 argument, and a table of options, " ..
          "got 0", k)
    fails("got 2", k, x, x)
    fails("argument 1 ('x') must be a tide.Array, a number", k, "x")
    fails("nothing says how many elements there are", k, 3)
    fails("axis 3 is out of range for 2 axes", k, x, { axis = 3 })
    fails("axis 0 is out of range", k, x, { axis = 0 })
    fails("axis -1 is there twice", k, x, { axis = { 2, -1 } })
    fails("option 'axis' must be an integer or a list", k, x, { axis = "1" })
    fails("option 'keepdims' must be a boolean", k, x, { keepdims = 1 })
    fails("'norm': unknown option 'axes'; did you mean 'axis'?", k, x,
          { axes = 1 })
    fails("'norm': options must have names, as in { axis = ... }", k, { x })
    fails("'norm': option 'keepdims' must be a boolean", k, x,
          { keepdims = 1 })
  end)

  it("is ordered, captured, and works again after a reset", function ()
    local k = norm()
    local x = tide.array{ 3., 4. }
    local g <close>, y = tide.capture(function () return k(x) end)
    assert.is_truthy(g:debug_dot():find("norm", 1, true))
    g:launch()
    assert.equal(5, y:item())
    tide.get_device():reset()
    assert.equal(5, k(tide.array{ 3., 4. }):item())
  end)

  helper.host_it("says where the host device gives up", function ()
    local function refuses (text, map, reduce, post, identity)
      fails(text, Kernel("T x", "T y", map, reduce, post, identity, "k"),
            tide.ones(3))
    end
    refuses("ReductionKernel 'k' cannot run on the host device: map, " ..
            "line 1, column 5: the host device knows no such name at 'q'",
            "x + q", "a + b")
    refuses("syntax error in reduce, line 1, column 4:", "x", "a +")
    refuses("post, line 1, column 9: the host device knows no such name at " ..
            "'n'", "x", "a + b", "y = a / n")
    refuses("reduce, line 1, column 9: the host device knows no such name",
            "x", "a + b + i")
    refuses("post, line 1, column 5: ", "x", "a + b", "y = q")
    for _, post in ipairs{ "sqrt(a)", "", "T t = a; t = sqrt(t)" } do
      refuses("nothing is assigned to 'y'", "x", "a + b", post)
    end
    refuses("identity, line 1, column 1: ", "x", "a + b", nil, "q")
    refuses("knows no such name at 'x'", "x", "a + x")
    refuses("post, line 1, column 9: only parameters that are given a " ..
            "number are visible here at 'x'", "x", "a + b", "y = a / x")
    refuses("identity, line 1, column 1: only parameters", "x", "a + b", nil,
            "x")
    local k = Kernel("T x, T m", "T y", "x", "a + b", "y = a / m", "0", "k")
    for _, m in ipairs{ tide.ones(1), tide.ones(3) } do
      fails("are visible here at 'm'", k, tide.ones(3), m)
    end
    refuses("knows no such name at 'b'", "x", "a + b", "y = b")
    refuses("the expression should end at 'y'", "x y", "a + b")
    refuses("what is only read cannot be assigned to", "x", "a = b")
    refuses("knows no such name at 'z'", "x", "a + b", nil, "z")
  end)
end)

end)
