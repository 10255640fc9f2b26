--[[
progress.lua - tide.progress(total, label): how much of what was queued is done,
on one line of a terminal.

What is counted is completed work: add() records an event behind it, and looks
now and then which have passed. Nothing waits for the device but close().
]]
local tide = require "tide"
local arguments = require "tide.arguments"
local check_end <const>, number <const> = arguments.check_end, arguments.number
local system <const> = arguments.system
local units = require "tide.units"

local MOST <const> = 256   -- marks at a time: then each stands for more
local LOOK <const> = 0.02  -- seconds between two looks
local DRAW <const> = 0.1   -- and between two changes of the line

local methods = {}

--{{ those on the terminal: the last one has the line

-- What nobody else holds is gone from it: it may have been left unclosed.
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
  return math.type(n) == "float" and ("%.4g"):format(n) or tostring(n)
end

local function rate_text (n, seconds)
  local rate = seconds > 0 and n / seconds or 0
  if rate >= 99.95 then return ("%.0f/s"):format(rate) end
  return rate >= 1 and ("%.1f/s"):format(rate) or
         n > 0 and units.time(seconds / n) .. " each" or ""
end

local function bar_text (part)
  local full = math.min(BAR, part * BAR // 1 | 0)
  return "[" .. ("#"):rep(full) .. (" "):rep(BAR - full) .. "]"
end

--- One line of what a terminal can show: nothing in it is for the terminal.
local function clean (label)
  if not utf8.len(label) then label = label:gsub("[\128-\255]", "?") end
  return (label:gsub("\194[\128-\159]", " "):gsub("%c", " "))
end

--- As much of a label as fits.
local function cut (label, room)
  if utf8.len(label) <= room then return label end
  return room > 3 and label:sub(1, utf8.offset(label, room - 2) - 1) .. "..." or
         ""
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
    parts[#parts + 1] = (" %s left"):format(
      units.time(seconds / n * (p.total - n)))
  end
  local rest = table.concat(parts, " "):sub(1, width)
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

--- Has an event passed? nil: nobody will ever know, as its device was reset.
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

--- Every second mark of a stream becomes part of the next one, which is later:
-- what is long is shown in larger steps.
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

--- Is it recorded, on the current stream? Not one from before a reset.
local function record_again (event)
  return (pcall(event.record, event))
end

--- An event that is recorded: one that was used before, if there is one.
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

--- While the program waits for the device, the line goes on, if there is one.
local function tick ()
  local p = latest()
  if p then
    look(p)
    draw(p)
  else
    system.tick()
  end
end

local data = setmetatable({}, { __mode = "k" })  -- object -> what it knows

--- As Lua's own functions blame the object of a method.
local function blame (name, why)
  local called = debug and debug.getinfo(3, "n")
  local form = called and called.namewhat == "method" and
               "calling '%s' on bad self (%s)" or
               "bad argument #1 to '%s' (%s)"
  error(form:format(name, why), 4)
end

local function check (object, name)
  local p = data[object]
  if not p then
    blame(name, ("tide.Progress expected, got %s"):format(
      object == nil and "no value" or type(object)))
  elseif p.closed then
    blame(name, "progress is closed")
  end
  return p
end

--- p:add([n]) -> p: what was queued on the current stream since the last time
-- is n pieces (1), to be counted when they are done.
function methods.add (self, n, extra)
  local p = check(self, "add")
  check_end(extra, 2, "add")
  if n == nil then n = 1 end
  if type(n) ~= "number" or not (n >= 0 and n < math.huge) then
    error(("bad argument #1 to 'add' (a number from 0 on expected, got %s)")
          :format(type(n) == "number" and number(n) or type(n)), 2)
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

--- p:completed() -> how much is done by now. Does not wait.
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

--- p:close(): waits for all that was counted, and ends the line.
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
      error(("no field '%s' in tide.Progress"):format(tostring(name)), 2)
    end
  }),
  __newindex = function (_, name)
    error(("field '%s' of tide.Progress cannot be set"):format(
      tostring(name)), 2)
  end,
  __tostring = function (self)
    local p = data[self]
    return ("tide.Progress (%s)"):format(
      p.closed and "closed" or text_of(p, tide.clock(), false, math.maxinteger))
  end
}

--- The end of a block; after an error there is nothing to wait for.
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
    error(("bad argument #1 to 'progress' (a number from 0 on expected, " ..
           "got %s)"):format(type(total) == "number" and number(total) or
                        type(total)), 4)
  end
end

local function check_label (label)
  if label ~= nil and type(label) ~= "string" then
    error(("bad argument #2 to 'progress' (string expected, got %s)"):format(
      type(label)), 4)
  end
end

--- new(total, label) -> a progress, for tide.progress.
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
