--[[
host_scans.lua - the host device's kernels that keep all intermediate results of
a fold.
]]
local model <const> = require "kernels.generate.model"
local template <const> = require "kernels.generate.template"
local types <const> = model.types
local fill <const>, values <const> = template.fill, template.values

local items = {}  -- by kind: items[kind](op) -> list of texts

-- Neighbouring lines side by side; a single line in a register.
local SCAN <const> = [[
static inline $A join_$f ($A a, $A b) {
  return $join;
}

void ${name}_sums_$s $PARAMS {
  PARAM(0, $A *, sums);
  PARAM(1, const $T *, x);
  PARAM(2, size_t, n);
  PARAM(3, size_t, inner);
  PARAM(4, size_t, chunk);
  PARAM(5, size_t, chunks);
  PARAM(6, size_t, lines);
  SPAN(scan_parts(inner, chunks, lines));
  (void)grid;
  for (size_t part = first; part < last; part++) {
    $A a[SCAN_LANES];
    const Chunk c = scan_chunk(part, n, inner, chunk, chunks);
    for (size_t l = 0; l < c.lanes; l++)
      a[l] = $neutral;
    if (c.lanes == 1) {
      $A one = a[0];
      for (size_t i = c.from, k = 0; k < c.len; k++, i += inner)
        one = join_$f(one, $xi);
      a[0] = one;
    } else {
      for (size_t i = c.from, k = 0; k < c.len; k++, i += inner)
        for (size_t l = 0; l < c.lanes; l++)
          a[l] = join_$f(a[l], $xl);
    }
    for (size_t l = 0; l < c.lanes; l++)
      sums[c.sum + l * chunks] = a[l];
  }
}

void ${name}_apply_$s $PARAMS {
  PARAM(0, $T *, z);
  PARAM(1, const $T *, x);
  PARAM(2, const $A *, ends);
  PARAM(3, size_t, n);
  PARAM(4, size_t, inner);
  PARAM(5, size_t, chunk);
  PARAM(6, size_t, chunks);
  PARAM(7, size_t, lines);
  SPAN(scan_parts(inner, chunks, lines));
  (void)grid;
  for (size_t part = first; part < last; part++) {
    $A a[SCAN_LANES];
    const Chunk c = scan_chunk(part, n, inner, chunk, chunks);
    for (size_t l = 0; l < c.lanes; l++)
      a[l] = c.goes_on ? ends[c.sum + l * chunks - 1] : $neutral;
    if (c.lanes == 1) {
      $A one = a[0];
      for (size_t i = c.from, k = 0; k < c.len; k++, i += inner) {
        one = join_$f(one, $xi);
        z[i] = $out;
      }
    } else {
      for (size_t i = c.from, k = 0; k < c.len; k++, i += inner)
        for (size_t l = 0; l < c.lanes; l++) {
          a[l] = join_$f(a[l], $xl);
          z[i + l] = $outl;
        }
    }
  }
}
]]

function items.scans (op)
  local list = {}
  for i, s in ipairs(model.own(op)) do
    local v, acc = values(s), types[s].sum
    v.name, v.f, v.A = op[1], ("%s_%s"):format(op[1], s), types[acc].ctype
    v.neutral, v.join = model.neutral(acc, op[3]), model.store(acc, op[4])
    v.xi = model.store(acc, model.load(s, "x[i]"))
    v.xl = model.store(acc, model.load(s, "x[i + l]"))
    v.out, v.outl = model.store(s, "one"), model.store(s, "a[l]")
    list[i] = fill(SCAN, v)
  end
  return list
end

return items
