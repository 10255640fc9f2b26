--[[
current_spec.lua - the current stream: with_stream's three forms, scope, use,
whatever way a scope is left. Coroutines: coroutine_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

local current = tide.get_current_stream
local new = helper.new_stream

helper.each_device(function (kind)

describe("with_stream(s, fn, ...)", function ()
  it("runs fn(s, ...) with s current and returns its results", function ()
    local s <close> = new()
    local r = table.pack(tide.with_stream(s, function (stream, ...)
      assert.is_true(rawequal(s, stream))
      assert.equal(s, current())
      return ...
    end, 1, nil, "three", nil))
    assert.same({ 1, nil, "three", nil, n = 4 }, r)
    assert.equal(tide.Stream.null, current())
  end)

  it("restores on error, and the error is the same object", function ()
    local s <close> = new()
    local object = {}
    local ok, err = pcall(tide.with_stream, s, function () error(object) end)
    assert.is_false(ok)
    assert.is_true(rawequal(object, err))
    assert.equal(tide.Stream.null, current())
  end)

  it("leaves the traceback intact", function ()
    local s <close> = new()
    local function culprit () error "oops" end
    local _, trace = xpcall(tide.with_stream, debug.traceback, s,
                            function () culprit() end)
    assert.is_truthy(trace:find("in upvalue 'culprit'", 1, true) or
                     trace:find("in local 'culprit'", 1, true), trace)
  end)

  it("may yield, and passes values both ways", function ()
    local s <close> = new()
    local co = coroutine.wrap(function ()
      return "end", tide.with_stream(s, function (_, x)
        assert.equal(s, current())
        local y = coroutine.yield(x + 1)
        assert.equal(s, current())
        return y * 2
      end, 1)
    end)
    assert.equal(2, co())
    assert.equal(tide.Stream.null, current())
    assert.same({ "end", 42 }, { co(21) })
  end)

  it("restores in the coroutine when fn raises after a yield", function ()
    local s <close> = new()
    local co = coroutine.wrap(function ()
      pcall(tide.with_stream, s, function ()
        coroutine.yield()
        error "later"
      end)
      return current()
    end)
    co()
    assert.equal(tide.Stream.null, co())
  end)

  it("wants a stream and a function", function ()
    local s <close> = new()
    fails("tide.Stream expected, got number", tide.with_stream, 1, print)
    fails("function expected, got nil", tide.with_stream, s, nil)
    fails("tide.Stream expected, got no value", tide.with_stream)
    s:close()
    fails("stream is closed", tide.with_stream, s, print)
    assert.equal(tide.Stream.null, current())
  end)

  it("takes the singletons", function ()
    local s <close> = new():use()
    tide.with_stream(tide.Stream.ptds, function ()
      assert.equal(tide.Stream.ptds, current())
    end)
    assert.equal(s, current())
  end)
end)

describe("with_stream(fn, ...)", function ()
  it("makes a non-blocking stream for the scope", function ()
    local inside
    local n = tide.with_stream(function (s, x)
      inside = s
      assert.is_true(s.is_non_blocking)
      assert.equal(s, current())
      return tide.full(10, x):sum()
    end, 3)
    assert.equal("tide.Stream (closed)", tostring(inside))
    assert.equal(30, n:item())
    assert.equal(tide.Stream.null, current())
  end)

  it("closes it when fn raises, too", function ()
    local inside
    fails("oops", tide.with_stream, function (s)
      inside = s
      error "oops"
    end)
    assert.equal("tide.Stream (closed)", tostring(inside))
  end)
end)

describe("s:with(fn, ...)", function ()
  it("is with_stream(s, fn, ...)", function ()
    local s <close> = new()
    assert.same({ s, 7 }, { s:with(function (...)
      assert.equal(s, current())
      return ...
    end, 7) })
    assert.equal(tide.Stream.null, current())
    fails("function expected", s.with, s)
  end)
end)

describe("scope", function ()
  it("is s:with for a block", function ()
    local s <close> = new()
    do
      local _ <close> = s:scope()
      assert.equal(s, current())
    end
    assert.equal(tide.Stream.null, current())
  end)

  it("restores on break, goto, return and error", function ()
    local s <close> = new()
    for i = 1, 2 do
      local _ <close> = s:scope()
      if i == 2 then
        break
      end
    end
    assert.equal(tide.Stream.null, current())
    assert.equal(s, (function ()
      local _ <close> = s:scope()
      return current()
    end)())
    assert.equal(tide.Stream.null, current())
    fails("oops", function ()
      local _ <close> = s:scope()
      error "oops"
    end)
    assert.equal(tide.Stream.null, current())
  end)

  it("that is closed keeps neither its coroutine nor its stream", function ()
    local kept, coroutines = {}, setmetatable({}, { __mode = "k" })
    for i = 1, 3 do
      local co = coroutine.create(function ()
        local s <close> = new()
        kept[i] = s:scope()
        kept[i]:close()
      end)
      coroutines[co] = true
      assert(coroutine.resume(co))
    end
    tide.get_current_stream()
    for _ = 1, 3 do collectgarbage() end
    assert.is_nil(next(coroutines))
    assert.equal("tide.Scope (closed)", tostring(kept[1]))
  end)

  it("nests", function ()
    local s <close> = new()
    local t <close> = new()
    local _ <close> = s:scope()
    do
      local _ <close> = t:scope()
      do
        local _ <close> = s:scope()
        assert.equal(s, current())
      end
      assert.equal(t, current())
    end
    assert.equal(s, current())
  end)

  it("nests deeply, again and again", function ()
    local s <close> = new()
    local t <close> = new()
    local function nest (n)
      local stream, around = n % 2 == 0 and s or t, current()
      do
        local _ <close> = stream:scope()
        if n > 0 then
          nest(n - 1)
        end
        assert.equal(stream, current())
      end
      assert.equal(around, current())
    end
    for _, n in ipairs{ 1, 40, 3, 40 } do
      nest(n)
    end
  end)

  it("is one of a stack, in whatever order scopes are closed", function ()
    local s <close> = new()
    local t <close> = new()
    local null, random = tide.Stream.null, math.random
    local streams, open, model = { s, t, null }, {}, { null }
    for _ = 1, 2000 do
      local stream, depth = streams[random(3)], random(#open + 1)
      local what = (#open < 6) and random(4) or 3
      if what == 1 then
        open[#open + 1] = stream:scope()
        model[#model + 1] = stream
      elseif what == 2 then
        stream:with(function () assert.equal(stream, current()) end)
      elseif what == 3 and open[depth] then
        open[depth]:close()
        for i = #open, depth, -1 do
          open[i], model[i + 1] = nil, nil
        end
      elseif what == 4 then
        stream:use()
        model[#model] = stream
      end
      assert.equal(model[#model], current())
    end
    if open[1] then
      open[1]:close()
    end
    null:use()
  end)

  it("undoes any use inside", function ()
    local s <close> = new()
    local t <close> = new()
    do
      local _ <close> = s:scope()
      t:use()
      tide.Stream.ptds:use()
      assert.equal(tide.Stream.ptds, current())
    end
    assert.equal(tide.Stream.null, current())
    s:use()
    tide.with_stream(t, function () tide.Stream.null:use() end)
    assert.equal(s, current())
  end)

  it("closed twice does nothing the second time", function ()
    local s <close> = new()
    local t <close> = new()
    local token = s:scope()
    local close = debug.getmetatable(token).__close
    close(token)
    assert.equal(tide.Stream.null, current())
    t:use()
    close(token)
    assert.equal(t, current())
  end)

  -- Scopes that are collected open are reported on stderr, with their line.
  local function told(code)
    local printed = helper.child_on(kind,
      "local tide = require 'tide' local s = tide.Stream() " .. code)
    local lines = {}
    for line in printed:gmatch "scope was never closed, opened at [^\n]*" do
      lines[#lines + 1] = tonumber(line:match ":(%d+)$")
    end
    return lines, printed
  end

  it("that was never closed is told when it is collected #process", function ()
    local lines, printed = told[[
      s:scope()
      collectgarbage()
      io.stderr:write "goes on"
      assert(tide.get_current_stream() == s)
      coroutine.wrap(function ()
        s:scope() end)()
      suspended = coroutine.wrap(function ()
        s:scope() coroutine.yield(0) end)
      suspended()
      collectgarbage()
      kept = s:scope()
    ]]
    assert.same({ 1, 8, 6, 11 }, lines)
    assert.truthy(printed:find "opened at[^\n]*\ngoes on")
  end)

  it("that comes after closed ones is told with its own line #process",
     function ()
    assert.same({ 4, 6 }, (told[[
      do local _ <close> = s:scope() end
      closed = s:scope()
      closed:close()
      s:scope()
      collectgarbage()
      s:scope()
      collectgarbage()
      closed = nil
      collectgarbage()
      do local _ <close> = s:scope() end
    ]]))
  end)

  it("is not told of once it has been closed #process", function ()
    assert.same({}, (told[[
      s:scope():close()
      do local _ <close> = s:scope() end
      local outer = s:scope()
      s:scope() outer:close()
      pcall(function () local _ <close> = s:scope() error "no" end)
    ]]))
  end)

  it("is not told of in a block that is left suspended #process", function ()
    assert.same({}, (told[[
      local function block() local _ <close> = s:scope() coroutine.yield() end
      coroutine.wrap(block)()
      collectgarbage()
      kept = coroutine.wrap(block)
      kept()
    ]]))
  end)

  it("is told of a few times, then counted #process", function ()
    local lines, printed = told[[
      for _ = 1, 10 do s:scope() collectgarbage() end
    ]]
    assert.equal(8, #lines)
    assert.truthy(printed:find("further reports of this kind: 2", 1, true))
  end)
end)

describe("a stream that is current", function ()
  it("outlives its close and its object", function ()
    do
      new():use()
    end
    collectgarbage()
    collectgarbage()
    assert.equal(10, tide.ones(10):sum():item())
    assert.is_true(current().is_non_blocking)
  end)

  it("may be closed inside its own scope", function ()
    local s = new()
    s:with(function ()
      s:close()
      assert.equal(6, tide.full(3, 2):sum():item())
      assert.equal(1, T.held().streams)
    end)
    tide.poll()
    assert.equal(0, T.held().streams)
    assert.equal(tide.Stream.null, current())
  end)
end)

end)

describe("TIDE_DEFAULT_STREAM #process", function ()
  local function with (value, code)
    local printed, ok = helper.child(
      "local tide = require 'tide' " .. code,
      { TIDE_DEVICE = "host", TIDE_DEFAULT_STREAM = value })
    return ok and "" or printed
  end

  it("null and ptds choose the singleton", function ()
    assert.equal("", with("null",
      "assert(tide.get_current_stream() == tide.Stream.null)"))
    assert.equal("", with("ptds",
      "assert(tide.get_current_stream() == tide.Stream.ptds)"))
  end)

  it("own gives each coroutine a stream of its own", function ()
    assert.equal("", with("own", [[
      local mine = tide.get_current_stream()
      assert(mine ~= tide.Stream.null and mine == tide.get_current_stream())
      local co = coroutine.wrap(function ()
        local s = tide.get_current_stream()
        coroutine.yield(s)
        return s == tide.get_current_stream()
      end)
      local other = co()
      assert(other ~= mine and co())
      tide.with_stream(tide.Stream(), function () end)
      assert(mine == tide.get_current_stream())
      assert(tide.ones(5):sum():item() == 5)
    ]]))
  end)

  it("refuses anything else", function ()
    assert.is_truthy(with("mine", ""):find(
      "TIDE_DEFAULT_STREAM must be 'null', 'ptds' or 'own', got 'mine'", 1,
      true))
  end)
end)
