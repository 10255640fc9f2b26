--[[
h:fill and h:totable wait until their HostArray is free, and then go through it.
A function or a finalizer that ran in between, or while tables were made, could
queue a copy to it: half of that was seen, or written over.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local N = 1 << 16

local function uniform (t, what)
  for i = 2, #t do
    if t[i] ~= t[1] then
      error(("%s: %s at 1, %s at %d"):format(what, t[1], t[i], i))
    end
  end
  return t[1]
end

describe("a HostArray that is used by the host", function ()
  it("is as one copy left it, whatever functions queue", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local h = tide.HostArray(N, "int32")
    local arrays = { tide.full(N, 1, "int32"), tide.full(N, 2, "int32") }
    h:fill(0)
    for round = 1, 60 do
      local a = arrays[round % 2 + 1]
      s:launch_host_func(function ()
        h:copy_from(a)
      end)
      tide.poll()
      local x = uniform(h:totable(), "totable")
      assert.is_true(x >= 0 and x <= 3)
      s:launch_host_func(function () h:copy_from(a) end)
      h:fill(3)
      x = uniform(h:totable(), "fill")
      assert.is_true(x >= 1 and x <= 3)
      s:synchronize()
    end
  end)

  it("is as one copy left it, whatever finalizers queue #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local N = 1 << 16
      local h = tide.HostArray({ N // 16, 16 }, "int32")
      local arrays = { tide.full({ N // 16, 16 }, 1, "int32"),
                       tide.full({ N // 16, 16 }, 2, "int32") }
      local i, queued = 0, 0
      local function arm ()
        setmetatable({}, { __gc = function ()
          i = i + 1
          h:copy_from(arrays[i % 2 + 1])
          queued = queued + 1
          arm()
        end })
      end
      h:fill(0)
      arm()
      require "spec.support.collector".incremental(120, 400, 11)
      for _ = 1, 8 do
        local t = h:totable()
        for _, row in ipairs(t) do
          for k = 1, 16 do
            assert(row[k] == t[1][1], "torn: totable")
          end
        end
        local bytes = h.T:tobytes()
        assert(bytes == bytes:sub(1, 4):rep(N), "torn: tobytes")
        h:fill(3)
      end
      print(queued > 10)
    ]])
    assert.equal("true\n", printed)
  end)
end)

end)
