--[[
by_hand.lua - the kernels that are written by hand, in kernels/*.cu and in
src/rt/host/kernels/. The letters of arguments are explained in
src/rt/kernels/kernels.h. Fields:

  only    the kind of device that has the kernel: its callers know it
  parts   how the host device divides a launch: a rule of kernels/parts.lua,
          which also says when a row needs none
]]

--- { name, args, each }: for elements of 8 to 128 bits, moved unchanged, so
-- many by a thread at a time; default 4, and 2 of 128 bits.
local by_width <const> = {
  { "where", "wrrriin" },
  { "take", "wrrnnnnnn", "4", parts = "take" },
  { "put", "xrrrinnnnnnnn", "4", parts = "one" },
  { "mask", "wrrnnn", parts = "mask" },
  { "put_mask", "xrrrinnnn", parts = "one" },
  { "pick", "wrrrin" },
  { "strew", "xrrrnnn", parts = "strew" },
  { "eye", "wiinn", parts = "one" },
  { "one_hot", "wrinn", parts = "one_hot" },
  { "triangle", "wrinnnn", parts = "one" },
  { "interleave", "wrrrrnnn", parts = "interleave" },
  { "take_along", "wrrnnnnnn", "4", parts = "take" },
  { "put_along", "xrrinnnnnn", parts = "one" }
}

--- { name, sets or suffixes, args, threads of a block, elements of a thread at
-- a time, if it is launched like elementwise ones }: a kernel for each type or
-- suffix, or a single one without suffix. T is the type.
local by_type <const> = {
  { "moments_axis", "FLOATS", "wrnnnnndi", "AXIS_BLOCK",
    "(int)COLUMN_PACK(T)", parts = "axis" },
  { "moments_final", "FLOATS", "wrnnndi", "MOMENTS_BLOCK", parts = "joined" },

  { "dot_partial", "FLOATS", "wrrn", "PARTIAL_BLOCK" },
  { "dot_whole", "FLOATS", "wrrn", "FINAL_BLOCK" },
  { "dot_rows", "FLOAT", "wrrnn", "AXIS_BLOCK", "(int)COLUMN_PACK(T)",
    parts = "dots" },

  { "modf_both", "FLOATS", "wwrn", "MAP_BLOCK", "(int)PACK(T, T)" },
  { "frexp_both", "FLOATS", "wwrn", "MAP_BLOCK", "(int)PACK(T, t_i32)" },

  { "softmax_axis", "FLOATS", "wrnnnnn", "SOFTMAX_MOST", parts = "axis" },

  { "scatter", "FLOATS", "xrrwrrwrnnnnnn", "MAP_BLOCK", "1", parts = "one" },
  { "scatter_ordered", "FLOATS", "xwrrrnnnnnn", "MAP_BLOCK", only = "host",
    parts = "one" },
  { "scatter", "k32 k64", "xrrnnnnnnnssin", "MAP_BLOCK", "1",
    parts = "keyed" },

  { "sums_few", "FLOATS", "wrrnnnin", "SUMS_BLOCK", parts = "sums" },
  { "sums_total", "FLOATS", "xrnnn", "SUMS_BLOCK", parts = "totals" },
  { "sums_keys", "FLOATS", "wwxrrnnnin", "SUMS_BLOCK", "4", only = "cuda" },
  { "sums_parts", "FLOATS", "xrrrwwrnnn", "SUMS_BLOCK", only = "cuda" },
  { "sums_joined", "FLOATS", "xrrnn", "SUMS_BUCKET", only = "cuda" },
  { "sums_runs", "FLOATS", "xrrrwwrnnn", "SUMS_BLOCK", only = "cuda" },

  { "radix_count", "k32 k64", "xrnnnnssi", "SORT_BLOCK", only = "cuda" },
  { "radix_offsets", nil, "xwnn", "256", only = "cuda" },
  { "radix_sort", "k32 k64", "wrwxxrnnnnnssi", "SORT_BLOCK", only = "cuda" },
  { "radix_order", "k32 k64", "wrwrwxxxxxxrnnnnnssi", "SORT_BLOCK",
    only = "cuda" },
  { "chunk_count", "k32 k64", "xrnnnssi", "SORT_BLOCK", only = "host",
    parts = "chunks" },
  { "chunk_offsets", nil, "xnn", "SORT_BLOCK", only = "host", parts = "one" },
  { "chunk_sort", "k32 k64", "wrxnnnssi", "SORT_BLOCK", only = "host",
    parts = "chunks" },
  { "chunk_order", "k32 k64", "wrwrxnnnssi", "SORT_BLOCK", only = "host",
    parts = "chunks" },
  { "partition", "k8 k16 k32 k64", "wrrnnnnssi", "SORT_BLOCK", only = "host",
    parts = "selected" },
  { "rows_sort", "k32 k64", "wrnnnssi", "ROWS_BLOCK", parts = "rows" },
  { "rows_order", "k32 k64", "wrnnnssi", "ROWS_BLOCK", parts = "rows" },
  { "topk", "k32 k64", "wrrnnnnnssi", "TOPK_BLOCK", parts = "topk" },

  { "true_counts", nil, "wrn", "MAP_BLOCK" },
  { "true_places", nil, "wrrin", "MAP_BLOCK" },

  { "search", "k32 k64", "wrrnnssinin", "MAP_BLOCK", parts = "search" },
  { "isin", "k32 k64", "wrrnnssin", "MAP_BLOCK", parts = "search" },
  { "isin", "c128", "wrrnnn", "MAP_BLOCK", parts = "search" },
  { "interp", "f64", "wrrrnnndd", "MAP_BLOCK", parts = "search" },
  { "bincount", "u8 i32 i64", "xrnni", "COUNT_BLOCK", parts = "bins" },
  { "weights", "u8 i32 i64", "wrrnnin", "COUNT_BLOCK", only = "host",
    parts = "weights" },
  { "histogram", "FLOAT", "xrrnnn", "COUNT_BLOCK", parts = "bins" },

  { "places", "i64", "wrnnnnnnn", "MAP_BLOCK", "4", parts = "one" },
  { "ravel", "i64", "xrnnnnnnnn", "MAP_BLOCK", "4", parts = "one" },
  { "put_last", nil, "xrnnnnnn", "MAP_BLOCK", "4", parts = "one" },
  { "unravel", "i64", "wrnnniinn", "MAP_BLOCK", "4", parts = "one" },

  { "correlate", "i32 i64 FLOAT COMPLEX", "wrrnnnnnnnn", "MAP_BLOCK",
    parts = "window" },

  { "fft", "FLOAT", "wrnnnnnnd", "MAP_BLOCK", only = "host", parts = "fft" },
  { "lapack", "FLOAT COMPLEX", "xxxxwwnnnnnnnn", "1", only = "host",
    parts = "lapack" },
  { "lapack_each", "FLOAT COMPLEX", "xxxxwwnnnnnnnnnnn", "LAPACK_BLOCK",
    only = "cuda" },
  { "lapack_info", nil, "rin", "MAP_BLOCK", "1", parts = "one" },

  { "lfilter", "f64", "xxrnnn", "LFILTER_BLOCK", parts = "lines" },

  { "random_seed", nil, "wii", "1", parts = "one" },
  { "uniform", "FLOAT", "wxddn", "MAP_BLOCK", parts = "draws" },
  { "normal", "FLOAT", "wxddn", "MAP_BLOCK", parts = "draws" },
  { "exponential", "FLOAT", "wxddn", "MAP_BLOCK", parts = "draws" },
  { "randint", "8 16 32 64 wide", "wxiin", "MAP_BLOCK", parts = "draws" },
  { "random_order", "i64", "wxiin", "MAP_BLOCK", parts = "draws" },
  { "random_gamma", "FLOAT", "wxrrddn", "MAP_BLOCK", parts = "rejection" },
  { "random_beta", "FLOAT", "wxrrddn", "MAP_BLOCK", parts = "rejection" },
  { "random_poisson", "i64", "wxrrddn", "MAP_BLOCK", parts = "rejection" },
  { "random_binomial", "i64", "wxrrddn", "MAP_BLOCK", parts = "rejection" },

  { "spin", "i64", "i", "1", parts = "one" },
  { "fault", "i64", "i", "1", parts = "one" }
}

return { by_width = by_width, by_type = by_type }
