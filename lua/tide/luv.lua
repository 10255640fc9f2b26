--[[
luv.lua - coroutines of a program on luv: waiting ones yield to its loop, and
are resumed in one of its callbacks.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local loops = require "tide.loops"
local waiting = require "tide.waiting"
local uv = arguments.require("luv",
                             "luarocks install luv, or apt install lua-luv")

local is_closing, has_ref = uv.is_closing, uv.has_ref
local yield = coroutine.yield

local scheduler = loops.plain{ handle = false }
local Ending = {}  -- closed with the state, before the handle is freed
local first = assert(uv.new_prepare())  -- for the first turn of the loop

function Ending.__gc (ending)
  if scheduler.handle == ending.of then scheduler.handle = false end
end

--- Watches the descriptor. The handle keeps the loop alive only while a
-- coroutine waits.
local function open ()
  local handle = assert(uv.new_poll(tide.pollfd()))
  scheduler.handle = handle
  scheduler.ending = setmetatable({ of = handle }, Ending)
  if not is_closing(first) then first:stop() end
  handle:unref()
  assert(handle:start("r", function () scheduler:poll() end))
end

--- Opens the handle again if the program has closed all handles.
function scheduler:park (key, co)
  if not self.handle or is_closing(self.handle) then open() end
  if self.waits == 1 or not has_ref(self.handle) then self.handle:ref() end
  self.parked[key] = co
  return yield
end

function scheduler:idle ()
  if self.handle and not is_closing(self.handle) then self.handle:unref() end
end

-- Opens it late, so that a program may fork until its loop runs or a coroutine
-- waits.
first:unref()
assert(first:start(open))
loops.begin()
waiting.set_plain(scheduler)
