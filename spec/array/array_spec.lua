--[[
array_spec.lua - arrays as things: fields, indexing, views, closing.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

-- Every method, with arguments that would do for an array of two float64.
local METHODS = {
  astype = { "int32" }, copy = {}, fill = { 1 }, item = {}, reshape = { 2 },
  select = { 1 }, slice = { 1 }, tobytes = {}, tohost = {}, totable = {},
  copy_from = { { tide.ones, 2 } }, mean = {}, var = {}, std = {},
  argmin = {}, argmax = {}, broadcast_to = { 2 },
  expand_dims = { 1 }, flatten = {}, flip = {}, permute = { 1 },
  repeat_each = { 2 }, roll = { 1 }, squeeze = {}, tile = { 2 },
  transpose = {}, clip = { 0, 1 }, cumsum = {}, cumprod = {},
  mask = { { tide.ones, 2, "bool" } }, take = { 1 }, where = { 1, 2 },
  sort = {}, argsort = {}, dot = { { tide.ones, 2 } },
  matmul = { { tide.ones, 2 } }, clip_ = { 0, 1 }, frexp = {}, modf = {},
  nan_to_num = {}, nan_to_num_ = {}, positive = {}
}

local source = dofile "kernels/table.lua"

for _, kind in ipairs{ "binary", "unary", "reductions" } do
  for _, op in ipairs(source[kind]) do
    local name = not op.mixed and not op.inner and op[1]
    if name and kind == "binary" then
      METHODS[name], METHODS[name .. "_"] = { 1 }, { 1 }
    elseif name and kind == "unary" then
      METHODS[name], METHODS[name .. "_"] = {}, {}
    elseif name then
      METHODS[name] = {}
    end
  end
end

helper.each_device(function (kind)

describe("fields", function ()
  it("describe the array", function ()
    local a = tide.empty({ 2, 3, 5 }, "int32")
    assert.same({ 2, 3, 5 }, a.shape)
    assert.same({ 15, 5, 1 }, a.strides)
    assert.equal(3, a.ndim)
    assert.equal(30, a.size)
    assert.equal(120, a.nbytes)
    assert.equal("int32", a.dtype)
    assert.equal(kind, a.device.kind)
    assert.is_true(a.ptr ~= 0)
    assert.equal(2, #a)
  end)

  it("of one element, and of none", function ()
    local a, b = tide.ones({}, "uint8"), tide.ones{ 4, 0 }
    assert.same({}, a.shape)
    assert.same({}, a.strides)
    assert.same({ 0, 1, 1, 0, 0 }, { a.ndim, a.size, a.nbytes, #a, #b[1] })
    assert.same({ 4, 0 }, b.shape)
    assert.same({ 2, 0, 0, 0, 4 }, { b.ndim, b.size, b.nbytes, b.ptr, #b })
  end)

  it("give the address of the first element", function ()
    local a = tide.zeros({ 4, 3 }, "int32")
    assert.equal(a.ptr + 24, a[3].ptr)
    assert.equal(a.ptr + 12, a:slice(2, 3).ptr)
    assert.equal(a.ptr, a:reshape(12).ptr)
  end)

  it("are fresh tables", function ()
    local a = tide.ones(3)
    a.shape[1] = 99
    assert.same({ 3 }, a.shape)
  end)

  it("cannot be set, nor unknown ones be read", function ()
    local a = tide.ones(3)
    fails("field 'shape' of tide.Array cannot be set", function ()
      a.shape = { 1 }
    end)
    fails("no field 'shap' in tide.Array; did you mean 'shape'?", function ()
      return a.shap
    end)
    fails("field 'x' of tide.Array cannot be set", function () a.x = 1 end)
  end)
end)

describe("an index", function ()
  it("gives a number of a 1-d array, from either end", function ()
    local a = tide.arange(10, 15)
    assert.same({ 10, 14, 14, 10 }, { a[1], a[5], a[-1], a[-5] })
    assert.equal(12, a[3.0])
    assert.equal("integer", math.type(a[1]))
    assert.equal("float", math.type(a:astype "float32"[1]))
    assert.is_true(tide.array{ false, true }[2])
  end)

  it("gives a view of more axes", function ()
    local a = tide.arange(12):reshape{ 2, 3, 2 }
    assert.same({ { 6, 7 }, { 8, 9 }, { 10, 11 } }, a[2]:totable())
    assert.same({ 10, 11 }, a[-1][-1]:totable())
    assert.equal(5, a[1][3][2])
  end)

  it("out of range is named", function ()
    local a = tide.ones{ 3, 2 }
    for _, i in ipairs{ 0, 4, -4, math.mininteger, math.maxinteger } do
      local past = i == 4 and 5 or i  -- behind the last one is nil
      fails("index " .. past .. " is out of range for an axis of 3 elements",
            function () return a[past] end)
      fails("index " .. i .. " is out of range", function () a[i] = 0 end)
      fails("index " .. i .. " is out of range", a.select, a, i)
    end
    fails("axis of 0 elements", function () return tide.ones(0)[2] end)
  end)

  it("of another kind is refused", function ()
    local a = tide.ones(3)
    for _, i in ipairs{ 1.5, 0 / 0, true, print } do
      fails("array index must be an integer, a table or an array of " ..
            "integers or bools, got " .. (i ~= i and "nan" or
              math.type(i) and i or type(i)),
            function () return a[i] end)
      if i == i then
        fails("array index must be", function () a[i] = 1 end)
      end
    end
    fails("a 0-d array has no elements to index; use :item()", function ()
      return tide.ones({})[1]
    end)
  end)
end)

describe("a range", function ()
  local function rows (a, ...) return a[{ { ... } }]:totable() end

  it("is inclusive, from either end, with defaults", function ()
    local a = tide.arange(1, 7)
    assert.same({ 2, 3, 4 }, rows(a, 2, 4))
    assert.same({ 5, 6 }, rows(a, -2, -1))
    assert.same({ 5, 6 }, rows(a, 5))
    assert.same({ 1, 2 }, rows(a, nil, 2))
    assert.same({ 1, 2, 3, 4, 5, 6 }, rows(a))
    assert.same({ 6 }, rows(a, 6, 6))
    assert.same({ { 3, 4 } }, tide.arange(1, 7):reshape{ 3, 2 }
                :slice(2, 2):totable())
  end)

  it("may be empty, anywhere", function ()
    local a = tide.arange(3)
    for first = 1, 4 do
      local v = a:slice(first, first - 1)
      assert.same({ 0, 0, 0 }, { v.size, v.ptr, #v })
      assert.same({}, v:totable())
      v:fill(7)
      v:copy_from(v)
    end
    assert.same({}, rows(tide.ones(0)))
    assert.same({ 0, 1, 2 }, a:totable())
  end)

  it("out of range is named", function ()
    local a = tide.ones(4)
    for _, r in ipairs{ { 0, 2 }, { 1, 5 }, { 6, 5 }, { -5, 2 },
                        { 1, -6 }, { math.mininteger, 1 },
                        { 1, math.maxinteger } } do
      local text = ("range {%d, %d} is out of range for an axis of 4 elements")
        :format(r[1], r[2])
      fails(text, function () return a[{ r }] end)
      fails(text, a.slice, a, r[1], r[2])
      fails(text, function () a[{ r }] = 1 end)
    end
    fails("range {3, 1} ends before it begins; backwards is {3, 1, -1}",
          a.slice, a, 3, 1)
    fails("range {-1, 2} ends before it begins", function ()
      return a[{ { -1, 2 } }]
    end)
  end)

  it("is not a list of places", function ()
    local a, b = tide.arange(9), tide.ones{ 9, 4 }
    local list = "{1, 3, 5}"
    fails("3 indices for an array of 1 axis: a key has one for each axis; " ..
          "those at several places are a[tide.array" .. list ..
          "], or a:take(" .. list .. ", 1); a range is", function ()
      return a[{ 1, 3, 5 }]
    end)
    fails("those at several places are a[tide.array" .. list, function ()
      a[{ 1, 3, 5 }] = 0
    end)
    fails("3 indices for an array of 2 axes: a key has one for each axis; " ..
          "those at several places", function () return b[{ 1, 3, 5 }] end)
    fails("index 7 is out of range for axis 2 of 4 elements; those at " ..
          "several places are a[tide.array{1, 7}], or a:take({1, 7}, 1)",
          function () return b[{ 1, 7 }] end)
    local message = fails("index 10 is out of range for axis 2 of 4 elements",
                          function () return b[{ 1, 10 }] end)
    assert.is_nil(message:find("several", 1, true))
    fails("those at several places are tide.asarray(h)[tide.array{1, 2}]",
          function () return tide.HostArray(3)[{ 1, 2 }] end)
    assert.same({ 0, 2, 4 }, a[tide.array{ 1, 3, 5 }]:totable())
    assert.same({ 0, 2, 4 }, a:take({ 1, 3, 5 }, 1):totable())
    assert.same({ 2, 4 }, b:take({ 1, 7 }, 1).shape)
  end)

  it("is written as a table in a table", function ()
    local a = tide.ones{ 4, 4 }
    fails("5 indices for an array of 2 axes: a key has one for each axis; a " ..
          "range is written a[{ {first, last} }]", function ()
      return a[{ 1, 2, true, 3, 4 }]
    end)
    fails("index of axis 1 must be an integer or a range {first, last, " ..
          "step}, got boolean", function () return a[{ true }] end)
    fails("index of axis 2 must be an integer or a range {first, last, " ..
          "step}, got 1.5", function () return a[{ 1, 1.5 }] end)
    fails("a range is {first, last, step}; got 4 values; those at several " ..
          "places are a[tide.array{...}]", function ()
      return a[{ { 1, 2, 3, 4 } }]
    end)
    fails("the bounds of a range must be integers", function ()
      return a[{ 1, { 1, "2" } }]
    end)
    fails("the step of a range must not be 0", function ()
      return a[{ {}, { 1, 2, 0 } }]
    end)
    fails("a 0-d array has no elements", function ()
      return tide.ones({})[{ {} }]
    end)
    badarg(1, "number expected, got no value", function () a:slice() end)
    badarg(2, "number expected, got string", function () a:slice(1, "x") end)
    badarg(1, "number has no integer representation", function ()
      a:slice(1.5)
    end)
    badarg(3, "number expected, got string", function ()
      a:slice(1, 2, "x")
    end)
    badarg(4, "axis 3 is out of range for an array of 2 axes", function ()
      a:slice(1, 2, 1, 3)
    end)
    badarg(4, "axis must be an integer, got string", function ()
      a:slice(1, 2, 1, "1")
    end)
  end)
end)

describe("assignment", function ()
  it("writes numbers and truth values", function ()
    local a = tide.zeros({ 2, 2 }, "int32")
    a[1], a[2] = 7, true
    assert.same({ { 7, 7 }, { 1, 1 } }, a:totable())
    a[{ { 1, 2 } }] = -1
    a[2][-1] = 3.0
    assert.same({ { -1, -1 }, { -1, 3 } }, a:totable())
  end)

  it("writes tables, arrays and host arrays", function ()
    local a = tide.zeros{ 3, 2 }
    a[1] = { 1, 2 }
    a[{ { 2, 3 } }] = { { 3, 4 }, { 5, 6 } }
    a[2] = tide.array({ 7, 8 }, "uint8")
    a[3] = tide.array{ 0.5, 1.5 }:tohost()
    a[1][1] = tide.array(9)
    assert.same({ { 9, 2 }, { 7, 8 }, { 0.5, 1.5 } }, a:totable())
  end)

  it("refuses what does not fit, and changes nothing", function ()
    local a = tide.arange(4):astype "int32"
    local function set (i, x)
      return function () a[i] = x end
    end
    local function refuses (text, x, key)
      fails("cannot assign: " .. text, set(key or 1, x))
    end
    refuses("number, boolean, table or array expected, got nil")
    refuses("number, boolean, table or array expected, got string", "x")
    refuses("number, boolean, table or array expected, got tide.Stream",
            tide.Stream.null)
    refuses("number has no integer representation: 2.5", 2.5)
    refuses("number is out of range for int32: 2147483648", 1 << 31)
    refuses("shape 3 cannot be broadcast to 2", { 1, 2, 3 }, { { 1, 2 } })
    fails("element 2 at depth 1: number has no integer representation",
          set({ { 1, 2 } }, { 1, 2.5 }))
    fails("element 1 at depth 1: number or boolean expected (got string)",
          set({ { 1, 2 } }, { "1", 2 }))
    refuses("shape 1x2 cannot be broadcast to 2", tide.ones({ 1, 2 }, "int32"),
            { { 1, 2 } })
    refuses("dtype int32 expected, got int64",
            tide.ones(2, "int64"):tohost(), { { 1, 2 } })
    local closed = tide.ones(2)
    closed:close()
    refuses("array is closed", closed, { { 1, 2 } })
    assert.same({ 0, 1, 2, 3 }, a:totable())
  end)
end)

describe("select", function ()
  it("is a view, of 1-d arrays too", function ()
    local a = tide.arange(3)
    local x = a:select(-1)
    assert.same({}, x.shape)
    x:fill(9)
    assert.same({ 0, 1, 9 }, a:totable())
    badarg(1, "number expected, got no value", function () a:select() end)
    badarg(1, "number expected, got table", function () a:select{} end)
  end)
end)

describe("reshape", function ()
  it("is a view with as many elements", function ()
    local a = tide.arange(6)
    local b = a:reshape{ 3, 2 }
    b[2] = 0
    assert.same({ 0, 1, 0, 0, 4, 5 }, a:totable())
    assert.same({ 1, 1, 6 }, b:reshape{ 1, 1, 6 }.shape)
    assert.equal(5, a:slice(6):reshape{}:item())
    assert.same({ 7, 0 }, tide.ones(0):reshape{ 7, 0 }.shape)
  end)

  it("refuses other sizes", function ()
    local a = tide.ones(6)
    for _, shape in ipairs{ 5, 0, { 2, 2 }, {}, { 6, 0 } } do
      badarg(1, "shape has another number of elements", function ()
        a:reshape(shape)
      end)
    end
    badarg(1, "shape must not be negative", function () a:reshape(-2) end)
    badarg(1, "shape must be an integer or a table of integers", function ()
      a:reshape()
    end)
  end)
end)

describe("a view", function ()
  it("keeps the memory of an array that is closed", function ()
    local a = tide.arange(1000)
    local v = a:slice(11, 20)
    a:close()
    tide.full(1000, -1)
    assert.equal(155, v:sum():item() + 10)
    v:close()
    collectgarbage()
    assert.equal(0, T.held().bytes)
  end)

  it("can be closed without harm to the array", function ()
    local a = tide.arange(10)
    for i = 1, 10 do
      a:slice(i, i):close()
    end
    assert.equal(45, a:sum():item())
  end)
end)

describe("close", function ()
  it("frees at once, and raises the second time", function ()
    local a = tide.ones(1000)
    assert.is_true(T.held().bytes >= 8000)
    a:close()
    assert.equal(0, T.held().bytes)
    fails("array is closed", a.close, a)
    assert.equal("tide.Array (closed)", tostring(a))
  end)

  it("is silent from __close after that", function ()
    local a <close> = tide.ones(3)
    local none <close> = tide.ones(0)
    a:close()
    assert.equal(0, none.size)
  end)

  it("lets work under way complete", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a, b = tide.arange(1000), nil
    local key = T.hold(s)
    s:with(function () b = a + 1 end)
    a:close()
    T.release(key)
    assert.equal(500500, b:sum():item())
  end)

  it("makes every field and index raise", function ()
    local a, open = tide.ones(2), tide.ones(2)
    a:close()
    for _, name in ipairs{ "shape", "strides", "ndim", "size", "dtype",
                           "nbytes", "device", "ptr", "T" } do
      fails("array is closed", function () return a[name] end)
    end
    fails("array is closed", function () return a[1] end)
    fails("array is closed", function () a[1] = 1 end)
    fails("array is closed", function () return #a end)
    for _, x in ipairs{ 1, open } do
      fails("array is closed", function () return a + x end)
      fails("array is closed", function () return x * a end)
    end
    fails("array is closed", function () return -a end)
    fails("array is closed", function () return ~a end)
    fails("open tide.Array", open.add, open, 1, { out = a })
    fails("array is closed", tide.array, a)
    fails("array is closed", tide.asarray, a)
    fails("array is closed", tide.zeros_like, a)
  end)
end)

describe("every method wants an open array:", function ()
  for name, arguments in pairs(METHODS) do
    it(name, function ()
      local list = {}
      for i, x in ipairs(arguments) do
        list[i] = type(x) == "table" and x[1](x[2]) or x
      end
      local a = tide.ones(2)
      local method = a[name]
      a:close()
      fails("array is closed", method, a, table.unpack(list))
      for _, wrong in ipairs{ "x", {}, io.stdout, tide.Stream.null } do
        fails("expected, got ", method, wrong, table.unpack(list))
      end
      fails("expected, got n", method)  -- nil or no value
    end)
  end
end)

end)
