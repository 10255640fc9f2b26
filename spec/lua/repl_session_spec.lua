--[[
repl_session_spec.lua - whole sessions of the prompt: over a pipe, and at a
terminal of their own (spec/embed/pty.c) with keys, Tab and Ctrl-C, with and
without lua-readline. The parts of a session are in spec/lua/repl_spec.lua.
#process: see run.lua.
]]
local helper = require "spec.support.helper"
local terminal = require "spec.support.terminal"
local fails = helper.fails
local LUA <const> = require "spec.support.child".lua
local piped, typed, quote = terminal.piped, terminal.typed, terminal.quote

describe("a prompt over a pipe #process", function ()
  it("runs lines, shows results and goes on after errors", function ()
    local printed, status = piped([[
x = ones{2, 2}
x:sum():item()
x:sum():item();
for i = 1, 2 do
  print("i", i)
end
tide.zeros("a")
local y = 5
y, { 1 }
exit
print "not any more"
]], LUA .. " -l tide.repl")
    assert.equal(0, status, printed)
    assert.is_truthy(printed:find("2> 4.0\n3> 4> 5>> 6>>", 1, true))
    assert.is_truthy(printed:find("6>> i\t1\ni\t2\n7> bad argument #1 to " ..
                                  "'zeros'", 1, true), printed)
    assert.is_truthy(printed:find("9> 5\t{ 1 }\n10> ", 1, true), printed)
    assert.is_nil(printed:find("any more", 1, true))
  end)

  it("shows the text that tide.help returns as it is", function ()
    local printed = piped([[
tide.help(tide.zeros({ 2 }))
tide.help "option axis"
= tide.help("+")
tide.helper
]], LUA .. " -l tide.repl")
    assert.is_truthy(printed:find("1> Array: numbers on a device, " ..
                                  "n-dimensional\n\nMaking one\n", 1, true))
    assert.is_truthy(printed:find("2> no help for 'option axis'", 1, true))
    assert.is_truthy(printed:find("3> [^\n\"]+\n"))
    assert.is_truthy(printed:find("no field 'helper'", 1, true))
    assert.is_nil(printed:find("\\n", 1, true))
  end)

  it("is started by require at Lua's prompt, and by no program", function ()
    local printed = piped('require "tide.repl"\n40 + 2\n', LUA .. " -i")
    assert.is_truthy(printed:find("1> 42\n2> ", 1, true), printed)
    printed = piped('local r = require "tide.repl"\nprint(type(r.start))\n',
                    LUA .. " -")
    assert.equal("function\n", printed)
  end)

  it("comes after a program", function ()
    terminal.with_file("#!/bin/lua\nn = #arg print(..., arg[0] == FILE)",
                       function (path)
      local printed, status = piped("n + 40\n",
        (LUA .. " -i -e 'FILE=%q' -l tide.repl %s a b"):format(path, path))
      assert.equal(0, status, printed)
      assert.is_truthy(printed:find("a\ttrue\ntide .*1> 42\n2> \n$"),
                       printed)
      printed = piped("40 + 2\n", LUA .. " -l tide.repl no/such/file")
      assert.is_truthy(printed:find("cannot open no/such/file.*1> 42"), printed)
    end)
  end)

  it("says what it cannot begin with", function ()
    local repl = require "tide.repl"
    fails("bad argument #1 to 'start' (table expected, got number)",
          repl.start, 1)
    for _, env in ipairs{ {}, false } do
      fails("bad argument #2 to 'start' (no value expected, got number)",
            repl.start, env or nil, 4)
    end
  end)

  it("says why there is no device, and goes on", function ()
    local printed = piped("1 + 1\n", LUA .. " -l tide.repl",
                          { TIDE_DEVICE = "no" })
    assert.is_truthy(printed:find("no device is called 'no'", 1, true), printed)
    assert.is_truthy(printed:find("1> 2\n", 1, true), printed)
  end)

  it("closes at its end", function ()
    local printed = piped([[
local c <close> = setmetatable({}, { __close = function () print "closed" end })
"open"
]], LUA .. " -l tide.repl")
    assert.is_truthy(printed:find('"open"\n.*closed\n$'), printed)
  end)
end)

