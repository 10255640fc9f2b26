--[[
copas.lua - coroutines of copas: waiting ones are resumed as its threads.
Versions before 2 can neither pause nor wake a thread. There a waiting coroutine
yields with a queue of ours, which takes it out of all of copas' own, and it
returns as a new thread would.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local loops = require "tide.loops"
local waiting = require "tide.waiting"
local HINT = "luarocks install copas, or apt install lua-copas"
local copas = arguments.require("copas", HINT)
local core = require "tide.scheduler"

local scheduler

-- A socket for copas: it only needs the descriptor to wait for.
local Descriptor = {}
Descriptor.__index = Descriptor

function Descriptor.getfd () return tide.pollfd() end

function Descriptor.dirty () return false end

function Descriptor.settimeout () return 1 end

function Descriptor.close () end  -- copas closes it when its thread ends

--- Methods that copas.receive calls before and after its wait.
function Descriptor:receive ()
  self.waited = not self.waited
  if self.waited then return nil, "timeout" end
  return true
end

local descriptor = setmetatable({ waited = false }, Descriptor)

local function start_polling (self)
  if self.polls then return end
  self.polls = true
  descriptor.waited = false
  copas.addthread(function ()
    loops.keep_polling(self, self.poll, copas.receive, descriptor)
  end)
end

--- Ends the polling coroutine; the next reader of the wakeup makes another one.
local function idle () core.post_wakeup() end

local function wants_poll (self) return self.polls and self.waits == 0 end

local pause = copas.pauseforever or copas.sleep and
              function () copas.sleep(-1) end

if pause then
  scheduler = waiting.scheduler{ polls = false, idle = idle, poll = loops.poll,
                                wants_poll = wants_poll }
  function scheduler:park (key, co)
    start_polling(self)
    self.parked[key] = co
    return pause
  end
  function scheduler:waken (key)
    if self.parked[key] then copas.wakeup(self.parked[key]) end
  end
else
  local nowhere = { insert = function () end, push = function () end }
  local function leave () coroutine.yield(nowhere, nowhere) end
  scheduler = loops.plain{ polls = false, idle = idle }
  function scheduler:wants_poll ()
    return wants_poll(self) or loops.Plain.wants_poll(self)
  end
  function scheduler:park (key, co)
    start_polling(self)
    self.parked[key] = co
    return leave
  end
  function scheduler.resume (co)  -- copas handles its error
    copas.addthread(co)
    return true
  end
end

loops.begin()
waiting.set_plain(scheduler)
