--[[
An event that the driver could not be asked about, once, was taken for one that
had passed: a graph that was dropped went while it ran, and so did the gates of
its host functions.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

local function collect ()
  collectgarbage()
  collectgarbage()
  tide.poll()
end

--- held(fn) -> what fn() returns while a stream is held, which it gets.
local function held (fn)
  local s = tide.Stream{ non_blocking = true }
  local key = T.hold(s)
  local ok, result = pcall(fn, s)
  T.release(key)
  s:synchronize()
  assert(ok, result)
  return result
end

describe("a query that fails once", function ()
  it("ends no graph that is under way", function ()
    local a = tide.zeros(4)
    local g = tide.capture(function () a:add_(1) end)
    tide.get_device():synchronize()
    local graphs = T.live().graphs
    held(function (s)
      g:launch(s)
      g:close()
      T.failcall(1, 999, "cuEventQuery")
      collect()
      assert.equal("cuEventQuery", T.failed())
      T.failcall(0)
      assert.equal(graphs, T.live().graphs)
    end)
    collect()
    assert.equal(graphs - 1, T.live().graphs)
    assert.equal(1, a[4])
  end)

  it("ends no code that is under way", function ()
    if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
      return  -- no NVRTC
    end
    local a = tide.zeros(4)
    local function add () return tide.fuse(function (x) return x + 3 end) end
    add()(a)
    tide.get_device():synchronize()
    collect()
    local codes = T.kept().codes
    held(function (s)
      s:with(function () add()(a) end)
      collect()
      T.failcall(1, 999, "cuEventQuery")
      tide.poll()
      T.failcall(0)
      assert.equal(codes + 1, T.kept().codes)
    end)
    collect()
    assert.equal(codes, T.kept().codes)
  end)
end)

end)
