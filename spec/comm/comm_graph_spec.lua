--[[
comm_graph_spec.lua - graphs with operations of a communicator: they keep it,
and cannot be launched once it was closed or has failed.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"
local fails, T = helper.fails, helper.T

local CLOSED <const> = "the communicator was closed"

helper.each_device(function (kind)

local ranks_it <const> = ranks.test(kind)

local function new_comm () return tide.comm{ tide.get_device() } end

local function capture (comm, x)
  return (tide.capture(function () comm:all_reduce(x) end))
end

--- A graph of a communicator that is garbage.
local function orphan (x) return capture(new_comm(), x) end

--- Collects garbage -> how many communicators there are.
local function live ()
  for _ = 1, 3 do
    collectgarbage()
    tide.get_device():synchronize()
  end
  return T.held().communicators
end

--- Checks that no communicator is there, or will be after its end.
local function none_left ()
  assert.equal(0, live())
  for _ = 1, 1000 do
    if T.held().leaving == 0 then return end
    tide.sleep(0.01)
    tide.get_device():synchronize()
  end
  error "a communicator does not end"
end

--- Launches a graph -> the sum of the array that it changes.
local function launched (graph, x) return graph:launch() and x:sum():item() end

describe("a graph with collectives", function ()
  it("is launched no more once its communicator is closed (#299)", function ()
    for _, close in ipairs{
      function (comm) comm:close() end,
      function (comm) local _ <close> = comm end
    } do
      local comm, x = new_comm(), tide.ones(4)
      local step <close> = capture(comm, x)
      assert.equal(4, launched(step, x))
      close(comm)
      fails("graph:launch: " .. CLOSED, step.launch, step)
      x:add_(1)
      assert.equal(8, x:sum():item())
    end
    local comm, x = new_comm(), tide.ones(4)
    local step <close> = tide.capture(function ()
      comm:all_reduce(x)
      local _ <close> = comm
    end)
    live()
    fails("graph:launch: " .. CLOSED, step.launch, step)
  end)

  it("has its communicator, collected or not", function ()
    local x = tide.ones(4)
    local step, other = orphan(x), orphan(x)
    assert.equal(2, live())
    for _ = 1, 3 do step:launch() end
    assert.equal(4, launched(other, x))
    other:close()
    assert.equal(1, live())
    assert.equal(4, launched(step, x))
    step:close()
    assert.equal(0, live())
  end)

  it("gives it to graphs that are updated to it", function ()
    local x, comm = tide.ones(4), new_comm()
    local step, other <const> = orphan(x), capture(comm, x)
    assert.is_true(step:update(other))
    assert.equal(1, live())
    other:close()
    assert.equal(4, launched(step, x))
    comm:close()
    fails("graph:launch: " .. CLOSED, step.launch, step)
    step:close()
    local comm2 = new_comm()
    local first, second <close> = capture(comm2, x), capture(comm2, x)
    assert.is_true(second:update(first))
    first:close()
    comm2:close()
    none_left()
    fails("graph:launch: " .. CLOSED, second.launch, second)
  end)

  it("keeps none that was closed, and can become another", function ()
    local x, comm = tide.ones(4), new_comm()
    local step <close> = capture(comm, x)
    local other <close> = capture(comm, x)
    local plain <close> = tide.capture(function () x:add_(1) end)
    step:launch()
    comm:close()
    none_left()
    fails("graph:launch: " .. CLOSED, step.launch, step)
    fails("graph:upload: " .. CLOSED, step.upload, step)
    fails("graph:update: " .. CLOSED, plain.update, plain, other)
    fails("graph:update: " .. CLOSED, step.update, step, other)
    assert.is_true(step:update(plain))
    assert.equal(8, launched(step, x))
    assert.equal(12, launched(plain, x))
  end)

  it("begins in the order of calls, whenever functions run", function ()
    local x, y, z, ran = tide.ones(4), tide.ones(4), tide.ones(4), 0
    local first <close> = orphan(x)
    local second <close> = orphan(y)
    local comm = new_comm()
    local s <close> = helper.new_stream()
    local t <close> = helper.new_stream()
    tide.get_device():synchronize()
    s:launch_host_func(function () ran = ran + 1 end)
    first:launch(s)
    second:launch(t)
    assert.same({ 0, 3 }, { ran, T.kept().operations })
    comm:all_reduce(z)
    assert.same({ 1, 0 }, { ran, T.kept().operations })
    t:launch_host_func(function () ran = ran + 1 end)
    first:launch(s)
    comm:all_reduce(z)
    assert.same({ 1, 1 }, { ran, T.kept().operations })
    t:synchronize()
    assert.equal(12, (x + y + z):sum():item())
  end)

  it("is of no capture that is given up", function ()
    local x = tide.ones(4)
    do
      local s = helper.new_stream():begin_capture()
      s:with(function () new_comm():all_reduce(x) end)
    end
    assert.equal(0, live())
  end)

  it("is whole or not there, whichever call fails", function ()
    if kind == "cuda" then return end  -- it takes a second for each
    local x = tide.ones(4)
    for n = 1, 1000 do
      T.failcall(n)
      local ok, step = pcall(orphan, x)
      local failed = T.failed()
      T.failcall(0)
      if ok then
        live()
        assert.equal(4, launched(step, x))
        step:close()
      end
      assert.equal(0, live())
      if not failed then break end
    end
  end)

  it("is lost when its device is reset #process", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local x, comm = tide.ones(4), tide.comm{ tide.get_device() }
      local function capture (c)
        return (tide.capture(function () c:all_reduce(x) end))
      end
      local step, other = capture(comm), capture(tide.comm(comm.devices))
      collectgarbage() collectgarbage()
      step:launch()
      other:launch()
      tide.get_device():reset()
      for _, g in ipairs{ step, other } do
        local ok, err = pcall(g.launch, g)
        assert(not ok and err:find "device was reset", err)
      end
      step, other, comm = nil, nil, nil
      collectgarbage() collectgarbage()
      tide.get_device():synchronize()
    ]])
  end)

  it("may be there when the program ends #process", function ()
    for _, last in ipairs{ "", "comm:close()", "comm = nil collectgarbage()",
                           "os.exit(0, true)" } do
      helper.child_on(kind, [[
        local tide = require "tide"
        x, comm = tide.ones(4), tide.comm{ tide.get_device() }
        step = tide.capture(function () comm:all_reduce(x) end):launch()
      ]] .. last)
    end
  end)

  local function of_two (what, code, timeout)
    ranks_it(what .. " #process", function ()
      ranks.works(kind, ranks.processes(kind, 2), code, timeout)
    end)
  end

  local timeout <const> = kind == "cuda" and 5 or 2  -- NCCL takes long to meet
  of_two("is launched no more once its communicator has failed", [[
    local x = tide.ones(1)
    local step = tide.capture(function () comm:all_reduce(x) end)
    step:launch()
    assert(x[1] == 2)
    if comm.rank == 1 then
      told()
    else
      fails("rank 0 of 2", function () step:launch() step:await() end)
      x:fill(1)  -- the launch would have written it
      fails("graph:launch: the communicator has failed: rank 0 of 2",
            step.launch, step)
      comm:close()
      fails("graph:launch: the communicator was closed", step.launch, step)
      tell()
    end
  ]], timeout)

  -- A full stream would block inside the driver.
  of_two("does not let kept work run far ahead of other ranks", [[
    local x, y = tide.ones(1), tide.zeros(1)
    local step = tide.capture(function () comm:all_reduce(x) end)
    local s, ran = tide.Stream{ non_blocking = true }, 0
    step:launch()
    assert(x[1] == 2)
    if comm.rank == 1 then
      told()
      step:launch()
    else
      s:with(function ()
        s:launch_host_func(function () ran = ran + 1 end)
        step:launch()
        for _ = 1, 1000 do y:add_(1) end
        s:launch_host_func(function () ran = ran + 1 end)
      end)
      tide.pollfd()
      tide.poll()
      assert(ran == 1 and T.kept().operations > 500)
      tell()
      tide.run(function () s:await() end)
      assert(ran == 2 and y[1] == 1000)
    end
    assert(x[1] == 4)
  ]])

  of_two("adds up whatever became of the communicator", [[
    local x = tide.ones(1)
    local step = tide.capture(function () comm:split(0):all_reduce(x) end)
    for k = 1, 6 do
      step:launch()
      assert(x[1] == 2 ^ k)
      collectgarbage()
    end
  ]])
end)

describe("a graph that is launched within a split", function ()
  local function works (what, code)
    ranks.several(kind, 2, what, function (mode)
      ranks.works(kind, mode, [==[
        local x = tide.ones(4)
        local g = tide.capture(function () comm:all_reduce(x, "avg") end)
        local s = tide.Stream{ non_blocking = true }
        for i = 1, 60 do
      ]==] .. code .. "x:totable() end", 30)
    end)
  end

  works("by one rank, and by the other one behind it (#334)", [[
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
