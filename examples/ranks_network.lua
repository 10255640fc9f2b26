--[[
ranks_network.lua - the network of network.lua, trained by several ranks: each
has a part of the points, and they have the mean of their gradients. The loss is
the same for any number of ranks.

  mpirun -n 2 lua5.4 examples/ranks_network.lua
  torchrun --no-python --nproc-per-node 2 lua5.4 examples/ranks_network.lua
  TIDE_HOST_DEVICES=2 lua5.4 examples/ranks_network.lua      one process
]]
local tide = require "tide"

local POINTS <const>, HIDDEN <const>, STEPS <const> = 512, 32, 200
local RATE <const> = 1.0

local comm <close> = tide.dist.launcher() and tide.dist.init() or
                     tide.comm(tide.devices(tide.get_device().kind))

--- fn(rank, i) for each rank of this process, on its device: a list.
local function each (fn)
  local list = {}
  for i, dev in ipairs(comm.devices) do
    list[i] = tide.with_device(dev, function () return fn(comm.ranks[i], i) end)
  end
  return list
end

--- All draw the same, and take their part of the points.
local models = each(function (rank)
  tide.random.seed(3)
  local x = tide.random.uniform(-1, 1, { POINTS, 2 }, "float32")
  local radius = (x * x):sum(2, { keepdims = true }):sqrt()
  local wanted = (radius:gt(0.4) & radius:lt(0.8)):astype "float32"
  local n = POINTS // comm.size
  local rows = { rank * n + 1, (rank + 1) * n }
  return {
    x = x[{ rows }], wanted = wanted[{ rows }], n = n,
    w1 = tide.random.normal(0, 2, { 2, HIDDEN }, "float32"),
    b1 = tide.random.normal(0, 1, HIDDEN, "float32"),
    w2 = tide.random.normal(0, 0.3, { HIDDEN, 1 }, "float32"),
    b2 = tide.zeros(1, "float32")
  }
end)

local function gradients (m)
  local hidden = (m.x:matmul(m.w1) + m.b1):tanh()
  local p = (hidden:matmul(m.w2) + m.b2):sigmoid()
  local d2 = (p - m.wanted) / m.n
  local d1 = d2:matmul(m.w2.T) * (1 - hidden * hidden)
  p = p:clip(1e-6, 1 - 1e-6)
  return { w2 = hidden.T:matmul(d2), b2 = d2:sum(1), w1 = m.x.T:matmul(d1),
           b1 = d1:sum(1), loss = -tide.mean(m.wanted * p:log() +
                                             (1 - m.wanted) * (1 - p):log()) }
end

local losses = {}
for step = 1, STEPS do
  local found = each(function (_, i) return gradients(models[i]) end)
  for _, name in ipairs{ "w1", "b1", "w2", "b2", "loss" } do
    comm:all_reduce(each(function (_, i) return found[i][name] end), "avg")
  end
  each(function (_, i)
    for _, name in ipairs{ "w1", "b1", "w2", "b2" } do
      models[i][name]:sub_(found[i][name] * RATE)
    end
  end)
  if step % 40 == 1 then losses[#losses + 1] = found[1].loss:item() end
end

if comm.rank == 0 then
  print(("%d ranks, loss %.4f to %.4f"):format(comm.size, losses[1],
                                               losses[#losses]))
end
assert(losses[#losses] < losses[1] / 1.5)
