--[[
picture.lua - makes docs/prompt.svg of a session of the prompt, which it has at
a terminal of its own (spec/embed/pty.c). From the root of the tree, with
lua-readline installed and `make lib-testing` done:

  lua5.4 spec/support/picture.lua > docs/prompt.svg

`lua5.4 picture.lua text` prints what is in it. Times and sizes are those
of the machine; spec/lua/repl_session_spec.lua compares the rest.
]]
local child = require "spec.support.child"

local BUILD <const> = os.getenv "TIDE_BUILD" or "build/testing"
local COLUMNS <const> = 80

local SCRIPT <const> = [[
< 1>
> x = linspace(0, 1, 1000000, "float32")\n
< 2>
> (x * x):mean()\n
< 0.33
< 3>
> s = Stream{ non_blocking = true }\n
< 4>
> y = s:with(function ()\n
< 5>>
>   return (x:sin() ^ 2 + x:cos() ^ 2):sum()\n
< 6>>
> end);\n
< 7>
> y:item(), s\n
< non-blocking
< 8>
> x:cum\t\t
< cumsum
= 100
> s\t()[{ {-3, -1} }]\n
< float32
< 9>
> x:summ()\n
< did you mean
< 10>
> spin = tide.ElementwiseKernel("T x", "T z", "while (true) z = x", "spin")\n
< 11>
> spin(x);\n
< still at work
< 12>
> x.device:synchronize()\n
= 500
> \x03
< was stopped
< 13>
> #x, x.shape, { step = 2, names = { "a", "b" } }\n
< names
= 100
< 14>
> \x04
]]

--{{ the session

local function transcript ()
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(SCRIPT)
  file:close()
  local pipe = assert(io.popen("env TERM=xterm NO_COLOR= TIDE_DEVICE=host " ..
    "TIDE_HISTORY= TIDE_EDITOR=readline INPUTRC=/dev/null " ..
    child.paths("lua/?.lua;lua/?/init.lua;" .. package.path,
                BUILD .. "/?.so;" .. package.cpath) .. " " ..
    BUILD .. "/embed/pty " .. path .. " lua5.4 lua/tide/command.lua"))
  local text = pipe:read "a"
  local ok = pipe:close()
  os.remove(path)
  if not ok then
    io.stderr:write(text)
    error("the session did not go as it should", 0)
  end
  return text
end

--}}

--{{ a small terminal: rows of { char, colour }

local COLOURS <const> = { ["0"] = false, [""] = false, ["2"] = "dim",
                          ["31"] = "red" }

local function new_screen ()
  return { rows = { {} }, row = 1, column = 1, colour = false }
end

local function line_feed (screen)
  screen.row = screen.row + 1
  screen.rows[screen.row] = screen.rows[screen.row] or {}
end

local function put (screen, char)
  if screen.column > COLUMNS then
    line_feed(screen)
    screen.column = 1
  end
  screen.rows[screen.row][screen.column] = { char, screen.colour }
  screen.column = screen.column + 1
end

local function control (screen, parameters, final)
  if final == "m" then
    screen.colour = COLOURS[parameters]
  elseif final == "K" then
    local row = screen.rows[screen.row]
    for i = screen.column, #row do row[i] = nil end
  elseif final == "C" then
    screen.column = screen.column + (tonumber(parameters) or 1)
  elseif final == "A" then
    screen.row = math.max(1, screen.row - (tonumber(parameters) or 1))
  end
end

local function play (text)
  local screen, at = new_screen(), 1
  while at <= #text do
    local c = text:sub(at, at)
    local parameters, final, after = text:match("^\27%[([%d;?]*)(%a)()", at)
    if final then
      control(screen, parameters, final)
      at = after - 1
    elseif c == "\r" then screen.column = 1
    elseif c == "\n" then line_feed(screen)
    elseif c == "\t" then
      repeat put(screen, " ") until screen.column % 8 == 1
    elseif c == "\b" then screen.column = math.max(1, screen.column - 1)
    elseif c >= " " then put(screen, c)
    end
    at = at + 1
  end
  return screen.rows
end

--}}

--{{ the picture

local SIZE <const>, WIDE <const>, HIGH <const> = 13, 7.83, 18
local EDGE <const> = 14

local FILLS <const> = { dim = "#8b949e", red = "#ff7b72", typed = "#79c0ff" }

local function escape (text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;",
                               [">"] = "&gt;" }))
end

--- Runs of one colour in a row. Text behind the prompt was typed.
local function runs (row)
  local list, text = {}, {}
  for i = 1, #row do text[i] = row[i] and row[i][1] or " " end
  local _, prompt = table.concat(text):find "^%d+>>? "
  for i = 1, #row do
    local colour = row[i][2] or prompt and i > prompt and "typed" or false
    local last = list[#list]
    if last and last.colour == colour then
      last.text = last.text .. text[i]
    else
      list[#list + 1] = { colour = colour, text = text[i] }
    end
  end
  return list
end

local function row_svg (row, n)
  local parts = {}
  for i, run in ipairs(runs(row)) do
    parts[i] = ('<tspan%s>%s</tspan>'):format(
      run.colour and (' fill="%s"'):format(FILLS[run.colour]) or "",
      escape(run.text))
  end
  return ('<text x="%d" y="%d" xml:space="preserve">%s</text>'):format(
    EDGE, EDGE + n * HIGH - 4, table.concat(parts))
end

local function picture (rows)
  local lines = {}
  for i, row in ipairs(rows) do lines[i] = row_svg(row, i) end
  local width = 2 * EDGE + math.ceil(COLUMNS * WIDE)
  local height = 2 * EDGE + #rows * HIGH
  return ([[
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d"
  width="%d" height="%d">
<title>A session of the prompt of tide</title>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
  font-size="%d" fill="#e6edf3">
%s
</g>
</svg>]]):format(width, height, width, height, SIZE,
                 table.concat(lines, "\n"))
end

--}}

local function plain (rows)
  local lines = {}
  for i, row in ipairs(rows) do
    lines[i] = ""
    for j = 1, #row do lines[i] = lines[i] .. row[j][1] end
  end
  return table.concat(lines, "\n")
end

local rows = play(transcript())
while plain{ rows[#rows] }:find "^%d*>? *$" do
  rows[#rows] = nil
end
print(arg[1] == "text" and plain(rows) or picture(rows))
