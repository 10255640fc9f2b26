--[[
A stream remembered only the gate that it got behind last. Inside the host
function of an earlier one, waiting for the stream took for ever; so did
waiting for the null stream behind a blocking one that stood at the function's
gate, and the other way round.
]]
local tide = require "tide"
local helper = require "spec.helper"
local fails = helper.fails

helper.each_device(function ()

describe("a host function that waits for what is behind its gate", function ()
  local refusal = "it would wait for work that waits for the function"
  local g, h, s, x, y

  before_each(function ()
    g = tide.Stream{ non_blocking = true }
    h = tide.Stream{ non_blocking = true }
    s = tide.Stream()
    x, y = tide.ones(12), tide.ones(12)
    tide.get_device():synchronize()
  end)

  after_each(function ()
    tide.get_device():synchronize()
    g:close() h:close() s:close()
    x, y = nil, nil
  end)

  -- Queues fn(arg) on 'g' and work behind it, for which 'follower' waits.
  local function follow (follower, fn, arg)
    g:launch_host_func(fn, arg)
    g:with(function () x:add_(1) end)
    follower:with(function () x:mul_(2) end)
  end

  -- The same on 'h', with 'y'.
  local function follow_another (follower, fn)
    h:launch_host_func(fn)
    h:with(function () y:add_(1) end)
    follower:with(function () y:mul_(2) end)
  end

  local function finish ()
    tide.get_device():synchronize()
    assert.equal(48, x:sum():item())
  end

  it("is told so, whatever gate came later", function ()
    local ran = {}
    follow(s, function ()
      fails(refusal, s.synchronize, s)
      ran[#ran + 1] = "g"
    end)
    follow_another(s, function () ran[#ran + 1] = "h" end)
    finish()
    assert.equal(48, y:sum():item())
    table.sort(ran)
    assert.same({ "g", "h" }, ran)
  end)

  it("is told so behind three streams", function ()
    local t <close> = tide.Stream{ non_blocking = true }
    local ran = false
    follow(s, function ()
      fails(refusal, t.synchronize, t)
      ran = true
    end)
    follow_another(s, function () end)
    t:with(function () y:add_(1) end)  -- waits for s
    finish()
    assert.is_true(ran)
    assert.equal(60, y:sum():item())
  end)

  it("is told so of an event", function ()
    local e, ran = tide.Event(), false
    follow(s, function ()
      fails(refusal, e.synchronize, e)
      ran = true
    end)
    e:record(s)
    follow_another(s, function () end)
    finish()
    assert.is_true(ran)
    e:close()
  end)

  it("is told so of the null stream and a blocking one", function ()
    for _, pair in ipairs{ { s, tide.Stream.null }, { tide.Stream.null, s } } do
      local ran = false
      x:fill(1)
      tide.get_device():synchronize()
      follow(pair[1], function (other)
        fails(refusal, other.synchronize, other)
        ran = true
      end, pair[2])
      finish()
      assert.is_true(ran)
    end
  end)

  it("may wait for what came before its gate, behind another", function ()
    local e, order = tide.Event(), {}
    follow_another(s, function () order[#order + 1] = "h" end)
    e:record(s)
    follow(s, function ()
      e:synchronize()  -- runs the other function, if it has not run yet
      order[#order + 1] = "g"
    end)
    finish()
    assert.same({ "h", "g" }, order)
    e:close()
  end)
end)

end)
