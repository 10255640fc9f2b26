--[[
command.lua - the command `tide`. `make install` puts a file of that name into
bin/, which loads this one; `lua5.4 lua/tide/command.lua` does the same. See
docs/prompt.md. Lua 5.1 can read this file: see lua_version.lua.
]]
require "tide.lua_version"

local USAGE = [[
usage: tide                     the prompt, or, with input from a file, that
       tide -i                  the prompt wherever the input comes from
       tide run FILE [ARG...]   runs a program; FILE may be - for the input
       tide -e CODE             runs a piece of code, and prints what it gives
       tide info                devices, libraries, cache; what is missing, why
       tide help [NAME]         what there is, or what NAME is
       tide --version]]

local command = {}

local function complain (...)
  io.stderr:write("tide: ", ...)
  io.stderr:write("\n")
end

local function misuse (...)
  complain(...)
  io.stderr:write(USAGE, "\n")
  return 2
end

--- Prints the usage and returns the exit status if there are too few or too
-- many words; else returns nil.
local function check_count (words, least, most)
  local n = math.max(#words - 1, 0)
  if n < least or n > most then
    return misuse(n < least and ("'%s' wants something more"):format(words[1])
                  or ("'%s' is one too many"):format(words[most + 2]))
  end
end

--{{ programs

local function with_traceback (err)
  local meta = debug.getmetatable(err)
  if type(err) ~= "string" then
    if type(meta) == "table" and meta.__tostring then return tostring(err) end
    err = type(err) == "number" and tostring(err) or
          ("(error object is a %s value)"):format(type(err))
  end
  return debug.traceback(err, 2)
end

--- The traceback down to the program's frames, without those of this file.
local function shorten (text)
  return (text:gsub("\n\t%[C%]: in function 'xpcall'.*$", ""))
end

--- run(words) -> the exit status. `arg` and the arguments are those of plain
-- Lua.
local function run_file (words)
  local path = words[2]
  if not path then return misuse "'run' wants a file" end
  local arguments = table.move(words, 3, #words, 1, { [0] = path })
  local program, why = loadfile(path ~= "-" and path or nil)
  if not program then
    complain(why)
    return 1
  end
  rawset(_G, "arg", arguments)
  local ok, err = xpcall(program, with_traceback, table.unpack(arguments))
  if not ok then complain(shorten(err)) end
  return ok and 0 or 1
end

local function run_code (words)
  local wrong = check_count(words, 1, 1)
  if wrong then return wrong end
  local ok, why = require("tide.repl").run(words[2])
  if not ok then complain(why) end
  return ok and 0 or 1
end

--}}

--{{ the rest

local function prompt (words)
  local system = require "tide" and require "tide.system"
  if words[1] ~= "-i" and not system.isatty(0) then
    return run_file{ "run", "-" }
  end
  local wrong = check_count(words, 0, 0)
  if wrong then return wrong end
  require("tide.repl").start()
  return 0
end

local function info (words)
  local wrong = check_count(words, 0, 0)
  if wrong then return wrong end
  print((require "tide.info")())
  return 0
end

local function version (words)
  local wrong = check_count(words, 0, 0)
  if wrong then return wrong end
  print(("%s, %s"):format(require "tide"._VERSION, _VERSION))
  return 0
end

local function usage (words)
  local wrong = check_count(words, 0, 0)
  if wrong then return wrong end
  print(USAGE)
  return 0
end

local function help (words)
  local wrong = check_count(words, 0, 1)
  if wrong then return wrong end
  local tide = require "tide"
  if not words[2] then
    print(USAGE .. "\n\n" .. tide.help())
    return 0
  end
  local text, why = require("tide.repl.topic").text(words[2])
  if text then
    print((text:gsub("%s+$", "")))
  else
    complain(why)
  end
  return text and 0 or 1
end

--- A command that requires the module: reports a failure to load it, without a
-- position.
local function with_tide (fn)
  return function (words)
    local ok, why = pcall(require, "tide")
    if not ok then
      complain((tostring(why):gsub("^[^\n:]*tide/command%.lua:%d+: ", "")))
      return 1
    end
    return fn(words)
  end
end

prompt, version = with_tide(prompt), with_tide(version)

local COMMANDS = {
  ["-i"] = prompt, run = run_file, ["-e"] = with_tide(run_code), info = info,
  help = with_tide(help), ["--help"] = usage, ["-h"] = usage,
  ["--version"] = version, ["-v"] = version, version = version
}

--- exit(status): closes the state; a status of 0 becomes 1 if unhandled errors
-- are reported then.
function command.exit (status)
  local system = package.loaded["tide.system"]
  if system then system.exit(status) end
  os.exit(status, true)
end

--- main(words) -> the exit status.
function command.main (words)
  local name = words[1]
  if name == nil then return prompt(words) end
  local fn = COMMANDS[name]
  if fn then return fn(words) end
  local file = io.open(name)
  if file then file:close() end
  return misuse(("there is no command '%s'"):format(name),
                file and ("; a program is run by 'tide run %s'"):format(name)
                or "")
end

--}}

if ... ~= "tide.command" then
  command.exit(command.main(arg))
end
return command
