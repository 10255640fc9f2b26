--[[
world.lua - what a program of the fuzzer has: its bytes, and the objects that
its calls gave, by class. See program.lua.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"

--{{ the world: what calls gave, by class

local KEPT = 8

local world = {}  -- lists by class, and what 'open' says

--- Forgets all objects.
function world.open ()
  for class in pairs(world.classes) do
    world[class] = {}
  end
  world.scopes = {}    -- all that may be open
  world.captures = {}  -- the streams that began one
  world.base = nil     -- the stream whose handle is given away
end

function world.keep (class, value)
  if class == "Scope" then
    world.scopes[#world.scopes + 1] = value
  end
  local list = world[class]
  list[#list + 1] = value
  if #list > KEPT then
    table.remove(list, 1)
  end
end

world.metas = {}

for _, class in ipairs(exports.classes()) do
  world.metas[class.meta] = class
end

function world.class_of (value)
  local meta = debug.getmetatable(value)
  local class = type(value) == "userdata" and world.metas[meta]
  local name = class and class.name or
               type(value) == "table" and world.of_tasks[meta]
  return name or type(value)
end

function world.keep_all (...)
  for i = 1, math.min(select("#", ...), 4) do
    local value = select(i, ...)
    local class = world.class_of(value)
    if world.classes[class] then
      world.keep(class, value)
    end
  end
end

local new = {
  Stream = function () return tide.Stream{ non_blocking = true } end,
  Event = function () return tide.Stream.null:record() end,
  Graph = function () return (tide.capture(function () end)) end,
  Array = function () return tide.ones(6, "int32") end,
  HostArray = function () return tide.HostArray(6, "int32") end,
  Device = function () return tide.get_device() end,
  Scope = function () return tide.Stream.null:scope() end,
  File = function () return tide.open "/proc/self/exe" end,
  Queue = function () return tide.queue(2) end,
  Semaphore = function () return tide.semaphore(1) end,
}

-- These are of Lua: by metatable.
world.of_tasks = {
  [debug.getmetatable(tide.queue(1))] = "Queue",
  [debug.getmetatable(tide.semaphore(1))] = "Semaphore"
}
tide.run(function ()
  local place <close> = tide.semaphore(1):acquire()
  world.of_tasks[debug.getmetatable(place)] = "Place"
  world.of_tasks[debug.getmetatable(tide.spawn(function () end))] = "Task"
end)

--- Returns one of the latest objects of a class, or a new one if there is none.
function world.any_of (class, r)
  local b = r:byte()
  local list = world[class]
  if #list == 0 and new[class] then
    local ok, object = pcall(new[class])
    if ok then world.keep(class, object) end
  end
  return list[#list - b % math.max(#list, 1)]
end

world.classes = { table = true, thread = true, ["function"] = true,
                  Task = true, Place = true }
for class in pairs(new) do
  world.classes[class] = true
end

--}}

--{{ bytes

local Reader = {}
Reader.__index = Reader

function world.reader (bytes)
  return setmetatable({ bytes = bytes, at = 1 }, Reader)
end

function Reader:byte ()
  local at = self.at
  self.at = at + 1
  return self.bytes:byte(at) or 0
end

function Reader:pick (list)
  return list[self:byte() % #list + 1]
end

function Reader:part ()  -- up to 63 of the bytes that come
  local n = self:byte() & 63
  local part = self.bytes:sub(self.at, self.at + n - 1)
  self.at = self.at + n
  return part
end

function Reader:ended ()
  return self.at > #self.bytes
end

--}}

return world
