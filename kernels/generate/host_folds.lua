--[[
host_folds.lua - the host device's kernels that fold: reductions, and places of
the least and greatest.
]]
local model <const> = require "kernels.generate.model"
local template <const> = require "kernels.generate.template"
local types <const> = model.types
local fill <const>, values <const> = template.fill, template.values

local items = {}  -- by kind: items[kind](op) -> list of texts

-- Joins two accumulators; maps an element to one.
local PARTS <const> = [[
static inline $A join_$f ($A a, $A b) {
  return $join;
}

static inline $A map_$f ($C x) { return $map; }
]]

-- fold_f(xs, n): the neutral element joined with map_f(x) of every element;
-- lane k takes every LANES-th of them.
local FOLD <const> = PARTS .. [[

WIDE static $A fold_$f (const $R *xs, size_t n) {
  $A lane[LANES($A)];
  size_t i = 0;
  for (int k = 0; k < LANES_FEW; k++)
    lane[k] = $neutral;
  if (n >= LANES($A)) {
    for (int k = LANES_FEW; k < LANES($A); k++)
      lane[k] = $neutral;
    for (; i + LANES($A) <= n; i += LANES($A))
      for (int k = 0; k < LANES($A); k++)
        lane[k] = join_$f(lane[k], map_$f($xk));
    for (int d = LANES($A) / 2; d >= LANES_FEW; d /= 2)
      for (int k = 0; k < d; k++)
        lane[k] = join_$f(lane[k], lane[k + d]);
  }
  for (; i + LANES_FEW <= n; i += LANES_FEW)
    for (int k = 0; k < LANES_FEW; k++)
      lane[k] = join_$f(lane[k], map_$f($xk));
  for (; i < n; i++)
    lane[0] = join_$f(lane[0], map_$f($xi));
  for (int d = LANES_FEW / 2; d > 0; d /= 2)
    for (int k = 0; k < d; k++)
      lane[k] = join_$f(lane[k], lane[k + d]);
  return lane[0];
}
]]

-- Likewise for counts: in lanes as wide as an element, for as long as the
-- counts fit into a byte.
local COUNT <const> = PARTS .. [[

WIDE static $A fold_$f (const $R *xs, size_t n) {
  enum { MOST = 255, WIDTH = 128 / sizeof($N) };
  $A sum = 0;
  size_t i = 0;
  while (n - i >= WIDTH) {
    $N lane[WIDTH] = {0};
    size_t rows = (n - i) / WIDTH < MOST ? (n - i) / WIDTH : MOST;
    for (; rows > 0; rows--, i += WIDTH)
      for (int k = 0; k < WIDTH; k++)
        lane[k] = ($N)(lane[k] + ($N)map_$f($xk));
    for (int k = 0; k < WIDTH; k++)
      sum += ($A)lane[k];
  }
  for (; i < n; i++)
    sum += map_$f($xi);
  return sum;
}
]]

-- Sums with their counts. They are added in the order of FOLD, so that a mean
-- is that of the sum. Sums and counts have separate lanes, because structs do
-- not vectorise.
local MEAN <const> = PARTS .. [[

WIDE static $A fold_$f (const $R *xs, size_t n) {
  enum { MANY = LANES(double) };
  double sum[MANY] = {0}, count[MANY] = {0};
  size_t i = 0;
  for (; i + MANY <= n; i += MANY)
    for (int k = 0; k < MANY; k++) {
      const $A x = map_$f($xk);
      sum[k] += x.re;
      count[k] += x.im;
    }
  for (int d = MANY / 2; d >= LANES_FEW; d /= 2)
    for (int k = 0; k < d; k++) {
      sum[k] += sum[k + d];
      count[k] += count[k + d];
    }
  for (size_t few = LANES_FEW; i < n; i += few) {
    few = n - i < LANES_FEW ? 1 : LANES_FEW;
    for (size_t k = 0; k < few; k++) {
      const $A x = map_$f($xk);
      sum[k] += x.re;
      count[k] += x.im;
    }
  }
  for (int d = LANES_FEW / 2; d > 0; d /= 2)
    for (int k = 0; k < d; k++) {
      sum[k] += sum[k + d];
      count[k] += count[k + d];
    }
  return make_c128(sum[0], count[0]);
}
]]

-- The template of a rule, if it is not FOLD.
local FOLDS <const> = { count = COUNT, mean = MEAN }

