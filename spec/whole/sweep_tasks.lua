--[[
sweep_tasks.lua - the part of sweep_calls.lua about tasks: adds to its table.
]]
local tide = require "tide"

return function (calls, each)

each("*:await", "Event Stream Graph Array HostArray", function (_, name)
  local s = tide.Stream{ non_blocking = true }
  local x = tide.ones(3)
  local h = tide.HostArray(3)
  local objects = {
    Event = s:record(), Stream = s, Array = x, HostArray = h,
    Graph = tide.capture(function () x:add_(1) end)
  }
  s:with(function () h:copy_from(x) end)
  objects.Graph:launch(s)
  objects.Event:record(s)
  return function () assert(objects[name]:await(10)) end
end)

calls["tide.spawn"] = function ()
  return function ()
    tide.run(function ()
      for i = 1, 3 do tide.spawn(function () return tide.ones(3) * i end) end
    end)
  end
end

calls["tide.run"] = function ()
  return function ()
    tide.run(function (n)
      local tasks = {}
      for i = 1, n do
        tasks[i] = tide.spawn(function () return (tide.ones(3) * i):await() end)
      end
      for i = 1, n do assert(tasks[i]:await()) end
      local s <close> = tide.Stream{ non_blocking = true }
      assert(s:with(function () return tide.ones(3) end):await())
      assert(s:record():await() and s:await())
    end, 3)
  end
end

each("tide.*", "gather race", function (_, name)
  return function ()
    tide.run(function ()
      local x = tide.ones(3)
      tide[name]{ x + 1, x + 2, function () tide.sleep(0) end }
    end)
  end
end)

calls["tide.parallel"] = function (dev)
  return function ()
    tide.parallel({ dev, tostring(dev) }, function () return tide.ones(3) end)
  end
end

calls["tide.sleep"] = function ()
  return function () tide.sleep(0.001) end
end

calls["tide.queue"] = function ()
  return function ()
    tide.run(function ()
      local q = tide.queue(1)
      tide.spawn(function ()
        for _ = 1, 3 do q:put(tide.ones(3)) end
        q:close()
      end)
      for x in q do x:close() end
    end)
  end
end

calls["tide.semaphore"] = function ()
  local semaphore = tide.semaphore(1)
  return function ()
    tide.run(function ()
      for _ = 1, 3 do
        tide.spawn(function ()
          local _ <close> = semaphore:acquire()
          tide.sleep(0)
        end)
      end
    end)
  end
end

end
