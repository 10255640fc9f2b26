--[[
ranks_heat.lua - heat on a ring: each rank has a piece of it, and needs one
point of either neighbour at each step. The points are sent on a stream of their
own, while the inside of the piece is computed.

  mpirun -n 2 lua5.4 examples/ranks_heat.lua
  torchrun --no-python --nproc-per-node 2 lua5.4 examples/ranks_heat.lua
  TIDE_HOST_DEVICES=4 lua5.4 examples/ranks_heat.lua         one process

Behind the name: how many points there are, and steps.
]]
local tide = require "tide"

local WANTED <const> = tonumber(arg and arg[1]) or 1 << 16
local STEPS <const> = tonumber(arg and arg[2]) or 100
local RATE <const> = 0.2

local comm <close> = tide.dist.launcher() and tide.dist.init() or
                     tide.comm(tide.devices(tide.get_device().kind))
local ranks <const>, size <const> = comm.ranks, comm.size

local function each (fn)
  local list = {}
  for i, dev in ipairs(comm.devices) do
    list[i] = tide.with_device(dev, function () return fn(i, ranks[i]) end)
  end
  return list
end

local n <const> = WANTED // size
local POINTS <const> = n * size
local left, right = {}, {}
for i, r in ipairs(ranks) do
  left[i], right[i] = (r - 1) % size, (r + 1) % size
end

--- A piece has a place for its neighbours' points at each end.
local function wave (r)
  local at = tide.arange(n + 2, "float64") - 1 + r * n
  return (at * (2 * math.pi / POINTS)):sin()
end
local from, to = each(function (_, r) return wave(r) end),
                 each(function (_, r) return wave(r) end)
local halos = each(function () return tide.Stream{ non_blocking = true } end)

local function part (list, first, last)
  return each(function (i) return list[i][{ { first, last } }] end)
end

--- On the streams of the halos: hazards have the rest wait for what it needs.
local function exchange (list)
  local before = each(function (i)
    local stream = tide.get_current_stream()
    halos[i]:use()
    return stream
  end)
  comm:group(function ()
    comm:send(part(list, 2, 2), left)
    comm:send(part(list, n + 1, n + 1), right)
    comm:recv(part(list, n + 2, n + 2), right)
    comm:recv(part(list, 1, 1), left)
  end)
  each(function (i) before[i]:use() end)
end

local function spread (first, last)
  each(function (i)
    local a, z = from[i], to[i]
    z[{ { first, last } }] = a[{ { first, last } }] * (1 - 2 * RATE) +
      (a[{ { first - 1, last - 1 } }] + a[{ { first + 1, last + 1 } }]) * RATE
  end)
end

local function steps (count)
  for _ = 1, count do
    exchange(from)
    spread(3, n)                                 -- needs no neighbour
    spread(2, 2)
    spread(n + 1, n + 1)
    from, to = to, from
  end
  comm:barrier()
end

steps(2)                                         -- connects, and finds memory
local start = tide.clock()
steps(STEPS - 2)
local ms = (tide.clock() - start) * 1000 / (STEPS - 2)

-- A wave fades by a known law.
local kept = (1 - 2 * RATE * (1 - math.cos(2 * math.pi / POINTS))) ^ STEPS
each(function (i, r)
  local own, wanted = from[i][{ { 2, n + 1 } }], wave(r)[{ { 2, n + 1 } }]
  assert(tide.allclose(own, wanted * kept, 0, 1e-9))
end)
if comm.rank == 0 then
  print(("%d points on %d ranks: %.3f ms a step"):format(POINTS, size, ms))
end
