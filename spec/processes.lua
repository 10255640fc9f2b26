--[[
processes.lua - the processes that run.lua has its suites made of: how one is
started and watched, and what all of them have counted.
]]
local failures = {}  -- said once more at the end: a log may be cut off above
local total = { passed = 0, failed = 0, skipped = 0 }

local processes = {
  seconds = 600,  -- after which one hangs
  failures = failures, total = total
}

--{{ processes

function processes.quote (word)
  return "'" .. tostring(word):gsub("'", "'\\''") .. "'"
end

local function quote_all (words)
  local quoted = {}
  for i, word in ipairs(words) do
    quoted[i] = processes.quote(word)
  end
  return table.concat(quoted, " ")
end

--- output(command) -> the first line it prints, or nil.
function processes.output (command)
  local pipe <close> = assert(io.popen(command .. " 2>/dev/null"))
  return pipe:read "l"
end

function processes.has (program)
  return processes.output("command -v " .. program)
end

--- paths(build) -> the environment in which `require "tide"` finds a build.
local function paths (build)
  local version = _VERSION:gsub("Lua (%d+)%.(%d+)", "_%1_%2")  -- and LUA's
  local PATH, CPATH = "LUA_PATH" .. version, "LUA_CPATH" .. version
  local lua = os.getenv(PATH) or os.getenv "LUA_PATH" or ";"
  local c = os.getenv(CPATH) or os.getenv "LUA_CPATH" or ";"
  return {
    PATH .. "=lua/?.lua;lua/?/init.lua;" .. lua,
    CPATH .. "=" .. build .. "/?.so;" .. c,
    "TIDE_BUILD=" .. build
  }
end

local MESSAGE = 8  -- lines

--- A watcher of a process's lines: keeps the first ones of each failure.
local function keep_failures ()
  local left = 0
  return function (line)
    if line:match "^Failure %->" or line:match "^Error %->" then
      left = MESSAGE
    end
    if left > 0 then
      failures[#failures + 1] = line
      left = left - 1
    end
  end
end

function processes.command_line (build, env, words)
  return "timeout -k 10 " .. processes.seconds .. " env " ..
         quote_all(paths(build)) .. " " .. quote_all(env) .. " " ..
         quote_all(words) .. " 2>&1"
end

--- run(command) -> passed, failed, skipped as the process's closing line counts
-- them, or nil; then whether it exited well, and how it ended.
function processes.run (command)
  local watch = keep_failures()
  local passed, failed, skipped
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    local p, f, s = line:match "^(%d+) passed, (%d+) failed, (%d+) skipped$"
    if p then
      passed, failed, skipped = tonumber(p), tonumber(f), tonumber(s)
    else
      print(line)
      watch(line)
    end
    io.stdout:flush()
  end
  local ok, how, code = pipe:close()
  if code == 124 or code == 137 then
    how, code = "stopped after seconds", processes.seconds
  end
  return passed, failed, skipped, ok, ("%s %s"):format(how, code)
end

--}}

--{{ counts

function processes.complain (...)
  failures[#failures + 1] = ("== %s: %s"):format(...)
  print(failures[#failures])
end

function processes.add (name, passed, failed, skipped)
  total.passed = total.passed + passed
  total.failed = total.failed + failed
  total.skipped = total.skipped + skipped
  local show = failed > 0 and processes.complain or function (...)
    print(("== %s: %s"):format(...))
  end
  show(name, ("passed %d, failed %d, skipped %d"):format(passed, failed,
                                                         skipped))
end

--- The counts of a process that counts for itself; 'how': how it ended.
function processes.counts_of (name, passed, failed, skipped, ok, how)
  passed, failed, skipped = passed or 0, failed or 0, skipped or 0
  if not ok and failed == 0 then
    processes.complain(name, "ended badly: " .. how)
    failed = 1
  end
  return passed, failed, skipped
end

--- A process that is one test itself.
function processes.add_one (name, build, env, words)
  local command = processes.command_line(build, env, words)
  local _, _, _, ok, how = processes.run(command)
  if not ok then
    processes.complain(name, "ended badly: " .. how)
  end
  processes.add(name, ok and 1 or 0, ok and 0 or 1, 0)
end

--}}

return processes
