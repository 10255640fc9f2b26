--[[
model.lua - conclusions from kernels/table.lua: the types for which an operation
has kernels, the kernels that other types use, and the list of all kernels.
Knows nothing of the generated texts.
]]
local source <const> = require "kernels.table"

local model = { source = source }

-- Elements of 8 to 128 bits, for kernels that move them unchanged.
model.widths = { "w8", "w16", "w32", "w64", "w128" }

--{{ types

local types = {}
model.types = types

for _, t in ipairs(source.dtypes) do
  types[t[1]] = t
  t.suffix = t[1]
  t.alias = t.alias or {}
  t.calc = t.calc or t.suffix
  t.part = t.part or t.suffix
  t.wider = t.wider or t.suffix
  t.read_as = t.read_as or t.ctype
  t.total = t.kept and t.sum or t.suffix
end

--- load(s, x) -> x, an element of type s, in the type of the computation.
function model.load (s, x)
  local t = types[s]
  return t.load and ("%s(%s)"):format(t.load, x) or x
end

--- store(s, x) -> a computed value as an element of type s.
function model.store (s, x)
  local t = types[s]
  local simple = x:find "^[%w_]+%b()$" or x:find "^[%w_]+%b[]$" or
                 x:find "^[%w_.]+$"
  return t.store and ("%s(%s)"):format(t.store, x) or
         (simple and "(%s)%s" or "(%s)(%s)"):format(t.ctype, x)
end

--- rounded(s, x) -> a computed value, rounded as an element of type s would be.
function model.rounded (s, x)
  return model.load(s, model.store(s, x))
end

--- The type of an operation's result on elements of type s.
function model.result (op, s)
  return op.gives == "bool" and "b8" or op.gives == "part" and types[s].part or
         op.gives or s
end

--- Its expression, in which T is the type of an element.
function model.expression (op, s)
  return (op[3]:gsub("%f[%w_]T%f[^%w_]", types[s].ctype))
end

--- The result as an element.
function model.value (op, s)
  return model.store(model.result(op, s), model.expression(op, s))
end

--- The type whose kernels s uses, by a rule.
function model.alias (rule, s)
  return types[s].alias[rule] or s
end

--- own(op [, set]) -> the types that have kernels of their own.
function model.own (op, set)
  local list = {}
  for _, s in ipairs(source.sets[set or op[2]]) do
    if model.alias(op.alias, s) == s then
      list[#list + 1] = s
    end
  end
  return list
end

--}}

--{{ reductions

--- By rule: accumulator, result, the type whose kernel ends the fold (folds
-- with accumulators and results of one type end alike), and the type to which
-- elements without kernels are converted.
local folds <const> = {
  same = function (s)
    return { acc = types[s].calc, out = s, final = s, via = types[s].wider }
  end,
  bool = function ()  -- bools do not vectorise
    return { acc = "i32", out = "b8", final = "i32", via = "b8" }
  end,
  count = function ()
    return { acc = "i64", out = "i64", final = "b8", via = "b8" }
  end,
  numbers = function (s)
    return { acc = "i64", out = "i64", final = "f32", via = types[s].wider }
  end,
  mean = function (s)
    return { acc = "c128", out = types[s].part, final = s,
             via = types[s].wider }
  end,
  sum = function (s)
    local acc, out = types[s].sum, types[s].total
    return { acc = acc, out = out, via = acc,
             final = acc == out and model.alias("long", acc) or s }
  end
}

--- An expression as an accumulator; A in its text is the accumulator's type.
function model.neutral (acc, text)
  return model.store(acc, (text:gsub("%f[%w]A%f[%W]", types[acc].ctype)))
end

--- The expression of an operation over elements of type s as an accumulator.
model.map = model.neutral

--- The expression of a result over the accumulator a and the number 'by'.
function model.out (op, acc)
  local divided = op.divided and { f64 = "by == 1 ? a : a / by",
    c128 = "by == 1 ? a : make_c128(a.re / by, a.im / by)" } or {}
  return op.out or divided[acc] or "a"
end

function model.fold (op, s) return folds[op.folds or "sum"](s) end

--}}

--{{ the kernels

-- The letters of arguments are explained in src/rt/kernels/kernels.h.
local FORM_ARGS <const> = { vv = "wrrn", vs = "wren", sv = "wern",
                            nd = "wrreg" }
local FORMS <const> = {
  full = { "vv", "vs", "nd", "sv" }, most = { "vv", "vs", "nd" },
  even = { "vv", "vs", "nd" }, pairs = { "vv", "nd" },
  rare = { "vv", "nd" }
}

--- forms(op) -> the forms for which a binary operation has kernels.
function model.forms (op) return FORMS[op.forms] or {} end

local kernels = {}
model.kernels = kernels

--- The default rule of kernels/parts.lua.
local function parts_of (args)
  return args:find "g" and "strided" or
         args:find "^[wrei]*n[id]*$" and "elements" or nil
end

--- Blocks and elements per thread are C expressions of the constants of
-- types.h. 'row' may have the fields of kernels/by_hand.lua; T is the type.
local function add (name, args, block, each, row, T)
  local only = row and row.only
  kernels[#kernels + 1] = {
    name = name, args = args, block = block, each = each or "0", only = only,
    parts = row and row.parts or parts_of(args), T = T
  }
end

local function pack (s, z) return ("(int)PACK(t_%s, t_%s)"):format(s, z) end

for _, op in ipairs(source.binary) do
  for _, s in ipairs(model.own(op)) do
    local each = op.forms == "rare" and "1" or pack(s, model.result(op, s))
    for _, form in ipairs(model.forms(op)) do
      add(("%s_%s_%s"):format(op[1], form, s), FORM_ARGS[form], "MAP_BLOCK",
          each)
    end
  end
end
for _, op in ipairs(source.unary) do
  for _, s in ipairs(model.own(op)) do
    add(op[1] .. "_" .. s, "wrn", "MAP_BLOCK", pack(s, model.result(op, s)))
    add(op[1] .. "_nd_" .. s, "wrg", "MAP_BLOCK", "1")
  end
end
for _, to in ipairs(source.casts) do
  for _, s in ipairs(not to.by and source.sets[to[2]] or {}) do
    add(("cast_%s_%s"):format(s, to[1]), "wrn", "MAP_BLOCK", pack(s, to[1]))
  end
end
for _, b in ipairs(model.widths) do
  add("fill_" .. b, "wen", "MAP_BLOCK", pack(b, b))
end
for _, s in ipairs(model.own(source.arange)) do
  add("arange_" .. s, "ween", "MAP_BLOCK", pack(s, s))
end
for _, b in ipairs(model.widths) do
  add("copy_nd_" .. b, "wreg", "MAP_BLOCK", "1")
  add("transpose_" .. b, "wrg", "MAP_BLOCK", ("TRANSPOSE_TILE(t_%s)"):format(b),
      { parts = "tiles" }, b)
end
for _, op in ipairs(source.reductions) do
  for _, s in ipairs(model.own(op, op.own)) do
    if model.fold(op, s).final == s then
      add(("%s_final_%s"):format(op[1], s), "wrnid", "FINAL_BLOCK")
    end
    add(("%s_partial_%s"):format(op[1], s), "wrni", "PARTIAL_BLOCK")
    add(("%s_whole_%s"):format(op[1], s), "wrnid", "FINAL_BLOCK")
    add(("%s_axis_%s"):format(op[1], s), "wrnnnnnd", "AXIS_BLOCK",
        ("(int)COLUMN_PACK(t_%s)"):format(s), { parts = "axis" })
  end
end
local SCAN <const> = { parts = "scan" }
for _, op in ipairs(source.scans) do
  for _, s in ipairs(model.own(op)) do
    add(("%s_sums_%s"):format(op[1], s), "wrnnnnn", "SCAN_BLOCK", nil, SCAN)
    add(("%s_apply_%s"):format(op[1], s), "wrrnnnnn", "SCAN_BLOCK", nil, SCAN)
  end
end
for _, s in ipairs(model.own(source.clip)) do
  add("clip_" .. s, "wreen", "MAP_BLOCK", pack(s, s))
end
for _, s in ipairs(model.own(source.nan_to_num)) do
  add("nan_to_num_" .. s, "wreeen", "MAP_BLOCK", pack(s, s))
end
for _, s in ipairs(model.own(source.round_to)) do
  add("round_to_" .. s, "wrein", "MAP_BLOCK", pack(s, s))
end
for _, s in ipairs(model.own(source.isclose)) do
  add("isclose_" .. s, "wrreein", "MAP_BLOCK", pack(s, "b8"))
end
for _, s in ipairs(model.own(source.matmul)) do
  add("matmul_" .. s, "wrrnnnnnnn", "MATMUL_BLOCK", nil,
      { parts = "matmul" })
end
for _, op in ipairs(source.by_width) do
  for _, b in ipairs(model.widths) do
    add(op[1] .. "_" .. b, op[2], "MAP_BLOCK",
        op[3] or b == "w128" and "2" or "4", op)
  end
end
for _, op in ipairs(source.finds) do
  for _, s in ipairs(model.own(op)) do
    add(("%s_axis_%s"):format(op[1], s), "wrrnnnnnn", "AXIS_BLOCK",
        ("(int)COLUMN_PACK(t_%s)"):format(s), { parts = "axis" })
  end
end
for _, op in ipairs(source.by_type) do
  for _, s in ipairs(op[2] and source.union(op[2]) or { "" }) do
    local each = op[5] and op[5]:gsub("%f[%w]T%f[%W]", "t_" .. s)
    add(op[2] and op[1] .. "_" .. s or op[1], op[3], op[4], each, op)
  end
end

-- kernel_named searches in this order.
table.sort(kernels, function (a, b) return a.name < b.name end)

--}}

--{{ units

--- units() -> the files for kernels, in order: { name =, items = list of {
-- kind, operation } }. An operation usually has a file of its own.
function model.units ()
  local units, named = {}, {}
  local function put (kind, op, name)
    local unit = named[name]
    if not unit then
      unit = { name = name, items = {} }
      units[#units + 1], named[name] = unit, unit
    end
    unit.items[#unit.items + 1] = { kind, op }
  end
  for _, kind in ipairs{ "binary", "unary", "reductions", "scans", "finds" } do
    for _, op in ipairs(source[kind]) do
      if not op.turned then
        put(kind, op, op.unit or op[1])
      end
    end
  end
  for _, to in ipairs(source.casts) do
    if not to.by then
      put("casts", to, "cast_" .. to[1])
    end
  end
  put("fill", {}, "fill")
  put("copy", {}, "copy")
  for _, kind in ipairs{ "arange", "clip", "nan_to_num", "round_to", "isclose",
                         "matmul" } do
    put(kind, source[kind], kind)
  end
  return units
end

--}}

return model
