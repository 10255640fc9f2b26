--
-- harness.lua - measures and prints all of tide's figures.
--
-- A sample is one loop of n calls and a wait for the device, on a monotonic
-- host clock, divided by n. Before the samples the loop runs once (warm-up),
-- and the first row's loop for 'warm' seconds, because clocks take so long to
-- rise. A row prints the median: key, value, unit, min, max, separated by tabs.
-- A row that cannot be measured prints '-' and the reason, and the next one
-- goes on.
--
-- Lua's collector runs as usual, inside the samples. Garbage of a row is
-- collected before the next one starts.
--
local harness = { repeats = 15, warm = 1.5 }

local ok, tide = pcall(require, "tide")
if not ok then
  io.stderr:write("bench: no tide: ", tostring(tide):match("[^\n]*"), "\n")
  os.exit(3)
end
harness.tide = tide

-- returns a field that may be missing: tide raises on unknown names
function harness.field(object, name)
  local found, value = pcall(function () return object[name] end)
  return found and value or nil
end

-- the monotonic clock, in seconds; nil if the build has none
local clock = harness.field(require "tide.core", "clock")
harness.clock = clock

local function line(...)
  io.write(table.concat({ ... }, "\t"), "\n")
  io.flush()
end

-- a remark in the output, kept with the figures
function harness.note(format, ...)
  line("# " .. format:format(...))
end

-- prints a row without a figure, and the reason
function harness.missing(key, why)
  line(key, "-", "-", tostring(why):gsub("%s+", " "):sub(1, 200))
end

-- waits for all work on the current device
function harness.drain()
  tide.get_device():synchronize()
end

local function sorted_samples(n, repeats, loop)
  local samples = {}
  local start = clock()
  repeat
    loop(n)
    harness.drain()
  until clock() - start >= harness.warm
  harness.warm = 0
  for i = 1, repeats do
    start = clock()
    loop(n)
    harness.drain()
    samples[i] = (clock() - start) / n
  end
  table.sort(samples)
  return samples
end

-- Measures a row: loop(n) makes n calls. 'figure' turns seconds per call into
-- the printed value.
local function row(key, unit, n, repeats, loop, figure)
  if not clock then
    return harness.missing(key, "tide.core.clock is missing")
  end
  collectgarbage()
  local done, samples = pcall(sorted_samples, n, repeats, loop)
  if not done then
    return harness.missing(key, samples)
  end
  local min, max = figure(samples[1]), figure(samples[repeats])
  if min > max then min, max = max, min end
  line(key, ("%.5g"):format(figure(samples[(repeats + 1) // 2])), unit,
       ("%.5g"):format(min), ("%.5g"):format(max))
end

-- microseconds per call
function harness.us(key, n, loop)
  row(key, "us", n, harness.repeats, loop, function (s) return s * 1e6 end)
end

-- prints a row that take(...) measures itself: a list of numbers
function harness.figures(key, unit, take, ...)
  local done, list = pcall(take, ...)
  if not done then
    return harness.missing(key, list)
  end
  table.sort(list)
  line(key, ("%.5g"):format(list[(#list + 1) // 2]), unit,
       ("%.5g"):format(list[1]), ("%.5g"):format(list[#list]))
end

-- GB/s (1e9 bytes); one call moves 'bytes'
function harness.rate(key, n, bytes, loop)
  row(key, "GB/s", n, 7, loop, function (s) return bytes / s / 1e9 end)
end

-- Rows that need something the build may lack: take(build()) prints them. After
-- an error, or a wrong result, all keys print '-'. A later line wins over an
-- earlier one of the same key, so no figure stands on a wrong result.
function harness.with(keys, build, take)
  local done, why = pcall(function () take(build()) end)
  if not done then
    for _, key in ipairs(keys) do
      harness.missing(key, why)
    end
  end
end

-- the function f of f(x, y, { out = z }) that runs z = x op y; or an error
function harness.into(op)
  local f = harness.field(tide, op)
  assert(f, "tide." .. op .. "(x, y, { out = z }) is missing")
  local x = tide.full({ 4 }, 3, "float32")
  local z = tide.zeros({ 4 }, "float32")
  f(x, x, { out = z })
  assert(z:totable()[4] ~= 0, "tide." .. op .. " leaves out= alone")
  return f
end

-- raises for a wrong result, and so voids the row that depends on it
function harness.same(got, want, what)
  if got ~= want then
    error(("%s: got %s, not %s"):format(what, got, want), 2)
  end
end

-- true if the current device is the built-in host device
function harness.on_host()
  return tide.get_device().kind == "host"
end

harness.note("%s on %s", arg[0], tostring(tide.get_device()))
return harness
