--[[
274: gather{ a = fn } called nothing, and returned an empty list; race left out
what had a name. A table is a list or has names, never both.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails = helper.fails

describe("a list of what is waited for", function ()
  local began

  local function begin () began = true end

  before_each(function () began = false end)

  for _, name in ipairs{ "gather", "race" } do
    it("has no names: " .. name, function ()
      tide.run(function ()
        fails(("bad argument #1 to '%s' (field 'first' in a list"):format(name),
              tide[name], { first = begin })
        fails("field 'second'", tide[name], { begin, second = begin })
      end)
      assert.is_false(began)
    end)

    it("may have the n of table.pack: " .. name, function ()
      tide.run(function () tide[name](table.pack(begin)) end)
      assert.is_true(began)
    end)
  end
end)
