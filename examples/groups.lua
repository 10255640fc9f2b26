--[[
groups.lua [FILE] - group-by of a CSV: the count, mean and greatest value of
column "value" for each integer in column "key", without a loop over rows.

  lua5.4 examples/groups.lua measured.csv
]]
local tide = require "tide"

local KEYS <const>, ROWS <const> = 8, 200000

--- A file of keys and values: those of key k have the mean k / 2.
local function new_file ()
  local path = os.tmpname()
  local keys = tide.random.randint(1, KEYS, ROWS, "int64"):astype "float64"
  local values = keys / 2 + tide.random.normal(ROWS)
  tide.savetxt(path, tide.stack({ keys, values }, 2), {
    fmt = { "%d", "%.6f" }, delimiter = ",", header = "key,value", comments = ""
  })
  return path
end

local path, made = arg[1], false
if not path then path, made = new_file(), true end

local seconds = tide.clock()
local columns = tide.loadtxt(path, { delimiter = ",", names = true })
local value = columns.value
seconds = tide.clock() - seconds

local keys, found = tide.group(columns.key, value, { "count", "mean", "max" })
print(("%d rows in %.3f s"):format(#value, seconds))
print("    key    count      mean  greatest")
for i = 1, #keys do
  print(("%7d %8d %9.4f %9.4f"):format(keys[i], found.count[i], found.mean[i],
                                       found.max[i]))
end

assert(found.count:sum():item() == #value)
if made then
  assert(tide.allclose(found.mean, keys / 2, { atol = 0.1 }))
  os.remove(path)
end
