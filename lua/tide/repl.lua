--[[
repl.lua - the prompt of tide: docs/prompt.md.

`lua5.4 -l tide.repl` starts it, and so does the first `require "tide.repl"` at
Lua's own prompt. A program that loads it gets the module, and may call start().
]]
local tide = require "tide"
local system = require "tide.system"
local check_end = require "tide.arguments".check_end
local complete = require "tide.repl.complete"
local history = require "tide.repl.history"
local own = require "tide.repl.own"
local new_reader = require "tide.repl.reader".new
local new_session = require "tide.repl.session".new
local new_settings = require "tide.repl.settings"
local show = require "tide.repl.show"
local topic = require "tide.repl.topic"
local new_timing = require "tide.repl.timing".new
local everyday = require "tide.repl.session".everyday
local units = require "tide.units"

local repl = {}

--{{ writing

local DIM, RED, PLAIN = "\27[2m", "\27[31m", "\27[0m"

local function paint (prompt, colour, text)
  return prompt.settings.colour and colour .. text .. PLAIN or text
end

local function put (prompt, colour, text)
  io.stdout:write(colour and paint(prompt, colour, text) or text, "\n")
  io.stdout:flush()
end

local function width ()
  return math.min((system.columns(1) or 80) - 1, 100)
end

--- Prints an error with its first line highlighted.
local function put_error (prompt, text)
  local line, rest = own.text(text):match "^([^\n]*)(.*)$"
  io.stdout:write(paint(prompt, RED, line), rest, "\n")
  io.stdout:flush()
end

local function has_colour ()
  local term = os.getenv "TERM"
  return system.isatty(1) and term ~= nil and term ~= "dumb" and
         (os.getenv "NO_COLOR" or "") == ""
end

--}}

--{{ the device

--- Runs the host functions that are due, and shows their errors.
local function serve (prompt)
  local ok, n = system.call(tostring, tide.poll)
  if not ok then
    put_error(prompt, n)
  end
  return ok and n or 1
end

local function device_line ()
  local ok, text = pcall(function ()
    local dev = tide.get_device()
    local free, total = dev:memory_info()
    return ("%s, %s, %s of %s free"):format(dev, dev.name, units.bytes(free),
                                             units.bytes(total))
  end)
  return text, ok
end

--}}

--{{ lines

local function bye (prompt)
  for _, text in ipairs(prompt.session:close()) do
    put_error(prompt, text)
  end
end

--- Returns the name that a line asks help for, or nil.
local function asked (line)
  return line:match "^%s*%?%s*(.-)%s*$" or
         line:match "^%s*([%a_][%w_.:]*)%s*%?%s*$" or
         line:match "^%s*tide%.help%s*%(?%s*[\"']([%w_.:]+)[\"']%s*%)?%s*$"
end

--- Returns the text of help, or nil and the reason.
local function help_on (name, session)
  local ok, text, why = pcall(topic.text, name, session.env)
  if ok and text then return (text:gsub("%s+$", "")) end
  return nil, tostring(ok and why or text)
end

--- Tells whether a line asks for help by a call, whose text is then shown as it
-- is.
local function calls_help (source)
  return source:find "^%s*=?%s*tide%.help%f[^%w_]" ~= nil
end

--- Handles a line meant for the prompt, not for Lua; returns true for one.
local function meta (prompt, line)
  local name = asked(line)
  if name then
    local text, why = help_on(name, prompt.session)
    if text then put(prompt, nil, text) else put_error(prompt, why) end
    return true
  end
  local word = line:match "^%s*(%a+)%s*;?%s*$"
  if (word == "exit" or word == "quit") and
     complete.value(prompt.session.env, word) == nil then
    prompt.ended = true
    return true
  end
end

local function show_results (prompt, source, ...)
  local n = select("#", ...)
  if n == 0 then return end
  if n == 1 and type((...)) == "string" and calls_help(source) then
    put(prompt, nil, ((...):gsub("%s+$", "")))
    return
  end
  local ok, text = system.call(tostring, show.values, width(), ...)
  if not ok then
    put_error(prompt, text)
    return
  end
  rawset(prompt.session.env, "_", (...))
  put(prompt, nil, text)
end

--- Runs a chunk, shows its results, unless it is quiet, and its times.
local function run_chunk (prompt, chunk, source, line)
  local timing = prompt.settings.times and prompt.timing
  local function timed (run)
    if timing then timing:start() end
    local results = table.pack(run())
    if timing then timing:stop() end
    return table.unpack(results, 1, results.n)
  end
  local results = table.pack(prompt.session:run(chunk, timed))
  io.stdout:flush()
  if not results[1] then
    put_error(prompt, results[2])
    return
  end
  if not chunk.quiet then
    show_results(prompt, source, table.unpack(results, 2, results.n))
  end
  local report = timing and timing:report(line, function () serve(prompt) end)
  if report then put(prompt, DIM, report) end
end

--- Adds a line, and runs the source once it is complete.
local function take (prompt, line)
  local source = prompt.pending and prompt.pending .. "\n" .. line or line
  if not prompt.pending and (not line:find "%S" or meta(prompt, line)) then
    return
  end
  local chunk, why = prompt.session:compile(source)
  if chunk == "more" then
    prompt.pending = source
    return
  end
  local first = prompt.session.line
  prompt.pending = nil
  prompt.session:count(source)
  if chunk then
    run_chunk(prompt, chunk, source, first)
  else
    put_error(prompt, why)
  end
end

local function text_of_prompt (prompt)
  local line = prompt.session.line
  if not prompt.pending then return ("%d> "):format(line) end
  local _, n = prompt.pending:gsub("\n", "")
  return ("%d>> "):format(line + n + 1)
end

local function before_line (prompt)
  serve(prompt)
  if prompt.settings.times then
    for _, text in ipairs(prompt.timing:late_reports()) do
      put(prompt, DIM, text)
    end
  end
end

local function loop (prompt)
  while not prompt.ended do
    before_line(prompt)
    local line = prompt.reader.read(text_of_prompt(prompt))
    if line == nil then
      prompt.ended = true
    elseif line == false then
      prompt.pending = nil
    else
      take(prompt, line)
    end
  end
end

--}}

