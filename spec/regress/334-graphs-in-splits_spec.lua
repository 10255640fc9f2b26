--[[
A rank that waits in comm:split may launch a graph with operations of the
communicator, in a host function. Other ranks took it for one that will not come
to that operation, and all were told that they do not agree.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

-- Sixty rounds of what stands between, with a graph g and a stream s.
local BEGIN <const> = [==[
local x = tide.ones(4)
local g = tide.capture(function () comm:all_reduce(x, "avg") end)
local s = tide.Stream{ non_blocking = true }
for i = 1, 60 do
]==]
local END <const> = "x:totable() end"

describe("a graph that is launched within a split", function ()
  local function works (what, code)
    ranks.several(kind, 2, what, function (mode)
      ranks.works(kind, mode, BEGIN .. code .. END, 30)
    end)
  end

  works("by one rank, and by the other one behind it", [[
    if comm.rank == 0 then
      s:launch_host_func(function () g:launch() end)
      local c = comm:split(0)
      s:synchronize()
      c:close()
    else
      comm:split(0):close()
      g:launch()
    end
  ]])

  works("by both", [[
    s:launch_host_func(function () g:launch() end)
    local t = tide.clock()
    while tide.clock() - t < 0.002 * (i % 3) do end
    local c = comm:split(0)
    s:synchronize()
    c:close()
  ]])
end)

end)
