--[[
npyheader_spec.lua - tide.load of files that are not quite NumPy's: headers that
others write, what is corrupt, truncated or damaged, what is no file.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local files = require "spec.support.npy_files"
local fails, badarg = helper.fails, helper.badarg
local path, forged, DICT = files.path, files.forged, files.DICT
local read, write = files.read, files.write

helper.each_device(function ()

files.around_each()

describe("load", function ()
  it("reads headers that others write", function ()
    local data = string.pack("<i4i4", 7, 8)
    for _, text in ipairs{
      DICT:format("<i4", "False", "(2,)"),
      "{'shape':(2L,),\"fortran_order\":True,'descr':'=i4'}",
      "{ 'descr' : \"<i4\" , 'fortran_order':False,\t'shape':( 2 ,)}",
      "  {'descr': '|i4', 'shape': (1, 2), 'fortran_order': False}  ",
      "{'descr': '<i4', 'shape': (1, 2,), 'fortran_order': False}\n",
    } do
      assert.equal(15, tide.load(forged(text, data .. "more")):sum():item())
    end
    local a = tide.load(forged(DICT:format(">u1", "False", "()"), "\5"))
    assert.equal(5, a:item())
  end)

  it("refuses what is corrupt", function ()
    local function bad (why, text, data, version)
      fails(why, tide.load, forged(text, data, version))
    end
    local data = ("x"):rep(64)
    for _, shape in ipairs{ "(2", "2", "(2)", "(2;)", "(,)", "(-1,)", "(2, x)",
                            "[2]", "(2.0,)", "('2',)", "(9999999999999999999,)",
                            "None" } do
      bad("corrupt: its header has no 'shape'",
          DICT:format("<i4", "False", shape), data)
    end
    bad("it has more than 32 dimensions",
        DICT:format("<i4", "False", "(" .. ("1, "):rep(33) .. ")"), data)
    for _, order in ipairs{ "0", "false", "None", "" } do
      bad("corrupt: its header has no 'fortran_order'",
          DICT:format("<i4", order, "(2,)"), data)
    end
    for _, text in ipairs{ "", "{", "}", "{}", "x", "{'descr': '<i4'}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}}",
        "{'descr': '<i4' 'fortran_order': False, 'shape': (2,)}",
        "{'descr' '<i4', 'fortran_order': False, 'shape': (2,)}",
        "'descr': '<i4', 'fortran_order': False, 'shape': (2,)}",
        DICT:format("<i4", "False", "(2,)") .. "x" } do
      bad("corrupt: its header is not what NumPy writes", text, data)
    end
    bad("corrupt: 'x' in its header", "{'x': 1}", data)
    bad("corrupt: 'shape' in its header", "{'shape': (1,), 'shape': (1,)}")
    bad("corrupt: its header has no 'descr'",
        "{'descr': <i4, 'shape': (1,), 'fortran_order': False}", data)
    bad("corrupt: its header has no 'descr'",
        DICT:format(("x"):rep(100), "False", "(2,)"), data)
    for _, descr in ipairs{ "", "<", "i4", "<i3", "!i4", "<i44", "<f1",
                            "V8" } do
      bad(("tide has no dtype for NumPy's '%s'"):format(descr),
          DICT:format(descr, "False", "(2,)"), data)
    end
    bad("version 4.0", DICT:format("<i4", "False", "(2,)"), data, "\4\0")
    bad("version 1.1", DICT:format("<i4", "False", "(2,)"), data, "\1\1")
  end)

  it("refuses what is truncated, wherever", function ()
    local whole = read "spec/npy/int32.npy"
    for n = 0, #whole - 1 do
      write(path "a.npy", whole:sub(1, n))
      local err = fails("cannot be read: ", tide.load, path "a.npy")
      assert.is_true(err:find(n < 6 and "does not begin as" or "truncated") ~=
                     nil, err)
    end
    fails("truncated: it has 8 bytes of data, of the 9223372036854775807",
          tide.load, forged(DICT:format("|u1", "False",
                                        "(9223372036854775807,)"), "12345678"))
    fails("truncated: it has 8 bytes", tide.load,
          forged(DICT:format("<i8", "False", "(4294967296, 4294967296)"),
                 "12345678"))
    write(path "b.npy", "\x93NUMPY\2\0\255\255\255\255" .. ("x"):rep(100))
    fails("corrupt: its header would have 4294967295 bytes", tide.load,
          path "b.npy")
  end)

  it("survives any damage", function ()
    local whole, pick = read "spec/npy/fortran.npy", helper.generator(2024)
    for _ = 1, 2000 do
      local at, byte = pick(#whole), string.char(pick(256) - 1)
      write(path "a.npy", whole:sub(1, at - 1) .. byte .. whole:sub(at + 1))
      local ok, a = pcall(tide.load, path "a.npy")
      if ok then
        a:close()
      else
        assert.is_true(a:find("cannot be read: ", 1, true) ~= nil, a)
      end
    end
  end)

  it("wants a file", function ()
    badarg(1, "string expected, got no value", tide.load)
    badarg(1, "string expected, got table", tide.load, {})
    badarg(1, "path expected", tide.load, "")
    badarg(1, "path expected", tide.load, "a\0b")
    fails("tide.load: 'no/such.npy': No such file", tide.load, "no/such.npy")
    for _, bad in ipairs{ "/tmp", "/dev/null" } do
      fails(("tide.load: '%s' is not a regular file"):format(bad), tide.load,
            bad)
    end
  end)

  it("does not wait for somebody to write #process", function ()
    assert(os.execute("mkfifo " .. path "fifo"))
    fails("is not a regular file", tide.load, path "fifo")
  end)

  it("part of a capture keeps what it read", function ()
    tide.save(path "a.npy", tide.arange(100000))
    local a = tide.zeros(100000, "int64")
    local g <close> = tide.capture(function ()
      a:copy_from(tide.load(path "a.npy"))
    end)
    os.remove(path "a.npy")
    g:launch()
    assert.equal(99999, a[100000])
  end)
end)

end)
