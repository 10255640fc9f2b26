--[[
raw_arrays_spec.lua - arrays that a body indexes: the order of its reads and
writes on the host device, arguments in the same memory, atomic functions.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local Kernel = tide.ElementwiseKernel

--- Tells whether kernels can be compiled for the current device.
local function usable ()
  local ok, why = pcall(Kernel("T x", "T y", "y = x", "probe"), tide.ones(1))
  assert(ok or why:find("NVRTC", 1, true), why)
  return ok
end

local RUN <const> = "c[i] = (i > 0 ? c[i - 1] : (T)0) + x"

helper.each_device(function ()

if not usable() then
  pending "kernels are compiled"
  return
end

describe("a body that reads what it writes", function ()
  helper.host_it("runs in the order of i", function ()
    local run = Kernel("T x", "raw T c", RUN, "run")
    for _, n in ipairs{ 1, 4, 512, 513, 3000 } do
      local c = tide.zeros(n)
      run(tide.ones(n), { out = c })
      assert.is_true(tide.array_equal(tide.arange(1.0, n + 1.0), c))
    end
    local hist = Kernel("int32 b", "raw int32 c", "c[b] += 1", "hist")
    local c = tide.zeros(2, "int32")
    hist(tide.arange(300001, "int32") % 3 // 2, { out = c })
    assert.same({ 200001, 100000 }, c:totable())
    for body, wanted in pairs{
      ["c[b]++"] = 1000, ["--c[b]"] = -1000, ["c[b] = c[b] + 2"] = 2000,
      ["if (i % 2) c[b] += 1"] = 500,
      ["for (int j = 0; j < 3; j++) c[b] += j"] = 3000,
      ["int w[2] = { c[b], 1 }; c[b] = w[0] + w[1]"] = 1000,
      ["c[b] = next(c[b])"] = 1666,
    } do
      local k = Kernel{ params = "int32 b", out = "raw int32 c", body = body,
                        preamble = [[
        static int next (int x) {
          if (x % 5 == 0) return x + 1;
          return x % 5 == 4 ? x + 6 : x + 2;
        }
      ]], name = "k" }
      local n = tide.zeros(1, "int32")
      k(tide.zeros(1000, "int32"), { out = n })
      assert.equal(wanted, n:item(), body)
    end
  end)

  helper.host_it("does so in graphs, and with strided operands", function ()
    local run = Kernel("T x", "raw T c", RUN, "run")
    local x, c = tide.ones(1000), tide.zeros(1000)
    local g <close> = tide.capture(function () run(x, { out = c }) end)
    for _ = 1, 2 do
      g:launch()
      assert.equal(1000, c[1000])
    end
    local sums = Kernel("T x, T y", "raw T c", RUN .. " + y", "sums")
    c = tide.zeros(1200)
    sums(tide.ones{ 300, 4 }.T, tide.ones(300), { out = c })
    assert.is_true(tide.array_equal(tide.arange(2.0, 2402.0, 2), c))
  end)

  it("may use its own elements alone", function ()
    local k = Kernel("T x", "raw T c",
                     "if (x > 0) c[i] += x; c[i] = c[i] * c[i]", "own")
    local x, c = tide.arange(3000.0), tide.ones(3000)
    k(x, { out = c })
    assert.is_true(tide.array_equal((x + 1) * (x + 1), c))
  end)

  helper.host_it("stops at the index that there is not", function ()
    local dev = tide.get_device()
    local k = Kernel("T x", "raw T c", "c[i + 1] = c[i] + x", "k")
    local c = tide.zeros(600)
    k(tide.ones(600), { out = c })
    fails("line 1 of kernel 'k' writes c[600], and c has 600 elements",
          dev.synchronize, dev)
  end)
end)

describe("arguments in the same memory", function ()
  helper.host_it("are read and written in the order of i", function ()
    for params, read in pairs{ ["T x"] = "x", ["raw T x"] = "x[i]" } do
      local k = Kernel(params, "raw T c", "c[(i + 1) % c.size()] = " .. read,
                       "k")
      local x = tide.arange(2000.0)
      k(x, { out = x, size = 2000 })
      assert.equal(0, x:sum():item())
      local first = tide.arange(2000.0)
      k(first[{ { 1, 1000 } }], { out = first[{ { 2, 1001 } }], size = 1000 })
      assert.same({ 0, 1, 0, 1 }, first[{ { 1, 4 } }]:totable())
    end
  end)

  it("do not change what a result reads of a raw array", function ()
    local k = Kernel("raw T x", "T y", "y = i > 0 ? x[i - 1] : (T)-1", "shift")
    local x = tide.arange(2000.0)
    k(x, { out = x })
    assert.is_true(tide.array_equal(tide.arange(-1.0, 1999.0), x))
    local y = tide.arange(2000.0)
    k(y, { out = y[{ { 2, 1500 } }] })
    assert.is_true(tide.array_equal(tide.arange(-1.0, 1498.0),
                                    y[{ { 2, 1500 } }]))
  end)

  it("do not change the one element for all", function ()
    local k = Kernel("T x, T f", "raw T y", "y[i] = x + f", "k")
    local x = tide.full(3000, 3.0)
    k(tide.ones(3000), x[{ { 1, 1 } }], { out = x })
    assert.is_true(tide.array_equal(tide.full(3000, 4.0), x))
  end)
end)

describe("atomic functions", function ()
  it("count in raw results", function ()
    for _, t in ipairs{ "int32", "uint32", "int64", "uint64", "float32",
                        "float64" } do
      local k = Kernel("int32 b", "raw T c", "atomicAdd(&c[b], 1)", "hist")
      local c = tide.zeros(3, t)
      k(tide.arange(300000, "int32") % 3, { out = c })
      assert.same({ 100000, 100000, 100000 }, c:totable(), t)
    end
  end)

  it("are those of CUDA", function ()
    for _, t in ipairs{ "int32", "uint32", "int64", "uint64" } do
      local k = Kernel("T x", "raw T c", [[
        atomicAdd(&c[0], x); atomicSub(&c[1], x); atomicMax(&c[2], x);
        atomicMin(&c[3], x); atomicAnd(&c[4], x); atomicOr(&c[5], x);
        atomicXor(&c[6], x); atomicExch(&c[7], (T)9);
      ]], "all")
      local c = tide.full(8, 1000, t)
      k(tide.array({ 3, 5, 1500 }, t), { out = c })
      local signed = t:sub(1, 1) == "i" and -508
      assert.same({ 2508, signed or t == "uint32" and (1 << 32) - 508 or -508,
                    1500, 3, 1000 & 3 & 5 & 1500, 1000 | 3 | 5 | 1500,
                    1000 ~ 3 ~ 5 ~ 1500, 9 },
                  c:astype "int64":totable(), t)
    end
    for _, t in ipairs{ "float32", "float64" } do
      local k = Kernel("T x", "raw T c",
                       "atomicExch(&c[1], x); atomicAdd(&c[0], x / 2)", "k")
      local c = tide.zeros(2, t)
      k(tide.full(3, 3, t), { out = c })
      assert.same({ 4.5, 3 }, c:totable())
    end
    local k = Kernel("int32 x", "raw int32 c",
                     "atomicMax(&c[0], -5); atomicMin(&c[1], -5)", "signed")
    local c = tide.array({ -7, 7 }, "int32")
    k(tide.zeros(1, "int32"), { out = c })
    assert.same({ -5, -5 }, c:totable())
  end)

  it("return what was there, once for each element", function ()
    local k = Kernel("T x", "raw int32 c, raw T z",
                     "if (x > 0) z[atomicAdd(&c[0], 1)] = x", "compact")
    local x = tide.arange(3000.0) % 3 - 1
    local c, z = tide.zeros(1, "int32"), tide.zeros(1000)
    k(x, { out = { c, z } })
    assert.equal(1000, c:item())
    assert.equal(1000, z:sum():item())
    for _, body in ipairs{ "z = atomicAdd(&c[b], x)",
                           "int o = atomicAdd(&c[b], x); z = o",
                           "int o; o = (atomicAdd(&c[b], x)); z = o",
                           "z = atomicAdd(&c[b], atomicAdd(&c[2], 0) + x)" } do
      z, c = tide.full(5, 50, "int32"), tide.zeros(3, "int32")
      Kernel("int32 b, int32 x", "int32 z, raw int32 c", body, "before")(
        tide.array({ 0, 1, 0, 0, 1 }, "int32"),
        tide.array({ 1, 10, 100, 1000, 10000 }, "int32"), { out = { z, c } })
      assert.same({ 1101, 10010, 0 }, c:totable())
      if tide.get_device().kind == "host" then
        assert.same({ 0, 0, 1, 101, 10 }, z:totable())
      end
    end
  end)

  helper.host_it("come in order with reads of their array", function ()
    local k = Kernel("T x", "raw T c", "c[1] = c[0]; atomicAdd(&c[0], x)", "k")
    local c = tide.zeros(2)
    k(tide.ones(1000), { out = c })
    assert.same({ 1000, 999 }, c:totable())
  end)

  helper.host_it("are checked", function ()
    local dev = tide.get_device()
    local function refuses (text, body)
      fails(text, Kernel("int32 b, raw T x", "raw T c", body, "k"),
            tide.zeros(3, "int32"), tide.ones(3), { out = tide.zeros(3) })
    end
    refuses("column 11: '&' is expected at 'c'", "atomicAdd(c[b], 1)")
    refuses("',' is expected at ')'", "atomicAdd(&c[b])")
    for _, place in ipairs{ "b", "c[b]++", "x[0]", "w[0]", "3" } do
      refuses("an element of a raw result is expected at '",
              "T w[2]; atomicAdd(&" .. place .. ", 1)")
    end
    for _, name in ipairs{ "atomicMax", "atomicAnd", "atomicSub" } do
      refuses("there is no such function for the element's type at '" .. name,
              name .. "(&c[b], 1)")
    end
    local k = Kernel("int32 b", "raw T c", "\natomicAdd(&c[b], 1)", "k")
    fails("there is no such function", k, tide.zeros(3, "int32"),
          { out = tide.zeros(3, "int16") })
    k(tide.arange(4, "int32"), { out = tide.zeros(3) })
    fails("line 2 of kernel 'k' writes c[3], and c has 3 elements",
          dev.synchronize, dev)
  end)
end)

end)
