--[[
topic.lua - the text for `?` at the prompt: that of tide.help for a name, or for
the value of a variable of the session.
]]
local complete = require "tide.repl.complete"
local session = require "tide.repl.session"

local topic = {}

local INTRO <const> = [[
A line of Lua runs at once, and what it gives is shown.

  ?zeros  ?Stream  ?x:sum   help, also for what a variable has; also zeros?
  Tab                       what may follow
  1> x = ones(5);           a ';' at the end: nothing is shown
  _                         the first of the results shown last
  Ctrl-C                    ends the line that runs, or drops one half typed
  Ctrl-D, exit              ends the session; what is <close> is closed then
  prompt                    settings: prompt.times = false, prompt.items = 20

The session is one long program: `local` at its top lasts until the end.
Of tide there are, without 'tide.' in front:
  %s
Everything else is in tide: tide.<Tab>, ?tide]]

local function intro ()
  return INTRO:format(table.concat(session.everyday, " "))
end

local function help ()
  return require "tide.help"
end

--- Returns the type of a value of tide, such as "Stream"; or nil.
local function type_of (value)
  local meta = debug.getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name:match "^tide%.(%w+)$" or nil
end

--- Returns the possible full names of a topic, the most specific first.
local function names_of (what, env)
  local list = {}
  local first, rest = what:match "^([%a_][%w_.]-)([.:][%a_][%w_]*)$"
  for _, path in ipairs{ first or what, what } do
    local kind = type_of(complete.value(env, path))
    if kind then
      list[#list + 1] = path == what and kind or kind .. rest
      list[#list + 1] = "tide." .. list[#list]
    end
  end
  list[#list + 1] = what
  list[#list + 1] = "tide." .. what
  return list
end

--- text(what [, env]) -> the text of help, or nil and the reason. Tries names
-- as they are, as tide's, and as members of the variable's type.
function topic.text (what, env)
  if what == "" then return intro() end
  local text, first_why
  for _, name in ipairs(names_of(what, env or {})) do
    local why
    text, why = help().text(name)
    if text then return text end
    first_why = first_why or name == what and why or nil
  end
  return nil, first_why or ("there is no help for '%s'"):format(what)
end

--- options(what, env) -> the set of options of the function `what`.
function topic.options (what, env)
  local kind = type_of(complete.value(env, what))
  if kind then
    return help().options(kind .. ".__call")
  end
  for _, name in ipairs(names_of(what, env)) do
    local set = help().options(name)
    if next(set) then return set end
  end
  return {}
end

--- names() -> all topics.
function topic.names () return help().names() end

return topic
