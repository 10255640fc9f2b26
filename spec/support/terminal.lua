--[[
terminal.lua - programs that talk to a person, for specs: over a pipe, and at a
terminal of their own, which spec/embed/pty.c makes.
]]
local terminal = {}

local child = require "spec.support.child"

local PTY = (os.getenv "TIDE_BUILD" or "build/testing") .. "/embed/pty"

local quote = child.quote

terminal.quote = quote

local function environment (env)
  local words = { "exec env -u TIDE_DEFAULT_STREAM -u TIDE_HOST_MEMORY",
                  "-u TIDE_EDITOR TIDE_DEVICE=host TERM=dumb TIDE_HISTORY=" }
  for name, value in pairs(env or {}) do
    words[#words + 1] = quote(name .. "=" .. value)
  end
  words[#words + 1] = quote("LUA_PATH_5_4=" .. package.path)
  words[#words + 1] = quote("LUA_CPATH_5_4=" .. package.cpath)
  return table.concat(words, " ")
end

--- with_file(content, fn): fn(path) of a file that lives as long.
function terminal.with_file (content, fn)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(content)
  file:close()
  local results = table.pack(pcall(fn, path))
  os.remove(path)
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

local function run (env, command)
  local pipe = assert(io.popen(environment(env) .. " " .. command .. " 2>&1"))
  local printed = pipe:read "a"
  return printed, (select(3, pipe:close()))
end

--- piped(input, words [, env]) -> what was printed, and the exit status.
function terminal.piped (input, words, env)
  return terminal.with_file(input, function (path)
    return run(env, ("timeout 100 %s <%s"):format(words, path))
  end)
end

local LATE <const> = 99  -- something did not come

--- readline keeps what it has allocated, which is no leak of tide's.
local function without_leaks (env)
  if not (env and env.TIDE_EDITOR == "readline") then return env end
  local copy = { ASAN_OPTIONS = (os.getenv "ASAN_OPTIONS" or "") ..
                                ":detect_leaks=0" }
  for name, value in pairs(env) do copy[name] = value end
  return copy
end

--- typed(script [, env [, words]]) -> all that a program wrote at its
-- terminal, and its exit status. The script is as spec/embed/pty.c wants it.
function terminal.typed (script, env, words)
  return terminal.with_file(script, function (path)
    local printed, status = run(without_leaks(env),
      ("timeout 300 %s %s %s"):format(PTY, path,
                                      words or child.lua .. " -l tide.repl"))
    assert(status ~= LATE, printed)
    return (printed:gsub("\r\n", "\n")), status
  end)
end

return terminal