--{{ starting

local function complete_line (prompt, line)
  local whole = line
  if prompt.pending then whole = prompt.pending .. "\n" .. line end
  local ok, at, list = pcall(complete.complete, whole, prompt.session.env,
                             topic)
  if not ok then return #line + 1, {} end
  return at - (#whole - #line), list
end

local function new_prompt (env)
  local terminal = system.isatty(0) and system.isatty(1)
  local prompt = { session = new_session(tide, env), timing = new_timing(tide) }
  prompt.settings = new_settings{ times = terminal, colour = has_colour() }
  if rawget(prompt.session.names, "prompt") == nil then
    rawset(prompt.session.env, "prompt", prompt.settings)
  end
  prompt.reader, prompt.missing = new_reader{
    history = history.open(),
    complete = function (line) return complete_line(prompt, line) end,
    idle = function () return serve(prompt) > 0 end
  }
  return prompt
end

local function greet (prompt)
  local text, works = device_line()
  put(prompt, nil, ("%s on %s, %s"):format(tide._VERSION, _VERSION,
                                           works and text or "no device:"))
  if not works then put_error(prompt, text) end
  if prompt.missing then
    put(prompt, DIM, ("TIDE_EDITOR=%s cannot be had: lines are read as they " ..
                      "come"):format(prompt.missing))
  end
  put(prompt, DIM, "?name helps, Tab completes, Ctrl-C stops a line, Ctrl-D " ..
                   "ends; ? says more")
end

--- start([env]): runs a session and returns when it has ended. 'env': a table
-- of names for the session, for inspecting a running program; names of every
-- session are available as well.
function repl.start (env, extra)
  if env ~= nil and type(env) ~= "table" then
    error(("bad argument #1 to 'start' (table expected, got %s)"):format(
      type(env)), 2)
  end
  check_end(extra, 2, "start")
  local prompt = new_prompt(env)
  local mine = system.catch()
  local ok, why = system.apart(function ()
    greet(prompt)
    loop(prompt)
    bye(prompt)
  end)
  if mine then system.release() end
  if not ok then error(why, 0) end
end

--- run(code) -> success, error: runs code as the prompt would, and prints its
-- results, or the help that it asks for.
function repl.run (code)
  local session = new_session(tide)
  local name = asked(code)
  if name then
    local text, why = help_on(name, session)
    if text then print(text) end
    return text ~= nil, why
  end
  local chunk, why = session:compile(code)
  if type(chunk) ~= "table" then
    return false, why or "the code is not finished"
  end
  local results = table.pack(session:run(chunk, function (run)
    return run()
  end))
  if results[1] and not chunk.quiet and results.n > 1 then
    print(show.values(width(), table.unpack(results, 2, results.n)))
  end
  local errors = session:close()
  if not results[1] then return false, results[2] end
  return errors[1] == nil, errors[1]
end

--- Tells whether lua.c's command line has a program. Then its options precede
-- the program in `arg`; otherwise `arg` consists of them.
local function has_program ()
  return arg ~= nil and arg[-1] ~= nil
end

--- Tells whether lua.c reads standard input line by line; it may also be a
-- program.
local function lua_has_prompt ()
  local step = has_program() and -1 or 1
  local i = step
  while arg and arg[i] do
    if arg[i] == "-i" then return true end
    i = i + step
  end
  return system.isatty(0)
end

--- Returns what loaded this file: "option" (lua -l), "prompt" (Lua's own), or
-- nil for a program.
local function loaded_by ()
  local level = 3  -- 2 is this file, followed by require
  local info = debug.getinfo(level, "Slf")
  while info and info.what == "C" do
    level = level + 1
    info = debug.getinfo(level, "Sf")
  end
  if not info then return "option" end
  return info.source == "=stdin" and lua_has_prompt() and "prompt" or nil
end

--- For lua -l tide.repl FILE: runs the program first. Lua would run it after
-- the modules of -l, and thus after the whole session.
local function run_program ()
  local words = { "run", arg[0] }
  require "tide.command".main(table.move(arg, 1, #arg, 3, words))
end

repl.everyday = everyday

local by = ... == "tide.repl" and loaded_by()
if by then
  if by == "option" and has_program() then run_program() end
  repl.start()
  if by == "option" then os.exit(true, true) end
end

--}}

return repl
