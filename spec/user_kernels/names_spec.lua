--[[
names_spec.lua - names of Lua chunks, kernels and nodes of graphs: kept as long
as something refers to them, however many there are.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local apart = require "spec.support.apart"
local T, fails = helper.T, helper.fails

helper.each_device(function (kind)

local function names ()
  for _ = 1, 3 do
    collectgarbage()
    collectgarbage()
    tide.get_device():synchronize()
    tide.poll()
  end
  return T.kept().names
end

describe("kept names", function ()
  it("of chunks go with the last that refers to them (#105)", function ()
    local s, a = tide.Stream{ non_blocking = true }, tide.ones(3)
    local before = names()
    for i = 1, 3000 do
      load("local s, a = ... s:with(function () a:add_(1) end)",
           "=chunk" .. i)(s, a)
    end
    assert(names() <= before + 20, names())
    s:close()
    tide.get_device():synchronize()
    tide.poll()
    helper.spin(5)
    assert(names() <= before + 2, names())  -- of what was seen last
  end)

  it("of a chunk that comes back cost nothing more", function ()
    local s, a = tide.Stream{ non_blocking = true }, tide.ones(3)
    local list = {}
    for i = 1, 10 do
      list[i] = load("local s, a = ... s:with(function () a:add_(1) end)",
                     "=again" .. i)
    end
    local function round ()
      for _, f in ipairs(list) do f(s, a) end
    end
    round()
    local before = names()
    for _ = 1, 100 do round() end
    assert.equal(before, names())
  end)

  it("of RawKernels may be any number", function ()
    local source = {}
    for i = 1, 1200 do
      source[i] = ('extern "C" __global__ void f%d (int *x) {}\n'):format(i)
    end
    source = table.concat(source)
    local m, before = tide.RawModule(source), names()
    for i = 1, 1200 do
      local k = m:get_function("f" .. i)
      assert.equal("f" .. i, k.name)
      assert.equal(("tide.RawKernel: f%d(int *x)"):format(i), tostring(k))
      if i % 100 == 0 then
        fails(("RawKernel 'f%d' takes 1 argument"):format(i), k, 1, 1)
      end
    end
    assert(names() <= before, names())
  end)

  it("of other kernels may be any number", function ()
    for i = 1, 1200 do
      local name = ("kernel with a name of more than forty characters %d")
                   :format(i)
      local e = tide.ElementwiseKernel("T x", "T z", "z = x", name)
      local r = tide.ReductionKernel("T x", "T z", "x", "a + b", nil, 0, name)
      local f = tide.fuse(function (x) return x end, name)
      assert(e.name == name and r.name == name and f.name == name)
      if i % 100 == 0 then
        collectgarbage()
        fails(("ElementwiseKernel '%s'"):format(name), e, 1, 2, 3)
        fails(("ReductionKernel '%s'"):format(name), r, 1, 2, 3)
        fails(("fused function '%s'"):format(name), f, 1, 2, 3)
        assert.equal("tide.Fused: " .. name, tostring(f))
      end
    end
  end)
end)

if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("generated kernels need NVRTC on " .. kind)
  return
end

local MANY = kind == "cuda" and 30 or 1200

describe("names of generated kernels", function ()
  it("stay as long as a graph has a node of them", function ()
    local x = tide.ones(3)
    local function capture (name)
      local f = tide.fuse(function (a) return a + 1.25 end, name)
      f(x)
      return (tide.capture(function () return f(x) end))
    end
    local g = capture "first one"
    local before = names()
    for i = 1, MANY do
      capture("number " .. i):close()
    end
    assert(names() <= before + 20, names())
    assert.is_truthy(g:debug_dot():find("first one", 1, true))
    local h = capture "second one"
    assert(g:update(h))
    collectgarbage()
    assert.is_truthy(g:debug_dot():find("second one", 1, true))
  end)

  it("are told of a device that fails, if nothing has them", function ()
    apart(kind, function (lib, probe, dev)
      local s <close> = lib.Stream{ non_blocking = true }
      local a = lib.ones(8)
      local many = dev.kind == "cuda" and 20 or 1500
      for i = 1, many do
        lib.fuse(function (x) return x + 3.5 end, "fused" .. i)(a)
      end
      local last = { lib.fuse(function (x) return x + 3.5 end, "the last") }
      last[1](a)  -- loaded: not while a stream is held
      dev:synchronize()
      local key = probe.hold(s)
      s:with(load([[
        local s, last, a, probe = ...
        last[1](a)
        probe.fault(s)
      ]], "=chunk of it"), last, a, probe)
      last[1] = nil
      collectgarbage()
      collectgarbage()
      probe.release(key)
      local ok, err = pcall(s.synchronize, s)
      assert(not ok)
      assert(err:find("\n  the last on stream 0x%x+, chunk of it:2"), err)
      assert(err:find("\n  fault_i64 on stream 0x%x+, chunk of it:3"), err)
    end)
  end)
end)

end)
