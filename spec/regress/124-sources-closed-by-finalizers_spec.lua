--[[
h:to(dev) asked for memory, a finalizer that this ran closed the HostArray, and
the copy was made from where it had been. The same for the other ways of memory
from and to a device.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

local MB = 1 << 20

-- Garbage whose finalizer closes 'x', and memory that is garbage, under a limit
-- that leaves no other.
local function trap (x, kind)
  tide.get_device():synchronize()
  tide.trim()
  collectgarbage()
  collectgarbage "stop"
  setmetatable({}, { __gc = function () x:close() tide.trim() end })
  if kind then
    tide.HostArray(MB, "uint8")
  else
    tide.empty(MB, "uint8")
  end
  tide.memory_limit(tide.memory_stats(kind).reserved, kind)
end

after_each(function ()
  collectgarbage "restart"
  tide.memory_limit(0)
  tide.memory_limit(0, "pinned")
end)

for name, case in pairs{
  to = { function () return tide.HostArray(MB, "uint8") end,
         function (h) return h:to(tide.get_device()) end },
  array = { function () return tide.HostArray(MB, "uint8") end,
            function (h) return tide.array(h) end },
  copy = { function () return tide.ones(MB, "uint8") end,
           function (a) return a:copy() end },
  ["tohost"] = { function () return tide.ones(MB, "uint8") end,
                 function (a) return a:tohost() end, "pinned" },
  ["tobytes"] = { function () return tide.ones(MB, "uint8") end,
                  function (a) return a:tobytes() end, "pinned" },
  ["totable"] = { function () return tide.ones(MB, "uint8") end,
                  function (a) return a:totable() end, "pinned" },
  ["copy_from"] = { function () return tide.zeros(20000, "uint8") end,
                    function (a) a:copy_from(("x"):rep(20000)) end, "pinned" },
  ["reshape"] = { function () return tide.ones({ 1024, 1024 }, "uint8").T end,
                  function (a) return a:reshape{ MB } end },
} do
  it("a source, or a target, of " .. name, function ()
    local new, use, kind = table.unpack(case)
    local x = new()
    trap(x, kind)
    for _ = 1, 3 do
      local ok, message = pcall(use, x)
      assert.is_true(ok or message:find("array is closed", 1, true) ~= nil or
                     message:find("OUT_OF_MEMORY", 1, true) ~= nil, message)
    end
  end)
end

end)

it("a source on another device #process", function ()
  local printed = helper.child_on("host", [[
    local tide = require "tide"
    local one, two = tide.Device "host:0", tide.Device "host:1"
    local function try (n, new, kind, scarce)
      one:use()
      tide.trim()
      local x = new(n, "uint8")
      scarce:use()
      collectgarbage()
      tide.trim()
      collectgarbage "stop"
      setmetatable({}, { __gc = function ()
        x:close()
        one:use()
        tide.trim()
      end })
      if kind then
        tide.HostArray(n, "uint8")
      else
        tide.empty(n, "uint8")
      end
      tide.memory_limit(tide.memory_stats(kind).reserved, kind)
      two:use()
      local ok, y = pcall(x.to, x, two)
      assert(ok or y:find("array is closed", 1, true), y)
      collectgarbage "restart"
      scarce:use()
      tide.memory_limit(0, kind)
      assert(not ok or y:max():item() < 2)
    end
    for _, n in ipairs{ 1000, 1 << 20 } do
      for _, new in ipairs{ tide.HostArray, tide.ones } do
        try(n, new, nil, two)
        try(n, new, "pinned", two)
        try(n, new, "pinned", one)
      end
    end
    print "done"
  ]], { TIDE_HOST_DEVICES = "2" })
  assert.equal("done\n", printed)
end)
