--[[
luv.lua - coroutines of a program on luv: those that wait yield to its loop, and
are resumed in a callback of it.
]]
local tide = require "tide"
local loops = require "tide.loops"
local uv = loops.require("luv", "luarocks install luv, or apt install lua-luv")

local is_closing, has_ref = uv.is_closing, uv.has_ref
local yield = coroutine.yield

local runner = loops.plain{ handle = false }

--- The loop does not go on for the handle's sake, unless somebody waits.
local function open ()
  local handle = assert(uv.new_poll(tide.pollfd()))
  runner.handle = handle
  handle:unref()
  assert(handle:start("r", function () runner:pump() end))
end

--- The program may have closed all handles that it found.
function runner:park (key, co)
  if is_closing(self.handle) then open() end
  if self.waits == 1 or not has_ref(self.handle) then self.handle:ref() end
  self.parked[key] = co
  return yield
end

function runner:idle ()
  if not self.handle:is_closing() then self.handle:unref() end
end

loops.begin()
open()
loops.set_plain(runner)
