--[[
034: a copy between views of one array that overlap was one driver copy, of
which CUDA says nothing where source and destination overlap.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local N, BY = 100000, 7

local function check (get)
  for i = 1, N, 997 do
    assert.equal(i > BY and i - BY or i, get(i))
  end
  assert.equal(N - BY, get(N))
end

helper.each_device(function ()

describe("overlapping views are copied as if apart:", function ()
  it("up", function ()
    local a = tide.arange(1, N + 1)
    a[{ { BY + 1, -1 } }] = a[{ { 1, N - BY } }]
    local t = a:totable()
    check(function (i) return t[i] end)
  end)

  it("down", function ()
    local a = tide.arange(1, N + 1)
    a:slice(1, N - BY):copy_from(a:slice(BY + 1))
    assert.equal(1 + BY, a[1])
    assert.equal(N, a[N - BY])
    assert.equal(N, a[N])
    assert.equal(N - BY + 1, a[N - BY + 1])
  end)

  it("in page-locked memory", function ()
    local h = tide.arange(1, N + 1):tohost()
    h[{ { BY + 1, -1 } }]:copy_from(h[{ { 1, N - BY } }])
    check(function (i) return h[i] end)
  end)

  it("in a graph", function ()
    local a = tide.arange(1, N + 1)
    local g <close> = tide.capture(function ()
      a:slice(BY + 1):copy_from(a:slice(1, N - BY))
    end)
    g:launch()
    local t = a:totable()
    check(function (i) return t[i] end)
    g:launch()
    assert.equal(N - 2 * BY, a[N])
  end)
end)

it("a copy to the same place is none", function ()
  local a = tide.arange(5)
  local calls = helper.during("cuMemcpyAsync", function ()
    assert.equal(a, a:copy_from(a))
    a[{ { 2, 3 } }] = a[{ { 2, 3 } }]
  end)
  assert.equal(0, calls)
  assert.same({ 0, 1, 2, 3, 4 }, a:totable())
end)

end)
