--[[
launch_host_func whose wait for the gate could not be queued left its stream
"gated" up to an operation that it never had: whoever then waited for gates,
as a new graph does, waited for ever.
]]
local helper = require "spec.helper"

helper.each_device(function (kind)

describe("a host function that could not be queued #process", function ()
  it("is not waited for", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local s, ran = tide.Stream{ non_blocking = true }, false
      s:synchronize()
      tide.T.failcall(1, 999, "cuStreamWaitValue32")
      print(pcall(s.launch_host_func, s, function () ran = true end))
      tide.T.failcall(0)
      print(tide.capture(function () end):launch() ~= nil, ran)
    ]])
    assert.truthy(printed:find("false\tcuStreamWaitValue32", 1, true), printed)
    assert.truthy(printed:find("\ntrue\tfalse\n", 1, true), printed)
  end)
end)

end)
