--[[
progress_spec.lua - tide.progress counts what is done, and not what was queued,
on any streams; what it shows at a terminal is tested at one (spec/embed/pty.c).
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local terminal = require "spec.support.terminal"
local LUA <const> = require "spec.support.child".lua
local T, fails, badarg = tide.T, helper.fails, helper.badarg

helper.each_device(function (kind)

describe("tide.progress", function ()
  it("counts what is done", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local p <close> = tide.progress(10, "pieces")
    local key = T.hold(s)
    s:with(function () for _ = 1, 3 do p:add() end end)
    assert.equal(0, p:completed())
    T.release(key)
    s:synchronize()
    assert.equal(3, p:completed())
    s:with(function () p:add(7) end)
    s:synchronize()
    assert.equal(10, p:completed())
  end)

  it("counts streams apart", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local p <close> = tide.progress()
    local key = T.hold(s)
    for i = 1, 4 do
      s:with(function () p:add() end)
      t:with(function () p:add(i) end)
    end
    t:synchronize()
    assert.equal(10, p:completed())
    T.release(key)
    s:synchronize()
    assert.equal(14, p:completed())
  end)

  it("waits for all that was counted when it is closed", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local x, ran = tide.ones(1000), 0
    local p = tide.progress(4)
    for _ = 1, 4 do
      s:with(function () x:add_(1) end)
      s:launch_host_func(function () ran = ran + 1 end)
      s:with(function () p:add() end)
    end
    p:close()
    assert.equal(4, ran)
    assert.is_true(s.done)
    assert.equal("tide.Progress (closed)", tostring(p))
  end)

  it("does not wait after an error", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    fails("mine", function ()
      local p <close> = tide.progress(1)
      s:with(function () p:add() end)
      error "mine"
    end)
    assert.is_false(s.done)
    T.release(key)
  end)

  it("keeps few marks of much, and counts it all", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local events = T.held().events
    local p <close> = tide.progress(20000)
    local key = T.hold(s)
    for i = 1, 10000 do
      s:with(function () p:add() end)
      if i % 10 == 0 then
        t:with(function () p:add(10) end)
      end
    end
    assert.is_true(T.held().events - events <= 256)
    t:synchronize()
    assert.equal(10000, p:completed())
    T.release(key)
    s:synchronize()
    assert.equal(20000, p:completed())
  end)

  it("is refused in a capture, which it leaves whole", function ()
    local p <close> = tide.progress(1)
    local x = tide.zeros(3)
    local graph <close> = tide.capture(function ()
      x:add_(1)
      fails("count the launches of its graph instead", p.add, p)
    end)
    graph:launch()
    p:add()
    tide.get_device():synchronize()
    assert.equal(1, p:completed())
    assert.equal(1, x[1])
  end)

  it("goes on while a capture is open on another stream", function ()
    local p <close> = tide.progress(1)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    s:with(function ()
      s:begin_capture()
      t:with(function () p:add() end)
      s:end_capture():close()
    end)
    t:synchronize()
    assert.equal(1, p:completed())
  end)

  it("ends well when its device is reset", function ()
    local p = tide.progress(2)
    p:add()
    tide.get_device():reset()
    assert.is_true(p:completed() <= 1)
    p:add()
    p:close()
  end)

  it("waits in no host function", function ()
    local p = tide.progress(1)
    local s <close> = tide.Stream{ non_blocking = true }
    local key = T.hold(s)
    s:with(function () p:add() end)
    tide.Stream.null:launch_host_func(function ()
      fails("a host function must not wait", p.close, p)
    end)
    tide.Stream.null:synchronize()
    T.release(key)
    fails("progress is closed", p.close, p)
  end)

  it("checks what it gets", function ()
    badarg(1, "a number from 0 on expected, got string", tide.progress, "x")
    badarg(1, "a number from 0 on expected, got -1", tide.progress, -1)
    badarg(2, "string expected, got number", tide.progress, 1, 2)
    badarg(3, "no value expected", tide.progress, 1, "x", 2)
    fails("a function of a module is called with '.'", tide.progress, tide, 1)
    local p = tide.progress()
    badarg(1, "a number from 0 on expected, got string", p.add, p, "x")
    badarg(1, "tide.Progress expected, got no value", p.add)
    badarg(1, "no value expected, got string", p.close, p, "x")
    badarg(2, "no value expected, got string", p.add, p, 1, "x")
    fails("no field 'ad' in tide.Progress", function () return p.ad end)
    fails("field 'total' of tide.Progress cannot be set",
          function () p.total = 1 end)
    p:close()
    badarg(1, "progress is closed", p.add, p)
    badarg(1, "progress is closed", p.close, p)
    fails("calling 'add' on bad self (progress is closed)",
          function () p:add() end)
  end)

  it("prints nothing where there is no terminal #process", function ()
    assert.equal("0\n", helper.child_on(kind, [[
      local tide = require "tide"
      local p <close> = tide.progress(2, "frames")
      p:add(1)
      p:add(1)
      tide.get_device():synchronize()
      print(p:completed() - 2)
    ]]))
  end)
end)

-- The line of tide.progress is made in it.
describe("what long waits call #process", function ()
  local function runs (code)
    helper.child_on(kind, [[
      local tide = require "tide"
      local T, system = tide.T, package.loaded["tide.system"]
      local s, ticks, key = tide.Stream{ non_blocking = true }, 0
      local function slow_tick ()
        for _ = 1, 10000 do end
        ticks = ticks + 1
        if ticks % 3 == 0 then T.release(key) end
      end
      system.tick(slow_tick)
      local function wait ()
        key = T.hold(s)
        s:synchronize()
      end
    ]] .. code)
  end

  it("is nothing that a hook sees or stops, and it goes on (#250)", function ()
    runs [[
      local inside, stops = 0, { [slow_tick] = true }
      debug.sethook(function ()
        inside = inside + (stops[debug.getinfo(2, "f").func] and 1 or 0)
      end, "crl", 100)
      wait()
      assert(ticks == 3 and inside == 0, inside)
      debug.sethook(function ()
        if stops[debug.getinfo(2, "f").func] then error "too many" end
      end, "", 1000)
      wait()
      local function spin () while true do end end
      stops[spin] = true
      local ok, why = pcall(spin)
      debug.sethook()
      assert(not ok and why:find "too many", why)
      wait()
      assert(ticks == 9, ticks)
      system.tick(function ()  -- its own error ends no wait
        ticks = ticks + 1
        T.release(key)
        error "mine"
      end)
      wait()
      assert(ticks == 10)
    ]]
  end)
end)

end)

-- With debug_sync a call of several operations waits after each, here for
-- longer than a tick takes to come.
describe("what the waits inside a call call #process", function ()
  local function runs (code)
    helper.child_on("host", [[
      local tide = require "tide"
      local system, ticks = package.loaded["tide.system"], 0
      local a = tide.zeros(12)
      local function rolled ()
        tide.debug_sync(true)
        local b = tide.roll(a, 3)
        tide.debug_sync(false)
        return b:totable()
      end
    ]] .. code, { TIDE_HOST_DELAYS = "1:400000" })
  end

  it("does not have the call begin again (#251)", function ()
    runs [[
      local p = tide.progress(10)
      p:add()
      system.tick(function ()
        ticks = ticks + 1
        p:completed()
      end)
      for _ = 1, 3 do rolled() end
      assert(ticks > 0)
    ]]
  end)

  -- A roll is two copies: all of 'a' is read at one time.
  for what, change in pairs{
    ["finalizers that come with it"] = [[
      setmetatable({}, { __gc = function () a:add_(1) end })
      collectgarbage()
    ]],
    ["what else it calls"] = "a:add_(1)"
  } do
    it("does not hide " .. what, function ()
      runs(([[
        local first
        system.tick(function ()
          ticks = ticks + 1
          if first then %s end
          first = false
        end)
        for i = 1, 4 do
          first = true
          local b = rolled()
          for k = 2, #b do assert(b[k] == b[1], b[k]) end
        end
        assert(ticks > 0 and a[1] > 0)
      ]]):format(change))
    end)
  end
end)

describe("tide.progress at a terminal #process", function ()
  local function shown (code)
    return (terminal.typed("", { TERM = "xterm" },
                           LUA .. " -e " .. terminal.quote(code)))
  end

  it("shows how far the work is, and how long it took", function ()
    local printed = shown [[
      local tide = require "tide"
      local p <close> = tide.progress(4, "frames")
      for _ = 1, 4 do
        p:add()
        tide.get_device():synchronize()
      end
    ]]
    assert.is_truthy(printed:find("\rframes [                    ] 0/4", 1,
                                  true), printed)
    assert.is_truthy(printed:find("%[" .. ("#"):rep(20) ..
                                  "%] 4/4 .* in [^\n]*\n$"), printed)
  end)

  it("goes on while the program waits", function ()
    local printed = shown [[
      local tide = require "tide"
      local T = tide.T
      local s = tide.Stream{ non_blocking = true }
      local p = tide.progress(2, "waits")
      p:add()
      local key = T.hold(s)
      s:with(function () p:add() end)
      local shown = 0
      local write = io.stderr.write
      getmetatable(io.stderr).__index.write = function (file, ...)
        if file == io.stderr and table.concat{ ... }:find "1/2" then
          shown = shown + 1
          if shown == 2 then T.release(key) end
        end
        return write(file, ...)
      end
      s:synchronize()
      p:close()
      print("shown", shown >= 2)
    ]]
    assert.is_truthy(printed:find("shown\ttrue", 1, true), printed)
  end)

  it("cuts a label that is too wide, and shows one line of it", function ()
    local printed = shown [[
      local tide = require "tide"
      for _, label in ipairs{ ("äbc"):rep(40), "two\nlines\27[31m\155" } do
        local p <close> = tide.progress(4, label)
        print(p)
        p:add(4)
      end
    ]]
    assert.is_truthy(printed:find("\räbcäbc[^\r\n]-%.%.%. %[ *%] 0/4"), printed)
    assert.is_truthy(printed:find("\rtwo lines [31m? [", 1, true), printed)
    assert.is_nil(printed:find("\27[31m", 1, true))
    for line in printed:gmatch "\r([^\r\n]*)\27%[K" do
      assert.is_true(utf8.len(line) <= 79, line)
    end
  end)

  it("forgets what nobody holds", function ()
    local printed = shown [[
      local tide = require "tide"
      local outer = tide.progress(7, "outer")
      local kept = setmetatable({}, { __mode = "v" })
      for i = 1, 10 do kept[i] = tide.progress(3, "dropped"):add() end
      collectgarbage()
      collectgarbage()
      print("\nheld", next(kept))
      outer:add(7):close()
      print "over"
    ]]
    assert.is_truthy(printed:find("\nheld\tnil\n", 1, true), printed)
    assert.is_truthy(printed:find("outer [^\n]* 7/7 [^\n]*\nover"), printed)
  end)

  it("leaves the line to the latest", function ()
    local printed = shown [[
      local tide = require "tide"
      local outer = tide.progress(1, "outer")
      do
        local inner <close> = tide.progress(1, "inner")
        inner:add()
      end
      outer:add()
      outer:close()
    ]]
    assert.is_truthy(printed:find("inner.*1/1.*\n.*outer.*1/1.*\n$"), printed)
  end)

  it("ends with Ctrl-C", function ()
    local printed = terminal.typed([[
< stands [
< go
= 200
> \x03
< over
]], {}, LUA .. " -e " .. terminal.quote [[
      local tide = require "tide"
      local p = tide.progress(1, "stands")
      local key = tide.T.hold(tide.Stream.null)
      p:add()
      print(pcall(function ()
        print "go"
        p:close()
      end))
      tide.T.release(key)
      print "over"
    ]])
    assert.is_truthy(printed:find("false\t[^\n]*interrupted!"), printed)
  end)
end)
