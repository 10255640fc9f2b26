--[[
units.lua - formats times and sizes for people: three digits and a unit.
]]
local format <const> = string.format

local units = {}

--- Three digits of a number below 1000.
local function digits (x)
  local places = x < 9.995 and 2 or x < 99.95 and 1 or 0
  return format("%." .. places .. "f", x)
end

--- scaled(x, step, names) -> x in the largest of these units in which it is at
-- least 1.
local function scaled (x, step, names)
  local i = 1
  while i < #names and x >= step - 0.5 do
    x, i = x / step, i + 1
  end
  return digits(x) .. " " .. names[i]
end

local SHORT <const> = { "ns", "us", "ms", "s" }

--- time(seconds) -> "12.3 us", "1.02 ms", "4.50 s", "3 min 05 s", "2 h 07 min"
function units.time (seconds)
  if seconds < 59.95 then
    return scaled(math.max(seconds, 0) * 1e9, 1000, SHORT)
  end
  local s = (seconds + 0.5) // 1
  if s < 3600 then
    return format("%d min %02d s", s // 60, s % 60)
  end
  return format("%d h %02d min", s // 3600, s % 3600 // 60)
end

local SIZES <const> = { "KiB", "MiB", "GiB", "TiB", "PiB" }

--- bytes(n) -> "512 bytes", "1.50 KiB", "139 GiB"
function units.bytes (n)
  if n < 1024 then
    return format("%d byte%s", n, n == 1 and "" or "s")
  end
  return scaled(n / 1024, 1024, SIZES)
end

return units
