--[[
parity_spec.lua - every kernel of kernels/table.lua, on every dtype it is for,
gives what numbers.lua says: bit for bit, or within a few ulps where no two
mathematical libraries agree. So host kernels and CUDA kernels agree.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local array, values = helper.array, helper.values
local source = dofile "kernels/table.lua"

local RANDOM = 300

--{{ what there is

--- Operations that are part of a function, and how to call them.
local INNER = {
  modf = function (x, options)
    return (tide.modf(x, options and { out = { options.out, x:copy() } }))
  end,
  frexp = function (x, options)
    local rest = options and tide.empty(x.shape, "int32")
    return (tide.frexp(x, options and { out = { options.out, rest } }))
  end,
  frexp_exponent = function (x, options)
    local rest = options and x:copy()
    return (select(2, tide.frexp(x, options and
                                    { out = { rest, options.out } })))
  end
}

local function function_of (name) return INNER[name] or tide[name] end

--- operations(kind) -> { name, set, gives } of each operation of that kind that
-- has a function of its own.
local function operations (kind)
  local list = {}
  for _, op in ipairs(source[kind]) do
    if not op.mixed and op.inner ~= "part" then
      list[#list + 1] = { name = op[1], set = numbers.sets[op[2]],
                          gives = op.gives }
    end
  end
  return list
end

--- each_kernel(kind, fn): fn(entry, dtype) for each dtype of each operation.
-- An operation for FLOAT is also one for HALF, by way of float32.
local function each_kernel (kind, fn)
  for _, entry in ipairs(operations(kind)) do
    local has = {}
    for _, dtype in ipairs(entry.set) do
      fn(entry, dtype)
      has[dtype] = true
    end
    for _, dtype in ipairs(has.float32 and numbers.sets.HALF or {}) do
      if not has[dtype] then
        fn(entry, dtype)
      end
    end
  end
end

--- The same elements one after other elements: vectors of several elements
-- cannot be loaded from there at once.
local function unaligned (list, dtype, by)
  local longer = {}
  for i = 1, by do
    longer[i] = list[1]
  end
  table.move(list, 1, #list, by + 1, longer)
  return array(longer, dtype):slice(by + 1)
end

--- The same array as every second column of another.
local function spread (a)
  return tide.stack({ a, a }, 2):select(2, 1)
end

local function check (name, got, wanted, dtype, ...)
  assert(#got == #wanted, "another number of elements")
  for i, x in ipairs(got) do
    if not numbers.near(name, x, wanted[i], dtype) then
      local args = {}
      for k, list in ipairs{ ... } do
        args[k] = tostring(type(list) == "table" and list[i] or list)
      end
      error(("%s(%s) is %s, expected %s"):format(
        name, table.concat(args, ", "), x, wanted[i]), 2)
    end
  end
end

local function truth (x)
  return x == true and 1 or x == false and 0 or x
end

--}}

--{{ binary

-- The dtype of second operands that have one of their own.
local SECOND = { ldexp = "int32" }

--- All pairs of edges, then random ones; second: the dtype of the second one.
local function operands (dtype, second)
  second = second or dtype
  local xs, ys = {}, {}
  for _, x in ipairs(numbers.edges(dtype)) do
    for _, y in ipairs(numbers.edges(second)) do
      xs[#xs + 1], ys[#ys + 1] = x, y
    end
  end
  local pick = helper.generator(4711)
  local as = numbers.random(dtype, RANDOM, pick)
  local bs = numbers.random(second, RANDOM, pick)
  return table.move(as, 1, RANDOM, #xs + 1, xs),
         table.move(bs, 1, RANDOM, #ys + 1, ys)
end

local function result_dtype (entry, dtype)
  return entry.gives == "bool" and "bool" or
         entry.gives == "i32" and "int32" or dtype
end

local function wanted_of (entry, dtype, fn, xs, ys)
  local list, t = {}, result_dtype(entry, dtype)
  for i, x in ipairs(xs) do
    list[i] = numbers.round(truth(fn(x, ys[i], dtype)), t)
  end
  return list
end

--- An operand that is a number: Lua's own kind of it, which keeps the dtype.
local function scalar (x, dtype)
  if dtype == "bool" then
    return x ~= 0
  end
  return x
end

local function check_arrays (entry, dtype, fn)
  local name, op = entry.name, tide[entry.name]
  local t, second = result_dtype(entry, dtype), SECOND[name] or dtype
  local xs, ys = operands(dtype, second)
  local wanted = wanted_of(entry, dtype, fn, xs, ys)
  local z = op(array(xs, dtype), array(ys, second))
  assert.equal(t, z.dtype)
  check(name, values(z), wanted, t, xs, ys)
  for by = 1, 3 do
    local out = unaligned(wanted, t, 4 - by):fill(0)
    op(unaligned(xs, dtype, by), unaligned(ys, second, 2), { out = out })
    assert.is_true(out:tobytes() == z:tobytes(), "unaligned by " .. by)
  end
  local x, y, out = array(xs, dtype), array(ys, second), spread(z:fill(0))
  check(name, values(op(spread(x), y)), wanted, t, xs, ys)
  check(name, values(op(x, spread(y), { out = out })), wanted, t, xs, ys)
end

local function check_scalars (entry, dtype, fn)
  local name, op = entry.name, tide[entry.name]
  local t = result_dtype(entry, dtype)
  local list = numbers.edges(dtype)
  local a = array(list, dtype)
  local by = numbers.by_number[name] or fn
  for _, x in ipairs(numbers.edges(SECOND[name] or dtype)) do
    local same = {}
    for i = 1, #list do
      same[i] = x
    end
    local wanted = wanted_of(entry, dtype, by, list, same)
    check(name, values(op(a, scalar(x, dtype))), wanted, t, list, x)
    check(name, values(op(spread(a), scalar(x, dtype))), wanted, t, list, x)
    if not SECOND[name] then
      wanted = wanted_of(entry, dtype, fn, same, list)
      check(name, values(op(scalar(x, dtype), a)), wanted, t, x, list)
      check(name, values(op(scalar(x, dtype), spread(a))), wanted, t, x, list)
    end
  end
end

--}}

--{{ reductions

-- Sums and products of these are exact in whatever order.
local exact = { sum = { 0.5, -3.0, 1024.0, -1.25 },
                prod = { 1.0, -1.0, 2.0, 0.5 } }

local function elements (name, dtype, n, pick)
  local own = numbers.is_float(dtype) and exact[name]
  local list = own and {} or numbers.random(dtype, n, pick)
  for i = 1, own and n or 0 do
    list[i] = own[(i + i // 1000) % #own + 1]
  end
  return list
end

local function folded (name, list, dtype)
  local a, fn = table.unpack(numbers.reduce[name], 1, 2)
  for i, x in ipairs(list) do
    a = (a or i > 1) and fn(a, x, dtype) or x
  end
  local t = ({ any = "bool", all = "bool", count_nonzero = "int64", min = dtype,
               max = dtype, nanmin = dtype, nanmax = dtype })[name] or
            numbers.sum_dtype(dtype)
  return a == a and numbers.fit(a, t) or a, t
end

local function check_reduction (name, list, dtype, by)
  local a = by == 0 and array(list, dtype) or unaligned(list, dtype, by)
  local wanted, t = folded(name, list, dtype)
  local z = a[name](a)
  assert.equal(t, z.dtype)
  assert.equal(0, z.ndim)
  check(name, values(z), { wanted }, t, #list .. " elements")
end

--}}

helper.each_device(function ()

describe("binary", function ()
  each_kernel("binary", function (entry, dtype)
    it(entry.name .. " of " .. dtype, function ()
      local fn = assert(numbers.binary[entry.name], "no reference")
      check_arrays(entry, dtype, fn)
      check_scalars(entry, dtype, fn)
    end)
  end)
end)

describe("unary", function ()
  each_kernel("unary", function (entry, dtype)
    it(entry.name .. " of " .. dtype, function ()
      local name, t = entry.name, result_dtype(entry, dtype)
      local fn = assert(numbers.unary[name], "no reference")
      local xs, wanted = operands(dtype), {}
      for i, x in ipairs(xs) do
        wanted[i] = numbers.round(truth(fn(x, dtype)), t)
      end
      local f = function_of(name)
      local z = f(array(xs, dtype))
      assert.equal(t, z.dtype)
      check(name, values(z), wanted, t, xs)
      for by = 1, 3 do
        local out = unaligned(wanted, t, 4 - by):fill(0)
        f(unaligned(xs, dtype, by), { out = out })
        assert.is_true(out:tobytes() == z:tobytes(), "unaligned by " .. by)
      end
      local x, out = array(xs, dtype), spread(z:fill(0))
      check(name, values(f(spread(x), { out = out })), wanted, t, xs)
      check(name, values(f(x, { out = out:fill(0) })), wanted, t, xs)
    end)
  end)
end)

describe("casts", function ()
  for _, from in ipairs(numbers.dtypes) do
    for _, to in ipairs(numbers.dtypes) do
      it(from .. " to " .. to, function ()
        local xs, wanted = operands(from), {}
        for i, x in ipairs(xs) do
          wanted[i] = numbers.cast(x, to, from)
        end
        local z = array(xs, from):astype(to)
        assert.equal(to, z.dtype)
        check("astype", values(z), wanted, to, xs)
        local again = unaligned(xs, from, 1):astype(to)
        assert.is_true(again:tobytes() == z:tobytes(), "unaligned")
      end)
    end
  end
end)

describe("fill", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("of " .. dtype, function ()
      for _, x in ipairs(numbers.edges(dtype)) do
        local a = array(numbers.edges(dtype), dtype)
        local rest = values(a)
        a:slice(2):fill(scalar(x, dtype))
        for i = 2, #rest do
          rest[i] = x
        end
        check("fill", values(a), rest, dtype, x)
      end
    end)
  end
end)

describe("arange", function ()
  for _, dtype in ipairs(numbers.sets.NUMBER) do
    it("of " .. dtype, function ()
      local most = dtype:find "int8" and 18 or 1000  -- those that there are
      for _, n in ipairs{ 1, 15, 16, 17, most } do
        local first, step = 3, 7
        if numbers.is_float(dtype) then
          first, step = 0.1, 1 / 3
        end
        local a = tide.arange(first, first + step * (n - 0.5), step, dtype)
        local x, y = numbers.fit(first, dtype), numbers.fit(step, dtype)
        local wanted = {}
        for i = 1, n do
          wanted[i] = numbers.fit(x + (i - 1) * y, dtype)
        end
        check("arange", values(a), wanted, dtype, n)
      end
    end)
  end
end)

describe("reductions", function ()
  each_kernel("reductions", function (entry, dtype)
    it(entry.name .. " of " .. dtype, function ()
      local pick = helper.generator(815)
      for _, n in ipairs{ 1, 2, 31, 33, 1023, 1025, 4099, 65537 } do
        local list = elements(entry.name, dtype, n, pick)
        check_reduction(entry.name, list, dtype, 0)
        check_reduction(entry.name, list, dtype, n % 3 + 1)
      end
    end)
  end)

  it("find one element wherever it is", function ()
    for _, n in ipairs{ 1000, 70000 } do
      for _, at in ipairs{ 1, 2, 17, n // 2, n - 1, n } do
        local a = tide.zeros(n, "float32")
        a[at] = 0 / 0
        assert.is_true(a:min():isnan():item() and a:max():isnan():item())
        assert.is_true(a:sum():isnan():item() and a:any():item())
        assert.equal(1, a:count_nonzero():item())
        a[at] = -1
        assert.equal(-1, a:min():item())
        assert.is_false(a:add_(1):all():item())
      end
    end
  end)
end)

end)
