--[[
reentrancy.lua - for reentrancy_spec.lua: one call of sweep_calls.lua
from its preparation to what came of it, as text.

  local run = reentrancy.begin("tide.add", dev)
  reentrancy.call(run)
  local text = reentrancy.finish(run)

The objects that the call works on (run.operands) are the upvalues of the
function; arrays that it closes are results: they are looked at first.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local T = helper.T

local calls = setmetatable({}, { __index = require "spec.whole.sweep_calls" })
local reentrancy = { calls = calls }

local methods, close = {}, {}  -- of each class; what really closes
for _, class in ipairs(exports.classes()) do
  methods[class.name] = class.methods
  close[class.name] = class.methods.close
end
reentrancy.close = close

--- class_of(x) -> "Array", "Stream", or nil.
local function class_of (x)
  local meta = type(x) == "userdata" and debug.getmetatable(x)
  return meta and meta.__name and meta.__name:match "^tide%.(%w+)$"
end

reentrancy.class_of = class_of

--{{ operands

local OPERANDS = { Array = true, HostArray = true, Stream = true, Event = true,
                   Graph = true }

local gather

local function gather_upvalues (list, fn, depth)
  for i = 1, debug.getinfo(fn, "u").nups do
    local _, value = debug.getupvalue(fn, i)
    gather(list, value, depth + 1)
  end
end

function gather (list, value, depth)
  if OPERANDS[class_of(value)] and value ~= tide.Stream.null then
    for _, known in ipairs(list) do
      if rawequal(known, value) then return end
    end
    list[#list + 1] = value
  elseif depth < 3 and type(value) == "table" and not getmetatable(value) then
    for _, v in ipairs(value) do
      gather(list, v, depth + 1)
    end
  elseif depth < 3 and type(value) == "function" and
         debug.getinfo(value, "S").what == "Lua" then
    gather_upvalues(list, value, depth)
  end
end

--}}

--{{ what came of it

-- Results of these differ each time, or depend on how far the device is.
local VOLATILE = { "%.ptr$", "done$", "memory", "clock", "inherit$", "__eq$",
                   "get_elapsed_time$", "debug_dot", "tide.poll", "sync_debug",
                   "tide.trim", "debug_sync", "__tostring$",
                   "^RawKernel", "^Connection[.:][fpr_]", "^Listener[.:][fpr_]",
                   "^tide.ipc.[cl]", "[:]await$", "^tide.race" }

local function is_volatile (name)
  for _, pattern in ipairs(VOLATILE) do
    if name:find(pattern) then return true end
  end
end

--- Tells whether contents count: memory not yet written only has a shape.
local function has_contents (run)
  return not run.name:find "empty"
end

local describe_value = {}

function describe_value.Array (run, a)
  local class = class_of(a)
  local ok, bytes = pcall(methods[class].tobytes, a)
  if not ok then
    return class .. ": " .. reentrancy.normal(bytes)
  end
  local shape = table.concat(a.shape, ",")
  return class .. " " .. shape .. " " .. (has_contents(run) and bytes or "")
end

describe_value.HostArray = describe_value.Array

--- Returns a message without its place and numbers, which do not matter.
function reentrancy.normal (message)
  message = tostring(message):match "^[^\n]*"
  return (message:gsub("[%w/_.]+%.lua:%d+: ", ""):gsub("0x%x+", "#")
                 :gsub("%d+", "#"))
end

local function describe (run, value, depth)
  local class = class_of(value)
  if describe_value[class] then
    return describe_value[class](run, value)
  elseif class or type(value) == "function" then
    return class or "function"
  elseif type(value) == "table" and depth < 4 then
    local list = {}
    for k, v in pairs(value) do
      list[#list + 1] = tostring(k) .. "=" .. describe(run, v, depth + 1)
    end
    table.sort(list)
    return "{" .. table.concat(list, " ") .. "}"
  elseif type(value) == "string" then
    return run.name:find "Array" and value or reentrancy.normal(value)
  end
  return tostring(value)
end

--}}

--{{ one call

local recording  -- the run whose call closes arrays, or nil

for _, class in ipairs{ "Array", "HostArray" } do
  methods[class].close = function (x)
    if recording then
      recording.results[#recording.results + 1] = x
    else
      return close[class](x)
    end
  end
end

--- begin(name, dev [, act]) -> what the other functions take. act: for calls
-- that tide calls back: see spec/whole/reentrancy_calls.lua.
function reentrancy.begin (name, dev, act)
  local run = { name = name, dev = dev, results = {}, operands = {} }
  dev:use()
  tide.random.seed(1)
  run.current = tide.Stream{ non_blocking = true }
  run.current:use()
  run.fn = calls[name](dev, act)
  gather(run.operands, run.fn, 0)
  return run
end

--- call(run): makes the call; errors are part of what comes of it.
function reentrancy.call (run)
  recording = not run.name:find "close" and run or nil
  run.returned = table.pack(pcall(run.fn))
  recording = nil
end

local function end_capture (s)
  local open, capturing = pcall(s.is_capturing, s)
  if open and capturing then
    s:end_capture():close()
  end
  return open and capturing
end

--- Ends all that the intruder has begun, and all work -> unreported errors.
-- Host functions may run only now.
local function settle (run)
  local late = {}
  debug.sethook()
  T.limits()
  T.failcall(0)
  tide.debug_sync(false)
  run.dev:use()
  tide.memory_limit(0)
  tide.memory_limit(0, "pinned")
  for _ = 1, 5 do
    local ok, message = pcall(run.dev.synchronize, run.dev)
    if not end_capture(run.current) then
      if ok then break end
      late[#late + 1] = reentrancy.normal(message)
    end
  end
  tide.Stream.null:use()
  return table.concat(late, "; ")
end

local function close_all (list)
  for i = 1, list.n or #list do
    local x = list[i]
    local class = class_of(x)
    if close[class] then
      pcall(close[class], x)
    end
  end
end

--- finish(run) -> what came of it; and the error of the call, or nil.
function reentrancy.finish (run)
  local late = settle(run)
  local returned, lines = run.returned, {}
  local ok = returned and returned[1]
  local err = returned and not ok and reentrancy.normal(returned[2]) or nil
  for i = 2, ok and not is_volatile(run.name) and returned.n or 0 do
    lines[#lines + 1] = describe(run, returned[i], 0)
  end
  for _, list in ipairs{ run.results, run.operands } do
    for i, x in ipairs(list) do
      lines[#lines + 1] = i .. " " .. describe(run, x, 0)
    end
  end
  lines[#lines + 1] = err and "error: " .. err
  lines[#lines + 1] = late ~= "" and "late: " .. late or nil
  close_all(returned or {})
  close_all(run.results)
  close_all(run.operands)
  close_all(run.made or {})
  pcall(close.Stream, run.current)
  return table.concat(lines, "\n"), err
end

--}}

--- names() -> the names of all calls, in an order that is always the same.
function reentrancy.names ()
  local list = {}
  for _, export in ipairs(exports.list(tide)) do
    list[#list + 1] = export.name
  end
  return list
end

return reentrancy
