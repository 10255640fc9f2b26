--[[
luassert.lua - assertions about arrays for luassert, which busted uses:
docs/api/inspect.md. Lua 5.1 can read this file: see lua_version.lua.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local assert = arguments.require("luassert", "luarocks install luassert, or " ..
                                 "apt install lua-luassert")

local FLOATS = { float16 = true, bfloat16 = true, float32 = true,
                 float64 = true, complex64 = true, complex128 = true }

--- An Array of x, which may be whatever tide.array_equal takes.
local function array_of (x, device)
  if getmetatable(x) ~= "tide.Array" then
    return tide.with_device(device, function () return tide.array(x) end)
  end
  return x.device == device and x or x:to(device)
end

local function shape_text (x)
  return ("%s [%s]"):format(x.dtype, table.concat(x.shape, ","))
end

--- The index of the element that comes n-th in row-major order, as text.
local function index_text (x, n)
  local list, shape = {}, x.shape
  n = n - 1
  for axis = #shape, 1, -1 do
    list[axis] = ("%d"):format(n % shape[axis] + 1)
    n = math.floor(n / shape[axis])
  end
  return "[" .. table.concat(list, ",") .. "]"
end

--- Which elements differ. NaN is equal to NaN.
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

--- What is different, or nil.
local function difference (expected, actual, options)
  local device = getmetatable(expected) == "tide.Array" and expected.device or
                 getmetatable(actual) == "tide.Array" and actual.device or
                 tide.get_device()
  expected, actual = array_of(expected, device), array_of(actual, device)
  local shapes = { shape_text(expected), shape_text(actual) }
  if table.concat(expected.shape, ",") ~= table.concat(actual.shape, ",") then
    return ("Arrays have different shapes: expected %s, got %s"):format(
      shapes[1], shapes[2])
  end
  local mask = differing(expected, actual, options):reshape(-1)
  local count = mask:sum():item()
  if count == 0 then return nil end
  local at = mask:argmax():item()
  return ("%d of %d elements differ; the first is %s: expected %s, got %s\n" ..
          "Expected:\n%s\nGot:\n%s"):format(count, mask.size,
    index_text(expected, at), tostring(expected:reshape(-1)[at]),
    tostring(actual:reshape(-1)[at]), tostring(expected), tostring(actual))
end

--- Arrays that are made meanwhile are closed. luassert prints what was passed
--- in first, as assert.same does: the two values change places.
local function compare (state, values, message, options)
  local text = tide.scope(difference, values[1], values[2], options)
  values[1], values[2] = values[2], values[1]
  if message ~= nil then state.failure_message = tostring(message) end
  if text then
    local said = state.failure_message
    state.failure_message = type(said) == "string" and said .. "\n" .. text or
                            text
  end
  return text == nil
end

local function equal (state, values)
  return compare(state, values, values[3])
end

local function near (state, values)
  return compare(state, values, values[5], { rtol = values[3] or 1e-5,
                                             atol = values[4] or 1e-8,
                                             equal_nan = true })
end

for name, fn in pairs{ arrays_equal = equal, arrays_near = near } do
  assert:register("assertion", name, fn, "assertion.same.positive",
                  "assertion.same.negative")
end
