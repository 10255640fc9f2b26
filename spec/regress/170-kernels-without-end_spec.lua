--[[
A kernel of a user that never ends: Ctrl-C ended the wait for it, but neither
the kernel nor the process, which waited for it when the Lua state closed. On
the host device it can be stopped, and it stops by itself after a fault.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

-- Where it is in the registry depends on Lua.
local MAIN
for i = 1, 3 do
  local x = debug.getregistry()[i]
  MAIN = type(x) == "thread" and x or MAIN
end

--- interrupted(fn, ...) -> pcall's results, as if Ctrl-C came just before.
local function interrupted (fn, ...)
  return coroutine.wrap(function (...)
    debug.sethook(MAIN, function () end, "crl", 1)
    local ok, err = pcall(fn, ...)
    debug.sethook(MAIN)
    return ok, err
  end)(...)
end

local STOPPED = "interrupted! kernel 'spin' did not end and was stopped"

helper.each_device(function (kind)

local function spin (x, body)
  local k = tide.ElementwiseKernel("T x", "T z", body or "while (true) z = x",
                                   "spin")
  return function () return k(x) end
end

describe("an interrupted wait", function ()
  helper.host_it("stops kernels that do not end", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local x, y = tide.ones(1000), tide.full(1000, 2)
    tide.get_device():synchronize()
    for _, body in ipairs{
      "while (true) z = x", "for (;;) z = x",
      "for (long long k = 0; k < (1LL << 60); k++) z = x",
      "z = x; while (x > 0) { if (x > 5) break; else continue; }"
    } do
      s:with(spin(x, body))
      local ok, err = interrupted(s.synchronize, s)
      assert.is_false(ok)
      assert(err:find(STOPPED, 1, true), err)
      s:synchronize()
    end
    assert.equal(3000, s:with(function () return (x + y):sum():item() end))
  end)

  -- On a machine with one processor they are done in one part.
  helper.host_it("stops long built-in kernels between their parts", function ()
    local function product (n)
      local a = tide.ones({ n, n }, "int64")
      tide.get_device():synchronize()
      local start = tide.clock()
      local z = a:matmul(a)
      return z, start
    end
    local z, start = product(256)
    assert.equal(256, z[1][1])
    local took = tide.clock() - start
    local n = math.floor(256 * (4 / took) ^ (1 / 3))
    z = product(n)
    local ok, err = interrupted(z.totable, z)
    assert.is_false(ok)
    if tonumber(io.popen("nproc"):read "a") > 1 then
      assert(err:find("interrupted! kernel 'matmul_i64' did not end and was " ..
                      "stopped", 1, true), err)
    end
    tide.get_device():synchronize()
    assert.equal(256, (product(256))[1][1])
  end)

  helper.host_it("stops those of many elements, reductions, graphs",
  function ()
    local x, z = tide.ones(3), tide.zeros(3)
    local many = tide.ElementwiseKernel("raw T x", "raw T z",
                                        "z[i % 3] = x[i % 3]", "spin")
    local sum = tide.ReductionKernel{
      params = "T x, raw T y", out = "T z", map = "x", reduce = "a + b",
      post = "z = a; while (a > 0) {}", name = "spin"
    }
    local g = tide.capture(spin(x))
    local dev = tide.get_device()
    dev:synchronize()
    for _, launch in ipairs{
      function () many(x, { out = z, size = 1 << 60 }) end,
      function () sum(x, x) end,
      function () g:launch() end,
    } do
      launch()
      local ok, err = interrupted(dev.synchronize, dev)
      assert.is_false(ok)
      assert(err:find(STOPPED, 1, true), err)
    end
    assert.equal(3, x:sum():item())
  end)

  helper.host_it("stops all of its own at a time", function ()
    local streams, x = {}, tide.ones(3)
    tide.get_device():synchronize()
    for i = 1, 3 do
      streams[i] = tide.Stream{ non_blocking = true }
      streams[i]:with(spin(x))
    end
    local dev = tide.get_device()
    repeat  -- one may have begun after the first was stopped
      local ok = interrupted(dev.synchronize, dev)
    until ok
    for _, s in ipairs(streams) do s:close() end
  end)

  helper.host_it("leaves kernels that end to themselves", function ()
    local x = tide.zeros(100, "int32")
    local count = tide.ElementwiseKernel("T x", "T z",
      "z = x; for (int k = 0; k < 200; k++) z++", "count")
    local z = count(x)
    interrupted(z.totable, z)
    assert.equal(100 * 200, z:sum():item())
  end)

  for how, last in pairs{ ["raises"] = "", ["exits"] = "os.exit(1, true)" } do
    helper.host_it("is one by SIGINT, and the process " .. how .. " #process",
    function ()
      local printed, ok, status = helper.child([[
        local tide = require "tide"
        local x = tide.ones(3)
        local spin = tide.ElementwiseKernel("T x", "T z", "while (true) z = x",
                                            "spin")
        x.device:synchronize()
        coroutine.wrap(function ()
          for _ = 1, 3 do spin(x) end
          io.popen("kill -INT $PPID"):close()
          local ok, err = pcall(x.device.synchronize, x.device)
          print(err)
          ]] .. last .. [[
          error(err)
        end)()
      ]], { TIDE_DEVICE = kind })
      assert.is_false(ok)
      assert.equal(1, status)
      assert.is_truthy(printed:find(STOPPED, 1, true), printed)
    end)
  end
end)

describe("a process with a kernel that does not end #process", function ()
  local PRELUDE = [[
    local tide = require "tide"
    local x = tide.ones(3)
    local spin = tide.ElementwiseKernel("T x", "T z", "while (true) z = x",
                                        "spin")
    local s = tide.Stream{ non_blocking = true }
    local g = tide.capture(function () spin(x) end)
    tide.get_device():synchronize()
    for i = 1, 3 do
      spin(x)
      g:launch(s)
    end
    s:launch_host_func(print, "must not run")
    s:with(function () return x + 1 end)
  ]]

  for status, last in pairs{
    [0] = "", [1] = "error 'away'", [2] = "os.exit(2, true)",
    [3] = "os.exit(3, false)",
    [4] = "setmetatable({}, { __gc = function () os.exit(4, true) end })",
    [5] = "s:launch_host_func(os.exit, 5) s:close()"
  } do
    helper.host_it("leaves by " .. (last == "" and "its end" or last),
    function ()
      local printed, _, got = helper.child(PRELUDE .. last,
                                           { TIDE_DEVICE = kind })
      assert.equal(status == 5 and 0 or status, got, printed)
      assert.is_nil(printed:find("must not run\n", 1, true), printed)
    end)
  end
end)

describe("a kernel that does not end #process", function ()
  for _, task in ipairs{ "closing", "interrupted" } do
    helper.host_it("is its own Lua state's: " .. task, function ()
      helper.program(kind, "stops", task)
    end)
  end
end)

describe("a kernel that does not end", function ()
  helper.host_it("ends when its device fails, or is reset", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local dev = tide.get_device()
    local x = tide.ones(3)
    dev:synchronize()
    s:with(spin(x))
    tide.T.fault(tide.Stream.null)
    fails("CUDA_ERROR", dev.synchronize, dev)
    dev:reset()
    local own = tide.ElementwiseKernel("raw T x", "T z",
                                       "while (true) z = x[7]", "own")
    own(tide.ones(3), { size = 1 })
    fails("line 1 of kernel 'own' reads x[7]", dev.synchronize, dev)
    assert.equal(3, tide.ones(3):sum():item())
  end)
end)

end)
