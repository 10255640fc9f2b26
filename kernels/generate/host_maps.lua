--[[
host_maps.lua - the host device's elementwise kernels: the texts of an
operation's functions.
]]
local model <const> = require "kernels.generate.model"
local template <const> = require "kernels.generate.template"
local source <const>, types <const> = model.source, model.types
local fill <const>, values <const> = template.fill, template.values

local items = {}  -- by kind: items[kind](op) -> list of texts

-- Types with functions of several floats at once.
local BATCHED <const> = { f32 = true, f64 = true, c64 = true, c128 = true }

--- Tells whether its elements go in batches.
local function is_batched (s) return BATCHED[types[s].calc] end

local MAP2 <const> = [[
WIDE void $name $PARAMS {
  PARAM(0, $Z *, zs);
  PARAM(1, $X, $xs);
  PARAM(2, $Y, $ys);
  PARAM(3, size_t, n);
  SPAN(n);
  (void)grid;
  INDEPENDENT
  for (size_t i = first; i < last; i++) {
    const $C x = $x;
    const $C y = $y;
    zs[i] = $value;
  }
}
]]

--- Returns how an operand, "v" an array or "s" a number, is declared and read.
local function operand (form, s, name)
  local t = types[s]
  if form == "v" then
    return ("const %s *"):format(t.read_as), name .. "s",
           model.load(s, name .. "s[i]")
  end
  return t.ctype, name .. "s", model.load(s, name .. "s")
end

local MAP2_BATCHES <const> = [[
WIDEST void $name $PARAMS {
  PARAM(0, $Z *, zs);
  PARAM(1, const $R *, xs);
  PARAM(2, const $R *, ys);
  PARAM(3, size_t, n);
  SPAN(n);
  $R xs_left[BATCH] = {0}, ys_left[BATCH] = {0};
  $Z out[BATCH];
  (void)grid;
  for (size_t k = first; k < last; k += BATCH) {
    const size_t left = last - k;
    const $R *xs_at = xs + k, *ys_at = ys + k;
    $Z *to = zs + k;
    if (left < BATCH) {
      xs_at = memcpy(xs_left, xs_at, left * sizeof *xs_at);
      ys_at = memcpy(ys_left, ys_at, left * sizeof *ys_at);
      to = out;
    }
    INDEPENDENT
    for (size_t i = 0; i < BATCH; i++) {
      const $C x = $x;
      const $C y = $y;
      to[i] = $value;
    }
    if (left < BATCH)
      memcpy(zs + k, out, left * sizeof *out);
  }
}
]]

local function map2_batches (name, s, z, value)
  local v = values(s)
  v.name, v.Z, v.value = name, types[z].ctype, value
  v.x, v.y = model.load(s, "xs_at[i]"), model.load(s, "ys_at[i]")
  return fill(MAP2_BATCHES, v)
end

local function map2 (name, s, z, forms, value)
  local v = values(s)
  v.name, v.Z, v.value = name, types[z].ctype, value
  v.X, v.xs, v.x = operand(forms:sub(1, 1), s, "x")
  v.Y, v.ys, v.y = operand(forms:sub(2, 2), s, "y")
  return fill(MAP2, v)
end

local MAP1 <const> = [[
WIDE void $name $PARAMS {
  PARAM(0, $Z *, zs);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, n);
  SPAN(n);
  (void)grid;
  INDEPENDENT
  for (size_t i = first; i < last; i++) {
    const $C x = $x;
    zs[i] = $value;
  }
}
]]

-- Equal floats have equal results wherever they are: one loop does all of them,
-- in batches, of which the last is filled up.
local MAP1_BATCHES <const> = [[
WIDEST void $name $PARAMS {
  PARAM(0, $Z *, zs);
  PARAM(1, const $R *, xs);
  PARAM(2, size_t, n);
  SPAN(n);
  $R in[BATCH] = {0};
  $Z out[BATCH];
  (void)grid;
  for (size_t k = first; k < last; k += BATCH) {
    const size_t left = last - k;
    const $R *from = xs + k;
    $Z *to = zs + k;
    if (left < BATCH) {
      from = memcpy(in, from, left * sizeof *in);
      to = out;
    }
    INDEPENDENT
    for (size_t i = 0; i < BATCH; i++) {
      const $C x = $x;
      to[i] = $value;
    }
    if (left < BATCH)
      memcpy(zs + k, out, left * sizeof *out);
  }
}
]]

-- float16 goes through the kernel of float32.
local MAP1_HALVES <const> = [[
void $name $PARAMS {
  PARAM(0, t_f16 *, zs);
  PARAM(1, const t_f16 *, xs);
  PARAM(2, size_t, n);
  SPAN(n);
  static const unsigned one[3] = {1, 1, 1};
  float wide[HALVES], *at = wide;
  (void)grid;
  for (size_t k = first; k < last; k += HALVES) {
    size_t left = last - k < HALVES ? last - k : HALVES;
    float16_widen(wide, xs + k, left);
    $op((void *[]){&at, &at, &left}, one, one);
    float16_narrow(zs + k, wide, left);
  }
}
]]

