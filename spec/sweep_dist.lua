--[[
sweep_dist.lua - the part of sweep_calls.lua about communicators: adds to its
table. Each is of one rank. Where there is no NCCL for GPUs, they are of the
host device.
]]
local tide = require "tide"

local function nothing () end

--- Where ranks can be, if not on 'dev'.
local function place (dev)
  local ok, comm = pcall(tide.comm, { dev })
  if not ok then return tide.Device "host" end
  comm:close()
  return dev
end

local function ones (comm, shape)
  return tide.with_device(comm.devices[1], function ()
    return tide.ones(shape or 4)
  end)
end

--- A communicator that is closed with what is tried.
local function with (dev, fn)
  local at = place(dev)
  return function ()
    local comm <close> = tide.comm{ at }
    fn(comm)
  end
end

return function (calls, each)

calls["tide.comm"] = function (dev) return with(dev, nothing) end

calls["tide.dist.init"] = function (dev)
  local at, before = place(dev), tide.get_device()
  return function ()
    tide.dist.init{ device = at }:close()
    before:use()
  end
end

calls["tide.dist.launcher"] = function ()
  return function () tide.dist.launcher() end
end

each("Communicator:*", "all_reduce all_gather reduce_scatter all_to_all",
     function (dev, name)
  return with(dev, function (comm) comm[name](comm, ones(comm)) end)
end)

each("Communicator:*", "reduce broadcast gather scatter", function (dev, name)
  return with(dev, function (comm)
    comm[name](comm, ones(comm, { 2, 3 }).T, 0)
  end)
end)

each("Communicator:*", "send recv group", function (dev)
  return with(dev, function (comm)
    local x, y = ones(comm), ones(comm)
    comm:group(function ()
      comm:send(x, 0)
      comm:recv(y, 0)
    end)
  end)
end)

calls["Communicator:barrier"] = function (dev)
  return with(dev, function (comm) comm:barrier() end)
end

calls["Communicator:split"] = function (dev)
  return with(dev, function (comm) comm:split(0):close() end)
end

calls["Communicator:close"] = function (dev)
  return with(dev, function (comm) comm:close() end)
end

each("Communicator.*", "__close __gc", function (dev)
  return with(dev, nothing)
end)

each("Communicator.*", "devices error local_rank rank ranks size __index",
     function (dev, name)
  local comm = tide.comm{ place(dev) }
  return function () return comm[name == "__index" and "rank" or name] end
end)

calls["Communicator.__tostring"] = function (dev)
  local comm = tide.comm{ place(dev) }
  return function () return tostring(comm) end
end

calls["Communicator.__newindex"] = function (dev)
  local comm = tide.comm{ place(dev) }
  return function () assert(not pcall(function () comm.x = 1 end)) end
end

end
