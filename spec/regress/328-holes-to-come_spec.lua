--[[
A write far behind the end of a file makes a hole, which may be read as soon as
the write is queued: the file will be long enough. But nothing made the read
wait for that write, as they share no bytes, and it failed: "it ended at byte n,
and was longer before".
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

describe("a hole that a queued write will make", function ()
  local path, f

  before_each(function ()
    path = os.tmpname()
    tide.open(path, "w"):write(tide.ones(1)):close()
    tide.get_device():synchronize()
    f = tide.open(path, "r+")
  end)

  after_each(function ()
    f:close()
    os.remove(path)
  end)

  local function reads (slots)
    local s <close> = new()
    local last = tide.ones(1)
    if slots then T.slots(true) end
    for i = 1, 5 do
      local from = i * 10000
      local key = T.hold(s)
      s:with(function () f:write(last, from) end)
      assert.equal(from + 8, f.size)
      local hole, half = tide.ones(1), tide.ones(1)
      f:read(hole, from - 100)
      f:read(half, from - 4)
      local other <close> = tide.open(path)
      local here = tide.ones(1)
      s:with(function () other:read(here, from - 200) end)
      tide.sleep(0.002)
      T.release(key)
      assert.equal(0, hole:item())
      assert.equal(0, here:item())
      assert.is_true(half:item() ~= 1)
    end
    if slots then T.slots(false) end
  end

  it("is read as zeros", function () reads(false) end)
  it("is read as zeros by way of slots", function () reads(true) end)
end)

end)
