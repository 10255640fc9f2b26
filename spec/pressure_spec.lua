--[[
pressure_spec.lua - when garbage is looked for, before memory runs out: in both
modes of the collector, beside small and huge heaps. Each test is a process of
its own, since it sets the collector's mode. No test looks at the clock;
bench/pressure.lua does.
]]
local helper = require "spec.helper"

-- What the children begin with. LIVE is how many tables there are besides.
local PRELUDE = [[
  local tide = require "tide"
  local MB = 1 << 20
  local live = {}
  local function fill (n)
    for i = 1, n do live[i] = { i } end
  end
  local function stats (kind) return tide.memory_stats(kind) end
  local function bytes (n) return tide.empty(n, "uint8") end
]]

helper.each_device(function (kind)

local function child (code, env)
  return helper.child_on(kind, PRELUDE .. code, env)
end

describe("a loop that drops arrays #process", function ()
  for _, mode in ipairs{ "incremental", "generational" } do
    for _, tables in ipairs{ 0, 500000 } do
      it(("finishes under its limit: %s, %d live tables #slow")
         :format(mode, tables), function ()
        local printed = child(([[
          collectgarbage "%s"
          fill(%d)
          tide.memory_limit(64 * MB)
          local x
          for i = 1, 400 do
            x = tide.empty(2^18 | 0, "float32") + 1
          end
          x:fill(2)
          print(x[1], stats().peak <= 64 * MB, stats().collections > 0)
        ]]):format(mode, tables))
        assert.equal("2.0\ttrue\ttrue\n", printed)
      end)
    end
  end

  it("of page-locked memory, too", function ()
    assert.equal("true\ttrue\n", child[[
      tide.memory_limit(8 * MB, "pinned")
      for i = 1, 100 do
        tide.HostArray(MB, "uint8")
      end
      print(stats "pinned".peak <= 8 * MB, stats().collections > 0)
    ]])
  end)

  it("without a limit, by what the machine has", function ()
    assert.equal("true\n", helper.child_on("host", PRELUDE .. [[
      for i = 1, 200 do
        bytes(MB)
      end
      print(stats().collections > 0)
    ]], { TIDE_HOST_MEMORY = "64M" }))
  end)
end)

describe("the collector #process", function ()
  it("is left alone by programs that close their arrays", function ()
    assert.equal("0\n", child[[
      tide.memory_limit(8 * MB)
      for i = 1, 1000 do
        local a <close> = bytes(MB)
        tide.scope(function () bytes(MB) end)
      end
      print(stats().collections)
    ]])
  end)

  it("is run seldom where nothing is garbage", function ()
    local printed = child[[
      collectgarbage "generational"
      tide.memory_limit(256 * MB)
      local list = {}
      for i = 1, 200 do list[i] = bytes(MB) end
      print(stats().collections, stats().live == 200 * MB)
    ]]
    local n, all = printed:match "^(%d+)\t(%l+)\n$"
    assert.equal("true", all)
    assert.is_true(tonumber(n) <= 12, n)
  end)

  it("stays stopped while there is memory", function ()
    assert.equal("0\ttrue\tfalse\n", child[[
      collectgarbage "stop"
      tide.memory_limit(64 * MB)
      for i = 1, 60 do bytes(MB) end
      local before = stats().collections
      for i = 1, 60 do bytes(MB) end
      print(before, stats().peak <= 64 * MB, collectgarbage "isrunning")
    ]])
  end)

  it("is not run inside a finalizer", function ()
    assert.equal("0\ttrue\ttrue\n", child[[
      tide.memory_limit(64 * MB)
      local during
      do
        local x = setmetatable({}, { __gc = function ()
          local before = stats().collections
          for i = 1, 40 do bytes(MB) end
          during = stats().collections - before
        end })
      end
      collectgarbage()
      print(during, pcall(bytes, 64 * MB), stats().peak <= 64 * MB)
    ]]:gsub("pcall%(bytes, 64 %* MB%)", "(pcall(bytes, 64 * MB))"))
  end)

  it("finalizers that allocate and close while it runs do no harm",
  function ()
    assert.equal("true\ttrue\n", child[[
      tide.memory_limit(16 * MB)
      local n = 0
      local function again (a)
        return setmetatable({ a }, { __gc = function (t)
          n = n + 1
          t[1]:close()
          if n < 500 then
            again((pcall(bytes, 1000)) and bytes(1000) or nil)
          end
        end })
      end
      again(bytes(MB))
      for i = 1, 400 do again(bytes(MB // 2)) end
      print(n > 100, stats().peak <= 16 * MB)
    ]])
  end)
end)

describe("the generational mode #process", function ()
  -- a heap so big that full collections come one after the other
  local CROWDED = [[
    collectgarbage "incremental"
    fill(50000)
    tide.memory_limit(8 * MB)
    for i = 1, 200 do bytes(MB) end
  ]]

  it("is switched on where full collections would be all we do",
  function ()
    assert.equal("generational\ttrue\n", child(CROWDED .. [[
      print(collectgarbage "generational", stats().peak <= 8 * MB)
    ]]))
  end)

  it("who switches back is obeyed", function ()
    assert.equal("generational\tincremental\ttrue\n", child(CROWDED .. [[
      local first = collectgarbage "incremental"
      for i = 1, 200 do bytes(MB) end
      print(first, collectgarbage "incremental", stats().peak <= 8 * MB)
    ]]))
  end)

  it("is not touched where the program chose it", function ()
    assert.equal("generational\n", child[[
      collectgarbage "generational"
      tide.memory_limit(8 * MB)
      for i = 1, 1000 do bytes(MB) end
      print(collectgarbage "generational")
    ]])
  end)

  -- Asking for the mode sets it, so it is set again.
  it("is given back once memory is asked for less often", function ()
    assert.equal("generational\tincremental\n", child(CROWDED .. [[
      local function mode ()
        local was = collectgarbage "incremental"
        collectgarbage(was)
        return was
      end
      local first, pause = mode(), 0.05
      repeat
        for i = 1, 8 do bytes(MB) end
        local start = tide.clock()
        while tide.clock() - start < pause do end
        pause = pause * 2
      until mode() == "incremental" or pause > 20
      print(first, mode())
    ]]))
  end)
end)

end)
