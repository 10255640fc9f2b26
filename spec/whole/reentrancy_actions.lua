--[[
reentrancy_actions.lua - for reentrancy_spec.lua: what an intruder does.

Each action: apply(run, x) does it; to(class) -> may x be one of that class?
(nil: it has no x); prepare(run, x) what it needs; errors: patterns of what the
call may say besides what it says in one of the orders; blind: what the arrays
hold afterwards is not compared; host: on the host device only.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local reentrancy = require "spec.whole.reentrancy"
local T = helper.T
local class_of = reentrancy.class_of
local close = reentrancy.close

local actions = {}

local ARRAYS = { Array = true, HostArray = true }

--{{ on an operand

actions.close = {
  errors = { "closed", "must be an open" },
  to = function () return true end,
  apply = function (_, x) close[class_of(x)](x) end
}

local write = {}

local function value_for (a)
  return a.dtype == "bool" and false or 2
end

function write.Array (a) a:fill(value_for(a)) end
write.HostArray = write.Array
function write.Event (e) e:record() end
function write.Graph (g) g:launch() end
function write.Stream (s) close.Event(s:record()) end

actions.write = {
  to = function () return true end,
  apply = function (_, x) write[class_of(x)](x) end
}

-- All of it: half of it must not be seen.
actions.copy = {
  to = function (class) return ARRAYS[class] end,
  prepare = function (run, x)
    run.source = tide.full(x.shape, value_for(x), x.dtype)
    run.made = { run.source }
  end,
  apply = function (run, x) x:copy_from(run.source) end
}

actions.relaunch = {
  to = function (class) return class == "Array" end,
  prepare = function (run, x)
    run.graph = tide.capture(function () x:fill(value_for(x)) end)
    run.made = { run.graph }
  end,
  apply = function (run) run.graph:launch() end
}

--}}

--{{ on the current stream

actions["close the current stream"] = {
  errors = { "closed" },
  apply = function (run) close.Stream(run.current) end
}

actions["capture the current stream"] = {
  errors = { "capturing", "CAPTURE" },
  blind = true,
  apply = function (run) run.current:begin_capture "relaxed" end
}

actions["queue on the current stream"] = {
  apply = function (run)
    run.current:with(function ()
      local a = tide.ones(40)
      close.Array(a + 1)
      close.Array(a)
    end)
  end
}

actions["make another stream current"] = {
  apply = function () tide.Stream.null:use() end
}

--}}

--{{ all the rest

-- On a GPU it takes too long.
actions.reset = {
  host = true,
  errors = { "was reset" },
  blind = true,
  apply = function (run) run.dev:reset() end
}

actions.poll = {
  apply = function () tide.poll() end
}

actions.collect = {
  apply = function ()
    collectgarbage()
    collectgarbage()
    tide.poll()
  end
}

-- New memory then comes where old one was.
actions.trim = {
  apply = function ()
    tide.poll()
    tide.trim()
    T.trim()
    for _, shape in ipairs{ 3, 6, 64, 9000 } do
      close.Array(tide.full(shape, 77))
      close.HostArray(tide.HostArray(shape))
    end
  end
}

actions.capture = {
  apply = function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.ones(20)
    s:begin_capture()
    s:with(function () a:add_(1) end)
    local g = s:end_capture()
    g:launch()
    close.Graph(g)
    close.Array(a)
  end
}

actions.functions = {
  apply = function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.ones(20)
    s:launch_host_func(function () pcall(close.Array, a) end)
    s:with(function () a:add_(1) end)
  end
}

actions.synchronize = {
  apply = function (run)
    local a = tide.ones(1)
    for _, wait in ipairs{
      function () run.current:synchronize() end,
      function () run.dev:synchronize() end,
      function () a:item() end,
      function () a:totable() end,
    } do
      local ok, message = pcall(wait)
      if run.must_not_wait then
        assert(not ok and message:find("CUDA_ERROR_NOT_PERMITTED", 1, true),
               "it has waited")
      end
    end
    close.Array(a)
  end
}

actions["trace a function"] = {
  apply = function ()
    local a = tide.ones(5)
    close.Array(tide.fuse(function (x) return x * 3 + 1 end)(a))
    close.Array(a)
  end
}

actions.fail = {
  apply = function ()
    helper.fails("bad argument", tide.ones, -1)
    helper.fails("closed", function ()
      local a = tide.ones(3)
      close.Array(a)
      return a + 1
    end)
  end
}

--}}

return actions
