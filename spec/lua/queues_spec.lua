--[[
queues_spec.lua - queues and semaphores, which tasks wait for.
]]
local helper = require "spec.support.helper"
local tide = require "tide"
local NEWER <const> = require "tide.line".NEWER

local fails = helper.fails
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

--- Behind a task that waits long, waits of call() begin and are cancelled, each
-- after the next has begun -> the greatest length of the line.
local function longest (line, call)
  local most, before = 0, nil
  for _ = 1, 100 do
    local task = spawn(call)
    sleep(0)
    if before then before:cancel() end
    before = task
    local n, entry = 0, line.first
    while entry do
      n, entry = n + 1, entry[NEWER]
    end
    most = math.max(most, n)
  end
  before:cancel()
  return most
end

describe("a queue", function ()
  it("keeps nobody who gave up behind one that waits", function ()
    run(function ()
      local q, full = tide.queue(), tide.queue(1):put(0)
      local function get () return q:get() end
      local function put () return full:put(1) end
      local patient = { spawn(get), spawn(put) }
      sleep(0)
      assert.equal(2, longest(q.getters, get))
      assert.equal(2, longest(full.putters, put))
      q:put "value"
      assert.equal("value", patient[1]:await())
      assert.equal(0, full:get())
      assert.equal(full, patient[2]:await())
    end)
  end)

  it("keeps the order, and waits where it is full or empty", function ()
    local got, most = {}, 0
    run(function ()
      local q = tide.queue(3)
      spawn(function ()
        for i = 1, 50 do
          q:put(i)
          most = math.max(most, #q)
        end
        q:close()
      end)
      for value in q do
        got[#got + 1] = value
        if value % 7 == 0 then sleep(0) end
      end
      assert.is_nil(q:get())
    end)
    assert.equal(3, most)
    for i = 1, 50 do assert.equal(i, got[i]) end
  end)

  it("ends for all who wait when it is closed", function ()
    run(function ()
      local q, full = tide.queue(), tide.queue(1):put(0)
      local getter = spawn(function () return select("#", q:get()), q:get() end)
      local putter = spawn(function () return pcall(full.put, full, 1) end)
      sleep(0)
      q:close()
      q:close()
      full:close()
      assert.same({ 1, nil }, { getter:await() })
      local ok, err = putter:await()
      assert.is_false(ok)
      assert.matches("queue:put: the queue was closed", err)
      fails("the queue is closed", q.put, q, 1)
      assert.equal(0, full:get())
      assert.is_nil(full:get())
    end)
  end)

  it("serves who came first, whoever comes while he is woken", function ()
    local got = {}
    run(function ()
      local full = tide.queue(1):put(0)
      for _, name in ipairs{ "a", "b" } do
        spawn(function () full:put(name) end)
      end
      sleep(0)
      assert.equal(0, full:get())
      spawn(function () for i = 1, 3 do got[i] = full:get() end end)
      full:put "late"  -- there is room, which is a's
    end)
    assert.same({ "a", "b", "late" }, got)
    got = {}
    run(function ()
      local q = tide.queue()
      local function get (name)
        local value = q:get()
        got[#got + 1] = name .. value
      end
      for _, name in ipairs{ "a", "b" } do spawn(get, name) end
      sleep(0)
      q:put(1)
      spawn(get, "late")
      sleep(0)
      q:put(2):put(3)
    end)
    assert.same({ "a1", "b2", "late3" }, got)
  end)

  it("gives to the next what one was woken for who is cancelled", function ()
    run(function ()
      local q, full = tide.queue(), tide.queue(1):put(0)
      local first = spawn(function () q:get() end)
      local second = spawn(function () return q:get() end)
      local putter = spawn(function () full:put "first" end)
      local next_one = spawn(function () full:put "next" end)
      sleep(0)
      q:put "value"
      full:get()
      assert.is_true(first:cancel())
      assert.is_true(putter:cancel())
      assert.equal("value", second:await())
      assert.equal("next", full:get())
      next_one:await()
      assert.equal("again", full:put "again":get())
      assert.equal("again", q:put "again":get())
    end)
  end)

  it("has nothing in its line once all have given up (#265)", function ()
    run(function ()
      local q = tide.queue()
      for _ = 1, 200 do
        local task = spawn(function () q:get() end)
        sleep(0)
        task:cancel()
      end
      assert.is_false(q.getters.first or q.getters.last)
      for key in pairs(q.getters) do assert.is_string(key) end  -- no entry
    end)
  end)

  it("gives what a cancelled one was woken for in order (#265)", function ()
    run(function ()
      local q, small = tide.queue(), tide.queue(1)
      local function get () return q:get() end
      local one, two, three = spawn(get), spawn(get), spawn(get)
      sleep(0)
      q:put "first":put "second"
      one:cancel()
      assert.equal("first", two:await(5))
      assert.equal("second", three:await(5))
      local getter = spawn(function () return small:get() end)
      sleep(0)
      small:put(1)
      local putter = spawn(function () small:put(2) end)
      sleep(0)
      assert.equal(1, getter:await())
      putter:await()
      assert.equal(1, #small)
    end)
  end)

  it("keeps its values, closed, for those who waited for them (#331)",
     function ()
    run(function ()
      local function waiting ()
        local q, tasks = tide.queue(), {}
        for i = 1, 2 do tasks[i] = spawn(function () return q:get() end) end
        sleep(0)
        return q, tasks[1], tasks[2]
      end
      local q, first, second = waiting()
      q:put "value":close()
      assert.is_nil(q:get())
      assert.equal("value", first:await())
      assert.is_nil(second:await())
      assert.is_nil(q:get())

      q, first, second = waiting()
      q:put(1):put(2):put(3):close()
      assert.equal(1, q:get())
      assert.is_nil(q:get())
      assert.equal(2, first:await())
      assert.equal(3, second:await())

      q, first, second = waiting()
      second:cancel()
      q:put "value":close()
      first:cancel()
      assert.equal("value", q:get())
      assert.is_nil(q:get())
    end)
  end)
end)

describe("a semaphore", function ()
  it("has so many places, in turn", function ()
    local now, most, order = 0, 0, {}
    run(function ()
      local semaphore = tide.semaphore(2)
      for i = 1, 10 do
        spawn(function ()
          local _ <close> = semaphore:acquire()
          now = now + 1
          most = math.max(most, now)
          order[#order + 1] = i
          sleep(0.0005)
          now = now - 1
        end)
      end
    end)
    assert.equal(2, most)
    for i = 1, 10 do assert.equal(i, order[i]) end
  end)

  it("serves who came first, and forgets who is cancelled", function ()
    local order = {}
    run(function ()
      local semaphore = tide.semaphore(1)
      local place, tasks = semaphore:acquire(), {}
      for i = 1, 4 do
        tasks[i] = spawn(function ()
          local _ <close> = semaphore:acquire()
          order[#order + 1] = i
          sleep(0)
        end)
      end
      sleep(0)
      tasks[2]:cancel()
      place:release()
      tasks[1]:cancel()  -- it was woken
      local _ <close> = semaphore:acquire()
      order[#order + 1] = "late"
    end)
    assert.same({ 3, 4, "late" }, order)
  end)

  it("keeps nobody who gave up behind one that waits", function ()
    run(function ()
      local semaphore = tide.semaphore(1)
      local place = semaphore:acquire()
      local function acquire () return semaphore:acquire() end
      local patient = spawn(acquire)
      sleep(0)
      assert.equal(2, longest(semaphore.line, acquire))
      place:release()
      patient:await():release()
      assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
    end)
  end)

  it("gives a place back once", function ()
    local semaphore = tide.semaphore(2)
    for _, name in ipairs{ "close", "release" } do
      local place, other = semaphore:acquire(), semaphore:acquire()
      assert.equal("tide.Place", tostring(place))
      assert.equal("tide.Semaphore: 0 of 2 free", tostring(semaphore))
      for _ = 1, 2 do
        place[name](place)
        assert.equal("tide.Semaphore: 1 of 2 free", tostring(semaphore))
      end
      assert.equal("tide.Place (closed)", tostring(place))
      fails(("bad argument #1 to '%s' (tide.Place expected"):format(name),
            place[name])
      other:close()
    end
  end)
end)

describe("a wait with a timeout", function ()
  it("is a race, which who gives one is told", function ()
    local q, semaphore = tide.queue(1), tide.semaphore(1)
    for call, message in pairs{
      ["q:get(3)"] = "#1 to 'get' (no value expected, got number",
      ["q:get{ timeout = 3 }"] = "#1 to 'get' (no value expected, got table",
      ["q:put(1, 3)"] = "#2 to 'put' (no value expected, got number",
      ["s:acquire(3)"] = "#1 to 'acquire' (no value expected, got number"
    } do
      local ok, err = pcall(load("local q, s = ... local _ = " .. call,
                                 "=chunk"), q, semaphore)
      assert.is_false(ok)
      assert.is_truthy(err:find("chunk:1: bad argument " .. message ..
        "; with a timeout it is tide.race{ function () return ", 1, true), err)
    end
  end)

  it("takes nothing if the clock wins", function ()
    run(function ()
      local q, semaphore = tide.queue(1), tide.semaphore(1)
      local function late () sleep(0.01) end
      assert.equal(2, (tide.race{ function () return q:get() end, late }))
      q:put(7)
      assert.same({ 1, 7 }, { tide.race{ function () return q:get() end,
                                         late } })
      q:put(8)
      assert.equal(2, (tide.race{ function () return q:put(9) end, late }))
      assert.equal(8, q:get())
      assert.equal(0, #q)
      local place = semaphore:acquire()
      assert.equal(2, (tide.race{ function () return semaphore:acquire() end,
                                  late }))
      place:release()
      assert.equal("tide.Semaphore: 1 of 1 free", tostring(semaphore))
    end)
  end)
end)
