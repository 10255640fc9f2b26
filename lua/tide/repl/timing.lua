--[[
timing.lua - measures a line: its time on the host, and the time on the device
between two events recorded around it on the current stream. It waits for the
second event at most a twentieth of a second, which is not noticeable; a longer
time is reported before a later prompt.
]]
local system = require "tide.system"
local units = require "tide.units"

local timing = {}
timing.__index = timing

local PATIENCE <const> = 0.05  -- seconds
local SHORT <const> = 1e-3     -- shorter times are not shown

--- new(tide) -> an object that measures lines, one after the other.
function timing.new (tide)
  return setmetatable({ tide = tide, late = {} }, timing)
end

--- Records an event on the current stream. Returns nil if no device is open, if
-- a capture would record it, or if the device has failed; then the line itself
-- raises.
local function record (tide)
  if not system.queued() then return nil end
  local ok, event = pcall(function () return tide.Event():record() end)
  return ok and event or nil
end

function timing:start ()
  self.from = record(self.tide)
  self.queued = system.queued()
  self.to, self.host = nil, nil
  self.clock = self.tide.clock()
end

function timing:stop ()
  self.host = self.tide.clock() - self.clock
  if self.from and system.queued() ~= self.queued then
    self.to = record(self.tide)
  end
end

local function is_done (event)
  local ok, done = pcall(function () return event.done end)
  return not ok or done
end

--- Returns the milliseconds on the device as text, or nil if they are unknown.
local function elapsed (tide, from, to)
  local ok, ms = pcall(tide.get_elapsed_time, from, to)
  return ok and units.time(ms / 1000) or nil
end

--- Waits briefly, until the user types; 'serve' runs host functions.
local function is_soon_done (tide, event, serve)
  local start = tide.clock()
  while not is_done(event) do
    serve()
    if tide.clock() - start > PATIENCE or system.wait(1) == "input" then
      return is_done(event)
    end
  end
  return true
end

--- report(line, serve) -> the times of the line, or nil.
function timing:report (line, serve)
  local text = "host " .. units.time(self.host)
  local from, to = self.from, self.to
  self.from, self.to = nil, nil
  if not to then
    return self.host >= SHORT and "[" .. text .. "]" or nil
  end
  if not is_soon_done(self.tide, to, serve) then
    self.late[#self.late + 1] = { line = line, from = from, to = to }
    return ("[%s, device: still at work]"):format(text)
  end
  local device = elapsed(self.tide, from, to)
  return ("[%s%s]"):format(text, device and ", device " .. device or "")
end

--- late_reports() -> the times of earlier lines whose work is done now.
function timing:late_reports ()
  local texts, left = {}, {}
  for _, entry in ipairs(self.late) do
    if not is_done(entry.to) then
      left[#left + 1] = entry
    else
      local device = elapsed(self.tide, entry.from, entry.to)
      texts[#texts + 1] = device and
                          ("[line %d: device %s]"):format(entry.line, device)
    end
  end
  self.late = left
  return texts
end

return timing
