--[[
033: set and readfrom put any byte into a HostArray of bool. The kernels rely
on 0 and 1: two bytes 2 and 255 made count_nonzero say 257.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a HostArray of bool", function ()
  local function check (h)
    local a = tide.empty(3, "bool"):copy_from(h)
    assert.equal(2, a:count_nonzero():item())
    assert.equal(2, a:sum():item())
    assert.equal("\1\0\1", a:tobytes())
    assert.same({ true, false, true }, h:totable())
    assert.equal(0, a:logical_not():eq(a):sum():item())
  end

  it("holds 0 and 1 after set", function ()
    check(tide.HostArray(3, "bool"):set("\2\0\255"))
  end)

  it("holds 0 and 1 after readfrom", function ()
    local file <close> = io.tmpfile()
    file:write("\2\0\255")
    file:seek("set")
    local h = tide.HostArray(3, "bool")
    assert.equal(3, h:readfrom(file))
    check(h)
  end)

  it("leaves other types alone", function ()
    assert.equal("\2\0\255",
                 tide.HostArray(3, "uint8"):set("\2\0\255"):tobytes())
  end)
end)

end)
