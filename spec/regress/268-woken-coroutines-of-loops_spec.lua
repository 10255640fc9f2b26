--[[
268: a coroutine of a loop that was woken stood in a line for its turn. One that
another closed meanwhile was resumed all the same: "cannot resume dead
coroutine" came out of tide.poll(), and ended programs on luv. One that another
had resumed in between was resumed once more, where it waited for something
else.
]]
local tide = require "tide"
require "tide.loop"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a coroutine of a loop that was woken", function ()
  local q, log

  before_each(function () q, log = tide.queue(), {} end)

  --- One that notes what it gets.
  local function getter (fn)
    local co = coroutine.create(function ()
      local value = q:get()
      log[#log + 1] = value
      if fn then fn() end
    end)
    assert.is_true(coroutine.resume(co))
    return co
  end

  local function poll ()
    for _ = 1, 10 do tide.poll(0.001) end
  end

  it("may be closed before its turn", function ()
    local second
    getter(function () assert.is_true(coroutine.close(second)) end)
    second = getter()
    getter()
    for i = 1, 3 do q:put(i) end
    poll()
    assert.same({ 1, 2 }, log)
    assert.equal(1, #q)
    assert.equal("dead", coroutine.status(second))
    assert.equal(3, q:get())
  end)

  it("may be resumed by another before its turn", function ()
    local co = getter(function ()
      local value = coroutine.yield()
      log[#log + 1] = value
    end)
    q:put "a value"
    assert.is_true(coroutine.resume(co))
    poll()
    assert.equal("suspended", coroutine.status(co))
    assert.is_true(coroutine.resume(co, "what it waited for then"))
    assert.same({ "a value", "what it waited for then" }, log)
  end)
end)

end)
