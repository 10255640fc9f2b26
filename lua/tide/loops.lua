--[[
loops.lua - coroutines that another event loop runs: the common part of
tide.luv, tide.cqueues, tide.copas and tide.loop. It does nothing before one of
them is loaded.

Each loop has a scheduler (waiting.lua), which also has its poll callback called
while any coroutine waits (park, idle). The poll callback asks the device and
the clock. It is called when the descriptor of tide.pollfd() is readable, on any
loop: all loops share one queue.
]]
local core <const> = require "tide.scheduler"
local waiting = require "tide.waiting"

local yield <const> = coroutine.yield
local traceback = debug and debug.traceback or function (_, err) return err end

local loops <const> = {}

--- Wakes the coroutines whose work or timeout is over.
function loops.poll () waiting.look(0, "tide.poll") end

--- From now on tide.pollfd() signals all waits, and tide.poll() wakes their
-- coroutines.
function loops.begin ()
  core.set_poll_callback(function ()
    local plain <const> = waiting.plain()
    if plain and plain.poll then plain:poll() else loops.poll() end
  end)
end

--{{ poll callbacks in coroutines of a loop

local Polling <const> = {
  __close = function (this) this.scheduler.polls = false end
}

--- keep_polling(scheduler, poll, wait, ...): calls wait(...) and
-- poll(scheduler) in turns while any coroutine waits.
function loops.keep_polling (scheduler, poll, wait, ...)
  local _ <close> = setmetatable({ scheduler = scheduler }, Polling)
  while scheduler.waits > 0 do
    wait(...)
    poll(scheduler)
  end
end

--}}

--{{ schedulers that resume the coroutines themselves

local Plain <const> = {}
Plain.__index = Plain
loops.Plain = Plain

function Plain:park (key, co)
  self.parked[key] = co
  return yield
end

--- Outside of the poll callback, it also posts a wakeup.
function Plain:waken (key)
  local last <const> = self.last + 1
  self.ready[last] = key
  self.last = last
  if not self.resumes then core.post_wakeup() end
end

--- Tells whether the poll callback is to be called again.
function Plain:wants_poll ()
  return not self.resumes and waiting.is_ready(self)
end

--- Resumes a coroutine. It is skipped if it was closed since it was woken, or
-- if other code has resumed it. Coroutines of a loop never run as part of a
-- task's run, so 'run' is reset.
local function go (self, key)
  local co <const> = self.parked[key]
  if not co then return end
  if waiting.run then waiting.run = false end
  local ok, err = self.resume(co)
  if not ok then
    error(type(err) == "string" and traceback(co, err) or err, 0)
  end
end

local Turn <const> = { __close = function (turn)
  local self <const> = turn.self
  self.resumes = false
  if turn.run ~= waiting.run then waiting.run = turn.run end
  if waiting.is_ready(self) then core.post_wakeup() end
end }

--- Resumes the coroutines that are ready now. An error of one is raised, and
-- the others are resumed by the next call.
function Plain:poll ()
  if self.resumes then return loops.poll() end  -- called in one of them
  self.resumes = true
  local _ <close> = setmetatable({ self = self, run = waiting.run }, Turn)
  loops.poll()
  waiting.take_turns(self, go)
end

--- plain(fields) -> a scheduler whose poll callback resumes coroutines with
-- resume(co), which is coroutine.resume unless 'fields' has another function.
function loops.plain (fields)
  fields.resumes = false
  fields.resume = fields.resume or coroutine.resume
  return waiting.scheduler(waiting.lists(fields), Plain)
end

--}}

return loops
