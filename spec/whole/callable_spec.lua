--[[
callable_spec.lua - objects that are called as functions are taken where tide
takes a function: spies of luassert, for one. Each function of the API that has
an argument "fn" must be in the list.
]]
local api = require "tide.api"
local helper = require "spec.support.helper"
local spy = require "luassert.spy"
local tide = require "tide"

--- call(fn, done): the function that is called with fn, which counts its calls.
local calls <const> = {
  ["tide.capture"] = function (fn) tide.capture(fn) end,
  ["tide.fuse"] = function (fn) tide.fuse(fn)(tide.ones(3)) end,
  ["tide.parallel"] = function (fn)
    tide.parallel({ tide.get_device() }, fn)
  end,
  ["tide.run"] = function (fn) tide.run(fn) end,
  ["tide.scope"] = function (fn) tide.scope(fn) end,
  ["tide.spawn"] = function (fn)
    tide.run(function () tide.spawn(fn):await() end)
    tide.run(function () tide.spawn({ name = "one" }, fn):await() end)
  end,
  ["tide.with_device"] = function (fn)
    tide.with_device(tide.get_device(), fn)
  end,
  ["tide.with_stream"] = function (fn)
    tide.with_stream(fn)
    tide.with_stream(tide.Stream.null, fn)
  end,
  ["tide.wrap"] = function (fn) tide.wrap(fn)() end,
  ["tide.gather"] = function (fn)
    tide.run(function () tide.gather{ fn, fn } end)
  end,
  ["tide.race"] = function (fn)
    tide.run(function () tide.race{ fn } end)
  end,
  ["Stream:launch_host_func"] = function (fn)
    tide.get_current_stream():launch_host_func(fn)
    tide.get_current_stream():synchronize()
  end,
  ["Stream:add_callback"] = function (fn)
    tide.get_current_stream():add_callback(fn)
    tide.get_current_stream():synchronize()
  end,
  ["Stream:with"] = function (fn) tide.get_current_stream():with(fn) end,
  ["Communicator:group"] = function (fn)
    local comm <close> = tide.comm{ tide.get_device() }
    comm:group(fn)
  end
}

--- The names in the documentation that take a function.
local function takers ()
  local list <const> = {}
  for _, entry in ipairs(api.entries()) do
    for _, form in ipairs(entry.forms) do
      for _, arg in ipairs(api.args(entry, form)) do
        local taken <const> = (arg.type or ""):find "function"
        if taken then list[#list + 1] = form.name end
      end
    end
  end
  return list
end

describe("a function of the API that takes a function", function ()
  it("is in the list of this spec", function ()
    local missing <const> = {}
    for _, name in ipairs(takers()) do
      if not calls[name] then missing[#missing + 1] = name end
    end
    assert.equal("", table.concat(missing, " "))
  end)
end)

helper.each_device(function ()

describe("an object that is called as a function", function ()
  for name, call in pairs(calls) do
    it("is one for " .. name, function ()
      local count = 0
      call(setmetatable({}, { __call = function (_, x)
        count = count + 1
        return x
      end }))
      assert.is_true(count > 0)
    end)
  end

  it("may be a spy", function ()
    local seen <const> = spy.new(function () end)
    tide.get_current_stream():launch_host_func(seen, 42)
    tide.get_current_stream():synchronize()
    assert.spy(seen).was.called_with(42)
  end)

  it("that fails in a task is told of as one", function ()
    local bad <const> = setmetatable({}, { __call = function ()
      error "on purpose"
    end })
    local ok, err = pcall(tide.run, function () tide.spawn(bad):await() end)
    assert.is_false(ok)
    assert.matches("on purpose", tostring(err))
  end)
end)

end)
