--[[
queues.lua - queues and semaphores, on which tasks and coroutines of event loops
wait for each other. init.lua loads it at the first call.

Waiting coroutines stand in a line, first come, first served. A woken one is
entitled to the value or place, and later ones stand behind the others. If it is
cancelled before it goes on, the next one gets the value or place.
]]
local arguments = require "tide.arguments"
local core = require "tide.scheduler"
local line = require "tide.line"
local tasks = require "tide.tasks"
local waiting = require "tide.waiting"
local format <const> = string.format

local check_self <const>, check_end <const>, check_count <const> =
  arguments.check_self, arguments.check_end, arguments.check_count
local current <const>, park <const>, waken <const> =
  tasks.current, waiting.park, waiting.waken
local atomic <const>, join <const>, leave <const> =
  core.atomic, line.join, line.leave

local queues <const> = {}

--- Refuses a timeout: a race with tide.sleep provides one. 'call': the waiting
-- call, for the message; 'at': the number of the additional argument.
local function check_untimed (extra, at, name, call)
  if extra ~= nil then
    error(format("bad argument #%d to '%s' (no value expected, got %s; with " ..
                 "a timeout it is tide.race{ function () return %s end, " ..
                 "function () tide.sleep(seconds) end })", at, name,
             arguments.kind_of(extra), call), 3)
  end
end

--{{ lines

-- The fields of an entry in a line, behind those of line.lua.
local LINE <const>, HOME <const>, WHO <const> = line.LINE, 4, 5
local WOKEN <const>, NOTIFIED <const> = 6, 7
local TAKEN <const> = 8       -- the value or place that it has taken

--- Adds the line 'name' to a queue or semaphore. restore(of, taken) puts back
-- the value or place that a waiting coroutine took, if it then could not go on.
local function add_line (of, name, restore)
  local self <const> = line.new()
  self.woken, self.notified, self.of, self.restore = 0, 0, of, restore
  of[name] = self
end

-- The atomic functions here may be called again if memory runs out in them. So
-- each wakes before it changes anything else, and waking begins with the step
-- that needs memory.

--- Wakes the first in the line, if there is one. 'notified': it learns of the
-- end, instead of getting a value or place.
local function wake (self, notified)
  local entry <const> = self.first
  if not entry then return end
  waken(entry[WHO], true)
  leave(entry)
  entry[WOKEN], entry[NOTIFIED] = true, notified
  self.woken = self.woken + 1
  if notified then self.notified = self.notified + 1 end
end

--- Tells whether one of n values or places is left for a new caller.
local function has_one_of (self, n) return n > self.woken and not self.first end

--- Returns the number of values or places for those that were woken for one.
local function reserved (self) return self.woken - self.notified end

--- Clears the wake-up of an entry, if there is one.
local function settle (entry)
  if not entry[WOKEN] then return end
  local self <const> = entry[HOME]
  entry[WOKEN] = false
  self.woken = self.woken - 1
  if entry[NOTIFIED] then self.notified = self.notified - 1 end
end

--- The end of a wait. An entry that was woken and has not taken its value or
-- place wakes the next one. If an error comes after it has, as a hook may
-- raise, it is put back.
local Entry <const> = { __close = atomic(function (entry, err)
  local self <const>, taken <const> = entry[HOME], entry[TAKEN]
  if entry[WOKEN] then wake(self, entry[NOTIFIED]) end
  settle(entry)
  leave(entry)
  if err ~= nil and taken ~= nil then
    self.restore(self.of, taken)
    entry[TAKEN] = nil
  end
end, true) }

--- Appends the entry to the line. Wakes the first entry at once if count(of)
-- says that something has become free meanwhile.
local stand <const> = atomic(function (self, entry, count)
  local n <const> = count(self.of)
  if not entry[LINE] then join(self, entry) end
  if n > self.woken then wake(self, n == math.huge) end
end, true)

local function is_woken (entry) return entry[WOKEN] end

--- Waits in the line until woken, then returns take(of, entry), which takes the
-- value or place. 'waits': the object of the wait, in words.
local function wait (self, who, waits, count, take, value)
  local entry <close> = setmetatable({
    false, false, false, self, who, false, false, nil  -- has room for TAKEN
  }, Entry)
  stand(self, entry, count)
  repeat park(who, waits, nil, is_woken, entry) until entry[WOKEN]
  return take(self.of, entry, value)
end

--}}

