--[[
ipc_message_spec.lua - what tide.ipc makes of messages that no tide has sent: an
error, after which the next message comes; or, where they say as much, values.
]]
local helper = require "spec.support.helper"
local other = require "spec.support.partner"
local tide = require "tide"

local fails, T = helper.fails, helper.T
local ipc = tide.ipc

helper.each_device(function ()

after_each(other.clean)

describe("a message that was changed on its way", function ()
  local ours, theirs, message, bytes

  before_each(function ()
    ours, theirs = other.pair()
    local e = tide.Event{ interprocess = true, disable_timing = true }
    ours:send("text", 7, 0.5, nil, true, ipc.array{ { 1, 2 }, { 3, 4 } },
              e:record())
    message, bytes = T.intercept(theirs.fd)
  end)

  after_each(function ()
    ours:close()
    theirs:close()
    ours, theirs, message = nil, nil, nil
    collectgarbage()
  end)

  --- Receives the forged message, then the next one -> the results of recv. A
  -- message that names a missing process is one of a process that has ended.
  local function receive (changed, nfiles)
    T.forge(ours.fd, message, changed, nfiles)
    ours:send "next"
    local got = table.pack(pcall(theirs.recv, theirs))
    if not got[1] then
      assert.matches("^spec/ipc/ipc_message_spec%.lua:%d+: ", got[2])
    end
    for i = 2, got.n do
      pcall(tostring, got[i])  -- looks at the elements
    end
    local dev = tide.get_device()
    while not pcall(dev.synchronize, dev) do end
    assert.equal("next", theirs:recv())
    return got
  end

  local function with_byte (i, x)
    return bytes:sub(1, i - 1) .. string.char(x) .. bytes:sub(i + 1)
  end

  it("is the same, if it was not", function ()
    local got = receive(bytes)
    assert.same({ true, "text", 7, 0.5, nil, true },
                { table.unpack(got, 1, 6) })
    assert.equal(10, got[7]:sum():item())
    got[8]:synchronize()
  end)

  it("is cut off", function ()
    for n = 1, #bytes - 1 do
      local got = receive(bytes:sub(1, n))
      assert.is_false(got[1])
    end
  end)

  it("says something else", function ()
    for i = 1, #bytes do
      local byte = bytes:byte(i)
      for _, x in ipairs{ 0, 1, 0x7f, 0x80, 0xff, byte ~ 1, byte ~ 0x10 } do
        if x ~= byte then
          receive(with_byte(i, x))
        end
      end
    end
  end)

  it("has a file that the driver cannot take", function ()
    local refused = 0
    for i = 1, #bytes do  -- also of the name by which the memory is known here
      T.failcall(1, 999, "cuMemImportFromShareableHandle")
      local got = receive(with_byte(i, bytes:byte(i) ~ 1))
      T.failcall(0)
      if not got[1] and got[2]:find("CUDA_ERROR_UNKNOWN", 1, true) then
        refused = refused + 1
      end
    end
    assert.is_true(refused > 0)
  end)

  it("has more files than tide ever sends", function ()
    for _, n in ipairs{ 200, 201, 253 } do
      receive(bytes, n)
      assert.is_false(receive("garbage", n)[1])
    end
  end)

  it("has lost its files, or has others", function ()
    for n = 0, 2 do assert.is_false(receive(bytes, n)[1]) end
    ours:send(1)
    local _, plain = T.intercept(theirs.fd)
    assert.is_true(receive(plain)[1])
    ours:send(ipc.zeros(1))
    local another = T.intercept(theirs.fd)
    T.forge(ours.fd, another, bytes)
    ours:send "next"
    fails("connection:recv: a message without its files", theirs.recv, theirs)
    assert.equal("next", theirs:recv())
  end)
end)

end)
