--[[
progress.lua - tide.progress(total, label): shows the progress of queued work on
one line of a terminal.

It counts completed work: add() records an event behind the work, and the line
checks from time to time which events have passed. Only close() waits for the
device.
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local check_end <const>, number <const> = arguments.check_end, arguments.number
local system <const> = arguments.system
local units = require "tide.units"
local find <const>, format <const>, gsub <const>, rep <const>, sub <const> =
  string.find, string.format, string.gsub, string.rep, string.sub

local MOST <const> = 256   -- marks; beyond that, each mark covers more
local LOOK <const> = 0.02  -- seconds between two looks
local DRAW <const> = 0.1   -- and between two changes of the line

local methods = {}

--{{ those on the terminal: the last one has the line

-- Weak, so that a progress object that is no longer referenced disappears, even
-- if it was not closed.
local open, last = setmetatable({}, { __mode = "v" }), 0

local function latest ()
  while last > 0 and not open[last] do
    last = last - 1
  end
  return open[last]
end

local function enter (p)
  latest()
  last = last + 1
  open[last], p.place = p, last
end

--}}

local function is_shown ()
  return system ~= nil and system.isatty(2)
end

--{{ the line

local BAR <const> = 20

local function count_text (n)
  return math.type(n) == "float" and format("%.4g", n) or tostring(n)
end

local function rate_text (n, seconds)
  local rate = seconds > 0 and n / seconds or 0
  if rate >= 99.95 then return format("%.0f/s", rate) end
  return rate >= 1 and format("%.1f/s", rate) or
         n > 0 and units.time(seconds / n) .. " each" or ""
end

local function bar_text (part)
  local full = math.min(BAR, part * BAR // 1 | 0)
  return "[" .. rep("#", full) .. rep(" ", BAR - full) .. "]"
end

--- Returns the label without control characters, on one line.
local function clean (label)
  if not utf8.len(label) then label = gsub(label, "[\128-\255]", "?") end
  return (gsub(gsub(label, "\194[\128-\159]", " "), "%c", " "))
end

--- Cuts a label to fit.
local function cut (label, room)
  if utf8.len(label) <= room then return label end
  return room > 3 and
         sub(label, 1, utf8.offset(label, room - 2) - 1) .. "..." or ""
end

--- text(p, now, ended, width) -> "frames [####      ] 4/10  3.1/s  1.94 s left"
local function text_of (p, now, ended, width)
  local seconds, n = now - p.start, p.done
  local parts = {}
  if p.total then
    parts[#parts + 1] = bar_text(p.total > 0 and n / p.total or 1)
    parts[#parts + 1] = count_text(n) .. "/" .. count_text(p.total)
  else
    parts[#parts + 1] = count_text(n)
  end
  local rate = rate_text(n, seconds)
  if rate ~= "" then parts[#parts + 1] = " " .. rate end
  if ended then
    parts[#parts + 1] = " in " .. units.time(seconds)
  elseif p.total and n > 0 and n < p.total then
    parts[#parts + 1] = format(" %s left",
      units.time(seconds / n * (p.total - n)))
  end
  local rest = sub(table.concat(parts, " "), 1, width)
  local label = cut(p.label, width - #rest - 1)
  return label .. (label ~= "" and " " or "") .. rest
end

local function draw (p, ended)
  local now = tide.clock()
  if not p.shown or latest() ~= p or not ended and now < p.next_draw then
    return
  end
  p.next_draw = now + DRAW
  local text = text_of(p, now, ended, (system.columns(2) or 80) - 1)
  io.stderr:write("\r", text, "\27[K", ended and "\n" or "")
  io.stderr:flush()
end

--}}

--{{ marks: { event =, device =, stream =, count =, adds = }

--- Tells whether an event has passed; nil if its device was reset, so that it
-- never will.
local function has_passed (event)
  local done <const> = arguments.field(event, "done")
  return done
end

local function give_back (p, mark)
  local free = p.free[mark.device] or {}
  free[#free + 1] = mark.event
  p.free[mark.device] = free
end

--- Counts the marks that have passed.
local function look (p)
  local left = {}
  for _, mark in ipairs(p.marks) do
    local passed = has_passed(mark.event)
    if passed then
      p.done = p.done + mark.count
      give_back(p, mark)
    elseif passed == false then
      left[#left + 1] = mark
    end
  end
  p.marks = left
  p.next_look = tide.clock() + LOOK
end

local function last_of (p, stream)
  for i = #p.marks, 1, -1 do
    if p.marks[i].stream == stream then return p.marks[i] end
  end
end

--- Merges every second mark of a stream into the next one, which is later: a
-- long run is counted in larger steps.
local function thin (p)
  local left, held = {}, {}
  for _, mark in ipairs(p.marks) do
    local before = held[mark.stream]
    if before then
      mark.count, mark.adds = mark.count + before.count, mark.adds + before.adds
      before.count = nil
      give_back(p, before)
    end
    held[mark.stream] = not before and mark or nil
  end
  for _, mark in ipairs(p.marks) do
    if mark.count then left[#left + 1] = mark end
  end
  p.marks, p.step = left, 2 * p.step
end

--- Records an event on the current stream; false for an event from before a
-- reset.
local function record_again (event)
  local ok <const>, err <const> = pcall(event.record, event)
  return ok or not find(tostring(err), "device was reset$") and error(err, 0)
end

--- Returns a recorded event: a used one, if there is one.
local function new_record (p, device)
  local free = p.free[device] or {}
  while #free > 0 do
    local event = table.remove(free)
    if record_again(event) then return event end
  end
  return tide.Event{ disable_timing = true }:record()
end

local function add_mark (p, stream, count)
  local device, before = tide.get_device(), last_of(p, stream)
  if before and before.adds < p.step and before.device == device and
     record_again(before.event) then
    before.count, before.adds = before.count + count, before.adds + 1
    return
  end
  local event = new_record(p, device)
  p.marks[#p.marks + 1] = { event = event, device = device, stream = stream,
                            count = count, adds = 1 }
  if #p.marks >= MOST then thin(p) end
end

--}}

--- Updates the line while the program waits for the device.
local function tick ()
  local p = latest()
  if p then
    look(p)
    draw(p)
  else
    system.tick()
  end
end

local data = setmetatable({}, { __mode = "k" })  -- object -> its fields

--- Raises an error about the object, as Lua's own functions do.
local function argument_error (name, why)
  local called = debug and debug.getinfo(3, "n")
  local form = called and called.namewhat == "method" and
               "calling '%s' on bad self (%s)" or
               "bad argument #1 to '%s' (%s)"
  error(format(form, name, why), 4)
end

local function check (object, name)
  local p = data[object]
  if not p then
    argument_error(name, format("tide.Progress expected, got %s",
      object == nil and "no value" or type(object)))
  elseif p.closed then
    argument_error(name, "progress is closed")
  end
  return p
end

--- p:add([n]) -> p: counts the work queued on the current stream since the last
-- call as n pieces (1) once it is done.
function methods.add (self, n, extra)
  local p = check(self, "add")
  check_end(extra, 2, "add")
  if n == nil then n = 1 end
  if type(n) ~= "number" or not (n >= 0 and n < math.huge) then
    error(format("bad argument #1 to 'add' (a number from 0 on expected, " ..
                 "got %s)", type(n) == "number" and number(n) or type(n)), 2)
  end
  local stream = tide.get_current_stream()
  if stream:is_capturing() then
    error("p:add in a capture, where nothing runs: count the launches of " ..
          "its graph instead", 2)
  end
  add_mark(p, stream, n)
  if tide.clock() >= p.next_look then
    look(p)
    draw(p)
  end
  return self
end

--- p:completed() -> the number of completed pieces. Does not wait.
function methods.completed (self, extra)
  local p = check(self, "completed")
  check_end(extra, 1, "completed")
  look(p)
  draw(p)
  return p.done
end

local function wait (p)
  for _, mark in ipairs(table.move(p.marks, 1, #p.marks, 1, {})) do
    if has_passed(mark.event) == false then
      mark.event:synchronize()
    end
    if tide.clock() >= p.next_look then look(p) end
    draw(p)
  end
  look(p)
end

local function finish (p)
  draw(p, true)
  p.closed, p.marks, p.free = true, {}, {}
  if p.shown then
    open[p.place] = nil
    system.tick(latest() and tick or nil)
  end
end

--- p:close(): waits for all counted work, and ends the line.
function methods.close (self, extra)
  local p = check(self, "close")
  check_end(extra, 1, "close")
  local ok, err = pcall(wait, p)
  finish(p)
  if not ok then error(err, 0) end
end

local meta = {
  __name = "tide.Progress",
  __metatable = "tide.Progress",
  __index = setmetatable(methods, {
    __index = function (_, name)
      error(format("no field '%s' in tide.Progress", tostring(name)), 2)
    end
  }),
  __newindex = function (_, name)
    error(format("field '%s' of tide.Progress cannot be set",
      tostring(name)), 2)
  end,
  __tostring = function (self)
    local p = data[self]
    return format("tide.Progress (%s)",
      p.closed and "closed" or text_of(p, tide.clock(), false, math.maxinteger))
  end
}

--- Closes at the end of a block, after an error without waiting.
function meta.__close (self, err)
  local p = data[self]
  if p.closed then return end
  if err == nil then
    methods.close(self)
  else
    look(p)
    finish(p)
  end
end

local function check_total (total)
  if total ~= nil and (type(total) ~= "number" or
                       not (total >= 0 and total < math.huge)) then
    error(format("bad argument #1 to 'progress' (a number from 0 on " ..
                 "expected, got %s)", type(total) == "number" and
                   number(total) or type(total)), 4)
  end
end

local function check_label (label)
  if label ~= nil and type(label) ~= "string" then
    error(format("bad argument #2 to 'progress' (string expected, got %s)",
      type(label)), 4)
  end
end

--- new(total, label) -> a Progress, for tide.progress.
return function (total, label)
  check_total(total)
  check_label(label)
  local now = tide.clock()
  local p = { total = total, label = clean(label or "done"), start = now,
              done = 0, marks = {}, step = 1, free = {}, next_look = now,
              next_draw = now, shown = is_shown(), closed = false }
  local self = setmetatable({}, meta)
  data[self] = p
  if p.shown then
    enter(p)
    system.tick(tick)
    draw(p)
  end
  return self
end
