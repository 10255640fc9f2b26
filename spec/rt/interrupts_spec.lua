--[[
interrupts_spec.lua - a host program stays in charge of a script that waits: by
api->interrupt, by deadlines and by hooks. The host program is
spec/embed/interrupts.c, whose list of waits is where a new kind of wait goes.
#process: see run.lua.
]]
local helper = require "spec.support.helper"

describe("a host program #process", function ()
  for part, what in pairs{
    thread = "ends each kind of wait from another thread",
    signal = "ends each kind of wait in a signal handler",
    early = "ends a wait that has not begun",
    fd = "makes the descriptor readable by it",
    back = "takes a message back, or sends another",
    others = "ends waits of one state, and knows no state that is closed",
    closing = "may send while the state closes",
    deadline = "sets deadlines",
    limit = "has a deadline among the limits",
    hooks = "has its hooks called in waits, with its own error"
  } do
    it(what, function () helper.program("host", "interrupts", part) end)
  end
end)
