--[[
session.lua - a session of the prompt: its variables, its lines as chunks of
Lua, and the variables to close at its end.

The session is one long program. Its names are in a table of its own, `env`,
with Lua's globals behind it; a name that a file has made global stays global.
]]
local system = require "tide.system"
local BEHIND = require "tide.repl.complete".BEHIND
local lexer = require "tide.repl.lexer"
local own = require "tide.repl.own"
local raise_locals = require "tide.repl.locals"

-- Names of tide that are available without `tide.`.
local EVERYDAY <const> = {
  "Device", "Event", "HostArray", "Stream", "arange", "array", "capture",
  "devices", "empty", "eye", "full", "linspace", "ones", "zeros"
}

local session = { everyday = EVERYDAY }
session.__index = session

local CHUNK <const> = "=prompt"  -- messages then have prompt:3

local function short_names (tide)
  local names = { tide = tide }
  for _, name in ipairs(EVERYDAY) do
    names[name] = tide[name]
  end
  return names
end

local function new_env (tide)
  return setmetatable(short_names(tide), {
    __index = _G,
    __newindex = function (t, name, value)
      rawset(rawget(_G, name) ~= nil and _G or t, name, value)
    end
  })
end

local function get (t, name) return t[name] end

--- Returns a layer over a program's table. It adds the session's names without
-- changing the table. The table is searched first; if it raises for a missing
-- name, that error is passed on.
local function layer_over (names, tide)
  local short = short_names(tide)
  return setmetatable({}, {
    __index = function (_, name)
      local ok, value = pcall(get, names, name)
      if ok and value ~= nil then return value end
      if short[name] ~= nil then return short[name] end
      if ok or rawget(_G, name) ~= nil then return _G[name] end
      error(value, 0)
    end,
    __newindex = names,
    [BEHIND] = { names, short, _G }
  })
end

--- new(tide [, names]) -> a session; 'names': the program's table for its
-- names.
function session.new (tide, names)
  local env = names and layer_over(names, tide) or new_env(tide)
  return setmetatable({ env = env, names = names or env, line = 1,
                        closing = {} }, session)
end

--{{ compiling

--- An error at the end: more lines may complete the chunk.
local function is_unfinished (message)
  return message:find "near <eof>$" ~= nil
end

local function is_quiet (source)
  local tokens = lexer.tokens(source)
  return #tokens > 0 and tokens[#tokens].text == ";"
end

--- Loads a chunk whose lines have the numbers that the prompt shows.
function session:load (source)
  return load(("\n"):rep(self.line - 1) .. source, CHUNK, "t", self.env)
end

--- Returns the pattern of the position in errors of a one-line chunk, which is
-- redundant.
function session:place (source)
  return source:find("\n", 1, true) and "^%z" or
         ("^prompt:%d: "):format(self.line)
end

--- compile(source) -> { run =, quiet =, ... }; or "more", if it is incomplete;
-- or nil and a message.
function session:compile (source)
  local run, why = self:load("return " .. source)
  if run then
    return { run = run, quiet = is_quiet(source), names = {}, closing = {},
             place = self:place(source) }
  end
  local expression_unfinished = is_unfinished(why)
  run, why = self:load(source)
  if not run then
    if expression_unfinished or is_unfinished(why) then return "more" end
    return nil, (why:gsub(self:place(source), ""))
  end
  local raised, found = raise_locals(source)
  if #found.names > 0 then
    run = assert(self:load(raised))
  end
  return { run = run, quiet = is_quiet(source), names = found.names,
           closing = found.closing, place = self:place(source) }
end

--}}

