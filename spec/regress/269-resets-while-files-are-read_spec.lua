--[[
269: a reset after a fault, which finds files being read, waited for the threads
of one read after the other, with the later ones still in the line of their
lane, which was in no list any more. A thread that had done the last of these
took the lane out of that list again: a null pointer.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("reads that a reset finds under way", function ()
  helper.host_it("end in any order #process", function ()
    local path = os.tmpname()
    helper.program(kind, "slowreads", ([[
      local tide = require "tide"
      local T, dev, path <const> = tide.T, tide.get_device(), %q
      local PIECE <const> = 256 << 10
      T.slots(true)
      do
        local f <close> = io.open(path, "wb")
        f:write(("x"):rep(2 * PIECE))
      end
      local f = tide.open(path)
      local faulty = tide.Stream{ non_blocking = true }
      local s = tide.Stream{ non_blocking = true }
      local a, b = tide.empty(PIECE, "uint8"), tide.empty(PIECE, "uint8")
      dev:synchronize()
      local key = T.hold(faulty)
      T.hold(s)
      T.fault(faulty)
      s:with(function ()
        f:read(a, 0)
        f:read(b, PIECE)
      end)
      T.release(key)
      local begun <const> = tide.clock() + 0.005
      repeat until tide.clock() >= begun  -- by threads, both of them
      dev:reset()
      local c = tide.empty(2 * PIECE, "uint8")
      f:read(c, 0)
      assert(c:sum():item() == 2 * PIECE * ("x"):byte())
    ]]):format(path))
    os.remove(path)
  end)
end)

end)
