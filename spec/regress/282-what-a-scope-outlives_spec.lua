--[[
The arrays of a tide.scope were in a list through their own memory, and the
innermost scope was a pointer in its coroutine. Lua frees an array without its
finalizer where that cannot be called, as far down the C stack; a finalizer may
bring a coroutine back whose scope has been finalised; and a hook that raises as
the scope's __close is called keeps it from being called at all. Each left a
pointer to memory that was somebody else's.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

--- Takes what was freed, if the system has it at hand.
local function refill ()
  local list = {}
  for i = 1, 2000 do list[i] = ("%055d"):format(i) end
  return list
end

local function intact (list)
  for i = 1, #list do
    if list[i] ~= ("%055d"):format(i) then return false end
  end
  return true
end

local function is_closed (a)
  return tostring(a):find("closed", 1, true) ~= nil
end

helper.each_device(function ()

describe("tide.scope", function ()
  it("may be in a coroutine that a finalizer brings back #collector",
  function ()
    local found, kept
    local function make ()
      local holder = setmetatable({}, { __gc = function (h) found = h.co end })
      holder.co = coroutine.create(function ()
        tide.scope(function ()
          coroutine.yield()
          kept = tide.zeros(3)
          coroutine.yield()
        end)
        coroutine.yield(tide.scope(function () return tide.ones(2) end))
      end)
      coroutine.resume(holder.co)
    end
    make()
    coroutine.wrap(function () tide.zeros(1) end)()  -- it was the latest
    collectgarbage()
    assert.equal("thread", type(found))
    tide.scope(function () coroutine.resume(found) end)
    local _, a = coroutine.resume(found)
    assert.is_false(is_closed(a))
    a:close()
    found = nil
    tide.zeros(1):close()
    collectgarbage()
    collectgarbage()
    local list = refill()
    kept:close()
    assert.is_true(intact(list))
  end)

  it("has arrays whose finalizers could not run", function ()
    local function nest (n, f)
      if n == 0 then return f() end
      local ok, err = coroutine.resume(coroutine.create(nest), n - 1, f)
      if not ok then error(err, 0) end
    end
    for depth = 190, 199 do
      local list
      collectgarbage "stop"
      tide.scope(function ()
        local keep = {}
        for i = 1, 40 do
          local a = tide.zeros(3)
          if i % 4 == 0 then keep[#keep + 1] = a end
        end
        pcall(nest, depth, function () collectgarbage() end)
        list = refill()
        for i = 1, #keep, 2 do keep[i]:close() end
      end)
      assert.is_true(intact(list))
      collectgarbage "restart"
    end
  end)

  it("may never be told of its end", function ()
    local inside, left = false, nil
    local function leave ()
      if not inside then return end
      debug.sethook()
      error("enough", 0)
    end
    local co = coroutine.create(function ()
      debug.sethook(leave, "c")
      pcall(tide.scope, function ()
        left = tide.ones(3)
        inside = true
      end)
      debug.sethook()
      coroutine.yield()
      for _ = 1, 200 do
        assert(not is_closed(tide.scope(function () return tide.ones(3) end)))
      end
    end)
    tide.scope(function ()
      assert(coroutine.resume(co))
      assert.is_false(is_closed(left))
    end)
    collectgarbage()
    collectgarbage()
    local list = refill()
    assert(coroutine.resume(co))
    assert.is_true(intact(list))
  end)

  it("ends those inside that were never told", function ()
    local inside, inner = false, nil
    local outer = {}
    tide.scope(function ()
      outer[1] = tide.ones(2)
      debug.sethook(function ()
        if not inside then return end
        debug.sethook()
        error("enough", 0)
      end, "c")
      pcall(tide.scope, function ()
        inner = tide.ones(3)
        inside = true
      end)
      debug.sethook()
      outer[2] = tide.ones(2)
    end)
    for _, a in ipairs{ inner, outer[1], outer[2] } do
      assert.is_true(is_closed(a))
    end
  end)
end)

end)
