--[[
tables.lua - the kernels as C sees them: ids, operations, element types, and the
tables in which it looks kernels up. For src/rt/kernels/.

  dtype.def       D(ID, suffix, name, bytes) for each element type
  halves.def      HALF(ID, suffix) for those that are stored in 16 bits
  operations.h    BINARY_add ...: an enumeration for each kind of operation
  operations.def  BINARY(add) ...: the same as a list to expand
  ids.h           K_add_vv_f32 ...: the id of each kernel
  tables.c        the tables that tables.h declares
  expressions.c   the operations' expressions as texts, for fused kernels
]]
local model <const> = require "kernels.generate.model"
local source <const> = model.source
local types <const> = model.types

local NONE <const> = "NONE"

--- wrapped(items, indent) -> "a, b, c" in lines of up to 80 columns.
local function wrapped (items, indent)
  local lines, line = {}, indent
  for i, item in ipairs(items) do
    local word = item .. (i < #items and "," or "")
    if #line + #word + 1 > 79 and line ~= indent then
      lines[#lines + 1] = line
      line = indent
    end
    line = line .. (line == indent and "" or " ") .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function each (list, form)
  local lines = {}
  for i, entry in ipairs(list) do lines[i] = form(entry) end
  return table.concat(lines, "\n")
end

--{{ ids and operations

-- The kinds of operations: name of the list here, in C, and its type there.
local KINDS <const> = {
  { "binary", "BINARY", "BinaryOp" }, { "unary", "UNARY", "UnaryOp" },
  { "reductions", "REDUCE", "ReduceOp" }, { "scans", "SCAN", "ScanOp" },
  { "by_width", "BYWIDTH", "WidthOp" }, { "finds", "FIND", "FindOp" }
}

local function operations_h ()
  local text = {
    "#ifndef TIDE_RT_KERNELS_OPERATIONS_H\n" ..
    "#define TIDE_RT_KERNELS_OPERATIONS_H\n"
  }
  for _, kind in ipairs(KINDS) do
    text[#text + 1] = ("typedef enum %s {\n%s\n  %s_COUNT\n} %s;\n"):format(
      kind[3], each(source[kind[1]], function (op)
        return ("  %s_%s,"):format(kind[2], op[1])
      end), kind[2], kind[3])
  end
  text[#text + 1] = "#endif"
  return table.concat(text, "\n")
end

--- A list for the preprocessor: lines whose macro the includer has not defined
-- expand to nothing.
local function operations_def ()
  local head, body, foot = {}, {}, {}
  local function kind (name)
    head[#head + 1] = ("#if !defined(%s)\n#define %s(op)\n#endif"):format(
      name, name)
    foot[#foot + 1] = "#undef " .. name
  end
  for _, k in ipairs(KINDS) do
    kind(k[2])
    body[#body + 1] = each(source[k[1]], function (op)
      return ("%s(%s)"):format(op.mixed and "MIXED" or op.inner and "INNER" or
                                 k[2], op[1])
    end)
  end
  head[#head + 1] = "/* Have no function of their own. */"
  head[#head + 1] = "#if !defined(MIXED)\n#define MIXED(op) BINARY(op)\n#endif"
  head[#head + 1] = "#if !defined(INNER)\n#define INNER(op) UNARY(op)\n#endif"
  foot[#foot + 1] = "#undef MIXED"
  foot[#foot + 1] = "#undef INNER"
  return table.concat(head, "\n") .. "\n\n" .. table.concat(body, "\n\n") ..
         "\n\n" .. table.concat(foot, "\n")
end

local function dtype_def ()
  return each(source.dtypes, function (t)
    return ("D(%s, %s, \"%s\", %d)"):format(t.id, t[1], t.name, t.bytes)
  end)
end

--- The types that C lacks and half.h converts.
local function halves_def ()
  local halves = {}
  for _, t in ipairs(source.dtypes) do
    halves[#halves + 1] = t.load and t or nil
  end
  return each(halves, function (t)
    return ("HALF(%s, %s)"):format(t.id, t[1])
  end) .. "\n\n#undef HALF"
end

local function ids_h ()
  return "#ifndef TIDE_RT_KERNELS_IDS_H\n#define TIDE_RT_KERNELS_IDS_H\n\n" ..
         "enum {\n" .. each(model.kernels, function (k)
           return ("  K_%s,"):format(k.name)
         end) .. "\n  KERNELS\n};\n\n#endif"
end

--}}

--{{ look-up tables

--- A row: value(s) or NONE for each element type, in their order.
local function by_type (value)
  local row = {}
  for i, t in ipairs(source.dtypes) do
    row[i] = value(t[1]) or NONE
  end
  return row
end

--- Like by_type for the types of a set, with NONE for all others.
local function of_set (set, value)
  local has = {}
  for _, s in ipairs(source.sets[set]) do has[s] = true end
  return by_type(function (s) return has[s] and value(s) end)
end

local function kernel (name, s) return ("K_%s_%s"):format(name, s) end

local function dtype (s) return "DTYPE_" .. types[s].id end

--- [WHAT] = { row }
local function entry (what, row, indent)
  local deeper = indent .. "  "
  return ("%s[%s] = {\n%s\n%s},"):format(indent, what, wrapped(row, deeper),
                                         indent)
end

local function array (head, body)
  return ("const %s = {\n%s\n};\n"):format(head, body)
end

--- { id of the kernel by the alias of each type }, for an operation
local function aliased (op, name, set)
  return of_set(set or op.own or op[2], function (s)
    return kernel(name, model.alias(op.alias, s))
  end)
end

--- One row for each operation of a kind.
local function per_op (prefix, list, head, row)
  return array(head, each(list, function (op)
    return entry(prefix .. "_" .. op[1], row(op), "  ")
  end))
end

--- Rows within each operation: names and rows.
local function per_op2 (prefix, list, head, rows)
  return array(head, each(list, function (op)
    local inner = each(rows(op), function (r)
      return entry(r[1], r[2], "    ")
    end)
    return ("  [%s_%s] = {\n%s\n  },"):format(prefix, op[1], inner)
  end))
end

local function binary_kernels ()
  local NOTHING <const> = { vv = false, vs = false, sv = false, nd = false }
  return per_op2("BINARY", source.binary,
    "int16_t table_binary_kernels[BINARY_COUNT][FORM_COUNT][DTYPE_COUNT]",
    function (op)
      local has, rows = setmetatable({}, { __index = NOTHING }), {}
      for _, form in ipairs(model.forms(op)) do has[form] = true end
      for i, form in ipairs{ "vv", "vs", "sv", "nd" } do
        rows[i] = { "FORM_" .. form:upper(),
                    has[form] and aliased(op, op[1] .. "_" .. form) or
                    by_type(function () end) }
      end
      return rows
    end)
end

--- For each operation, the one that gives the same with x and y exchanged.
local function turned ()
  local row = {}
  for i, op in ipairs(source.binary) do
    local other = op.turned or op.forms == "even" and op[1]
    row[i] = other and "BINARY_" .. other or NONE
  end
  return array("int8_t table_turned_ops[BINARY_COUNT]", wrapped(row, "  "))
end

local function reduce_kernels ()
  return per_op2("REDUCE", source.reductions,
    "int16_t table_reduce_kernels[REDUCE_COUNT][REDUCE_STAGES][DTYPE_COUNT]",
    function (op)
      local name = op[1]
      return {
        { "REDUCE_PARTIAL", aliased(op, name .. "_partial") },
        { "REDUCE_FINAL", of_set(op.own or op[2], function (s)
            return kernel(name .. "_final", model.fold(op, s).final)
          end) },
        { "REDUCE_WHOLE", aliased(op, name .. "_whole") }
      }
    end)
end

local function scan_kernels ()
  return per_op2("SCAN", source.scans,
    "int16_t table_scan_kernels[SCAN_COUNT][SCAN_STAGES][DTYPE_COUNT]",
    function (op)
      return { { "SCAN_SUMS", aliased(op, op[1] .. "_sums") },
               { "SCAN_APPLY", aliased(op, op[1] .. "_apply") } }
    end)
end

local function cast_kernels ()
  local rows = {}
  for i, t in ipairs(source.dtypes) do
    local from = {}
    for _, to in ipairs(source.casts) do
      for _, s in ipairs(to[1] == t[1] and source.sets[to[2]] or {}) do
        from[s] = ("K_cast_%s_%s"):format(s, to.by or to[1])
      end
    end
    rows[i] = entry(dtype(t[1]), by_type(function (s) return from[s] end), "  ")
  end
  return array("int16_t table_cast_kernels[DTYPE_COUNT][DTYPE_COUNT]",
               table.concat(rows, "\n"))
end

--- The kernels of that name for elements of 1, 2 ... bytes.
local function of_widths (name)
  local row = {}
  for i, b in ipairs(model.widths) do row[i] = kernel(name, b) end
  return row
end

--- A table of one row.
local function simple (head, row)
  return array(head .. "[DTYPE_COUNT]", wrapped(row, "  "))
end

local function tables_c ()
  local fold_type = function (field)
    return function (op)
      return of_set(op[2], function (s)
        return dtype(model.fold(op, s)[field])
      end)
    end
  end
  local result = function (op)
    return of_set(op[2], function (s) return dtype(model.result(op, s)) end)
  end
  local of_type = function (field)
    return by_type(function (s) return dtype(types[s][field]) end)
  end
  return table.concat({
    '#include "rt/kernels/tables.h"\n',
    '#include <assert.h>\n',
    '#include "kernels/types.h"',
    '#include "rt/kernels/ids.h"\n',
    "enum { NONE = -1 };\n",
    each(source.dtypes, function (t)
      return ("static_assert(sizeof(t_%s) == %d, \"%s\");"):format(
        t[1], t.bytes, t.name)
    end) .. "\n",
    array("KernelInfo kernel_infos[]", each(model.kernels, function (k)
      return ('  {"%s", "%s", %s, %s, %s},'):format(
        k.name, k.args, k.block, k.each,
        k.only and ('"%s"'):format(k.only) or "NULL")
    end)),
    "const int kernel_count = KERNELS;\n",
    binary_kernels(), turned(),
    per_op("UNARY", source.unary,
      "int16_t table_unary_kernels[UNARY_COUNT][DTYPE_COUNT]",
      function (op) return aliased(op, op[1]) end),
    per_op("UNARY", source.unary,
      "int16_t table_strided_unary_kernels[UNARY_COUNT][DTYPE_COUNT]",
      function (op) return aliased(op, op[1] .. "_nd") end),
    cast_kernels(),
    simple("int16_t table_arange_kernels", aliased(source.arange, "arange")),
    simple("int16_t table_clip_kernels", aliased(source.clip, "clip")),
    simple("int16_t table_nan_to_num_kernels",
           aliased(source.nan_to_num, "nan_to_num")),
    simple("int16_t table_round_to_kernels",
           aliased(source.round_to, "round_to")),
    simple("int16_t table_isclose_kernels", aliased(source.isclose, "isclose")),
    simple("int16_t table_matmul_kernels", aliased(source.matmul, "matmul")),
    array("int16_t table_fill_kernels[WIDTHS]",
          wrapped(of_widths "fill", "  ")),
    array("int16_t table_copy_kernels[WIDTHS]",
          wrapped(of_widths "copy_nd", "  ")),
    array("int16_t table_transpose_kernels[WIDTHS]",
          wrapped(of_widths "transpose", "  ")),
    per_op("BYWIDTH", source.by_width,
      "int16_t table_bywidth_kernels[BYWIDTH_COUNT][WIDTHS]",
      function (op) return of_widths(op[1]) end),
    reduce_kernels(),
    per_op("REDUCE", source.reductions,
      "int16_t table_axis_kernels[REDUCE_COUNT][DTYPE_COUNT]",
      function (op) return aliased(op, op[1] .. "_axis") end),
    scan_kernels(),
    per_op("FIND", source.finds,
      "int16_t table_find_kernels[FIND_COUNT][DTYPE_COUNT]",
      function (op) return aliased(op, op[1] .. "_axis") end),
    per_op("BINARY", source.binary,
      "int8_t table_binary_types[BINARY_COUNT][DTYPE_COUNT]", result),
    per_op("UNARY", source.unary,
      "int8_t table_unary_types[UNARY_COUNT][DTYPE_COUNT]", result),
    per_op("REDUCE", source.reductions,
      "int8_t table_reduce_types[REDUCE_COUNT][DTYPE_COUNT]", fold_type "out"),
    per_op("REDUCE", source.reductions,
      "int8_t table_partial_types[REDUCE_COUNT][DTYPE_COUNT]", fold_type "acc"),
    per_op("REDUCE", source.reductions,
      "int8_t table_via_types[REDUCE_COUNT][DTYPE_COUNT]", fold_type "via"),
    simple("int8_t table_wider_types", of_type "wider"),
    simple("int8_t table_near_types", of_type "near"),
    simple("int8_t table_part_types", of_type "part"),
    simple("uint8_t dtype_sizes", by_type(function (s)
      return types[s].bytes
    end)),
    simple("uint64_t dtype_infinities", by_type(function (s)
      return ("0x%x"):format(types[s].inf or 0)
    end))
  }, "\n")
end

--}}

local function expressions_c ()
  local function texts (name, list)
    return array("char *const kernel_" .. name .. "_expressions[]",
                 each(list, function (op) return ('  "%s",'):format(op[3]) end))
  end
  return '#include "rt/kernels/kernels.h"\n\n' ..
         texts("binary", source.binary) .. "\n" ..
         texts("unary", source.unary)
end

return {
  { "src/rt/kernels/dtype.def", dtype_def() },
  { "src/rt/kernels/halves.def", halves_def() },
  { "src/rt/kernels/operations.h", operations_h() },
  { "src/rt/kernels/operations.def", operations_def() },
  { "src/rt/kernels/ids.h", ids_h() },
  { "src/rt/kernels/tables.c", tables_c() },
  { "src/rt/kernels/expressions.c", expressions_c() }
}
