--[[
concatenate_spec.lua - arrays made of several; broadcasting, and results in
'out'.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local model = require "spec.support.model"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("concatenate", function ()
  it("puts arrays one after the other", function ()
    local a, b = tide.array{ { 1, 2 } }, tide.array{ { 3, 4 }, { 5, 6 } }
    assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 } },
                tide.concatenate{ a, b }:totable())
    assert.same({ { 3, 4, 3, 5 }, { 5, 6, 4, 6 } },
                tide.concatenate({ b, b.T }, 2):totable())
    assert.same({ { 1, 2, 1, 2 } }, tide.concatenate({ a, a }, -1):totable())
    assert.same({ 1, 2 }, tide.concatenate{ a[1], tide.ones(0) }:totable())
    assert.same({ 0, 2 }, tide.concatenate{ tide.ones{ 0, 2 } }.shape)
  end)

  it("promotes, and takes out, also an operand", function ()
    local a, b = tide.array{ 1, 2 }, tide.array({ 0.5 }, "float32")
    local c = tide.concatenate{ a, b, tide.array{ true } }
    assert.equal("float64", c.dtype)
    assert.same({ 1.0, 2.0, 0.5, 1.0 }, c:totable())
    local z = tide.arange(6)
    assert.equal(z, tide.concatenate({ z:slice(4, 6), z:slice(1, 3) }, 1,
                                     { out = z }))
    assert.same({ 3, 4, 5, 0, 1, 2 }, z:totable())
    fails("option 'out' must have shape 3, has 6", tide.concatenate,
          { a, a[{ { 1, 1 } }] }, 1, { out = z })
    fails("option 'out' must have dtype float32, has int64", tide.concatenate,
          { b }, 1, { out = z:slice(1, 1) })
  end)

  it("wants open arrays that fit", function ()
    local a, closed = tide.ones{ 2, 3 }, tide.ones(1)
    closed:close()
    badarg(1, "table expected, got tide.Array", tide.concatenate, a)
    badarg(1, "at least one array expected", tide.concatenate, {})
    badarg(1, "tide.Array expected as element 2, got number",
           tide.concatenate, { a, 1 })
    badarg(1, "array 2 is closed", tide.concatenate, { a, closed })
    badarg(1, "array 2 has shape 3x2, which does not go with 2x3",
           tide.concatenate, { a, a.T })
    badarg(1, "array 3 has shape 3, which does not go with 2x3",
           tide.concatenate, { a, a, a[1] })
    badarg(1, "0-d arrays cannot be concatenated", tide.concatenate,
           { tide.array(1) })
    badarg(2, "axis 3 is out of range", tide.concatenate, { a }, 3)
  end)
end)

