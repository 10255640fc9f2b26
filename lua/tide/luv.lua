--[[
luv.lua - coroutines of a program on luv: those that wait yield to its loop, and
are resumed in a callback of it.
]]
local tide = require "tide"
local loops = require "tide.loops"
local uv = loops.require("luv", "luarocks install luv, or apt install lua-luv")

local is_closing <const>, has_ref <const> = uv.is_closing, uv.has_ref

local runner <const> = loops.plain{ handle = false }

--- The loop does not go on for the handle's sake, unless somebody waits.
local function open ()
  if runner.handle and not is_closing(runner.handle) then return end
  runner.handle = assert(uv.new_poll(tide.pollfd()))
  runner.handle:unref()
  assert(runner.handle:start("r", function () runner:pump() end))
end

function runner:busy ()
  open()  -- the program may have closed all handles that it found
  if self.waits == 1 or not has_ref(self.handle) then self.handle:ref() end
end

function runner:idle ()
  if not self.handle:is_closing() then self.handle:unref() end
end

loops.begin()
open()
loops.set_plain(runner)
