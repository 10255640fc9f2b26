--[[
Where C's stack is at its end Lua resumes no coroutine, and says so as an error
of the coroutine. tide.run, which an xpcall's handler can call down there, took
it for one that had yielded, and tried again without end.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("tide.run at the end of C's stack", function ()
  it("raises that it is", function ()
    local function descend () return (("a"):gsub("a", descend)) end
    local n, ok, err = 0, nil, nil
    xpcall(descend, function ()
      if n > 0 then return end
      n = n + 1
      local start = tide.clock()
      debug.sethook(function ()
        if tide.clock() - start > 5 then error "without end" end
      end, "", 10000)
      ok, err = pcall(tide.run, tide.get_device)
      debug.sethook()
    end)
    assert.is_false(ok)
    assert.equal("C stack overflow", err)
    assert.equal(tide.get_device(), tide.run(tide.get_device))
  end)
end)

end)
