--[[
launchers.lua - reads the environment variables of launchers: the rank of this
process, the number of ranks, and the address of the first one. For dist.lua.

torchrun sets MASTER_ADDR and MASTER_PORT, where it listens itself, so our port
is the next one. The other launchers set no port, so we derive one from the job
number, which all ranks know. It is above 61440, where few systems use ports.
]]
local byte <const>, format <const>, gsub <const>, match <const> =
  string.byte, string.format, string.gsub, string.match

local PORTS <const>, FIRST_PORT <const> = 4096, 61440
local LAST_PORT <const> = 65534  -- the maximum for torchrun

-- A host program may leave Lua's own libraries out; then no variable is set.
local function nothing () end
local getenv <const> = os and os.getenv or nothing
local open <const> = io and io.open or nothing

local function number (name)
  local value <const> = getenv(name)
  return value and math.tointeger(tonumber(value))
end

local function port_of (job) return FIRST_PORT + job % PORTS end

--- Returns a hash of a text, the same on every machine.
local function hash (text)
  local h = 5381  -- D. J. Bernstein's
  for i = 1, #text do
    h = (h * 33 + byte(text, i)) & 0xFFFFFFFF
  end
  return h
end

--- "node[07-09,12],other3" -> "node07"
local function first_host (list)
  local name, inner = match(list, "^([^%[,]+)%[([^%]]*)%]")
  return name and name .. match(inner, "^[^,%-]+") or match(list, "^[^,]+")
end

--- Returns the id of the parent process, which is also the parent of the
-- sibling ranks.
local function parent ()
  local file <close> = open "/proc/self/stat"
  local text <const> = file and file:read "a" or ""
  return math.tointeger(tonumber(match(text, "%) %a (%d+)"))) or 0
end

--- Returns the host of "123.0;tcp://10.0.0.1,10.1.0.1:1234", and the job
-- number.
local function host_of_uri (uri)
  local job, host = match(uri, "^(%d+)%.?.-;tcp%d?://([^,:;]+)")
  return host, math.tointeger(tonumber(job))
end

--- name -> a function that returns { rank =, size =, local_rank =, address = },
-- or nil if that launcher did not start the process. There is no address if the
-- ranks are on several machines and the launcher does not say which is the
-- first.
local launchers <const> = {}

--- Returns torchrun's port; ours is the next one.
local function master_port ()
  local port <const> = number "MASTER_PORT"
  return port and port >= 1 and port <= LAST_PORT and port
end

function launchers.torchrun ()
  local rank, size = number "RANK", number "WORLD_SIZE"
  local host, port = getenv "MASTER_ADDR", master_port()
  if rank and size and host and port then
    return { rank = rank, size = size, local_rank = number "LOCAL_RANK",
             address = format("%s:%d", host, port + 1) }
  end
end

function launchers.slurm ()
  local rank, size = number "SLURM_PROCID", number "SLURM_NTASKS"
  local hosts = getenv "SLURM_STEP_NODELIST" or
                getenv "SLURM_JOB_NODELIST"
  local job <const> = number "SLURM_JOB_ID"
  if rank and size and job and getenv "SLURM_STEP_ID" then
    return { rank = rank, size = size, local_rank = number "SLURM_LOCALID",
             address = hosts and format("%s:%d", first_host(hosts),
               port_of(job + (number "SLURM_STEP_ID" or 0))) }
  end
end

--- Returns the address of the first rank, which is local if there is one
-- machine.
local function address (size, here, host, job)
  if here == size then host = "127.0.0.1" end
  return host and format("%s:%d", host, port_of(job))
end

function launchers.openmpi ()
  local rank = number "OMPI_COMM_WORLD_RANK"
  local size = number "OMPI_COMM_WORLD_SIZE"
  if not (rank and size) then return nil end
  local host, job = host_of_uri(getenv "OMPI_MCA_orte_hnp_uri" or "")
  local name <const> = getenv "PMIX_NAMESPACE"
  job = job or name and hash(gsub(name, "@%d+$", "")) or parent()
  return { rank = rank, size = size,
           local_rank = number "OMPI_COMM_WORLD_LOCAL_RANK",
           address = address(size, number "OMPI_COMM_WORLD_LOCAL_SIZE", host,
                             job) }
end

function launchers.mpich ()
  local rank, size = number "PMI_RANK", number "PMI_SIZE"
  if not (rank and size) then return nil end
  local host = match(getenv "PMI_PORT" or "", "^(.-):%d+$")
  return { rank = rank, size = size, local_rank = number "MPI_LOCALRANKID",
           address = address(size, number "MPI_LOCALNRANKS", host, parent()) }
end

-- The variables that each launcher sets: the rank, the number of ranks, and
-- other required ones.
local VARIABLES <const> = {
  torchrun = { "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT" },
  slurm = { "SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_ID" },
  openmpi = { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
  mpich = { "PMI_RANK", "PMI_SIZE" }
}
local TEXTS <const> = { MASTER_ADDR = true, SLURM_STEP_ID = true }
local ORDER <const> = { "torchrun", "slurm", "openmpi", "mpich" }

--- Tells whether the environment looks like that launcher, even if variables
-- are missing. A script of sbatch has number 0, but is not a rank.
local function looks_like (name)
  local rank <const> = getenv(VARIABLES[name][1])
  if name == "slurm" then
    return rank and (rank ~= "0" or getenv "SLURM_STEP_ID")
  end
  return rank or name == "torchrun" and getenv "WORLD_SIZE"
end

local function list (names)
  return table.concat(names, ", ", 1, #names - 1) .. " and " .. names[#names]
end

--- Returns the error in its variables, or nil.
local function lack_of (name)
  local names <const> = VARIABLES[name]
  for _, variable in ipairs(names) do
    local value <const> = getenv(variable)
    if not value then
      return format("%s belong together: there is no %s", list(names),
                                                          variable)
    elseif not (TEXTS[variable] or number(variable)) then
      return format("%s must be an integer, got '%s'", variable, value)
    elseif variable == "MASTER_PORT" and not master_port() then
      return format("MASTER_PORT must be from 1 to %d, got %s", LAST_PORT,
                                                                value)
    end
  end
end

--- Returns such an error of any launcher. A program that went on alone would
-- repeat the work of all ranks once per rank.
local function half_set ()
  for _, name in ipairs(ORDER) do
    local lack <const> = looks_like(name) and lack_of(name)
    if lack then return lack end
  end
end

--- Returns the error in the numbers of a launcher, or nil.
local function check (name, found)
  local rank <const>, size <const> = table.unpack(VARIABLES[name])
  if found.size < 1 then
    return format("%s must be from 1 on, got %d", size, found.size)
  elseif found.rank < 0 or found.rank >= found.size then
    return format("%s must be from 0 to %s - 1, got %d of %d",
      rank, size, found.rank, found.size)
  end
end

--- find() -> the name of the launcher, and its values; nil without a launcher;
-- or nil and an error, if the environment looks like a launcher with missing
-- variables. mpirun may run within a job of Slurm, and takes precedence then.
return function ()
  local nearest
  for _, name in ipairs(ORDER) do
    local found <const> = launchers[name]()
    if found and (not nearest or nearest.name == "slurm") then
      nearest = { name = name, found = found }
    end
  end
  if not nearest then return nil, half_set() end
  local wrong <const> = check(nearest.name, nearest.found)
  if wrong then return nil, wrong end
  return nearest.name, nearest.found
end
