--[[
atomic_spec.lua - a hook raises at each instruction of tide's own Lua in turn:
whatever that ends, nothing is lost, nothing waits for ever, and the error is
the hook's.
]]
local helper = require "spec.support.helper"
local tide = require "tide"
local core = require "tide.scheduler"

local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

--- Calls fn() in this coroutine with a hook, which raises at the nth
-- instruction of tide's own Lua -> did it; and what pcall(fn) returned.
local function stop_at (n, fn)
  local co, seen, hit = coroutine.running(), 0, false
  debug.sethook(co, function ()
    if coroutine.running() ~= co or
       not debug.getinfo(2, "S").source:find "lua/tide/[%l_]+%.lua$" then
      return
    end
    seen = seen + 1
    if seen < n then return end
    debug.sethook(co)
    hit = true
    error("stop", 0)
  end, "", 1)
  local ok, value = pcall(fn)
  debug.sethook(co)
  return hit, ok, value
end

--- try(stop) for each instruction; stop(fn) -> what pcall(fn) returned. The
-- error is the hook's.
local function sweep (try)
  local n, hit = 0, nil
  repeat
    n = n + 1
    try(function (fn)
      local ok, value
      hit, ok, value = stop_at(n, fn)
      assert.equal(not hit, ok)
      if hit then assert.equal("stop", value) end
      return ok, value
    end)
  until not hit
  assert.is_true(n > 10)
end

