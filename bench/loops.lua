--
-- loops.lua - the loops of await.lua: loops(fn) calls fn(name, go, run) for
-- tide.run and for each event loop that is installed. go(fn) starts a coroutine
-- there; run() returns once all are over.
--
local tide = require "tide"

local loops = {}

--- Tasks inherit the current stream where they begin, as coroutines of loops
-- do.
function loops.run ()
  local list, first = {}, 1
  local inherit <const> = { stream = "inherit" }
  local function go (fn) list[#list + 1] = fn end
  local function run ()
    tide.run(function ()
      while list[first] do
        tide.spawn(inherit, list[first])
        first = first + 1
      end
      list, first = {}, 1
    end)
  end
  return go, run
end

function loops.luv ()
  local uv = require "luv"
  require "tide.luv"
  return function (fn) coroutine.wrap(fn)() end, function () uv.run() end
end

function loops.cqueues ()
  local controller = require "cqueues".new()
  require "tide.cqueues"
  return function (fn) controller:wrap(fn) end,
         function () assert(controller:loop()) end
end

-- Debian has it for older versions of Lua only, though it works in this one.
function loops.copas ()
  package.path = package.path .. ";/usr/share/lua/5.2/?.lua"
  require "tide.copas"
  local copas = require "copas"
  local left, failed = 0, nil
  local function go (fn)
    left = left + 1
    copas.addthread(function ()
      local ok, err = pcall(fn)
      left = left - 1
      if not ok then failed = failed or err end
    end)
  end
  return go, function ()
    while left > 0 do copas.step(1) end
    if failed then error(failed, 0) end
  end
end

return function (fn, missing)
  for _, name in ipairs{ "run", "luv", "cqueues", "copas" } do
    local ok, go, run = pcall(loops[name])
    if ok then
      fn(name, go, run)
    else
      missing(name, go)
    end
  end
end
