--[[
loop.lua - for programs with an event loop that tide does not know: coroutines
that wait are resumed by tide.poll(), which is to be called when the descriptor
of tide.pollfd() is readable.
]]
require "tide"
local loops = require "tide.loops"

loops.begin()
loops.set_plain(loops.plain{})
