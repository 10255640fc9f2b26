--[[
device_spec.lua - devices: the list, names for them, fields, memory, the
current one. Tests that need other environment variables, or two devices,
run in processes of their own (#process: see run.lua).
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, child = helper.fails, helper.child

helper.each_device(function (kind)

describe("devices", function ()
  it("lists CUDA devices first, then the host's, by number", function ()
    local seen, host = { cuda = 0, host = 0 }, false
    for _, dev in ipairs(tide.devices()) do
      host = host or dev.kind == "host"
      assert.is_false(host and dev.kind == "cuda")
      assert.equal(seen[dev.kind], dev.id)
      seen[dev.kind] = seen[dev.kind] + 1
    end
    assert.is_true(seen.host >= 1)
  end)

  it("gives the same object for the same device", function ()
    for _, dev in ipairs(tide.devices()) do
      if dev.kind == kind then
        assert.is_true(rawequal(dev, tide.Device(tostring(dev))))
      end
    end
  end)
end)

describe("Device", function ()
  it("takes a kind, a kind and number, a number, a Device", function ()
    local dev = tide.Device(kind)
    assert.equal(dev, tide.Device(kind .. ":0"))
    assert.equal(dev, tide.Device(dev))
    assert.equal(tide.devices()[1], tide.Device(0))
  end)

  it("is the current one if it is not named", function ()
    assert.equal(tide.get_device(), tide.Device())
  end)

  it("says which devices there are not", function ()
    fails("#1 to 'tide.Device' (there is no device 'host:99' (host devices: ",
          tide.Device, "host:99")
    fails("there is no", tide.Device, 99)
    fails("there is no", tide.Device, -1)
    fails("no device is called 'gpu'", tide.Device, "gpu")
    fails("'host:' is not a device", tide.Device, "host:")
    fails("'host:1x' is not a device", tide.Device, "host:1x")
    fails("'hosts' is not a device", tide.Device, "hosts")
    fails("there is no device 'host:-1'", tide.Device, "host:-1")
  end)

  it("refuses other types", function ()
    for _, x in ipairs{ {}, true, print, 1.5 } do
      fails("tide.Device, integer or string expected", tide.Device, x)
    end
    fails("tide.Device, integer or string expected", tide.Device, nil)
  end)
end)

describe("fields:", function ()
  it("kind and id", function ()
    local dev = tide.Device(kind)
    assert.equal(kind, dev.kind)
    assert.equal(0, dev.id)
  end)

  it("name is a text", function ()
    assert.is_true(#tide.Device(kind).name > 0)
  end)

  it("total_memory is in bytes", function ()
    local total = tide.Device(kind).total_memory
    assert.equal("integer", math.type(total))
    assert.is_true(total > 1 << 20)
  end)

  it("compute_capability is major.minor", function ()
    assert.is_truthy(tide.Device(kind).compute_capability:find "^%d+%.%d+$")
  end)

  it("attributes has integers by CUDA's names", function ()
    local attributes = tide.Device(kind).attributes
    assert.is_true(attributes.max_threads_per_block >= 1)
    assert.is_true(attributes.multiprocessor_count >= 1)
    for name, value in pairs(attributes) do
      assert.equal("string", type(name))
      assert.equal("integer", math.type(value))
    end
  end)

  helper.host_it("the host has the cores that the process may use #process",
  function ()
    assert.equal("true\n", helper.child_on("host", [[
      local file <close> = io.open "/proc/self/status"
      local core = file:read "a":match "Cpus_allowed_list:%s*(%d+)"
      if not os.execute(("taskset -cp %s $PPID >/dev/null"):format(core)) then
        print(true)  -- a machine without taskset
        return
      end
      local tide = require "tide"
      local x = tide.ones(1 << 20)
      assert((x + x):sum():item() == 2 << 20)
      print(tide.Device "host".attributes.multiprocessor_count == 1)
    ]]))
  end)

  it("tostring is kind and number", function ()
    assert.equal(kind .. ":0", tostring(tide.Device(kind)))
  end)

  it("others are errors with the nearest name", function ()
    local dev = tide.Device(kind)
    fails("no field 'nmae' in tide.Device; did you mean 'name'?",
          function () return dev.nmae end)
    fails("no field 'memory' in tide.Device", function ()
      return dev.memory
    end)
    fails("field 'id' of tide.Device cannot be set", function ()
      dev.id = 3
    end)
    fails("no field 'x' in tide.Device", function () dev.x = 3 end)
    fails("cannot index a tide.Device", function () return dev[1] end)
  end)

  it("and methods want a Device", function ()
    local dev = tide.Device(kind)
    for _, name in ipairs{ "memory_info", "synchronize", "use" } do
      fails("tide.Device expected", dev[name], 1)
      fails("tide.Device expected", dev[name])
    end
  end)
end)

describe("memory_info", function ()
  -- a pool takes more than it is asked for, so its rest goes first; and other
  -- processes give some memory back meanwhile
  it("is free and total, and free shrinks as arrays are made", function ()
    local dev = tide.Device(kind)
    local free, total = dev:memory_info()
    assert.is_true(free <= total and total <= dev.total_memory * 2)
    local arrays, less = {}, free
    while less >= free and #arrays < 100 do
      free = less
      arrays[#arrays + 1] = tide.ones(1 << 22, "float32")
      dev:synchronize()
      less = dev:memory_info()
    end
    assert.is_true(less < free)
    for _, a in ipairs(arrays) do a:close() end
  end)
end)

describe("memory of the host device #process", function ()
  if helper.variant ~= "testing" then
    return  -- a sanitizer's own memory is more than these limits
  end
  for option, what in pairs{ v = "address space", d = "data" } do
    it("is what the limit of " .. what .. " leaves", function ()
      local printed, ok = helper.child(([=[
        io.write(io.popen([==[ulimit -%s 2000000; %%s -e '%%s']==]):read "a")
      ]=]):format(option):format(require "spec.support.child".lua, [=[
        local dev = require [[tide]].Device [[host]]
        local free, total = dev:memory_info()
        print(free == total, total, dev.total_memory)
      ]=]), { TIDE_DEVICE = "host" })
      assert(ok, printed)
      assert.equal("true\t2048000000\t2048000000\n", printed)
    end)
  end
end)

describe("synchronize", function ()
  it("waits for every stream of the device", function ()
    local dev = tide.Device(kind)
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream()
    local list = { s:record(), t:record(), tide.Stream.null:record() }
    local ran = false
    s:launch_host_func(function () ran = true end)
    dev:synchronize()
    assert.is_true(ran and s.done and t.done and tide.Stream.null.done)
    for _, e in ipairs(list) do
      assert.is_true(e.done)
    end
  end)
end)

describe("use", function ()
  it("makes the device current and returns it", function ()
    local dev = tide.Device(kind)
    assert.equal(dev, dev:use())
    assert.equal(dev, tide.get_device())
  end)

  it("concerns this coroutine only", function ()
    local other
    tide.Device(kind):use()
    coroutine.wrap(function ()
      other = tide.get_device()
      tide.Device "host":use()
      assert.equal("host:0", tostring(tide.get_device()))
    end)()
    assert.equal(kind, tide.get_device().kind)
    assert.is_not_nil(other)
  end)
end)

describe("with_device", function ()
  it("runs fn(dev, ...) and returns what it returns", function ()
    local dev = tide.Device(kind)
    local function f (d, ...)
      assert.equal(dev, d)
      assert.equal(dev, tide.get_device())
      return select("#", ...), ...
    end
    local r = table.pack(tide.with_device(kind, f, 1, nil, 3, nil))
    assert.same({ 4, 1, nil, 3, nil, n = 5 }, r)
  end)

  it("restores the device on return and on error", function ()
    local before = tide.get_device()
    tide.with_device("host", function () end)
    assert.equal(before, tide.get_device())
    fails("oops", tide.with_device, "host", function () error "oops" end)
    assert.equal(before, tide.get_device())
  end)

  it("restores the stream that was current, too", function ()
    local s <close> = tide.Stream():use()
    tide.with_device("host", function ()
      tide.Stream{ non_blocking = true }:use()
    end)
    assert.equal(s, tide.get_current_stream())
  end)

  it("may yield, and coroutine.close restores", function ()
    local co = coroutine.create(function ()
      tide.with_device("host", coroutine.yield)
    end)
    assert(coroutine.resume(co))
    assert.equal(kind, tide.get_device().kind)
    assert.is_true(coroutine.close(co))
  end)

  it("wants a device and a function", function ()
    fails("#1 to 'tide.with_device' (there is no device", tide.with_device,
          "host:99", print)
    fails("function expected", tide.with_device, kind)
    fails("function expected", tide.with_device, kind, 1)
    assert.equal(kind, tide.get_device().kind)
  end)
end)

describe("get_current_stream", function ()
  it("takes a device", function ()
    local s <close> = tide.Stream():use()
    assert.equal(s, tide.get_current_stream(kind))
    assert.equal(s, tide.get_current_stream(tide.Device(kind)))
    fails("there is no device", tide.get_current_stream, "host:99")
  end)
end)

end)

describe("TIDE_DEVICE #process", function ()
  local function current (spec)
    return child("print(require'tide'.get_device())", { TIDE_DEVICE = spec })
  end

  it("names the default device", function ()
    assert.equal("host:0\n", (current "host"))
    assert.equal("host:0\n", (current "host:0"))
  end)

  it("is auto by default: CUDA's first, else the host's", function ()
    local first = helper.kinds[#helper.kinds]
    if not os.getenv "TIDE_SPEC_DEVICES" then
      assert.equal(first .. ":0\n", (current "auto"))
      assert.equal(first .. ":0\n", (current ""))
    end
  end)

  it("that cannot be had is an error that says why", function ()
    for _, spec in ipairs{ "host:7", "gpu", "cuda:99", "host:x" } do
      local printed, ok = current(spec)
      assert.is_false(ok)
      assert.is_truthy(printed:find("TIDE_DEVICE: ", 1, true), printed)
    end
    if not pcall(tide.Device, "cuda") then
      local printed, ok = current "cuda"
      assert.is_false(ok)
      assert.is_truthy(printed:find("cuda", 1, true), printed)
    end
  end)
end)

describe("two devices #process", function ()
  local PRELUDE = [[
    local tide = require "tide"
    local one, two = tide.Device "host:0", tide.Device "host:1"
    local function fails (text, fn, ...)
      local ok, err = pcall(fn, ...)
      assert(not ok and tostring(err):find(text, 1, true), err)
    end
  ]]

  local function on_two (code)
    helper.child_on("host", PRELUDE .. code, { TIDE_HOST_DEVICES = "2" })
  end

  it("have the errors of others that their work comes after", function ()
    on_two [[
      for _, fail in ipairs{
        function (s)
          s:launch_host_func(function () error "wrong" end)
          return tide.ones(4)
        end,
        function () return tide.ones(4):take(tide.full(4, 9)) end,
      } do
        one:use()
        local s = tide.Stream{ non_blocking = true }
        local b = s:with(function () return (fail(s) + 1):to(two) end)
        assert(not pcall(two.synchronize, two))
        two:synchronize()
        one:synchronize()
      end
      one:use()
      local s = tide.Stream{ non_blocking = true }
      s:launch_host_func(function () error "wrong" end)
      tide.ones(4):to(two)
      two:synchronize()
      assert(not pcall(one.synchronize, one))
    ]]
  end)

  it("TIDE_HOST_DEVICES says how many", function ()
    on_two [[
      local n = 0
      for _, dev in ipairs(tide.devices()) do
        n = n + (dev.kind == "host" and 1 or 0)
      end
      assert(n == 2 and two.id == 1 and tostring(two) == "host:1")
      fails("host devices: 2", tide.Device, "host:2")
    ]]
  end)

  it("a stream's device is current in its scope", function ()
    on_two [[
      local s = tide.with_device(two, function () return tide.Stream() end)
      assert(s.device == two and s.device_id == 1)
      assert(tide.get_device() == one)
      s:with(function ()
        assert(tide.get_device() == two and tide.get_current_stream() == s)
        assert(tide.ones(3).device == two)
        one:use()
        assert(tide.get_current_stream(two) == s)
      end)
      assert(tide.get_device() == one)
      assert(tide.get_current_stream() == tide.Stream.null)
      assert(tide.get_current_stream(two) == tide.Stream.null)
      s:use()
      assert(tide.get_device() == two)
    ]]
  end)

  it("waits for a null stream of a device that is not current", function ()
    on_two [[
      local b = tide.Stream()
      local s = tide.with_device(two, function ()
        return tide.Stream{ non_blocking = true }
      end)
      local x = tide.zeros(10)
      b:with(function () x:add_(1) end)
      b:launch_host_func(function () x:add_(1) end)
      s:wait_stream(tide.Stream.null)
      b:synchronize()
      assert(x[1] == 2)
      local t = tide.Stream{ non_blocking = true }
      t:with(function () x:add_(1) end)
      x:add_(1)
      assert(x[1] == 4)
    ]]
  end)

  it("gives the address of a stream of a device that is not current",
     function ()
    on_two [[
      local function make ()
        return tide.Stream{ non_blocking = true }, tide.zeros(10)
      end
      local s, y = tide.with_device(two, make)
      local t = tide.with_device(two, make)
      local x = tide.zeros(10)
      x:add_(1)
      s:with(function () y:add_(1) end)
      s:launch_host_func(function () end)
      x:add_(1)
      assert(math.type(s.ptr) == "integer")
      s:with(function () y:add_(1) end)
      t:with(function () y:add_(1) end)
      assert(y[1] == 3 and x[1] == 2)
    ]]
  end)

  -- Calls on objects of the device 'two': streams s and t, an array y, a
  -- shareable array m, a HostArray h and an interprocess event e. The array x
  -- is of the device that is current.
  local CALLS <const> = {
    ["to_dlpack and from_dlpack"] = [[
      for _, stream in ipairs{ s, s.ptr, b, 1, 2, -1 } do
        local z = tide.from_dlpack(y:to_dlpack{ stream = stream },
                                   { stream = stream })
        t:with(function () z:add_(1) end)
        assert(z[1] >= 1)
      end
      y:to_dlpack{ stream = s }
      tide.from_dlpack(h:to_dlpack())[1] = 2
    ]],
    ["from_dlpack of the device that is current"] = [[
      local z = tide.from_dlpack(x:to_dlpack())
      on_two(function () return tide.from_dlpack(y:to_dlpack()):add_(1) end)
      z:add_(1)
    ]],
    ["interprocess events"] = [[
      s:record(e)
      assert(math.type(e.ptr) == "integer" and tostring(e))
      t:wait_event(e)
      tide.Stream.null:wait_event(e)
      tide.run(function () e:await() end)
      e:record(t)
      e:synchronize()
    ]],
    ["events and arrays of another process"] = [[
      s:with(function () m:add_(1) end)
      s:record(e)
      ours:send(m, e)
      local n, f = theirs:recv()
      t:wait_event(f)
      tide.Stream.null:wait_event(f)
      t:with(function () n:add_(1) end)
      t:record(f)
      f:synchronize()
      theirs:send(n)
      assert(ours:recv()[1] == 2)
    ]],
    ["streams of others"] = [[
      local u <close> = tide.ExternalStream(s.ptr, two)
      u:with(function () y:add_(1) end)
      u:wait_stream(tide.Stream.null)
      tide.Stream.null:wait_stream(u)
      u:synchronize()
    ]]
  }

  for name, code in pairs(CALLS) do
    it("that are not current: " .. name, function ()
      on_two(([[
        local function on_two (fn) return tide.with_device(two, fn) end
        local function make ()
          return tide.Stream{ non_blocking = true },
                 tide.Stream{ non_blocking = true }, tide.Stream(),
                 tide.zeros(10), tide.ipc.zeros(10), tide.HostArray(10),
                 tide.Event{ interprocess = true, disable_timing = true }
        end
        local path = os.tmpname()
        os.remove(path)
        local listener = tide.ipc.listen(path)
        local theirs = tide.ipc.connect(path)
        local ours, x = listener:accept(), tide.zeros(10)
        for round = 0, 7 do  -- functions stand on these streams, or do not
          local s, t, b, y, m, h, e = on_two(make)
          for i, stream in ipairs{ s, b, tide.Stream.null } do
            if round >> (i - 1) & 1 == 1 then
              stream:launch_host_func(function () y:add_(1) end)
            end
          end
          x:add_(1)
          %s
          x:add_(1)
          assert(x[1] > 0)
          two:synchronize()
          one:synchronize()
          local u = on_two(make)
          u:with(function () y:fill(1) end)
          s:with(function () y:add_(1) end)
          assert(y[1] == 2)
        end
        listener:close()
      ]]):format(code))
    end)
  end

  it("a scope restores streams of the other device as well", function ()
    on_two [[
      local s = tide.Stream()
      local t = tide.with_device(two, function () return tide.Stream() end)
      local u = tide.with_device(two, function () return tide.Stream() end)
      t:use()
      s:with(function ()
        u:use()
        assert(tide.get_current_stream(two) == u)
      end)
      assert(tide.get_current_stream() == t and tide.get_device() == two)
      assert(tide.get_current_stream(one) == tide.Stream.null)
    ]]
  end)

  it("do not mix: the error says device", function ()
    on_two [[
      local a, s, e, g = tide.ones(3), tide.Stream(), tide.Event()
      g = tide.capture(function () a:add_(1) end)
      two:use()
      local t = tide.Stream()
      fails("device", function () return a + tide.ones(3) end)
      fails("the event belongs to device host:0", e.record, e, t)
      fails("the event belongs to device host:0", t.record, t, e)
      fails("the graph belongs to device host:0", g.launch, g, t)
      local h = tide.capture(function () return tide.ones(3) end)
      fails("another device", g.update, g, h)
      fails("another device", tide.ExternalStream, s.ptr, "host:1")
      local e1, e2 = s:record(), t:record()
      e1:synchronize() e2:synchronize()
      fails("another device", tide.get_elapsed_time, e1, e2)
      assert(tide.ExternalStream(s.ptr, "host:0") == s)
      g:launch()  -- on the stream current on its own device
      one:synchronize()
      assert(a[1] == 2)
    ]]
  end)

  it("wait for each other's events and streams", function ()
    on_two [[
      local T, s = tide.T, tide.Stream{ non_blocking = true }
      two:use()
      local t = tide.Stream{ non_blocking = true }
      local key = T.hold(s)
      t:wait_event(s:record())
      assert(not t:record().done)
      T.release(key)
      t:synchronize()
      key = T.hold(t)
      s:wait_stream(t)
      assert(not s:record().done)
      T.release(key)
      s:synchronize()
    ]]
  end)

  it("are not waited for in a capture that reaches them (#261)", function ()
    on_two [[
      local s = tide.Stream{ non_blocking = true }
      local t = tide.with_device(two, function ()
        return tide.Stream{ non_blocking = true }
      end)
      s:begin_capture()
      t:wait_stream(s)
      fails("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", two.synchronize, two)
      s:wait_stream(t)
      s:end_capture()
      two:synchronize()
    ]]
  end)
end)

describe("TIDE_HOST_MEMORY #process", function ()
  it("limits the host device; the error has figures", function ()
    helper.child_on("host", [[
      local tide = require "tide"
      local a = tide.ones(100000)
      local ok, err = pcall(tide.ones, 1 << 20)
      assert(not ok and err:find("CUDA_ERROR_OUT_OF_MEMORY (2)", 1, true), err)
      assert(err:find("host: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory: " ..
             "asked 8 MiB of the host device; ", 1, true), err)
      assert(tide.errorinfo(err).name == "CUDA_ERROR_OUT_OF_MEMORY")
      assert((a + 1):sum():item() == 200000)
      for _ = 1, 100 do
        tide.ones(200000)  -- garbage goes back
      end
    ]], { TIDE_HOST_MEMORY = "4194304" })
  end)
end)
