--[[
compile_spec.lua - what NVRTC makes of a source, and what is kept of that on
disk; where there is no NVRTC, what is said then. #process: see run.lua.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"
local T, fails = helper.T, helper.fails

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"

local nvrtc_it = helper.has_nvrtc() and it or pending

local SOURCE = [[
extern "C" __global__ void saxpy (float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
template <class T> __global__ void twice (T *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] *= 2;
}
]]

describe("a source that NVRTC sees", function ()
  nvrtc_it("becomes code for the device", function ()
    local code, symbol, other = T.compile(SOURCE, 90, {},
                                          { "saxpy", "twice<double>" })
    assert.equal("\127ELF", code:sub(1, 4))
    assert.equal("saxpy", symbol)
    assert.equal("_Z5twiceIdEvPT_i", other)
  end)

  nvrtc_it("becomes PTX for a device that NVRTC does not know", function ()
    local code = T.compile("__global__ void f () {}", 999)
    assert.is_truthy(code:find("%.target sm_%d+"))
  end)

  nvrtc_it("is compiled with the user's options", function ()
    local code = T.compile("#if X != 3\n#error no\n#endif\n" ..
                           "__global__ void f () {}", 90,
                           { "-DX=3", "-arch=compute_90" })
    assert.is_truthy(code:find(".target sm_90", 1, true))
    local message = fails("cannot be compiled:", T.compile, "", 90,
                          { "-no-such-option" })
    assert.is_truthy(message:find("no-such-option", 1, true), message)
  end)

  nvrtc_it("may include what C's headers have", function ()
    T.compile([[
      #include <stdint.h>
      #include <stddef.h>
      #include <stdbool.h>
      #include <math.h>
      __global__ void f (int64_t *x, size_t n) { x[n] = INT64_MAX; }
    ]])
  end)

  nvrtc_it("is refused with the user's own lines", function ()
    local message = fails("cannot be compiled:", T.compile,
                          "\n\n__global__ void f () {\n  undefined = 1;\n}")
    assert.is_truthy(message:find("kernel.cu(4): error: identifier " ..
                                  "\"undefined\" is undefined", 1, true),
                     message)
  end)
end)

--{{ what is kept on disk

local function shell (command)
  local pipe = assert(io.popen(command))
  local printed = pipe:read "a"
  pipe:close()
  return printed
end

--- Runs fn with a folder that does not exist, below one that does.
local function with_folder (fn)
  local base = shell "mktemp -d":match "[^\n]+"
  local ok, message = pcall(fn, base .. "/a/cache")
  os.execute("chmod -R u+w " .. base .. "; rm -r " .. base)
  assert(ok, message)
end

local COMPILE = [[
  local T = require "tide".T
  io.write(#T.compile("__global__ void f (int *x) { *x = %d; }"))
]]

local function compile (folder, n, env)
  env = env or {}
  env.TIDE_CACHE_DIR = folder
  env.TIDE_DEVICE = "host"
  local printed, ok = helper.child(COMPILE:format(n), env)
  assert(ok, printed)
  return tonumber(printed)
end

--- Lists a folder's files with inodes, which change when an entry is rewritten.
local function files (folder)
  return shell("ls -i " .. folder .. " 2>/dev/null")
end

local function entry (folder)
  return folder .. "/" .. files(folder):match "^%s*%d+ (%x+%.bin)\n$"
end

local function change (path, fn)
  local file = assert(io.open(path, "rb"))
  local content = file:read "a"
  file:close()
  file = assert(io.open(path, "wb"))
  file:write(fn(content))
  file:close()
  return content
end

describe("the cache #process", function ()
  nvrtc_it("has an entry for each source, made once", function ()
    with_folder(function (folder)
      local size = compile(folder, 1)
      local once = files(folder)
      assert.is_truthy(entry(folder))
      assert.equal(size, compile(folder, 1))
      assert.equal(once, files(folder))
      compile(folder, 2)
      assert.are_not.equal(once, files(folder))
    end)
  end)

  nvrtc_it("takes damaged entries for none, and mends them", function ()
    with_folder(function (folder)
      local size = compile(folder, 1)
      local path = entry(folder)
      local damages = {
        function () return "" end,
        function (s) return s:sub(1, 20) end,
        function (s) return s:sub(1, -2) end,
        function (s) return s:sub(1, -2) .. string.char(~s:byte(-1) & 255) end,
        function (s) return "X" .. s:sub(2) end,
        function (s) return s:sub(1, 8) .. ("\255"):rep(8) .. s:sub(17) end,
      }
      for i, damage in ipairs(damages) do
        local sound = change(path, damage)
        assert.equal(size, compile(folder, 1), i)
        assert.equal(sound, change(path, function (s) return s end), i)
      end
    end)
  end)

  nvrtc_it("is done without where it cannot be", function ()
    assert.is_true(compile("/proc/none/cache", 1) > 0)
    assert.is_true(compile("", 1) > 0)
    assert.is_true(compile(("x"):rep(5000), 1) > 0)
    with_folder(function (folder)
      os.execute("mkdir -p " .. folder)
      os.execute("chmod 0 " .. folder)
      assert.is_true(compile(folder, 1) > 0)
    end)
  end)

  nvrtc_it("is in XDG_CACHE_HOME or HOME by default", function ()
    local code = COMPILE:format(1)
    with_folder(function (folder)
      local places = { ["XDG_CACHE_HOME=" .. folder] = "/tide",
                       ["-u XDG_CACHE_HOME HOME=" .. folder] = "/.cache/tide" }
      for variables, place in pairs(places) do
        shell(("env -u TIDE_CACHE_DIR %s TIDE_DEVICE=host %s %s -e '%s'")
              :format(variables, child.paths(), child.lua, code))
        assert.is_truthy(entry(folder .. place))
      end
    end)
  end)

  nvrtc_it("may be written by many at once", function ()
    with_folder(function (folder)
      local command = {}
      for _ = 1, 4 do
        command[#command + 1] = ("env TIDE_CACHE_DIR=%s TIDE_DEVICE=host " ..
          "%s %s -e '%s' & "):format(folder, child.paths(), child.lua,
                                     COMPILE:format(1))
      end
      shell(table.concat(command) .. "wait")
      local path = entry(folder)
      local once = files(folder)
      compile(folder, 1)
      assert.equal(once, files(folder))
      assert.is_truthy(path)
    end)
  end)
end)

describe("without NVRTC #process", function ()
  it("the error says what is missing", function ()
    local printed, ok = helper.child(COMPILE:format(1), {
      TIDE_LIBNVRTC = "./no/such/libnvrtc.so", TIDE_DEVICE = "host" })
    assert.is_false(ok)
    assert.is_truthy(printed:find("the CUDA compiler library (NVRTC, of " ..
      "the CUDA toolkit) cannot be loaded (./no/such/libnvrtc.so: ", 1, true),
      printed)
    printed, ok = helper.child(COMPILE:format(1), {
      TIDE_LIBNVRTC = BUILD .. "/fake/empty.so", TIDE_DEVICE = "host" })
    assert.is_false(ok)
    assert.is_truthy(printed:find("the CUDA compiler library has no nvrtc", 1,
                                  true), printed)
  end)
end)

--}}
