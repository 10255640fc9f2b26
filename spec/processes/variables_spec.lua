--[[
variables_spec.lua - variables of the host device: a wrong value leaves it
unusable, and the error has the variable, its value and what it may be.
#process: see run.lua.
]]
local helper = require "spec.support.helper"

local WRONG = {
  TIDE_HOST_MEMORY = { "abc", "10X", "10MB", "10 ", "M", "-1", "0", "1e30G",
                       "%", "0%", "101%", "-5%", "50%%", "50K%", "nan%" },
  TIDE_HOST_DEVICES = { "abc", "0", "65", "-1", "2x", "1.5" },
  TIDE_HOST_THREADS = { "abc", "0", "65", "-1", "2x", "1.5" },
  TIDE_HOST_DELAYS = { "abc", "1", "1:", ":5", "1:5x", "-1:5" },
  TIDE_HOST_FAULTS = { "abc", "Sticky" },
  TIDE_BLAS = { "nonesuch.so", "libc.so.6" }
}

local EXPECTED = {
  TIDE_HOST_MEMORY = "a number of bytes, like 1048576, 512K, 10M or 4G, " ..
                     "or a share, like 50%",
  TIDE_HOST_DEVICES = "an integer from 1 to 64",
  TIDE_HOST_THREADS = "an integer from 1 to 64",
  TIDE_HOST_DELAYS = "seed:microseconds, like 1:1000",
  TIDE_HOST_FAULTS = "'raise' or 'sticky'",
  TIDE_BLAS = "a library with cblas_sgemm, or 'none'"
}

local SOUND = {
  TIDE_HOST_MEMORY = { "", "1048576", "64M", "64m", "1.5g", "65536K",
                       "50%", "12.5%", "100%" },
  TIDE_HOST_DEVICES = { "", "1", "64" },
  TIDE_HOST_THREADS = { "", "1", "64" },
  TIDE_HOST_DELAYS = { "", "1:0", "18446744073709551615:10" },
  TIDE_HOST_FAULTS = { "", "raise", "sticky" },
  TIDE_BLAS = { "", "none" }
}

local USE = [[
  local tide = require "tide"
  assert(tide.devices()[1])  -- uses none of them
  print(pcall(function ()
    return tide.with_device("host", function () return tide.ones(3):sum() end)
  end))
]]

describe("a variable of the host device #process", function ()
  for name, values in pairs(WRONG) do
    it("is refused if it is wrong (#200): " .. name, function ()
      for _, value in ipairs(values) do
        local printed = helper.child(USE, { [name] = value })
        local expected = ("%s must be %s, got '%s'"):format(
          name, EXPECTED[name], value)
        assert(printed:find(expected, 1, true), printed)
        assert.is_truthy(printed:find "^false%s+%(command line%):4: ")
      end
    end)

    it("is accepted otherwise: " .. name, function ()
      for _, value in ipairs(SOUND[name]) do
        local printed = helper.child(USE, { [name] = value })
        assert(printed:find "^true", value .. ": " .. printed)
      end
    end)
  end

  it("says why a library is none", function ()
    for value, why in pairs{ ["nonesuch.so"] = "nonesuch.so: cannot open",
                             ["libc.so.6"] = "it lacks cblas_sgemm" } do
      local printed = helper.child(USE, { TIDE_BLAS = value })
      local expected = ("got '%s' (%s"):format(value, why)
      assert(printed:find(expected, 1, true), printed)
    end
  end)
end)
