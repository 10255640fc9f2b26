--[[
Inside a host function, a blocking copy on a stream that had waited for work
behind that function's gate waited for ever. It is an error, as on the
function's own stream. Found by the fuzzer. Now no wait is allowed there.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a host function that waits for a stream behind its gate", function ()
  it("is told so", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local x, a = tide.ones(12), tide.ones(12)
    local ran = false
    tide.get_device():synchronize()
    s:launch_host_func(function ()
      t:with(function ()
        fails("a host function must not wait", a.tohost, a)
      end)
      ran = true
    end)
    s:with(function () x:add_(1) end)
    t:with(function () x:mul_(2) end)  -- waits for s, hence for the gate
    tide.get_device():synchronize()
    assert.is_true(ran)
    assert.equal(48, x:sum():item())
    assert.equal(12, a:sum():item())
  end)
end)

end)
