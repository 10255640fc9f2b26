--[[
plot.lua - tide.plot(a [, options]): a line, a histogram or a heat map of an
array's elements, as text.

The device computes the data of the plot: the minimum and the maximum of each
column, the counts of bins, the means of cells. Only these are fetched. NaNs and
infinities are ignored.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local canvas <const> = require "tide.canvas"
local find <const>, lower <const>, rep <const> =
  string.find, string.lower, string.rep

local NAN <const> = 0 / 0
local number <const> = canvas.number
local kind_of <const> = arguments.kind_of

--{{ options

local KINDS <const> = { line = true, histogram = true, heat = true }
local LEAST <const>, MOST <const> = 20, 1000  -- characters in a line
local MOST_LINES <const>, MOST_BINS <const> = 500, 1000

local function refuse (at, format, ...)
  arguments.refuse(at, "plot", string.format(format, ...), 4)
end

--- -> the error in an option's value, or nothing.
local function integer_check (least, most)
  return function (value)
    local n <const> = type(value) == "number" and math.tointeger(value)
    if not n or n < least or n > most then
      return string.format("must be an integer from %d to %d, got %s",
        least, most,
        type(value) == "number" and arguments.number(value) or kind_of(value))
    end
  end
end

local function check_flag (value)
  if type(value) ~= "boolean" then
    return "must be a boolean, got " .. kind_of(value)
  end
end

local function check_name (kind)
  if not KINDS[kind] then
    return "must be 'line', 'histogram' or 'heat', got " ..
           (type(kind) == "string" and "'" .. kind .. "'" or kind_of(kind))
  end
end

local CHECKS <const> = {
  ascii = check_flag, string = check_flag, kind = check_name,
  width = integer_check(LEAST, MOST), height = integer_check(2, MOST_LINES),
  bins = integer_check(1, MOST_BINS)
}

local NAMES <const> = { "ascii", "bins", "height", "kind", "string", "width" }

local function check_options (options, at)
  if options == nil then return {} end
  arguments.check_options("plot", at, options, NAMES)
  for name, value in next, options do
    local wrong <const> = CHECKS[name](value)
    if wrong then refuse(at, "option '%s' %s", name, wrong) end
  end
  return options
end

--- Returns the kind of plot, by default from the number of axes; raises if it
-- does not match.
local function check_kind (a, kind, at)
  kind = kind or a.ndim <= 1 and "line" or a.ndim == 2 and "heat"
  if not kind then
    refuse(at, "an array of one or two axes expected, got %d; for more axes " ..
           "kind = 'histogram'", a.ndim)
  elseif kind == "line" and a.ndim > 1 or kind == "heat" and a.ndim ~= 2 then
    refuse(at, "an array of %s expected for a %s, got %d",
           kind == "line" and "one axis" or "two axes",
           kind == "line" and "line" or "heat map", a.ndim)
  end
  return kind
end

local function check_array (a, at)
  if getmetatable(a) ~= "tide.Array" then
    refuse(at, "tide.Array expected, got %s", kind_of(a))
  end
  local dtype <const>, why <const> = arguments.field(a, "dtype")
  if not dtype then
    refuse(at, why)
  elseif find(dtype, "complex") then
    refuse(at, "real numbers expected, got %s; a:abs() and a:real() are real",
           dtype)
  end
end

--}}

--{{ the terminal: its width, letters and colours

local function variable (name)
  local value <const> = os and os.getenv and os.getenv(name) or ""
  return value ~= "" and value or nil
end

local function is_utf8 ()
  local locale <const> = variable "LC_ALL" or variable "LC_CTYPE" or
                         variable "LANG" or ""
  return find(lower(locale), "utf%-?8") ~= nil
end

--- Returns the width of the terminal, unless a host program leaves the function
-- out.
local function terminal ()
  local system <const> = arguments.system
  return system and system.isatty(1) and system or nil
end

local function has_colours ()
  local term <const> = variable "TERM"
  return terminal() ~= nil and term ~= nil and term ~= "dumb" and
         not variable "NO_COLOR"
end

--- -> { width =, height =, ascii =, colours = }
local function look_of (options)
  local ascii = options.ascii
  if ascii == nil then ascii = not is_utf8() end
  local system <const> = not options.string and terminal()
  local width <const> = options.width or
                        system and system.columns(1) or 80
  return { width = math.max(LEAST, math.min(width, MOST)),
           height = options.height, bins = options.bins, ascii = ascii,
           colours = not ascii and not options.string and has_colours() }
end

--}}

--{{ the device's part

local FLOATS <const> = { float16 = "float32", bfloat16 = "float32" }

local function floats (a)
  if not find(a.dtype, "float") then return a:astype "float64" end
  return FLOATS[a.dtype] and a:astype(FLOATS[a.dtype]) or a
end

--- Returns the elements as floats, with NaN for those that cannot be drawn.
local function drawable (a)
  local x <const> = floats(a)
  return x:isfinite():where(x, NAN)
end

local function rounded_up (n, by) return (n + by - 1) // by end

--- Pads x with NaNs, so that axis i has pieces[i] pieces of each[i] elements.
local function filled_up (x, pieces, each)
  local widths, any = {}, false
  for i, n in ipairs(pieces) do
    widths[i] = { 0, n * each[i] - x.shape[i] }
    any = any or widths[i][2] > 0
  end
  return any and x:pad(widths, { value = NAN }) or x
end

--- Returns the minima and then the maxima of at most that many columns, in one
-- HostArray; infinite for a column without numbers.
local function columns_of (a, most)
  local x, n <const> = floats(a:reshape(-1)), a.size
  local each <const> = rounded_up(n, most)
  local columns <const> = rounded_up(n, each)
  if each == 1 then return tide.concatenate{ x, x }:tohost() end
  x = filled_up(x, { columns }, { each }):reshape(columns, each)
  local is <const> = x:isfinite()
  return tide.concatenate{ is:where(x, 1 / 0):min(2),
                           is:where(x, -1 / 0):max(2) }:tohost()
end

--- Returns the means of cells of that many rows and columns of elements, as a
-- HostArray.
local function cells_of (a, tall, wide)
  local rows <const> = rounded_up(a.shape[1], tall)
  local columns <const> = rounded_up(a.shape[2], wide)
  local x <const> = filled_up(drawable(a), { rows, columns }, { tall, wide })
  if tall == 1 and wide == 1 then return x:tohost() end
  return x:reshape(rows, tall, columns, wide):nanmean{ axis = { 2, 4 } }
          :tohost()
end

--- Returns the counts and edges of bins between the minimum and the maximum, as
-- HostArrays, and the factor of the edges; nothing if there is no number.
local function bins_of (a, bins)
  local x, by = drawable(a:reshape(-1)), 1
  local ends <const> = tide.concatenate{ x:nanmin():reshape(1),
                                         x:nanmax():reshape(1) }:tohost()
  local low, high = ends[1], ends[2]
  if low ~= low then return nil end
  if high - low == 1 / 0 then x, low, high, by = x / 4, low / 4, high / 4, 4 end
  if low == high then
    local around <const> = math.max(0.5, math.abs(low) / 1024)
    low, high = low - around, high + around
  end
  local counts <const>, edges <const> =
    x:histogram(bins, { range = { low, high } })
  return counts:tohost(), edges:tohost(), by
end

--- Calls fn(a, ...) with the device of `a` current, and frees its temporaries.
local function on_device (fn, a, ...)
  local rest <const> = table.pack(...)
  return tide.with_device(a.device, function ()
    return tide.scope(fn, a, table.unpack(rest))
  end)
end

--}}

--{{ a line

local function is_finite (x) return x - x == 0 end

--- Returns the minimum and the maximum of the finite numbers of a list; NaN if
-- there are none.
local function ends_of (at, first, last)
  local low, high = NAN, NAN
  for i = first, last do
    local x <const> = at[i]
    if is_finite(x) and (x < low or low ~= low) then low = x end
    if is_finite(x) and (x > high or high ~= high) then high = x end
  end
  return low, high
end

--- Returns the position of x between low and high, from 0 to 1. Works even if
-- high - low is infinite.
local function part (x, low, high)
  if low == high then return 0.5 end
  return (x / 2 - low / 2) / (high / 2 - low / 2)
end

--- Draws each column from its minimum to its maximum, and connects it with the
-- one before it.
local function draw_columns (c, ys, n)
  local low_before, high_before, x_before
  for i = 1, n do
    local low <const>, high <const> = ys[i], ys[n + i]
    local x <const> = n == 1 and 0 or (i - 1) * c.right // (n - 1)
    if low and x_before and low > high_before then
      c:line(x_before, high_before, x, low)
    elseif low and x_before and high < low_before then
      c:line(x_before, low_before, x, high)
    elseif low and x_before then
      c:line(x_before, math.max(low, low_before), x, math.max(low, low_before))
    end
    if low then c:line(x, low, x, high) end
    low_before, high_before, x_before = low, high, low and x
  end
end

local function draw_line (a, look)
  local height <const> = look.height or 11
  local wide <const> = look.width - 13  -- labels take at most 11
  local at <const> = on_device(columns_of, a, look.ascii and wide or 2 * wide)
  local n <const> = #at // 2
  local low <const>, high <const> = ends_of(at, 1, #at)
  if low ~= low then return { "no finite numbers" } end
  local c <const> = canvas.new(wide, height, look.ascii)
  local ys = {}
  for i = 1, #at do
    local x <const> = at[i]
    ys[i] = is_finite(x) and (part(x, low, high) * c.top + 0.5) // 1 | 0
  end
  draw_columns(c, ys, n)
  return canvas.framed(c:rows(), wide, low, high, a.size, look.ascii)
end

--}}

--{{ a histogram

local EIGHTHS <const> = { [0] = "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

local function bar (share, room, ascii)
  if ascii then return rep("#", (share * room + 0.5) // 1 | 0) end
  local eighths <const> = (share * room * 8 + 0.5) // 1 | 0
  return rep("█", eighths // 8) .. EIGHTHS[eighths % 8]
end

local function longest (list)
  local n = 0
  for _, text in ipairs(list) do n = math.max(n, #text) end
  return n
end

--- Formats an edge; an edge that is 0 but for rounding becomes 0.
local function edge (edges, i, by)
  local x <const>, n <const> = edges[i], #edges
  return number(math.abs(x) < (edges[n] - edges[1]) / 2^30 and 0 or x * by)
end

local function draw_histogram (a, look)
  local counts <const>, edges <const>, by <const> =
    on_device(bins_of, a, look.bins or look.height or 10)
  if not counts then return { "no finite numbers" } end
  local from, to, said, most = {}, {}, {}, 0
  for i = 1, #counts do
    from[i], to[i] = edge(edges, i, by), edge(edges, i + 1, by)
    said[i], most = tostring(counts[i]), math.max(most, counts[i])
  end
  local row <const> = string.format("%%%ds to %%%ds %%s%%s %%s", longest(from),
                                                                 longest(to))
  local room <const> = math.max(1, look.width - longest(from) - longest(to) -
                                   longest(said) - 7)
  local lines = {}
  for i = 1, #counts do
    lines[i] = string.format(row, from[i], to[i], look.ascii and "|" or "▕",
                             bar(counts[i] / most, room, look.ascii), said[i])
  end
  return lines
end

--}}

--{{ a heat map

local SHADES <const> = { " ", "░", "▒", "▓", "█" }
local LETTERS <const> = { " ", ".", ":", "-", "=", "+", "*", "#", "%", "@" }
-- Codes of the 256 colours of terminals: from dark blue over green to yellow.
local COLOURS <const> = { 17, 18, 24, 30, 36, 35, 71, 107, 149, 185, 227 }

--- Returns the rows and columns of elements in a cell, and its number of
-- characters. That is two if there is room, because characters are twice as
-- high as wide.
local function cells (a, look)
  local rows <const>, columns <const> = a.shape[1], a.shape[2]
  local letters <const> = 2 * columns <= look.width and 2 or 1
  local wide = rounded_up(columns * letters, look.width)
  local tall = math.max(rounded_up(rows, look.height or 24),
                        letters == 1 and 2 * wide or 1)
  if letters == 1 then wide = math.max(wide, tall // 2) end
  return tall, wide, letters
end

--- Returns the text for each level, 'letters' characters wide, and the text for
-- a cell without a number.
local function levels (look, letters)
  local set <const> = look.colours and COLOURS or look.ascii and LETTERS or
                      SHADES
  local list = {}
  for i, one in ipairs(set) do
    list[i] = look.colours and
              string.format("\27[48;5;%dm%s\27[0m", one, rep(" ", letters)) or
              rep(one, letters)
  end
  return list, rep("?", letters)
end

local function draw_heat (a, look)
  local tall <const>, wide <const>, letters <const> = cells(a, look)
  local at <const> = on_device(cells_of, a, tall, wide)
  local rows <const>, columns <const> = at.shape[1], at.shape[2]
  local flat <const> = at:totable()
  local list <const>, none <const> = levels(look, letters)
  local ends = {}
  for i = 1, rows do
    ends[2 * i - 1], ends[2 * i] = ends_of(flat[i], 1, columns)
  end
  local low <const>, high <const> = ends_of(ends, 1, 2 * rows)
  if low ~= low then return { "no finite numbers" } end
  local lines = {}
  for i = 1, rows do
    local row = {}
    for k = 1, columns do
      local x <const> = flat[i][k]
      local level <const> = is_finite(x) and
                            part(x, low, high) * #list // 1 + 1 | 0
      row[k] = level and list[math.min(level, #list)] or none
    end
    lines[i] = table.concat(row)
  end
  local scale <const> = levels(look, 1)
  lines[rows + 1] = number(low) .. " [" .. table.concat(scale) .. "] " ..
                    number(high)
  return lines
end

--}}

local DRAW <const> = { line = draw_line, histogram = draw_histogram,
                       heat = draw_heat }

--- plot(a [, options]): prints a plot; with { string = true } it returns the
-- plot instead. 'first': the number of `a` among the arguments, 0 for a
-- method's object.
return function (first, a, options, extra)
  arguments.check_end(extra, first + 2, "plot")
  if first == 0 then arguments.check_object(a, "tide.Array", "plot") end
  check_array(a, first)
  options = check_options(options, first + 1)
  local kind <const> = check_kind(a, options.kind, first)
  arguments.check_wait(a, "plot")
  local lines <const> = a.size == 0 and { "no elements" } or
                        DRAW[kind](a, look_of(options))
  local text <const> = table.concat(lines, "\n")
  if options.string then return text end
  print(text)
end
