--[[
ends_spec.lua - the end of a process or of a lua_State, from wherever it comes,
with work pending and gates shut: nothing hangs, crashes, leaks, or runs Lua
afterwards. The host program is spec/embed/ends.c. #process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

local NEVER_RAN = "tide: a host function never ran, " ..
                  "queued at %b()%:%d+\n"

--- ends(status, code, n): the program prints nothing but n warnings of
-- functions that never ran (true: however many), and exits with that status.
local function ends (status, code, n)
  local printed, _, got = helper.child([[
    local tide = require "tide"
    local s, t = tide.Stream{ non_blocking = true }, tide.Stream()
    local a = tide.zeros(1000, "int64")
    local function must_not_run () print "ran" end
  ]] .. code, { TIDE_DEVICE = kind })
  local rest, warnings = printed:gsub(NEVER_RAN, "")
  if n == true then  -- however many: those past eight are counted
    rest = rest:gsub("^tide: further reports of this kind: %d+\n$", "")
  end
  assert.equal("", rest)
  assert.equal(n == true and warnings or n or 0, warnings)
  assert.equal(status, got)
end

-- The second argument of os.exit: it closes the state, or does not.
for how, close in pairs{ ["closes the state"] = "true",
                         ["leaves it open"] = "false" } do
  describe("os.exit that " .. how .. " #process", function ()
    local EXIT = ("os.exit(7, %s)"):format(close)

    --- exits(code, n): n functions have not run when the state is closed.
    local function exits (code, n)
      ends(7, code, close == "true" and n or 0)
    end

    it("in a host function, with others behind it", function ()
      exits([[
        s:launch_host_func(function ()
          a:add_(1)
          s:launch_host_func(must_not_run)
          t:launch_host_func(must_not_run)
          ]] .. EXIT .. [[
        end)
        s:with(function () a:add_(1) end)
        s:launch_host_func(must_not_run)
        t:wait_stream(s)
        t:synchronize()
      ]], 3)
    end)

    it("in a host function that another one has queued", function ()
      exits([[
        s:launch_host_func(function ()
          t:launch_host_func(function () ]] .. EXIT .. [[ end)
          t:launch_host_func(must_not_run)
        end)
        s:launch_host_func(function ()
          t:launch_host_func(must_not_run)
        end)
        s:synchronize()
        t:synchronize()
      ]], 2)
    end)

    it("in a host function of a graph", function ()
      exits([[
        local runs = 0
        local g = tide.capture(function ()
          a:add_(1)
          tide.get_current_stream():launch_host_func(function ()
            runs = runs + 1
            if runs == 2 then
              ]] .. EXIT .. [[
            end
          end)
          a:add_(1)
          tide.get_current_stream():launch_host_func(function ()
            if runs == 2 then
              must_not_run()
            end
          end)
        end)
        for _ = 1, 4 do
          g:launch(s)
        end
        s:synchronize()
      ]])
    end)

    it("in a host function that tide.poll runs", function ()
      exits([[
        s:launch_host_func(function () ]] .. EXIT .. [[ end)
        s:launch_host_func(must_not_run)
        while true do
          tide.poll()
        end
      ]], 1)
    end)

    it("in a capture", function ()
      exits([[
        tide.capture(function ()
          a:add_(1)
          tide.get_current_stream():launch_host_func(must_not_run)
          ]] .. EXIT .. [[
        end)
      ]])
    end)

    it("in a capture of a coroutine, joined by another stream", function ()
      exits([[
        coroutine.wrap(function ()
          tide.capture(function ()
            t:wait_stream(tide.get_current_stream())
            t:launch_host_func(must_not_run)
            ]] .. EXIT .. [[
          end)
        end)()
      ]])
    end)

    it("in with_stream in coroutines in each other", function ()
      exits([[
        coroutine.wrap(function ()
          tide.with_stream(s, function ()
            s:launch_host_func(must_not_run)
            a:add_(1)
            coroutine.wrap(function ()
              local _ <close> = t:scope()
              tide.with_stream(function ()
                local b <close> = a + 1
                ]] .. EXIT .. [[
              end)
            end)()
          end)
        end)()
      ]], 1)
    end)

    it("in a finalizer", function ()
      exits([[
        s:launch_host_func(must_not_run)
        setmetatable({}, { __gc = function ()
          a:add_(1)
          ]] .. EXIT .. [[
        end })
        collectgarbage()
      ]], 1)
    end)
  end)
end

describe("lua_close #process", function ()
  it("with captures open in coroutines that are asleep", function ()
    ends(0, [[
      CO = coroutine.wrap(function ()
        tide.capture(function ()
          a:add_(1)
          tide.get_current_stream():launch_host_func(must_not_run)
          coroutine.yield()
        end)
      end)
      CO()
    ]])
  end)

  it("with an error object that raises, behind one that raises", function ()
    local printed = helper.child_on(kind, [[
      local tide = require "tide"
      local function raise () error "in __gc" end
      A = setmetatable({}, { __gc = raise })
      S = tide.Stream()
      B = setmetatable({}, { __gc = raise })
      S:launch_host_func(print, "must not run")
      C = setmetatable({}, { __gc = function ()
        S:close()
        error(setmetatable({}, { __tostring = raise }))
      end })
      KEEP = tide.ones(1000):add_(1)
    ]])
    local _, warnings = printed:gsub("warning: error in __gc", "")
    assert.equal(3, warnings, printed)
    assert.is_nil(printed:find("must not run", 1, true))
  end)

  it("takes what finalizers make while it runs", function ()
    local printed = helper.child_on(kind, [[
      -- Older than tide: sees what was made after all of tide was finalized.
      OLD = setmetatable({}, { __gc = function ()
        for _, x in ipairs(MADE) do
          local function get (name) return x[name] end
          for _, name in ipairs{ "ptr", "done", "shape" } do
            print(pcall(get, name))
          end
          print(pcall(x.close, x))
          print(pcall(tostring, x))
          print(pcall(tide.Stream.null.wait_event, tide.Stream.null, x))
          local meta = debug.getmetatable(x)
          meta.__gc(x)
          meta.__close(x)
        end
        print "end"
      end })
      tide = require "tide"
      YOUNG = setmetatable({}, { __gc = function ()
        local s = tide.Stream()
        assert(tide.ones(3):sum():item() == 3)
        local g = tide.capture(function ()
          tide.ones(4)
          tide.get_current_stream():launch_host_func(print, "must not run")
        end)
        MADE = { s, tide.Event(), s:record(), tide.ones(4), g,
                 tide.HostArray(4),
                 tide.Stream{ non_blocking = true }:begin_capture() }
        g:launch(s)
        s:launch_host_func(print, "must not run")
        MADE[7]:launch_host_func(print, "must not run")
      end })
    ]])
    assert.is_truthy(printed:find("end\n$"), printed)
    assert.is_nil(printed:find("must not run", 1, true))
    assert.is_nil(printed:find("0x", 1, true), printed)
  end)

  it("in any order of collection, many times over", function ()
    ends(0, [[
      for round = 1, 30 do
        local all = {}
        for i = 1, 10 do
          local x = tide.Stream{ non_blocking = i % 2 == 0 }
          local y = x:with(function () return tide.full(64, i) * 2 end)
          local g = tide.capture(function ()
            y:add_(1)
            tide.get_current_stream():launch_host_func(function ()
              return y, x
            end)
          end)
          g:launch(x)
          x:launch_host_func(function () return g end)
          for _, v in ipairs{ x, y, g, x:record(), tide.HostArray(3) } do
            table.insert(all, math.random(#all + 1), v)
          end
        end
        while #all > 0 do
          table.remove(all)
          if math.random(10) == 1 then
            collectgarbage "step"
          end
        end
        KEEP = all
      end
    ]], true)
  end)
end)

describe("a host program #process", function ()
  local function program (...) helper.program(kind, "ends", ...) end

  it("returns from main with its states open", function ()
    program "return"
  end)

  it("closes its states in a handler of atexit", function ()
    program "atexit"
  end)

  it("exits by one thread while another is inside tide", function ()
    program "thread"
  end)

  it("exits without any handler", function () program "quick" end)

  it("opens and closes state and module 100 times", function ()
    program "reload"
  end)

  it("forks between require and first use", function ()
    program("fork", "before")
  end)

  it("forks after first use: the child is told, the parent unharmed",
     function () program("fork", "after") end)

  -- A child of several threads hangs in the allocator of this sanitizer.
  if helper.variant ~= "asan" then
    it("forks while other threads are inside tide", function ()
      program("fork", "busy")
    end)
  end
end)

end)
