--[[
A communicator that a finalizer or a host function closed while one of its calls
looked for memory was freed there, and the call went on with it. One that failed
there was called all the same.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local fails = helper.fails

local N <const> = 1 << 17

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

describe("a communicator", function ()
  local comm, x, rows

  before_each(function ()
    comm = tide.comm({ tide.get_device() }, { timeout = 30 })
    x, rows = tide.ones(N), tide.ones{ 2, N // 2 }:transpose()
    collectgarbage()
    tide.get_device():synchronize()
    tide.trim()
  end)

  after_each(function ()
    collectgarbage "restart"
    tide.memory_limit(0)
    if pcall(function () return comm.size end) then comm:close() end
    comm, x, rows = nil, nil, nil
  end)

  local CALLS <const> = {
    all_gather = function () return comm:all_gather(x) end,
    all_reduce = function () return comm:all_reduce(rows) end,
    all_to_all = function () return comm:all_to_all(rows) end,
    broadcast = function () return comm:broadcast(rows, 0) end,
    gather = function () return comm:gather(x, 0) end,
    reduce = function () return comm:reduce(rows, 0) end,
    reduce_scatter = function () return comm:reduce_scatter(rows) end,
    scatter = function () return comm:scatter(rows, 0) end,
    group = function ()
      return comm:group(function () comm:send(rows, 0) comm:recv(rows, 0) end)
    end
  }

  --- The memory that 'big' has is all that there is.
  local function crowd ()
    tide.get_device():synchronize()
    tide.memory_limit(tide.memory_stats().reserved)
  end

  for name, call in pairs(CALLS) do
    it("a finalizer closes it in " .. name, function ()
      local big = tide.ones(2 * N)
      crowd()
      collectgarbage "stop"
      local function close ()
        local _ <close> = comm
        big:close()
      end
      assert.is_table(setmetatable({}, { __gc = close }))
      fails("communicator is closed", call)
      fails("communicator is closed", call)
    end)

    it("a host function closes it in " .. name, function ()
      local big <const> = tide.ones(2 * N)
      crowd()
      local s <close> = helper.new_stream()
      local function close () local _ <close> = comm end
      s:with(function ()
        s:launch_host_func(close)
        big:add_(1)
      end)
      big:close()
      fails("communicator is closed", call)
    end)
  end

  ranks_it("fails in all_gather #process", function ()
    local timeout = kind == "cuda" and 5 or 2  -- NCCL takes long to meet
    ranks.works(kind, ranks.processes(kind, 2), [[
      connect(comm, 1)
      if comm.rank == 0 then
        local x, y, big = tide.ones(1), tide.ones(1 << 17),
                          tide.ones(1 << 18)
        local s = tide.Stream{ non_blocking = true }
        tide.get_device():synchronize()
        tide.memory_limit(tide.memory_stats().reserved)
        comm:all_reduce(x)
        s:with(function ()
          s:launch_host_func(function ()
            local til = tide.clock() + 2 * TIMEOUT
            repeat until tide.clock() >= til
          end)
          big:add_(1)
        end)
        big:close()
        fails("other ranks have not come", function ()
          comm:all_gather(y):await()  -- noticed there, or behind it
        end)
        tell()
      else
        told()
      end
    ]], timeout)
  end)
end)

end)
