--[[
What Lua makes of fetched elements allocates: tables, buffers, complex numbers.
A finalizer that such an allocation ran could reset the device, and the next
element was read from memory that was gone. Now a finalizer resets nothing; and
what it closes has been read, or the call says that it is closed.
]]
local helper = require "spec.support.helper"

-- during(new, fn, check): when a collection in fn(x) tried to reset the device
-- and closed x, check(what fn returned), unless x was closed too soon.
local PRELUDE = [[
  local tide = require "tide"
  local tries
  local function during (new, fn, check)
    local seen = 0
    for _ = 1, 200 do
      local x = new()
      local dev = x.device
      collectgarbage()
      tries = 0
      setmetatable({}, { __gc = function ()
        local ok, err = pcall(dev.reset, dev)
        assert(not ok and err:find("called in a finalizer", 1, true), err)
        x:close()
        tries = tries + 1
      end })
      local ok, result = pcall(fn, x)
      if not ok then
        assert(result:find("array is closed", 1, true), result)
      elseif result ~= "tide.Array (closed)" then
        check(result)
      end
      seen = seen + tries
    end
    assert(seen > 0, "no collection came")
  end
  require "spec.support.collector".incremental(100, 1000, 8)
]]

helper.each_device(function (kind)

describe("a finalizer that closes and resets #process", function ()
  it("while tables are made of elements", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      local function all (value)
        return function (t)
          assert(#t == 3000)
          for i = 1, 3000 do
            local x = type(t[i]) == "table" and t[i][2] or t[i]
            assert(x == value, tostring(x))
          end
        end
      end
      local function totable (x) return x:totable() end
      during(function () return tide.ones{ 3000, 2 } end, totable, all(1))
      during(function () return tide.HostArray{ 3000, 2 }:fill(2) end, totable,
             all(2))
      during(function () return tide.ones(3000, "complex64") end, totable,
             all(tide.complex(1, 0)))
      print "whole"
    ]])
    assert.equal("whole\n", printed)
  end)

  it("while a buffer is made", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      during(function ()
        return tide.HostArray({ 500, 1000 }, "int32"):fill(0x01010101).T
      end, function (x)
        return x:tobytes()
      end, function (bytes)
        assert(bytes == ("\1"):rep(500 * 1000 * 4))
      end)
      print "whole"
    ]])
    assert.equal("whole\n", printed)
  end)

  it("while text is made", function ()
    local printed = helper.child_on(kind, PRELUDE .. [[
      local function new () return tide.ones(1000, "complex64") end
      local wanted = tostring(new())
      local header = wanted:match "^[^\n]+"  -- if it is closed meanwhile
      local i, garbage = 0, nil
      during(new, function (x)
        i = i + 1
        garbage = ("x"):rep(400 * i)
        return tostring(x)
      end, function (text)
        assert(garbage and (text == wanted or text == header), text)
      end)
      print "whole"
    ]])
    assert.equal("whole\n", printed)
  end)
end)

end)

describe("a finalizer that closes and resets #process", function ()
  it("while an array goes from one device to another", function ()
    local printed = helper.child_on("host", PRELUDE .. [[
      local one, two = tide.Device "host:0", tide.Device "host:1"
      one:use()
      tide.with_device(two, function ()
        tide.memory_limit(4096, "pinned")
      end)
      during(function () return tide.ones(300) end, function (x)
        tide.with_device(two, function () tide.HostArray(300) end)
        return x:to(two)  -- which needs the memory that garbage holds
      end, function (y)
        assert(y.device == two and y:sum():item() == 300)
      end)
      print "whole"
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("whole\n", printed)
  end)
end)
