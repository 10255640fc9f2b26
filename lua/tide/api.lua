--[[
api.lua - the descriptions of tide's functions, fields and operators, read from
the pages in tide/api: each is a table of Markdown and of tables of entries.
docs/contributing.md explains their format. tide.help answers from here; the
pages under docs/api and library/tide.lua are generated from it.

An entry is a table of the page with these additional fields:

  forms      { { form =, name =, class =, kind =, params = }... }, as in
             signature.lua; name is "tide.zeros", "Array:sum", "Array.shape" or
             "Array.__add"
  page, section
]]
local signature = require "tide.signature"
local words = require "tide.api.words"
local find <const>, format <const>, gmatch <const> =
  string.find, string.format, string.gmatch
local gsub <const>, match <const> = string.gsub, string.match

local api = { words = words }

--- In the order of the table in the README.
api.order = {
  "tide", "device", "stream", "scope", "event", "graph", "array", "hostarray",
  "complex", "linalg", "random", "fft", "inspect", "npy", "text", "image",
  "file",
  "dlpack", "ipc", "tasks", "loops", "dist", "kernels", "memory"
}

--{{ argument texts

--- api.argument(text) -> { type =, default =, words = }, parsed from a text
-- such as "integer = 50: how many". A type that ends in ? is optional; one that
-- ends in ... is a list or stands one after the other.
function api.argument (text)
  local kind, said = match(text, "^(.-):%s(.*)$")
  kind = kind or text
  local name, default = match(kind, "^(.-) = (.*)$")
  name = name or kind
  local spread = find(name, "%w%.%.%.$") ~= nil
  return {
    type = (gsub(gsub(name, "%?$", ""), "(%w)%.%.%.$", "%1")), words = said,
    default = default ~= "nil" and default or nil, spread = spread,
    optional = default ~= nil or find(name, "%?$") ~= nil
  }
end

local function argument_text (entry, name)
  for _, from in ipairs{ entry, entry.group, entry.page, words } do
    local text = from.args and from.args[name]
    if text then
      return text, from == entry
    end
  end
end

--- api.args(entry, form) -> the parameters of a form, as signature.flat returns
-- them, each with the fields of argument(), and 'own' if the entry itself
-- describes it. An options parameter has a list of the same fields as 'fields',
-- each of which is optional if all of them are.
function api.args (entry, form)
  local function describe (param)
    local text, own = argument_text(entry, param.name)
    if not text then
      error(format("%s: nothing says what '%s' is", form.form, param.name), 0)
    end
    local one = api.argument(text)
    one.name, one.own = param.name, own
    one.optional = param.optional or one.optional and not param.required
    return one
  end
  local list = signature.flat(form.params or {})
  -- In tide.RawKernel{ code=, name= } the options are the only argument.
  local alone <const> = find(form.form, "^[%w_.:]+{") ~= nil
  for i, param in ipairs(list) do
    if param.options then
      local fields, free = {}, param.optional and not alone
      for j, name in ipairs(param.options) do
        fields[j] = describe{ name = name, optional = free }
      end
      list[i].fields = fields
    else
      param.required = not param.optional
      list[i] = describe(param)
    end
  end
  return list
end

--}}

--{{ forms

local function class_of (owner, entry)
  for _, from in ipairs{ entry.group, entry.page, words } do
    local class = from.objects and from.objects[owner]
    if class then
      return class
    end
  end
  error(format("%s: nothing says what '%s' stands for", entry[1], owner), 0)
end

local SEPARATORS <const> = { method = ":", field = ".", metamethod = "." }

local function read_form (text, entry)
  local form = signature.parse(text)
  if find(form.owner, "^tide") then
    form.name = form.owner .. "." .. form.name
  else
    form.class = class_of(form.owner, entry)
    form.key = form.name
    form.name = form.class .. SEPARATORS[form.kind] .. form.name
  end
  return form
end

--- Appends the parameters of all functions of a group: 'also = "[, { out= }]"'.
local function add_common (form, also)
  local more = also and signature.parse("tide.f(" .. also .. ")").params or {}
  table.move(more, 1, #more, #form.params + 1, form.params)
end

--- A method has the parameters of the function of its name, without the object.
-- A Generator is not a parameter of the functions of tide.random.
local function complete_methods (forms)
  local of = {}
  for _, form in ipairs(forms) do
    if form.kind == "function" then
      of[match(form.name, "[%w_]+$")] = form.params
    end
  end
  for _, form in ipairs(forms) do
    local params = form.kind == "method" and of[form.key]
    local first = form.class == "Generator" and 1 or 2
    form.params = params and table.move(params, first, #params, 1, {}) or
                  form.params
  end
end

local function read_forms (entry)
  local forms = {}
  for i, text in ipairs(entry) do
    forms[i] = read_form(text, entry)
    if forms[i].kind == "function" then
      add_common(forms[i], entry.also or entry.group.also)
    end
  end
  complete_methods(forms)
  for _, form in ipairs(forms) do
    if form.kind == "method" and #forms == 1 then
      add_common(form, entry.also or entry.group.also)
    end
  end
  if entry.inplace then
    local form = read_form(entry.inplace, entry)
    form.inplace = true
    forms[#forms + 1] = form
  end
  return forms
end

--}}

--{{ pages

local FROM_GROUP <const> = { "returns", "waits", "raises" }

local function read_entry (entry, group, page, section)
  entry.group, entry.page, entry.section = group, page, section
  for _, key in ipairs(FROM_GROUP) do
    if entry[key] == nil then
      entry[key] = group[key]
    end
  end
  entry.forms = not entry.see and read_forms(entry) or {}
end

local function read_page (name)
  local page = require("tide.api." .. name)
  local section = ""
  page.name = name
  page.title = match(page[1], "^# ([^\n]+)")
  page.summary = match(page[1], "\n\n([^\n]+)")
  for _, block in ipairs(page) do
    if type(block) == "string" then
      for heading in gmatch("\n" .. block, "\n#+ ([^\n]+)") do
        section = heading
      end
    elseif not block.head then
      for _, entry in ipairs(block) do
        read_entry(entry, block, page, section)
      end
    end
  end
  return page
end

local pages, entries, by_name

local function add_names (entry, names)
  for _, form in ipairs(entry.forms) do
    local list = names[form.name] or {}
    names[form.name] = list
    if list[#list] ~= entry then
      list[#list + 1] = entry
    end
  end
end

local function load_all ()
  local read, list, names = {}, {}, {}
  for i, name in ipairs(api.order) do
    read[i] = read_page(name)
    for _, block in ipairs(read[i]) do
      local is_list = type(block) == "table" and not block.head
      for _, entry in ipairs(is_list and block or {}) do
        list[#list + 1] = entry
        add_names(entry, names)
      end
    end
  end
  pages, entries, by_name = read, list, names
end

--- api.pages() -> list of pages, each with name, title and summary.
function api.pages ()
  if not pages then
    load_all()
  end
  return pages
end

--- api.entries() -> all entries, page by page; entries with 'see' have no
-- forms.
function api.entries ()
  api.pages()
  return entries
end

--- api.named(name) -> the entries of a qualified name, or nil.
function api.named (name)
  api.pages()
  return by_name[name]
end

--- api.names() -> all qualified names, sorted.
function api.names ()
  local names = {}
  api.pages()
  for name in pairs(by_name) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

--- api.classes() -> { [class] = { page =, text = } }.
function api.classes ()
  local found = {}
  for _, page in ipairs(api.pages()) do
    for class, text in pairs(page.classes or {}) do
      found[class] = { page = page, text = text }
    end
  end
  return found
end

--}}

return api