--- Tells whether the expression for float16 is that for float32, rounded.
local function is_of_halves (op, s, z)
  if s ~= "f16" or z ~= "f16" then return false end
  local half = model.value(op, "f16"):match "^to_f16(%b())$"
  local float = model.value(op, "f32"):match "^%(float%)(.+)$"
  return half and (float == half or "(" .. float .. ")" == half)
end

local function map1_halves (op)
  local v = values "f16"
  v.name, v.op = op[1] .. "_f16", op[1] .. "_f32"
  return fill(MAP1_HALVES, v)
end

local function map1 (name, s, z, value)
  local v = values(s)
  v.name, v.Z, v.value = name, types[z].ctype, value
  v.x = model.load(s, is_batched(s) and "from[i]" or "xs[i]")
  return fill(is_batched(s) and MAP1_BATCHES or MAP1, v)
end

local ROW <const> = [[
static void ${name}_row_$s (const Row *row) {
  const Row own = *row, *r = &own;  /* an element might be part of a row */
  for (size_t i = 0; i < r->n; i++) {
    const $C x = $x;
$y    SIDE(0, $Z) = $value;
  }
}

]]

local STRIDED <const> = [[
void ${name}_nd_$s $PARAMS {
  static const Rows f = {
    .any = $any, .run = {$run}, .sides = $sides,
    .even = $even, .truth = $truth,
    .size = {sizeof($Z), sizeof($T), sizeof($T)}
  };
  (void)grid;
  strided_run(params, block, $number, &f);
}
]]

--- run: the dense host kernels for rows that are runs. Operations in batches
-- use them for all rows, and have no loop of their own.
local function strided (op, s, z, sides, run, value, packed)
  local v = values(s)
  local side = ("SIDE(%%d, const %s)"):format(v.R)
  v.name, v.Z, v.value = op[1], types[z].ctype, value
  v.sides, v.run, v.number = sides, table.concat(run, ", "), sides == 3
  v.even, v.truth = op.forms == "even", s == "b8"
  v.any = packed and "NULL" or ("%s_row_%s"):format(op[1], s)
  v.x = model.load(s, side:format(1))
  v.y = sides == 3 and ("    const %s y = %s;\n"):format(
    v.C, model.load(s, side:format(2))) or ""
  return (packed and "" or fill(ROW, v)) .. fill(STRIDED, v)
end

--- Integers have these operations by one number in divide.c, under that name.
local BY_NUMBER <const> = { floordiv = "vs", mod = "vs", fmod = "by" }

