--[[
tide - CUDA streams, events, graphs and device arrays for Lua.

The core is in C (tide.core); this file has the parts that are simpler in Lua.
Lua 5.1 can read it: see lua_version.lua.
]]
require "tide.lua_version"
local core = require "tide.core"

local tide = core

-- Has the names that a sandbox may take away later: see src/base/parts.c. It is
-- missing when this file is run a second time.
local _ENV = rawget(core, "environment") or _ENV -- luacheck: ignore 211
local format, gmatch, match = string.format, string.gmatch, string.match
core.environment = nil

-- Lua names functions that C calls after the module that loaded them. This
-- makes it tide.full, not the same function tide.core.full.
package.loaded["tide.core"] = nil
package.loaded["tide.random"] = tide.random
require "tide.draws" (tide)

--- Refuses tide:name(...), which has the module before its arguments.
local function check_dot (first, name, module)
  if first == (module or tide) then
    error(format("calling '%s' on bad self (a function of a module is " ..
                 "called with '.')", name), 3)
  end
end

--- Returns the type of a value, for errors.
local function kind_of (value)
  local meta = getmetatable(value)  -- for objects of tide, the name of their
                                    -- type
  return value == nil and "no value" or type(value) == "userdata" and
         type(meta) == "string" and meta or type(value)
end

local has_call = require "tide.scheduler".callable

--- Tells whether x is a function, or an object that is called as one.
local function callable (x)
  return type(x) == "function" or getmetatable(x) ~= nil and has_call(x)
end

local function check_function (fn, name)
  if not callable(fn) then
    error(format("bad argument #1 to '%s' (function expected, got %s)",
      name, kind_of(fn)), 3)
  end
end

