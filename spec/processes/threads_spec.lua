--[[
threads_spec.lua - the system has no thread, or no more of them: what needs one
says so or does without, and works once there are some again. #process: see
run.lua. The library that refuses them is spec/fake/threads.c; sanitizers start
theirs behind it.
]]
local helper = require "spec.support.helper"

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"
local MOST <const> = 12  -- threads that the program starts

--- Each stage starts threads of another kind; its result is compared.
local PROGRAM <const> = [==[
  local tide = require "tide"
  local path = os.tmpname()
  local N <const> = 1 << 20

  local stages = {
    function () return tide.ones(N):add(1):sum():item() == 2 * N end,
    function ()
      local h = tide.ones(N):tohost{ blocking = false }
      return tide.Event():record():await(60) and h[N] == 1
    end,
    function ()
      local list = tide.run(function ()
        local function double (x)
          local y = x * 2
          y:await()
          return y[1]
        end
        return tide.gather{ function () return double(tide.ones(3)) end,
                            function () return double(tide.ones(3) * 2) end }
      end)
      return list[1] == 2 and list[2] == 4
    end,
    function ()
      tide.save(path, tide.arange(N))
      local x, f = tide.zeros(N, "int64"), tide.open(path)
      f:read(x, f.size - 8 * N)
      f:close()
      return x[N] == N - 1
    end,
    function ()
      local comm = tide.comm{ "host:0", "host:1" }
      local x = {}
      for i = 1, 2 do
        x[i] = tide.with_device("host:" .. i - 1, function ()
          return tide.ones(1000)
        end)
      end
      local s <close> = tide.Stream{ non_blocking = true }
      s:with(function () comm:all_reduce(x) end)
      comm:split{ 0, 0 }[1]:close()
      local right = x[1][1] == 2 and x[2][1000] == 2
      comm:close()
      return right
    end
  }

  --- -> how many stages were refused.
  local function all ()
    local refused = 0
    for i, stage in ipairs(stages) do
      local ok, right = pcall(stage)
      if not ok then
        refused = refused + 1
        right = tostring(right)
        assert(right:find "thread" or right:find "OPERATING_SYSTEM" or
               right:find "a call of the system failed", i .. ": " .. right)
        pcall(function () tide.get_device():synchronize() end)
      else
        assert(right, i .. " is wrong")
      end
    end
    return refused
  end

  local first, second = all(), all()
  tide.poll()
  os.remove(path)
  print(first, second)
]==]

local function run (n, after, lanes)
  local printed, ok = helper.child(PROGRAM, {
    TIDE_DEVICE = "host", TIDE_HOST_DEVICES = "2",
    LD_PRELOAD = BUILD .. "/fake/threads.so", TIDE_FAKE_THREAD = n,
    TIDE_FAKE_AFTER = after, TIDE_TEST_SUBCOMMS = lanes
  })
  local first, second = printed:match "^(%d+)\t(%d+)\n$"
  assert(ok and first, ("thread %d: %s"):format(n, printed))
  return tonumber(first), tonumber(second)
end

if helper.variant == "testing" then

describe("without a thread #process", function ()
  for with, lanes in pairs{ [""] = false, [", with lanes"] = "1" } do
    local set <const> = lanes or nil
    it("what needs it says so, and works the next time" .. with, function ()
      for n = 1, MOST do
        local first, second = run(n, nil, set)
        assert.is_true(first + second <= 1, first .. " " .. second)
      end
    end)

    it("and any more nothing hangs" .. with, function ()
      local refused = 0
      for n = 1, MOST do
        refused = refused + run(n, "1", set)
      end
      assert.is_true(refused > 0)
    end)
  end
end)

end
