--[[
ranks_sort.lua - numbers of all ranks in order: each sorts its own, all agree on
where the parts of each rank begin, and each gets its part of all.

  mpirun -n 2 lua5.4 examples/ranks_sort.lua
  torchrun --no-python --nproc-per-node 2 lua5.4 examples/ranks_sort.lua
  TIDE_HOST_DEVICES=4 lua5.4 examples/ranks_sort.lua         one process

Behind the name: how many numbers each rank has.
]]
local tide = require "tide"

local NUMBERS <const>, SAMPLES <const> = tonumber(arg and arg[1]) or 1 << 18, 64

local comm <close> = tide.dist.launcher() and tide.dist.init() or
                     tide.comm(tide.devices(tide.get_device().kind))
local size <const> = comm.size

local function each (fn)
  local list = {}
  for i, dev in ipairs(comm.devices) do
    list[i] = tide.with_device(dev, function () return fn(i, comm.ranks[i]) end)
  end
  return list
end

local own = each(function (_, r)
  tide.random.seed(r)
  return tide.random.normal(0, 1, NUMBERS, "float32"):sort()
end)

--- The numbers of all ranks -> those of each part.
local function in_order ()
  -- Every rank gives some of its numbers; those between parts are in these.
  local samples = comm:all_gather(each(function (i)
    return own[i][{ { 1, NUMBERS, math.max(1, NUMBERS // SAMPLES) } }]
  end))
  local counts = each(function (i)
    local all, m = samples[i]:sort(), samples[i].size
    local ends = { 0 }
    for r = 1, size - 1 do
      local between = all[{ { m * r // size, m * r // size } }]
      ends[r + 1] = own[i]:searchsorted(between)[1] - 1
    end
    ends[size + 1] = NUMBERS
    return tide.array(ends, "int64"):diff()
  end)
  local coming = comm:all_to_all(counts)         -- how many come from whom

  local got = each(function (i) return tide.empty(coming[i]:sum():item(),
                                                  "float32") end)
  comm:group(function ()
    for k = 0, size - 1 do                       -- round by round
      local give, take, to, from = {}, {}, {}, {}
      for i, r in ipairs(comm.ranks) do
        to[i], from[i] = (r + k) % size, (r - k) % size
        local function cut (a, numbers, at)
          local list, first = numbers:totable(), 1
          for q = 1, at do first = first + list[q] end
          return a:slice(first, first + list[at + 1] - 1)
        end
        give[i] = cut(own[i], counts[i], to[i])
        take[i] = cut(got[i], coming[i], from[i])
      end
      comm:send(give, to)
      comm:recv(take, from)
    end
  end)
  return each(function (i) return got[i]:sort() end)
end

in_order()                                       -- ranks connect in the first
comm:barrier()
local start = tide.clock()
local parts = in_order()
comm:barrier()
local ms = (tide.clock() - start) * 1000

-- Each part is in order, they are behind each other, and none is lost.
local ends = comm:all_gather(each(function (i)
  local part, none = parts[i], 0 / 0             -- a part may have nothing
  if part.size == 0 then return tide.array({ none, none }, "float32") end
  return tide.concatenate{ part:slice(1, 1), part:slice(-1, -1) }
end))[1]:totable()
local last = -math.huge
for _, x in ipairs(ends) do
  assert(x ~= x or last <= x)
  last = x == x and x or last
end
local sizes = comm:all_gather(each(function (i)
  return tide.array({ parts[i].size }, "int64")
end))[1]
assert(sizes:sum():item() == NUMBERS * size)
if comm.rank == 0 then
  print(("%d numbers in order on %d ranks in %.1f ms"):format(NUMBERS * size,
                                                             size, ms))
end
