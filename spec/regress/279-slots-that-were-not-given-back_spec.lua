--[[
What is read into a GPU's memory goes through slots, and the stream says of each
when it is free again. If a call of the driver failed in the last piece of a
read, that was not said, and the lane was believed all the same: after two such
reads the third waited for a slot that nobody would give back, and its stream
for the third. Only one such read at a time had been tried on the host device.
A piece that was copied from memory to its slot, but not told to the threads,
counted as not begun: the memory could go while it was being copied.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

local BYTES <const> = 4096

helper.each_device(function ()

describe("transfers whose calls fail in a row", function ()
  local path, f, s

  before_each(function ()
    path = os.tmpname()
    local file <close> = assert(io.open(path, "wb"))
    assert(file:write(("x"):rep(BYTES)))
    f, s = tide.open(path, "r+"), tide.Stream{ non_blocking = true }
    T.slots(true)
  end)

  after_each(function ()
    T.failcall(0)
    T.slots(false)
    f:close()
    s:close()
    os.remove(path)
  end)

  for _, name in ipairs{ "cuMemcpyAsync", "cuStreamWriteValue32",
                         "cuStreamWaitValue32" } do
    for _, method in ipairs{ "read", "write" } do
      it(("leave their stream working: %s, %s"):format(method, name),
         function ()
        local a = s:with(function () return tide.full(BYTES, 0x79, "uint8") end)
        s:synchronize()
        for _ = 1, 6 do
          T.failcall(1, 999, name)
          local ok, err = pcall(s.with, s, function () f[method](f, a) end)
          local failed = T.failed()
          T.failcall(0)
          assert(ok == (failed == nil), err)
        end
        s:with(function () f[method](f, a) end)
        assert.is_true(s:await(10))
        assert.equal(method == "read" and 0x78 or 0x79, a[1])
        assert.equal(method == "read" and "x" or "y",
                     assert(io.open(path)):read(1))
      end)
    end
  end

  it("are waited for by what writes the memory that is being copied",
     function ()
    local t <close> = tide.Stream{ non_blocking = true }
    local a = s:with(function () return tide.full(BYTES, 0x79, "uint8") end)
    s:synchronize()
    local key = T.hold(s)
    T.failcall(1, 999, "cuStreamWriteValue32")
    local ok = pcall(s.with, s, function () f:write(a) end)
    T.failcall(0)
    t:with(function () a:fill(0) end)
    local early = t:await(0.05)
    T.release(key)
    assert.is_false(ok)
    assert.is_nil(early)
    assert.is_true(t:await(10))
  end)
end)

end)
