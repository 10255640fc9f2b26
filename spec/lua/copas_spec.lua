--[[
copas_spec.lua - threads of copas: Debian's, which is older than its number
says, or whichever is found.
]]
-- Debian has it for older versions of Lua alone, though it works in ours.
package.path = package.path .. ";/usr/share/lua/5.2/?.lua"

local loops = require "spec.support.loops"
local helper = require "spec.support.helper"
local tide = require "tide"

local CODE <const> = [[
package.path = package.path .. ";/usr/share/lua/5.2/?.lua"
require "tide.copas"
local copas = require "copas"
local left = 0
local function start (fn)
  left = left + 1
  copas.addthread(function ()
    local _ <close> = setmetatable({}, { __close = function ()
      left = left - 1
    end })
    fn()
  end)
end
local function loop ()
  while left > 0 do copas.step(0.01) end
end
]]

local go, run = loops("copas", CODE, true)

if go then helper.each_device(function ()

describe("copas", function ()
  it("waits for sockets meanwhile", function ()
    local copas, socket = require "copas", require "socket"
    local server = assert(socket.bind("127.0.0.1", 0))
    local _, port = server:getsockname()
    local got
    local s <close> = tide.Stream{ non_blocking = true }
    local key = helper.T.hold(s)
    copas.addserver(server, function (client)
      local line = copas.receive(client)
      s:await()
      copas.send(client, line .. " back\n")
      client:close()
    end)
    go(function ()
      local client = socket.tcp()
      assert(copas.connect(client, "127.0.0.1", port))
      copas.send(client, "there\n")
      tide.sleep(0.005)
      helper.T.release(key)
      got = copas.receive(client)
      client:close()
    end)
    run()
    assert.equal("there back", got)
    if copas.removeserver then copas.removeserver(server) end
  end)
end)

end) end
