--[[
endless_spec.lua - programs that queue without end, by themselves or in host
functions: waits end all the same, and memory stays what it was.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local new = helper.new_stream

helper.each_device(function (kind)

describe("a host function that queues itself again #process", function ()
  it("lets calls end that wait before their last operation (#164)", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local s, a = tide.Stream{ non_blocking = true }, tide.ones(1000)
      local path, big = os.tmpname(), tide.ones(1 << 21)
      for _, work in ipairs{ function () end, function () a:add_(1) end } do
        local on = true
        local function tick ()
          if not on then return end
          s:launch_host_func(tick)
          s:with(work)
        end
        tick()
        for _, call in ipairs{
          function () s:with(function () return a:mask(a:gt(5)) end) end,
          function ()
            s:with(function () tide.save(path .. ".npy", big) end)
          end,
          function () tide.capture(function () return tide.zeros(3) + 1 end) end
        } do
          local ok, err = pcall(call)
          assert(ok or err:find("CUDA_ERROR_NOT_PERMITTED", 1, true), err)
        end
        on = false
        s:synchronize()
      end
      os.remove(path)
      os.remove(path .. ".npy")
      local g, z = tide.capture(function () return tide.zeros(3) + 1 end)
      g:launch()
      assert(z[1] == 1)
    ]])
  end)

  it("is not stopped at the end where a file has its results", function ()
    local path = os.tmpname()
    helper.child_on(kind, ([[
      local tide = require "tide"
      local wave = tide.fuse(function (v) return (v * 0.001):sin() ^ 2 + 1 end)
      tide.open(%q, "w"):write(wave(tide.arange(2000000, "float64")))
    ]]):format(path))
    local read, f = tide.zeros(2000000), tide.open(path)
    f:read(read)
    os.remove(path)
    assert.is_true(read:min():item() >= 1)
    f:close()
  end)

  local COPIES <const> = [[
    local tide = require "tide"
    local s, n = tide.Stream{ non_blocking = true }, 0
    local a, h = tide.ones(10), tide.HostArray(10)
    local on = true
    local function again ()
      n = n + 1
      if on then
        s:launch_host_func(again)
        s:with(function () h:copy_from(a) a:add_(1) end)
      end
    end
  ]]

  for call, what in pairs{
    ["h[1]"] = "hostarray index", ["h:totable()"] = "hostarray:totable",
    ["h:fill(3)"] = "hostarray:fill", ["h:to_dlpack()"] = "to_dlpack"
  } do
    it("and a copy lets " .. call .. " end with an error (#252)", function ()
      helper.child_on(kind, COPIES .. ([[
        again()
        local ok, why = pcall(function () return %s end)
        on = false
        assert(not ok and why:find("%s: CUDA_ERROR_NOT_PERMITTED", 1, true) and
               why:find "host functions or finalizers keep queueing", why)
        assert(n > 10000 and n < 10100, n)
        s:synchronize()
        assert(h[1] == n - 1, h[1])
      ]]):format(call, what))
    end)
  end

  it("is unlike very many that were queued before", function ()
    helper.child_on(kind, COPIES .. [[
      on = false
      for i = 1, 15000 do
        s:launch_host_func(again)
      end
      s:with(function () h:copy_from(a) end)
      assert(h[1] == 1 and n == 15000)
    ]])
  end)
end)

it("very many host functions run in their order (#175) #collector", function ()
  local s <close> = new()
  local t <close> = new()
  local n, last = 0, 0
  for i = 1, 60000 do
    (i % 3 == 0 and s or t):launch_host_func(function (k)
      n, last = n + 1, k
    end, i)
  end
  s:synchronize()
  t:synchronize()
  assert.same({ 60000, 60000 }, { n, last })
end)

local function resident ()
  local file <close> = io.open "/proc/self/statm"
  local pages = file and file:read "a":match "^%d+ (%d+)"
  return pages and tonumber(pages) * 4096
end

-- Sanitizers keep what is freed.
if helper.variant ~= "testing" or not resident() then return end

describe("a program that queues faster than the device works", function ()
  local OPERATIONS <const> = 20000

  local function check (each, queue)
    local x = tide.zeros(100000)
    local function add () x:add_(1) end
    queue(add)
    tide.get_device():synchronize()
    local before = resident()
    for _ = 2, OPERATIONS // each do queue(add) end
    local grown = resident() - before
    assert.equal(OPERATIONS, x[1])
    assert.is_true(grown < 8 << 20, grown)
  end

  it("does not run ahead without end, by operations or graphs (#168)",
     function ()
    check(1, function (add) add() end)
    local g
    check(4, function (add)
      g = g or tide.capture(function () for _ = 1, 4 do add() end end)
      g:launch()
    end)
    g:close()
  end)
end)

end)
