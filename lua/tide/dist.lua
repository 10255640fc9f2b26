--[[
dist.lua - tide.dist: ranks that compute together, in one process or in many.
Loaded with the first call; the other half is in src/comm/.
]]
local core = require "tide.communicators"
local tide = require "tide"

local TIMEOUT <const> = 300  -- seconds that ranks have to come
local MOST <const> = 2 ^ 31 - 1 | 0  -- ranks; on host devices there may be 256
local ADDRESS <const> = 100  -- bytes

--{{ groups

--- A group that is open, as long as it has its communicator. It has the
-- coroutine as well, by whose address the group is known.
local Group <const> = {}

function Group.__close (g)
  local comm <const> = g.comm
  g.comm = false
  if comm then core.drop_group(comm, g.noted) end
end

Group.__gc = Group.__close  -- of a coroutine that nobody goes on with

local function finish (g, ...)
  core.end_group(g.comm, g.noted)
  return ...
end

--- group(comm, fn, ...) -> what fn(...) returned: its sends and receives are
-- one operation.
local function group (comm, fn, ...)
  local open <const> = setmetatable({
    running = coroutine.running(), comm = false, noted = false
  }, Group)
  open.noted, open.comm = core.begin_group(comm, fn), comm
  local _ <close> = open
  return finish(open, fn(...))
end

--}}

--{{ options

local INIT <const> = {
  rank = "integer", size = "integer", local_rank = "integer",
  address = "string", file = "string", timeout = "number", device = true
}

local function fail (level, name, arg, format, ...)
  error(("bad argument #%d to '%s' (%s)"):format(arg, name,
                                                 format:format(...)), level)
end

local function is_a (value, kind)
  return kind == true or math.type(value) == kind or type(value) == kind
end

local function check_options (options, known, name, arg)
  if options == nil then return {} end
  if type(options) ~= "table" then
    fail(4, name, arg, "table of options expected, got %s", type(options))
  end
  for key, value in pairs(options) do
    if not known[key] then
      fail(4, name, arg, "unknown option '%s'", tostring(key))
    elseif not is_a(value, known[key]) then
      local kind <const> = known[key]
      fail(4, name, arg, "option '%s' must be %s %s, got %s", key,
           kind == "integer" and "an" or "a", kind,
           math.type(value) or type(value))
    end
  end
  local timeout <const> = options.timeout
  if timeout and not (timeout > 0 and timeout < 1e9) then
    fail(4, name, arg, "option 'timeout' must be seconds, more than 0, " ..
                       "less than 1e9")
  end
  return options
end

--- What options say, and where they say nothing the launcher.
local function place_of (options)
  local explicit <const> = options.rank or options.size
  if explicit and not (options.rank and options.size and
                       (options.address or options.file)) then
    fail(4, "init", 1, "options 'rank', 'size' and 'address' or 'file' " ..
                       "belong together")
  end
  local name, found = nil, nil
  if not explicit then name, found = require "tide.launchers" () end
  if found and not name then error("tide.dist.init: " .. found, 3) end
  local at <const> = explicit and options or found or { rank = 0, size = 1 }
  if at.size < 1 or at.size > MOST then
    fail(4, "init", 1, "size from 1 to %d expected, got %d", MOST, at.size)
  end
  if at.rank < 0 or at.rank >= at.size then
    fail(4, "init", 1, "rank from 0 to size - 1 expected, got %d of %d",
         at.rank, at.size)
  end
  local address = options.address or at.address
  if address and (address == "" or #address > ADDRESS or
                  address:find "\0") then
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

--- The device of that rank among those of its machine.
local function device_of (options, local_rank)
  if options.device then return tide.Device(options.device) end
  local kind <const>, devices <const> = tide.get_device().kind, {}
  for _, dev in ipairs(tide.devices()) do
    if dev.kind == kind then devices[#devices + 1] = dev end
  end
  return devices[local_rank % #devices + 1]
end

--}}

--{{ by a file

local function write_id (path, id)
  local new <const> = path .. ".new"
  local file <close> = assert(io.open(new, "wb"))
  assert(file:write(id))
  assert(file:close())
  assert(os.rename(new, path))
end

--- What rank 0 has written, once it is there.
local function read_id (path, timeout)
  local until_ <const> = tide.clock() + timeout
  repeat
    local file <close> = io.open(path, "rb")
    local id <const> = file and file:read "a"
    if id and id ~= "" then return id end
    tide.sleep(0.01)
  until tide.clock() > until_
  error(("tide.dist.init: rank 0 has not written %s within %g s"):format(
    path, timeout), 0)
end

local function id_by_file (at, device, timeout)
  if at.rank > 0 then return read_id(at.file, timeout) end
  os.remove(at.file)
  local id <const> = core.new_id(device)
  write_id(at.file, id)
  return id
end

--}}

local Address <const> = { __close = function () core.set_address() end }
local NONE <const> = setmetatable({}, { __close = function () end })

--- For as long as its result is open.
local function set_address (address)
  return address and core.set_address(address) and setmetatable({}, Address) or
         NONE
end

local dist <const> = { group = group }

--- init(options) -> Communicator of this process, whose device is current.
function dist.init (options)
  options = check_options(options, INIT, "init", 1)
  local at <const> = place_of(options)
  local timeout <const> = options.timeout or TIMEOUT
  local device <const> = device_of(options, at.local_rank)
  device:use()
  local _ <close> = set_address(not at.file and at.size > 1 and at.address)
  local id <const> = at.file and id_by_file(at, device, timeout) or
                     core.new_id(device)
  local comm <const> = core.meet({ device }, at.rank, at.size, id, timeout,
                                 at.local_rank)
  if at.file and at.rank == 0 then os.remove(at.file) end
  return comm
end

--- launcher() -> "torchrun", "slurm", "openmpi", "mpich"; nil: none.
function dist.launcher ()
  return (require "tide.launchers" ())
end

--- comm(devices, options) -> Communicator of one rank for each device.
function dist.comm (devices, options)
  options = check_options(options, { timeout = "number" }, "comm", 2)
  if type(devices) ~= "table" then
    fail(3, "comm", 1, "list of devices expected, got %s", devices == nil and
         "no value" or type(devices))
  end
  local list <const> = {}
  for i = 1, #devices do
    list[i] = tide.Device(devices[i])
  end
  if not list[1] then
    fail(3, "comm", 1, "list of devices expected, got none")
  end
  return core.meet(list, 0, #list, core.new_id(list[1]),
                   options.timeout or TIMEOUT, 0)
end

return dist
