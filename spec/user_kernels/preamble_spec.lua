--[[
preamble_spec.lua - what the texts of ElementwiseKernel and ReductionKernel may
use: functions and constants of a preamble, macros, arrays as variables.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

local Kernel = tide.ElementwiseKernel

local function make (preamble, body, options)
  return Kernel{ params = "T x", out = "T y", body = body, name = "k",
                 preamble = preamble, options = options }
end

--- Tells whether kernels can be compiled for the current device.
local function usable ()
  local ok, why = pcall(make("", "y = x"), tide.ones(1))
  assert(ok or why:find("NVRTC", 1, true), why)
  return ok
end

--- gives(wanted, x, preamble, body, options): the elements of the result.
local function gives (wanted, x, ...)
  assert.same(wanted, make(...)(tide.array(x, "float64")):totable())
end

helper.each_device(function ()

describe("a preamble", function ()
  if not usable() then return pending "NVRTC is missing" end

  it("has functions and constants", function ()
    gives({ 4, 9 }, { 2, 3 }, "static __device__ T sq (T x) { return x * x; }",
          "y = sq(x)")
    gives({ 7, 13 }, { 2, 3 }, [[
      static const float K = 1.5f * 2;
      __device__ __forceinline__ T square (const T &v) { return v * v; }
      static __device__ T both (T a, int b) { a += b; return square(a) - a; }
    ]], "y = both(x, 1) + K - 2")
    gives({ 1, 0, 2.5 }, { -3, 0.5, 4 }, [[
      static __device__ T clamp (T x) {
        if (x < 0) return 1;
        T s = 0;
        for (int k = 0; k < 10; k++) {
          if (x < 1) return s;
          s += 0.25;
        }
        return s;
      }
    ]], "y = clamp(x)")
  end)

  it("may be declared before, and needs no execution space", function ()
    gives({ 6 }, { 3 }, [[
      T f (T v);
      T g (T v) { return f(v) * E; }
      int h (void);
      constexpr float HALF = 0.5f * 2;
      const float QUARTER = HALF / 4;
      T f (T v);
      T f (T v) { return v + HALF * h(); }
      int h (void) { return 1; }
    ]], "y = g(x) - Q + QUARTER", { "-DE=1.5", "-DQ=0.25" })
  end)

  it("has constants whose values are known when it is compiled", function ()
    gives({ 13.25 }, { 3 }, [[
      const int N = 2, M = N * 3;
      constexpr T halve (T v) { return v / 2; }
      const T H = halve(M) + (T)0.25;
      constexpr static const double D = H2 + N;
      const bool B = D > 3;
    ]], "y = x + H + D + B", { "-DH2=4.0" })
    for _, preamble in ipairs{
      "const float H = 2; const float K = H / 2;",
      "const float H = 2; constexpr float K = H;",
      "const float H = 2; const int K = (int)H;",
      "float h (float x) { return x; } const float K = h(2);",
      "const float K = sqrtf(2.0f);",
      "int N = 2; const float K = N;",
    } do
      assert.is_false(pcall(make(preamble, "y = K"), tide.ones(1)), preamble)
    end
  end)

  it("does not hide i and n, which are parameters", function ()
    gives({ 12, 16, 20 }, { 2, 3, 4 },
          "const float n = 0.5f, i = 0.25f; T f (T x) { return x * n; }",
          "y = f(x) * 4 + i * n - i + n * 3 - 1")
  end)

  it("has definitions and macros before their use", function ()
    local x = tide.ones(2)
    for preamble, body in pairs{
      ["T g (T v) { return f(v); } T f (T v) { return v; }"] = "y = g(x)",
      ["T g (T v) { return K; } const float K = 2;"] = "y = g(x)",
      ["const float K = L, L = 2;"] = "y = K",
      ["T g (T v) { return N; }\n#define N 2"] = "y = g(x)",
      ["T g (T v) { return M; }"] = "#define M 2\ny = g(x)",
      [""] = "y = N;\n#define N 2",
    } do
      assert.is_false(pcall(make(preamble, body), x), preamble)
    end
    gives({ 9 }, { 3 }, "#define N 2\nT f (T v) { return v * N; }",
          "y = f(x)\n#define M 3\n + M")
  end)

  it("has no errors in what nothing calls", function ()
    local x = tide.ones(2)
    for _, preamble in ipairs{
      "T f (T v) { return v + ; }", "T f (T v) { return q; }",
      "T f (T v) { T v2 = 1; v3 = 2; return v2; }", "const float K = q;",
      "T f (T v) { v ? 1; return v; }", "T f (T v) { return g(v); }",
      "T f (foo v) { return 1; }",
    } do
      assert.is_false(pcall(make(preamble, "y = x"), x), preamble)
    end
    -- Limits of the host device are for what a kernel uses.
    local long = "T f (T v) { return " .. ("v + "):rep(600) .. "v; } "
    gives({ 2 }, { 1 }, long .. "T g (T v) { return f(v) + f(v); } " ..
          "T h (T v) { return v + 1; }", "y = h(x)")
  end)

  it("does not see the variables of the body, nor changes them", function ()
    gives({ 11, 12 }, { 1, 2 }, [[
      static __device__ T f (T a) { T s = a; s *= 10; a = s; return a / a; }
    ]], "T a = x, s = 9; y = f(a) + s + a")
    if tide.get_device().kind == "cuda" then return end
    for _, name in ipairs{ "x", "s", "i", "n", "y" } do
      local k = make("T f (T a) {return " .. name .. ";}", "T s = x; y = f(s)")
      fails("preamble, line 1, column 19: the host device knows no such " ..
            "name at '" .. name .. "'", k, tide.ones(2))
    end
  end)

  it("is called in branches and loops, for the elements there", function ()
    gives({ -1, 6, 24, 1 }, { -1, 3, 4, 0 }, [[
      static __device__ T down (T x) { if (x > 1) return x - 1; return 0; }
    ]], [[
      y = 1;
      if (x < 0) y = x;
      for (T t = x; t > 0; t = down(t)) y *= t;
    ]])
    gives({ 2, 20 }, { 1, 2 }, [[
      static __device__ T f (T x) { return x * 2; }
      static __device__ T g (T x) { return x * 10; }
    ]], "y = x < 2 ? f(x) : g(x)")
  end)

  it("is called only for the elements there", function ()
    local ones = "T f(T x) { int k = 0, m = (int)x; while (m != 1) " ..
                 "{ m >>= 1; k++; } return k; }"
    gives({ 0, 0, 0, 1, 2 }, { -1, 0, 1, 2, 4 }, ones, "y = x > 0 ? f(x) : 0")
    gives({ 0, 0, 0, 1, 1 }, { -1, 0, 1, 2, 4 }, ones, "y = x > 0 && f(x)")
    gives({ 1, 1, 0, 1, 1 }, { -1, 0, 1, 2, 4 }, ones, "y = x <= 0 || f(x)")
    local array = "T f(T x) { T w[3] = { 5, 6, 7 }; return w[(int)x]; }"
    gives({ 0, 5, 6, 7 }, { -1, 0, 1, 2 }, array, "y = x >= 0 ? f(x) : 0")
    gives({ 1, 1, 600, 700 }, { -1, 0, 1, 2 }, array, [[
      y = 1;
      if (x > 0) { T z = x > 0 ? f(x) : 0; y = z * 100; }
    ]])
  end)

  it("returns early, each element from its own place", function ()
    local k = make([[
      static __device__ T steps (T x) {
        T n = 0;
        while (x > 1) {
          for (int j = 0; j < 4; j++) {
            if (n > 200) return -1;
            if (x == 7) return 1000 + n;
            x = fmod(x, (T)2) == 0 ? x / 2 : 3 * x + 1;
            n += 1;
            if (x <= 1) break;
          }
        }
        return n;
      }
    ]], "y = steps(x) + steps(x)")
    local function steps (x)
      local n = 0
      while x > 1 do
        if n > 200 then return -1 end
        if x == 7 then return 1000 + n end
        x = x % 2 == 0 and x / 2 or 3 * x + 1
        n = n + 1
      end
      return n
    end
    local wanted = {}
    for x = 1, 1500 do wanted[x] = 2.0 * steps(x) end
    assert.same(wanted, k(tide.arange(1500) + 1.):totable())
  end)

  it("serves reductions", function ()
    local norm = tide.ReductionKernel{
      params = "T x", out = "T y", map = "sq(x)", reduce = "join(a, b)",
      post = "T w[2] = { a, HALF }; y = pow(w[0], w[1])", identity = "ZERO",
      preamble = [[
        static __device__ T sq (T x) { return x * x; }
        static __device__ T join (T a, T b) { return a + b; }
      ]], options = { "-DZERO=0", "-DHALF=(T)0.5" } }
    assert.equal(5.0, norm(tide.array{ 3., 4. }):item())
    assert.equal(100.0, norm(tide.ones(10000)):item())
    assert.equal(0.0, norm(tide.empty(0)):item())
  end)
end)

describe("macros", function ()
  if not usable() then return pending "NVRTC is missing" end

  it("are put in their place, word by word", function ()
    gives({ 7 }, { 3 }, "#define A 1 + 2\n#define B A * 2", "y = B + 2")
    gives({ 6 }, { 3 }, "", "\n#define TWICE * 2\ny = x TWICE")
    gives({ 5 }, { 3 }, "#define x_more x + \\\n  2", "y = x_more")
    gives({ 24, 32 }, { 3, 4 }, "", "y = x * N * M", { "-DN=4", "-DM=2" })
    gives({ 4 }, { 3 }, "", "y = x + ON", "-DON")
    gives({ 4 }, { 3 }, "", "y = x + ON", "--define-macro=ON=1")
    gives({ 5 }, { 3 }, "", "y = x + ON", { "-D", "ON=2", "-use_fast_math" })
    gives({ 5 }, { 3 }, "", "y = x + ON", { "-D ON=2" })
    for _, name in ipairs{ "T1", "k", "m", "r", "F" } do  -- of tide's own code
      gives({ 5 }, { 3 }, "", "y = x + " .. name, "-D" .. name .. "=2")
    end
    gives({ 1 }, { 3 }, "#define REAL float",
          "REAL z = 16777217; y = z == 16777216")
    gives({ 3 }, { 3 }, "// #define x 9\n/*\n#define x 9\n*/", "y = x")
  end)

  helper.host_it("are refused where the host device has none", function ()
    local x = tide.ones(1)
    fails("no macros with arguments at 'A'", make("#define A(x) x", "y = x"), x)
    fails("preamble, line 2, column 3: the host device has no such " ..
          "directive at 'undef'", make("\n# undef A", "y = x"), x)
    fails("a name is expected", make("#define 3", "y = x"), x)
    fails("too many macros", make(("#define A 1\n"):rep(70), "y = x"), x)
    fails("too many macros", make("#define A " .. ("1"):rep(4000), "y = x"), x)
    local chain = {}
    for k = 1, 20 do chain[k] = ("#define A%d A%d + 1"):format(k, k + 1) end
    fails("macros are nested too deeply",
          make(table.concat(chain, "\n"), "y = A1"), x)
    fails("options, line 1, column 9: there are too many macros at 'N'",
          make("", "y = x", "-DN=" .. ("1+"):rep(2000) .. "1"), x)
    fails("macros are nested too deeply, or too many",
          make("", "#define A A1 A1\n#define A1 " .. (";"):rep(800) ..
                   "\n#define B " .. ("A "):rep(500) .. "\n" ..
                   ("B "):rep(11)), x)
    fails("the host device knows no such name at 'A'",
          make("#define A A", "y = A"), x)
    fails("line 2, column 6: the host device knows no such name at 'q'",
          make("#define B q", "\ny = B"), x)
  end)
end)

describe("variables that are arrays", function ()
  if not usable() then return pending "NVRTC is missing" end

  it("have elements of their own for each element", function ()
    gives({ 2, 4, 6 }, { 1, 2, 3 }, "", [[
      T w[3] = { x, 0, 5 };
      w[1] = w[0]++;
      w[2] += w[0];
      y = w[1] + w[2] - 6 + 0 * w[0];
      y = y == 2 * w[1] ? y : -1;
    ]])
    gives({ 123 }, { 1 }, "", "int k = 1; int w[3] = { k, ++k, ++k }; " ..
          "y = w[0] * 100 + w[1] * 10 + w[2]")
    for body, wanted in pairs{  -- the right side first
      ["w[k++] = k; y = w[0] * 10 + k"] = 1,
      ["w[++k] += k; y = w[1] * 10 + k"] = 21,
      ["w[k + 0] = k++; y = w[1] * 10 + k"] = 1,
      ["w[k++] = w[k++] = k + 3; y = w[0] * 10 + w[1]"] = 33,
      ["w[w[k++] = 1] = k + 5; y = w[1] * 10 + k"] = 51,
      ["w[k = 1] = k; y = w[1] * 10 + k"] = 1,
    } do
      gives({ wanted }, { 1 }, "", "int k = 0; int w[3] = { 7, 2, 1 }; " ..
            body)
    end
    gives({ 7 }, { 3 }, "#define R 2\nconst int N = R;",
          "T w[2 * N + 1], v[N / 2]; w[4] = x; v[0] = 4; y = w[4] + v[0]")
    gives({ 10, 40 }, { 1, 2 }, "",
          "const int w[] = { 10, 20 }; y = x * w[(int)x - 1]")
  end)

  it("are sorted by a function of the preamble", function ()
    local k = Kernel{
      params = "T a, T b, T c", out = "T y", body = "y = median(a, b, c)",
      options = "-DN=3", preamble = [[
        static __device__ T median (T a, T b, T c) {
          T v[N] = { a, b, c };
          for (int i = 0; i < N - 1; i++)
            for (int k = 0; k < N - 1 - i; k++)
              if (v[k] > v[k + 1]) {
                T t = v[k];
                v[k] = v[k + 1];
                v[k + 1] = t;
              }
          return v[N / 2];
        }
      ]] }
    local x = {}
    tide.random.seed(5)
    for i = 1, 3 do x[i] = tide.random.normal(0, 1, { 3000 }) end
    assert(tide.array_equal(k(table.unpack(x)),
                            tide.median(tide.stack(x), { axis = 1 })))
  end)

  helper.host_it("are not left", function ()
    local dev, x = tide.get_device(), tide.array{ 0., 1., 2. }
    make("", "\nT w[2]; w[(int)x] = 1; y = w[0]")(x)
    fails("line 2 of kernel 'k' writes w[2], and w has 2 elements",
          dev.synchronize, dev)
    make("", "DECL; y = W;", { "-DDECL=float w[3]", "-DW=w[9]" })(x)
    fails("reads w[9], and w has 3 elements", dev.synchronize, dev)
    make("\n\nT f (T x) { T w[2]; return w[(int)x - 1]; }", "y = f(x)")(x)
    fails("line 3 of the preamble of kernel 'k' reads w[-1], and w has 2 " ..
          "elements", dev.synchronize, dev)
  end)

  helper.host_it("are refused where the host device has none", function ()
    local x = tide.ones(1)
    local length = "the length of an array must be a constant from 1 to " ..
                   "4096 at "
    for n, at in pairs{ ["0"] = "0", ["2.5"] = "2.5", x = "x", ["-1"] = "-",
                        ["5000"] = "5000", ["2 / 0"] = "2" } do
      fails(length .. "'" .. at .. "'", make("", "T w[" .. n .. "]; y = 1"), x)
    end
    fails("room for its values", make("", "T w[]; y = 1"), x)
    fails("room for its values", make("", "T w[1] = { 1, 2 }; y = 1"), x)
    fails("more than 64 values",
          make("", "T w[] = {" .. ("1,"):rep(65) .. "}; y = 1"), x)
    fails("too large arrays", make("", "T a[4096], b[4096]; y = 1"), x)
    fails("what is only read cannot be assigned to",
          make("", "const T w[2] = { 1 }; w[0] = 1; y = 1"), x)
    for _, body in ipairs{ "T w[2]; y = w", "T w[2]; w = 1; y = 1",
                           "T w[2]; y = w.size()" } do
      fails("'[' is expected", make("", body), x)
    end
  end)
end)

describe("a preamble that cannot be", function ()
  local function refuses (text, preamble, body)
    fails("ElementwiseKernel 'k' cannot run on the host device: " .. text,
          make(preamble, body or "y = f(x)"), tide.ones(2))
  end

  it("is refused when the kernel is made", function ()
    fails("ElementwiseKernel 'k': preamble must be a string, got number", make,
          1, "y = x")
    for _, options in ipairs{ 1, { 1 }, { "", true } } do
      fails("ElementwiseKernel 'k': options must be a string or a list of " ..
            "strings, got", make, nil, "y = x", options)
    end
    local many = {}
    for k = 1, 17 do many[k] = "-DA" end
    fails("options are more than 16", make, nil, "y = x", many)
    for _, macro in ipairs{ "", "=", "4=3", "N(x)=x", "N=1\n2" } do
      fails("'-D" .. macro .. "' in options is no macro: NAME or NAME=words " ..
            "expected", make, nil, "y = x", { "-D", macro })
    end
    fails("preamble must be a string", tide.ReductionKernel,
          { params = "T x", out = "T y", map = "x", reduce = "a",
            preamble = {} })
  end)

  helper.host_it("says where the host device gives up", function ()
    local at = "preamble, line 1, column "
    refuses(at .. "19: the host device has no recursion at 'f'",
            "T f(T x) { return f(x); }")
    refuses(at .. "3: the function returns nothing at 'f'", "T f(T x) { x; }")
    refuses(at .. "7: a parameter must be a number, by value at '*'",
            "T f(T *x) { return 1; }")
    refuses(at .. "7: a parameter must be a number, by value at '&'",
            "T f(T &x) { return 1; }")
    refuses(at .. "5: the host device has no such type at 'foo'",
            "T f(foo x) { return 1; }")
    refuses("line 2, column 3: 1 argument expected, got 2 at 'f'",
            "T f(T x) { return x; }", "\ny=f(x, x)")
    refuses("line 1, column 5: 2 arguments expected, got 9 at 'f'",
            "T f(T x, T y) { return x; }",
            "y = f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)")
    refuses(at .. "3: the function has more than 8 parameters at 'f'",
            "T f(T a, T b, T c, T d, T e, T g, T h, T j, T k) { return a; }")
    refuses("line 2, column 3: it is declared, and not defined at 'f'",
            "T f(T x); T g(T x) { return f(x); }", "\ny=f(x)")
    refuses("preamble, line 1, column 29: it is declared, and not defined " ..
            "at 'f'", "T f(T x); T g(T x) { return f(x); }", "y=g(x)")
    refuses(at .. "28: the host device has no such function of one " ..
            "argument at 'f'",
            "static T g(T x) { return   f(x); } T f(T x) { return x; }")
    refuses(at .. "18: there are two parameters of that name at 'x'",
            "T f(T x, const T x) { return x; }", "y = f(x, x)")
    refuses(at .. "20: what is only read cannot be assigned to at '='",
            "T f(const T x) { x = 1; return x; }")
    for _, twice in ipairs{ "int f(T x) { return 2; }", "const T f = 2;" } do
      fails("it is defined twice at 'f'",
            make("T f(T x) { return 1; } " .. twice, "y = f(x)"), tide.ones(1))
    end
    refuses(at .. "12: an array must be in a body or in a function at 'w'",
            "static T   w[2] = { 1, 2 };")
    refuses("syntax error in " .. at .. "13: ';' is expected at '3'",
            "const T K=2 3;", "y = K")
    refuses(at .. "1: the host device takes functions of numbers, and " ..
            "constants, here at 'template'",
            "template <class U> U f(U x) { return x; }")
    refuses(at .. "1: the host device takes functions", "void f(T x) {}")
    refuses(at .. "11: the host device has no recursion at 'K'",
            "const T K=K;", "y = K")
    refuses("syntax error in " .. at .. "20: '}' is expected",
            "T f(T x) { return x")
    refuses("syntax error in " .. at .. "4: '(' or '=' is expected", "T f")
    refuses("syntax error in " .. at .. "3: a name is expected", "T 3")
    refuses(at .. "3: it is the name of a type at 'uint'",
            "T uint(T x) { return x / 2; }")
    refuses("line 1, column 6: the host device knows no such name at 'half'",
            "", "y = (half)x")
    refuses("preamble, line 2, column 10: the host device knows no such " ..
            "name at 'z'", "T f(T x) {\n  return z;\n}")
    local many = {}
    for k = 1, 40 do many[k] = ("const T c%d = %d;"):format(k, k) end
    fails("there are too many definitions at 'c33'",
          make(table.concat(many), "y = x"), tide.ones(2))
    refuses("line 1, column 23: the kernel has too many operations",
            ("T f (T x) { return %s; }"):format(("x + "):rep(400) .. "x"),
            "y = f(x) + f(x) + f(x)")
  end)

  helper.host_it("is refused where C has more", function ()
    for _, body in ipairs{ "switch (x) {}", "do y = 1; while (0)",
                           "y = sizeof(T)", "goto a", "auto z = x" } do
      fails("the host device has no such part of C++ at '", make("", body),
            tide.ones(1))
    end
  end)

  helper.host_it("is refused whatever is cut off or nested", function ()
    local text = "static const T K = 2; T f (const T &x, int k) { T w[2] = " ..
                 "{ 1, x }; if (k) return K; return w[k]; }"
    for i = 1, #text do
      pcall(make(text:sub(1, i), "y = f(x, 1)"), tide.ones(1))
      pcall(make(text:sub(i), "y = f(x, 1)"), tide.ones(1))
    end
    for _, deep in ipairs{ "(", "{", "f(", "T f(", "T f(T x) {", "const ",
                           "if (x) return " } do
      pcall(make(deep:rep(10000), "y = f(x)"), tide.ones(1))
      pcall(make("T f(T x) {" .. deep:rep(10000), "y = f(x)"), tide.ones(1))
    end
    local chain = {}
    for k = 1, 31 do
      chain[k] = ("T f%d(T x) { return f%d(x) + f%d(x); }"):format(k, k + 1,
                                                                   k + 1)
    end
    refuses("", table.concat(chain, "\n") .. "T f32(T x) { return x; }",
            "y = f1(x)")
    for k = 1, 30 do
      chain[k] = ("const T c%d = c%d + c%d;"):format(k, k + 1, k + 1)
    end
    chain[31] = "const T c31 = 1.5;"
    refuses("", table.concat(chain, "\n"), "y = c1")
  end)
end)

end)
