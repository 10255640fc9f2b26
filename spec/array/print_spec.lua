--[[
print_spec.lua - arrays as text: the header, the values, what is left out.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails = helper.T, helper.fails

helper.each_device(function (kind)

local device = kind .. ":0"

--- text(a) -> what is below the header, which must be that of 'a'.
local function text (a)
  local shape = #a.shape > 0 and table.concat(a.shape, "x") or "()"
  local whole = tostring(a)
  local class = whole:match "^%S+"
  local header = ("%s %s %s %s"):format(class, shape, a.dtype, device)
  assert.equal(header, whole:match "^[^\n]*")
  return whole:sub(#header + 2)
end

describe("the header", function ()
  it("says class, shape, dtype and device", function ()
    assert.equal("tide.Array 2x3 int32 " .. device,
                 tostring(tide.ones({ 2, 3 }, "int32")):match "[^\n]*")
    assert.equal("tide.HostArray () bool " .. device,
                 tostring(tide.HostArray({}, "bool")):match "[^\n]*")
  end)

  it("is followed by brackets without elements", function ()
    for _, shape in ipairs{ 0, { 0, 3 }, { 3, 0, 2 } } do
      for _, a in ipairs{ tide.ones(shape), tide.HostArray(shape) } do
        assert.equal("[]", text(a))
      end
    end
    assert.equal("tide.Array 0x3 float32 " .. device .. "\n[]",
                 tostring(tide.zeros({ 0, 3 }, "float32")))
  end)

  it("is all there is in a capture", function ()
    local a, header = tide.ones(3), "tide.Array 3 float64 " .. device
    local s <close> = tide.Stream{ non_blocking = true }
    s:begin_capture()
    s:with(function ()
      a:add_(1)
      assert.equal(header, tostring(a))
    end)
    assert.equal(header, tostring(a))
    s:end_capture():close()
    assert.equal("[1. 1. 1.]", text(a))
  end)

  it("is another once closed", function ()
    local a, h = tide.ones(3), tide.HostArray(3)
    a:close()
    h:close()
    assert.equal("tide.Array (closed)", tostring(a))
    assert.equal("tide.HostArray (closed)", tostring(h))
  end)

  it("is of arrays only", function ()
    local method = debug.getmetatable(tide.ones(1)).__tostring
    for _, bad in ipairs{ 1, {}, io.stdout, tide.Stream.null } do
      fails("tide.Array expected, got ", method, bad)
    end
  end)
end)

describe("values", function ()
  it("stand in brackets, as deep as the shape", function ()
    assert.equal("7", text(tide.array(7)))
    assert.equal("7.", text(tide.array(7.0)))
    assert.equal("[1 2 3]", text(tide.array{ 1, 2, 3 }))
    assert.equal("[[1 2]\n [3 4]]", text(tide.array{ { 1, 2 }, { 3, 4 } }))
    assert.equal("[[[0 1]]\n\n [[2 3]]]",
                 text(tide.arange(4):reshape{ 2, 1, 2 }))
    assert.equal("[[[[0]\n   [1]]\n\n  [[2]\n   [3]]]\n\n\n" ..
                 " [[[4]\n   [5]]\n\n  [[6]\n   [7]]]]",
                 text(tide.arange(8):reshape{ 2, 2, 2, 1 }))
  end)

  it("are of one width", function ()
    assert.equal("[ -1 100   5]", text(tide.array{ -1, 100, 5 }))
    assert.equal("[ true false]", text(tide.array{ true, false }))
    assert.equal("[ 5.e-01 -1.e+00  1.e+20]",
                 text(tide.array{ 0.5, -1, 1e20 }))
    assert.equal("[ inf -inf  nan  -0.]",
                 text(tide.array{ 1 / 0, -1 / 0, 0 / 0, -0.0 }))
  end)

  it("have their point in one column", function ()
    assert.equal("[1. 2. 3.]", text(tide.array{ 1.0, 2.0, 3.0 }))
    assert.equal("[ 1.   -2.25 10.5 ]", text(tide.array{ 1, -2.25, 10.5 }))
    assert.equal("[ 1.5  nan 20. ]", text(tide.array{ 1.5, 0 / 0, 20 }))
    assert.equal("[[0.   0.25]\n [0.5  0.75]]",
                 text((tide.arange(4) / 4):reshape{ 2, 2 }))
    assert.equal("[nan inf]", text(tide.array{ 0 / 0, 1 / 0 }))
    assert.equal("[0. 0.]", text(tide.zeros(2)))
  end)

  it("have an exponent where they are far apart", function ()
    assert.equal("[1.e-05 1.e+00]", text(tide.array{ 1e-5, 1 }))
    assert.equal("[1.e+08]", text(tide.array{ 1e8 }))
    assert.equal("[99999999.]", text(tide.array{ 99999999.0 }))
    assert.equal("[1.e+100 1.e-005]", text(tide.array{ 1e100, 1e-5 }))
    assert.equal("[0.0001 0.1   ]", text(tide.array{ 1e-4, 0.1 }))
    assert.equal("[1.0000e-04 1.0001e-01]",
                 text(tide.array{ 1e-4, 0.10001 }))
    assert.equal("[    inf 0.0e+00 1.5e+10]",
                 text(tide.array{ 1 / 0, 0, 1.5e10 }))
  end)

  it("that are complex have both parts in columns", function ()
    local z = tide.complex
    assert.equal("[1. -2.j 0.5+1.j]",
                 text(tide.array{ z(1, -2), z(0.5, 1) }))
    assert.equal("[ 1.+2.5j -1.-1.j ]",
                 text(tide.array{ z(1, 2.5), z(-1, -1) }))
    assert.equal("1.+2.j", text(tide.array(z(1, 2))))
    assert.equal("[nan+infj  0. -1.j]",
                 text(tide.array{ z(0 / 0, 1 / 0), z(0, -1) }))
    assert.equal("[0.33333334+0.1j]",
                 text(tide.array({ z(1 / 3, 0.1) }, "complex64")))
  end)

  it("have the digits of their dtype", function ()
    assert.equal("[0.33333333]", text(tide.array{ 1 / 3 }))
    assert.equal("[0.33333334]", text(tide.array({ 1 / 3 }, "float32")))
    assert.equal("[0.1]", text(tide.array({ 0.1 }, "float32")))
    assert.equal("[0.3333]", text(tide.array({ 1 / 3 }, "float16")))
    assert.equal("[0.1]", text(tide.array({ 0.1 }, "float16")))
    -- exact in front of the point, and up to the longest with an exponent
    assert.equal("[65504.]", text(tide.array({ 65504 }, "float16")))
    assert.equal("[99999992.]", text(tide.array({ 99999992 }, "float32")))
    assert.equal("[ 9.9628279e-09 -1.2345679e-12]",
                 text(tide.array({ 9.962828e-9, -1.23456789e-12 }, "float32")))
    assert.equal("[0.334]", text(tide.array({ 1 / 3 }, "bfloat16")))
    assert.equal("[0.1]", text(tide.array({ 0.1 }, "bfloat16")))
    assert.equal("[999424.]", text(tide.array({ 1e6 }, "bfloat16")))
    assert.equal("[16777216.]", text(tide.array({ 1 << 24 }, "float32")))
    assert.equal("[-9223372036854775808]",
                 text(tide.array{ math.mininteger }))
    assert.equal("[18446744073709551615                    1]",
                 text(tide.array({ -1, 1 }, "uint64")))
    assert.equal("[-128  127]", text(tide.array({ -128, 127 }, "int8")))
    assert.equal("[-1.79769313e+308]",
                 text(tide.array{ -0x1.fffffffffffffp1023 }))
  end)

  it("of every dtype print, from both kinds of memory", function ()
    for _, dtype in ipairs(numbers.dtypes) do
      local a = helper.array(numbers.edges(dtype), dtype)
      local shown = text(a)
      assert.equal(shown, text(a:tohost()))
      local _, n = shown:gsub("[^%s%[%]]+", "")
      local parts = dtype:find "complex" and n < 2 * a.size and n or a.size
      assert.equal(parts, n)
      assert.equal(shown, text(tide.array(a:reshape{ 1, a.size }):reshape(
                                 a.size)))
    end
  end)

  it("go on in the next line", function ()
    local shown = text(tide.arange(1000, 1100))
    local list = {}
    for line in shown:gmatch "[^\n]+" do
      assert.is_true(#line <= 75, line)
      assert.is_truthy(line:find(#list == 0 and "^%[%d" or "^ %d"), line)
      for x in line:gmatch "%d+" do
        list[#list + 1] = math.tointeger(x)
      end
    end
    assert.same(tide.arange(1000, 1100):totable(), list)
  end)

  it("are those of a view", function ()
    local a = tide.arange(12):reshape{ 4, 3 }
    assert.equal("[3 4 5]", text(a[2]))
    assert.equal("[[ 6  7  8]\n [ 9 10 11]]", text(a[{ { 3, 4 } }]))
    assert.equal("5", text(a[2]:select(3)))
  end)

  it("wait for the work that makes them", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(3)
    tide.get_device():synchronize()
    local ran = false
    s:launch_host_func(function () ran = true end)
    s:with(function () a:fill(8) end)
    assert.equal("[8. 8. 8.]", text(a))
    assert.is_true(ran)
  end)

  it("that are NaN have no sign (#035)", function ()
    assert.equal("[nan nan]", text(tide.zeros(2, "float32") / 0))
    for _, nan in ipairs{ 0 / 0, -(0 / 0) } do
      local a = tide.frombytes(("<d"):pack(nan), "float64")
      assert.equal("[nan]", text(a))
      assert.equal("nan", text(a:reshape{}))
    end
  end)
end)

describe("long axes", function ()
  it("are shown whole up to 1000 elements", function ()
    local _, n = text(tide.arange(1000)):gsub("%d+", "")
    assert.equal(1000, n)
    assert.equal("[   0    1    2 ...  998  999 1000]",
                 text(tide.arange(1001)))
  end)

  it("are elided on every axis that is long", function ()
    assert.equal(
      "[[  0   1   2 ... 497 498 499]\n" ..
      " [500 501 502 ... 997 998 999]\n" ..
      " [  0   0   0 ...   0   0   0]]",
      text((function ()
        local a = tide.zeros({ 3, 500 }, "int64")
        a[{ { 1, 2 } }] = tide.arange(1000):reshape{ 2, 500 }
        return a
      end)()))
    assert.equal("[[0 0]\n [0 0]\n [0 0]\n ...\n [0 0]\n [0 0]\n [9 9]]",
                 text((function ()
                   local a = tide.zeros({ 600, 2 }, "uint8")
                   a[-1] = 9
                   return a
                 end)()))
  end)

  it("of six elements are not", function ()
    local shown = text(tide.ones({ 6, 200 }, "uint8"))
    local _, rows = shown:gsub("\n", "")
    assert.equal(5, rows)
    assert.is_truthy(shown:find("[[1 1 1 ... 1 1 1]", 1, true))
  end)

  it("leave the device for what is shown alone", function ()
    local a = tide.arange(1000003)
    local pinned = T.held().pinned
    local copies = helper.launches(function ()
      assert.equal("[      0       1       2 ... 1000000 1000001 1000002]",
                   text(a))
    end)
    assert.equal(2, copies)
    assert.is_true(T.held().pinned - pinned < 8000)
  end)

  it("on many axes, with too many edges, give the header alone", function ()
    assert.equal("", text(tide.zeros({ 7, 7, 7, 7, 7, 7, 7 }, "uint8")))
    assert.is_true(#text(tide.zeros({ 7, 7, 7, 7 }, "uint8")) > 1000)
  end)
end)

end)
