--[[
What tide.fuse refused or did otherwise than the operations one by one: clip
between two numbers took one bound after the other for the dtype, so that
clip(-129, 255.0) of uint64 read -129 as uint64; conj, real and imag were for
complex numbers only.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("tide.fuse needs NVRTC on " .. kind)
  return
end

local DTYPES = { "bool", "int8", "int32", "int64", "uint8", "uint64", "float32",
                 "float64" }

local FUNCTIONS = {
  function (x) return x:clip(-129, 255.0) end,
  function (x) return x:clip(0.5, 100) end,
  function (x) return x:clip(1e300, -1) end,
  function (x) return x:clip(2, 1), x:clip(nil, 0.5), x:clip(true, 3) end,
  function (x, n) return x:clip(n, 2.5) end,
  function (x) return x:clip() end,
  function (x) return x:clip(300, 400) end,
  function (x) return x:conj(), x:real(), x:imag(), x:imag() + x end,
}

describe("a fused function", function ()
  for i, fn in ipairs(FUNCTIONS) do
    it("does as its operations do one by one, number " .. i, function ()
      local f = tide.fuse(fn)
      local number = debug.getinfo(fn, "u").nparams > 1 and -300 or nil
      for _, dtype in ipairs(DTYPES) do
        local x = tide.array({ 0, 1, 2, 100 }, "int64"):astype(dtype)
        local expected = table.pack(pcall(fn, x, number))
        local got = table.pack(pcall(f, x, number))
        assert.equal(expected[1], got[1], dtype .. tostring(got[2]))
        for k = 2, expected[1] and expected.n or 0 do
          assert.equal(expected[k].dtype, got[k].dtype, dtype)
          assert.equal(expected[k]:tobytes(), got[k]:tobytes(), dtype)
        end
      end
    end)
  end
end)

end)
