--[[
An access to page-locked memory in a host function raised the error of an
earlier one, which nobody had asked for yet: the innocent function ended there.
And the error was not that of a stream which waited for the function's after
that was done.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, new = helper.fails, helper.new_stream

helper.each_device(function ()

describe("the error of a host function", function ()
  it("is not raised in another one", function ()
    local s <close> = new()
    local a, h = tide.zeros(1), tide.HostArray(1)
    s:launch_host_func(error, "first")
    s:with(function () a:copy_from(h) end)
    s:launch_host_func(function () h:fill(7) end)
    s:with(function () a:copy_from(h) end)
    fails("first", s.synchronize, s)
    s:synchronize()
    assert.equal(7, a[1])
  end)

  it("is that of a stream that waits for it late", function ()
    local s <close> = new()
    local t <close> = new()
    local u <close> = new()
    for _, wait in ipairs{ t.wait_stream, function (to, from)
      to:wait_event(from:record())
    end } do
      s:launch_host_func(error, "went wrong")
      u:launch_host_func(function () end)
      u:synchronize()  -- in which s's function may run
      helper.spin(5)
      u:launch_host_func(function () end)
      u:synchronize()
      wait(t, s)
      fails("went wrong", t.synchronize, t)
      s:synchronize()
    end
  end)
end)

end)
