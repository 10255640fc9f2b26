--[[
Long launches of the host device are done in parts, by several workers: see
src/rt/host/scheduler/parallel.c. Their results are those of short ones. Little
ones are done on the spot where nothing is before them: see
src/rt/host/scheduler/queue.c.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

-- Parts have 1 << 16 elements at least, and with four of them a launch is long.
local N = (5 << 16) + 77
local SHORT = 100000

--- Under TSan, where each access is a call, only the first of a list, because a
-- race in one is a race in the others.
local function few (list)
  return helper.variant == "tsan" and { list[1] } or list
end

helper.each_device(function ()

--- Checks that f(x, y) of long arrays is that of their pieces, to the bit.
local function check_pieces (f, x, y)
  local whole = f(x, y)
  for first = 1, N, SHORT do
    local last = math.min(first + SHORT - 1, N)
    local piece = f(x:slice(first, last), y:slice(first, last))
    assert.equal(piece:tobytes(), whole:slice(first, last):tobytes())
  end
end

local FUNCTIONS = {
  add = function (x, y) return x + y end,
  number = function (x) return x * 3 end,
  left = function (x) return 3 - x end,
  unary = function (x) return tide.sqrt(x) end,
  compare = function (x, y) return x:lt(y) end,
  cast = function (x) return x:astype "float64" end,
  clip = function (x) return x:clip(10, 200) end,
  fill = function (x) return x:copy():fill(7) end,
}

describe("a long launch", function ()
  for name, f in pairs(FUNCTIONS) do
    it("is that of its pieces: " .. name, function ()
      for _, dtype in ipairs(few{ "float32", "int64", "uint8" }) do
        local x = (tide.arange(N, "int64") % 251):astype(dtype)
        check_pieces(f, x, (x + 1):astype(dtype))
      end
    end)
  end

  --- Views of one shape, by what is done to an array of three axes.
  local VIEWS <const> = {
    rows = function (a) return a:reshape(-1) end,
    steps = function (a) return a:reshape(-1)[{ { 1, a.size, 2 } }] end,
    threes = function (a) return a:reshape(-1)[{ { 2, a.size, 3 } }] end,
    backwards = function (a) return a:flip() end,
    turned = function (a) return a.T end,
    columns = function (a) return a[{ {}, {}, { 2, -2 } }] end,
    lines = function (a) return a[{ {}, { 3, -3 } }] end,
    planes = function (a) return a[{ { 2, -1 } }]:permute(2, 3, 1) end
  }
  local SHAPES <const> = { { 3, 5, 70001 }, { 70001, 5, 3 }, { 90, 110, 107 } }

  --- The bytes of a view, of launches that are not long.
  local function in_pieces (x)
    local list = {}
    local each = math.max(1, SHORT * x.shape[1] // x.size)
    for i = 1, x.shape[1], each do
      local piece = x[{ { i, math.min(i + each - 1, x.shape[1]) } }]
      list[#list + 1] = piece:copy():tobytes()
    end
    return table.concat(list)
  end

  it("of any strides is that of dense elements", function ()
    for _, shape in ipairs(SHAPES) do
      for name, view in pairs(VIEWS) do
        for _, dtype in ipairs(few{ "float32", "uint8", "int16",
                                     "complex128" }) do
          local n = shape[1] * shape[2] * shape[3]
          local a = (tide.arange(n) % 113):astype(dtype):reshape(shape)
          local x = view(a)
          local dense = tide.frombytes(in_pieces(x), dtype)
          assert.equal(dense:tobytes(), x:copy():tobytes(), name)
          assert.equal((dense + 3):tobytes(), (x + 3):tobytes(), name)
          assert.equal((dense + dense):tobytes(), (x + x):tobytes(), name)
          assert.equal((-dense):tobytes(), (-x):tobytes(), name)
          local z = view(a:copy())
          z:add(x, { out = z })
          assert.equal((dense + dense):tobytes(), z:tobytes(), name)
          z:copy_from(x)
          assert.equal(dense:tobytes(), z:tobytes(), name)
        end
      end
    end
  end)

  it("broadcasts rows, columns and planes", function ()
    local a = (tide.arange(60 * 70 * 80) % 1009):reshape(60, 70, 80)
    for _, other in ipairs{ a[{ { 7, 7 } }], a[{ {}, { 2, 2 } }],
                            a[{ {}, {}, { 80, 80 } }],
                            a[{ { 3, 3 }, {}, { 4, 4 } }] } do
      local whole = other:broadcast_to(60, 70, 80):copy()
      assert.equal((a - whole):tobytes(), (a - other):tobytes())
      assert.equal((whole - a):tobytes(), (other - a):tobytes())
      assert.equal(whole:lt(a):tobytes(), other:lt(a):tobytes())
    end
  end)

  it("has running folds along every axis", function ()
    local i = tide.arange(N)
    assert.equal((i * (i + 1) // 2):tobytes(), i:cumsum():tobytes())
    for _, shape in ipairs{ { 3, 1300, 100 }, { 130, 33, 100 },
                            { 2, 90, 2000 } } do
      local n = shape[1] * shape[2] * shape[3]
      local a = (tide.arange(n) * 7919 % 1009):reshape(shape)
      for _, dtype in ipairs{ "int64", "float32" } do
        local x = a:astype(dtype)
        for axis = 1, 3 do
          for _, name in ipairs{ "cumsum", "cummax" } do
            local whole = tide[name](x, axis)
            local first = axis == 1 and 2 or 1  -- an axis that stays
            for at = 1, shape[first], 7 do
              local piece = { {}, {}, {} }
              piece[first] = { at, math.min(at + 6, shape[first]) }
              local part = tide[name](x[piece]:copy(), axis)
              assert.equal(part:tobytes(), whole[piece]:copy():tobytes())
            end
          end
        end
      end
    end
  end)

  it("takes and masks elements and slices", function ()
    local x = tide.arange(N)
    for _, dtype in ipairs(few{ "float32", "uint8", "complex128" }) do
      local y = x:astype(dtype)
      local places = x * 7919 % N
      assert.equal(places:astype(dtype):tobytes(),
                   y:take(places, { base = 0 }):tobytes())
      for _, m in ipairs{ (x % 3):eq(0), x:gt(N - 5), x:lt(70000), x:lt(0) } do
        local kept = y:mask(m)
        assert.equal(y:take(m:nonzero()):tobytes(), kept:tobytes())
        assert.equal(m:count_nonzero():item(), kept.size)
        assert.equal((y * m):tobytes(),
                     tide.zeros(N, dtype):put(m, kept):tobytes())
        local some = y:mask(m, { size = 90000, fill = 7 })
        local most = math.min(kept.size, 90000)
        assert.equal(kept:slice(1, most):tobytes(),
                     some:slice(1, most):tobytes())
        assert.is_true(some:slice(most + 1, 90000):eq(7):all():item())
      end
    end
    local a = x:slice(1, 327000):reshape(218, 500, 3)
    local order = tide.arange(500) * 7 % 500
    local z = a:take(order, { axis = 2, base = 0 })
    for k = 0, 499, 31 do
      local from = k * 7 % 500 + 1
      assert.is_true(a[{ {}, { from, from } }]:eq(z[{ {}, { k + 1, k + 1 } }])
                     :all():item())
    end
    local m = (tide.arange(218) % 5):lt(2)
    assert.equal(a:take(m:nonzero(), 1):tobytes(), a:mask(m):tobytes())
  end)

  it("writes columns side by side, and rows of one element", function ()
    local x = (tide.arange(N, "int64") % 251):astype "float32"
    for columns = 2, 3 do
      check_pieces(function (a, b)
        return tide.stack({ a, b, a }, 2)[{ {}, { 1, columns } }]:copy()
      end, x, x + 1)
    end
    check_pieces(function (a) return tide.one_hot(a, 5) end,
                 (tide.arange(N, "int64") - 1) % 5 + 1, x)
  end)

  it("draws the numbers that short ones draw, and counts them once", function ()
    local random = tide.random
    local draws = {
      uniform = function (n) return random.uniform(n, "float32") end,
      normal = function (n) return random.normal(0, 1, n, "float64") end,
      exponential = function (n) return random.exponential(2, n, "float32") end,
      bytes = function (n) return random.randint(0, 99, n, "uint8") end,
      words = function (n) return random.randint(0, 99, n, "int64") end,
      gamma = function (n) return random.gamma(2, 1, n, "float64") end,
      poisson = function (n) return random.poisson(20, n) end
    }
    for name, draw in pairs(draws) do
      random.seed(7)
      local whole, behind = draw(N), draw(5)
      random.seed(7)
      local list = {}
      for i = 1, N, 8000 do
        list[#list + 1] = draw(math.min(8000, N - i + 1)):tobytes()
      end
      assert.equal(table.concat(list), whole:tobytes(), name)
      assert.equal(behind:tobytes(), draw(5):tobytes(), name)
    end
  end)

  it("adds all elements once, and alike each time", function ()
    local x = tide.arange(N, "int64")
    assert.equal(N * (N - 1) // 2, x:sum():item())
    local y = tide.sin(x)
    local sum = y:sum():item()
    for _ = 1, 10 do
      assert.equal(sum, y:sum():item())
    end
  end)

  it("folds along an axis as its pieces do", function ()
    local x = (tide.arange(1200 * 1000) * 7919 % 9973):reshape{ 1200, 1000 }
    for _, dtype in ipairs(few{ "float32", "int32" }) do
      local y = x:astype(dtype)
      for _, name in ipairs{ "sum", "max", "argmin" } do
        local rows, columns = y[name](y, 2), y[name](y, 1)
        for i = 1, 1000, 250 do
          local across, down = y:slice(i, i + 249), y[{ {}, { i, i + 249 } }]
          assert.equal(across[name](across, 2):tobytes(),
                       rows:slice(i, i + 249):tobytes())
          assert.equal(down[name](down, 1):tobytes(),
                       columns:slice(i, i + 249):tobytes())
        end
      end
      local wide = y:reshape{ 3, 40, 10000 }  -- tiles of columns are parts
      for _, name in ipairs{ "sum", "max", "argmin" } do
        local columns = wide[name](wide, 2)
        for i = 1, 10000, 700 do
          local part = { i, math.min(i + 699, 10000) }
          local down = wide[{ {}, {}, part }]
          assert.equal(down[name](down, 2):tobytes(),
                       columns[{ {}, part }]:tobytes())
        end
      end
      for _, place in ipairs{ 1, 4097, 777777, 1200000 } do
        local flat = y:flatten()
        flat[place] = 9999
        assert.equal(place, flat:argmax():item())
      end
    end
  end)

  it("may have others beside it, of other streams", function ()
    local streams, sums = {}, {}
    local x = tide.ones(N, "int32")
    for i = 1, 8 do
      streams[i] = tide.Stream{ non_blocking = true }
    end
    for round = 1, 5 do
      for i, s in ipairs(streams) do
        sums[i] = s:with(function () return (x * i + round):sum() end)
      end
      for i in ipairs(streams) do
        assert.equal(N * (i + round), sums[i]:item())
      end
    end
    for _, s in ipairs(streams) do
      s:close()
    end
  end)
end)

describe("a long program", function ()
  local host_it = helper.host_it

  host_it("is that of its pieces", function ()
    local f = tide.fuse(function (x, y) return x * y + 8 end)
    local g = tide.fuse(function (x, y) return (x * y):sqrt(), x:lt(y) end)
    for _, dtype in ipairs{ "float32", "int64" } do
      local x = (tide.arange(N, "int64") % 251):astype(dtype)
      check_pieces(f, x, x)
      check_pieces(function (...) return (select(2, g(...))) end, x, x + 1)
    end
    local m = tide.arange(N * 2.0):reshape{ 2, N }.T
    check_pieces(f, m[{ {}, 1 }], m[{ {}, 2 }])
  end)

  host_it("reads x[i] and its neighbours where they are", function ()
    local k = tide.ElementwiseKernel("raw float64 x", "float64 z",
                                     "z = x[i] - 2 * x[i + 1] + x[i + 2]")
    local x = tide.arange(N + 2.0) ^ 2
    assert.is_true(tide.array_equal(tide.full(N, 2.0),
                                    k(x, { out = tide.zeros(N) })))
    local turned = tide.ElementwiseKernel("raw float64 x", "float64 z",
                                          "z = x[n - 1 - i] - x[i / 2 * 2]")
    local last = tide.arange(N)
    assert.is_true(tide.array_equal(
      N - 1 - last - last // 2 * 2,
      turned(tide.arange(N + 0.0), { out = tide.zeros(N) })))
  end)

  host_it("writes where it wants in one order", function ()
    local k = tide.ElementwiseKernel("int64 x", "raw int64 z",
                                     "z[x] = i; z[i % 2] = i")
    local z = tide.zeros(1000, "int64")
    k(tide.arange(N) % 1000, z)
    for j = 2, 999 do  -- the last i of each
      assert.equal((N - 1 - j) // 1000 * 1000 + j, z[j + 1])
    end
  end)

  host_it("makes results of reductions apart", function ()
    local k = tide.ReductionKernel("float64 x", "float64 z", "x * x", "a + b",
                                   nil, "0")
    local x = tide.arange(1200 * 1000.0) % 7
    local m = x:reshape{ 1200, 1000 }
    assert.is_true(tide.array_equal((m * m):sum(2), k(m, { axis = 2 })))
    assert.is_true(tide.array_equal((m * m):sum(1), k(m, { axis = 1 })))
    assert.is_true(tide.array_equal((m * m):sum(), k(m)))
  end)

  host_it("that goes outside is told of, in whatever part #process",
          function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local k = tide.ElementwiseKernel("raw float64 x, float64 y",
                                       "float64 z", "z = x[i * 2] + y")
      local x = tide.zeros(1 << 21)
      print(pcall(function ()
        k(x, tide.zeros((1 << 20) + 1))
        tide.get_device():synchronize()
      end))
    ]])
    assert(printed:find("reads x[2097152], and x has 2097152 elements", 1,
                        true), printed)
  end)
end)

describe("a little launch", function ()
  local T = helper.T

  it("comes after what its stream has to do, and others", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local x, y = tide.ones(100), tide.ones(100)
    local key = T.hold(s)
    s:with(function () x:add_(1) end)
    t:with(function () y:add_(x) end)
    assert.is_false(s.done)
    assert.is_false(t.done)
    T.release(key)
    assert.equal(300, y:sum():item())
  end)

  it("in a row too long for one hand, from many streams", function ()
    local streams, arrays = {}, {}
    for i = 1, 6 do
      streams[i] = tide.Stream{ non_blocking = true }
      arrays[i] = tide.zeros(1000, "int32")
    end
    local key = T.hold(streams[1])
    for _ = 1, 500 do
      for i, s in ipairs(streams) do
        s:with(function () arrays[i]:add_(1) end)
      end
    end
    T.release(key)
    for i, s in ipairs(streams) do
      assert.equal(500 * 1000, arrays[i]:sum():item())
      s:close()
    end
  end)
end)

end)

describe("host_threads", function ()
  local before = tide.host_threads()
  after_each(function () tide.host_threads(before) end)

  it("is the number of workers that share a launch", function ()
    assert.equal(before, tide.host_threads(3))
    assert.equal(3, tide.host_threads())
    assert.equal(3, tide.host_threads(nil))
    assert.equal(3, tide.host_threads(64))
    for wrong, why in pairs{
      [0] = "an integer from 1 to 64 expected, got 0",
      [65] = "an integer from 1 to 64 expected, got 65",
      [-1] = "got -1", [1.5] = "number has no integer representation",
      ["2"] = "number expected, got string"
    } do
      helper.fails(why, tide.host_threads, wrong)
    end
    assert.equal(64, tide.host_threads())
  end)

  it("changes no result", function ()
    tide.with_device("host", function ()
      local x = tide.random.uniform(N, "float32")
      local m = tide.random.uniform({ 700, 900 }, "float32")
      local function all ()
        return (x * 3 + 1):exp():tobytes() .. x:sum():tobytes() ..
               m:sum(1):tobytes() .. m:sum(2):tobytes() .. m.T:copy():tobytes()
               .. x:cumsum():tobytes() .. x:sort():tobytes()
      end
      tide.host_threads(1)
      local alone = all()
      for _, n in ipairs{ 2, 3, 64 } do
        tide.host_threads(n)
        assert.equal(alone, all())
      end
    end)
  end)

  it("may change while launches run", function ()
    tide.with_device("host", function ()
      local x = tide.ones(8 * N, "int32")
      for i = 1, 60 do
        tide.host_threads(1 + i * 7 % 9)
        x:add_(1)
      end
      assert.equal(61 * x.size, x:sum():item())
    end)
  end)

  it("is TIDE_HOST_THREADS at first; so many are started #process", function ()
    assert.equal("true\n", helper.child([[
      local tide = require "tide"
      local function threads ()
        local f <close> = assert(io.open "/proc/self/status")
        return math.tointeger(f:read "a":match "Threads:%s*(%d+)")
      end
      assert(tide.host_threads() == 1)
      local x = tide.ones(1 << 20)
      x:sum():item()
      local alone = threads()
      for _ = 1, 20 do x:add_(1) end
      x:sum():item()
      assert(threads() == alone)
      tide.host_threads(alone + 6)
      x:add_(1)
      x:sum():item()
      print(threads() >= alone + 5)]],
      { TIDE_HOST_THREADS = "1", TIDE_DEVICE = "host" }))
  end)
end)
