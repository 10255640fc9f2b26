--[[
tile_spec.lua - arrays made several times of one.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, blames = helper.fails, helper.blames

helper.each_device(function ()

describe("tile", function ()
  it("repeats the whole", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ { 1, 2, 1, 2 }, { 3, 4, 3, 4 } }, a:tile(2):totable())
    assert.same({ { 1, 2 }, { 3, 4 }, { 1, 2 }, { 3, 4 } },
                tide.tile(a, { 2, 1 }):totable())
    assert.same({ { { 1, 3, 1, 3 }, { 2, 4, 2, 4 } },
                  { { 1, 3, 1, 3 }, { 2, 4, 2, 4 } } },
                a.T:tile{ 2, 1, 2 }:totable())
    assert.same({ 2, 0 }, a:tile(0).shape)
    assert.same({ 5, 5 }, tide.array(5):tile(2):totable())
    blames(1, "how often must be an integer from 0 on", function ()
      a:tile(-1)
    end)
    blames(1, "how often must be an integer", function ()
      a:tile{ 1, "x" }
    end)
    fails("#2 to 'tile' (the shape has more than 2^46 elements)", a.tile, a,
          math.maxinteger)
  end)
end)

describe("repeat_each", function ()
  it("repeats elements", function ()
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ 1, 1, 2, 2, 3, 3, 4, 4 }, a:repeat_each(2):totable())
    assert.same({ 1, 1, 3, 3, 2, 2, 4, 4 },
                tide.repeat_each(a.T, 2):totable())
    assert.same({ { 1, 2 }, { 1, 2 }, { 3, 4 }, { 3, 4 } },
                a:repeat_each(2, 1):totable())
    assert.same({ { 1, 1, 1, 3, 3, 3 }, { 2, 2, 2, 4, 4, 4 } },
                a.T:repeat_each(3, -1):totable())
    assert.same({ 0, 2 }, a:repeat_each(0, 1).shape)
    assert.same({ 7, 7, 7 }, tide.array(7):repeat_each(3):totable())
    blames(1, "how often must be an integer from 0 on", function ()
      a:repeat_each(1.5)
    end)
    blames(2, "axis 3 is out of range", function () a:repeat_each(1, 3) end)
  end)
end)

end)
