--[[
array_scope_spec.lua - tide.scope: what is made inside and not returned is
closed, on every way out.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

local function is_closed (a)
  return tostring(a):find("closed", 1, true) ~= nil
end

helper.each_device(function ()

describe("tide.scope", function ()
  it("closes what was made inside and is not returned", function ()
    local kept, h
    local before = tide.ones(4)
    local x, n, nothing = tide.scope(function (...)
      assert.same({ 1, nil, 3 }, { ... })
      kept = tide.ones(100)
      h = tide.HostArray(4)
      local y = kept * 2
      return y + 1, 5, nil
    end, 1, nil, 3)
    assert.is_true(is_closed(kept) and is_closed(h))
    assert.equal(300, x:sum():item())
    assert.equal(5, n)
    assert.is_nil(nothing)
    assert.equal(4, before:sum():item())
  end)

  it("frees at once", function ()
    local before = T.held().bytes
    collectgarbage "stop"
    tide.scope(function ()
      local a = tide.ones(1000)
      return (a + a):sum():item()
    end)
    collectgarbage "restart"
    assert.equal(before, T.held().bytes)
    assert.equal(0, T.held().pinned)
  end)

  it("keeps what tables among the results hold, to any depth", function ()
    local lost
    local t, u = tide.scope(function ()
      local a, b, c, d = tide.ones(1), tide.ones(2), tide.ones(3), tide.ones(4)
      local round = { a, deep = { deeper = { b } }, [c] = true }
      round.itself = round
      lost = setmetatable({}, { __index = { d } })
      return round, { tide.HostArray(7) }, lost, function () return d end
    end)
    assert.equal(1, t[1]:sum():item())
    assert.equal(2, t.deep.deeper[1]:sum():item())
    assert.equal(7, #u[1])
    for key in pairs(t) do
      assert.is_false(is_closed(key))
    end
    assert.is_true(is_closed(lost[1]))
  end)

  it("a view that is returned keeps the memory of its array", function ()
    local a
    local v = tide.scope(function ()
      a = tide.arange(10)
      return a:slice(3, 4)
    end)
    assert.is_true(is_closed(a))
    assert.same({ 2, 3 }, v:totable())
  end)

  it("a view of an older array is closed, the array is not", function ()
    local a, v = tide.arange(10), nil
    tide.scope(function () v = a:slice(1, 2) end)
    assert.is_true(is_closed(v))
    assert.equal(45, a:sum():item())
  end)

  it("what is closed or collected inside is nobody's", function ()
    tide.scope(function ()
      for _ = 1, 100 do
        local a <close> = tide.ones(10)
        tide.ones(10)
        assert.equal(10, #a)
      end
      collectgarbage()
      collectgarbage()
      assert.equal(0, T.held().bytes)
    end)
  end)

  it("nests: results of the inner belong to the outer", function ()
    local inner, outer, b
    local r = tide.scope(function ()
      outer = tide.ones(2)
      inner, b = tide.scope(function ()
        return tide.ones(3), outer
      end)
      assert.equal(3, inner:sum():item())
      assert.equal(outer, b)
      return (inner:sum())
    end)
    assert.is_true(is_closed(inner) and is_closed(outer))
    assert.equal(3, r:item())
  end)

  it("passes an error through, with its traceback", function ()
    local a
    local function deep_inside ()
      error "on purpose"
    end
    local ok, trace = xpcall(tide.scope, debug.traceback, function ()
      a = tide.ones(4)
      deep_inside()
    end)
    assert.is_false(ok)
    assert.is_truthy(trace:find("on purpose", 1, true))
    assert.is_truthy(trace:find("deep_inside", 1, true), trace)
    assert.is_true(is_closed(a))
    local object = {}
    local _, err = pcall(tide.scope, error, object)
    assert.equal(object, err)
  end)

  it("yields, and belongs to its coroutine", function ()
    local a, b, c
    local co = coroutine.wrap(function ()
      return tide.scope(function (x)
        a = tide.ones(x)
        x = coroutine.yield(1)
        b = tide.ones(x)
        return coroutine.yield(2)
      end, 3)
    end)
    assert.equal(1, co())
    c = tide.ones(5)
    local other = tide.scope(function ()
      return co(4)
    end)
    assert.equal(2, other)
    assert.equal(4, b:sum():item())
    assert.equal("end", co "end")
    assert.is_true(is_closed(a) and is_closed(b))
    assert.equal(5, c:sum():item())
  end)

  it("of two coroutines by turns", function ()
    local made = {}
    local function task (n)
      tide.scope(function ()
        for i = 1, 3 do
          made[n * 10 + i] = tide.ones(n)
          coroutine.yield()
        end
      end)
    end
    local x, y = coroutine.create(task), coroutine.create(task)
    for _ = 1, 4 do
      assert(coroutine.resume(x, 1))
      if coroutine.status(y) == "suspended" and made[12] then
        assert(coroutine.resume(y, 2))
      end
    end
    assert.equal("dead", coroutine.status(x))
    assert.is_true(is_closed(made[11]) and is_closed(made[13]))
    assert.is_false(is_closed(made[21]))
    coroutine.close(y)
    assert.is_true(is_closed(made[21]) and is_closed(made[23]))
  end)

  it("coroutine.close closes all of it", function ()
    local a, b
    local co = coroutine.create(function ()
      tide.scope(function ()
        a = tide.ones(4)
        tide.scope(function ()
          b = tide.ones(4)
          coroutine.yield()
        end)
      end)
    end)
    assert(coroutine.resume(co))
    assert(coroutine.close(co))
    assert.is_true(is_closed(a) and is_closed(b))
  end)

  it("a coroutine that nobody resumes leaves its arrays alone", function ()
    local a
    do
      local co = coroutine.create(function ()
        tide.scope(function ()
          a = tide.ones(4)
          coroutine.yield()
        end)
      end)
      assert(coroutine.resume(co))
    end
    collectgarbage()
    collectgarbage()
    assert.equal(4, a:sum():item())
    a:close()
    local b = tide.scope(function () return tide.ones(2) end)
    assert.equal(2, b:sum():item())
  end)

  it("work under way completes", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local out = tide.zeros(1000, "int64")
    s:wait_stream(tide.Stream.null)
    local key = T.hold(s)
    tide.scope(function ()
      local a = tide.full(1000, 7, "int64")
      s:with(function () out:add_(a) end)
    end)
    local noise = tide.full(1000, -1, "int64")
    T.release(key)
    assert.equal(7000, out:sum():item())
    assert.equal(-1000, noise:sum():item())
  end)

  it("in a capture, the graph keeps what it needs", function ()
    local x = tide.zeros(4)
    local g <close> = tide.capture(function ()
      tide.scope(function ()
        local one = tide.ones(4)
        x:add_(one * 2)
      end)
    end)
    g:launch()
    g:launch()
    assert.equal(16, x:sum():item())
  end)

  it("a host function that runs meanwhile is not inside", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a
    s:launch_host_func(function () a = tide.ones(3) end)
    tide.scope(function ()
      s:synchronize()
    end)
    assert.equal(3, a:sum():item())
    local b
    s:launch_host_func(function ()
      tide.scope(function () b = tide.ones(3) end)
    end)
    s:synchronize()
    assert.is_true(is_closed(b))
  end)

  it("keeps ten thousand results", function ()
    local list = tide.scope(function ()
      local t = {}
      for i = 1, 10000 do
        t[i] = tide.empty(1)
      end
      return t
    end)
    assert.is_false(is_closed(list[1]) or is_closed(list[10000]))
  end)

  it("needs a function", function ()
    fails("function expected", tide.scope)
    fails("function expected", tide.scope, {})
    fails("function expected", tide.scope, tide.ones(1))
  end)

  it("is not that of a finalizer that runs in it (#141)", function ()
    local closed, result, kept, own
    tide.scope(function ()
      setmetatable({}, { __gc = function ()
        result = tide.scope(function ()
          closed = tide.ones(3)
          return closed + 1
        end)
        kept = tide.ones(3)
      end })
      collectgarbage()
      collectgarbage()
      own = tide.ones(3)
    end)
    assert.same({ 2, 2, 2 }, result:totable())
    assert.same({ 1, 1, 1 }, kept:totable())
    assert.is_true(is_closed(closed) and is_closed(own))
  end)

  describe("that Lua does not end in order", function ()
    --- Takes what was freed, if the system has it at hand -> is it whole?
    local function refill ()
      local list = {}
      for i = 1, 2000 do list[i] = ("%055d"):format(i) end
      return function ()
        for i = 1, #list do
          if list[i] ~= ("%055d"):format(i) then return false end
        end
        return true
      end
    end

    --- A scope with one array, whose __close a hook that raises prevents.
    local function never_told ()
      local a
      debug.sethook(function ()
        if not a then return end
        debug.sethook()
        error("enough", 0)
      end, "c")
      pcall(tide.scope, function () a = tide.ones(3) end)
      debug.sethook()
      return a
    end

    it("may be in a coroutine that a finalizer brings back (#282) #collector",
    function ()
      local found, kept
      local function make ()
        local holder = setmetatable({}, { __gc = function (h)
          found = h.co
        end })
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
      local intact = refill()
      kept:close()
      assert.is_true(intact())
    end)

    it("has arrays whose finalizers could not run", function ()
      local function nest (n, f)
        if n == 0 then return f() end
        local ok, err = coroutine.resume(coroutine.create(nest), n - 1, f)
        if not ok then error(err, 0) end
      end
      for depth = 190, 199 do  -- as deep as the C stack may be
        local intact
        collectgarbage "stop"
        tide.scope(function ()
          local keep = {}
          for i = 1, 40 do
            local a = tide.zeros(3)
            if i % 4 == 0 then keep[#keep + 1] = a end
          end
          pcall(nest, depth, function () collectgarbage() end)
          intact = refill()
          for i = 1, #keep, 2 do keep[i]:close() end
        end)
        assert.is_true(intact())
        collectgarbage "restart"
      end
    end)

    it("may never be told of its end", function ()
      local left
      local co = coroutine.create(function ()
        left = never_told()
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
      local intact = refill()
      assert(coroutine.resume(co))
      assert.is_true(intact())
    end)

    it("ends with the one outside, if it was never told", function ()
      local list
      tide.scope(function ()
        list = { tide.ones(2), never_told(), tide.ones(2) }
      end)
      for i = 1, 3 do assert.is_true(is_closed(list[i])) end
    end)
  end)
end)

describe("local x <close>", function ()
  it("frees at the end of the block, and after an error", function ()
    local before = tide.memory_stats().live
    do
      local x <close> = tide.ones(1000)
      assert.is_true(tide.memory_stats().live > before)
      assert.equal(1000, #x)
    end
    assert.equal(before, tide.memory_stats().live)
    fails("on purpose", function ()
      local x <close> = tide.ones(1000)
      error("on purpose", #x)
    end)
    assert.equal(before, tide.memory_stats().live)
  end)
end)

end)
