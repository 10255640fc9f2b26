--[[
Host functions whose turn had come were looked through for the oldest: of 80,000
in a row that took 40 seconds, and four times as many minutes of 400,000.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("very many host functions run in their order #collector", function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local t <close> = tide.Stream{ non_blocking = true }
  local n, last = 0, 0
  for i = 1, 60000 do
    (i % 3 == 0 and s or t):launch_host_func(function (k)
      n, last = n + 1, k
    end, i)
  end
  s:synchronize()
  t:synchronize()
  assert.equal(60000, n)
  assert.equal(60000, last)
end)

end)
