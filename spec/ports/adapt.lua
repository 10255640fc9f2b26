--[[
adapt.lua FROM TO - copies the Lua modules of a folder. Run by the Lua that is
to load them: since 5.5 nothing may be assigned to the variable of a `for`,
which older libraries do. Their loops get a local variable of the same name.
Files that it does not load even so are left out, and named.
]]
local FROM <const>, TO <const> = arg[1], arg[2]

local function lines_of (text)
  local lines = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return lines
end

--- The loop whose variable it is, and which the line is in: the one above it
-- that begins nearest. Or nil.
local function adapt_line (lines, number, name)
  for i = number, 1, -1 do
    local names = lines[i]:match "^%s*for%s+([%w_,%s]-)%s+in%s" or
                  lines[i]:match "^%s*for%s+([%w_]+)%s*="
    if names and (" " .. names:gsub(",", " ") .. " "):find(" " .. name .. " ",
                                                           1, true) then
      local found
      lines[i], found = lines[i]:gsub("%f[%w]do%f[%W]", function ()
        return ("do local %s = %s;"):format(name, name)
      end, 1)
      return found == 1
    end
  end
end

--- text -> the same for this Lua, or nil and why not.
local function adapt (text, path)
  local lines = lines_of(text)
  for _ = 1, 20 do
    local made = table.concat(lines, "\n")
    local fn, why = load(made, "=" .. path, "t")
    if fn then return made end
    local line, name =
      why:match ":(%d+): attempt to assign to const variable '([%w_]+)'"
    if not line or not adapt_line(lines, tonumber(line), name) then
      return nil, why
    end
  end
  return nil, path .. ": does not end"
end

local list <close> = assert(io.popen(("cd '%s' && find -L . -name '*.lua'")
                                     :format(FROM)))
for name in list:lines() do
  local source <close> = assert(io.open(FROM .. "/" .. name))
  local made, why = adapt(source:read "a", name)
  if made then
    os.execute(("mkdir -p '%s'"):format((TO .. "/" .. name):match "^(.*)/"))
    local target <close> = assert(io.open(TO .. "/" .. name, "w"))
    target:write(made)
  else
    print("left out: " .. why)
  end
end
