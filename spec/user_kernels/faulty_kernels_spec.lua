--[[
faulty_kernels_spec.lua - kernels of users on the host device that go outside of
an array, or never end: the error names the place, Ctrl-C stops them, and the
process can end. The host program is spec/embed/stops.c. #process: see run.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, new = helper.fails, helper.new_stream

local Kernel = tide.ElementwiseKernel

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

--- The wait fn(...), interrupted, must stop a kernel.
local function stops (text, fn, ...)
  local ok, err = interrupted(fn, ...)
  assert(not ok and err:find(text, 1, true), err)
end

helper.each_device(function (kind)

local function spin (x, body)
  local k = Kernel("T x", "T z", body or "while (true) z = x", "spin")
  return function () return k(x) end
end

describe("an interrupted wait", function ()
  helper.host_it("stops kernels that do not end (#170)", function ()
    local s <close> = new()
    local x, z, dev = tide.ones(1000), tide.zeros(3), tide.get_device()
    dev:synchronize()
    for _, body in ipairs{
      "while (true) z = x", "for (;;) z = x",
      "for (long long k = 0; k < (1LL << 60); k++) z = x",
      "z = x; while (x > 0) { if (x > 5) break; else continue; }"
    } do
      s:with(spin(x, body))
      stops(STOPPED, s.synchronize, s)
      s:synchronize()
    end
    local many = Kernel("raw T x", "raw T z", "z[i % 3] = x[i % 3]", "spin")
    local sum = tide.ReductionKernel{
      params = "T x, raw T y", out = "T z", map = "x", reduce = "a + b",
      post = "z = a; while (a > 0) {}", name = "spin"
    }
    local g = tide.capture(spin(x))
    for _, launch in ipairs{
      function () many(x, { out = z, size = 1 << 60 }) end,
      function () sum(x, x) end,
      function () g:launch() end,
    } do
      launch()
      stops(STOPPED, dev.synchronize, dev)
    end
    assert.equal(1000, s:with(function () return x:sum():item() end))
  end)

  -- On a machine with one processor they are done in one part.
  helper.host_it("stops long built-in kernels between their parts", function ()
    local function product (n)
      local a = tide.ones({ n, n }, "int64")
      tide.get_device():synchronize()
      local start = tide.clock()
      return a:matmul(a), start
    end
    local took = math.huge
    for _ = 1, 3 do  -- another program may hold one of them up
      local z, start = product(256)
      assert.equal(256, z[1][1])
      took = math.min(took, tide.clock() - start)
    end
    local z = product(math.floor(256 * (4 / took) ^ (1 / 3)))
    local ok, err = interrupted(z.totable, z)
    assert.is_false(ok)
    if tonumber(io.popen("nproc"):read "a") > 1 then
      assert(err:find("interrupted! kernel 'matmul_i64' did not end and was " ..
                      "stopped", 1, true), err)
    end
    tide.get_device():synchronize()
    assert.equal(256, (product(256))[1][1])
  end)

  helper.host_it("stops all of its own at a time", function ()
    local streams, x, dev = {}, tide.ones(3), tide.get_device()
    dev:synchronize()
    for i = 1, 3 do
      streams[i] = new()
      streams[i]:with(spin(x))
    end
    repeat  -- one may have begun after the first was stopped
      local ok = interrupted(dev.synchronize, dev)
    until ok
    for _, s in ipairs(streams) do s:close() end
  end)

  helper.host_it("leaves kernels that end to themselves", function ()
    local count = Kernel("T x", "T z",
      "z = x; for (int k = 0; k < 200; k++) z++", "count")
    local z = count(tide.zeros(100, "int32"))
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

  for _, task in ipairs{ "closing", "interrupted" } do
    helper.host_it("has other Lua states: " .. task, function ()
      helper.program(kind, "stops", task)
    end)
  end
end)

describe("a kernel that does not end", function ()
  helper.host_it("ends when its device fails, or is reset", function ()
    local s <close> = new()
    local dev = tide.get_device()
    local x = tide.ones(3)
    dev:synchronize()
    s:with(spin(x))
    tide.T.fault(tide.Stream.null)
    fails("CUDA_ERROR", dev.synchronize, dev)
    dev:reset()
    local own = Kernel("raw T x", "T z", "while (true) z = x[7]", "own")
    own(tide.ones(3), { size = 1 })
    fails("line 1 of kernel 'own' reads x[7]", dev.synchronize, dev)
    assert.equal(3, tide.ones(3):sum():item())
  end)
end)

describe("a kernel that goes outside of an array", function ()
  helper.host_it("has an error with array, index and line (#171)", function ()
    local dev = tide.get_device()
    local function outside (text, body, size)
      local k = Kernel("raw T x", "raw T y, T z", body, "k")
      k(tide.ones(3), tide.zeros(2), tide.zeros(size or 1))
      local err = fails(text, dev.synchronize, dev)
      assert.matches("^%S-:%d+: k: line ", err)
      assert.equal(3, tide.ones(3):sum():item())
      dev:synchronize()
    end
    outside("line 1 of kernel 'k' reads x[3], and x has 3 elements", "z = x[3]")
    outside("line 2 of kernel 'k' reads x[-1], and x has 3 elements",
            "if (i == 2)\n  z = 2 * x[i - 3];", 3)
    outside("line 3 of kernel 'k' writes y[2], and y has 2 elements",
            "\n\ny[\n2] = x[0]")
    outside("line 1 of kernel 'k' writes y[-1], and y has 2 elements",
            "for (int j = 1; ; j -= 2) y[j] = 3")
    outside("line 2 of kernel 'k' reads y[1000]", "z = x[0];\ny[1000]++")
    outside("line 1 of kernel 'k' reads x[1234567890123]",
            "y[0] = x[x[1] > 0 && x[2] > 0 ? 1234567890123LL : 0]")
    outside("line 1 of kernel 'k' reads x[600], and x has 3 elements",
            "z = x[i < 600 ? 0 : i]", 2000)
    local name = ("n"):rep(31)
    local many = Kernel("raw T " .. name .. ", raw T b", "T z",
                        "z = b[0] + " .. name .. "[9]", ("k"):rep(100))
    many(tide.ones(1), tide.ones(2), { size = 1 })
    fails(("line 1 of kernel '%s' reads %s[9], and %s has 1 element")
          :format(("k"):rep(63), name, name), dev.synchronize, dev)
  end)

  helper.host_it("has it in each launch of a graph, and in a reduction",
  function ()
    local dev = tide.get_device()
    local k = Kernel("raw T x, int64 at", "T z", "z = x[at]", "at")
    local x, at = tide.ones(3), tide.array({ 1 }, "int64")
    local g = tide.capture(function () return k(x, at) end)
    for _, i in ipairs{ 1, 3, 2, 3, 2 } do
      at:copy_from{ i }
      g:launch()
      if i == 3 then
        fails("line 1 of kernel 'at' reads x[3], and x has 3 elements",
              dev.synchronize, dev)
      else
        dev:synchronize()
      end
    end
    local sum = tide.ReductionKernel{
      params = "T x, raw T y", out = "T z", map = "x +\ny[int(x)]",
      reduce = "a + b", name = "k"
    }
    assert.equal(8, sum(tide.array{ 0, 2 }, tide.full(3, 3)):item())
    for i, text in pairs{ [3] = "y[3]", [-2] = "y[-2]" } do
      sum(tide.array{ 0, i, 2 }, tide.full(3, 3))
      fails("line 2 of kernel 'k' reads " .. text .. ", and y has 3 elements",
            dev.synchronize, dev)
      dev:synchronize()
    end
  end)

  helper.host_it("tells whoever waits for the result, once", function ()
    local s, t = new(), new()
    local k = Kernel("raw T x", "T z", "z = x[i + 1]", "k")
    local z = s:with(function () return k(tide.ones(3), { size = 3 }) end)
    t:launch_host_func(function () end)
    t:synchronize()
    fails("reads x[3]", function () return (z + 1):totable() end)
    s:synchronize()
    z = k(tide.ones(4), { size = 3 })
    assert.same({ 1, 1, 1 }, z:totable())
  end)

  helper.host_it("ends the device with TIDE_HOST_FAULTS=sticky #process",
  function ()
    assert.equal("3.0\n", helper.child_on("host", [[
      local tide = require "tide"
      local dev = tide.get_device()
      local k = tide.ElementwiseKernel("raw T x", "T z", "z = x[3]", "k")
      k(tide.ones(3), { size = 1 })
      local _, err = pcall(dev.synchronize, dev)
      assert(err:find("an illegal memory access was encountered: line 1 of " ..
                      "kernel 'k' reads x[3], and x has 3 elements", 1, true))
      assert(err:find("\n  k on stream null", 1, true))
      assert(tide.errorinfo(err).code == 700)
      assert(not pcall(tide.ones, 3))
      dev:reset()
      print(tide.ones(3):sum():item())
    ]], { TIDE_HOST_FAULTS = "sticky" }))
  end)
end)

end)
