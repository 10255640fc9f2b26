--[[
code_lifetime_spec.lua - how long what is generated for a fused function or a
kernel of text is kept: by the function for each combination of dtypes, and on
the device, where it goes when nothing refers to it.
]]
local tide = require "tide"
local collector = require "spec.support.collector"
local helper = require "spec.support.helper"
local T = helper.T
local apart = require "spec.support.apart"

local KEPT = 64 + 16  -- src/rt/code/modules.c

local DTYPES = { "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
                 "uint64", "float32", "float64", "bool" }

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("generated kernels need NVRTC on " .. kind)
  return
end

local MANY = kind == "cuda" and 100 or 400

local number = 0

--- fresh() -> a fused function that was never made before, and what it adds.
local function fresh ()
  number = number + 1
  local c = number
  return tide.fuse(function (x) return x + c end), c
end

local function collect ()
  collectgarbage()
  collectgarbage()
  tide.poll()
end

--- Makes and drops so many functions: the cache is full of them.
local function flood (n)
  local x <close> = tide.zeros(2)
  for _ = 1, n or MANY do
    local f, c = fresh()
    assert(f(x)[2] == c)
  end
  collect()
end

local others

-- Modules of another kind of device may be kept there.
setup(function ()
  collect()
  others = T.live().modules
end)

--- How many modules have come since, the built-in kernels among them.
local function loaded () return T.live().modules - others end

describe("code without references", function ()
  it("goes, but for what was used last (#103)", function ()
    flood()
    assert(loaded() <= KEPT + 1, loaded())
    local before = loaded()
    flood()
    assert(loaded() <= before + 16, loaded())
    assert.equal(0, T.kept().codes)
  end)

  it("is found again when it is made again", function ()
    local x = tide.ones(3)
    local function make ()
      return tide.fuse(function (a) return a * 11 - 4 end)
    end
    make()(x)
    for round = 1, 3 do
      collect()
      flood(10)
      local n = helper.during("cuModuleLoadData", function ()
        assert.same({ 7, 7, 7 }, make()(x):totable())
      end)
      assert.equal(0, n, round)
    end
  end)

  it("is found in a host function, and loaded there", function ()
    local x, s = tide.ones(3), tide.Stream{ non_blocking = true }
    local function make ()
      return tide.fuse(function (a) return a * 13 end)
    end
    make()(x)
    collect()
    local z, y, wanted
    s:launch_host_func(function ()
      assert.equal(0, helper.during("cuModuleLoadData", function ()
        z = make()(x)
      end))
      local f, c = fresh()
      y, wanted = f(x), 1 + c
    end)
    s:with(function () tide.zeros(3) end)  -- comes behind it
    s:synchronize()
    assert.same({ 13, 13, 13 }, z:totable())
    assert.same({ wanted, wanted, wanted }, y:totable())
  end)

  it("stays as long as launches of it are under way", function ()
    local s, x = tide.Stream{ non_blocking = true }, tide.zeros(1000)
    local f, c = fresh()
    f(x)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function ()
      for _ = 1, 100 do
        x:copy_from(f(x))
      end
    end)
    f = nil
    for _ = 1, 100 do
      collect()
    end
    assert.equal(1, T.kept().codes)
    T.delays(1, 1000)
    T.release(key)
    flood()
    T.delays(0, 0)
    assert.equal(100 * c, x[1000])
    collect()
    assert.equal(0, T.kept().codes)
  end)

  helper.host_it("stays while a stream is held, and goes after that",
                 function ()
    local s = tide.Stream{ non_blocking = true }
    flood()
    local key = T.hold(s)
    flood()
    assert(loaded() > MANY, loaded())
    T.release(key)
    s:synchronize()
    tide.poll()
    assert(loaded() <= KEPT + 1, loaded())
  end)

  it("stays as long as a graph launches it", function ()
    local x = tide.zeros(1000, "int64")
    local f, c = fresh()
    f(x)
    local g = tide.capture(function () x:copy_from(f(x)) end)
    f = nil
    flood()
    T.delays(2, 1000)
    for _ = 1, 20 do
      g:launch()
    end
    local h, d = fresh()
    h(x)
    local other = tide.capture(function () x:copy_from(h(x)) end)
    h = nil
    assert(g:update(other))
    other:close()
    flood()
    g:launch()
    T.delays(0, 0)
    assert.equal(20 * c + d, x[1000])
    g:launch():close()
    flood()
    assert.equal(20 * c + 2 * d, x[1])
    flood()
    assert(loaded() <= KEPT + 1, loaded())
  end)

  it("stays as long as a capture is open", function ()
    local x, s = tide.zeros(10), tide.Stream{ non_blocking = true }
    local f, c = fresh()
    f(x)
    s:begin_capture()
    s:with(function () x:copy_from(f(x)) end)
    f = nil
    collect()
    flood()
    local g <close> = s:end_capture()
    collect()
    g:launch()
    assert.equal(c, x[10])
  end)

  it("goes when it was made for a capture that nobody ended", function ()
    local x = tide.zeros(10)
    local function abandon ()
      local s = tide.Stream{ non_blocking = true }
      local f = fresh()
      f(x)
      s:begin_capture()
      s:with(function () x:copy_from(f(x)) end)
    end
    for _ = 1, 20 do
      abandon()
      collect()
    end
    flood()
    assert.equal(0, T.kept().codes)
    assert(loaded() <= KEPT + 1, loaded())
  end)

  it("can be called by a finalizer after its own", function ()
    local results = {}
    for i = 1, 10 do
      local f, c = fresh()
      local x = tide.ones(2)
      f(x)
      setmetatable({}, { __gc = function ()
        results[i] = f(x)[2] - c
      end })
    end
    collect()
    collect()
    for i = 1, 10 do
      assert.equal(1, results[i])
    end
  end)
