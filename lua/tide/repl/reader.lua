--[[
reader.lua - reads lines: with lua-readline (Debian's lua-readline, the rock
readline) or linenoise if one is installed, else without editing. Neither is
required, and neither is loaded before there is a terminal for it.

A reader is { name =, read = }: read(prompt) -> a line, or nil at the end of the
input, or false after Ctrl-C.
]]
local system = require "tide.system"

local reader = {}

local TICK <const> = 100  -- ms: how often `idle` is called

--- wait(idle) -> "input" or "interrupt"; calls idle() meanwhile.
local function wait (idle)
  local what
  repeat
    what = system.wait(idle and TICK or -1)
    if not what and idle then idle() end
  until what
  return what
end

--{{ lua-readline

local remembered = false  -- whether readline has the earlier lines

--- Reads key by key, which leaves time for other work. After Ctrl-C it discards
-- the line and installs the handler anew, because removing it in the middle of
-- a line would use its closed file.
local function with_readline (rl, options)
  local installed, typed, got, prompt = false, false, nil, nil

  local function words (text, from, to)
    rl.set_completion_append_character ""  -- readline resets it each time
    local line = text:sub(1, to - 1)
    local at, list = options.complete(line)
    local head = line:sub(from, at - 1)
    for i, word in ipairs(list) do list[i] = head .. word end
    return list
  end

  local function take (line)
    rl.handler_remove()
    system.restore_readline()
    system.keep_input(false)
    installed, got = false, { line }
  end

  --- Another session may have changed the history since the last line.
  local function install ()
    rl.set_complete_function(words)
    if not installed then system.keep_input(true) end
    rl.handler_install(prompt, take)
    installed, typed, got = true, false, nil
  end

  local function idle ()
    if not typed and options.idle() then
      io.stdout:write "\r\27[K"
      io.stdout:flush()
      install()
    end
  end

  rl.set_readline_name "tide"
  rl.set_options{ histfile = "/dev/null", auto_add = false }
  if not remembered then
    remembered = true
    for _, line in ipairs(options.history.lines) do rl.add_history(line) end
  end

  return { name = "readline", read = function (text)
    prompt = text
    io.stdout:flush()
    if not installed or got then install() end
    repeat
      if wait(idle) == "interrupt" then
        system.drop_input()
        system.drop_line()
        io.stdout:write "^C\n"
        got = { false }  -- the handler stays for the next line
      else
        typed = true
        system.without_interrupt(rl.read_char)
      end
    until got
    local line = got[1]
    if line and options.history:add(line) then rl.add_history(line) end
    if line == nil then io.stdout:write "\n" end
    return line
  end }
end

--}}

--{{ linenoise

--- linenoise returns nil for Ctrl-C and for Ctrl-D; the second one in a row
-- ends the input.
local function with_linenoise (ln, options)
  local ended = false
  ln.historysetmaxlen(1000)
  for _, line in ipairs(options.history.lines) do ln.historyadd(line) end
  ln.setcompletion(function (completions, line)
    local at, list = options.complete(line)
    for _, word in ipairs(list) do
      ln.addcompletion(completions, line:sub(1, at - 1) .. word)
    end
  end)
  return { name = "linenoise", read = function (prompt)
    io.stdout:flush()
    local line = ln.linenoise(prompt)
    if line and options.history:add(line) then ln.historyadd(line) end
    if line or ended then
      ended = false
      return line
    end
    ended = true
    print "(once more ends the session)"
    return false
  end }
end

--}}

--{{ plain

local function plain (options)
  local terminal = system.isatty(0)
  local function idle ()
    if options.idle() then
      io.stdout:write("\r\27[K", options.prompt)
      io.stdout:flush()
    end
  end
  return { name = "none", read = function (prompt)
    options.prompt = prompt
    io.stdout:write(prompt)
    io.stdout:flush()
    if terminal and wait(idle) == "interrupt" then
      io.stdout:write "\n"
      return false
    end
    local line = io.read "L"
    if not line then
      if terminal then system.clear_end() end
      io.stdout:write "\n"
      return nil
    end
    line = line:gsub("\r?\n$", "")
    if terminal then options.history:add(line) end
    return line
  end }
end

--}}

local function load_readline (options)
  local ok, rl = pcall(require, "readline")
  if ok and type(rl) == "table" and rl.handler_install and
     rl.set_complete_function then
    return with_readline(rl, options)
  end
end

local function load_linenoise (options)
  local ok, ln = pcall(require, "linenoise")
  if ok and type(ln) == "table" and ln.linenoise and ln.historysetmaxlen then
    return with_linenoise(ln, options)
  end
end

local KINDS <const> = { none = plain, readline = load_readline,
                        linenoise = load_linenoise }

--- new{ complete =, history =, idle = } -> the best available reader, or the
-- one that TIDE_EDITOR names. complete(line) -> the position of a word, and its
-- completions; idle() -> whether it has written something. The second result is
-- the requested reader if that is not available.
function reader.new (options)
  local wanted = os.getenv "TIDE_EDITOR"
  if wanted == "" then wanted = nil end
  if not (system.isatty(0) and system.isatty(1)) then
    return plain(options)
  end
  if wanted then
    local made = KINDS[wanted] and KINDS[wanted](options)
    return made or plain(options), not made and wanted or nil
  end
  return load_readline(options) or load_linenoise(options) or plain(options)
end

return reader
