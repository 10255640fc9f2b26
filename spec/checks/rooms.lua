--[[
rooms.lua - which folder of src/ may know which: arrows go down only. `make
check` runs it: lua5.4 spec/checks/rooms.lua BUILD

It reads what each file includes and, of each object file in BUILD, which
symbols it defines and uses: a folder knows itself and those after it in the
list below. CORE, the rooms without which nothing runs, includes no header of
the other rooms below the wall but in LIST. rt.h is known to all that runs, and
so is the data of a room that rooms below use as well: X_types.h, which
declares no function. Below the wall no file includes a header of Lua. Threads
are started, clocks read and naps taken in src/rt/os alone. The generator of
kernels writes to a second tree, BUILD/generated, that belongs to the folder of
the same name here.
]]
local BUILD = arg[1]
local MADE <const> = BUILD .. "/generated/"

local ROOMS <const> = {  -- each knows those that come after it
  "src/static", "src", "src/testing", "src/ipc", "src/interop", "src/prompt",
  "src/user_kernels", "src/comm", "src/ops", "src/array", "src/device",
  "src/base", "src/rt", "src/rt/submit", "src/rt/graph", "src/rt/queue",
  "src/rt/comm", "src/rt/file", "src/rt/picture", "src/rt/text",
  "src/rt/archive", "src/rt/code", "src/rt/memory", "src/rt/wait",
  "src/rt/host", "src/rt/host/scheduler", "src/rt/host/ranks",
  "src/rt/host/kernels", "src/rt/testing", "src/rt/driver", "src/rt/program",
  "src/rt/kernels", "src/rt/os"
}

local CORE <const> = {
  ["src/rt"] = true, ["src/rt/submit"] = true, ["src/rt/graph"] = true,
  ["src/rt/queue"] = true, ["src/rt/code"] = true, ["src/rt/memory"] = true,
  ["src/rt/wait"] = true, ["src/rt/driver"] = true, ["src/rt/program"] = true,
  ["src/rt/kernels"] = true, ["src/rt/os"] = true
}
local LIST <const> = "src/rt/extensions.c"

-- The host device is one room to others: inside, its folders know each other.
local HOST <const> = "src/rt/host"

--- Tells whether a header has data alone, which all in src/rt may know.
local function is_data (path)
  return path == "src/rt/rt.h" or path:find "^src/rt/[%w_]+/[%w_]+_types%.h$"
end

-- Only src/rt/os calls these.
local OS <const> = "src/rt/os"
local SYSTEM <const> = {
  pthread_create = true, pthread_cond_timedwait = true,
  pthread_condattr_setclock = true, clock_gettime = true,
  clock_nanosleep = true, nanosleep = true, usleep = true, prctl = true
}

local LUA <const> = { lua = true, lauxlib = true, lualib = true,
                      luaconf = true }

local rank = {}
for i, room in ipairs(ROOMS) do rank[room] = i end

local wrong = {}

local function complain (format, ...)
  wrong[#wrong + 1] = format:format(...)
end

local function room_of (path)
  local room = path:match "^(.*)/"
  if not rank[room] then
    complain("%s: its folder is not in the list of spec/checks/rooms.lua", path)
    rank[room] = 0
  end
  return room
end

local function in_host (room) return room:sub(1, #HOST) == HOST end

local function is_upward (from, to)
  local a, b = room_of(from), room_of(to)
  return rank[b] < rank[a] and not (in_host(a) and in_host(b))
end

local function is_outward (from, to)
  return CORE[room_of(from)] and not CORE[room_of(to)] and
         to:find "^src/rt/" and from ~= LIST
end

local function lines_of (command)
  local list <close> = assert(io.popen(command))
  local lines = {}
  for line in list:lines() do lines[#lines + 1] = line end
  return lines
end

--{{ includes

local function exists (path)
  local f <close> = io.open(path)
  return f ~= nil
end

--- Returns the path of a source, here or among the generated ones, or nil.
local function where (path)
  return exists(path) and path or exists(MADE .. path) and MADE .. path or nil
end

local function find (from, name)
  local beside = from:match "^(.*/)" .. name
  return where(beside) and beside or "src/" .. name
end

local function read_includes (path)
  local below = path:find("^src/rt/") ~= nil
  for line in io.lines(where(path)) do
    local name = line:match '^#%s*include%s+"([^"]+)"'
    local to = name and find(path, name)
    if below and LUA[line:match '^#%s*include%s+[<"]([%w_]+)%.h'] then
      complain("%s includes a header of Lua", path)
    elseif to and where(to) and is_outward(path, to) then
      complain("%s, of the core, includes %s", path, to)
    elseif to and not is_data(to) and where(to) and is_upward(path, to) then
      complain("%s includes %s", path, to)
    end
  end
end

--}}

--{{ data

local function read_data (path)
  if not path:find "_types%.h$" then return end
  for line in io.lines(where(path)) do
    if line:find "^[%a][%w_ *]* %(" and not line:find "^typedef" then
      complain("%s declares a function: %s", path, line)
    end
  end
end

--}}

--{{ calls of the system

local function read_calls (path)
  if room_of(path) == OS then return end
  for line in io.lines(where(path)) do
    for name in line:gmatch "([%w_]+) ?%(" do
      if SYSTEM[name] then
        complain("%s calls %s, which is for %s", path, name, OS)
      end
    end
  end
end

--}}

--{{ symbols

local function read_symbols (files)
  local owner, uses = {}, {}
  for _, path in ipairs(files) do
    local object = BUILD .. "/" .. path:gsub("%.c$", ".o")
    for _, line in ipairs(path:find "%.c$" and exists(object) and
                          lines_of("nm " .. object) or {}) do
      local kind, name = line:match "(%a) (%S+)$"
      if kind == "U" then
        uses[#uses + 1] = { path, name }
      elseif kind and kind:find "[TDBRWVC]" then
        owner[name] = path
      end
    end
  end
  return owner, uses
end

local function check_symbols (files)
  local owner, uses = read_symbols(files)
  assert(next(owner), "no objects in " .. BUILD)
  for _, use in ipairs(uses) do
    local from, to = use[1], owner[use[2]]
    if to and is_upward(from, to) then
      complain("%s uses %s of %s", from, use[2], to)
    end
  end
end

--}}

local files = lines_of("{ find src -name '*.[ch]'; cd " .. MADE ..
                       " && find src -name '*.[ch]'; } | sort")
for _, path in ipairs(files) do
  read_includes(path)
  read_calls(path)
  read_data(path)
end
check_symbols(files)
if #wrong > 0 then
  io.stderr:write(table.concat(wrong, "\n"), "\n")
  os.exit(1)
end
