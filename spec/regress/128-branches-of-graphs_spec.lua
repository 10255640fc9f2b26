--[[
A host function in one branch of a graph read page-locked memory that a copy in
another branch writes: before the copy, or after it, as it happened. Now the
function comes after all that was captured before it, on all branches.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local N = 1 << 16
local new = helper.new_stream

--- A graph: 'a' to 'h' on one branch, use(h) in a host function of another one;
-- 'how' says what comes first, if anything does.
local function make (a, h, use, how)
  local s <close> = new()
  local t <close> = new()
  s:begin_capture()
  t:wait_stream(s)
  local function copy ()
    s:with(function () a:add_(1) h:copy_from(a) end)
  end
  local function call () t:launch_host_func(use) end
  if how == "function first" then
    call()
    s:wait_stream(t)
    copy()
  else
    copy()
    if how == "copy first" then
      t:wait_stream(s)
    end
    call()
  end
  s:wait_stream(t)
  return s:end_capture()
end

describe("a host function in a branch of a graph", function ()
  for name, use in pairs{ writes = function (h) h[N] = -h[N] end,
                          fills = function (h) h:fill(-h[N]) end } do
    it(name .. " what another branch has written before", function ()
      local a, h = tide.zeros(N, "int64"), tide.HostArray(N, "int64")
      local n = 0
      local g <close> = make(a, h, function ()
        n = n + 1
        use(h)
      end)
      for i = 1, 20 do
        g:launch()
        tide.Stream.null:synchronize()
        assert.same({ i, -i }, { n, h[N] })
      end
    end)
  end

  for _, how in ipairs{ "as it is", "copy first" } do
    it("reads what was copied before, in the graph: " .. how, function ()
      local a, h = tide.zeros(N, "int64"), tide.HostArray(N, "int64")
      local seen = {}
      local g <close> = make(a, h, function ()
        seen[#seen + 1] = h[N]
      end, how)
      for _ = 1, 20 do
        g:launch()
      end
      tide.Stream.null:synchronize()
      for i = 1, 20 do
        assert.equal(i, seen[i])
      end
    end)
  end

  it("writes what is copied to after it, in the graph", function ()
    local a, h = tide.zeros(N, "int64"), tide.HostArray(N, "int64")
    local before = {}
    local g <close> = make(a, h, function ()
      before[#before + 1] = h[N]
      h:fill(1000)
    end, "function first")
    for i = 1, 20 do
      g:launch()
      tide.Stream.null:synchronize()
      assert.equal(i, h[1])
    end
    for i = 1, 20 do
      assert.equal(i - 1, before[i])
    end
  end)

  it("fills what a later copy of its branch takes", function ()
    local a, h = tide.zeros(4, "int64"), tide.HostArray(4, "int64")
    local n = 0
    local g <close> = tide.capture(function ()
      tide.get_current_stream():launch_host_func(function ()
        n = n + 1
        h:fill(n)
      end)
      a:copy_from(h)
    end)
    for i = 1, 20 do
      g:launch()
      assert.equal(4 * i, a:sum():item())
    end
  end)
end)

end)
