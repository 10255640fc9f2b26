--[[
rawkernel_spec.lua - kernels in CUDA C: signatures, everywhere; launches, on a
fake driver (spec/fake/device.c), in a process of its own, and on a GPU, where
there is one. NVRTC's results for a source are in compile_spec.lua.
#process: see run.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, T = helper.fails, helper.T

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"

local SOURCE = [[
extern "C" {
__global__ void saxpy (float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
__global__ void dims (int *out) {
  out[0] = gridDim.x, out[1] = gridDim.y, out[2] = gridDim.z;
  out[3] = blockDim.x, out[4] = blockDim.y, out[5] = blockDim.z;
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  out[6] = bytes;
}
struct Pair { int x[3]; };
__global__ void values (bool b, signed char c, unsigned short s, long long l,
                        double f, Pair p, double *out) {
  out[0] = b, out[1] = c, out[2] = s, out[3] = l, out[4] = f, out[5] = p.x[2];
}
}
template <class T> __global__ void twice (T *x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] *= 2;
}
]]

local function signature (source, name, options)
  local text = tostring(tide.RawKernel(source, name, options))
  return text:match "^tide%.RawKernel: .-(%(.*%))$"
end

describe("a signature", function ()
  local function reads (expected, parameters)
    local source = "extern \"C\" __global__ void f (" .. parameters .. ") {}"
    assert.equal(expected, signature(source, "f"))
  end

  it("is read from the source", function ()
    reads("()", "")
    reads("()", "void")
    reads("(float a)", "float a")
    reads("(const float *x, float *y, unsigned n)",
          "const float *__restrict__ x, float* y, unsigned int n")
    reads("(const float *x)", "float const * const x")
    reads("(unsigned long long n, long m, unsigned short s, char c)",
          "long long unsigned n, long int m, unsigned short int s, char c")
    reads("(int)", "int")
    reads("(float *x, float *y)", "float x[], float y[16]")
    reads("(void *p, const void *q)", "void *p, const void *q")
    reads("(std::size_t n, thrust::complex<float> *z)",
          "std::size_t n, thrust::complex<float> *z")
    reads("(Params p)", "const __grid_constant__ struct Params p")
  end)

  it("is not misled by comments, directives and attributes", function ()
    local source = [[
      // __global__ void f (int wrong);
      /* __global__ void f (int wrong); */
      #define KERNEL __global__ void f \
        (int wrong)
      const char *text = "__global__ void f (int wrong)";
      __global__ void other (int wrong);
      namespace n {
        __global__ __launch_bounds__(256, 2) void f (
          float *x,  // , int wrong
          int /* wrong */ n) {}
      }]]
    assert.equal("(float *x, int n)", signature(source, "f"))
    assert.equal("(float *x, int n)", signature(source, "n::f"))
  end)

  it("of a template takes what stands in the name", function ()
    local source = [[
      template <typename T, class U = int, int N = 3>
      __global__ void f (const T *x, U *y, complex<T> *z, int n) {}
    ]]
    assert.equal("(const double *x, unsigned char *y, complex<double> *z, " ..
                 "int n)", signature(source, "f<double, unsigned char, 4>"))
    fails("it is a template: name one of it, as in f<float>",
          tide.RawKernel, source, "f")
  end)

  it("can be said", function ()
    assert.equal("(const float *, bytes, int n)",
                 signature("MACRO(f)", "f", {
                   signature = "const float *, bytes[24], int n" }))
  end)

  it("that cannot be read says how to say it", function ()
    local how = 'the option signature = "const float *, int" can say'
    local none = "the source has no __global__ function of that name"
    fails(none, tide.RawKernel, "void f () {}", "f")
    fails(how, tide.RawKernel, "void f () {}", "f")
    fails("parameters cannot be read at &", tide.RawKernel,
          "__global__ void f (float &x) {}", "f")
    fails("parameters cannot be read at (", tide.RawKernel,
          "__global__ void f (int (*q)[3]) {}", "f")
    fails("a parameter is void", tide.RawKernel, "", "f",
          { signature = "int, void x" })
    fails("parameters cannot be read after a )", tide.RawKernel, "", "f",
          { signature = "int)" })
    for _, strange in ipairs{ "long double x", "a<b c> x", "T<long x", "<" } do
      pcall(tide.RawKernel, "", "f", { signature = strange })
      pcall(tide.RawKernel, "template <class T> __global__ void f (T x) {}",
            "f<" .. strange .. ">")
    end
    fails("more than 64 parameters", tide.RawKernel, "", "f",
          { signature = ("int,"):rep(64) .. "int" })
    fails("option 'signature' must be a string, got table", tide.RawKernel,
          "", "f", { signature = {} })
  end)
end)

describe("arguments of RawKernel and RawModule", function ()
  it("are checked", function ()
    local many = {}
    for i = 1, 65 do
      many[i] = "-DX" .. i
    end
    helper.badarg(1, "string expected", tide.RawKernel)
    helper.badarg(2, "string expected", tide.RawKernel, "x", {})
    fails("unknown option 'option'; did you mean 'options'?", tide.RawKernel,
          SOURCE, "saxpy", { option = "-DX" })
    fails("options must be a string or a list of strings, got number",
          tide.RawKernel, SOURCE, "saxpy", { options = 3 })
    fails("options must be a string or a list of strings, got boolean",
          tide.RawKernel, SOURCE, "saxpy", { options = { true } })
    fails("options are more than 64", tide.RawModule, SOURCE,
          { options = many })
    fails("unknown option 'names'", tide.RawModule, SOURCE, { names = {} })
    local k = tide.RawKernel(SOURCE, "dims")
    fails("unknown option 'shared_mem'; did you mean 'shared'?", k.launch, k,
          { shared_mem = 64 })
    fails("unknown option 'block_size'; did you mean 'block'?", k.launch, k,
          { block_size = 64 })
  end)

  it("make what tells its name and its source", function ()
    local m = tide.RawModule(SOURCE, { options = "-DN=1" })
    local k = m:get_function "dims"
    assert.equal(SOURCE, m.code)
    assert.equal(SOURCE, k.code)
    assert.same({ "-DN=1" }, m.options)
    assert.same({ "-DN=1" }, k.options)
    assert.equal("dims", k.name)
    assert.equal("tide.RawModule", tostring(m))
    fails("no field 'nmae' in tide.RawKernel; did you mean 'name'?",
          function () return k.nmae end)
  end)
end)

--{{ launches: the same checks on the driver that is made up and on a GPU

-- fails() for programs in a string; SOURCE is what they compile.
local PRELUDE = [[
local tide = require "tide"
local SOURCE = ]] .. ("%q"):format(SOURCE) .. [[

local m = tide.RawModule(SOURCE, { name_expressions = "twice<double>" })
local function fails (text, fn, ...)
  local ok, err = pcall(fn, ...)
  assert(not ok, "expected an error with: " .. text)
  assert(tostring(err):find(text, 1, true), text .. "\n" .. tostring(err))
end
local function same (a, ...)
  local got, wanted = a:totable(), { ... }
  for i, x in ipairs(wanted) do
    assert(got[i] == x, i .. ": " .. tostring(got[i]))
  end
end
]]

local LAUNCHES = {
  ["computes"] = [[
    local x = tide.array({ 1, 2, 3 }, "float32")
    local y = tide.array({ 10, 20, 30 }, "float32")
    local k = m:get_function "saxpy"
    assert(k(1, 32, 2, x, y, 3) == k)
    same(y, 12, 24, 36)
    assert(k:launch{ grid = 1, block = { 32, 2 }, args = { 0.5, x, y, 3 } })
    local two = tide.RawKernel(SOURCE, "saxpy")
    two({ 1, 1 }, { 32 }, -2, x, y[{ {2, 3} }], 2)
    assert(y:totable()[2] >= 22)
  ]],
  ["can be of blocks that fill a multiprocessor"] = [[
    local k = m:get_function "saxpy"
    local most = k:max_active_blocks_per_multiprocessor(32)
    local few = k:max_active_blocks_per_multiprocessor(1024)
    assert(math.type(few) == "integer" and few >= 1 and most > few)
    assert(k:max_active_blocks_per_multiprocessor(32, 90000) < most)
    local block, grid = k:max_potential_block_size()
    assert(block % 32 == 0 and block >= few * 32 and grid >= few)
    assert(k:max_potential_block_size(0, 64) <= 64)
    assert(k:max_potential_block_size(90000) <= 1024)
    fails("an integer from 1 to 2^31 - 1 expected, got 0",
          k.max_active_blocks_per_multiprocessor, k, 0)
    fails("an integer from 0 to 2^31 - 1 expected, got -1",
          k.max_active_blocks_per_multiprocessor, k, 32, -1)
    fails("number expected, got no value",
          k.max_active_blocks_per_multiprocessor, k)
    fails("an integer from 0 to 2^31 - 1 expected, got -1",
          k.max_potential_block_size, k, -1)
  ]],
  ["can be of code that is compiled already"] = [[
    local arch = tide.get_device().compute_capability:gsub("%.", "")
    local code = tide.T.compile(SOURCE, math.tointeger(arch))
    local how = { signature = "float, const float *, float *, int" }
    local x = tide.array({ 1, 1, 1 }, "float32")
    local y = tide.array({ 0, 0, 0 }, "float32")
    local k = tide.RawModule(code):get_function("saxpy", how)
    k(1, 32, 2, x, y, 3)
    same(y, 2, 2, 2)
    assert(k.code == code)
    fails("the option signature", tide.RawKernel, code, "saxpy")
    fails("there is no function 'other' in the compiled code",
          tide.RawKernel(code, "other", how), 1, 1, 1, x, y, 1)
    how.options = "-DN=1"
    fails("options are for the compiler, and this code is compiled",
          tide.RawKernel(code, "saxpy", how), 1, 1, 1, x, y, 1)
    how.options = nil
    fails("the code has " .. #code // 2 .. " bytes, and says that it has " ..
          #code, tide.RawKernel(code:sub(1, #code // 2), "saxpy", how), 1, 1,
          1, x, y, 1)
    local beyond = code:sub(1, 0x28) .. ("\xFF"):rep(8) .. code:sub(0x31)
    fails("bytes, and says that it has", tide.RawKernel(beyond, "saxpy", how),
          1, 1, 1, x, y, 1)
  ]],
  ["has variables that arrays stand for"] = [[
    local m = tide.RawModule('__device__ int counts[8]; __constant__ double ' ..
      'factors[4]; extern "C" __global__ void dims (int *x) ' ..
      '{ counts[0] += x[0]; x[6] = factors[1]; }')
    local counts = m:get_global("counts", "int32")
    assert(#counts == 8 and counts.ndim == 1 and counts.dtype == "int32")
    counts:copy_from(tide.array({ 1, 2, 3, 4, 5, 6, 7, 8 }, "int32"))
    same(m:get_global("counts", "int32"), 1, 2, 3, 4, 5, 6, 7, 8)
    local bytes = m:get_global "counts"
    assert(bytes.dtype == "uint8" and #bytes == 32 and bytes[5] == 2)
    assert(bytes.ptr == counts.ptr)
    m:get_global("factors", "float64"):copy_from(
      tide.array({ 1, 2, 3, 4 }, "float64"))
    same(m:get_global("factors", "float64"), 1, 2, 3, 4)
    m:get_function "dims"(1, 1, tide.zeros(7, "int32"))
    fails("there is no variable 'other' in the compiled code", m.get_global, m,
          "other")
    fails("unknown dtype 'int'", m.get_global, m, "counts", "int")
  ]],
  ["has the compiler's messages"] = [[
    local source = "extern \"C\" __global__ void dims (int *x) { int idle; }"
    local k = tide.RawKernel(source, "dims")
    for _ = 1, 2 do
      local itself, log = k:compile{ log = true }
      assert(itself == k and log:find('"idle"', 1, true), log)
      assert(select("#", k:compile()) == 1)
    end
    k(1, 1, tide.zeros(7, "int32"))
    assert(select(2, m:get_function "dims":compile{ log = true }) == "")
    fails("option 'log' must be a boolean, got string", k.compile, k,
          { log = "yes" })
    local wrong = tide.RawKernel("__global__ void f () { z = 1; }", "f")
    fails("identifier \"z\" is undefined", wrong.compile, wrong, { log = true })
  ]],
  ["has a grid, a block and shared memory"] = [[
    local out = tide.array({ 0, 0, 0, 0, 0, 0, 0 }, "int32")
    local k = m:get_function "dims"
    k:launch{ grid = { 4, 5 }, block = { 1, 2, 3 }, shared = 64,
              args = { out } }
    same(out, 4, 5, 1, 1, 2, 3, 64)
    k({ 1, 2, 3 }, 7, out)
    same(out, 1, 2, 3, 7, 1, 1, 0)
    k:launch{ grid = 1, block = 1, shared = 60000, args = { out } }
    same(out, 1, 1, 1, 1, 1, 1, 60000)
    local s <close> = tide.Stream{ non_blocking = true }
    k:launch{ grid = 2, block = 1, stream = s, args = { out } }
    same(out, 2)
  ]],
  ["takes templates and values of every kind"] = [[
    local d = tide.array{ 1.5, 2 }
    m:get_function "twice<double>"(1, 1, d, 2)
    same(d, 3, 4)
    tide.RawKernel(SOURCE, "twice<double>")(1, 1, d, 1)
    same(d, 6, 4)
    local out = tide.array{ 0.5, 0, 0, 0, 0, 0 }
    m:get_function "values"(1, 1, true, -3, 65535, 2^40 | 0, 1.25,
                            string.pack("i4i4i4", 1, 2, 77), out)
    same(out, 1, -3, 65535, 2^40, 1.25, 77)
  ]],
  ["checks its arguments"] = [[
    local x = tide.array({ 1, 2, 3 }, "float32")
    local d = tide.array{ 1.5, 2 }
    local p = string.pack("i4i4i4", 1, 2, 77)
    local v, k = m:get_function "values", m:get_function "saxpy"
    local function refused (text, ...)
      fails("RawKernel 'values': argument " .. text, v, 1, 1, ...)
    end
    refused("1 ('b') must be a boolean, got number", 1, 2, 3, 4, 5, p, d)
    refused("2 ('c') must be signed char: -129 is out of its range",
            true, -129, 3, 4, 5, p, d)
    refused("3 ('s') must be unsigned short: -1 is out", true, 1, -1, 4, 5, p,
            d)
    refused("4 ('l') must be long long: 1.5 has no such value", true, 1, 1,
            1.5, 5, p, d)
    refused("5 ('f') must be double, got tide.Array", true, 1, 1, 1, d, p, d)
    refused("6 ('p') must be the 12 bytes of a Pair (see string.pack), got " ..
            "string of 3", true, 1, 1, 1, 1, "abc", d)
    refused("7 ('out') must be an array of float64, as it is double *; got " ..
            "one of float32", true, 1, 1, 1, 1, p, x)
    refused("7 ('out') must be a tide.Array or a tide.Pointer, got number",
            true, 1, 1, 1, 1, p, 64)
    fails("takes 4 arguments, got 3: tide.RawKernel: saxpy(float a, const ",
          k, 1, 1, 1, x, x)
    fails("argument 1 ('a') must be float: ", k, 1, 1, 1e300, x, x, 3)
    fails("grid must be positive", k, 0, 1, 1, x, x, 3)
    fails("grid must be an integer or a table of up to three, got no value", k)
    fails("grid must have one to three sizes, got 4", k, { 1, 1, 1, 1 }, 1)
    fails("block must not have more than 1024 threads", k, 1, 1025, 1, x, x, 3)
    fails("unknown option 'gird'; did you mean 'grid'?", k.launch, k,
          { gird = 1 })
    fails("option 'args' must be a table", k.launch, k,
          { grid = 1, block = 1, args = 3 })
    fails("option 'shared' must be a number of bytes", k.launch, k,
          { grid = 1, block = 1, shared = -1, args = {} })
    x:close()
    fails("argument 2 ('x') is a closed array", k, 1, 1, 1, x, x, 3)
  ]],
  ["takes raw addresses as tide.Pointer"] = [[
    local d = tide.array{ 1.5, 2 }
    m:get_function "twice<double>"(1, 1, tide.Pointer(d.ptr), 2)
    tide.get_device():synchronize()
    same(d, 3, 4)
  ]],
  ["tells its attributes"] = [[
    local k = m:get_function "saxpy":compile()
    for _, name in ipairs{ "num_regs", "shared_size_bytes", "ptx_version",
        "max_threads_per_block", "local_size_bytes", "const_size_bytes",
        "binary_version" } do
      assert(math.type(k[name]) == "integer", name)
    end
    assert(k.max_threads_per_block <= 1024)
  ]],
  ["says what is not in the compiled code"] = [[
    local d = tide.array{ 1.5, 2 }
    fails("there is no function 'nothing' in the compiled code",
          tide.RawKernel(SOURCE, "nothing", { signature = "double *" }),
          1, 1, d)
    fails("RawKernel 'saxpy' takes more than the 3 parameters of its " ..
          "signature", tide.RawKernel(SOURCE, "saxpy", {
            signature = "float, const float *, float *" }), 1, 1, 1, d, d)
    fails("parameter 4 (long) is of 8 bytes in its signature, of 4 in the " ..
          "compiled code", tide.RawKernel(SOURCE, "saxpy", {
            signature = "float, const float *, float *, long" }),
          1, 1, 1, d, d, 1)
    fails("RawKernel 'f' cannot be compiled:\nkernel.cu(2): error: ",
          tide.RawKernel("__global__ void f (int *x) {\n  y = 1;\n}", "f"),
          1, 1, d)
  ]],
}

local function fake (code, env)
  env = env or {}
  env.TIDE_DEVICE = "cuda"
  env.TIDE_LIBCUDA = BUILD .. "/fake/device.so"
  local printed, ok = helper.child(PRELUDE .. code, env)
  assert(ok, printed)
  return printed
end

--- Built without nvcc, tide has no kernels for a CUDA device, made up or not.
local function has_fake ()
  local printed = helper.child("print(pcall(require 'tide'.ones, 1))", {
    TIDE_DEVICE = "cuda", TIDE_LIBCUDA = BUILD .. "/fake/device.so" })
  return not printed:find("built without kernels", 1, true)
end

local fake_it = helper.has_nvrtc() and has_fake() and it or pending

describe("a launch on a driver that is made up #process", function ()
  for name, code in pairs(LAUNCHES) do
    fake_it(name, function () fake(code) end)
  end

  fake_it("needs the size of a struct from its signature, if the driver " ..
          "does not tell", function ()
    fake([[
      local d = tide.array{ 0.5, 0, 0, 0, 0, 0 }
      local p = string.pack("i4i4i4", 1, 2, 77)
      fails("the size of 'Pair' is not known; the option signature can say " ..
            "it: bytes[24]", m:get_function "values", 1, 1, true, 1, 1, 1, 1,
            p, d)
      m:get_function("values", { signature = "bool, signed char, " ..
        "unsigned short, long long, double, bytes[12], double *" })(
        1, 1, true, 1, 1, 1, 1, p, d)
      same(d, 1, 1, 1, 1, 1, 77)
    ]], { FAKE_OLD = "1" })
  end)

  fake_it("loads a source once, and unloads it at the end", function ()
    local path = os.tmpname()
    fake([[
      local x = tide.array({ 1 }, "float32")
      for _ = 1, 3 do
        tide.RawKernel(SOURCE, "saxpy")(1, 1, 1, x, x, 1)
        m:get_function "saxpy"(1, 1, 1, x, x, 1)
        collectgarbage()
      end
    ]], { FAKE_LOG = path })
    local file = assert(io.open(path))
    local lines = {}
    for line in file:lines() do
      local what = line:match "%a+"
      lines[what] = (lines[what] or 0) + 1
    end
    file:close()
    os.remove(path)
    assert.equal(2, lines.load)  -- of one name, and of all
    assert.equal(6, lines.launch)
    assert.equal(2, lines.unload)
  end)

  fake_it("unloads what nobody has any more, while the program runs",
          function ()
    local path = os.tmpname()
    local printed = fake([[
      local x = tide.array({ 1 }, "float32")
      local keep
      for i = 1, 100 do
        local k = tide.RawKernel("// " .. i .. "\n" .. SOURCE, "saxpy")
        k(1, 1, 1, x, x, 1)
        keep = keep or k
        collectgarbage()
      end
      tide.poll()
      local n = 0
      for line in io.lines(os.getenv "FAKE_LOG") do
        n = n + (line:find "^unload" and 1 or 0)
      end
      keep(1, 1, 1, x, x, 1)
      print(n)
    ]], { FAKE_LOG = path })
    os.remove(path)
    assert.equal("32\n", printed)  -- twice 16, and 64 are kept
  end)

  fake_it("leaves dynamic shared memory to those that asked for more (#104)",
          function ()
    local path = os.tmpname()
    local printed = fake([[
      local x = tide.zeros(7, "int32")
      local one, two = tide.RawKernel(SOURCE, "dims"),
                       tide.RawKernel(SOURCE, "dims")
      for _, shared in ipairs{ 100000, 60000, 100000, 200000, 150000 } do
        one:launch{ grid = 1, block = 1, shared = shared, args = { x } }
        one, two = two, one
      end
      for line in io.lines(os.getenv "FAKE_LOG") do
        io.write(line:match "^dims 8=(%d+)" or "", " ")
      end
    ]], { FAKE_LOG = path })
    os.remove(path)
    assert.equal("100000 200000", (printed:gsub("%s+", " "):match "%d.*%d"))
  end)
end)

helper.each_device(function ()

describe("a RawKernel", function ()
  helper.host_it("cannot run on the host device, and says so", function ()
    local k = tide.RawKernel(SOURCE, "saxpy")
    local x = tide.ones(3, "float32")
    local text = "RawKernel 'saxpy' is CUDA C and cannot run on device host:0"
    fails(text, k, 1, 32, 2, x, x, 3)
    fails(text, k.launch, k, { grid = 1, block = 32, shared = 100000,
                               args = { 2, x, x, 3 } })
    fails(text, k.compile, k)
    fails(text, function () return k.num_regs end)
  end)

  for name, code in pairs(LAUNCHES) do
    helper.gpu_it(name, function ()
      assert(load(PRELUDE .. code))()
    end)
  end

  helper.gpu_it("is ordered by what it reads and writes", function ()
    local k = tide.RawKernel(SOURCE, "saxpy")
    local n = 1 << 20
    local x, y = tide.ones(n, "float32"), tide.zeros(n, "float32")
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    for _ = 1, 20 do
      s:with(function () k(n // 256, 256, 1, x, y, n) end)
      t:with(function () y:add_(1) end)
    end
    assert.equal(40, y:sum():item() / n)
  end)

  helper.gpu_it("is in the graph that captured it", function ()
    local y = tide.zeros(64, "float32")
    local k = tide.RawKernel([[
      extern "C" __global__ void count (float *y) {
        y[blockIdx.y * blockDim.x + threadIdx.x] += 1;
      }
    ]], "count"):compile()
    local g <close> = tide.capture(function () k({ 1, 2 }, 32, y) end)
    assert.is_truthy(g:debug_dot{ verbose = true }:find("grid 1x2 block 32", 1,
                                                        true))
    k = nil
    collectgarbage()
    g:launch()
    g:launch()
    assert.equal(2, y:min():item())
    assert.equal(2, y:max():item())
  end)

  helper.gpu_it("works again after a reset", function ()
    local k = tide.RawKernel(SOURCE, "saxpy"):compile()
    tide.get_device():reset()
    local x, y = tide.ones(4, "float32"), tide.zeros(4, "float32")
    k(1, 32, 3, x, y, 4)
    assert.equal(3, y[1])
  end)

  helper.gpu_it("is ordered by the variables of its module", function ()
    local m = tide.RawModule [[
      __device__ unsigned long long total, runs;
      __device__ char odd[3];
      __constant__ int step;
      extern "C" __global__ void count (int n) {
        for (int i = 0; i < n; i++)
          atomicAdd(&total, (unsigned long long)step);
        if (blockIdx.x == 0 && threadIdx.x == 0)
          runs++, odd[0] = 1;
      }
    ]]
    local total = m:get_global("total", "uint64")
    local runs = m:get_global("runs", "uint64")
    local step = m:get_global("step", "int32")
    local k, one = m:get_function "count", tide.ones(1, "uint64")
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local sum = 0
    for i = 1, 50 do
      s:with(function () step:fill(i) end)
      t:with(function () k(8, 64, 100) end)
      s:with(function () total:add_(one) end)
      sum = sum + 8 * 64 * 100 * i + 1
    end
    assert.equal(sum, total[1])
    assert.equal(50, runs[1])
    fails("variable 'odd' has 3 bytes", m.get_global, m, "odd", "int32")
    local g <close> = tide.capture(function ()
      total:fill(0)
      k(1, 1, 2)
      total:mul_(3)
    end)
    runs:close()
    step:close()
    m, k = nil, nil  -- luacheck: ignore
    collectgarbage()
    g:launch()
    assert.equal(300, total[1])
  end)

  helper.gpu_it("can be of PTX", function ()
    local code = T.compile(SOURCE, 80, "-arch=compute_80")
    assert.truthy(code:find(".version", 1, true))
    local k = tide.RawKernel(code, "saxpy", {
      signature = "float, const float *, float *, int" })
    local x, y = tide.ones(3, "float32"), tide.zeros(3, "float32")
    k(1, 32, 2, x, y, 3)
    assert.same({ 2, 2, 2 }, y:totable())
    k = tide.RawKernel("// nothing\n.version 99.0\n", "f", { signature = "" })
    fails("CUDA_ERROR", k.compile, k)
  end)

  helper.gpu_it("is loaded while a host function has not run", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local ran = false
    s:launch_host_func(function () ran = true end)
    s:record()  -- comes after it
    local source = "extern \"C\" __global__ void f (float *x) { *x = 5; }"
    local x = tide.zeros(1, "float32")
    tide.RawKernel(source, "f", { options = "-DX=" .. os.time() })(1, 1, x)
    assert.is_false(ran)
    assert.equal(5, x[1])
  end)
end)

end)
