--[[
array_api_spec.lua - docs/array-api.md: what it says there is exists, what it
says there is not does not, and its counts are right.
]]
local tide = require "tide"

local ALL <const> = 170  -- functions of the standard of 2025.12

--- The rows of its table: { group, "n of m", there are, there are not }.
local function rows ()
  local list = {}
  for line in io.lines "docs/array-api.md" do
    local row = {}
    for cell in line:gmatch "| ([^|]*) " do row[#row + 1] = cell end
    if #row == 4 and row[2]:find "^%d+ of %d+$" then list[#list + 1] = row end
  end
  return list
end

--- A function of the module or of tide.fft, or a method of arrays.
local function exists (name)
  if rawget(tide.fft, name) then return true end
  local in_module = pcall(function () return tide[name] end)
  local in_arrays = pcall(function () return tide.zeros(1)[name] end)
  local in_linalg = pcall(function () return tide.linalg[name] end)
  return in_module or in_arrays or in_linalg
end

describe("docs/array-api.md", function ()
  it("says what there is", function ()
    local seen, all, there = {}, 0, 0
    for _, row in ipairs(rows()) do
      local n, lacks = 0, 0
      for standard, own in (row[3] .. ","):gmatch "`([%w_]+)`( ?[^,]*)," do
        own = own:match "`([%w_]+)`" or standard
        assert.is_true(exists(own), own)
        assert.is_nil(seen[standard], standard)
        seen[standard], n = true, n + 1
      end
      for standard in row[4]:gmatch "`([%w_]+)`" do
        assert.is_false(exists(standard), standard)
        assert.is_nil(seen[standard], standard)
        seen[standard], lacks = true, lacks + 1
      end
      assert.equal(("%d of %d"):format(n, n + lacks), row[2], row[1])
      all, there = all + n + lacks, there + n
    end
    assert.equal(ALL, all)
    local file <close> = assert(io.open "docs/array-api.md")
    assert.matches(("%d of %d"):format(there, all), file:read "a", 1, true)
  end)
end)
