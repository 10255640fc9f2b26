--[[
Memory for a result is looked for after the operands were checked. That runs
finalizers and host functions, and these may close an operand: then there was a
crash, or the result was written over it. The same of what a HostArray is read
or written through, once the wait is over.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local MB = 1 << 20

helper.each_device(function ()

before_each(function ()
  collectgarbage()
  collectgarbage()
  tide.get_device():synchronize()
  tide.trim()
end)

after_each(function ()
  collectgarbage "restart"
  tide.memory_limit(0)
end)

--- trap(a): garbage whose finalizer closes 'a'.
local function trap (a)
  collectgarbage "stop"
  local function close () a:close() end
  assert.is_table(setmetatable({}, { __gc = close }))
end

--- A limit that leaves room for nothing else until 'x' is closed.
local function crowd (x)
  assert.equal(MB, x.nbytes)
  tide.get_device():synchronize()
  tide.trim()
  tide.memory_limit(tide.memory_stats().reserved)
  trap(x)
end

for name, operate in pairs{
  ["x + x"] = function (x) return x + x end,
  ["x + 1.5"] = function (x) return x + 1.5 end,
  ["-x"] = function (x) return -x end,
  copy = function (x) return x:copy() end,
  astype = function (x) return x:astype "int32" end,
} do
  it("an operand: " .. name, function ()
    local x = tide.ones(MB // 4, "float32")
    crowd(x)
    fails("array is closed", operate, x)
    fails("array is closed", operate, x)
  end)
end

it("an array that is being reduced", function ()
  local x = tide.ones(MB // 4, "float32")
  crowd(x)
  fails("closed", x.sum, x)
end)

it("an array that is being read", function ()
  local x = tide.ones(MB // 4, "float32")
  tide.trim()
  tide.memory_limit(MB, "pinned")
  trap(x)
  assert.equal(MB, #tide.HostArray(MB, "uint8"))  -- garbage now
  fails("array is closed", x.tobytes, x)
  tide.memory_limit(0, "pinned")
end)

it("a HostArray that is waited for", function ()
  for name, use in pairs{
    index = function (h) return h[1] end,
    newindex = function (h) h[1] = 1 end,
    fill = function (h) h:fill(2) end,
    set = function (h) h:set(("x"):rep(64)) end,
    totable = function (h) return h:totable() end,
    item = function (h) return h:item() end,
  } do
    local s <close> = tide.Stream{ non_blocking = true }
    local n = (name == "item") and 1 or 8
    local h, x = tide.HostArray(n), tide.ones(n)
    s:wait_stream(tide.Stream.null)
    s:launch_host_func(function () h:close() end)
    s:with(function () x:tohost{ out = h, blocking = false } end)
    fails("array is closed", use, h)
  end
end)

end)
