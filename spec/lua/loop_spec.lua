--[[
loop_spec.lua - loops that tide does not know: tide.poll, tide.pollfd and
tide.loop. The coroutines' part is that of every loop, with one made of
tide.poll alone.
]]
local loops = require "spec.support.loops"
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, T = helper.fails, helper.T

local CODE <const> = [[
local tide = require "tide"
require "tide.loop"
local left = 0
local function start (fn)
  left = left + 1
  coroutine.wrap(function ()
    local _ <close> = setmetatable({}, { __close = function ()
      left = left - 1
    end })
    fn()
  end)()
end
local function loop ()
  while left > 0 do tide.poll(tide.sync_debug() == "off" and 1 or 0) end
end
]]

local go, run = loops("loop", CODE, true)

helper.each_device(function ()

describe("tide.poll", function ()
  it("waits for something to do, so many seconds at most", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local ran, turns, seconds = 0, 0
    repeat  -- what earlier tests waited for may end now, and wakes it
      turns, seconds = turns + 1, tide.clock()
      assert.equal(0, tide.poll(0.02))
      seconds = tide.clock() - seconds
    until seconds >= 0.02 or turns == 10
    assert.is_true(seconds >= 0.02 and seconds < 5)
    s:launch_host_func(function () ran = ran + 1 end)
    assert.equal(1, tide.poll(20))
    assert.equal(1, ran)
    assert.equal(0, tide.poll(0))
  end)

  it("counts as a wait if it is one", function ()
    tide.sync_debug "error"
    assert.equal(0, tide.poll())
    fails("sync_debug: tide.poll blocks", tide.poll, 0.01)
    tide.sync_debug "off"
  end)

  it("names what is wrong", function ()
    helper.badarg(1, "seconds must not be negative", tide.poll, -1)
    helper.badarg(1, "number expected, got string", tide.poll, "x")
    local s <close> = tide.Stream{ non_blocking = true }
    s:launch_host_func(function () tide.poll(1) end)
    fails("CUDA_ERROR_NOT_PERMITTED", s.synchronize, s)
  end)

  it("resumes coroutines, but none inside another's call of it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key, order = T.hold(s), {}
    for i = 1, 3 do
      go(function ()
        s:await()
        order[#order + 1] = i
        tide.poll()
        order[#order + 1] = i
      end)
    end
    T.release(key)
    run()
    assert.same({ 1, 1, 2, 2, 3, 3 }, order)
  end)

  it("raises the error of a coroutine, and goes on with others", function ()
    local over
    coroutine.wrap(function () tide.sleep(0.001) error "this one" end)()
    coroutine.wrap(function () tide.sleep(0.001) over = true end)()
    local ok, err
    repeat ok, err = pcall(tide.poll, 1) until not ok
    assert.matches("this one", err)
    repeat tide.poll(1) until over
  end)

  it("has coroutines in tasks block", function ()
    local order = {}
    tide.run(function ()
      tide.spawn(function () order[#order + 1] = "other" end)
      coroutine.wrap(function ()
        tide.sleep(0.002)
        order[#order + 1] = "inner"
      end)()
    end)
    assert.same({ "inner", "other" }, order)
  end)

  it("is not needed by tide.run, which leaves others to it", function ()
    local over
    go(function () tide.sleep(0.001) over = true end)
    tide.run(function () tide.sleep(0.01) end)
    assert.is_nil(over)
    run()
    assert.is_true(over)
  end)
end)

describe("a coroutine that waits", function ()
  it("is forgotten with what it waits for", function ()
    local kept <const> = setmetatable({}, { __mode = "k" })
    coroutine.wrap(function ()
      kept[coroutine.running()] = true
      tide.queue():get()
    end)()
    assert.is_not_nil(next(kept))
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(kept))
  end)

  it("waits on as another resumes it, and may be told the time", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key, got = T.hold(s), {}
    local function waiter (seconds)
      return coroutine.create(function ()
        local list <const> = table.pack(s:await(seconds))
        got[#got + 1] = list
      end)
    end
    local early, late, start = waiter(0.1), waiter(), tide.clock()
    assert.same({ true }, { coroutine.resume(late) })
    assert.is_true(coroutine.resume(early))
    for _, co in ipairs{ late, early } do
      assert.same({ true }, { coroutine.resume(co, "nothing") })
    end
    assert.is_true(#got == 0 or tide.clock() - start >= 0.1)
    while #got == 0 do tide.poll(0.001) end
    assert.same({ nil, "timeout", n = 2 }, got[1])
    assert.equal("suspended", coroutine.status(late))
    T.release(key)
    while #got == 1 do tide.poll(0.001) end
    assert.same({ true, n = 1 }, got[2])
  end)
end)

describe("tide.pollfd", function ()
  local has, socket = pcall(require, "socket")
  local function readable (seconds)
    local fd = { getfd = function () return tide.pollfd() end,
                 dirty = function () return false end }
    return #socket.select({ fd }, nil, seconds) == 1
  end

  it("is one descriptor", function ()
    assert.equal("integer", math.type(tide.pollfd()))
    assert.equal(tide.pollfd(), tide.pollfd())
  end)

  local test = has and it or pending
  test("is readable when there is something to do", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    while readable(0) do tide.poll() end
    s:launch_host_func(function () end)
    assert.is_true(readable(20))
    tide.poll()
    local key, over = T.hold(s), 0
    for _, seconds in ipairs{ 20, 0.01 } do
      go(function ()
        s:await(seconds)
        over = over + 1
      end)
    end
    while over == 0 do
      assert.is_true(readable(20))
      tide.poll()
    end
    T.release(key)
    while over == 1 do
      assert.is_true(readable(20))
      tide.poll()
    end
    while readable(0) do tide.poll() end
    assert.is_false(readable(0.01))
  end)
end)

describe("another module", function ()
  it("is not loaded while coroutines wait in this one", function ()
    local s = tide.Stream{ non_blocking = true }
    local key, over = T.hold(s), false
    s:launch_host_func(function () end)
    coroutine.wrap(function ()
      s:await()
      over = true
    end)()
    fails("another loop of tide's is loaded, in which coroutines wait",
          require "tide.waiting".set_plain, require "tide.loops".plain{})
    T.release(key)
    while not over do tide.poll(0.1) end
  end)
end)

describe("a module whose library is missing", function ()
  it("says how to get it", function ()
    local err = fails("tide.nothing needs nothing: apt install nothing\n",
                      require "tide.arguments".require, "nothing",
                      "apt install nothing")
    assert.matches("module 'nothing' not found", err)
  end)
end)

describe("a coroutine that was woken", function ()
  local q, log

  before_each(function () q, log = tide.queue(), {} end)

  --- A coroutine that logs what it gets.
  local function getter (fn)
    local co = coroutine.create(function ()
      local value = q:get()
      log[#log + 1] = value
      if fn then fn() end
    end)
    assert.is_true(coroutine.resume(co))
    return co
  end

  local function poll ()
    for _ = 1, 10 do tide.poll(0.001) end
  end

  it("may be closed before its turn (#268)", function ()
    local second
    getter(function () assert.is_true(coroutine.close(second)) end)
    second = getter()
    getter()
    for i = 1, 3 do q:put(i) end
    poll()
    assert.same({ 1, 2 }, log)
    assert.equal(1, #q)
    assert.equal("dead", coroutine.status(second))
    assert.equal(3, q:get())
  end)

  it("may be resumed by another before its turn (#268)", function ()
    local co = getter(function ()
      local value = coroutine.yield()
      log[#log + 1] = value
    end)
    q:put "a value"
    assert.is_true(coroutine.resume(co))
    poll()
    assert.equal("suspended", coroutine.status(co))
    assert.is_true(coroutine.resume(co, "what it waited for then"))
    assert.same({ "a value", "what it waited for then" }, log)
  end)
end)

describe("a task of a run that fails", function ()
  --- wait(task) in a coroutine of the loop, where another one's run has that
  -- task; then finish(that coroutine). The wait must be told.
  local function is_told (wait, finish)
    local task
    local co = coroutine.create(function ()
      local _, why = pcall(tide.run, function ()
        task = tide.spawn(tide.sleep, 60)
        tide.sleep(0.02)
        error "the run fails"
      end)
      assert.matches("the run fails", why)
    end)
    coroutine.resume(co)
    local ok, why
    coroutine.wrap(function () ok, why = pcall(wait, task) end)()
    assert.is_nil(ok)
    if finish then finish(co) end
    local til = tide.clock() + 10
    while ok == nil and tide.clock() < til do tide.poll(0.01) end
    assert.is_false(ok)
    assert.matches("was cancelled", why)
  end

  it("raises where coroutines and tasks of others wait for it (#329)",
     function ()
    is_told(function (task) task:await() end)
    for _, name in ipairs{ "gather", "race" } do
      is_told(function (task) tide.run(tide[name], { task }) end)
    end
  end)

  it("raises where the run's coroutine is closed (#329)", function ()
    is_told(function (task)
      tide.run(function () task:await() end)
    end, coroutine.close)
  end)
end)

end)
