--[[
With tide.set_default_dtype "float32" the numbers of a fused function were
rounded to float32 before they met an array of float64, and a function that had
been fused before kept the dtypes of the default then.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function (kind)
if not pcall(tide.fuse(function (x) return x + 1 end), tide.ones(1)) then
  pending("tide.fuse needs NVRTC on " .. kind)
  return
end

local FUNCTIONS = {
  function (x) return x + 0.1, x * 1e300 end,
  function (x, n) return x + n, x - n * 0.1 end,
  function (x) return x:clip(0.1, 0.7), x:gt(0.1) end,
  function (x) return tide.where(x, 0.1, 7), tide.where(x, 0.1, 0.7) end,
  function (x) return tide.where(x, 7, x), tide.where(x, x, 0.1) end,
  function (x) return x:atan2(-1.0), x // -1.0 end,
}

describe("a fused function with another default dtype", function ()
  after_each(function () tide.set_default_dtype "float64" end)

  for i, fn in ipairs(FUNCTIONS) do
    it("does as its operations do one by one, number " .. i, function ()
      local f = tide.fuse(fn)
      local number = debug.getinfo(fn, "u").nparams > 1 and 0.3 or nil
      for _, default in ipairs{ "float64", "float32", "float16" } do
        tide.set_default_dtype(default)
        for _, dtype in ipairs{ "bool", "uint16", "int32", "float32",
                                "float64" } do
          local x = tide.array({ 0, 1, 0, 65535 },
                               dtype == "bool" and "int32" or dtype)
          x = x:astype(dtype)
          local expected, got = { fn(x, number) }, { f(x, number) }
          for k, z in ipairs(expected) do
            local what = default .. ", " .. dtype .. ", result " .. k
            assert.equal(z.dtype, got[k].dtype, what)
            assert.equal(z:tobytes(), got[k]:tobytes(), what)
          end
        end
      end
    end)
  end
end)

end)
