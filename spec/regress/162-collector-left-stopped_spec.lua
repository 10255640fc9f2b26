--[[
A call that had begun again a few times held the collector until it returned:
with an error of a host function it never went on.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

it("an error in a call that held the collector lets it go on #process",
function ()
  local printed = helper.child_on(kind, [[
    local tide = require "tide"
    local x, a = tide.ones(4), tide.arange(1000)
    local s = tide.Stream{ non_blocking = true }
    local function arm ()
      setmetatable({}, { __gc = function ()
        local y = x + 1
        y:close()
        arm()
      end })
    end
    for _ = 1, 40 do
      arm()
    end
    require "spec.support.collector".incremental(1, 10000, 1)
    local m, failed = a:gt(2), 0
    for _ = 1, 400 do
      s:launch_host_func(error, "went wrong")
      local ok = pcall(s.with, s, function () return a:mask(m) end)
      failed = failed + (ok and 0 or 1)
      assert(collectgarbage "isrunning", failed)
    end
    while not pcall(s.synchronize, s) do end
    assert(failed > 0)
    print "ok"
  ]])
  assert.equal("ok\n", printed)
end)

end)
