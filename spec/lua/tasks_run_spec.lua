--[[
tasks_run_spec.lua - tide.run: what it returns and raises, what ends it, and
where it may be called.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails = helper.fails
local new, counted = helper.new_stream, helper.counted
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

helper.each_device(function (kind)

describe("tide.run", function ()
  it("returns what the function does, with its arguments", function ()
    assert.same({ 3, nil, "x" }, { run(function (a, b)
      return a + b, nil, "x"
    end, 1, 2) })
    assert.equal(0, select("#", run(function () end)))
    assert.equal(900000, select("#", run(table.unpack, {}, 1, 900000)))
  end)

  it("returns when all tasks are over", function ()
    local order = {}
    run(function ()
      spawn(function ()
        sleep(0.003)
        order[#order + 1] = "slow"
      end)
      spawn(function () order[#order + 1] = "soon" end)
      order[#order + 1] = "main"
    end)
    assert.same({ "main", "soon", "slow" }, order)
  end)

  it("ends all with the error of one that nobody waits for", function ()
    local open = {}
    local ok, err = pcall(run, function ()
      spawn(function ()
        local _ <close> = counted(open)
        sleep(10)
      end)
      spawn({ name = "bad one" }, function ()
        sleep(0)
        error("it failed")
      end)
      local _ <close> = counted(open)
      sleep(10)
    end)
    assert.is_false(ok)
    assert.matches("tasks_run_spec.lua:%d+: it failed\n" ..
                   "in bad one %(.-tasks_run_spec", err)
    assert.matches("stack traceback:", err)
    assert.equal(0, open.n)
    assert.equal(1, run(function () return 1 end))
  end)

  it("passes errors that are no strings as they are", function ()
    local what = {}
    local ok, err = pcall(run, function () error(what) end)
    assert.is_false(ok)
    assert.equal(what, err)
  end)

  it("says so where all wait for each other", function ()
    local err = fails("all tasks wait for each other", run, function ()
      local q = tide.queue()
      spawn({ name = "getter" }, function () q:get() end)
      tide.semaphore(1):acquire()
      local task = spawn(function () q:get() end)
      task:await()
    end)
    assert.matches("getter %(.-%) waits for a queue at .-tasks_run_spec", err)
    assert.matches("main %(.-%) waits for task 3 %(", err)
  end)

  it("is not for tasks, and they are not for others", function ()
    fails("tide.run: there is one under way", run, function ()
      run(function () end)
    end)
    fails("tide.spawn: called outside of tide.run", spawn, print)
    fails("tide.gather: called outside of a task", tide.gather, {})
    local q = tide.queue(1):put(1)
    fails("queue:put: called outside of a task", q.put, q, 2)
    run(function ()
      local got = table.pack(pcall(coroutine.wrap(function () q:put(3) end)))
      assert.is_false(got[1])
      assert.matches("in its own coroutine", got[2])
    end)
  end)

  it("serves host functions, which may wake tasks", function ()
    local s <close> = new()
    local got = run(function ()
      local q = tide.queue()
      s:launch_host_func(function (x) q:put(x) end, "from a function")
      return q:get()
    end)
    assert.equal("from a function", got)
  end)

  it("gives the error of a host function to who waits for its stream",
     function ()
    local s <close> = new()
    run(function ()
      s:launch_host_func(function () error "wrong" end)
      fails("wrong", s.await, s)
      assert.is_true(s:await())
    end)
  end)

  it("names what is wrong with its arguments", function ()
    fails("bad argument #1 to 'run' (function expected, got no value)", run)
    run(function ()
      fails("bad argument #1 to 'spawn' (function expected, got number)",
            spawn, 1)
      fails("bad argument #2 to 'spawn' (function expected, got no value)",
            spawn, {})
      fails("unknown option 'streams'; did you mean 'stream'?", spawn,
            { streams = 1 }, print)
      fails("unknown option 'nam'; did you mean 'name'?", spawn, { nam = "x" },
            print)
      fails("option 'stream' is a Stream", spawn, { stream = 1 }, print)
      local s = tide.Stream()
      local late = spawn({ stream = s }, print)
      s:close()
      fails("tide.spawn: stream is closed", late.await, late)
      fails("bad argument #1 to 'spawn' (option 'stream': stream is closed)",
            spawn, { stream = s }, print)
      fails("option 'name' must be a string, got number", spawn, { name = 1 },
            print)
      fails("list expected, got number", tide.gather, 1)
      fails("item 2: a function, a Task or what has await()", tide.gather,
            { print, 1 })
      fails("an empty list has no first", tide.race, {})
      fails("seconds from 0 on expected, got -1", sleep, -1)
      fails("seconds from 0 on expected", sleep, 0 / 0)
      fails("an integer from 1 on expected, got 0", tide.queue, 0)
      fails("an integer from 1 on expected, got no value", tide.semaphore)
      fails("an integer from 1 on expected, got string", tide.queue, "3")
      fails("seconds from 0 on expected, got string", sleep, "1")
      fails("no field 'pu' in tide.Queue; did you mean 'put'?",
            function () return tide.queue().pu end)
      fails("no field 'items_' in tide.Queue, which has close, get and put",
            function () return tide.queue().items_ end)
      fails("no field 'size' in tide.Queue; did you mean #q?",
            function () return tide.queue().size end)
      fails("no field '1' in tide.Queue",
            function () return tide.queue()[1] end)
      fails("no field 'release' in tide.Semaphore; did you mean place:relea",
            function () return tide.semaphore(1).release end)
      fails("no field 'x' in tide.Semaphore, which has acquire",
            function () return tide.semaphore(1).x end)
      local task = spawn(function () end)
      fails("no field 'wait' in tide.Task; did you mean task:await()?",
            function () return task.wait end)
      fails("no field 'state' in tide.Task, which has await and cancel",
            function () return task.state end)
      fails("no field 'relase' in tide.Place; did you mean 'release'?",
            function () tide.semaphore(1):acquire():relase() end)
      for what, object in pairs{ Task = task, Queue = tide.queue(),
                                 Semaphore = tide.semaphore(1),
                                 Place = tide.semaphore(1):acquire() } do
        fails("no field 'note' in tide." .. what,
              function () object.note = 1 end)
        fails("no field '1.5' in tide." .. what,
              function () object[1.5] = 1 end)
      end
      fails("field 'put' of tide.Queue cannot be set",
            function () tide.queue().put = print end)
      fails("seconds from 0 on", task.await, task, "x")
      fails("tide.Task expected, got number; a method is called with ':'",
            task.await, 1)
      fails("tide.Queue expected, got no value; a method is called with ':'",
            tide.queue().get)
      fails("tide.Semaphore expected, got no value; a method is called",
            tide.semaphore(1).acquire)
      fails("bad argument #2 to 'await' (no value expected", task.await, task,
            1, 2)
      fails("bad argument #2 to 'put' (no value expected, got number; with " ..
            "a timeout it is tide.race{",
            tide.queue().put, tide.queue(), 1, 2)
      fails("bad argument #1 to 'get' (no value expected, got number; with " ..
            "a timeout it is tide.race{",
            tide.queue().get, tide.queue(), 0.5)
      fails("bad argument #1 to 'acquire' (no value expected, got number; " ..
            "with a timeout it is tide.race{",
            tide.semaphore(1).acquire, tide.semaphore(1), 2)
      fails("bad argument #1 to 'close' (no value expected, got number)",
            tide.queue().close, tide.queue(), 2)
      fails("bad argument #1 to 'cancel' (no value expected, got number)",
            task.cancel, task, 2)
      fails("the block's own", function ()
        local _ <close> = tide.queue()
        error "the block's own"
      end)
      fails("a value expected, got nil", tide.queue().put, tide.queue())
    end)
  end)

  it("tells coroutines of a loop what they lack #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local q = tide.queue()
      local function get () print(select(2, pcall(q.get, q))) end
      get()
      coroutine.wrap(get)()
      tide.run(function () coroutine.wrap(get)() end)
    ]])
    local main, loop, inside = printed:match "^(.-)\n(.-)\n(.-)\n$"
    assert.matches("coroutine$", main)
    assert.matches("coroutine; or in one of an event loop, with require " ..
                   '"tide.luv" or', loop, 1, true)
    assert.matches("coroutine$", inside)
  end)

  it("is interrupted by Ctrl-C #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local ok, err = pcall(tide.run, function ()
        local _ <close> = setmetatable({}, { __close = function ()
          print "closed"
        end })
        KILL = io.popen "sleep 0.2; kill -INT $PPID"
        tide.sleep(20)
      end)
      print(ok, err)
      print(tide.run(function () return "again" end))
    ]])
    assert.matches("^closed\nfalse\t[^\n]*:%d+: interrupted!", printed)
    assert.is_nil(printed:find("lua/tide/", 1, true))  -- the program's line
    assert.matches("\nagain\n$", printed)
  end)

  it("may be left by a state that closes, or exits #process", function ()
    for _, way in ipairs{ "os.exit(true, true)", "os.exit(true)" } do
      assert.equal("", helper.child_on(kind, ([[
        local tide = require "tide"
        local s = tide.Stream{ non_blocking = true }
        tide.run(function ()
          for _ = 1, 10 do
            tide.spawn({ stream = s }, function ()
              while true do (tide.ones(100000) + 1):await() end
            end)
          end
          tide.sleep(0)
          %s
        end)
      ]]):format(way)))
    end
  end)

  it("serves host functions that cancel tasks (#265)", function ()
    local s <close> = new()
    assert.equal("ok", run(function ()
      local q = tide.queue()
      local task = spawn(function () q:get() end)
      s:launch_host_func(function () task:cancel() end)
      return "ok"
    end))
  end)

  it("raises an error although an await of it has timed out (#265)",
     function ()
    fails("not lost", run, function ()
      local task = spawn(function () sleep(0.005) error "not lost" end)
      task:await(0.001)
      sleep(1)
    end)
  end)

  it("leaves no task that goes on (#265)", function ()
    local q, task, seen = tide.queue(), nil, {}
    fails("enough", run, function ()
      task = spawn(function ()
        local got = q:get()
        seen[#seen + 1] = got
      end)
      local inner = spawn(sleep, 10)
      spawn(function ()
        local _ <close> = setmetatable({}, { __close = function ()
          seen[#seen + 1] = inner:cancel()
          run(function () q:put "kept" end)
        end })
        sleep(10)
      end)
      spawn(function () tide.gather{ inner } end)
      sleep(0)
      error "enough"
    end)
    assert.same({ false }, seen)
    assert.is_false(task:cancel())
    fails("was cancelled", task.await, task)
    run(function ()
      fails("was cancelled", task.await, task)
      assert.equal("kept", q:get())
    end)
  end)

  for event, what in pairs{ l = "line", c = "call", r = "return" } do
    it("may be ended by a hook at any " .. what .. " of its own (#283)",
       function ()
      local function program ()
        local t = spawn(function () sleep(0.0001) end)
        local u = spawn(function () return 1 end)
        t:await()
        return u:await()
      end
      --- A hook raises at the nth event of tide's own Lua -> was there one?
      local function stop (nth)
        local n, hit = 0, false
        debug.sethook(function ()
          local source = debug.getinfo(2, "S").source
          local file = source:match "tide/(%l+)%.lua$"
          if file ~= "tasks" and file ~= "runner" and file ~= "waiting" then
            return
          end
          n = n + 1
          if n < nth then return end
          debug.sethook()
          hit = true
          error("enough", 0)
        end, event)
        local ok, err = pcall(run, program)
        debug.sethook()
        if hit and not ok then assert.equal("enough", err) end
        return hit
      end
      local n = 0
      repeat
        n = n + 1
        local hit = stop(n)
        assert.equal(1, run(program))
      until not hit
      assert.is_true(n > 20)
    end)
  end

  it("raises that C's stack is at its end (#285)", function ()
    local function descend () return (("a"):gsub("a", descend)) end
    local n, ok, err = 0, nil, nil
    xpcall(descend, function ()
      if n > 0 then return end
      n = n + 1
      local start = tide.clock()
      debug.sethook(function ()
        if tide.clock() - start > 5 then error "without end" end
      end, "", 10000)
      ok, err = pcall(run, tide.get_device)
      debug.sethook()
    end)
    assert.is_false(ok)
    assert.equal("C stack overflow", err)
    assert.equal(tide.get_device(), run(tide.get_device))
  end)
end)

describe("the name of a task in errors", function ()
  local HERE <const> = debug.getinfo(1, "S").short_src

  --- "spec.lua:12", n lines after the line that calls.
  local function line (n)
    return ("%s:%d"):format(HERE, debug.getinfo(2, "l").currentline + n)
  end

  local function has (text, part)
    assert.is_truthy(text:find(part, 1, true), text)
  end

  it("is where it was spawned if its function is a library's (#311)",
     function ()
    run(function ()
      local q <const> = tide.queue():put(1):put(2)
      for _, arguments in ipairs{ { sleep, 0 }, { type, q }, { q.get, q },
                                  { tide.clock } } do
        local at <const> = line(1)
        local task <const> = spawn(table.unpack(arguments))
        has(tostring(task), ("(%s), ready"):format(at))
      end
      local at <const> = line(1)
      local task <const> = spawn({ name = "one" }, error, "no", 0)
      fails(("no\nin one (%s)"):format(at), task.await, task)
      local own <const> = line(1)
      local mine <const> = spawn(function () end)
      has(tostring(mine), own)
    end)
  end)

  it("is so where all wait for each other (#311)", function ()
    local spawned, list, last
    local err <const> = fails("all tasks wait for each other", run, function ()
      local q <const> = tide.queue()
      spawned = line(1)
      spawn(q.get, q)
      last = line(1)
      spawn(function () return q:get() end)  -- a tail call has no line
      list = line(1)
      tide.gather{ function () q() end, spawn(q.get, q) }
    end)
    has(err, ("task 2 (%s) waits for a queue\n"):format(spawned))
    has(err, ("task 3 (%s) waits for a queue\n"):format(last))
    has(err, ("task 4 (%s) waits for a queue\n"):format(list))
  end)
end)

-- A hook may raise anywhere, also in Lua code of tide's own.
describe("a hook that raises", function ()
  --- Calls fn(), after so many instructions of which a hook raises -> did it
  -- return?
  local function hooked (steps, fn)
    local co = coroutine.running()
    debug.sethook(co, function ()
      debug.sethook(co)
      error("too long", 0)
    end, "", steps)
    local ok = pcall(fn)
    debug.sethook(co)
    return ok
  end

  --- A run, with three that sleep and close what they have opened, where
  -- call(t) of one of them, which another one waits for, is ended by a hook;
  -- after(t) comes next. Or the hook was so early or late that it raised here.
  local function each (call, after)
    local ended = 0
    for steps = 1, 260 do  -- instructions; more than any of the calls has
      local open, left = {}, false
      local function sleeper (seconds)
        debug.sethook()
        local _ <close> = counted(open)
        sleep(seconds)
        return "slept"
      end
      local ok, err = pcall(run, function ()
        local _ <close> = counted(open)
        local tasks = {}
        for i = 1, 3 do tasks[i] = spawn(sleeper, 0.0002 * i) end
        local waiter = spawn(function ()
          debug.sethook()
          pcall(tasks[2].await, tasks[2])
          return "told"
        end)
        sleep(0)
        if not hooked(steps, function () call(tasks[2]) end) then
          ended = ended + 1
        end
        for i = 1, 3, 2 do assert.equal("slept", tasks[i]:await()) end
        if after then after(tasks[2]) end
        assert.equal("told", waiter:await())
        left = true
      end)
      assert.is_true(ok and left or not not err:find "^too long", err)
      assert.equal(0, open.n)
    end
    assert.is_true(ended > 20)
  end

  for what, case in pairs{
    ["a sleep, and no other"] = { function () sleep(0.0001) end },
    ["a wait for a task, and no later one"] = {
      function (task) task:await() end,
      function ()
        local q = tide.queue()
        spawn(function ()
          sleep(0.0001)
          q:put "value"
        end)
        assert.equal("value", q:get())
      end },
    ["a wait with an end, and no timer stays"] = {
      function (task) task:await(0.0001) end,
      function (task) assert.equal("slept", task:await(10)) end },
    ["a spawn, and not the run"] = {
      function () spawn(function () debug.sethook() end) end },
    ["a cancel"] = { function (task) task:cancel() end },
    ["a cancel, which can be called again"] = {
      function (task) task:cancel() end,
      function (task)
        task:cancel()
        assert.is_false(task:cancel())
      end },
    ["a gather"] = { function (task) tide.gather{ task } end },
    ["a race"] = { function (task)
      tide.race{ task, function ()
        debug.sethook()
        sleep(0)
      end }
    end },
  } do
    it("ends " .. what .. " (#335)", function () each(case[1], case[2]) end)
  end
end)

end)
