--[[
partner.lua - for specs of tide.ipc: another process at the other end of a
connection, or both ends in this one.
]]
local child = require "spec.support.child"
local tide = require "tide"

local ipc = tide.ipc

local partner = {}

--- Its program: with the path and its own code.
partner.CODE = [[
local tide = require "tide"
local ipc = tide.ipc
local c = ipc.connect(%q, 20)
local function die ()
  os.execute("kill -9 " .. io.open("/proc/self/stat"):read "n")
end
%s
]]

local files = {}

--- A path of which partner.clean knows.
function partner.path ()
  local path = os.tmpname()
  os.remove(path)
  files[#files + 1] = path
  return path
end

function partner.clean ()
  for _, path in ipairs(files) do os.remove(path) end
  files = {}
end

--- Starts a process on a device of that kind, that runs 'code' with an end 'c'
-- of a connection -> our end of it, and a function that waits for the process
-- to end: what it printed, and whether it ended well.
function partner.start (kind, code)
  local path = partner.path()
  local listener <close> = ipc.listen(path)
  local pipe = assert(io.popen(("exec env -u TIDE_DEFAULT_STREAM " ..
    "TIDE_DEVICE=%s %s timeout 60 %s -W -e %s 2>&1"):format(kind,
    child.paths(), child.lua,
    child.quote(partner.CODE:format(path, code)))))
  local ended
  local function finish ()
    if not ended then
      local printed = pipe:read "a"
      ended = { printed, (pipe:close()) }
    end
    return table.unpack(ended, 1, 2)
  end
  if not listener:ready(30) then
    error("the partner did not come: " .. finish())
  end
  return listener:accept(), finish
end

--- It must have ended well, and said nothing.
function partner.over (finish)
  local printed, ok = finish()
  assert(printed == "", printed)
  assert(ok, "the partner has failed")
end

--- Both ends of a connection of this process.
function partner.pair ()
  local listener <close> = ipc.listen(partner.path())
  local ours = ipc.connect(listener.path)
  return ours, listener:accept()
end

return partner
