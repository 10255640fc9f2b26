--[[
coming_from_spec.lua - the names of tide on the pages for those who come from
other libraries exist.
]]
local api = require "tide.api"

local PAGES <const> = { "cupy", "pytorch", "torch7" }

--- The last column of each row of a page's tables, in backticks.
local function spellings (name)
  local found = {}
  for line in io.lines("docs/coming-from-" .. name .. ".md") do
    local last = line:match "^|.*|([^|]*)|$"
    for code in (last or ""):gmatch "`([^`]+)`" do
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
  end
end)
