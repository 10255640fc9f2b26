--[[
A name beside the elements of a list was passed over: x:sum{2, keepdims = true}
dropped its option, tide.zeros{3, dtype = "float32"} its dtype, and
tide.array{a = 1} was an array of no elements.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

-- name -> a call with that name in a list
local calls = {
  keepdims = function (a) return a:sum{ 2, keepdims = true } end,
  dtype = function () return tide.zeros{ 3, dtype = "float32" } end,
  axis = function (a) return tide.concatenate{ a, a, axis = 2 } end,
  axes = function (a) return a:flip{ 1, axes = 2 } end,
  low = function () return tide.random.uniform{ 3, low = 5 } end,
  step = function (a) return a[{ { 1, 2, step = 2 } }] end,
  first = function (a) return a[{ { first = 2 } }] end,
  order = function (a) return a:reshape{ 3, 2, order = "F" } end,
  mode = function (a) return a:take{ 1, 2, mode = "clip" } end,
  a = function () return tide.array{ a = 1 } end,
  i = function () return tide.array{ { re = 1, i = 2 } } end,
  out = function (a) return a:tile{ 2, 1, out = a } end,
}

helper.each_device(function ()

describe("a list with a name in it", function ()
  for name, call in pairs(calls) do
    it("is an error that says '" .. name .. "'", function ()
      local ok, err = pcall(call, tide.ones{ 2, 3 })
      assert.is_false(ok)
      assert.truthy(err:find("field '" .. name .. "'", 1, true), err)
    end)
  end
end)

describe("what has a name", function ()
  it("goes in an argument of its own", function ()
    local a = tide.ones{ 2, 3 }
    assert.same({ { 3.0 }, { 3.0 } },
                a:sum({ 2 }, { keepdims = true }):totable())
    assert.same({ { 3.0 }, { 3.0 } },
                a:sum{ axis = 2, keepdims = true }:totable())
    assert.equal("float32", tide.zeros({ 3 }, "float32").dtype)
  end)
end)

end)
