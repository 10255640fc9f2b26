--[[
random_spec.lua - a thousand rounds of random operations over 8 streams and 32
arrays do what the same program does on one stream.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

local ROUNDS, STREAMS, ARRAYS, N = 1000, 8, 32, 96

--{{ a program: the same list of choices for each run

--- Operations of a round: fn(world, pick). They may not look at streams except
-- through world.on, which runs a function with one of them current.
local rounds = {}

local function any (world, pick)
  return world.arrays[pick(ARRAYS)]
end

--- A range of rows, mostly small; from 1, inclusive.
local function range (pick)
  local first = pick(N)
  return first, math.min(N, first + pick(N // 2) - 1)
end

rounds[1] = function (world, pick)  -- in place
  local a, b, k = any(world, pick), any(world, pick), pick(8)
  world.on(k, function () a:add_(b) end)
end

rounds[2] = function (world, pick)  -- a new array; an old one is dropped
  local a, b, at, k = any(world, pick), any(world, pick), pick(ARRAYS), pick(8)
  world.on(k, function () world.arrays[at] = a * 3 - b end)
end

rounds[3] = function (world, pick)  -- part of one to part of the same size
  local a, b, k = any(world, pick), any(world, pick), pick(8)
  local first, last = range(pick)
  world.on(k, function ()
    a:slice(first, last):add_(b:slice(first, last) * 2)
  end)
end

rounds[4] = function (world, pick)
  local a, value, k = any(world, pick), pick(1000), pick(8)
  local first, last = range(pick)
  world.on(k, function () a:slice(first, last):fill(value) end)
end

rounds[5] = function (world, pick)  -- through page-locked memory
  local a, b, h = any(world, pick), any(world, pick), world.hosts[pick(4)]
  local k, m = pick(8), pick(8)
  world.on(k, function () h:copy_from(a) end)
  world.on(m, function () b:copy_from(h) end)
end

rounds[6] = function (world, pick)  -- seen by the host
  local a, at, k = any(world, pick), pick(N), pick(8)
  world.on(k, function () world.log[#world.log + 1] = a[at] end)
end

rounds[7] = function (world, pick)  -- a reduction on another stream
  local a, b, k, m = any(world, pick), any(world, pick), pick(8), pick(8)
  local sum = world.on(k, function () return a:sum() end)
  world.on(m, function ()
    b:slice(1, 1):add_(sum:reshape(1))
  end)
end

rounds[8] = function (world, pick)
  local k, m = pick(8), pick(8)
  if pick(2) == 1 then
    world.streams[m]:wait_event(world.streams[k]:record())
  else
    world.streams[m]:wait_stream(world.streams[k])
  end
end

-- A host function declares no memory. A copy on its own stream before it waits
-- for earlier users of the memory. A copy after it writes, so that later users
-- wait for the copy.
rounds[9] = function (world, pick)
  local a, h, i, k = any(world, pick), world.hosts[pick(4)], pick(N), pick(8)
  world.on(k, function ()
    h:copy_from(a)
    world.streams[k]:launch_host_func(function (x) h[i] = h[i] + x end, k)
    a:copy_from(h)
    h:copy_from(a)
  end)
end

rounds[10] = function (world, pick)
  local g, k = world.graphs[pick(#world.graphs)], pick(8)
  g:launch(world.streams[k])
end

local function make_graph (world, pick, at)
  local a, b = any(world, pick), any(world, pick)
  local k, x = pick(8), pick(10)
  world.graphs[at] = tide.capture(function ()
    local here, c = tide.get_current_stream(), a + x
    world.streams[k]:wait_stream(here)
    world.on(k, function () b:add_(c) end)
    here:wait_stream(world.streams[k])
    a:sub_(b)
  end)
end

rounds[11] = function (world, pick)  -- graphs come and go
  make_graph(world, pick, pick(4))
end

rounds[12] = function (world, pick)  -- a stream is replaced
  local k = pick(8)
  world.replace(k)
end

--}}

--- run(seed, one) -> all that can be seen at the end, as text. 'one': on a
-- single stream.
local function run (seed, one)
  local pick = helper.generator(seed)
  local world = { arrays = {}, hosts = {}, graphs = {}, streams = {},
                  log = {} }
  local function open ()
    return tide.Stream{ non_blocking = true }
  end
  local only = one and open()
  for k = 1, STREAMS do
    world.streams[k] = only or (k % 3 == 0 and tide.Stream() or open())
  end
  function world.on (k, fn)
    return world.streams[k]:with(fn)
  end
  function world.replace (k)
    if not one then
      world.streams[k]:close()
      world.streams[k] = k % 3 == 0 and tide.Stream() or open()
    end
  end
  world.streams[1]:with(function ()
    for i = 1, ARRAYS do
      world.arrays[i] = tide.arange(N) * i
    end
  end)
  for i = 1, 4 do
    world.hosts[i] = tide.HostArray(N, "int64")
    make_graph(world, pick, i)
  end
  for round = 1, ROUNDS do
    rounds[pick(#rounds)](world, pick)
    if round % 100 == 0 then
      collectgarbage()
    end
  end
  for i, a in ipairs(world.arrays) do
    world.log[#world.log + 1] = i .. ": " .. table.concat(a:totable(), " ")
  end
  for i, h in ipairs(world.hosts) do
    world.log[#world.log + 1] = i .. "h " .. table.concat(h:totable(), " ")
  end
  return table.concat(world.log, "\n")
end

helper.each_device(function ()

describe("random operations", function ()
  for _, seed in ipairs{ 1, 20261121, 987654321 } do
    it("give what one stream gives, seed " .. seed, function ()
      local wanted = run(seed, true)
      T.delays(seed, 60)
      local got = run(seed, false)
      T.delays(0, 0)
      assert.is_true(got == wanted, "seed " .. seed .. " differs")
    end)
  end
end)

end)
