--[[
command_spec.lua - the command `tide`: what it runs, what it says, how it ends.
#process: see run.lua.
]]
local terminal = require "spec.support.terminal"
local piped, typed, quote = terminal.piped, terminal.typed, terminal.quote

local TIDE <const> = require "spec.support.child".lua .. " lua/tide/command.lua"

--- tide(words [, env [, input]]) -> what it printed, and its exit status.
local function tide (words, env, input)
  return piped(input or "", TIDE .. " " .. words, env)
end

local function has (text, part)
  assert(text:find(part, 1, true), ("expected %q in %q"):format(part, text))
end

describe("tide run #process", function ()
  local function run (code, arguments, env)
    return terminal.with_file(code, function (path)
      local printed, status = tide(("run %s %s"):format(path, arguments or ""),
                                   env)
      return printed:gsub(path:gsub("%p", "%%%0"), "FILE"), status
    end)
  end

  it("runs a file as lua does", function ()
    local printed, status = run([[
      print(arg[0], arg[1], arg[2], #arg, ...)
      print(require "tide".ones(3):sum():item(), type(_G.tide))
    ]], "a 'b c'")
    assert.equal("FILE\ta\tb c\t2\ta\tb c\n3.0\tnil\n", printed)
    assert.equal(0, status)
  end)

  it("takes a first line of a shell", function ()
    assert.equal("here\n", (run "#!/usr/bin/env tide\nprint 'here'"))
  end)

  it("tells errors with a traceback, its own frames left out", function ()
    local printed, status = run "local function f () error 'x' end\nf()"
    assert.equal(1, status)
    has(printed, "tide: FILE:1: x\nstack traceback:\n")
    has(printed, "FILE:2: in main chunk")
    assert.is_nil(printed:find("xpcall", 1, true))
    assert.is_nil(printed:find("command.lua", 1, true))
    printed, status = run "error{}"
    assert.equal(1, status)
    has(printed, "(error object is a table value)")
    printed, status = run "x ="
    assert.equal(1, status)
    has(printed, "near <eof>")
    printed, status = tide "run no/such/file"
    assert.equal(1, status)
    has(printed, "cannot open no/such/file")
  end)

  it("leaves with the status of the program, closed", function ()
    local printed, status = run [[
      local _ <close> = setmetatable({}, { __close = print })
      setmetatable({}, { __gc = function () print "collected" end })
      os.exit(3, true)
    ]]
    assert.equal(3, status)
    has(printed, "collected")
    printed = run "setmetatable({}, { __gc = function () print 'late' end })"
    assert.equal("late\n", printed)
  end)

  -- The other sources of such errors: the specs of each.
  it("fails after errors that nothing waited for", function ()
    for code, told in pairs{
      ["tide.zeros(3):put(tide.array{ 9 }, 1)"] =
        "tide: nobody asked for this error: FILE:2: put: index ",
      ["tide.Stream():launch_host_func(error, 'x') tide.zeros(3)"] =
        "tide: a host function never ran, queued at FILE:2",
      ["tide.Stream():scope() collectgarbage()"] =
        "tide: a scope was never closed, opened at FILE:2",
      ["local f = tide.open('/dev/full', 'w') f:write(tide.zeros(9))"] =
        "tide: nobody asked for this error: FILE:2: file:write: '/dev/full'"
    } do
      code = "local tide = require 'tide'\n" .. code
      local printed, status = run(code)
      has(printed, told)
      assert.equal(1, status)
      printed, status = run(code, "", { TIDE_UNHANDLED_ERRORS = "warn" })
      assert.equal("", printed)
      assert.equal(1, status)
      printed, status = run("warn '@on'" .. code, "",
                            { TIDE_UNHANDLED_ERRORS = "warn" })
      has(printed, "Lua warning: " .. told)
      assert.equal(1, status)
      printed, status = run("require 'tide'.unhandled_errors 'off' " .. code)
      assert.equal("", printed)
      assert.equal(0, status)
    end
  end)

  it("runs what comes in", function ()
    assert.equal("1\n", (tide("run - 1", nil, "print(...)")))
    assert.equal("2\n", (tide("", nil, "print(2)")))
  end)
end)

describe("tide -e #process", function ()
  it("runs a piece of code and prints what it gives", function ()
    assert.equal("6.0\t\"x\"\n", (tide "-e 'ones{2, 3}:sum():item(), \"x\"'"))
    assert.equal("5\n", (tide "-e 'local x = 5 print(x)'"))
    assert.equal("", (tide "-e '1 + 1;'"))
  end)

  it("answers what is asked of the prompt", function ()
    local printed, status = tide "-e '?zeros'"
    has(printed, "tide.zeros(shape")
    assert.equal(0, status)
    has((tide "-e 'zeros?'"), "tide.zeros(shape")
    printed, status = tide "-e '?smu'"
    has(printed, "tide: no help for 'smu'; did you mean ")
    assert.equal(1, status)
  end)

  it("fails with it", function ()
    local printed, status = tide "-e 'nil + 1'"
    assert.equal(1, status)
    assert.equal("tide: attempt to perform arithmetic on a nil value\n",
                 printed)
    printed, status = tide "-e 'x ='"
    assert.equal(1, status)
    assert.equal("tide: the code is not finished\n", printed)
  end)
end)

describe("tide info #process", function ()
  it("names the interpreter behind options, as of LuaRocks", function ()
    local lua <const> = require "spec.support.child".lua
    local printed = piped("", lua .. " -e 'local x = 1' -e '_ = 2' " ..
                          "lua/tide/command.lua info")
    has(printed, "\nLua          5.4, " .. lua .. "\n")
  end)

  it("tells of devices, libraries, cache and environment", function ()
    local printed, status = tide("info", { TIDE_HOST_MEMORY = "64M" })
    assert.equal(0, status)
    has(printed, require "tide"._VERSION:match "%S+$")
    assert.is_truthy(printed:find("\nhost:0 +[^\n]*64%.0 MiB %("), printed)
    assert.is_truthy(printed:find "\ndefault +host:0\n")
    for _, name in ipairs{ "driver", "kernels", "NVRTC", "cuBLAS", "cuFFT",
                           "BLAS", "cache" } do
      assert.is_truthy(printed:find("\n" .. name .. " +%S"), name)
    end
    has(printed, "TIDE_HOST_MEMORY=64M")
  end)

  it("says why something is missing", function ()
    local printed = tide("info", {
      TIDE_LIBCUDA = "/no/libcuda.so", TIDE_LIBNVRTC = "/no/libnvrtc.so",
      TIDE_LIBCUBLAS = "none", TIDE_LIBCUFFT = "none",
      TIDE_LIBCUSOLVER = "none", TIDE_BLAS = "none", TIDE_DEVICE = "cuda"
    })
    has(printed, "/no/libcuda.so: cannot open shared object file")
    has(printed, "install NVIDIA's driver")
    has(printed, "/no/libnvrtc.so: cannot open shared object file")
    has(printed, "cuBLAS       none: ")
    has(printed, "cuFFT        none: ")
    has(printed, "cuSOLVER     none: ")
    has(printed, "\nBLAS         none: ")
    has(printed, "\nLAPACK       none: ")
    has(printed, "default      none: TIDE_DEVICE: there is no CUDA device")
  end)

  it("says once what a variable cannot mean", function ()
    for name, value in pairs{
      TIDE_HOST_DEVICES = "65", TIDE_HOST_MEMORY = "10X",
      TIDE_HOST_DELAYS = "x", TIDE_BLAS = "/no.so", TIDE_DEVICE = "foo",
      TIDE_DEFAULT_STREAM = "foo"
    } do
      local printed, status = tide("info", { [name] = value })
      assert.equal(0, status, printed)
      local _, n = printed:gsub(name .. "[^=\n]*'" .. value .. "'", "")
      assert.equal(1, n, printed)
      has(printed, name .. "=" .. value)
      assert.is_nil(printed:find("info.lua:", 1, true), printed)
      assert.is_nil(printed:find("traceback", 1, true), printed)
    end
  end)

  it("tells of a driver that is too old", function ()
    local build = os.getenv "TIDE_BUILD" or "build/testing"
    local at = build:find "^/" and build or "./" .. build
    local printed = tide("info", { TIDE_LIBCUDA = at .. "/fake/old.so" })
    has(printed, "driver       CUDA 11.4: the CUDA driver is for CUDA 11.4; " ..
                 "tide needs 12.0 or newer")
  end)

  it("tells whether the cache can be used", function ()
    local folder = os.tmpname()
    os.remove(folder)
    local function cache (env) return (tide("info", env)) end
    has(cache{ TIDE_CACHE_DIR = folder }, folder .. ": 0 files, 0 bytes of " ..
                                          "at most 256 MiB")
    assert.is_nil(io.open(folder))
    has(cache{ TIDE_CACHE_DIR = "" }, "none: TIDE_CACHE_DIR is empty")
    has(cache{ TIDE_CACHE_DIR = folder, TIDE_CACHE_SIZE = "0" },
        "TIDE_CACHE_SIZE is 0")
    has(cache{ TIDE_CACHE_DIR = "/dev/null/no" }, "nothing is kept there: ")
    os.execute("umask 0 && mkdir -m 777 " .. quote(folder))
    has(cache{ TIDE_CACHE_DIR = folder }, "others can write to it")
    os.execute("chmod 700 " .. quote(folder))
    local name = ("0"):rep(64) .. ".bin"
    local file = assert(io.open(folder .. "/" .. name, "w"))
    file:write(("x"):rep(2048))
    file:close()
    has(cache{ TIDE_CACHE_DIR = folder }, ": 1 file, 2.00 KiB of at most")
    os.execute("rm -r " .. quote(folder))
  end)
end)

describe("tide #process", function ()
  it("says its version, and how it is used", function ()
    local printed, status = tide "--version"
    assert.equal(0, status)
    assert.equal(require "tide"._VERSION .. ", Lua 5.4\n", printed)
    for _, words in ipairs{ "help", "--help", "-h" } do
      printed, status = tide(words)
      assert.equal(0, status)
      has(printed, "tide run FILE")
    end
    printed, status = tide "help"
    assert.equal(0, status)
    has(printed, require "tide".help())
    has((tide "help Stream"), "Stream: a queue of work")
    local clip = "tide.clip(a [, lo [, hi [, { out= }]]]) -> Array\na:clip("
    for _, words in ipairs{ "-e '?clip'", [[-e 'tide.help "clip"']],
                            [[-e "tide.help('clip')"]] } do
      assert.equal(1, (tide(words)):find(clip, 1, true))
    end
  end)

  it("says why there is no tide", function ()
    for _, words in ipairs{ "-e 1", "help", "--version", "-i" } do
      local printed, status = tide(words, { TIDE_DEFAULT_STREAM = "foo" })
      assert.equal(1, status)
      assert.equal("tide: TIDE_DEFAULT_STREAM must be 'null', 'ptds' or " ..
                   "'own', got 'foo'\n", printed)
    end
  end)

  it("tells misuse with a usage and 2", function ()
    for words, why in pairs{
      nonsense = "there is no command 'nonsense'\n",
      ["README.md"] = "; a program is run by 'tide run README.md'\n",
      run = "'run' wants a file\n", ["-e"] = "'-e' wants something more\n",
      ["-e 1 2"] = "'2' is one too many\n",
      ["info all"] = "'all' is one too many\n",
      ["-i x"] = "'x' is one too many\n",
      ["--version 1"] = "'1' is one too many\n"
    } do
      local printed, status = tide(words)
      assert.equal(2, status, words)
      has(printed, why)
      has(printed, "usage: tide ")
    end
  end)

  it("is the prompt, at a terminal or if told so", function ()
    has((tide("-i", nil, "20 + 22\n")), "1> 42\n2> ")
    local printed, status = typed("< 1>\n> 20 + 22\\n\n< 42\n< 2>\n> \\x04\n",
                                  { TIDE_EDITOR = "none" }, TIDE)
    assert.equal(0, status, printed)
  end)
end)
