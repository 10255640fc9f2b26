--[[
coming_from_spec.lua - the names of tide on the pages for those who come from
other libraries exist; and those of the other libraries are told by errors and
help, as the pages have it.
]]
local tide = require "tide"
local api = require "tide.api"
local help = require "tide.help"

local PAGES <const> = { "cupy", "pytorch", "torch7" }

--- The rows of a page's tables: { theirs, ours }.
local function rows (name)
  local found = {}
  for line in io.lines("docs/coming-from-" .. name .. ".md") do
    local theirs, ours = line:match "^|(.*)|([^|]*)|$"
    found[#found + 1] = theirs and { theirs, ours }
  end
  return found
end

--- The last column of each row, in backticks.
local function spellings (name)
  local found = {}
  for _, row in ipairs(rows(name)) do
    for code in row[2]:gmatch "`([^`]+)`" do
      found[#found + 1] = code
    end
  end
  return found
end

local function is_module (name)
  for _, other in ipairs(api.names()) do
    if other:sub(1, #name + 1) == name .. "." then
      return true
    end
  end
end

--- Returns the names of the module, and the members of the classes that the
-- letters of the pages stand for; k and m are kernels.
local function names_of (code)
  local found = {}
  for name in code:gmatch "tide%.[%w_.]+" do
    found[#found + 1] = { name }
  end
  for at, owner, mark, name in code:gmatch "()(%a+)([.:])([%a_][%w_]*)" do
    local class = api.words.objects[owner] or owner == "t" and "Stream" or
                  owner == "k" and "RawKernel"
    if class and not code:sub(at - 1, at - 1):find "[%w.]" then
      found[#found + 1] = { class .. mark .. name, "HostArray" .. mark .. name }
    end
  end
  return found
end

local function is_missing (row) return row[2]:find "^ not there" ~= nil end

--- Returns the names that a row calls missing, except "the rest of" a module,
-- because other rows have some of it, and a name "of" something else.
local function missing_names (row)
  local found, text = {}, row[1]
  for at, code, behind in text:gmatch "()`([^`]+)`()" do
    local some = text:sub(1, at - 1):find "rest of $" or
                 text:find("^ of ", behind)
    found[#found + 1] = not some and code:match "([%a_][%w_]+)%W*$" or nil
  end
  return found
end

--- All words of a column that are no single letters.
local function words_of (text, found)
  for code in text:gmatch "`([^`]+)`" do
    for word in code:gmatch "[%a_][%w_]+" do found[word] = true end
  end
end

--- Returns the tables to look up a name in, by its owner in the other library.
local function tables_of (owner, objects)
  local letter = owner:match "^%a$" or owner:match "^(%a)%d$" or owner
  return owner == "" and { tide, objects.a } or
         owner:find "%f[%w]Stream$" and { tide.Stream } or
         objects[letter] and { objects[letter] } or
         (owner:find "^cu?p" or owner:find "^cutorch" or owner == "pool" or
          owner == "F" or owner:find "^torch") and { tide } or {}
end

-- Python's and Lua's own, and a word of theirs in a sentence.
local OTHERS <const> = { float = true, collectgarbage = true, Queue = true }

--- Calls fn(name, tables) for each name of the other library in a row, with its
-- owner or by itself.
local function each_name (row, objects, fn)
  for code in row[1]:gmatch "`([^`]+)`" do
    code = code:gsub('"[^"]*"', "")
    local whole = code:find "^[%l_][%w_]+$" or
                  code:find "^[%l_][%w_]+%b()$"
    for path in code:gmatch "[%a_][%w_.:]*" do
      local owner, name = path:match "^(.-)[.:]?([%w_]+)[.:]*$"
      if not OTHERS[name] and (owner ~= "" or whole) then
        fn(name, tables_of(owner, objects))
      end
    end
  end
end

--- Returns the hint of the error for a missing name, or "" if the name exists.
local function hint (name, where)
  local ok, message = pcall(function () return where[name] end)
  return ok and "" or message:match "; did you mean (.*)%?$" or
         message:match "; (there is nothing to do.*)"
end

--- Iterates over words; "a[m]" is one, and clip_ counts as clip.
local function each_word (text)
  return text:gsub("_%f[^%w_]", ""):gmatch "[%w_%[%]]+"
end

local function shares_a_word (said, text)
  local words = {}
  for word in each_word(text) do words[word] = true end
  for word in each_word(said) do
    if words[word] and (#word > 1 or word == "T") then return true end
  end
end

describe("docs/coming-from", function ()
  local objects

  setup(function ()
    local a <const> = tide.ones(3)
    objects = { a = a, x = a, s = tide.Stream(), e = tide.Event(),
                g = tide.capture(function () end), dev = tide.get_device() }
    objects.t = objects.s
  end)

  teardown(function ()
    for _, name in ipairs{ "a", "s", "e", "g" } do objects[name]:close() end
  end)

  for _, page in ipairs(PAGES) do
    it("names what there is: " .. page, function ()
      local missing, n = {}, 0
      for _, code in ipairs(spellings(page)) do
        for _, names in ipairs(names_of(code)) do
          n = n + 1
          missing[#missing + 1] = not (api.named(names[1]) or
            names[2] and api.named(names[2]) or is_module(names[1])) and
            names[1] .. " in " .. code or nil
        end
      end
      assert.are.equal("", table.concat(missing, "\n"))
      assert.is_true(n > 60, tostring(n))
    end)

    it("has names that errors and help tell: " .. page, function ()
      local wrong, n = {}, 0
      for _, row in ipairs(rows(page)) do
        each_name(row[2]:find "not there" and { "" } or row, objects,
                  function (name, tables)
          local said
          for _, where in ipairs(tables) do said = said or hint(name, where) end
          if said == "" or #tables == 0 then return end
          n = n + 1
          local text, why = help.text(name)
          local helped = text or why:find "did you mean" or
                         why:find "nothing to do"
          wrong[#wrong + 1] = not said and name .. ": no hint" or
            not helped and name .. ": no help" or
            not shares_a_word(said, row[2]) and
            ("%s: %s, and not%s"):format(name, said, row[2]) or nil
        end)
      end
      assert.are.equal("", table.concat(wrong, "\n"))
      assert.is_true(n > 15, tostring(n))
    end)

    it("says that nothing is missing which another row has: " .. page,
       function ()
      local there, wrong, n = {}, {}, 0
      for _, row in ipairs(rows(page)) do
        if not is_missing(row) then words_of(row[1], there) end
      end
      for _, row in ipairs(rows(page)) do
        for _, name in ipairs(is_missing(row) and missing_names(row) or {}) do
          n = n + 1
          wrong[#wrong + 1] = (there[name] or api.named("tide." .. name) or
                               api.named("Array:" .. name)) and name or nil
        end
      end
      assert.are.equal("", table.concat(wrong, "\n"))
      assert.is_true(n > 3, tostring(n))
    end)
  end
end)

describe("docs/numpy.md", function ()
  it("lists as missing what is missing", function ()
    local found = {}
    for line in io.lines "docs/numpy.md" do
      local names = line:match "^| functions | `([^`]+)`"
      for name in (names or ""):gmatch "[%w_]+" do
        found[#found + 1] = name
        assert.is_nil(help.text(name))
      end
    end
    assert.is_true(#found > 10)
  end)
end)
