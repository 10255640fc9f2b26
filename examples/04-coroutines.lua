-- 04-coroutines.lua - the current stream belongs to the coroutine: three take
-- turns, each on a stream of its own, and none disturbs the others.
local tide = require "tide"

local N = 100000
local main = tide.get_current_stream()

--- A coroutine function that doubles an array of N numbers, step by step.
local function doubler (name, first, steps)
  return tide.wrap(function ()
    local s = tide.Stream{ non_blocking = true }:use()  -- for this coroutine
    local x = tide.full(N, first, "float64")
    for step = 1, steps do
      x = x * 2                              -- queued on s, without a wait
      coroutine.yield(name .. " " .. step)
      assert(tide.get_current_stream() == s) -- whoever ran meanwhile
    end
    return name .. " done", x:sum():item() / N
  end)
end

local tasks = {
  { run = doubler("a", 1, 2), expected = 4 },
  { run = doubler("b", 3, 4), expected = 48 },
  { run = doubler("c", 5, 3), expected = 40 }
}

while #tasks > 0 do
  local turn = {}
  for i = #tasks, 1, -1 do
    local said, result = tasks[i].run()
    table.insert(turn, 1, said)
    if result then
      assert(result == tasks[i].expected)
      table.remove(tasks, i)
    end
    assert(tide.get_current_stream() == main)
  end
  print(table.concat(turn, "   "))
end

-- A scope may yield too, and is closed with its coroutine.
local co = coroutine.create(function ()
  tide.with_stream(coroutine.yield)          -- on a stream of its own
end)
local _, s = coroutine.resume(co)
assert(s ~= main and tide.get_current_stream() == main)
assert(coroutine.close(co))
print "closed in the middle of a scope"
