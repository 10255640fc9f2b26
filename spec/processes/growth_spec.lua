--[[
growth_spec.lua - programs that go on for long and never collect garbage: Lua's
own collector and tide's steps have to keep its heap, and what is resident, from
growing. Each is a process, in both modes of the collector; nothing but the mode
is set by collectgarbage, and its count is only read.

TIDE_SPEC_SCALE=n     n * 10,000 rounds of most programs
]]
local helper = require "spec.support.helper"

local SCALE <const> = tonumber(os.getenv "TIDE_SPEC_SCALE" or 1)
local SLOW <const> = helper.variant ~= "testing" or
                     os.getenv "TIDE_SPEC_GC" == "stress"
if SLOW then
  return  -- sanitizers keep what is freed
end

-- seen(i): notes what there is in round i of n; report() compares the halves.
local BEGIN <const> = [[
package.path = package.path .. ";/usr/share/lua/5.2/?.lua"
local tide = require "tide"
local most = { { 0, 0 }, { 0, 0 } }
local function resident ()
  local file <close> = io.open "/proc/self/statm"
  local pages = file and file:read "a":match "^%d+ (%d+)"
  return (tonumber(pages) or 0) * 4
end
local function seen (i)
  if i % 50 == 0 then
    local half = most[2 * i > n and 2 or 1]
    half[1] = math.max(half[1], collectgarbage "count" // 1)
    half[2] = i % 500 == 0 and math.max(half[2], resident()) or half[2]
  end
end
local function report ()
  local first, second = most[1], most[2]
  local slack <const> = (tide.get_device().kind == "cuda" and 16 or 6) << 10
  print(second[1] - first[1] < 1024 and second[2] - first[2] < slack,
        "KiB of Lua", first[1], second[1], "resident", first[2], second[2])
end
local x = tide.zeros(16)
]]

-- The code of a program's round i.
local ROUNDS <const> = {
  arrays = [[ local y = (x + i) * 2; ring = ring or {}; ring[i & 15] = y ]],
  closed = [[ local y <close> = x * 2; local _ <close> = y + 1 ]],
  elements = [[ x[i % 16 + 1] = i; local _ = x[1] ]],
  scopes = [[ tide.scope(function () local y = x * 2; return y + 1 end) ]],
  coroutines = [[
    local co = coroutine.wrap(function ()
      local y = x + i
      coroutine.yield(y)
    end)
    co()
  ]],
  errors = [[ assert(not pcall(x.reshape, x, 3)) ]],
  ["host functions"] = [[
    s = s or tide.Stream{ non_blocking = true }
    s:launch_host_func(function () ran = i end)
    if i % 8 == 0 then s:synchronize() end
  ]],
  ["streams and events"] = [[
    local s = tide.Stream{ non_blocking = true }
    s:with(function () return x + 1 end)
    local e = s:record()
    tide.Stream.null:wait_event(e)
    if i % 2 == 0 then s:close() end
  ]],
  graphs = [[
    local g = tide.capture(function () x:add_(1) end)
    g:launch()
    if i % 2 == 0 then g:close() end
  ]],
  ["launches of indices"] = [[
    at = at or tide.array{ 1, 2 }
    g = g or tide.capture(function () return x:take(at) end)
    for _ = 1, 100 do g:launch() end
  ]],
  files = [[
    name = name or os.tmpname()
    tide.open(name, "w"):write(x):close()
    local file = tide.open(name)
    file:read(x)
    if i % 2 == 0 then file:close() end
    if i == n then os.remove(name) end
  ]],
  ["small files"] = [[
    name = name or os.tmpname()
    tide.save(name, x)
    local y = tide.load(name)
    if i == n then os.remove(name) end
  ]]
}

-- Rounds of the slow ones, as a part of those of others.
local SHARE <const> = { files = 0.1, graphs = 0.1, ["small files"] = 0.1 }

local LOOP <const> = [[
local i = 0
local function go ()  -- 16 at a time, one after the other in each
  while i < n do
    i = i + 1
    local s <close> = tide.Stream{ non_blocking = true }
    local y = s:with(function () return (x + i):sum() end)
    assert(y:await(5))
    if i % 4 == 0 then y:item() end
    seen(i)
  end
end
]]

-- How coroutines wait in each loop.
local LOOPS <const> = {
  ["tide.run"] = [[
    tide.run(function ()
      local tasks = {}
      for k = 1, 16 do tasks[k] = tide.spawn(go) end
      tide.gather(tasks)
    end)
  ]],
  ["tide.run, a task each"] = [[
    tide.run(function ()
      local tasks = {}
      for i = 1, n do
        local k = i % 16
        if tasks[k] then tasks[k]:await() end
        tasks[k] = tide.spawn(function ()
          local y = x + i
          y:await()
        end)
        seen(i)
      end
      for _, task in pairs(tasks) do task:await() end
    end)
  ]],
  ["tide.loop"] = [[
    require "tide.loop"
    local left = 16
    for _ = 1, left do
      coroutine.wrap(function () go() left = left - 1 end)()
    end
    while left > 0 do tide.poll(0.01) end
  ]],
  luv = [[
    require "tide.luv"
    for _ = 1, 16 do coroutine.wrap(go)() end
    require "luv".run()
  ]],
  cqueues = [[
    require "tide.cqueues"
    local controller = require "cqueues".new()
    for _ = 1, 16 do controller:wrap(go) end
    assert(controller:loop())
  ]],
  copas = [[
    require "tide.copas"
    local copas = require "copas"
    local left = 16
    for _ = 1, 16 do
      copas.addthread(function () go() left = left - 1 end)
    end
    while left > 0 do copas.step(0.01) end
  ]]
}

local function sorted (t)
  local names = {}
  for name in pairs(t) do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Tells whether the library of the loop is there.
local function is_there (name)
  local paths = package.path .. ";/usr/share/lua/5.2/?.lua"
  return name:find "^tide" or package.searchpath(name, paths) or
         package.searchpath(name, package.cpath)
end

helper.each_device(function (kind)

local function rounds (share)
  return math.max(1000, SCALE * 10000 * (share or 1) // 1)
end

local function stays (name, n, code)
  for _, mode in ipairs{ "generational", "incremental" } do
    it(("neither heap nor memory grows by %s: %s"):format(name, mode),
    function ()
      local printed = helper.child_on(kind, ([[
        collectgarbage %q
        local n <const> = %d
      ]]):format(mode, n) .. BEGIN .. code ..
      "\nreport()")
      assert.match("^true", printed)
    end)
  end
end

describe("without a collection of the program's own, #process #collector",
function ()
  for _, name in ipairs(sorted(ROUNDS)) do
    stays(name, rounds(SHARE[name]),
          ("local ring, s, ran, name\nfor i = 1, n do\n%s\nseen(i) end")
          :format(ROUNDS[name]))
  end

  for _, name in ipairs(sorted(LOOPS)) do
    if is_there(name) then
      stays("awaits in " .. name, rounds(), LOOP .. LOOPS[name])
    else
      pending("needs " .. name)
    end
  end
end)

end)
