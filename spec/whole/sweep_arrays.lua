--[[
sweep_arrays.lua - the part of sweep_calls.lua about arrays: adds to its table.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"

local BINARY = "add sub mul div floordiv mod pow maximum minimum lt le gt ge" ..
               " eq ne band bor bxor lshift rshift logical_and logical_or" ..
               " logical_xor fmod atan2 hypot copysign logaddexp logaddexp2" ..
               " nextafter ldexp heaviside gcd lcm fmax fmin"
local BOOLS = { lt = true, le = true, gt = true, ge = true, eq = true,
                ne = true, logical_and = true, logical_or = true,
                logical_xor = true }
local FLOATS = { div = true, atan2 = true, hypot = true, copysign = true,
                 logaddexp = true, logaddexp2 = true, nextafter = true,
                 ldexp = true, heaviside = true }
local UNARY = "neg abs square sqrt exp log sin cos tanh floor ceil bnot" ..
              " logical_not isnan isinf isfinite sign reciprocal rsqrt cbrt" ..
              " exp2 expm1 log2 log10 log1p tan asin acos atan sinh cosh" ..
              " asinh acosh atanh degrees radians trunc round conj real imag" ..
              " erf erfc erfinv gamma lgamma sinc sigmoid softplus relu signbit"
local TRUTHS = { logical_not = true, isnan = true, isinf = true,
                 isfinite = true, signbit = true, bnot = true }
local REDUCE = "sum prod mean min max any all count_nonzero"
local FIELDS = "dtype size device strides ptr ndim shape nbytes"

local function ints () return tide.full(6, 3, "int32") end

local function host () return tide.HostArray(6, "int32") end

local function either (name)
  return name == "Array" and ints() or host()
end

return function (calls, each)

--{{ module: arrays

each("tide.*", "array asarray", function (_, name)
  return function () tide[name]{ { 1, 2 }, { 3, 4 } }:close() end
end)

each("tide.*", "empty zeros ones", function (_, name)
  return function () tide[name]({ 2, 3 }, "int32"):close() end
end)

each("tide.*", "empty_like zeros_like ones_like", function (_, name)
  local a = ints()
  return function () tide[name](a):close() end
end)

calls["tide.full"] = function ()
  return function () tide.full(5, 2.5):close() end
end

calls["tide.full_like"] = function ()
  local a = ints()
  return function () tide.full_like(a, 2):close() end
end

calls["tide.arange"] = function ()
  return function () tide.arange(5):close() end
end

calls["tide.logspace"] = function ()
  return function () tide.logspace(0, 1, 5, "int32"):close() end
end

calls["tide.geomspace"] = function ()
  return function () tide.geomspace(-1, -8, 4):close() end
end

calls["tide.linspace"] = function ()
  return function () tide.linspace(0, 1, 5, "int32"):close() end
end

calls["tide.eye"] = function ()
  return function () tide.eye(3):close() end
end

each("tide.*", "cumsum cumprod cummax cummin", function (_, name)
  local a = tide.ones(9000, "int32")
  return function () tide[name](a):close() end
end)

each("tide.*", "matmul dot", function (_, name)
  local a, b = tide.ones{ 3, 4 }, tide.ones({ 4, 5 }, "int32")
  return function () tide[name](a, b):close() end
end)

each("Array:*", "matmul dot", function (_, name)
  local a = ints()
  return function () a[name](a, a):close() end
end)

-- The arguments of each function after two arrays.
local PRODUCTS = {
  inner = {}, kron = {}, outer = {}, tensordot = { { 2, 1 } }, vecdot = { 1 },
  cross = { 1 }
}

for name, arguments in pairs(PRODUCTS) do
  each("tide.*", name, function ()
    local a, b = tide.ones({ 3, 3 }, "float16"), tide.ones({ 3, 3 }, "int8").T
    return function () tide[name](a, b, table.unpack(arguments)):close() end
  end)
  each("Array:*", name, function ()
    local a = tide.ones({ 3, 3 }, "float32")
    return function () a[name](a, a, table.unpack(arguments)):close() end
  end)
end

each("tide.*", "einsum", function (_, name)
  local a, b = tide.ones{ 2, 3 }, tide.ones({ 3, 3 }, "int8")
  return function () tide[name]("ij,jk,kk->ki", a, b, b):close() end
end)

each("tide.*", "convolve correlate", function (_, name)
  local a, b = tide.ones(5, "float16"), tide.ones(9, "bool")
  return function () tide[name](a, b, "same"):close() end
end)

each("Array:*", "convolve correlate", function (_, name)
  local a = tide.ones(8, "complex64"):slice(1, 8, 2)
  return function () a[name](a, a, { method = "fft" }):close() end
end)

each("tide.*", "convolve2d correlate2d", function (_, name)
  local a, b = tide.ones({ 5, 4 }, "int8").T, tide.ones({ 2, 2 }, "float32")
  return function () tide[name](a, b):close() end
end)

each("Array:*", "convolve2d correlate2d", function (_, name)
  local a = tide.ones({ 3, 4 }, "float64")
  return function () a[name](a, a, "valid", { method = "fft" }):close() end
end)

each("tide.fft.*", "fft ifft irfft hfft", function (_, name)
  local a = tide.ones({ 4, 3 }, "complex64").T
  return function () tide.fft[name](a, 67, { axis = 1 }):close() end
end)

each("tide.fft.*", "rfft ihfft", function (_, name)
  local a = tide.ones({ 4, 3 }, "float16")
  return function () tide.fft[name](a, { norm = "ortho" }):close() end
end)

each("tide.fft.*", "fft2 ifft2 fftn ifftn rfft2 irfft2 rfftn irfftn",
     function (_, name)
  local a, axes = tide.ones({ 4, 3 }, "int8").T, { 2, 1 }
  return function () tide.fft[name](a, { 4, 6 }, { axes = axes }):close() end
end)

each("tide.fft.*", "fftfreq rfftfreq", function (_, name)
  return function () tide.fft[name](5, 0.5, "float32"):close() end
end)

each("tide.fft.*", "fftshift ifftshift", function (_, name)
  local a = tide.ones{ 4, 3 }
  return function () tide.fft[name](a, 1):close() end
end)

each("tide.*", "norm trace softmax logsoftmax logsumexp", function (_, name)
  local a = tide.ones({ 3, 4 }, "float16").T
  return function () tide[name](a):close() end
end)

each("Array:*", "norm trace softmax logsoftmax logsumexp", function (_, name)
  local a = tide.ones({ 3, 4 }, "int32")
  return function () a[name](a, 1):close() end
end)

each("tide.*", "sort argsort", function (_, name)
  local a = tide.arange(3000, 0, -1, "int32")
  return function () tide[name](a):close() end
end)

each("Array:*", "sort argsort", function (_, name)
  local a = tide.ones({ 3, 4 }, "int32")
  return function () a[name](a, 1):close() end
end)

each("Array:*", "cumsum cumprod cummax cummin", function (_, name)
  local a = tide.ones({ 3, 4 }, "int32")
  return function () a[name](a, 1):close() end
end)

calls["tide.clip"] = function ()
  local a = ints()
  return function () tide.clip(a, 1, 2):close() end
end

calls["Array:clip"] = function ()
  local a = ints()
  return function () a:clip(nil, a):close() end
end

each("tide.*", "modf frexp", function (_, name)
  local a = ints()
  return function ()
    local x, y = tide[name](a)
    x:close()
    y:close()
  end
end)

each("Array:*", "modf frexp", function (_, name)
  local a = tide.ones(6)
  local out = { tide.ones(6), tide.ones(6, name == "modf" and "float64" or
                                           "int32") }
  return function () a[name](a, { out = out }) end
end)

each("tide.*", "isclose", function ()
  local a = ints()
  return function () tide.isclose(a, 3):close() end
end)

each("Array:*", "isclose", function ()
  local a, b, z = ints(), ints(), tide.ones(6, "bool")
  return function () a:isclose(b, { equal_nan = true, out = z }) end
end)

calls["tide.finfo"] = function ()
  return function () return tide.finfo "float32" end
end

calls["tide.iinfo"] = function ()
  return function () return tide.iinfo "int8" end
end

calls["tide.can_cast"] = function ()
  return function () return tide.can_cast("int8", "int16") end
end

calls["tide.isdtype"] = function ()
  return function () return tide.isdtype("int8", { "bool", "integral" }) end
end

calls["tide.broadcast_shapes"] = function ()
  return function () return tide.broadcast_shapes(3, { 2, 1 }) end
end

calls["tide.view"] = function ()
  local a, h = ints(), host()
  return function ()
    tide.view(a, "int16"):close()
    tide.view(h, "int64"):close()
  end
end

each("*:view", "Array HostArray", function (_, name)
  local a = either(name)
  return function () a:view "float32":close() end
end)

calls["tide.result_type"] = function ()
  local a = ints()
  return function () return tide.result_type(a, "int64", 2.5) end
end

each("tide.*", "allclose array_equal", function (_, name)
  local a = ints()
  return function () return tide[name](a, 3) end
end)

each("Array:*", "allclose array_equal", function (_, name)
  local a, b = ints(), ints()
  return function () return a[name](a, b, { equal_nan = true }) end
end)

calls["tide.load"] = function ()
  return function ()
    tide.load "spec/npy/int32.npy":close()
    tide.load "spec/npy/fortran.npy":close()
    tide.load("spec/npy/deflated.npz", "fortran"):close()
    for _, a in pairs(tide.load "spec/npy/stored.npz") do a:close() end
  end
end

calls["tide.save"] = function ()
  local a, h, path = ints(), host(), os.tmpname()
  local archive = path .. ".npz"
  os.remove(path)
  return function ()
    tide.save(path, a)
    os.remove(path)
    tide.save(path, h)
    os.remove(path)
    for _, compressed in ipairs{ true, false } do
      tide.save(archive, { a = a, h = h }, { compressed = compressed })
      os.remove(archive)
    end
  end
end

calls["tide.get_default_dtype"] = function ()
  return function () return tide.get_default_dtype() end
end

calls["tide.set_default_dtype"] = function ()
  return function () tide.set_default_dtype "float64" end
end

calls["tide.frombytes"] = function ()
  return function () tide.frombytes("abcd", "uint8", { 2, 2 }):close() end
end

calls["tide.HostArray"] = function ()
  return function () tide.HostArray(5, "int32"):close() end
end

each("tide.*", BINARY, function (_, name)
  local a, b = ints(), ints()
  return function () tide[name](a, b):close() end
end)

each("Array:*", BINARY, function (_, name)
  local a = ints()
  return function () a[name](a, 2):close() end
end)

each("Array:*_", BINARY, function (_, name)
  local a = tide.full(6, 1, BOOLS[name] and "bool" or FLOATS[name] and
                      "float64" or "int32")
  local b = BOOLS[name] and true or 1
  return function () return a[name .. "_"](a, b) end
end)

each("Array:*_", UNARY, function (_, name)
  local a = tide.full(6, 1, TRUTHS[name] and "bool" or "float64")
  return function () return a[name .. "_"](a) end
end)

calls["Array:clip_"] = function ()
  local a = ints()
  return function () return a:clip_(1, ints()) end
end

calls["Array:nan_to_num_"] = function ()
  local a = tide.ones(6)
  return function () return a:nan_to_num_(0, 1) end
end

each("tide.*", UNARY .. " positive nan_to_num " .. REDUCE, function (_, name)
  local a = ints()
  return function () tide[name](a):close() end
end)

each("Array:*", UNARY .. " positive nan_to_num " .. REDUCE, function (_, name)
  local a = ints()
  return function () a[name](a):close() end
end)

--}}

--{{ Array, HostArray

each("Array.*", FIELDS, function (_, name)
  local a = ints()
  return function () return a[name] end
end)

each("HostArray.*", FIELDS, function (_, name)
  local h = tide.HostArray(6)
  return function () return h[name] end
end)

each("Array.*", "__add __sub __mul __div __mod __pow __idiv __band __bor" ..
     " __bxor __shl __shr", function (_, name)
  local a = ints()
  local call = exports.through[name]
  return function () call(a, 2):close() end
end)

each("Array.*", "__lt __le", function (_, name)
  local a = ints()
  local call = exports.through[name]
  return function () assert(not pcall(call, a, 2)) end
end)

each("Array.*", "__unm __bnot", function (_, name)
  local a = ints()
  local call = exports.through[name]
  return function () call(a):close() end
end)

calls["tide.complex"] = function ()
  return function () return tide.complex(1, 2) end
end

calls["tide.complex.polar"] = function ()
  return function () return tide.complex.polar(1, 2) end
end

each("tide.complex.*", "abs acos acosh arg asin asinh atan atanh conj cos " ..
     "cosh exp log sin sinh sqrt tan tanh", function (_, name)
  return function () return tide.complex[name](0.5) end
end)

calls["Complex.__unm"] = function ()
  local z = tide.complex(1, 2)
  return function () return -z end
end

each("Complex.*", "re im", function (_, name)
  local z = tide.complex(1, 2)
  return function () return z[name] end
end)

each("Complex.*", "__add __sub __mul __div __pow", function (_, name)
  local z, a = tide.complex(1, 2), ints()
  local call = exports.through[name]
  return function ()
    call(z, a):close()
    call(z, z)
  end
end)

each("Complex.*", "__index __newindex __len __tostring __eq", function ()
  local z = tide.complex(1, 2)
  return function ()
    return z[2], #z, tostring(z), z == tide.complex(1, 2),
           pcall(function () z.re = 1 end)
  end
end)

each("*.__tostring", "Array HostArray", function (_, name)
  local a = either(name)
  return function () return tostring(a) end
end)

each("*.__index", "Array HostArray", function (_, name)
  local a = either(name)
  return function () return a[2], a[{ { 1, 2 } }] end
end)

each("*.__newindex", "Array HostArray", function (_, name)
  local a = either(name)
  return function () a[1] = 5 end
end)

each("*.__pairs", "Array HostArray", function (_, name)
  local a = either(name)
  return function () for _ in pairs(a) do end end
end)

each("*.__len", "Array HostArray", function (_, name)
  local a = either(name)
  return function () return #a end
end)

each("Array.*", "__gc __close", function ()
  return function () local _ <close> = ints() end
end)

each("HostArray.*", "__gc __close", function ()
  return function () local _ <close> = tide.HostArray(3) end
end)

each("Array:*", "totable tobytes copy", function (_, name)
  local a = ints()
  return function () return a[name](a) end
end)

each("HostArray:*", "totable tobytes", function (_, name)
  local h = tide.HostArray(6, "int32"):copy_from(ints())
  return function () return h[name](h) end
end)

calls["Array:item"] = function ()
  local a = tide.ones(1)
  return function () return a:item() end
end

calls["HostArray:item"] = function ()
  local h = tide.HostArray(1)
  return function () return h:item() end
end

calls["Array:tohost"] = function ()
  local a = ints()
  return function () return a:tohost{ blocking = false } end
end

each("*:copy_from", "Array HostArray", function (_, name)
  local a = ints()
  local b = either(name)
  return function () return b:copy_from(a) end
end)

each("*:fill", "Array HostArray", function (_, name)
  local a = either(name)
  return function () return a:fill(7) end
end)

each("*:to", "Array HostArray", function (_, name)
  local a, other = either(name), tide.devices()
  other = other[#other]
  return function () a:to(other):tobytes() end
end)

calls["tide.fill"] = function ()
  local a = ints()
  return function () return tide.fill(a, 7) end
end

calls["tide.copy"] = function ()
  local a = ints()
  return function () return tide.copy(a) end
end

calls["tide.astype"] = function ()
  local a = ints()
  return function () tide.astype(a, "float32"):close() end
end

calls["Array:astype"] = function ()
  local a = ints()
  return function () a:astype "float32":close() end
end

calls["Array:slice"] = function ()
  local a = ints()
  return function () return a:slice(2, 3) end
end

calls["Array:select"] = function ()
  local a = ints()
  return function () return a:select(-1) end
end

calls["Array:close"] = function ()
  return function () ints():close() end
end

calls["HostArray:close"] = function ()
  return function () tide.HostArray(3):close() end
end

calls["HostArray:set"] = function ()
  local h = tide.HostArray(4, "uint8"):copy_from(tide.ones(4, "uint8"))
  return function () return h:set "abcd" end
end

calls["Array:to_dlpack"] = function ()
  local a = ints()
  return function () return a:to_dlpack() end
end

calls["HostArray:to_dlpack"] = function ()
  local h = tide.HostArray(4)
  return function () return h:to_dlpack() end
end

calls["tide.from_carray"] = function ()
  local h = tide.HostArray(4)
  return function () return tide.from_carray(h) end
end

calls["tide.from_dlpack"] = function ()
  local a = ints()
  return function ()
    tide.from_dlpack(a:to_dlpack{ stream = false }):close()
  end
end

each("HostArray:*", "readfrom writeto", function (_, name)
  local h = tide.HostArray(4, "uint8")
  local file = assert(io.tmpfile())
  return function () return h[name](h, file) end
end)

--}}

end
