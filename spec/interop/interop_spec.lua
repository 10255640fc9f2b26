--[[
interop_spec.lua - host programs in C with memory, streams, events and work of
their own, by tide.h: in spec/embed, interop.c, waits.c, refusals.c and
imports.c, which hands memory over more than once, on the host device, whose
streams they can run work on, and orders.c, which runs such work and a script's
in random order. #process: see run.lua.
]]
local helper = require "spec.support.helper"

describe("tide.h #process", function ()
  for part, what in pairs{
    find = "finds tide, or says why not",
    values = "tells what values are, and where elements are",
    wrap = "makes arrays over the host's memory, and says once when they go",
    create = "makes arrays",
    streams = "takes streams and events of the host's, and gives them back",
    behind = "waits for them behind host functions, which it does not run",
    work = "queues the host's work in order, in graphs as well",
    wait = "waits with a timeout, and has a descriptor to poll",
    dlpack = "hands tensors over, to any thread, and beyond the state's end",
    collector = "leaves the collector alone if it is told to"
  } do
    it(what, function () helper.program("host", "interop", part) end)
  end

  for part, what in pairs{
    home = "takes its own memory back from others' hands",
    pile = "gives back what was lent again meanwhile",
    own = "keeps order in memory that is its own",
    graphs = "keeps memory of others as long as a graph has it",
    streaming = "gives memory back while nothing is made, and none waits",
    closing = "takes back what comes while the state closes"
  } do
    it(what, function () helper.program("host", "imports", part) end)
  end

  it("uses a device that is not current", function ()
    helper.program_in({ TIDE_HOST_DEVICES = "2" }, "host", "interop", "devices")
  end)

  it("refuses memory of another device", function ()
    helper.program_in({ TIDE_HOST_DEVICES = "2" }, "host", "imports", "devices")
  end)

  for part, what in pairs{
    newer = "waits for what was queued, and not for what functions queue",
    errors = "raises the errors of what it has waited for",
    seconds = "waits for a number of seconds"
  } do
    it(what, function () helper.program("host", "waits", part) end)
  end

  for part, what in pairs{
    types = "says what it got, and waits for no elements",
    codes = "raises whatever work returns",
    arguments = "blames the host's own arguments",
    strides = "takes any stride of an axis of one element",
    flags = "refuses flags that it does not know",
    nothing = "takes any pointer to nothing"
  } do
    it(what, function () helper.program("host", "refusals", part) end)
  end

  for seed = 1, 3 do
    it("orders the host's work and a script's: seed " .. seed, function ()
      helper.program("host", "orders", 1000, seed)
    end)
  end

  it("does so for long #slow", function ()
    helper.program("host", "orders", 10000, 4)
  end)
end)

-- The output of examples/embed; lack of memory shows as its code alone.
local EXAMPLES <const> = {
  buffers = "1 3 5 7 9 11 13 15\nthe buffers are ours again\n",
  threads = "state 1: 104857600000\nstate 2: 104857600000\n",
  vectors = "1\n4\n9\nthe vector is gone\n",
  limits = "done\n" ..
    '[string "local function try (fn, ...)..."]:6: field \'ptr\' of ' ..
    "tide.Array is left out by the host program\n" ..
    '[string "local function try (fn, ...)..."]:2: \'save\' is left out by ' ..
    "the host program\n" ..
    '[string "local function try (fn, ...)..."]:2: \'RawKernel\' is left ' ..
    "out by the host program\n" ..
    "CUDA_ERROR_OUT_OF_MEMORY\n"
}

describe("the example #process", function ()
  for name, expected in pairs(EXAMPLES) do
    it(name, function ()
      assert.equal(expected, helper.printed("examples/embed/" .. name))
    end)
  end
end)
