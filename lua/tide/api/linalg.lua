return {

args = {
  a = "Array: matrices in the last two axes",
  b = "Array: matrices with as many rows as `a`, or a vector",
  rtol = [[
    number = nil: from 0 on; singular values up to `rtol` times the greatest count as 0; by default
    `max(m, n) * eps`, for matrices of `m` by `n`]],
  hermitian = "boolean = false: the matrices are Hermitian; only their lower triangles are read",
  keepdims = "boolean = false: reduced axes stay, with length 1",
  uplo = [["L" | "U" = "L": the triangle that is read]],
},

[[
# Linear algebra

`tide.linalg`: equations, decompositions, eigenvalues and norms of matrices.

## Purpose

The functions have the names and the results of the [array API
standard](https://data-apis.org/array-api/latest/extensions/linear_algebra_functions.html) and of
`numpy.linalg`. The last two axes of an array are those of matrices; the others are a batch, and a
function does the same for each matrix of it. LAPACK computes on the host device, cuSOLVER on a GPU;
batches of small matrices are kernels of tide there.

## Example

```lua
local tide = require "tide"

local a = tide.array{ { 4., 1. }, { 1., 3. } }
local b = tide.array{ 1., 2. }
local x = tide.linalg.solve(a, b)
print(tide.allclose(a:matmul(x), b))           --> true
```

## Equations
]],

{
  columns = "returns",
  returns = "Array",
  { "tide.linalg.solve(a, b [, { out= }])",
    text = [[
      returns `x` with `a x = b`, for square matrices; the batches of both are broadcast. With a
      vector `b` the results are vectors (LAPACK: getrf, getrs)]],
    raises = "at the next wait if a matrix is singular",
    example = [[
a = tide.array{ { 2., 0. }, { 0., 4. } }
tide.linalg.solve(a, tide.array{ 2., 2. })  --> [1.  0.5]
]] },
  { "tide.linalg.solve_triangular(a, b [, { lower=, out=, trans=, unit_diagonal= }])",
    args = {
      lower = "boolean = false: the matrices are lower triangular; the other triangle is not read",
      trans = [["N" | "T" | "C" = "N": solves for `a`, for its transpose, or for its adjoint]],
      unit_diagonal = "boolean = false: the diagonal counts as 1, and is not read",
    },
    text = "returns `x` with `a x = b`, for triangular matrices (LAPACK: getrs)",
    raises = "at the next wait if an element of a diagonal is 0",
    example = [[
a = tide.array{ { 2., 9. }, { 0., 4. } }
tide.linalg.solve_triangular(a, tide.array{ 11., 4. })  --> [1. 1.]
]] },
  { "tide.linalg.inv(a [, { out= }])",
    text = "returns the inverses of square matrices; `solve` is faster and more exact",
    raises = "at the next wait if a matrix is singular",
    example = "tide.linalg.inv(tide.array{ { 2., 0. }, { 0., 4. } })[2]  --> [0.   0.25]" },
  { "tide.linalg.lstsq(a, b [, { rtol= }])",
    returns = "Array, Array, Array, Array",
    text = [[
      returns the `x` of least norm that makes `b - a x` least, the sums of squares of `b - a x`,
      the ranks and the singular values of `a`. Unlike NumPy's, the sums are there whatever the rank
      (LAPACK: gesdd, of `R` from geqrf if there are many more rows than columns)]],
    raises = "at the next wait if a matrix has elements that are not finite",
    example = "(tide.linalg.lstsq(tide.array{ { 1. }, { 1. } }, tide.array{ 1., 3. }))  --> [2.]" },
  { "tide.linalg.pinv(a [, { hermitian=, out=, rtol= }])",
    text = "returns the Moore-Penrose inverses (LAPACK: gesdd, or syevd)",
    raises = "at the next wait if a matrix has elements that are not finite",
    example = "tide.linalg.pinv(tide.array{ { 2. }, { 0. } })[1]  --> [0.5 0. ]" },
},

[[
## Decompositions
]],

{
  columns = "returns",
  returns = "Array",
  { "tide.linalg.cholesky(a [, { out=, upper= }])",
    args = { upper = [[
      boolean = false: returns the adjoints, and reads the upper triangles]] },
    text = [[
      returns lower triangular `L` with `a = L L^H`, for positive definite matrices; reads their
      lower triangles (LAPACK: potrf)]],
    raises = "at the next wait if a matrix is not positive definite",
    example = "tide.linalg.cholesky(tide.array{ { 4., 2. }, { 2., 5. } })[2]  --> [1. 2.]" },
  { "tide.linalg.lu(a)",
    returns = "Array, Array, Array",
    text = [[
      returns `P`, `L` and `U` with `a = P L U`: permutation matrices, lower triangular ones with 1
      on the diagonal, and upper triangular ones (LAPACK: getrf)]],
    example = "select(3, tide.linalg.lu(tide.array{ { 1., 2. }, { 2., 2. } }))[2]  --> [0. 1.]" },
  { "tide.linalg.qr(a [, { mode= }])",
    args = { mode = [[
      "reduced" | "complete" | "r" = "reduced": `Q` has `min(m, n)` columns, or as many as rows;
      `"r"` returns `R` only]] },
    returns = "Array, Array",
    text = [[
      returns `Q` with orthonormal columns, and upper triangular `R`, with `a = Q R` (LAPACK: geqrf,
      orgqr)]],
    example = [[
q, r = tide.linalg.qr(tide.array{ { 3., 1. }, { 4., 2. } })
r[1]                                    --> [-5.  -2.2]
]] },
  { "tide.linalg.svd(a [, { full_matrices= }])",
    args = { full_matrices = [[
      boolean = true: `U` and `Vh` are square; `false`: with `min(m, n)` columns, or rows]] },
    returns = "Array, Array, Array",
    text = [[
      returns `U`, the singular values `S`, greatest first, and `Vh` with `a = U diag(S) Vh`. The
      signs of the vectors are arbitrary (LAPACK: gesdd)]],
    raises = "at the next wait if a matrix has elements that are not finite",
    example = "(select(2, tide.linalg.svd(tide.array{ { 0., 2. }, { 3., 0. } })))  --> [3. 2.]" },
  { "tide.linalg.svdvals(a [, { out= }])",
    text = "returns the singular values, greatest first (LAPACK: gesdd)",
    raises = "at the next wait if a matrix has elements that are not finite",
    example = "tide.linalg.svdvals(tide.array{ { 0., 2. }, { 3., 0. } })  --> [3. 2.]" },
},

[[
## Eigenvalues
]],

{
  columns = "returns",
  returns = "Array",
  raises = "at the next wait if a matrix has elements that are not finite",
  { "tide.linalg.eigh(a [, { uplo= }])",
    returns = "Array, Array",
    text = [[
      returns the eigenvalues of Hermitian (real: symmetric) matrices, least first, and their
      eigenvectors as columns (LAPACK: syevd). Only a triangle is read]],
    example = "(tide.linalg.eigh(tide.array{ { 2., 0. }, { 0., 1. } }))  --> [1. 2.]" },
  { "tide.linalg.eigvalsh(a [, { out=, uplo= }])",
    text = "returns the eigenvalues of Hermitian matrices, least first (LAPACK: syevd)",
    example = "tide.linalg.eigvalsh(tide.array{ { 2., 0. }, { 0., 1. } })  --> [1. 2.]" },
  { "tide.linalg.eig(a)",
    returns = "Array, Array",
    text = [[
      returns the eigenvalues of square matrices, in no certain order, and their eigenvectors as
      columns; both are complex, also for real matrices (LAPACK: geev; on a GPU cuSOLVER of CUDA
      12.8 or later)]],
    example = [[
values = tide.linalg.eig(tide.array{ { 0., 1. }, { -1., 0. } })
values:imag():sort()                    --> [-1.  1.]
]] },
  { "tide.linalg.eigvals(a [, { out= }])",
    text = [[
      returns the eigenvalues of square matrices, as complex numbers, in no certain order (LAPACK:
      geev)]],
    example = [[
values = tide.linalg.eigvals(tide.array{ { 0., 1. }, { -1., 0. } })
values:imag():sort()                    --> [-1.  1.]
]] },
},

[[
## Numbers of matrices
]],

{
  columns = "returns",
  returns = "Array",
  { "tide.linalg.det(a [, { out= }])",
    text = "returns the determinants of square matrices (LAPACK: getrf)",
    example = "tide.linalg.det(tide.array{ { 1., 2. }, { 3., 4. } }):item()  --> -2.0" },
  { "tide.linalg.slogdet(a)",
    returns = "Array, Array",
    text = [[
      returns the signs of the determinants (of complex ones `d / abs(d)`) and the logarithms of
      their absolute values, which do not overflow; 0 and `-math.huge` for singular matrices]],
    example = "(tide.linalg.slogdet(tide.array{ { 0., 1. }, { 1., 0. } }))  --> -1." },
  { "tide.linalg.matrix_rank(a [, { hermitian=, out=, rtol= }])",
    text = "returns the numbers of singular values that do not count as 0, as `int64`",
    raises = "at the next wait if a matrix has elements that are not finite",
    example = "tide.linalg.matrix_rank(tide.ones{ 3, 3 }):item()  --> 1" },
  { "tide.linalg.cond(a [, ord] [, { out= }])",
    args = { ord = [[number | "fro" | "nuc" = 2: an order of `matrix_norm`]] },
    text = [[
      returns the condition numbers: for 2 the greatest singular value divided by the least, for -2
      the least by the greatest; otherwise the norms of `a` times those of the inverses, and
      `math.huge` for singular matrices]],
    raises = "for matrices without elements",
    example = "tide.linalg.cond(tide.array{ { 4., 0. }, { 0., 2. } }):item()  --> 2.0" },
  { "tide.linalg.diagonal(a [, k])",
    args = { k = "integer = 0" },
    text = "returns diagonal `k` of the matrices in the last two axes, a view",
    example = "tide.linalg.diagonal(tide.array{ { 1, 2 }, { 3, 4 } })  --> [1 4]" },
  { "tide.linalg.trace(a [, k] [, { dtype=, out= }])",
    args = { k = "integer = 0", dtype = "dtype = nil" },
    text = "returns the sums of these diagonals",
    example = "tide.linalg.trace(tide.array{ { 1, 2 }, { 3, 4 } }):item()  --> 5" },
  { "tide.linalg.matrix_norm(a [, { keepdims=, ord=, out= }])",
    args = { ord = [[
      number | "fro" | "nuc" = "fro": `"fro"`, `"nuc"`, 1, -1, 2, -2, `math.huge`, `-math.huge`, as
      for [`norm`](array.md#products)]] },
    text = "returns the norms of the matrices in the last two axes",
    example = "tide.linalg.matrix_norm(tide.array{ { 3., 0. }, { 0., 4. } }):item()  --> 5.0" },
  { "tide.linalg.vector_norm(a [, { axis=, keepdims=, ord=, out= }])",
    args = { a = "Array", axis = "axes = nil", ord = "number = 2" },
    text = [[
      returns the norms of the vectors along an axis, or along several axes as one vector; by
      default that of all elements]],
    example = "tide.linalg.vector_norm(tide.array{ { 3., 0. }, { 0., 4. } }):item()  --> 5.0" },
},

[[
## Functions of matrices
]],

{
  columns = "returns",
  returns = "Array",
  { "tide.linalg.matrix_power(a, n [, { out= }])",
    args = { n = "integer" },
    text = [[
      returns the product of `n` factors `a`; for negative `n` of inverses, for 0 the identity. For
      `n` from 0 on integers and bools keep their dtype, and integers wrap around]],
    raises = "at the next wait for a negative `n` if a matrix is singular",
    example = "tide.linalg.matrix_power(tide.array{ { 1., 1. }, { 0., 1. } }, 5)[1]  --> [1. 5.]" },
  { "tide.linalg.expm(a [, { out= }])",
    text = [[
      returns the exponentials of square matrices, by an approximation of degree 13 and squarings]],
    waits = "for the greatest norm, which tells how often to square",
    raises = "in a capture",
    example = "tide.linalg.expm(tide.array{ { 0., 1. }, { 0., 0. } })[1]  --> [1. 1.]" },
},

[[
## The same as in `tide`

The standard's module has these functions, too.
]],

{
  columns = "returns",
  returns = "Array",
  args = {
    a = "Array", b = "Array", n = "integer | table = 2", axes = "axes",
    axis = "integer = -1", ord = 'number | "fro" | "nuc" = nil',
    accumulate = [["float32" | "float16" = "float32"]], tf32 = "boolean = false",
  },
  { "tide.linalg.cross(a, b [, axis] [, { axis=, out= }])",
    text = "the cross product: see [`cross`](array.md)",
    example = "tide.linalg.cross(tide.array{ 1, 0, 0 }, tide.array{ 0, 1, 0 })  --> [0 0 1]" },
  { "tide.linalg.matmul(a, b [, { accumulate=, out=, tf32= }])",
    text = "the product of matrices: see [`matmul`](array.md)",
    example = "tide.linalg.matmul(tide.ones{ 2, 2 }, tide.array{ 1, 1 })  --> [2. 2.]" },
  { "tide.linalg.matrix_transpose(a)",
    text = "`a.mT`: see [`matrix_transpose`](array.md)",
    example = "tide.linalg.matrix_transpose(tide.ones{ 4, 2, 3 }).shape  --> {4, 3, 2}" },
  { "tide.linalg.norm(a [, ord] [, axes] [, { ord=, axis=, keepdims=, out= }])",
    text = "norms: see [`norm`](array.md)",
    example = "tide.linalg.norm(tide.array{ 3, 4 }):item()  --> 5.0" },
  { "tide.linalg.outer(a, b [, { out= }])",
    text = "the outer product: see [`outer`](array.md)",
    example = "tide.linalg.outer(tide.array{ 1, 2 }, tide.array{ 3, 4 })[2]  --> [6 8]" },
  { "tide.linalg.tensordot(a, b [, n] [, { out= }])",
    text = "sums over axes: see [`tensordot`](array.md)",
    example = "tide.linalg.tensordot(tide.ones{ 2, 3 }, tide.ones{ 3, 2 }, 1)[1]  --> [3. 3.]" },
  { "tide.linalg.vecdot(a, b [, axis] [, { axis=, out= }])",
    text = "the scalar product: see [`vecdot`](array.md)",
    example = "tide.linalg.vecdot(tide.array{ 1, 2 }, tide.array{ 3, 4 }):item()  --> 11" },
},

[[
## Dtypes, errors, libraries

- `float32`, `float64`, `complex64` and `complex128` keep their dtype; `complex64` has singular
  values, norms and eigenvalues of Hermitian matrices of `float32`. Integers and bools are converted
  to `float64`, except in products of matrices. `float16` and `bfloat16` raise, as in NumPy: convert
  them first.
- Nothing waits for the result, except for `expm`. A matrix that is singular, not positive definite
  or not finite is found on the device, and the next wait raises, with the line of the call:
  `script.lua:3: linalg.solve: the matrix is singular`, or `matrix 5 of 100 is singular`.
- On the host device LAPACK is that of `TIDE_BLAS`, OpenBLAS, or `liblapack.so.3`. Without it tide's
  own loops do the same, in double precision; those for singular values and eigenvalues are ten
  times slower. `tide info` names the library. Operations on large matrices use the threads of
  OpenBLAS.
- On a GPU, cuSOLVER is loaded at the first call; `TIDE_LIBCUSOLVER` names it. Its workspace comes
  from tide's pool, so that `tide.memory_stats` counts it. The matrices of a batch are queued one by
  one. `svd`, `eigh`, `eig` and what uses them wait inside cuSOLVER and cannot be captured; the
  others can, once a call before the capture has loaded the library.
- If the matrices are small and there are many, a kernel of tide's takes one per thread and needs
  no cuSOLVER. That is so for matrices of up to 64 rows and columns (32 for `svd` and `eigh`) if
  there are at least `n^3 / 300` of them (`cholesky` 1300, `qr` 600, `svd` 350, `eigh` 60); with `m`
  right sides, more than `n`, at least `n^2 * m / 300`. 1024 equations of 8 x 8 take 0.1 ms on an
  H200, one by one 60. All of these can be captured.
- On the host device all but `expm` can be captured.
- Results are dense. Without elements (0 rows) they have the shapes of the standard.
]],
}
