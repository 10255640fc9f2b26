--[[
cuda_maps.lua - the CUDA kernels that work element by element: functors, and
kernels that pass them to the templates of elementwise.cuh and strided.cuh.
]]
local model <const> = require "kernels.generate.model"
local template <const> = require "kernels.generate.template"
local source <const>, types <const> = model.source, model.types
local fill <const>, values <const> = template.fill, template.values

local items = {}  -- by kind: items[kind](op) -> list of texts

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

local function of_widths (text)
  return function ()
    local list = {}
    for i, b in ipairs(model.widths) do list[i] = fill(text, { b = b }) end
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

return items
