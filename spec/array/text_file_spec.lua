--[[
text_file_spec.lua - tide.loadtxt and tide.savetxt: numbers as the C library
reads and writes them, lines and fields of all shapes, lines at every place of a
chunk's border, errors with line and column, and files as NumPy reads them.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local files = require "spec.support.npy_files"
local fails, badarg = helper.fails, helper.badarg
local path, read, write = files.path, files.read, files.write

local CHUNK <const> = 64 << 10  -- TEXT_CHUNK
local INF <const> = math.huge

--- load(text [, options]) -> what such a file holds.
local function load (text, options)
  write(path "a.txt", text)
  return tide.loadtxt(path "a.txt", options)
end

local function rows (text, options) return load(text, options):totable() end

local function refused (why, text, options)
  fails("tide.loadtxt: '" .. path "a.txt" .. "': " .. why, load, text, options)
end

--- saved(a [, options]) -> the text that savetxt writes.
local function saved (a, options)
  tide.savetxt(path "b.txt", a, options)
  return read(path "b.txt")
end

local random <const> = math.random

--- The bits of floats, so that zeros differ and NaNs do not.
local function bits (x)
  return x ~= x and "nan" or ("<d"):pack(x)
end

--- Compares each text, read as a float64, with what Lua's tonumber reads.
local function agree (texts)
  local got = load(table.concat(texts, "\n")):totable()
  assert.equal(#texts, #got)
  for i, text in ipairs(texts) do
    local want = tonumber(text)
    want = math.type(want) == "integer" and want + 0.0 or want
    if bits(got[i][1]) ~= bits(want) then
      error(("%s is read as %.17g, not %.17g"):format(text, got[i][1], want))
    end
  end
end

helper.each_device(function ()

files.around_each()
before_each(function () math.randomseed(11) end)

describe("floats in text", function ()
  it("of random bits are the nearest, with any number of digits", function ()
    local texts = {}
    for i = 1, 8000 do
      local x = ("<d"):unpack(("<I8"):pack(random(0)))
      if x == x and x ~= INF and x ~= -INF then
        texts[#texts + 1] = ("%%.%de"):format(i % 24):format(x)
      end
    end
    agree(texts)
  end)

  it("between two doubles, and near that, round to even", function ()
    local texts = {}
    for _ = 1, 3000 do
      local m = random(1 << 52, (1 << 53) - 1)
      local e = random(0, 9)
      local middle = ("%d"):format(m << 1 << e)
      local exact = ("%d"):format(((m << 1) | 1) << e)
      texts[#texts + 1] = exact
      texts[#texts + 1] = exact .. ".000000000000000000000001"
      texts[#texts + 1] = exact .. "e-5"
      texts[#texts + 1] = middle
    end
    agree(texts)
  end)

  it("at all exponents", function ()
    local texts = {}
    for e = -345, 310 do
      for _, digits in ipairs{ "1", "9", "17976931348623157",
                               "4.9406564584124654", "2.2250738585072014",
                               "9007199254740993",
                               "1234567890123456789", "0.00012345",
                               "12345678901234567890123" } do
        texts[#texts + 1] = digits .. "e" .. e
      end
    end
    agree(texts)
  end)

  it("may be written in many ways", function ()
    agree{ "1", "+1", "-1", "1.", ".5", "-.5", "+0.5", "1e5", "1E+5", "1.e-5",
           "0", "-0.0", "00012", "0e999999999", "1e-999999999999999999999",
           "0." .. ("0"):rep(400) .. "1", ("9"):rep(400) .. "e-390",
           "1" .. ("0"):rep(300), "12345678", "1234567812345678",
           "123456789012345678.5", "0.3", "100000000000000000000000" }
    local got = rows "inf -inf +Infinity NaN -nan INF\n1e400 -1e400 1 1 1 1"
    assert.same({ INF, -INF, INF }, { table.unpack(got[1], 1, 3) })
    assert.is_true(got[1][4] ~= got[1][4] and got[1][5] ~= got[1][5])
    assert.same({ INF, -INF }, { table.unpack(got[2], 1, 2) })
  end)

  it("that are none are refused", function ()
    for _, text in ipairs{ "abc", "1e", "1e+", "1.2.3", "0x10", ".", "-", "+-1",
                           "1_000", "--1", "1,5", "infinit", "nanx", "1d5",
                           "e5", "1\0", "\0", "١" } do
      refused("line 1, column 1: '" .. text:gsub("%c", "?") .. "' is no number",
              text)
    end
  end)

  it("of 32 bits are rounded once", function ()
    local texts, want = {}, {}
    for i = 1, 2000 do
      local f = ("<f"):unpack(("<I4"):pack(random(1 << 29, 0x7F000000)))
      local bit = ("<I4"):unpack(("<f"):pack(f))
      local above = ("<f"):unpack(("<I4"):pack(bit + 1))
      local middle = ("%.99e"):format((f + above) / 2):gsub("0*e", "e", 1)
      texts[i] = middle:gsub("e", "0000000000000001e")
      want[i] = above
    end
    local got = load(table.concat(texts, "\n"), { dtype = "float32" })
    assert.equal("float32", got.dtype)
    for i, row in ipairs(got:totable()) do assert.equal(want[i], row[1]) end
    assert.same({ { 65504, INF, 0.0999755859375 } },
                rows("65504 1e6 0.1", { dtype = "float16" }))
  end)
end)

describe("other values in text", function ()
  for dtype, range in pairs{ int8 = { "-128", "127" }, uint8 = { "0", "255" },
                             int16 = { "-32768", "32767" },
                             uint16 = { "-0", "65535" },
                             int32 = { "-2147483648", "+2147483647" },
                             uint32 = { "0", "4294967295" },
                             int64 = { "-9223372036854775808",
                                       "9223372036854775807" },
                             uint64 = { "0", "18446744073709551615" } } do
    it("of " .. dtype .. " are exact", function ()
      local a = load(table.concat(range, " "), { dtype = dtype })
      local info = tide.iinfo(dtype)
      assert.equal(dtype, a.dtype)
      assert.same({ { info.min, info.max } }, a:totable())
      for _, text in ipairs{ info.min < 0 and range[1] .. "0" or "-1",
                             range[2] .. "0", ("9"):rep(20),
                             "-" .. ("9"):rep(20) } do
        refused(("line 2, column 1: '%s' is out of range for %s"):format(text,
                dtype), "1\n" .. text, { dtype = dtype, missing = 1 })
      end
      for _, text in ipairs{ "1.5", "1e3", "x", "1.", "inf" } do
        refused("line 1, column 1: '" .. text .. "' is no integer", text,
                { dtype = dtype })
      end
    end)
  end

  it("are bools", function ()
    assert.same({ { true, false, true, false, true, true } },
                rows("true False 1 000 TRUE -20", { dtype = "bool" }))
    refused("line 1, column 2: 'yes' is neither true nor false", "1 yes",
            { dtype = "bool" })
    refused("line 1, column 1: 'truex' is neither", "truex", { dtype = "bool" })
  end)

  for _, dtype in ipairs{ "complex64", "complex128" } do
    it("are of " .. dtype, function ()
      local a = load("1+2j (3-4J) 5 -1.5e1i (2) inf-infj", { dtype = dtype })
      local texts = {}
      for i = 1, 6 do
        local z = a[{ 1, i }]
        texts[i] = ("%g:%g"):format(z.re, z.im)
      end
      assert.equal(dtype, a.dtype)
      assert.equal("1:2 3:-4 5:0 0:-15 2:0 inf:-inf", table.concat(texts, " "))
    end)
  end

  it("that are no complex numbers are refused", function ()
    for _, text in ipairs{ "(1+2j", "1+2", "1+2j3", "j2", "1+2k", "(1", "1+-2j",
                           "()", "j", "1-j" } do
      refused("line 1, column 1: '" .. text ..
              "' is no number", text, { dtype = "complex128" })
    end
  end)
end)

describe("lines and fields", function ()
  it("are apart by blanks, and end in many ways", function ()
    local want = { { 1, 2 }, { 3, 4 } }
    for _, text in ipairs{ "1 2\n3 4", "1 2\n3 4\n", "1 2\r\n3 4\r\n",
                           " 1\t2 \n\n  3  4\n\n", "1 2\r\n3 4\r", "\n1 2\n3 4",
                           "# x\n1 2 # y\n3 4# z", "1 2\n#3\n3 4\n# end",
                           "\xEF\xBB\xBF1 2\n3 4", "1\v2\n3\f4\n", "1 2\n3 4 #",
                           "\r\n \t \n1 2\r\n\r\n3 4" } do
      assert.same(want, rows(text))
    end
  end)

  it("are apart by a character", function ()
    for _, c in ipairs{ ",", ";", "\t", "|", ":", " " } do
      local o = { delimiter = c }
      local text = ("1,2\n3,4\n"):gsub(",", c)
      assert.same({ { 1, 2 }, { 3, 4 } }, rows(text, o))
      assert.same({ { 1, -9 }, { -9, 4 } },
                  rows((("1,\n,4\n"):gsub(",", c)),
                       { delimiter = c, missing = -9 }))
    end
    assert.same({ { 1, 2 }, { 3, 4 } },
                rows(" 1 , 2\t\r\n3 ,4 # x\n", { delimiter = "," }))
    assert.same({ { 7, 7, 7 } }, rows(",,", { delimiter = ",", missing = 7 }))
    assert.same({ { 7, 7 } }, rows("\t", { delimiter = "\t", missing = 7 }))
  end)

  it("may be quoted", function ()
    assert.same({ { 1, 2 }, { 3, 4 } },
                rows('"1"," 2 "\n 3 , "4" \r\n', { delimiter = "," }))
    assert.same({ { 2 } }, rows('"a, # ""b""\",2',
                                { delimiter = ",", usecols = 2 }))
    assert.same({ { 1, 2 } }, rows("'1';'2'", { delimiter = ";", quote = "'" }))
    assert.same({ { 1, 2 } }, rows("'1' '2'", { quote = "'" }))
    refused("line 1, column 1: '\"1\"' is no number", '"1",2',
            { delimiter = ",", quote = false })
    refused("line 1, column 1: '\"1\"' is no number", '"1" 2')
    refused("line 1, column 2: '\"2' is no number", '1,"2\n3,4"',
            { delimiter = "," })
    refused("line 1, column 1: '\"1\"x' is no number", '"1"x,2',
            { delimiter = "," })
    refused("line 1, column 1 is empty", '"",2', { delimiter = "," })
  end)

  it("have comments of several characters, or none", function ()
    assert.same({ { 1, -2 }, { 3, 4 } },
                rows("1 -2 -- x\n--\n3 4--", { comments = "--" }))
    assert.same({ { 1 } }, rows("// a\n1 //2", { comments = "//" }))
    refused("line 1, column 2: '#' is no number", "1 #", { comments = false })
  end)

  it("have a row, a column, one element, or many", function ()
    assert.same({ { 1, 2, 3 } }, rows "1 2 3")
    assert.same({ { 1 }, { 2 }, { 3 } }, rows "1\n2\n3")
    assert.same({ { 1 } }, rows "1")
    local wide = {}
    for i = 1, 50000 do wide[i] = i end
    local text = table.concat(wide, ",")
    local a = load(text .. "\n" .. text, { delimiter = ",", dtype = "int32" })
    assert.same({ 2, 50000 }, a.shape)
    assert.equal(50000 * 50001, a:sum():item())
  end)

  it("are skipped, limited and chosen", function ()
    local text = "# x\n1 2 3\n\n4 5 6\n7 8 9\n"
    assert.same({ { 4, 5, 6 }, { 7, 8, 9 } }, rows(text, { skiprows = 2 }))
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, rows(text, { max_rows = 2 }))
    assert.same({ { 4, 5, 6 } }, rows(text, { skiprows = 3, max_rows = 1 }))
    assert.same({ { 1, 2, 3 } }, rows("1 2 3\nx", { max_rows = 1 }))
    assert.same({ { 2 }, { 5 }, { 8 } }, rows(text, { usecols = 2 }))
    assert.same({ { 3, 1, 3 }, { 6, 4, 6 }, { 9, 7, 9 } },
                rows(text, { usecols = { -1, 1, 3 } }))
    assert.same({ { 1 }, { 4 } }, rows("1 x #\n4 y z", { usecols = { 1 } }))
    refused("it has no rows", text, { skiprows = 9 })
  end)

  it("that cannot be read get a value", function ()
    local text = "1,x\n,4\nn/a,\"\"\n"
    assert.same({ { 1, -1 }, { -1, 4 }, { -1, -1 } },
                rows(text, { delimiter = ",", missing = -1 }))
    local a = rows(text, { delimiter = ",", missing = 0 / 0 })
    assert.is_true(a[1][2] ~= a[1][2])
    assert.same({ { 1, 200 }, { 200, 4 }, { 200, 200 } },
                rows(text, { delimiter = ",", missing = 200, dtype = "uint8" }))
    assert.same({ { true, true } },
                rows("1 x", { missing = true, dtype = "bool" }))
  end)

  it("that are wrong are named", function ()
    refused("line 3 has 1 column, 2 expected", "1 2\n\n3\n4 5 6")
    refused("line 2 has 3 columns, 2 expected", "1 2\n3 4 5")
    refused("line 2 has 2 columns, 1 expected", "1\n3,", { delimiter = "," })
    refused("line 2 has 1 column, at least 2 expected", "1 2\n3",
            { usecols = 2 })
    refused("line 2 has 1 column, 2 expected", "1 2\n3",
            { usecols = { -1, 1 } })
    refused("line 3, column 2: 'abc' is no number", "# 1\n1 2\n3 abc\nx y")
    refused("line 1, column 1: 'x' is no number", "\xEF\xBB\xBFx\n1\n")
    refused("line 2, column 3 is empty; option 'missing'", "1,2,3\n1,2,",
            { delimiter = "," })
    refused("line 1, column 1: '" .. ("x"):rep(40) .. "...' is no",
            ("x"):rep(100000))
    refused("line 1, column 1: '" .. ("ä"):rep(20) .. "...' is no",
            ("ä"):rep(50))
    for _, text in ipairs{ "", "\n", "  \r\n", "# x", "#\n\n" } do
      refused("it has no rows", text)
    end
  end)
end)

describe("columns with names", function ()
  it("come from a header", function ()
    for _, text in ipairs{ "x,y\n1,2\n3,4", "# x,y\r\n1,2\r\n3,4\r\n",
                           '\n"x" , "y" # names\n1,2\n3,4' } do
      local t, names = load(text, { delimiter = ",", names = true })
      assert.same({ "x", "y" }, names)
      assert.same({ 1, 3 }, t.x:totable())
      assert.same({ 2, 4 }, t.y:totable())
      assert.is_nil(next(t, next(t, next(t))))
    end
    local t, names = load("# a b c\n1 2 3", {
      names = true, usecols = { "c", 1 }, dtype = "int32" })
    assert.same({ "c", "a" }, names)
    assert.equal("int32", t.c.dtype)
    assert.same({ { 3 }, { 1 } }, { t.c:totable(), t.a:totable() })
    t, names = load(',"a ""b"", c"\n1,2', { delimiter = ",", names = true })
    assert.same({ "", 'a "b", c' }, names)
    assert.equal(1, t[""][1])
  end)

  it("come from the program", function ()
    local o = { names = { "x", "y" }, usecols = { 3, 1 } }
    local t, names = load("1 2 3\n4 5 6", o)
    assert.same({ "x", "y" }, names)
    assert.are_not.equal(o.names, names)
    assert.same({ { 3, 6 }, { 1, 4 } }, { t.x:totable(), t.y:totable() })
  end)

  it("may have no elements", function ()
    local t, names = load("a b", { names = true, dtype = "float16" })
    assert.same({ "a", "b" }, names)
    assert.same({ 0 }, t.a.shape)
    assert.equal("float16", t.b.dtype)
  end)

  it("that do not fit are refused", function ()
    refused("it has no header", "\n", { names = true })
    refused("two columns have the name 'a'", "a a\n1 2", { names = true })
    refused("line 2 has 3 columns, 2 expected", "a b\n1 2 3", { names = true })
    refused("it has no column 'z'", "a b\n1 2", { names = true, usecols = "z" })
    local comment <const> = "; the header is a comment, the first line that " ..
                            "is not blank (skiprows can skip it)"
    refused("line 2, column 1: 'a' is no number" .. comment,
            "# made today\na b\n1 2", { names = true })
    refused("line 3 has 3 columns, 2 expected" .. comment,
            "# made today\n1 2\n1 2 3", { names = true, missing = 0 })
    local t = load("a a\n1 2", { names = true, usecols = 1 })
    assert.same({ 1 }, t.a:totable())
    badarg(2, "option 'names' has 1 names for 2 columns", load, "1 2",
           { names = { "x" } })
  end)
end)

describe("chunks", function ()
  it("end at every place of a line", function ()
    local body = ("12.5 -7\n"):rep(3 * CHUNK // 8)
    local n = 3 * CHUNK // 8
    for shift = 0, 17 do
      local a = load((" "):rep(shift) .. body)
      assert.equal(n, a.shape[1])
      assert.equal(n * 5.5, a:sum():item())
    end
  end)

  it("end among comments, blank lines, CR LF and quotes", function ()
    local unit = '1,"2"\r\n# a comment, "\n\n \r\n3,4 # x\n'
    local n = 3 * CHUNK // #unit
    for shift = 0, #unit do
      local a = load(("\n"):rep(shift) .. unit:rep(n), { delimiter = "," })
      assert.equal(2 * n, a.shape[1])
      assert.same({ 4 * n, 6 * n }, a:sum(1):totable())
    end
  end)

  it("are smaller than lines", function ()
    local line = ("1 "):rep(3 * CHUNK // 2)
    local a = load((line .. "\n"):rep(5) .. line, { dtype = "int8" })
    assert.same({ 6, 3 * CHUNK // 2 }, a.shape)
    assert.equal(a.size, a:astype("int64"):sum():item())
    assert.same({ { 1, 2 }, { 3, 4 } },
                rows("1 " .. (" "):rep(2 * CHUNK) .. "2\n3 4" ..
                     (" "):rep(CHUNK)))
    assert.equal(1, load("1." .. ("0"):rep(3 * CHUNK))[{ 1, 1 }])
  end)

  it("are in order, over many stretches of work", function ()
    local n, lines = 1 << 20, {}
    for i = 1, n do lines[i] = i .. " " .. -i .. "      " end
    local text = table.concat(lines, "\n")
    assert.is_true(#text > 16 << 20)
    local a = load(text, { dtype = "int64" })
    local want = tide.arange(1, n + 1)
    assert.is_true(tide.array_equal(a[{ {}, 1 }], want))
    assert.is_true(tide.array_equal(a[{ {}, 2 }], -want))
    local t = load(text, { dtype = "int32", names = { "a", "b" } })
    assert.is_true(tide.array_equal(t.b, -want))
    assert.same({ 1000, 2 }, load(text, { max_rows = 1000 }).shape)
    lines[n - 5], lines[n - 9] = "x y", "1"
    refused(("line %d has 1 column, 2 expected"):format(n - 9),
            table.concat(lines, "\n"))
  end)

  it("name the first of many errors", function ()
    local good, bad = ("1 2\n"):rep(CHUNK), ("1 y\n"):rep(2 * CHUNK)
    for k = 0, 3 do
      refused(("line %d, column 2: 'y' is"):format(k * CHUNK + 1),
              good:rep(k) .. bad)
    end
  end)
end)

describe("tide.savetxt", function ()
  it("writes rows", function ()
    assert.equal("1 2.5\n0.1 -1e+300\n",
                 saved(tide.array{ { 1, 2.5 }, { 0.1, -1e300 } }))
    assert.equal("0\n1\n2\n", saved(tide.arange(3)))
    assert.equal("0,3\n1,4\n2,5\n", saved(tide.arange(6):reshape{ 2, 3 }
                                          :transpose(), { delimiter = "," }))
    assert.equal("1\n0\n", saved(tide.array{ true, false }:tohost()))
    assert.equal("18446744073709551615\n",
                 saved(tide.array({ -1 }, "int64"):astype "uint64"))
    assert.equal("1-2j 0.5+0j\n",
                 saved(tide.array({ { tide.complex(1, -2), 0.5 } },
                                  "complex64")))
    assert.equal("nan inf -inf 0 -0\n",
                 saved(tide.array{ { 0 / 0, INF, -INF, 0.0, -0.0 } }))
    assert.equal("", saved(tide.zeros{ 0, 3 }))
  end)

  it("writes remarks", function ()
    local a = tide.ones(1, "int8")
    assert.equal("# a\n# b\n1\n# c\n",
                 saved(a, { header = "a\nb", footer = "c" }))
    assert.equal("1\n", saved(a, { header = "", footer = "" }))
    assert.equal("a,b\n1\n", saved(a, { header = "a,b", comments = "" }))
    assert.equal("%x\n%\n1\n", saved(a, { header = "x\n", comments = "%" }))
  end)

  it("writes formats", function ()
    local a = tide.array{ { 1.25, -2 }, { 0 / 0, 3 } }
    assert.equal("1.250 -2.000\nnan 3.000\n", saved(a, { fmt = "%.3f" }))
    assert.equal("<1.2e+00> -2\n<nan> 3\n",
                 saved(a, { fmt = { "<%.1e>", "%d" } }))
    assert.equal("  -1\n", saved(tide.array({ -1.9 }), { fmt = "%4d" }))
    assert.equal("ff 1\n", saved(tide.array({ { 255, 1 } }, "uint8"),
                                 { fmt = "%x" }))
    assert.equal("1.0e+00-2.0e+00j\n", saved(tide.array({ { re = 1, im = -2 } },
                                             "complex128"), { fmt = "%.1e" }))
    assert.equal("2.00\n", saved(tide.array({ 2 }, "uint64"), { fmt = "%.2f" }))
    fails("nan cannot be written as an integer", saved, a, { fmt = "%d" })
    for _, fmt in ipairs{ "", "x", "%", "%s", "%n", "%*d", "%.500f", "%ld",
                          "%d %d", "%1$d", "%%", ("x"):rep(60) .. "%d",
                          "%d\0" } do
      badarg(3, "option 'fmt' must be a format", saved, a, { fmt = fmt })
    end
    badarg(3, "option 'fmt' has 1 formats for 2 columns", saved, a,
           { fmt = { "%d" } })
  end)

  it("writes the shortest floats that are read back", function ()
    local list = { 0.1, 0.3, 1 / 3, 5e-324, 2.2250738585072014e-308, 1e15, 1e16,
                   123456789012345680, 1.7976931348623157e308, 9007199254740993,
                   1e-5, 1.5e-6, 1e22, 1e23, 2^-1074, 2^1023, 100, 12345.678 }
    for _ = 1, 5000 do
      local x = ("<d"):unpack(("<I8"):pack(random(0)))
      if x == x and x ~= INF and x ~= -INF then list[#list + 1] = x end
    end
    local a = tide.array(list)
    local text = saved(a)
    assert.equal(a:tobytes(), tide.loadtxt(path "b.txt"):tobytes())
    local i = 0
    for line in text:gmatch "[^\n]+" do
      i = i + 1
      local digits = #line:gsub("e.*", ""):gsub("[-.]", ""):gsub("^0+", "")
                          :gsub("0+$", "")
      for n = 1, 17 do
        if tonumber(("%%.%dg"):format(n):format(list[i])) == list[i] then
          assert.is_true(digits <= n, line)
          break
        end
      end
    end
  end)

  for _, dtype in ipairs{ "float16", "bfloat16", "float32", "complex64",
                          "int16", "uint64", "bool", "complex128" } do
    it("writes " .. dtype .. " so that it is read back", function ()
      local bytes, part = {}, dtype:gsub("complex64", "float32")
                                   :gsub("complex128", "float64")
      for i = 1, 48000 do bytes[i] = string.char(random(0, 255)) end
      local a = tide.frombytes(table.concat(bytes), part)
      if part:find "float" then
        a = tide.frombytes(tide.where(a:isfinite(), a, tide.zeros_like(a))
                               :tobytes(), dtype)
      end
      tide.savetxt(path "b.txt", a)
      local b = tide.loadtxt(path "b.txt", { dtype = dtype })
      assert.is_true(tide.array_equal(a, b:reshape(-1)))
    end)
  end

  it("replaces a file at the end, or leaves it", function ()
    write(path "b.txt", "old")
    fails("cannot be written as an integer", tide.savetxt, path "b.txt",
          tide.full(1000000, 0 / 0), { fmt = "%d" })
    assert.equal("old", read(path "b.txt"))
    fails("No such file or directory", tide.savetxt, path "none" .. "/b.txt",
          tide.ones(1))
  end)

  it("writes more than a piece, from either kind of memory", function ()
    local a = tide.arange(1 << 20):reshape{ -1, 4 }
    for _, x in ipairs{ a, a:tohost() } do
      tide.savetxt(path "b.txt", x)
      assert.is_true(tide.array_equal(a, tide.loadtxt(path "b.txt",
                                                      { dtype = "int64" })))
    end
  end)
end)

-- without the libraries that a sanitizer loads into all programs
local NUMPY <const> = "env -u LD_PRELOAD /usr/bin/python3 -W ignore -c '%s' %s"

--- Reads the text with options of np.loadtxt.
local READ <const> = [[
import sys, numpy as np
a = np.loadtxt(sys.argv[1] + "a.txt", ndmin=2, %s)
np.save(sys.argv[1] + "a.npy", a)
]]

describe("NumPy #process", function ()
  it("reads the same from text, and from what is written", function ()
    if not os.execute(NUMPY:format("import numpy", "2>/dev/null")) then
      pending "no NumPy"
    end
    local x = tide.random.normal{ 20, 4 }:totable()
    local texts = { "# c" }
    for i, row in ipairs(x) do
      texts[i + 1] = ("%.17g; %.3e ;%.1f;%d%s"):format(row[1], row[2] * 1e200,
        row[3], row[4] * 1000 // 1, i % 3 == 0 and " # x\r\n" or "")
    end
    for theirs, ours in pairs{
      ["delimiter=\";\""] = { delimiter = ";" },
      ["delimiter=\";\", usecols=(2, -1), skiprows=3, max_rows=5"] =
        { delimiter = ";", usecols = { 3, -1 }, skiprows = 3, max_rows = 5 },
      ["delimiter=\";\", usecols=3, dtype=\"int64\""] =
        { delimiter = ";", usecols = 4, dtype = "int64" } } do
      local a = load(table.concat(texts, "\n"), ours)
      assert(os.execute(NUMPY:format(READ:format(theirs), path "")))
      local b = tide.load(path "a.npy")
      assert.equal(b.dtype, a.dtype)
      assert.is_true(tide.array_equal(a, b))
    end
    for _, dtype in ipairs{ "float64", "float32", "int64", "complex128" } do
      local a = (tide.random.normal{ 30, 3 } * 1000):astype(dtype)
      tide.savetxt(path "a.txt", a, { header = "x" })
      assert(os.execute(NUMPY:format(READ:format("dtype=\"" .. dtype .. "\""),
                                     path "")))
      assert.is_true(tide.array_equal(a, tide.load(path "a.npy")))
    end
  end)
end)

describe("calls", function ()
  it("of files that do not know their size are read", function ()
    local known = io.open "/proc/uptime"
    if not known then return pending "there is no /proc" end
    known:close()
    local x = tide.loadtxt "/proc/uptime"
    assert.same({ 1, 2 }, x.shape)
    assert.is_true(x[{ 1, 1 }] > 0)
  end)

  it("of files that never end, or fail, raise", function ()
    local endless = io.open "/proc/self/pagemap"
    if not endless then return pending "there is no /proc/self/pagemap" end
    endless:close()
    for name, fn in pairs{ load = tide.load, load_image = tide.load_image,
                           loadtxt = tide.loadtxt } do
      fails("tide." .. name .. ": '/proc/self/pagemap' cannot be read: " ..
            "it is larger than 64 MiB and does not say its size",
            fn, "/proc/self/pagemap")
      fails("tide." .. name .. ": '/proc/self/mem': Input/output error",
            fn, "/proc/self/mem")
    end
  end)

  it("with wrong arguments are refused", function ()
    write(path "a.txt", "1 2\n")
    local function wrong (why, options)
      badarg(2, why, tide.loadtxt, path "a.txt", options)
    end
    wrong("unknown option 'skip_header'; did you mean 'skiprows'?",
          { skip_header = 1 })
    wrong("unknown option 'unpack'; transpose the result instead, with a.T",
          { unpack = true })
    wrong("unknown option 'ndmin'; reshape the result instead", { ndmin = 1 })
    wrong("unknown option 'usecol'; did you mean 'usecols'", { usecol = 1 })
    for _, value in ipairs{ "", ",,", "\n", "a", "1", ".", "-", 5, true,
                            "ä" } do
      wrong("option 'delimiter' must be one character", { delimiter = value })
      wrong("option 'quote' must be one character", { quote = value })
    end
    wrong("'quote' and 'delimiter' are the same",
          { quote = ";", delimiter = ";" })
    for _, value in ipairs{ "", " #", "\n", ",#", "#\n", true, 1 } do
      wrong("option 'comments' must be", { comments = value, delimiter = "," })
    end
    wrong("option 'skiprows' must be at least 0", { skiprows = -1 })
    wrong("option 'max_rows' must be at least 1", { max_rows = 0 })
    wrong("option 'skiprows' must be an integer", { skiprows = 1.5 })
    wrong("option 'usecols' has no columns", { usecols = {} })
    for _, value in ipairs{ 0, 1.5, true, { 1, 0 }, { {} } } do
      wrong("option 'usecols' must be", { usecols = value })
    end
    wrong("option 'usecols' has a name, which needs", { usecols = { "x" } })
    wrong("column 3 is out of range, ", { usecols = 3 })
    wrong("column -3 is out of range", { usecols = { -3 } })
    wrong("unknown dtype 'float'", { dtype = "float" })
    wrong("option 'missing': ", { missing = 300, dtype = "uint8" })
    wrong("option 'missing': ", { missing = "x" })
    wrong("option 'names' must be", { names = "x" })
    wrong("option 'names' must be", { names = { 1, 2 } })
    badarg(2, "one or two axes expected, got 0", tide.savetxt, path "b.txt",
           tide.ones{})
    badarg(2, "one or two axes expected, got 3", tide.savetxt, path "b.txt",
           tide.ones{ 1, 1, 1 })
    badarg(3, "option 'header' must be a string", tide.savetxt, path "b.txt",
           tide.ones(1), { header = 1 })
    fails("No such file or directory", tide.loadtxt, path "none")
    fails("is not a regular file", tide.loadtxt, "/dev/zero")
    fails("path expected", tide.loadtxt, "a\0b")
  end)

  it("use the default dtype, and leave their options alone", function ()
    local old <const> = tide.get_default_dtype()
    local o = { usecols = { 2 }, names = { "b" }, missing = 0, dtype = "int8" }
    load("1 2", o)
    assert.same({ usecols = { 2 }, names = { "b" }, missing = 0,
                  dtype = "int8" }, o)
    assert.equal(old, load("1 2").dtype)
    tide.set_default_dtype "float32"
    local ok, dtype = pcall(function () return load("1 2").dtype end)
    tide.set_default_dtype(old)
    assert.is_true(ok)
    assert.equal("float32", dtype)
  end)

  it("work in a capture, which keeps what was read", function ()
    local s, b <const> = tide.Stream(), tide.zeros{ 2, 2 }
    write(path "a.txt", "1 2\n3 4\n")
    local g = s:with(function ()
      return tide.capture(function ()
        b:copy_from(tide.loadtxt(path "a.txt"))
      end)
    end)
    write(path "a.txt", "x")
    g:launch()
    tide.get_current_stream():synchronize()
    assert.same({ { 1, 2 }, { 3, 4 } }, b:totable())
  end)

  it("are kept within the limit of page-locked memory", function ()
    write(path "a.txt", ("1 2\n"):rep(1 << 17))
    helper.limit(1 << 20, "pinned")
    fails("of page-locked memory", tide.loadtxt, path "a.txt")
    tide.memory_limit(0, "pinned")
    assert.equal(1 << 17, tide.loadtxt(path "a.txt").shape[1])
  end)
end)

end)
