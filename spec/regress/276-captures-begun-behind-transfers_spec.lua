--[[
Under debug_sync host functions run in the wait behind an operation. What a
transfer, or a kernel, finds wrong was noted only after that wait, by what the
stream was then: one that a function had made capture was taken for an operation
of a graph. Nobody was told of the error, and the transfer kept its file open
for ever; so did the later parts of a long one, whose first part was noted no
more once it was done.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, T = helper.fails, helper.T

local BYTES <const> = 4096
local LONG <const> = 6 << 20

helper.each_device(function ()

describe("a transfer under debug_sync", function ()
  local path, f, s

  local function fill (bytes)
    local file <close> = assert(io.open(path, "wb"))
    assert(file:write(("x"):rep(bytes)))
  end

  before_each(function ()
    path = os.tmpname()
    fill(BYTES)
    f, s = tide.open(path), tide.Stream{ non_blocking = true }
  end)

  after_each(function ()
    tide.debug_sync(false)
    T.slots(false)
    tide.memory_limit(0, "pinned")
    f:close()
    s:close()
    os.remove(path)
  end)

  --- Calls fn on s, which is held until its wait runs a host function: that
  -- calls 'inside', and has s capture.
  local function capturing (fn, inside)
    local other <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    other:launch_host_func(function ()
      inside()
      T.release(key)
      s:begin_capture "relaxed"
    end)
    tide.debug_sync(true)
    local ok, message = pcall(s.with, s, fn)
    tide.debug_sync(false)
    assert.is_true(s:is_capturing())
    s:end_capture():close()
    assert(ok, message)
  end

  local function no_transfers ()
    collectgarbage()
    tide.get_device():synchronize()
    return T.held().transfers == 0
  end

  it("ends, if its stream captures by then", function ()
    local a <close> = tide.zeros(BYTES, "uint8")
    capturing(function () f:read(a, 0) end, function () end)
    assert.is_true(no_transfers())
    assert.equal(BYTES * ("x"):byte(), a:sum():item())
  end)

  -- on a GPU a thread has read it by then: it needs no stream
  helper.host_it("tells what went wrong, if its stream captures by then",
                 function ()
    local a <close> = tide.zeros(BYTES, "uint8")
    fails("ended at byte 0", capturing, function () f:read(a, 0) end,
          function () fill(0) end)
    assert.is_true(no_transfers())
  end)

  it("ends, if it takes several operations", function ()
    fill(LONG)
    local a <close> = tide.zeros(LONG, "uint8")
    T.slots(true)
    tide.trim()
    tide.memory_limit(256 << 10, "pinned")
    tide.debug_sync(true)
    f:read(a, 0)
    tide.debug_sync(false)
    assert.is_true(no_transfers())
    assert.equal(LONG * ("x"):byte(), a:sum():item())
  end)
end)

end)
