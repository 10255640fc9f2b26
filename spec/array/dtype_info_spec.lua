--[[
dtype_info_spec.lua - finfo, iinfo, can_cast and result_type, beside what NumPy
says.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails = helper.fails

local NAMES <const> = {
  "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
  "uint64", "float16", "float32", "float64", "complex64", "complex128"
}

-- numpy.can_cast(row, column, casting); 1: it can.
local SAFE <const> = [[
11111111111111 .1111....11111 ..111.....1111 ...11......1.1 ....1......1.1
..111111111111 ...11.111.1111 ....1..11..1.1 ........1..1.1 .........11111
..........1111 ...........1.1 ............11 .............1]]
local SAME_KIND <const> = [[
11111111111111 .1111....11111 .1111....11111 .1111....11111 .1111....11111
.1111111111111 .1111111111111 .1111111111111 .1111111111111 .........11111
.........11111 .........11111 ............11 ............11]]

-- numpy.finfo: those that are no powers of two.
local FLOATS <const> = {
  float16 = { bits = 16, max = 65504.0, precision = 3, nmant = 10, nexp = 5,
              minexp = -14, maxexp = 16, tiny = 2.0 ^ -14 },
  float32 = { bits = 32, max = 0x1.fffffep127, precision = 6, nmant = 23,
              nexp = 8, minexp = -126, maxexp = 128, tiny = 2.0 ^ -126 },
  float64 = { bits = 64, max = 0x1.fffffffffffffp1023, precision = 15,
              nmant = 52, nexp = 11, minexp = -1022, maxexp = 1024,
              tiny = 2.0 ^ -1022 },
  bfloat16 = { bits = 16, max = 0x1.fep127, precision = 2, nmant = 7, nexp = 8,
               minexp = -126, maxexp = 128, tiny = 2.0 ^ -126 }
}

describe("finfo", function ()
  for dtype, wanted in pairs(FLOATS) do
    it("knows " .. dtype, function ()
      local info = tide.finfo(dtype)
      for name, value in pairs(wanted) do
        assert.equal(value, info[name], name)
      end
      assert.equal(dtype, info.dtype)
      assert.equal(-info.max, info.min)
      assert.equal(info.tiny, info.smallest_normal)
      assert.equal(2.0 ^ -info.nmant, info.eps)
      assert.equal(info.eps / 2, info.epsneg)
      assert.equal(info.tiny * info.eps, info.smallest_subnormal)
      assert.equal(10.0 ^ -info.precision, info.resolution)
      assert.same({ -info.nmant, -info.nmant - 1, info.nexp },
                  { info.machep, info.negep, info.iexp })
    end)

    it("says what arrays of " .. dtype .. " do", function ()
      local info = tide.finfo(tide.zeros(1, dtype))
      local one, zero = tide.ones(1, dtype), tide.zeros(1, dtype)
      assert.equal(info.eps, (one:nextafter(2) - 1)[1])
      assert.equal(info.epsneg, (1 - one:nextafter(0))[1])
      assert.equal(info.smallest_subnormal, zero:nextafter(1)[1])
      assert.equal(info.max, tide.full(1, math.huge, dtype):nextafter(0)[1])
    end)
  end

  it("takes the parts of complex numbers, and no integers", function ()
    assert.equal("float32", tide.finfo "complex64".dtype)
    assert.equal("float64", tide.finfo(tide.zeros(1, "complex128")).dtype)
    fails("int8 is no dtype of floats", tide.finfo, "int8")
    fails("unknown dtype 'float'", tide.finfo, "float")
    fails("dtype string or array expected", tide.finfo, 5)
  end)
end)

describe("iinfo", function ()
  it("knows the integers", function ()
    for dtype, range in pairs(numbers.bounds) do
      local info = tide.iinfo(dtype)
      assert.equal(8 * numbers.size[dtype], info.bits)
      assert.equal(dtype, info.dtype)
      if dtype ~= "uint64" then
        assert.same({ range[1], range[2] }, { info.min, info.max })
      end
    end
    assert.same({ bits = 64, min = 0, max = -1, dtype = "uint64" },
                tide.iinfo "uint64")
    assert.equal(-1, tide.full(1, tide.iinfo "uint64".max, "uint64")[1])
    assert.equal(127, tide.iinfo(tide.HostArray(1, "int8")).max)
    fails("bool is no dtype of integers", tide.iinfo, "bool")
  end)
end)

describe("can_cast", function ()
  local function check (casting, text)
    local rows = {}
    for row in text:gmatch "%S+" do rows[#rows + 1] = row end
    for i, from in ipairs(NAMES) do
      for k, to in ipairs(NAMES) do
        assert.equal(rows[i]:sub(k, k) == "1", tide.can_cast(from, to, casting),
                     from .. " to " .. to)
      end
    end
  end

  it("is NumPy's", function ()
    check(nil, SAFE)
    check("safe", SAFE)
    check("same_kind", SAME_KIND)
  end)

  it("has the other casts, and arrays", function ()
    local a = tide.ones(1, "float32")
    assert.is_true(tide.can_cast(a, "float64"))
    assert.is_false(tide.can_cast(a, "float64", "equiv"))
    assert.is_true(tide.can_cast(a, a, "no"))
    assert.is_true(tide.can_cast(a, "int8", "unsafe"))
    assert.is_true(tide.can_cast("bfloat16", "float32"))
    assert.is_false(tide.can_cast("float16", "bfloat16"))
    fails("invalid option 'some'", tide.can_cast, a, a, "some")
    fails("dtype string or array expected", tide.can_cast, 1, a)
  end)
end)

describe("result_type", function ()
  it("is that of the operation", function ()
    for _, x in ipairs{ tide.ones(1, "uint8"), tide.ones(1, "float16"), 3, 2.5,
                        true, tide.complex(0, 1) } do
      for _, t in ipairs(NAMES) do
        local y = tide.ones(1, t)
        assert.equal((y + x).dtype, tide.result_type(y, x))
        assert.equal((y + x).dtype, tide.result_type(x, t))
      end
    end
  end)

  it("lets numbers give way, wherever they stand", function ()
    assert.equal("int8", tide.result_type(1000, "int8"))
    assert.equal("float32", tide.result_type(2.5, "int8", "float32"))
    assert.equal("int64", tide.result_type(true, 3))
    assert.equal("float64", tide.result_type(3, 2.5))
    assert.equal("bool", tide.result_type(true))
    fails("at least one operand", tide.result_type)
    fails("dtype string or array expected", tide.result_type, {})
  end)
end)

describe("isdtype", function ()
  -- numpy.isdtype, of NumPy 2
  local KINDS <const> = {
    bool = "bool", ["signed integer"] = "int8 int16 int32 int64",
    ["unsigned integer"] = "uint8 uint16 uint32 uint64",
    integral = "int8 int16 int32 int64 uint8 uint16 uint32 uint64",
    ["real floating"] = "float16 bfloat16 float32 float64",
    ["complex floating"] = "complex64 complex128",
    numeric = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 " ..
              "bfloat16 float32 float64 complex64 complex128"
  }

  it("knows the kinds of the array API standard", function ()
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      for kind, names in pairs(KINDS) do
        local is = (" " .. names .. " "):find(" " .. t.name .. " ", 1, true)
        assert.equal(is ~= nil, tide.isdtype(t.name, kind), t.name .. kind)
      end
      for _, other in ipairs(NAMES) do
        assert.equal(t.name == other, tide.isdtype(t.name, other))
      end
    end
  end)

  it("takes arrays, and lists of kinds", function ()
    local a, h = tide.zeros(1, "int8"), tide.HostArray(1, "float32")
    assert.is_true(tide.isdtype(a, "integral"))
    assert.is_true(tide.isdtype(h, { "bool", "real floating" }))
    assert.is_true(tide.isdtype(a, { "bool", "int8" }))
    assert.is_false(tide.isdtype(a, { "bool", "float32" }))
    assert.is_false(tide.isdtype(a, {}))
  end)

  it("says what is wrong", function ()
    fails("#2 to 'tide.isdtype' (unknown kind 'float'; kinds are 'bool', " ..
          "'signed integer',", tide.isdtype, "int8", "float")
    fails("unknown kind 'x'", tide.isdtype, "int8", { "int8", "x" })
    fails("a kind or a dtype must be a string, got number", tide.isdtype,
          "int8", { 1 })
    fails("string or table expected, got no value", tide.isdtype, "int8")
    fails("field 'kind' in a list of kinds and dtypes", tide.isdtype, "int8",
          { kind = "bool" })
    fails("dtype string or array expected", tide.isdtype, 1, "bool")
    fails("unknown dtype 'itn8'", tide.isdtype, "itn8", "bool")
  end)
end)
