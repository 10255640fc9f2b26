--
-- graph.lua - replaying a captured chain of 1, 10 and 100 kernels,
-- microseconds per launch of the whole graph, drained.
-- Counted: one graph launch a call; each node multiplies 1024 float32.
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local x = tide.ones({ 1024 }, "float32")
local z = tide.zeros({ 1024 }, "float32")

-- one node: x*x into z; into a new array where functions lack out=
local found, mul = pcall(harness.into, "mul")
if not found then
  harness.note("graph nodes make new arrays: %s", mul)
end
local into = { out = z }
local function node()
  if found then mul(x, x, into) else local _ = x * x end
end

local function chain(nodes)
  return function ()
    return (tide.capture(function ()
      for _ = 1, nodes do node() end
    end))
  end
end

for _, case in ipairs{ { 1, 2000 }, { 10, 500 }, { 100, 100 } } do
  local nodes, calls = case[1], case[2]
  local key = "graph" .. nodes
  harness.with({ key }, chain(nodes), function (graph)
    local s = tide.Stream{ non_blocking = true }
    harness.us(key, calls, function (n)
      for _ = 1, n do graph:launch(s) end
    end)
    if found then
      harness.same(z:totable()[1024], 1.0, key)
    end
    graph:close()
  end)
end
