--[[
cqueues.lua - coroutines of cqueues' controllers: waiting ones are parked on a
condition. Coroutines that are woken together share one, so one signal wakes
them all. Each controller with waiting coroutines has one additional coroutine,
the pump.
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

local Runner = {}
Runner.__index = Runner

--- A coroutine woken without a reason waits again, so it is signalled each
-- time.
function Runner:waken (key)
  local its = self.parked[key]
  if not its or its == self.latest and self.turn == waiting.turn then return end
  self.latest, self.turn = its, waiting.turn
  its:signal()
end

--- Runs in a coroutine of the controller, while any coroutine waits.
local function pump (self)
  local descriptor = { pollfd = tide.pollfd(), events = "r" }
  return loops.keep_pumping(self, loops.pump, poll, descriptor, self.left)
end

function Runner:park (key, _, place)
  local its = place and self.places[place]
  if not its then
    its = new_condition()
    if place then self.places[place] = its end
  end
  self.parked[key] = its
  if not self.pumps then
    self.pumps = true
    cqueues.running():wrap(pump, self)
  end
  return poll, its
end

--- Ends the pump.
function Runner:idle () self.left:signal() end

local runners = setmetatable({}, { __mode = "k" })

--- Accepts only coroutines that a controller resumes itself: other ones yield
-- to the code that resumes them.
loops.set_finder(function ()
  local controller, directly = cqueues.running()
  if not directly then return nil end
  local runner = runners[controller]
  if not runner then
    runner = loops.runner({ pumps = false, left = new_condition(),
                            places = setmetatable({}, Weak), latest = false,
                            turn = 0 }, Runner)
    runners[controller] = runner
  end
  return runner
end)

loops.begin()
