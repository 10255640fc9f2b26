--[[
index_error_spec.lua - errors that only kernels can find, as they alone see the
elements: who is told, and when.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local T, fails, new = helper.T, helper.fails, helper.new_stream

local DTYPES = numbers.dtypes

helper.each_device(function (kind)

describe("an index on the device that is out of range", function ()
  local function line () return debug.getinfo(2, "l").currentline end

  --- bad() -> what cannot be right, and what its error says.
  local function bad (a)
    local z = a:take(tide.array{ 1, 9 }) local at = line()
    return z, ("index_error_spec.lua:%d: take: index 9 is out of range for " ..
               "an axis of %d elements"):format(at, a.size)
  end

  it("is an error of whoever waits for the result, once", function ()
    for _, wait in ipairs{
      function (z) return z:totable() end,
      function (z) return z[1] end,
      function (z) return (z + 1):sum():item() end,
      function (z) return z:tohost() end,
      function () tide.get_current_stream():synchronize() end,
      function () tide.get_current_stream():record():synchronize() end,
      function (z) z.device:synchronize() end,
    } do
      local z, text = bad(tide.arange(3))
      fails(text, wait, z)
      assert.same({ 0, 2 }, z:totable())
    end
  end)

  it("is no matter of others, and waits for nothing", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local other <close> = tide.Stream{ non_blocking = true }
    local a, b = tide.arange(3), tide.arange(3)
    tide.get_device():synchronize()
    local _, waits = tide.sync_debug()
    local z, text = s:with(function () return bad(a) end)
    assert.equal(waits, select(2, tide.sync_debug()))
    other:with(function () assert.equal(3, b:sum():item()) end)
    other:synchronize()
    fails(text, s.synchronize, s)
    s:synchronize()
    assert.same({ 0, 2 }, z:totable())
  end)

  it("goes along to the streams that wait for it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local other <close> = tide.Stream{ non_blocking = true }
    local z, text = s:with(function () return bad(tide.arange(3)) end)
    local y = other:with(function () return z * 2 end)
    fails(text, function ()
      other:with(function () return y:totable() end)
    end)
    assert.same({ 0, 4 }, y:totable())
  end)

  it("is found along axes, for all widths", function ()
    for _, dtype in ipairs(DTYPES) do
      local a = tide.ones({ 2, 3 }, dtype)
      for _, at in ipairs{ 0, 4, -4 } do
        local z = a:take(tide.array{ 1, at }, 2)
        fails("axis of 3 elements", z.totable, z)
      end
      local z = a:take(tide.array{ 1, -1, 3, -3 }, 2)
      assert.same({ 2, 4 }, z.shape)
      z:totable()
    end
  end)

  --- All functions that take indices: f(index, options) -> Array to wait for;
  -- elements of the axis; how the error names that.
  local function functions (options)
    local many <const> = tide.random.randint(1, 3, { 300, 4 }, "int64")
    local function of (name, dtype, shape, axis, ...)
      local a, values = tide.zeros(shape, dtype), { ... }
      return function (at)
        local z = a[name](a, at, table.unpack(values))
        return z
      end, axis and shape[axis] or a.size, "an axis", name
    end
    local list = {
      { of("take", "float32", { 2, 3 }, nil, options) },
      { of("take", "int8", { 2, 3 }, 2, 2, options) },
      { of("put", "int32", { 2, 3 }, nil, 7, options) },
      { of("put", "int32", { 2, 3 }, 2, 7, 2, options) },
      { of("put", "int32", { 5 }, nil, tide.arange(2, "int32"), options) },
      { of("put", "int32", { 500 }, nil, tide.arange(2, "int32"), options) }
    }
    for _, op in ipairs{ "add", "min", "max" } do
      for _, dtype in ipairs{ "int64", "float32", "complex64" } do
        for _, n in ipairs{ 4, 900, 9000 } do
          if op == "add" or dtype ~= "complex64" then
            table.insert(list, { of("scatter_" .. op, dtype, { 2, n }, 2, 1, 2,
                                    options) })
            table.insert(list, { of("scatter_" .. op, dtype, { n }, nil, 1,
                                    options) })
          end
        end
      end
    end
    local strided = tide.zeros({ 2, 9000 }, "float32"):transpose()
    table.insert(list, { function (at)
      return strided:scatter_add(at, 1, 1, options)
    end, 9000, "an axis", "scatter_add" })
    local function along (at) return tide.stack{ at, at } end
    table.insert(list, { function (at)
      return tide.zeros{ 2, 3 }:take_along_axis(along(at), 2, options)
    end, 3, "an axis", "take_along_axis" })
    table.insert(list, { function (at)
      return tide.zeros{ 2, 3 }:put_along_axis(along(at), 1, 2, options)
    end, 3, "an axis", "put_along_axis" })
    table.insert(list, { function (at)
      local own = many:copy()
      own[300] = tide.concatenate{ at, at }
      return tide.zeros{ 300, 5 }:put_along_axis(own, 1, 2, options)
    end, 5, "an axis", "put_along_axis" })
    table.insert(list, { function (at)
      return (tide.unravel_index(at, { 2, 3 }, { base = options.base }))
    end, 6, "an axis", "unravel_index" })
    for axis = 1, 3 do
      table.insert(list, { function (at)
        local given = { { 1, 1 }, { 1, 1 }, { 1, 1 } }
        given[axis] = at
        return tide.ravel_multi_index(given, { 2, 3, 4 }, options)
      end, axis + 1, "axis " .. axis, "ravel_multi_index" })
    end
    return list
  end

  it("is named as it was given, by all functions", function ()
    for base = 0, 1 do
      for _, f in ipairs(functions{ base = base }) do
        local wait <const>, n <const> = f[1], f[2]
        for _, i in ipairs{ n + base, -n - 1, base - 1, 1 << 32, -(1 << 40),
                            math.maxinteger, math.mininteger } do
          if i ~= -1 then  -- which is the last one
            fails(("%s: index %d is out of range for %s of %d elements%s")
                  :format(f[4], i, f[3], n,
                          i == 0 and "; indices count from 1" or ""),
                  function () wait(tide.array({ 1, i }, "int64")):tobytes() end)
          end
        end
      end
    end
  end)

  it("is that of the base, in graphs from the same line", function ()
    local a, at = tide.arange(3), tide.array{ 1, 1 }
    local graphs, results = {}, {}
    for base = 0, 1 do
      graphs[base], results[base] = tide.capture(function ()
        return a:take(at, { base = base })
      end)
    end
    at:copy_from{ 1, 7 }
    for base = 0, 1 do
      graphs[base]:launch()
      fails("take: index 7 is out of range", results[base].totable,
            results[base])
    end
  end)

  it("of a graph is one of each launch", function ()
    local a, at = tide.arange(3), tide.array{ 1, 2 }
    local g, z = tide.capture(function () return a:take(at) end)
    for _ = 1, 2 do
      at:copy_from{ 1, 9 }
      g:launch()
      fails("take: index 9 is out of range for an axis of 3", z.totable, z)
      at:copy_from{ 3, 1 }
      g:launch()
      assert.same({ 2, 0 }, z:totable())
    end
    for _ = 1, 5 do
      g, z = tide.capture(function () return a:take(at) end)
      g:launch()
    end
    assert.same({ 2, 0 }, z:totable())
  end)

  it("of a graph is one of the stream that launches it", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local other <close> = tide.Stream{ non_blocking = true }
    local a, at = tide.arange(3), tide.array{ 9 }
    local g, z = tide.capture(function () return a:take(at) end)
    tide.get_device():synchronize()
    for _, wait in ipairs{
      function () s:synchronize() end,
      function () return z[1] end,
      function () return z:totable() end,
      function () g:await() end,
    } do
      g:launch(s)
      repeat until s.done
      other:synchronize()
      other:record():synchronize()
      other:with(function () assert.equal(3, tide.ones(3):sum():item()) end)
      fails("index 9 is out of range", wait)
      s:synchronize()
    end
  end)

  it("of a graph is one of the task that launches it", function ()
    local a = tide.arange(3)
    local function job (i)
      return function ()
        local at = tide.array{ i }
        local g, z = tide.capture(function () return a:take(at) end)
        return pcall(function ()
          g:launch()
          z:await()
          return z[1]
        end)
      end
    end
    tide.run(function ()
      for _ = 1, 20 do
        local wrong <const> = tide.spawn(job(9))
        assert.is_true((tide.spawn(job(2)):await()))
        local ok, err = wrong:await()
        assert.is_false(ok)
        assert.truthy(err:find("index 9", 1, true))
      end
    end)
  end)

  it("of graphs from one line is one of each", function ()
    local a, graphs = tide.arange(3), {}
    local dev = tide.get_device()
    for k = 1, 3 do
      local at = tide.array{ 80 + k }
      graphs[k] = tide.capture(function () return a:take(at) end)
    end
    for k = 1, 3 do graphs[k]:launch() end
    for k = 1, 3 do
      fails("index 8" .. k .. " is out of range", dev.synchronize, dev)
    end
    dev:synchronize()
  end)

  it("of a graph is one for each of its operations", function ()
    local a, at = tide.arange(3), tide.array{ 8 }
    local g = tide.capture(function () return a:take(at), a:take(at + 1) end)
    g:launch()
    local s = tide.get_current_stream()
    fails("index 8 is out of range", s.synchronize, s)
    fails("index 9 is out of range", s.synchronize, s)
    s:synchronize()
  end)

  it("of one launch of many is an error of all later ones", function ()
    local s <close> = new()
    local t <close> = new()
    local a, at = tide.arange(3), tide.array{ 1 }
    local g, z = tide.capture(function () return a:take(at) end)
    for _, wrong in ipairs{ 1, 5, 10 } do
      for i = 1, 10 do
        s:with(function () at:fill(i == wrong and 9 or 1) end)
        g:launch(i % 2 == 0 and s or t)
      end
      fails("index 9 is out of range", z.totable, z)
      s:synchronize()
      t:synchronize()
    end
  end)

  it("goes with a graph that is dropped, closed or updated", function ()
    local s <close> = new()
    local a, at = tide.arange(3), tide.array{ 9 }
    local function take () return a:take(at) end
    for _, go in ipairs{
      function (g) g:close() end,
      function () collectgarbage() collectgarbage() end,
      function (g)
        assert(g:update((tide.capture(take))))
      end,
    } do
      do
        local g = tide.capture(take)
        local key = T.hold(s)
        for _ = 1, 3 do g:launch(s) end
        go(g)
        T.release(key)
      end
      fails("index 9 is out of range", s.synchronize, s)
      s:synchronize()
    end
    local g, other = tide.capture(take), (tide.capture(take))
    assert(g:update(other))
    other:close()
    g:launch(s)
    fails("index 9 is out of range", s.synchronize, s)
    s:synchronize()
  end)

  it("is noticed by the call itself with debug_sync", function ()
    tide.debug_sync(true)
    fails("index 9 is out of range", bad, tide.arange(3))
    tide.debug_sync(false)
    assert.equal(3, tide.arange(3):sum():item())
  end)

  -- Words come in pages of 512: without them, 12 more pages are needed.
  local function come_back (round)
    local function pages ()
      for i = 1, 6000 do round(i) end
      tide.get_device():synchronize()
      return T.live().pinned
    end
    local before <const> = pages()
    assert.is_true(before > 0)
    local after <const> = pages()
    assert(after <= before + 3, after)
  end

  it("costs a word, which comes back", function ()
    local a, at = tide.arange(1000), tide.arange(1, 1001)
    come_back(function () return a:take(at) end)
  end)

  it("costs a word in a graph, which comes back with the graph", function ()
    local a, at = tide.arange(10), tide.arange(1, 11)
    come_back(function (i)
      local s <close> = new()
      s:begin_capture()
      s:with(function () a:take(at):close() end)
      if i % 2 == 0 then s:end_capture():launch():close() end
    end)
  end)

  it("that nobody asked for is told at the end #process", function ()
    local printed = helper.child_on(kind, [[
      warn "@on"
      local tide = require "tide"
      local a, at = tide.arange(3), tide.array{ 1, 2 }
      tide.get_device():synchronize()
      a:take(at * 0 + 9)
      local g = tide.capture(function () return a:take(at) end)
      at:copy_from{ 0, 0 }
      g:launch()
      local s = tide.get_current_stream()
      repeat until s.done
    ]])
    local text = "nobody asked for this error: (command line):%d: take: " ..
                 "index %d is out of range for an axis of 3 elements%s\n"
    for _, wanted in ipairs{
      text:format(5, 9, ""), text:format(6, 0, "; indices count from 1")
    } do
      assert.is_truthy(printed:find(wanted, 1, true), printed)
    end
  end)
end)

describe("errors of kernels", function ()
  -- To keep an error makes a table and a message, and so may run finalizers.
  it("are told once, wherever a finalizer waits (#277)", function ()
    local told, s <close> = nil, new()
    local a <close> = tide.ones(4)

    local function wait (fn, ...)
      local ok, err = pcall(fn, ...)
      assert(ok or err:find("out of range", 1, true), err)
      told = told + (ok and 0 or 1)
    end

    for place = 0, 12 do
      told = 0
      for _, index in ipairs{ 9, 9, 9, 1 } do
        s:with(function ()
          local i <close> = tide.array({ index }, "int64")
          a:take(i):close()
        end)
      end
      local e <close> = s:record()
      while not e.done do end
      finalizers.call(place, function () wait(tide.poll) end, function ()
        for _ = 1, 6 do wait(s.synchronize, s) end
      end)
      finalizers.restore()
      for _ = 1, 3 do wait(s.synchronize, s) end
      assert.equal(3, told)
    end
  end)
end)

describe("an error of one stream", function ()
  local s, t, u

  before_each(function () s, t, u = new(), new(), new() end)

  after_each(function ()
    for _, x in ipairs{ s, t, u } do x:close() end
  end)

  local function bad ()
    return tide.arange(3, "float64"):take(tide.array{ 1, 9 })
  end

  local function fail_function ()
    local y = tide.ones(2)
    s:launch_host_func(function () error "it failed" end)
    y:add_(1)
    t:launch_host_func(function () end)
    t:synchronize()  -- runs the other function as well
    return y
  end

  it("is one of what comes after it, by whatever way", function ()
    for text, make in pairs{ ["index 9 is out of range"] = bad,
                             ["it failed"] = fail_function } do
      for _, wait in ipairs{
        function (y) return t:with(function () return y + 1 end):tobytes() end,
        function (y)
          local z = t:with(function () return y + 1 end)
          return u:with(function () return z:sum() end):item()
        end,
        function (y)
          local b = tide.zeros(2)
          t:with(function () b:copy_from(y) end)
          return b[1]
        end,
        function (y)
          local h = t:with(function ()
            return y:tohost{ blocking = false }
          end)
          return h[1]
        end,
        function ()
          t:wait_event(s:record())
          u:wait_stream(t)
          u:synchronize()
        end,
        function ()
          local e = s:record()
          t:wait_event(e)
          e = t:record()
          u:wait_event(e)
          tide.Stream.null:wait_stream(u)
          tide.Stream.null:synchronize()
        end,
      } do
        local y = s:with(make)
        fails(text, wait, y)
        s:synchronize()
        t:synchronize()
        u:synchronize()
      end
    end
  end)

  it("is none of what came before it, or has other memory", function ()
    local x, y = tide.ones(2), tide.ones(2)
    t:with(function () x:add_(y) end)
    local before = t:record()
    u:wait_event(before)
    local z = s:with(bad)
    t:with(function () y:copy_from(z) end)
    before:synchronize()
    u:synchronize()
    assert.same({ 2, 2 }, x:totable())
    fails("index 9 is out of range", y.totable, y)
  end)

  -- The blocks of closed arrays are handed out again.
  it("is none of those who get its memory", function ()
    for i = 1, 50 do
      s:with(function () bad():close() end)
      assert.equal(6, t:with(function ()
        local x <close> = tide.arange(3) + 1
        local sum <close> = x:sum()
        return sum:item()
      end))
      if i % 10 == 0 then pcall(s.synchronize, s) end
    end
    for _ = 1, 50 do pcall(s.synchronize, s) end
  end)

  it("is kept by a reset", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local y = tide.arange(3):take(tide.array{ 1, 9 })
      local dev = tide.get_device()
      dev:reset()
      tide.Stream.null:use()
      local ok, err = pcall(dev.synchronize, dev)
      assert(not ok and err:find("index 9 is out of range", 1, true), err)
      dev:synchronize()
    ]])
  end)
end)