helper.each_device(function ()

describe("a function that is atomic", function ()
  it("does not run for ever without its caller's hook", function ()
    local function endless () while true do end end
    for _, fn in ipairs{ endless, core.atomic(endless) } do
      local co <const> = coroutine.running()
      local calls = 0
      debug.sethook(co, function ()
        calls = calls + 1
        if calls > 3 then
          debug.sethook(co)
          error("out of instructions", 0)
        end
      end, "", 1000)
      local ok, err = pcall(core.atomic(fn))
      assert.is_false(ok)
      assert.equal("out of instructions", err)
    end
  end)

  it("returns and raises what it is made of does", function ()
    local sum
    sum = core.atomic(function (n, ...)
      if n == 0 then return ... end
      return sum(n - 1, n, ...)
    end)
    assert.same({ 1, 2, 3 }, { sum(3) })
    assert.same({ 1, 2, nil, 4 }, { sum(2, nil, 4) })
    local fails = core.atomic(error)
    for _ = 1, 3 do
      local ok, err = pcall(fails, { 1 })
      assert.is_false(ok)
      assert.same({ 1 }, err)
    end
    assert.is_false(pcall(core.atomic(coroutine.yield)))
    assert.is_false(pcall(core.atomic, 1))
  end)
end)

describe("a hook that raises", function ()
  it("in get loses no value, whether it waits or not", function ()
    for _, waits in ipairs{ true, false } do
      sweep(function (stop)
        run(function ()
          local q, got = tide.queue(), 0
          local function put () q:put(1) end
          if not waits then put() end
          local victim = spawn(function ()
            local ok, value = stop(function () return q:get() end)
            if ok then got = got + value end
          end)
          sleep(0)
          if waits then spawn(put) end
          victim:await()
          sleep(0)
          q:close()
          for value in q do got = got + value end
          assert.equal(1, got)
        end)
      end)
    end
  end)

  it("in get lets the next have the value", function ()
    sweep(function (stop)
      run(function ()
        local q, got = tide.queue(), 0
        local victim = spawn(function ()
          if stop(function () return q:get() end) then got = got + 1 end
        end)
        local patient = spawn(function ()
          if q:get() then got = got + 1 end
        end)
        sleep(0)
        q:put(1)
        victim:await()
        q:put(2)
        q:close()
        patient:await()
        for _ in q do got = got + 1 end
        assert.equal(2, got)
      end)
    end)
  end)

  it("in put and close loses nobody who waits", function ()
    sweep(function (stop)
      run(function ()
        local q, got = tide.queue(1), 0
        local getter = spawn(function ()
          for value in q do got = got + value end
        end)
        sleep(0)
        local put = stop(function () q:put(1):put(1):put(1) end)
        sleep(0)
        sleep(0)
        assert.is_true(#q == 0 and (got == 3 or not put))
        if not stop(function () q:close() end) then q:close() end
        getter:await()
      end)
    end)
  end)

  it("in acquire and release loses no place, whether it waits or not",
     function ()
    for _, waits in ipairs{ true, false } do
      sweep(function (stop)
        run(function ()
          local semaphore = tide.semaphore(1)
          local held = waits and semaphore:acquire()
          local victim = spawn(function ()
            stop(function ()
              local place = semaphore:acquire()
              debug.sethook()
              place:release()
            end)
          end)
          sleep(0)
          local patient = spawn(function () semaphore:acquire():close() end)
          sleep(0)
          if held then held:release() end
          victim:await()
          patient:await()
          assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
        end)
      end)
    end
    sweep(function (stop)
      run(function ()
        local semaphore = tide.semaphore(1)
        local place = semaphore:acquire()
        local patient = spawn(function () semaphore:acquire():close() end)
        sleep(0)
        if not stop(function () place:close() end) then place:close() end
        patient:await()
        assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
      end)
    end)
  end)

  it("in spawn starts a task or none", function ()
    sweep(function (stop)
      local ran, spawned = 0, nil
      run(function ()
        spawned = stop(function ()
          return spawn({ stream = "inherit" }, function () ran = ran + 1 end)
        end)
      end)
      assert.equal(spawned and 1 or 0, ran)
    end)
  end)

  it("in gather and race cancels all of them", function ()
    for _, name in ipairs{ "gather", "race" } do
      sweep(function (stop)
        local open, began = 0, 0
        run(function ()
          local function job ()
            local _ <close> = setmetatable({}, { __close = function ()
              open = open - 1
            end })
            open, began = open + 1, began + 1
            sleep(name == "race" and began == 1 and 0 or 0.0001)
            return 1
          end
          local ended = spawn(function ()
            stop(function () return tide[name]{ job, job, spawn(job) } end)
            return open
          end):await()
          -- A task that was spawned by itself goes on until the call takes it.
          assert.is_true(ended <= 1)
        end)
        assert.equal(0, open)
      end)
    end
  end)

  it("in await and sleep leaves no watcher and no timer", function ()
    sweep(function (stop)
      run(function ()
        local q = tide.queue()
        local slow = spawn(function () return q:get() end)
        sleep(0)
        local victim = spawn(function ()
          stop(function () slow:await(0.0001) end)
        end)
        victim:await()
        for i = 1, #slow do  -- no waiter is left in line
          local field = slow[i]
          assert.is_nil(type(field) == "table" and rawget(field, "first") or
                        nil)
        end
        q:put "late"
        assert.equal("late", slow:await())
      end)
    end)
  end)

  it("in cancel cancels or does not", function ()
    sweep(function (stop)
      run(function ()
        local open = 0
        local task = spawn(function ()
          local _ <close> = setmetatable({}, { __close = function ()
            open = open - 1
          end })
          open = open + 1
          sleep(10)
        end)
        sleep(0)
        if stop(function () return task:cancel() end) then
          assert.is_false(task:cancel())
        else
          task:cancel()
        end
        assert.equal(0, open)
        assert.matches("cancelled", tostring(task))
      end)
    end)
  end)

  it("in describe and plot is not taken for another", function ()
    local x = tide.ones(4)
    x:describe()
    for _, name in ipairs{ "describe", "plot" } do
      for n = 1, 300 do  -- what they have of their own comes first
        local hit, ok, err = stop_at(n, function () return tide[name](x) end)
        assert.equal(not hit, ok)
        if hit then assert.equal("stop", err) end
        assert.is_true(hit or n > 100)
      end
    end
  end)
end)

--- Calls fn(); a hook raises at the nth of the events that are said -> did it?
local function interrupt (events, n, fn, ...)
  local seen = 0
  pcall(function (...)
    local function hook ()
      seen = seen + 1
      if seen == n then
        debug.sethook()
        error("stop", 0)
      end
    end
    if events == "" then
      debug.sethook(hook, "", 1)
    else
      debug.sethook(hook, events)
    end
    fn(...)
    debug.sethook()
  end, ...)
  debug.sethook()
  return seen >= n
end

describe("a hook that raises anywhere", function ()
  local function work () return tide.zeros(3) + 1 end
  local CALLS = {
    capture = function () tide.capture(work) end,
    with_stream = function () tide.with_stream(work) end,
    with_device = function () tide.with_device(tide.get_device(), work) end,
    with = function (s) s:with(work) end,
    scope = function () tide.scope(work) end,
  }
  for name, call in pairs(CALLS) do
    it("in " .. name .. " leaves what was current", function ()
      local before <const> = tide.get_current_stream()
      local s <close> = tide.Stream{ non_blocking = true }
      local device = tide.get_device()
      for _, events in ipairs{ "", "l", "crl" } do
        local n = 0
        repeat
          n = n + 1
          local hit = interrupt(events, n, call, s)
          assert.equal(before, tide.get_current_stream())
          assert.equal(device, tide.get_device())
          assert.equal(0, helper.T.held().captures)
        until not hit
      end
    end)
  end
end)

end)
