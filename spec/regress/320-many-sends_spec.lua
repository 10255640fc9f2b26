--[[
What ranks of host devices exchange as one operation took a time that grew with
the square of it: each part was looked at for each other one.
]]
local helper = require "spec.support.helper"

describe("a group of many sends and receives #process", function ()
  it("is done in a moment", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local N <const> = 8000
      local comm = tide.comm({ "host:0", "host:1" }, { timeout = 20 })
      local function each (fn)
        local list = {}
        for i, dev in ipairs(comm.devices) do
          dev:use()
          list[i] = fn(i)
        end
        return list
      end
      local from = each(function (i)
        return tide.arange(N, "float64") + i * N
      end)
      local to = each(function () return tide.zeros(N) end)
      comm:group(function ()
        for i = 1, N do
          local function at (x) return x:slice(i, i) end
          comm:send({ at(from[1]), at(from[2]) }, { 1, 0 })
          comm:recv({ at(to[1]), at(to[2]) }, { 1, 0 })
        end
      end)
      local start = tide.clock()
      each(function (i)
        assert(to[i][1] == (3 - i) * N and to[i][-1] == (4 - i) * N - 1)
        assert((to[i]:diff() - 1):abs():max():item() == 0)
      end)
      local took = tide.clock() - start
      assert(took < 2, took)
    ]], { TIDE_HOST_DEVICES = "2" })
  end)
end)
