--[[
Long launches of the host device are done in parts, by several workers: see
src/rt/host/scheduler/parallel.c. Their results are those of short ones. Little
ones are done on the spot where nothing is before them: see
src/rt/host/scheduler/queue.c.
]]
local tide = require "tide"
local helper = require "spec.helper"

local N = (1 << 20) + 77
local SHORT = 100000

helper.each_device(function ()

--- Whether f(x, y) of long arrays is that of their pieces, to the bit.
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
      for _, dtype in ipairs{ "float32", "int64", "uint8" } do
        local x = (tide.arange(N, "int64") % 251):astype(dtype)
        check_pieces(f, x, (x + 1):astype(dtype))
      end
    end)
  end

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
    for _, dtype in ipairs{ "float32", "int32" } do
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
