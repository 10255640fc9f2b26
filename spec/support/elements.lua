--[[
elements.lua - element types in plain Lua: their sets, elements as bytes and as
numbers, casts, distances. The first part of numbers.lua.
]]
local numbers = {}

local huge = math.huge

--- The sets of kernels/table.lua without complex types, which have a spec of
-- their own, complex_spec.lua.
local source = dofile "kernels/table.lua"
local names = {}  -- by suffix
for _, t in ipairs(source.dtypes) do names[t[1]] = t.name end

local COMPLEX = { "complex64", "complex128" }

numbers.sets = {}
for name, suffixes in pairs(source.sets) do
  local set = {}
  for _, s in ipairs(suffixes) do
    if not names[s]:find "^complex" then set[#set + 1] = names[s] end
  end
  numbers.sets[name] = set
end

numbers.dtypes = numbers.sets.REAL
numbers.complex = COMPLEX

--{{ elements

-- Elements of uint64 are Lua integers of the same 64 bits.
local formats = { bool = "<B", int8 = "<b", int16 = "<i2", int32 = "<i4",
                  int64 = "<i8", uint8 = "<B", uint16 = "<I2", uint32 = "<I4",
                  uint64 = "<i8", float16 = "<I2", bfloat16 = "<I2",
                  float32 = "<f", float64 = "<d" }

numbers.size = { bool = 1, int8 = 1, int16 = 2, int32 = 4, int64 = 8,
                 uint8 = 1, uint16 = 2, uint32 = 4, uint64 = 8, float16 = 2,
                 bfloat16 = 2, float32 = 4, float64 = 8, complex64 = 8,
                 complex128 = 16 }

--- The floats that complex numbers consist of.
local parts = { complex64 = "float32", complex128 = "float64" }
numbers.parts = parts

function numbers.is_float (dtype)
  return dtype:find "float" ~= nil
end

-- Whatever sign 0/0 has: the NaN that numbers of 16 bits have when stored.
local NAN = ("<d"):unpack("\0\0\0\0\0\0\xf8\x7f")

--- Floats of 16 bits: bits of the fraction, least exponent of a normal number.
local halves = { float16 = { 10, -14 }, bfloat16 = { 7, -126 } }

--- decode(bits, half) -> the number; by arithmetic, not by other bits.
local function decode (bits, half)
  local digits, least = table.unpack(half)
  local fraction = bits & ((1 << digits) - 1)
  local exponent = (bits & 0x7fff) >> digits
  local sign = bits < 0x8000 and 1.0 or -1.0
  if exponent == (1 << (15 - digits)) - 1 then
    return fraction == 0 and sign * huge or NAN
  elseif exponent == 0 then
    return sign * fraction * 2.0 ^ (least - digits)
  end
  return sign * (1 + fraction / 2.0 ^ digits) * 2.0 ^ (exponent + least - 1)
end

--- encode(x, half) -> bits of the nearest such number, of two the even one.
local function encode (x, half)
  local digits, least = table.unpack(half)
  local sign = (("<d"):pack(x):byte(8) & 0x80) << 8
  local infinite = 0x7fff & (-1 << digits)
  if x ~= x then
    return infinite | 1 << (digits - 1)
  elseif x == huge or x == -huge then
    return sign | infinite
  end
  x = math.abs(x)
  local e = math.max((("<i8"):unpack(("<d"):pack(x)) >> 52) - 1023, least)
  local n = x / 2.0 ^ (e - digits)
  local whole = n // 1
  if n - whole > 0.5 or n - whole == 0.5 and whole % 2 == 1 then
    whole = whole + 1
  end
  -- carries into the exponent where it must
  local bits = ((e - least) << digits) + math.tointeger(math.min(whole, 1e6))
  return sign | math.min(bits, infinite)
end

--- bits(x, dtype), value(bits, dtype): of floats of 16 bits.
function numbers.bits (x, dtype) return encode(x, halves[dtype]) end

function numbers.value (bits, dtype) return decode(bits, halves[dtype]) end

--- The dtype of a sum: nothing smaller than 64 bits for integers.
function numbers.sum_dtype (dtype)
  return numbers.is_float(dtype) and dtype or
         dtype:find "^u" and "uint64" or "int64"
end

local AT_ONCE = 100  -- elements a call: fewer calls take less time

local function format_of (dtype, n)
  return "<" .. formats[dtype]:sub(2):rep(n)
end

local function each (list, fn, dtype)
  if not halves[dtype] then
    return list
  end
  local new = {}
  for i, x in ipairs(list) do
    new[i] = fn(x, halves[dtype])
  end
  return new
end

--- pack(list, dtype) -> bytes. Complex numbers are { re, im }.
function numbers.pack (list, dtype)
  if parts[dtype] then
    local flat = {}
    for i, z in ipairs(list) do
      flat[2 * i - 1], flat[2 * i] = z[1], z[2]
    end
    return numbers.pack(flat, parts[dtype])
  end
  list = each(list, encode, dtype)
  local chunks, format = {}, format_of(dtype, AT_ONCE)
  for i = 1, #list, AT_ONCE do
    local last = math.min(i + AT_ONCE - 1, #list)
    if last - i + 1 < AT_ONCE then
      format = format_of(dtype, last - i + 1)
    end
    chunks[#chunks + 1] = format:pack(table.unpack(list, i, last))
  end
  return table.concat(chunks)
end

function numbers.unpack (bytes, dtype)
  if parts[dtype] then
    local flat, couples = numbers.unpack(bytes, parts[dtype]), {}
    for i = 1, #flat, 2 do
      couples[#couples + 1] = { flat[i], flat[i + 1] }
    end
    return couples
  end
  local list, n = {}, #bytes // numbers.size[dtype]
  local format, at = format_of(dtype, AT_ONCE), 1
  for i = 1, n, AT_ONCE do
    local count = math.min(AT_ONCE, n - i + 1)
    if count < AT_ONCE then
      format = format_of(dtype, count)
    end
    local some = { format:unpack(bytes, at) }
    at = some[count + 1]
    table.move(some, 1, count, i, list)
  end
  return each(list, decode, dtype)
end

--- Large integers on their way to float32 by float64 must not be rounded
-- twice: the bits below those that float32 looks at are joined into one bit.
local function sticky (x)
  if math.type(x) == "float" or x > -(1 << 53) and x < (1 << 53) then
    return x
  end
  return (x & ~0x7ff) | ((x & 0x7ff) ~= 0 and 0x400 or 0)
end

local function wrap (bits)
  local mask, sign = (1 << bits) - 1, 1 << (bits - 1)
  return function (x) return ((x & mask) ~ sign) - sign end
end

local function mask (bits)
  return function (x) return x & ((1 << bits) - 1) end
end

local fits = {
  bool = function (x) return x ~= 0 and 1 or 0 end,
  int8 = wrap(8), int16 = wrap(16), int32 = wrap(32),
  int64 = function (x) return x end,
  uint8 = mask(8), uint16 = mask(16), uint32 = mask(32),
  uint64 = function (x) return x end,
  float16 = function (x)
    return decode(encode(sticky(x) * 1.0, halves.float16), halves.float16)
  end,
  bfloat16 = function (x)
    return decode(encode(sticky(x) * 1.0, halves.bfloat16), halves.bfloat16)
  end,
  float32 = function (x)
    return (("<f"):unpack(("<f"):pack(sticky(x))))
  end,
  float64 = function (x) return x * 1.0 end  -- keeps the sign of zero
}

--- fit(x, dtype) -> the element that an exact number becomes: integers wrap
-- around, floats are rounded.
function numbers.fit (x, dtype)
  return fits[dtype](x)
end

local bounds = { int8 = { -128, 127 }, int16 = { -1 << 15, (1 << 15) - 1 },
                 int32 = { -1 << 31, (1 << 31) - 1 },
                 int64 = { math.mininteger, math.maxinteger },
                 uint8 = { 0, 255 }, uint16 = { 0, (1 << 16) - 1 },
                 uint32 = { 0, (1 << 32) - 1 }, uint64 = { 0, -1 } }
numbers.bounds = bounds

--- cut(x, to) -> a float as an integer of that type: the nearest towards 0, the
-- last there is where it lies beyond, 0 for NaN.
local function cut (x, to)
  local low, high = table.unpack(bounds[to])
  if x ~= x then
    return 0
  elseif x <= low then
    return low
  elseif x >= (to == "uint64" and 2.0 ^ 64 or high) then
    return high
  elseif x >= 2.0 ^ 63 then
    return math.tointeger(x - 2.0 ^ 63) + math.mininteger
  end
  return math.tointeger(x < 0 and -(-x // 1) or x // 1)
end

--- cast(x, to, from) -> x as an element of another type.
function numbers.cast (x, to, from)
  if math.type(x) == "float" and bounds[to] then
    return cut(x, to)
  elseif from == "uint64" and x < 0 and not bounds[to] and to ~= "bool" then
    return fits[to](fits[to](x >> 1 | x & 1) * 2)  -- the last bit sticks
  end
  return fits[to](x)
end

local function is_nan (x) return x ~= x end

--- ulps(x, y, dtype) -> how many numbers of that type they are apart; 0 only
-- if they are the same, signs of zeros included.
function numbers.ulps (x, y, dtype)
  if parts[dtype] then
    return math.max(numbers.ulps(x[1], y[1], parts[dtype]),
                    numbers.ulps(x[2], y[2], parts[dtype]))
  elseif x == y and x ~= 0 then
    return 0
  elseif is_nan(x) or is_nan(y) then
    return is_nan(x) and is_nan(y) and 0 or huge
  elseif not numbers.is_float(dtype) then
    return x == y and 0 or huge
  end
  local format = "<i" .. numbers.size[dtype]
  local lowest = -1 << (8 * numbers.size[dtype] - 1)
  local function order (v)
    local i = format:unpack(numbers.pack({ v }, dtype))
    return i >= 0 and i or lowest - i - 1
  end
  return math.abs(order(x) - order(y))
end

--}}

return numbers