describe("stack", function ()
  it("adds an axis", function ()
    local a, b = tide.array{ 1, 2, 3 }, tide.array{ 4, 5, 6 }
    assert.same({ { 1, 2, 3 }, { 4, 5, 6 } }, tide.stack{ a, b }:totable())
    assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } },
                tide.stack({ a, b }, 2):totable())
    assert.same({ { 1, 4 }, { 2, 5 }, { 3, 6 } },
                tide.stack({ a, b }, -1):totable())
    assert.same({ 7, 8 }, tide.stack{ tide.array(7), tide.array(8) }:totable())
    assert.same({ 3, 0 }, tide.stack{ tide.ones(0), tide.ones(0),
                                      tide.ones(0) }.shape)
    local out = tide.zeros{ 3, 2 }
    assert.equal(out, tide.stack({ a, b + 0.5 }, 2, { out = out }))
    assert.same({ { 1.0, 4.5 }, { 2.0, 5.5 }, { 3.0, 6.5 } }, out:totable())
  end)

  it("puts columns side by side, of every width and number", function ()
    for _, t in ipairs{ "int8", "int16", "float32", "int64", "complex128" } do
      for _, n in ipairs{ 1, 5, 64, 30001 } do
        local x = tide.arange(10 * n + 1):astype(t)
        for _, k in ipairs{ 2, 3, 4, 5, 9 } do
          local list = {}
          for j = 1, k do
            local from = (j - 1) * n + (k == 4 and 2 or 1)  -- 2: not aligned
            list[j] = x:slice(from, from + n - 1)
          end
          local z = tide.stack(list, 2)
          for j = 1, k do
            assert.is_true(tide.array_equal(list[j], z[{ {}, j }]))
          end
          assert.is_true(tide.array_equal(z, tide.column_stack(list)))
          list[2] = tide.ones(n, "float64"):astype(t)[{ { n, 1, -1 } }]
          z = tide.stack(list, 2)  -- not dense: copies
          assert.is_true(tide.array_equal(list[1], z[{ {}, 1 }]))
          assert.is_true(z[{ {}, 2 }]:eq(1):all():item())
        end
      end
    end
    local a = tide.array{ { 1, 2 }, { 3, 4 } }
    assert.same({ { { 1, 1.5 }, { 2, 1.5 } }, { { 3, 1.5 }, { 4, 1.5 } } },
                tide.stack({ a, tide.full({ 2, 2 }, 1.5) }, 3):totable())
    assert.same({ 1, 1, 1 }, tide.stack({ a, a, a }, -1)[1][1]:totable())
    local m = a:reshape(4, 1)
    assert.same({ { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 } },
                tide.concatenate({ m, m }, 2):totable())
  end)

  it("wants arrays of one shape", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "array 2 has shape 3x2, which does not go with 2x3", tide.stack,
           { a, a.T })
    badarg(2, "axis 4 is out of range for a result of 3 axes", tide.stack,
           { a }, 4)
  end)
end)

describe("vstack, hstack and column_stack", function ()
  it("take vectors for rows, for parts, for columns", function ()
    local a, b = tide.array{ 1, 2 }, tide.array{ 3, 4 }
    assert.same({ { 1, 2 }, { 3, 4 } }, tide.vstack{ a, b }:totable())
    assert.same({ 1, 2, 3, 4 }, tide.hstack{ a, b }:totable())
    assert.same({ { 1, 3 }, { 2, 4 } }, tide.column_stack{ a, b }:totable())
    assert.same({ { 1, 2 } }, tide.vstack{ a }:totable())
    assert.same({ 2, 0 }, tide.vstack{ tide.ones(0), tide.ones(0) }.shape)
    assert.same({ 0, 2 }, tide.column_stack{ tide.ones(0), tide.ones(0) }.shape)
  end)

  it("mix them with matrices", function ()
    local m = tide.array{ { 1, 2 }, { 3, 4 } }
    local v = tide.array{ 5.5, 6.5 }
    assert.same({ { 5.5, 6.5 }, { 1, 2 }, { 3, 4 }, { 5.5, 6.5 } },
                tide.vstack{ v, m, v }:totable())
    assert.same({ { 1, 2, 1, 3 }, { 3, 4, 2, 4 } },
                tide.hstack{ m, m.T }:totable())
    assert.same({ { 5.5, 1, 2, 5.5 }, { 6.5, 3, 4, 6.5 } },
                tide.column_stack{ v, m, v }:totable())
    local x = tide.ones{ 2, 3, 4 }
    assert.same({ 4, 3, 4 }, tide.vstack{ x, x }.shape)
    assert.same({ 2, 6, 4 }, tide.hstack{ x, x }.shape)
    assert.same({ 2, 6, 4 }, tide.column_stack{ x, x }.shape)
  end)

  it("take arrays without axes", function ()
    local one, two = tide.array(1), tide.array(2)
    assert.same({ { 1 }, { 2 } }, tide.vstack{ one, two }:totable())
    assert.same({ 1, 2, 3 }, tide.hstack{ one, two, tide.array{ 3 } }
                               :totable())
    assert.same({ { 1, 2 } }, tide.column_stack{ one, two }:totable())
    assert.same({ { 1 }, { 3 } }, tide.vstack{ one, tide.array{ { 3 } } }
                                    :totable())
  end)

  it("write to out, also if it is an operand", function ()
    local z = tide.arange(6):reshape{ 3, 2 }
    assert.equal(z, tide.vstack({ z[3], z[{ { 1, 2 } }] }, { out = z }))
    assert.same({ { 4, 5 }, { 0, 1 }, { 2, 3 } }, z:totable())
    assert.equal(z, tide.column_stack({ z[{ {}, 2 }], z[{ {}, 1 }] },
                                      { out = z }))
    assert.same({ { 5, 4 }, { 1, 0 }, { 3, 2 } }, z:totable())
    fails("option 'out' must have shape 4, has 3x2", tide.hstack,
          { z[1], z[2] }, { out = z })
  end)

  it("want arrays that fit", function ()
    local m, v = tide.ones{ 2, 2 }, tide.ones(3)
    badarg(1, "array 2 has shape 3, which does not go with 2x2", tide.vstack,
           { m, v })
    badarg(1, "array 2 has shape 2, which does not go with 2x2", tide.hstack,
           { m, v[{ { 1, 2 } }] })
    badarg(1, "array 2 has shape 2x2, which does not go with 3", tide.hstack,
           { v, m })
    badarg(1, "array 2 has shape 1x2x2, which does not go with 2x2",
           tide.vstack, { m, tide.ones{ 1, 2, 2 } })
    badarg(1, "array 2 has shape 2, which does not go with 1x2x2",
           tide.vstack, { tide.ones{ 1, 2, 2 }, m[1] })
    badarg(1, "array 2 has shape 3, which does not go with 2x2",
           tide.column_stack, { m, v })
    badarg(2, "unknown option 'axis': 'out'", tide.vstack, { m },
           { axis = 1 })
    badarg(1, "at least one array expected", tide.hstack, {})
    badarg(1, "field 'out' in a list of arrays", tide.hstack,
           { v, out = v })
  end)
end)

