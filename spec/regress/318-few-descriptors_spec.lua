--[[
Ranks did not meet where a process may have few descriptors: rank 0 asked the
system about more places than that, most of them empty, which it refuses.
]]
local child = require "spec.support.child"

describe("ranks of a process with few descriptors #process", function ()
  local function run (files, devices)
    local pipe = io.popen(("ulimit -n %d; exec env TIDE_HOST_DEVICES=%d " ..
      "TIDE_DEVICE=host %s timeout 60 %s -e %s 2>&1"):format(files, devices,
      child.paths(), child.lua, child.quote(([[
        local tide = require "tide"
        local names = {}
        for i = 1, %d do names[i] = "host:" .. i - 1 end
        local comm <close> = tide.comm(names, { timeout = 5 })
        local list = {}
        for i, dev in ipairs(comm.devices) do
          dev:use()
          list[i] = tide.ones(4)
        end
        comm:all_reduce(list)
        print(list[1][1] == #names)
      ]]):format(devices))))
    local printed = pipe:read "a"
    pipe:close()
    return printed
  end

  it("meet", function ()
    assert.equal("true\n", run(32, 2))
    assert.equal("true\n", run(40, 4))
  end)

  it("or hear that there are too few", function ()
    assert.matches("Too many open files", run(32, 16))
  end)
end)
