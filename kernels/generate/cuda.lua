--[[
cuda.lua - the CUDA kernels: for each operation a .cu file of functors, and of
kernels that pass them to the templates of kernels/*.cuh, which do the work; and
units.cuh, which includes all. Each file compiles alone.
]]
local fill <const> = require "kernels.generate.template"
local model <const> = require "kernels.generate.model"
local source <const> = model.source
local types <const> = model.types

--- The values of all templates for type s: T is the type of an element, C the
-- type of the computation.
local function values (s)
  local t = types[s]
  return { s = s, T = t.ctype, C = types[t.calc].ctype }
end

local items = {}  -- by kind: items[kind](op) -> list of texts

--{{ element by element

-- The expression as a function of two elements; functions of one ignore y.
local FUNCTOR <const> = [[
struct f_$f {
  typedef $T T;
  typedef $Z Z;
  static __device__ __forceinline__ Z at (T x_, T y_) {
    const $C x = $x, y = $y;
    (void)x, (void)y;
    return $value;
  }
};
]]

local HEAD <const> =
  'extern "C" __global__ void __launch_bounds__(MAP_BLOCK)\n'

-- For 16 bits and one operand: separates the computation from the stored
-- result.
local HALF_FUNCTOR <const> = [[
struct f_$f {
  typedef $T T;
  typedef $Z Z;
  static __device__ __forceinline__ $C number ($C x) { return $number; }
  static __device__ __forceinline__ Z store ($C x) { return $stored; }
  static __device__ __forceinline__ Z at (T x_, T) {
    return store(number($x));
  }
};
]]

local BINARY <const> = {
  vv = HEAD .. [[
${op}_vv_$s ($Z *z, const $T *x, const $T *y, size_t n) {
  map<f_$f>(z, Array<$T>{x}, Array<$T>{y}, n);
}
]],
  vs = HEAD .. [[
${op}_vs_$s ($Z *z, const $T *x, $T y, size_t n) {
  map<f_$f>(z, Array<$T>{x}, Number<$T>{y}, n);
}
]],
  sv = HEAD .. [[
${op}_sv_$s ($Z *z, $T x, const $T *y, size_t n) {
  map<f_$f>(z, Number<$T>{x}, Array<$T>{y}, n);
}
]],
  nd = HEAD .. [[
${op}_nd_$s ($Z *z, const $T *x, const $T *y, $T number,
    const __grid_constant__ Geometry g) {
  strided<f_$f, PACK($T, $Z)>(z, x, y, number, g);
}
]]
}

--- Kernels that do an element at a time.
local RARE <const> = {
  vv = HEAD .. [[
${op}_vv_$s ($Z *z, const $T *x, const $T *y, size_t n) {
  singly<f_$f>(z, x, y, n);
}
]],
  nd = HEAD .. [[
${op}_nd_$s ($Z *z, const $T *x, const $T *y, $T number,
    const __grid_constant__ Geometry g) {
  singly<f_$f, 3>(z, x, y, number, g);
}
]]
}

local MAP1 <const> = HEAD .. [[
$f ($Z *z, const $T *x, size_t n) {
  map<f_$f>(z, Array<$T>{x}, Number<$T>{}, n);
}
]]

local MAP_HALVES <const> = HEAD .. [[
$f ($Z *z, const $T *x, size_t n) {
  map_halves<f_$f>(z, x, n);
}
]]

local UNARY_ND <const> = HEAD .. [[
${op}_nd_$s ($Z *z, const $T *x, const __grid_constant__ Geometry g) {
  singly<f_$f, 2>(z, x, (const $T *)NULL, $T(), g);
}
]]

local function functor_values (f, s, z, value)
  local v = values(s)
  v.f, v.Z, v.value = f, types[z].ctype, value
  v.x, v.y = model.load(s, "x_"), model.load(s, "y_")
  return v
end

function items.binary (op)
  local list = {}
  for _, s in ipairs(model.own(op)) do
    local z = model.result(op, s)
    local v = functor_values(op[1] .. "_" .. s, s, z, model.value(op, s))
    v.op = op[1]
    list[#list + 1] = fill(FUNCTOR, v)
    for _, form in ipairs(model.forms(op)) do
      list[#list + 1] = fill((op.forms == "rare" and RARE or BINARY)[form], v)
    end
  end
  return list
end

function items.unary (op)
  local list = {}
  for _, s in ipairs(model.own(op)) do
    local z = model.result(op, s)
    local v = functor_values(op[1] .. "_" .. s, s, z, model.value(op, s))
    v.op = op[1]
    local half = types[s].bytes == 2 and types[s].store and z == s
    v.number, v.stored = model.expression(op, s), model.store(z, "x")
    list[#list + 1] = fill(half and HALF_FUNCTOR or FUNCTOR, v)
    list[#list + 1] = fill(half and MAP_HALVES or MAP1, v)
    list[#list + 1] = fill(UNARY_ND, v)
  end
  return list
end

function items.casts (to)
  local list = {}
  for _, s in ipairs(source.sets[to[2]]) do
    local v = functor_values(("cast_%s_%s"):format(s, to[1]), s, to[1],
                             ("CONVERT(%s, x)"):format(to[1]))
    list[#list + 1] = fill(FUNCTOR, v)
    list[#list + 1] = fill(MAP1, v)
  end
  return list
end

local FILL <const> = [[
struct f_fill_$b {
  static __device__ __forceinline__ t_$b at (t_$b x, t_$b) { return x; }
};

]] .. HEAD .. [[
fill_$b (t_$b *z, t_$b x, size_t n) {
  map<f_fill_$b>(z, Number<t_$b>{x}, Number<t_$b>{}, n);
}
]]

local COPY <const> = HEAD .. [[
copy_nd_$b (t_$b *z, const t_$b *x, t_$b number,
    const __grid_constant__ Geometry g) {
  strided_copy(z, x, number, g);
}
]]

local function of_widths (template)
  return function ()
    local list = {}
    for i, b in ipairs(model.widths) do list[i] = fill(template, { b = b }) end
    return list
  end
end

items.fill, items.copy = of_widths(FILL), of_widths(COPY)

-- z[i] = x + i*y
local ARANGE <const> = [[
struct f_arange_$s {
  static __device__ __forceinline__ $T at ($T x_, $T y_, size_t i) {
    const $C x = $x, y = $y;
    return $value;
  }
};

]] .. HEAD .. [[
arange_$s ($T *z, $T x, $T y, size_t n) {
  progression<f_arange_$s>(z, x, y, n);
}
]]

function items.arange (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    list[i] = fill(ARANGE, functor_values("", s, s,
                                          model.store(s, "term(x, y, i)")))
  end
  return list
end

-- z[i] = x[i] between lo and hi, like maximum and then minimum
local CLIP <const> = [[
struct f_clip_$s {
  typedef $T T;
  static __device__ __forceinline__ T at (T x_, Bounds<T> y_) {
    const $C x = $x, lo = $lo, hi = $hi;
    const $C a = x != x ? x : x > lo ? x : lo;
    return $value;
  }
};

]] .. HEAD .. [[
clip_$s ($T *z, const $T *x, $T lo, $T hi, size_t n) {
  map<f_clip_$s>(z, Array<$T>{x}, Number<Bounds<$T> >{{lo, hi}}, n);
}
]]

function items.clip (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = functor_values("", s, s,
                             model.store(s, "a != a ? a : a < hi ? a : hi"))
    v.lo, v.hi = model.load(s, "y_.lo"), model.load(s, "y_.hi")
    list[i] = fill(CLIP, v)
  end
  return list
end

-- z[i] = x[i], with replacements for NaN and the infinities
local NAN_TO_NUM <const> = [[
struct f_nan_to_num_$s {
  typedef $T T;
  static __device__ __forceinline__ T at (T x_, Fillers<T> to) {
    const $C x = $x;
    return x != x ? to.nan : x == ($C)INFINITY ? to.above :
           x == -($C)INFINITY ? to.below : x_;
  }
};

]] .. HEAD .. [[
nan_to_num_$s ($T *z, const $T *x, $T nan, $T above, $T below, size_t n) {
  map<f_nan_to_num_$s>(z, Array<$T>{x},
                       Number<Fillers<$T> >{{nan, above, below, $T()}}, n);
}
]]

function items.nan_to_num (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    list[i] = fill(NAN_TO_NUM, functor_values("", s, s, ""))
  end
  return list
end

-- z[i] = x[i] scaled, rounded and scaled back; each step is rounded
local ROUND_TO <const> = [[
struct f_round_to_$s {
  typedef $T T;
  static __device__ __forceinline__ T at (T x_, T by_) {
    const $C x = $x, by = $by, whole = $whole;
    return $value;
  }
};

]]

local ROUND_TO_KERNEL <const> = HEAD .. [[
round_to_$s ($T *z, const $T *x, $T by, int64_t over, size_t n) {
  if (over)
    map<f_round_over_$s>(z, Array<$T>{x}, Number<$T>{by}, n);
  else
    map<f_round_to_$s>(z, Array<$T>{x}, Number<$T>{by}, n);
}
]]

function items.round_to (op)
  local list = {}
  for _, s in ipairs(model.own(op)) do
    local v = functor_values("", s, s, model.store(s, "whole / by"))
    v.by, v.whole = model.load(s, "by_"),
                    ("rint(%s)"):format(model.rounded(s, "x * by"))
    list[#list + 1] = fill(ROUND_TO, v)
    v.whole = ("rint(%s)"):format(model.rounded(s, "x / by"))
    v.value = model.store(s, "whole * by")
    list[#list + 1] = fill(ROUND_TO:gsub("f_round_to", "f_round_over"), v)
    list[#list + 1] = fill(ROUND_TO_KERNEL, v)
  end
  return list
end

-- z[i] = whether x[i] is near y[i]; each step is rounded
local ISCLOSE <const> = [[
struct f_isclose_$s {
  $C rtol, atol;
  bool nan;
  __device__ __forceinline__ bool at ($T x_, $T y_) const {
    const $C x = $x, y = $y;
    const $C far = absolute($far), by = $by, most = $most;
    return ((far <= most) & (y - y == 0)) | (x == y) |
           (nan & (x != x) & (y != y));
  }
};

]] .. HEAD .. [[
isclose_$s (bool *z, const $T *x, const $T *y, $T rtol, $T atol, int64_t nan,
    size_t n) {
  const f_isclose_$s near = {$rtol, $atol, nan != 0};
  map(z, Array<$T>{x}, Array<$T>{y}, n, near);
}
]]

function items.isclose (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = functor_values("", s, "b8", "")
    v.far, v.by = model.rounded(s, "x - y"),
                  model.rounded(s, "absolute(y) * rtol")
    v.most = model.rounded(s, "by + atol")
    v.rtol, v.atol = model.load(s, "rtol"), model.load(s, "atol")
    list[i] = fill(ISCLOSE, v)
  end
  return list
end

--}}

--{{ reductions and scans

local FOLD <const> = [[
struct $f {
  typedef $T T;
  typedef $A A;
  typedef $Z Z;
  static __device__ Z out (A a, double by) { return $out; }
  static __device__ A none () { return $neutral; }
  static __device__ A map (T x_) {
    const $C x = $x;
    return $map;
  }
  static __device__ A join (A a, A b) { return $join; }
  static __device__ A take (A a, T x, size_t) { return join(a, map(x)); }
};

extern "C" __global__ void __launch_bounds__(PARTIAL_BLOCK)
${op}_partial_$s ($A *z, const $T *x, size_t n, int64_t apart) {
  fold_partial<$f>(z, x, n, apart);
}

extern "C" __global__ void __launch_bounds__(FINAL_BLOCK)
${op}_whole_$s ($Z *z, const $T *x, size_t n, int64_t apart, double by) {
  fold_whole<$f>(z, x, n, apart, by);
}

extern "C" __global__ void __launch_bounds__(AXIS_TEAM, 4)
${op}_axis_$s (void *z, const $T *x, size_t outer, size_t n, size_t inner,
    size_t chunks, size_t partial, double by) {
  reduce_axis<$f>(z, x, outer, n, inner, chunks, partial != 0, by);
}
]]

local FINAL <const> = [[
extern "C" __global__ void __launch_bounds__(FINAL_BLOCK)
${op}_final_$s ($Z *z, const $A *x, size_t n, int64_t apart, double by) {
  fold_final<$f>(z, x, n, apart, by);
}
]]

function items.reductions (op)
  local list = {}
  for _, s in ipairs(model.own(op, op.own)) do
    local v, fold = values(s), model.fold(op, s)
    v.op, v.f = op[1], ("%s_%s"):format(op[1], s)
    v.A, v.Z = types[fold.acc].ctype, types[fold.out].ctype
    v.out = model.store(fold.out, model.out(op, fold.acc))
    v.neutral = model.neutral(fold.acc, op[3])
    v.x = model.load(s, "x_")
    v.map, v.join = model.map(fold.acc, op[4]), model.store(fold.acc, op[5])
    list[#list + 1] = fill(FOLD, v)
    if fold.final == s then
      list[#list + 1] = fill(FINAL, v)
    end
  end
  return list
end

local FIND <const> = [[
struct $f {
  typedef $T T;
  typedef $C C;
  static __device__ __forceinline__ C load (T x) { return $x; }
  static __device__ __forceinline__ bool before (C x, C y) {
    return $before;
  }
};

extern "C" __global__ void __launch_bounds__(AXIS_TEAM, 4)
${op}_axis_$s (int64_t *z, const $T *x, const int64_t *candidates, size_t outer,
    size_t n, size_t inner, size_t chunks, size_t full, size_t base) {
  pick_axis<Picked<$f> >(z, x, candidates, outer, n, inner, chunks, full, base);
}
]]

function items.finds (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = values(s)
    v.op, v.f, v.before = op[1], ("%s_%s"):format(op[1], s), op[3]
    v.x = model.load(s, "x")
    list[i] = fill(FIND, v)
  end
  return list
end

local SCAN <const> = [[
struct $f {
  typedef $T T;
  typedef $A A;
  static __device__ A map (T x) { return $map; }
  static __device__ T out (A a) { return $out; }
  static __device__ A none () { return $neutral; }
  static __device__ A join (A a, A b) { return $join; }
  static __device__ A take (A a, T x, size_t) { return join(a, map(x)); }
};

extern "C" __global__ void __launch_bounds__(SCAN_BLOCK)
${op}_sums_$s ($A *sums, const $T *x, size_t n, size_t inner, size_t chunk,
    size_t chunks, size_t lines) {
  scan<$f>(NULL, x, NULL, sums, n, inner, chunk, chunks, lines);
}

extern "C" __global__ void __launch_bounds__(SCAN_APPLY_BOUNDS($A))
${op}_apply_$s ($T *z, const $T *x, const $A *ends, size_t n, size_t inner,
    size_t chunk, size_t chunks, size_t lines) {
  scan<$f>(z, x, ends, NULL, n, inner, chunk, chunks, lines);
}
]]

function items.scans (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v, acc = values(s), types[s].sum
    v.op, v.f, v.A = op[1], ("%s_%s"):format(op[1], s), types[acc].ctype
    v.map = model.store(acc, model.load(s, "x"))
    v.out, v.neutral = model.store(s, "a"), model.neutral(acc, op[3])
    v.join = model.store(acc, op[4])
    list[i] = fill(SCAN, v)
  end
  return list
end

--}}

local MATMUL <const> = [[
extern "C" __global__ void __launch_bounds__(MATMUL_BLOCK)
matmul_$s ($T *z, const $T *x, const $T *y, size_t m, size_t k, size_t n,
    size_t batches, size_t xstep, size_t ystep, size_t turned) {
  (void)batches;
  matmul<$T, decltype(element($T()))>(z, x, y, m, k, n, xstep, ystep, turned);
}
]]

function items.matmul (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do list[i] = fill(MATMUL, values(s)) end
  return list
end

--{{ files

local HEADERS <const> = {
  binary = { "elementwise.cuh", "strided.cuh" },
  unary = { "elementwise.cuh", "strided.cuh" },
  casts = { "elementwise.cuh" }, fill = { "elementwise.cuh" },
  copy = { "strided.cuh" }, arange = { "elementwise.cuh" },
  clip = { "elementwise.cuh" }, nan_to_num = { "elementwise.cuh" },
  round_to = { "elementwise.cuh" }, isclose = { "elementwise.cuh" },
  reductions = { "reduce.cuh", "axis.cuh" },
  finds = { "axis.cuh" }, scans = { "scan.cuh" }, matmul = { "matmul.cuh" }
}

-- Puts the beginning of all kernels into each: see kernels/common.cuh.
local function begin_kernels (text)
  return (text:gsub('(extern "C" __global__[^{]*{\n)',
                    "%1  after_previous();\n"))
end

local function unit_cu (unit)
  local includes, texts = {}, {}
  for _, item in ipairs(unit.items) do
    for _, name in ipairs(HEADERS[item[1]]) do
      if not includes[name] then
        includes[name] = true
        includes[#includes + 1] = ('#include "kernels/%s"\n'):format(name)
      end
    end
    for _, text in ipairs(items[item[1]](item[2])) do
      texts[#texts + 1] = begin_kernels(text)
    end
  end
  return table.concat(includes) .. "\n" .. table.concat(texts, "\n")
end

local files, units = {}, {}
for i, unit in ipairs(model.units()) do
  local path = "kernels/" .. unit.name .. ".cu"
  files[i] = { path, unit_cu(unit) }
  units[i] = ('#include "%s"'):format(path)
end
files[#files + 1] = { "kernels/units.cuh", table.concat(units, "\n") }

return files

--}}
