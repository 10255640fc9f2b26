--[[
fold_spec.lua - reductions along axes, of any view, against the model; mean, var
and std; argmin and argmax.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local model = require "spec.support.model"
local fails, badarg = helper.fails, helper.badarg

-- Functions of the elements of one result, in order.
local folds = {
  sum = function (list)
    local a = 0
    for _, x in ipairs(list) do
      a = a + x
    end
    return a
  end,
  prod = function (list)
    local a = 1
    for _, x in ipairs(list) do
      a = a * x
    end
    return a
  end,
  min = function (list) return math.min(table.unpack(list)) end,
  max = function (list) return math.max(table.unpack(list)) end,
  any = function (list)
    for _, x in ipairs(list) do
      if x ~= 0 then
        return true
      end
    end
    return false
  end,
  all = function (list)
    for _, x in ipairs(list) do
      if x == 0 then
        return false
      end
    end
    return true
  end,
  count_nonzero = function (list)
    local n = 0
    for _, x in ipairs(list) do
      n = n + (x ~= 0 and 1 or 0)
    end
    return n
  end
}

local function best (list, before)
  local at = 1
  for i, x in ipairs(list) do
    if before(x, list[at]) then
      at = i
    end
  end
  return at
end

folds.argmin = function (list)
  return best(list, function (x, y) return x < y end)
end

folds.argmax = function (list)
  return best(list, function (x, y) return x > y end)
end

--- Returns the results in row-major order, and the shape, folded axes as 1.
local function reduced (m, memory, gone, fn)
  local shape = {}
  for axis, n in ipairs(m.shape) do
    shape[axis] = gone[axis] and 1 or n
  end
  local lists, order = {}, {}
  model.each(shape, function (...)
    order[#order + 1] = table.concat({ ... }, ",")
    lists[order[#order]] = {}
  end)
  model.each(m.shape, function (...)
    local index = { ... }
    local key = {}
    for axis, i in ipairs(index) do
      key[axis] = gone[axis] and 1 or i
    end
    local list = lists[table.concat(key, ",")]
    list[#list + 1] = memory[model.place(m, index)]
  end)
  local results = {}
  for i, key in ipairs(order) do
    results[i] = fn(lists[key])
  end
  return results, shape
end

local function random_axes (pick, ndim)
  local gone, list = {}, {}
  for axis = 1, ndim do
    if pick(2) == 1 then
      gone[axis] = true
      table.insert(list, pick(#list + 1), pick(2) == 1 and axis or
                                          axis - ndim - 1)
    end
  end
  return gone, list
end

helper.each_device(function ()

describe("a fold along axes that are apart", function ()
  it("is that of one after the other, of copies and of views alike", function ()
    local a = tide.random.Generator(5):uniform(-1, 1, { 70, 3, 80, 2, 90 })
    for _, t in ipairs{ "float64", "float32", "float16", "int32", "bool" } do
      local x = (t == "int32" and a * 1000 or t == "bool" and a:gt(0) or a)
      x = x:astype(t)
      local view = x:transpose(5, 2, 1, 4, 3):copy():transpose(3, 2, 5, 4, 1)
      for _, name in ipairs{ "sum", "max", "all", "count_nonzero" } do
        for _, axes in ipairs{ { 1, 3 }, { 3, 5 }, { 1, 3, 5 }, { 2, 4 } } do
          local z = x[name](x, axes)
          local wide = t == "float16" and name == "sum" and
                       x:astype "float32" or x
          local wanted = wide
          for i = #axes, 1, -1 do wanted = wanted[name](wanted, axes[i]) end
          if name == "count_nonzero" then
            wanted = wide
            for i = #axes, 1, -1 do
              wanted = (i == #axes and wanted:astype "bool" or wanted)
                       :sum(axes[i])
            end
          end
          assert.is_true(tide.allclose(z, wanted:astype(z.dtype), 1e-3, 1e-2),
                         t .. name)
          assert.equal(z:tobytes(), view[name](view, axes):tobytes())
          local kept = x[name](x, axes, { keepdims = true })
          assert.equal(z:tobytes(), kept:tobytes())
        end
      end
    end
  end)
end)

describe("along axes", function ()
  it("takes one, several, or all", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    assert.same({ { 12, 14, 16, 18 }, { 20, 22, 24, 26 }, { 28, 30, 32, 34 } },
                a:sum(1):totable())
    assert.same({ { 12, 15, 18, 21 }, { 48, 51, 54, 57 } },
                tide.sum(a, -2):totable())
    assert.same({ 66, 210 }, a:sum{ 2, 3 }:totable())
    assert.same({ 60, 92, 124 }, a:sum({ 3, 1 }):totable())
    assert.equal(276, a:sum({ 1, 2, 3 }):item())
    assert.same({}, a:sum{ 1, 2, 3 }.shape)
    assert.equal(276, a:sum{}:item())
    assert.same({ 1, 3, 1 }, a:sum({ 1, 3 }, { keepdims = true }).shape)
    assert.same({ 1, 1, 1 }, a:sum{ keepdims = true }.shape)
    assert.same({ 2, 3, 4 }, (a - a:mean(2, { keepdims = true })).shape)
  end)

  for _, name in ipairs{ "sum", "prod", "min", "max", "any", "all",
                         "count_nonzero" } do
    it(name .. " of random views is the model's", function ()
      local pick = helper.generator(#name * 17)
      for _ = 1, 60 do
        local shape = model.random_shape(pick, 4, 5)
        local n = #model.new(shape).at
        local list = {}
        for i = 1, n do
          list[i] = pick(4) - 2
        end
        local t = pick(2) == 1 and "int32" or "float64"
        local a = tide.array(n > 0 and list or {}, t):reshape(shape)
        local memory = a:flatten():totable()
        local m, v = model.random_view(a, pick)
        if not math.type(v) then
          local gone, axes = random_axes(pick, #m.shape)
          if #axes > 0 then
            local wanted, kept = reduced(m, memory, gone, folds[name])
            local z = v[name](v, axes, { keepdims = true })
            assert.same(kept, z.shape)
            assert.same(wanted, z:flatten():totable())
            local out = tide.zeros(kept, z.dtype).T.T
            out = pick(2) == 1 and out:flip() or out
            assert.equal(out, v[name](v, axes, { keepdims = true,
                                                 out = out }))
            assert.same(wanted, out:flatten():totable())
          end
        end
      end
    end)
  end

  it("is right for long axes, in each order of memory", function ()
    for _, t in ipairs{ "uint8", "int32", "float32", "float64" } do
      for _, shape in ipairs{ { 3, 20000 }, { 20000, 3 }, { 1, 70001 },
                              { 2, 5000, 6 }, { 5000, 64 }, { 3000, 131 },
                              { 7, 9, 11 }, { 4, 2049 }, { 100, 65 } } do
        local a = tide.ones(shape, t)
        for axis = 1, #shape do
          for by = 0, 1 do
            local x = a
            if by == 1 then  -- not aligned
              x = tide.ones(a.size + 1, t):slice(2):reshape(shape)
            end
            local flags = x:sum(axis):ne(shape[axis]):any():item()
            assert.is_false(flags)
            assert.is_false(x:count_nonzero(axis):ne(shape[axis]):any():item())
            assert.is_true(x:all(axis):all():item())
            local at = {}
            for k, n in ipairs(shape) do
              at[k] = k == axis and n or 1 + n // 2
            end
            x[at] = 0
            assert.equal(1, x:sum(axis):ne(shape[axis]):count_nonzero():item())
            assert.equal(1, x:min(axis):eq(0):count_nonzero():item())
            assert.equal(shape[axis], x:argmin(axis):max():item())
            x[at] = 1
          end
        end
      end
    end
  end)

  it("is right for rows of each length, places too", function ()
    local pick = helper.generator(11)
    for _, t in ipairs{ "int8", "float32", "float64" } do
      for _, n in ipairs{ 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64,
                          65, 127, 128, 129, 255, 257, 511, 513, 2047, 2048,
                          2049 } do
        local list, sums, most, at = {}, {}, {}, {}
        for row = 1, 9 do
          sums[row], most[row] = 0, -100
          for i = 1, n do
            local x = pick(9) - 5
            list[#list + 1] = x
            sums[row] = sums[row] + x
            if x > most[row] then
              most[row], at[row] = x, i
            end
          end
        end
        local a = tide.array(list, t):reshape{ 9, n }
        for axis, x in pairs{ a.T:copy(), a } do
          assert.same(sums, x:sum(axis):totable())
          assert.same(most, x:max(axis):totable())
          assert.same(at, x:argmax(axis):totable())
        end
        if t ~= "int8" then
          local first = pick(n)
          a[{ {}, n }], a[{ {}, first }] = 0 / 0, 0 / 0
          for axis, x in pairs{ a.T:copy(), a } do
            assert.is_true(x:argmin(axis):eq(first):all():item())
            assert.is_true(x:argmax(axis):eq(first):all():item())
          end
        end
      end
    end
  end)

  it("places the first of all, wherever in many it is", function ()
    local pick = helper.generator(12)
    for _, t in ipairs{ "int8", "float16", "float32", "float64" } do
      for _, shape in ipairs{ { 1, 1000003 }, { 2, 600001 }, { 5, 100000 } } do
        local rows, n = table.unpack(shape)
        local x = tide.arange(rows * n):mod(97):astype(t):reshape(shape)
        for _ = 1, 4 do
          local wanted = {}
          for row = 1, rows do
            local at = pick(n)
            wanted[row] = at
            for _, i in ipairs{ at, at + pick(n - at + 1) - 1, n } do
              x[{ row, i }] = 100
            end
          end
          assert.same(wanted, x:argmax(2):totable())
          assert.same(wanted, x:neg():argmin(2):totable())
          assert.same(wanted, x.T:copy():argmax(1):totable())
          assert.equal(wanted[1], x:argmax():item())
          if t ~= "int8" then
            local nan = pick(n)
            x[{ 1, nan }], x[{ 1, n }] = 0 / 0, 0 / 0
            assert.equal(nan, x:argmax():item())
            assert.equal(nan, x:argmin():item())
          end
          x = tide.arange(rows * n):mod(97):astype(t):reshape(shape)
        end
      end
    end
  end)

  it("is right for many rows that are a pack each", function ()
    for _, t in ipairs{ "int8", "int16", "float16", "float32", "float64" } do
      for _, n in ipairs{ 2, 4, 8, 16 } do
        local x = tide.arange(n * 5003):mod(13):astype(t):reshape(-1, n)
        local sum = x:select(2, 1):astype "float64"
        for k = 2, n do
          sum = sum + x:select(2, k)
        end
        assert.is_true(x:sum(2):eq(sum):all():item())
        assert.equal(0, x:argmax(2):le(n):logical_not():count_nonzero():item())
        assert.is_true(x:max(2):eq(x.T:copy():max(1)):all():item())
      end
    end
  end)

  it("of floats is the same every time, wherever they lie", function ()
    local pick = helper.generator(5)
    local list = {}
    for i = 1, 30000 do
      list[i] = pick(1 << 20) / 1000
    end
    local flat = tide.array(list, "float32")
    for _, shape in ipairs{ { 10, 3000 }, { 3000, 10 }, { 5, 1500, 4 } } do
      for axis = 1, #shape do
        local wanted = flat:reshape(shape):sum(axis):tobytes()
        for by = 1, 3 do
          local b = tide.zeros(30000 + by, "float32"):slice(by + 1)
            :copy_from(flat)
          assert.is_true(b:reshape(shape):sum(axis):tobytes() == wanted)
        end
      end
    end
  end)

  it("lets NaN win", function ()
    local a = tide.zeros{ 3, 4 }
    a[{ 2, 3 }] = 0 / 0
    for _, name in ipairs{ "min", "max", "sum" } do
      assert.same({ false, false, true, false },
                  a[name](a, 1):isnan():totable())
      assert.same({ false, true, false }, a[name](a, 2):isnan():totable())
    end
  end)

  it("without elements", function ()
    local a = tide.ones{ 0, 3 }
    assert.same({ 0.0, 0.0, 0.0 }, a:sum(1):totable())
    assert.same({ 1.0, 1.0, 1.0 }, a:prod(1):totable())
    assert.same({ 0 }, a:sum(2).shape)
    assert.same({ 0 }, a:max(2).shape)
    assert.same({ true, true, true }, a:all(1):totable())
    assert.same({ true, true, true }, a:mean(1):isnan():totable())
    for _, name in ipairs{ "min", "max", "argmin", "argmax" } do
      fails("'" .. name .. "' of an array without elements", a[name], a, 1)
    end
  end)

  it("takes a dtype", function ()
    local a = tide.full({ 2, 300 }, 255, "uint8")
    assert.equal("float32", a:sum(2, { dtype = "float32" }).dtype)
    assert.same({ 76500.0, 76500.0 },
                a:sum(2, { dtype = "float32" }):totable())
    assert.same({ 76500 & 255, 76500 & 255 },
                a:sum(2, { dtype = "uint8" }):totable())
    local f = tide.full({ 3 }, 2.5)
    assert.equal(6, f:sum{ dtype = "int32" }:item())
    assert.equal("int32", f:sum{ dtype = "int32" }.dtype)
    badarg(3, "unknown dtype", f.sum, f, 1, { dtype = "float31" })
    badarg(2, "string expected, got table", f.sum, f, { dtype = {} })
    assert.equal(7.5, f:sum({ keepdims = true, dtype = "float64" })[1])
    badarg(1, "unknown option 'dtype'", function ()
      f:max{ dtype = "int32" }
    end)
  end)

  it("out that overlaps is written last", function ()
    local a = tide.arange(16):reshape{ 4, 4 }
    a:sum(1, { out = a[2] })
    assert.same({ 24, 28, 32, 36 }, a[2]:totable())
    a:copy_from(tide.arange(16):reshape{ 4, 4 })
    a:sum(2, { out = a[{ {}, 4 }] })
    assert.same({ 6, 22, 38, 54 }, a[{ {}, 4 }]:totable())
    fails("option 'out' must have shape 4, has 4x1", a.sum, a, 1,
          { out = tide.zeros({ 4, 1 }, "int64") })
    fails("option 'out' must have dtype int64, has float64", a.sum, a, 1,
          { out = tide.zeros(4) })
  end)
end)

describe("mean, var and std", function ()
  it("are those of NumPy", function ()
    local a = tide.array{ { 1, 2, 3, 4 }, { 2, 4, 6, 10 } }
    assert.same({ 2.5, 5.5 }, a:mean(2):totable())
    assert.same({ 1.5, 3.0, 4.5, 7.0 }, a:mean(1):totable())
    assert.same({ 1.25, 8.75 }, a:var(2):totable())
    assert.same({ 5.0 / 3, 35.0 / 3 }, a:var(2, { ddof = 1 }):totable())
    assert.equal(7.25, a:var():item())
    assert.equal(58.0 / 7, a:var{ ddof = 1 }:item())
    assert.equal(7.25 ^ 0.5, tide.std(a):item())
    assert.same({ 0.25, 1.0, 2.25, 9.0 }, a.T:var(2):totable())
    assert.same({ 0.5, 1.0, 1.5, 3.0 }, a:std(1):totable())
    assert.same({ 1, 4 }, a:std(1, { keepdims = true }).shape)
    assert.is_true(tide.ones(1):var{ ddof = 1 }:isnan():item())
    assert.is_true(tide.ones(0):var():isnan():item())
  end)

  it("have float types, or the one asked for", function ()
    local a = tide.array({ 1, 2, 3 }, "float32")
    for _, name in ipairs{ "mean", "var", "std" } do
      assert.equal("float32", a[name](a).dtype)
      assert.equal("float64", a:astype "uint8"[name](a:astype "uint8").dtype)
      assert.equal("float64", a[name](a, 1, { dtype = "float64" }).dtype)
      fails("option 'dtype' must be a float type", a[name], a,
            { dtype = "int32" })
      local out = tide.zeros({ 2, 2 }, "float32")
      local b = tide.arange(6):astype("float32"):reshape{ 2, 3 }
      assert.equal(out.T:select(1, 1).ptr,
                   b[name](b, 2, { out = out.T:select(1, 1) }).ptr)
      assert.same(b[name](b, 2):totable(), out[{ {}, 1 }]:totable())
      assert.same({ 0.0, 0.0 }, out[{ {}, 2 }]:totable())
    end
    fails("option 'ddof' must be a number", a.var, a, { ddof = true })
    badarg(1, "unknown option 'ddof'", function () a:mean{ ddof = 1 } end)
  end)

  it("of many are near", function ()
    local n = 70000
    local a = tide.arange(n):astype "float32"
    assert.equal((n - 1) / 2, a:mean():item())
    local var = (n * n - 1) / 12
    assert.is_true(math.abs(a:var():item() / var - 1) < 1e-6)
    assert.is_true(math.abs(a:std():item() / var ^ 0.5 - 1) < 1e-6)
  end)

  --- The variance of the numbers f(1) ... f(n), added up in Lua.
  local function variance (n, f)
    local sum, squares = 0, 0
    for i = 1, n do sum = sum + f(i) end
    for i = 1, n do squares = squares + (f(i) - sum / n) ^ 2 end
    return squares / n
  end

  -- float32 loses nothing. float64 loses at most the bound of Chan, Golub and
  -- LeVeque for parts that are joined: half an epsilon for each deviation that
  -- the mean is away from 0, here 54,000.
  it("of numbers far from 0 lose little, however they lie", function ()
    local function f (i) return 1e6 + i * 7919 % 64 end
    for _, dtype in ipairs{ "float32", "float64" } do
      for _, shape in ipairs{ { 1, 40000, 1 }, { 3, 20000, 1 }, { 70, 37, 1 },
                              { 1, 9001, 8 }, { 2, 5, 700 }, { 1, 300, 3 } } do
        local outer, n, inner = shape[1], shape[2], shape[3]
        local a = tide.arange(1, n + 1):mul(7919):mod(64):add(1e6)
        a = a:astype(dtype):reshape{ 1, n, 1 }:broadcast_to(shape)
        local wanted = variance(n, f)
        for _, x in ipairs{ a, a:copy(), a:copy():permute(3, 2, 1) } do
          local z = x:astype(dtype):var(2)
          local off = z:div(wanted):sub(1):abs():max():item()
          assert.is_true(off < (dtype == "float32" and 1e-7 or 6e-12), off)
          assert.equal(outer * inner, z.size)
        end
      end
    end
  end)

  it("are 0 where all are equal, NaN where one is infinite or NaN", function ()
    for _, dtype in ipairs{ "float16", "bfloat16", "float32", "float64" } do
      for _, shape in ipairs{ { 50000 }, { 40, 3 }, { 3, 40 }, { 20, 512 } } do
        local a = tide.full(shape, 0.1, dtype)
        assert.is_true(a:var():item() < 1e-30)
        assert.is_true(a:std(1):max():item() < 1e-15)
        for _, x in ipairs{ 1 / 0, 0 / 0 } do
          local b = a:copy()
          b:reshape(a.size)[7] = x
          assert.is_true(b:var():isnan():item())
          assert.equal(1, b:var(1):isnan():count_nonzero():item())
        end
      end
    end
    assert.equal(1, tide.array({ 1e200, 1e200 + 2e184 }):var():ne(0)
                    :count_nonzero():item())
    assert.equal(1000, tide.array({ -1000, 1000 }, "float16"):std():item())
  end)

  it("may replace what they are of", function ()
    local a = tide.array({ { 1, 2, 3, 4 }, { 2, 4, 6, 10 } }, "float64")
    assert.same({ 1.25, 8.75 }, a:var(2, { out = a[{ {}, 2 }] }):totable())
    assert.same({ { 1, 1.25, 3, 4 }, { 2, 8.75, 6, 10 } }, a:totable())
  end)
end)

describe("argmin and argmax", function ()
  it("find the first of equal ones, wherever in a row it is", function ()
    local nan = 0 / 0
    for _, dtype in ipairs{ "int8", "float16", "float32", "int64" } do
      for _, n in ipairs{ 2, 31, 32, 33, 63, 64, 65, 200, 5000 } do
        local a = tide.zeros({ 3, n }, dtype)
        local step = math.max(1, n // 40)
        for at = 1, n, step do
          local row = tide.zeros(n, dtype)
          row[{ { at, n, 3 } }] = 1
          a[1], a[2], a[3] = row, -row, row
          if dtype:find "float" then
            a[3] = tide.zeros(n, dtype)
            a[3][{ { at, n, 2 } }] = nan
          end
          assert.same({ at, at == 1 and n > 1 and 2 or 1, at },
                      a:argmax(2):totable())
          assert.equal(at, a:argmin(2)[2])
          assert.equal(at, a[1]:argmax():item())
        end
      end
    end
  end)

  for _, name in ipairs{ "argmin", "argmax" } do
    it(name .. " of random views are the model's", function ()
      local pick = helper.generator(71)
      for _ = 1, 80 do
        local a = tide.zeros({ 3, 4, 5 }, "int32")
        for i = 1, 60 do
          a:reshape(60)[i] = pick(9)
        end
        local memory = a:flatten():totable()
        local m, v = model.random_view(a, pick)
        if not math.type(v) then
          local list = model.values(m, memory)
          assert.equal(folds[name](list), v[name](v):item())
          for axis = 1, #m.shape do
            local wanted, kept = reduced(m, memory, { [axis] = true },
                                         folds[name])
            local z = v[name](v, axis, { keepdims = true })
            assert.same(kept, z.shape)
            assert.equal("int64", z.dtype)
            assert.same(wanted, z:flatten():totable())
          end
        end
      end
    end)
  end

  it("count from 1, the first of equals, NaN before all", function ()
    local a = tide.array{ 3, 1, 4, 1, 4 }
    assert.same({ 2, 3 }, { a:argmin():item(), tide.argmax(a):item() })
    local b = tide.zeros(70000)
    assert.same({ 1, 1 }, { b:argmin():item(), b:argmax():item() })
    b[60000], b[65000] = 0 / 0, 0 / 0
    b[3] = 7
    assert.same({ 60000, 60000 }, { b:argmin():item(), b:argmax():item() })
    assert.same({ 2, 1 }, tide.array({ { true, false }, { false, false } })
                :argmin(2):totable())
    local out = tide.zeros({ 2 }, "int64")
    assert.equal(out, tide.array{ { 1, 2 }, { 4, 3 } }:argmax(1,
                                                              { out = out }))
    assert.same({ 2, 2 }, out:totable())
    badarg(1, "one axis expected", function ()
      tide.ones{ 2, 2 }:argmax{ 1, 2 }
    end)
    fails("'argmax' of an array without elements", tide.argmax, tide.ones(0))
  end)

  it("find one element in a long axis", function ()
    for _, shape in ipairs{ { 1000000 }, { 3, 30000 }, { 30000, 3 },
                            { 2, 9000, 5 } } do
      local a = tide.zeros(shape, "float32")
      for axis, n in ipairs(shape) do
        for _, at in ipairs{ 1, n // 3 + 1, n } do
          local index = {}
          for k in ipairs(shape) do
            index[k] = k == axis and at or 1
          end
          a[index] = 1
          assert.equal(at, a:argmax(axis):max():item())
          a[index] = 0
        end
      end
    end
  end)
end)

describe("in a capture", function ()
  it("reductions along axes run again", function ()
    local a = tide.arange(40000):reshape{ 4, 10000 }
    local z, at = tide.zeros({ 10000 }, "int64"), tide.zeros({ 4 }, "int64")
    local var = tide.zeros{ 4 }
    local g <close> = tide.capture(function ()
      a:sum(1, { out = z })
      a.T:argmax(1, { out = at })
      a:var(2, { out = var })
    end)
    for i = 0, 1 do
      g:launch()
      assert.same({ 60000 + 4 * i, 60004 + 4 * i }, { z[1], z[2] })
      assert.same({ 10000, 10000, 10000, 10000 }, at:totable())
      assert.is_true(math.abs(var[1] / ((1e8 - 1) / 12) - 1) < 1e-12)
      a:add_(1)
    end
  end)
end)

end)
