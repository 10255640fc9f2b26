--[[
log.lua - what a random program did lately (program.lua), and the report of an
array that differs from its model: enough to look for the cause in one text, as
the same program may never fail again.

Each world has a ring of its last calls, in their order: what was queued and on
which stream, waits and events, when host functions ran, what was closed. An
entry has names alone and keeps nothing alive. The report shows those that used
the array, or what was read for it, and all that order streams.
]]
local tide = require "tide"

local log = {}

local KEPT <const> = 400  -- calls
local SHOWN <const> = 40  -- elements

--{{ names

local counts = {}

--- "array 1", "array 2", ... of one program.
function log.name (kind)
  counts[kind] = (counts[kind] or 0) + 1
  return kind .. " " .. counts[kind]
end

--- A stream is known by its tostring, since it may have several objects.
-- A new stream gets a name of its own, even if it has an old one's address.
function log.name_stream (world, s)
  local ring, text = world.log, tostring(s)
  local kind = s.is_non_blocking and "non-blocking" or
               text:match "null" or text:match "ptds" or "blocking"
  local name = ("%s (%s)"):format(log.name "stream", kind)
  ring.streams[text], ring.objects[s] = name, name
  return name
end

local function stream_name (world, s)
  local ring = world.log
  local name = ring.objects[s]
  if not name then
    name = ring.streams[tostring(s)] or log.name_stream(world, s)
    ring.objects[s] = name
  end
  return name
end

--- The objects of an operation, by name: pairs a, b and h, the file f, numbers
-- i, j and n; from and at count the file's elements.
function log.subject (x)
  counts.operation = (counts.operation or 0) + 1
  return { number = counts.operation, a = x.a.name, b = x.b.name,
           h = x.h.name, f = x.f and x.f.name, i = x.i, j = x.j, n = x.n,
           from = x.from, at = x.at }
end

--}}

--{{ the ring

function log.new ()
  counts = {}
  return { n = 0, streams = {}, objects = setmetatable({}, { __mode = "k" }) }
end

--- Adds a call: its text, its stream (or nil), and the pairs of its subject
-- that it used: "Ab" if it wrote a and read b.
function log.add (world, what, s, uses, subject)
  local ring = world.log
  if not ring then return end  -- the program has ended
  local n, stream = ring.n % KEPT + 1, s and stream_name(world, s)
  local entry = ring[n]
  ring.n = ring.n + 1
  if not entry then
    ring[n] = { what = what, uses = uses, subject = subject, stream = stream,
                round = world.round, inside = world.running }
    return
  end
  entry.what, entry.uses, entry.subject, entry.stream = what, uses, subject,
                                                        stream
  entry.round, entry.inside = world.round, world.running
end

--- The same of one pair by itself.
function log.add_pair (world, what, s, uses, pair)
  log.add(world, what, s, uses, { a = pair.name })
end

--}}

--{{ the report

--- Tells whether an entry belongs to the story of 'wanted', which grows by the
-- pairs that are read for it. Called from the last entry backwards.
local function is_wanted (entry, wanted)
  local x, uses = entry.subject, entry.uses
  if not uses then return true end
  local writes, touches = wanted[x.number or x], false
  for key in uses:gmatch "%u" do
    writes = writes or wanted[x[key:lower()]]
  end
  for key in uses:lower():gmatch "%a" do
    touches = touches or wanted[x[key]]
  end
  if writes then
    wanted[x.number or x] = true
    for key in uses:gmatch "%l" do wanted[x[key]] = true end
  end
  return writes or touches
end

local function line_of (number, entry)
  local x, parts = entry.subject, {}
  for key in (entry.uses or ""):gmatch "%a" do
    parts[#parts + 1] = (key:find "%u" and "writes " or "reads ") ..
                        x[key:lower()]
  end
  if x and x.i then
    parts[#parts + 1] = ("operation %d, i %d, j %d, n %d"):format(
      x.number, x.i, x.j, x.n)
  end
  if x and x.f and (entry.uses or ""):find "[Ff]" then
    parts[#parts + 1] = ("file from %d, at %d"):format(x.from, x.at)
  end
  return ("%6d round %3s%s%s: %s%s"):format(
    number, entry.round or "-", entry.inside and " in " .. entry.inside or "",
    entry.stream and " on " .. entry.stream or "", entry.what,
    #parts > 0 and " [" .. table.concat(parts, ", ") .. "]" or "")
end

--- The ring as text: all of it, or what has to do with the pair of that name.
function log.text (world, name)
  local ring, wanted, lines = world.log, { [name or ""] = true }, {}
  for number = ring.n, math.max(1, ring.n - KEPT + 1), -1 do
    local entry = ring[(number - 1) % KEPT + 1]
    if not name or is_wanted(entry, wanted) then
      table.insert(lines, 1, line_of(number, entry))
    end
  end
  return ("the last %d of %d calls%s:\n%s"):format(
    math.min(ring.n, KEPT), ring.n,
    name and ", as far as they order streams or have to do with it" or "",
    table.concat(lines, "\n"))
end

local function differences (values, model)
  local list = {}
  for i = 1, #model do
    if values[i] ~= model[i] then list[#list + 1] = i end
  end
  return list
end

local function tell_elements (values, model)
  local list, texts = differences(values, model), {}
  for k = 1, math.min(#list, SHOWN) do
    local i = list[k]
    texts[k] = ("[%d] %s, not %s"):format(i, values[i], model[i])
  end
  return ("%d of %d elements differ: %s%s"):format(
    #list, #model, table.concat(texts, "; "), #list > SHOWN and "; ..." or "")
end

--- The snapshot that is the most like the values.
local function nearest (values, seen)
  local best, least
  for _, model in ipairs(seen) do
    local n = #differences(values, model)
    if not least or n < least then best, least = model, n end
  end
  return best
end

local ways = {
  { "totable", function (array) return array:totable() end },
  { "tobytes", function (array)
    local bytes, values = array:tobytes(), {}
    for i = 1, #bytes // 8 do
      values[i] = string.unpack("=i8", bytes, 8 * i - 7)
    end
    return values
  end },
  { "a copy on the null stream", function (array)
    return tide.Stream.null:with(function ()
      return tide.zeros(#array, "int64"):copy_from(array):totable()
    end)
  end }
}

--- All is done; while streams capture it takes more than one call.
local function finish (world)
  local dev = tide.get_device()
  if not pcall(dev.synchronize, dev) then
    for _, s in ipairs(world.streams) do pcall(s.synchronize, s) end
  end
end

--- Reads a pair again. Functions that run meanwhile are in the model by then.
local function tell_later (pair)
  local texts = {}
  for _, way in ipairs(ways) do
    local done, values = pcall(way[2], pair.array)
    texts[#texts + 1] = ("later, by %s: %s"):format(way[1],
      done and tell_elements(values, pair) or tostring(values))
  end
  return table.concat(texts, "\n")
end

--- The values that a pair's array had, which none of the models 'seen' has.
function log.report (world, pair, what, values, seen)
  local stream = stream_name(world, tide.get_current_stream())
  local functions = ("%d functions queued, %d ran"):format(world.wanted,
                                                           world.ran)
  local text = log.text(world, pair.name)
  finish(world)
  return ("%s (%s), read on %s, after %s, is none of the %d that the model " ..
          "had meanwhile; beside the nearest\n%s\n%s\n%s"):format(
    what, pair.name, stream, functions, #seen,
    tell_elements(values, nearest(values, seen)), tell_later(pair), text)
end

--}}

return log
