--[[
In a host function h:copy_from(table) was refused when a copy from h stood
behind: a copy on the device was queued for it, though both are in the host's
memory.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a host function fills page-locked memory", function ()
  local function filled (shape, fill)
    local s <close> = tide.Stream{ non_blocking = true }
    local h, x = tide.HostArray(shape), tide.zeros(shape)
    h:fill(9)
    s:launch_host_func(function () fill(h) end)
    s:with(function () x:copy_from(h) end)
    s:synchronize()
    return x:totable()
  end

  it("from a table", function ()
    assert.same({ 1, 2, 3 }, filled(3, function (h)
      h:copy_from{ 1, 2, 3 }
    end))
  end)

  it("with gaps, from a table", function ()
    assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } }, filled({ 3, 2 }, function (h)
      h.T:copy_from{ { 1, 2, 3 }, { 4, 5, 6 } }
    end))
  end)

  it("in part, from a table", function ()
    assert.same({ { 7, 8 }, { 9, 9 } }, filled({ 2, 2 }, function (h)
      h[1]:copy_from{ 7, 8 }
    end))
  end)
end)

end)
