--[[
gather.lua - gather and race: tasks that wait for several others, functions, or
what has await(). init.lua loads it with the first one.
]]
local tasks = require "tide.tasks"

local Task <const>, STATE <const>, RESULTS <const>, CAUGHT <const> =
  tasks.Task, tasks.STATE, tasks.RESULTS, tasks.CAUGHT
local current_task <const>, park <const>, new_task <const> =
  tasks.inside, tasks.park, tasks.spawn
local is_over <const>, may_cancel <const> = tasks.is_over, tasks.may_cancel
local outcome <const>, add_watcher <const> = tasks.outcome, tasks.add_watcher

local callable <const> = require "tide.scheduler".callable

local several <const> = {}

local function has_await (x)
  local ok, await = pcall(function () return x.await end)
  return ok and callable(await)
end

--- What may be waited for: checked, before any of the list begins.
local function check_item (x, i, name, me)
  if x == me then
    error("tide." .. name .. ": a task cannot wait for itself", 4)
  end
  if getmetatable(x) ~= Task and not callable(x) and not has_await(x) then
    error(("bad argument #1 to '%s' (item %d: a function, a Task or what " ..
           "has await() expected, got %s)"):format(name, i, type(x)), 4)
  end
end

local function as_task (x)
  if getmetatable(x) == Task then return x end
  if callable(x) then return new_task(nil, nil, x) end
  return new_task(nil, "inherit", function () return x:await() end)
end

--- What has a name would be left out in silence; the n of table.pack may be
-- there.
local function check_list (list, name)
  if type(list) ~= "table" or getmetatable(list) == Task then
    error(("bad argument #1 to '%s' (list expected, got %s)"):format(
      name, list == nil and "no value" or type(list)), 3)
  end
  for key in pairs(list) do
    if type(key) == "string" and key ~= "n" then
      error(("bad argument #1 to '%s' (field '%s' in a list of what is " ..
             "waited for, which has no names)"):format(name, key), 3)
    end
  end
end

--- Tasks to be waited for are those of a run.
local function current_in_run (name)
  return current_task() or
         error(name .. ": called outside of a task: only what tide.run and " ..
               "tide.spawn call can wait, in its own coroutine", 3)
end

local function as_tasks (list, name, me)
  local all <const>, n <const> = {}, #list
  for i = 1, n do check_item(list[i], i, name, me) end
  for i = 1, n do
    all[i] = as_task(list[i])
    all[i][CAUGHT] = true
  end
  return all
end

--- Those that are left when the scope ends are cancelled; but for one that has
-- cancelled us.
local Rest <const> = { __close = function (all)
  for i = 1, #all do
    if may_cancel(all[i]) then all[i]:cancel() end
  end
end }

--- Parks until done(task) has said so of one that is over, or of all together.
-- Those that are left are cancelled there and then, not in our next turn:
-- theirs may come before, and take what nobody would get from them.
local function watch (me, all, waits, done)
  local enough, seen = false, {}
  local function see (i)
    if enough or seen[i] then return end
    seen[i] = true
    if not done(all[i], i) then return end
    enough = true
    me:waken(true)
    Rest.__close(all)
  end
  for i = 1, #all do
    if not is_over(all[i]) then
      add_watcher(all[i], function () see(i) end)
    end
    if is_over(all[i]) then see(i) end  -- also since
  end
  if not enough then
    park(me, waits, nil, function () return enough end)
  end
end

--- gather(list) -> the list of what they returned, the first value of each. The
-- first error is raised, and the others are cancelled.
function several.gather (list)
  check_list(list, "gather")
  local me <const> = current_in_run "tide.gather"
  local all <close> = setmetatable(as_tasks(list, "gather", me), Rest)
  local left, failed = #all, nil
  if left > 0 then
    watch(me, all, "tasks", function (task)
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

--- race(list) -> the place of the first that is over, and what it returned; or
-- raises its error. The others are cancelled.
function several.race (list)
  check_list(list, "race")
  if #list == 0 then
    error("bad argument #1 to 'race' (an empty list has no first)", 2)
  end
  local me <const> = current_in_run "tide.race"
  local all <close> = setmetatable(as_tasks(list, "race", me), Rest)
  local first
  watch(me, all, "tasks", function (_, i)
    first = first or i
    return true
  end)
  return first, outcome(all[first])
end

return several
