--[[
sweep_kernels.lua - the part of sweep_calls.lua that is about kernels of
users. CUDA C does not run on the host device, which says so.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"

local SOURCE = [[extern "C" __global__ void f (float *x, int n) {}]]

return function (calls, each)

--- On a CUDA device fn itself; on the host a function that fn must refuse.
local function on_cuda (dev, fn)
  if dev.kind == "cuda" then
    return fn
  end
  return function ()
    local ok, err = pcall(fn)
    return not ok and (err:find "CUDA C" or error(err, 0))
  end
end

calls["tide.Pointer"] = function ()
  return function () return tide.Pointer(64) end
end

calls["tide.RawKernel"] = function ()
  return function () return tide.RawKernel(SOURCE, "f") end
end

calls["tide.RawModule"] = function ()
  return function () return tide.RawModule(SOURCE, { options = "-DX" }) end
end

calls["RawModule:get_function"] = function ()
  local m = tide.RawModule(SOURCE)
  return function () return m:get_function "f" end
end

calls["RawModule:get_global"] = function (dev)
  local m = tide.RawModule("__device__ int n;" .. SOURCE)
  return on_cuda(dev, function () m:get_global("n", "int32"):close() end)
end

each("RawModule.*", "code options", function (_, name)
  local m = tide.RawModule(SOURCE)
  return function () return m[name] end
end)

calls["RawKernel.__call"] = function (dev)
  local k, x = tide.RawKernel(SOURCE, "f"), tide.ones(4, "float32")
  return on_cuda(dev, function () k(1, { 4, 1 }, x, 4) end)
end

calls["RawKernel:launch"] = function (dev)
  local k, x = tide.RawKernel(SOURCE, "f"), tide.ones(4, "float32")
  return on_cuda(dev, function ()
    k:launch{ grid = 1, block = 4, args = { x, 4 } }
  end)
end

calls["RawKernel:compile"] = function (dev)
  return on_cuda(dev, function () tide.RawKernel(SOURCE, "f"):compile() end)
end

calls["RawKernel:max_active_blocks_per_multiprocessor"] = function (dev)
  local k = tide.RawKernel(SOURCE, "f")
  return on_cuda(dev, function ()
    return k:max_active_blocks_per_multiprocessor(64)
  end)
end

calls["RawKernel:max_potential_block_size"] = function (dev)
  local k = tide.RawKernel(SOURCE, "f")
  return on_cuda(dev, function () return k:max_potential_block_size() end)
end

each("RawKernel.*", "binary_version const_size_bytes local_size_bytes " ..
     "max_threads_per_block num_regs ptx_version shared_size_bytes",
     function (dev, name)
  local k = tide.RawKernel(SOURCE, "f")
  return on_cuda(dev, function () return k[name] end)
end)

each("RawKernel.*", "code name options", function (_, name)
  local k = tide.RawKernel(SOURCE, "f")
  return function () return k[name] end
end)

each("*.__tostring", "RawKernel RawModule", function (_, name)
  local it = name == "RawModule" and tide.RawModule(SOURCE) or
             tide.RawKernel(SOURCE, "f")
  return function () return tostring(it) end
end)

each("*.__index", "RawKernel RawModule", function ()
  local k = tide.RawKernel(SOURCE, "f")
  return function () return k.name end
end)

each("*.__newindex", "RawKernel RawModule", function ()
  local k = tide.RawKernel(SOURCE, "f")
  return function ()
    return not pcall(function () k.name = 1 end)
  end
end)

local function elementwise ()
  return tide.ElementwiseKernel("T x, raw T y", "T z", "z = x + y[i]", "plus")
end

calls["tide.ElementwiseKernel"] = function () return elementwise end

calls["ElementwiseKernel.__call"] = function ()
  local x = tide.ones(4)
  return function () elementwise()(x, x):close() end
end

each("ElementwiseKernel.*", "params out body name preamble options",
     function (_, name)
  local k = elementwise()
  return function () return k[name] end
end)

calls["ElementwiseKernel.__tostring"] = function ()
  local k = elementwise()
  return function () return tostring(k) end
end

each("ElementwiseKernel.*", "__index __newindex", function (_, name)
  local k = elementwise()
  return function ()
    return name == "__index" and k.name or not pcall(function ()
      k.name = 1
    end)
  end
end)

--{{ ReductionKernel

local function reduction ()
  return tide.ReductionKernel("T x", "T y", "x", "a + b", "y = a + 1", "0",
                              "total")
end

calls["tide.ReductionKernel"] = function () return reduction end

calls["ReductionKernel.__call"] = function ()
  local x = tide.ones{ 2, 3 }
  return function () reduction()(x, { axis = 1, keepdims = true }):close() end
end

each("ReductionKernel.*", "params out map reduce post identity name " ..
     "reduce_type preamble options", function (_, name)
  local k = reduction()
  return function () return k[name] end
end)

calls["ReductionKernel.__tostring"] = function ()
  local k = reduction()
  return function () return tostring(k) end
end

each("ReductionKernel.*", "__index __newindex", function (_, name)
  local k = reduction()
  return function ()
    return name == "__index" and k.name or not pcall(function ()
      k.name = 1
    end)
  end
end)

--}}

--{{ fuse

local function plus (x, y) return x * 2 + y end

calls["tide.fuse"] = function ()
  return function () return tide.fuse(plus) end
end

calls["Fused.__call"] = function ()
  local x = tide.ones(4)
  return function ()
    local z = tide.fuse(plus)(x, 3)
    local sum = tide.fuse(function (a) return a:sum() end)(x)
    local out = tide.zeros({ 4, 2 }, "float64").T[1]
    assert(tide.fuse(plus)(x, 3, { out = out }) == out)
    return z, sum, out
  end
end

calls["Fused.name"] = function ()
  local f = tide.fuse(plus)
  return function () return f.name end
end

calls["Fused.__tostring"] = function ()
  local f = tide.fuse(plus)
  return function () return tostring(f) end
end

each("Fused.*", "__index __newindex", function (_, name)
  local f = tide.fuse(plus)
  return function ()
    return name == "__index" and f.name or not pcall(function ()
      f.name = 1
    end)
  end
end)

--- Calls each method of a Symbol in a function that is fused with it. Methods
-- depend on the operations that there are; some refuse the dtype.
for _, export in ipairs(exports.list(tide)) do
  if export.class == "Symbol" then
    calls[export.name] = function ()
      local x = tide.ones(4, "int32")
      return function ()
        return tide.fuse(function (a)
          pcall(export.call, a, export.name:find "astype" and "bool" or a)
          return a
        end)(x)
      end
    end
  end
end

--}}

end