end)

describe("after a reset", function ()
  it("code is loaded anew, and what was before goes", function ()
    apart(kind, function (lib, probe, dev)
      local function add (c)
        return lib.fuse(function (x) return x + c end)
      end
      local function use ()
        local x, f = lib.ones(3), add(1000.5)
        f(x)
        local g <close> = lib.capture(function () f(x) end)
        for i = 1, 5 do
          add(2000.5 + i)(x)
        end
        g:launch()
        dev:reset()
        assert(f(lib.ones(3))[1] == 1001.5)
        assert(not pcall(g.launch, g) and not pcall(f, x))
        assert(add(1000.5)(lib.ones(3))[3] == 1001.5)
      end
      use()
      collectgarbage()
      collectgarbage()
      lib.poll()
      assert(probe.kept().codes == 0)
    end)
  end)
end)

describe("at the end of a lua_State #process", function ()
  it("code goes, whoever calls it last", function ()
    helper.child_on(kind, [[
      local tide = require "tide"
      local old = setmetatable({}, { __gc = function (o)
        pcall(o.f, o.x)
      end })
      old.x = tide.ones(3)
      old.f = tide.fuse(function (x) return x + 1 end)
      old.f(old.x)
      local e = tide.ElementwiseKernel("T x", "T z", "z = x + 2", "e")
      KEEP = { old, e, e(old.x), tide.capture(function () e(old.x) end) }
      local young = setmetatable({}, { __gc = function ()
        pcall(old.f, old.x)
        pcall(e, old.x)
        pcall(tide.fuse(function (x) return x + 5 end), old.x)
      end })
      KEEP[#KEEP + 1] = young
      KEEP[4]:launch()
    ]])
  end)
end)

-- On CUDA each combination is compiled.
local NARROW = kind == "cuda" and 7 or #DTYPES

local function each_pair (fn)
  for i = 1, NARROW do
    for k = 1, NARROW do
      fn(DTYPES[i], DTYPES[k])
    end
  end
end

local function kilobytes ()
  collectgarbage()
  collectgarbage()
  return collectgarbage "count"
end

describe("a kernel that meets many combinations of dtypes", function ()
  local MAKERS = {
    ["a fused function"] = function ()
      return tide.fuse(function (x, y) return x:mul(y) end)
    end,
    ["an ElementwiseKernel"] = function ()
      return tide.ElementwiseKernel("T x, U y", "int64 z", "z = x * y", "k")
    end,
    ["a ReductionKernel"] = function ()
      return tide.ReductionKernel("T x, U y", "int64 z", "x * y", "a + b", nil,
                                  0)
    end
  }
  for name, make in pairs(MAKERS) do
    it("keeps those used last (#102): " .. name, function ()
      local k, n, before = make(), 0, kilobytes()
      for _ = 1, 2 do
        each_pair(function (s, t)
          local z = k(tide.ones(3, s), tide.ones(3, t)):astype "float64"
          n = n + (z.ndim == 0 and z:item() / 3 or z[3])
        end)
      end
      assert.equal(2.0 * NARROW * NARROW, n)
      local grown = kilobytes() - before
      assert(grown < 800, grown)
    end)
  end

  it("keeps the one that runs while others take its place", function ()
    local f = tide.fuse(function (x, y)
      return x + y, x - y, x * y, x + 1, x + 2, x + 3
    end)
    local x, y = tide.ones(3, "int16"), tide.ones(3, "int32")
    local finalized = 0
    local function finalize ()
      each_pair(function (t, u)
        if t ~= "bool" and u ~= "bool" then
          f(tide.ones(3, t), tide.ones(3, u))
        end
      end)
      finalized = finalized + 1
    end
    collector.incremental(100, 400)
    for _ = 1, 40 do
      setmetatable({}, { __gc = finalize })
      for _ = 1, 20 do
        local a, _, _, _, _, b = f(x, y)
        assert(a[3] == 2 and b[3] == 4)
      end
    end
    collector.restore()
    assert(finalized > 2, finalized)
  end)
end)

end)