-- Both ways of reading lines must do this. T.hold keeps a stream still, so that
-- a wait for it has no end; "going" is printed, and not typed.
local CTRL_C <const> = [[
< 1>
> x = ones{2, 3}\n
< 2>
> x .. 1\n
< attempt to concatenate
< 3>
> print("go" .. "ing"); while true do end\n
< going
> \x03
< interrupted!
< 4>
> key = tide.T.hold(Stream.null); y = x:sum();\n
< 5>
> print("go" .. "ing"); y:item()\n
< going
> \x03
< interrupted!
< 6>
> print("go" .. "ing"); y:item()\n
< going
> \x03
< interrupted!
< 7>
> tide.T.release(key)\n
< 8>
> y:item()\n
< 6.0
< 9>
> x = (\n
< 10>>
> \x03
< 9>
> half a line
< half a line
> \x03
< 9>
> "still " .. "here"\n
< "still here"
< 10>
]]

describe("a prompt at a terminal #process", function ()
  for _, editor in ipairs{ "readline", "none" } do
    local test = (editor == "none" or pcall(require, "readline")) and it or
                 pending
    test("stays, whatever Ctrl-C ends: " .. editor, function ()
      local printed, status = typed(CTRL_C .. "> \\x04\n",
                                    { TIDE_EDITOR = editor })
      assert.equal(0, status, printed)
      assert.is_nil(printed:find("cannot be had", 1, true), printed)
    end)

    test("tells how long a line took: " .. editor, function ()
      local printed = typed([[
< 1>
> x = ones(1000) * 2\n
< [host
< , device
< 2>
> a = 1\n
< 3>
> key = tide.T.hold(Stream.null); y = x * 2;\n
< device: still at work]
< 4>
> tide.T.release(key) tide.get_device():synchronize()\n
< [line 3: device
< 5>
> prompt.times = false\n
< 6>
> x = x * 2 print("do" .. "ne")\n
< done
< 7>
> \x04
]], { TIDE_EDITOR = editor })
      assert.is_nil(printed:match("a = 1\n[^\n]*%[host"), printed)
      assert.is_nil(printed:match("done\n[^\n]*%[host"), printed)
    end)

    test("runs host functions while nobody types: " .. editor, function ()
      typed([[
< 1>
> s = Stream() s:launch_host_func(print, "ser" .. "ved")\n
< served
< 2>
> \x04
]], { TIDE_EDITOR = editor })
    end)

    test("ends a host function that does not: " .. editor, function ()
      local printed = typed([[
< 1>
> function hf () print("go" .. "ing") while true do end end\n
< 2>
> s = Stream() s:launch_host_func(hf)\n
< going
> \x03
< interrupted!
< 3>
> 20 + 22\n
< 42
< 4>
> \x04
]], { TIDE_EDITOR = editor })
      assert.is_nil(printed:find("repl.lua", 1, true), printed)
    end)

    test("ends what waits in Lua of tide's, too: " .. editor, function ()
      local printed = typed([[
< 1>
> prompt.times = false; key = tide.T.hold(Stream.null); y = ones(3) + 1;\n
< 2>
> print("go" .. "ing") return tide.sleep(30)\n
< going
> \x03
< interrupted!
< 3>
> tide.run(function() print("go" .. "ing") tide.sleep(30) end)\n
< going
> \x03
< interrupted!
< 4>
> tide.run(function() print("go" .. "ing") y:await() end)\n
< going
> \x03
< interrupted!
< 5>
> print("go" .. "ing") return y:describe()\n
< going
> \x03
< interrupted!
< 6>
> tide.T.release(key)\n
< 7>
> \x04
]], { TIDE_EDITOR = editor })
      assert.equal(4, select(2, printed:gsub("%^Cinterrupted!\n", "")),
                   printed)
      assert.is_nil(printed:find(".lua:", 1, true), printed)
    end)

    test("shows nothing of itself in errors: " .. editor, function ()
      local printed = typed([[
< 1>
> s = Stream() s:launch_host_func(error, "bo" .. "om")\n
< boom
< 2>
> function hf () error("de" .. "ep") end s:launch_host_func(hf)\n
< deep
< in function <prompt:2>
< 3>
> k = tide.ElementwiseKernel("T x", "T y", "while (1); y = x")\n
< 4>
> y = k(ones(3)); print("go" .. "ing")\n
< going
< 5>
> print("go" .. "ing") return y\n
< going
= 300
> \x03
< interrupted!
< 6>
> prompt.nosuch = 1\n
< prompt has no
< 7>
> \x04
]], { TIDE_EDITOR = editor })
      for _, own in ipairs{ "tide/repl", "tide.system", "tide.poll" } do
        assert.is_nil(printed:find(own, 1, true), printed)
      end
    end)

    test("goes on after a session in a line of it: " .. editor, function ()
      local printed, status = typed([[
< 1>
> (function () require "tide.repl".start{ inner = 42 } end)()\n
< Ctrl-D
< 1>
> half a line
< half a line
> \x03
< 1>
> inner\n
< 42
< 2>
> print("go" .. "ing"); while true do end\n
< going
> \x03
< interrupted!
< 3>
> \x04
< 2>
> half a line
< half a line
> \x03
< 2>
> print("go" .. "ing"); while true do end\n
< going
> \x03
< interrupted!
< 3>
> inner\n
< nil
< 4>
> \x04
]], { TIDE_EDITOR = editor })
      assert.equal(0, status, printed)
      assert.is_nil(printed:find("repl.lua", 1, true), printed)
    end)

    test("leaves Lua's own prompt as it was: " .. editor, function ()
      local printed, status = typed([[
< >
> require "tide.repl"\n
< 1>
> 40 + 2\n
< 42
< 2>
> \x04
< table:
< >
> 50 + 5\n
< 55
< >
> require "tide.repl".start()\n
< 1>
> exit\n
< >
> 60 + 6\n
< 66
< >
> \x04
]], { TIDE_EDITOR = editor }, LUA)
      assert.equal(0, status, printed)
    end)

    test("keeps the history in a file: " .. editor, function ()
      local folder = os.tmpname()
      os.remove(folder)
      local env = { TIDE_HISTORY = folder .. "/a/history",
                    TIDE_EDITOR = editor }
      typed("< 1>\n> kept = 1\\n\n< 2>\n> \\x04\n", env)
      local file = assert(io.open(env.TIDE_HISTORY))
      assert.equal("kept = 1\n", file:read "a")
      file:close()
      if editor == "readline" then
        local printed = typed("< 1>\n> \\x1b[A\n< kept = 1\n> \\n\n< 2>\n" ..
                              "> kept\\n\n< 1\n< 3>\n> \\x04\n", env)
        assert.is_truthy(printed:find("kept = 1", 1, true))
      end
      os.execute("rm -r " .. quote(folder))
      env.TIDE_HISTORY = "/dev/null/no/history"
      typed("< 1>\n> x = 1\\n\n< 2>\n> x\\n\n< 1\n< 3>\n> \\x04\n", env)
    end)
  end

  local test = pcall(require, "readline") and it or pending
  test("completes with Tab: readline", function ()
    local _, status = typed([[
< 1>
> x = ones{2, 3}\n
< 2>
> x:resh\t{6}.sha\t
< x:reshape{6}
> \x03
< 2>
> x:resh\t
< x:reshape
> {6}\n
< tide.Array 6 float64
< 3>
> tide.zer\t\t\t
< tide.zeros_like
< tide.zeros
> \x03
< 3>
> Str\t.nu\t\n
< tide.Stream null
< 4>
> ?x:cumsu\t
< ?x:cumsum
> \n
< tide.cumsum(
< 4>
> prompt.ti\t\n
< true
< 5>
> \x04
]], { TIDE_EDITOR = "readline" })
    assert.equal(0, status)
  end)

  local OLD <const> = [[
< 1>
> print("o" .. "ld")\n
< old
]]

  -- The signal comes while readline is busy, or has not read all keys.
  test("ends a line by Ctrl-C among its keys", function ()
    local printed, status = typed(OLD .. ([[
< 2>
> \x12print
< p
> \x03
< ^C
]]):rep(20) .. [[
< 2>
> "ne" .. "w"\n
< "new"
< 3>
> \x04
]], { TIDE_EDITOR = "readline" })
    assert.equal(0, status, printed)
  end)

  -- A search, a number before a key, half a key, a macro: readline's own.
  -- Ctrl-C drops what was typed and not read yet, or is typed before it is
  -- seen: hence the pauses, and the prompts that are waited for.
  test("leaves what readline is in the middle of, by Ctrl-C", function ()
    local printed, status = typed(OLD .. [[
< 2>
> \x12print
< print
= 100
> \x03
< ^C
< 2>
> "ne" .. "w"\n
< "new"
< 3>
> \x12print\x12\x12
< failed
= 100
> \x03
< ^C
< 3>
> 20 + 22\n
< 42
< 4>
> \x1b5
< arg: 5
= 100
> \x03
< ^C
< 4>
> 6 * 101\n
< 606
< 5>
> \x1b
= 100
> \x03
< ^C
< 5>
> [1]\n
< unexpected symbol near '['
< 6>
> \x18(x
= 100
> \x03
< ^C
< 6>
> \x18e"en" .. "ded"\n
< "ended"
= 100
> \x04
]], { TIDE_EDITOR = "readline" })
    assert.equal(0, status)
    assert.equal(1, select(2, printed:gsub("\nold\n", "")), printed)
  end)

  it("says that an editor cannot be had", function ()
    local printed = typed("< 1>\n> 1 + 1\\n\n< 2\n< 2>\n> \\x04\n",
                          { TIDE_EDITOR = "vim" })
    assert.is_truthy(printed:find("TIDE_EDITOR=vim cannot be had", 1, true))
  end)

  it("gives Lua's handler of Ctrl-C back", function ()
    local printed, status = typed([[
< tide 0
< 1>
> print("go" .. "ing"); while true do end\n
< going
> \x03
< interrupted!
< 2>
> \x04
< back
= 200
> \x03
]], { TIDE_EDITOR = "none" }, LUA .. " -e " .. quote [[
      require "tide.repl".start()
      local ok, err = pcall(function ()
        print "back"
        while true do end
      end)
      print(ok, err)
      os.exit(7)
    ]])
    assert.equal(7, status, printed)
    assert.is_truthy(printed:find("false\tinterrupted!", 1, true), printed)
  end)

  it("ends by the third Ctrl-C that nobody notices", function ()
    local printed, status = typed([[
< 1>
> co = coroutine.wrap(function () print("go" .. "ing"); while true do end end)\n
< 2>
> co()\n
< going
= 200
> \x03
< ^C
= 200
> \x03
< Ctrl-C once more ends the session
> \x03
]], { TIDE_EDITOR = "none" })
    assert.equal(130, status, printed)
  end)
end)

describe("the picture of the prompt #process", function ()
  local test = pcall(require, "readline") and helper.variant == "testing" and
               it or pending

  --- Returns the text that is the same on all machines, line by line: without
  -- the device, whose name may take more than a line, times and addresses.
  local function lasting (text)
    local lines = {}
    for line in text:match("%?name.*"):gmatch "[^\n]+" do
      if not line:find "^%[" then
        lines[#lines + 1] = line:gsub("0x%x+", "0x")
      end
    end
    return table.concat(lines, "\n")
  end

  test("is what it shows", function ()
    local file <close> = assert(io.open "docs/prompt.svg")
    local drawn = {}
    for row in file:read "a":gmatch "<text[^>]*>(.-)</text>" do
      drawn[#drawn + 1] = row:gsub("<[^>]*>", ""):gsub("&%a+;", {
        ["&lt;"] = "<", ["&gt;"] = ">", ["&amp;"] = "&" })
    end
    local pipe = assert(io.popen(LUA .. " spec/support/picture.lua text 2>&1"))
    local text = pipe:read "a"
    assert(pipe:close(), text)
    assert.equal(lasting(text), lasting(table.concat(drawn, "\n")))
  end)
end)
