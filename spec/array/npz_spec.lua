--[[
npz_spec.lua - archives of arrays: what NumPy wrote is read, NumPy reads what is
written, and an archive that cannot be used does no harm. spec/npy holds
archives by NumPy and what made them.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local files = require "spec.support.npy_files"
local T, fails, badarg = helper.T, helper.fails, helper.badarg

local path, there, folder = files.path, files.there, files.folder
local read, write, lines = files.read, files.write, files.lines

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

--- The arrays of spec/npy/stored.npz.
local function kept ()
  return {
    grid = tide.arange(6):reshape{ 2, 3 }, scalar = tide.full({}, 2.5),
    ["folder/x"] = tide.arange(3):astype "float32",
    empty = tide.zeros({ 0, 3 }, "float32"),
    ["tide.npy"] = tide.array{ true, false },
    ["flut-ä"] = tide.arange(4):astype "uint8",
    fortran = tide.arange(24):astype "int32":reshape{ 4, 6 },
  }
end

local function check_same (wanted, t)
  for name, a in pairs(wanted) do
    assert.truthy(t[name], name)
    assert.equal(a.dtype, t[name].dtype)
    assert.same(a.shape, t[name].shape)
    assert.is_true(a:tobytes() == t[name]:tobytes(), name)
  end
  for name in pairs(t) do assert.truthy(wanted[name], name) end
end

--{{ archives that are forged

--- The CRC-32 of a text, bit by bit.
local function crc32 (text)
  local crc = 0xFFFFFFFF
  for i = 1, #text do
    crc = crc ~ text:byte(i)
    for _ = 1, 8 do crc = crc >> 1 ~ (0xEDB88320 & -(crc & 1)) end
  end
  return ~crc & 0xFFFFFFFF
end

local U64 = 0xFFFFFFFF

--- An entry for a member, or its local header, with numbers of 64 bits if there
-- is an extra field.
local function header (m, at)
  local numbers = m.extra and { U64, U64, U64 } or
                  { m.packed or #m.data, m.bytes or #m.data, at or 0 }
  local common = ("<I2I2I2I4I4I4I4I2I2"):pack(20, m.flags or 0, m.method or 0,
    0, m.crc or crc32(m.data), numbers[1], numbers[2], #m.name,
    m.extra and #m.extra or 0)
  if not at then return "PK\3\4" .. common .. m.name .. (m.extra or "") end
  return "PK\1\2" .. ("<I2"):pack(20) .. common ..
         ("<I2I2I2I4I4"):pack(0, 0, 0, 0, numbers[3]) .. m.name ..
         (m.extra or "")
end

--- Writes an archive of members { name =, data =, ... } with a comment; returns
-- its path.
local function forge (members, comment)
  local parts, directory, at = {}, {}, 0
  for i, m in ipairs(members) do
    if m.large then
      m.extra = ("<I2I2I4I2I2I8I8I8"):pack(9, 4, 7, 1, 24, #m.data, #m.data, at)
    end
    parts[i] = header(m) .. m.data
    directory[i] = header(m, m.at or at)
    at = at + #parts[i]
  end
  local list = table.concat(directory)
  write(path "a.npz", table.concat(parts) .. list .. "PK\5\6" ..
        ("<I2I2I2I2I4I4s2"):pack(0, 0, #members, #members, #list, at,
                                 comment or ""))
  return path "a.npz"
end

--- The bytes of an .npy file.
local function npy (a)
  tide.save(path "a.npy", a)
  return read(path "a.npy")
end

--}}

helper.each_device(function ()

files.around_each()

describe("an archive that NumPy wrote", function ()
  for _, name in ipairs{ "stored", "deflated" } do
    it("is read: " .. name, function ()
      local file = ("spec/npy/%s.npz"):format(name)
      local wanted = kept()
      check_same(wanted, tide.load(file))
      for key, a in pairs(wanted) do
        check_same({ a }, { tide.load(file, key) })
      end
      T.slots(true)
      local ok, why = pcall(check_same, wanted, tide.load(file))
      T.slots(false)
      assert(ok, why)
    end)
  end

  it("may have no arrays", function ()
    assert.is_nil(next(tide.load "spec/npy/none.npz"))
  end)

  it("is written the same", function ()
    tide.save(path "a.npz", kept())
    local bytes = read(path "a.npz")
    assert.equal(#read "spec/npy/stored.npz", #bytes)
    local t = kept()
    t.fortran = nil
    tide.save(path "a.npz", t)
    tide.save(path "none.npz", {})
    assert.is_true(read "spec/npy/none.npz" == read(path "none.npz"))
    local first = read(path "a.npz")
    tide.save(path "a.npz", t)
    assert.is_true(first == read(path "a.npz"))
  end)

  it("prints its arrays' names", function ()
    tide.save(path "a.npz", { x = tide.ones(1) })
    assert.equal("{x=" .. tostring(tide.ones(1)) .. "}",
                 tostring(tide.load(path "a.npz")))
  end)

  it("that tide has not is refused, array by array", function ()
    local file = "spec/npy/objects.npz"
    assert.same({ 1, 1 }, tide.load(file, "good"):totable())
    local why = "tide.load: 'spec/npy/objects.npz', array 'bad' cannot be " ..
                "read: it holds Python objects (dtype '|O')"
    fails(why, tide.load, file, "bad")
    fails(why, tide.load, file)
    fails("'spec/npy/other.npz', array 'x' cannot be read: it is compressed " ..
          "by another method than zlib's", tide.load, "spec/npy/other.npz")
  end)

  numpy_it("is what NumPy would write today", function ()
    local place = folder()
    assert(os.execute(("%s spec/npy/generate.py %s"):format(NUMPY, place)))
    for _, name in ipairs{ "stored", "none", "objects" } do
      name = name .. ".npz"
      assert.is_true(read(place .. "/" .. name) == read("spec/npy/" .. name),
                     name)
    end
  end)

  numpy_it("NumPy reads what tide writes", function ()
    local place = folder()
    local t = kept()
    t.large = tide.random.uniform(0, 1, { 1 << 20 })
    t.noise = tide.random.randint(0, 255, { 1 << 20 }, "uint8")
    tide.save(place .. "/plain.npz", t)
    tide.save(place .. "/packed.npz", t, { compressed = true })
    T.zip64(100)
    local ok, why = pcall(tide.save, place .. "/zip64.npz", t)
    T.zip64()
    assert(ok, why)
    for name, a in pairs(t) do
      tide.save(("%s/%s.npy"):format(place, name:gsub("/", "-")), a)
    end
    for _, name in ipairs{ "plain", "packed", "zip64" } do
      local file = ("%s/%s.npz"):format(place, name)
      check_same(t, tide.load(file))
      local n = lines(("%s spec/npy/check_archive.py %s 2>&1"):format(NUMPY,
                                                                  file))
      assert.equal("9", n[1])
    end
  end)
end)

describe("save and load", function ()
  it("keep arrays of every dtype and size, in any layout", function ()
    local t = {}
    for _, dtype in ipairs{ "bool", "int8", "uint16", "float16", "float64",
                            "complex64" } do
      for _, n in ipairs{ 0, 1, 15, 16, 17, 70000, 300001 } do
        t[dtype .. n] = tide.arange(n):astype(dtype)
      end
    end
    t.turned = tide.arange(24):reshape{ 4, 6 }.T
    t.host = tide.arange(5):tohost()
    t.gaps = tide.arange(10):tohost()[{ { 1, 9, 2 } }]
    for _, compressed in ipairs{ true, false } do
      tide.save(path "a.npz", t, { compressed = compressed })
      for _, slots in ipairs{ true, false } do
        T.slots(slots)
        local ok, why = pcall(check_same, t, tide.load(path "a.npz"))
        T.slots(false)
        assert(ok, why)
      end
    end
  end)

  it("of more than goes at a time", function ()
    local n = (3 * 4 << 20) + 5
    local t = { tide.arange(n):astype "uint8" }
    t = { a = t[1], b = tide.ones(n, "uint8") }
    tide.save(path "a.npz", t, { compressed = true })
    assert.is_true(#read(path "a.npz") < n // 10)
    check_same(t, tide.load(path "a.npz"))
    assert.equal(0, tide.memory_stats "pinned".live)
  end)

  it("inflate again what an upload begins again", function ()
    local t = { a = tide.arange(1 << 20) }  -- 8 MiB: four slots
    tide.save(path "a.npz", t, { compressed = true })
    for _, call in ipairs{ "cuMemHostAlloc", "cuMemcpyAsync",
                           "cuEventRecord" } do
      for i = 1, 4 do
        tide.get_device():synchronize()
        tide.trim()
        T.slots(true)
        T.failcall(i, 2, call)
        local ok, b = pcall(tide.load, path "a.npz", "a")
        T.failcall(0)
        T.slots(false)
        if ok then check_same(t, { a = b }) end
        assert.truthy(ok or b:find "OUT_OF_MEMORY" or b:find "memory", b)
      end
    end
  end)

  it("work in captures: the graph keeps the arrays", function ()
    for _, compressed in ipairs{ true, false } do
      local s <close> = tide.Stream{ non_blocking = true }
      tide.save(path "a.npz", { x = tide.arange(100000) },
                { compressed = compressed })
      s:begin_capture()
      local x = s:with(function () return tide.load(path "a.npz").x end)
      local g <close> = s:end_capture()
      os.remove(path "a.npz")
      g:launch(s)
      s:synchronize()
      assert.equal(99999, x[100000])
    end
  end)
end)

describe("load", function ()
  it("names what is wrong with a file", function ()
    local data = npy(tide.arange(3))
    local function refused (why, members, comment)
      local file = forge(members, comment)
      fails("tide.load: '" .. file .. "'" .. why, tide.load, file)
    end
    local wrong = "', array 'x' cannot be read: "
    wrong = wrong:sub(2)
    refused(wrong .. "it is encrypted", { { name = "x", data = data,
                                            flags = 1 } })
    refused(wrong .. "it is compressed by another method",
            { { name = "x", data = data, method = 14 } })
    refused(wrong .. "corrupt: its CRC-32 is wrong",
            { { name = "x", data = data, crc = 5 } })
    refused(wrong .. "corrupt: its compressed data is not valid",
            { { name = "x", data = data, method = 8 } })
    refused(wrong .. "corrupt: its place in the zip file",
            { { name = "x", data = data, packed = 5 } })
    refused(wrong .. "corrupt: its place in the zip file",
            { { name = "x", data = data, at = 3 } })
    refused(wrong .. "corrupt: its place in the zip file",
            { { name = "x", data = data, at = 1 << 30 } })
    refused(wrong .. "corrupt: its place in the zip file",
            { { name = "x", data = data, method = 8, bytes = 1 << 30 } })
    refused(wrong .. "corrupt: bytes follow its data",
            { { name = "x", data = data .. "more" } })
    refused(wrong .. "truncated: it has 23 bytes of data, of the 24",
            { { name = "x", data = data:sub(1, -2) } })
    refused(wrong .. "truncated: its header is not complete",
            { { name = "x", data = data:sub(1, 50) } })
    refused(wrong .. "it does not begin as an .npy file does",
            { { name = "x", data = "" } })
    refused(" cannot be read: two arrays have the name 'x'",
            { { name = "x", data = data }, { name = "x.npy", data = data } })
  end)

  it("knows comments, folders, and numbers of 64 bits", function ()
    local data = npy(tide.arange(3))
    local file = forge({ { name = "d/", data = "" },
                         { name = "d/x.npy", data = data },
                         { name = "y", data = data, large = true } },
                       ("PK\5\6"):rep(10))
    local t = tide.load(file)
    check_same({ ["d/x"] = tide.arange(3), y = tide.arange(3) }, t)
    local bytes = read(file)
    local at = bytes:find("PK\5\6", 1, true)
    local members, size, place = ("<I2I4I4"):unpack(bytes, at + 10)
    local end64 = "PK\6\6" .. ("<I8I2I2I4I4I8I8I8I8"):pack(44, 45, 45, 0, 0,
      members, members, size, place) .. "PK\6\7" .. ("<I4I8I4"):pack(0, at - 1,
      1)
    write(file, bytes:sub(1, at - 1) .. end64 .. "PK\5\6" ..
          ("<I2I2I2I2I4I4I2"):pack(0, 0, 0xFFFF, 0xFFFF, U64, U64, 0))
    check_same(t, tide.load(file))
  end)

  it("refuses a file that is cut off anywhere", function ()
    local bytes, n = read "spec/npy/deflated.npz", 0
    for k = 4, #bytes - 1, 7 do
      write(path "a.npz", bytes:sub(1, k))
      fails("tide.load: '" .. path "a.npz" .. "' cannot be read: truncated: " ..
            "the end of its zip file is missing", tide.load, path "a.npz")
      n = n + 1
    end
    assert.is_true(n > 100)
  end)

  it("refuses a file with any byte wrong, or loads it", function ()
    for _, name in ipairs{ "stored", "deflated" } do
      local bytes = read(("spec/npy/%s.npz"):format(name))
      local pick, refused = helper.generator(3), 0
      for _ = 1, 400 do
        local at = pick(#bytes)
        write(path "a.npz", bytes:sub(1, at - 1) ..
              string.char(bytes:byte(at) ~ 1 << pick(8) - 1) ..
              bytes:sub(at + 1))
        local ok, why = pcall(tide.load, path "a.npz")
        if not ok then
          refused = refused + 1
          assert.truthy(why:find("tide.load", 1, true), why)
        end
      end
      assert.is_true(refused > 150, refused)
    end
  end)

  it("wants the name of an array", function ()
    local file = "spec/npy/stored.npz"
    badarg(2, "'spec/npy/stored.npz' has no array 'tide'", tide.load, file,
           "tide")
    badarg(2, "string expected, got number", tide.load, file, 1)
    badarg(2, "'spec/npy/int8.npy' is no archive", tide.load,
           "spec/npy/int8.npy", "x")
  end)
end)

describe("save", function ()
  it("wants a table of arrays with names", function ()
    local file, a = path "a.npz", tide.ones(1)
    badarg(2, "table expected, got tide.Array", tide.save, file, a)
    badarg(2, "tide.Array or tide.HostArray expected, got table", tide.save,
           path "a.npy", { x = a })
    badarg(3, "only an archive, with a path that ends in .npz, is compressed",
           tide.save, path "a.npy", a, { compressed = true })
    badarg(2, "the names of arrays must be strings, got a number", tide.save,
           file, { a })
    badarg(2, "array 'x': tide.Array or tide.HostArray expected, got number",
           tide.save, file, { x = 1 })
    badarg(2, "'a' cannot name an array: it has a zero byte", tide.save, file,
           { ["a\0b"] = a })
    badarg(2, "cannot name an array: it is too long", tide.save, file,
           { [("a"):rep(65532)] = a })
    for _, name in ipairs{ "\xFF", "\xC0\x80", "\xED\xA0\x80", "\xE4",
                           "\xF4\x90\x80\x80", "\x80" } do
      badarg(2, "cannot name an array: it is not UTF-8", tide.save, file,
             { [name] = a })
    end
    badarg(2, ("'%s', array 'x': NumPy has no dtype bfloat16"):format(file),
           tide.save, file, { x = tide.ones(1, "bfloat16") })
    badarg(3, "unknown option 'compress'; did you mean 'compressed'?",
           tide.save, file, { x = a }, { compress = true })
    a:close()
    badarg(2, "array 'x' is closed", tide.save, file, { x = a })
    assert.is_nil(io.open(file))
  end)

  it("that fails leaves what was there #process", function ()
    write(path "a.npz", "what was there")
    local t = { x = tide.ones(3 << 22, "uint8"), y = tide.ones(2) }
    for _, compressed in ipairs{ true, false } do
      for _, call in ipairs{ "cuMemcpyAsync", "cuMemHostAlloc" } do
        tide.get_device():synchronize()
        tide.trim()
        T.failcall(1, 999, call)
        fails("999", tide.save, path "a.npz", t, { compressed = compressed })
        assert.equal("what was there", read(path "a.npz"))
        assert.equal("a.npz", there())
      end
    end
  end)
end)

end)

describe("archives without zlib #process", function ()
  it("are stored; of deflated ones it is said what is missing", function ()
    local printed = helper.child([[
      local tide = require "tide"
      local path = os.tmpname()
      local name, t = path .. ".npz", { x = tide.ones(2) }
      os.remove(path)
      tide.save(name, t)
      print(tide.load(name).x.size)
      os.remove(name)
      print(pcall(tide.save, name, t, { compressed = true }))
      print(io.open(name))
      print(pcall(tide.load, "spec/npy/deflated.npz", "grid"))
    ]], { TIDE_DEVICE = "host", TIDE_LIBZ = "/no/libz.so" })
    assert.truthy(printed:find "^2\n")
    local _, n = printed:gsub("zlib cannot be loaded " ..
                              "%(Debian has it as zlib1g%)", "")
    assert.equal(2, n, printed)
    assert.truthy(printed:find "'spec/npy/deflated.npz', array 'grid' cannot")
    assert.truthy(printed:find "\nnil")
  end)
end)
