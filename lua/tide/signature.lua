--[=[
signature.lua - reads a form of a call as the pages of tide/api write it:

  tide.linspace(start, stop [, n] [, dtype] [, { endpoint= }])
  tide.Event{ block=, disable_timing=, interprocess= }
  a:reshape(shape)    s.done    x + y    #a    a[i]    tostring(a)

Parameters in brackets are optional: [, n] [, dtype] each by itself, while in
[, n [, dtype]] only the last one can be omitted alone.
]=]
local find <const>, format <const>, gmatch <const>, match <const>, sub <const> =
  string.find, string.format, string.gmatch, string.match, string.sub

local signature = {}

signature.operators = {
  ["+"] = "__add", ["-"] = "__sub", ["*"] = "__mul", ["/"] = "__div",
  ["//"] = "__idiv", ["%"] = "__mod", ["^"] = "__pow", ["&"] = "__band",
  ["|"] = "__bor", ["~"] = "__bxor", ["<<"] = "__shl", [">>"] = "__shr",
  ["<"] = "__lt", ["<="] = "__le", ["=="] = "__eq", [".."] = "__concat"
}
local PREFIXES <const> = { ["#"] = "__len", ["-"] = "__unm", ["~"] = "__bnot" }
local CALLS <const> = { tostring = "__tostring", pairs = "__pairs",
                        ipairs = "__index" }

