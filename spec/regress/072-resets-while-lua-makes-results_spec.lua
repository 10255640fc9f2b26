--[[
What Lua makes of fetched elements allocates: tables, buffers, complex numbers.
A finalizer that such an allocation ran could reset the device, and the next
element was read from memory that was gone.
]]
local helper = require "spec.helper"

-- arm(dev): the next collection resets it. try(fn): how fn fails once one has
-- come while it ran.
local PRELUDE = [[
  local tide = require "tide"
  local resets = 0
  local function arm (dev)
    setmetatable({}, { __gc = function ()
      resets = resets + (pcall(dev.reset, dev) and 1 or 0)
    end })
  end
  local function try (dev, new, fn)
    for _ = 1, 10 do
      local x = new()
      collectgarbage()
      arm(dev)
      local before = resets
      local ok, err = pcall(fn, x)
      local during = resets > before
      collectgarbage()
      if during and not ok then return err:match "[^:]*$" end
      if during then return "done" end
    end
    return "no collection"
  end
  collectgarbage("incremental", 100, 1000, 8)
]]

helper.each_device(function (kind)

describe("a reset by a finalizer #process", function ()
  it("while tables are made of elements", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      local dev = tide.get_device()
      print(try(dev, function () return tide.ones{ 3000, 2 } end,
                function (x) return x:totable() end))
      print(try(dev, function () return tide.HostArray{ 3000, 2 } end,
                function (x) return x:totable() end))
      print(try(dev, function () return tide.ones(3000, "complex64") end,
                function (x) return x:totable() end))
    ]])
    assert.equal((" device was reset\n"):rep(3), printed)
  end)

  it("while a buffer is made", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      print(try(tide.get_device(),
                function () return tide.HostArray{ 500, 1000 }.T end,
                function (x) return x:tobytes() end))
    ]])
    assert.equal(" device was reset\n", printed)
  end)

  it("while text is made", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      collectgarbage "generational"
      local garbage
      for i = 1, 100 do  -- which begins sooner or later, seen from the values
        local how = try(tide.get_device(), function ()
          return tide.ones(1000, "complex64")
        end, function (x)
          garbage = ("x"):rep(400 * i)
          local text = tostring(x)
          if #text > 4000 then error(": in the values", 0) end
          assert(text:find "^tide.Array")
        end)
        if how ~= "done" then return print(how) end
      end
    ]])
    assert.equal(" in the values\n", printed)
  end)
end)

end)

describe("a reset of the one device by a finalizer #process", function ()
  it("while an array of it goes to another one", function ()
    local printed = helper.child_on("host", PRELUDE .. [[
      local one, two = tide.Device "host:0", tide.Device "host:1"
      tide.with_device(two, function ()
        tide.memory_limit(4096, "pinned")
      end)
      print(try(one, function () return tide.ones(300) end, function (x)
        collectgarbage "stop"  -- but for the memory that garbage holds
        tide.with_device(two, function () tide.HostArray(300) end)
        local ok, err = pcall(x.to, x, two)
        collectgarbage "restart"
        assert(ok, err)
      end))
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal(" device was reset\n", printed)
  end)
end)
