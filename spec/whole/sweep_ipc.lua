--[[
sweep_ipc.lua - the part of sweep_calls.lua about tide.ipc: adds to its table.
Both ends of each connection are in this process.
]]
local tide = require "tide"

local ipc = tide.ipc

local function new_path ()
  local path = os.tmpname()
  os.remove(path)
  return path
end

--- pair() -> both ends of a connection.
local function pair ()
  local listener <close> = ipc.listen(new_path())
  local ours = ipc.connect(listener.path)
  return ours, listener:accept()
end

local function new_event ()
  return tide.Event{ interprocess = true, disable_timing = true }
end

return function (calls, each)

calls["tide.ipc.listen"] = function ()
  local path = new_path()
  return function () ipc.listen(path):close() end
end

calls["tide.ipc.connect"] = function ()
  local listener = ipc.listen(new_path())
  return function ()
    ipc.connect(listener.path):close()
    listener:accept():close()
  end
end

each("tide.ipc.*", "empty zeros", function (_, name)
  return function () ipc[name]({ 2, 3 }, "float32"):close() end
end)

calls["tide.ipc.array"] = function ()
  return function () ipc.array{ 1, 2, 3 }:close() end
end

--- Reads a field, or does what a metamethod is for.
local function ask (it, name)
  if name == "__tostring" then
    return tostring(it)
  elseif name == "__newindex" then
    assert(not pcall(function () it.x = 1 end))
  else
    return it[name == "__index" and "fd" or name]
  end
end

each("Listener.*", "fd path __tostring __index __newindex", function (_, name)
  local listener = ipc.listen(new_path())
  return function () return ask(listener, name) end
end)

each("Listener.*", "__gc __close", function ()
  local path = new_path()
  return function () local _ <close> = ipc.listen(path) end
end)

calls["Listener:close"] = calls["tide.ipc.listen"]

calls["Listener:ready"] = function ()
  local listener = ipc.listen(new_path())
  return function () return listener:ready(0.001) end
end

calls["Listener:accept"] = calls["tide.ipc.connect"]

each("Connection.*", "fd pid __tostring __index __newindex", function (_, name)
  local ours = pair()
  return function () return ask(ours, name) end
end)

each("Connection.*", "__gc __close", function ()
  return function () local _ <close> = pair() end
end)

calls["Connection:close"] = function ()
  return function () pair():close() end
end

calls["Connection:ready"] = function ()
  local ours, theirs = pair()
  return function ()
    local there = ours:ready(0.001)
    return there, theirs  -- which must not be collected before
  end
end

-- A failed call is made again with a new pair, which gets its own messages.
-- Connection:recv waits for the array and the event behind a host function.
each("Connection:*", "send recv", function (_, name)
  return function ()
    local ours, theirs = pair()
    local _ <close>, a = ours, ipc.zeros(4)
    local _ <close>, e = theirs, new_event()
    local s <close> = tide.Stream{ non_blocking = true }
    local _ <close> = setmetatable({}, { __close = function ()
      for _ = 1, 9 do  -- for errors of what was kept before a call failed
        if pcall(s.synchronize, s) then return end
      end
    end })
    e:record()
    ours:send("four", a, e, a)
    local text, b, f = s:with(function ()
      if name == "recv" then s:launch_host_func(function () end) end
      return theirs:recv()
    end)
    s:wait_event(f)
    assert(text == "four" and b:sum():item() == 0)
    for _, x in ipairs{ a, b, e, f } do x:close() end
  end
end)

end
