--[[
describe.lua - tide.describe(a): summary statistics of an array, as a table that
prints with a line for each.

All of them come from one sorted copy, in which NaNs are last, so they describe
a single moment. Only the figures are fetched, by copies that are waited for
once.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local find <const>, format <const>, gsub <const>, match <const>, rep <const> =
  string.find, string.format, string.gsub, string.match, string.rep

local SHARES <const> = { 0.25, 0.5, 0.75 }
local NAN <const> = 0 / 0

--{{ as text

local ORDER <const> = { "count", "nans", "mean", "std", "min", "q25", "median",
                        "q75", "max" }
local NAMES <const> = { q25 = "25%", median = "50%", q75 = "75%" }

-- Short aliases of the names of pandas.
local also <const> = { ["25%"] = "q25", ["50%"] = "median", ["75%"] = "q75",
                       q50 = "median" }

--- Tells whether the figures are readable with six decimals, by the largest
-- one.
local function are_plain (description)
  local most = 0
  for _, name in ipairs(ORDER) do
    local x <const> = description[name]
    local size <const> = x < 0 and -x or x
    if math.type(x) == "float" and size < 1 / 0 and size > most then
      most = size
    end
  end
  return most == 0 or most >= 1e-3 and most < 1e12
end

--- Formats an integer, which for uint64 may be above math.maxinteger.
local function whole (x, dtype)
  if dtype ~= "uint64" or x >= 0 then
    return tostring(x)
  end
  local tenth <const> = (x >> 1) // 5
  return format("%d%d", tenth, x - tenth * 10)
end

--- Returns the text before the decimal point, and the rest.
local function digits (x, dtype, plain)
  if math.type(x) == "integer" then
    return whole(x, dtype), ""
  elseif x ~= x then
    return "nan", ""
  end
  local text <const> = format(plain and "%.6f" or "%.6e", x)
  return match(gsub(text, "^%-(0%.0+)$", "%1"), "^([^%.]*)(.*)$")
end

local function description__tostring (description)
  local plain <const> = are_plain(description)
  local heads, tails, wide = {}, {}, 0
  for i, name in ipairs(ORDER) do
    heads[i], tails[i] = digits(description[name], description.dtype,
                                plain)
    wide = math.max(wide, #heads[i])
  end
  for i, name in ipairs(ORDER) do
    heads[i] = format("%-5s  %s%s%s", NAMES[name] or name,
      rep(" ", wide - #heads[i]), heads[i], tails[i])
  end
  return table.concat(heads, "\n") .. "\ndtype  " .. description.dtype
end

local meta <const> = { __tostring = description__tostring }

function meta.__index (description, name)
  local own <const> = also[name]
  return own and rawget(description, own)
end

--}}

--{{ figures

--- Returns the elements of a sorted array at fractional indices from 0,
-- interpolated as in NumPy.
local function between (sorted, places)
  local low <const> = places:floor()
  local part <const> = places - low
  local first <const> = sorted:take((low + 1):astype "int64"):astype "float64"
  local second <const> = sorted:take((places:ceil() + 1):astype "int64")
                               :astype "float64"
  local step <const> = second - first
  local near <const> = part:ge(0.5):where(second - step * (1 - part),
                                          first + step * part)
  return first:eq(second):where(first, near)  -- infinities have no difference
end

--- Computes the figures of sorted floats as one HostArray: number of NaNs,
-- mean, standard deviation, minimum, quartiles, maximum.
local function of_floats (sorted)
  local nans <const> = sorted:isnan():count_nonzero():astype "float64"
  local count <const> = #sorted - nans
  local mean <const> = sorted:nansum{ dtype = "float64" } / count
  local std <const> = sorted:nanstd{ ddof = 1 }:astype "float64"
  local shares <const> = tide.array({ 0, SHARES[1], SHARES[2], SHARES[3], 1 },
                                    "float64")
  local places <const> = (shares * (count - 1)):maximum(0)
  return tide.concatenate{ nans:reshape(1), mean:reshape(1), std:reshape(1),
                           between(sorted, places) }:tohost{ blocking = false }
end

--- Computes the figures of sorted integers: mean, standard deviation,
-- quartiles; and the exact minimum and maximum.
local function of_integers (sorted)
  local n <const> = #sorted
  local all <const> = tide.concatenate{
    sorted:mean():reshape(1), sorted:std{ ddof = 1 }:reshape(1),
    between(sorted, tide.array(SHARES, "float64") * (n - 1))
  }
  local ends <const> = sorted:take(tide.array{ 1, n })
  return all:tohost{ blocking = false }, ends:tohost{ blocking = false }
end

local WIDER <const> = { bool = "uint8", float16 = "float32",
                        bfloat16 = "float32" }

local function queue (a)
  local flat <const> = a:reshape(-1)
  local wider <const> = WIDER[flat.dtype]
  local sorted <const> = (wider and flat:astype(wider) or flat):sort()
  return (find(sorted.dtype, "float") and of_floats or of_integers)(sorted)
end

--- Returns the figures of an array that has elements, in the order of ORDER
-- without the count. Frees temporaries on the device at once.
local function figures (a)
  local at <const>, ends <const> = tide.with_device(a.device, function ()
    return tide.scope(queue, a)
  end)
  if not ends then
    return at[1] // 1 | 0, at[2], at[3], at[4], at[5], at[6], at[7], at[8]
  end
  local least <const>, greatest <const> = ends[1], ends[2]  -- later than 'at'
  return 0, at[1], at[2], least, at[3], at[4], at[5], greatest
end

--}}

--- describe(a) -> { count =, nans =, mean =, std =, min =, q25 =, median =, q75
-- =, max =, dtype = }: count excludes NaNs, std is that of a sample. 'first':
-- the number of `a` among the arguments, 0 for a method's object.
return function (first, a, extra)
  arguments.check_end(extra, first + 1, "describe")
  if first == 0 then
    arguments.check_object(a, "tide.Array", "describe")
  elseif getmetatable(a) ~= "tide.Array" then
    arguments.refuse(first, "describe", "tide.Array expected, got " ..
                     arguments.kind_of(a), 2)
  end
  local dtype <const>, why <const> = arguments.field(a, "dtype")
  if not dtype then
    arguments.refuse(first, "describe", why, 2)
  elseif find(dtype, "complex") then
    error(format("'describe' is not defined for %s arrays", dtype), 2)
  end
  local nans, mean, std, least, q25, median, q75, greatest = 0, NAN, NAN, NAN,
                                                             NAN, NAN, NAN, NAN
  if a.size > 0 then
    arguments.check_wait(a, "describe")
    nans, mean, std, least, q25, median, q75, greatest = figures(a)
  end
  return setmetatable({ count = a.size - nans, nans = nans, mean = mean,
                        std = std, min = least, q25 = q25, median = median,
                        q75 = q75, max = greatest, dtype = dtype }, meta)
end
