--[[
An upload whose last copy was queued, but no event behind it for want of memory,
went on with what was left: a block of no bytes, which was looked for before the
first bin of the cache.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

local OUT_OF_MEMORY = 2

helper.each_device(function ()

describe("an upload without memory for its last event", function ()
  it("is done all the same", function ()
    local text = ("x"):rep(100000)
    tide.frombytes(text, "uint8"):close()
    for n = 1, 30 do
      T.failcall(n, OUT_OF_MEMORY)
      local ok, a = pcall(tide.frombytes, text, "uint8")
      T.failcall(0)
      if ok then
        assert.equal(text, a:tobytes())
        a:close()
      end
      tide.get_device():synchronize()
    end
  end)
end)

end)
