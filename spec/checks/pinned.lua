--[[
pinned.lua FILE... - a check of tide's own sources: no raw pointer to what a Lua
object has is held across a place where Lua may run, which may close the object.
`make check` runs it over what knows Lua: src/ but for src/rt/.

Places where Lua may run are the calls of PLACES, and of each function here that
comes to one. (Finalizers run wherever Lua allocates; but those free nothing
that a call around them may hold, see src/base/entry.c.) Pointers are variables
of the types of RAW, and addresses on the device. One that is set before a place
and read after it is told; so is an Op that says what it touches and is not
queued before the next place.
]]

local RAW = { "RtBlock", "RtEvent", "RtGraph", "RtBody", "RtCapture", "Code",
              "RtModule" }

-- Without Lua's functions that only see our own tables, without metamethods.
local PLACES = {}
for name in ([[
  lua_call lua_callk lua_pcall lua_pcallk lua_resume lua_gettable lua_settable
  lua_geti lua_seti lua_arith lua_compare lua_len luaL_len luaL_tolstring
  luaL_callmeta hostfunc_run
]]):gmatch "%S+" do
  PLACES[name] = true
end

--- blank(text) -> the same without comments and strings; lines stay.
local function blank (text)
  local function spaces (s) return (s:gsub("[^\n]", " ")) end
  text = text:gsub('\\"', "  "):gsub("/%*.-%*/", spaces)
  return (text:gsub('"[^"\n]*"', spaces))
end

local function line_of (text, at)
  return select(2, text:sub(1, at):gsub("\n", "")) + 1
end

--- functions(path) -> list of { name=, body=, path=, line= }: what begins in
-- the first column and has a body in braces.
local function functions (path)
  local file <close> = assert(io.open(path))
  local text = blank(file:read "a")
  local list = {}
  for head, at, body in text:gmatch "\n(%a[^\n;#{}]-[^;#{}]-%))%s*()(%b{})" do
    local name = head:match "([%w_]+)%s*%b()%s*$"
    if name and not head:find "^typedef" and not head:find "^enum" then
      list[#list + 1] = {
        name = name, head = head, body = body, path = path,
        line = line_of(text, at),
        key = head:find "^static" and path .. ":" .. name or name
      }
    end
  end
  return list
end

local function calls (body)
  local found = {}
  for name in body:gmatch "([%a_][%w_]*)%s*%(" do
    found[name] = true
  end
  return found
end

local all, known = {}, {}
for _, path in ipairs(arg) do
  for _, f in ipairs(functions(path)) do
    all[#all + 1], known[f.key] = f, true
  end
end

--- Tells whether the function that f calls by that name is a place.
local function is_place (f, name)
  local own = f.path .. ":" .. name
  return PLACES[known[own] and own or name]
end

--- Every function that comes to a place is one. error_fail and what calls it to
-- raise does not come back from it, nor does the API entry.
local RAISES = { error_fail = true, error_check = true, entry_blocked = true,
                 entry_retry = true, entry_check_calls = true }
local function spread ()
  local more = false
  for _, f in ipairs(all) do
    f.calls = f.calls or calls(f.body)
    for name in pairs(f.calls) do
      if is_place(f, name) and not PLACES[f.key] and not RAISES[f.name] then
        PLACES[f.key], more = true, true
      end
    end
  end
  return more
end

while spread() do end

--- The variables of raw types, by name.
local function pointers (f)
  local names = {}
  for _, type in ipairs(RAW) do
    local one = "%f[%w_]" .. type .. "%s+%*([%a_][%w_]*)"
    for name in f.head:gmatch(one) do
      names[name] = true
    end
    for name, list in f.body:gmatch(one .. "([^;]*);") do
      names[name] = true
      for other in list:gmatch ",%s*%*([%a_][%w_]*)" do
        names[other] = true
      end
    end
  end
  for list in f.body:gmatch "%f[%w_]CUdeviceptr%s+([%a_][^;]*);" do
    for name in (", " .. list:gsub("%b()", "")):gmatch ",%s*([%a_][%w_]*)" do
      names[name] = true
    end
  end
  return names
end

local TOUCHES = { array_access = true, op_access = true, launch_reads = true,
                  launch_writes = true }

--- held_op(f, name) -> place, offset: where the Op of that name waits with what
-- it touches, or nil. It is queued by the function that gets it and is a place.
local function held_op (f, name)
  local touched, place
  for at, word, open in f.body:gmatch "()([%a_][%w_]*)%s*()%(" do
    local given = f.body:match("^%b()", open)
    local it = given:find("&" .. name .. "%f[^%w_]")
    if it and TOUCHES[word] then
      touched = true
    elseif it and (is_place(f, word) or word == "op_submit") then
      if place then
        return place, at
      end
      touched = nil
    elseif is_place(f, word) then
      place = touched and word or nil
    end
  end
end

local function ops (f)
  local names = {}
  for list in f.body:gmatch "%f[%w_]Op%s+([%a_][^;*]*);" do
    for name in list:gmatch "[%a_][%w_]*" do
      names[#names + 1] = name
    end
  end
  return names
end

--- events(f, name) -> { at, "set" | "read" | "place", who }, in their order.
-- The arguments of a place are read before it, and set (by address) after it.
local function events (f, name)
  local list, body = {}, f.body
  for at, word, after in body:gmatch "()([%a_][%w_]*)()" do
    local before = body:sub(at - 2, at - 1)
    if word == name and before:sub(2) ~= "." and before ~= "->" then
      local address = before:sub(2) == "&" and before ~= "&&"
      if not address then
        local set = body:find("^%s*=[^=]", after) or
                    body:find("^%s*%b[]%s*=[^=]", after)
        list[#list + 1] = { at, set and "set" or "read" }
      end
    elseif is_place(f, word) and body:find("^%s*%(", after) then
      local _, stop = body:find("^%s*%b()", after)
      list[#list + 1] = { stop, "place", word }
      if body:sub(after, stop):find("&" .. name .. "%f[^%w_]") then
        list[#list + 1] = { stop + 0.5, "set" }
      end
    end
  end
  table.sort(list, function (a, b) return a[1] < b[1] end)
  return list
end

local bad, checked = 0, 0

local function tell (f, at, what, place)
  bad = bad + 1
  print(("%s:%d: %s holds %s across %s, where Lua may run"):format(
    f.path, f.line + line_of(f.body, at) - 1, f.name, what, place))
end

for _, f in ipairs(all) do
  for _, name in ipairs(ops(f)) do
    local across, at = held_op(f, name)
    if across then
      tell(f, at, "the Op '" .. name .. "'", across)
    end
  end
  for name in pairs(pointers(f)) do
    local place
    checked = checked + 1
    for _, e in ipairs(events(f, name)) do
      if e[2] == "set" then
        place = nil
      elseif e[2] == "place" then
        place = place or e[3]
      elseif place then
        tell(f, e[1], "'" .. name .. "'", place)
        break
      end
    end
  end
end

local places = 0
for _, f in ipairs(all) do
  places = places + (PLACES[f.key] and 1 or 0)
end
assert(#all > 1000 and checked > 15 and places > 10, "nothing was found")
print(("%d functions, %d places, %d pointers"):format(#all, places, checked))
os.exit(bad == 0)
