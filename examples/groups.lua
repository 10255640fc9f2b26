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

-- the place of each row's key among the different keys, and how often each is
local keys, group, counts = columns.key:unique{ return_inverse = true,
                                                return_counts = true }
local n = #keys
local means = tide.zeros(n):scatter_add(group, value) / counts
local most = tide.full(n, -math.huge):scatter_max(group, value)

print(("%d rows in %.3f s"):format(#value, seconds))
print("    key    count      mean  greatest")
for i = 1, n do
  print(("%7d %8d %9.4f %9.4f"):format(keys[i], counts[i], means[i], most[i]))
end

assert(counts:sum():item() == #value)
if made then
  assert(tide.allclose(means, keys / 2, { atol = 0.1 }))
  os.remove(path)
end
