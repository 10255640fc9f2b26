--[[
strided_spec.lua - every operation, on every dtype it is for, gives on views
what it gives on dense copies of them, bit for bit; parity_spec.lua says what
that is. So do reductions along axes and of slices.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local source = dofile "kernels/table.lua"

--- names(kind) -> of the operations of that kind that have a function, which
-- gives one result.
local function names (kind)
  local list = {}
  for _, op in ipairs(source[kind]) do
    if not op.mixed and not op.inner then
      list[#list + 1] = op[1]
    end
  end
  return list
end

--- Tells whether fn(...) is defined for its dtypes; another error is a failure.
local function defined (fn, ...)
  local ok, err = pcall(fn, ...)
  assert(ok or err:find("is not defined for", 1, true) or
         err:find("no bool", 1, true), err)
  return ok
end

local function random (dtype, n, pick)
  return helper.array(numbers.random(dtype, n, pick), dtype)
end

--- Views whose elements lie apart, backwards, across, in rows that all start at
-- 16 bytes, in a repeated row, or all at one place: { what, array }.
local function views (dtype, pick)
  local a = random(dtype, 4 * 6 * 64, pick)
  return {
    { "apart", a:reshape{ 4, 6, 64 }[{ {}, {}, { 1, 64, 3 } }] },
    { "back", a:reshape{ 4, 6, 64 }[{ { 4, 1, -1 }, {}, { 22, 1, -1 } }] },
    { "across", a:reshape{ 64, 6, 4 }.T[{ {}, {}, { 1, 22 } }] },
    { "rows", a:reshape{ 4, 6, 64 }[{ {}, {}, { 1, 22 } }] },
    { "row", a:slice(1, 22):broadcast_to{ 4, 6, 22 } },
    { "column", a:slice(1, 4):reshape{ 4, 1, 1 }:broadcast_to{ 4, 6, 22 } },
    { "unaligned", a:reshape{ 4, 6, 64 }[{ {}, {}, { 2, 23 } }] }
  }
end

local function same (wanted, got, ...)
  assert.same(wanted.shape, got.shape)
  assert(wanted:tobytes() == got:tobytes(), table.concat({ ... }, " "))
end

helper.each_device(function ()

describe("packs of what is no run", function ()
  --- Where in memory the elements of a view are, in order, from 1.
  local function places (shape, strides, off)
    local list = { off + 1 }
    for axis, n in ipairs(shape) do
      local next = {}
      for _, at in ipairs(list) do
        for i = 0, n - 1 do
          next[#next + 1] = at + i * strides[axis]
        end
      end
      list = next
    end
    return list
  end

  --- each(a, check): check(view, places) of many views of a vector.
  local function each (a, check)
    for _, shape in ipairs{ { 1003 }, { 8 }, { 97, 2 }, { 2, 97 }, { 33, 3 },
                            { 5, 7, 3 }, { 3, 1, 5, 7 }, { 4, 6, 10 },
                            { 2, 3, 4, 5 } } do
      local n = 1
      for _, m in ipairs(shape) do n = n * m end
      for step = 1, 3 do
        for flips = 0, (1 << #shape) - 1 do
          local at = { { 1, n * step, step } }
          local v, strides, off = a[at]:reshape(shape), {}, 0
          local apart = step
          for axis = #shape, 1, -1 do
            strides[axis] = apart
            if flips >> axis - 1 & 1 == 1 then
              v = v:flip(axis)
              strides[axis] = -apart
              off = off + (shape[axis] - 1) * apart
            end
            apart = apart * shape[axis]
          end
          check(v, places(shape, strides, off))
        end
      end
    end
  end

  for _, dtype in ipairs{ "uint8", "int16", "float32", "complex64",
                          "complex128" } do
    it("are copied, repeated, added and folded, " .. dtype, function ()
      local whole = tide.arange(3 * 1003 + 1):astype(dtype)
      for from = 1, 2 do
        local a = whole:slice(from, 3 * 1003 + from - 1)
        each(a, function (v, at)
          local c = a:take(tide.array(at)):reshape(v.shape)
          same(c, v:copy(), "copied")
          same(c + c, v + v, "both")
          same(c + 1, v + 1, "a number")
          same(c + c:flip(1):copy(), v + c:flip(1), "the other way round")
          same(c:eq(c), v:eq(c), "equal")
          same(c:sum(), v:sum(), "sum")
          same(tide.concatenate{ a:slice(1, 1), c:flatten() },
               tide.concatenate{ a:slice(1, 1), v:flatten() })
          for times = 2, from == 1 and 5 or 2 do
            local list = {}
            for k, place in ipairs(at) do
              for i = 1, times do
                list[(k - 1) * times + i] = place
              end
            end
            same(a:take(tide.array(list)),
                 v:repeat_each(times, -1):flatten(), times)
          end
        end)
      end
    end)
  end

  it("are folded in the order of a copy of them", function ()
    local pick = helper.generator(77)
    local a = random("float32", 300007, pick)
    local big = tide.random.uniform(300007, "float64")
    for _, x in ipairs{ a, big } do
      for _, at in ipairs{ { 1, 300007, 2 }, { 300007, 1, -1 },
                           { 5, 299999, 4 }, { 2, 90001, 2 },
                           { 300000, 7, -3 } } do
        local v = x[{ at }]
        for _, name in ipairs{ "sum", "max", "prod", "count_nonzero", "any",
                               "mean", "nansum" } do
          same(tide[name](v:copy()), tide[name](v), name)
        end
      end
      local m = x:slice(1, 300000):reshape(500, 600)
      same(m[{ {}, { 1, 600, 2 } }]:copy():sum(),
           m[{ {}, { 1, 600, 2 } }]:sum())
      same(m:slice(1, 1):broadcast_to(50, 600):copy():sum(),
           m:slice(1, 1):broadcast_to(50, 600):sum())
    end
  end)
end)

describe("operands that are read across", function ()
  -- sides of whole tiles, and not
  local SHAPES = { { 64, 128 }, { 97, 131 }, { 300, 16 }, { 17, 1000 },
                   { 5, 67, 33 }, { 40, 3, 41 } }

  --- Permutations of an array whose last axis is not last.
  local function turned (a)
    if a.ndim == 2 then
      return { a.T }
    end
    return { a.T, a:transpose{ 3, 1, 2 }, a:transpose{ 2, 3, 1 },
             a:transpose{ 1, 3, 2 } }
  end

  local function each (dtype, check)
    local pick = helper.generator(1414)
    for _, shape in ipairs(SHAPES) do
      local n = 1
      for _, m in ipairs(shape) do n = n * m end
      for _, v in ipairs(turned(random(dtype, n, pick):reshape(shape))) do
        check(v, v:copy(), table.concat(v.shape, "x"))
      end
    end
  end

  for _, dtype in ipairs(numbers.dtypes) do
    it("give what copies of them give, " .. dtype, function ()
      each(dtype, function (v, c, what)
        same(c:eq(c), v:eq(c), what, "eq")
        same(c:eq(v), c:eq(c), what, "eq")
        same(c:maximum(v), v:maximum(c), what)
        same(c + c, v + v, what, "both")
        same(c * c, v * c, what, "x")
        same(c * c, c * v, what, "y")
        same(c:logical_not(), v:logical_not(), what)
        same(c:abs(), v:abs(), what, "abs")
      end)
    end)
  end

  it("are copied as they are, whatever they are as wide as", function ()
    for _, dtype in ipairs{ "uint8", "int16", "int32", "int64",
                            "complex128" } do
      each("int64", function (v, _, what)
        local n, strides = v.size, v.strides
        local a = tide.arange(n):astype(dtype)
        -- the places in memory are the elements themselves
        local places = tide.zeros(v.shape, "int64")
        for axis, m in ipairs(v.shape) do
          local shape = {}
          for k = 1, #v.shape do shape[k] = 1 end
          shape[axis] = m
          places:add_((tide.arange(m) * strides[axis]):reshape(shape))
        end
        local sorted, axes = {}, {}
        for k = 1, #strides do sorted[k] = k end
        table.sort(sorted, function (x, y) return strides[x] > strides[y] end)
        local shape = {}
        for k, axis in ipairs(sorted) do
          shape[k] = v.shape[axis]
          axes[axis] = k
        end
        same(places:astype(dtype), a:reshape(shape):transpose(axes):copy(),
             what, dtype)
      end)
    end
  end)

  it("are folded as they are in memory", function ()
    for _, dtype in ipairs{ "bool", "int16", "uint64", "float32",
                            "float64" } do
      each(dtype, function (v, c, what)
        for _, name in ipairs(names "reductions") do
          if defined(tide[name], v) then
            local exact = not dtype:find "float" or
                          name ~= "sum" and name ~= "prod"
            for axis = 1, v.ndim do
              local keep = { keepdims = true }
              if exact then
                same(c[name](c, axis), v[name](v, axis), name, what, axis)
                same(c[name](c, axis, keep), v[name](v, axis, keep), name)
              end
              -- a copy with that axis last is what there was to be folded
              local axes = {}
              for i = 1, v.ndim do
                if i ~= axis then axes[#axes + 1] = i end
              end
              axes[#axes + 1] = axis
              local last = v:transpose(axes):copy()
              if exact or v.strides[axis] == 1 then
                same(last[name](last, -1), v[name](v, axis), name, what, axis)
              end
            end
            if v.ndim == 3 and exact then
              same(c[name](c, { 1, 3 }), v[name](v, { 1, 3 }), name, what)
              local out = tide.zeros(v.shape, c[name](c, 1).dtype)[1]
              v[name](v, 1, { out = out })
              same(c[name](c, 1), out:copy(), name, what, "out")
            end
          end
        end
      end)
    end
  end)

  it("of 16 bytes, and of parts", function ()
    local i = tide.complex(0, 1)
    for _, dtype in ipairs{ "complex64", "complex128" } do
      each("float32", function (v, c, what)
        local w = (v:astype "float64" * i + 1):astype(dtype).T
        same(-w:copy(), -w, what, dtype)
        same(w:copy() * w:copy(), w * w, what)
        same(w:copy():real(), w:real(), what)
        same(c:exp(), v:exp(), what)
        same(c ^ 3, v ^ 3, what)
      end)
    end
  end)

  it("may be, or overlap, what is written", function ()
    local a = tide.arange(100 * 100):reshape{ 100, 100 }
    local wanted = a + a.T:copy()
    local b = a:copy()
    assert.equal(b, b:add_(b.T))
    same(wanted, b, "in place")
    b = a:copy()
    tide.add(b.T, b, { out = b })
    same(wanted, b, "out")
    b = a:copy()
    tide.add(b.T, b, { out = b.T })
    same(wanted, b, "across")
    b = a:copy()
    tide.neg(b.T, { out = b })
    same(-a.T:copy(), b, "neg")
    local c = tide.zeros{ 200, 100 }:astype "int64"
    c[{ { 1, 100 } }] = a
    tide.sub(c[{ { 1, 100 } }].T, a, { out = c[{ { 101, 200 } }] })
    same(a.T:copy() - a, c[{ { 101, 200 } }]:copy(), "beside")
    tide.sub(c[{ { 1, 100 } }].T, c[{ { 1, 100 } }],
             { out = c[{ { 101, 200 } }] })
    same(a.T:copy() - a, c[{ { 101, 200 } }]:copy(), "both beside")
  end)

  it("are broadcast", function ()
    local a = tide.arange(64 * 80):reshape{ 64, 80 }
    local b = tide.arange(3 * 80 * 64):reshape{ 3, 80, 64 }
    same(b + a.T:copy(), b + a.T)
    same(a.T:copy() - b, a.T - b)
    local wide = a:reshape{ 1, 64, 80 }:broadcast_to{ 3, 64, 80 }
    same(b + wide:transpose{ 1, 3, 2 }:copy(), b + wide:transpose{ 1, 3, 2 })
  end)

  it("are copied, through tiles, if they are large #once", function ()
    local large, small = tide.ones{ 200, 300 }.T, tide.ones{ 20, 30 }.T
    assert.equal(1, helper.launches(function () return small:neg() end))
    assert.equal(2, helper.launches(function () return large:neg() end))
    assert.equal(2, helper.launches(function () return large + large end))
    assert.equal(1, helper.launches(function () return large.T:neg() end))
    local out = tide.zeros{ 200, 300 }.T
    assert.equal(1, helper.launches(function () large:neg({ out = out }) end))
  end)
end)

describe("views:", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("operations of two, " .. dtype, function ()
      local pick = helper.generator(2718)
      local list = views(dtype, pick)
      local scalar = dtype == "bool" and true or 3
      for _, name in ipairs(names "binary") do
        local op = tide[name]
        if defined(op, list[1][2], list[1][2]) then
          for i, x in ipairs(list) do
            local y = list[pick(#list)]
            same(op(x[2]:copy(), y[2]:copy()), op(x[2], y[2]), name, x[1],
                 y[1])
            same(op(x[2]:copy(), scalar), op(x[2], scalar), name, x[1], "3")
            local wanted = op(scalar, x[2]:copy())
            local out = tide.zeros({ 4, 6, 50 }, wanted.dtype)
            local z = i % 2 == 0 and out[{ {}, {}, { 1, 43, 2 } }] or
                      out[{ {}, {}, { 3, 24 } }]
            op(scalar, x[2], { out = z })
            same(wanted, z, name, "3", x[1])
          end
        end
      end
    end)

    it("operations of long rows, " .. dtype, function ()
      local pick = helper.generator(1618)
      local a, b = random(dtype, 3300, pick), random(dtype, 3300, pick)
      local sides = {
        { a[{ { 1, 2200, 2 } }], b[{ { 1101, 2, -1 } }] },
        { b[{ { 2200, 1, -2 } }], a[{ { 1, 2200, 2 } }] },
        { a[{ { 1, 3300, 3 } }], b[{ { 3299, 1, -3 } }] },
        { a:slice(2, 1101), b[{ { 2, 2200, 2 } }] },
        { a:slice(7, 7):broadcast_to(1100), b[{ { 1, 2200, 2 } }] }
      }
      for _, name in ipairs(names "binary") do
        local op = tide[name]
        if defined(op, a, a) then
          for i, side in ipairs(sides) do
            local x, y = side[1], side[2]
            local wanted = op(x:copy(), y:copy())
            same(wanted, op(x, y), name, i)
            local out = tide.zeros({ 2200 }, wanted.dtype)[{ { 1, 2200, 2 } }]
            op(x, y, { out = out })
            same(wanted, out, name, i, "out")
          end
        end
      end
      for _, name in ipairs(names "unary") do
        local op = tide[name]
        if defined(op, a) then
          for i, side in ipairs(sides) do
            same(op(side[1]:copy()), op(side[1]), name, i)
          end
        end
      end
    end)

    it("operations of one, " .. dtype, function ()
      local list = views(dtype, helper.generator(314))
      for _, name in ipairs(names "unary") do
        local op = tide[name]
        if defined(op, list[1][2]) then
          for _, x in ipairs(list) do
            same(op(x[2]:copy()), op(x[2]), name, x[1])
          end
        end
      end
      for _, x in ipairs(list) do
        for _, to in ipairs(numbers.dtypes) do
          same(x[2]:copy():astype(to), x[2]:astype(to), to, x[1])
        end
      end
    end)

    it("reductions, " .. dtype, function ()
      -- small integers, so that the order does not matter
      local a = (tide.arange(5 * 70 * 6) % 7 - 2):astype(dtype)
      for _, shape in ipairs{ { 5, 70, 6 }, { 6, 5, 70 }, { 70, 30 },
                              { 2, 525, 2 } } do
        local x = a:reshape(shape)
        for _, name in ipairs(names "reductions") do
          if defined(tide[name], x) then
            for axis, n in ipairs(shape) do
              local z = x[name](x, axis)
              local w = x.T[name](x.T, -axis)
              same(z, w.T, name, axis)
              local first = z:flatten()
              for _, at in ipairs{ 1, x.size // n } do
                local slice = axis == 1 and
                              x:reshape{ n, -1 }[{ {}, at }] or
                              axis == #shape and x:reshape{ -1, n }[at]
                if slice then
                  same(slice[name](slice), first:select(at), name, axis, at)
                end
              end
            end
          end
        end
      end
    end)
  end
end)

-- A call of several operations may begin again behind each.
describe("a result over an operand", function ()
  it("is written by the last operation alone (#191)", function ()
    local low, high = { { 1, 10000 } }, { { 51, 10050 } }
    local function base () return tide.arange(30000, "float64"):mod_(17) end
    local function square (x) return x:reshape{ 100, 100 } end
    local other = square(tide.arange(10000, "float64")).T
    local x = base()[low]
    for wanted, op in pairs{
      [x * x * x] = function (a)
        return tide.pow(a[low], 3, { out = a[high] })
      end,
      [other:copy() - square(x)] = function (a)
        return tide.sub(other, square(a[low]), { out = square(a[high]) })
      end,
      [-square(x).T:copy()] = function (a)
        return tide.neg(square(a[low]).T, { out = square(a[high]) })
      end,
    } do
      for n = 1, 6 do
        local own = base()
        helper.T.again(n)
        local ok, z = pcall(op, own)
        helper.T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))
        assert(ok, z)
        assert.is_true(tide.array_equal(z, wanted), n)
      end
    end
  end)
end)

end)
