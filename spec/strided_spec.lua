--[[
strided_spec.lua - every operation, on every dtype it is for, gives on views
what it gives on dense copies of them, bit for bit; parity_spec.lua says what
that is. So do reductions along axes and of slices.
]]
local tide = require "tide"
local helper = require "spec.helper"
local numbers = require "spec.numbers"
local source = dofile "kernels/table.lua"

--- names(kind) -> of the operations of that kind that have a function.
local function names (kind)
  local list = {}
  for _, op in ipairs(source[kind]) do
    if not op.mixed then
      list[#list + 1] = op[1]
    end
  end
  return list
end

--- Is fn(...) defined for its dtypes? Any other error is one.
local function defined (fn, ...)
  local ok, err = pcall(fn, ...)
  assert(ok or err:find("is not defined for", 1, true) or
         err:find("no bool", 1, true), err)
  return ok
end

local function random (dtype, n, pick)
  return tide.frombytes(numbers.pack(numbers.random(dtype, n, pick), dtype),
                        dtype)
end

--- Views whose elements lie apart, backwards, across, in rows that all start at
-- 16 bytes, in one that is repeated, or all are one: { what, array }.
local function views (dtype, pick)
  local a = random(dtype, 4 * 6 * 64, pick)
  return {
    { "apart", a:reshape{ 4, 6, 64 }[{ {}, {}, { 1, 64, 3 } }] },
    { "back", a:reshape{ 4, 6, 64 }[{ { 4, 1, -1 }, {}, { 22, 1, -1 } }] },
    { "across", a:reshape{ 64, 6, 4 }.T[{ {}, {}, { 1, 22 } }] },
    { "rows", a:reshape{ 4, 6, 64 }[{ {}, {}, { 1, 22 } }] },
    { "row", a:slice(1, 22):broadcast_to{ 4, 6, 22 } },
    { "column", a:slice(1, 4):reshape{ 4, 1, 1 }:broadcast_to{ 4, 6, 22 } },
    { "unaligned", a:reshape{ 4, 6, 64 }[{ {}, {}, { 2, 23 } }] }
  }
end

local function same (wanted, got, ...)
  assert.same(wanted.shape, got.shape)
  assert(wanted:tobytes() == got:tobytes(), table.concat({ ... }, " "))
end

helper.each_device(function ()

describe("views:", function ()
  for _, dtype in ipairs(numbers.dtypes) do
    it("operations of two, " .. dtype, function ()
      local pick = helper.generator(2718)
      local list = views(dtype, pick)
      local scalar = dtype == "bool" and true or 3
      for _, name in ipairs(names "binary") do
        local op = tide[name]
        if defined(op, list[1][2], list[1][2]) then
          for i, x in ipairs(list) do
            local y = list[pick(#list)]
            same(op(x[2]:copy(), y[2]:copy()), op(x[2], y[2]), name, x[1],
                 y[1])
            same(op(x[2]:copy(), scalar), op(x[2], scalar), name, x[1], "3")
            local wanted = op(scalar, x[2]:copy())
            local out = tide.zeros({ 4, 6, 50 }, wanted.dtype)
            local z = i % 2 == 0 and out[{ {}, {}, { 1, 43, 2 } }] or
                      out[{ {}, {}, { 3, 24 } }]
            op(scalar, x[2], { out = z })
            same(wanted, z, name, "3", x[1])
          end
        end
      end
    end)

    it("operations of one, " .. dtype, function ()
      local list = views(dtype, helper.generator(314))
      for _, name in ipairs(names "unary") do
        local op = tide[name]
        if defined(op, list[1][2]) then
          for _, x in ipairs(list) do
            same(op(x[2]:copy()), op(x[2]), name, x[1])
          end
        end
      end
      for _, x in ipairs(list) do
        for _, to in ipairs(numbers.dtypes) do
          same(x[2]:copy():astype(to), x[2]:astype(to), to, x[1])
        end
      end
    end)

    it("reductions, " .. dtype, function ()
      -- small integers, so that the order does not matter
      local a = (tide.arange(5 * 70 * 6) % 7 - 2):astype(dtype)
      for _, shape in ipairs{ { 5, 70, 6 }, { 6, 5, 70 }, { 70, 30 },
                              { 2, 525, 2 } } do
        local x = a:reshape(shape)
        for _, name in ipairs(names "reductions") do
          if defined(tide[name], x) then
            for axis, n in ipairs(shape) do
              local z = x[name](x, axis)
              local w = x.T[name](x.T, -axis)
              same(z, w.T, name, axis)
              local first = z:flatten()
              for _, at in ipairs{ 1, x.size // n } do
                local slice = axis == 1 and
                              x:reshape{ n, -1 }[{ {}, at }] or
                              axis == #shape and x:reshape{ -1, n }[at]
                if slice then
                  same(slice[name](slice), first:select(at), name, axis, at)
                end
              end
            end
          end
        end
      end
    end)
  end
end)

end)
