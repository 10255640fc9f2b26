--[[
Arrays of tide.ipc that were dropped kept their descriptors, two each, until the
program polled, and nobody looked for such garbage before there were no more:
what the program opened itself failed.
]]
local helper = require "spec.support.helper"
local other = require "spec.support.partner"

local COUNT <const> = [[
  local function check (most)
    local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
    local n = ls:read "n"
    assert(n < most, n)
  end
]]

local check = load(COUNT .. "return check")()

helper.each_device(function (kind)

describe("the descriptors of what was dropped #process", function ()
  after_each(other.clean)

  it("go once it was collected", function ()
    helper.child_on(kind, COUNT .. [[
      local tide = require "tide"
      local ipc = tide.ipc
      for i = 1, 1500 do
        do
          local a = i % 2 == 0 and ipc.zeros(4) or ipc.empty(4)
          a:add_(1)
        end
        if i % 50 == 0 then
          collectgarbage()
          check(400)
        end
      end
    ]])
  end)

  it("are looked for before there are no more", function ()
    helper.child_on(kind, COUNT .. [[
      local tide = require "tide"
      local function look ()  -- what a slow device has not come to is no matter
        tide.get_device():synchronize()
        check(700)
      end
      for i = 1, 1500 do
        tide.ipc.zeros(4):add_(1)
        if i % 100 == 0 then look() end
      end
      for i = 1, 1500 do
        tide.Event{ interprocess = true, disable_timing = true }:record()
        if i % 100 == 0 then look() end
      end
    ]])
  end)

  it("go where arrays come from others", function ()
    local c <close>, finish = other.start(kind, [[
      for i = 1, 400 do
        c:send(ipc.zeros(4))
        c:recv()
      end
    ]])
    for i = 1, 400 do
      do
        local x = c:recv()
        x:add_(1)
      end
      if i % 40 == 0 then
        collectgarbage()
        check(300)
      end
      c:send()
    end
    other.over(finish)
  end)
end)

end)
