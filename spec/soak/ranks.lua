--[[
ranks.lua - what a random program (program.lua) does on two devices: copies from
one to the other, and the operations of a communicator that has a rank on each.
Its arrays are on the first; what the second rank has are temporaries there.
Where there is one device, none of this is done.

A communicator goes with work under way, and another one comes.
]]
local tide = require "tide"
local log = require "spec.soak.log"

local ranks = {}

--- The current one, and others of its kind.
local function devices ()
  local own = tide.get_device()
  local list = { own }
  for _, dev in ipairs(tide.devices()) do
    if dev.kind == own.kind and dev ~= own then list[#list + 1] = dev end
  end
  return list
end

--{{ kinds of operations: x.t is on the second device, x.m is the same

local function other (x) return x.world.ranks.devices[2] end

--- The second rank's array: what b has.
local function send_b (step, N)
  return step("b", function (x)
    x.t = x.b.array:to(other(x))
  end, function (x) x.m = table.move(x.b, 1, N, 1, {}) end)
end

--- Adds the elements of the second rank.
local function add_back (step, N)
  return step("A", function (x)
    x.a.array:add_(x.t:to(x.a.array.device))
    x.t = nil
  end, function (x)
    for i = 1, N do x.a[i] = x.a[i] + x.m[i] end
  end)
end

--- The kinds, of arrays of N elements; none where there is one device.
-- step(uses, queue, model) is of operations.lua.
function ranks.kinds (step, N)
  local kinds = {}
  if not devices()[2] then return kinds end

  local function add (name, uses, queue, model)
    kinds[#kinds + 1] = { name = name, ranks = true, send_b(step, N),
                          step(uses, queue, model), add_back(step, N) }
  end

  add("a device and back", "", function (x)
    x.t = x.t * 3 - 1
  end, function (x)
    for i = 1, N do x.m[i] = x.m[i] * 3 - 1 end
  end)
  add("a part from the other device", "A", function (x)
    x.a.array:slice(x.i, x.i + x.n):copy_from(x.t:slice(x.j, x.j + x.n))
  end, function (x) table.move(x.m, x.j, x.j + x.n, x.i, x.a) end)
  add("all_reduce", "A", function (x)
    x.world.ranks:all_reduce{ x.a.array, x.t }
  end, function (x)
    for i = 1, N do
      x.m[i] = x.a[i] + x.m[i]
      x.a[i] = x.m[i]
    end
  end)
  add("all_reduce, the greatest", "A", function (x)
    x.world.ranks:all_reduce({ x.a.array, x.t }, "max")
  end, function (x)
    for i = 1, N do
      x.m[i] = math.max(x.a[i], x.m[i])
      x.a[i] = x.m[i]
    end
  end)
  add("broadcast", "A", function (x)
    x.world.ranks:broadcast({ x.a.array, x.t }, 1)
  end, function (x) table.move(x.m, 1, N, 1, x.a) end)
  add("all_gather", "a", function (x)
    x.t = x.world.ranks:all_gather{ x.a.array, x.t }[2]:slice(N // 2 + 1,
                                                              N // 2 + N)
  end, function (x)
    table.move(x.m, 1, N // 2, N // 2 + 1)
    table.move(x.a, N // 2 + 1, N, 1, x.m)
  end)
  add("reduce_scatter", "a", function (x)
    local parts = x.world.ranks:reduce_scatter{ x.a.array, x.t }
    x.t = tide.concatenate{ parts[2], parts[1]:to(other(x)) }
  end, function (x)
    local sum = {}
    for i = 1, N do sum[i] = x.a[i] + x.m[i] end
    table.move(sum, N // 2 + 1, N, 1, x.m)
    table.move(sum, 1, N // 2, N // 2 + 1, x.m)
  end)
  add("there and back at once", "A", function (x)
    local comm, a = x.world.ranks, x.a.array
    local part = tide.empty(x.n + 1, "int64")
    local all = tide.with_device(other(x), function ()
      return tide.empty(N, "int64")
    end)
    comm:group(function ()
      comm:send({ a, x.t:slice(x.j, x.j + x.n) }, { 1, 0 })
      comm:recv({ part, all }, { 1, 0 })
    end)
    a:slice(x.i, x.i + x.n):copy_from(part)
    x.t = all
  end, function (x)
    local part = table.move(x.m, x.j, x.j + x.n, 1, {})
    table.move(x.a, 1, N, 1, x.m)
    table.move(part, 1, x.n + 1, x.i, x.a)
  end)
  return kinds
end

--}}

--- A communicator of the first two devices; nil: there is one.
function ranks.open ()
  local list = devices()
  return list[2] and tide.comm{ list[1], list[2] } or nil
end

--- Another one, whatever there is under way with the old one.
function ranks.reopen (world, pick)
  local old, closes = world.ranks, pick(2) == 1
  if not old or pick(8) > 1 then return end
  log.add(world, "another communicator")
  world.ranks = ranks.open()
  if closes then old:close() end
end

return ranks
