--[[
example.lua - runs an example of lua/tide/api as if it were typed at the prompt:
globals last from line to line, and an expression before --> is printed. The
words behind --> must be the last that were printed for that line; spaces and
tabs are for the reader. Lines that begin with --> continue the expected
output.
]]
local example = {}

local function words (text)
  return (text:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- Lua for the line, with a call of _show for an expression.
local function rewrite (code, number)
  if load("return " .. code) then
    return ("_show(%d, %s)"):format(number, code)
  end
  return code .. (" _show(%d)"):format(number)
end

--- The program, and what is expected after which line.
local function read (text)
  local lines, expected, last = {}, {}, 0
  for line in (text .. "\n"):gmatch "(.-)\n" do
    local code, said = line:match "^(.-)%s*%-%->%s?(.*)$"
    lines[#lines + 1] = code and code:find "%S" and
                        rewrite(code, #lines + 1) or not code and line or ""
    if code and code:find "%S" then
      last = #lines
      expected[last] = said
    elseif code then
      expected[last] = expected[last] .. " " .. said
    end
  end
  return table.concat(lines, "\n"), expected
end

local function new_world (tide, printed)
  local function out (...)
    for i = 1, select("#", ...) do
      printed[#printed + 1] = (i > 1 and "\t" or "") ..
                              tostring((select(i, ...)))
    end
    printed[#printed + 1] = "\n"
  end
  return setmetatable({ tide = tide, print = out }, { __index = _G }), out
end

--- example.run(tide, text) -> how often something was compared; raises if it
-- fails, or prints another thing.
function example.run (tide, text)
  local printed = {}
  local code, expected = read(text)
  local world, out = new_world(tide, printed)
  local compared = 0
  function world._show (line, ...)
    if select("#", ...) > 0 then
      out(...)
    end
    local got, want = words(table.concat(printed)), words(expected[line])
    if got:sub(-#want) ~= want then
      error(("line %d printed '%s', not '%s'"):format(line, got, want), 0)
    end
    compared = compared + 1
  end
  assert(load(code, "=example", "t", world))()
  for line, want in pairs(expected) do
    assert(compared > 0, ("nothing came by line %d: %s"):format(line, want))
  end
  return compared
end

return example
