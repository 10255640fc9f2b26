--[[
A host function that waited ran others on top of it, which waited: after 23 the
stack of C was used up.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

it("host functions do not nest, however many are due", function ()
  local streams, running, most, refused = {}, 0, 0, 0
  for i = 1, 40 do
    streams[i] = tide.Stream{ non_blocking = true }
  end
  for i, s in ipairs(streams) do
    s:launch_host_func(function ()
      running = running + 1
      most = math.max(most, running)
      for k = i + 1, #streams do
        local ok = pcall(streams[k].synchronize, streams[k])
        refused = refused + (ok and 0 or 1)
      end
      running = running - 1
    end)
  end
  tide.get_device():synchronize()
  assert.equal(1, most)
  assert.equal(40 * 39 // 2, refused)
  for _, s in ipairs(streams) do
    s:close()
  end
end)

it("nor if each queues the next one", function ()
  local s <close> = tide.Stream{ non_blocking = true }
  local depth = 0
  local function down ()
    depth = depth + 1
    if depth < 1000 then
      local t = tide.Stream{ non_blocking = true }
      t:launch_host_func(down)
      pcall(t.synchronize, t)
      t:close()
    end
  end
  s:launch_host_func(down)
  while depth < 1000 do
    tide.poll()
  end
end)

end)
