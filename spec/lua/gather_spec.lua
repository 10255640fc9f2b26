--[[
gather_spec.lua - several tasks: tide.gather, tide.race, and whose error it is
when one of them fails.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails, counted = helper.fails, helper.counted
local run, spawn, sleep = tide.run, tide.spawn, tide.sleep

helper.each_device(function (kind)

describe("several tasks", function ()
  it("are gathered", function ()
    run(function ()
      local x = tide.ones(3)
      local got = tide.gather{
        x + 1, function () sleep(0.002) return "slow" end,
        spawn(function () return "task", 2 end)
      }
      assert.same({ true, "slow", "task", n = 3 }, got)
      assert.same({ n = 0 }, tide.gather{})
    end)
  end)

  it("are cancelled when one of them fails", function ()
    local open = {}
    run(function ()
      local started = tide.clock()
      fails("first error", tide.gather, {
        function ()
          local _ <close> = counted(open)
          sleep(10)
        end,
        function ()
          sleep(0.001)
          error "first error"
        end,
      })
      assert.equal(0, open.n)
      assert.is_true(tide.clock() - started < 5)
    end)
  end)

  it("race", function ()
    local open = {}
    run(function ()
      assert.same({ 2, "a", "b" }, { tide.race{
        function ()
          local _ <close> = counted(open)
          sleep(10)
        end,
        function ()
          sleep(0.001)
          return "a", "b"
        end,
      } })
      assert.equal(0, open.n)
      fails("lost", tide.race, { function () error "lost" end,
                                 function () sleep(10) end })
    end)
  end)

  --- Sleeps, and its <close> raises.
  local function bad_loser (err)
    return function ()
      local _ <close> = setmetatable({}, { __close = function ()
        error(err or "could not roll back", 0)
      end })
      sleep(10)
    end
  end

  it("raise what the <close> of one raises that loses a race", function ()
    run(function ()
      local function win () return "winner" end
      fails("could not roll back", tide.race, { bad_loser(), function ()
        sleep(0)
        return win()
      end })
      local ok, err = pcall(tide.race, { bad_loser(), bad_loser(), function ()
        sleep(0)
        error("first", 0)
      end })
      assert.is_false(ok)
      assert.matches("^first\n.*\nand: could not roll back\n.*" ..
                     "\nand: could not roll back\nin task", err)
    end)
  end)

  it("raise it behind the first error of those that are gathered", function ()
    run(function ()
      local function lose () sleep(0) error("first", 0) end
      local ok, err = pcall(tide.gather, { lose, bad_loser() })
      assert.is_false(ok)
      assert.matches("^first\n.*\nand: could not roll back\nin task", err)
      ok, err = pcall(tide.gather, { lose, bad_loser{} })
      assert.is_false(ok)
      assert.matches("\nand: %(error object is a table value%)$", err)
    end)
  end)

  it("raise it as their own error if they are cancelled", function ()
    run(function ()
      local task = spawn(tide.gather, { bad_loser() })
      sleep(0)
      sleep(0)
      local told = spawn(function ()
        fails("could not roll back", task.await, task)
      end)
      sleep(0)
      task:cancel()
      told:await()
    end)
  end)

  --- Returns the error of tide.run if a task fails, another waits for it with
  -- wait(task), and a third one cancels the waiter in the turn after that.
  local function lost (wait, err)
    return select(2, pcall(run, function ()
      local waiter
      local bad = spawn(function ()
        sleep(0)
        error(err or "told", 0)
      end)
      waiter = spawn(wait, bad)
      spawn(function ()
        sleep(0)
        waiter:cancel()
      end)
      sleep(10)
    end))
  end

  local WAITS <const> = {
    await = function (task) task:await() end,
    ["await with a timeout"] = function (task) task:await(10) end,
    gather = function (task) tide.gather{ task } end,
    ["gather of functions"] = function (task)
      tide.gather{ function () task:await() end, function () sleep(10) end }
    end,
    race = function (task) tide.race{ task, function () sleep(10) end } end
  }

  for name, wait in pairs(WAITS) do
    it("raise it in tide.run if who was told is cancelled: " .. name,
       function ()
      assert.matches("^told\nin task", lost(wait))
      local err = {}
      assert.equal(err, lost(wait, err))
    end)
  end

  it("raise it to who is left, if another who was told is cancelled",
     function ()
    run(function ()
      local bad = spawn(function () sleep(0) error("told", 0) end)
      local first = spawn(bad.await, bad)
      local second = spawn(function () return pcall(bad.await, bad) end)
      spawn(function ()
        sleep(0)
        first:cancel()
      end)
      assert.is_false(second:await())
    end)
  end)

  it("raise all that nobody else got", function ()
    local ok, err = pcall(run, function ()
      for i = 1, 2 do
        local bad = spawn(function () sleep(0) error("no " .. i, 0) end)
        spawn(bad.await, bad)
      end
      sleep(0)
      sleep(0)
      error("main", 0)
    end)
    assert.is_false(ok)
    assert.matches("^main\n.*\nand: no 2\nin task", err)
    assert.matches("\nand: no 1\nin task", err)
  end)

  it("raise it to who would give up only now", function ()
    run(function ()
      local bad = spawn(error, "late", 0)  -- its turn is before ours
      fails("late", bad.await, bad, 0)
      assert.equal("in time", spawn(function () return "in time" end):await(0))
    end)
  end)

  it("raise it at the end of tide.run", function ()
    local ok, err = pcall(run, function ()
      for _ = 1, 2 do spawn(bad_loser()) end
      sleep(0)
      error("main", 0)
    end)
    assert.is_false(ok)
    assert.matches("^main\n.*\nand: could not roll back\nin task %d.*" ..
                   "\nin a <close> at the end of tide.run\nand: could not",
                   err)
  end)

  it("raise the first one even if a later one is nil", function ()
    fails("first", run, function ()
      for _ = 1, 2 do
        spawn(function ()
          local _ <close> = setmetatable({}, { __close = function ()
            error(nil)
          end })
          sleep(1)
        end)
      end
      sleep(0)
      error "first"
    end)
  end)

  it("warn of it where the first error is no string #process", function ()
    local text = helper.child_on(kind, [[
      local tide = require "tide"
      warn "@on"
      local _, err = pcall(tide.run, function ()
        tide.spawn(function ()
          local _ <close> = setmetatable({}, { __close = function ()
            error("could not roll back", 0)
          end })
          tide.sleep(10)
        end)
        tide.sleep(0)
        error{ "first" }
      end)
      print(err[1])
    ]])
    assert.matches("nobody asked for this error: could not roll back", text)
    assert.matches("first", text)
  end)

  for _, name in ipairs{ "gather", "race" } do
    it("do not begin if their list is wrong: " .. name .. " (#265 #274)",
       function ()
      local began, fn = false, tide[name]
      local function begin () began = true end
      run(function ()
        fails("item 2", fn, { begin, 1 })
        fails(("bad argument #1 to '%s' (field 'first' in a list"):format(name),
              fn, { first = begin })
        fails("field 'second'", fn, { begin, second = begin })
        sleep(0)
        assert.is_false(began)
        fn(table.pack(begin))
        assert.is_true(began)
      end)
    end)

    it("are not the task that waits for them: " .. name .. " (#271)",
       function ()
      run(function ()
        local me, began
        me = spawn(function ()
          sleep(0)
          fails(("tide.%s: a task cannot wait for itself"):format(name),
                tide[name], { function () began = true end, me })
        end)
        me:await()
        sleep(0)
        assert.is_nil(began)
      end)
    end)
  end

  --- The one task that runs is busy until then.
  local function stall ()
    spawn(function ()
      sleep(0.001)
      helper.spin(20)
    end)
  end

  it("take nothing once they have lost a race, ready or not (#290)",
     function ()
    run(function ()
      local function late () sleep(0.004) end
      local q = tide.queue()
      spawn(function () sleep(0.002) q:put "v" end)
      stall()
      local which, value = tide.race{ function () return q:get() end, late }
      sleep(0.001)
      assert(which == 1 and value == "v" or which == 2 and q:get() == "v")

      local places = tide.semaphore(1)
      local function acquire () return places:acquire() end
      spawn(function ()
        local _ <close> = acquire()
        sleep(0.002)
      end)
      sleep(0)
      stall()
      if tide.race{ acquire, late } == 2 then
        assert.equal(1, (tide.race{ acquire, function () sleep(1) end }))
      end

      local full = tide.queue(1):put(1)
      spawn(function () sleep(0.002) full:get() end)
      stall()
      which = tide.race{ function () full:put(2) end, late }
      sleep(0.001)
      assert.equal(which == 1 and 1 or 0, #full)
    end)
  end)

  it("do nothing more once one of them has failed (#290)", function ()
    run(function ()
      local q, turn = tide.queue(), 0
      local raised, did
      local function now ()
        turn = turn + 1
        return turn
      end
      spawn(function () sleep(0.002) q:put "v" end)
      stall()
      assert(not pcall(tide.gather, {
        function () sleep(0.004) raised = now() error "one" end,
        function () q:get() sleep(0) did = now() end
      }))
      sleep(0.001)
      assert(not did or did < raised)  -- a stalled machine may let it be first
    end)
  end)
end)

end)
