--[[
To keep what a kernel has found makes a table and a message, and so may run
finalizers. One that waited told of the same errors, and took them off the list
that was being gone through: what stood there then was taken off untold, or the
end of the list was passed, which crashed.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"

local WRONG <const> = 3
local PLACES <const> = 12

helper.each_device(function ()

describe("errors of kernels", function ()
  after_each(finalizers.restore)

  local told  -- how many errors waits have raised

  local function wait (fn, ...)
    local ok, message = pcall(fn, ...)
    if not ok then
      assert(message:find("out of range", 1, true), message)
      told = told + 1
    end
  end

  local function queue (s, a, indices)
    s:with(function ()
      local i <close> = tide.array(indices, "int64")
      a:take(i):close()
    end)
  end

  local function all_done (s)
    local e <close> = s:record()
    while not e.done do end
  end

  for place = 0, PLACES do
    it("are told once, if a finalizer waits at place " .. place, function ()
      local s <close> = tide.Stream{ non_blocking = true }
      local a <close> = tide.ones(4)
      told = 0
      for _ = 1, WRONG do
        queue(s, a, { 9 })
      end
      queue(s, a, { 1 })
      all_done(s)
      finalizers.call(place, function () wait(tide.poll) end, function ()
        for _ = 1, 2 * WRONG do
          wait(s.synchronize, s)
        end
      end)
      finalizers.restore()
      for _ = 1, WRONG do
        wait(s.synchronize, s)
      end
      assert.equal(WRONG, told)
    end)
  end
end)

end)
