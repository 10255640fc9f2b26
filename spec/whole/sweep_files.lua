--[[
sweep_files.lua - the part of sweep_calls.lua about tide.File: adds to its
table. Each call has a file of its own, which is there as long as the call is.
]]
local tide = require "tide"
local T = tide.T

local BYTES <const> = 1 << 16

--- new_file() -> the path of a file with BYTES bytes "x", which goes when the
-- guard does, the second result.
local function new_file ()
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "wb"))
  file:write(("x"):rep(BYTES))
  return path, setmetatable({}, { __gc = function () os.remove(path) end })
end

--- opened(mode, fn) -> a call of fn(f), which has an open file.
local function opened (mode, fn)
  local path, guard = new_file()
  local f = tide.open(path, mode)
  return function () return guard and fn(f) end
end

return function (calls, each)

calls["tide.open"] = function ()
  local path, guard = new_file()
  return function ()
    for _, mode in ipairs{ "r", "w", "r+" } do
      local _ <close> = guard and tide.open(path, mode)
    end
  end
end

for _, ending in ipairs{ "pgm", "png" } do
  local name = ending == "pgm" and "tide.load_image" or "tide.save_image"
  calls[name] = function ()
    local path, guard = new_file()
    local a = tide.ones({ 5, 7, ending == "png" and 4 or 1 }, "uint16")
    local h = tide.HostArray({ 6, 8 }, "uint8")[{ { 2, 5 }, { 3, 4 } }]
    tide.save_image(path, a, { format = ending })
    return function ()
      if name == "tide.load_image" then
        return guard and tide.load_image(path):close()
      end
      tide.save_image(path, a, { format = ending })
      return guard and tide.save_image(path, h, { format = "pgm" })
    end
  end
end

local TEXT <const> = "a,b\n" .. ("1.5,2\n"):rep(BYTES >> 4)

calls["tide.loadtxt"] = function ()
  local path, guard = new_file()
  local file <close> = assert(io.open(path, "wb"))
  file:write(TEXT)
  return function ()
    tide.loadtxt(path, { delimiter = ",", skiprows = 1, dtype = "float16" })
        :close()
    local t = tide.loadtxt(path, { delimiter = ",", names = true })
    return guard and t.a:close()
  end
end

calls["tide.savetxt"] = function ()
  local path, guard = new_file()
  local a, h = tide.ones{ 5, 7 }, tide.HostArray({ 6, 8 }, "uint8")
  return function ()
    tide.savetxt(path, a, { header = "x" })
    return guard and tide.savetxt(path, h[{ { 2, 5 }, { 3, 4 } }],
                                  { fmt = "%d" })
  end
end

calls["File:close"] = function ()
  local path, guard = new_file()
  return function () return guard and tide.open(path):close() end
end

each("File.*", "__gc __close", function ()
  local path, guard = new_file()
  return function () local _ <close> = guard and tide.open(path) end
end)

each("File.*", "size offset path mode", function (_, name)
  return opened("r", function (f) return type(f[name]) end)
end)

calls["File.__index"] = calls["File.size"]

calls["File.__newindex"] = function ()
  return opened("r", function (f)
    assert(not pcall(function () f.x = 1 end))
  end)
end

calls["File.__tostring"] = function ()
  return opened("r", function (f) return tostring(f) end)
end

--- Through the slots, twice in a row, so that two failures follow each other;
-- into memory of both kinds.
each("File:*", "read write", function (_, name)
  local a, h = tide.zeros(BYTES, "uint8"), tide.HostArray(BYTES, "uint8")
  local function slots (on)
    if T then
      T.slots(on)
    end
  end
  return opened("r+", function (f)
    slots(true)
    local ok, message = pcall(function ()
      f[name](f, a, 0)
      f[name](f, a, 0)
    end)
    slots(false)
    assert(ok, message)
    f[name](f, h, 0)
    f[name](f, a, 0)
  end)
end)

end
