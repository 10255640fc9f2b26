--[[
matrices.lua - checks of tide.linalg by what its results must satisfy, for
linalg_spec.lua: with LAPACK, and in a process without it.
]]
local tide = require "tide"
local linalg <const> = tide.linalg

local matrices <const> = {}

matrices.DTYPES = { "float32", "float64", "complex64", "complex128" }

--- How far off results may be, in eps times the size of the matrices.
local MOST <const> = 100

--- Returns random numbers, seeded by their shape.
function matrices.random (shape, dtype)
  local generator <const> = tide.random.Generator(#shape * 10 + shape[1])
  local a = generator:normal(shape, "float64")
  if dtype:find "complex" then
    a = a + generator:normal(shape, "float64") * tide.complex(0, 1)
  end
  return a:astype(dtype)
end

function matrices.adjoint (a)
  return a.dtype:find "complex" and a.mT:conj() or a.mT
end

local adjoint <const> = matrices.adjoint

--- Returns a Hermitian matrix, and a positive definite one.
local function hermitian (a) return a + adjoint(a) end
local function definite (a)
  return a:matmul(adjoint(a)) + tide.eye(a.shape[a.ndim], nil, 0, a.dtype)
end

--- Raises unless x and y are the same but for what rounding explains.
local function near (what, x, y)
  y = type(y) == "number" and tide.full_like(x, y) or y
  local lengths <const> = table.concat(x.shape, "x")
  assert(lengths == table.concat(y.shape, "x"), what .. ": shapes differ")
  assert(x.dtype == y.dtype, ("%s: %s, not %s"):format(what, x.dtype, y.dtype))
  if x.size == 0 then return end
  local dtype <const> = x:abs().dtype
  local scale <const> = math.max(1, y:abs():max():item())
  local off <const> = (x - y):abs():max():item()
  local most <const> = MOST * tide.finfo(dtype).eps * scale *
                       (x.shape[x.ndim] or 1) ^ 0.5
  assert(off <= most, ("%s: off by %g, at most %g"):format(what, off, most))
end

matrices.near = near

local function identity (what, x)
  local n <const> = x.shape[x.ndim]
  near(what, x, tide.eye(n, n, 0, x.dtype):broadcast_to(x.shape))
end

--- Returns v with its columns multiplied by d.
local function scaled (v, d)
  return (v * d:expand_dims(-2)):astype(v.dtype)
end

local checks <const> = {}  -- of square matrices

function checks.solve (a, b)
  near("solve", definite(a):matmul(linalg.solve(definite(a), b)), b)
end

function checks.vector (a)
  local v <const> = matrices.random({ a.shape[a.ndim] }, a.dtype)
  local x <const> = linalg.solve(definite(a), v)
  near("a vector", definite(a):matmul(x:expand_dims(-1)):squeeze(-1),
       v:broadcast_to(x.shape))
end

function checks.inv (a)
  identity("inv", definite(a):matmul(linalg.inv(definite(a))))
end

function checks.det (a)
  local sign <const>, log <const> = linalg.slogdet(a)
  near("slogdet", sign * log:exp():astype(sign.dtype), linalg.det(a))
  near("det of a product", linalg.det(a:matmul(a)),
       linalg.det(a) * linalg.det(a))
end

function checks.cholesky (a)
  local d <const> = definite(a)
  local l <const> = linalg.cholesky(d)
  near("cholesky", l:matmul(adjoint(l)), d)
  near("its other triangle", l, l:tril())
  near("cholesky of lower triangles", linalg.cholesky(d:tril()), l)
  local u <const> = linalg.cholesky(d:triu(), { upper = true })
  near("cholesky of upper triangles", adjoint(u), l)
end

function checks.eigh (a)
  local h <const> = hermitian(a)
  local w <const>, v <const> = linalg.eigh(h)
  near("eigh", scaled(v, w):matmul(adjoint(v)), h)
  identity("eigenvectors", adjoint(v):matmul(v))
  near("eigvalsh", linalg.eigvalsh(h), w)
  near("uplo", (linalg.eigh(h:triu(), { uplo = "U" })), w)
  near("the lower triangle", (linalg.eigh(h:tril())), w)
  local unread <const> = tide.full_like(h, 0 / 0):triu(1)
  near("NaN in the other", (linalg.eigh(h:tril() + unread)), w)
  near("eigvalsh, likewise", linalg.eigvalsh(h:triu() + unread.mT,
                                             { uplo = "U" }), w)
  near("ascending", w:sort(-1), w)
end

function checks.eig (a)
  local w <const>, v <const> = linalg.eig(a)
  near("eig", a:astype(v.dtype):matmul(v), scaled(v, w))
  near("their sum", w:sum(-1), linalg.trace(a):astype(w.dtype))
  near("eigvals", linalg.eigvals(a):sum(-1), w:sum(-1))
  if a.size > 0 then
    near("norms of eigenvectors",
         linalg.vector_norm(v, { axis = -2 }), 1)
  end
end

function checks.triangular (a, b)
  local n <const> = a.shape[a.ndim]
  local m <const> = a * 0.1 + tide.eye(n, n, 0, a.dtype)
  for _, lower in ipairs{ false, true } do
    local t <const> = lower and m:tril() or m:triu()
    local one <const> = (lower and t:tril(-1) or t:triu(1)) +
                        tide.eye(n, n, 0, a.dtype)
    for trans, op in pairs{ N = t, T = t.mT, C = adjoint(t) } do
      near("solve_triangular " .. trans, op:matmul(linalg.solve_triangular(
             m, b, { lower = lower, trans = trans })), b)
    end
    near("unit_diagonal", one:matmul(linalg.solve_triangular(
           m, b, { lower = lower, unit_diagonal = true })), b)
  end
end

function checks.powers (a)
  local m <const> = a * 0.3
  near("matrix_power", linalg.matrix_power(m, 5),
       m:matmul(m):matmul(m):matmul(m):matmul(m))
  identity("matrix_power 0", linalg.matrix_power(m, 0))
  local d <const> = definite(m)
  near("matrix_power -2", linalg.matrix_power(d, -2):matmul(d):matmul(d),
       linalg.matrix_power(d, 0))
  identity("expm", linalg.expm(m):matmul(linalg.expm(-m)))
end

local general <const> = {}  -- of matrices of any shape

function general.lu (a)
  local p <const>, l <const>, u <const> = linalg.lu(a)
  near("lu", p:matmul(l):matmul(u), a)
  identity("a permutation", p:matmul(p.mT))
  near("L", l, l:tril())
  near("U", u, u:triu())
end

function general.qr (a)
  for _, mode in ipairs{ "reduced", "complete" } do
    local q <const>, r <const> = linalg.qr(a, { mode = mode })
    near("qr " .. mode, q:matmul(r), a)
    identity("Q", adjoint(q):matmul(q))
    near("R", r, r:triu())
  end
  near("qr r", linalg.qr(a, { mode = "r" }), (select(2, linalg.qr(a))))
end

function general.svd (a)
  local u <const>, s <const>, vh <const> = linalg.svd(a, {
    full_matrices = false })
  near("svd", scaled(u, s):matmul(vh), a)
  identity("U", adjoint(u):matmul(u))
  identity("Vh", vh:matmul(adjoint(vh)))
  local full <const>, t <const>, fullh <const> = linalg.svd(a)
  identity("all of U", adjoint(full):matmul(full))
  identity("all of Vh", fullh:matmul(adjoint(fullh)))
  near("svdvals", linalg.svdvals(a), s)
  near("values beside all vectors", t, s)
  near("the nuclear norm", a:norm("nuc", { -2, -1 }), s:sum(-1))
  if s.size > 0 then
    near("norm 2", a:norm(2, { -2, -1 }), s:max(-1))
    near("norm -2", a:norm(-2, { -2, -1 }), s:min(-1))
    near("cond", 1 / linalg.cond(a), s:min(-1) / s:max(-1))
  end
end

function general.pinv (a)
  local p <const> = linalg.pinv(a)
  near("pinv", a:matmul(p):matmul(a), a)
  local x <const>, _, rank <const> = linalg.lstsq(a, a)
  near("lstsq", x, p:matmul(a))
  assert(rank:eq(math.min(a.shape[a.ndim], a.shape[a.ndim - 1])):all():item())
end

--- Raises unless all is right for random matrices of that shape.
function matrices.check (dtype, shape)
  local a <const> = matrices.random(shape, dtype)
  local m <const>, n <const> = shape[#shape - 1], shape[#shape]
  local function run (list, b)
    for name, fn in pairs(list) do
      local ok <const>, why <const> = pcall(fn, a, b)
      assert(ok, ("%s of %s %s: %s"):format(name, dtype,
                                            table.concat(shape, "x"), why))
    end
  end
  run(general)
  if m == n then run(checks, matrices.random(shape, dtype)) end
end

matrices.SHAPES = { { 1, 1 }, { 2, 2 }, { 5, 5 }, { 17, 17 }, { 3, 4, 4 },
                    { 2, 1, 3, 3 }, { 0, 0 }, { 0, 2, 2 }, { 3, 0, 0 },
                    { 1, 4 }, { 4, 1 }, { 6, 3 }, { 3, 6 }, { 2, 5, 3 },
                    { 2, 3, 5 }, { 0, 3 }, { 3, 0 } }

--- Checks decompositions of matrices whose rank is less than their size, where
-- columns are rounded to nothing.
function matrices.check_deficient ()
  local list <const> = { tide.ones{ 20, 20 }, tide.ones{ 40, 90 },
    tide.ones({ 30, 30 }, "float32"), tide.ones({ 7, 7 }, "complex128"),
    tide.arange(1, 30):outer(tide.arange(1, 25)):astype "float64",
    tide.kron(tide.eye(3), tide.ones{ 9, 9 }), tide.zeros{ 5, 5 } }
  for n = 2, 30 do list[#list + 1] = tide.ones{ n, n } end
  for _, a in ipairs(list) do
    local u, s, vh = linalg.svd(a, { full_matrices = false })
    near("product", (u * s:astype(u.dtype)):matmul(vh), a)
    identity("u", adjoint(u):matmul(u))
    identity("vh", vh:matmul(adjoint(vh)))
    near("svdvals", linalg.svdvals(a), s)
  end
  assert(linalg.matrix_rank(tide.ones{ 20, 20 }):item() == 1)
end

function matrices.check_all ()
  for _, dtype in ipairs(matrices.DTYPES) do
    for _, shape in ipairs(matrices.SHAPES) do matrices.check(dtype, shape) end
  end
end

return matrices
