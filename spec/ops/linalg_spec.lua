--[[
linalg_spec.lua - tide.linalg: what results must satisfy (support/matrices.lua)
with LAPACK and without, known values, singular matrices, captures, errors.
NumPy's answers: numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local matrices = require "spec.support.matrices"
local linalg = tide.linalg

helper.each_device(function ()

describe("tide.linalg", function ()
  for _, dtype in ipairs(matrices.DTYPES) do
    it("solves and decomposes matrices of " .. dtype, function ()
      for _, shape in ipairs(matrices.SHAPES) do
        matrices.check(dtype, shape)
      end
    end)
  end

  it("decomposes matrices of less rank than size", function ()
    matrices.check_deficient()
  end)

  it("takes views with any strides", function ()
    local a = matrices.random({ 8, 8 }, "float64")
    for _, view in ipairs{ a.T, a:flip(), a[{ { 1, 8, 2 }, { 2, 8, 2 } }],
                           a[1]:broadcast_to(4, 8) } do
      local u, s, vh = linalg.svd(view, { full_matrices = false })
      matrices.near("svd", (u * s:expand_dims(-2)):matmul(vh), view:copy())
    end
    local m, b = (a + tide.eye(8) * 9).T, tide.ones{ 3, 8 }.T
    matrices.near("solve", m:matmul(linalg.solve(m, b)), b:copy())
  end)

  it("leaves its operands as they are", function ()
    local a = tide.array{ { 4., 1 }, { 1, 3 } }
    local b = tide.ones(2)
    for _, name in ipairs{ "cholesky", "cond", "det", "eig", "eigh", "eigvals",
                           "eigvalsh", "expm", "inv", "lu", "pinv", "qr",
                           "slogdet", "svd", "svdvals" } do
      linalg[name](a)
    end
    for _, name in ipairs{ "solve", "solve_triangular", "lstsq" } do
      linalg[name](a, b)
    end
    assert.same({ { 4, 1 }, { 1, 3 } }, a:totable())
    assert.same({ 1, 1 }, b:totable())
  end)

  it("converts integers and bools to float64", function ()
    for _, dtype in ipairs{ "bool", "int8", "uint64" } do
      local a = tide.eye(3, nil, 0, dtype)
      assert.equal("float64", linalg.inv(a).dtype)
      assert.equal("float64", linalg.solve(a, a).dtype)
      local b = tide.ones({ 3, 1 }, "float32")
      assert.equal("float64", linalg.solve(a, b).dtype)
      assert.equal("float64", linalg.solve_triangular(a, b).dtype)
      assert.equal("float64", linalg.lstsq(b, a).dtype)
      assert.equal(1, linalg.det(a):item())
    end
    local a = tide.eye(2, nil, 0, "complex64")
    assert.equal("float32", linalg.svdvals(a).dtype)
    assert.equal("float32", linalg.eigvalsh(a).dtype)
    assert.equal("float32", a:norm(2).dtype)
    assert.equal("complex64", linalg.eigvals(a:real()).dtype)
    assert.equal("complex128", linalg.solve(a, tide.ones(2)).dtype)
  end)

  it("broadcasts the batches of equations", function ()
    local a = matrices.random({ 2, 1, 3, 3 }, "float64") + tide.eye(3) * 5
    local b = matrices.random({ 4, 3, 2 }, "float64")
    local x = linalg.solve(a, b)
    assert.same({ 2, 4, 3, 2 }, x.shape)
    matrices.near("solve", a:matmul(x), b:broadcast_to(x.shape):copy())
    assert.same({ 2, 4, 3, 2 }, linalg.solve_triangular(a, b).shape)
    assert.same({ 2, 1, 3 }, linalg.solve(a, tide.ones(3)).shape)
  end)

  it("solves for many right sides, or none", function ()
    local a = matrices.random({ 5, 5 }, "float64") + tide.eye(5) * 5
    for _, k in ipairs{ 0, 1, 40 } do
      local b = tide.ones{ 5, k }
      matrices.near("solve", a:matmul(linalg.solve(a, b)), b)
    end
  end)

  it("finds least squares of minimal norm", function ()
    local a = tide.array{ { 1., 1 }, { 1, 1 }, { 1, 1 } }
    local x, rest, rank, s = linalg.lstsq(a, tide.array{ 1., 2, 3 })
    helper.array_near(x, { 1, 1 }, 1e-12)
    assert.is_true(math.abs(rest:item() - 2) < 1e-12)
    assert.equal(1, rank:item())
    helper.array_near(s, { 6 ^ 0.5, 0 }, 1e-12)
    assert.same({ 2, 4 }, (linalg.lstsq(a, tide.ones{ 3, 4 })).shape)
    local line = tide.stack({ tide.ones(4), tide.arange(4.) }, 2)
    helper.array_near((linalg.lstsq(line, tide.array{ 1., 3, 5, 7 })), { 1, 2 },
                      1e-12)
  end)

  it("lstsq of tall matrices is that of the pseudoinverse", function ()
    for dtype, bound in pairs{ float32 = 1e-4, float64 = 1e-12,
                               complex128 = 1e-12 } do
      for _, shape in ipairs{ { 40, 3 }, { 8, 3 }, { 3, 20, 5 } } do
        local a = matrices.random(shape, dtype)
        local n = shape[#shape]
        -- column 1 twice, so that the rank is n - 1
        a:select(-1, n):copy_from(a:select(-1, 1))
        for _, k in ipairs{ 1, n, n + 1 } do
          shape[#shape] = k
          local b = matrices.random(shape, dtype)
          local x, rest, rank, s = linalg.lstsq(a, b, { rtol = bound })
          local inverse = linalg.pinv(a, { rtol = bound })
          assert.is_true(tide.allclose(x, inverse:matmul(b), bound, bound))
          assert.is_true(tide.allclose(rest, ((b - a:matmul(x)):abs() ^ 2)
                                       :sum(-2), bound, bound))
          assert.is_true(rank:eq(n - 1):all():item())
          assert.is_true(tide.allclose(s, linalg.svdvals(a), bound, bound))
        end
        shape[#shape] = n
      end
    end
  end)

  it("lstsq of tall matrices with NaNs on the right has NaNs", function ()
    local a, b = matrices.random({ 40, 2 }, "float64"), tide.zeros{ 40, 2 }
    b[{ 7, { 2, 2 } }] = 0 / 0
    local x, _, rank = linalg.lstsq(a, b)
    assert.same({ 0, 0 }, x.T[1]:totable())
    assert.is_true(x.T[2]:isnan():all():item())
    assert.equal(2, rank:item())
  end)

  it("counts singular values by their tolerance", function ()
    local a = tide.diag(tide.array{ 1., 1e-3, 1e-17, 0 })
    assert.equal(2, linalg.matrix_rank(a):item())
    assert.equal(1, linalg.matrix_rank(a, { rtol = 0.01 }):item())
    assert.equal(2, linalg.matrix_rank(a, { hermitian = true }):item())
    assert.equal("int64", linalg.matrix_rank(a).dtype)
    assert.same({ 0, 0 }, linalg.matrix_rank(tide.zeros{ 2, 3, 4 }):totable())
    local p = linalg.pinv(a, { rtol = 0.01, hermitian = true })
    assert.same({ 1, 0, 0, 0 }, p:diagonal():totable())
    assert.equal(0, linalg.pinv(tide.zeros{ 2, 3 }):sum():item())
  end)

  it("has determinants of singular matrices", function ()
    local a = tide.ones{ 2, 3, 3 }
    assert.same({ 0, 0 }, linalg.det(a):totable())
    local sign, log = linalg.slogdet(a)
    assert.same({ 0, 0 }, sign:totable())
    assert.same({ -math.huge, -math.huge }, log:totable())
    sign, log = linalg.slogdet(tide.eye(400) * -1e-3)
    assert.equal(1, sign:item())
    assert.is_true(math.abs(log:item() + 400 * math.log(1e3)) < 1e-9)
    assert.equal(1, linalg.det(tide.zeros{ 0, 0 }):item())
    local odd = tide.array{ { 0., 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } }
    assert.equal(1, linalg.det(odd):item())
    assert.equal(-1, linalg.det(odd:flip(1)):item())
  end)

  it("has condition numbers of singular matrices", function ()
    for _, ord in ipairs{ 1, math.huge, "fro", "nuc" } do
      assert.equal(math.huge, linalg.cond(tide.zeros{ 2, 2 }, ord):item())
    end
    local nan = linalg.cond(tide.full({ 2, 2 }, 0 / 0), 1):item()
    assert.is_true(nan ~= nan)
    local least = linalg.cond(tide.diag(tide.array{ 8., 2 }), -2)
    helper.array_near(least:reshape(1), { 0.25 }, 1e-12)
  end)

  it("finds eigenvalues of known matrices", function ()
    local turn = tide.array{ { 0., -1 }, { 1, 0 } }
    local w = linalg.eigvals(turn)
    assert.same({ 0, 0 }, w:real():round(12):abs():totable())
    assert.same({ -1, 1 }, w:imag():sort():round(12):totable())
    -- a Jordan block, which has one eigenvector
    w = linalg.eigvals(tide.array{ { 2., 1 }, { 0, 2 } })
    helper.array_near(w:real(), { 2, 2 }, 1e-7)
    -- the roots of 1, from their companion matrix
    w = linalg.eigvals(tide.eye(6, 6, 1) + tide.eye(6, 6, -5))
    helper.array_near(w:abs(), { 1, 1, 1, 1, 1, 1 }, 1e-12)
    assert.is_true((w ^ 6 - 1):abs():max():item() < 1e-12)
  end)

  it("has exponentials of known matrices, also large ones", function ()
    local angle = 30
    local turn = tide.array{ { 0., -angle }, { angle, 0 } }
    helper.array_near(linalg.expm(turn):ravel(), {
      math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle) },
      1e-12)
    local e = linalg.expm(tide.diag(tide.array{ 0., 50 }))
    assert.is_true(math.abs(e[2][2] / math.exp(50) - 1) < 1e-12)
    assert.same({ 0, 0 }, linalg.expm(tide.zeros{ 0, 0 }).shape)
    local nan = linalg.expm(tide.full({ 1, 1 }, 0 / 0)):item()
    assert.is_true(nan ~= nan)
  end)

  it("is the same for a matrix alone as in a long batch", function ()
    local before = tide.host_threads(4)
    for _, shape in ipairs{ { 3001, 4, 4 }, { 257, 7, 7 }, { 5, 90, 90 } } do
      local a = matrices.random(shape, "float64")
      local s, w, x = linalg.svdvals(a), linalg.eigvalsh(a), linalg.inv(a)
      for _, i in ipairs{ 1, 2, shape[1] // 2 + 1, shape[1] } do
        matrices.near("svdvals", linalg.svdvals(a[i]), s[i])
        matrices.near("eigvalsh", linalg.eigvalsh(a[i]), w[i])
        matrices.near("inv", linalg.inv(a[i]), x[i])
      end
    end
    tide.host_threads(before)
  end)

  it("keeps integers in powers, exactly, modulo the range", function ()
    local a = tide.array{ { 1, 1 }, { 1, 0 } }
    local power = linalg.matrix_power(a, 85)
    assert.equal("int64", power.dtype)
    assert.equal(420196140727489673, power[1][1])
    assert.equal(1601625493303856581,
                 linalg.matrix_power(a, math.maxinteger)[1][1])
    for dtype, first in pairs{ bool = true, int8 = 121, uint8 = 121 } do
      power = linalg.matrix_power(a:astype(dtype), 13)
      assert.equal(dtype, power.dtype)
      assert.equal(first, power[1][1])
      assert.equal(dtype, linalg.matrix_power(a:astype(dtype), 0).dtype)
    end
    assert.equal("float64", linalg.matrix_power(a, -1).dtype)
    helper.array_near(linalg.matrix_power(a, -1):ravel(), { 0, 1, 1, -1 }, 0)
  end)

  it("takes every integer as an exponent", function ()
    local a = tide.array{ { 0., 1 }, { 1, 0 } }
    for _, n in ipairs{ math.mininteger, math.mininteger + 1, math.maxinteger,
                        -1, 0 } do
      local odd = n % 2
      helper.array_near(linalg.matrix_power(a, n):ravel(),
                        { 1 - odd, odd, odd, 1 - odd }, 0)
    end
  end)

  it("is the same every time", function ()
    local a = matrices.random({ 60, 60 }, "float64")
    local b = tide.ones(60)
    local first = linalg.solve(a, b)
    for _ = 1, 3 do assert.is_true(tide.array_equal(first,
                                                    linalg.solve(a, b))) end
  end)

  it("writes to 'out'", function ()
    local a = tide.array{ { 4., 0 }, { 0, 2 } }
    for name, wanted in pairs{ inv = { { 0.25, 0 }, { 0, 0.5 } },
                               pinv = { { 0.25, 0 }, { 0, 0.5 } },
                               cholesky = { { 2, 0 }, { 0, 2 ^ 0.5 } },
                               det = 8, cond = 2, matrix_rank = 2,
                               svdvals = { 4, 2 }, eigvalsh = { 2, 4 } } do
      local like = linalg[name](a)
      local out = tide.zeros(like.shape, like.dtype)
      assert.equal(out, linalg[name](a, { out = out }))
      if type(wanted) == "table" then
        local flat = {}
        for _, row in ipairs(wanted) do
          for _, x in ipairs(type(row) == "table" and row or { row }) do
            flat[#flat + 1] = x
          end
        end
        helper.array_near(out:ravel(), flat, 1e-12)
      else
        assert.is_true(math.abs(out:item() - wanted) < 1e-12, name)
      end
    end
    linalg.inv(a, { out = a })
    helper.array_near(a:ravel(), { 0.25, 0, 0, 0.5 }, 1e-12)
    local x = tide.zeros{ 2, 2 }
    linalg.solve(a, tide.ones(2), { out = x.T[1] })
    assert.same({ { 4, 0 }, { 2, 0 } }, x:totable())
    linalg.matrix_power(a, 2, { out = x })
    assert.same({ { 0.0625, 0 }, { 0, 0.25 } }, x:totable())
    linalg.matrix_norm(a, { ord = 2, out = x[1][{ { 1, 1 } }]:reshape{} })
    linalg.vector_norm(a, { axis = 1, out = x[2] })
    assert.same({ 0.25, 0.5 }, x[2]:totable())
  end)
end)

describe("norms of tide.linalg", function ()
  it("of matrices are those of the last two axes", function ()
    local a = tide.arange(24.):reshape{ 2, 3, 4 }
    assert.same({ 2 }, linalg.matrix_norm(a).shape)
    assert.same({ 2, 1, 1 }, linalg.matrix_norm(a, { keepdims = true }).shape)
    assert.same({ 21, 57 }, linalg.matrix_norm(a, { ord = 1 }):totable())
    for _, ord in ipairs{ 2, -2, "nuc" } do
      matrices.near("axes", a:norm(ord, { 3, 1 }, { keepdims = true }),
                    linalg.matrix_norm(a:permute{ 2, 1, 3 }, {
                      ord = ord }):reshape{ 1, 3, 1 })
    end
    assert.equal(0, tide.zeros{ 0, 3 }:norm("nuc"):item())
  end)

  it("of vectors take any axes as one", function ()
    local a = tide.arange(24.):reshape{ 2, 3, 4 }
    assert.equal(4324 ^ 0.5, linalg.vector_norm(a):item())
    assert.same({ 1, 1, 1 }, linalg.vector_norm(a, { keepdims = true }).shape)
    assert.same({ 66, 210 }, linalg.vector_norm(a, {
      ord = 1, axis = { 2, -1 } }):totable())
    assert.same({ 2, 1, 4 }, linalg.vector_norm(a, {
      axis = 2, keepdims = true }).shape)
    assert.equal(23, linalg.vector_norm(a, { ord = math.huge }):item())
  end)

  it("trace and diagonal are those of the last two axes", function ()
    local a = tide.arange(24.):reshape{ 2, 3, 4 }
    assert.same({ { 0, 5, 10 }, { 12, 17, 22 } },
                linalg.diagonal(a):totable())
    assert.same({ 15, 51 }, linalg.trace(a):totable())
    assert.same({ 18, 54 }, linalg.trace(a, 1):totable())
    assert.equal("float32", linalg.trace(a, { dtype = "float32" }).dtype)
  end)
end)

end)
