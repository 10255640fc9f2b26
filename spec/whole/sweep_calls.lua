--[[
sweep_calls.lua - one call for each name that tide exports (exports.lua),
for the sweeps: sweep_spec.lua makes its driver calls fail one by one,
spec/embed/sweep.c its allocations.

calls[name] is a function of the device that prepares, and returns the call to
sweep: it may be made any number of times, and leaves things as they were.
]]
local tide = require "tide"

local calls = {}

local function new () return tide.Stream{ non_blocking = true } end

local function nothing () end

--- The same for each of many names: make(dev, name) -> the call.
local function each (pattern, names, make)
  for name in names:gmatch "%S+" do
    calls[pattern:gsub("*", name)] = function (dev)
      return make(dev, name)
    end
  end
end

--{{ module: devices, streams, events

calls["tide.Device"] = function (dev)
  return function () return tide.Device(tostring(dev)) end
end

for _, name in ipairs{ "devices", "get_device", "clock", "poll", "pollfd" } do
  calls["tide." .. name] = function ()
    return function () return tide[name]() end
  end
end

calls["tide.progress"] = function ()
  tide.progress():close()  -- its file is loaded now
  return function ()
    local p <close> = tide.progress(2, "sweep")
    p:add(2)
  end
end

calls["tide.with_device"] = function (dev)
  return function () return tide.with_device(dev, nothing) end
end

calls["tide.Stream"] = function ()
  return function () return tide.Stream{ priority = -1 }:close() end
end

calls["tide.Stream.from_external"] = function ()
  local s = new()
  return function ()
    local _ <close> = tide.Stream.from_external(s.ptr, s)
  end
end

calls["tide.ExternalStream"] = function (dev)
  local s = new()
  return function () local _ <close> = tide.ExternalStream(s.ptr, dev) end
end

calls["tide.scope"] = function ()
  return function () return tide.scope(function () tide.empty(3) end) end
end

each("tide.*", "memory_limit memory_stats reset_peak trim", function (_, name)
  return function () return tide[name]() end
end)

calls["tide.get_current_stream"] = function (dev)
  return function () return tide.get_current_stream(dev) end
end

calls["tide.with_stream"] = function ()
  return function ()
    return tide.with_stream(function (s) return s:record():close() end)
  end
end

calls["tide.Event"] = function ()
  return function () return tide.Event{ block = true }:close() end
end

calls["tide.get_elapsed_time"] = function ()
  local a = tide.Stream.null:record()
  local b = tide.Stream.null:record()
  b:synchronize()
  return function () return tide.get_elapsed_time(a, b) end
end

calls["tide.capture"] = function ()
  return function ()
    local a <close> = tide.empty(3)
    tide.capture(function () a:fill(1) end):close()
  end
end

calls["tide.wrap"] = function ()
  return function () return tide.wrap(tide.get_current_stream)() end
end

calls["tide.inherit"] = function ()
  return function () return tide.inherit(tide.inherit()) end
end

calls["tide.errorinfo"] = function ()
  return function ()
    return tide.errorinfo "cuInit: CUDA_ERROR_UNKNOWN (999): unknown error"
  end
end

calls["tide.help"] = function ()
  tide.help "sum"  -- which reads the pages
  return function () return tide.help "tide.clock" end
end

calls["tide.printoptions"] = function ()
  return function () return tide.printoptions{ precision = 8 } end
end

calls["tide.debug_sync"] = function ()
  return function () return tide.debug_sync(false) end
end

calls["tide.unhandled_errors"] = function ()
  return function () return tide.unhandled_errors "stderr" end
end

calls["tide.host_threads"] = function ()
  return function () return tide.host_threads(tide.host_threads()) end
end

calls["tide.sync_debug"] = function ()
  return function () return tide.sync_debug "off" end
end

--}}

