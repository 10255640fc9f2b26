--[[
linalg_errors_spec.lua - tide.linalg: matrices that are singular, not positive
definite or not finite, found on the device; wrong arguments; captures; and all
of it without LAPACK.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg
local linalg = tide.linalg

--- Raises unless reading fn's result fails with such an error of its line. If
-- the call began again, each time has its error.
local function raises (text, fn, ...)
  local x = fn(...)
  fails(text, x.totable, x)
  while not pcall(x.totable, x) do end
end

helper.each_device(function ()

describe("tide.linalg finds at the next wait", function ()
  local line <const> = "linalg_errors_spec.lua:14: linalg."

  it("singular matrices", function ()
    local none = tide.zeros{ 2, 2 }
    raises(line .. "solve: the matrix is singular", linalg.solve, none,
           tide.ones(2))
    raises(line .. "inv: the matrix is singular", linalg.inv, none)
    raises(line .. "matrix_power: the matrix is singular", linalg.matrix_power,
           none, -1)
    raises(line .. "solve_triangular: the matrix is singular",
           linalg.solve_triangular, tide.array{ { 1., 5 }, { 7, 0 } },
           tide.ones(2))
  end)

  it("which matrix of a batch it is", function ()
    local some = tide.stack{ tide.eye(2), tide.eye(2), tide.zeros{ 2, 2 } }
    raises(line .. "inv: matrix 3 of 3 is singular", linalg.inv, some)
    raises(line .. "cholesky: matrix 3 of 3 is not positive definite",
           linalg.cholesky, some)
    raises(line .. "solve_triangular: matrix 3 of 3 is singular",
           linalg.solve_triangular, some, tide.ones(2))
  end)

  it("matrices that are not positive definite", function ()
    raises(line .. "cholesky: the matrix is not positive definite",
           linalg.cholesky, tide.array{ { 1., 2 }, { 2, 1 } })
  end)

  helper.host_it("matrices that are not finite", function ()
    local wrong = "the matrix did not converge; NaN and infinities have " ..
                  "this effect"
    for _, x in ipairs{ 0 / 0, math.huge } do
      local a = tide.eye(3) * x
      for _, name in ipairs{ "svd", "svdvals", "eigh", "eigvalsh", "eig",
                             "eigvals", "pinv", "matrix_rank", "cond" } do
        raises(line .. name .. ": " .. wrong, linalg[name], a)
      end
      raises(line .. "lstsq: " .. wrong, linalg.lstsq, a, tide.ones(3))
      raises(line .. "norm: " .. wrong, tide.norm, a, 2)
      raises(line .. "matrix_norm: " .. wrong, linalg.matrix_norm, a,
             { ord = 2 })
    end
  end)

  it("once, and goes on", function ()
    local x = linalg.inv(tide.zeros{ 2, 2 })
    fails("is singular", x.totable, x)
    assert.is_true(pcall(x.totable, x))
    assert.same({ { 1, 0 }, { 0, 1 } }, linalg.inv(tide.eye(2)):totable())
  end)
end)

describe("tide.linalg in a capture", function ()
  it("computes at each launch", function ()
    local a = tide.array{ { 2., 0 }, { 0, 4 } }
    local x, s, w = tide.zeros{ 2, 2 }, tide.zeros(2), tide.zeros(2)
    linalg.inv(a)
    local g = tide.capture(function ()
      linalg.inv(a, { out = x })
      linalg.svdvals(a, { out = s })
      linalg.eigvalsh(a, { out = w })
    end)
    g:launch()
    assert.same({ { 0.5, 0 }, { 0, 0.25 } }, x:totable())
    a:mul_(2)
    g:launch()
    assert.same({ { 0.25, 0 }, { 0, 0.125 } }, x:totable())
    assert.same({ 8, 4 }, s:totable())
    assert.same({ 4, 8 }, w:totable())
  end)

  it("raises the error of a launch", function ()
    local a, x = tide.eye(2), tide.zeros{ 2, 2 }
    linalg.inv(a)
    local g = tide.capture(function () linalg.inv(a, { out = x }) end)
    g:launch()
    assert.same({ { 1, 0 }, { 0, 1 } }, x:totable())
    a:fill(0)
    g:launch()
    fails("linalg.inv: the matrix is singular", x.totable, x)
    a:copy_from(tide.eye(2))
    g:launch()
    assert.same({ { 1, 0 }, { 0, 1 } }, x:totable())
  end)

  it("refuses expm, which waits", function ()
    local a = tide.eye(2)
    fails("a capture cannot wait for elements", tide.capture, function ()
      linalg.expm(a)
    end)
  end)
end)

describe("tide.linalg is ordered", function ()
  it("after host functions, and across streams", function ()
    local a, b = tide.eye(2) * 2, tide.ones(2)
    local s, t = helper.new_stream(), helper.new_stream()
    local ran = false
    s:launch_host_func(function () ran = true end)
    local x = s:with(function () return linalg.solve(a, b) end)
    local y = t:with(function () return x + 1 end)
    assert.same({ 1.5, 1.5 }, y:totable())
    assert.is_true(ran)
  end)

  it("keeps its operands until it is done", function ()
    local s = helper.new_stream()
    local x = s:with(function ()
      local a = tide.eye(40) * 4
      local r = linalg.solve(a, tide.ones(40))
      a:close()
      return r
    end)
    assert.equal(10, x:sum():item())
  end)
end)

describe("tide.linalg says what is wrong with", function ()
  it("arrays", function ()
    local a = tide.eye(2)
    for _, name in ipairs{ "cholesky", "cond", "det", "eig", "eigh", "eigvals",
                           "eigvalsh", "expm", "inv", "lu", "matrix_norm",
                           "matrix_rank", "pinv", "qr", "slogdet", "svd",
                           "svdvals", "trace", "diagonal" } do
      local fn = linalg[name]
      badarg(1, "tide.Array expected, got number", fn, 3)
      badarg(1, "tide.Array expected, got no value", fn)
      badarg(1, "matrices have at least two axes, got 1", fn, tide.ones(3))
      local closed = tide.ones{ 2, 2 }
      closed:close()
      badarg(1, "array is closed", fn, closed)
      if not name:find "norm$" and name ~= "trace" and name ~= "diagonal" then
        badarg(1, "float16 is not supported; convert to float32", fn,
               a:astype "float16")
        badarg(1, "bfloat16 is not supported; convert to float32", fn,
               a:astype "bfloat16")
      end
    end
    for _, name in ipairs{ "cholesky", "det", "eig", "eigh", "eigvals",
                           "eigvalsh", "expm", "inv", "slogdet" } do
      badarg(1, "square matrices expected, got 4x2x3", linalg[name],
             tide.ones{ 4, 2, 3 })
    end
    badarg(1, "square matrices expected, got 2x3", linalg.cond,
           tide.ones{ 2, 3 }, 1)
    badarg(1, "square matrices expected, got 2x3", linalg.pinv,
           tide.ones{ 2, 3 }, { hermitian = true })
    badarg(1, "matrices without elements have no condition number",
           linalg.cond, tide.zeros{ 0, 0 })
    fails("a function of a module is called with '.'", function ()
      linalg:inv(a)
    end)
  end)

  it("right sides", function ()
    local a = tide.eye(2)
    for _, name in ipairs{ "solve", "solve_triangular", "lstsq" } do
      local fn = linalg[name]
      badarg(2, "tide.Array expected, got number", fn, a, 3)
      badarg(2, "a vector or matrices expected, got no axes", fn, a,
             tide.array(1))
      badarg(2, "2 rows expected, as in the matrices, got 3", fn, a,
             tide.ones(3))
      badarg(2, "2 rows expected, as in the matrices, got 3", fn, a,
             tide.ones{ 2, 3, 2 })
      badarg(2, "batches of 3x2x2 and 4x2x1 cannot be broadcast", fn,
             tide.ones{ 3, 2, 2 }, tide.ones{ 4, 2, 1 })
      badarg(2, "float16 is not supported", fn, a, tide.ones(2, "float16"))
      badarg(4, "no value expected, got number", fn, a, tide.ones(2), nil, 1)
    end
  end)

  it("options", function ()
    local a = tide.eye(2)
    badarg(3, "unknown option 'outt'", linalg.solve, a, a, { outt = a })
    badarg(2, "option 'upper' must be a boolean, got number", linalg.cholesky,
           a, { upper = 1 })
    badarg(3, "option 'trans' must be 'N' or 'T' or 'C'",
           linalg.solve_triangular, a, a, { trans = "n" })
    badarg(2, "option 'mode' must be 'reduced' or 'complete' or 'r'",
           linalg.qr, a, { mode = "full" })
    badarg(2, "option 'uplo' must be 'L' or 'U'", linalg.eigh, a,
           { uplo = "l" })
    badarg(2, "option 'full_matrices' must be a boolean, got string",
           linalg.svd, a, { full_matrices = "no" })
    badarg(2, "option 'rtol' must be a number, got string", linalg.pinv, a,
           { rtol = "1" })
    for _, x in ipairs{ 0 / 0, -1, math.huge } do
      local wrong = "option 'rtol' must be finite and from 0 on, got "
      badarg(2, wrong, linalg.pinv, a, { rtol = x })
      badarg(2, wrong, linalg.matrix_rank, a, { rtol = x })
      badarg(3, wrong, linalg.lstsq, a, a, { rtol = x })
    end
    badarg(2, "the order is 1, -1, 2, -2, math.huge, -math.huge, 'fro' or " ..
           "'nuc'", linalg.cond, a, 3)
    badarg(2, "integer expected, got 2.5", linalg.matrix_power, a, 2.5)
    badarg(2, "integer expected, got string", linalg.matrix_power, a, "2")
    badarg(2, "axis 0 is out of range for an array of 2 axes: axes count " ..
           "from 1", linalg.vector_norm, a, { axis = 0 })
    badarg(2, "axis -3 is out of range for an array of 2 axes",
           linalg.vector_norm, a, { axis = { 1, -3 } })
    badarg(2, "axis 1 is there twice", linalg.vector_norm, a,
           { axis = { 1, -2 } })
    badarg(2, "axis must be an integer, got string", linalg.vector_norm, a,
           { axis = "1" })
    badarg(2, "option 'ord' must be a number, got string", linalg.vector_norm,
           a, { ord = "fro" })
    badarg(2, "the order is 1, -1, 2", linalg.matrix_norm, a, { ord = "max" })
    badarg(2, "option 'keepdims' must be a boolean, got number",
           linalg.matrix_norm, a, { keepdims = 1 })
    badarg(1, "an array without elements has no such norm", tide.norm,
           tide.zeros{ 0, 3 }, 2)
    fails("an array without elements has no such norm", function ()
      return tide.zeros(0):norm(math.huge)
    end)
  end)

  it("by functions inside, in the name of the one that was called", function ()
    local a, none = tide.eye(2), tide.zeros{ 0, 3 }
    for _, name in ipairs{ "inv", "pinv", "cholesky", "eigvalsh", "eigvals",
                           "expm", "svdvals", "det", "cond", "matrix_rank",
                           "matrix_norm", "vector_norm", "trace" } do
      fails(": " .. name .. ": option 'out' must be an open tide.Array",
            function () linalg[name](a, { out = 1 }) end)
    end
    fails(": matrix_power: option 'out'", function ()
      linalg.matrix_power(a, 2, { out = 1 })
    end)
    fails(": solve: option 'out'", function ()
      linalg.solve(a, a, { out = 1 })
    end)
    fails(": matrix_norm: an array without elements has no such norm",
          function () linalg.matrix_norm(none, { ord = 2 }) end)
    fails(": trace: unknown dtype 'x'", function ()
      linalg.trace(a, 0, { dtype = "x" })
    end)
    fails(": diagonal: number expected", function ()
      linalg.diagonal(a, "x")
    end)
    fails("option 'out'", linalg.inv, a, { out = tide.zeros(3) })
  end)

  it("names that are elsewhere", function ()
    fails("did you mean tide.linalg.solve?", function ()
      return tide.solve
    end)
    fails("did you mean tide.linalg.inv?", function ()
      return tide.eye(2).inv
    end)
    fails("did you mean tide.linalg.inv?", function () return tide.inverse end)
    fails("did you mean 'svd'?", function () return linalg.svdd end)
  end)
end)

end)

describe("tide.linalg without LAPACK #process", function ()
  it("has the same results", function ()
    local code <const> = [[
      local tide = require "tide"
      require "spec.support.matrices".check_all()
      local a = tide.zeros{ 2, 2, 2 }
      for _, name in ipairs{ "inv", "cholesky" } do
        print(select(2, pcall(function ()
          return tide.linalg[name](a):totable()
        end)))
      end
      print(pcall(function ()
        return tide.linalg.eigvals(tide.eye(2) * (0 / 0)):totable()
      end))
      require "spec.support.matrices".check_deficient()
      print "done"]]
    local printed <const> = helper.child(code, { TIDE_DEVICE = "host",
                                                 TIDE_BLAS = "none" })
    for _, text in ipairs{ "inv: matrix 1 of 2 is singular",
                           "cholesky: matrix 1 of 2 is not positive definite",
                           "eigvals: the matrix did not converge", "done" } do
      assert.is_truthy(printed:find(text, 1, true), printed)
    end
  end)

  it("checks what scripts give its internal functions", function ()
    local lapack <const> = require "tide.lapack"
    local square <const>, wide <const> = tide.ones{ 3, 3 }, tide.ones{ 2, 3 }
    badarg(1, "square matrices expected", lapack.solve, wide)
    badarg(1, "square matrices expected", lapack.pivots, wide)
    for _, shape in ipairs{ {}, { 5 }, { 5, 5 } } do
      badarg(2, "as many rows as in the matrices expected", lapack.solve,
             square, tide.ones(shape))
    end
    for _, name in ipairs{ "potrf", "syevd", "geev" } do
      badarg(3, "matrices of another shape expected", lapack.decompose, name,
             0, wide)
    end
    badarg(3, "matrices of another shape expected", lapack.decompose, "gesdd",
           0, wide.T)
    badarg(1, "no such routine", lapack.decompose, "getrs", 0, square)
    badarg(2, "no such flag", lapack.decompose, "gesdd", 3, wide)
    assert.is_nil(lapack.measure(3))
    badarg(1, "'getrs' or 'orgqr' expected", lapack.run, "gesdd", 0, 1, 1, 3,
           1, nil, nil, tide.ones(1))
    badarg(4, "matrices of another shape expected", lapack.run, "orgqr", 0, 1,
           1, 300, 1, nil, nil, tide.ones(1), tide.ones(300))
    local many <const> = 2 ^ 31 - 1 | 0
    badarg(9, "not an operand of such a routine", lapack.run, "getrs", 0, 0,
           many, 1, many, nil, nil, tide.eye(2), tide.ones(2, "int32"),
           tide.ones(2))
    badarg(10, "tide.Array expected, got number", lapack.run, "getrs", 0, 0, 2,
           1, 1, nil, nil, tide.eye(2), 5, tide.ones(2))
    -- rows that there are not
    for _, rows in ipairs{ { 100000000, 2 }, { -7, 0 }, { 1, -2 ^ 31 | 0 } } do
      local x <const> = tide.ones(2)
      lapack.run("getrs", 0, 0, 2, 1, 1, nil, nil, tide.eye(2),
                 tide.array(rows, "int32"), x)
      assert.same({ 1, 1 }, x:totable())
    end
  end)

  if helper.variant ~= "testing" then
    return  -- a sanitizer's own memory is more than this limit
  end
  it("computes where the address space has no room for one", function ()
    local printed, ok = helper.child(([=[
      io.write(io.popen([==[ulimit -v 300000; timeout 100 %s -e '%s']==])
                 :read "a")
    ]=]):format(require "spec.support.child".lua, [=[
      local tide = require [[tide]]
      local a = tide.eye(200)
      print(tide.linalg.solve(a, tide.ones(200)):sum():item(),
            a:matmul(a):sum():item())
    ]=]), { TIDE_DEVICE = "host" })
    assert(ok, printed)
    assert.equal("200.0\t200.0\n", printed)
  end)
end)
