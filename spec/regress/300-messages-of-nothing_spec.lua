--[[
Of an array without elements comm:send and comm:recv said that it was closed
meanwhile.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

describe("an array without elements", function ()
  local on_ranks = ranks.specs(kind)

  on_ranks("goes from rank to rank", [[
    local size = comm.size
    local function list (fn)
      local all = each(fn)
      return all[2] and all or all[1]
    end
    local to = list(function (r) return (r + 1) % size end)
    local from = list(function (r) return (r - 1) % size end)
    for _, shape in ipairs{ { 0 }, { 3, 0 }, { 0, 2 } } do
      local a = list(function () return tide.ones(shape) end)
      local b = list(function () return tide.zeros(shape).T end)
      local c, d = list(function (r) return tide.full(2, r, "float64") end),
                   list(function () return tide.zeros(2) end)
      comm:group(function ()
        assert(comm:send(a, to) == a)
        assert(comm:recv(b, from) == b)
      end)
      comm:group(function ()
        comm:send(a, to) comm:send(c, to)
        comm:recv(b, from) comm:recv(d, from)
      end)
      for i, r in ipairs(comm.ranks) do
        local got = size > #comm.ranks and d or d[i]
        is(got, { (r - 1) % size, (r - 1) % size })
      end
    end
  ]])

  on_ranks("is one message", [[
    local x = tide.zeros(0)
    if comm.rank == 0 then comm:send(x, 1) elseif comm.rank == 1 then
      comm:recv(x, 0)
    end
    comm:barrier()
  ]], "processes")

  it("is not what was closed", function ()
    local tide = require "tide"
    local comm <close> = tide.comm{ tide.get_device() }
    for _, n in ipairs{ 0, 3 } do
      local x, y = tide.ones(n), tide.ones(n)
      helper.fails("rank 0 sends was closed meanwhile", comm.group, comm,
                   function ()
        comm:send(x, 0)
        comm:recv(y, 0)
        x:close()
      end)
    end
  end)
end)

end)
