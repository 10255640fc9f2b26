--[[
repl_spec.lua - the prompt: chunks and what lives on between them, completion,
results, settings, help. Whole sessions are in spec/lua/repl_session_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local complete = require "tide.repl.complete"
local raise_locals = require "tide.repl.locals"
local new_session = require "tide.repl.session".new
local lexer = require "tide.repl.lexer"
local show = require "tide.repl.show"
local new_settings = require "tide.repl.settings"
local topic = require "tide.repl.topic"
local units = require "tide.units"
local fails = helper.fails

--{{ sessions without a terminal

--- A session that is told line by line, as the prompt does.
local function speak (session, source)
  local chunk, why = session:compile(source)
  if type(chunk) ~= "table" then return false, why or chunk end
  session:count(source)
  return session:run(chunk, function (run) return run() end)
end

local function said (session, source)
  local results = table.pack(speak(session, source))
  assert(results[1], results[2])
  return table.unpack(results, 2, results.n)
end

describe("a session", function ()
  local s

  before_each(function () s = new_session(tide) end)

  it("gives what an expression is, and runs statements", function ()
    assert.same({ 3, "x" }, { said(s, "1 + 2, 'x'") })
    assert.equal(0, select("#", said(s, "y = 5")))
    assert.equal(5, said(s, "y"))
    assert.equal(6, said(s, "return y + 1"))
    assert.equal(0, select("#", said(s, "-- nothing")))
  end)

  it("knows what is not finished", function ()
    for _, source in ipairs{ "for i = 1, 2 do", "x = ", "f(", "{ 1,", "[[a",
                             "function f ()", "if x then", "--[[", "1 +" } do
      assert.equal("more", (s:compile(source)), source)
    end
    for _, source in ipairs{ "x = = 1", "end", "1 1", "for", "'a" } do
      local chunk, why = s:compile(source)
      assert.is_true(chunk == "more" or chunk == nil and #why > 0, source)
    end
    assert.is_nil((s:compile("x = = 1")))
  end)

  it("has names of tide, and puts none into _G", function ()
    assert.equal(tide, said(s, "tide"))
    assert.equal(tide.zeros, said(s, "zeros"))
    said(s, "one_of_the_session = 1")
    assert.equal(1, said(s, "one_of_the_session"))
    assert.is_nil(rawget(_G, "one_of_the_session"))
    assert.is_nil(rawget(_G, "zeros"))
  end)

  it("leaves a global of a file the file's", function ()
    rawset(_G, "rate_of_a_file", 1)
    said(s, "rate_of_a_file = 2")
    local got = rawget(_G, "rate_of_a_file")
    rawset(_G, "rate_of_a_file", nil)
    assert.equal(2, got)
  end)

  it("keeps local variables", function ()
    said(s, "local a <const>, b = 1")
    assert.equal(1, said(s, "a"))
    assert.is_nil(said(s, "b"))
    said(s, "local n = 0")
    said(s, "local function inc () n = n + 1 return n end")
    said(s, "inc()")
    assert.equal(2, said(s, "inc()"))
    assert.equal(2, said(s, "n"))
    assert.equal(0, said(s, "do local n = 0 return n end"))
    assert.equal(2, said(s, "n"))
  end)

  it("does not touch Lua's own by a local of that name", function ()
    local before = print
    said(s, "local print = 5")
    assert.equal(5, said(s, "print"))
    said(s, "local string = string")
    assert.equal("a", said(s, "string.lower 'A'"))
    assert.equal(before, print)
    assert.equal("table", type(rawget(_G, "string")))
  end)

  it("closes at its end what is to be closed, the last first", function ()
    local order = {}
    s.env.closes = function (n)
      return setmetatable({}, {
        __close = function () order[#order + 1] = n end
      })
    end
    said(s, "local x <close> = closes(1)")
    said(s, "local x <close> = closes(2)")
    said(s, "local y <close> = nil")
    assert.same({}, order)
    assert.same({}, s:close())
    assert.same({ 2, 1 }, order)
    assert.same({}, s:close())
  end)

  it("refuses a value that cannot be closed at its line", function ()
    local closed = false
    s.env.closed = setmetatable({}, { __close = function () closed = true end })
    local ok, message = speak(s, "local x <close> = 5")
    assert.is_false(ok)
    assert.equal("variable 'x' got a non-closable value", message)
    assert.is_nil(said(s, "x"))
    s.env.closes = setmetatable({}, { __close = function () end })
    said(s, "local x <close> = closes")
    assert.is_false((speak(s, "local x <close> = 'no'")))
    assert.equal(s.env.closes, said(s, "x"))
    said(s, "local x <close> = nil; local y <close> = false")
    ok, message = speak(s, "local a <close> = 5; local b <close> = closed")
    assert.is_false(ok)
    assert.equal("variable 'a' got a non-closable value", message)
    assert.is_false(closed)
    assert.same({}, s:close())
    assert.is_true(closed)
  end)

  it("may have its names in a table of a program", function ()
    local names = setmetatable({ a = 5, ones = "mine" }, {
      __index = function (_, name)
        if name == "made" then return "up" end
        error("no " .. name, 0)
      end
    })
    local layer = new_session(tide, names)
    assert.equal(5, said(layer, "a"))
    assert.equal("mine", said(layer, "ones"))
    assert.equal("up", said(layer, "made"))
    assert.equal(tide.zeros, said(layer, "zeros"))
    assert.equal(print, said(layer, "print"))
    assert.equal("no nothing", select(2, speak(layer, "nothing")))
    said(layer, "b, a = 1, 2")
    said(layer, "local c = 3")
    said(layer, "local print = 4")
    local all = {}
    for name, value in pairs(names) do all[name] = value end
    assert.same({ a = 2, b = 1, c = 3, ones = "mine", print = 4 }, all)
    assert.is_nil(rawget(_G, "b"))
  end)

  it("is quiet after ';'", function ()
    assert.is_true(s:compile("f();").quiet)
    assert.is_true(s:compile("x; -- so").quiet)
    assert.is_false(s:compile("f()").quiet)
    assert.is_false(s:compile("';'").quiet)
  end)

  it("numbers its lines, and errors by them", function ()
    said(s, "function f (t)\n  return t.x.y\nend")
    assert.equal(4, s.line)
    local ok, message = speak(s, "f{}")
    assert.is_false(ok)
    assert.is_truthy(message:find("^prompt:2: attempt to index"), message)
    assert.is_truthy(message:find("function 'f'", 1, true), message)
  end)

  it("shows of an error what is the user's", function ()
    local _, message = speak(s, "nil + 1")
    assert.equal("attempt to perform arithmetic on a nil value", message)
    said(s, "function deep (n) if n == 0 then error 'low' end " ..
            "deep(n - 1) return 1 end")
    _, message = speak(s, "deep(30) + 1")
    assert.is_nil(message:find("repl", 1, true))
    assert.is_truthy(message:find("more", 1, true))
    assert.is_true(select(2, message:gsub("\n", "")) <= 10)
    s.env.mine = setmetatable({}, {
      __tostring = function () return "mine" end
    })
    _, message = speak(s, "error(mine)")
    assert.equal("mine", message)
    _, message = speak(s, "error{}")
    assert.equal("an error that is a table value", message)
  end)
end)

describe("the lexer", function ()
  local function texts (source)
    local list = {}
    for i, t in ipairs(lexer.tokens(source)) do list[i] = t.text end
    return table.concat(list, "|")
  end

  it("finds tokens", function ()
    assert.equal("local|x|<|const|>|=|1.5e-3|+|0x1p+4", texts(
                 "local x <const> = 1.5e-3 + 0x1p+4"))
    assert.equal('a|.|b|:|c|"x\\"y"|..|[=[ ] ]=]|//|2', texts(
                 'a.b:c "x\\"y" --[[ no ]] .. [=[ ] ]=] // 2 -- end'))
  end)

  it("knows when the end is inside of something", function ()
    for source, inside in pairs{ ["'a"] = true, ["'a'"] = false,
                                 ["[[a"] = true, ["-- a"] = true,
                                 ["a.b"] = false } do
      assert.equal(inside, select(2, lexer.tokens(source)), source)
    end
  end)
end)

describe("a local at the top", function ()
  it("becomes the session's, and no other does", function ()
    local code, found = raise_locals(
      "local a, b <close> = f(function () local c = 1 end); " ..
      "local function g () end")
    assert.same({ "a", "b", "g" }, found.names)
    assert.same({ "b" }, found.closing)
    assert.is_nil(code:find("local a", 1, true))
    assert.is_truthy(code:find("local c", 1, true))
    assert.equal(0, #select(2, raise_locals(
      "if x then local y = 1 end for i = 1, 2 do local z = i end " ..
      "repeat local u = 1 until u")).names)
  end)
end)

--}}

--{{ completion

describe("completion", function ()
  local help = {
    names = function () return { "Stream:record", "tide.zeros" } end,
    options = function (name)
      return name == "tide.Stream" and
             { null = true, non_blocking = true, priority = true } or {}
    end
  }
  local env = setmetatable({ tide = tide, Stream = tide.Stream },
                           { __index = _G })

  local function after (line)
    local at, list = complete.complete(line, env, help)
    for i, word in ipairs(list) do list[i] = line:sub(1, at - 1) .. word end
    return list
  end

  local function has (line, wanted)
    for _, word in ipairs(after(line)) do
      if word == wanted then return true end
    end
    return false
  end

  it("knows names, keywords and fields", function ()
    assert.is_true(has("x = ti", "x = tide"))
    assert.is_true(has("fun", "function"))
    assert.is_true(has("tide.zer", "tide.zeros"))
    assert.is_true(has("f(tide.random.uni", "f(tide.random.uniform"))
    assert.is_true(has("string.for", "string.format"))
    assert.same({}, after "nothing_there.x")
  end)

  it("knows methods after ':' and fields after '.'", function ()
    env.x = tide.ones(3)
    env.s = tide.Stream()
    assert.is_true(has("x:su", "x:sum"))
    assert.is_true(has("x.sh", "x.shape"))
    assert.is_false(has("x:sh", "x:shape"))
    assert.is_true(has("s:rec", "s:record"))
    assert.is_true(has("('x' .. s.is_", "('x' .. s.is_non_blocking"))
    assert.is_true(has("tide.Stream.nu", "tide.Stream.null"))
    env.s:close()
    env.x = nil
  end)

  it("knows members of strings, and of classes in Lua", function ()
    env.text = "a"
    env.object = setmetatable({}, { __index = { method = print } })
    assert.is_true(has("text:up", "text:upper"))
    assert.is_true(has("object:me", "object:method"))
  end)

  it("knows options in braces", function ()
    assert.same({ "tide.Stream{ non_blocking =" }, after "tide.Stream{ non_")
    assert.is_true(has("tide.Stream({ null = true, pri",
                       "tide.Stream({ null = true, priority ="))
    assert.is_false(has("tide.Stream{ null = pri",
                        "tide.Stream{ null = priority ="))
  end)

  it("knows the options that the real functions take", function ()
    env.k = tide.ElementwiseKernel("T x", "T y", "y = x")
    env.x = tide.ones(3)
    local function options (line)
      local _, list = complete.complete(line, env, topic)
      return table.concat(list, " ")
    end
    assert.equal("body = name = options = out = params = preamble =",
                 options "tide.ElementwiseKernel{ ")
    assert.equal("out = size =", options "k(x, { ")
    assert.is_truthy(options("x:sum{ "):find("axis = .*keepdims = .*out ="))
    assert.equal("non_blocking =", options "Stream{ non")
    env.k, env.x = nil, nil
  end)

  it("knows topics after '?'", function ()
    assert.same({ "?Stream:record" }, after "?Stream:")
    assert.is_true(has("?tide.z", "?tide.zeros"))
    env.x = tide.ones(3)
    assert.is_true(has("?x:su", "?x:sum"))
    assert.is_true(has("?x.sh", "?x.shape"))
    env.x = tide.progress()
    assert.same({ "?x:add" }, after "?x:ad")
    env.x = nil
  end)

  it("knows the settings, and names over a program's", function ()
    env.prompt = new_settings{ times = true, colour = true }
    assert.same({ "prompt.times" }, after "prompt.ti")
    env.prompt = nil
    local s = new_session(tide, { mine = tide })
    local function first (line)
      return select(2, complete.complete(line, s.env, help))[1]
    end
    assert.equal("mine", first "min")
    assert.equal("zeros_like", first "mine.zeros_")
    assert.equal("linspace", first "linsp")
    assert.equal("tostring", first "tostr")
  end)

  it("runs nothing", function ()
    local function no () error "was run" end
    env.trap = setmetatable({}, { __index = no, __pairs = no, __tostring = no })
    assert.same({}, after "trap.x")
    assert.same({}, after "trap.x.y")
    assert.same({}, after "trap:")
  end)

  it("leaves strings, comments and '..' alone", function ()
    for _, line in ipairs{ "'ti", "-- ti", "[[ti", "x..ti" } do
      assert.same({}, after(line))
    end
  end)
end)

--}}

--{{ results, settings, units, help

describe("a result", function ()
  local function text (...) return show.value(...) end

  it("is shown as Lua would write it", function ()
    assert.equal('"a\\n\\"b\\" \\255\\000 ü"', text "a\n\"b\" \255\0 ü")
    assert.equal("nil", text(nil))
    assert.equal("1.0", text(1.0))
    assert.equal("{}", text{})
    assert.equal('{ 1, { 2 }, [0] = 0, [2.5] = 1, a = true, ["b c"] = 2 }',
                 text{ 1, { 2 }, ["b c"] = 2, a = true, [0] = 0, [2.5] = 1 })
    assert.equal("{2, 3}", text(tide.zeros{ 2, 3 }.shape))
    assert.equal("1\t\"x\"", show.values(80, 1, "x"))
  end)

  it("is cut where it is large", function ()
    local t = {}
    for i = 1, 1000 do t[i] = i end
    assert.is_truthy(text(t):find("... 940 more", 1, true))
    assert.is_truthy(text(("x"):rep(2000)):find("(2000 bytes)", 1, true))
    assert.is_truthy(text{ { { { { { 1 } } } } } }:find("{...}", 1, true))
  end)

  it("may contain itself", function ()
    local t = { 1 }
    t.me = t
    assert.equal("{ 1, me = {...} }", text(t))
  end)

  it("goes on below where a line is too short", function ()
    assert.equal('{\n  "aaaaaaaaaa",\n  "bbbbbbbbbb"\n}',
                 text({ "aaaaaaaaaa", "bbbbbbbbbb" }, 20))
  end)

  it("is shown if its tostring fails", function ()
    local bad = setmetatable({}, { __tostring = function () error("no", 0) end,
                                   __name = "Bad" })
    assert.equal("{ Bad (tostring: no), 2 }", text{ bad, 2 })
  end)
end)

local settings = new_settings{ times = true, colour = false }

describe("an error", function ()
  it("has nothing of the prompt's own", function ()
    local text = require "tide.repl.own".text
    assert.equal("no", text "/a/tide/repl/show.lua:50: no")
    assert.equal("my/repl.lua:50: no", text "my/repl.lua:50: no")
    assert.equal("no", text("no\nstack traceback:\n\t[C]: in ?\n\t[C]: in " ..
      "function 'tide.poll'\n\t[C]: in function 'tide.system.call'\n\t" ..
      "lua/tide/repl.lua:59: in upvalue 'serve'\n\tmine.lua:1: in main chunk"))
    local others = "no\nstack traceback:\n\tmine.lua:1: in function 'f'"
    assert.equal(others, text(others .. "\n\t[C]: in ?\n\t" ..
                              "lua/tide/repl/session.lua:9: in f"))
    assert.equal(others .. "\n\t[C]: in ?", text(others .. "\n\t[C]: in ?"))
  end)

  it("has no lines of tide's Lua, nor what these have called", function ()
    local s = new_session(tide)
    local function why (line) return select(2, speak(s, line)) end
    assert.equal("bad argument #1 to 'sleep' (seconds from 0 on expected, " ..
                 "got -1)", why "tide.sleep(-1)")
    assert.equal("bad argument #3 to 'randint' (shape must not be negative)",
                 why "tide.random.randint(1, 2, -1)")
    assert.equal("no\n    prompt:3: in a function\n" ..
                 "    [C]: in function 'capture'",
                 why "tide.capture(function () error('no', 0) end)")
  end)

  it("of the settings names the line alone", function ()
    local s = new_session(tide)
    s.env.prompt = settings
    assert.equal("prompt has no 'nosuch'; it has: colour, depth, items, " ..
                 "length, times", select(2, speak(s, "prompt.nosuch = 1")))
    assert.is_falsy(select(2, speak(s, "function f () prompt.times = 1 end " ..
                                       "f()")):find("settings", 1, true))
  end)
end)

describe("settings", function ()
  it("are checked", function ()
    settings.times = false
    assert.is_false(settings.times)
    fails("prompt.times must be true or false, got 1", function ()
      settings.times = 1
    end)
    fails("prompt.items must be an integer from 1 on, got 0", function ()
      settings.items = 0
    end)
    fails("prompt has no 'tims'", function () settings.tims = true end)
    fails("prompt has no 'tims'", function () return settings.tims end)
  end)

  it("limit what is shown", function ()
    local before = settings.items
    settings.items = 2
    local text = show.value{ 1, 2, 3 }
    settings.items = before
    assert.equal("{ 1, 2, ... 1 more }", text)
    assert.is_truthy(tostring(settings):find("times = false", 1, true))
  end)
end)

describe("units", function ()
  it("are those that people read", function ()
    for seconds, text in pairs{ [0] = "0.00 ns", [12.34e-6] = "12.3 us",
                                [1.02e-3] = "1.02 ms", [0.9999] = "1.00 s",
                                [4.5] = "4.50 s", [59.97] = "1 min 00 s",
                                [185] = "3 min 05 s", [7620] = "2 h 07 min" } do
      assert.equal(text, units.time(seconds))
    end
    for bytes, text in pairs{ [1] = "1 byte", [1023] = "1023 bytes",
                              [1536] = "1.50 KiB",
                              [150 << 30] = "150 GiB" } do
      assert.equal(text, units.bytes(bytes))
    end
  end)
end)

describe("help", function ()
  local before, there

  setup(function ()
    before, there = package.loaded["tide.help"], {
      ["tide.zeros"] = "zeros!", ["Stream:record"] = "record!",
      ["Stream"] = "stream!"
    }
    package.loaded["tide.help"] = {
      text = function (name)
        if there[name] then return there[name] end
        return nil, ("no '%s'; did you mean 'tide.zeros'?"):format(name)
      end,
      names = function () return { "Stream", "Stream:record", "tide.zeros" } end
    }
  end)

  teardown(function () package.loaded["tide.help"] = before end)

  it("is found by name, and by what a variable is", function ()
    local s <close> = tide.Stream()
    local env = { s = s }
    assert.equal("zeros!", topic.text("tide.zeros", env))
    assert.equal("zeros!", topic.text("zeros", env))
    assert.equal("record!", topic.text("s:record", env))
    assert.equal("stream!", topic.text("s", env))
    local text, why = topic.text("zeroes", env)
    assert.is_nil(text)
    assert.is_truthy(why:find("did you mean 'tide.zeros'", 1, true))
    assert.is_truthy(topic.text("", env):find("Ctrl-C", 1, true))
  end)
end)

--}}
