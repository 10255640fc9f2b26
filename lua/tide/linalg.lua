--[[
linalg.lua - the functions of tide.linalg that are written in Lua: the checks of
their arguments, and 'out'. matrices.lua computes. Loaded at the first call.
]]
local tide = require "tide"
local arguments <const> = require "tide.arguments"
local lapack <const> = require "tide.lapack"
local matrices <const> = require "tide.matrices"
local format <const> = string.format
local check_end <const> = arguments.check_end
local measure <const> = lapack.measure
local wrong_array <const> = arguments.wrong_array

local linalg <const> = {}

--{{ arguments

-- The functions below return what is wrong with an argument, or nil.

local HALVES <const> = { float16 = true, bfloat16 = true }

--- For dtypes that LAPACK has not, nor a wider one of their kind.
local function wrong_dtype (dtype)
  if HALVES[dtype] then
    return format("%s is not supported; convert to float32", dtype)
  end
end

local function dims (a) return table.concat(a.shape, "x") end

local function wrong_axes (a)
  local dtype <const>, ndim <const> = measure(a)
  if not dtype then
    return wrong_array(a)
  elseif ndim < 2 then
    return format("matrices have at least two axes, got %d", ndim)
  end
end

local function wrong_matrix (a) return wrong_axes(a) or wrong_dtype(a.dtype) end

local function wrong_square (a)
  local dtype <const>, ndim <const>, m <const>, n <const> = measure(a)
  if not dtype or ndim < 2 or HALVES[dtype] then
    return wrong_matrix(a)
  elseif m ~= n then
    return format("square matrices expected, got %s", dims(a))
  end
end

--- For the right sides b of equations with matrices a.
local function wrong_side (a, b)
  local dtype <const>, ndim <const>, length <const> = measure(b)
  local why <const> = not dtype and wrong_array(b) or wrong_dtype(dtype)
  if why then
    return why
  elseif ndim == 0 then
    return "a vector or matrices expected, got no axes"
  elseif b.device ~= a.device then
    return "arrays are on different devices"
  end
  local _, most <const>, rows <const> = measure(a)
  local n <const> = ndim == 1 and #b or length
  if n ~= rows then
    return format("%d rows expected, as in the matrices, got %d", rows, n)
  elseif ndim > 2 and most > 2 and
         not arguments.try(tide.broadcast_shapes,
                           table.move(a.shape, 1, most - 2, 1, {}),
                           table.move(b.shape, 1, ndim - 2, 1, {})) then
    return format("batches of %s and %s cannot be broadcast", dims(a), dims(b))
  end
end

--- For the options of a function.
local function wrong_flag (options, name)
  return arguments.wrong_type(options, name, "boolean")
end

local function wrong_tolerance (options)
  return arguments.wrong_measure(options, "rtol")
end

local function wrong_choice (options, name, choices)
  local value <const> = options[name]
  for i = 1, #choices do
    if value == nil or value == choices[i] then return end
  end
  return format("option '%s' must be '%s'", name,
                                            table.concat(choices, "' or '"))
end

local function check (at, name, why)
  if why then arguments.refuse(at, name, why, 3) end
end

local NONE <const> = {}  -- no options; nothing is set in it

--- Returns the options at argument 'at', which may be missing.
local function read (at, name, options, names)
  if options == nil then return NONE end
  arguments.check_options(name, at, options, names)
  return options
end

--}}

