--[[
group.lua - tide.group(keys, values, functions): figures of the values of each
group, where a group is the elements whose keys are equal.

`unique` numbers the groups. Sums and extremes are scattered to the number of
each element's group; medians come from a sort by value and then by group.
Figures that others need too, as the sums of a mean, are computed once.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local find <const>, format <const> = string.find, string.format
local wrong_array <const> = arguments.wrong_array

--{{ figures

-- Each function computes a figure of the groups from 'g', whose fields are
-- figures too, or are set by queue: v, the values; member, the number of each
-- element's group; place, the first place of each group; count; size, the
-- number of groups; ddof.
local figures <const> = {}

--- Makes a figure's number for each group broadcast to the shape of values.
local function beside (g, numbers)
  local shape <const> = { numbers.shape[1] }
  for i = 2, g.v.ndim do shape[i] = 1 end
  return numbers:reshape(shape)
end

local function is_complex (a) return find(a.dtype, "^complex") ~= nil end

local function is_float (a) return is_complex(a) or find(a.dtype, "float") end

--- Returns an array with a row of 'value' for each group.
local function rows (g, value, dtype)
  local shape <const> = g.v.shape
  shape[1] = g.size
  return tide.full(shape, value, dtype)
end

local function add_up (g, v, dtype)
  return rows(g, 0, dtype):scatter_add(g.member, v, 1)
end

function figures.wide_dtype (g)
  return is_complex(g.v) and "complex128" or "float64"
end

function figures.wide (g) return g.v:astype(g.wide_dtype) end

function figures.wide_sum (g) return add_up(g, g.wide, g.wide_dtype) end

function figures.wide_mean (g) return g.wide_sum / beside(g, g.count) end

function figures.wide_var (g)
  local off <const> = g.wide - g.wide_mean:take(g.member, 1)
  local freedom <const> = (g.count - g.ddof):maximum(0)
  return add_up(g, off * off, "float64") / beside(g, freedom)
end

--- Converts a figure in float64 or complex128 to the dtype of floats of the
-- values, or leaves it.
local function narrow (g, x)
  return is_float(g.v) and x:astype(g.v.dtype) or x
end

function figures.sum (g)
  if is_float(g.v) then return add_up(g, g.v, g.v.dtype) end
  local dtype <const> = find(g.v.dtype, "^uint") and "uint64" or "int64"
  return add_up(g, g.v:astype(dtype), dtype)
end

function figures.mean (g) return narrow(g, g.wide_mean) end

function figures.var (g) return narrow(g, g.wide_var) end

function figures.std (g) return narrow(g, g.wide_var:sqrt()) end

function figures.first (g) return g.v:take(g.place, 1) end

function figures.min (g)
  return figures.first(g):scatter_min(g.member, g.v, 1)
end

function figures.max (g)
  return figures.first(g):scatter_max(g.member, g.v, 1)
end

function figures.truth (g) return g.v:ne(0) end

function figures.any (g)
  return rows(g, false, "bool"):scatter_max(g.member, g.truth, 1)
end

function figures.all (g)
  return rows(g, true, "bool"):scatter_min(g.member, g.truth, 1)
end

function figures.last (g)
  local n <const> = g.v.shape[1]
  local places <const> = tide.zeros(g.size, "int64")
    :scatter_max(g.member, tide.arange(1, n + 1, 1, "int64"))
  return g.v:take(places, 1)
end

--- Sorts each column by group, and by value within a group.
function figures.sorted (g)
  local by_value <const> = g.v:argsort(1)
  local by_group <const> = g.member:take(by_value):argsort(1)
  return g.v:take_along_axis(by_value:take_along_axis(by_group, 1), 1)
end

function figures.median (g)
  local before <const> = g.count:cumsum() - g.count
  local function at (place)
    return g.sorted:take(before + place, 1):astype "float64"
  end
  local low <const> = at((g.count - 1) // 2 + 1)
  local high <const> = at(g.count // 2 + 1)
  local last <const> = at(g.count)  -- NaN if there is one
  local middle <const> = low:eq(high):where(low, low / 2 + high / 2)
  return narrow(g, last:isnan():where(last, middle))
end

local function compute (g, name)
  local x <const> = figures[name](g)
  rawset(g, name, x)
  return x
end

local lazy <const> = { __index = compute }

--}}

--{{ groups

--- Numbers the pairs of two numberings, in order.
local function pair (a, b, nb) return (a - 1) * nb + b end

--- Returns the different keys, as a list with an array for each array of keys;
-- and of the groups: the first places, the number of each element's group, and
-- the counts.
local function find_groups (keys)
  local all <const> = { return_index = true, return_inverse = true,
                        return_counts = true }
  if #keys == 1 then
    local values <const>, first, member, count = keys[1]:unique(all)
    return { values }, first, member, count
  end
  local number
  for i = 1, #keys do
    local values <const>, member <const> = keys[i]:unique{
      return_inverse = true }
    number = number and pair(number, member, #values) or member
    if i > 2 and i < #keys then  -- so that pairs of pairs fit into int64
      number = select(2, number:unique{ return_inverse = true })
    end
  end
  local _, first <const>, member <const>, count <const> = number:unique(all)
  local values <const> = {}
  for i = 1, #keys do values[i] = keys[i]:take(first) end
  return values, first, member, count
end

--- Returns the different keys, then a figure for each name.
local function queue (keys, v, names, ddof)
  local values <const>, place <const>, member <const>, count <const> =
    find_groups(keys)
  local g <const> = setmetatable({ v = v, place = place, member = member,
                                   count = count, size = #count, ddof = ddof },
                                 lazy)
  for i = 1, #names do
    values[#keys + i] = g[names[i]]
  end
  return table.unpack(values)
end

--}}

--{{ arguments

-- The functions by name; true: also of complex values.
local FUNCTIONS <const> = {
  all = true, any = true, count = true, first = true, last = true, max = false,
  mean = true, median = false, min = false, std = false, sum = true,
  var = false
}
local NAMES <const> = "all any count first last max mean median min std sum var"
local OPTIONS <const> = { "ddof" }

-- The functions below return what is wrong with an argument, or nil.

local function wrong_key (key, first)
  local why <const> = wrong_array(key)
  if why then
    return why
  elseif key.ndim ~= 1 then
    return format("keys have one dimension, got %d", key.ndim)
  elseif is_complex(key) then
    return format("%s keys have no order", key.dtype)
  elseif #key ~= #first then
    return format("%d keys expected, as in the first array, got %d", #first,
                                                                     #key)
  elseif key.device ~= first.device then
    return "keys are on different devices"
  end
end

local function wrong_keys (keys, list)
  local stray <const> = type(keys) == "table" and arguments.stray_key(keys)
  if stray then return stray .. " in a list of arrays of keys" end
  if #list == 0 then return "Array or list of Arrays expected, got no array" end
  for i = 1, #list do
    local why <const> = wrong_key(list[i], list[1])
    if why and type(keys) ~= "table" then return why end
    if why then return format("item %d: %s", i, why) end
  end
end

local function wrong_values (v, key, names)
  if v == nil and #names == 1 and names[1] == "count" then return end
  local why <const> = wrong_array(v)
  if why then
    return why
  elseif v.ndim == 0 or v.shape[1] ~= #key then
    return format("a first axis of length %d expected, as there are keys, " ..
                  "got %s", #key, v.ndim == 0 and "no axis" or v.shape[1])
  elseif v.device ~= key.device then
    return "keys and values are on different devices"
  end
  for i = 1, is_complex(v) and #names or 0 do
    if not FUNCTIONS[names[i]] then
      return format("'%s' is not defined for %s arrays", names[i], v.dtype)
    end
  end
end

local function wrong_functions (names)
  if type(names) ~= "table" then
    return "list of functions expected, got " .. arguments.kind_of(names)
  end
  local stray <const> = arguments.stray_key(names)
  if stray then return stray .. " in a list of functions" end
  if #names == 0 then return "list of functions expected, got an empty one" end
  for i = 1, #names do
    local name <const> = names[i]
    if type(name) ~= "string" then
      return format("item %d: string expected, got %s", i,
               arguments.kind_of(name))
    elseif FUNCTIONS[name] == nil then
      return format("no function '%s'; there are %s", name, NAMES)
    end
  end
end

local function wrong_ddof (options)
  local ddof <const> = options and options.ddof
  if ddof ~= nil and type(ddof) ~= "number" then
    return "option 'ddof' must be a number, got " .. arguments.kind_of(ddof)
  end
end

local function check (at, why)
  if why then arguments.refuse(at, "group", why, 3) end
end

local function copy (list) return table.move(list, 1, #list, 1, {}) end

--}}

--- group(keys [, values, functions [, { ddof = }]]) -> the different keys (of a
-- list of keys a list), { [function] = its figures }.
return function (keys, values, functions, options)
  local list <const> = type(keys) == "table" and copy(keys) or { keys }
  if options ~= nil then
    arguments.check_options("group", 4, options, OPTIONS)
  end
  check(1, keys == nil and "tide.Array expected, got no value" or
           wrong_keys(keys, list))
  if values == nil and functions == nil then functions = { "count" } end
  check(3, wrong_functions(functions))
  local names <const> = copy(functions)
  check(2, wrong_values(values, list[1], names))
  check(4, wrong_ddof(options))
  arguments.check_wait(list[1], "group")
  local ddof <const> = options and options.ddof or 0
  local found <const> = { tide.with_device(list[1].device, function ()
    return tide.scope(queue, list, values, names, ddof)
  end) }
  local out <const> = {}
  for i = 1, #names do out[names[i]] = found[#list + i] end
  if type(keys) ~= "table" then return found[1], out end
  return table.move(found, 1, #list, 1, {}), out
end
