--[[
luassert.lua - assertions about arrays for luassert, which busted uses:
docs/api/inspect.md. Lua 5.1 can read this file: see lua_version.lua.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local format, gsub, match = string.format, string.gsub, string.match
local assert = arguments.require("luassert", "luarocks install luassert, or " ..
                                 "apt install lua-luassert")

local FLOATS = { float16 = true, bfloat16 = true, float32 = true,
                 float64 = true, complex64 = true, complex128 = true }

--- Returns x as an Array, where x is any operand of tide.array_equal; or nil
-- and the reason.
local function array_of (x, device)
  local function make ()
    if getmetatable(x) == "tide.Array" then
      return x.device == device and x or x:to(device)
    end
    return tide.array(x)
  end
  local ok, array = arguments.try(tide.with_device, device, make)
  if ok then return array end
  local why = gsub(tostring(array), "^.-:%d+: ", "")
  why = gsub(why, "^cannot index: ", "")
  return nil, match(why, "^bad argument #%d+ to '[^']*' %((.*)%)$") or why
end

local function shape_text (x)
  return format("%s [%s]", x.dtype, table.concat(x.shape, ","))
end

--- Returns the index of the n-th element in row-major order, as text.
local function index_text (x, n)
  local list, shape = {}, x.shape
  n = n - 1
  for axis = #shape, 1, -1 do
    list[axis] = format("%d", n % shape[axis] + 1)
    n = math.floor(n / shape[axis])
  end
  return "[" .. table.concat(list, ",") .. "]"
end

--- Returns the mask of differing elements. NaN is equal to NaN.
local function differing (expected, actual, options)
  if options then
    return tide.isclose(actual, expected, options):logical_not()
  end
  local mask = actual:ne(expected)
  if FLOATS[expected.dtype] and FLOATS[actual.dtype] then
    mask = mask:logical_and(actual:eq(actual):logical_or(expected:eq(expected)))
  end
  return mask
end

--- Returns the device of the first array.
local function device_of (values)
  for i = 1, 2 do
    local x = values[i]
    local device = getmetatable(x) == "tide.Array" and
                   arguments.field(x, "device")
    if device then return device end
  end
  return tide.get_device()
end

--- Returns the difference as text, or nil if there is none; or nil, the number
-- of the value that is not an array, and the reason.
local function difference (values, options)
  local device = device_of(values)
  local expected, why = array_of(values[1], device)
  if why then return nil, 1, why end
  local actual
  actual, why = array_of(values[2], device)
  if why then return nil, 2, why end
  local shapes = { shape_text(expected), shape_text(actual) }
  if table.concat(expected.shape, ",") ~= table.concat(actual.shape, ",") then
    return format("Arrays have different shapes: expected %s, got %s",
      shapes[1], shapes[2])
  end
  local mask = differing(expected, actual, options):reshape(-1)
  local count = mask:sum():item()
  if count == 0 then return nil end
  local at = mask:argmax():item()
  return format("%d of %d elements differ; the first is %s: expected %s, " ..
                "got %s\nExpected:\n%s\nGot:\n%s", count, mask.size,
    index_text(expected, at), tostring(expected:reshape(-1)[at]),
    tostring(actual:reshape(-1)[at]), tostring(expected), tostring(actual))
end

--- Closes the arrays that are made meanwhile. Swaps the two values, because
-- luassert prints the first one as passed in, as assert.same does. Returns
-- whether they are equal; or nil, the number of the value that is not an array,
-- and the reason.
local function compare (state, values, message, options)
  local text, at, why = tide.scope(difference, values, options)
  if why then return nil, at, why end
  values[1], values[2] = values[2], values[1]
  if message ~= nil then state.failure_message = tostring(message) end
  if text then
    local said = state.failure_message
    state.failure_message = type(said) == "string" and said .. "\n" .. text or
                            text
  end
  return text == nil
end

--- Returns the number of the first wrong value, and the reason, or nothing. The
-- values from the third up to the message, which is number 'most', are
-- tolerances.
local function find_wrong (values, most)
  local n = values.n
  if n < 2 then
    return n + 1, "array, table or number expected, got no value"
  elseif n > most then
    return most + 1, "no value expected, got " ..
                     arguments.kind_of(values[most + 1])
  end
  for at = 3, most - 1 do
    local x = values[at]
    if x ~= nil and not (type(x) == "number" and x >= 0) then
      return at, "a number from 0 on expected, got " ..
                 (type(x) == "number" and arguments.number(x) or
                  arguments.kind_of(x))
    end
  end
end

--- Registers an assertion of at most 'most' values. 'level' is that of the
-- program's line where luassert calls the function.
local function register (name, most, options_of)
  local function check (state, values, level)
    local at, why = find_wrong(values, most)
    local same
    if not at then
      same, at, why = compare(state, values, values[most], options_of(values))
    end
    if at then
      error(format("bad argument #%d to '%s' (%s)", at, name, why), level + 1)
    end
    return same
  end
  assert:register("assertion", name, check, "assertion.same.positive",
                  "assertion.same.negative")
end

register("arrays_equal", 3, function () return nil end)

register("arrays_near", 5, function (values)
  return { rtol = values[3] or 1e-5, atol = values[4] or 1e-8,
           equal_nan = true }
end)
