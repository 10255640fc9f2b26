--[[
parts.lua - how the host device divides long launches into parts, which its
threads run side by side. A rule has the form { sizes, work, units }:

  sizes   names of the kernel's arguments from the first n or g on; _ is one
          that the rule does not need
  work    how many elements a simple loop does in the same time: launches with
          little work are not divided. C, over the sizes
  units   how many independent units the launch has, likewise: SPAN in the
          kernel's function counts them. Without it these are elements, or the
          blocks of a kernel that is not launched like elementwise ones

In both, T is the type of the kernel's elements. A rule without fields is for
kernels that are not divided. A kernel names its rule in the field 'parts'. If
all its arguments before n are arrays and scalars and only numbers follow, it
has the rule 'elements' by default, and 'strided' if it has a g.
]]
return {
  one = {},
  elements = { "n", "n" },
  strew = { "_ n", "n" },
  strided = { "g", "strided_elements(g)",
              "(size_t)g->shape[strided_cut_axis(g)]" },
  tiles = { "g", "transpose_work(g, sizeof(T))",
            "transpose_parts(g, sizeof(T))" },

  interleave = { "columns _ n", "columns * n" },

  -- slices of 'inner' elements, and rows
  mask = { "inner _ count", "count", "count / inner" },
  take = { "_ _ inner count", "count", "count / inner" },
  one_hot = { "columns count", "count", "count / columns" },

  -- folds, scans and products
  joined = { "outer n inner", "outer * n * inner", "outer * inner" },
  axis = { "outer n inner chunks", "outer * n * inner",
           "outer * chunks * fold_column_tiles(inner)" },
  scan = { "n inner _ chunks lines", "n * lines",
           "scan_parts(inner, chunks, lines)" },
  dots = { "rows n", "2 * n * rows", "rows" },
  matmul = { "m k n batches", "matmul_work(m, k, n, batches)",
             "matmul_parts(m, n, batches)" },
  lapack = { "_ _ m n k batches _ rooms",
             "(m + n + k) * n * (n + 8) * batches", "rooms" },
  window = { "_ _ _ rows columns _ _ n", "n * (rows * columns / 8 + 1)",
             "n / 1024 + 1" },

  -- sorts, searches (about ten steps for each element) and counts
  chunks = { "n chunks rows", "2 * n * rows", "chunks * rows" },
  topk = { "_ n chunks _ rows", "2 * n * rows", "chunks * rows" },
  rows = { "n _ rows", "row_work(n, rows)", "row_parts(rows)" },
  selected = { "n rows", "4 * n * rows", "rows" },
  search = { "_ count", "8 * count", "count / 1024 + 1" },
  bins = { "n bins", "n", "count_nparts(n, bins)" },
  weights = { "n _ _ parts", "n", "parts" },
  sums = { "_ m", "m" },
  keyed = { "n m inner count", "2 * count",
            "count > m * inner ? count / (m * inner) : "
            .. "inner == 1 ? count_nparts(m, n) : 1" },
  totals = { "n rows", "n * rows", "n" },

  -- recursive filters
  lines = { "n lines order", "n * lines * (order + 4)",
            "(lines + LFILTER_TILE - 1) / LFILTER_TILE" },

  -- Fourier transforms
  fft = { "n inner outer _ stage kind", "fft_work(n, inner, outer)",
          "fft_units(n, inner, outer, stage, kind)" },

  -- random numbers
  draws = { "n", "4 * n", "n / 1024 + 1" },
  rejection = { "n", "32 * n", "n / 1024 + 1" }
}