function items.binary (op)
  local list = {}
  for _, s in ipairs(model.own(op)) do
    local z = model.result(op, s)
    local value = model.value(op, s)
    local batched = op.batched and is_batched(s)
    local by = s:find "^[iu]" and BY_NUMBER[op[1]]
    local run = { vv = "NULL", vs = "NULL", sv = "NULL" }
    for _, form in ipairs(model.forms(op)) do
      if form ~= "nd" and form ~= by then
        run[form] = ("%s_%s_%s"):format(op[1], form, s)
        list[#list + 1] = batched and map2_batches(run[form], s, z, value) or
                          map2(run[form], s, z, form, value)
      end
    end
    if op.forms == "even" then
      run.sv = run.vs
    elseif by then
      run.vs = ("%s_%s_%s"):format(op[1], by, s)
    end
    list[#list + 1] = strided(op, s, z, 3, { run.vv, run.vs, run.sv }, value,
                              batched)
  end
  return list
end

function items.unary (op)
  local list, last = {}, {}
  for _, s in ipairs(model.own(op)) do
    local z, name = model.result(op, s), ("%s_%s"):format(op[1], s)
    local value = model.value(op, s)
    local to = list
    if is_of_halves(op, s, z) then
      to = last  -- after the kernel that it calls
      to[#to + 1] = map1_halves(op)
    else
      to[#to + 1] = map1(name, s, z, value)
    end
    to[#to + 1] = strided(op, s, z, 2, { name, "NULL", "NULL" }, value,
                          is_batched(s))
  end
  return table.move(last, 1, #last, #list + 1, list)
end

--- A choice between two values for bools, because gcc has no vectors that
-- convert them.
function items.casts (to)
  local list = {}
  for i, s in ipairs(source.sets[to[2]]) do
    local chosen = s == "b8" and (to[1] == "f32" or to[1] == "f64")
    list[i] = map1(("cast_%s_%s"):format(s, to[1]), s, to[1],
                   chosen and "x ? 1.0f : 0.0f" or
                   ("CONVERT(%s, x)"):format(to[1]))
  end
  return list
end

function items.arange (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    list[i] = map2("arange_" .. s, s, s, "ss", model.store(s, "term(x, y, i)"))
  end
  return list
end

local FILL <const> = [[
void fill_$b $PARAMS {
  PARAM(0, t_$b *, zs);
  PARAM(1, t_$b, x);
  PARAM(2, size_t, n);
  SPAN(n);
  (void)grid;
  for (size_t i = first; i < last; i++)
    zs[i] = x;
}
]]

function items.fill ()
  local list = {}
  for i, b in ipairs(model.widths) do list[i] = fill(FILL, { b = b }) end
  return list
end

-- One condition in each step: gcc makes a branch of a choice within another
-- one, and does not vectorise the loop then.
local CLIP <const> = [[
WIDE void clip_$s $PARAMS {
  PARAM(0, $T *, zs);
  PARAM(1, const $T *, xs);
  PARAM(2, $T, low);
  PARAM(3, $T, high);
  PARAM(4, size_t, n);
  const $C lo = $lo, hi = $hi;
  SPAN(n);
  (void)grid;
  INDEPENDENT
  for (size_t i = first; i < last; i++) {
    const $C x = $x, above = x > lo ? x : lo, a = x != x ? x : above;
    const $C below = a < hi ? a : hi, z = a != a ? a : below;
    zs[i] = $value;
  }
}
]]

function items.clip (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = values(s)
    v.lo, v.hi = model.load(s, "low"), model.load(s, "high")
    v.x = model.load(s, "xs[i]")
    v.value = model.store(s, "z")
    list[i] = fill(CLIP, v)
  end
  return list
end

local NAN_TO_NUM <const> = [[
WIDE void nan_to_num_$s $PARAMS {
  PARAM(0, $T *, zs);
  PARAM(1, const $T *, xs);
  PARAM(2, $T, nan_);
  PARAM(3, $T, above_);
  PARAM(4, $T, below_);
  PARAM(5, size_t, n);
  const $C nan = $nan, above = $above, below = $below;
  SPAN(n);
  (void)grid;
  INDEPENDENT
  for (size_t i = first; i < last; i++) {
    const $C x = $x, most = x == ($C)INFINITY ? above : x;
    const $C least = x == -($C)INFINITY ? below : most;
    const $C z = x != x ? nan : least;
    zs[i] = $value;
  }
}
]]

function items.nan_to_num (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = values(s)
    v.nan, v.above = model.load(s, "nan_"), model.load(s, "above_")
    v.below, v.x = model.load(s, "below_"), model.load(s, "xs[i]")
    v.value = model.store(s, "z")
    list[i] = fill(NAN_TO_NUM, v)
  end
  return list
end

local ROUND_TO <const> = [[
WIDE static void ${name}_$s ($T *zs, const $T *xs, $C by, size_t n) {
  INDEPENDENT
  for (size_t i = 0; i < n; i++) {
    const $C x = $x, whole = $whole;
    zs[i] = $value;
  }
}

]]

local ROUND_TO_KERNEL <const> = [[
void round_to_$s $PARAMS {
  PARAM(0, $T *, zs);
  PARAM(1, const $T *, xs);
  PARAM(2, $T, by_);
  PARAM(3, int64_t, over);
  PARAM(4, size_t, n);
  const $C by = $by;
  SPAN(n);
  (void)grid;
  (over ? round_over_$s : scaled_round_$s)(zs + first, xs + first, by,
                                           last - first);
}
]]

function items.round_to (op)
  local list = {}
  for _, s in ipairs(model.own(op)) do
    local v = values(s)
    v.by, v.x = model.load(s, "by_"), model.load(s, "xs[i]")
    for _, way in ipairs{ { "scaled_round", "*", "/" },
                          { "round_over", "/", "*" } } do
      v.name = way[1]
      v.whole = ("rint(%s)"):format(
        model.rounded(s, ("x %s by"):format(way[2])))
      v.value = model.store(s, ("whole %s by"):format(way[3]))
      list[#list + 1] = fill(ROUND_TO, v)
    end
    list[#list + 1] = fill(ROUND_TO_KERNEL, v)
  end
  return list
end

local ISCLOSE <const> = [[
WIDE void isclose_$s $PARAMS {
  PARAM(0, bool *, zs);
  PARAM(1, const $T *, xs);
  PARAM(2, const $T *, ys);
  PARAM(3, $T, rtol_);
  PARAM(4, $T, atol_);
  PARAM(5, int64_t, nan);
  PARAM(6, size_t, n);
  const $C rtol = $rtol, atol = $atol;
  SPAN(n);
  (void)grid;
  INDEPENDENT
  for (size_t i = first; i < last; i++) {
    const $C x = $x, y = $y;
    const $C far = absolute($far), by = $by, most = $most;
    zs[i] = ((far <= most) & (y - y == 0)) | (x == y) |
            ((nan != 0) & (x != x) & (y != y));
  }
}
]]

function items.isclose (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v = values(s)
    v.x, v.y = model.load(s, "xs[i]"), model.load(s, "ys[i]")
    v.far, v.by = model.rounded(s, "x - y"),
                  model.rounded(s, "absolute(y) * rtol")
    v.most = model.rounded(s, "by + atol")
    v.rtol, v.atol = model.load(s, "rtol_"), model.load(s, "atol_")
    list[i] = fill(ISCLOSE, v)
  end
  return list
end

return items
