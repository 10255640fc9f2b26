--[[
limits_spec.lua - limits that a host program sets for a script: each one when it
is reached, what makes room, and that no script gets round it. The host program
is spec/embed/limits.c. #process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local PRELUDE = [[
  local tide = require "tide"
  local function fails (text, fn, ...)
    local ok, err = pcall(fn, ...)
    assert(not ok, "no error, expected: " .. text)
    assert(tostring(err):find(text, 1, true), err)
  end
  local function new () return tide.Stream{ non_blocking = true } end
  local function works ()
    assert((tide.ones(10) + 1):sum():item() == 20)
  end
]]

--- limited(limits, code): the script runs to its end under these limits.
local function limited (limits, code)
  local words = {}
  for name, n in pairs(limits) do
    words[#words + 1] = name .. "=" .. n
  end
  words[#words + 1] = PRELUDE .. code
  helper.program(kind, "limits", table.unpack(words))
end

describe("a limit of streams #process", function ()
  it("is named when it is reached; all else works on", function ()
    limited({ streams = 4 }, [[
      local all = { new(), new(), tide.Stream(), new() }
      fails("limit of streams: the host program allows this Lua state 4", new)
      fails("limit of streams", tide.with_stream, print)
      fails("limit of streams", tide.capture, print)
      works()
      local e = all[1]:record()
      all[2]:wait_event(e):synchronize()
      fails("limit of streams", new)
      assert(tide.Stream{ null = true } == tide.Stream.null)
    ]])
  end)

  it("has room again for each stream that is closed", function ()
    limited({ streams = 3 }, [[
      local all = { new(), new(), new() }
      for i = 1, 100 do
        fails("limit of streams", new)
        all[i % 3 + 1]:close()
        all[i % 3 + 1] = new()
      end
      all[1]:close()
      assert(tide.with_stream(function () return 5 end) == 5)
      local a = tide.zeros(4)
      local g = tide.capture(function () a:add_(1) end)
      g:launch()
      assert(a:sum():item() == 4)
    ]])
  end)

  it("has room again for each stream that is garbage", function ()
    limited({ streams = 3 }, [[
      collectgarbage "stop"
      for _ = 1, 100 do
        new():with(function () tide.ones(100) end)
      end
      works()
    ]])
  end)

  it("counts closed streams until their work is done", function ()
    limited({ streams = 2 }, [[
      local ran = 0
      for i = 1, 20 do
        local s <close> = new()
        s:launch_host_func(function () ran = ran + 1 end)
      end
      tide.get_device():synchronize()
      assert(ran == 20)
      fails("limit of streams", function ()
        local _ = { new(), new(), new() }
      end)
    ]])
  end)

  it("holds in coroutines and host functions", function ()
    limited({ streams = 2 }, [[
      local s, t = new(), new()
      local checked = 0
      local function check ()
        fails("limit of streams", new)
        checked = checked + 1
      end
      coroutine.wrap(check)()
      s:launch_host_func(check)
      s:synchronize()
      assert(checked == 2)
      t:close()
      s:launch_host_func(function () t = new() end)
      s:synchronize()
      fails("limit of streams", new)
      t:synchronize()
    ]])
  end)
end)

describe("a limit of device memory #process", function ()
  it("counts what is shared with other processes, and says so", function ()
    limited({ device_bytes = 8 << 20 }, [[
      local all = {}
      local ok, err
      repeat
        ok, err = pcall(tide.ipc.zeros, 1 << 18)
        all[#all + 1] = ok and err or nil
      until not ok
      assert(#all == 4)
      assert(err:find("shared 8 MiB, free 0 bytes, largest free 0 bytes, " ..
                      "limit 8 MiB", 1, true), err)
      fails("shared 8 MiB", tide.zeros, 1 << 18)
      all[1]:close()
      works()
    ]])
  end)
end)

for memory, name in pairs{ device = "device_bytes",
                           pinned = "pinned_bytes" } do
  local MAKE = ([[
    local KIND, LIMIT = %q, 1 << 20
    local function make (bytes)
      local new = KIND == "device" and tide.zeros or tide.HostArray
      return new(bytes, "uint8")
    end
    local function reserved ()
      return tide.memory_stats(KIND).reserved
    end
  ]]):format(memory)

  local function with_limit (code)
    limited({ [name] = 1 << 20 }, MAKE .. code)
  end

  describe("a limit of " .. memory .. " memory #process", function ()
    it("is named when it is reached; all else works on", function ()
      with_limit [[
        local all = {}
        for i = 1, 8 do
          all[i] = make(1 << 17)
        end
        assert(reserved() == LIMIT)
        fails("limit 1 MiB", make, 1)
        fails("limit 1 MiB", make, 1 << 40)
        assert(tide.memory_stats(KIND).limit == LIMIT)
        all[3]:close()
        all[3] = make(1 << 17)
        fails("limit 1 MiB", make, 1)
        all = nil
        works()
      ]]
    end)

    it("has room again for what is garbage or cached", function ()
      with_limit [[
        collectgarbage "stop"
        for i = 1, 100 do
          make(1 << (i % 18))
          assert(reserved() <= LIMIT)
        end
        local whole <close> = make(LIMIT)
        fails("limit 1 MiB", make, 1)
      ]]
    end)

    it("can be lowered by the script, and not lifted", function ()
      with_limit [[
        local allowed = "the host program allows this Lua state 1048576 bytes"
        fails(allowed, tide.memory_limit, LIMIT + 1, KIND)
        fails(allowed, tide.memory_limit, math.maxinteger, KIND)
        assert(tide.memory_limit(LIMIT // 2, KIND) == LIMIT)
        fails("limit 512 KiB", make, LIMIT)
        assert(tide.memory_limit(0, KIND) == LIMIT // 2)  -- none of its own
        assert(tide.memory_limit(nil, KIND) == LIMIT)
        fails("limit 1 MiB", make, LIMIT + 1)
        assert(tide.memory_limit(LIMIT, KIND) == LIMIT)
        make(LIMIT):close()
      ]]
    end)

    it("is not that of the other kind, or of another state", function ()
      with_limit [[
        if KIND == "device" then
          tide.HostArray(LIMIT * 4, "uint8"):close()
        else
          tide.zeros(LIMIT * 4, "uint8"):close()
        end
        elsewhere [=[
          local tide = require "tide"
          tide.zeros(1 << 23, "uint8"):close()
          tide.HostArray(1 << 23, "uint8"):close()
        ]=]
        fails("limit 1 MiB", make, LIMIT + 1)
      ]]
    end)
  end)
end

describe("a limit of events #process", function ()
  it("is named when it is reached; all else works on", function ()
    limited({ events = 3 }, [[
      local s = new()
      local all = { tide.Event(), s:record(), tide.Event() }
      fails("limit of events: the host program allows this Lua state 3",
            tide.Event)
      fails("limit of events", s.record, s)
      s:record(all[1])
      all[1]:synchronize()
      new():wait_event(all[2]):synchronize()
      works()
      all[3]:close()
      all[3] = s:record()
      fails("limit of events", tide.Event)
    ]])
  end)

  it("is the program's line's, where tide's own Lua needs one", function ()
    limited({ events = 2 }, [[
      local all = { tide.Event(), tide.Event() }
      local p = tide.progress(50)
      local ok, err = pcall(function () p:add() end)
      assert(not ok and err:find '^%[string .*: limit of events', err)
      all[1]:close()
      p:add():close()
    ]])
  end)

  it("has room again for each event that is garbage", function ()
    limited({ events = 3 }, [[
      collectgarbage "stop"
      for _ = 1, 100 do
        tide.Stream.null:record()
      end
    ]])
  end)

  it("does not count those of tide itself", function ()
    limited({ events = 1 }, [[
      local a, s, t = tide.zeros(100), new(), new()
      for _ = 1, 50 do
        s:with(function () a:add_(1) end)
        t:with(function () a:add_(1) end)
      end
      assert(a:sum():item() == 10000)
    ]])
  end)
end)

describe("groups that are left out #process", function ()
  local POINTERS = [[
    for _, x in ipairs{ tide.Stream(), tide.Stream.null, tide.Stream.ptds,
                        tide.get_current_stream() } do
      fails("'ptr' of tide.Stream is left out by the host program",
            function () return x.ptr end)
    end
    fails("'ptr' of tide.Event is left out", function ()
      return tide.Event().ptr
    end)
    fails("'ptr' of tide.Array is left out", function ()
      return tide.ones(3).ptr
    end)
    fails("'ptr' of tide.HostArray is left out", function ()
      return tide.HostArray(3).ptr
    end)
    fails("'ExternalStream' is left out by the host program",
          tide.ExternalStream, 64)
    fails("'from_external' is left out", tide.Stream.from_external, 64)
    fails("'Pointer' is left out", tide.Pointer, 64)
    works()
  ]]

  it("pointers", function () limited({ leave_out = 1 }, POINTERS) end)

  it("kernels and files, whatever there is of them", function ()
    limited({ leave_out = 6 }, [[
      for _, name in ipairs{ "RawKernel", "RawModule", "ElementwiseKernel",
                             "ReductionKernel", "fuse", "save", "load" } do
        if rawget(tide, name) then
          fails("'" .. name .. "' is left out by the host program",
                rawget(tide, name), "x", "y")
        end
      end
      assert(math.type(tide.Stream().ptr) == "integer")
      works()
    ]])
  end)

  it("the prompt and the command, whatever is left out", function ()
    limited({ leave_out = 8 }, [[
      for _, name in ipairs{ "tide.repl", "tide.repl.session", "tide.info" } do
        fails("tide.system, which the prompt and the command need, is left " ..
              "out by the host program", require, name)
        assert(not select(2, pcall(require, name)):find "\n")
      end
      tide.progress():close()
      works()
    ]])
  end)

  it("are called as the program calls them, in a sandbox too", function ()
    limited({ leave_out = 15 }, [[
      os, io, package = nil
      fails("'tide.dist.init' is left out by the host program", tide.dist.init)
      fails("'tide.dist.init' is left out", tide.dist.init,
            { rank = 0, size = 2, file = "id" })
      fails("'tide.comm' is left out by the host program", tide.comm,
            { tide.get_device() })
      assert(tide.dist.launcher() == nil)
      assert(tide.plot(tide.ones(3), { string = true }))
      local p <close> = tide.progress(2)
      fails("no field 'foo' in tide.Progress", function () return p.foo end)
      assert(tide.help "xyzzy":find "^no help")
    ]])
  end)

  it("all are there by default", function ()
    limited({}, [[
      local s = tide.Stream()
      assert(tide.ExternalStream(s.ptr).ptr == s.ptr)
      assert(tide.Stream.from_external(s.ptr, s) == s)
      for _ = 1, 100 do
        KEEP = { new(), tide.Event(), KEEP }
      end
    ]])
  end)

  it("cannot be had by loading the module again", function ()
    limited({ leave_out = 15, streams = 1 }, [[
      local path = package.searchpath("tide.core", package.cpath)
      local s = tide.Stream()
      package.loaded.tide, package.loaded["tide.core"] = nil
      package.preload["tide.core"] = nil
      assert(require "tide" == tide)
      assert(package.loadlib(path, "luaopen_tide_core")() == tide)
      assert(again(path) == tide)
      fails("limit of streams", tide.Stream)
      s:close()
      fails("its limits hold", late)
    ]] .. POINTERS)
  end)

  it("cannot be had by what metatables give away", function ()
    limited({ leave_out = 15 }, [[
      local s = tide.Stream()
      for _, x in ipairs{ s, s:record(), tide.ones(2), tide.HostArray(2),
                          tide.get_device(), s:scope(),
                          tide.capture(function () end) } do
        assert(type(getmetatable(x)) == "string")
        assert(not pcall(setmetatable, x, {}))
      end
      assert(getmetatable(tide.Stream).__call)
      assert(not pcall(getmetatable(tide.Stream).__call, tide.Stream, s))
    ]])
  end)

  it("kernels, and tide.fuse with them, but no resets (#085)", function ()
    limited({ leave_out = 2 }, [[
      fails("'fuse' is left out by the host program", tide.fuse,
            function (x) return x end)
      tide.ones(3)
      tide.get_device():reset()
      works()
    ]])
  end)

  it("resets, which take the arrays of others", function ()
    limited({ leave_out = 8 }, [[
      local a, dev = tide.ones(3), tide.get_device()
      fails("'reset' is left out by the host program", dev.reset, dev)
      assert(a:sum():item() == 3)
      assert(tide.fuse(function (x) return x * 2 end)(a):sum():item() == 6)
    ]])
  end)

  it("pointers, also as text (#086)", function ()
    limited({ leave_out = 1 }, [[
      local name = tostring(tide.get_device())
      local s = tostring(new())
      assert(s == ("tide.Stream (%s, non-blocking, priority 0)"):format(name),
             s)
      assert(tostring(tide.Event()):find("tide.Event (" .. name, 1, true))
    ]])
  end)

  helper.host_it("pointers, also in the message of a failed device", function ()
    local CODE = [[
      local s = new()
      tide.T.fault(s)
      local ok, err = pcall(s.synchronize, s)
      assert(not ok and err:find("on stream " .. PATTERN), err)
    ]]
    limited({ leave_out = 1 }, "PATTERN = '#%d+,'" .. CODE)
    limited({}, "PATTERN = '0x%x+,'" .. CODE)
  end)

  it("files, also those that a script was given (#087)", function ()
    limited({ leave_out = 4 }, [[
      local h, f = tide.HostArray(4, "uint8"), io.tmpfile()
      for _, name in ipairs{ "readfrom", "writeto" } do
        fails("'" .. name .. "' is left out by the host", h[name], h, f)
      end
      assert(f:seek "end" == 0)
    ]])
  end)
end)

describe("without limits #process", function ()
  it("ranks meet in a sandbox: os, io and package are not there", function ()
    limited({}, [[
      local path = os.tmpname()
      os.remove(path)
      local comm <close> = tide.dist.init{ rank = 0, size = 1, file = path }
      local open <const> = io.open
      os, io, package = nil
      local other <close> = tide.dist.init{ rank = 0, size = 1, file = path }
      assert(other.size == 1 and not open(path))
      local third <close> = tide.dist.init()
      assert(third.size == 1)
    ]])
  end)
end)

describe("limits #process", function ()
  it("are those of one Lua state", function ()
    limited({ streams = 1, events = 1, leave_out = 15 }, [[
      local s = new()
      elsewhere [=[
        local tide, all = require "tide", {}
        for i = 1, 10 do
          all[i] = tide.Stream():record()
        end
        assert(tide.Stream().ptr)
      ]=]
      fails("limit of streams", new)
    ]])
  end)

  it("cannot be set once the module is open", function ()
    limited({}, [[fails("tide is open in this lua_State", late)]])
  end)

  for word, message in pairs{
    ["stream=3"] = "this tide knows no limit 'stream'",
    ["streams=-1"] = "the limit 'streams' of the host program must be an " ..
      "integer that is not negative",
    ["events=1.5"] = "the limit 'events'",
    ["events=many"] = "the limit 'events'",
    ["leave_out=16"] = "this tide knows no group 16",
  } do
    it("that make no sense keep the module from opening: " .. word, function ()
      helper.program(kind, "limits", "-t", word, ([[
        for _ = 1, 2 do
          local ok, err = pcall(require, "tide.core")
          assert(not ok and err:find(%q, 1, true), err)
        end
      ]]):format(message))
    end)
  end
end)

end)
