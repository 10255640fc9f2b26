--[[
tostring of a stream or an event made the text of its address, and then went on
reading: a finalizer that ran for the text could close it. Such a program ended
with a crash.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"

helper.each_device(function ()

after_each(finalizers.restore)

for name, new in pairs{
  stream = function () return tide.Stream{ non_blocking = true } end,
  event = function () return tide.Stream.null:record() end,
} do
  it("what a finalizer closes is shown as it was: " .. name, function ()
    local closed = 0
    for n = 1, 20 do
      local x = new()
      local text = finalizers.call(n, function ()
        x:close()
        closed = closed + 1
      end, tostring, x)
      assert.is_truthy(text:find "^tide%.%a+ .*%(.*%)$", text)
    end
    assert.is_true(closed > 0)
  end)
end

end)