--{{ calls

local LAPACKS <const> = { float32 = true, float64 = true, complex64 = true,
                          complex128 = true }

local function float_dtype (a)
  return LAPACKS[a.dtype] and a.dtype or "float64"
end

--- Returns the array in a dtype of LAPACK's, with that of 'other' as well.
local function floats (a, other)
  local dtype = float_dtype(a)
  if other then dtype = tide.result_type(dtype, float_dtype(other)) end
  return a.dtype == dtype and a or a:astype(dtype)
end

--- Calls tide.scope, without the device that tide.with_device puts in front.
local function in_scope (_, ...) return tide.scope(...) end

--- Returns fn(a, ...) on the device of a; closes the arrays that it does not
-- return.
local function run_as_is (fn, a, ...)
  local device <const> = a.device
  if device == tide.get_device() then return tide.scope(fn, a, ...) end
  return tide.with_device(device, in_scope, fn, a, ...)
end

local function call_floats (a, fn, ...) return fn(floats(a), ...) end

--- The same in a dtype of LAPACK's.
local function run (fn, a, ...)
  if LAPACKS[a.dtype] then return run_as_is(fn, a, ...) end
  return run_as_is(call_floats, a, fn, ...)
end

--- Returns the result, in 'out' if there is one. It is called in parentheses:
-- after a tail call, its errors would not know the name of the function.
local function deliver (x, out)
  if out == nil then return x end
  local result <const> = tide.positive(x, { out = out })
  x:close()
  return result
end

local OUT <const>, UPPER <const> = { "out" }, { "out", "upper" }
local FULL <const>, TRIANGLE <const> = { "full_matrices" }, { "uplo" }

--- A function of matrices with option 'out' alone. 'call' is run, or a
-- function that calls what needs neither a scope nor a certain dtype.
local function simple (name, wrong, call)
  local compute <const>, label <const> = matrices[name], "linalg." .. name
  linalg[name] = function (a, options, extra)
    check_end(extra, 3, name)
    local o <const> = read(2, name, options, OUT)
    check(1, name, wrong(a))
    return (deliver(call(compute, a, label), o.out))
  end
end

--- Returns fn(a, ...).
local function call_as_is (fn, ...) return (fn(...)) end

--}}

--{{ equations

function linalg.solve (a, b, options, extra)
  check_end(extra, 4, "solve")
  local o <const> = read(3, "solve", options, OUT)
  check(1, "solve", wrong_square(a))
  check(2, "solve", wrong_side(a, b))
  return (deliver(matrices.solve(a, b, "linalg.solve"), o.out))
end

--- Calls fn for equations, whose right side may be a vector.
local function solve (fn, a, b, ...)
  local x, y <const> = floats(a, b), floats(b, a)
  if b.ndim > 1 then return run(fn, x, y, ...) end
  return run(function (m, v, ...)
    local results <const> = table.pack(fn(m, v:expand_dims(2), ...))
    results[1] = results[1]:squeeze(-1)
    if results.n > 1 then results[2] = results[2]:squeeze(-1) end
    return table.unpack(results, 1, results.n)
  end, x, y, ...)
end

local TRANS <const> = { "N", "T", "C" }

function linalg.solve_triangular (a, b, options, extra)
  local name <const> = "solve_triangular"
  check_end(extra, 4, name)
  local o <const> = read(3, name, options,
                         { "lower", "out", "trans", "unit_diagonal" })
  check(1, name, wrong_square(a))
  check(2, name, wrong_side(a, b))
  check(3, name, wrong_flag(o, "lower") or wrong_flag(o, "unit_diagonal") or
                 wrong_choice(o, "trans", TRANS))
  return (deliver(solve(matrices.solve_triangular, a, b, o.lower,
                        o.trans or "N", o.unit_diagonal), o.out))
end

function linalg.lstsq (a, b, options, extra)
  check_end(extra, 4, "lstsq")
  local o <const> = read(3, "lstsq", options, { "rtol" })
  check(1, "lstsq", wrong_matrix(a))
  check(2, "lstsq", wrong_side(a, b))
  check(3, "lstsq", wrong_tolerance(o))
  return solve(matrices.lstsq, a, b, o.rtol, "linalg.lstsq")
end

simple("inv", wrong_square, call_as_is)
simple("det", wrong_square, call_as_is)

function linalg.slogdet (a, extra)
  check_end(extra, 2, "slogdet")
  check(1, "slogdet", wrong_square(a))
  return run(matrices.slogdet, a)
end

--}}

