--[[
sweep_dist.lua - the part of sweep_calls.lua about communicators: adds to its
table. Each is of one rank, on the host device.
]]
local tide = require "tide"

local function nothing () end

--- Where ranks are: NCCL takes a second for each communicator, and the sweep
-- makes thousands.
local function place () return tide.Device "host" end

local function ones (comm, shape)
  return tide.with_device(comm.devices[1], function ()
    return tide.ones(shape or 4)
  end)
end

--- fn of a communicator that is there, and of a new one after it has failed.
local function with (fn)
  local comm = tide.comm{ place() }
  return function ()
    if comm.error then comm = tide.comm{ place() } end
    fn(comm)
  end
end

--- fn of a new one each time.
local function with_new (fn)
  local at = place()
  return function ()
    local comm <close> = tide.comm{ at }
    fn(comm)
  end
end

return function (calls, each)

calls["tide.comm"] = function () return with_new(nothing) end

calls["tide.dist.init"] = function ()
  local at, before = place(), tide.get_device()
  return function ()
    tide.dist.init{ device = at }:close()
    before:use()
  end
end

calls["tide.dist.launcher"] = function ()
  return function () tide.dist.launcher() end
end

each("Communicator:*", "all_reduce all_gather reduce_scatter all_to_all",
     function (_, name)
  return with(function (comm) comm[name](comm, ones(comm)) end)
end)

each("Communicator:*", "reduce broadcast gather scatter", function (_, name)
  return with(function (comm)
    comm[name](comm, ones(comm, { 2, 3 }).T, 0)
  end)
end)

each("Communicator:*", "send recv group", function ()
  return with(function (comm)
    local x, y = ones(comm), ones(comm)
    comm:group(function ()
      comm:send(x, 0)
      comm:recv(y, 0)
    end)
  end)
end)

calls["Communicator:barrier"] = function ()
  return with(function (comm) comm:barrier() end)
end

calls["Communicator:split"] = function ()
  return with(function (comm) comm:split(0):close() end)
end

calls["Communicator:close"] = function ()
  return with_new(function (comm) comm:close() end)
end

each("Communicator.*", "__close __gc", function ()
  local comm = tide.comm{ place() }
  return function () local _ <close> = comm end
end)

each("Communicator.*", "devices error local_rank rank ranks size __index",
     function (_, name)
  local comm = tide.comm{ place() }
  return function () return comm[name == "__index" and "rank" or name] end
end)

calls["Communicator.__tostring"] = function ()
  local comm = tide.comm{ place() }
  return function () return tostring(comm) end
end

calls["Communicator.__newindex"] = function ()
  local comm = tide.comm{ place() }
  return function () assert(not pcall(function () comm.x = 1 end)) end
end

end
