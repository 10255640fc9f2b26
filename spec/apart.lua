--[[
apart.lua - returns apart(kind, fn): runs fn(tide, T, dev, fails) where it may
ruin the device. On CUDA that is a process of its own, since a fault may not
be got over; the host device is reset afterwards. fn has no upvalues.
]]
local tide = require "tide"
local helper = require "spec.helper"

local CHILD = [[
  local tide = require "tide"
  local function fails (text, fn, ...)
    local ok, err = pcall(fn, ...)
    assert(not ok, "expected an error with: " .. text)
    assert(tostring(err):find(text, 1, true), tostring(err))
    return tostring(err)
  end
  local code = ("%s"):gsub("%%x%%x", function (x)
    return string.char(tonumber(x, 16))
  end)
  load(code, "fn", "b")(tide, tide.T, tide.Device "%s", fails)
  collectgarbage()
  collectgarbage()
]]

local function hex (text)
  return (text:gsub(".", function (c) return ("%02x"):format(c:byte()) end))
end

return function (kind, fn)
  if kind ~= "host" then
    helper.child_on(kind, CHILD:format(hex(string.dump(fn)), kind))
    return
  end
  local dev = tide.Device(kind)
  local ok, err = xpcall(fn, debug.traceback, tide, helper.T, dev,
                         helper.fails)
  helper.T.lose(dev, 0)
  helper.T.failcall(0)
  tide.Stream.null:use()
  dev:reset()
  assert(ok, err)
end
