--[[
timing.lua - how long a line took: on the host, and on the device between two
events that are recorded around it on the current stream. Nobody waits for the
device for that, but for the twentieth of a second that nobody feels: what is
not done by then is told before a later prompt.
]]
local system = require "tide.system"
local units = require "tide.units"

local timing = {}
timing.__index = timing

local PATIENCE <const> = 0.05  -- seconds
local SHORT <const> = 1e-3     -- not worth telling

--- new(tide) -> what takes the time of lines, one after the other.
function timing.new (tide)
  return setmetatable({ tide = tide, late = {} }, timing)
end

--- An event on the current stream, or nil: there is no open device, a capture
-- would see it, or the device has failed, which the line itself will say.
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

--- Milliseconds on the device as text, or nil: they cannot be told.
local function elapsed (tide, from, to)
  local ok, ms = pcall(tide.get_elapsed_time, from, to)
  return ok and units.time(ms / 1000) or nil
end

--- Waits a moment, unless somebody types; 'serve' runs host functions.
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

--- report(line, serve) -> what to tell of the line that has run, or nil.
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

--- late_reports() -> texts about lines whose work is done by now.
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
