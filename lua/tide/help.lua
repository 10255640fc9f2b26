--[[
help.lua - the texts of help at a prompt: for a function, a method, a field, an
operator, a type or a page of tide. It answers from tide/api.lua and needs no
device.
]]
local api = require "tide.api"
local signature = require "tide.signature"
local near = require "tide.near"
local format <const>, gmatch <const>, gsub <const>, lower <const> =
  string.format, string.gmatch, string.gsub, string.lower
local match <const>, rep <const>, sub <const> =
  string.match, string.rep, string.sub

local help = {}

local WIDTH <const> = 78

--{{ text

--- Returns Markdown as plain text; links become their words.
local function plain (text)
  text = gsub(gsub(text, "%[([^%]]-)%]%([^)]*%)", "%1"), "%*%*", "")
  return (gsub(gsub(gsub(text, "%s+", " "), "^ ", ""), " $", ""))
end

--- wrap(text, indent) -> lines of at most WIDTH characters.
local function wrap (text, indent)
  local lines, line = {}, indent
  for word in gmatch(plain(text), "%S+") do
    if #line + #word >= WIDTH and line ~= indent then
      lines[#lines + 1] = line
      line = indent
    end
    line = line .. (line == indent and "" or " ") .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

--- Returns the first sentence with content: not only code or a single word.
local function first_sentence (text)
  for stop in gmatch(text, "()[.;:?]%f[%s\0]") do
    local first <const> = sub(text, 1, stop - 1)
    local _, quotes <const> = gsub(first, "`", "")
    if #first > 8 and quotes % 2 == 0 then return first end
  end
  return text
end

--- Returns that sentence, cut to fit.
local function brief (text, room)
  local first <const> = first_sentence(plain(text or ""))
  return #first > room and sub(first, 1, room - 3) .. "..." or first
end

--}}

--{{ an entry

local function returned (entry, form)
  if form.inplace then
    return form.owner
  end
  local said = entry.returns or entry.type
  local gives <const> = said and api.argument(said)
  return gives and gives.type .. (gives.spread and "..." or "")
end

--- Returns a form as it is called, with all parameters and results.
local function heading (entry, form)
  local call = form.form
  if form.params and form.kind ~= "metamethod" then
    local params = signature.write(form.params)
    local braces = match(params, "^%[(%b{})%]$")
    call = match(call, "^[%w_.:]+") .. (braces or "(" .. params .. ")")
  end
  local gives = returned(entry, form)
  return call .. (gives and " -> " .. gives or "")
end

local function argument_line (one, width)
  local known = api.words.types[one.type]
  local kind = one.type .. (one.default and " = " .. one.default or
                            one.optional and ", may be left out" or "")
  local said = one.words or known and known[2]
  local head = format("    %-" .. width .. "s  %s", one.name, kind)
  return said and head .. "\n" .. wrap(said, rep(" ", width + 8)) or head
end

--- Returns all arguments and options of an entry, each once.
local function arguments (entry)
  local list, seen, width = {}, {}, 0
  for _, form in ipairs(entry.forms) do
    for _, param in ipairs(api.args(entry, form)) do
      for _, one in ipairs(param.fields or { param }) do
        if not seen[one.name] then
          seen[one.name] = true
          list[#list + 1] = one
          width = math.max(width, #one.name)
        end
      end
    end
  end
  for i, one in ipairs(list) do
    list[i] = argument_line(one, width)
  end
  return table.concat(list, "\n")
end

--- Tells whether a function or method waits. Fields and operators have no such
-- line.
local function waits (entry)
  if entry.waits then
    return "Waits" .. (entry.waits == true and "" or " " .. entry.waits) .. "."
  end
  return "Does not wait for the device."
end

local function example (entry)
  return (gsub(gsub(entry.example, "\n$", ""), "[^\n]+", "    > %0"))
end

local function entry_text (entry)
  local parts, heads = {}, {}
  for i, form in ipairs(entry.forms) do
    heads[i] = heading(entry, form)
  end
  parts[1] = table.concat(heads, "\n")
  local said = entry.returns and api.argument(entry.returns).words
  parts[#parts + 1] = entry.text and wrap(entry.text, "  ") or nil
  parts[#parts + 1] = said and wrap("Returns: " .. said, "  ") or nil
  local args = arguments(entry)
  parts[#parts + 1] = args ~= "" and args or nil
  parts[#parts + 1] = wrap(waits(entry) .. (entry.raises and " Raises " ..
                           entry.raises .. "." or ""), "  ")
  parts[#parts + 1] = example(entry)
  parts[#parts + 1] = format("  docs/api/%s.md: %s", entry.page.name,
                                                     entry.section)
  return table.concat(parts, "\n\n")
end

local function texts (entries)
  local list = {}
  for i, entry in ipairs(entries) do
    list[i] = entry_text(entry)
  end
  return table.concat(list, "\n\n" .. rep("-", WIDTH) .. "\n\n")
end

--}}

--{{ a page, a type

local COLUMN <const> = 38

local function entry_line (entry)
  local head = "  " .. table.concat(entry, ", ")
  local returns <const> = entry.returns and api.argument(entry.returns).words
  local said = entry.text or returns or type(entry.waits) == "string" and
               "waits " .. entry.waits or entry.waits and "waits" or entry.type
  said = brief(said, WIDTH - COLUMN)
  if #head > COLUMN - 2 and said ~= "" then
    return head .. "\n" .. rep(" ", COLUMN) .. said
  end
  return head .. rep(" ", COLUMN - #head) .. said
end

local function purpose (page)
  for _, block in ipairs(page) do
    local said = type(block) == "string" and
                 match(block, "## Purpose\n\n(.-)\n\n")
    if said then
      return wrap(said, "  ") .. "\n"
    end
  end
  return ""
end

--- Returns the lines of a page for the entries that want(entry) selects.
local function page_lines (page, want)
  local lines, section = {}, nil
  for _, entry in ipairs(api.entries()) do
    if entry.page == page and want(entry) then
      if entry.section ~= section then
        section = entry.section
        lines[#lines + 1] = "\n" .. section
      end
      lines[#lines + 1] = gsub(entry_line(entry), "%s+$", "")
    end
  end
  return table.concat(lines, "\n")
end

local function page_text (page)
  local all = page_lines(page, function () return true end)
  return format("%s: %s\n\n%s%s\n\n%s\n  docs/api/%s.md", page.title,
    plain(page.summary), purpose(page), all,
    wrap("Pages: " .. table.concat(api.order, ", "), "  "), page.name)
end

--- Selects the entries about a class: its members, and functions that return
-- it.
local function is_about (class)
  return function (entry)
    for _, form in ipairs(entry.forms) do
      if form.class == class then
        return true
      end
    end
    local made = entry.returns and api.argument(entry.returns).type
    return made == class and not entry.see and #entry.forms == 1 and
           entry.forms[1].kind == "function"
  end
end

local function class_text (name, class)
  return format("%s: %s\n%s\n\n  docs/api/%s.md", name, class.text,
    page_lines(class.page, is_about(name)), class.page.name)
end

--}}

--{{ what is meant

local OPERATORS <const> = {}
for operator, key in pairs(signature.operators) do
  OPERATORS[operator] = { key }
end
OPERATORS["-"] = { "__sub", "__unm" }
OPERATORS["~"] = { "__bxor", "__bnot" }
OPERATORS["#"] = { "__len" }
OPERATORS["[]"] = { "__index", "__newindex" }

--- Returns all entries with a form that want(form) selects.
local function having (want)
  local found = {}
  for _, entry in ipairs(api.entries()) do
    for _, form in ipairs(entry.forms) do
      if want(form) then
        found[#found + 1] = entry
        break
      end
    end
  end
  return found[1] and found
end

local function of_operator (text)
  local keys = OPERATORS[text]
  return keys and having(function (form)
    return form.key == keys[1] or form.key == keys[2] and form.key ~= nil
  end)
end

--- Returns the class for 'a' or 'Array'.
local function class_named (name)
  for class in pairs(api.classes()) do
    if lower(class) == lower(name) then
      return class
    end
  end
  return api.words.objects[name]
end

local function of_member (text)
  local owner, name = match(text, "^([%w.]+)[.:]([%w_]+)$")
  local class = owner and class_named(gsub(owner, "^tide%.", ""))
  return class and (api.named(class .. ":" .. name) or
                    api.named(class .. "." .. name))
end

--- Finds entries by the last word of any qualified name.
local function of_name (text)
  return having(function (form)
    return form.kind ~= "metamethod" and match(form.name, "[%w_]+$") == text
  end)
end

--- Finds entries by the letter of the page: "k:launch".
local function of_form (text)
  return having(function (form)
    return match(form.form, "^[%w_.:]+") == text
  end)
end

--- Calls fn(name, text) for each variable of the environment.
local function each_variable (fn)
  for _, page in ipairs(api.pages()) do
    for _, block in ipairs(page) do
      for _, row in ipairs(type(block) == "table" and block.head and block or
                           {}) do
        local name = match(row[1], "^`([%u_]+)`$")
        if name then fn(name, row[2], page) end
      end
    end
  end
end

local function of_variable (text)
  local found
  each_variable(function (name, said, page)
    if name == text then
      found = format("%s: a variable of the environment\n\n%s\n\n" ..
                     "  docs/api/%s.md", name, wrap(said, "  "), page.name)
    end
  end)
  return found
end

local function of_page (text)
  text = lower(gsub(text, "^tide%.", ""))
  local name <const> = gsub(text, "s$", "")
  for _, page in ipairs(api.pages()) do
    if gsub(page.name, "s$", "") == name or lower(page.title) == text then
      return page_text(page)
    end
  end
end

--- Returns Markdown without blocks of code and tables: a paragraph or an item
-- of a list at a time.
local function prose (text)
  local parts <const> = {}
  text = gsub(gsub("\n" .. text, "\n```.-\n```", "\n"), "\n|[^\n]*", "\n")
  text = gsub(text, "\n%- ", "\n\n- ")
  for part in gmatch(text .. "\n\n", "(.-)\n\n") do
    parts[#parts + 1] = match(part, "%S") and wrap(part, "  ") or nil
  end
  return parts
end

--- Returns { page =, title =, content = } of each section of that title.
local function sections (text)
  local found <const> = {}
  for _, page in ipairs(api.pages()) do
    for _, block in ipairs(page) do
      local markdown <const> = type(block) == "string" and "\n" .. block or ""
      for title, from in gmatch(markdown, "\n## ([^\n]+)()") do
        if lower(title) == text then
          local stop <const> = string.find(markdown, "\n## ", from, true) or 0
          found[#found + 1] = { page = page, title = title,
                                content = sub(markdown, from, stop - 1) }
        end
      end
    end
  end
  return found
end

--- Returns the parts of a text, and where it is from, as one text.
local function joined (head, parts, section)
  table.insert(parts, 1, head)
  parts[#parts + 1] = format("  docs/api/%s.md: %s", section.page.name,
                             section.title)
  return table.concat(parts, "\n\n")
end

local FEW <const> = 2  -- most pages have the sections "Example" and "Notes"

local function of_section (text)
  local found <const> = sections(lower(text))
  if #found == 0 or #found > FEW then return nil end
  for i, section in ipairs(found) do
    local parts <const> = prose(section.content)
    local lines <const> = gsub(page_lines(section.page, function (entry)
      return entry.section == section.title
    end), "^\n[^\n]*\n", "")
    parts[#parts + 1] = lines ~= "" and lines or nil
    found[i] = joined(section.page.title .. ": " .. section.title, parts,
                      section)
  end
  return table.concat(found, "\n\n" .. rep("-", WIDTH) .. "\n\n")
end

--- Returns the items about a dtype of the section about numbers, or all of it.
local function of_dtype (text)
  local dtypes <const> = api.words.types.dtype[1]
  if text ~= "dtypes" and
     not string.find(dtypes, format('"%s"', text), 1, true) then
    return nil
  end
  local section <const> = sections "numbers"[1]
  local all <const>, own <const> = prose(section.content), {}
  for _, part in ipairs(all) do
    if match(part, "^  %- (%w+)") == text or
       match(part, "^  %- %w+ and (%w+)") == text then
      own[#own + 1] = part
    end
  end
  return joined(wrap("dtypes: " .. gsub(dtypes, " |", ","), ""),
                own[1] and own or all, section)
end

-- The other pages of docs/.
local GUIDES <const> = {
  ["array-api"] = "the functions of the Python array API standard in tide",
  ["coming-from-cupy"] = "CuPy's calls beside tide's",
  ["coming-from-pytorch"] = "the everyday calls of PyTorch beside tide's",
  ["coming-from-torch7"] = "the everyday calls of Torch7 beside tide's",
  compatibility = "platforms, versions of Lua and CUDA, and what may change",
  contributing = "how tide is built, tested and changed",
  design = "the architecture of tide",
  embedding = "host programs in C whose scripts use tide",
  errors = "error messages, and the state after an error",
  ["first-mistakes"] = "lines that look right and are not, and the right ones",
  growing = "from one GPU to several, and to several machines",
  guide = "a tour in ten minutes",
  ["how-fast"] = "the cost of calls, waits, and how to measure",
  hosts = "programs of Debian that can run tide",
  numpy = "every difference from NumPy",
  prompt = "the prompt, and the command `tide`",
  recipes = "short programs for common tasks",
  reliability = "promises about failures and long runs, and their tests",
  threads = "which thread may use which object",
}

--- Finds a page of docs/; 'cupy' means coming-from-cupy.
local function of_guide (text)
  for _, name in ipairs{ lower(text), "coming-from-" .. lower(text) } do
    if GUIDES[name] then
      return format("docs/%s.md: %s", name, GUIDES[name])
    end
  end
end

local function find (text)
  local classes = api.classes()
  local name = match(text, "^tide%.(%u%w*)$") or text
  if classes[name] then
    return class_text(name, classes[name])
  end
  local entries = api.named(text) or api.named("tide." .. text) and
                  of_name(text) or of_operator(text) or of_member(text) or
                  of_form(text) or of_name(text) or api.named("tide." .. text)
  return entries and texts(entries) or of_page(text) or of_variable(text) or
         of_guide(text) or of_section(text) or of_dtype(text)
end

--- Returns the name of a function of the module, or of a table in it.
local function name_of (fn)
  local tide = require "tide"
  local function search (module, prefix)
    for name, value in pairs(module) do
      if value == fn then
        return prefix .. name
      end
    end
  end
  local found = search(tide, "tide.")
  for name, module in pairs(tide) do
    found = found or type(module) == "table" and
                     search(module, "tide." .. name .. ".")
  end
  return found
end

local function of_value (value)
  local tide = require "tide"
  local meta = getmetatable(value)
  if value == tide then return "tide" end
  local name <const> = type(meta) == "table" and rawget(meta, "__name") or meta
  if type(name) == "string" then
    return match(name, "^tide%.(%w+)$")
  end
  return (type(value) == "function" or type(value) == "table") and
         name_of(value)
end

--}}

--- help.names() -> all names that text() knows, except pages and operators.
function help.names ()
  local names = {}
  for _, name in ipairs(api.names()) do
    names[#names + 1] = not string.find(name, "[.:]__") and name or nil
  end
  for class in pairs(api.classes()) do
    names[#names + 1] = class
  end
  each_variable(function (name) names[#names + 1] = name end)
  table.sort(names)
  return names
end

--- help.options(name) -> the set of options of a function or method, by its
-- full name, with 'tide.' or without.
function help.options (name)
  local set = {}
  for _, full in ipairs{ name, "tide." .. name } do
    for _, entry in ipairs(api.named(full) or {}) do
      for _, form in ipairs(entry.forms) do
        for _, param in ipairs(form.name == full and api.args(entry, form) or
                               {}) do
          for _, option in ipairs(param.fields or {}) do
            set[option.name] = true
          end
        end
      end
    end
  end
  return set
end

--- help.text(what) -> the help text of a name, or of a function or object of
-- tide; or nil and suggestions.
function help.text (what)
  local name = type(what) == "string" and what or of_value(what)
  if not name then
    return nil, "no help for a " .. type(what)
  end
  name = gsub(gsub(name, "^%s*%??%s*", ""), "%s*$", "")
  name = gsub(gsub(name, "(%w)[({].*$", "%1"), "^%a+%b[].*", "[]")
  name = gsub(name, "^#%a+$", "#")
  local found = find(name)
  if found then
    return found
  end
  return nil, near.message(name, help.names())
end

return help
