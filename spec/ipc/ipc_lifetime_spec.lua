--[[
ipc_lifetime_spec.lua - ends of what tide.ipc makes: events and connections that
are closed with work under way, resets, processes that die, and the descriptors
and memory of garbage.
]]
local apart = require "spec.support.apart"
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local other = require "spec.support.partner"
local tide = require "tide"

local fails, T, new = helper.fails, helper.T, helper.new_stream
local ipc = tide.ipc

--- Makes events, which would get the place of what was freed too early.
local function make_events ()
  collectgarbage()
  collectgarbage()
  for _ = 1, 5 do tide.Event():close() end
end

--- other.pair() behind a first message with an array, for which the driver may
-- wait for the device.
local function used_pair (a)
  local ours, theirs = other.pair()
  ours:send(a)
  theirs:recv()
  tide.get_device():synchronize()
  return ours, theirs
end

helper.each_device(function (kind)

after_each(other.clean)

-- Lua calls no finalizer of an object that is made in one while it closes.
describe("a listener #process", function ()
  it("ends with the state, also without a finalizer", function ()
    local path = os.tmpname()
    os.remove(path)
    local made = helper.child_on(kind, ([[
      local tide = require "tide"
      LEFT = setmetatable({}, { __gc = function ()
        local l = tide.ipc.listen(%q)
        local c = tide.ipc.connect(l.path)
        print(l:accept() ~= nil, os.rename(l.path, l.path))
      end })
    ]]):format(path))
    assert.equal("true\ttrue\n", made)
    assert.is_nil((os.rename(path, path)))
  end)
end)

describe("an interprocess event", function ()
  it("may be closed before its older recordings are done (#264)", function ()
    local e = tide.Event{ interprocess = true, disable_timing = true }
    local s <close> = new()
    local t <close> = new()
    local key = T.hold(s)
    e:record(s)
    e:record(t):synchronize()
    e:close()
    make_events()
    T.release(key)
    s:synchronize()
  end)

  it("has the place of a recording that a dead process left (#264) #process",
     function ()
    local c <close>, finish = other.start(kind, [[
      local s = tide.Stream{ non_blocking = true }
      local e = tide.Event{ interprocess = true, disable_timing = true }
      tide.get_device():synchronize()
      tide.T.hold(s)
      c:send(e:record(s))
      c:recv()
      die()
    ]])
    local e = c:recv()
    c:send(1)
    finish()
    for _ = 1, 600 do e:record() end
    e:synchronize()
  end)

  helper.host_it("goes after a reset of its device, for which a stream of " ..
                 "another waits (#264) #process", function ()
    assert.equal("", helper.child_on(kind, [[
      local tide = require "tide"
      local T = tide.T
      local function pages ()
        local n = 0
        for line in io.lines "/proc/self/maps" do
          n = n + (line:find("tide-event", 1, true) and 1 or 0)
        end
        return n
      end
      local ours, theirs = require "spec.support.partner".pair()
      local e = tide.Event{ interprocess = true, disable_timing = true }
      e:record():synchronize()
      ours:send(e)
      local f = theirs:recv()
      tide.Device "host:1":use()
      local t = tide.Stream{ non_blocking = true }
      t:synchronize()
      local key = T.hold(t)
      t:wait_event(f)
      tide.Device "host:0":reset()
      e, f = nil, nil
      collectgarbage()
      tide.poll()
      T.release(key)
      t:synchronize()
      tide.poll()
      assert(pages() == 0)
    ]], { TIDE_HOST_DEVICES = "2" }))
  end)
end)

describe("a connection", function ()
  it("may be closed before its arrays are ready (#264)", function ()
    local s <close> = new()
    local t <close> = new()
    local a, b = ipc.zeros(100), ipc.zeros(100)
    local ours, theirs = used_pair(a)
    local key = T.hold(s)
    s:with(function ()
      a:add_(1)
      ours:send(a)
    end)
    t:with(function () ours:send(b) end)
    t:synchronize()
    local x = theirs:recv()
    theirs:recv():close()
    ours:close()
    theirs:close()
    ours, theirs = nil, nil  -- luacheck: ignore
    make_events()
    T.release(key)
    assert.equal(1, x[100])
  end)

  it("may be closed before a stream has come to its wait (#264)", function ()
    local s <close>, a = new(), ipc.zeros(100)
    local t <close> = new()
    local ours, theirs = used_pair(a)
    local first, second = T.hold(s), T.hold(t)
    s:with(function ()
      a:add_(1)
      ours:send(a)
    end)
    local x = t:with(function () return theirs:recv() end)
    T.release(first)
    s:synchronize()
    ours:close()
    theirs:close()
    ours, theirs = nil, nil  -- luacheck: ignore
    make_events()
    T.release(second)
    t:synchronize()
    assert.equal(1, x[100])
  end)

  it("delivers an answer where its other end left messages (#264)", function ()
    local ours <close>, theirs = other.pair()
    ours:send "you will not read this"
    theirs:send "answer"
    theirs:close()
    assert.equal("answer", ours:recv())
    assert.equal(0, select("#", ours:recv()))
    fails("was closed or has ended", ours.send, ours, 1)
  end)

  it("may be received from in a finalizer (#264)", function ()
    local ours <close>, theirs = other.pair()
    local a, sent, got = ipc.zeros(3), 0, 0
    for _ = 1, 300 do
      while sent - got < 20 do
        ours:send(a)
        sent = sent + 1
      end
      setmetatable({}, { __gc = function ()
        if sent - got > 5 then
          theirs:recv()
          got = got + 1
        end
      end })
      theirs:recv():close()
      got = got + 1
    end
    theirs:close()
  end)

  it("goes on after a reset (#264) #process", function ()
    apart(kind, function (lib, _, dev, refuses)
      dev:use()
      local ours, theirs = require "spec.support.partner".pair()
      local a = lib.ipc.zeros(3)
      ours:send(a)
      theirs:recv()
      dev:reset()
      refuses("device was reset", ours.send, ours, a)
      ours:send(lib.ipc.array{ 1, 2, 3 })
      assert(theirs:recv():sum():item() == 6)
      ours:close()
      theirs:close()
    end)
  end)
end)

describe("the descriptors of what was dropped #process", function ()
  local COUNT <const> = [[
    local function check (most)
      local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
      local n = ls:read "n"
      assert(n < most, n)
    end
  ]]

  local check = load(COUNT .. "return check")()

  it("go once it was collected, which is in time (#316)", function ()
    helper.child_on(kind, COUNT .. [[
      local tide = require "tide"
      local ipc = tide.ipc
      for i = 1, 1500 do
        (i % 2 == 0 and ipc.zeros or ipc.empty)(4):add_(1)
        if i % 50 == 0 then
          collectgarbage()
          check(400)
        end
      end
      local function make_event ()
        tide.Event{ interprocess = true, disable_timing = true }:record()
      end
      for _, make in ipairs{
        function () ipc.zeros(4):add_(1) end, make_event
      } do
        for i = 1, 1500 do
          make()
          if i % 100 == 0 then
            tide.get_device():synchronize()  -- it may be slow
            check(700)
          end
        end
      end
    ]])
  end)

  it("go where arrays come from others (#316)", function ()
    local c <close>, finish = other.start(kind, [[
      for i = 1, 400 do
        c:send(ipc.zeros(4))
        c:recv()
      end
    ]])
    for i = 1, 400 do
      do
        local x = c:recv()
        x:add_(1)
      end
      if i % 40 == 0 then
        collectgarbage()
        check(300)
      end
      c:send()
    end
    other.over(finish)
  end)
end)

helper.host_it("garbage gives its memory and descriptors (#264) #process",
               function ()
  local code = [[
    local tide = require "tide"
    local ipc = tide.ipc
    local more = {}
    for i = 1, %d do more[i] = io.open("/dev/null") end
    for i = 1, 40 do
      local a = ipc.zeros(1 << 20)
      a:add_(1)
      if i % 2 == 0 then a:close() end
    end
    tide.zeros(2 << 20):close()
    ipc.zeros(2 << 20)
    local ok, err = pcall(ipc.zeros, 1e9)
    assert(not ok and err:find "asked 7.451 GiB", err)
    local c, d = require "spec.support.partner".pair()
    for i = 1, 300 do
      ipc.zeros(10)
      tide.Event{ interprocess = true, disable_timing = true }
    end
    local held = {}
    repeat
      local more, why = pcall(ipc.zeros, 10)
      held[#held + 1] = more and why or nil
    until not more
    ok, err = pcall(ipc.zeros, 10)
    assert(not ok and err:find "Too many open files", err)
    table.remove(held):close()
    table.remove(held):close()
    ipc.zeros(1):close()
    c:send("all", held[1], held[2], held[3])
    local files = {}
    for i = 1, 100 do files[i] = io.open("/dev/null") end
    ok, err = pcall(d.recv, d)
    assert(not ok and err:find "Too many open files", err)
    for i = 1, #files do files[i]:close() end
    for i = 1, 10 do table.remove(held):close() end
    ipc.zeros(1):close()
    assert(d:recv() == "all")
  ]]
  for n = 0, 3 do  -- an array has two descriptors: whatever is left
    local pipe = io.popen(("ulimit -n 100; exec env TIDE_DEVICE=%s " ..
      "TIDE_HOST_MEMORY=30M %s timeout 60 %s -e %s 2>&1"):format(kind,
      child.paths(), child.lua, child.quote((code:gsub("%%d", n)))))
    assert.equal("", pipe:read "a")
    assert.is_true((pipe:close()))
  end
end)

end)