--{{ decompositions

function linalg.cholesky (a, options, extra)
  check_end(extra, 3, "cholesky")
  local o <const> = read(2, "cholesky", options, UPPER)
  check(1, "cholesky", wrong_square(a))
  check(2, "cholesky", wrong_flag(o, "upper"))
  return (deliver(run(matrices.cholesky, a, o.upper, "linalg.cholesky"), o.out))
end

function linalg.lu (a, extra)
  check_end(extra, 2, "lu")
  check(1, "lu", wrong_matrix(a))
  return run(matrices.lu, a)
end

local MODES <const> = { "reduced", "complete", "r" }

function linalg.qr (a, options, extra)
  check_end(extra, 3, "qr")
  local o <const> = read(2, "qr", options, { "mode" })
  check(1, "qr", wrong_matrix(a))
  check(2, "qr", wrong_choice(o, "mode", MODES))
  return run(matrices.qr, a, o.mode or "reduced")
end

function linalg.svd (a, options, extra)
  check_end(extra, 3, "svd")
  local o <const> = read(2, "svd", options, FULL)
  check(1, "svd", wrong_matrix(a))
  check(2, "svd", wrong_flag(o, "full_matrices"))
  return run(matrices.svd, a, o.full_matrices ~= false, "linalg.svd")
end

simple("svdvals", wrong_matrix, run)

local UPLO <const> = { "L", "U" }

function linalg.eigh (a, options, extra)
  check_end(extra, 3, "eigh")
  local o <const> = read(2, "eigh", options, TRIANGLE)
  check(1, "eigh", wrong_square(a))
  check(2, "eigh", wrong_choice(o, "uplo", UPLO))
  return run(matrices.eigh, a, true, o.uplo == "U", "linalg.eigh")
end

function linalg.eigvalsh (a, options, extra)
  check_end(extra, 3, "eigvalsh")
  local o <const> = read(2, "eigvalsh", options, { "out", "uplo" })
  check(1, "eigvalsh", wrong_square(a))
  check(2, "eigvalsh", wrong_choice(o, "uplo", UPLO))
  return (deliver(run(matrices.eigh, a, false, o.uplo == "U",
                      "linalg.eigvalsh"), o.out))
end

function linalg.eig (a, extra)
  check_end(extra, 2, "eig")
  check(1, "eig", wrong_square(a))
  return run(matrices.eig, a, true, "linalg.eig")
end

function linalg.eigvals (a, options, extra)
  check_end(extra, 3, "eigvals")
  local o <const> = read(2, "eigvals", options, OUT)
  check(1, "eigvals", wrong_square(a))
  return (deliver(run(matrices.eig, a, false, "linalg.eigvals"), o.out))
end

--}}

