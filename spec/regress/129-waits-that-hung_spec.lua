--[[
Host functions that waited hung: for a stream behind the null stream's barrier,
for each other's streams. And a graph that was launched by its own host function
left a process that never ended, also after Ctrl-C.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)

--- What the program prints; within a minute, or helper.child stops it.
local function prints (code, wanted)
  local printed = helper.child_on(kind, [[
    local tide = require "tide"
    local function new () return tide.Stream{ non_blocking = true } end
    local function refused (fn, ...)
      local ok, message = pcall(fn, ...)
      assert(not ok and message:find("CUDA_ERROR_NOT_PERMITTED", 1, true),
             message)
    end
  ]] .. code)
  assert.equal(wanted, printed)
end

describe("host functions #process", function ()
  it("do not wait for what is behind the null stream's barrier", function ()
    prints([[
      local s, t = tide.Stream(), tide.Stream()
      local a = tide.zeros(1000)
      s:launch_host_func(function ()
        refused(t.synchronize, t)
        print "ran"
      end)
      tide.Stream.null:record()  -- behind s
      t:with(function () a:add_(1) end)  -- behind the null stream
      t:synchronize()
      print(a:sum():item())
    ]], "ran\n1000.0\n")
  end)

  it("of two streams queue on each other's", function ()
    prints([[
      local s, t, a, n = new(), new(), tide.zeros(1000), 0
      for _ = 1, 50 do
        s:launch_host_func(function ()
          t:with(function () a:add_(1) end)
          n = n + 1
        end)
        s:with(function () a:add_(1) end)
        t:launch_host_func(function ()
          s:with(function () a:add_(1) end)
          n = n + 1
        end)
        t:with(function () a:add_(1) end)
      end
      tide.get_device():synchronize()
      print(n, a:max():item())
    ]], "100\t200.0\n")
  end)

  it("of two streams wait for each other's", function ()
    prints([[
      local s, t, n = new(), new(), 0
      s:launch_host_func(function ()
        refused(t.synchronize, t)
        s:wait_stream(t)
        n = n + 1
      end)
      t:launch_host_func(function ()
        refused(s.synchronize, s)
        t:wait_stream(s)
        n = n + 1
      end)
      s:record()
      t:record()
      tide.get_device():synchronize()
      tide.get_device():synchronize()
      print(n)
    ]], "2\n")
  end)

  it("launch the graph that they are in", function ()
    prints([[
      local s, a, n = new(), tide.zeros(1000), 0
      local g
      g = tide.capture(function ()
        a:add_(1)
        tide.get_current_stream():launch_host_func(function ()
          n = n + 1
          if n < 30 then
            g:launch(s)
          end
        end)
        a:add_(1)
      end)
      g:launch(s)
      while n < 30 do
        s:synchronize()
      end
      print(a:max():item())
    ]], "60.0\n")
  end)

  it("launch it on another stream, and close it", function ()
    prints([[
      local s, t, a, n = new(), new(), tide.zeros(1000), 0
      local g
      g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(function ()
          n = n + 1
          if n < 4 then
            g:launch(n % 2 == 0 and s or t)
          else
            g:close()
          end
        end)
        a:add_(1)
      end)
      g:launch(s)
      while n < 4 do
        tide.get_device():synchronize()
      end
      local ok, message = pcall(g.launch, g)
      print(a:max():item(), ok, message:match "graph is closed")
    ]], "4.0\tfalse\tgraph is closed\n")
  end)

  it("of a graph, and Ctrl-C: the process ends", function ()
    local printed, ok, status = helper.child([[
      local tide = require "tide"
      local s, g = tide.Stream{ non_blocking = true }, nil
      local n = 0
      g = tide.capture(function ()
        tide.get_current_stream():launch_host_func(function ()
          n = n + 1
          g:launch(s)
          if n == 5 then
            io.popen("kill -INT $PPID"):close()
          end
        end)
      end)
      g:launch(s)
      while true do
        s:synchronize()
      end
    ]], { TIDE_DEVICE = kind })
    assert.is_false(ok)
    assert.equal(1, status)
    assert.is_truthy(printed:find("interrupted!", 1, true), printed)
  end)
end)

end)
