--[[
gather.lua - gather and race: tasks that wait for several tasks, functions, or
objects with await(). init.lua loads it at the first call.
]]
local arguments = require "tide.arguments"
local core = require "tide.scheduler"
local tasks = require "tide.tasks"
local waiting = require "tide.waiting"
local format <const> = string.format

local Task <const>, STATE <const>, RESULTS <const>, CAUGHT <const> =
  tasks.Task, tasks.STATE, tasks.RESULTS, tasks.CAUGHT
local current_task <const>, park <const>, make_task <const> =
  tasks.inside, waiting.park, tasks.make
local is_over <const>, may_cancel <const> = tasks.is_over, tasks.may_cancel
local outcome <const>, join_errors <const> = tasks.outcome, tasks.join_errors
local begin <const>, watch <const>, new_watcher <const> =
  tasks.begin, tasks.watch, tasks.new_watcher
local leave <const> = tasks.Watcher.__close

local callable <const> = core.callable

local several <const> = {}

--- Checks an item of the list, before any of them begins.
local function check_item (x, i, name, me)
  if x == me then
    error("tide." .. name .. ": a task cannot wait for itself", 4)
  end
  if getmetatable(x) ~= Task and not callable(x) and
     not callable(arguments.field(x, "await")) then
    error(format("bad argument #1 to '%s' (item %d: a function, a Task or " ..
                 "what has await() expected, got %s)", name, i, type(x)), 4)
  end
end

local function as_task (x)
  if getmetatable(x) == Task then return x end
  if callable(x) then return make_task(nil, nil, x) end
  return make_task(nil, "inherit", function () return x:await() end)
end

--- Checks the list. Named fields are refused, because they would be ignored
-- silently; the n of table.pack is allowed.
local function check_list (list, name)
  if type(list) ~= "table" or getmetatable(list) == Task then
    error(format("bad argument #1 to '%s' (list expected, got %s)",
      name, list == nil and "no value" or type(list)), 3)
  end
  for key in pairs(list) do
    if type(key) == "string" and key ~= "n" then
      error(format("bad argument #1 to '%s' (field '%s' in a list of what " ..
                   "is waited for, which has no names)", name, key), 3)
    end
  end
end

--- Returns the calling task. Only tasks of a run can be waited for.
local function current_in_run (name)
  return current_task() or
         error(name .. ": called outside of a task: call it in the function " ..
               "that tide.run or tide.spawn calls, in its own coroutine", 3)
end

--- Cancels the remaining tasks, except one that is cancelling this one. Stores
-- the errors of their <close>, because nothing else reports them.
local function cancel_left (all)
  for i = 1, #all do
    local task <const> = all[i]
    if may_cancel(task) and task:cancel() and task[STATE] == "failed" then
      task[CAUGHT] = true
      all.err = join_errors(all.err, task[RESULTS][1])
    end
  end
end

--- The end of the scope.
local Rest <const> = { __close = core.atomic(function (all, err)
  cancel_left(all)
  for _, watcher in next, all.watchers do leave(watcher) end
  if all.err ~= nil then error(join_errors(err, all.err), 0) end
end) }

local function new_rest () return setmetatable({ watchers = {} }, Rest) end

--- Turns the items of the list into tasks, and begins them.
local function fill (all, list, name, me)
  local n <const> = #list
  for i = 1, n do check_item(list[i], i, name, me) end
  for i = 1, n do all[i] = as_task(list[i]) end
  begin(all)
end

--- Parks until done(task) returns true for a finished task, or for all
-- together. Cancels the remaining tasks at once and not in this task's next
-- turn: their turns may come before it, and take values that would be lost.
local function wait_for (me, all, done)
  local enough, seen = false, {}
  local function see (i)
    if enough or seen[i] then return end
    seen[i] = true
    if not done(all[i], i) then return end
    enough = true
    me:waken(true)
    cancel_left(all)
  end
  for i = 1, #all do
    local watcher <const> = new_watcher(all[i], function () see(i) end)
    all.watchers[i] = watcher
    watch(watcher)
    if is_over(all[i]) then see(i) else all[i][CAUGHT] = false end
  end
  local function is_enough () return enough end
  while not enough do park(me, "tasks", nil, is_enough) end
end

--- gather(list) -> the list of the first results. Raises the first error, and
-- cancels the others.
function several.gather (list)
  check_list(list, "gather")
  local me <const> = current_in_run "tide.gather"
  local all <close> = new_rest()
  fill(all, list, "gather", me)
  local left, failed = #all, nil
  if left > 0 then
    wait_for(me, all, function (task)
      left = left - 1
      if task[STATE] ~= "done" then failed = failed or task end
      return left == 0 or failed
    end)
  end
  if failed then outcome(failed) end
  local results <const> = { n = #all }
  for i = 1, #all do
    results[i] = all[i][RESULTS][1]
  end
  return results
end

--- race(list) -> the index of the first task to finish, and its results; or
-- raises its error. Cancels the others.
function several.race (list)
  check_list(list, "race")
  if #list == 0 then
    error("bad argument #1 to 'race' (an empty list has no first)", 2)
  end
  local me <const> = current_in_run "tide.race"
  local all <close> = new_rest()
  fill(all, list, "race", me)
  local first
  wait_for(me, all, function (_, i)
    first = first or i
    return true
  end)
  return first, outcome(all[first])
end

return several