local PARTIAL <const> = [[
void ${name}_partial_$s $PARAMS {
  PARAM(0, $A *, z);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, n);
  PARAM(3, int64_t, apart);
  SPAN(grid[0]);
  $R room[REDUCE_APART];
  for (size_t b = first; b < last; b++) {
    size_t at = axis_first(b, grid[0], n), end = axis_first(b + 1, grid[0], n);
    const $R *own = fold_run(room, xs, at, end - at, apart, sizeof *xs);
    z[b] = fold_${name}_$s(own, end - at);
  }
}
]]

-- until_f(xs, n): likewise for results that are known as soon as an accumulator
-- is not neutral; then it reads no more than a block.
local UNTIL <const> = [[
static $A until_$f (const $R *xs, size_t n) {
  const $A none = $neutral;
  $A a = none;
  for (size_t i = 0; i < n && a == none; i += STOP_BLOCK)
    a = fold_$f(xs + i, n - i < STOP_BLOCK ? n - i : STOP_BLOCK);
  return a;
}
]]

-- until_f(xs, n) for elements of a byte.
local FOUND <const> = { any = "bytes_find_set(xs, n) < n",
                        all = "bytes_find_zero(xs, n) == n" }
local UNTIL_BYTES <const> = PARTS .. [[

static $A until_$f (const $R *xs, size_t n) { return $known; }
]]

-- When one part knows the result, the others find no elements: n is the
-- launch's own.
local PARTIAL_UNTIL <const> = [[
void ${name}_partial_$s $PARAMS {
  PARAM(0, $A *, z);
  PARAM(1, const $R *, xs);
  size_t *elements = params[2];
  PARAM(3, int64_t, apart);
  SPAN(grid[0]);
  $R room[REDUCE_APART];
  for (size_t b = first; b < last; b++) {
    size_t n = __atomic_load_n(elements, __ATOMIC_RELAXED);
    size_t at = axis_first(b, grid[0], n), end = axis_first(b + 1, grid[0], n);
    const $R *own = fold_run(room, xs, at, end - at, apart, sizeof *xs);
    z[b] = until_${name}_$s(own, end - at);
    if (z[b] != $neutral)
      __atomic_store_n(elements, 0, __ATOMIC_RELAXED);
  }
}
]]

local WHOLE <const> = [[
void ${name}_whole_$s $PARAMS {
  PARAM(0, $Z *, z);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, n);
  PARAM(3, int64_t, apart);
  PARAM(4, double, by);
  $R room[REDUCE_APART];
  (void)grid, (void)block, (void)by;
  const $R *own = fold_run(room, xs, 0, n, apart, sizeof *xs);
  const $A a = ${whole}_$f(own, n);
  *z = $out;
}
]]

-- The last step: folds accumulators.
local FINAL <const> = [[
void ${name}_final_$s $PARAMS {
  PARAM(0, $Z *, z);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, n);
  PARAM(4, double, by);
  (void)grid, (void)block, (void)by;
  const $A a = ${whole}_$f(xs, n);
  *z = $out;
}
]]

-- A row that is shorter than the number of lanes is folded in the first lane,
-- and joined with the neutral elements of the others: like fold_f, without its
-- overhead. (Not for the least and greatest, which would be branches here.)
local FEW <const> = [[
static inline $A few_${name}_$s (const $R *xs, size_t n) {
  const $A none = $neutral;
  $A a = none;
  for (size_t i = 0; i < n; i++)
    a = join_${name}_$s(a, map_${name}_$s($xi));
  for (int d = LANES_FEW / 2; d > 0; d /= 2)
    a = join_${name}_$s(a, none);
  return a;
}
]]

