--[[
reentrancy_spec.lua - in the middle of each call that tide exports other code
acts: a host function, a finalizer, a hook, a message handler, a callback. It
works on each of the objects that the call works on, on its stream, and on the
rest. The result must be the result of one order of both, or an error that
says what was done.

TIDE_SPEC_SCALE=n    so many times the cases: 1 is a small share, which differs
                     from call to call; 40 is all (ten minutes and more)
TIDE_SPEC_SHARE=n    the n-th of those shares, from 0: suites have one each
TIDE_SPEC_CALLS=p    only calls whose names match the pattern
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"
local reentrancy = require "spec.whole.reentrancy"
local actions = require "spec.whole.reentrancy_actions"
local backs = require "spec.whole.reentrancy_calls"
local intruders = require "spec.whole.reentrancy_intruders"

local SCALE = tonumber(os.getenv "TIDE_SPEC_SCALE" or 1)
local ONLY = os.getenv "TIDE_SPEC_CALLS" or ""
local SHARE = math.max(1, 40 // SCALE)
local FIRST = tonumber(os.getenv "TIDE_SPEC_SHARE" or 0)
local SHOWN = 2   -- failures of a call
local PLACES = SCALE >= 40 and 40 or 4  -- of one intruder in one call

local sorted = require "spec.checks.exports".sorted

local ACTIONS, INTRUDERS = sorted(actions), sorted(intruders)
local INSIDE, WITHIN = sorted(backs.inside), sorted(backs.within)

local made = 0

--{{ one call

--- attempt(case, intrude, n) -> what came of it, the run, its error, and what
-- the intruder says.
local function attempt (case, intrude, n)
  local action, run = case.action, nil
  run = reentrancy.begin(case.name, case.dev, function ()
    if intrude == backs.call_inside then
      run.act()
    end
  end)
  local x = run.operands[case.operand]
  if action.prepare then
    action.prepare(run, x)
  end
  function run.act_again ()
    local ok, message = pcall(action.apply, run, x)
    run.acted = run.acted or ok
    run.failed = not run.acted and message
  end
  function run.act ()
    if not run.acted then
      run.act_again()
      run.acted = true
    end
  end
  local more = intrude(run, n)
  made = made + 1
  local text, err = reentrancy.finish(run)
  return text, run, err, more
end

--- orders(case) -> what comes of one after the other, as a set.
local function orders (case)
  local set, n = {}, 0
  repeat
    n = n + 1
    local text, _, err, more = attempt(case, reentrancy.order, n)
    set[text] = true
    set[err or ""] = true
  until not more
  return set
end

--- alone(name, dev) -> what comes of the call, as a set; its operands.
local function alone (name, dev)
  local case = { name = name, dev = dev, action = {} }
  local set, run = {}, nil
  for _ = 1, 2 do
    local text
    text, run = attempt(case, reentrancy.call)
    set[text] = true
  end
  return set, run.operands
end

--}}

--{{ what may come of it

--- Tells whether one of the patterns is in the message.
local function matches (message, patterns)
  for _, pattern in ipairs(patterns or {}) do
    if message:find(pattern) then return true end
  end
  return false
end

-- Errors that any code in between may get.
local REFUSALS = { "CUDA_ERROR_NOT_PERMITTED", "closed", "must be an open",
                   "capturing", "CAPTURE", "in a capture", "was reset",
                   "OUT_OF_MEMORY" }

local function one_of (case, text, run, err)
  local action = case.action
  local done = run.acted and not run.failed and not run.hides
  if case.orders[text] or not done and case.plain[text] then
    return true
  elseif run.reached then  -- a call of the driver has failed
    return true
  elseif err and (err:find "event has not finished yet" or
                  run.scarce and err:find "memory") then
    return true
  elseif action.blind and (not err or case.orders[err]) then
    return true
  end
  return err and matches(err, action.errors)
end

local function list_of (set)
  local list = {}
  for text in pairs(set) do
    list[#list + 1] = ("%q"):format(text)
  end
  return table.concat(list, "\n  ")
end

local function check (at, case, text, run, err)
  if not one_of(case, text, run, err) then
    error(("%s:\n  %q\nis none of\n  %s"):format(at, text,
          list_of(case.orders)), 0)
  elseif run.failed and not matches(run.failed, REFUSALS) then
    error(at .. ": the intruder: " .. run.failed, 0)
  end
end

local function try (case, who, intrude)
  local n = 0
  repeat
    n = n + 1
    local text, run, err, more = attempt(case, intrude, n)
    check(("%s, %s, operand %s, place %d"):format(who, case.what, case.operand,
          n), case, text, run, err)
  until not more or n >= PLACES
end

--}}

--{{ all of them

--- Tells whether an action fits x, an operand or nil, on that device.
local function fits (action, x, dev)
  return (not action.to or action.to(reentrancy.class_of(x))) and
         (not action.host or dev.kind == "host")
end

--- cases(name, dev) -> all that there are for a call.
local function cases (name, dev)
  local list = {}
  local plain, operands = alone(name, dev)
  for _, what in ipairs(ACTIONS) do
    local action = actions[what]
    for i = 1, action.to and #operands or 1 do
      if fits(action, operands[i], dev) then
        list[#list + 1] = { name = name, dev = dev, plain = plain,
                            action = action, what = what, operand = i }
      end
    end
  end
  return list
end

--- Collects errors: some are shown.
local function collect ()
  local errors = {}
  return function (...)
    local ok, message = pcall(...)
    errors[#errors + 1] = not ok and message or nil
  end, function ()
    finalizers.restore()
    assert(not errors[1], table.concat(errors, "\n", 1,
                                       math.min(#errors, SHOWN)))
  end
end

--- An intruder acts in the middle of call number i.
local function try_middle (watch, name, dev, i)
  for j, case in ipairs(cases(name, dev)) do
    if (i + j) % SHARE == FIRST % SHARE then
      case.orders = orders(case)
      for _, intruder in ipairs(INTRUDERS) do
        watch(try, case, intruder, intruders[intruder])
      end
    end
  end
end

--- The call is made where tide has called back: it does what it always does.
local function try_within (watch, name, dev, i)
  local plain = alone(name, dev)
  local share = math.max(1, SHARE // 8)
  for j, where in ipairs(WITHIN) do
    if (i + j) % share == FIRST % share then
      local case = { name = name, dev = dev, plain = plain, orders = plain,
                     what = where, action = {
                       errors = REFUSALS, blind = where == "a capture" } }
      watch(try, case, "within", function (run)
        backs.call_within(run, where)
      end)
    end
  end
end

--- The callback does everything: as if it were done before or after the call.
local function try_inside (name, dev)
  local watch, finish = collect()
  for _, case in ipairs(cases("inside " .. name, dev)) do
    case.orders = orders(case)
    watch(try, case, "inside", backs.call_inside)
  end
  finish()
end

--}}

helper.each_device(function (kind)

describe("somebody in the middle of #sweep", function ()
  for i, name in ipairs(reentrancy.names()) do
    if name:find(ONLY) and (name ~= "Device:reset" or kind == "host") then
      it(name, function ()
        local dev, watch, finish = tide.Device(kind), collect()
        try_middle(watch, name, dev, i)
        try_within(watch, name, dev, i)
        finish()
      end)
    end
  end

  for _, name in ipairs(INSIDE) do
    if name:find(ONLY) then
      it("what is called back: " .. name, function ()
        try_inside(name, tide.Device(kind))
      end)
    end
  end

  it("a good number of calls", function ()
    assert.is_true(made > 1000 or ONLY ~= "")
  end)
end)

end)
