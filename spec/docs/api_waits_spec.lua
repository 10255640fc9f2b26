--[[
api_waits_spec.lua - what lua/tide/api says to wait for the device does, and
nothing else: each call is made while a stream stands still, in the mode in
which a wait raises.
]]
local tide = require "tide"
local api = require "tide.api"
local helper = require "spec.support.helper"
local calls = require "spec.whole.sweep_calls"
local T = helper.T

--- Another call than that of spec/whole/sweep_calls.lua, where that one leaves
-- nothing to wait for, or waits besides. The null stream is held already.
local pending = {}

pending["Communicator:close"] = function ()
  local comm = tide.comm{ "host" }
  return function ()
    comm:all_reduce(tide.ones(3))
    comm:close()
  end
end

local function pending_host ()
  return tide.HostArray(6, "int32"):copy_from(tide.ones(6, "int32"))
end

--- Adds the call of each name of HostArray, on one that is being copied to.
local function of_host (name, call)
  pending["HostArray" .. name] = function ()
    local h = pending_host()
    return function () return call(h) end
  end
end

of_host(".__index", function (h) return h[1] end)
of_host(".__newindex", function (h) h[1] = 2 end)
of_host(".__pairs", function (h) return pairs(h) end)
of_host(":fill", function (h) return h:fill(1) end)
of_host(":item", function (h) return h[{ { 1, 1 } }]:item() end)
of_host(":writeto", function (h)
  local file <close> = io.tmpfile()
  return h:writeto(file)
end)
of_host(":readfrom", function (h)
  local file <close> = io.tmpfile()
  file:write(("x"):rep(24))
  file:seek "set"
  return h:readfrom(file)
end)

pending["tide.array_equal"] = function ()
  local a = tide.ones(3)
  return function () return tide.array_equal(a, a + 1) end
end

pending["tide.progress"] = function ()
  return function () return tide.progress(3):add():completed() end
end

pending["Event:synchronize"] = function ()
  local e = tide.Stream.null:record()
  return function () e:synchronize() end
end

pending["Stream:synchronize"] = function ()
  return function () tide.Stream.null:synchronize() end
end

for _, name in ipairs{ "launch_host_func", "add_callback" } do
  pending["Stream:" .. name] = function ()
    return function () tide.Stream.null[name](tide.Stream.null, print) end
  end
end

-- A reset ends the objects that the others need.
local LEFT_OUT <const> = { ["Device:reset"] = true }

--- "if", "unless": it depends.
local function is_sometimes (entry)
  return type(entry.waits) == "string" and
         (entry.waits:find "^if " or entry.waits:find "^unless ")
end

--- Makes the call while the null stream is held. Where preparing it waits, that
-- is done before. Was there a wait?
local function blocks (name)
  local make = pending[name] or calls[name]
  local dev = tide.get_device()
  local key = T.hold(tide.Stream.null)
  tide.sync_debug "error"
  local ok, call = pcall(make, dev)
  if not ok then
    T.release(key)
    tide.sync_debug "off"
    call = make(dev)
    key = T.hold(tide.Stream.null)
    tide.sync_debug "error"
  end
  local done, message = pcall(call)
  tide.sync_debug "off"
  T.release(key)
  helper.settle()
  return not done and tostring(message):find("sync_debug: ", 1, true) ~= nil,
         not done and message
end

describe("api: waits on the host device", function ()
  it("are those that the pages speak of", function ()
    local wrong, waited, ran = {}, 0, 0
    tide.Device "host":use()
    for _, name in ipairs(api.names()) do
      local entry = api.named(name)[1]
      if calls[name] and not LEFT_OUT[name] and not is_sometimes(entry) then
        local blocked, message = blocks(name)
        if blocked ~= (entry.waits ~= nil) then
          wrong[#wrong + 1] = ("%s %s: %s"):format(name, blocked and
            "waits, and is not said to" or "is said to wait, and does not",
            message or "")
        end
        waited = waited + (blocked and 1 or 0)
        ran = ran + (blocked and 0 or 1)
      end
    end
    assert.are.equal("", table.concat(wrong, "\n"))
    assert.is_true(waited >= 25 and ran > 250, waited .. " " .. ran)
  end)
end)
