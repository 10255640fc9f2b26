--[[
dlpack_spec.lua - arrays handed over and taken in: in Lua on each device, with
NumPy, CuPy and PyTorch through Python's C API (spec/numpy/dlpack.py,
dlpack_gpu.py), from C in interop_spec.lua.
]]
local helper = require "spec.support.helper"
local tide = require "tide"

local fails = helper.fails

local LUA = "liblua5.4.so.0"
local DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 " ..
  "float16 bfloat16 float32 float64 complex64 complex128"

helper.each_device(function (kind)

describe("to_dlpack and from_dlpack", function ()
  it("share memory, strides and all", function ()
    local a = tide.arange(24):reshape(2, 3, 4)
    local b = tide.from_dlpack(a.T[{ {}, 2 }]:to_dlpack())
    assert.equal("{4, 2}", tostring(b.shape))
    assert.equal(17, b[{ 2, 2 }])
    b:fill(0)
    assert.equal(0, a[{ 1, 2, 3 }])
  end)

  it("keep every dtype", function ()
    for dtype in DTYPES:gmatch "%S+" do
      local b = tide.from_dlpack(tide.ones(3, dtype):to_dlpack())
      assert.equal(dtype, b.dtype)
      assert.equal(dtype, tide.from_dlpack(
        tide.zeros(0, dtype):to_dlpack()).dtype)
    end
  end)

  it("order what comes home with what went out", function ()
    local s = tide.Stream{ non_blocking = true }
    local t = tide.Stream{ non_blocking = true }
    local a = tide.zeros(100000)
    local b = tide.from_dlpack(a:to_dlpack{ stream = s }, { stream = s })
    for _ = 1, 20 do
      s:with(function () a:add_(1) end)
      t:with(function () b:mul_(2) end)
    end
    assert.equal(2 ^ 21 - 2, a[1])
    s:close()
    t:close()
  end)

  it("give a HostArray for one", function ()
    local h = tide.HostArray(3)
    local k = tide.from_dlpack(h:to_dlpack())
    assert.equal("tide.HostArray", getmetatable(k))
    k[2] = 5
    assert.equal(5, h[2])
  end)

  it("take a tensor once", function ()
    local a = tide.ones(3)
    local capsule = a:to_dlpack{ versioned = false }
    assert.equal("dltensor", tostring(capsule))
    tide.from_dlpack(capsule)
    assert.equal("dltensor (used)", tostring(capsule))
    fails("the tensor was taken already", tide.from_dlpack, capsule)
    fails("the tensor was taken already", capsule.release, capsule)
    capsule = a:to_dlpack()
    local pointer = capsule:release()
    fails("the tensor was taken already", tide.from_dlpack, capsule)
    assert.equal(1, tide.from_dlpack(pointer)[1])
  end)

  it("give back what nobody took", function ()
    local a = tide.zeros(1000)
    local live = tide.memory_stats().live
    do
      local _ <close> = a:to_dlpack()
    end
    a:to_dlpack()
    collectgarbage()
    a:close()
    tide.poll()
    assert.is_true(tide.memory_stats().live < live)
  end)

  it("pass on what is not to be written", function ()
    local a = tide.zeros(3):broadcast_to(2, 3)
    local b = tide.from_dlpack(a:to_dlpack())
    fails("read-only", b.fill, b, 1)
    fails("does not say so", a.to_dlpack, a, { versioned = false })
  end)

  it("refuse nonsense, and keep the tensor", function ()
    local a = tide.zeros(3)
    local capsule = a:to_dlpack()
    fails("capsule of a tensor", tide.from_dlpack)
    fails("capsule of a tensor", tide.from_dlpack, "x")
    fails("no field 'realease' in a DLPack capsule", function ()
      return capsule.realease
    end)
    fails("no field '1' in a DLPack capsule", function () return capsule[1] end)
    fails("unknown option 'strem'", tide.from_dlpack, capsule, { strem = 1 })
    fails("option 'stream' must be", tide.from_dlpack, capsule,
          { stream = "x" })
    fails("the capsule says otherwise", tide.from_dlpack, capsule,
          { versioned = false })
    assert.equal(0, tide.from_dlpack(capsule)[1])
    a:close()
    fails("array is closed", a.to_dlpack, a)
  end)

  it("do not copy, and do not wait on a GPU", function ()
    local a = tide.zeros(1 << 20)
    local old, before = tide.sync_debug(kind == "cuda" and "error" or "off")
    local b = tide.from_dlpack(a:to_dlpack())
    local _, after = tide.sync_debug(old)
    assert.equal(a.ptr, b.ptr)
    if kind == "cuda" then
      assert.equal(before, after)
    end
  end)
end)

end)

local function output (command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

--- Returns the output of a program of spec/numpy, which loads Lua into Python;
-- nil without Lua's library or the module, and in other builds.
local function python (kind, program, module, word)
  local command = ("env -u LD_PRELOAD TIDE_DEVICE=%s %s -B "):format(kind,
    kind == "cuda" and "python3" or "/usr/bin/python3")
  local probe = ("-c 'import ctypes, %s; ctypes.CDLL(%q)' 2>/dev/null")
  if helper.variant ~= "testing" or _VERSION ~= "Lua 5.4" or
     not os.execute(command .. probe:format(module, LUA)) then
    return nil
  end
  return output(("%s spec/numpy/%s %s '%s' '%s' %s 2>&1"):format(
    command, program, LUA, package.path, package.cpath, word or ""))
end

local function other (kind, ...)
  local said = python(kind, ...)
  if said == nil then
    pending "not installed, no shared library of Lua, or a sanitizer"
  else
    assert.equal("ok\n", said)
  end
end

helper.each_device(function (kind)
  describe("DLPack #process", function ()
    helper.host_it("goes to NumPy and back without copies", function ()
      other(kind, "dlpack.py", "numpy")
    end)

    helper.gpu_it("goes to CuPy and back, nobody waits", function ()
      other(kind, "dlpack_gpu.py", "cupy", "cupy")
    end)

    helper.gpu_it("goes to PyTorch and back, nobody waits", function ()
      other(kind, "dlpack_gpu.py", "torch", "torch")
    end)
  end)
end)
