--[[
h:readfrom and h:writeto looked at their file before they waited: one that a
host function closed meanwhile was used all the same, or another that Lua had
opened in its place.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a file that a host function closes", function ()
  local s, h, a, path

  before_each(function ()
    s = tide.Stream{ non_blocking = true }
    h, a = tide.HostArray(40, "uint8"), tide.ones(40, "uint8")
    path = os.tmpname()
    local file <close> = assert(io.open(path, "w"))
    file:write(("x"):rep(100))
  end)

  after_each(function ()
    s:close()
    s, h, a = nil, nil, nil
    os.remove(path)
  end)

  local function close_in_function (file)
    local other
    s:launch_host_func(function ()
      file:close()
      other = io.open(path, "r+")
    end)
    s:with(function () h:copy_from(a) end)
    return function () other:close() end
  end

  it("is not read", function ()
    local file = assert(io.open(path))
    local finish = close_in_function(file)
    fails("file is closed", h.readfrom, h, file)
    assert.equal(1, h[1])
    finish()
  end)

  it("is not written", function ()
    local file = assert(io.open(path, "r+"))
    local finish = close_in_function(file)
    fails("file is closed", h.writeto, h, file)
    finish()
    local check <close> = assert(io.open(path))
    assert.equal(("x"):rep(100), check:read "a")
  end)
end)

end)
