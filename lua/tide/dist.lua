--[[
dist.lua - tide.dist: ranks that compute together, in one process or in many.
Loaded with the first call; the other half is in src/comm/.
]]
local arguments = require "tide.arguments"
local core = require "tide.communicators"
local files = require "tide.small_files"
local tide = require "tide"
local find_launcher = require "tide.launchers"
local find <const>, match <const>, sub <const> =
  string.find, string.match, string.sub
local running <const> = coroutine.running

local TIMEOUT <const> = 300  -- seconds for ranks to join
local MOST <const> = 2 ^ 31 - 1 | 0  -- ranks
local ADDRESS <const>, ID <const> = 100, 128  -- bytes

--{{ groups

--- An open group, while it has its communicator. It also refers to the
-- coroutine, whose address identifies the group.
local Group <const> = {}

function Group.__close (g)
  local comm <const> = g.comm
  g.comm = false
  if comm then core.drop_group(comm, g.number) end
end

Group.__gc = Group.__close  -- for a coroutine that is never resumed

local function finish (g, ...)
  core.end_group(g.comm, g.number)
  return ...
end

--- group(comm, fn, ...) -> the results of fn(...), whose sends and receives
-- become one operation.
local function group (comm, fn, ...)
  local open <const> = setmetatable({
    running = running(), comm = false, number = false
  }, Group)
  open.number, open.comm = core.begin_group(comm, fn), comm
  local _ <close> = open
  return finish(open, fn(...))
end

--}}

