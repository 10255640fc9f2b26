--[[
A value that somebody had been woken for was taken by who came next, once the
queue was closed; and the first got nil.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a queue that is closed", function ()
  it("keeps its values for those who waited for them", function ()
    tide.run(function ()
      local q = tide.queue()
      local first = tide.spawn(function () return q:get() end)
      local second = tide.spawn(function () return q:get() end)
      tide.sleep(0)
      q:put "value"
      q:close()
      assert.is_nil(q:get())
      assert.equal("value", first:await())
      assert.is_nil(second:await())
      assert.is_nil(q:get())
    end)
  end)

  it("has those that nobody waited for for all", function ()
    tide.run(function ()
      local q = tide.queue()
      local first = tide.spawn(function () return q:get() end)
      tide.sleep(0)
      q:put(1):put(2)
      q:close()
      assert.equal(1, q:get())
      assert.is_nil(q:get())
      assert.equal(2, first:await())
    end)
  end)

  it("has what the one it was for has not taken", function ()
    tide.run(function ()
      local q = tide.queue()
      local first = tide.spawn(function () return q:get() end)
      tide.sleep(0)
      q:put "value"
      q:close()
      first:cancel()
      assert.equal("value", q:get())
      assert.is_nil(q:get())
    end)
  end)
end)

end)