--{{ parameters

local parse_list

--- Parses the options of { a=, b= }.
local function parse_options (text)
  local names = {}
  for name in gmatch(text, "([%a_][%w_]*)%s*=") do
    names[#names + 1] = name
  end
  return { options = names }
end

--- Parses one parameter at 'at' of the text; also returns the position behind
-- it.
local function parse_one (text, at)
  local bracket, stop = match(text, "^(%b[])()", at)
  if bracket then
    return { optional = parse_list(sub(bracket, 2, -2)) }, stop
  end
  local braces, after = match(text, "^(%b{})()", at)
  if braces then
    return parse_options(braces), after
  end
  local name, behind = match(text, "^([%w_.]+)()", at)
  if not name then
    error("cannot be read at: " .. sub(text, at), 0)
  end
  return { name = name }, behind
end

function parse_list (text)
  local list, at = {}, match(text, "^[%s,]*()")
  while at <= #text do
    local one
    one, at = parse_one(text, at)
    list[#list + 1] = one
    at = match(text, "^[%s,]*()", at)
  end
  return list
end

local function flatten (list, optional, into)
  for _, one in ipairs(list) do
    if one.optional then
      flatten(one.optional, true, into)
    else
      into[#into + 1] = { name = one.name or "options", options = one.options,
                          optional = optional }
    end
  end
  return into
end

--- signature.write(list) -> the list as written between the parentheses of a
-- form.
function signature.write (list)
  local text = ""
  for i, one in ipairs(list) do
    local said = one.optional and signature.write(one.optional) or one.name or
                 "{ " .. table.concat(one.options, "=, ") .. "= }"
    if not one.optional then
      local comma <const> = find(text, "[^ ]$") and not find(text, ",%] $")
      text = text .. (comma and ", " or "") .. said
    elseif i == 1 and list[2] and not list[2].optional then
      text = "[" .. said .. ",] "
    else
      text = text .. (i > 1 and " [, " or "[") .. said .. "]"
    end
  end
  return text
end

--- signature.flat(list) -> { { name =, options =, optional = }... }, in order.
function signature.flat (list)
  return flatten(list, false, {})
end

local function joined (first, second)
  return table.move(second, 1, #second, #first + 1, { table.unpack(first) })
end

--- all_ways(list) -> lists of parameters, with each bracketed group present or
-- absent.
local function all_ways (list, at)
  local one, found = list[at], {}
  if not one then
    return { {} }
  end
  for _, rest in ipairs(all_ways(list, at + 1)) do
    for _, inner in ipairs(one.optional and all_ways(one.optional, 1) or
                           { { one } }) do
      found[#found + 1] = joined(inner, rest)
    end
    found[#found + 1] = one.optional and rest or nil
  end
  return found
end

--- Returns the same parameters. A parameter is optional if it is in brackets
-- and only optional ones follow it.
local function with_optional (way, optional)
  local list, may = {}, true
  for i = #way, 1, -1 do
    local name = way[i].name or "options"
    may = may and (optional[name] or false)
    list[i] = { name = name, options = way[i].options, optional = may }
  end
  return list
end

--- Returns the key for sorting, which makes the order of lists deterministic.
local function names_of (list)
  local names = {}
  for i, param in ipairs(list) do
    names[i] = param.name or "options"
  end
  return table.concat(names, " ")
end

local function is_before (a, b)
  if #a ~= #b then
    return #a > #b
  end
  return names_of(a) < names_of(b)
end

--- Tells whether 'short' is a call of 'long' without some of its optional last
-- parameters.
local function begins (short, long)
  for i, param in ipairs(long) do
    if short[i] and (short[i].name or "options") ~= param.name or
       not short[i] and not param.optional then
      return false
    end
  end
  return #short <= #long
end

--- signature.ways(list) -> the parameter lists of all ways to call it, the
-- longest first; in each, optional parameters at the end may be omitted.
function signature.ways (list)
  local found, optional, all = {}, {}, all_ways(list, 1)
  for _, param in ipairs(signature.flat(list)) do
    optional[param.name] = param.optional
  end
  table.sort(all, is_before)
  for _, way in ipairs(all) do
    local new = true
    for _, longer in ipairs(found) do
      new = new and not begins(way, longer)
    end
    found[#found + 1] = new and with_optional(way, optional) or nil
  end
  return found
end

--}}

--{{ forms

local function function_or_field (form)
  local owner, mark, name, rest =
    match(form, "^([%a_][%w_.]*)([.:])([%w_]+)(.*)$")
  if not owner then
    return nil
  end
  local params = match(rest, "^(%b())$") or match(rest, "^(%b{})$")
  local kind = mark == ":" and "method" or params and "function" or "field"
  if rest ~= "" and not params then
    return nil
  end
  return { kind = kind, owner = owner, name = name, params = params and
           parse_list(find(params, "^%(") and sub(params, 2, -2) or
                      "[" .. params .. "]") or nil }
end

local function metamethod (owner, name, params)
  return { kind = "metamethod", owner = owner, name = name, params = params }
end

local function built_in (form)
  local call, arg = match(form, "(%a+)%((%a+)%)$")
  if CALLS[call] then
    return metamethod(arg, CALLS[call])
  end
  local closed = match(form, "^local [%a_]+ <close> = (%a+)$")
  return closed and metamethod(closed, "__close")
end

local function operator (form)
  local prefix, only = match(form, "^([#~-])(%a+)$")
  if prefix then
    return metamethod(only, PREFIXES[prefix])
  end
  local left, middle, right = match(form, "^(%a+) ([^%w%s]+) (%a+)$")
  return left and signature.operators[middle] and
         metamethod(left, signature.operators[middle], { { name = right } })
end

local function index (form)
  local owner, key, value = match(form, "^(%a+)(%b[])(.*)$")
  if not owner or value ~= "" and value ~= " = x" then
    return nil
  end
  key = { name = find(key, "^%[%a+%]$") and sub(key, 2, -2) or "key" }
  return metamethod(owner, value == "" and "__index" or "__newindex",
                    value == "" and { key } or { key, { name = "x" } })
end

local function call (form)
  local owner, params = match(form, "^(%a+)(%b())$")
  return owner and metamethod(owner, "__call", parse_list(sub(params, 2, -2)))
end

--- signature.parse(form) -> { kind =, owner =, name =, params = }: kind is
-- function, method, field or metamethod; owner is "tide", "tide.random", or the
-- letter that stands for an object; params is a list for flat and ways, or nil.
function signature.parse (form)
  local found = built_in(form) or function_or_field(form) or index(form) or
                call(form) or operator(form)
  if not found then
    error(format("'%s' is no form of a call, a field or an operator", form), 0)
  end
  found.form = form
  return found
end

--}}

return signature
