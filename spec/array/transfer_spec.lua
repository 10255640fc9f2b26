--[[
transfer_spec.lua - elements between arrays, page-locked memory and Lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local LARGE = 1000003
local new = helper.new_stream

helper.each_device(function (kind)

describe("to another device", function ()
  it("to wants an open array and a device", function ()
    local a = tide.ones(3)
    fails("tide.Device, integer or string expected, got no value", a.to, a)
    fails("no device is called 'moon'", a.to, a, "moon")
    fails("#2 to 'to' (there is no device 'host:99'", a.to, a, "host:99")
    fails("tide.Array expected, got number; a method", a.to, 1, "host")
    a:close()
    fails("array is closed", a.to, a, tide.get_device())
  end)

  it("to waits for page-locked memory that a copy fills", function ()
    local s = new()
    local h = s:with(function ()
      return (tide.zeros(LARGE, "float32") + 1):tohost{ blocking = false }
    end)
    local a = h:to(h.device)
    h:close()
    assert.equal(LARGE + 0.0, a:sum():item())
    s:close()
  end)

  it("long copies are whole, also onto themselves", function ()
    local a = tide.arange(LARGE)
    local odd = a:astype "uint8":slice(2, LARGE)
    assert(tide.array_equal(odd, odd:copy()))
    assert(tide.array_equal(a, a:copy()))
    assert.equal(0, tide.zeros(LARGE, "uint8"):sum():item())
    for _, by in ipairs{ 1, LARGE // 2, LARGE // 2 + 1, LARGE - 1 } do
      local b, n = a:copy(), LARGE - by
      b:slice(1 + by, LARGE):copy_from(b:slice(1, n))
      assert(tide.array_equal(a:slice(1, n), b:slice(1 + by, LARGE)), by)
      assert(tide.array_equal(a:slice(1, by), b:slice(1, by)), by)
      b = a:copy()
      b:slice(1, n):copy_from(b:slice(1 + by, LARGE))
      assert(tide.array_equal(a:slice(1 + by, LARGE), b:slice(1, n)), by)
    end
  end)

  it("copy, astype and fill are functions as well", function ()
    local a = tide.arange(3, "int32")
    assert.same({ 0, 1, 2 }, tide.copy(a):totable())
    assert.equal("float32", tide.astype(a, "float32").dtype)
    assert.equal(a, tide.fill(a, 7))
    assert.same({ 7, 7, 7 }, a:totable())
    for _, name in ipairs{ "copy", "astype", "fill" } do
      badarg(1, "tide.Array", tide[name], 1)
    end
  end)
end)

describe("to Lua", function ()
  it("item is the one element of any shape", function ()
    for _, a in ipairs{ tide.array(7), tide.full({ 1, 1 }, 7),
                        tide.arange(9):slice(8, 8) } do
      assert.equal(7, a:item())
      assert.equal(7, a:tohost():item())
    end
    assert.is_true(tide.array(true):item())
    for _, a in ipairs{ tide.ones(2), tide.ones(0), tide.ones{ 3, 2 } } do
      fails("item needs an array with exactly one element", a.item, a)
      local h = a:tohost()
      fails("item needs an array with exactly one element", h.item, h)
    end
  end)

  for _, dtype in ipairs(numbers.dtypes) do
    it("tobytes and totable of " .. dtype .. " are exact", function ()
      local edges = numbers.edges(dtype)
      local bytes = numbers.pack(edges, dtype)
      local a = tide.frombytes(bytes, dtype)
      assert.is_true(a:tobytes() == bytes)
      assert.is_true(a:slice(2):tobytes() == bytes:sub(numbers.size[dtype] + 1))
      for i, x in ipairs(a:totable()) do
        if dtype == "bool" then
          x = x and 1 or 0
        end
        assert.equal(0, numbers.ulps(x, edges[i], dtype))
        assert.equal(math.type(edges[i]), math.type(x))
      end
    end)
  end

  it("totable nests as the shape does", function ()
    local a = tide.arange(8):reshape{ 2, 2, 2 }
    assert.same({ { { 0, 1 }, { 2, 3 } }, { { 4, 5 }, { 6, 7 } } },
                a:totable())
    assert.equal(3, tide.array(3):totable())
    assert.same({ {}, {} }, tide.ones{ 2, 0 }:totable())
    assert.same({}, tide.ones{ 0, 2 }:totable())
    local deep = {}
    for i = 1, 32 do
      deep[i] = 1
    end
    local t = tide.full(deep, 5):totable()
    for _ = 1, 32 do
      t = t[1]
    end
    assert.equal(5, t)
  end)

  it("waits for the work on whatever stream", function ()
    local s <close> = new()
    local a = tide.zeros(1000)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () a:fill(4) end)
    local b = a:tohost{ blocking = false }
    T.release(key)
    assert.equal(4, b[1000])
    assert.equal(4, a[1000])
    assert.equal(4, a:totable()[1])
  end)
end)

describe("tohost", function ()
  it("makes a HostArray of the same kind", function ()
    local a = tide.arange(6):reshape{ 3, 2 }:astype "int32"
    local h = a:tohost()
    assert.same({ 3, 2 }, h.shape)
    assert.same({ "int32", 24, kind }, { h.dtype, h.nbytes, h.device.kind })
    assert.same({ { 0, 1 }, { 2, 3 }, { 4, 5 } }, h:totable())
    assert.same({}, tide.array(1):tohost().shape)
    assert.equal(0, tide.ones{ 0, 4 }:tohost().size)
  end)

  it("writes to out and returns it", function ()
    local h = tide.HostArray(4, "int64"):fill(-1)
    local part = h[{ { 2, 3 } }]
    assert.equal(part, tide.arange(2):tohost{ out = part })
    assert.same({ -1, 0, 1, -1 }, h:totable())
    assert.equal(h, tide.arange(4):tohost{ out = h, blocking = false })
    assert.equal(3, h[4])
  end)

  it("with blocking=false returns before the copy", function ()
    local s <close> = new()
    local key, h = T.hold(s), nil
    s:with(function ()
      h = tide.full(1000, 5):tohost{ blocking = false }
    end)
    assert.is_false(s.done)
    T.release(key)
    assert.equal(5, h[1])
    assert.equal(5, h[1000])
  end)

  it("blocks otherwise", function ()
    local s <close> = new()
    local e <close> = tide.Event()
    s:with(function ()
      local a = tide.arange(LARGE)
      e:record()
      a:tohost()
    end)
    assert.is_true(e.done)
  end)

  it("refuses an out that differs, and changes nothing", function ()
    local a, h = tide.ones(4), tide.HostArray(4, "int32"):fill(3)
    local function to (out)
      return function () a:tohost{ out = out } end
    end
    badarg(1, "dtype float64 expected, got int32", to(h))
    badarg(1, "shape 4 expected, got 5", to(tide.HostArray(5)))
    badarg(1, "shape 4 expected, got 2x2", to(tide.HostArray{ 2, 2 }))
    badarg(1, "shape 4 expected, got ()", to(tide.HostArray{}))
    for _, bad in ipairs{ 1, {}, "x", tide.ones(4), tide.Stream.null } do
      badarg(1, "option 'out' must be an open tide.HostArray", to(bad))
    end
    local closed = tide.HostArray(4)
    closed:close()
    badarg(1, "option 'out' must be an open tide.HostArray", to(closed))
    badarg(1, "table expected, got number", function () a:tohost(1) end)
    assert.same({ 3, 3, 3, 3 }, h:totable())
  end)
end)

describe("copy_from", function ()
  it("goes between all kinds, and returns its array", function ()
    local a, b = tide.arange(5), tide.zeros(5, "int64")
    local h, k = tide.HostArray(5, "int64"), tide.HostArray(5, "int64")
    assert.equal(b, b:copy_from(a))
    assert.equal(h, h:copy_from(b))
    assert.equal(k, k:copy_from(h))
    assert.equal(a, a:fill(0):copy_from(k))
    assert.same({ 0, 1, 2, 3, 4 }, a:totable())
    tide.ones(0):copy_from(tide.HostArray(0))
  end)

  it("of many elements, and of parts of them", function ()
    local h = tide.arange(LARGE):tohost()
    local a = tide.zeros(LARGE, "int64"):copy_from(h)
    assert.equal(LARGE * (LARGE - 1) // 2, a:sum():item())
    for _, r in ipairs{ { 1, 1 }, { 2, 2 }, { 3, 9 }, { 100, 4097 },
                        { LARGE - 4, LARGE } } do
      local from, to = r[1], r[2]
      local b = tide.zeros(LARGE, "uint8")
      b:slice(from, to):copy_from(tide.ones(to - from + 1, "uint8"))
      assert.equal(to - from + 1, b:sum():item())
      assert.equal(to - from + 1, b:slice(from, to):sum():item())
      assert.equal((from + to - 2) * (to - from + 1) // 2,
                   a:slice(from, to):copy():sum():item())
    end
  end)

  it("is asynchronous, and ordered by itself", function ()
    local s <close> = new()
    local t <close> = new()
    local a, h = tide.zeros(1000), tide.HostArray(1000)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () a:fill(3) end)
    t:with(function ()
      h:copy_from(a)
      a:fill(4)
    end)
    assert.is_false(t.done)
    T.release(key)
    assert.same({ 3, 3 }, { h[1], h[1000] })
    assert.equal(4000, a:sum():item())
  end)

  it("wants an open array alike", function ()
    local a, h = tide.ones(4), tide.HostArray(4):fill(2)
    for _, to in ipairs{ a, h } do
      local function from (x)
        return function () to:copy_from(x) end
      end
      for _, bad in ipairs{ 5, true, tide.Stream.null } do
        badarg(1, "tide.Array, tide.HostArray, table or string expected, got ",
               from(bad))
      end
      badarg(1, "tide.Array, tide.HostArray, table or string expected, got no",
             function () to:copy_from() end)
      badarg(1, "string of 32 bytes expected, got 1", from "x")
      badarg(1, "shape 3 cannot be broadcast to 4", from{ 1, 2, 3 })
      badarg(1, "shape 2x2 cannot be broadcast to 4",
             from{ { 1, 2 }, { 3, 4 } })
      fails("number or boolean expected (got string)", from{ 1, 2, 3, "x" })
      badarg(1, "dtype float64 expected, got float32",
             from(tide.ones(4, "float32")))
      badarg(1, "shape 4 expected, got 4x1", from(tide.ones{ 4, 1 }))
      badarg(1, "shape 4 expected, got 3", from(tide.HostArray(3)))
      local closed = tide.ones(4)
      closed:close()
      badarg(1, "array is closed", from(closed))
      fails("array is closed", closed.copy_from, closed, to)
    end
    assert.equal(4, a:sum():item())
    assert.equal(2, h[4])
  end)

  it("of parts that overlap is as if they were apart (#034)", function ()
    local n, by = 100000, 7
    local first, rest = { { 1, n - by } }, { { by + 1, n } }
    local a = tide.arange(n)
    local h, wanted = a:tohost(), a:slice(1, by):append(a[first])
    h[rest]:copy_from(h[first])
    assert.is_true(tide.array_equal(wanted, h))
    local g <close> = tide.capture(function () a[rest] = a[first] end)
    g:launch()
    assert.is_true(tide.array_equal(wanted, a))
    g:launch()
    assert.equal(n - 1 - 2 * by, a[n])
  end)

  it("to the same place is none", function ()
    local a = tide.arange(5)
    assert.equal(0, helper.during("cuMemcpyAsync", function ()
      assert.equal(a, a:copy_from(a))
      a[{ { 2, 3 } }] = a[{ { 2, 3 } }]
    end))
    assert.same({ 0, 1, 2, 3, 4 }, a:totable())
  end)
end)

describe("copy", function ()
  it("is an array of its own", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    local b = a:copy()
    a:fill(0)
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, b:totable())
    assert.equal("int64", b.dtype)
    assert.is_true(a.ptr ~= b.ptr)
    assert.equal(0, tide.ones(0):copy().size)
    assert.equal(4, tide.arange(6):slice(5, 5):copy():item())
  end)

  it("leaves what the source becomes later", function ()
    local s <close> = new()
    local a, b = tide.ones(1000), nil
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () b = a:copy() end)
    a:fill(9)
    T.release(key)
    assert.equal(1000, b:sum():item())
    assert.equal(9000, a:sum():item())
  end)
end)

describe("arrays of two devices", function ()
  it("do not mix #process", function ()
    local printed = helper.child_on("host", [[
      local tide = require "tide"
      local x, y = tide.Device "host:0", tide.Device "host:1"
      local a, h = tide.ones(3), tide.HostArray(3)
      y:use()
      local b, k = tide.ones(3), tide.HostArray(3)
      local function refuse (fn, ...)
        local ok, err = pcall(fn, ...)
        assert(not ok and err:find("arrays are on different devices (host:",
                                   1, true), err)
      end
      refuse(function () return a + b end)
      refuse(a.add_, a, b)
      refuse(a.add, a, 1, { out = b })
      refuse(a.neg, a, { out = b })
      refuse(tide.fuse(function (v) return v + 1 end), a, { out = b })
      refuse(a.sum, a, { out = b:slice(1, 1):reshape{} })
      refuse(a.mean, a, { out = b:slice(1, 1):reshape{} })
      assert(a.device == x and h.device == x and b.device == y)
      for _, c in ipairs{ tide.zeros_like(a), a:copy(), a + 1, tide.array(a),
                          a:astype "int32", a:sum(), tide.array(h) } do
        assert(c.device == x)
      end
      assert(a:tohost().device == x and tide.array{ 1 }.device == y)
      print(a:sum():item(), b:sum():item(), tide.array(h):sum():item())
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("3.0\t3.0\t0.0\n", printed)
  end)

  it("to takes an array there, in every shape #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local x, y = tide.get_device(), tide.Device "host:1"
      local m = tide.arange(6, "int16"):reshape{ 2, 3 }
      for _, a in ipairs{ m, m.T, m:slice(2), tide.array(true),
                          tide.ones{ 2, 0 }, tide.ones(100000),
                          m:tohost(), m.T:tohost(), m:tohost().T } do
        local b = a:to(y)
        assert(b.device == y and a.device == x and b.dtype == a.dtype)
        assert(tostring(b):find "tide.Array")
        assert(table.concat(b.shape, " ") == table.concat(a.shape, " "))
        assert(b:tobytes() == a:tobytes())
        assert(b:to(x).device == x and b:to(x):tobytes() == a:tobytes())
        assert(b:to(y) == b and b:to "host:1" == b)
      end
      assert(m:to(x) == m and m:tohost():to(x) ~= m)
      assert(tide.get_device() == x)
      print "done"
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("done\n", printed)
  end)
end)

end)
