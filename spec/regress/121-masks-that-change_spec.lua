--[[
mask counted what is true, waited for the number, and then read the mask anew
for the copy: a host function that ran in that wait could make more of it true,
and the copy went beyond the result.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local N = 1 << 20

--- What a:mask(m) gives when change() runs while it waits: by a function of the
-- stream that it is queued on, or of another one.
local function masked (a, m, change, other)
  local s <close> = tide.Stream{ non_blocking = true }
  local t <close> = tide.Stream{ non_blocking = true }
  local ran = false
  tide.get_device():synchronize();
  (other and t or s):launch_host_func(function ()
    ran = true
    change()
  end)
  local result = s:with(function () return a:mask(m) end)
  t:synchronize()
  assert.is_true(ran)
  return result
end

describe("a mask that changes while it is counted", function ()
  for how, other in pairs{ ["of its stream"] = false,
                           ["of another stream"] = true } do
    it("is read once, with a function " .. how, function ()
      local a, m = tide.arange(N), tide.zeros(N, "bool")
      m:slice(1, 10):fill(true)
      local z = masked(a, m, function () m:fill(true) end, other)
      assert.is_true(z.size == N or z.size == 10)
      assert.equal(z.size * (z.size - 1) // 2, z:sum():item())
    end)

    it("or has become less, with a function " .. how, function ()
      local a, m = tide.arange(N), tide.ones(N, "bool")
      local z = masked(a, m, function () m:slice(11, N):fill(false) end, other)
      assert.is_true(z.size == N or z.size == 10)
      assert.equal(z.size * (z.size - 1) // 2, z:sum():item())
    end)
  end

  it("or is closed", function ()
    local a, m = tide.arange(N), tide.ones(N, "bool")
    helper.fails("array is closed", masked, a, m, function () m:close() end)
    m = tide.ones(N, "bool")
    helper.fails("array is closed", masked, a, m, function () a:close() end)
  end)

  it("rows of an array follow it too", function ()
    local a, m = tide.arange(3 * N):reshape{ N, 3 }, tide.ones(N, "bool")
    local z = masked(a, m, function () m:slice(2, N):fill(false) end, true)
    assert.is_true(z.shape[1] == N or z.shape[1] == 1)
    assert.same({ 0, 1, 2 }, z[1]:totable())
  end)
end)

end)
