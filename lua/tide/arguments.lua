--[[
arguments.lua - argument checks for functions and methods that are written in
Lua, with the messages of src/base/arg.c. The error has the position of the
calling line.
]]
local core <const> = require "tide.scheduler"
local find <const>, format <const>, gsub <const>, match <const>, sub <const> =
  string.find, string.format, string.gsub, string.match, string.sub
local loaded <const> = package.loaded  -- a sandbox may take 'package' away

local arguments <const> = {}

-- The prompt's functions in C, or nil if a host program leaves them out.
local found <const>, system <const> = pcall(require, "tide.system")
arguments.system = found and system or nil

--- check_options(name, arg, options, names): raises for argument 'arg' of the
-- function 'name' unless it is a table whose keys are all in that list.
arguments.check_options = core.check_options

local own <const> = {}  -- class -> true: the classes of set_members

--- pcall for calls of tide's own functions. No hook runs within it, so a hook
-- cannot cause the error: see src/device/atomic.c.
arguments.try = core.atomic(pcall)

local function get (x, name) return x[name] end

--- Returns what is wrong with an object whose field cannot be read, or nil for
-- an error of another kind: a limit, an interrupt, a fork.
local function wrong_object (err)
  local why <const> = type(err) == "string" and sub(match(err, "[^:]*$"), 2)
  return why and (find(why, "^no field") or find(why, " is closed$") or
                  why == "device was reset") and why or nil
end

--- Returns x[name], where x may be anything; nil if it is missing, and for
-- objects of tide the reason.
function arguments.field (x, name)
  local kind <const>, meta <const> = type(x), getmetatable(x)
  if kind == "userdata" and type(meta) == "string" or own[meta] then
    local ok <const>, value <const> = arguments.try(get, x, name)
    if ok then return value end
    return nil, wrong_object(value) or error(value, 0)
  elseif kind == "table" or type(meta) == "table" and meta.__index then
    return x[name]
  end
  return nil
end

--- Returns the type of a value for a message: the name of a type of tide's, or
-- of Lua's.
function arguments.kind_of (x)
  local meta <const> = getmetatable(x)
  return x == nil and "no value" or type(meta) == "string" and meta or type(x)
end

--- Raises that an argument is wrong, where 0 means the object of a method, at
-- the line that calls the function at that level.
function arguments.refuse (at, name, text, level)
  local form <const> = at == 0 and "calling '%s' on bad self (%s)" or
                       "bad argument #" .. at .. " to '%s' (%s)"
  error(format(form, name, text), level + 1)
end

--- Returns why an argument is no open array, or nil.
function arguments.wrong_array (a)
  if getmetatable(a) ~= "tide.Array" then
    return "tide.Array expected, got " .. arguments.kind_of(a)
  end
  local _ <const>, why <const> = arguments.field(a, "dtype")
  return why
end

--- Formats a number; omits the sign of a NaN, which is arbitrary.
function arguments.number (x)
  return x ~= x and "nan" or tostring(x)
end

--- Describes a value in place of a number: the string "1" is not a number.
local function got (x)
  return x == nil and "no value" or
         type(x) == "number" and arguments.number(x) or type(x)
end

--- Returns why an option is not of that type ("number"), or nil. A missing one
-- is right.
function arguments.wrong_type (options, name, kind)
  local value <const> = options[name]
  if value ~= nil and type(value) ~= kind then
    return format("option '%s' must be a %s, got %s",
             name, kind, arguments.kind_of(value))
  end
end

function arguments.wrong_number (options, name)
  return arguments.wrong_type(options, name, "number")
end

--- The same for a finite number from 0 on.
function arguments.wrong_measure (options, name)
  local why <const>, value <const> = arguments.wrong_number(options, name),
                                     options[name]
  if value == nil or why then
    return why
  elseif not (value >= 0 and value < 1 / 0) then
    return format("option '%s' must be finite and from 0 on, got %s",
             name, arguments.number(value))
  end
end

--- Checks that a method is called on an object of its class.
function arguments.check_self (self, class, name)
  if getmetatable(self) ~= class then
    error(format("bad argument #1 to '%s' (%s expected, got %s; a method is " ..
                 "called with ':')", name, class.__name, self == nil and
             "no value" or type(self)), 3)
  end
end

--- The same for userdata, whose type is known by its name.
function arguments.check_object (object, class, name)
  if getmetatable(object) ~= class then
    error(format("bad argument #1 to '%s' (%s expected, got %s; a method is " ..
                 "called with ':')", name, class,
             arguments.kind_of(object)), 3)
  end
end

