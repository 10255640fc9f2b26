--[[
fuse_spec.lua - tide.fuse: the same as the operations one by one, in one kernel;
dtypes, numbers, shapes; what cannot be fused.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

local function usable ()
  local ok, why = pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1))
  assert(ok or why:find("NVRTC", 1, true), why)
  return ok
end

--- Checks that a equals b: dtype, shape, and each element, bit for bit.
local function same (a, b, what)
  assert.equal(b.dtype, a.dtype, what)
  assert.same(b.shape, a.shape, what)
  if b.size > 0 then
    assert.equal(b:tobytes(), a:tobytes(), what)
  end
end

helper.each_device(function (kind)
if not usable() then
  pending("tide.fuse needs NVRTC on " .. kind)
  return
end

local DTYPES = { "bool", "uint8", "int32", "int64", "float32", "float64" }

--- check(fn, ...): the fused fn returns the same for these arguments as fn, or
-- raises the same. It gets no more arguments than it has parameters.
local function check (fn, ...)
  local n = debug.getinfo(fn, "u").nparams
  local expected = table.pack(pcall(fn, ...))
  local got = table.pack(pcall(tide.fuse(fn), table.unpack({ ... }, 1, n)))
  assert.equal(expected[1], got[1], tostring(got[2]) .. tostring(expected[2]))
  assert.equal(expected.n, got.n)
  for i = 2, expected[1] and expected.n or 0 do
    same(got[i], expected[i], i)
  end
end

local function sample (dtype)
  if dtype == "bool" then
    return tide.array({ true, false, true, true, false }, dtype)
  end
  return tide.array({ 1, 2, 5, 7, 3 }, dtype)
end

describe("a fused function", function ()
  it("is one kernel", function ()
    local f = tide.fuse(function (x, y) return x * y + 8 end, "xy8")
    local x = tide.arange(5, "float32")
    same(f(x, x), x * x + 8)
    assert.equal(1, helper.launches(f, x, x))
    assert.equal("tide.Fused: xy8", tostring(f))
    assert.equal("xy8", f.name)
    local g <close> = tide.capture(function () return f(x, x) end)
    assert.is_truthy(g:debug_dot():find("xy8", 1, true))
  end)

  it("is traced once for each combination of dtypes", function ()
    local n = 0
    local f = tide.fuse(function (x, y) n = n + 1 return x + y end)
    for _ = 1, 3 do
      f(tide.ones(3), tide.ones(3))
      f(tide.ones{ 2, 2 }, tide.ones{ 2, 2 })
      f(tide.ones(3, "int32"), 5)
      f(tide.ones(3, "int32"), 7)
      f(tide.ones(3, "int32"), 7.5)
    end
    assert.equal(3, n)
  end)

  local OPERATIONS = {
    function (x, y) return x + y, x * y end,
    function (x, y) return x - y, x / y end,
    function (x, y) return x // y, x % y end,
    function (x, y) return x:maximum(y), tide.minimum(x, y) end,
    function (x, y) return x:lt(y), x:ge(y), tide.eq(x, y) end,
    function (x, y) return x & y, x | y, x ~ y end,
    function (x) return -x, tide.abs(x), x:square() end,
    function (x) return ~x, x:logical_not() end,
    function (x) return x:sqrt(), tide.exp(x) end,
    function (x) return x:floor() + x:ceil() end,
    function (x) return x + 1, 2 * x, x - 0.5, 7 // x end,
    function (x) return x + true end,
    function (x, y) return x:astype "float32" * y, (x + y):astype "uint8" end,
    function (x, y) return tide.where(x:gt(y), x, y), tide.where(x, 1, y) end,
    function (x) return tide.clip(x, 2, 4), x:clip(nil, 3), x:clip(2) end,
    function (x, y)
      local a = x * x
      local b = a + y
      return a * b - a, b
    end,
  }

  for i, fn in ipairs(OPERATIONS) do
    it("does as its operations do one by one, number " .. i, function ()
      for _, dtype in ipairs(DTYPES) do
        local x, y = sample(dtype), sample(dtype)
        check(fn, x, y)
        check(fn, x:slice(1, 4), y:slice(2, 5))
      end
      for _, dtype in ipairs{ "uint8", "int64", "float32" } do
        check(fn, sample "int32", sample(dtype))
        check(fn, sample(dtype), sample "float64")
      end
    end)
  end

  it("computes with every dtype on its way", function ()
    local x = tide.array({ 1, 2, 3 }, "float32")
    for _, dtype in ipairs{ "float16", "bfloat16", "int8", "uint64",
                            "complex64", "complex128" } do
      check(function (a)
        local b = a:astype(dtype)
        return b + b, (b * b):ne(b)
      end, x)
    end
    for _, dtype in ipairs{ "float16", "bfloat16", "complex64" } do
      check(function (a) return a:astype(dtype) * 2.5 + 1 end, x)
    end
    for _, dtype in ipairs{ "float16", "bfloat16", "complex64" } do
      check(function (a)
        local b = a:astype(dtype)
        return b:sin(), (b ^ 2):square(), b:isnan(), b:astype "complex128"
      end, x)
    end
    for _, dtype in ipairs{ "float16", "bfloat16" } do
      check(function (a)
        local b = a:astype(dtype)
        return b // 2, (b % 1.5):atan2(b), 7 % b, b:gt(2), tide.ge(2, b),
               (b * 100):astype "int8"
      end, x)
    end
    fails("numbers cannot be fused with arrays of complex128",
          tide.fuse(function (a) return a:astype "complex128" + 1 end), x)
  end)

  it("takes numbers, which do not widen arrays", function ()
    local function fn (x, a, b) return (x + a) * b, x * (a * 2 + b) end
    for _, dtype in ipairs{ "int32", "int64", "float32", "float64" } do
      local x = sample(dtype)
      local f = tide.fuse(fn)
      for _, numbers in ipairs{ { 2, 3 }, { 2.5, 3 }, { 2, 0.5 } } do
        local a, b = table.unpack(numbers)
        same((f(x, a, b)), (fn(x, a, b)))
      end
      assert.equal(dtype, (f(x, 2, 3)).dtype)
    end
    local f = tide.fuse(function (x, a) return x + a end)
    fails("argument 2: number is out of range for uint8", f,
          sample "uint8", 300)
  end)

  it("broadcasts, and reads arrays of any strides", function ()
    local function fn (x, y) return x * 2 + y end
    local x = tide.arange(12, "float32"):reshape{ 3, 4 }
    check(fn, x, tide.arange(4, "float32"))
    check(fn, x, tide.arange(3, "float32"):reshape{ 3, 1 })
    check(fn, x.T, tide.arange(3, "float32"))
    check(fn, x, tide.array({ 5 }, "float32"))
    check(fn, x[{ {}, { 2, 3 } }], x[{ {}, { 1, 2 } }])
    check(fn, tide.zeros(0), tide.zeros(0))
    fails("argument 2 ('y') has shape 3, others have 3x4", tide.fuse(fn), x,
          tide.ones(3))
  end)

  it("writes to arrays of one's own", function ()
    local function fn (x, y) return x * 2 + y, x - y end
    local f = tide.fuse(fn)
    local g = tide.fuse(function (x, y) return x * 2 + y end)
    for _, n in ipairs{ 0, 1, 513, 5000 } do
      local x, y = tide.arange(n, "float32"), tide.full(n, 3, "float32")
      local sum, difference = fn(x, y)
      local z, w = tide.zeros(n, "float32"), tide.zeros(n, "float32")
      assert.equal(z, g(x, y, { out = z }))
      same(z, sum)
      assert.equal(z, g(x, y, { out = { z:fill(0) } }))
      same(z, sum)
      local a, b = f(x, y, { out = { w, z } })
      assert.is_true(a == w and b == z)
      same(w, sum)
      same(z, difference)
      same(g(x, y, {}), sum)
    end
    local x = tide.ones(100, "float32")
    local z = tide.zeros(100, "float32")
    assert.equal(1, helper.launches(g, x, x, { out = z }))
    assert.equal(1, helper.launches(g, x, z, { out = z }))
    assert.equal(5, z[100])
  end)

  it("reads before it writes what overlaps", function ()
    local g = tide.fuse(function (x, y) return x * 2 + y end)
    local swap = tide.fuse(function (x, y) return y, x end)
    local function fresh () return tide.arange(1200, "float32") end
    local a, own = fresh(), fresh()
    local first, second = { { 1, 1000 } }, { { 101, 1100 } }
    local wanted = own[first] * 2 + own[second]
    g(a[first], a[second], { out = a[second] })
    same(a[second]:copy(), wanted)
    a = fresh()
    g(a[first], a[second], { out = a[{ { 3, 1002 } }] })
    same(a[{ { 3, 1002 } }]:copy(), wanted)
    a = fresh()
    local b = tide.zeros(1200, "float32")
    swap(a, b, { out = { a, b } })
    same(b, own)
    assert.is_false(a:any():item())
    local m = fresh():reshape{ 30, 40 }
    local t = m:copy()
    wanted = t * 2 + t[1]
    g(t, t[1], { out = t })
    same(t, wanted)
    local wide = tide.zeros({ 30, 80 }, "float32")[{ {}, { 1, 80, 2 } }]
    assert.equal(wide, g(m, 1, { out = wide }))
    same(wide:copy(), m * 2 + 1)
    g(m, 1, { out = m.T:copy().T })
    local one = tide.array({ 5 }, "float32")
    local long = tide.zeros(600, "float32")
    long[1] = 5
    same(g(long, long[{ { 1, 1 } }], { out = long }),
         g(tide.zeros(600, "float32") + long:copy() * 0, one) +
         (tide.arange(600):eq(0)):astype "float32" * 10)
  end)

  it("says what is wrong with such arrays", function ()
    local f = tide.fuse(function (x) return x + 1 end, "plus")
    local g = tide.fuse(function (x) return x + 1, x:gt(2) end)
    local x = tide.ones(10, "float32")
    local z = tide.zeros(10, "float32")
    fails("must have dtype float32, has int64", f, x,
          { out = tide.zeros(10):astype "int64" })
    fails("must have shape 10, has 11", f, x,
          { out = tide.zeros(11, "float32") })
    fails("'plus': option 'out' must be an open tide.Array", f, x,
          { out = 3 })
    fails("option 'out' must have 2 arrays, has 1", g, x, { out = z })
    fails("option 'out' must have 1 array, has 2", f, x,
          { out = { z, z } })
    fails("field 'extra' in option 'out', a list", f, x,
          { out = { z, extra = z } })
    fails("must have dtype bool, has float32", g, x, { out = { z, z } })
    fails("cannot be written", f, x,
          { out = tide.zeros(1, "float32"):broadcast_to(10) })
    fails("unknown option 'into'", f, x, { into = z })
    fails("array 2 overlaps array 1",
          tide.fuse(function (v) return v, v + 1 end), x, { out = { z, z } })
    fails("option 'out' is not for reductions",
          tide.fuse(function (v) return v:sum() end), x, { out = z })
    local closed = tide.zeros(10, "float32")
    closed:close()
    fails("open tide.Array", f, x, { out = closed })
    fails("takes 1 argument, got 0", f, { out = z })
    assert.is_false(z:any():item())
  end)

  it("may be long, and long arrays pass through it", function ()
    for _, n in ipairs{ 1, 511, 512, 513, 100003 } do
      check(function (x)
        for i = 1, 30 do
          x = x * 0.5 + i
        end
        return x
      end, tide.arange(n, "float32"))
    end
  end)

  it("says which of its reductions is wrong", function ()
    local x = tide.ones{ 2, 3 }
    local function refuses (text, fn)
      local message = fails("fused function 'loss': " .. text,
                            tide.fuse(fn, "loss"), x)
      assert.is_nil(message:find("bad argument", 1, true))
    end
    refuses("sum: axis 5 is out of range for an array of 2 axes",
            function (a) return a:sum(5) end)
    refuses("mean: axis 0 is out of range for an array of 2 axes: axes " ..
            "count from 1", function (a) return a + 1, a:mean(0) end)
    refuses("max: axis must be an integer, got string",
            function (a) return a:max "k" end)
    refuses("sum: axis 1 is there twice",
            function (a) return a:sum{ 1, 1 } end)
    refuses("sum: axis 7 is out of range",
            function (a) return a:sum{ axis = 7 } end)
    refuses("prod: unknown option 'axs'",
            function (a) return a:prod{ axs = 1 } end)
    refuses("sum: option 'out' must be an open tide.Array",
            function (a) return a:sum(1, { out = 3 }) end)
  end)

  it("may reduce what it returns", function ()
    local f = tide.fuse(function (x, y)
      return (x * y):sum(), x:max(), x + y
    end)
    local x = tide.arange(1000, "float64")
    local sum, max, plus = f(x, x)
    same(sum, (x * x):sum())
    same(max, x:max())
    same(plus, x + x)
  end)

  it("is ordered", function ()
    local f = tide.fuse(function (x) return x + 1 end)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local x = tide.zeros(1000)
    for _ = 1, 20 do
      x = s:with(function () return f(x) end)
      x = t:with(function () return f(x) end)
    end
    assert.equal(40, x[1000])
  end)

  it("works in coroutines, states of the collector, and after a reset",
     function ()
    local f = tide.fuse(function (x) return x * 3 end)
    local x = coroutine.wrap(function () return f(tide.ones(2)) end)()
    collectgarbage()
    assert.equal(3, x[1])
    tide.get_device():reset()
    assert.equal(3, f(tide.ones(2))[2])
  end)
end)

describe("the arguments of a fused function", function ()
  local x, one, two, any

  before_each(function ()
    x = tide.ones(3)
    one = tide.fuse(function (a) return a + 1 end, "one")
    two = tide.fuse(function (a, scale) return a * scale end, "two")
    any = tide.fuse(function (a, ...)
      return select("#", ...) > 0 and a + ... or a + 0
    end, "any")
  end)
  after_each(function () x, one, two, any = nil, nil, nil, nil end)

  it("are as many as the function has", function ()
    fails("fused function 'one' takes 1 argument, got 2", one, x, x)
    fails("fused function 'one' takes 1 argument, got 0", one)
    fails("fused function 'two' takes 2 arguments, got 3", two, x, 2, 3)
    fails("fused function 'two' takes 2 arguments, got 1", two, x)
    fails("operands are its arguments", two, x)
    same(one(x, nil, nil), x + 1)
    same(any(x), x)
    same(any(x, 2), x + 2)
    same(any(x, x, x), x + x)
    fails("fused function 'any' takes 1 to 14 arguments, got 15", any,
          x, x, x, x, x, x, x, x, x, x, x, x, x, x, x)
  end)

  it("may be fewer, where the function can do without", function ()
    local f = tide.fuse(function (a, b) return b and a * b or a + 1 end)
    same(f(x), x + 1)
    same(f(x, 5), x * 5)
  end)

  it("are named as the function names them", function ()
    fails("'two': argument 2 ('scale') must be a tide.Array, a number", two, x,
          "3")
    fails("'any': argument 2 must be a tide.Array, a number", any, x, "3")
  end)

  it("may be one array twice, which is copied once #once", function ()
    local a = tide.zeros{ 700, 3, 600 }.T  -- too large to be read as it is
    local f = tide.fuse(function (p, q) return p + q end)
    same(f(a, a), a + a)
    assert.equal(2, helper.launches(f, a, a))
    assert.equal(3, helper.launches(f, a, a[{}]))
  end)

  it("have options behind them, that are named with the function", function ()
    fails("fused function 'one': unknown option 'output'; did you mean 'out'?",
          one, x, { output = x })
    fails("fused function 'two': options must have names, as in " ..
          "{ out = ... }; other arguments come one by one", two, x, { x })
    fails("fused function 'one': elements of a broadcast array", one, x,
          { out = tide.ones(1):broadcast_to(3) })
    fails("fused function 'one': option 'out' must have dtype", one, x,
          { out = tide.ones(3, "int8") })
  end)

  it("are its own where it calls itself (#215)", function ()
    for _, inner in ipairs{ 1, 2, 8, 14 } do
      for _, outer in ipairs{ 1, 2, 7, 14 } do
        local once, f
        local args, more = {}, {}
        for i = 1, outer do args[i] = x:copy() end
        for i = 1, inner do more[i] = x end
        f = tide.fuse(function (s, ...)
          if not once then
            once = true
            same(f(table.unpack(more)), x * inner)
          end
          for _, a in ipairs{ ... } do s = s + a end
          return s + 0
        end)
        local z = tide.zeros(3)
        args[outer + 1] = { out = z }
        f(table.unpack(args))
        same(z, x * outer)
      end
    end
  end)
end)

describe("what cannot be fused", function ()
  local x

  before_each(function () x = tide.ones(3) end)
  after_each(function () x = nil end)

  local function refuses (text, fn, ...)
    fails(text, tide.fuse(fn, "k"), ...)
  end

  it("says so", function ()
    refuses("use x:lt(y), x:le(y)", function (a) return a < 2 end, x)
    refuses("x:gt(y), x:ge(y)", function (a) return a > 2 end, x)
    refuses("fused function 'k' must return what it makes of its arguments, " ..
            "returned number", function () return 2 end, x)
    refuses("returned boolean: == compares objects, x:eq(y) elements",
            function (a) return a == 1 end, x)
    refuses("returned tide.Array", function (_) return x end, x)
    refuses("must return one to 6 results, returned 0", function () end, x)
    refuses("operands are its arguments", function (a) return a + "1" end, x)
    refuses("operands are its arguments", function (a) return a + x end, x)
    refuses("a reduction can only be returned", function (a)
      return a + a:sum()
    end, x)
    refuses("there are no options", function (a)
      return tide.add(a, a, { out = x })
    end, x)
    for _, call in ipairs{
      function (a) return a:exp{ out = x } end,
      function (a) return tide.exp(a, { out = x }) end,
      function (a) return a:clip(0, 1, { out = x }) end,
      function (a) return tide.clip(a, 0, 1, { out = x }) end,
      function (a) return tide.where(a, a, a, { out = x }) end,
    } do
      refuses("there are no options", call, x)
    end
    local stands = "' in tide.Symbol, which stands for a tide.Array in a " ..
                   "fused function"
    for _, name in ipairs{ "sort", "shape", "ptr" } do
      refuses("no field '" .. name .. stands, function (a)
        return a[name]
      end, x)
    end
    refuses("no field 'add_" .. stands .. "; did you mean 'add'?", function (a)
      return a:add_(1)
    end, x)
    refuses("no field 'logarithm' in tide.Symbol", function (a)
      return a:logarithm()
    end, x)
    refuses("more than 300 operations", function (a)
      for _ = 1, 400 do a = a + a end
      return a
    end, x)
    refuses("boo", function () error "boo" end, x)
    refuses("one argument must be a tide.Array", function (a) return a end, 1)
    refuses("takes 1 to 14 arguments, got 0", function (...) return ... end)
    refuses("argument 1 ('a') must be a tide.Array, a number or a boolean",
            function (a) return a end, "x")
    fails("bad argument #1 to", tide.fuse, 3)
  end)

  it("leaves no trace", function ()
    local kept
    tide.fuse(function (a) kept = a return a end)(x)
    fails("cannot be used outside of it", function () return kept + 1 end)
    fails("symbol of another fused function", tide.fuse(function (a)
      return a + kept
    end), x)
    pcall(tide.fuse(function () error "boo" end), x)
    assert.equal(2, (x + 1)[1])
    local inner = tide.fuse(function (a) return a + 1 end)
    fails("", tide.fuse(function (a) return inner(a) end), x)
    assert.equal(2, inner(x)[1])
  end)

  it("is what a device refuses", function ()
    T.failcall(1, 2, "cuModuleLoadData")
    local f = tide.fuse(function (a) return a + 11.25 end)
    fails("cuModuleLoadData", f, x)
    T.failcall(0)
    assert.equal(12.25, f(x)[1])
  end)

  it("is a symbol of another function, wherever that was (#106, #122)",
     function ()
    for round = 1, 50 do
      local left = {}
      fails("enough", tide.fuse(function (a)
        for i = 1, 90 do left[i] = a + 1 end
        error "enough"
      end), x)
      local symbol = left[round]
      for _, case in ipairs{
        { "symbol of another fused function",
          function (a) return symbol + a end },
        { "must return what it makes of its arguments",
          function () return symbol end },
        { "symbol of another fused function",
          function (a) return symbol.dtype == "int64" and a end }
      } do
        collectgarbage()
        collectgarbage()
        refuses(case[1], case[2], x)
      end
      fails("cannot be used outside", function () return symbol.dtype end)
    end
  end)
end)

describe("the first call of a fused function, which traces it,", function ()
  it("adds what later calls add to a graph (#218)", function ()
    local f = tide.fuse(function (c, n, s, w, e, k)
      return c + k * (n + s + w + e - 4 * c)
    end)
    local u = tide.arange(400.0):reshape(20, 20)
    local i, l, r = { 2, -2 }, { 1, -3 }, { 3, -1 }
    local function capture (k)
      return tide.capture(function ()
        f(u[{ i, i }], u[{ l, i }], u[{ r, i }], u[{ i, l }], u[{ i, r }], k,
          { out = u[{ i, i }] })
      end)
    end
    local first, second = capture(0.1), capture(0.2)
    local NODES = "%d+ nodes"
    assert.equal(tostring(second):match(NODES), tostring(first):match(NODES))
    assert.is_true((first:update(second)))
  end)

  it("raises if it closes what is to be copied", function ()
    local x = tide.arange(300.0 * 400):reshape(300, 400)
    local y, z = x.T, x.T
    fails("closed", tide.fuse(function (a, b) y:close() return a + b end), y,
          tide.ones{ 400, 300 })
    assert.equal(300 * 400, x.size)
    local g = tide.fuse(function (a, _) x:close() z:close() return a + 1 end)
    fails("closed", g, z[{ { 1, 400 } }]:broadcast_to(400, 300), z)
  end)

  it("is queued on the stream that it makes current (#219)", function ()
    local x = tide.arange(8, "float32")
    local s, t = helper.new_stream(), nil
    s:use()
    local f = tide.fuse(function (v)
      tide.Stream.null:use()
      if s then
        s:close()
        s = nil
      end
      collectgarbage()
      tide.poll()
      t = helper.new_stream():begin_capture()
      return v + 1
    end)
    local z = f(x)
    local g <close> = t:end_capture()
    assert.equal("0 nodes", tostring(g):match("%d+ nodes?"))
    assert.equal(8, z[8])
    t:close()
  end)
end)

end)
