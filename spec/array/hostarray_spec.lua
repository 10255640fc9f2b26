--[[
hostarray_spec.lua - page-locked arrays: elements, bulk, files, waiting.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg
local new = helper.new_stream

helper.each_device(function (kind)

describe("HostArray", function ()
  it("is zeroed, float64 by default", function ()
    local h = tide.HostArray{ 2, 3 }
    assert.same({ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } }, h:totable())
    assert.equal("float64", h.dtype)
    tide.HostArray(1000, "uint8"):fill(255):close()
    T.trim()
    assert.equal(("\0"):rep(1000), tide.HostArray(1000, "uint8"):tobytes())
  end)

  it("is zeroed where memory is used again", function ()
    tide.HostArray(1000, "uint8"):fill(255):close()
    assert.equal(("\0"):rep(1000), tide.HostArray(1000, "uint8"):tobytes())
  end)

  it("has the fields of arrays", function ()
    local h = tide.HostArray({ 4, 5 }, "int32")
    assert.same({ 4, 5 }, h.shape)
    assert.same({ 5, 1 }, h.strides)
    assert.same({ 2, 20, 80, "int32", 4 },
                { h.ndim, h.size, h.nbytes, h.dtype, #h })
    assert.equal(kind, h.device.kind)
    assert.equal(h.ptr + 20, h[2].ptr)
    assert.equal(0, tide.HostArray(0).ptr)
    fails("field 'size' of tide.HostArray cannot be set", function ()
      h.size = 1
    end)
    fails("no field 'sizes' in tide.HostArray; did you mean 'size'?",
          function () return h.sizes end)
  end)

  it("wants a dtype that there is", function ()
    badarg(2, "unknown dtype 'int33'; did you mean 'int32'?", tide.HostArray,
           3, "int33")
    badarg(2, "string expected, got table", tide.HostArray, 3, {})
  end)
end)

describe("elements", function ()
  it("are read and set by one index, or one an axis", function ()
    local h = tide.HostArray(3, "int64")
    h[1], h[-1], h[{ 2 }] = 5, 7, 6
    assert.same({ 5, 6, 7 }, h:totable())
    assert.same({ 7, 5, 6 }, { h[3], h[-3], h[{ -2 }] })
    local m = tide.HostArray({ 2, 3 }, "float32")
    m[{ 1, 3 }], m[{ -1, -3 }] = 1.5, -2
    m[1][2] = 0.25
    assert.same({ { 0.0, 0.25, 1.5 }, { -2.0, 0.0, 0.0 } }, m:totable())
    assert.equal(1.5, m[{ 1, 3 }])
  end)

  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype .. " are exact", function ()
      local edges = numbers.edges(dtype)
      local h = tide.HostArray(#edges, dtype)
      for i, x in ipairs(edges) do
        h[i] = dtype == "bool" and x ~= 0 or x
      end
      assert.is_true(h:tobytes() == numbers.pack(edges, dtype))
      for i, x in ipairs(edges) do
        local got = h[i]
        if dtype == "bool" then
          got = got and 1 or 0
        end
        assert.equal(0, numbers.ulps(got, x, dtype))
      end
    end)
  end

  it("must fit the dtype", function ()
    local h = tide.HostArray(2, "uint8")
    for x, text in pairs{ [256] = "number is out of range for uint8",
                          [-1] = "number is out of range for uint8",
                          [0.5] = "number has no integer representation",
                          [1e300] = "number has no integer representation",
                          x = "number or boolean expected (got string)",
                          [{}] = "number or boolean expected (got table)" } do
      fails(text, function () h[1] = x end)
    end
    fails("number or boolean expected (got nil)", function () h[1] = nil end)
    fails("number has no integer representation", function ()
      tide.HostArray(1, "int64")[1] = 2.0 ^ 63
    end)
    h[1], h[2] = 255.0, true
    assert.same({ 255, 1 }, h:totable())
  end)

  it("out of range are named", function ()
    local h, m = tide.HostArray(3), tide.HostArray{ 2, 3 }
    for _, i in ipairs{ 0, 4, -4, math.maxinteger, math.mininteger } do
      local past = i == 4 and 5 or i  -- behind the last one is nil
      fails("index " .. past .. " is out of range",
            function () return h[past] end)
      fails("index " .. i .. " is out of range", function () h[i] = 1 end)
      fails("index " .. i .. " is out of range for axis 2 of 3 elements",
            function () return m[{ 1, i }] end)
      fails("index " .. i .. " is out of range for axis 2 of 3 elements",
            function () m[{ 1, i }] = 1 end)
    end
    fails("is out of range for axis 1 of 2", function ()
      return m[{ 3, 1 }]
    end)
  end)

  it("have keys as those of arrays", function ()
    local m = tide.HostArray{ 2, 3 }
    fails("a 0-d array has no elements to index; use :item(), or :fill(x)",
          function () tide.HostArray({})[1] = 0 end)
    local one = tide.HostArray{}
    one[{}] = 5
    assert.equal(5, one[{}])
    fails("field 'x' of tide.HostArray cannot be set", function ()
      m.x = 0
    end)
    fails("index of axis 2 must be an integer or a range {first, last, " ..
          "step}, got 2.5", function () return m[{ 1, 2.5 }] end)
    fails("array index must be an integer or a table, got boolean",
          function () return m[true] end)
    assert.equal(("\0"):rep(48), m:tobytes())
  end)
end)

describe("a part", function ()
  it("is a view", function ()
    local h = tide.arange(12):reshape{ 4, 3 }:tohost()
    assert.same({ 3, 4, 5 }, h[2]:totable())
    assert.same({ { 6, 7, 8 }, { 9, 10, 11 } }, h[{ { -2, -1 } }]:totable())
    h[{ { 2, 3 } }]:fill(0)
    h[-1][2] = 99
    assert.same({ { 0, 1, 2 }, { 0, 0, 0 }, { 0, 0, 0 }, { 9, 99, 11 } },
                h:totable())
    assert.equal(0, h[{ { 5, 4 } }].size)
    fails("range {1, 5} is out of range for an axis of 4 elements",
          function () return h[{ { 1, 5 } }] end)
  end)

  it("keeps the memory of an array that is closed", function ()
    local h = tide.HostArray(1000):fill(3)
    local v = h[{ { 500, 501 } }]
    h:close()
    tide.HostArray(1000):fill(8)
    assert.same({ 3.0, 3.0 }, v:totable())
  end)
end)

describe("a part is set", function ()
  local function sample (dtype)
    return tide.arange(12):astype(dtype):reshape{ 3, 4 }
  end

  local KEYS = { 2, -1, { {}, 2 }, { { 1, 3, 2 } }, { {}, { 4, 1, -1 } }, {},
                 { { 2, 3 }, { 1, 4, 3 } }, { {}, { 2, 1 } }, { 3, { 2, 2 } } }

  for _, dtype in ipairs{ "float64", "float32", "int8", "bool",
                          "complex64" } do
    it("as one of an array is: " .. dtype, function ()
      for i, key in ipairs(KEYS) do
        local part = sample(dtype)[key]
        local values = { 1, true, part:totable(), part,
                         sample(dtype):flip()[key], part:tohost(),
                         tide.array(1, dtype), tide.ones(1):astype(dtype) }
        for k, x in ipairs(values) do
          local a = sample(dtype)
          local h = a:tohost()
          a[key] = x
          h[key] = x
          assert.is_true(a:tobytes() == h:tobytes(), i .. " " .. k)
        end
      end
    end)
  end

  it("of itself, read before it is written", function ()
    local h = sample "int32":tohost()
    h[{ {}, { 2, 4 } }] = h[{ {}, { 1, 3 } }]
    assert.same({ { 0, 0, 1, 2 }, { 4, 4, 5, 6 }, { 8, 8, 9, 10 } },
                h:totable())
    h.T[1] = { 7, 8, 9 }
    assert.equal(9, h[{ 3, 1 }])
  end)

  it("of arrays in order, and by graphs again", function ()
    local s <close> = new()
    local h, a = tide.HostArray{ 3, 4 }, tide.full({ 3, 4 }, 5.0)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () h[{ { 1, 2 } }] = a[{ { 2, 3 } }] end)
    T.release(key)
    assert.equal(5, h[{ 2, 4 }])
    assert.equal(0, h[{ 3, 4 }])
    local g <close> = tide.capture(function () h[3] = a[1] end)
    a:fill(8)
    g:launch()
    assert.same({ 8, 8, 8, 8 }, h[3]:totable())
  end)

  it("by what fits, or it stays", function ()
    local h = sample "int32":tohost()
    local before = h:tobytes()
    local function refuses (text, key, x)
      fails("cannot assign: " .. text, function () h[key] = x end)
    end
    refuses("shape 3 cannot be broadcast to 4", 1, { 1, 2, 3 })
    refuses("shape 3 cannot be broadcast to 4", 1, tide.ones(3, "int32"))
    refuses("shape 3x4 cannot be broadcast to 4", 1, h)
    refuses("dtype int32 expected, got float64", 1, tide.HostArray(4))
    refuses("number, boolean, table or array expected (got string)", 1, "x")
    refuses("number, boolean, table or array expected (got nil)", { {} })
    refuses("number or boolean expected (got tide.Complex)", 1,
            tide.complex(1, 2))
    refuses("number or boolean expected (got table)", { 1, 1 }, { 1 })
    refuses("shape 4 cannot be broadcast to ()", { 1, 1 }, h[1])
    refuses("number is out of range for int32: 2147483648", 2, 1 << 31)
    fails("element 2 at depth 1: number or boolean expected",
          function () h[1] = { 1, "x", 2, 3 } end)
    fails("index 4 is out of range", function () h[4] = 1 end)
    assert.is_true(before == h:tobytes())
  end)

  it("or nothing of it, where it cannot be waited for", function ()
    local h = tide.HostArray(4)
    fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", tide.capture, function ()
      local a = tide.ones(4)
      a:copy_from(h)
      h[{ { 1, 2 } }] = 5
    end)
    assert.same({ 0, 0, 0, 0 }, h:totable())
  end)
end)

describe("what it lacks", function ()
  it("an array of it has", function ()
    local h = tide.HostArray(3)
    for _, name in ipairs{ "sum", "reshape", "slice", "copy", "add_" } do
      fails(("no field '%s' in tide.HostArray; a tide.Array has it, " ..
             "tide.asarray(h) is one"):format(name),
            function () return h[name] end)
    end
    fails("no field 'fil' in tide.HostArray; did you mean 'fill'?",
          function () return h.fil end)
    badarg(1, "tide.Array expected, got tide.HostArray; tide.asarray(x) is " ..
           "one", tide.sum, h)
  end)
end)

describe("in bulk", function ()
  it("fill writes all elements, or all of a part", function ()
    local h = tide.HostArray(5, "int32")
    assert.equal(h, h:fill(7))
    h[{ { 2, 3 } }]:fill(true)
    assert.same({ 7, 1, 1, 7, 7 }, h:totable())
    assert.equal(0, tide.HostArray(0):fill(1).size)
    badarg(1, "number is out of range for int32", function ()
      h:fill(1 << 31)
    end)
    badarg(1, "number or boolean expected", function () h:fill("x") end)
    badarg(1, "number or boolean expected", function () h:fill() end)
    assert.same({ 7, 1, 1, 7, 7 }, h:totable())
  end)

  -- Runs are copied as they are, steps by the size of an element.
  it("every part has the bytes of an array's part", function ()
    local keys <const> = {
      { {} }, { { 2, 3 } }, { { 1, -1, 2 } }, { { -1, 1, -1 } }, { 2 },
      { {}, {}, { 2, 5 } }, { {}, {}, { 1, -1, 3 } }, { {}, {}, { 6, 1, -2 } },
      { {}, 3, {} }, { {}, { 1, 1 }, {} }, { {}, {}, { 4, 4 } },
      { { 3, 1, -2 }, { 4, 2, -1 }, { 6, 1, -5 } }, { {}, {}, 1 }
    }
    for _, dtype in ipairs{ "bool", "int8", "float16", "int16", "float32",
                            "int64", "complex64", "complex128" } do
      local z = (tide.arange(1, 73) * 3 % 101):astype(dtype):reshape{ 3, 4, 6 }
      local h, one = z:tohost(), tide.ones(1, dtype):tobytes()
      local wanted = z:tohost()
      for _, key in ipairs(keys) do
        local part, like = h[key], z[key]
        assert.equal(like:tobytes(), part:tobytes())
        assert.same(like:totable(), part:totable())
        part:fill(1)
        assert.equal(one:rep(part.size), part:tobytes())
        part:set(like:tobytes())
        assert.equal(wanted:tobytes(), h:tobytes())
      end
    end
  end)

  it("set takes exactly its bytes", function ()
    local h = tide.HostArray(2, "int32")
    assert.equal(h, h:set(("<i4i4"):pack(-5, 1 << 20)))
    assert.same({ -5, 1 << 20 }, h:totable())
    badarg(1, "string of 8 bytes expected, got 7", function ()
      h:set(("x"):rep(7))
    end)
    badarg(1, "string of 8 bytes expected, got 9", function ()
      h:set(("x"):rep(9))
    end)
    badarg(1, "string expected, got table", function () h:set{} end)
    assert.equal(0, tide.HostArray(0):set("").size)
    h[{ { 2, 2 } }]:set("abcd")
    assert.equal(-5, h[1])
  end)

  it("bools are 0 and 1, whatever bytes they are given (#033)", function ()
    local file <close> = io.tmpfile()
    file:write "\2\0\255"
    file:seek "set"
    local h, k = tide.HostArray(3, "bool"), tide.HostArray(3, "bool")
    assert.equal(3, k:readfrom(file))
    for _, flags in ipairs{ h:set "\2\0\255", k } do
      assert.equal("\1\0\1", flags:tobytes())
      assert.equal(2, tide.array(flags):count_nonzero():item())
    end
  end)

  it("rows without elements are empty tables (#059)", function ()
    assert.same({ {}, {}, {} }, tide.HostArray{ 3, 0 }:totable())
  end)
end)

describe("files", function ()
  local function with_file (text, fn)
    local file <close> = assert(io.tmpfile())
    file:write(text)
    file:seek("set")
    return fn(file)
  end

  it("are read into it, up to their end", function ()
    with_file("abcdefgh", function (file)
      local h = tide.HostArray(6, "uint8")
      assert.equal(4, h:readfrom(file, 4))
      assert.equal("abcd\0\0", h:tobytes())
      assert.equal(0, h:readfrom(file, 0))
      assert.equal(4, h:readfrom(file))
      assert.equal("efgh\0\0", h:tobytes())
      assert.equal(0, h:readfrom(file))
      assert.equal(0, tide.HostArray(0):readfrom(file))
    end)
  end)

  it("are written from it", function ()
    with_file("", function (file)
      local h = tide.HostArray(4, "uint8"):set("wxyz")
      assert.equal(h, h:writeto(file))
      h[{ { 2, 3 } }]:writeto(file)
      h:writeto(file, 1):writeto(file, 0)
      file:seek("set")
      assert.equal("wxyzxyw", file:read "a")
    end)
  end)

  it("that fail give nil, a message and a code", function ()
    local path = os.tmpname()
    local h = tide.HostArray(4, "uint8")
    local write_only <close> = assert(io.open(path, "w"))
    local ok, message, code = h:readfrom(write_only)
    assert.is_nil(ok)
    assert.equal("string", type(message))
    assert.equal("integer", math.type(code))
    local read_only <close> = assert(io.open(path, "r"))
    ok, message, code = h:writeto(read_only)
    assert.is_nil(ok)
    assert.equal("string", type(message))
    assert.equal("integer", math.type(code))
    os.remove(path)
  end)

  it("are open ones, and counts are of its bytes", function ()
    local h, file = tide.HostArray(2), assert(io.tmpfile())
    for _, name in ipairs{ "readfrom", "writeto" } do
      local function call (...)
        local arguments = table.pack(...)
        return function () h[name](h, table.unpack(arguments, 1, 2)) end
      end
      fails(("an open file expected, got its name: io.open(name, \"%s\")")
              :format(name == "readfrom" and "rb" or "wb"), call "x")
      fails("an open file expected, got n", call())
      fails("an open file expected, got table", call{})
      fails("more bytes than the array has", call(file, 17))
      fails("number of bytes must not be negative", call(file, -1))
      fails("number has no integer representation", call(file, 1.5))
    end
    file:close()
    fails("file is closed", h.readfrom, h, file)
    fails("file is closed", h.writeto, h, file)
  end)
end)

describe("every access waits for the copies that touch it:", function ()
  local accesses = {
    index = function (h) return h[7] end,
    ["an index of a part"] = function (h) return h[{ { 7, 9 } }][1] end,
    totable = function (h) return h:totable()[7] end,
    tobytes = function (h) return ("<d"):unpack(h:tobytes(), 49) end,
    item = function (h) return h[{ { 7, 7 } }]:item() end,
    tostring = function (h)
      return tostring(h:copy_from(h)):match "%[(%d)" + 0.0
    end,
    writeto = function (h)
      local file <close> = io.tmpfile()
      h:writeto(file)
      file:seek("set")
      return ("<d"):unpack(file:read "a", 49)
    end
  }
  for name, access in pairs(accesses) do
    it(name, function ()
      local s <close> = new()
      local a, h = tide.full(1000, 5.0), tide.HostArray(1000)
      tide.get_device():synchronize()
      local ran = false
      s:launch_host_func(function () ran = true end)
      s:with(function () h:copy_from(a) end)
      assert.is_false(ran)  -- runs while the access waits
      assert.equal(5.0, access(h))
      assert.is_true(ran)
    end)
  end

  it("writing, for copies that still read", function ()
    local s <close> = new()
    local a, h = tide.zeros(1000), tide.HostArray(1000):fill(2)
    tide.get_device():synchronize()
    for i, write in ipairs{ function () h[1000] = 0 end,
                            function () h[{ { 3, 999, 2 } }] = 0 end,
                            function () h[{ { 1, 2 } }] = { 0, 0 } end,
                            function () h:fill(0) end,
                            function () h:set(("\0"):rep(8000)) end } do
      h:fill(i)
      s:launch_host_func(function () end)
      s:with(function () a:copy_from(h) end)
      write()
      assert.equal(i * 1000, a:sum():item())
    end
  end)
end)

describe("close", function ()
  it("frees at once, once, and lets copies complete", function ()
    local s <close> = new()
    local h, a = tide.HostArray(1000):fill(6), tide.zeros(1000)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () a:copy_from(h) end)
    h:close()
    tide.HostArray(1000):fill(1)
    T.release(key)
    assert.equal(6000, a:sum():item())
    fails("array is closed", h.close, h)
    assert.equal("tide.HostArray (closed)", tostring(h))
    local again <close> = tide.HostArray(1)
    again:close()
  end)

  it("makes every use raise", function ()
    local h, file = tide.HostArray(1), io.stdout
    h:close()
    for name, argument in pairs{ fill = 1, set = "12345678", readfrom = file,
                                 writeto = file, copy_from = tide.ones(1),
                                 totable = false, tobytes = false,
                                 item = false } do
      fails("array is closed", h[name], h, argument or nil)
    end
    for _, name in ipairs{ "shape", "strides", "ndim", "size", "dtype",
                           "nbytes", "device", "ptr" } do
      fails("array is closed", function () return h[name] end)
    end
    fails("array is closed", function () return h[1] end)
    fails("array is closed", function () h[1] = 1 end)
    fails("array is closed", function () return #h end)
  end)

  it("every method wants a HostArray", function ()
    local h = tide.HostArray(1)
    for _, name in ipairs{ "fill", "set", "readfrom", "writeto", "close" } do
      for _, wrong in ipairs{ 1, "x", {}, tide.ones(1), io.stdout } do
        badarg(1, "tide.HostArray expected, got ", h[name], wrong)
      end
      badarg(1, "tide.HostArray expected, got no value", h[name])
    end
  end)
end)

end)