--{{ Device, Scope, Current

calls["Device:use"] = function (dev)
  return function () return dev:use() end
end

calls["Device:synchronize"] = function (dev)
  return function () return dev:synchronize() end
end

calls["Device:memory_info"] = function (dev)
  return function () return dev:memory_info() end
end

calls["Device:can_access_peer"] = function (dev)
  return function ()
    for _, other in ipairs(tide.devices()) do
      dev:can_access_peer(other)
    end
  end
end

-- A reset that fails loses the objects made before, so there are none.
calls["Device:reset"] = function (dev)
  return function () return dev:reset() end
end

each("Device.*", "kind attributes id total_memory name compute_capability",
     function (dev, name)
  return function () return dev[name] end
end)

calls["Device.__close"] = function (dev)
  return function () local _ <close> = dev end
end

calls["Scope.__close"] = function ()
  local s = new()
  return function () local _ <close> = s:scope() end
end

calls["Scope:close"] = function ()
  local s = new()
  return function () s:scope():close() end
end

calls["Scope.__tostring"] = function ()
  return function ()
    local scope <close> = tide.Stream.null:scope()
    return tostring(scope)
  end
end

calls["Current.__gc"] = function ()
  return function () return coroutine.wrap(tide.get_current_stream)() end
end

local object = {}

function object.Device (dev) return dev end
function object.Stream () return new() end
function object.Event () return new():record() end
function object.Graph () return (tide.capture(nothing)) end

each("*.__tostring", "Device Stream Event Graph", function (dev, name)
  local it = object[name](dev)
  return function () return tostring(it) end
end)

each("*.__index", "Device Stream Event Graph", function (dev, name)
  local it = object[name](dev)
  return function () return name == "Device" or it.device end
end)

-- The kernel is no longer referenced when the collector runs in between.
calls["Code.__gc"] = function ()
  local x, n = tide.ones(4), 0
  return function ()
    n = n + 1
    local ok, err = pcall(tide.fuse(function (a) return a + n end), x)
    collectgarbage()
    tide.poll()
    return assert(ok or err:find "NVRTC", err)
  end
end

-- A Current and a Code, like the scopes, have no public fields: reading one
-- raises an error.
each("*.__index", "Scope Current Code ArrayScope", function ()
  return function ()
    local scope <close> = tide.Stream.null:scope()
    return not pcall(function () return scope.field end)
  end
end)

each("*.__newindex", "Device Stream Event Graph Scope Current Code ArrayScope",
     function (dev)
  return function ()
    return not pcall(function () dev.name = 1 end)
  end
end)

each("ArrayScope.*", "__gc __close", function ()
  return function () return tide.scope(function () tide.empty(3) end) end
end)

--}}

--{{ Stream, Event

each("Stream.*", "ptr done is_non_blocking device_id device priority",
     function (_, name)
  local s = new()
  return function () return s[name] end
end)

each("Stream:*", "use synchronize is_capturing", function (_, name)
  local s = new()
  return function ()
    local _ <close> = tide.Stream.null:scope()
    s[name](s)
  end
end)

calls["Stream:with"] = function ()
  local s = new()
  return function () s:with(function () tide.ones(3):close() end) end
end

calls["Stream:scope"] = calls["Scope.__close"]

calls["Stream:record"] = function ()
  local s = new()
  return function () s:record():close() end
end

calls["Stream:wait_event"] = function ()
  local s, e = new(), new():record()
  return function () return s:wait_event(e) end
end

calls["Stream:wait_stream"] = function ()
  local s, t = new(), new()
  return function () return s:wait_stream(t) end
end

each("Stream:*", "launch_host_func add_callback", function (_, name)
  local s = new()
  return function ()
    s[name](s, nothing, 1)
    s:synchronize()
  end
end)

each("Stream:*", "begin_capture end_capture", function ()
  return function ()
    local s <close> = new()
    s:begin_capture "relaxed"
    s:end_capture():close()
  end
end)

each("Stream:*", "close", function ()
  return function () new():close() end
end)

calls["Stream.__eq"] = function ()
  local s, t = new(), new()
  return function () return s == t end
end

each("Stream.*", "__gc __close", function ()
  return function () local _ <close> = new() end
end)

each("Event.*", "done ptr device", function (_, name)
  local e = new():record()
  return function () return e[name] end
end)

each("Event:*", "record synchronize", function (_, name)
  local e = new():record()
  return function () return e[name](e) end
end)

calls["Event:close"] = function ()
  return function () tide.Event():close() end
end

each("Event.*", "__gc __close", function ()
  return function () local _ <close> = tide.Event() end
end)

--}}

--{{ Graph

local function graph ()
  local a = tide.ones(3)
  return (tide.capture(function () a:add_(1) end))
end

calls["Graph.device"] = function ()
  local g = graph()
  return function () return g.device end
end

each("Graph:*", "launch upload debug_dot", function (_, name)
  local g = graph()
  return function () return g[name](g) end
end)

calls["Graph:update"] = function ()
  local g, other = graph(), graph()
  return function () return g:update(other) end
end

calls["Graph:close"] = function ()
  return function () graph():close() end
end

each("Graph.*", "__gc __close", function ()
  return function () local _ <close> = graph() end
end)

--}}

require "spec.whole.sweep_arrays" (calls, each)
require "spec.whole.sweep_places" (calls, each)
require "spec.whole.sweep_random" (calls, each)
require "spec.whole.sweep_linalg" (calls, each)
require "spec.whole.sweep_views" (calls, each)
require "spec.whole.sweep_counting" (calls, each)
require "spec.whole.sweep_kernels" (calls, each)
require "spec.whole.sweep_files" (calls, each)
require "spec.whole.sweep_ipc" (calls, each)
require "spec.whole.sweep_dist" (calls, each)
require "spec.whole.sweep_tasks" (calls, each)

return calls
