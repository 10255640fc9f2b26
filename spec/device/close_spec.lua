--[[
close_spec.lua - the end of an object, the same for every class: close() is
strict, what Lua calls by itself (__close, __gc) is silent, and a closed object
takes part in nothing any more.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

-- class -> how an object is made, and what messages call it.
local CLASSES = {
  Stream = { "stream", new },
  Event = { "event", function () return tide.Event() end },
  Graph = { "graph", function () return (tide.capture(function () end)) end },
  Array = { "array", function () return tide.ones(4) end },
  HostArray = { "array", function () return tide.HostArray(4) end },
  File = { "file", function () return tide.open "/proc/self/exe" end },
  Scope = { "scope", function () return tide.Stream.null:scope() end },
}

-- Asking for these is no use of the object.
local HARMLESS = { ["Stream.from_external"] = true }

--- members(object) -> the names of its methods, the names of its fields.
local function members (object)
  local index = debug.getmetatable(object).__index
  local lists = {}
  for i = 2, 3 do
    local _, names = debug.getupvalue(index, i)
    lists[i] = {}
    for name in pairs(names) do
      table.insert(lists[i], name)
    end
    table.sort(lists[i])
  end
  return lists[2], lists[3]
end

local function get (object, name)
  return object[name]
end

helper.each_device(function ()

for class, entry in pairs(CLASSES) do
  local called, make = table.unpack(entry)
  local message = called .. " is closed"

  describe("a " .. class, function ()
    it("has close, and it returns nothing", function ()
      local x = make()
      assert.is_nil(tostring(x):find("closed", 1, true))
      assert.equal(0, select("#", x:close()))
      assert.is_truthy(tostring(x):find("^tide." .. class .. ".*closed"))
    end)

    it("raises when it is closed a second time", function ()
      local x = make()
      x:close()
      fails(message, x.close, x)
      fails(message, x.close, x)
    end)

    it("ends silently, as often as Lua likes", function ()
      local x = make()
      local meta = debug.getmetatable(x)
      for _ = 1, 3 do
        meta.__close(x)
        if meta.__gc then meta.__gc(x) end
      end
      fails(message, x.close, x)
      local y <close> = make()
      y:close()
    end)

    it("ends nothing but its own kind", function ()
      local x <close> = make()
      local meta = debug.getmetatable(x)
      for _, wrong in ipairs{ 1, "x", {}, io.stdout, tide.get_device() } do
        for _, name in ipairs{ "__close", "__gc" } do
          if meta[name] then
            fails("tide." .. (called == "array" and "Array" or class) ..
                  " expected", meta[name], wrong)
          end
        end
      end
      assert.is_nil(tostring(x):find("closed", 1, true))
    end)

    it("raises for any use after its close", function ()
      local x = make()
      x:close()
      local methods, fields = members(x)
      for _, name in ipairs(methods) do
        if not HARMLESS[class .. "." .. name] then
          fails(message, x[name], x)
        end
      end
      for _, name in ipairs(fields) do
        fails(message, get, x, name)
      end
      if debug.getmetatable(x).__len then
        fails(message, function () return #x end)
      end
    end)

    it("may be closed where it ends anyway", function ()
      local x
      do
        local y <close> = make()
        x = y
      end
      fails(message, x.close, x)
    end)
  end)
end

describe("a closed", function ()
  it("stream is refused as an argument, and equals nothing", function ()
    local s <close> = new()
    local t = new()
    t:close()
    fails("stream is closed", s.wait_stream, s, t)
    fails("stream is closed", tide.with_stream, t, print)
    local e <close> = tide.Event()
    fails("stream is closed", e.record, e, t)
    local g <close> = tide.capture(function () end)
    fails("stream is closed", g.launch, g, t)
    fails("stream is closed", g.upload, g, t)
    assert.is_false(s == t)
    local u = new()
    u:close()
    assert.is_false(t == u)
  end)

  it("event is refused as an argument", function ()
    local s <close> = new()
    local e = tide.Event()
    local f <close> = s:record()
    f:synchronize()
    e:close()
    fails("event is closed", s.wait_event, s, e)
    fails("event is closed", s.record, s, e)
    fails("event is closed", tide.get_elapsed_time, e, f)
    fails("event is closed", tide.get_elapsed_time, f, e)
  end)

  it("array is refused as an operand and as the result", function ()
    local a, b = tide.ones(4), tide.ones(4)
    b:close()
    fails("array is closed", a.add, a, b)
    fails("array is closed", a.add_, a, b)
    fails("array is closed", a.copy_from, a, b)
    fails("array is closed", function () return a + b end)
    fails("array is closed", function () return b + a end)
    fails("array is closed", function () return -b end)
    fails("array is closed", function () b[1] = 2 end)
    fails("array is closed", function () return b[1] end)
    assert.equal(4.0, a:sum():item())
  end)

  it("view leaves the array it is of alone, and the other way", function ()
    local a = tide.ones(4)
    local v, w = a:slice(1, 2), a:slice(3, 4)
    v:close()
    assert.equal(4.0, a:sum():item())
    a:close()
    assert.equal(2.0, w:sum():item())
    fails("array is closed", v.item, v)
  end)
end)

describe("a default stream", function ()
  it("cannot be closed, and outlives a <close> variable", function ()
    for _, name in ipairs{ "null", "ptds" } do
      local singleton = tide.Stream[name]
      do
        local s <close> = singleton
        fails("a default stream cannot be closed", s.close, s)
      end
      debug.getmetatable(singleton).__gc(singleton)
      assert.is_true(singleton == tide.Stream[name])
      singleton:synchronize()
      assert.is_true(singleton.done)
      assert.equal(4.0, singleton:with(function ()
        return tide.ones(4):sum():item()
      end))
    end
  end)
end)

describe("a Device", function ()
  it("is no resource: there is nothing to close", function ()
    local d = tide.get_device()
    do
      local _ <close> = d
    end
    assert.equal(4.0, tide.ones(4):sum():item())
    fails("no field 'close' in tide.Device", function () return d.close end)
  end)
end)

describe("a scope", function ()
  local function current ()
    return tide.get_current_stream()
  end

  it("ends when it is closed, not with its block", function ()
    local s <close> = new()
    local token = s:scope()
    assert.equal(s, current())
    token:close()
    assert.equal(tide.Stream.null, current())
  end)

  it("ends those inside it, which then do nothing", function ()
    local s <close>, t = new(), new()
    local u = new()
    local outer, inner = s:scope(), t:scope()
    outer:close()
    assert.equal(tide.Stream.null, current())
    fails("scope is closed", inner.close, inner)
    u:use()
    debug.getmetatable(inner).__close(inner)
    assert.equal(u, current())
  end)

  it("ends with_stream's inside it, which can be entered again", function ()
    local s <close> = new()
    local t <close> = new()
    local outer = s:scope()
    t:with(function ()
      outer:close()
      assert.equal(tide.Stream.null, current())
      t:with(function ()
        s:with(function () assert.equal(s, current()) end)
        assert.equal(t, current())
      end)
      assert.equal(tide.Stream.null, current())
    end)
    assert.equal(tide.Stream.null, current())
    t:with(function () assert.equal(t, current()) end)
    assert.equal(tide.Stream.null, current())
  end)

  it("may be closed by another coroutine", function ()
    local s <close> = new()
    local token
    local co = coroutine.wrap(function ()
      token = s:scope()
      coroutine.yield()
      return current()
    end)
    co()
    token:close()
    assert.equal(tide.Stream.null, current())
    assert.equal(tide.Stream.null, co())
  end)

  it("lets go of what was current before", function ()
    local s <close> = new()
    new():use()
    s:with(function () end)
    s:scope():close()
    tide.Stream.null:use()
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert.equal(1, T.held().streams)
  end)

  it("lets go of what was closed before the scope inside (#50)", function ()
    new():use()
    tide.with_stream(function () end)
    local outer, middle, inner = new():scope(), new():scope(), new():scope()
    middle:close()
    outer:close()
    debug.getmetatable(inner).__close(inner)
    tide.Stream.null:use()
    new():scope():close()
    assert.equal(tide.Stream.null, current())
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert.equal(0, T.held().streams)
  end)
end)

end)
