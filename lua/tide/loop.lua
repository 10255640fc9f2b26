--[[
loop.lua - for programs with an event loop that tide does not know. tide.poll()
resumes waiting coroutines; the program calls it when the descriptor of
tide.pollfd() is readable.
]]
require "tide"
local loops = require "tide.loops"
local waiting = require "tide.waiting"

loops.begin()
waiting.set_plain(loops.plain{})
