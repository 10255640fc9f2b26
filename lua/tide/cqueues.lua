--[[
cqueues.lua - coroutines of cqueues' controllers: waiting ones are parked on a
condition. Coroutines that are woken together share one, so one signal wakes
them all. Each controller with waiting coroutines has one additional coroutine,
which calls the poll callback.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local loops = require "tide.loops"
local waiting = require "tide.waiting"
local HINT = "luarocks install cqueues, or apt install lua-cqueues"
local cqueues = arguments.require("cqueues", HINT)
local condition = require "cqueues.condition"

local new_condition = condition.new
local poll = cqueues.poll

local Weak = { __mode = "v" }  -- kept while a coroutine waits there

local Scheduler = {}
Scheduler.__index = Scheduler

--- A coroutine woken without a reason waits again, so it is signalled each
-- time.
function Scheduler:waken (key)
  local its = self.parked[key]
  if not its or its == self.latest and self.turn == waiting.turn then return end
  self.latest, self.turn = its, waiting.turn
  its:signal()
end

--- Runs in a coroutine of the controller, while any coroutine waits.
local function poll_loop (self)
  local descriptor = { pollfd = tide.pollfd(), events = "r" }
  return loops.keep_polling(self, loops.poll, poll, descriptor, self.left)
end

function Scheduler:park (key, _, place)
  local its = place and self.places[place]
  if not its then
    its = new_condition()
    if place then self.places[place] = its end
  end
  self.parked[key] = its
  if not self.polls then
    self.polls = true
    cqueues.running():wrap(poll_loop, self)
  end
  return poll, its
end

--- Ends the polling coroutine.
function Scheduler:idle () self.left:signal() end

local schedulers = setmetatable({}, { __mode = "k" })

--- Accepts only coroutines that a controller resumes itself: other ones yield
-- to the code that resumes them.
waiting.set_finder(function ()
  local controller, directly = cqueues.running()
  if not directly then return nil end
  local scheduler = schedulers[controller]
  if not scheduler then
    scheduler = waiting.scheduler({ polls = false, left = new_condition(),
                                    places = setmetatable({}, Weak),
                                    latest = false, turn = 0 }, Scheduler)
    schedulers[controller] = scheduler
  end
  return scheduler
end)

loops.begin()
