--[[
A graph with a host function notes its launches, for the function to know which
one it runs in. They were forgotten once all had passed: never, where the last
kernels of one still ran when the next was queued.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function (kind)

describe("a graph that always has a launch under way", function ()
  it("keeps nothing of those that have passed", function ()
    local a = tide.zeros(kind == "cuda" and 1 << 24 or 1 << 19)
    local b = tide.zeros(4, "int64")
    local s, ran, sum = tide.Stream{ non_blocking = true }, 0, 0
    local g <close> = tide.capture(function ()
      b:add_(1)
      tide.get_current_stream():launch_host_func(function () ran = ran + 1 end)
      b:add_(1)
      tide.get_current_stream():launch_host_func(function ()
        sum = sum + ran
      end)
      a:sin{ out = a }
      a:sin{ out = a }
    end)
    local rounds = 300
    for i = 1, rounds do
      g:launch(s)
      while sum < i * (i + 1) // 2 do
        tide.poll()
      end
    end
    local kept = T.kept().operations
    s:synchronize()
    assert.same({ rounds, rounds * (rounds + 1) // 2 }, { ran, sum })
    assert.equal(2 * rounds, b[4])
    assert.equal(0, kept)
  end)
end)

end)
