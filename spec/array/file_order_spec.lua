--[[
file_order_spec.lua - files among other work: in which order their operations
are, how files and Lua states end under them, and host functions and tasks.
]]
local child = require "spec.support.child"
local files = require "spec.support.files"
local helper = require "spec.support.helper"
local tide = require "tide"

local T, fails, new = helper.T, helper.fails, helper.new_stream
local path, contents, noise, eventually =
  files.path, files.contents, files.noise, files.eventually

local KIB <const>, MIB <const> = 1 << 10, 1 << 20

local function bytes_of (n) return tide.empty(n, "uint8") end

--- How many descriptors this process has.
local function descriptors ()
  local list <close> = assert(io.popen "ls /proc/$PPID/fd | wc -l")
  return assert(tonumber(list:read "a"))
end

helper.each_device(function (kind)

files.each_way(function (slots)

--{{ order

describe("order", function ()
  it("is the program's, on any streams, by any objects", function ()
    local CHUNK <const>, N <const> = 32 * KIB, 40
    local seed, name = 7, path()
    local function random (n)
      seed = (seed * 1103515245 + 12345) & 0x7fffffff
      return (seed >> 8) % n + 1
    end
    local streams = { tide.Stream.null, new(), new(), tide.Stream() }
    local opened = { tide.open(name, "w"), tide.open(name, "r+"),
                     tide.open(name, "r+") }
    opened[1] = opened[1]:close() or opened[2]
    local arrays, model, file, len = {}, {}, {}, 0
    for i = 1, 4 do
      arrays[i] = i < 4 and tide.zeros({ N, CHUNK }, "uint8") or
                  tide.HostArray({ N, CHUNK }, "uint8")
      model[i] = {}
      for k = 1, N do model[i][k] = 0 end
    end
    for _ = 1, 300 do
      local i, at, n = random(4), random(N), random(12)
      n = math.min(n, N - at + 1)
      local view, f = arrays[i][{ { at, at + n - 1 } }], opened[random(3)]
      streams[random(4)]:with(function ()
        local what = random(3)
        if what == 1 and i < 4 then
          local v = random(250)
          view:fill(v)
          for k = at, at + n - 1 do model[i][k] = v end
        elseif what == 2 then
          local to = random(len + 1) - 1
          f:write(view, to * CHUNK)
          table.move(model[i], at, at + n - 1, to + 1, file)
          len = math.max(len, to + n)
        elseif what == 3 and len >= n then
          local from = random(len - n + 1) - 1
          f:read(view, from * CHUNK)
          table.move(file, from + 1, from + n, at, model[i])
        end
      end)
      assert.equal(len * CHUNK, f.size)
    end
    local function check (text, wanted)
      assert.equal(#wanted * CHUNK, #text)
      for k, v in ipairs(wanted) do
        local chunk = text:sub((k - 1) * CHUNK + 1, k * CHUNK)
        assert.is_true(chunk == string.char(v):rep(CHUNK))
      end
    end
    for i = 1, 4 do check(arrays[i]:tobytes(), model[i]) end
    tide.get_device():synchronize()
    check(contents(name), file)
    opened[2]:close()
    opened[3]:close()
  end)

  it("behind a stream that stands keeps no other from its files", function ()
    local s <close> = new()
    local t <close> = new()
    local text = noise(3 * MIB)
    local f <close> = tide.open(path(text))
    local a, b = bytes_of(3 * MIB), bytes_of(3 * MIB)
    tide.get_device():synchronize()
    local key = T.hold(s)
    for _ = 1, 10 do s:with(function () f:read(a, 0) end) end
    for _ = 1, 10 do t:with(function () f:read(b, 0) end) end
    t:synchronize()
    assert.is_false(s.done)
    T.release(key)
    s:synchronize()
    assert.is_true(a:tobytes() == text and b:tobytes() == text)
  end)

  it("of a write and an open that empties the file", function ()
    local name = path()
    local a = tide.full(100, 65, "uint8")
    tide.open(name, "w"):write(a):close()
    tide.open(name, "w"):write(a[{ { 1, 10 } }]):close()
    tide.get_device():synchronize()
    assert.equal(("A"):rep(10), contents(name))
  end)

  it("is that of the null stream, too", function ()
    local s <close> = tide.Stream()
    local f <close> = tide.open(path(noise(3 * MIB)), "r+")
    local a, h = bytes_of(3 * MIB), tide.HostArray(3 * MIB, "uint8")
    for _, x in ipairs{ a, h } do
      for _, name in ipairs{ "read", "write" } do
        s:with(function () f[name](f, x, 0) end)
        tide.Stream.null:synchronize()
        assert.is_true(s.done)
      end
    end
  end)

  it("is that of their places: nothing is waited for", function ()
    local s <close> = new()
    local f <close> = tide.open(path(noise(MIB)))
    local a = bytes_of(MIB)
    local b
    tide.get_device():synchronize()
    tide.sync_debug "error"
    local key = T.hold(s)
    s:with(function () b = f:read(a):sum() end)
    tide.sync_debug "off"
    T.release(key)
    local sum = 0
    for _, x in ipairs{ noise(MIB):byte(1, 100) } do sum = sum + x end
    assert.equal(sum, a[{ { 1, 100 } }]:sum():item())
    assert.is_true(b:item() > sum)
  end)
end)

--}}

--{{ ends

describe("the end of a file", function ()
  it("lets what was queued be done", function ()
    local name, s <close> = path(), new()
    local a = tide.full(3 * MIB, 66, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(s)
    local f = tide.open(name, "w")
    s:with(function () f:write(a) end)
    f:close{ wait = false }
    a:close()
    fails("file is closed", f.write, f, a)
    fails("file is closed", function () return f.size end)
    fails("file is closed", f.close, f)
    T.release(key)
    s:synchronize()
    assert.is_true(contents(name) == ("B"):rep(3 * MIB))
  end)

  -- Every way to end a file by name: what was written is there for others.
  local ways = {
    ["f:close()"] = function (f, a) f:write(a) f:close() end,
    ["the end of a block"] = function (f, a)
      local g <close> = f
      g:write(a)
    end,
    ["both"] = function (f, a)
      local g <close> = f
      g:write(a)
      g:close()
    end,
  }
  for name, close in pairs(ways) do
    it("by " .. name .. " waits for what it writes", function ()
      local a = tide.full(30 * MIB, 66, "uint8")
      for _ = 1, 3 do
        local to = path()
        close(tide.open(to, "w"), a)
        assert.is_true(contents(to) == ("B"):rep(30 * MIB))
      end
    end)

    it("by " .. name .. " raises what went wrong, and is closed", function ()
      local s, t, f = new(), new(), tide.open("/dev/full", "w")
      s:with(function () f:write(tide.ones(10), 0) end)
      fails("No space left", close, f, tide.ones(10))
      assert.equal("tide.File (closed)", tostring(f))
      fails("file is closed", f.close, f)
      pcall(s.synchronize, s)
      pcall(tide.get_current_stream().synchronize, tide.get_current_stream())
      t:synchronize()
    end)

    it("by " .. name .. " in a task lets others go on", function ()
      local to, s = path(), new()
      local a = tide.full(MIB, 66, "uint8")
      tide.get_device():synchronize()
      local key, log = T.hold(s), {}
      tide.run(function ()
        local closer = tide.spawn(function ()
          s:with(function () close(tide.open(to, "w"), a) end)
          log[#log + 1] = "closed"
        end)
        tide.spawn(function ()
          log[#log + 1] = "others"
          T.release(key)
        end)
        closer:await()
      end)
      assert.same({ "others", "closed" }, log)
      assert.is_true(contents(to) == ("B"):rep(MIB))
    end)
  end

  it("waits for all streams that wrote, and not for others", function ()
    local s, t, to = new(), new(), path()
    local a = tide.full(3 * MIB, 66, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(t)
    local f, others = tide.open(to, "w"), tide.open(path(), "w")
    t:with(function () others:write(a) end)
    for i = 0, 4 do
      local u = new()
      u:with(function () f:write(a, i * 3 * MIB) end)
    end
    f:close()
    assert.is_true(contents(to) == ("B"):rep(15 * MIB))
    others:close{ wait = false }
    T.release(key)
    t:synchronize()
    s:synchronize()
  end)

  it("does not wait where an error ends the block, or no wait is allowed",
     function ()
    local s, to = new(), path()
    local a = tide.full(MIB, 66, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(s)
    fails("mine", function ()
      local f <close> = tide.open(to, "w")
      s:with(function () f:write(a) end)
      error "mine"
    end)
    T.release(key)
    s:launch_host_func(function ()
      local f <close> = tide.open(to, "r+")
      f:write(a)
    end)
    s:synchronize()
    s:launch_host_func(function ()
      local f = tide.open(to, "r+")
      f:write(a)
      f:close()
    end)
    fails("a host function must not wait: f:close{ wait = false } does not",
          s.synchronize, s)
    tide.get_device():synchronize()
  end)

  it("by the collector, too, and no descriptor stays #process", function ()
    local name = path(noise(MIB))
    local a = bytes_of(MIB)
    helper.settle()
    local before = descriptors()
    for _ = 1, 10 do
      tide.open(name):read(a)
      local f <close> = tide.open(name, "r+")
      f:write(a)
      pcall(tide.open, "/tmp")
    end
    eventually(function ()  -- a thread may be about to leave one
      helper.settle()
      return descriptors() == before
    end)
    assert.is_true(a:tobytes() == noise(MIB))
  end)

  it("leaves nothing to programs that are started #process", function ()
    local f <close> = tide.open(path "abc")
    local list <close> = assert(io.popen "ls -l /proc/self/fd")
    assert.is_nil(list:read "a":find(f.path, 1, true))
  end)
end)

helper.host_it("a reset forgets what is under way", function ()
  local f <close> = tide.open(path(noise(MIB)), "r+")
  local dev, s = tide.get_device(), new()
  local a = bytes_of(MIB)
  dev:synchronize()
  local key = T.hold(s)
  s:with(function () f:read(a) f:write(a, 0) end)
  T.release(key)
  s:with(function () for _ = 1, 20 do f:write(f:read(a, 0), 0) end end)
  dev:reset()
  local b = f:read(bytes_of(MIB), 0)
  assert.equal(MIB, #b:tobytes())
end)

it("a Lua state that closes waits, and says what nobody asked #process",
   function ()
  local name = path()
  local printed = helper.child_on(kind, ([[
    local tide = require "tide"
    tide.T.slots(%s)
    local f, g = tide.open(%q, "w"), tide.open("/dev/full", "w")
    local a = tide.full(3000000, 67, "uint8")
    for i = 0, 9 do f:write(a, i * 3000000) end
    g:write(a)
  ]]):format(slots, name))
  assert.is_truthy(printed:find("nobody asked for this error: .-:6: " ..
    "file:write: '/dev/full': No space left on device, at byte 0"), printed)
  assert.is_true(contents(name) == ("C"):rep(30000000))
end)

it("a Lua state may close with all of it under way #process", function ()
  helper.child_on(kind, ([[
    local tide = require "tide"
    tide.T.slots(%s)
    local f = tide.open(%q, "r+")
    local s = tide.Stream{ non_blocking = true }
    local a, h = tide.zeros(1 << 20, "uint8"), tide.HostArray(1 << 20, "uint8")
    s:launch_host_func(function () end)
    s:with(function () for _ = 1, 9 do f:read(a, 0) f:write(a, 0) end end)
    for _ = 1, 9 do f:read(h, 0) f:write(a, 0) end
    setmetatable({}, { __gc = function () X = tide.open(f.path):read(h) end })
  ]]):format(slots, path(noise(MIB))))
end)

--}}

--{{ beside the rest of tide

it("in a host function it comes behind what was queued", function ()
  local s <close> = new()
  local f <close> = tide.open(path(noise(1000)), "r+")
  local a, b = bytes_of(1000), bytes_of(1000)
  s:launch_host_func(function ()
    f:write(a, 0)
    f:read(b, 0)
  end)
  a:fill(1)
  s:synchronize()
  assert.is_true(b:tobytes() == ("\1"):rep(1000))
end)

it("a host function makes new files, and empties none", function ()
  local s <close>, there, new_one = new(), path "1234", path()
  os.remove(new_one)
  local said
  s:launch_host_func(function ()
    said = { pcall(tide.open, there, "w") }
    tide.open(new_one, "w"):close()
  end)
  s:synchronize()
  assert.is_false(said[1])
  assert.matches("tide.open: CUDA_ERROR_NOT_PERMITTED.*empties none; " ..
                 '"r%+" opens one as it is$', said[2])
  assert.equal("1234", contents(there))
  assert.equal("", contents(new_one))
end)

it("behind a host function it waits for it", function ()
  local s <close> = new()
  local f <close> = tide.open(path(noise(3 * MIB)))
  local h, a = tide.HostArray(3 * MIB, "uint8"), bytes_of(3 * MIB)
  s:launch_host_func(function () h:fill(1) a:fill(1) end)
  s:with(function ()
    f:read(h, 0)
    f:read(a, 0)
  end)
  s:synchronize()
  assert.is_true(h:tobytes() == noise(3 * MIB))
  tide.poll()
end)

it("in a finalizer it is queued", function ()
  local f <close> = tide.open(path "abc")
  local a = bytes_of(3)
  setmetatable({}, { __gc = function () f:read(a) end })
  collectgarbage()
  assert.equal("abc", a:tobytes())
end)

it("tasks await what is read", function ()
  local text = noise(64 * KIB)
  local f <close> = tide.open(path(text))
  local got = tide.run(function ()
    local tasks = {}
    for i = 0, 15 do
      tasks[i + 1] = tide.spawn(function ()
        local a = f:read(bytes_of(4 * KIB), i * 4 * KIB)
        a:await()
        return a:tobytes()
      end)
    end
    return table.concat(tide.gather(tasks))
  end)
  assert.is_true(got == text)
  fails("No space left", tide.run, function ()
    local full <close> = tide.open("/dev/full", "w")
    local a = tide.ones(3)
    full:write(a)
    a:await()
  end)
end)

it("debug_sync raises where the call is", function ()
  local f <close> = tide.open("/dev/full", "w")
  tide.debug_sync(true)
  local ok, err = pcall(f.write, f, tide.ones(3))
  tide.debug_sync(false)
  assert.is_false(ok)
  assert.is_truthy(err:find("No space left", 1, true))
end)

it("begins again whole", function ()
  local name = path(noise(MIB))
  local f <close> = tide.open(name)
  local a = bytes_of(MIB)
  local before = tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0)
  T.again(1)
  f:read(a)
  T.again(before)
  assert.equal(MIB, f.offset)
  assert.is_true(a:tobytes() == noise(MIB))
end)

it("a hole that a queued write will make is read as zeros (#328)", function ()
  local s <close> = new()
  local name, last = path(("1"):rep(8)), tide.ones(1)
  local f <close> = tide.open(name, "r+")
  local other <close> = tide.open(name)
  for i = 1, 5 do
    local from = i * 10000
    local key = T.hold(s)
    s:with(function () f:write(last, from) end)
    assert.equal(from + 8, f.size)
    local hole, half, here = tide.ones(1), tide.ones(1), tide.ones(1)
    f:read(hole, from - 100)
    f:read(half, from - 4)
    s:with(function () other:read(here, from - 200) end)
    tide.sleep(0.002)
    T.release(key)
    assert.same({ 0, 0 }, { hole:item(), here:item() })
    assert.is_true(half:item() ~= 1)
  end
end)

it("blocking streams write side by side (#275)", function ()
  local f <close> = tide.open(path(), "r+")
  local lanes = {}
  for i = 1, 4 do
    lanes[i] = { stream = tide.Stream(), h = tide.HostArray(8, "int64") }
    lanes[i].h:fill(i)
  end
  T.delays(1, 100)
  for round = 0, 24 do
    for i, lane in ipairs(lanes) do
      local at = (4 * round + i - 1) * 64
      lane.stream:with(function () f:write(lane.h, at) end)
    end
  end
  T.delays(1, 0)
  local a = tide.empty(800, "int64")
  f:read(a, 0)
  assert.equal(25 * 8 * (1 + 2 + 3 + 4), a:sum():item())
end)

--}}

end)

describe("few descriptors #process", function ()
  --- A file keeps its own until its work is done.
  local function run (loop, most)
    local pipe <close> = io.popen(("ulimit -n %d; exec env TIDE_DEVICE=%s " ..
      "%s timeout 100 %s -e %s 2>&1"):format(most or 96, kind, child.paths(),
      child.lua, child.quote([[
        local tide = require "tide"
        local path = os.tmpname()
        tide.save(path, tide.arange(1000, "float32"))
        local x = tide.empty(tide.open(path).size, "uint8")
        local function open () return tide.open(path) end
      ]] .. loop .. [[
        os.remove(path)
        print(x:sum():item() > 0)
      ]])))
    assert.equal("true\n", pipe:read "a")
  end

  for what, loop in pairs{
    ["files that are closed"] = [[
      for _ = 1, 2000 do
        local f <close> = open()
        f:read(x)
      end
    ]],
    ["files that are garbage"] = "for _ = 1, 2000 do open():read(x) end",
    ["files that are read or written as a whole"] = [[
      local other = os.tmpname()
      for i = 1, 1000 do
        open():read(x)
        if i % 3 == 0 then assert(tide.load(path)[1000] == 999) end
        if i % 5 == 0 then tide.save(other, x) end
      end
      os.remove(other)
    ]],
    ["files until they are too many"] = [[
      local list = {}
      local ok, why = pcall(function ()
        for i = 1, 1000 do
          list[i] = open()
          list[i]:read(x)
        end
      end)
      assert(not ok and why:find("Too many open files", 1, true), why)
      list = nil
      for _ = 1, 100 do open():read(x) end
    ]],
  } do
    it("will do for " .. what .. " (#327)", function () run(loop) end)
  end

  it("are left to the program, some of them", function ()
    for _, last in ipairs{ "", "f:close()" } do
      run([[
        local heap = {}
        for i = 1, 300000 do heap[i] = { i } end
        for i = 1, 2000 do
          local f = open()
          f:read(x)
          ]] .. last .. [[
          if i % 100 == 0 then
            local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
            local n = ls:read "n"
            assert(n < 600, n)
          end
        end
      ]], 1024)
    end
  end)
end)

it("errors of one stream come one at a time, the oldest first (#273)",
   function ()
  local s <close> = new()
  local full <close> = tide.open("/dev/full", "w")
  local a = tide.ones(10, "uint8")
  tide.get_device():synchronize()
  local key = T.hold(s)
  s:with(function ()
    for _ = 1, 3 do full:write(a) end
  end)
  s:launch_host_func(function () error "of a function" end)
  s:with(function () full:write(a) end)
  T.release(key)
  for _, why in ipairs{ "at byte 0", "at byte 10", "at byte 20",
                        "of a function", "at byte 30" } do
    fails(why, s.synchronize, s)
  end
  s:synchronize()
end)

end)