local function check_end (name, at, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if value ~= nil then
      error(format("bad argument #%d to '%s' (no value expected, got %s)",
        at + i - 1, name, type(value)), 3)
    end
  end
end

--- wrap(fn) -> a function like coroutine.wrap's, whose coroutine starts with
-- the current device and stream.
function tide.wrap (fn, ...)
  check_dot(fn, "wrap")
  check_function(fn, "wrap")
  check_end("wrap", 2, ...)
  local token = core.inherit()
  return coroutine.wrap(function (...)
    core.inherit(token)
    return fn(...)
  end)
end

--{{ tasks, and queues between them: loaded with the first one

local loaded, arguments

local function tasks ()
  loaded = loaded or require "tide.runner"
  arguments = require "tide.arguments"
  return loaded
end

--- run(fn, ...) -> the results of fn(...), run as a task, once all tasks have
-- finished.
function tide.run (fn, ...)
  check_dot(fn, "run")
  check_function(fn, "run")
  return tasks().run(fn, ...)
end

local STREAMS = { own = true, inherit = true }

local OPTIONS = { "name", "stream" }

local function check_options (options)
  arguments.check_options("spawn", 1, options, OPTIONS)
  local name, stream = options.name, options.stream
  if name ~= nil and type(name) ~= "string" then
    error(format("bad argument #1 to 'spawn' (option 'name' must be a " ..
                 "string, got %s)", kind_of(name)), 3)
  elseif stream == nil or STREAMS[stream] then
    return
  elseif getmetatable(stream) ~= "tide.Stream" then
    error(format("bad argument #1 to 'spawn' (option 'stream' is a Stream, " ..
                 "'own' or 'inherit', got %s)", tostring(stream)), 3)
  end
  local device, why = arguments.field(stream, "device")
  if not device then
    error(format("bad argument #1 to 'spawn' (option 'stream': %s)", why), 3)
  end
end

--- spawn([options,] fn, ...) -> Task, which runs fn(...). Options: name, and
-- stream: a Stream, "inherit" or "own".
function tide.spawn (options, ...)
  check_dot(options, "spawn")
  local spawn = (loaded or tasks()).spawn
  if type(options) ~= "table" or
     getmetatable(options) ~= nil and has_call(options) then
    check_function(options, "spawn")
    return spawn(nil, nil, options, ...)
  end
  check_options(options)
  if type((...)) ~= "function" and not callable((...)) then
    error(format("bad argument #2 to 'spawn' (function expected, got %s)",
      select("#", ...) == 0 and "no value" or type((...))), 2)
  end
  return spawn(options.name, options.stream, ...)
end

--- gather(list) -> the list of the first result of each, once all have
-- finished.
function tide.gather (list, ...)
  check_dot(list, "gather")
  check_end("gather", 2, ...)
  return require "tide.gather".gather(list)
end

--- parallel(devices, fn) -> the list of the results of fn(dev, i) on each
-- device, run concurrently: see parallel.lua.
function tide.parallel (devices, fn, ...)
  check_dot(devices, "parallel")
  check_end("parallel", 3, ...)
  if not callable(fn) then
    error(format("bad argument #2 to 'parallel' (function expected, got %s)",
      fn == nil and "no value" or type(fn)), 2)
  end
  return require "tide.parallel" (devices, fn)
end

--- race(list) -> the index of the first to finish, and its results.
function tide.race (list, ...)
  check_dot(list, "race")
  check_end("race", 2, ...)
  return require "tide.gather".race(list)
end

--- sleep(seconds): lets other tasks run.
function tide.sleep (seconds, ...)
  check_dot(seconds, "sleep")
  check_end("sleep", 2, ...)
  return tasks().sleep(seconds)
end

--- queue([n]) -> Queue for at most n values.
function tide.queue (n, ...)
  check_dot(n, "queue")
  check_end("queue", 2, ...)
  return require "tide.queues".queue(n)
end

--- semaphore(n) -> Semaphore, with n places.
function tide.semaphore (n, ...)
  check_dot(n, "semaphore")
  check_end("semaphore", 2, ...)
  return require "tide.queues".semaphore(n)
end

--}}

--{{ ranks that compute together: loaded with the first communicator

local dist = tide.dist

--- dist.init(options) -> Communicator of this process: see dist.lua.
function dist.init (options, ...)
  check_dot(options, "init", dist)
  check_end("init", 2, ...)
  return require "tide.dist".init(options)
end

--- dist.launcher() -> the name of the launcher that started this process as a
-- rank.
function dist.launcher (...)
  check_dot((...), "launcher", dist)
  check_end("launcher", 1, ...)
  return require "tide.dist".launcher()
end

local communicators = require "tide.communicators"
if communicators.add_methods then
  communicators.add_methods{
    group = function (comm, fn, ...)
      if getmetatable(comm) ~= "tide.Communicator" then
        error(format("bad argument #1 to 'group' (tide.Communicator " ..
                     "expected, got %s; a method is called with ':')",
                     kind_of(comm)), 2)
      end
      return require "tide.dist".group(comm, fn, ...)
    end
  }
  communicators.add_methods = nil
end

--- comm(devices [, options]) -> Communicator with a rank for each device.
function tide.comm (devices, options, ...)
  check_dot(devices, "comm")
  check_end("comm", 3, ...)
  return require "tide.dist".comm(devices, options)
end

--}}

--- errorinfo(err) -> { call=, name=, code= } of a driver error; for an error of
-- a host function also { stream=, queued= }; nil for any other value.
function tide.errorinfo (err, ...)
  check_dot(err, "errorinfo")
  check_end("errorinfo", 2, ...)
  if type(err) ~= "string" then
    return nil
  end
  local stream, queued =
    match(err, "^host function of stream (.-), queued at (.-:%d+): ")
  local call, name, code =
    match(err, "([%w_.:]+): (CUDA_ERROR_[%u_]+) %((%d+)%)")
  if call or stream then
    return { call = call or "host function", name = name,
             code = code and tonumber(code), stream = stream, queued = queued }
  end
end

--- help(what) -> the help text of a name, a function or an object; if there is
-- none, suggestions. See tide/help.lua.
function tide.help (what, ...)
  if select("#", ...) > 0 then check_dot(what, "help") end
  check_end("help", 2, ...)
  local text, why = require "tide.help".text(what == nil and "tide" or what)
  return text or why
end

--- progress([total [, label]]) -> Progress, which counts completed work: see
-- progress.lua, loaded at the first call.
function tide.progress (total, label, ...)
  check_dot(total, "progress")
  check_end("progress", 3, ...)
  return (require "tide.progress" (total, label))
end

--- group(keys, values, functions [, { ddof = }]) -> the different keys, and
-- figures of the values of each; lfilter(b, a, x [, { axis =, zi = }]) -> x
-- through a recursive filter; polyfit(x, y, degree [, { rcond =, w = }]) -> the
-- coefficients of the closest polynomial. Each has a file of its name, loaded
-- at the first call.
for _, name in ipairs{ "group", "lfilter", "polyfit" } do
  tide[name] = function (x, y, z, options, ...)
    check_dot(x, name)
    check_end(name, 5, ...)
    return require("tide." .. name)(x, y, z, options)
  end
end

--- Filters of images and other arrays: see filters.lua, loaded at the first
-- call.
for _, name in ipairs{ "gaussian_filter", "median_filter", "resize" } do
  tide[name] = function (a, size, options, ...)
    check_dot(a, name)
    check_end(name, 4, ...)
    return require "tide.filters"[name](a, size, options)
  end
end

--{{ linear algebra: linalg.lua, loaded at the first call

local linalg = tide.linalg

-- The functions of the standard that are those of the module, too.
for name in gmatch("cross matmul matrix_transpose norm outer tensordot vecdot",
                   "%S+") do
  linalg[name] = tide[name]
end

for name in gmatch("cholesky cond det diagonal eig eigh eigvals eigvalsh " ..
                   "expm inv lstsq lu matrix_norm matrix_power matrix_rank " ..
                   "pinv qr slogdet solve solve_triangular svd svdvals " ..
                   "trace vector_norm",
                   "%S+") do
  local fn
  linalg[name] = function (a, ...)
    check_dot(a, name, linalg)
    fn = fn or require "tide.linalg"[name]
    return fn(a, ...)
  end
end

--}}

--{{ what looks at arrays, and their methods of the same names

local methods = {}

--- Adds a function and a method whose file is loaded at the first call. It is a
-- tail call, so its errors have the position of the calling line.
local function add (name)
  tide[name] = function (a, ...)
    check_dot(a, name)
    return require("tide." .. name)(1, a, ...)
  end
  methods[name] = function (a, ...)
    return require("tide." .. name)(0, a, ...)
  end
end

add "describe"
add "plot"

-- Missing when this file is run a second time.
local add_methods = rawget(core, "add_methods")
if add_methods then
  core.add_methods = nil
  add_methods(methods)
end

--}}

return tide
