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

-- A capture of ten nodes, its launch and its end.
harness.with({ "capture10" }, function () return chain(10) end, function (make)
  local s = tide.Stream{ non_blocking = true }
  harness.us("capture10", 200, function (n)
    for _ = 1, n do
      local graph <close> = make()
      graph:launch(s)
    end
  end)
end)

-- 64 kernels of 20 us, each of which fills an eighth of an H200, captured from
-- one stream in a row.
local function busy_kernel ()
  local file <close> = assert(io.open(here .. "limit.cu"))
  local source = file:read "a":match 'extern "C" __global__ void busy.-\n}\n'
  return tide.RawKernel(source, "busy")
end

harness.with({ "graph_wide", "graph_serial" }, busy_kernel, function (busy)
  local one, list = tide.zeros({ 16 }, "float32"), {}
  for i = 1, 64 do list[i] = tide.zeros({ 16 }, "float32") end
  for key, of in pairs{ graph_wide = list, graph_serial = { one } } do
    local graph = tide.capture(function ()
      for i = 1, 64 do busy(16, 256, of[i] or one, 20000) end
    end)
    harness.us(key, 20, function (n)
      for _ = 1, n do graph:launch() end
    end)
    graph:close()
  end
end)
