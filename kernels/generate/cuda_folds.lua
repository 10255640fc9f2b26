--[[
cuda_folds.lua - the CUDA kernels that fold: reductions, places of the least and
greatest, scans and products of matrices. Their templates are in reduce.cuh,
axis.cuh, scan.cuh and matmul.cuh.
]]
local model <const> = require "kernels.generate.model"
local template <const> = require "kernels.generate.template"
local types <const> = model.types
local fill <const>, values <const> = template.fill, template.values

local items = {}  -- by kind: items[kind](op) -> list of texts

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

return items
