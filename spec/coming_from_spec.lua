--[[
coming_from_spec.lua - the names of tide on the pages for those who come from
other libraries exist.
]]
local api = require "tide.api"

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

--- Names of the module, and members of what the letters of the pages stand for;
-- k and m are kernels.
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

--- What is said not to be there at all: not "the rest of" a module, of which
-- other rows have some, nor a name "of" something else.
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

describe("docs/coming-from", function ()
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