describe("out of what is made first", function ()
  local calls = {
    sort = { function (a, o) return a:sort(o) end,
             { { 1, 2, 3 }, { 4, 5, 6 } } },
    ["sort by axis"] = { function (a, o) return tide.sort(-a, 1, o) end,
                         { { -6, -5, -4 }, { -3, -1, -2 } } },
    argsort = { function (a, o) return tide.argsort(a, 2, o) end,
                { { 2, 3, 1 }, { 3, 2, 1 } } },
    where = { function (a, o) return tide.where(a:gt(3), a, 0, o) end,
              { { 0, 0, 0 }, { 6, 5, 4 } } },
    mask = { function (a, o) return a:mask(a:gt(3), o) end, { 6, 5, 4 } },
    ["mask of none"] = { function (a, o) return a:mask(a:gt(9), o) end, {} },
    tile = { function (a, o) return a:tile({ 1, 2 }, o) end,
             { { 3, 1, 2, 3, 1, 2 }, { 6, 5, 4, 6, 5, 4 } } },
    repeat_each = { function (a, o) return a[1]:repeat_each(2, o) end,
                    { 3, 3, 1, 1, 2, 2 } },
    ["repeat_each by axis"] = {
      function (a, o) return tide.repeat_each(a, 2, 1, o) end,
      { { 3, 1, 2 }, { 3, 1, 2 }, { 6, 5, 4 }, { 6, 5, 4 } } },
    roll = { function (a, o) return a:roll(1, o) end,
             { { 4, 3, 1 }, { 2, 6, 5 } } },
    ["roll by axis"] = { function (a, o) return tide.roll(a, 1, 2, o) end,
                         { { 2, 3, 1 }, { 4, 6, 5 } } },
    ["roll of none"] = {
      function (_, o) return tide.zeros(0, "int64"):roll(1, o) end, {} },
  }
  for name, call in pairs(calls) do
    it(name .. " is out", function ()
      local a = tide.array{ { 3, 1, 2 }, { 6, 5, 4 } }
      local plain = call[1](a)
      assert.same(call[2], plain:totable())
      local wide = tide.zeros({ 2, table.unpack(plain.shape) }, "int64")
      local out = wide[2]
      assert.equal(out, call[1](a, { out = out }))
      assert.same(call[2], out:totable())
      assert.equal(plain:sum():item(), wide:sum():item())
      fails("option 'out' must be an open tide.Array", call[1], a, { out = 1 })
      fails("unknown option 'uot'", call[1], a, { uot = out })
      fails("shape", call[1], a, { out = tide.zeros({ 7, 7 }, "int64") })
      fails("option 'out' must have dtype int64, has bool", call[1], a,
            { out = tide.zeros(plain.shape, "bool") })
    end)
  end

  it("may be an operand", function ()
    local x = tide.array{ 3, 1, 2 }
    assert.equal(x, x:sort{ out = x })
    assert.same({ 1, 2, 3 }, x:totable())
    tide.where(x:gt(1), x:roll(1), x, { out = x })
    assert.same({ 1, 1, 2 }, x:totable())
    x:roll(1, { out = x })
    assert.same({ 2, 1, 1 }, x:totable())
  end)
end)

