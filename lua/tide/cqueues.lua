--[[
cqueues.lua - coroutines of cqueues' controllers: those that wait are parked on
a condition; those that will be woken together, on one, which wakes them all by
one signal. Each controller in which some do has a coroutine more, the pump.
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

local Weak = { __mode = "v" }  -- while somebody waits there

local Runner = {}
Runner.__index = Runner

--- One that is woken for nothing waits again, so it is told each time.
function Runner:waken (key)
  local its = self.parked[key]
  if not its or its == self.latest and self.turn == waiting.turn then return end
  self.latest, self.turn = its, waiting.turn
  its:signal()
end

--- In a coroutine of the controller, for as long as anybody waits.
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

--- The pump ends.
function Runner:idle () self.left:signal() end

local runners = setmetatable({}, { __mode = "k" })

--- Only those that a controller resumes itself: what yields in others goes to
-- whoever resumes them.
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
