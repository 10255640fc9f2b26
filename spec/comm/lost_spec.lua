--[[
lost_spec.lua - what an operation of ranks was to write and did not, because it
failed: an error for the next wait and for each read, whatever was computed of
it, and nothing else.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

--- lost(n) -> n lists of arrays, one for each rank of this process, that are
-- not reduced, by as many communicators.
local LOST <const> = [==[
local function lost (n)
  local comms, arrays = {}, {}
  for i = 1, n do
    comms[i] = split(comm)
    connect(comms[i], 3)
    arrays[i] = each(function () return tide.ones(3) end)
  end
  lose(comms, function ()
    for i, x in ipairs(arrays) do
      tide.Stream{ non_blocking = true }:with(function ()
        comms[i]:all_reduce(x[2] and x or x[1])
      end)
    end
  end)
  tide.sleep(0.05)
  return arrays
end
]==]

local GONE <const> = [==[
local dev = tide.get_device()
local function fail () fails("rank 0 of 2: ", dev.synchronize, dev) end
local function gone (x)
  fails("was to write is not there", function () return x[1] end)
end
connect(comm, 4)
]==]

helper.each_device(function (kind)

local TIMEOUT <const> = kind == "cuda" and 5 or 2
local on_pairs = ranks.pairs(kind, TIMEOUT)

describe("a failure that no call has raised", function ()
  on_pairs("is an error of the next wait (#301)", LOST .. [[
    local path = os.tmpname()
    local waits = {
      function (x) return x[1] end,
      function (x) return x:totable() end,
      function (x) tide.save(path, x) end,
      tostring,
      function (x) return (x + 1)[1] end,
      function (x) x:await() end,
      function () tide.run(function () tide.ones(1):await() end) end,
      function () tide.Stream():synchronize() end,
      function () tide.Event():record():synchronize() end,
      function () comm.devices[1]:synchronize() end,
      function () return tide.ones(3):sum():item() end,
      function () tide.poll() end
    }
    local arrays = lost(#waits)
    for i, wait in ipairs(waits) do
      fails("other ranks have not come", wait, arrays[i][1])
    end
    os.remove(path)
    assert(tide.ones(3):sum():item() == 3)
    comm:close()
  ]])

  ranks.test(kind)("is a warning at the end (#301) #process", function ()
    local printed = ranks.run(kind, ranks.modes(kind)[1],
      LOST .. "warn '@on' lost(1)", TIMEOUT)
    assert.matches("nobody asked for this error: rank %d of 2: .*other " ..
                   "ranks have not come", printed[1])
  end)
end)

describe("an operation that is lost", function ()
  local function on_rank_0 (what, code)
    ranks.several(kind, 2, what .. " (#315)", function (mode)
      ranks.works(kind, mode, GONE .. code, kind == "cuda" and 5 or 20)
    end)
  end

  on_rank_0("is in what was computed of it and of an earlier one", [[
    local a, b = tide.ones(4), tide.ones(4)
    comm:all_reduce(a)
    if comm.rank == 1 then
      assert(a[1] == 2)
      told()
    else
      os.execute "sleep 0.2"  -- it is done, and no call has seen that
      comm:all_reduce(b)
      local z = tide.zeros(4)
      local all = { b, a + b, b + a, z:add_(b):add_(a) }
      tell()
      fail()
      for _, x in ipairs(all) do gone(x) end
      assert(a[1] == 2)
    end
  ]])

  on_rank_0("leaves what its rank was to keep", [[
    if comm.rank == 0 then
      local w, v, u = tide.arange(4), tide.arange(4), tide.arange(8)
      local x, y = tide.ones(4), tide.ones(4)
      comm:broadcast(w, 0)
      comm:broadcast(u[{ {1, 8, 2} }], 0)
      comm:reduce(v, 1)
      comm:broadcast(x, 1)
      comm:reduce(y, 0)
      tell()
      fail()
      assert(w:sum():item() == 6 and v:sum():item() == 6)
      assert(u:sum():item() == 28)
      gone(x)
      gone(y)
    else
      told()
    end
  ]])

  on_rank_0("is not what was done before it", [[
    local x, y, z = tide.ones(4), tide.ones(4), tide.ones(4)
    local s = tide.Stream{ non_blocking = true }
    local graph = s:with(function ()
      s:begin_capture()
      comm:all_reduce(y)
      comm:all_reduce(y)
      return s:end_capture()
    end)
    comm:all_reduce(x)
    graph:launch()
    graph:launch()
    if comm.rank == 1 then
      assert(y[1] == 16)
      told()
    else
      os.execute "sleep 0.2"
      comm:all_reduce(z)
      tell()
      fail()
      assert(x[1] == 2 and y[1] == 16)
      gone(z)
    end
    graph:close()
  ]])
end)

end)

describe("what comes from two communicators", function ()
  local function works (code)
    return function ()
      helper.child_on("host", [[
        local tide = require "tide"
        local T = tide.T
        local function on (i, fn, ...)
          local list = { ... }
          return tide.with_device("host:" .. i, function ()
            return fn(table.unpack(list))
          end)
        end
        local function ones (i) return on(i, tide.ones, 3) end
        local first = tide.comm({ "host:0", "host:1" }, { timeout = 2 })
        local second = tide.comm{ "host:0", "host:2" }
        local x, y = { ones(0), ones(1) }, { ones(0), ones(2) }
        local there = ones(0)

        --- first fails in what fn queues.
        local function fail (fn)
          local held = on(1, function ()
            return T.hold(tide.get_current_stream())
          end)
          fn()
          while not first.error do tide.sleep(0.01) end
          T.release(held)
        end

        local function gone (a)
          for _ = 1, 2 do
            local ok, err = pcall(a.totable, a)
            assert(not ok and err:find("what all_reduce (", 1, true), err)
          end
        end
      ]] .. code, { TIDE_HOST_DEVICES = "3" })
    end
  end

  it("is lost with the one that fails (#306) #process", works [[
    local sum, both = nil, on(0, tide.zeros, 6)
    local s = on(0, tide.Stream, { non_blocking = true })
    fail(function ()
      first:all_reduce(x)
      s:with(function ()
        second:all_reduce(y)
        s:synchronize()
        there:add_(y[1])
      end)
      sum = x[1] + y[1]
      both:slice(1, 3):copy_from(x[1])
      both:slice(4, 6):copy_from(y[1])
    end)
    gone(x[1])
    gone(sum)
    gone(both)
    assert(y[1][1] == 2 and there[1] == 3)
  ]])

  it("is lost if the other one has taken it (#306) #process", works [[
    local copy
    fail(function ()
      first:all_reduce(x)
      second:all_reduce{ x[1], y[2] }
      copy = y[2] * 2
      second:all_reduce(y)
    end)
    gone(x[1])
    gone(y[2])
    gone(copy)
    gone(y[1])
    on(2, function () y[2]:fill(4) end)
    y[1]:fill(4)
    second:all_reduce(y)
    assert(y[1][1] == 8 and y[2][1] == 8)
  ]])
end)
