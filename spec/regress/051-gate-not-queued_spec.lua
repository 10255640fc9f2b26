--[[
launch_host_func whose wait for the gate could not be queued left its stream
"gated" up to an operation that it never had: whoever then waited for gates,
as a new graph does, waited for ever.
]]
local helper = require "spec.helper"

helper.each_device(function (kind)

local FAILED = "^false\t[^\n]+:%d+: cuStreamWaitValue32"

--- What the program prints with the wait for a gate failing in code.
local function with_failure (stream, code)
  return helper.child_on(kind, ([[
    local tide = require "tide"
    local s, ran = %s, false
    s:synchronize()
    local function run () ran = true end
    %s
    tide.T.failcall(0)
    print(tide.capture(function () end):launch() ~= nil)
    s:synchronize()
    print(ran)
  ]]):format(stream, code))
end

describe("a gate that could not be queued #process", function ()
  it("is not waited for: what came after was not queued", function ()
    local printed = with_failure("tide.Stream{ non_blocking = true }", [[
      s:launch_host_func(run)
      tide.T.failcall(1, 999, "cuStreamWaitValue32")
      print(pcall(s.record, s))
    ]])
    assert.truthy(printed:find(FAILED), printed)
    assert.truthy(printed:find("\ntrue\ntrue\n", 1, true), printed)
  end)

  it("is not waited for: nor was the function", function ()
    local printed = with_failure("tide.Stream.null", [[
      tide.T.failcall(1, 999, "cuStreamWaitValue32")
      print(pcall(s.launch_host_func, s, run))
    ]])
    assert.truthy(printed:find(FAILED), printed)
    assert.truthy(printed:find("\ntrue\nfalse\n", 1, true), printed)
  end)
end)

end)
