--[[
A program that queued faster than the host device worked ran ahead without end:
2.4 GB for two million operations, and after Ctrl-C a process that did them all
before it left.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local function resident ()
  local file <close> = io.open "/proc/self/statm"
  local pages = file and file:read "a":match "^%d+ (%d+)"
  return pages and tonumber(pages) * 4096
end

-- Sanitizers keep what is freed.
if helper.variant ~= "testing" or not resident() then return end

helper.each_device(function ()

local OPERATIONS <const> = 20000

it("a stream takes no more than a GPU's", function ()
  local x = tide.zeros(100000)
  x:add_(1)
  tide.get_device():synchronize()
  local before = resident()
  for _ = 1, OPERATIONS do
    x:add_(1)
  end
  local grown = resident() - before
  assert.equal(OPERATIONS + 1, x[1])
  assert.is_true(grown < 8 << 20, grown)
end)

it("and none of graphs", function ()
  local x = tide.zeros(100000)
  local g <close> = tide.capture(function ()
    for _ = 1, 4 do
      x:add_(1)
    end
  end)
  g:launch()
  tide.get_device():synchronize()
  local before = resident()
  for _ = 2, OPERATIONS // 4 do
    g:launch()
  end
  local grown = resident() - before
  assert.equal(OPERATIONS, x[1])
  assert.is_true(grown < 8 << 20, grown)
end)

end)