describe("broadcasting", function ()
  it("at random does what the model does", function ()
    local pick = helper.generator(31)
    for _ = 1, 300 do
      local x = tide.arange(1, 61):reshape{ 3, 4, 5 }
      local y = tide.arange(100, 160):reshape{ 5, 4, 3 }
      local mx, vx = model.random_view(x, pick)
      local my, vy
      if math.type(vx) then
        vx = tide.array(vx)
        mx.shape = {}
      end
      local memory = x:flatten():totable()
      if pick(2) == 1 then  -- the same shape, with some axes of one
        local key = {}
        for axis, n in ipairs(mx.shape) do
          key[axis] = pick(3) == 1 and { 1, 1, 1 } or { 1, n, 1 }
        end
        my = { shape = mx.shape, at = mx.at }
        vy = vx
        if #key > 0 then
          my, vy = model.index(my, vx, key)
        end
        my = { shape = my.shape, list = model.values(my, memory) }
      else
        local m, v = model.random_view(y, pick)
        my = { shape = math.type(v) and {} or m.shape,
               list = model.values(m, y:flatten():totable()) }
        vy = math.type(v) and tide.array(v) or v
      end
      local list = { at = {}, shape = my.shape }
      for i = 1, #my.list do
        list.at[i] = i
      end
      local ok, z = pcall(tide.sub, vx, vy)
      if ok then
        local wanted = {}
        local bx = model.broadcast(mx, nil, z.shape)
        local by = model.broadcast(list, nil, z.shape)
        local xs, ys = model.values(bx, memory), model.values(by, my.list)
        for i = 1, #xs do
          wanted[i] = xs[i] - ys[i]
        end
        assert.same(wanted, z:flatten():totable())
        for i = 1, #xs do
          wanted[i] = xs[i] < ys[i]
        end
        assert.same(wanted, tide.lt(vx, vy):flatten():totable())
        for i = 1, #xs do
          wanted[i] = 2.0 * xs[i]
        end
        local half = tide.mul(vx:astype "float32":broadcast_to(z.shape), 2)
        assert.same(wanted, half:flatten():totable())
        local out = tide.zeros(z.shape, "int64").T.T:flip()
        tide.sub(vx, vy, { out = out })
        assert.same(z:totable(), out:totable())
      else
        assert.is_truthy(z:find("do not match", 1, true))
      end
    end
  end)

  it("of unary operations over views", function ()
    local pick = helper.generator(37)
    for _ = 1, 150 do
      local a = tide.arange(1, 121):astype("float32"):reshape{ 2, 3, 4, 5 }
      local memory = a:flatten():totable()
      local m, v = model.random_view(a, pick)
      if not math.type(v) then
        local list = model.values(m, memory)
        for i, x in ipairs(list) do
          list[i] = -x
        end
        assert.same(list, (-v):flatten():totable())
        assert.equal(v, v:neg{ out = v })
        assert.same(list, v:flatten():totable())
        for i, at in ipairs(m.at) do
          memory[at] = list[i]
        end
        assert.same(memory, a:flatten():totable())
      end
    end
  end)

  it("with an out that overlaps reads operands first", function ()
    local pick = helper.generator(41)
    for _ = 1, 200 do
      local a = tide.arange(64):reshape{ 8, 8 }
      local memory = a:flatten():totable()
      local function part ()
        local i, j = pick(5), pick(5)
        local v = a[{ { i, i + 3 }, { j, j + 3 } }]
        if pick(2) == 1 then
          v = v.T
        end
        return pick(2) == 1 and v:flip(pick(2)) or v
      end
      local x, y, z = part(), part(), part()
      local row = pick(2) == 1 and y[pick(4)] or y
      local wanted = (x:copy() * 100 + row:copy()):totable()
      tide.add(x * 100, row, { out = z })
      assert.same(wanted, z:totable())
      assert.is_true(#memory == 64)
      a:copy_from(tide.arange(64):reshape{ 8, 8 })
      wanted = (z:copy() + x:copy()):totable()
      z:add_(x)
      assert.same(wanted, z:totable())
      a:copy_from(tide.arange(64):reshape{ 8, 8 })
      wanted = x:totable()
      z:copy_from(x)
      assert.same(wanted, z:totable())
    end
  end)

  it("in place keeps the shape", function ()
    local a = tide.zeros{ 2, 3 }
    a:add_(tide.array{ 1.0, 2.0, 3.0 })
    assert.same({ { 1.0, 2.0, 3.0 }, { 1.0, 2.0, 3.0 } }, a:totable())
    fails("the array must have shape 4x2x3, has 2x3", a.add_, a,
          tide.ones{ 4, 2, 3 })
    fails("the array must have shape 2x3, has 3", function ()
      local b = tide.ones(3)
      b:add_(a)
    end)
    assert.same({ { 1.0, 2.0, 3.0 }, { 1.0, 2.0, 3.0 } }, a:totable())
  end)

  it("on wide rows, aligned or not, is exact", function ()
    for _, width in ipairs{ 1, 3, 64, 100, 1001 } do
      for from = 1, 2 do
        local a = tide.arange(5 * (width + 1)):reshape{ 5, width + 1 }
        for _, t in ipairs{ "uint8", "int32", "float32", "float64" } do
          local x = (a % 100):astype(t)[{ {}, { from, width + from - 1 } }]
          local row = (tide.arange(width) % 50):astype(t)
          local z = x + row
          local w = x:copy():totable()
          local r = row:totable()
          for i = 1, 5 do
            for j = 1, width do
              w[i][j] = w[i][j] + r[j]
            end
          end
          assert.same(w, z:totable())
          local column = (x[{ {}, { 1, 1 } }] + x):totable()
          local first = x[{ {}, 1 }]:totable()
          local own = x:totable()
          for i = 1, 5 do
            assert.equal(first[i] + own[i][width], column[i][width])
          end
        end
      end
    end
  end)
end)

describe("in a capture", function ()
  it("views are read and written as ever", function ()
    local a = tide.arange(12):reshape{ 3, 4 }
    local z = tide.zeros({ 4, 3 }, "int64")
    local g = tide.capture(function ()
      z:copy_from(a.T)
      z[{ {}, { 1, 3, 2 } }]:add_(tide.array(10))
      z[{ { 1, 2 } }] = tide.concatenate({ a[{ {}, 1 }], a[{ { 1, 3 }, 2 }] })
                          :reshape{ 2, 3 }
    end)
    for round = 1, 2 do
      a:add_(round - 1)
      g:launch()
      local base = round - 1
      assert.same({ { base, base + 4, base + 8 },
                    { base + 1, base + 5, base + 9 },
                    { base + 12, base + 6, base + 20 },
                    { base + 13, base + 7, base + 21 } }, z:totable())
    end
    g:close()
  end)
end)

describe("views on two streams", function ()
  it("are ordered by the bytes they span", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local t <close> = tide.Stream{ non_blocking = true }
    local a = tide.zeros({ 100, 100 }, "int32")
    for _ = 1, 20 do
      s:with(function () a[{ {}, { 1, 100, 2 } }]:add_(1) end)
      t:with(function () a.T:flip():add_(a) end)
      s:with(function () a[{ { nil, nil, -1 } }]:mul_(0) end)
      t:with(function () a:add_(0) end)
    end
    assert.equal(0, a:sum():item())
  end)
end)

end)
