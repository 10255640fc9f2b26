--[[
queues.lua - queues and semaphores: what tasks, and coroutines of event loops,
wait for until others do something. init.lua loads it with the first one.

Who waits stands in a line, first come, first served: who is woken has what it
waits for, and those who come meanwhile stand behind the others. One that is
cancelled before it goes on lets the next have it.
]]
local arguments = require "tide.arguments"
local tasks = require "tide.tasks"

local check_self <const>, check_end <const>, check_count <const> =
  arguments.check_self, arguments.check_end, arguments.check_count
local current <const>, park <const> = tasks.current, tasks.park

local queues <const> = {}

--- Waits have no timeout: a race with the clock is one. 'call': what it is that
-- waits, whose argument 'at' there is not.
local function check_untimed (extra, at, name, call)
  if extra ~= nil then
    error(("bad argument #%d to '%s' (no value expected, got %s; with a " ..
           "timeout it is tide.race{ function () return %s end, function () " ..
           "tide.sleep(seconds) end })"):format(at, name,
             arguments.kind_of(extra), call), 3)
  end
end

--{{ lines

local Line <const> = {}
Line.__index = Line

local function new_line ()
  return setmetatable({ first = 1, last = 0, woken = 0, told = 0 }, Line)
end

--- Those at its ends that are gone are forgotten.
function Line:trim ()
  while self.first <= self.last and self[self.first].gone do
    self[self.first] = nil
    self.first = self.first + 1
  end
  while self.first <= self.last and self[self.last].gone do
    self[self.last] = nil
    self.last = self.last - 1
  end
end

--- Wakes the first that stands there, if there is one: what it waits for has
-- come; or it is told that this will not come.
function Line:wake (told)
  self:trim()
  if self.first > self.last then return end
  local entry <const> = self[self.first]
  entry.gone, entry.woken, entry.told = true, true, told
  self.woken = self.woken + 1
  if told then self.told = self.told + 1 end
  self:trim()
  entry.who:waken(true)
end

--- There are n of what is waited for: is one of them for who comes now?
function Line:has_one_of (n)
  self:trim()
  return n > self.woken and self.first > self.last
end

local Entry <const> = { __close = function (entry)
  local line <const> = entry.line
  entry.gone = true
  line:trim()
  if entry.woken then
    line.woken = line.woken - 1
    if entry.told then line.told = line.told - 1 end
    if not entry.went_on then line:wake(entry.told) end
  end
end }

local function is_woken (entry) return entry.woken end

--- How many are for those that were woken for one.
function Line:reserved () return self.woken - self.told end

--- Parks behind the others, unless one of those that count(of) says there are
-- has come meanwhile -> was it told?
function Line:stand (who, waits, count, of)
  local entry <close> = setmetatable({ who = who, line = self, gone = false,
                                       woken = false, told = false,
                                       went_on = false }, Entry)
  self[self.last + 1] = entry
  self.last = self.last + 1
  local n <const> = count(of)
  if n > self.woken then self:wake(n == math.huge) end
  park(who, waits, nil, is_woken, entry)
  entry.went_on = true
  return entry.told
end

--}}

--{{ queues

local Queue <const> = { __name = "tide.Queue" }
local queue_methods <const> = {}

arguments.set_members(Queue, queue_methods)

function Queue:__len () return self.last - self.first + 1 end

function Queue:__tostring ()
  return ("tide.Queue: %d of %s%s"):format(#self, self.most,
                                           self.closed and ", closed" or "")
end

--- What there is for who waits to get, or to put: to hear that it is closed is
-- for all.
local function values (q) return q.closed and math.huge or #q end
local function room (q) return q.closed and math.huge or q.most - #q end

--- q:put(value) -> q: waits while it is full.
function queue_methods:put (value, extra)
  check_self(self, Queue, "put")
  check_untimed(extra, 2, "put", "q:put(value)")
  if value == nil then
    error("bad argument #1 to 'put' (a value expected, got nil)", 2)
  end
  if self.closed then error("queue:put: the queue is closed", 2) end
  if not self.putters:has_one_of(self.most - #self) then
    self.putters:stand(current "queue:put", "room in a queue", room, self)
    if self.closed then error("queue:put: the queue was closed", 2) end
  end
  self.last = self.last + 1
  self.items[self.last] = value
  self.getters:wake()
  return self
end

--- q:get() -> the oldest value, which it waits for; nil once the queue is
-- closed and empty.
function queue_methods:get (extra)
  check_self(self, Queue, "get")
  check_untimed(extra, 1, "get", "q:get()")
  local getters <const> = self.getters
  local told = self.closed  -- then what there is may be for who came before
  if not told and not getters:has_one_of(#self) then
    told = getters:stand(current "queue:get", "a queue", values, self)
  end
  if #self == 0 or told and #self <= getters:reserved() then return nil end
  local value <const> = self.items[self.first]
  self.items[self.first] = nil
  self.first = self.first + 1
  self.putters:wake()
  return value
end

Queue.__call = function (self) return self:get() end

--- q:close(): who waits to put gets an error, who waits to get gets nil.
function queue_methods:close (extra)
  check_self(self, Queue, "close")
  check_end(extra, 1, "close")
  if self.closed then return end
  self.closed = true
  for _, line in ipairs{ self.getters, self.putters } do
    while line.first <= line.last do line:wake(true) end
  end
end

function Queue:__close () self:close() end

--- queue([n]) -> Queue for n values at most.
function queues.queue (n)
  return setmetatable({
    items = {}, first = 1, last = 0, closed = false,
    most = n == nil and math.huge or check_count(n, "queue"),
    getters = new_line(), putters = new_line()
  }, Queue)
end

--}}

--{{ semaphores

local Semaphore <const> = { __name = "tide.Semaphore" }
local semaphore_methods <const> = {}

arguments.set_members(Semaphore, semaphore_methods)

function Semaphore:__tostring ()
  return ("tide.Semaphore: %d of %d free"):format(self.free, self.most)
end

local Place <const> = { __name = "tide.Place" }
local place_methods <const> = {}

arguments.set_members(Place, place_methods)

function Place:__close ()
  if self.released then return end
  local semaphore <const> = self.semaphore
  self.released = true
  semaphore.free = semaphore.free + 1
  semaphore.line:wake()
end

function Place:__tostring ()
  return "tide.Place" .. (self.released and " (closed)" or "")
end

--- place:release(), place:close(): given back; a second time does nothing.
for _, name in ipairs{ "close", "release" } do
  place_methods[name] = function (self, extra)
    check_self(self, Place, name)
    check_end(extra, 1, name)
    Place.__close(self)
  end
end

local function places (semaphore) return semaphore.free end

--- semaphore:acquire() -> a place, which it waits for: close or release it.
function semaphore_methods:acquire (extra)
  check_self(self, Semaphore, "acquire")
  check_untimed(extra, 1, "acquire", "s:acquire()")
  local taken <const> = setmetatable({ semaphore = self, released = true },
                                     Place)
  if not self.line:has_one_of(self.free) then
    self.line:stand(current "semaphore:acquire", "a semaphore", places, self)
  end
  self.free = self.free - 1
  taken.released = false
  return taken
end

--- semaphore(n) -> Semaphore with n places.
function queues.semaphore (n)
  local most <const> = check_count(n, "semaphore")
  return setmetatable({ free = most, most = most, line = new_line() },
                      Semaphore)
end

--}}

return queues
