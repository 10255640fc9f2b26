--[[
group_spec.lua - tide.group beside loops in Lua: every function, keys and values
of every dtype.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"
local fails, badarg = helper.fails, helper.badarg

--- Each function, for a list of numbers.
local reference = {}

function reference.count (list) return #list end
function reference.first (list) return list[1] end
function reference.last (list) return list[#list] end
function reference.min (list) return math.min(table.unpack(list)) end
function reference.max (list) return math.max(table.unpack(list)) end

function reference.sum (list)
  local sum = 0
  for _, x in ipairs(list) do sum = sum + x end
  return sum
end

function reference.mean (list) return reference.sum(list) / #list end

function reference.var (list, ddof)
  local mean, sum = reference.mean(list), 0
  for _, x in ipairs(list) do sum = sum + (x - mean) ^ 2 end
  return sum / math.max(#list - (ddof or 0), 0)
end

function reference.std (list, ddof) return reference.var(list, ddof) ^ 0.5 end

function reference.any (list)
  for _, x in ipairs(list) do
    if x ~= 0 then return true end
  end
  return false
end

function reference.all (list)
  for _, x in ipairs(list) do
    if x == 0 then return false end
  end
  return true
end

function reference.median (list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  local n = #sorted
  return (sorted[(n + 1) // 2] + sorted[n // 2 + 1]) / 2
end

local ALL <const> = {}
for name in pairs(reference) do ALL[#ALL + 1] = name end
table.sort(ALL)

--- The different keys in order, and the list of the values of each.
local function grouped (keys, values)
  local order, lists = {}, {}
  for i, key in ipairs(keys) do
    if not lists[key] then
      lists[key] = {}
      order[#order + 1] = key
    end
    table.insert(lists[key], values[i])
  end
  table.sort(order)
  local found = {}
  for i, key in ipairs(order) do found[i] = lists[key] end
  return order, found
end

-- The unit of rounding, by dtype of float.
local NEAR <const> = { float16 = 1e-3, bfloat16 = 8e-3, float32 = 1e-6,
                       float64 = 1e-12 }

--- Compares a figure of all groups with the loop's.
local function check_figure (name, got, lists, ddof)
  local near <const> = NEAR[got.dtype] or 0
  assert.equal(#lists, #got)
  for i, x in ipairs(got:totable()) do
    local wanted = reference[name](lists[i], ddof)
    if type(wanted) == "boolean" then
      assert.equal(wanted, x)
    elseif wanted == wanted then
      local off <const> = math.abs(x - wanted)
      assert.is_true(off <= near * math.max(1, math.abs(wanted)),
                     ("%s: %s, not %s"):format(name, x, wanted))
    else
      assert.is_true(x ~= x, name)
    end
  end
end

local function random_list (pick, n, most, dtype)
  local list = {}
  for i = 1, n do
    list[i] = numbers.fit(pick(most) - 1, dtype)
  end
  return list
end

local function plain (list)
  local found = {}
  for i, x in ipairs(list) do
    found[i] = x == true and 1 or x == false and 0 or x
  end
  return found
end

helper.each_device(function ()

describe("group", function ()
  for _, dtype in ipairs(numbers.sets.NUMBER) do
    it("has values of " .. dtype, function ()
      local pick <const> = helper.generator(5)
      for _, n in ipairs{ 1, 2, 17, 1000 } do
        local list <const> = plain(random_list(pick, n, 12, dtype))
        local k <const> = plain(random_list(pick, n, 7, "int32"))
        local order <const>, lists <const> = grouped(k, list)
        local keys <const>, out <const> =
          tide.group(helper.array(k, "int32"), helper.array(list, dtype), ALL)
        assert.same(order, keys:totable())
        for _, name in ipairs(ALL) do
          check_figure(name, out[name], lists)
        end
        for _, name in ipairs{ "min", "max", "first", "last" } do
          assert.equal(dtype, out[name].dtype)
        end
        local v <const> = tide.zeros(2, dtype)
        for _, name in ipairs{ "sum", "mean", "var", "std", "median" } do
          assert.equal(v[name](v).dtype, out[name].dtype, name)
        end
      end
    end)

    it("has keys of " .. dtype, function ()
      local pick <const> = helper.generator(6)
      local k <const> = random_list(pick, 500, 100, dtype)
      local list <const> = plain(random_list(pick, 500, 50, "int32"))
      local order <const>, lists <const> = grouped(k, list)
      local keys <const>, out <const> =
        tide.group(helper.array(k, dtype), helper.array(list, "int32"),
                   { "sum", "count" })
      assert.equal(dtype, keys.dtype)
      assert.same(order, keys:totable())
      check_figure("sum", out.sum, lists)
      check_figure("count", out.count, lists)
    end)
  end

  it("of bools, as keys and as values", function ()
    local keys, out = tide.group(tide.array{ true, false, true },
                                 tide.array{ false, true, true },
                                 { "sum", "mean", "any", "all", "max" })
    assert.same({ false, true }, keys:totable())
    assert.same({ 1, 1 }, out.sum:totable())
    assert.same({ 1, 0.5 }, out.mean:totable())
    assert.same({ true, true }, out.any:totable())
    assert.same({ true, false }, out.all:totable())
    assert.same({ true, true }, out.max:totable())
  end)

  it("of complex values", function ()
    local z <const> = tide.complex(1, 2)
    local _, out = tide.group(tide.array{ 1, 2, 1 },
                              tide.full(3, z, "complex64"),
                              { "sum", "mean", "first", "last", "count" })
    assert.same({ tide.complex(2, 4), z }, out.sum:totable())
    assert.same({ z, z }, out.mean:totable())
    assert.same({ z, z }, out.last:totable())
    assert.equal("complex64", out.mean.dtype)
    badarg(2, "'median' is not defined for complex64 arrays", tide.group,
           tide.ones(2), tide.ones(2, "complex64"), { "median" })
  end)

  it("counts without values", function ()
    local keys, out = tide.group(tide.array{ 3, 1, 3 })
    assert.same({ 1, 3 }, keys:totable())
    assert.same({ 1, 2 }, out.count:totable())
    keys, out = tide.group(tide.array{ 3, 1, 3 }, nil, { "count" })
    assert.same({ { 1, 3 }, { 1, 2 } }, { keys:totable(),
                                          out.count:totable() })
  end)

  it("of no elements, one group, or as many as elements", function ()
    for _, shape in ipairs{ { 0 }, { 0, 3 } } do
      local keys, out = tide.group(tide.zeros(0), tide.zeros(shape), ALL)
      assert.equal(0, keys.size)
      for _, name in ipairs(ALL) do
        assert.equal(0, out[name].size, name)
        assert.equal(0, out[name].shape[1], name)
        assert.equal(name ~= "count" and shape[2] or nil, out[name].shape[2])
      end
    end
    local v <const> = tide.arange(1, 1001):astype "float64"
    local keys, out = tide.group(tide.zeros(1000, "int8"), v, ALL)
    assert.same({ 0 }, keys:totable())
    assert.same({ 500500 }, out.sum:totable())
    assert.same({ 500.5 }, out.median:totable())
    assert.same({ v:std():item() }, out.std:totable())
    keys, out = tide.group(-v, v, ALL)
    assert.equal(1000, #keys)
    for _, name in ipairs{ "sum", "mean", "median", "min", "last" } do
      assert.is_true(tide.array_equal(v:flip(), out[name]), name)
    end
  end)

  it("has figures of each column", function ()
    local pick <const> = helper.generator(8)
    local k <const> = random_list(pick, 300, 9, "int32")
    local keys <const> = helper.array(k, "int32")
    local v <const> = tide.random.Generator(3):normal(0, 1, { 300, 2, 3 })
    local _, out <const> = tide.group(keys, v, ALL)
    for i = 1, 2 do
      for j = 1, 3 do
        local _, one <const> = tide.group(keys, v[{ {}, i, j }], ALL)
        for _, name in ipairs(ALL) do
          local part <const> = name == "count" and out.count or
                               out[name][{ {}, i, j }]
          assert.is_true(tide.allclose(part:astype "float64",
                                       one[name]:astype "float64"), name)
        end
      end
    end
  end)

  it("by several keys", function ()
    local pick <const> = helper.generator(9)
    for many = 2, 4 do
      local lists <const>, joined <const> = {}, {}
      for i = 1, many do lists[i] = random_list(pick, 200, 3, "int32") end
      for i = 1, 200 do
        local code = 0
        for j = 1, many do code = code * 3 + lists[j][i] end
        joined[i] = code
      end
      local values <const> = random_list(pick, 200, 50, "int32")
      local order <const>, groups <const> = grouped(joined, values)
      local arrays <const> = {}
      for i = 1, many do arrays[i] = helper.array(lists[i], "int32") end
      local keys <const>, out <const> =
        tide.group(arrays, helper.array(values, "int32"), { "sum", "first" })
      assert.equal(many, #keys)
      local codes = keys[1]
      for i = 2, many do codes = codes * 3 + keys[i] end
      assert.same(order, codes:totable())
      check_figure("sum", out.sum, groups)
      check_figure("first", out.first, groups)
    end
    local keys <const> = tide.group({ tide.array{ 2, 1, 2 } })
    assert.same({ 1, 2 }, keys[1]:totable())
  end)

  it("takes NaNs for one key; among values they spread", function ()
    local nan <const> = 0 / 0
    local keys, out = tide.group(tide.array{ nan, 1, nan, 2, 1, 2 },
                                 tide.array{ 1, 2, 3, nan, 4, 5 },
                                 { "sum", "min", "max", "median", "mean",
                                   "count", "first" })
    assert.equal(3, #keys)
    assert.is_true(keys[3] ~= keys[3])
    assert.same({ 2, 2, 2 }, out.count:totable())
    for _, name in ipairs{ "sum", "min", "max", "median", "mean", "first" } do
      local x = out[name]:totable()
      assert.is_true(x[2] ~= x[2], name)
      assert.is_true(x[1] == x[1] and x[3] == x[3], name)
    end
    local inf <const> = math.huge
    out = select(2, tide.group(tide.array{ 1, 1, 2, 2 },
                        tide.array{ inf, inf, 1e308, 1.5e308 }, { "median" }))
    assert.same({ inf, 1.25e308 }, out.median:totable())
  end)

  it("divides by the count less ddof", function ()
    local k <const>, v <const> = { 1, 1, 1, 2 }, { 1, 2, 6, 3 }
    local _, lists <const> = grouped(k, v)
    local _, out <const> = tide.group(tide.array(k), tide.array(v),
                                      { "var", "std" }, { ddof = 1 })
    check_figure("var", out.var, lists, 1)
    check_figure("std", out.std, lists, 1)
  end)

  it("leaves no temporaries", function ()
    local keys <const> = tide.arange(1000) % 7
    local v <const> = tide.ones{ 1000, 2 }
    local before <const> = tide.memory_stats().live
    local found <const>, out <const> = tide.group(keys, v, ALL)
    found:close()
    for _, a in pairs(out) do a:close() end
    assert.equal(before, tide.memory_stats().live)
  end)

  it("names the wrong argument", function ()
    local a <const>, group <const> = tide.ones(3), tide.group
    badarg(1, "tide.Array expected, got number", group, 1, a, { "sum" })
    badarg(1, "tide.Array expected, got no value", group)
    badarg(1, "list of Arrays expected, got no array", group, {}, a, { "sum" })
    badarg(1, "item 2: tide.Array expected, got number", group, { a, 1 })
    badarg(1, "field 'ddof' in a list of arrays of keys", group,
           { a, ddof = 1 })
    badarg(3, "field 'ddof' in a list of functions", group, a, a,
           { "std", ddof = 1 })
    badarg(1, "item 2: 3 keys expected, as in the first array, got 2", group,
           { a, tide.ones(2) })
    badarg(1, "keys have one dimension, got 2", group, tide.ones{ 2, 2 })
    badarg(1, "complex64 keys have no order", group, tide.ones(2, "complex64"))
    badarg(2, "tide.Array expected, got no value", group, a, nil, { "sum" })
    badarg(2, "a first axis of length 3 expected, as there are keys, got 2",
           group, a, tide.ones{ 2, 3 }, { "sum" })
    badarg(2, "as there are keys, got no axis", group, a, tide.full({}, 1),
           { "sum" })
    badarg(3, "list of functions expected, got no value", group, a, a)
    badarg(3, "list of functions expected, got an empty one", group, a, a, {})
    badarg(3, "list of functions expected, got string", group, a, a, "sum")
    badarg(3, "no function 'total'; there are all any count", group, a, a,
           { "total" })
    badarg(3, "item 2: string expected, got number", group, a, a, { "sum", 1 })
    badarg(4, "unknown option 'dof'; did you mean 'ddof'?", group, a, a,
           { "var" }, { dof = 1 })
    badarg(4, "option 'ddof' must be a number", group, a, a, { "var" },
           { ddof = "1" })
    badarg(5, "no value expected", group, a, a, { "var" }, nil, 1)
    local closed <const> = tide.ones(3)
    closed:close()
    badarg(1, "array is closed", group, closed)
    badarg(2, "array is closed", group, a, closed, { "sum" })
    fails("a function of a module is called with '.'", group, tide)
  end)

  it("is refused in a capture", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a <const> = tide.ones(3)
    s:begin_capture()
    s:with(function ()
      fails("group: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", tide.group, a)
    end)
    s:end_capture():close()
  end)
end)

end)