--- Raises, at the line of the access, that a class with these methods has no
-- such field.
function arguments.no_field (class, name, methods)
  local hint = found and type(name) == "string" and
               system.hint(class, name, methods) or ""
  if hint == "" then
    local names <const> = {}
    for method in next, methods do names[#names + 1] = method end
    table.sort(names)
    local last <const> = table.remove(names)
    hint = ", which has " .. (names[1] and table.concat(names, ", ") ..
                              " and " or "") .. last
  end
  error(format("no field '%s' in %s%s", tostring(name), class, hint), 3)
end

local no_field <const> = arguments.no_field

--- Makes the objects of a class refuse assignments.
function arguments.refuse_fields (class, methods)
  function class.__newindex (_, name)
    if rawget(methods, name) == nil then
      no_field(class.__name, name, methods)
    end
    error(format("field '%s' of %s cannot be set", name, class.__name), 2)
  end
end

--- set_members(class, methods): gives its objects these members and no others;
-- none of them can be set.
function arguments.set_members (class, methods)
  own[class] = true
  function class.__index (_, name)
    return methods[name] or no_field(class.__name, name, methods)
  end
  arguments.refuse_fields(class, methods)
end

--- Refuses additional arguments, so that for example an unsupported timeout is
-- not ignored.
function arguments.check_end (extra, at, name)
  if extra ~= nil then
    error(format("bad argument #%d to '%s' (no value expected, got %s)",
      at, name, type(extra)), 3)
  end
end

--- Refuses a call that waits for elements of an array: in a host function, and
-- while the current stream captures, where no operation runs.
function arguments.check_wait (a, name)
  local tide <const> = loaded.tide
  core.check_wait(tide.with_device(a.device, tide.get_current_stream), name)
end

--- Refuses NaN.
local function is_time (seconds)
  return type(seconds) == "number" and seconds >= 0
end

function arguments.check_seconds (seconds, at, name)
  if not is_time(seconds) then
    error(format("bad argument #%d to '%s' (seconds from 0 on expected, " ..
                 "got %s)", at, name, got(seconds)), 3)
  end
end

--- -> n as an integer. Strings are refused, because math.tointeger accepts "1".
function arguments.check_count (n, name)
  local count <const> = type(n) == "number" and math.tointeger(n)
  if not count or count < 1 then
    error(format("bad argument #1 to '%s' (an integer from 1 on expected, " ..
                 "got %s)", name, got(n)), 3)
  end
  return count
end

--- Returns what an error says, without its place and the argument.
local function reason_of (err)
  local why <const> = gsub(tostring(err), "^.-:%d+: ", "")
  return match(why, "^bad argument #%d+ to '[^']*' %((.*)%)$") or why
end

--- Returns why fn(...) raises; nil if it does not.
function arguments.reason (fn, ...)
  local ok <const>, err <const> = arguments.try(fn, ...)
  return not ok and reason_of(err) or nil
end

--- Returns the device make(spec); or nil and the reason.
function arguments.find_device (make, spec)
  local ok, device = arguments.try(make, spec)
  if ok then return device end
  return nil, reason_of(device)
end

--- Returns why a value is no axis of an array of ndim axes, or nil.
function arguments.wrong_axis (axis, ndim)
  local i <const> = type(axis) == "number" and math.tointeger(axis)
  if not i then
    return "axis must be an integer, got " .. got(axis)
  elseif i == 0 or i < -ndim or i > ndim then
    return format("axis %d is out of range for an array of %d axes%s",
             i, ndim, i == 0 and ": axes count from 1" or "")
  end
end

--- Describes a key of a list that is not an index; nil if there is none.
function arguments.stray_key (list)
  local n <const> = #list
  for key, value in pairs(list) do
    local listed <const> = math.type(key) == "integer" and key >= 1 and key <= n
    if not listed and not (key == "n" and value == n) then
      return type(key) == "string" and format("field '%s'", key) or
             type(key) == "number" and
             format("index %s apart from the others", key) or
             format("a %s as a key", type(key))
    end
  end
end

--- Returns the devices of a list of devices and specs; finds all before one is
-- used. 'rest' is the hint about names.
function arguments.check_devices (list, name, make, rest)
  if type(list) ~= "table" then
    error(format("bad argument #1 to '%s' (list of devices expected, got %s)",
                 name, arguments.kind_of(list)), 3)
  end
  local stray <const> = arguments.stray_key(list)
  if stray then
    error(format("bad argument #1 to '%s' (%s in a list of devices%s)",
          name, stray, rest or ""), 3)
  end
  local devices <const> = {}
  for i = 1, #list do
    local device <const>, why <const> = arguments.find_device(make, list[i])
    if not device then
      error(format("bad argument #1 to '%s' (item %d: %s)", name, i, why), 3)
    end
    devices[i] = device
  end
  return devices
end

--- Loads a library that only the module "tide.name" needs.
function arguments.require (name, hint)
  local ok, lib = pcall(require, name)
  if ok then return lib end
  local missing = format("module '%s' not found", name)
  if type(lib) ~= "string" or not find(lib, missing, 1, true) then
    error(lib, 0)  -- from a hook, or from the library itself
  end
  error(format("tide.%s needs %s: %s\n%s", name, name, hint, tostring(lib)), 0)
end

return arguments
