--[[
file_spec.lua - tide.File: bytes between files and arrays, whichever way they
go, and what is said where they cannot. In which order: file_order_spec.lua.
#process: see run.lua.
]]
local files = require "spec.support.files"
local helper = require "spec.support.helper"
local tide = require "tide"

local T, fails, badarg = helper.T, helper.fails, helper.badarg
local new = helper.new_stream
local path, contents, noise, eventually =
  files.path, files.contents, files.noise, files.eventually

local KIB <const>, MIB <const> = 1 << 10, 1 << 20

local function bytes_of (n) return tide.empty(n, "uint8") end

local SIZES = { 1, 4095, 4096, 4097, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1,
                MIB, MIB + 1, 2 * MIB + 5, 9 * MIB + 3 }
local OFFSETS = { 0, 1, 511, 4096, 4097, 3 * MIB - 1 }

helper.each_device(function ()

files.each_way(function ()

--{{ contents

describe("what is read", function ()
  it("is what the file has, of any size, from any byte on", function ()
    local text = noise(13 * MIB)
    local f <close> = tide.open(path(text))
    for _, n in ipairs(SIZES) do
      for _, offset in ipairs(OFFSETS) do
        local a = bytes_of(n):fill(7)
        assert.is_true(rawequal(a, f:read(a, offset)))
        assert.equal(offset + n, f.offset)
        assert.is_true(a:tobytes() == text:sub(offset + 1, offset + n),
                       n .. " from " .. offset)
      end
    end
  end)

  it("is of any dtype", function ()
    for _, dtype in ipairs{ "int8", "int16", "int32", "int64", "uint8",
        "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
        "float64", "complex64", "complex128" } do
      local a = tide.arange(100, "int32"):astype(dtype)
      local f <close> = tide.open(path(a:tobytes()))
      assert.is_true(f:read(tide.empty(100, dtype)):tobytes() == a:tobytes())
    end
  end)

  it("is true where a bool's byte is not 0", function ()
    local f <close> = tide.open(path "\0\1\2\255\0")
    assert.same({ false, true, true, true, false },
                f:read(tide.empty(5, "bool")):totable())
    assert.same({ true, true }, f:read(tide.HostArray(2, "bool"), 2):totable())
  end)

  it("fills a HostArray, and views that are one run", function ()
    local text = noise(64 * KIB)
    local f <close> = tide.open(path(text))
    local h = tide.HostArray(64 * KIB, "uint8")
    f:read(h)
    assert.is_true(h:tobytes() == text)
    local a = tide.zeros({ 4, 1000 }, "uint8")
    f:read(a[3], 500)
    f:read(h[{ { 11, 20 } }], 0)
    assert.is_true(a:tobytes() == ("\0"):rep(2000) .. text:sub(501, 1500) ..
                                  ("\0"):rep(1000))
    assert.is_true(h:tobytes() == text:sub(1, 10) .. text:sub(1, 10) ..
                                  text:sub(21))
  end)

  it("goes on where the last one ended", function ()
    local text = noise(3000)
    local f <close> = tide.open(path(text))
    local list = {}
    for i = 1, 3 do list[i] = f:read(bytes_of(1000)):tobytes() end
    assert.is_true(table.concat(list) == text)
    assert.equal(3000, f.offset)
    f:read(bytes_of(10), 5)
    assert.equal(15, f.offset)
  end)

  it("is the same past the system's cache #process", function ()
    local text = noise(5 * MIB + 77)
    local name = path(text)
    local f <close> = tide.open(name)
    local h = tide.HostArray(#text + 8192, "uint8")
    for _, offset in ipairs{ 0, 1, 4096, 70000 } do
      assert(os.execute(("dd of=%s oflag=nocache conv=notrunc,fdatasync " ..
                         "count=0 status=none"):format(name)))
      local n = #text - offset - 5
      local from = (offset - h.ptr) % 4096  -- pages of both begin together
      local view = h[{ { from + 1, from + n } }]
      f:read(view, offset)
      assert.is_true(view:tobytes() == text:sub(offset + 1, offset + n))
    end
  end)

  it("is nothing, of an array without elements", function ()
    local f <close> = tide.open(path "abc")
    f:read(tide.empty(0), 3)
    f:read(tide.HostArray{ 2, 0 })
    fails("asked for 0 bytes from byte 4 on, the file has 3", f.read, f,
          tide.empty(0), 4)
  end)
end)

it("a device without an end has all that is wanted", function ()
  local f <close> = tide.open "/dev/zero"
  local a, b = tide.ones(1000), tide.HostArray(3):fill(1)
  f:read(a)
  f:read(b, 1 << 40)
  assert.equal(0, a:sum():item())
  assert.equal(0, b[1] + b[2] + b[3])
end)

describe("what is written", function ()
  it("is what the array has, of any size, to any byte", function ()
    local a = bytes_of(9 * MIB + 3)
    a:copy_from(noise(9 * MIB + 3))
    local text = a:tobytes()
    for _, n in ipairs(SIZES) do
      for _, offset in ipairs{ 0, 1, 4097 } do
        local name = path()
        local f <close> = tide.open(name, "w")
        assert.is_true(rawequal(f, f:write(a[{ { 1, n } }], offset)))
        assert.equal(offset + n, f.size)
        tide.Stream.null:synchronize()
        assert.is_true(contents(name) == ("\0"):rep(offset) .. text:sub(1, n),
                       n .. " to " .. offset)
      end
    end
  end)

  it("is what the array has at its place in the stream", function ()
    local name = path()
    local f <close> = tide.open(name, "w")
    local a, h = tide.full(1000, 1, "uint8"), tide.HostArray(1000, "uint8")
    f:write(a)
    a:fill(2)
    f:write(a)
    h:copy_from(a)
    f:write(h)
    h:copy_from(a:fill(3))
    f:write(h, 500)
    tide.Stream.null:synchronize()
    assert.is_true(contents(name) == ("\1"):rep(500) .. ("\3"):rep(1000) ..
                   ("\2"):rep(500) .. ("\2"):rep(1000))
  end)

  it("leaves what is behind it, and what is there with r+", function ()
    local name = path "abcdef"
    do
      local f <close> = tide.open(name, "r+")
      f:write(tide.full(2, 120, "uint8"), 1)
      assert.equal(6, f.size)
    end
    tide.Stream.null:synchronize()
    assert.equal("axxdef", contents(name))
  end)
end)

--}}

--{{ errors

describe("errors", function ()
  it("of what is known are raised at once", function ()
    local f <close> = tide.open(path "abcdef")
    local g <close> = tide.open(path(), "w")
    local a = bytes_of(6)
    fails("asked for 6 bytes from byte 1 on, the file has 6", f.read, f, a, 1)
    badarg(3, "offset must not be negative", f.read, f, a, -1)
    fails("file is open for reading only", f.write, f, a)
    fails("file is open for writing only", g.read, g, a)
    badarg(2, "tide.Array or tide.HostArray expected, got number", f.read, f, 5)
    local m = tide.zeros({ 2, 3 }, "uint8")
    for _, x in ipairs{ m.T, m:flip() } do
      badarg(2, "the array is not contiguous in the order of its elements",
             f.read, f, x)
    end
    badarg(2, "the array is not contiguous", g.write, g,
           tide.zeros(12, "uint8")[{ { 1, 12, 2 } }])
    fails("broadcast", f.read, f, tide.zeros(1, "uint8"):broadcast_to(6))
    a:close()
    fails("array is closed", f.read, f, a)
    assert.equal(0, f.offset)
  end)

  it("of opening, too #process", function ()
    fails("tide.open: '/no/such': No such file or directory", tide.open,
          "/no/such")
    fails("tide.open: '/tmp': Is a directory", tide.open, "/tmp")
    fails("tide.open: '/tmp': Is a directory", tide.open, "/tmp", "w")
    local pipe = os.tmpname()
    os.remove(pipe)
    assert(os.execute("mkfifo " .. pipe))
    files.own(pipe)
    fails("is no file that can be read or written at any place", tide.open,
          pipe)
    badarg(2, "'r', 'w' or 'r+'", tide.open, pipe, "a")
    badarg(1, "path expected", tide.open, "a\0b")
  end)

  it("of a full disk come to who waits, with the line of the call", function ()
    local f <close> = tide.open("/dev/full", "w")
    local s <close> = new()
    local line = debug.getinfo(1, "l").currentline + 1
    s:with(function () f:write(tide.ones(10), 80) end)
    fails("/file_spec.lua:" .. line .. ": file:write: '/dev/full': " ..
          "No space left on device, at byte 80", s.synchronize, s)
    s:synchronize()
    assert.equal(0, f.size)
  end)

  for _, host in ipairs{ false, true } do
    it("of a file that got shorter, and zeros for what is not there: " ..
       (host and "HostArray" or "Array"), function ()
      local name, n = path(noise(9 * MIB)), 9 * MIB
      local s <close> = new()
      local f <close> = tide.open(name, "r+")
      local a = host and tide.HostArray(n, "uint8") or bytes_of(n)
      a:fill(9)
      local key = T.hold(s)
      s:with(function () f:write(bytes_of(n), 0) end)  -- no reading ahead
      s:launch_host_func(function ()
        local file <close> = assert(io.open(name, "wb"))
        file:write "12345"
      end)
      s:with(function () f:read(a, 0) end)
      T.release(key)
      fails("file:read: '" .. name .. "': it ended at byte 5, and was " ..
            "longer before", s.synchronize, s)
      assert.is_true(a:tobytes() == "12345" .. ("\0"):rep(n - 5))
      s:synchronize()
    end)
  end

  it("do not keep what comes next on the stream from it", function ()
    local f <close> = tide.open("/dev/full", "w")
    local g <close> = tide.open(path "abc")
    local a = bytes_of(3)
    f:write(tide.ones(10))
    g:read(a)
    fails("No space left", tide.Stream.null.synchronize, tide.Stream.null)
    assert.equal("abc", a:tobytes())
  end)

  it("of captures are raised before the driver hears of it", function ()
    local f <close> = tide.open(path "abc", "r+")
    local a, s <close> = bytes_of(3), new()
    s:begin_capture()
    s:with(function ()
      fails("file:read: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", f.read, f, a)
      fails("file:write: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", f.write, f, a)
      a:add_(1)
    end)
    s:end_capture():close()
    assert.equal("abc", f:read(a, 0):tobytes())
  end)
end)

--}}

end)

--{{ slots

describe("slots", function ()
  files.use_slots(true)

  it("are read ahead of a stream that stands", function ()
    local name, s <close> = path(noise(MIB)), new()
    local f <close> = tide.open(name)
    local a = bytes_of(MIB)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () f:read(a) end)
    eventually(function () return T.ahead(s) == 4 end)
    assert(io.open(name, "wb")):close()  -- it is there no more
    T.release(key)
    s:synchronize()
    assert.is_true(a:tobytes() == noise(MIB))
  end)

  it("are not where a write that was queued before overlaps", function ()
    local f <close> = tide.open(path(noise(MIB)), "r+")
    local s <close> = new()
    local t <close> = new()
    local a, b = bytes_of(100):fill(3), bytes_of(MIB)
    tide.get_device():synchronize()
    local key = T.hold(s)
    s:with(function () f:write(a, 5000) end)
    t:with(function () f:read(b, 0) end)
    helper.spin(20)
    assert.equal(0, T.ahead(t))
    T.release(key)
    assert.is_true(b:tobytes() == noise(MIB):sub(1, 5000) .. ("\3"):rep(100) ..
                                  noise(MIB):sub(5101))
  end)

  it("are few where page-locked memory is limited", function ()
    local text = noise(9 * MIB)
    local name, out = path(text), path()
    helper.limit(200 * KIB, "pinned")
    local f <close> = tide.open(name)
    local g <close> = tide.open(out, "w")
    local a = bytes_of(9 * MIB)
    f:read(a)
    g:write(a)
    tide.get_device():synchronize()
    tide.memory_limit(0, "pinned")
    assert.is_true(contents(out) == text)
    assert.is_true(a:tobytes() == text)
  end)

  it("none: an error with figures, and nothing is queued", function ()
    local f <close> = tide.open(path(noise(MIB)))
    local a = bytes_of(MIB)
    helper.limit(64 * KIB, "pinned")
    fails("of page-locked memory", f.read, f, a)
    tide.memory_limit(0, "pinned")
    assert.is_true(f:read(a):tobytes() == noise(MIB))
  end)

  it("go back when the stream has left them", function ()
    local f <close> = tide.open(path(noise(3 * MIB)))
    f:read(bytes_of(3 * MIB))
    assert.is_true(tide.memory_stats("pinned").live > 0)
    tide.Stream.null:synchronize()
    helper.settle()
    assert.equal(0, tide.memory_stats("pinned").live)
  end)

  it("make a program wait that runs far ahead of its files", function ()
    local f <close> = tide.open(path(noise(100)))
    local a, s <close> = bytes_of(100), new()
    tide.get_device():synchronize()
    local key = T.hold(s)
    tide.sync_debug "error"
    local n = 0
    local ok, err
    repeat
      ok, err = pcall(s.with, s, function () f:read(a, 0) end)
      n = n + 1
    until not ok or n > 1000
    tide.sync_debug "off"
    T.release(key)
    assert.equal(129, n)
    assert.is_truthy(err:find("sync_debug: file:read blocks", 1, true), err)
    s:with(function () f:read(a, 0) end)
    assert.is_true(a:tobytes() == noise(100))
  end)

  -- The stream says when a slot is free again; here that cannot be queued.
  for _, method in ipairs{ "read", "write" } do
    it("come back where calls of the driver fail (#279): " .. method,
       function ()
      local name, s <close> = path(("x"):rep(4096)), new()
      local f <close> = tide.open(name, "r+")
      for _, call in ipairs{ "cuMemcpyAsync", "cuStreamWriteValue32",
                             "cuStreamWaitValue32" } do
        local a = tide.full(4096, 0x79, "uint8")
        tide.get_device():synchronize()
        for _ = 1, 6 do
          T.failcall(1, 999, call)
          local ok, err = pcall(s.with, s, function () f[method](f, a, 0) end)
          local failed = T.failed()
          T.failcall(0)
          assert(ok == (failed == nil), err)
        end
        s:with(function () f[method](f, a, 0) end)
        assert.is_true(s:await(10))
        local byte <const> = method == "read" and "x" or "y"
        assert.equal(byte:byte(), a[1])
        assert.is_true(contents(name) == byte:rep(4096))
      end
    end)
  end

  -- The threads have not been told of the piece.
  it("are waited for by what writes the memory that is copied", function ()
    local s <close> = new()
    local t <close> = new()
    local f <close> = tide.open(path(), "r+")
    local a = tide.full(4096, 0x79, "uint8")
    tide.get_device():synchronize()
    local key = T.hold(s)
    T.failcall(1, 999, "cuStreamWriteValue32")
    local ok = pcall(s.with, s, function () f:write(a) end)
    T.failcall(0)
    t:with(function () a:fill(0) end)
    local early = t:await(0.05)
    T.release(key)
    assert.is_false(ok)
    assert.is_nil(early)
    assert.is_true(t:await(10))
  end)
end)

--}}

--{{ debug_sync

-- Host functions run in the wait behind an operation there.
describe("a transfer under debug_sync", function ()
  files.use_slots(false)
  local name, f, s

  before_each(function ()
    name = path(("x"):rep(4096))
    f, s = tide.open(name), new()
  end)

  after_each(function ()
    tide.debug_sync(false)
    T.slots(false)
    tide.memory_limit(0, "pinned")
    f:close()
    s:close()
  end)

  local function fill (bytes)
    local file <close> = assert(io.open(name, "wb"))
    assert(file:write(("x"):rep(bytes)))
  end

  --- Reads the file on s, which is held until its wait runs a host function:
  -- that empties the file, if told so, and has s capture.
  local function check_capturing (a, empties)
    local other <close> = new()
    local key = T.hold(s)
    other:launch_host_func(function ()
      if empties then fill(0) end
      T.release(key)
      s:begin_capture "relaxed"
    end)
    tide.debug_sync(true)
    local ok, message = pcall(s.with, s, function () f:read(a, 0) end)
    tide.debug_sync(false)
    assert.is_true(s:is_capturing())
    s:end_capture():close()
    assert(ok, message)
  end

  local function no_transfers ()
    collectgarbage()
    tide.get_device():synchronize()
    return T.held().transfers == 0
  end

  it("ends, if its stream captures by then (#276)", function ()
    local a <close> = tide.zeros(4096, "uint8")
    check_capturing(a, false)
    assert.is_true(no_transfers())
    assert.equal(4096 * ("x"):byte(), a:sum():item())
  end)

  -- On a GPU a thread has read it by then, which needs no stream.
  helper.host_it("says what went wrong, if its stream captures by then",
                 function ()
    local a <close> = tide.zeros(4096, "uint8")
    fails("ended at byte 0", check_capturing, a, true)
    assert.is_true(no_transfers())
  end)

  it("ends, if it takes several operations", function ()
    fill(6 * MIB)
    local a <close> = tide.zeros(6 * MIB, "uint8")
    T.slots(true)
    tide.trim()
    tide.memory_limit(256 * KIB, "pinned")
    tide.debug_sync(true)
    f:read(a, 0)
    tide.debug_sync(false)
    assert.is_true(no_transfers())
    assert.equal(6 * MIB * ("x"):byte(), a:sum():item())
  end)
end)

--}}

describe("a file that is a device", function ()
  it("ends where numbers do (#332)", function ()
    local f <close> = tide.open "/dev/zero"
    local a = tide.ones(2)
    fails("file:read: '/dev/zero': no file can be so long: 16 bytes from",
          f.read, f, a, math.maxinteger - 8)
    assert.equal(0, f.offset)
    f:read(a, 1 << 40)
    assert.equal((1 << 40) + 16, f.offset)
    assert.equal(0, a[2])
  end)

  it("says that it has nothing (#332)", function ()
    local f <close> = tide.open "/dev/null"
    local a = tide.ones(2)
    f:read(a)
    fails("No data available, at byte 0", a.item, a:slice(1, 1))
  end)
end)

end)
