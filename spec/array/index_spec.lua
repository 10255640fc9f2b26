--[[
index_spec.lua - a[key]: keys of all kinds, on arrays and host arrays, against
the model.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local model = require "spec.support.model"
local fails, badarg = helper.fails, helper.badarg

local function count (n)
  local list = {}
  for i = 1, n do
    list[i] = i
  end
  return list
end

helper.each_device(function ()

describe("a key", function ()
  local a
  before_each(function () a = tide.arange(24):reshape{ 4, 6 } end)
  after_each(function () a = nil end)

  it("is an integer or a range for each axis", function ()
    assert.equal(8, a[{ 2, 3 }])
    assert.same({ 2, 8, 14 }, a[{ { 1, 3 }, 3 }]:totable())
    assert.same({ 6, 7, 8, 9, 10, 11 }, a[{ 2 }]:totable())
    assert.same({ { 6, 7 }, { 12, 13 } }, a[{ { 2, 3 }, { 1, 2 } }]:totable())
    assert.same({ { 23 } }, a[{ { -1 }, { -1 } }]:totable())
  end)

  it("may leave axes whole", function ()
    assert.same(a:totable(), a[{}]:totable())
    assert.same(a:totable(), a[{ {}, {} }]:totable())
    assert.same({ 4, 6 }, a[{ {} }].shape)
    assert.same({ 3, 9, 15, 21 }, a[{ {}, 4 }]:totable())
    local scalar = tide.array(5)
    assert.equal(5, scalar[{}])
  end)

  it("has steps, also back", function ()
    local b = tide.arange(1, 11)
    assert.same({ 1, 4, 7, 10 }, b[{ { 1, 10, 3 } }]:totable())
    assert.same({ 1, 4, 7 }, b[{ { 1, 9, 3 } }]:totable())
    assert.same({ 10, 9, 8 }, b[{ { 10, 8, -1 } }]:totable())
    assert.same({ 10, 6, 2 }, b[{ { nil, nil, -4 } }]:totable())
    assert.same({ 1, 6 }, b[{ { nil, nil, 5 } }]:totable())
    assert.same({ 3, 2, 1 }, b[{ { 3, nil, -1 } }]:totable())
    assert.same({ 2 }, b[{ { 2, 9, math.maxinteger } }]:totable())
    assert.same({ 9 }, b[{ { 9, 2, math.mininteger } }]:totable())
    assert.same({}, b[{ { 4, 5, -1 } }]:totable())
    assert.same({}, b[{ { 5, 4, 2 } }]:totable())
    assert.same({}, tide.ones(0)[{ { nil, nil, -1 } }]:totable())
    assert.same({ -2 }, b[{ { nil, nil, -2 } }].strides)
    for _, r in ipairs{ { 2, 4, -1 }, { 11, 1, -1 }, { 5, 0, -1 } } do
      fails("is out of range for an axis of 10 elements", function ()
        return b[{ r }]
      end)
    end
  end)

  it("out of range names the axis", function ()
    fails("index 7 is out of range for axis 2 of 6 elements", function ()
      return a[{ 1, 7 }]
    end)
    fails("index 0 is out of range for axis 1 of 4 elements", function ()
      a[{ 0, 1 }] = 1
    end)
  end)

  it("gives views, which share memory", function ()
    a[{ {}, { 2, 6, 2 } }]:fill(-1)
    a[{ 3 }][{ { 1, 3, 2 } }] = 100
    assert.same({ { 0, -1, 2, -1, 4, -1 }, { 6, -1, 8, -1, 10, -1 },
                  { 100, -1, 100, -1, 16, -1 }, { 18, -1, 20, -1, 22, -1 } },
                a:totable())
    local v = a[{ {}, 1 }]
    a:close()
    assert.same({ 0, 6, 100, 18 }, v:totable())
  end)

  it("has ranges of at most three numbers, which are integers (#036)",
     function ()
    for _, x in ipairs{ a, a:tohost() } do
      fails("a range is {first, last, step}; got 4 values", function ()
        return x[{ { 1, 4, 2, 1 } }]
      end)
    end
    assert.same({ 2, 6 }, a[{ { 1, #a / 2 } }].shape)
    for _, bad in ipairs{ 1.5, "1", {}, true } do
      fails("the bounds of a range must be integers", function ()
        return a[{ { bad, 3 } }]
      end)
    end
  end)

  it("of another kind is refused with those that there are (#312)", function ()
    local all = "array index must be an integer, a table or an array of " ..
                "integers or bools, got "
    fails(all .. "nil", function () a[nil] = 0 end)
    fails(all .. "1.5", function () a[1.5] = 3 end)
    fails(all .. "nan", function () return a[-(0 / 0)] end)
    fails(all .. "tide.Stream", function () return a[tide.Stream()] end)
    fails("array index must be an integer or a table, got 1.5",
          function () return a:tohost()[1.5] end)
  end)
end)

describe("slice and select", function ()
  it("take a step and an axis", function ()
    local a = tide.arange(1, 13):reshape{ 3, 4 }
    assert.same({ { 1, 2, 3, 4 }, { 9, 10, 11, 12 } },
                a:slice(1, 3, 2):totable())
    assert.same({ { 9, 10, 11, 12 }, { 5, 6, 7, 8 }, { 1, 2, 3, 4 } },
                a:slice(-1, nil, -1):totable())
    assert.same({ { 2, 4 }, { 6, 8 }, { 10, 12 } },
                a:slice(2, nil, 2, 2):totable())
    assert.same({ { 1 }, { 5 }, { 9 } }, a:slice(1, 1, 1, -1):totable())
    assert.same({ 3, 7, 11 }, a:select(2, 3):totable())
    assert.same({ 5, 6, 7, 8 }, a:select(-2, 2):totable())
    badarg(1, "axis 3 is out of range for an array of 2 axes", function ()
      a:select(3, 1)
    end)
    fails("index 5 is out of range for an axis of 4 elements", a.select, a, 2,
          5)
  end)
end)

describe("assignment", function ()
  it("broadcasts arrays and tables", function ()
    local a = tide.zeros({ 2, 3 }, "int32")
    a[{}] = { 1, 2, 3 }
    a[{ {}, { 2, 3 } }] = tide.array({ { 7 }, { 8 } })
    assert.same({ { 1, 7, 7 }, { 1, 8, 8 } }, a:totable())
    a[{ {}, { 3, 1, -1 } }] = a
    assert.same({ { 7, 7, 1 }, { 8, 8, 1 } }, a:totable())
    a[{ 1, 2 }] = 5
    a[{ 2, { 1, 3, 2 } }] = { 4, 6 }
    assert.same({ { 7, 5, 1 }, { 4, 8, 6 } }, a:totable())
    a[{ {}, 1 }] = tide.array({ 0, 0 }, "int32"):tohost()
    assert.same({ { 0, 5, 1 }, { 0, 8, 6 } }, a:totable())
    fails("cannot assign: shape 3 cannot be broadcast to 2x2", function ()
      a[{ {}, { 1, 2 } }] = { 1, 2, 3 }
    end)
    fails("elements of a broadcast array share memory", function ()
      a:broadcast_to{ 2, 2, 3 }[{}] = 0
    end)
    assert.same({ { 0, 5, 1 }, { 0, 8, 6 } }, a:totable())
  end)

  it("at random does what the model does", function ()
    local pick = helper.generator(11)
    for _ = 1, 150 do
      local a = tide.arange(1, 121):reshape{ 4, 5, 6 }
      local memory = count(120)
      local m, v = model.random_view(a, pick)
      if not math.type(v) then
        if pick(2) == 1 then
          v:fill(0)
        else
          v[{}] = tide.zeros(v.shape, "int32")
        end
        for _, at in ipairs(m.at) do
          memory[at] = 0
        end
        assert.same(memory, a:reshape(-1):totable())
      end
    end
  end)
end)

describe("ipairs and pairs", function ()
  local function list (iterate, a)
    local found = {}
    for i, x in iterate(a) do
      found[#found + 1] = { i, type(x) == "userdata" and x:totable() or x }
    end
    return found
  end

  local function either (x, dtype)
    local a = tide.array(x, dtype)
    return ipairs{ a, a:tohost() }
  end

  it("end where the array ends", function ()
    for _, a in either{ 5, 6, 7 } do
      assert.same({ { 1, 5 }, { 2, 6 }, { 3, 7 } }, list(ipairs, a))
      assert.same({ { 1, 5 }, { 2, 6 }, { 3, 7 } }, list(pairs, a))
    end
    for _, a in either{ { 1, 2 }, { 3, 4 } } do
      assert.same({ { 1, { 1, 2 } }, { 2, { 3, 4 } } }, list(ipairs, a))
      assert.same({ { 1, { 1, 2 } }, { 2, { 3, 4 } } }, list(pairs, a))
    end
    for _, a in either({ true, false }, "bool") do
      assert.same({ { 1, true }, { 2, false } }, list(ipairs, a))
      assert.same({ { 1, true }, { 2, false } }, list(pairs, a))
    end
    for _, shape in ipairs{ 0, { 0, 3 } } do
      for _, a in ipairs{ tide.zeros(shape), tide.HostArray(shape) } do
        assert.same({}, list(ipairs, a))
        assert.same({}, list(pairs, a))
      end
    end
  end)

  it("a place further out is an error still", function ()
    local a = tide.arange(3)
    for _, x in ipairs{ a, a:tohost() } do
      assert.is_nil(x[4])
      fails("index 5 is out of range for an axis of 3 elements",
            function () return x[5] end)
      fails("index 4 is out of range for axis 1 of 3 elements",
            function () return x[{ 4 }] end)
      fails("index 4 is out of range for an axis of 3 elements",
            function () x[4] = 1 end)
    end
  end)

  it("pairs fetches once, what is there when it is called", function ()
    local a = tide.arange(100)
    local copies = helper.during("cuMemcpyDtoHAsync_v2", function ()
      for i, x in pairs(a) do
        assert.equal(i - 1, x)
        if i == 1 then
          a:fill(7)
        end
      end
    end)
    assert.is_true(copies <= 1)
    local _, waits = tide.sync_debug()
    for _ in pairs(a) do end
    assert.is_true(select(2, tide.sync_debug()) <= waits + 1)
  end)

  it("rows of pairs are views", function ()
    local a = tide.zeros({ 2, 2 }, "int64")
    for i, row in pairs(a) do
      row:fill(i)
    end
    assert.same({ { 1, 1 }, { 2, 2 } }, a:totable())
  end)

  it("of what has no elements to index raise", function ()
    local closed = tide.zeros(3)
    closed:close()
    fails("a 0-d array has no elements to index", pairs, tide.zeros{})
    fails("array is closed", pairs, closed)
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(3)
    s:begin_capture()
    s:with(function ()
      fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", pairs, a)
    end)
    s:end_capture():close()
  end)
end)

describe("views at random", function ()
  local dtypes = { "uint8", "int32", "float64" }

  it("have the elements that the model says", function ()
    local pick = helper.generator(7)
    for _ = 1, 300 do
      local shape = model.random_shape(pick, 4, 5)
      local base = model.new(shape)
      local t = dtypes[pick(#dtypes)]
      local a = tide.arange(1, #base.at + 1):astype(t):reshape(shape)
      local memory = a:reshape(-1):totable()
      local m, v = model.random_view(a, pick)
      if math.type(v) then
        assert.equal(memory[m.at[1]], v)
      else
        local list = model.values(m, memory)
        local wanted = model.nested(m.shape, list)
        assert.same(m.shape, v.shape)
        assert.equal(#list, v.size)
        assert.same(wanted, v:totable())
        assert.same(wanted, v:tohost():totable())
        assert.same(wanted, v:copy():totable())
        assert.equal(v:copy():tobytes(), v:tobytes())
        local out = tide.HostArray(v.shape, t)
        v:tohost{ out = out }
        assert.same(wanted, out:totable())
        assert.same(wanted, tide.zeros(v.shape, t):copy_from(out):totable())
        assert.equal(tostring(v:copy()):gsub("^.-\n", ""),
                     tostring(v):gsub("^.-\n", ""))
      end
    end
  end)

  it("of host arrays too", function ()
    local pick = helper.generator(19)
    for _ = 1, 150 do
      local h = tide.arange(1, 25):astype("int32"):reshape{ 2, 3, 4 }:tohost()
      local m = model.new(h.shape)
      local key = {}
      for axis, n in ipairs(h.shape) do
        local i, j = pick(n), pick(n)
        key[axis] = pick(4) == 1 and i or
                    { i, j, i <= j and pick(2) or -pick(2) }
      end
      local v
      m, v = model.index(m, h, key)
      local wanted = model.nested(m.shape, m.at)
      if math.type(v) then
        assert.equal(wanted, v)
      else
        assert.same(wanted, v:totable())
        assert.equal(tide.array(v):tobytes(), v:tobytes())
        assert.same(wanted, tide.array(v):totable())
        local a = tide.zeros(v.shape, "int32")
        assert.same(wanted, a:copy_from(v):totable())
        v:copy_from(a + 1)
        for _, at in ipairs(m.at) do
          assert.equal(at + 1, h[{ (at - 1) // 12 + 1,
                                   (at - 1) // 4 % 3 + 1, (at - 1) % 4 + 1 }])
        end
        v:fill(0)
        v:set(("\1\0\0\0"):rep(v.size))
        assert.equal(("\1\0\0\0"):rep(v.size), v:tobytes())
      end
    end
  end)
end)

describe("host arrays in parts", function ()
  it("are read from and written to files", function ()
    local h = tide.HostArray({ 3, 4 }, "uint8")
    local v = h[{ {}, { 1, 4, 3 } }]
    local f <close> = assert(io.tmpfile())
    f:write "abcdefgh"
    f:seek "set"
    assert.equal(6, v:readfrom(f))
    assert.equal("a\0\0bc\0\0de\0\0f", h:tobytes())
    assert.equal(2, v:readfrom(f))
    assert.equal("g\0\0hc\0\0de\0\0f", h:tobytes())
    f:seek "set"
    v:writeto(f, 3)
    f:seek "set"
    assert.equal("ghcdefgh", f:read "a")
    local flags = tide.HostArray({ 2, 2 }, "bool")
    flags[{ {}, 2 }]:set("\2\0")
    assert.equal("\0\1\0\0", flags:tobytes())
  end)

  it("wait for the copies that fill them", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local h = tide.HostArray({ 4, 4 }, "int32")
    s:with(function ()
      tide.full({ 4, 4 }, 3, "int32"):tohost{ out = h, blocking = false }
    end)
    assert.same({ 3, 3, 3, 3 }, h[{ {}, 2 }]:totable())
  end)
end)

-- An attempt that is given up leaves its views to the collector: #once.
describe("an element that was read or written", function ()
  for name, case in pairs{
    Array = { tide.zeros, function () return { 5 } end },
    HostArray = { tide.HostArray, function () return tide.asarray(5) end,
                  "pinned" },
  } do
    it("holds no memory (#225) #once: " .. name, function ()
      local make, row, memory = case[1], case[2](), case[3]
      collectgarbage()
      collectgarbage()
      collectgarbage "stop"
      local before = tide.memory_stats(memory).live
      for _ = 1, 10 do
        local a = make{ 100, 100 }
        a[{ 1, 2 }] = 3
        a[2] = 4
        a[{ {}, 3 }] = row
        assert.equal(3, a[{ 1, 2 }])
        tide.get_current_stream():synchronize()
        a:close()
      end
      local after = tide.memory_stats(memory).live
      collectgarbage "restart"
      assert.equal(before, after)
    end)
  end
end)

end)