--{{ options

-- The names of options, in the order of messages, and their types.
local INIT <const> = {
  names = { "timeout", "rank", "size", "local_rank", "address", "file",
            "device" },
  types = { timeout = "number", rank = "integer", size = "integer",
            local_rank = "integer", address = "string", file = "string",
            device = true }
}
local COMM <const> = { names = { "timeout" }, types = { timeout = "number" } }

-- Hints for options of other libraries that have another name here.
local ADDRESS_INSTEAD <const> = "; did you mean 'address', as \"host:port\"?"
local INSTEAD <const> = {
  backend = ": ranks on GPUs have NCCL, those on host devices its " ..
            "counterpart, and 'device' says on which",
  init_method = ": what a launcher has set is read; without one there are " ..
                "'rank', 'size' and 'address' or 'file'",
  master_addr = ADDRESS_INSTEAD, MASTER_ADDR = ADDRESS_INSTEAD,
  master_port = ADDRESS_INSTEAD, MASTER_PORT = ADDRESS_INSTEAD,
  addr = ADDRESS_INSTEAD, host = ADDRESS_INSTEAD, port = ADDRESS_INSTEAD,
  store = ": ranks meet by 'address', or by 'file'"
}

local function fail (level, name, arg, format, ...)
  error(string.format("bad argument #%d to '%s' (%s)", arg, name,
                      string.format(format, ...)), level)
end

local function is_a (value, kind)
  return kind == true or math.type(value) == kind or type(value) == kind
end

local function check_options (options, known, name, arg)
  if options == nil then return {} end
  if type(options) ~= "table" then
    fail(4, name, arg, "options table expected, as { timeout = 30 }, got %s",
         arguments.kind_of(options))
  end
  for key in pairs(options) do
    if known == INIT and INSTEAD[key] then
      fail(4, name, arg, "unknown option '%s'%s", key, INSTEAD[key])
    end
  end
  arguments.check_options(name, arg, options, known.names)
  for key, value in pairs(options) do
    local kind <const> = known.types[key]
    if not is_a(value, kind) then
      fail(4, name, arg, "option '%s' must be %s %s, got %s", key,
           kind == "integer" and "an" or "a", kind,
           type(value) == "number" and value or arguments.kind_of(value))
    end
  end
  local timeout <const> = options.timeout
  if timeout and not (timeout > 0 and timeout < 1e9) then
    fail(4, name, arg, "option 'timeout' must be seconds, more than 0, " ..
                       "less than 1e9")
  end
  return options
end

--- Returns the rank, the size and the address from the options, or else from
-- the launcher.
local function place_of (options)
  local explicit <const> = options.rank or options.size
  local lacks <const> = not options.rank and "'rank'" or
                        not options.size and "'size'" or
                        not (options.address or options.file) and
                          "'address', or 'file'"
  if explicit and lacks then
    fail(4, "init", 1, "options 'rank', 'size' and 'address' or 'file' " ..
                       "belong together: there is no %s", lacks)
  end
  local name, found = nil, nil
  if not explicit then name, found = find_launcher() end
  if found and not name then error("tide.dist.init: " .. found, 3) end
  local at <const> = explicit and options or found or { rank = 0, size = 1 }
  if at.size < 1 or at.size > MOST then
    fail(4, "init", 1, "size from 1 to %d expected, got %d", MOST, at.size)
  end
  if at.rank < 0 or at.rank >= at.size then
    fail(4, "init", 1, "rank from 0 to size - 1 expected, got %d of %d",
         at.rank, at.size)
  end
  if options.local_rank and options.local_rank < 0 then
    fail(4, "init", 1, "option 'local_rank' must be from 0 on, got %d",
         options.local_rank)
  end
  local address = options.address or at.address
  if address and (address == "" or #address > ADDRESS or
                  find(address, "\0")) then
    fail(4, "init", 1, "option 'address' must be \"host:port\", of %d bytes " ..
                       "at most", ADDRESS)
  end
  if at.size > 1 and not address and not options.file then
    fail(4, "init", 1, "the launcher does not say on which machine rank 0 " ..
                       "is: option 'address', as \"host:port\", expected")
  end
  return {
    rank = at.rank, size = at.size, file = options.file, address = address,
    local_rank = options.local_rank or at.local_rank or at.rank
  }
end

--- Returns the device of that rank among those of its machine.
local function device_of (options, local_rank)
  if options.device then
    local device <const>, why <const> =
      arguments.find_device(tide.Device, options.device)
    if not device then fail(4, "init", 1, "option 'device': %s", why) end
    return device
  end
  local kind <const>, devices <const> = tide.get_device().kind, {}
  for _, dev in ipairs(tide.devices()) do
    if dev.kind == kind then devices[#devices + 1] = dev end
  end
  return devices[local_rank % #devices + 1]
end

--- Raises if the library does not support that many ranks.
local function check_size (device, size)
  local most <const> = core.most_ranks(device)
  if most and size > most then
    error(string.format("tide.dist.init: on %s devices there are at most " ..
                        "%d ranks, and size is %d", device.kind, most, size), 3)
  end
end

--}}

--{{ by a file

-- The text before the id in such a file; and the errno of a missing file.
local MARK <const>, NOT_THERE <const> = "tide ranks\n", 2

--- Returns the id in such a file; "" if the file is empty; false if it is
-- another kind of file. Or nil, the reason why it cannot be read, and the
-- errno; without an errno it can never be read.
local function id_in (path)
  local text <const>, why <const>, code <const> =
    files.read(path, #MARK + ID + 1)
  if not text then return nil, why, code end
  local ours <const> = #text == #MARK + ID and sub(text, 1, #MARK) == MARK
  return text == "" and text or ours and sub(text, #MARK + 1)
end

--- Tells whether rank 0 may create its file; then also whether one exists, else
-- the reason.
local function check_free (path)
  local id <const>, why <const>, code <const> = id_in(path)
  if id == nil then
    return code == NOT_THERE, code ~= NOT_THERE and why or false
  end
  return id and true, id and id ~= "" or
         path .. " is there already, and no file by which ranks meet"
end

--- Writes the file. Returns true, and a lock that shows that this process is
-- alive, if the system has locks; or false and the reason.
local function write_id (path, id)
  local new <const> = path .. ".new"
  local ok, why = check_free(new)
  if not ok then return false, why end
  files.remove(new)  -- left by a rank 0 that has died
  ok, why = files.write(new, MARK .. id)
  local lock <const> = ok and files.lock(new)
  if ok then ok, why = files.rename(new, path) end
  if not ok then files.remove(new) end
  return ok, ok and lock or why
end

-- In seconds. Rank 0 locks its file, but not every system shows the lock to
-- other machines. While there seems to be no lock, a new file may replace this
-- one.
local PATIENCE <const> = 10

--- Waits for the id that rank 0 writes, and returns it; or false and the
-- reason.
local function read_id (path, timeout)
  local now <const> = tide.clock()
  local until_ <const> = now + timeout
  local retry_until <const> = now + math.min(PATIENCE, timeout / 2)
  repeat
    local dead <const> = files.is_locked(path) == false and
                         tide.clock() < retry_until
    local id <const>, why <const>, code <const> = id_in(path)
    if id == nil and not code then return false, "option 'file': " .. why end
    if id == false then
      return false, string.format("option 'file': %s is not what rank 0 writes",
                                  path)
    end
    if id and id ~= "" and not dead then return id end
    tide.sleep(0.01)
  until tide.clock() > until_
  return false, string.format("rank 0 has not written %s within %g s", path,
                              timeout)
end

--- The file by which ranks join, until they have joined or failed. 'left': a
-- hint about an old file for the error; 'lock': rank 0's lock of the file.
local Meeting <const> = {}

--- Tells whether the error is about missing ranks, possibly rank 0.
local function is_missed (rank, err)
  local names <const> = type(err) == "string" and
    match(err, "not all ranks have come within [^:]+:?(.*)")
  return names and
         (rank == 0 or names == "" or find(names, "^ ranks? 0%f[^%d]")) ~= nil
end

function Meeting.__close (m, err)
  local _ <close> = m.lock
  if m.rank == 0 then files.remove(m.path) end
  if m.left and is_missed(m.rank, err) then error(err .. m.left, 0) end
end

local function new_meeting (path, rank, left, lock)
  return setmetatable({ path = path, rank = rank, left = left, lock = lock },
                      Meeting)
end

--- Returns the id and the meeting; or false and the reason.
local function id_by_file (at, device, timeout)
  local path <const> = at.file
  if at.rank > 0 then
    local id <const>, why <const> = read_id(path, timeout)
    return id, why or new_meeting(path, at.rank, string.format(
      "; %s may be of a rank 0 that has died", path))
  end
  local free <const>, there <const> = check_free(path)
  if not free then return false, "option 'file': " .. there end
  if there and files.is_locked(path) then
    return false, string.format("option 'file': %s is of another rank 0, " ..
                                "which waits for its ranks", path)
  end
  local id <const> = core.new_id(device)
  local ok <const>, lock <const> = write_id(path, id)
  if not ok then return false, "option 'file': " .. lock end
  return id, new_meeting(path, 0, there and string.format(
    "; a rank 0 that has died had left %s, which others may have read", path),
    lock)
end

--}}

local Address <const> = {}
Address.__index = Address

function Address.__close (a)
  if a.set then core.set_address() end
  a.set = false
end

--- The address is only read when the id is made; on host devices nothing reads
-- it again.
function Address:no_longer_than_id (device)
  if device.kind == "host" then Address.__close(self) end
end

--- Sets the address until the returned object is closed.
local function set_address (address)
  return setmetatable({ set = address and core.set_address(address) }, Address)
end

local dist <const> = { group = group }

--- init(options) -> Communicator of this process; makes its device current.
function dist.init (options)
  core.check_files "tide.dist.init"
  options = check_options(options, INIT, "init", 1)
  local at <const> = place_of(options)
  local timeout <const> = options.timeout or TIMEOUT
  local device <const> = device_of(options, at.local_rank)
  check_size(device, at.size)
  device:use()
  local address <close> = set_address(not at.file and at.size > 1 and
                                      at.address)
  local id, meeting
  if at.file then
    id, meeting = id_by_file(at, device, timeout)
  else
    id = core.new_id(device)
    address:no_longer_than_id(device)
  end
  if not id then error("tide.dist.init: " .. meeting, 2) end
  local _ <close> = meeting
  return (core.meet({ device }, at.rank, at.size, id, timeout, at.local_rank))
end

--- launcher() -> "torchrun", "slurm", "openmpi", "mpich"; nil without a
-- launcher.
function dist.launcher ()
  return (find_launcher())
end

--- comm(devices, options) -> Communicator with a rank for each device.
function dist.comm (devices, options)
  core.check_files "tide.comm"
  options = check_options(options, COMM, "comm", 2)
  local list <const> = arguments.check_devices(
    devices, "comm", tide.Device, "; options are a table of their own")
  if not list[1] then
    fail(3, "comm", 1, "list of devices expected, got none")
  end
  return core.meet(list, 0, #list, core.new_id(list[1]),
                   options.timeout or TIMEOUT, 0)
end

return dist
