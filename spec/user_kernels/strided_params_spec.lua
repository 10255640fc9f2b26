--[[
strided_params_spec.lua - operands of fused functions and ElementwiseKernels
that are strided, or to be broadcast: read as they are, in the one launch.
]]
local tide = require "tide"
local generator = require "spec.support.generator"
local helper = require "spec.support.helper"
local launches = helper.launches

--- same(a, b): the same dtype, shape and bytes.
local function same (wanted, got, ...)
  assert.equal(wanted.dtype, got.dtype)
  assert.same(wanted.shape, got.shape)
  assert(wanted:tobytes() == got:tobytes(), table.concat({ ... }, " "))
end

local AXES = { 1, 2, 3, 5, 7, 8, 33, 64 }

--- A view with the shape, or one that is broadcast to it: axes of one element,
-- fewer axes, steps, turned around, permuted.
local function view (pick, shape, dtype)
  local from = pick(3) == 1 and pick(#shape) or 1  -- the axes before are absent
  local order, whole, ranges, back, n = {}, {}, {}, {}, 0
  for k = from, #shape do
    n = n + 1
    order[n] = n
    whole[n] = pick(4) == 1 and 1 or shape[k]
  end
  if pick(3) == 1 then
    for k = n, 2, -1 do
      local j = pick(k)
      order[k], order[j] = order[j], order[k]
    end
  end
  local made = {}
  for k, at in ipairs(order) do  -- axis 'at' comes k-th in memory
    local step = pick(5) - 3
    step = step == 0 and 1 or step
    local length, off = whole[at], pick(3) - 1
    made[k] = off + (length - 1) * math.abs(step) + pick(2)
    local last = off + 1 + (length - 1) * math.abs(step)
    ranges[k] = step > 0 and { off + 1, last, step } or { last, off + 1, step }
    back[at] = k
  end
  local size = 1
  for _, length in ipairs(made) do size = size * length end
  local a = tide.arange(size):reshape(table.unpack(made))
  a = (a % 120):astype(dtype)[ranges]
  return n > 1 and a:transpose(table.unpack(back)) or a
end

helper.each_device(function (kind)

describe("strided operands", function ()
  local body = tide.ElementwiseKernel("X x, Y y, W w", "float64 z",
                                      "z = x * 2.0 + y - w + 1e-3 * i", "mix")
  local fused = tide.fuse(function (x, y, w) return x * 2.0 + y - w end)
  local function plain (x, y, w) return x * 2.0 + y - w end
  local DTYPES = { "uint8", "int16", "int32", "float32", "float64", "int64" }

  it("of random views have the results of dense ones", function ()
    local pick = generator(20)
    for round = 1, 150 do
      local shape, args, dense = {}, {}, {}
      for k = 1, pick(4) do shape[k] = AXES[pick(#AXES - k)] end
      for i = 1, 3 do
        args[i] = view(pick, shape, DTYPES[pick(#DTYPES)])
      end
      args[pick(3)] = tide.ones(shape, "float64")
      for i = 1, 3 do
        dense[i] = args[i]:broadcast_to(shape):copy()
      end
      local name = table.concat(shape, "x")
      same(fused(table.unpack(dense)), fused(table.unpack(args)), round, name)
      same(plain(table.unpack(dense)), fused(table.unpack(args)), round, name)
      same(body(table.unpack(dense)), body(table.unpack(args)), round, name)
    end
  end)

  it("are read in the one launch", function ()
    local f = tide.fuse(function (x, y) return x * y end)
    local k = tide.ElementwiseKernel("T x, T y", "T z", "z = x * y", "mul")
    local big = tide.ones{ 1000, 300 }
    local row, column = tide.arange(300.0), tide.arange(1000.0):reshape(1000, 1)
    local part = tide.ones{ 1002, 310 }[{ { 2, 1001 }, { 3, 302 } }]
    local every = tide.ones{ 1000, 600 }[{ {}, { 1, 600, 2 } }]
    local deep = tide.ones{ 20, 50, 300 }
    local planes = tide.ones{ 20, 1, 300 }
    local small = tide.ones{ 30, 20 }
    local pairs_ = {
      { big, row }, { big, column }, { column, row }, { part, big },
      { every, row }, { big, every }, { deep, planes }, { part, every },
      { big[{ { 1000, 1, -1 }, { 300, 1, -1 } }], row }, { small.T, small.T },
      { big, big[7] }, { big, row:broadcast_to(1000, 300) }
    }
    for i, x in ipairs(pairs_) do
      for _, fn in ipairs{ f, k } do
        local wanted = x[1] * x[2]
        fn(x[1], x[2])
        tide.get_device():synchronize()
        local got
        local n = launches(function () got = fn(x[1], x[2]) end)
        assert.equal(1, n, i)
        same(wanted, got, i)
      end
    end
  end)

  it("are copied first where that is faster, or there are too many", function ()
    local f = tide.fuse(function (a, b, c, d, e, g)
      return a + b + c + d + e + g
    end)
    local g = tide.fuse(function (x, y) return x - y end)
    local x = tide.arange(300.0 * 400):reshape(300, 400)
    same(x.T - x.T, g(x.T, x.T))
    same(x.T - x[{ {}, 1 }], g(x.T, x[{ {}, 1 }]))
    local rows, sum = {}, tide.zeros{ 300, 400 }
    for i = 1, 6 do
      rows[i] = tide.arange(400.0) * i
      sum = sum + rows[i]
    end
    rows[1] = rows[1] + tide.zeros{ 300, 400 }
    same(sum, f(table.unpack(rows)))
    local y = tide.arange(7 * 5 * 6 * 4 * 3):reshape(7, 5, 6, 4, 3)
    local odd = y[{ { 1, 7, 2 }, { 2, 4 }, { 1, 6, 3 }, { 2, 4 }, { 1, 2 } }]
    same(odd - odd[1], g(odd, odd[1]))
  end)

  it("may be part of what is written", function ()
    local f = tide.fuse(function (x, y) return x + y end)
    local k = tide.ElementwiseKernel("T x, T y", "T z", "z = x + y", "add")
    for _, fn in ipairs{ f, k } do
      local x = tide.arange(2000.0):reshape(40, 50)
      local wanted = x + x[3]
      fn(x, x[3], { out = x })
      same(wanted, x)
      wanted = x[{ { 1, 39 } }] + x[{ { 2, 40 } }][{ { 39, 1, -1 } }]
      fn(x[{ { 1, 39 } }], x[{ { 2, 40 } }][{ { 39, 1, -1 } }],
         { out = x[{ { 2, 40 } }] })
      same(wanted, x[{ { 2, 40 } }]:copy())
      local part = x[{ {}, { 1, 50, 2 } }]
      wanted = part + 2 * part
      fn(part, 2 * part, { out = part })
      same(wanted, part:copy())
    end
  end)

  it("are known by captures, and by what waits", function ()
    local f = tide.fuse(function (x, y) return x * y end)
    local x, row = tide.ones{ 50, 30 }, tide.arange(30.0)
    local s, t = tide.Stream{ non_blocking = true },
                 tide.Stream{ non_blocking = true }
    f(x, row)
    for i = 1, 20 do
      s:with(function () row:fill(i) end)
      local z = t:with(function () return f(x, row) end)
      s:with(function () row:fill(-1) end)
      assert.equal(1500 * i, z:sum():item())
    end
    local z
    local g = tide.capture(function () z = f(x, row) end)
    row:fill(3)
    g:launch()
    assert.equal(4500, z:sum():item())
    s:close()
    t:close()
  end)

  helper.gpu_it("may have more than 2^32 elements", function ()
    local f = tide.fuse(function (x, y) return x + y end)
    local n = 65537
    local x = tide.arange(n):astype "uint8"
    local y = tide.arange(n):astype "uint8":reshape(n, 1)
    local z = f(x, y)
    for _, at in ipairs{ { 1, 1 }, { n, n }, { 65535, 65535 }, { 2, n },
                         { 65536, 1 } } do
      assert.equal((at[1] + at[2] - 2) % 256, z[at], kind)
    end
  end)

  it("are copied where a raw result lies over them (#216)", function ()
    local k = tide.ElementwiseKernel("T x, T row", "raw T z", "z[i] = x - row",
                                     "below")
    local m = tide.arange(3000.0):reshape(3, 1000)
    local wanted = m - m[1]
    k(m, m[1], m)
    assert.is_true(tide.array_equal(wanted, m))
    local z = tide.arange(2000.0):reshape(2, 1000)
    local back = z[{ {}, { 1000, 1, -1 } }]
    wanted = back - 1.0
    k(back, tide.ones(1000), z)
    assert.is_true(tide.array_equal(wanted, z))
  end)

  helper.host_it("leave a body as large as dense ones do (#217)", function ()
    local b, r = tide.ones{ 10, 20 }, tide.ones(20)
    local part = tide.ones{ 10, 40 }[{ {}, { 1, 40, 2 } }]
    local fit = 0
    for n = 340, 400, 4 do
      local lines = { "z = a + b + c + d;" }
      for j = 1, n do lines[#lines + 1] = "z += a * " .. j .. ".5;" end
      local k = tide.ElementwiseKernel("T a, T b, T c, T d", "float64 z",
                                       table.concat(lines), "large")
      local ok, z = pcall(k, b, b, b, b)
      if not ok then
        assert(z:find("too many", 1, true), z)
        break
      end
      fit = fit + 1
      assert.is_true(tide.array_equal(z, k(r, part, r, b[{ {}, { 1, 1 } }])))
    end
    assert(fit > 0)
  end)
end)

end)
