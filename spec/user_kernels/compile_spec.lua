--[[
compile_spec.lua - what NVRTC makes of a source; where there is no NVRTC, what
is said then; no files where those are left out. The folder of compiled code:
disk_cache_spec.lua. #process: see run.lua.
]]
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
      #include <float.h>
      #include <limits.h>
      #define M_E 3
      __global__ void f (int64_t *x, size_t n) { x[n] = INT64_MAX - CHAR_BIT; }
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

local COMPILE = [[
  local T = require "tide".T
  io.write(#T.compile("__global__ void f (int *x) { *x = 1; }"))
]]

describe("without NVRTC #process", function ()
  it("the error says what is missing", function ()
    local printed, ok = helper.child(COMPILE, {
      TIDE_LIBNVRTC = "./no/such/libnvrtc.so", TIDE_DEVICE = "host" })
    assert.is_false(ok)
    assert.is_truthy(printed:find("the CUDA compiler library (NVRTC, of " ..
      "the CUDA toolkit) cannot be loaded (./no/such/libnvrtc.so: ", 1, true),
      printed)
    printed, ok = helper.child(COMPILE, {
      TIDE_LIBNVRTC = BUILD .. "/fake/empty.so", TIDE_DEVICE = "host" })
    assert.is_false(ok)
    assert.is_truthy(printed:find("the CUDA compiler library has no nvrtc", 1,
                                  true), printed)
  end)
end)

--{{ files left out: the host program is spec/embed/limits.c

-- compile(source [, options [, names]]) by a state without files.
local PRELUDE = [[
  local T = require "tide".T
  local KERNEL = "\n__global__ void f (int *x) { *x = 1; }\n"
  local function compile (source, options, names)
    return pcall(T.compile, source .. KERNEL, 90, options, names)
  end
  local function refused (what, ...)
    local ok, err = compile(...)
    assert(not ok, "compiled: " .. what)
    assert(err:find("files are left out by the host program", 1, true),
           what .. ": " .. err)
  end
  -- Where there is no NVRTC, that it is looked for is all that can be seen.
  local function compiled (what, ...)
    local ok, err = compile(...)
    assert(ok or err:find("cannot be loaded", 1, true), what .. ": " ..
           tostring(err))
  end
]]

-- Sanitizers have nothing to say about NVRTC itself, which is not ours.
local NVRTC = helper.variant ~= "testing" and "./no/such/libnvrtc.so" or
              os.getenv "TIDE_LIBNVRTC"

local function without_files (code)
  helper.program_in({ TIDE_LIBNVRTC = NVRTC }, "host", "limits", "leave_out=4",
                    PRELUDE .. code)
end

describe("a source where files are left out #process", function ()
  it("includes none, however that is written (#082)", function ()
    without_files [=[
      for _, source in ipairs{
        '#include "/etc/passwd"', '#include </etc/passwd>',
        ' \t#\t include\t"/etc/passwd"', '#include"/etc/passwd"',
        '%:include "/etc/passwd"', '??=include "/etc/passwd"',
        '#inc\\\nlude "/etc/passwd"', '#\\\n\\\r\ninclude "/etc/passwd"',
        '%\\\n:include "/etc/passwd"', '?\\\n?=include "/etc/passwd"',
        '#inc??/\nlude "/etc/passwd"', '#inc\\ \t\nlude "/etc/passwd"',
        '# /* ... */ include "/etc/passwd"', '#/*\n*/include "/etc/passwd"',
        '/**/ #include "/etc/passwd"', 'int x; /*\n*/ #include "/etc/passwd"',
        '#include_next "/etc/passwd"', '#import "/etc/passwd"',
        '#embed "/etc/passwd"', '#\\u0069nclude "/etc/passwd"',
        '#define P "/etc/passwd"\n#include P',
        '#define P(x) x\n#include P(</etc/passwd>)',
        '#if 0\nx = \'\n#endif\n#include "/etc/passwd"\n// \'',
        'const char *s = R"(")"; //"\n#include "/etc/passwd"',
        '#include "math.h/../../etc/passwd"', '#include "../math.h"',
        '#include <math.h\\\n>', '#include <math.h /etc/passwd>',
        '#include <math.h"', '#include "ops.h"', '#include <cuda_fp16.h>',
        '#if __has_include("/etc/passwd")\n#endif',
        '#ifdef __has_include_next\n#endif',
        '#define H __has_\\\ninclude\n#if H("/etc/passwd")\n#endif',
        '#if __has_embed("/etc/passwd")\n#endif',
        '#define P(a, b) a##b\n#if P(__has_, include)("/etc/passwd")\n#endif',
        '#define P(a, b) a%:%:b', '#define P(a, b) a #\\\n# b',
        '#define P(a, b) a??=??=b', '#define P(a, b) a#%:b'
      } do
        refused(source, source)
      end
    ]=]
  end)

  it("has no option that may name one", function ()
    without_files [=[
      for _, options in ipairs{
        { "-I/etc" }, { "-I", "/etc" }, { "--include-path=/etc" },
        { "-include=/etc/passwd" }, { "--pre-include=/etc/passwd" },
        { "-pch" }, { "--create-pch=/tmp/x" }, { "--use-pch=/tmp/x" },
        { "--pch-dir=/tmp" }, { "--fdevice-time-trace=/tmp/x" },
        { "-time=/tmp/x" }, { "--time=/tmp/x" }, { "-Xptxas", "-v" },
        { "--ptxas-options=--x=/tmp/x" }, { "-lineinfo" }, { "-G" },
        { "-std=c++20" }, { "--std=c++20" }, { "-std=c++26" }, { "-std" },
        { "-std", "c++17" }, { "/etc/passwd" }, { "" }, { "-" }, { "--" },
        { "@/etc/passwd" }, { "-D", "X" }, { "-D" }, { "-D=X" },
        { "-DX=1\n#include \"/etc/passwd\"" }, { "-DX=1\r#" },
        { "-DP(a,b)=a##b" }, { "--define-macro=H=__has_include" },
        { "-arch=sm_90/x" }, { "-maxrregcount=32 -I/etc" },
        { "-use_fast_math=/etc/passwd" }, { "-use_fast_mathematics" },
        { "-ftz=true", "-dopt=/x" }
      } do
        refused(table.concat(options, " "), "", options)
      end
      refused("a name", "", {}, { 'f\n#include "/etc/passwd"\n' })
    ]=]
  end)

  it("has all that needs none", function ()
    without_files [=[
      for _, source in ipairs{
        '#include <math.h>\n#include "stdint.h"\n # include <stddef.h> // it',
        '#include <float.h>\n#include <limits.h>',
        '#define TEXT(x) #x\nconst __device__ char *s = TEXT(include);',
        '#pragma once\n#line 3 "file"\n#undef X\n#ifndef X\n#elif 1\n#endif',
        '// include what it needs, import "nothing"\n#define include 3',
        '_Pragma("unroll 1")\n#if defined(X) && X % 2\n#error no\n#endif',
        '__device__ const char t[] = "50 %, C#, # of?";'
      } do
        compiled(source, source)
      end
      compiled("options", "", {
        "-DX", "-DY=2", "-D_Z=\"a b\"", "-UX", "--define-macro=Q=x/y",
        "-use_fast_math", "--ftz=true", "-fmad=false", "--std=c++14",
        "-maxrregcount=32", "--gpu-architecture=compute_90", "-w",
        "-diag-suppress=177,550"
      }, { "f" })
      compiled("the standard", "static_assert(__cplusplus < 202002L, \"\");")
    ]=]
  end)
end)

describe("kernels of text where files are left out #process", function ()
  it("open none in a name, parameter or body, and work", function ()
    local code = [=[
      local tide = require "tide"
      if not pcall(tide.ones, 1) then
        return  -- no kernels for the device that is made up
      end
      local x = tide.ones(3, "float32")
      local function refused (fn, ...)
        local ok, err = pcall(fn, ...)
        assert(not ok and err:find("files are left out", 1, true), err)
      end
      local E, R = tide.ElementwiseKernel, tide.ReductionKernel
      refused(E("float32 x", "float32 y", 'y = x;\n#include "/etc/passwd"\n'),
              x)
      refused(E{ params = "float32 x", out = "float32 y", body = "y = x",
                 name = 'a"\n#include "/etc/passwd"\n' }, x)
      refused(R("float32 x", "float32 y", 'x\n#include "/etc/passwd"\n',
                "a + b"), x)
      refused(R("float32 x", "float32 y", "x", 'a + b\n%:include <x>\n'), x)
      local k = tide.RawKernel('__global__ void f (float *x) {}\n' ..
                               '#include "/etc/passwd"', "f")
      refused(k, 1, 1, x)
      refused(k.compile, k)
      refused(function () return k.num_regs end)
      local m = tide.RawModule("__global__ void f (float *x) {}",
                               { options = "-I/etc" })
      refused(m:get_function "f", 1, 1, x)
      local function works (fn)
        local ok, err = pcall(fn, x)
        assert(ok or err:find("cannot be loaded", 1, true), err)
      end
      works(E("float32 x", "float32 y", "y = sqrt(x)"))
      works(R("float32 x", "float32 y", "x", "a + b"))
      works(tide.fuse(function (a) return a:exp() * 2 + 1 end))
    ]=]
    helper.program_in({ TIDE_LIBCUDA = BUILD .. "/fake/device.so",
                        TIDE_LIBNVRTC = NVRTC, TIDE_CACHE_DIR = "" }, "cuda",
                      "limits", "leave_out=4", code)
  end)
end)

--}}
