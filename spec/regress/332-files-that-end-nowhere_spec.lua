--[[
At the end of all numbers the next offset of a file without an end was negative,
and the call after it blamed an argument that it did not have. And what
/dev/null has nothing of "was longer before".
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a file that is a device", function ()
  it("ends where numbers do", function ()
    local f <close> = tide.open "/dev/zero"
    local a = tide.ones(2)
    fails("file:read: '/dev/zero': no file can be so long: 16 bytes from",
          f.read, f, a, math.maxinteger - 8)
    assert.equal(0, f.offset)
    f:read(a, 1 << 40)
    assert.equal((1 << 40) + 16, f.offset)
    assert.equal(0, a[2])
  end)

  it("that has nothing says so", function ()
    local f <close> = tide.open "/dev/null"
    local a = tide.ones(2)
    f:read(a)
    fails("No data available, at byte 0", a.item, a:slice(1, 1))
  end)
end)

end)