--{{ queues

local Queue <const> = { __name = "tide.Queue" }
local queue_methods <const> = {}

arguments.set_members(Queue, queue_methods)

function Queue:__len () return self.last - self.first + 1 end

function Queue:__tostring ()
  return format("tide.Queue: %d of %s%s", #self, self.most,
                                          self.closed and ", closed" or "")
end

--- The number of values to get, and of free slots to put. A closed queue has
-- any number, because all waiting coroutines are notified.
local function values (q) return q.closed and math.huge or #q end
local function room (q) return q.closed and math.huge or q.most - #q end

--- Appends a value; returns false if the queue was closed meanwhile.
local add <const> = atomic(function (q, entry, value)
  if entry then settle(entry) end
  if q.closed then return false end
  local last <const> = q.last + 1
  q.items[last] = value
  wake(q.getters)
  q.last = last
  return true
end, true)

--- Removes and returns the oldest value; nil if there is none, or if the entry
-- was notified of the end and all values are reserved.
local take <const> = atomic(function (q, entry)
  local notified <const> = not entry and q.closed or entry and entry[NOTIFIED]
  if entry then settle(entry) end
  if #q == 0 or notified and #q <= reserved(q.getters) then return nil end
  wake(q.putters)
  local first <const> = q.first
  local value <const> = q.items[first]
  q.items[first], q.first = nil, first + 1
  if entry then entry[TAKEN] = value end
  return value
end, true)

--- Puts a value back as the oldest one.
local function restore (q, value)
  local first <const> = q.first - 1
  q.items[first] = value
  wake(q.getters)
  q.first = first
end

--- q:put(value) -> q: waits while the queue is full.
function queue_methods:put (value, extra)
  check_self(self, Queue, "put")
  check_untimed(extra, 2, "put", "q:put(value)")
  if value == nil then
    error("bad argument #1 to 'put' (a value expected, got nil)", 2)
  end
  if self.closed then error("queue:put: the queue is closed", 2) end
  if has_one_of(self.putters, self.most - #self) then
    add(self, nil, value)
  elseif not wait(self.putters, current "queue:put", "room in a queue", room,
                  add, value) then
    error("queue:put: the queue was closed", 2)
  end
  return self
end

--- q:get() -> the oldest value; waits for it. Returns nil once the queue is
-- closed and empty. Values in a closed queue may be reserved for earlier
-- callers.
function queue_methods:get (extra)
  check_self(self, Queue, "get")
  check_untimed(extra, 1, "get", "q:get()")
  if self.closed or has_one_of(self.getters, #self) then
    return take(self)
  end
  return wait(self.getters, current "queue:get", "a queue", values, take)
end

Queue.__call = function (self) return self:get() end

--- q:close(): coroutines that wait to put get an error, those that wait to get
-- get nil.
local close <const> = atomic(function (q)
  q.closed = true
  while q.getters.first do wake(q.getters, true) end
  while q.putters.first do wake(q.putters, true) end
end, true)

function queue_methods:close (extra)
  check_self(self, Queue, "close")
  check_end(extra, 1, "close")
  return close(self)
end

Queue.__close = close

--- queue([n]) -> Queue for at most n values.
function queues.queue (n)
  local q <const> = {
    items = {}, first = 1, last = 0, closed = false,
    most = n == nil and math.huge or check_count(n, "queue")
  }
  add_line(q, "getters", restore)
  add_line(q, "putters")
  return setmetatable(q, Queue)
end

--}}

--{{ semaphores

local Semaphore <const> = { __name = "tide.Semaphore" }
local semaphore_methods <const> = {}

arguments.set_members(Semaphore, semaphore_methods)

function Semaphore:__tostring ()
  return format("tide.Semaphore: %d of %d free", self.free, self.most)
end

local Place <const> = { __name = "tide.Place" }
local place_methods <const> = {}

arguments.set_members(Place, place_methods)

local release <const> = atomic(function (place)
  if place.released then return end
  local semaphore <const> = place.semaphore
  wake(semaphore.line)
  place.released = true
  semaphore.free = semaphore.free + 1
end, true)

Place.__close = release

function Place:__tostring ()
  return "tide.Place" .. (self.released and " (closed)" or "")
end

--- place:release(), place:close(): releases the place; a second call does
-- nothing.
for _, name in ipairs{ "close", "release" } do
  place_methods[name] = function (self, extra)
    check_self(self, Place, name)
    check_end(extra, 1, name)
    return release(self)
  end
end

local function places (semaphore) return semaphore.free end

local function give_back (_, place) release(place) end

local take_place <const> = atomic(function (semaphore, entry)
  local place <const> = setmetatable({ semaphore = semaphore,
                                       released = false }, Place)
  if entry then
    settle(entry)
    entry[TAKEN] = place
  end
  semaphore.free = semaphore.free - 1
  return place
end, true)

local DEEP <const> = 3  -- nested calls needed to release a place

--- Makes Lua allocate the stack for n nested calls, which it keeps.
local function deepen (n)
  local deeper <const> = n > 0 and deepen(n - 1)
  return deeper
end

--- semaphore:acquire() -> a place, after waiting for it; close or release it.
function semaphore_methods:acquire (extra)
  check_self(self, Semaphore, "acquire")
  check_untimed(extra, 1, "acquire", "s:acquire()")
  deepen(DEEP)  -- so releasing the place needs no memory later
  if has_one_of(self.line, self.free) then return take_place(self) end
  return wait(self.line, current "semaphore:acquire", "a semaphore", places,
              take_place)
end

--- semaphore(n) -> Semaphore with n places.
function queues.semaphore (n)
  local most <const> = check_count(n, "semaphore")
  local semaphore <const> = { free = most, most = most }
  add_line(semaphore, "line", give_back)
  return setmetatable(semaphore, Semaphore)
end

--}}

return queues
