--[[
apart.lua - returns apart(kind, fn): runs fn(tide, T, dev, fails, recover) where
it may ruin the device. On CUDA that is a process of its own, since a fault may
not be got over; the host device is reset afterwards. fn has no upvalues.

recover() resets the device after a fault; false: CUDA refuses. Its drivers may
keep a process that had an illegal address from the device for good, as 580 does
on an H200; then the reset or the first use after it says so, each time.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local CHILD = [[
  local tide = require "tide"
  local function fails (text, fn, ...)
    local ok, err = pcall(fn, ...)
    assert(not ok, "expected an error with: " .. text)
    assert(tostring(err):find(text, 1, true), tostring(err))
    return tostring(err)
  end
  local dev = tide.Device "%s"
  local function recover ()
    local ok, err = pcall(function () dev:reset() tide.ones(3) end)
    if ok then return true end
    assert(err:find("CUDA_ERROR_ILLEGAL_ADDRESS (700)", 1, true), err)
    fails("(700)", tide.ones, 3)
    return false
  end
  local code = ("%s"):gsub("%%x%%x", function (x)
    return string.char(tonumber(x, 16))
  end)
  load(code, "fn", "b")(tide, tide.T, dev, fails, recover)
  collectgarbage()
  collectgarbage()
]]

local function hex (text)
  return (text:gsub(".", function (c) return ("%02x"):format(c:byte()) end))
end

return function (kind, fn)
  if kind ~= "host" then
    helper.child_on(kind, CHILD:format(kind, hex(string.dump(fn))))
    return
  end
  local dev = tide.Device(kind)
  local function recover () return dev:reset() == dev end
  local ok, err = xpcall(fn, debug.traceback, tide, helper.T, dev,
                         helper.fails, recover)
  helper.T.lose(dev, 0)
  helper.T.failcall(0)
  tide.Stream.null:use()
  dev:reset()
  assert(ok, err)
end
