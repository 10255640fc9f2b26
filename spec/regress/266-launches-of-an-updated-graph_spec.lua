--[[
266: a graph that was updated from another one shares that one's host functions,
and with them the gates. The launch of the other that was still under way was
forgotten, for a later one of the updated graph: launches overlapped, and a
function that ran for the one was taken for the other's, whose stream counted as
done, or was gone with both graphs before its turn.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local T = helper.T

helper.each_device(function ()

describe("a graph that was updated from one that is under way", function ()
  local held, key, a, b, ran, streams

  before_each(function () ran, streams = {}, {} end)

  after_each(function ()
    for _, s in ipairs(streams) do s:close() end
    a, b, held, streams = nil, nil, nil, nil
    collectgarbage()
  end)

  local function new_stream ()
    streams[#streams + 1] = tide.Stream{ non_blocking = true }
    return streams[#streams]
  end

  local function graph_of (name)
    return tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        ran[#ran + 1] = name
      end)
    end)
  end

  --- b under way behind 'held', then a done and updated from b.
  local function prepare (before)
    a, b = graph_of "a", graph_of "b"
    held = new_stream()
    tide.get_device():synchronize()
    key = T.hold(held)
    if before then held:with(before) end
    b:launch(held)
    a:launch(new_stream()):await()
    assert.is_true(a:update(b))
  end

  it("is launched behind that", function ()
    local x = tide.zeros(64, "int64")
    prepare(function () x:add_(1) end)
    a:launch(new_stream())
    for _ = 1, 20 do
      tide.poll()
      tide.sleep(1e-3)
    end
    assert.same({ "a" }, ran)
    new_stream():with(function () x:mul_(10) end)
    T.release(key)
    tide.get_device():synchronize()
    assert.equal(10, x[1])
    assert.same({ "a", "b", "b" }, ran)
  end)

  it("may be closed before that has run", function ()
    prepare()
    a:close()
    b:close()
    a, b = nil, nil
    for _ = 1, 4 do
      collectgarbage()
      tide.poll()
    end
    T.release(key)
    tide.get_device():synchronize()
    assert.same({ "a", "b" }, ran)
  end)
end)

end)
