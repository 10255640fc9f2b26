--[[
npy_spec.lua - arrays in NumPy's files: what NumPy wrote is read, NumPy reads
what is written, and a file that cannot be used does no harm. spec/npy holds
files by NumPy and what made them.
]]
local tide = require "tide"
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local files = require "spec.support.npy_files"
local numbers = require "spec.support.numbers"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local PIECE = 4 << 20  -- of what tide.save fetches at a time

local path, there, folder = files.path, files.there, files.folder
local read, write, lines = files.read, files.write, files.lines
local forged, DICT = files.forged, files.DICT


local function has (dtype)
  return (pcall(tide.zeros, 1, dtype))
end

local ALL = { "bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
              "uint32", "uint64", "float16", "float32", "float64", "complex64",
              "complex128" }

-- without the libraries that a sanitizer loads into all programs
local NUMPY = "env -u LD_PRELOAD /usr/bin/python3"

--- A test that starts NumPy; pending without NumPy.
local function numpy_it (name, fn)
  it(name .. " #process", function ()
    if not os.execute(NUMPY .. " -c 'import numpy' 2>/dev/null") then
      pending "no NumPy"
    end
    fn()
  end)
end

helper.each_device(function ()

files.around_each()

describe("what NumPy wrote", function ()
  for _, dtype in ipairs(ALL) do
    it("of " .. dtype .. " is read, and written the same", function ()
      local kept = "spec/npy/" .. dtype .. ".npy"
      if not has(dtype) then
        fails("tide has no " .. dtype, tide.load, kept)
        return
      end
      local a = tide.load(kept)
      assert.same({ 2, 3 }, a.shape)
      assert.equal(dtype, a.dtype)
      local wanted = tide.arange(6):reshape{ 2, 3 }:astype(dtype)
      assert.is_true(a:tobytes() == wanted:tobytes())
      tide.save(path "a.npy", a)
      assert.is_true(read(path "a.npy") == read(kept))
    end)
  end

  it("in Fortran's order is put into C's", function ()
    local a = tide.load "spec/npy/fortran.npy"
    assert.same({ 2, 3, 4 }, a.shape)
    assert.is_true(a:tobytes() == tide.arange(24, "int32"):tobytes())
    assert.same({ 0, 1, 2 }, tide.load "spec/npy/fortran-1d.npy":totable())
    a = tide.load "spec/npy/fortran-bytes.npy"
    assert.same({ 4, 6 }, a.shape)
    assert.same({ 18, 19, 20, 21, 22, 23 }, a:totable()[4])
  end)

  it("of no dimensions, of 32, of no elements", function ()
    local a = tide.load "spec/npy/scalar.npy"
    assert.same({}, a.shape)
    assert.equal(2.5, a:item())
    a = tide.load "spec/npy/deep.npy"
    assert.equal(32, a.ndim)
    assert.equal(5, a:item())
    a = tide.load "spec/npy/empty.npy"
    assert.same({ 0, 3 }, a.shape)
    assert.equal("float32", a.dtype)
    for _, name in ipairs{ "scalar", "deep", "empty", "one" } do
      local kept = ("spec/npy/%s.npy"):format(name)
      tide.save(path "a.npy", tide.load(kept))
      assert.is_true(read(path "a.npy") == read(kept))
    end
  end)

  it("in version 2.0", function ()
    assert.same({ 0, 1, 2, 3, 4 }, tide.load "spec/npy/version2.npy":totable())
  end)

  it("that tide has not is refused, with the reason", function ()
    for name, why in pairs{
      ["version3"] = "version 3.0 of the format is neither 1.0 nor 2.0",
      ["big-endian"] = "its int32 are big-endian",
      ["objects"] = "it holds Python objects (dtype '|O')",
      ["unicode"] = "tide has no dtype for NumPy's '<U4'",
      ["bytes"] = "tide has no dtype for NumPy's '|S4'",
      ["times"] = "tide has no dtype for NumPy's '<M8[D]'",
      ["structured"] = "its dtype is structured",
    } do
      local file = ("spec/npy/%s.npy"):format(name)
      fails(("tide.load: '%s' cannot be read: "):format(file) .. why,
            tide.load, file)
    end
  end)

  numpy_it("is what NumPy would write today", function ()
    local place, n = folder(), 0
    assert(os.execute(("%s spec/npy/generate.py %s"):format(NUMPY, place)))
    for _, name in ipairs(lines "cd spec/npy && ls *.npy") do
      n = n + 1
      assert.is_true(read(place .. "/" .. name) == read("spec/npy/" .. name),
                     name)
    end
    assert.is_true(n > #ALL)
  end)

  numpy_it("NumPy reads what tide writes", function ()
    local place, n = folder(), 0
    for _, dtype in ipairs(ALL) do
      for name, shape in pairs{ [""] = {}, ["5"] = { 5 }, ["2x3"] = { 2, 3 },
                                ["0x4"] = { 0, 4 }, ["2x1x3"] = { 2, 1, 3 } } do
        if has(dtype) then
          local size = 1
          for _, k in ipairs(shape) do size = size * k end
          n = n + 1
          tide.save(("%s/%s.%s.npy"):format(place, dtype, name),
                    tide.arange(1, size + 1):astype(dtype):reshape(shape))
        end
      end
    end
    local printed = lines(("%s spec/npy/check.py %s 2>&1"):format(NUMPY,
                                                                 place))
    assert.equal(tostring(n), printed[1])
  end)
end)

describe("save and load", function ()
  it("keep every element of every dtype", function ()
    helper.fails("NumPy has no dtype bfloat16", tide.save, path "a.npy",
                 tide.ones(2, "bfloat16"))
    for _, dtype in ipairs(numbers.dtypes) do
      if dtype == "bfloat16" then goto continue end
      local a = helper.array(numbers.edges(dtype), dtype)
      tide.save(path "a.npy", a)
      local b = tide.load(path "a.npy")
      assert.equal(dtype, b.dtype)
      assert.is_true(a:tobytes() == b:tobytes())
      tide.save(path "a.npy", a:tohost())
      assert.is_true(tide.load(path "a.npy"):tobytes() == a:tobytes())
      ::continue::
    end
    for _, dtype in ipairs(numbers.complex) do
      local a = tide.full(3, tide.complex(1, -2), dtype)
      tide.save(path "a.npy", a)
      local b = tide.load(path "a.npy")
      assert.equal(dtype, b.dtype)
      assert.is_true(a:tobytes() == b:tobytes())
    end
  end)

  it("of more than goes at a time", function ()
    for _, n in ipairs{ PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 5 } do
      local a <close> = tide.arange(n):astype "uint8"
      tide.save(path "a.npy", a)
      local b <close> = tide.load(path "a.npy")
      assert.is_true(a:tobytes() == b:tobytes())
    end
    assert.equal(0, tide.memory_stats "pinned".live)
  end)

  it("take and give part of an array", function ()
    local a = tide.arange(10)
    tide.save(path "a.npy", a:slice(4, 6))
    assert.same({ 3, 4, 5 }, tide.load(path "a.npy"):totable())
    tide.save(path "a.npy", a:tohost()[{ { 2, 3 } }])
    assert.same({ 1, 2 }, tide.load(path "a.npy"):totable())
  end)

  it("know views with gaps, forwards and backwards", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    for _, x in ipairs{ a, a:tohost() } do
      local view = x[{ {}, { 1, -1, 2 }, { 4, 1, -1 } }]
      tide.save(path "a.npy", view)
      assert.same(view:totable(), tide.load(path "a.npy"):totable())
    end
    tide.save(path "a.npy", a.T)
    assert.same(a.T:totable(), tide.load(path "a.npy"):totable())
  end)

  it("wait for what is queued, on the current stream", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros(1000)
    s:with(function ()
      a:fill(3)
      tide.save(path "a.npy", a)
      local b = tide.load(path "a.npy")
      assert.equal(3000, b:sum():item())
    end)
  end)

  it("make bools of any bytes", function ()
    local b = tide.load(forged(DICT:format("|b1", "False", "(4,)"),
                               "\0\1\2\255"))
    assert.is_true(b:tobytes() == "\0\1\1\1")
  end)

  it("run host functions meanwhile #process", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a, ran = tide.ones(PIECE, "uint8"), false
    s:launch_host_func(function () ran = true end)
    s:with(function () tide.save(path "a.npy", a) end)
    assert.is_true(ran)
    s:launch_host_func(function () error("neap", 0) end)
    s:with(function () fails("neap", tide.save, path "b.npy", a) end)
    assert.equal("a.npy", there())
  end)
end)

describe("save", function ()
  it("replaces a file, with its permissions #process", function ()
    local name = path "a.npy"
    write(name, "what was there")
    os.execute("chmod 640 " .. name)
    local before = lines("stat -c %a " .. name)[1]
    tide.save(name, tide.ones(3))
    assert.equal(before, lines("stat -c %a " .. name)[1])
    assert.equal("a.npy", there())
    assert(os.execute(("ln -s %s %s"):format(name, path "link")))
    tide.save(path "link", tide.ones(4))
    assert.equal(4, tide.load(name).size)
    assert.equal("symbolic link", lines("stat -c %F " .. path "link")[1])
    assert.equal("a.npy link", there())
  end)

  it("keeps owner and group, where the writer may #process", function ()
    local place <const> = folder()
    local name <const> = place .. "/a.npy"
    local function told () return lines("stat -c %u:%g:%a " .. name)[1] end
    local is_root <const> = lines("id -u")[1] == "0"
    write(name, "what was there")
    if is_root then os.execute("chown 65534:65533 " .. name) end
    os.execute("chmod 640 " .. name)
    local before <const> = told()
    tide.save(name, tide.ones(3))
    assert.equal(before, told())
    if not is_root then return end
    local code <const> = "local t = require 'tide' t.save(%q, t.ones(2))"
    assert(os.execute(("chmod 777 %s; setpriv --reuid=1 --regid=1 " ..
      "--clear-groups env TIDE_DEVICE=host %s %s -e %s"):format(place,
      child.paths(), child.lua, child.quote(code:format(name)))))
    assert.equal("1:1:600", told())
  end)

  it("follows links, also to nowhere, but not in circles #process", function ()
    for name, to in pairs{ link = "new.npy", further = "link", a = "b",
                           b = "a" } do
      to = path(to):match "[^/]+$"
      assert(os.execute(("ln -s %s %s"):format(to, path(name))))
    end
    tide.save(path "further", tide.ones(4))
    assert.equal(4, tide.load(path "new.npy").size)
    assert.equal("symbolic link", lines("stat -c %F " .. path "link")[1])
    assert.equal("symbolic link", lines("stat -c %F " .. path "further")[1])
    fails(path "a", tide.save, path "a", tide.ones(1))
    fails("symbolic links", tide.save, path "a", tide.ones(1))
    for _, name in ipairs{ "link", "further", "a", "b", "new.npy" } do
      os.remove(path(name))
    end
    assert.equal("", there())
  end)

  it("takes names as long as the system does", function ()
    local name = path ""
    name = name .. ("n"):rep(255 - #name:match "[^/]+$")
    tide.save(name, tide.ones(4))
    assert.equal(4, tide.load(name).size)
    os.remove(name)
    fails("too long", tide.save, name .. "n", tide.ones(1))
  end)

  it("that fails leaves what was there #process", function ()
    local name = path "a.npy"
    write(name, "what was there")
    local a = tide.ones(3 * PIECE, "uint8")
    for _, call in ipairs{ "cuMemcpyAsync", "cuEventRecord", "cuCtxSetCurrent",
                           "cuMemHostAlloc" } do
      tide.get_device():synchronize()
      tide.trim()
      T.failcall(1, 999, call)
      fails("999", tide.save, name, a)
      assert.equal("what was there", read(name))
      assert.equal("a.npy", there())
    end
    local s <close> = tide.Stream{ non_blocking = true }
    s:launch_host_func(function () a:close() end)
    s:with(function ()
      fails("array is closed", tide.save, name, a)
    end)
    assert.equal("what was there", read(name))
    assert.equal("a.npy", there())
  end)

  it("wants a place and an array #process", function ()
    local a = tide.ones(3)
    badarg(1, "string expected, got number", tide.save, 1, a)
    badarg(1, "path expected", tide.save, "", a)
    badarg(2, "tide.Array or tide.HostArray expected, got nil", tide.save,
           path "a.npy", nil)
    badarg(2, "tide.Array or tide.HostArray expected, got table", tide.save,
           path "a.npy", { 1 })
    fails("tide.save: 'no/such/a.npy': No such file", tide.save,
          "no/such/a.npy", a)
    fails("tide.save: '/dev/null' is not a regular file", tide.save,
          "/dev/null", a)
    fails("is not a regular file", tide.save, "/tmp", a)
    local closed = tide.ones(3)
    closed:close()
    badarg(2, "array is closed", tide.save, path "a.npy", closed)
    assert.equal("", there())
  end)

  it("is refused in a capture before there is a file #process", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a = tide.ones(3)
    s:begin_capture()
    s:with(function ()
      fails("tide.save: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", tide.save,
            path "a.npy", a)
    end)
    s:end_capture():close()
    assert.equal("", there())
  end)
end)

end)
