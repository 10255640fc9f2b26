--[[
311: a task whose function is tide's own or C's was named by the line of the
library that has it, or by "[C]:-1", where it was spawned by a line of the
program; and one that waits by a tail call waited "at ?".
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails = helper.fails

local HERE <const> = debug.getinfo(1, "S").short_src

--- "spec.lua:12", n lines after the line that calls.
local function line (n)
  return ("%s:%d"):format(HERE, debug.getinfo(2, "l").currentline + n)
end

describe("a task whose function is not the program's", function ()
  it("is named by where it was spawned", function ()
    tide.run(function ()
      local q <const> = tide.queue():put(1):put(2)
      for _, arguments in ipairs{ { tide.sleep, 0 }, { type, q }, { q.get, q },
                                  { tide.clock } } do
        local at <const> = line(1)
        local task <const> = tide.spawn(table.unpack(arguments))
        assert.is_truthy(tostring(task):find(("(%s), ready"):format(at), 1,
                                             true), tostring(task))
      end
      local at <const> = line(1)
      local task <const> = tide.spawn({ name = "one" }, error, "no", 0)
      fails(("no\nin one (%s)"):format(at), task.await, task)
      local own <const> = line(1)
      local mine <const> = tide.spawn(function () end)
      assert.is_truthy(tostring(mine):find(own, 1, true))
    end)
  end)

  it("is so where all wait for each other", function ()
    local spawned, list
    local err <const> = fails("all tasks wait for each other", tide.run,
                              function ()
      local q <const> = tide.queue()
      spawned = line(1)
      tide.spawn(q.get, q)
      list = line(1)
      tide.gather{ function () q() end, tide.spawn(q.get, q) }
    end)
    assert.is_truthy(err:find(("task 2 (%s) waits for a queue\n"):format(
      spawned), 1, true), err)
    assert.is_truthy(err:find(("task 3 (%s) waits for a queue\n"):format(list),
                              1, true), err)
  end)
end)

describe("a task that waits by a tail call", function ()
  it("is named, and no place is made up", function ()
    local at
    local err <const> = fails("all tasks wait for each other", tide.run,
                              function ()
      local q <const> = tide.queue()
      at = line(1)
      tide.spawn(function () return q:get() end)
    end)
    local text <const> = ("task 2 (%s) waits for a queue"):format(at)
    assert.equal(text, err:sub(-#text))
  end)
end)
