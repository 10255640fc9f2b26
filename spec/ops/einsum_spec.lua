--[[
einsum_spec.lua - einsum and the order in which it multiplies: against loops in
Lua over all indices, random texts; captures, errors. NumPy's answers:
numpy_spec.lua.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

--- Element of nested tables.
local function at (x, letters, index)
  for c in letters:gmatch "." do x = x[index[c]] end
  return x
end

--- The result of a text with '->', of nested tables, as a list: the sum over
-- all indices, one after the other.
local function loops (text, lengths, xs)
  local inputs, result = text:match "(.*)%->(.*)"
  local terms, seen, order, sums = {}, {}, {}, {}
  for letters in (inputs .. ","):gmatch "(.-)," do
    terms[#terms + 1] = letters
  end
  for c in (result .. inputs):gmatch "%a" do
    if not seen[c] then seen[c], order[#order + 1] = true, c end
  end
  local index = {}
  local function visit (k)
    if k <= #order then
      for i = 1, lengths[order[k]] do
        index[order[k]] = i
        visit(k + 1)
      end
      return
    end
    local product, place = 1, 0
    for i, letters in ipairs(terms) do
      product = product * at(xs[i], letters, index)
    end
    for c in result:gmatch "." do place = place * lengths[c] + index[c] - 1 end
    sums[place + 1] = (sums[place + 1] or 0) + product
  end
  visit(1)
  return sums
end

--- A text of n arrays, lengths of its letters, its arrays.
local function random_sum (pick, n)
  local lengths, terms, arrays, seen = {}, {}, {}, {}
  for c in ("abcde"):gmatch "." do lengths[c] = pick(3) end
  for i = 1, n do
    local letters, shape, size = "", {}, 1
    for k = 1, pick(4) - 1 do
      local at_ = pick(5)
      local c = ("abcde"):sub(at_, at_)
      letters, shape[k], seen[c] = letters .. c, lengths[c], true
      size = size * lengths[c]
    end
    local list = {}
    for k = 1, size do list[k] = pick(7) - 4 end
    terms[i] = letters
    arrays[i] = tide.array(list):reshape(shape)
  end
  local result = ""
  for c in ("ebcad"):gmatch "." do
    if seen[c] and pick(2) == 1 then result = result .. c end
  end
  return table.concat(terms, ",") .. "->" .. result, lengths, arrays
end

helper.each_device(function ()

describe("einsum", function ()
  it("is the sum over all indices", function ()
    local pick = helper.generator(21)
    for round = 1, 150 do
      local text, lengths, arrays = random_sum(pick, (round - 1) % 8 + 1)
      local xs = {}
      for i, a in ipairs(arrays) do xs[i] = a:totable() end
      local z = tide.einsum(text, table.unpack(arrays))
      assert.equal("int64", z.dtype)
      assert.same(loops(text, lengths, xs), z:ravel():totable(), text)
    end
  end)

  it("does what its relatives do", function ()
    local a = tide.arange(6.):reshape{ 2, 3 }
    local b = tide.arange(12.):reshape{ 3, 4 }
    local c = tide.arange(9):reshape{ 3, 3 }
    for text, wanted in pairs{ ["ij,jk->ik"] = a:matmul(b),
                               ["ij,jk"] = a:matmul(b),
                               ["ij , jk -> ki"] = a:matmul(b).T } do
      assert.same(wanted:totable(), tide.einsum(text, a, b):totable(), text)
    end
    for text, wanted in pairs{ ii = c:trace(), ["ii->i"] = c:diagonal(),
                               ji = c.T, ["ij->"] = c:sum(),
                               ["ij->j"] = c:sum(1), ["..."] = c,
                               ["...j->..."] = c:sum(2), ["i..."] = c.T } do
      assert.same(wanted:totable(), tide.einsum(text, c):totable(), text)
    end
    assert.same(a:vecdot(a):totable(), tide.einsum("ij,ij->i", a, a):totable())
    assert.same(a[1]:outer(b[1]):totable(),
                tide.einsum("i,j", a[1], b[1]):totable())
    assert.same(55, tide.einsum("ij,ij", a, a):item())
  end)

  it("is a new array, dense, also where nothing is computed", function ()
    local a = tide.arange(9.):reshape{ 3, 3 }
    for _, text in ipairs{ "ij", "ji", "ii->i", "ij->ij" } do
      local z = tide.einsum(text, a)
      assert.same(tide.zeros(z.shape).strides, z.strides)
      z:fill(-1)
      assert.equal(36, a:sum():item(), text)
    end
  end)

  it("broadcasts '...' and axes of one element", function ()
    local a, b = tide.ones{ 5, 1, 2, 3 }, tide.ones{ 4, 3, 2 }
    assert.same({ 5, 4, 2, 2 }, tide.einsum("...ij,...jk", a, b).shape)
    assert.same({ 2, 2, 5, 4 }, tide.einsum("...ij,...jk->ik...", a, b).shape)
    assert.equal(3, tide.einsum("...ij,...jk", a, b)[1][1][1][1])
    -- as if repeated
    assert.same({ 6, 6 }, tide.einsum("ij,jk->i", tide.ones{ 2, 1 },
                                      tide.ones{ 3, 2 }):totable())
    assert.same({ 2, 0 }, tide.einsum("ij,j->ij", tide.ones{ 2, 1 },
                                      tide.ones(0)).shape)
    assert.same({ 0, 0 }, tide.einsum("ij,j->i", tide.ones{ 2, 1 },
                                      tide.ones(0)):totable())
  end)

  it("is of the dtype of all", function ()
    local a, b = tide.ones({ 2, 2 }, "int8"), tide.ones({ 2, 2 }, "float16")
    assert.equal("float16", tide.einsum("ij,jk,kl", a, a, b).dtype)
    assert.equal("int8", tide.einsum("ij,jk", a, a).dtype)
    assert.equal("int8", tide.einsum("ij->", a).dtype)
    local c = tide.array{ { true, false }, { true, true } }
    assert.same({ { true, false }, { true, true } },
                tide.einsum("ij,jk", c, c):totable())
    assert.is_true(tide.einsum("ij->", c):item())
    -- rounded once: 2049 is no float16
    local d = tide.array({ 2048, 1, -2048 }, "float16")
    assert.equal(1, tide.einsum("i,i", d, tide.ones(3, "float16")):item())
    local i = tide.array{ tide.complex(0, 1), tide.complex(0, 2) }
    assert.equal(tide.complex(-5, 0), tide.einsum("i,i->", i, i):item())
  end)

  it("multiplies in the cheapest order", function ()
    local n = 1000
    local a, b = tide.ones(n), tide.ones(n)
    local c, d = tide.ones(n), tide.ones(n)
    tide.memory_limit(2 << 20)  -- a product of two alone has 8 MB
    assert.equal(n * n, tide.einsum("i,j,i,j->", a, b, c, d):item())
    assert.equal(n * n, tide.einsum("i,j,j,i,j,i,i->", a, b, c, d, a, b, c)
                          :item())
    tide.memory_limit(0)
  end)

  it("keeps its plans, and not too many", function ()
    local a = tide.ones{ 2, 2 }
    for n = 1, 600 do
      local z = tide.einsum("ij,jk,kl->il", a, a, tide.ones{ 2, n })
      assert.equal(4, z[1][1])
      z:close()
    end
    for _ = 1, 3 do
      assert.same({ { 4, 4 }, { 4, 4 } },
                  tide.einsum("ij,jk,kl->il", a, a, a):totable())
    end
  end)

  it("writes to 'out', also over its operands, and is captured", function ()
    local a = tide.array{ { 1., 2. }, { 3., 4. } }
    local g = tide.capture(function ()
      tide.einsum("ij,jk->ki", a, a, { out = a })
    end)
    g:launch()
    assert.same({ { 7, 15 }, { 10, 22 } }, a:totable())
    tide.einsum("ij->ji", a, { out = a })
    assert.same({ { 7, 10 }, { 15, 22 } }, a:totable())
    local z = tide.zeros{}
    assert.equal(z, tide.einsum("ii", a, { out = z }))
    assert.equal(29, z:item())
  end)

  it("leaves nothing behind", function ()
    local a = tide.ones({ 8, 8 }, "float16")
    tide.einsum("ij,jk,kl,ll->il", a, a, a, a):close()
    local before = helper.T.held().device_bytes
    tide.einsum("ij,jk,kl,ll->il", a, a, a, a):close()
    tide.einsum("ij->j", a):close()
    assert.equal(before, helper.T.held().device_bytes)
  end)

  it("says what is wrong", function ()
    local a, b = tide.ones{ 2, 3 }, tide.ones{ 3, 4 }
    local function of_text (what, text, ...)
      badarg(1, what, tide.einsum, text, ...)
    end
    of_text("it is about more arrays than there are, 1", "ij,jk", a)
    of_text("it is about 1 array, and there are 2", "ij", a, b)
    of_text("it is about 1 array, and there are 2", "ij->ij", a, b)
    of_text("'k' of the result is of no array", "ij->k", a)
    of_text("'i' is there twice in the result", "ij->iji", a)
    of_text("unexpected '1'", "ij1", a)
    of_text("unexpected '->i'", "ij->i->i", a)
    of_text("unexpected '..ij'", "..ij", a)
    of_text("'...' is there twice for one array", "...ij...", a)
    of_text("the result lacks '...', which stands for axes of the arrays",
            "...j->j", a)
    of_text("more than 32 letters for an array", ("i"):rep(33), a)
    badarg(1, "string expected, got ", tide.einsum, a, b)
    badarg(2, "tide.Array expected, got ", tide.einsum, "ij")
    badarg(3, "tide.Array expected, got number", tide.einsum, "ij,", a, 1)
    badarg(2, "an array of 1 axis expected, got one of 2", tide.einsum, "i", a)
    badarg(2, "an array of 3 axes or more expected, got one of 2",
           tide.einsum, "ij...k", a)
    badarg(3, "'j' has 2 elements, and had 3 before", tide.einsum, "ij,jk", a,
           a)
    badarg(2, "axes of 'i' have 1 and 3 elements", tide.einsum, "ii",
           tide.ones{ 1, 3 })
    badarg(3, "an axis of '...' has 2 elements, and had 3 before",
           tide.einsum, "...,...", a, tide.ones(2))
    badarg(4, "unknown option 'optimize'", tide.einsum, "ij,jk", a, b,
           { optimize = true })
    badarg(4, "option 'out' must be an open tide.Array", tide.einsum, "ij,jk",
           a, b, { out = 1 })
    local wide = tide.ones{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }
    fails("the result would have more than 32 axes", tide.einsum,
          "abcdefghijklmnopq,ABCDEFGHIJKLMNOPQ", wide, wide)
  end)

  it("tells its text from the arrays (#312)", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "unexpected '1j'", tide.einsum, "1j", a)
    badarg(1, "unexpected '1->i'", tide.einsum, "i1->i", a)
    badarg(2, "an array of 1 axis or more expected, got one of 0",
           tide.einsum, "i...", tide.ones{})
    assert.same({ 3, 2 }, tide.einsum("i j -> j i", a).shape)
  end)
end)

end)
