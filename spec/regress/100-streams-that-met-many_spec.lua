--[[
A stream kept, for each other stream of the program, how far it had waited for
that one: 128 KB each where there were 16,000. Now it knows those it met last.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function (kind)

describe("streams that wait for each other", function ()
  it("take no more memory each where there are more #process", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local T, list = tide.T, {}
      local function resident ()
        local file <close> = io.open "/proc/self/statm"
        return 4 * tonumber(file:read("a"):match "%d+ (%d+)")  -- KiB
      end
      for i = 1, 6000 do
        list[i] = tide.Stream{ non_blocking = true }
      end
      local key = T.hold(list[1])
      local before = resident()
      for i = 2, #list do
        list[i]:wait_stream(list[1])
      end
      local grown = resident() - before
      T.release(key)
      print(grown < 100 * 1024 or grown)
    ]])
    assert.equal("true\n", printed)
  end)

  it("are in order, however many one has met", function ()
    T.delays(1, 200)
    local sum, writers = tide.zeros(1, "int64"), {}
    for i = 1, 200 do
      writers[i] = { new(), tide.zeros(1, "int64") }
    end
    local reader = new()
    for round = 1, 5 do
      for i, writer in ipairs(writers) do
        writer[1]:with(function () writer[2]:fill(i * round) end)
      end
      reader:with(function ()
        for _ = 1, 2 do
          for _, writer in ipairs(writers) do
            sum:add_(writer[2])
          end
        end
      end)
    end
    assert.equal(15 * 2 * 200 * 201 // 2, sum:sum():item())
    T.delays(0, 0)
  end)

  it("wait once for each of many that are under way", function ()
    local s, others, arrays, keys = new(), {}, {}, {}
    for i = 1, 12 do
      others[i], arrays[i] = new(), tide.zeros(4)
    end
    tide.get_device():synchronize()
    for i, t in ipairs(others) do
      keys[i] = T.hold(t)
      t:with(function () arrays[i]:fill(i) end)
    end
    local function read ()
      s:with(function ()
        for _, a in ipairs(arrays) do
          local _ <close> = a + 1
        end
      end)
    end
    read()
    assert.equal(0, helper.during("cuStreamWaitEvent", read))
    for _, key in ipairs(keys) do
      T.release(key)
    end
  end)
end)

end)
