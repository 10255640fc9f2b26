--[[
ranks.lua - ranks of a communicator for specs: as devices of one process, or as
processes. The same program runs both ways: each(fn) calls fn(rank) for every
rank that the process has, with its device current, and lists what it returns.
]]
local busted = require "busted"
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local tide = require "tide"

local quote = child.quote
local ranks = {}

local PRELUDE <const> = [==[
local tide = require "tide"
local T = tide.T

local function fails (text, fn, ...)
  local ok, err = pcall(fn, ...)
  err = tostring(err)
  assert(not ok and err:find(text, 1, true), err)
  return err
end

local function each_of (comm, fn)
  local list = {}
  for i, rank in ipairs(comm.ranks) do
    list[i] = tide.with_device(comm.devices[i], function () return fn(rank) end)
  end
  return list
end

local function each (fn) return each_of(comm, fn) end

--- Another communicator of the same ranks.
local function split (of)
  local colors = each_of(of, function () return 0 end)
  local made = of:split(colors[2] and colors or 0)
  return colors[2] and made[1] or made
end

--- The first sum of so many floats, or other elements. Where ranks are GPUs it
-- connects them, for which all must come, and no stream may be held.
local function connect (of, n, dtype)
  local x = each_of(of, function () return tide.zeros(n, dtype) end)
  of:all_reduce(x[2] and x or x[1])
end

-- What one process tells others by, where no operation of theirs could: a file.
local TOLD <const> = os.getenv "TIDE_SPEC_TOLD"

--- tell([what]), and told([what]), which waits for it: so that who is to end,
-- or to come late, does so once others are that far, whatever holds them up.
local function tell (what)
  local file <close> = assert(io.open(TOLD, "a"))
  file:write(what or "", "\n")
end

local function told (what)
  local wanted = "\n" .. (what or "") .. "\n"
  for _ = 1, 9000 do
    local file <close> = assert(io.open(TOLD))
    if ("\n" .. file:read "a"):find(wanted, 1, true) then return end
    tide.sleep(0.01)
  end
  error "not told"
end

--- Returns once all processes have called it. The timeout of a communicator is
-- that of its meeting too, and does not begin before.
local function begin ()
  tell("here " .. os.getenv "RANK")
  for r = 0, os.getenv "WORLD_SIZE" - 1 do told("here " .. r) end
end

--- lose(comms, fn): rank 1 does not come to what fn queues, until these
-- communicators have failed; where it is a process it ends here.
local function lose (comms, fn)
  if comm.rank == 1 then
    tide.sleep(TIMEOUT + 2.5)
    print "done"
    os.exit(true, true)
  end
  local held = comm.ranks[2] and tide.with_device(comm.devices[2], function ()
    return T.hold(tide.get_current_stream())
  end)
  fn()
  for _, c in ipairs(comms) do
    while not c.error do tide.sleep(0.01) end
  end
  if held then T.release(held) end
end

--- Is the array the one with those elements?
local function is (a, wanted)
  local got = a:reshape(-1):totable()
  assert(#got == #wanted, #got .. " elements, expected " .. #wanted)
  for i, x in ipairs(wanted) do
    assert(got[i] == x, ("element %d is %s, expected %s"):format(i, got[i], x))
  end
end
]==]

local function count_devices (kind)
  local n = 0
  for _, dev in ipairs(tide.devices()) do
    n = n + (dev.kind == kind and 1 or 0)
  end
  return n
end

-- Ranks that are devices are looked for in this process, and series run in it:
-- for TSan, under which no specs start programs.
local INSIDE <const> = os.getenv "TIDE_SPEC_INSIDE"

--- modes(kind) -> the possible modes: { name =, devices = n } or
-- { name =, processes = n }.
function ranks.modes (kind)
  local n = (kind == "cuda" or INSIDE) and count_devices(kind) or 4
  local list = {}
  local function add (mode)
    if math.max(mode.devices or 0, mode.processes or 0) <= n then
      list[#list + 1] = mode
    end
  end
  add{ name = "2 devices", devices = 2 }
  if n > 2 then add{ name = n .. " devices", devices = n } end
  if INSIDE then return list end
  add{ name = "2 processes", processes = 2 }
  add{ name = "3 processes", processes = 3 }
  return list
end

-- Other specs run at the same time. Ports are below the range from which the
-- system gives any; on host devices the address is no more than a name.
local function own_pid ()
  local file <close> = assert(io.open "/proc/self/stat")
  return file:read "n"
end

local pid = own_pid()
local port = 10000 + pid * 256 % 20000

--- The environment of rank r, as torchrun has it; a new address each time.
local function environment (kind, mode, r, told)
  local n = mode.processes
  local list = { "TIDE_DEVICE=" .. kind, "TIDE_SPEC_TOLD=" .. told }
  if n then
    for name, value in pairs{ RANK = r, WORLD_SIZE = n, LOCAL_RANK = r,
                              MASTER_ADDR = kind == "host" and "spec" .. pid or
                                            "127.0.0.1",
                              MASTER_PORT = port } do
      list[#list + 1] = name .. "=" .. value
    end
  end
  if kind == "host" then
    list[#list + 1] = "TIDE_HOST_DEVICES=" .. (mode.devices or 1)
  end
  list[#list + 1] = mode.variables
  return table.concat(list, " ")
end

local function meeting (kind, mode)
  if mode.processes then
    return "begin()\ncomm = tide.dist.init{ timeout = TIMEOUT }"
  end
  local list = {}
  for i = 1, mode.devices do
    list[i] = ("%q"):format(kind .. ":" .. i - 1)
  end
  return ("comm = tide.comm({ %s }, { timeout = TIMEOUT })"):format(
    table.concat(list, ", "))
end

--- The beginning of each program of ranks.
local function head (kind, mode, timeout)
  return ("local comm\nlocal TIMEOUT <const> = %g\n"):format(timeout or 20) ..
         PRELUDE .. (mode.meeting or meeting(kind, mode)) .. "\n"
end

--- test(kind) -> the function that adds a spec of ranks: busted's it; pending
-- if there is one GPU. (Within a test a module cannot reach busted's pending.)
function ranks.test (kind)
  return #ranks.modes(kind) > 0 and busted.it or busted.pending
end

--- The mode of n processes, or nil.
function ranks.processes (kind, n)
  for _, mode in ipairs(ranks.modes(kind)) do
    if mode.processes == n then return mode end
  end
end

--- A spec of n processes, fn(mode); pending where there are too few GPUs.
function ranks.several (kind, n, what, fn)
  local mode <const> = ranks.processes(kind, n)
  local add <const> = mode and busted.it or busted.pending
  add(what .. " #process", function () fn(mode) end)
end

--- run(kind, mode, code [, timeout]) -> what each process prints, and whether
-- it ended well. 'code' begins with its communicator, comm, unless mode.meeting
-- says something else; mode.files: as many as it may have open; mode.variables:
-- what else is in its environment.
function ranks.run (kind, mode, code, timeout)
  local program = head(kind, mode, timeout) .. code
  local n, files, words = mode.processes or 1, {}, {}
  local told = os.tmpname()
  port = port + 2
  for r = 0, n - 1 do
    files[r] = os.tmpname()
    local limit = mode.files and "ulimit -n " .. mode.files .. ";" or ""
    words[#words + 1] = ("( %s env %s %s timeout 100 %s -e %s >%s 2>&1; " ..
      "echo $? >>%s ) &"):format(
      limit, environment(kind, mode, r, told), child.paths(), child.lua,
      quote(program), files[r], files[r])
  end
  os.execute(table.concat(words, "\n") .. "\nwait")
  os.remove(told)
  local printed, well = {}, {}
  for r = 0, n - 1 do
    local file <close> = assert(io.open(files[r]))
    local text = file:read "a"
    printed[r + 1], well[r + 1] = text:match "^(.-)(%d+)\n$"
    well[r + 1] = well[r + 1] == "0"
    os.remove(files[r])
  end
  return printed, well
end

--- in_child(kind, code): a process of its own, with two devices, runs that
-- program, which has their kind as KIND and prints "done" at its end.
function ranks.in_child (kind, code)
  local first = ("local KIND <const> = %q\n"):format(kind)
  local printed = helper.child_on(kind, first .. code,
                                  { TIDE_HOST_DEVICES = "2" })
  assert(printed == "done\n", printed)
end

--- works(kind, mode, code): all ranks must end well.
function ranks.works (kind, mode, code, timeout)
  local printed, well = ranks.run(kind, mode, code .. "\nprint 'done'", timeout)
  local bad = {}
  for r = 1, #well do
    if not (well[r] and printed[r]:find "done\n$") then
      bad[#bad + 1] = ("rank %d: %s"):format(r - 1, printed[r])
    end
  end
  assert(not bad[1], table.concat(bad, "\n"))
  return printed
end

-- Programs one after the other, each with a communicator and a coroutine of its
-- own: its current device and streams are forgotten. The first failure ends it.
local SERIES <const> = [==[
local whole = comm
local function run (i, program)
  comm = split(whole)
  local co = coroutine.create(function ()
    comm.devices[1]:use()
    program()
  end)
  local ok, err = coroutine.resume(co)
  if not ok then error(debug.traceback(co, tostring(err)), 0) end
  print("passed " .. i)
  collectgarbage()
end
]==]

--- Runs the program in this process -> its output, and its error.
local function run_inside (program)
  local printed = {}
  local env = setmetatable({ print = function (text)
    printed[#printed + 1] = text .. "\n"
  end }, { __index = _G })
  local chunk = assert(load(program, "=(command line)", "t", env))
  local ok, err = xpcall(chunk, debug.traceback)
  printed[#printed + 1] = ok and "" or err
  return table.concat(printed)
end

-- The tag in names of specs of series.
local TAG <const> = INSIDE and "" or " #process"

--- series(kind, mode) -> add(code), which returns a function that fails unless
-- that program ran well. With the first of a describe all of that run in one
-- go: to start processes and to meet takes longer than most of them.
local function series (kind, mode)
  local programs, printed = {}, {}
  local function run ()
    local list, first = { SERIES }, #printed + 1
    for i = first, #programs do
      list[#list + 1] = ("run(%d, function () %s end)"):format(i, programs[i])
    end
    local text
    if INSIDE then
      list[#list + 1] = "whole:close()"
      text = { run_inside(head(kind, mode) .. table.concat(list, "\n")) }
    else
      text = ranks.run(kind, mode, table.concat(list, "\n"))
    end
    for i = first, #programs do printed[i] = text end
  end
  return function (code)
    local i = #programs + 1
    programs[i] = code
    return function ()
      if not printed[i] then run() end
      for _, text in ipairs(printed[i]) do
        assert(("\n" .. text):find("\npassed " .. i .. "\n", 1, true),
               "what its ranks print:\n" .. table.concat(printed[i], "\n"))
      end
    end
  end
end

--- specs(kind) -> on_ranks(what, code [, only]), which adds a spec of a program
-- for each mode, or for those with "devices", or "processes", alone; and such a
-- function for programs that end their processes.
function ranks.specs (kind)
  local modes = ranks.modes(kind)
  for _, mode in ipairs(modes) do mode.add = series(kind, mode) end
  local function choose (only)
    local list = {}
    for _, mode in ipairs(modes) do
      if not only or mode[only] then list[#list + 1] = mode end
    end
    return list
  end
  local function on_ranks (what, code, only)
    local chosen = choose(only)
    for _, mode in ipairs(chosen) do
      busted.it(("%s, %s%s"):format(what, mode.name, TAG), mode.add(code))
    end
    if not chosen[1] then busted.pending(what) end
  end
  local function alone_on_ranks (what, code, only)
    for _, mode in ipairs(choose(only)) do
      busted.it(("%s, %s #process"):format(what, mode.name), function ()
        ranks.works(kind, mode, code)
      end)
    end
  end
  return on_ranks, alone_on_ranks
end

--- pairs(kind, timeout) -> on_pairs(what, code), which adds a spec of a program
-- of two ranks whose communicator has that timeout, for each mode.
function ranks.pairs (kind, timeout)
  return function (what, code)
    local some = false
    for _, mode in ipairs(ranks.modes(kind)) do
      if (mode.devices or mode.processes) == 2 then
        some = true
        busted.it(("%s, %s #process"):format(what, mode.name), function ()
          ranks.works(kind, mode, code, timeout)
        end)
      end
    end
    if not some then busted.pending(what) end
  end
end

return ranks