--{{ ranks, norms and powers

function linalg.pinv (a, options, extra)
  check_end(extra, 3, "pinv")
  local o <const> = read(2, "pinv", options, { "hermitian", "out", "rtol" })
  check(1, "pinv", wrong_matrix(a))
  check(2, "pinv", wrong_tolerance(o) or wrong_flag(o, "hermitian"))
  check(1, "pinv", o.hermitian and wrong_square(a) or nil)
  return (deliver(run(matrices.pinv, a, o.rtol, o.hermitian), o.out))
end

function linalg.matrix_rank (a, options, extra)
  local name <const> = "matrix_rank"
  check_end(extra, 3, name)
  local o <const> = read(2, name, options, { "hermitian", "out", "rtol" })
  check(1, name, wrong_matrix(a))
  check(2, name, wrong_tolerance(o) or wrong_flag(o, "hermitian"))
  check(1, name, o.hermitian and wrong_square(a) or nil)
  return (deliver(run(matrices.matrix_rank, a, o.rtol, o.hermitian), o.out))
end

local ORDERS <const> = { [1] = true, [-1] = true, [2] = true, [-2] = true,
                         [math.huge] = true, [-math.huge] = true,
                         fro = true, nuc = true }

--- For the order of norms of matrices.
local function wrong_norm (p)
  return not ORDERS[p] and "the order is 1, -1, 2, -2, math.huge, " ..
                           "-math.huge, 'fro' or 'nuc'" or nil
end

function linalg.cond (a, p, options, extra)
  if type(p) == "table" and options == nil then p, options = nil, p end
  check_end(extra, 4, "cond")
  local o <const> = read(3, "cond", options, OUT)
  p = p == nil and 2 or p
  local any <const> = p == 2 or p == -2
  check(2, "cond", wrong_norm(p))
  check(1, "cond", (any and wrong_matrix or wrong_square)(a))
  check(1, "cond", a.size == 0 and "matrices without elements have no " ..
                   "condition number" or nil)
  return (deliver(run(matrices.cond, a, p), o.out))
end

function linalg.matrix_power (a, n, options, extra)
  local name <const> = "matrix_power"
  check_end(extra, 4, name)
  local o <const> = read(3, name, options, OUT)
  check(1, name, wrong_square(a))
  local power <const> = type(n) == "number" and math.tointeger(n)
  check(2, name, not power and "integer expected, got " ..
                 (type(n) == "number" and n or arguments.kind_of(n)))
  local compute <const> = power < 0 and run or run_as_is
  return (deliver(compute(matrices.matrix_power, a, power), o.out))
end

function linalg.expm (a, options, extra)
  check_end(extra, 3, "expm")
  local o <const> = read(2, "expm", options, OUT)
  check(1, "expm", wrong_square(a))
  arguments.check_wait(a, "expm")
  return (deliver(run(matrices.expm, a), o.out))
end

local LAST <const> = { -2, -1 }

function linalg.diagonal (a, k, extra)
  check_end(extra, 3, "diagonal")
  check(1, "diagonal", wrong_axes(a))
  return tide.diagonal(a, k, LAST)
end

function linalg.trace (a, k, options, extra)
  if type(k) == "table" and options == nil then k, options = nil, k end
  check_end(extra, 4, "trace")
  read(3, "trace", options, { "dtype", "out" })
  check(1, "trace", wrong_axes(a))
  return tide.trace(a, k, LAST, options)
end

--- The norms of the matrices in the last two axes.
function linalg.matrix_norm (a, options, extra)
  local name <const> = "matrix_norm"
  check_end(extra, 3, name)
  local o <const> = read(2, name, options, { "keepdims", "ord", "out" })
  check(1, name, wrong_axes(a))
  check(2, name, (o.ord ~= nil and wrong_norm(o.ord) or nil) or
                 wrong_flag(o, "keepdims"))
  return tide.norm(a, o.ord == nil and "fro" or o.ord, LAST,
                   { keepdims = o.keepdims, out = o.out })
end

--- For the axes of vectors.
local function wrong_vectors (axis, ndim)
  if axis == nil then return end
  local axes <const>, seen <const> = type(axis) == "table" and axis or { axis },
                                     {}
  local stray <const> = arguments.stray_key(axes)
  if stray then return stray .. " in a list of axes" end
  for _, one in ipairs(axes) do
    local why <const> = arguments.wrong_axis(one, ndim)
    if why then return why end
    local i <const> = one < 0 and one + ndim + 1 or one
    if seen[i] then return format("axis %d is there twice", i) end
    seen[i] = true
  end
end

--- Returns the elements along axes as vectors along a last axis, and the shape
-- with length 1 for these axes.
local function vectors (a, axis)
  local axes <const>, others <const>, shape <const> = {}, {}, a.shape
  if axis == nil then
    for i = 1, a.ndim do axes[i], shape[i] = i, 1 end
  else
    for i, one in ipairs(type(axis) == "table" and axis or { axis }) do
      axes[i] = one < 0 and one + a.ndim + 1 or one
      shape[axes[i]] = 1
    end
  end
  local lengths <const>, order <const>, seen <const> = {}, {}, {}
  for _, i in ipairs(axes) do seen[i] = true end
  for i = 1, a.ndim do
    if not seen[i] then
      others[#others + 1] = i
      lengths[#lengths + 1] = a.shape[i]
    end
  end
  table.move(others, 1, #others, 1, order)
  table.move(axes, 1, #axes, #order + 1, order)
  lengths[#lengths + 1] = #axes == 0 and 1 or -1
  return (a.ndim > 0 and a:permute(order) or a):reshape(lengths), shape
end

--- The norms of vectors along axes, by default of all elements.
function linalg.vector_norm (a, options, extra)
  local name <const> = "vector_norm"
  check_end(extra, 3, name)
  local o <const> = read(2, name, options, { "axis", "keepdims", "ord", "out" })
  check(1, name, wrong_array(a))
  check(2, name, arguments.wrong_number(o, "ord") or
                 wrong_flag(o, "keepdims") or wrong_vectors(o.axis, a.ndim))
  local x <const>, shape <const> = vectors(a, o.axis)
  local norm <const> = tide.norm(x, o.ord == nil and 2 or o.ord, -1,
                                 { out = not o.keepdims and o.out or nil })
  return o.keepdims and deliver(norm:reshape(shape), o.out) or norm
end

--}}

return linalg
