--[[
matrices.lua - what tide.linalg computes, for operands that linalg.lua has
checked: arrays of float32, float64, complex64 or complex128, with at least two
axes. The last two are those of matrices, the others a batch.

LAPACK stores matrices by columns. So it sees a dense array as the transposes of
its matrices; most functions make use of that, and need no copy with other
strides. Routines overwrite their operands, which are copies. src/ops/lapack.c
makes most of the copies, and does all of solve and inv, because programs call
these functions for many small matrices.
]]
local tide = require "tide"
local lapack <const> = require "tide.lapack"
local gsub <const> = string.gsub

local matrices <const> = {}

--{{ shapes

--- Returns the lengths of the last two axes, and the number of matrices.
local function measure (a)
  local _, _, m <const>, n <const>, batches <const> = lapack.measure(a)
  return m, n, batches
end

--- Returns the lengths of the batch of a, and those given.
local function beside (a, ...)
  local shape <const> = table.move(a.shape, 1, a.ndim - 2, 1, {})
  for i = 1, select("#", ...) do shape[#shape + 1] = (select(i, ...)) end
  return shape
end

--- Returns a view of rows or columns 'first' to 'last' of the matrices.
local function rows (a, first, last) return a:slice(first, last, 1, -2) end
local function columns (a, first, last) return a:slice(first, last, 1, -1) end

local COMPLEX <const> = { complex64 = true, complex128 = true }

local function is_complex (a) return COMPLEX[a.dtype] end

--- Returns the dtype of the real or of the complex numbers of a's precision.
local function real_dtype (a)
  return (gsub(gsub(a.dtype, "complex64", "float32"), "complex128", "float64"))
end

local function complex_dtype (a)
  return (gsub(gsub(a.dtype, "float64", "complex128"), "float32", "complex64"))
end

--- Returns the conjugate of a dense array, and a itself if it is real.
local function conj (a) return is_complex(a) and a:conj() or a end

--- Returns the adjoint: the conjugate transposes.
local function adjoint (a) return conj(a.mT) end

--- Returns a dense copy of the transposes.
local function turned (a) return a.mT:copy() end

--- Returns identity matrices like those of a, of m rows and n columns.
local function identity (a, m, n)
  return tide.eye(m, n or m, 0, a.dtype):broadcast_to(beside(a, m, n or m))
end

local function diagonal (a) return a:diagonal(0, { -2, -1 }) end

matrices.real_dtype = real_dtype
matrices.adjoint = adjoint

--}}

--{{ LU

--- Solves a x = b; the next two are described in lapack.c as well. Without a
-- name, singular matrices are no error.
matrices.solve = lapack.solve

function matrices.inv (a, name) return lapack.solve(a, nil, name) end

function matrices.det (a)
  local u <close> = lapack.pivots(a)
  return (u:prod(-1))
end

--- Returns x / |x|, and 0 for 0.
local function unit (x)
  if not is_complex(x) then return x:sign() end
  local size <const> = x:abs()
  return x / size:eq(0):where(1, size):astype(real_dtype(x))
end

function matrices.slogdet (a)
  local u <const> = lapack.pivots(a)
  return unit(u):prod(-1), u:abs():log():sum(-1)
end

--- Replaces x, with the transposes of right sides, by those of the solutions
-- of matrices with these factors, or of their transposes.
local function substitute (lu, swaps, x, transposed)
  local k <const>, n <const>, batches <const> = measure(x)
  if x.size > 0 then
    lapack.run("getrs", transposed and 1 or 0, 0, n, k, batches, nil, nil, lu,
               swaps, x)
  end
  return x
end

--- Returns the matrices of permutations of m rows: the exchanges of rows of an
-- identity, where L and U are identities as well.
local function permutation (a, swaps, m)
  local one <const> = identity(a, m):copy()
  local k <const> = swaps.shape[swaps.ndim]
  local _, _, batches <const> = measure(a)
  local rest <const> = tide.arange(k + 1, m + 1, 1, "int32")
  local all <const> = tide.concatenate({
    swaps:reshape(batches, k), rest:broadcast_to{ batches, m - k } }, 2)
  return substitute(one, all, one:copy())
end

function matrices.lu (a)
  local m <const>, n <const> = measure(a)
  local k <const> = math.min(m, n)
  local lu <const>, swaps <const> = lapack.decompose("getrf", 0, a.mT)
  local packed <const> = lu.mT
  local l <const> = columns(packed, 1, k):tril(-1) + identity(a, m, k)
  return permutation(a, swaps, m), l, rows(packed, 1, k):triu()
end

--- Returns dense transposes of b, in the shape of a batch.
local function right_side (b, shape)
  local n <const>, k <const> = measure(b)
  local x <const> = table.move(shape, 1, #shape, 1, {})
  table.move({ k, n }, 1, 2, #x + 1, x)
  return b.mT:broadcast_to(x):copy()
end

--- Returns the common batch of a and b as a shape, and a in it.
local function meet (a, b)
  local shape <const> = tide.broadcast_shapes(beside(a), beside(b))
  local n <const>, k <const> = measure(a)
  local whole <const> = table.move({ n, k }, 1, 2, #shape + 1,
                                   table.move(shape, 1, #shape, 1, {}))
  return shape, a:broadcast_to(whole)
end

--- Solves for triangular matrices: they are factors of themselves.
--- trans: "N", "T" or "C"; ones: the diagonal is of ones, whatever it has.
function matrices.solve_triangular (a, b, lower, trans, ones)
  local n <const> = measure(a)
  local shape <const>, m = meet(a, b)
  if trans ~= "N" then
    m, lower = trans == "C" and adjoint(m) or m.mT, not lower
  end
  local k <const> = ones and 1 or 0
  m = lower and m:tril(-k) or m:triu(k)
  if ones then m = m + identity(m, n) end
  if m.size > 0 then
    lapack.check(diagonal(m):eq(0):any(-1):astype "int32":reshape(-1),
                 "linalg.solve_triangular", "is singular")
  end
  local _, _, batches <const> = measure(m)
  local swaps <const> = tide.arange(1, n + 1, 1, "int32")
                        :broadcast_to{ batches, n }:copy()
  local factors <const> = lower and m:contiguous() or turned(m)
  return turned(substitute(factors, swaps, right_side(b, shape), lower))
end

--- Lower triangles, which cuSOLVER computes in half of the time of upper ones.
function matrices.cholesky (a, upper, name)
  local packed <const> = lapack.decompose("potrf", 0, upper and conj(a) or a.mT,
                                          name, "is not positive definite")
  if upper then return conj(packed):triu() end
  return packed.mT:tril()
end

--}}

--{{ QR

--- Returns the transposes of a with at least so many rows.
local function with_rows (a, m)
  local n <const> = measure(a)
  if n >= m then return rows(a, 1, m):copy() end
  local rest <const> = tide.zeros(beside(a, m - n, m), a.dtype)
  return tide.concatenate({ a, rest }, -2)
end

function matrices.qr (a, mode)
  local m <const>, n <const>, batches <const> = measure(a)
  local k <const> = math.min(m, n)
  local wanted <const> = mode == "complete" and m or k
  local packed <const>, scales <const> = lapack.decompose("geqrf", 0, a.mT)
  local r <const> = rows(packed.mT, 1, wanted):triu()
  if mode == "r" then return r end
  if k == 0 then return identity(a, m, wanted):copy(), r end
  local q <const> = wanted == k and rows(packed, 1, k):copy() or
                    with_rows(packed, m)
  lapack.run("orgqr", 0, m, wanted, k, batches, nil, nil, q, scales)
  return turned(q), r
end

--}}

--{{ singular values

local NO_END <const> = "did not converge; NaN and infinities have this effect"

--- Runs gesdd on matrices, or on their transposes if these have more columns.
-- Returns which ones, and the results of lapack.decompose without its first.
local function decompose (a, flag, name)
  local m <const>, n <const> = measure(a)
  return m > n, select(2, lapack.decompose("gesdd", flag, m > n and a.mT or a,
                                           name, NO_END))
end

function matrices.svdvals (a, name)
  local _, s <const> = decompose(a, 0, name)
  return s
end

--- The decomposition of matrices without elements.
local function svd_of_none (a, full)
  local m <const>, n <const> = measure(a)
  local s <const> = tide.zeros(beside(a, 0), real_dtype(a))
  return identity(a, m, full and m or 0):copy(), s,
         identity(a, full and n or 0, n):copy()
end

function matrices.svd (a, full, name)
  local m <const>, n <const> = measure(a)
  if m * n == 0 then return svd_of_none(a, full) end
  local tall <const>, s <const>, u <const>, vh <const> =
    decompose(a, full and 2 or 1, name)
  if tall then return turned(u), s, turned(vh) end
  return vh, s, u  -- of the transpose
end

--- Returns the singular values that count as not 0, as bools, with 'rtol' for
-- matrices of m by n.
local function of_rank (s, rtol, m, n)
  rtol = rtol or math.max(m, n) * tide.finfo(s.dtype).eps
  if s.shape[s.ndim] == 0 then return s:ne(0) end
  return s:gt(s:max(-1, { keepdims = true }) * rtol)
end

function matrices.matrix_rank (a, rtol, hermitian)
  local m <const>, n <const> = measure(a)
  local name <const> = "linalg.matrix_rank"
  local s <const> = hermitian and matrices.eigh(a, false, false, name):abs() or
                    matrices.svdvals(a, name)
  return of_rank(s, rtol, m, n):sum(-1)
end

--- Returns 1 / s where s counts, else 0.
local function inverses (s, counts) return counts:where(1 / s, 0) end

--- Returns the product with the diagonal matrices of 'd' from the right.
local function scale_columns (a, d) return a * d:expand_dims(-2) end

function matrices.pinv (a, rtol, hermitian)
  local m <const>, n <const> = measure(a)
  if hermitian then
    local w <const>, v <const> = matrices.eigh(a, true, false, "linalg.pinv")
    local counts <const> = of_rank(w:abs(), rtol, m, n)
    return scale_columns(v, inverses(w, counts)):matmul(adjoint(v))
  end
  local u <const>, s <const>, vh <const> = matrices.svd(a, false, "linalg.pinv")
  local counts <const> = of_rank(s, rtol, m, n)
  return scale_columns(adjoint(vh), inverses(s, counts)):matmul(adjoint(u))
end

--- Returns smaller equations with the same solutions and singular values, for
-- matrices of many more rows than columns, if a and b have the same batch. With
-- a = Q R these are R x = Q^H b, and QR of a and b side by side makes both.
local function reduce (a, b)
  local m <const>, n <const> = measure(a)
  local _, k <const> = measure(b)
  if n == 0 or k == 0 or k > n or m < 2 * (n + k) or
     table.concat(beside(a), "x") ~= table.concat(beside(b), "x") then
    return a, b
  end
  local r <const> = rows(matrices.qr(tide.concatenate({ a, b }, -1), "r"), 1, n)
  return columns(r, 1, n), columns(r, n + 1, n + k)
end

--- The solution of least norm, sums of squares of what is left, ranks, singular
-- values.
function matrices.lstsq (a, b, rtol, name)
  local m <const>, n <const> = measure(a)
  local r <const>, side <const> = reduce(a, b)
  local u <const>, s <const>, vh <const> = matrices.svd(r, false, name)
  local counts <const> = of_rank(s, rtol, m, n)
  local part <const> = inverses(s, counts):expand_dims(-1)
                       * adjoint(u):matmul(side)
  local x <const> = adjoint(vh):matmul(part)
  local rest <const> = (b - a:matmul(x)):abs()
  return x, (rest * rest):sum(-2), counts:sum(-1), s
end

--- The product of norms of order p of matrices and of their inverses.
local function multiply_norms (a, p)
  local axes <const> = { -2, -1 }
  if p == "nuc" then
    local s <const> = matrices.svdvals(a, "linalg.cond")
    return s:sum(-1) * (1 / s):sum(-1)
  end
  return a:norm(p, axes) * matrices.inv(a):norm(p, axes)
end

--- Condition numbers of order p. NaN stands for that of singular matrices,
-- unless there are NaNs in them.
function matrices.cond (a, p)
  if p == 2 or p == -2 then
    local s <const> = matrices.svdvals(a, "linalg.cond")
    local most <const>, least <const> = s:max(-1), s:min(-1)
    return p == 2 and most / least or least / most
  end
  local c <const> = multiply_norms(a, p)
  local known <const> = a:isnan():any{ axis = { -2, -1 } }
  return c:isnan():logical_and(known:logical_not()):where(math.huge, c)
end

--}}

--{{ eigenvalues

--- Eigenvalues of Hermitian matrices, and with 'vectors' their eigenvectors.
-- The routine reads the upper triangles of the transposes, the conjugates.
function matrices.eigh (a, vectors, upper, name)
  local v <const>, w <const> = lapack.decompose("syevd", vectors and 1 or 0,
                                                upper and adjoint(a) or a,
                                                name, NO_END)
  if not vectors then return w end
  return w, adjoint(v):contiguous()
end

function matrices.eig (a, vectors, name)
  local dtype <const> = a.device.kind == "cuda" and complex_dtype(a) or a.dtype
  local _, w <const>, v <const> = lapack.decompose(
    "geev", vectors and 1 or 0, a:astype(dtype).mT, name, NO_END)
  return w, v and turned(v)
end

--}}

--{{ powers

--- Returns the products of n factors. The number of inverses is unsigned,
-- because -math.mininteger is 2^63.
function matrices.matrix_power (a, n)
  if n == 0 then return identity(a, (measure(a))):copy() end
  if n < 0 then a, n = matrices.inv(a, "linalg.matrix_power"), -n end
  local power
  while n ~= 0 do
    if n & 1 == 1 then power = power and power:matmul(a) or a end
    n = n >> 1
    if n ~= 0 then a = a:matmul(a) end
  end
  return power:copy()
end

-- The coefficients of the Padé approximant of exp of degree 13, and the norm up
-- to which it is exact to float64 (Higham 2005).
local PADE <const> = {
  64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800,
  129060195264000, 10559470521600, 670442572800, 33522128640, 1323241920,
  40840800, 960960, 16380, 182, 1 }
local MOST <const> = 5.37

-- The coefficients of I, A^2, A^4 and A^6 in four sums: the even powers and the
-- odd ones over A, from A^8 on and over A^6; then the same up to A^6.
local SUMS <const> = { { 0 }, { 0 }, {}, {} }
for i = 1, 4 do
  for parity = 1, 2 do
    local low <const>, high <const> = 2 * i - 2 + parity, 2 * i + 4 + parity
    SUMS[2 + parity][i] = PADE[low] / PADE[1]
    if i > 1 then SUMS[parity][i] = PADE[high] / PADE[1] end
  end
end

--- Returns the approximant for matrices whose norms are small.
local function approximate (a)
  local a2 <const> = a:matmul(a)
  local a4 <const> = a2:matmul(a2)
  local a6 <const> = a4:matmul(a2)
  local one <const> = identity(a, (measure(a)))
  local powers <const> = tide.stack({ one, a2, a4, a6 }, 1):reshape(4, -1)
  local sums <const> = tide.array(SUMS, a.dtype):matmul(powers)
                       :reshape{ 2, 2, table.unpack(a.shape) }
  local both <const> = a6:matmul(sums:select(1, 1)) + sums:select(1, 2)
  local even <const>, odd <const> = both:select(1, 1),
                                    a:matmul(both:select(1, 2))
  return matrices.solve(even - odd, even + odd)
end

--- Scales the matrices so that the approximant is exact, and squares the result
-- as often as it was halved: by the greatest norm, which is waited for.
function matrices.expm (a)
  if a.size == 0 then return a:copy() end
  local norm <const> = a:norm(1, { -2, -1 }):max():item()
  local halved = 0
  if norm > MOST and norm < math.huge then
    halved = math.ceil(math.log(norm / MOST, 2))
  end
  local e = approximate(a * 2.0 ^ -halved)
  for _ = 1, halved do e = e:matmul(e) end
  return e
end

--}}

return matrices
