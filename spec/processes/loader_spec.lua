--[[
loader_spec.lua - what a user hears when there is no CUDA. Each case is a
process of its own, for the driver is loaded once per process; TIDE_LIBCUDA
names one of the libraries made of spec/fake/driver.c. #process: see run.lua.
]]
local child = require "spec.support.child"

local FAKES = (os.getenv "TIDE_BUILD" or "build/testing") .. "/fake/"

local quote = child.quote

--- Runs Lua code with a CUDA library and TIDE_DEVICE (nil: unset); returns
-- what it printed, and whether it exited well.
local function start (library, device, code)
  local words = {
    "exec env -u TIDE_HOST_DEVICES",
    device and quote("TIDE_DEVICE=" .. device) or "-u TIDE_DEVICE",
    quote("TIDE_LIBCUDA=" .. library),
    child.paths(), child.lua, "-e", quote(code), "2>&1"
  }
  local pipe = assert(io.popen(table.concat(words, " ")))
  local printed = pipe:read "a"
  return printed, pipe:close()
end

local DEVICE = [[print(pcall(require "tide".Device, "cuda"))]]
local COUNT = [[
  local tide, n = require "tide", 0
  for _, dev in ipairs(tide.devices()) do
    n = n + (dev.kind == "cuda" and 1 or 0)
  end
  print(n, #tide.devices() - n)
]]
local SUM = [[
  local tide = require "tide"
  print(tide.get_device(), tide.ones({ 3 }, "float32"):sum():item())
]]

local function expect_text (text, ...)
  local printed, ok = start(...)
  assert.is_true(ok, printed)
  assert.is_truthy(printed:find(text, 1, true),
                   ("expected %q in %q"):format(text, printed))
end

local cases = {
  { "is not there", "./no/such/libcuda.so",
    "the CUDA driver library cannot be loaded (./no/such/libcuda.so: " ..
    "cannot open shared object file: No such file or directory)" },
  { "is no library", "./spec/processes/loader_spec.lua",
    "the CUDA driver library cannot be loaded (./spec/processes/" ..
    "loader_spec.lua: " },
  { "is another library", FAKES .. "empty.so",
    "is not a CUDA driver (it has no cuDriverGetVersion)" },
  { "has no cuGetProcAddress_v2", FAKES .. "bare.so",
    "is not a CUDA driver (it has no cuGetProcAddress_v2)" },
  { "is too old", FAKES .. "old.so",
    "the CUDA driver is for CUDA 11.4; tide needs 12.0 or newer" },
  { "is the stub of the toolkit", FAKES .. "stub.so",
    "is a stub library for linking, not a CUDA driver" },
  { "lacks an entry", FAKES .. "lacking.so",
    "the CUDA driver has no cuGraphExecUpdate (of CUDA 12.0)" },
  { "cannot start", FAKES .. "mismatched.so",
    "cuInit: CUDA_ERROR_FAKE (803): made up by the tests" },
  { "says there is no device", FAKES .. "deviceless.so",
    "the CUDA driver is installed, but finds no device" },
  { "counts no device", FAKES .. "idle.so",
    "the CUDA driver is installed, but finds no device" },
}

for _, case in ipairs(cases) do
  local what, library, text = table.unpack(case)

  describe("a CUDA driver that " .. what .. " #process", function ()
    it("is why tide.Device cannot be had", function ()
      expect_text("false\t(command line):1: bad argument #1 to " ..
                  "'tide.Device' (there is no CUDA device: ", library, nil,
                  DEVICE)
      expect_text(text, library, nil, DEVICE)
      expect_text('; without a GPU there is "host"', library, nil, DEVICE)
    end)

    it("leaves the host device to TIDE_DEVICE=auto", function ()
      expect_text("host:0\t3.0\n", library, "auto", SUM)
      expect_text("host:0\t3.0\n", library, nil, SUM)
    end)

    it("is why TIDE_DEVICE=cuda cannot be had", function ()
      local printed, ok = start(library, "cuda", SUM)
      assert.is_falsy(ok)
      assert.is_truthy(printed:find(text, 1, true), printed)
      assert.is_truthy(printed:find("TIDE_DEVICE", 1, true), printed)
    end)

    it("is not listed", function ()
      expect_text("0\t1\n", library, nil, COUNT)
    end)
  end)
end

describe("TIDE_DEVICE #process", function ()
  it("names the host device even where it is not the first", function ()
    expect_text("host:0\t3.0\n", FAKES .. "idle.so", "host", SUM)
  end)

  it("is refused with what it may be", function ()
    local printed, ok = start(FAKES .. "idle.so", "toaster", SUM)
    assert.is_falsy(ok)
    assert.is_truthy(printed:find("toaster", 1, true), printed)
    assert.is_truthy(printed:find("host", 1, true), printed)
  end)
end)

describe("kernels that were built for other GPUs #process", function ()
  for _, code in ipairs{ 209, 222 } do
    it(("say what to run (%d); the next try is a new one"):format(code),
    function ()
      local printed = start(FAKES .. "idle.so", "host", ([[
        local tide = require "tide"
        tide.T.failcall(1, %d, "cuModuleLoadData")
        print(select(2, pcall(tide.ones, 3)))
        print(tide.ones(3):sum():item())
      ]]):format(code))
      assert.is_truthy(printed:find("make KERNELS=all", 1, true), printed)
      assert.is_truthy(printed:find("\n3.0\n", 1, true), printed)
    end)
  end
end)