-- Row k of the results belongs to chunk k % chunks of x[k / chunks]. Columns
-- are folded side by side, so that the loop over them can be vectorised, a tile
-- of them at a time: see folds.h.
local AXIS <const> = [[
WIDE static void columns_${name}_$s ($A *a, const $R *xs, size_t rows,
    size_t inner, size_t width) {
  for (size_t r = 0; r < rows; r++, xs += inner)
    for (size_t i = 0; i < width; i++)
      a[i] = join_${name}_$s(a[i], map_${name}_$s($xi));
}

void ${name}_axis_$s $PARAMS {
  PARAM(0, void *, z);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, outer);
  PARAM(3, size_t, n);
  PARAM(4, size_t, inner);
  PARAM(5, size_t, chunks);
  PARAM(6, size_t, partial);
  PARAM(7, double, by);
  size_t tiles = fold_column_tiles(inner);
  SPAN(outer * chunks * tiles);
  $A a[COLUMNS];
  (void)grid, (void)by;
  for (size_t t = first; t < last; t++) {
    size_t k = (tiles == 1) ? t : t / tiles, c = (t - k * tiles) * COLUMNS;
    size_t row = k, lo = 0, rows = n;
    if (chunks > 1) {
      row = k / chunks;
      lo = axis_first(k % chunks, chunks, n);
      rows = axis_first(k % chunks + 1, chunks, n) - lo;
    }
    size_t width = inner - c < COLUMNS ? inner - c : COLUMNS;
    const $R *at = xs + (row * n + lo) * inner + c;
    if (inner == 1) {
      a[0] = $row;
    } else {
      for (size_t i = 0; i < width; i++)
        a[i] = $neutral;
      columns_${name}_$s(a, at, rows, inner, width);
    }
    for (size_t i = 0; i < width; i++) {
      if (partial)
        (($A *)z)[k * inner + c + i] = a[i];
      else
        (($Z *)z)[k * inner + c + i] = $outi;
    }
  }
}
]]

--- The values of FOLD for a fold of elements of type s with a map.
local function fold_values (op, s, f, map)
  local v, fold = values(s), model.fold(op, s)
  local acc = fold.acc
  v.name, v.f, v.A, v.Z = op[1], f, types[acc].ctype, types[fold.out].ctype
  v.neutral = model.neutral(acc, op[3])
  v.map, v.join = model.map(acc, map), model.store(acc, op[5])
  v.xk, v.xi = model.load(s, "xs[i + k]"), model.load(s, "xs[i]")
  local out = model.out(op, acc)
  v.out = model.store(fold.out, out)
  v.outi = model.store(fold.out, (out:gsub("%f[%w]a%f[%W]", "a[i]")))
  return v
end

