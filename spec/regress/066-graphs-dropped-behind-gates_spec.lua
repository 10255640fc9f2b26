--[[
A dropped graph was destroyed at once, which waits for its launches: for ever,
if they stood behind a gate that the same thread was to open. A gate was also
taken for open before it was, and the page-locked memory that other threads
then freed waited with a lock held that opening the gate wanted.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function (kind)

it("a graph may be dropped while it stands behind a gate", function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local a, ran = tide.zeros(100), false
  local g = tide.capture(function () a:add_(1) end)
  local h = tide.capture(function () a:add_(2) end)
  s:launch_host_func(function () ran = true end)
  g:launch(s)
  g:update(h)
  g:launch(s)
  g:close()
  h:close()
  assert.equal(3, tide.ones(3):sum():item())  -- drops what it can
  assert.equal(300, a:sum():item())
  assert.is_true(ran)
end)

it("threads may free memory while others open gates #process", function ()
  helper.program(kind, "soak", "-q", 2, 4, 3)
end)

end)
