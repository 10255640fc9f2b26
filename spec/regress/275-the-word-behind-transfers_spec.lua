--[[
275: behind a transfer of a file a blocking stream writes to a word that nobody
reads, as a wait alone is no work that the null stream would follow. There was
one word for all streams of a device, which several wrote to at once: a race,
which on the host device ThreadSanitizer tells of. Found by the soak.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T

helper.each_device(function ()

it("blocking streams write files side by side", function ()
  local path = os.tmpname()
  local f <close> = tide.open(path, "r+")
  local lanes = {}
  for i = 1, 4 do
    lanes[i] = { stream = tide.Stream(), h = tide.HostArray(8, "int64") }
    lanes[i].h:fill(i)
  end
  T.delays(1, 100)
  for round = 0, 24 do
    for i, lane in ipairs(lanes) do
      local at = (4 * round + i - 1) * 64
      lane.stream:with(function () f:write(lane.h, at) end)
    end
  end
  T.delays(1, 0)
  local a = tide.empty(800, "int64")
  f:read(a, 0)
  assert.equal(25 * 8 * (1 + 2 + 3 + 4), a:sum():item())
  os.remove(path)
end)

end)