-- The operation is on its way all the same.
describe("an operation whose mark behind it fails", function ()
  local s <const> = tide.Stream.ptds  -- it is marked at once

  after_each(function () T.failcall(0) end)

  --- Queues fn on the stream. The work begins once 'meanwhile' was called.
  local function without_a_mark (fn, meanwhile)
    local key = T.hold(s)
    local ok, err = pcall(s.with, s, function ()
      T.failcall(1, 999, "cuEventRecord")
      fn()
    end)
    local failed = T.failed()
    T.failcall(0)
    if meanwhile then meanwhile() end
    T.release(key)
    assert(not ok and err:find "cuEventRecord", err)
    assert.equal("cuEventRecord", failed)
  end

  it("has its indices checked (#280)", function ()
    local a, index = tide.zeros(4), tide.array({ 2, 9 }, "int64")
    local out = tide.zeros(2)
    tide.Stream.null:synchronize()
    without_a_mark(function () a:take(index, { out = out }) end)
    fails("index 9 is out of range", s.synchronize, s)
    s:synchronize()
  end)

  it("is told of a file that is too short", function ()
    local path = os.tmpname()
    local file <close> = assert(io.open(path, "wb"))
    file:write(("x"):rep(4096)):flush()
    local f <close> = tide.open(path)
    local h = tide.HostArray(4096, "uint8")
    without_a_mark(function () f:read(h) end,
                   function () io.open(path, "wb"):close() end)
    fails("it ended", s.synchronize, s)
    os.remove(path)
  end)
end)

end)
