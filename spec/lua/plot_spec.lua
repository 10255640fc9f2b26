--[[
plot_spec.lua - tide.plot: what is drawn of lines, histograms and heat maps, in
braille, blocks and ASCII; what is left out; terminals; errors.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local child = require "spec.support.child"
local terminal = require "spec.support.terminal"
local badarg, fails = helper.badarg, helper.fails

local NAN <const> = 0 / 0
local COLUMNS <const> = 80  -- of spec/embed/pty.c

--- The lines of a picture, in ASCII unless the options say else.
local function drawn (a, options)
  local all = { string = true, ascii = true, width = 33 }
  for name, value in pairs(options or {}) do all[name] = value end
  local lines = {}
  for line in (a:plot(all) .. "\n"):gmatch "(.-)\n" do
    lines[#lines + 1] = line
  end
  return lines
end

local function picture (...) return table.concat(drawn(...), "\n") end

helper.each_device(function ()

describe("plot: a line", function ()
  it("in ASCII has a mark for each column", function ()
    assert.equal([[
4 +                   *
  |                 **
2 +     ***       **
  |  ***   ***  **
0 +**         **
  +--------------------
   1                  4]], picture(tide.array{ 0, 2, 0, 4 }, { height = 5 }))
  end)

  it("in braille has eight dots in a letter", function ()
    local lines = drawn(tide.array{ 0, 1 }, { ascii = false, height = 2,
                                              width = 20 })
    assert.same({ "1 ┤   ⢀⡠⠔⠊", "0 ┤⡠⠔⠊⠁", "  └───────", "   1     2" },
                { lines[1], lines[2], lines[3], lines[4] })
  end)

  it("shows the least and the greatest of each column", function ()
    local a = tide.zeros(100000)
    a[50001], a[50003] = 7, -7
    local lines = drawn(a, { height = 5 })
    assert.same({ " 7 +          *", "   |          *",
                  " 0 +********************" , "   |          *",
                  "-7 +          *" },
                { table.unpack(lines, 1, 5) })
    assert.equal("    1             100000", lines[7])
  end)

  it("leaves NaNs and infinities out", function ()
    local lines = drawn(tide.array{ 1, 1, NAN, 1 / 0, -1 / 0, 1, 1, 1 },
                        { height = 3 })
    assert.equal("1 +***          *******", lines[2])
    for _, t in ipairs{ "float16", "bfloat16", "float32" } do
      assert.same(lines, drawn(tide.array({ 1, 1, NAN, 1 / 0, -1 / 0, 1, 1, 1 },
                                          t), { height = 3 }), t)
    end
    assert.same({ "no finite numbers" }, drawn(tide.array{ NAN, 1 / 0 }))
    local a = tide.ones(1000)
    a:slice(401, 600):copy_from(tide.full(200, NAN))
    a[1], a[1000] = 1 / 0, -1 / 0
    assert.equal("1 +" .. ("*"):rep(8) .. (" "):rep(4) .. ("*"):rep(8),
                 drawn(a, { height = 3 })[2])
    assert.same({ "no elements" }, drawn(tide.zeros(0)))
    assert.same({ "no elements" }, drawn(tide.zeros{ 2, 0 }))
  end)

  it("of what is constant, of one element, of none that has an axis",
     function ()
    assert.equal("3 +********************", drawn(tide.full(9, 3))[6])
    assert.equal("3 +*", drawn(tide.array{ 3 })[6])
    assert.equal("3 +*", drawn(tide.array(3))[6])
    assert.equal("   1", drawn(tide.array(3))[13])
  end)

  it("of every real dtype, as of floats", function ()
    local wanted = drawn(tide.array{ 0., 1., 1., 0. })
    for _, t in ipairs{ "int8", "int16", "int32", "int64", "uint8", "uint16",
                        "uint32", "uint64", "float16", "bfloat16", "float32",
                        "bool" } do
      assert.same(wanted, drawn(tide.array{ 0, 1, 1, 0 }:astype(t)), t)
    end
  end)

  it("spans more than a float", function ()
    local lines = drawn(tide.array{ 1.7e308, -1.7e308 }, { height = 5 })
    assert.equal(" 1.7e+308 +*", lines[1]:sub(1, 12))
    assert.equal("        0 +", lines[3]:sub(1, 11))
  end)

  it("of many columns is that of few, whatever their number", function ()
    for _, n in ipairs{ 19, 20, 21, 39, 40, 41, 59, 999 } do
      local lines = drawn(tide.linspace(0, 1, n), { height = 5 })
      assert.truthy(lines[1]:find "%*$", n)
      assert.equal("  0 +*", lines[5]:sub(1, 6), n)
    end
  end)
end)

describe("plot: a histogram", function ()
  it("has a bar for each bin", function ()
    assert.equal([[
  1 to 1.5 |############# 2
1.5 to   2 |####### 1]], picture(tide.array{ { 1, 1 }, { 2, NAN } },
                                { kind = "histogram", bins = 2, width = 27 }))
    assert.equal("  1 to 1.5 ▕█████████████ 2\n1.5 to   2 ▕██████▌ 1",
                 picture(tide.array{ 1, 1, 2, 1 / 0 },
                         { kind = "histogram", bins = 2, width = 27,
                           ascii = false }))
  end)

  it("of any number of axes, ten bins or as many as lines", function ()
    local a = tide.ones{ 2, 2, 2, 2 }
    assert.equal(10, #drawn(a, { kind = "histogram" }))
    assert.equal(4, #drawn(a, { kind = "histogram", height = 4 }))
    assert.truthy(drawn(a, { kind = "histogram", bins = 1 })[1]
                  :find "^0.5 to 1.5 |#+ 16$")
  end)

  it("of one number, of large ones, of none", function ()
    local options = { kind = "histogram", bins = 4 }
    assert.equal(4, #drawn(tide.full(3, 1e17), options))
    assert.truthy(drawn(tide.array{ -1.7e308, 1.7e308 }, options)[1]
                  :find "^%-1.7e%+308 to %-8.5e%+307 |#+ 1$")
    assert.same({ "no finite numbers" }, drawn(tide.array(NAN), options))
  end)
end)

describe("plot: a heat map", function ()
  it("has two letters for a cell where there is room", function ()
    assert.equal("@@  \n  @@\n0 [ .:-=+*#%@] 1", picture(tide.eye(2)))
    assert.equal("██  \n  ██\n0 [ ░▒▓█] 1",
                 picture(tide.eye(2), { ascii = false }))
  end)

  it("has the means of cells, the last of which may be smaller", function ()
    local a = tide.zeros{ 5, 61 }
    a[{ { 1, 2 }, { 1, 2 } }] = 1
    a[5]:slice(61, 61):fill(1)
    assert.equal("+" .. (" "):rep(30) .. "\n" .. (" "):rep(30) .. "@\n" ..
                 "0 [ .:-=+*#%@] 1", picture(a))
  end)

  it("has a mark where there is no number", function ()
    assert.equal("  ??\n@@??\n1 [ .:-=+*#%@] 2",
                 picture(tide.array{ { 1, NAN }, { 2, 1 / 0 } }))
    assert.same({ "no finite numbers" }, drawn(tide.full({ 2, 2 }, NAN)))
    local a = tide.zeros{ 50, 50 }  -- whose mean is too large for a number
    a[{ { 1, 4 }, { 1, 2 } }] = 1.7e308
    assert.equal("?", drawn(tide.concatenate({ a, a }, 2), { height = 10 })[1]
                        :match "^%?+")
  end)

  it("is no higher and no wider than the options say", function ()
    for _, shape in ipairs{ { 1000, 7 }, { 7, 1000 }, { 100, 100 }, { 1, 1 },
                            { 21, 21 } } do
      local lines = drawn(tide.ones(shape), { height = 6 })
      assert.is_true(#lines <= 7)
      for i = 1, #lines - 1 do
        assert.is_true(#lines[i] <= 33 and #lines[i] >= 1)
      end
    end
  end)

  it("of views and integers", function ()
    local a = tide.array({ { 0, 9 }, { 5, 5 } }, "int16")
    assert.equal("  ++\n@@++\n0 [ .:-=+*#%@] 9", picture(a.T))
  end)
end)

describe("plot", function ()
  it("prints, and returns nothing", function ()
    local said = {}
    local print_before = print
    _G.print = function (text) said[#said + 1] = text end
    local n = select("#", tide.array{ 1, 2 }:plot{ ascii = true, width = 33 })
    _G.print = print_before
    assert.equal(0, n)
    assert.same({ picture(tide.array{ 1, 2 }) }, said)
  end)

  it("is a function as well, of the array's own device", function ()
    assert.equal(picture(tide.eye(2)),
                 tide.plot(tide.eye(2), { ascii = true, string = true }))
    local a = tide.with_device("host", function () return tide.eye(2) end)
    assert.equal(picture(tide.eye(2)), picture(a))
  end)

  it("leaves nothing behind", function ()
    local a = tide.ones{ 30, 40 }
    local before = tide.memory_stats().live
    picture(a)
    picture(a, { kind = "histogram" })
    picture(a:reshape(-1))
    assert.equal(before, tide.memory_stats().live)
  end)

  it("names what is wrong", function ()
    local a = tide.ones{ 2, 2 }
    badarg(1, "tide.Array expected, got number", tide.plot, 1)
    badarg(1, "real numbers expected, got complex128", tide.plot,
           tide.zeros(2, "complex128"))
    badarg(1, "an array of one or two axes expected, got 3", tide.plot,
           tide.ones{ 1, 1, 1 })
    badarg(1, "an array of one axis expected for a line, got 2", tide.plot, a,
           { kind = "line" })
    badarg(1, "an array of two axes expected for a heat map, got 1", tide.plot,
           a[1], { kind = "heat" })
    badarg(2, "table expected, got string", tide.plot, a, "heat")
    badarg(2, "unknown option 'colour'", tide.plot, a, { colour = true })
    badarg(2, "must be 'line', 'histogram' or 'heat', got 'bar'", tide.plot, a,
           { kind = "bar" })
    badarg(2, "option 'width' must be an integer from 20 to 1000, got 19",
           tide.plot, a, { width = 19 })
    badarg(2, "option 'height' must be an integer from 2 to 500, got 2.5",
           tide.plot, a, { height = 2.5 })
    badarg(2, "option 'bins' must be an integer from 1 to 1000, got string",
           tide.plot, a, { bins = "3" })
    badarg(2, "option 'ascii' must be a boolean, got number", tide.plot, a,
           { ascii = 1 })
    badarg(3, "no value expected", tide.plot, a, {}, 1)
    a:close()
    badarg(1, "array is closed", tide.plot, a)
    assert.truthy(select(2, pcall(function () tide.plot() end))
                  :find "^spec/lua/plot_spec.lua:%d+: ")
    fails("plot: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (900): ",
          tide.capture, function () tide.ones(3):plot() end)
  end)
end)

end)

describe("plot: letters #process", function ()
  local CODE <const> = [[
    local tide = require "tide"
    tide.with_device("host", function () tide.eye(2):plot() end)
  ]]

  it("are of the locale, and have no colours where there is no terminal",
     function ()
    local blocks, letters = "██  ", "@@  "
    for _, case in ipairs{ { "C.UTF-8", "C", blocks },
                           { "C", "C.UTF-8", letters },
                           { "", "en_US.utf8", blocks },
                           { "", "", letters } } do
      local printed = helper.child(CODE, { LC_ALL = case[1], LC_CTYPE = "",
                                           LANG = case[2] })
      assert.equal(case[3], printed:match "^[^\n]*")
    end
  end)

  it("are as many as a terminal has columns, and coloured there", function ()
    local words = child.lua .. " " ..
      "-e 'require(\"tide\").with_device(\"host\", function (_) " ..
      "local a = require(\"tide\").eye(2) a:plot() a[1]:plot() end)'"
    local env = { TERM = "xterm", LC_ALL = "C.UTF-8", NO_COLOR = "" }
    local printed = terminal.typed("", env, words)
    assert.equal("\27[48;5;227m  \27[0m\27[48;5;17m  \27[0m",
                 printed:match "^[^\n]*")
    local _, wide = printed:gsub("─", "")
    env.NO_COLOR = "1"
    printed = terminal.typed("", env, words)
    assert.equal("██  ", printed:match "^[^\n]*")
    assert.equal(COLUMNS - 13, wide)
  end)
end)
