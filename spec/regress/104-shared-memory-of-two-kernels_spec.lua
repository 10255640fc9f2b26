--[[
Two RawKernels of one function: the one that asked for less dynamic shared
memory later took the room from the other, whose next launch the driver refused.
On the driver that is made up, which notes what it is asked for.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"
local SOURCE = [[extern "C" __global__ void dims (int *out) {}]]

--- run(code) -> what a process on that driver printed, or nil: there is none.
local function run (code)
  local path = os.tmpname()
  local printed = helper.child(([[
    local tide = require "tide"
    local ok, err = pcall(function ()
      tide.RawKernel(%q, "dims"):compile()
    end)
    if ok then
      local SOURCE = %q
      %s
      for line in io.lines(os.getenv "FAKE_LOG") do
        print(line:match "^dims (%%d+=%%d+)")
      end
    else
      print(err)
    end
  ]]):format(SOURCE, SOURCE, code), {
    FAKE_LOG = path, TIDE_DEVICE = "cuda",
    TIDE_LIBCUDA = BUILD .. "/fake/device.so" })
  os.remove(path)
  if printed:find("built without kernels", 1, true) or
     printed:find("cannot be loaded", 1, true) then
    return nil
  end
  return printed
end

local it_runs = helper.variant == "testing" and run "" and it or pending

describe("dynamic shared memory #process", function ()
  it_runs("is what the kernel that asked for most has", function ()
    local printed = run [[
      local x = tide.zeros(7, "int32")
      local one, two = tide.RawKernel(SOURCE, "dims"),
                       tide.RawKernel(SOURCE, "dims")
      local function launch (k, shared)
        k:launch{ grid = 1, block = 1, shared = shared, args = { x } }
      end
      launch(one, 100000)
      launch(two, 60000)
      launch(one, 100000)
      launch(two, 200000)
      launch(one, 150000)
    ]]
    local asked = {}
    for bytes in printed:gmatch "8=(%d+)" do
      asked[#asked + 1] = tonumber(bytes)
    end
    assert.same({ 100000, 200000 }, asked)
  end)

  it("is nothing that a kernel could have on the host device", function ()
    local k = tide.RawKernel(SOURCE, "dims")
    tide.with_device(tide.Device "host", function ()
      local x <close> = tide.zeros(7, "int32")
      helper.fails("is CUDA C", k.launch, k, { grid = 1, block = 1,
                   shared = 100000, args = { x } })
    end)
  end)
end)