function items.reductions (op)
  local list = {}
  for _, s in ipairs(model.own(op, op.own)) do
    local fold = model.fold(op, s)
    local v = fold_values(op, s, ("%s_%s"):format(op[1], s), op[4])
    local stops = op.folds == "bool"
    v.whole = stops and "until" or "fold"
    v.N = ("uint%d_t"):format(8 * types[s].bytes)
    local bytes = stops and types[s].bytes == 1
    v.known = FOUND[op[1]]
    list[#list + 1] = fill(bytes and UNTIL_BYTES or FOLDS[op.folds] or FOLD, v)
    if stops and not bytes then
      list[#list + 1] = fill(UNTIL, v)
    end
    list[#list + 1] = fill(stops and PARTIAL_UNTIL or PARTIAL, v)
    list[#list + 1] = fill(WHOLE, v)
    v.row = ("%s_%s_%s(at, rows)"):format(v.whole, op[1], s)
    if op.folds ~= "same" then
      list[#list + 1] = fill(FEW, v)
      v.row = ("rows < LANES_FEW ? few_%s_%s(at, rows) :\n%s%s"):format(
        op[1], s, (" "):rep(13), v.row)
    end
    list[#list + 1] = fill(AXIS, v)
    if fold.final == s and fold.acc == s and op[4] == "x" then
      list[#list + 1] = fill(FINAL, v)  -- accumulators as elements
    elseif fold.final == s then
      local again = fold_values(op, fold.acc, ("%s_acc_%s"):format(op[1], s),
                                "x")
      again.A, again.neutral, again.join = v.A, v.neutral, v.join
      again.Z, again.out, again.map = v.Z, v.out, model.store(fold.acc, "x")
      again.s, again.whole = s, "fold"
      list[#list + 1] = fill(FOLD, again)
      list[#list + 1] = fill(FINAL, again)
    end
  end
  return list
end

local BEFORE <const> = [[
static inline bool before_$f ($C x, $C y) {
  return (x != x) ? y == y : $before;
}

]]

-- find_f(x, n, known, best): returns the place of the first element that comes
-- before all others. A block at a time is folded to the best value, which is
-- then searched for in one block. '*best' becomes that value. If a value was
-- 'known', and no element comes before it, the first place is returned, because
-- any will do.
local FIND <const> = [[
/* Returns the first place whose element 'best' does not come before; there is
** one. */
WIDE static size_t where_$f (const $R *x, size_t n, $C best) {
  size_t at = 0;
  for (; at + FIND_STEP <= n; at += FIND_STEP) {
    int found = 0;
    for (size_t k = 0; k < FIND_STEP; k++)
      found |= !before_$f(best, $xk);
    if (found)
      break;
  }
  while (before_$f(best, $xat))
    at++;
  return at;
}

static inline size_t find_few_$f (const $R *x, size_t n) {
  $C best = $x0;
  size_t at = 0;
  for (size_t i = 1; i < n; i++) {
    $C next = $xi;
    at = before_$f(next, best) ? i : at;
    best = before_$f(next, best) ? next : best;
  }
  return at;
}

static int64_t find_$f (const $R *x, size_t n, bool known, $C *best) {
  size_t at = 0;
  bool found = !known;
  if (n < FIND_STEP && !known) {
    at = find_few_$f(x, n);
    *best = $xat;
    return (int64_t)at;
  }
  if (!known)
    *best = $x0;
  for (size_t i = 0; i < n; i += FIND_BLOCK) {
    size_t left = n - i < FIND_BLOCK ? n - i : FIND_BLOCK;
    $C next = $folded;
    if (before_$f(next, *best)) {
      *best = next;
      at = i;
      found = true;
    }
  }
  return found ? (int64_t)(at + where_$f(x + at, n - at, *best)) : 0;
}

]]

-- find_f for bools: the place of the first $sought, if there is one. No bool
-- comes before it.
local FIND_BOOL <const> = [[
static int64_t find_$f (const $R *x, size_t n, bool known, $C *best) {
  if (known && *best == $sought)
    return 0;
  const size_t at = $place;
  if (at < n || !known)
    *best = (at < n) == $sought;
  return at < n ? (int64_t)at : 0;
}

]]

local FIND_AXIS <const> = [[
void ${name}_axis_$s $PARAMS {
  PARAM(0, int64_t *, z);
  PARAM(1, const $R *, xs);
  PARAM(2, const int64_t *, candidates);
  PARAM(3, size_t, outer);
  PARAM(4, size_t, n);
  PARAM(5, size_t, inner);
  PARAM(6, size_t, chunks);
  PARAM(7, size_t, full);
  PARAM(8, size_t, base);
  size_t tiles = fold_column_tiles(inner);
  SPAN(outer * chunks * tiles);
  $C best[COLUMNS];
  (void)grid;
  for (size_t t = first; t < last; t++) {
    size_t k = (tiles == 1) ? t : t / tiles, c = (t - k * tiles) * COLUMNS;
    size_t o = k / chunks, chunk = k % chunks;
    size_t lo = axis_first(chunk, chunks, n);
    size_t end = axis_first(chunk + 1, chunks, n);
    size_t width = inner - c < COLUMNS ? inner - c : COLUMNS;
    const $R *x = xs + o * full * inner;
    int64_t *to = z + k * inner + c;
    if (inner == 1 && candidates == NULL) {
      /* the line's best chunk is picked later, so other chunks need no place */
      *to = find_$f(x + lo, end - lo, t > first && chunk > 0, best) +
            (int64_t)(lo + base);
      continue;
    }
    for (size_t r = lo; r < end; r++) {
      for (size_t i = 0; i < width; i++) {
        /* the row along the axis of candidate r of column c */
        int64_t at = (candidates == NULL ? (int64_t)r :
                      candidates[(o * n + r) * inner + c + i]);
        $C next = $xnext;
        if (r == lo || before_$f(next, best[i])) {
          best[i] = next;
          to[i] = at + (int64_t)base;
        }
      }
    }
  }
}
]]

function items.finds (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = values(s)
    v.name, v.f, v.before = op[1], ("%s_%s"):format(op[1], s), op[3]
    v.x0, v.xat = model.load(s, "x[0]"), model.load(s, "x[at]")
    v.xk, v.xi = model.load(s, "x[at + k]"), model.load(s, "x[i]")
    v.xnext = model.load(s, "x[(size_t)at * inner + c + i]")
    v.folded = model.load(s, ("fold_%s_%s(x + i, left)"):format(op.fold, s))
    v.sought = op.fold == "max" and "true" or "false"
    v.place = op.fold == "max" and "bytes_find_set(x, n)" or
              "bytes_find_zero(x, n)"
    list[i] = fill(BEFORE, v) .. fill(s == "b8" and FIND_BOOL or FIND, v) ..
              fill(FIND_AXIS, v)
  end
  return list
end

return items
