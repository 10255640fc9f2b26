--[[
luassert_spec.lua - assertions about arrays: require "tide.luassert".
]]
require "tide.luassert"
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local tide = require "tide"

helper.each_device(function ()

local function message_of (fn, ...)
  local ok, err = pcall(fn, ...)
  assert.is_false(ok)
  return type(err) == "table" and tostring(err.message) or tostring(err)
end

describe("assert.arrays_equal", function ()
  it("takes arrays, tables, numbers and HostArrays", function ()
    assert.arrays_equal({ 0, 1, 2 }, tide.arange(3))
    assert.arrays_equal(tide.arange(3), { 0, 1, 2 })
    assert.arrays_equal(7, tide.full({}, 7))
    assert.arrays_equal(tide.arange(3), tide.arange(3):tohost())
    assert.arrays_equal({ 0 / 0 }, tide.array{ 0 / 0 })
    assert.are_not.arrays_equal({ 0, 1 }, tide.arange(3))
    assert.are_not.arrays_equal({ 1 << 60 }, tide.array{ (1 << 60) + 1 })
    assert.arrays_equal(tide.zeros{ 0, 3 }, tide.zeros{ 0, 3 })
  end)

  it("says how many elements differ, and the first one", function ()
    local x <const> = tide.arange(6):reshape{ 2, 3 }
    local y <const> = tide.array{ { 0, 1, 2 }, { 3, 5, 6 } }
    local text <const> = message_of(assert.arrays_equal, x, y)
    assert.matches("2 of 6 elements differ; the first is %[2,2%]: " ..
                   "expected 4[%.0]*, got 5", text)
    assert.matches("Expected:\n.*Got:\n", text)
  end)

  it("prints the expected value as expected", function ()
    local text <const> = message_of(assert.is_not.arrays_equal, { 7 },
                                    tide.array{ 7 })
    assert.matches("Passed in:\n.*tide.*Did not expect:\n.*table", text)
  end)

  it("keeps the message of the caller", function ()
    assert.matches("^my words\n1 of 1 elements differ", message_of(
      assert.arrays_equal, { 1 }, tide.array{ 2 }, "my words"))
  end)

  it("says which shapes differ", function ()
    assert.matches("different shapes: expected [%w]+ %[2%], got [%w]+ %[3%]",
                   message_of(assert.arrays_equal, { 1, 2 }, tide.zeros(3)))
  end)

  it("leaves no array behind", function ()
    local x <const> = tide.arange(1000)
    local live <const> = tide.memory_stats().live
    for _ = 1, 10 do assert.arrays_equal(x, x) end
    tide.get_device():synchronize()
    assert.equal(live, tide.memory_stats().live)
  end)
end)

describe("assert.arrays_near", function ()
  it("has tolerances", function ()
    local x <const> = tide.array{ 1., 2., 0 / 0 }
    assert.arrays_near(x, x + 1e-9)
    assert.arrays_near(x, x + 0.5, 0, 0.5)
    assert.are_not.arrays_near(x, x + 0.5, 0, 0.4)
    assert.matches("2 of 3 elements differ",
                   message_of(assert.arrays_near, x, x + 0.5))
  end)
end)

describe("an assertion about arrays", function ()
  --- 'code' is a call of it, in a line of its own.
  local function refuses (at, why, code)
    local fn <const> = assert(load("local x, assert = ...\nassert." .. code,
                                   "=mine"))
    local name <const>, x <close> = code:match "arrays_%w+", tide.arange(3)
    assert.equal(("mine:2: bad argument #%d to '%s' (%s)"):format(at, name,
                 why), message_of(fn, x, assert))
  end

  it("blames the line that calls it for wrong arguments", function ()
    local wanted <const> = "table, number, boolean or array expected, got "
    for _, name in ipairs{ "arrays_equal", "are_not.arrays_equal",
                           "arrays_near", "is_not.arrays_near" } do
      refuses(1, "array, table or number expected, got no value", name .. "()")
      refuses(2, "array, table or number expected, got no value", name .. "(x)")
      refuses(1, wanted .. "nil", name .. "(nil, x)")
      refuses(2, wanted .. "string", name .. "(x, 'a')")
      refuses(2, "ragged table: element 2 at depth 1 is a table, and the " ..
                 "first one is not", name .. "(x, { 1, { 2 } })")
      refuses(2, "array is closed", ("%s(x, (function () local y = x + 1 " ..
                 "y:close() return y end)())"):format(name))
    end
    refuses(4, "no value expected, got number", "arrays_equal(x, x, 'a', 1)")
    refuses(6, "no value expected, got table",
            "arrays_near(x, x, 1, 1, 'a', {})")
    refuses(3, "a number from 0 on expected, got table",
            "arrays_near(x, x, { rtol = 1 })")
    refuses(4, "a number from 0 on expected, got -1",
            "arrays_near(x, x, 1, -1)")
    refuses(3, "a number from 0 on expected, got nan",
            "arrays_near(x, x, 0 / 0)")
  end)
end)

it("luassert is asked for where it is missing #process", function ()
  local pipe <close> = assert(io.popen(("env %s %s -e %s 2>&1"):format(
    child.paths("lua/?.lua;lua/?/init.lua", package.cpath), child.lua,
    child.quote [[print(pcall(require, "tide.luassert"))]])))
  assert.matches("tide.luassert needs luassert: luarocks install luassert",
                 pipe:read "a")
end)

end)