--{{ running

--- Makes declared locals names of the session, apart from globals with the same
-- names.
local function own_names (names, locals)
  for _, name in ipairs(locals) do
    if rawget(names, name) == nil then
      rawset(names, name, rawget(_G, name))
    end
  end
end

--- Returns the name of a function in the session, for tail calls, where Lua
-- does not know the line.
local function name_of (names, f)
  for name, value in next, names do
    if value == f then return name end
  end
end

--- Formats a frame, as in errors.
local function frame_of (info, run, names)
  local where = info.what == "C" and "[C]" or
                ("%s:%d"):format(info.short_src, info.currentline)
  local called = info.name or name_of(names, info.func)
  local name = info.func == run and "the line" or
               called and ("function '%s'"):format(called) or "a function"
  return { where = where, name = name, func = info.func }
end

--- Returns the frames of an error from the innermost to the chunk. Leaves out
-- tide's, of which fn, the caller of the chunk, is one, and C functions that
-- they called.
local function frames (run, fn, names)
  local list = {}
  for level = 4, 60 do
    local info = debug.getinfo(level, "Slnf")
    if not info or info.func == fn or info.func == system.call then
      break
    end
    if not own.is(info.source) then
      list[#list + 1] = frame_of(info, run, names)
    else
      while list[1] and list[#list].where == "[C]" do list[#list] = nil end
    end
  end
  return list
end

local MOST <const> = 8  -- frames of one error

--- Formats the frames, without the line itself and without a C function that
-- raised the error.
local function trace (run, fn, names)
  local list, text = frames(run, fn, names), {}
  local last = list[#list]
  if last and last.func == run then list[#list] = nil end
  if list[1] and list[1].where == "[C]" then table.remove(list, 1) end
  for i, frame in ipairs(list) do
    if i > MOST then
      text[#text + 1] = ("\n    ... %d more"):format(#list - MOST)
      break
    end
    text[#text + 1] = ("\n    %s: in %s"):format(frame.where, frame.name)
  end
  return table.concat(text)
end

local function message_of (err)
  if type(err) == "string" then return err end
  local meta = debug.getmetatable(err)
  if type(meta) == "table" and meta.__tostring then
    local ok, text = pcall(tostring, err)
    if ok then return text end
  end
  if type(err) == "number" then return tostring(err) end
  return ("an error that is a %s value"):format(type(err))
end

--- run(chunk, fn) -> true and the results of fn(chunk.run), or false and the
-- text of an error. 'fn' runs the chunk, so that it can measure the time.
function session:run (chunk, fn)
  local names, before = self.names, {}
  own_names(names, chunk.names)
  for _, name in ipairs(chunk.closing) do
    before[name] = rawget(names, name)
  end
  local function handler (err)
    local message = message_of(err):gsub(chunk.place, "")
    return message:find("stack traceback:", 1, true) and message or
           message .. trace(chunk.run, fn, names)
  end
  local results = table.pack(system.call(handler, fn, chunk.run))
  local wrong
  for _, name in ipairs(chunk.closing) do
    wrong = not self:keep(name, before[name]) and (wrong or name) or wrong
  end
  if wrong then
    return false, ("variable '%s' got a non-closable value"):format(wrong)
  end
  return table.unpack(results, 1, results.n)
end

--- Tells whether Lua can close a value.
local function is_closable (value)
  local meta = debug.getmetatable(value)
  return not value or type(meta) == "table" and rawget(meta, "__close") ~= nil
end

--- Registers a variable to be closed, if it has a value now. Returns whether it
-- can be closed; if not, the variable gets its previous value back.
function session:keep (name, before)
  local value = rawget(self.names, name)
  local fits = is_closable(value)
  if not fits then
    rawset(self.names, name, before)
  elseif value and value ~= before then
    self.closing[#self.closing + 1] = { name = name, value = value }
  end
  return fits
end

--- close() -> the texts of errors; closes the variables to be closed, the last
-- one first.
function session:close ()
  local errors = {}
  for i = #self.closing, 1, -1 do
    local entry = self.closing[i]
    self.closing[i] = nil
    local ok, err = system.call(message_of, function ()
      local _ <close> = entry.value
    end)
    errors[#errors + 1] = not ok and err or nil
  end
  return errors
end

--}}

--- count(source): counts the lines of a chunk, or of a source that was none.
function session:count (source)
  local _, n = source:gsub("\n", "")
  self.line = self.line + n + 1
end

return session
