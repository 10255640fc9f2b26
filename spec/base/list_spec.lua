--[[
list_spec.lua - tables as lists. Wherever tide is given a table of its own
making, a name that it does not know is an error that says it: in options, in
lists, and in what is nested in them. The sweep calls whatever is exported
(spec/whole/sweep_calls.lua), each time with a name added to the next table that
tide is given.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local sweep = require "spec.whole.sweep_calls"

-- Tables that are the program's own: tide hands them on, or back.
local HANDED_ON = { ["tide.scope"] = true, ["tide.inherit"] = true,
                    ["tide.group"] = true }  -- its lists go to tide.scope

--- Returns the set of tide's functions: only their arguments are looked at.
local function functions ()
  local found = {}
  for _, entry in ipairs(exports.list(tide)) do
    if type(entry.call) == "function" then found[entry.call] = true end
  end
  for _, class in ipairs(exports.classes()) do
    for _, f in pairs(class.meta) do found[f] = true end
  end
  return found
end

local known = functions()

--- The tables in 'value', itself first.
local function collect (value, found)
  if type(value) ~= "table" or found[value] or
     (getmetatable(value) or {}).__call then
    return
  end
  found[value] = true
  found[#found + 1] = value
  for i = 1, #value do collect(rawget(value, i), found) end
  for _, v in pairs(value) do collect(v, found) end
end

--- Calls f; table number n among those that tide is given gets an unknown name
-- during the call. Returns whether there was such a table, and the results of
-- pcall.
local function with_stray (n, f)
  local met, added = 0, nil
  local function look ()
    local info = debug.getinfo(2, "fSr")
    if added or info.what ~= "C" or not known[info.func] then return end
    for i = 1, info.ntransfer do
      local _, value = debug.getlocal(2, i)
      local found = {}
      collect(value, found)
      for _, t in ipairs(found) do
        met = met + 1
        if met == n then
          added = t
          rawset(t, "stray", 1)
          return
        end
      end
    end
  end
  debug.sethook(look, "c")
  local ok, err = pcall(f)
  debug.sethook()
  if added then rawset(added, "stray", nil) end
  return added ~= nil, ok, err
end

--- Each table that f gives to tide, in turn: returns how many.
local function check_all (name, f)
  for n = 1, 100 do
    local there, ok, err = with_stray(n, f)
    if not there then return n - 1 end
    if ok or not tostring(err):find("stray", 1, true) then
      error(("%s: table %d: %s"):format(name, n,
            ok and "passes with a stray name" or tostring(err)), 0)
    end
  end
end

local calls = {}

for _, name in ipairs{ "sum", "prod", "min", "max", "any", "all", "mean", "var",
                       "std", "count_nonzero" } do
  calls[name] = function (a) a[name](a, { 1, 2 }) end
  calls[name .. " with options"] = function (a)
    a[name](a, { axis = { 1, 2 }, keepdims = true })
    a[name](a, { 2 }, { keepdims = true })
  end
end
for _, name in ipairs{ "argmin", "argmax" } do
  calls[name] = function (a) a[name](a, { 2 }, { keepdims = true }) end
end
for _, name in ipairs{ "empty", "zeros", "ones", "HostArray" } do
  calls[name] = function () tide[name]{ 2, 3 } tide[name]{} end
end
for _, name in ipairs{ "permute", "transpose", "flip" } do
  calls[name] = function (a) a[name](a, { 2, 1 }) end
end
for _, name in ipairs{ "concatenate", "stack" } do
  calls[name] = function (a) tide[name]{ a, a } end
end
for _, name in ipairs{ "uniform", "normal" } do
  calls[name] = function () tide.random[name]{ 3 } end
end

function calls.randint () tide.random.randint(1, 6, { 3 }) end
function calls.full () tide.full({ 2, 3 }, { re = 1, im = 2 }) end
function calls.frombytes () tide.frombytes("abcd", "uint8", { 2, 2 }) end
function calls.squeeze (a) a:expand_dims{ 1 }:squeeze{ 1 } end
function calls.reshape (a) a:reshape{ 3, -1 } end
function calls.broadcast_to (a) a:broadcast_to{ 2, 2, 3 } end
function calls.tile (a) a:tile{ 2, 1 } end
function calls.array () tide.array{ { 1, 2 }, { 3, 4 } } end
function calls.array_of_complex ()
  tide.array({ { re = 1, im = 2 }, { 1, 2 } }, "complex64")
end
function calls.asarray () tide.asarray({ {}, {} }, "int8") end
function calls.take (a) a:take({ { 1, 2 }, { 3, 1 } }, 2, { mode = "clip" }) end
function calls.copy_from (a) a:copy_from{ { 1, 2, 3 }, { 4, 5, 6 } } end
function calls.compare (a) a:allclose{ { 1, 1, 1 }, { 1, 1, 1 } } end
function calls.index (a) return a[{ { 1, 2 }, 3 }], a[{}], a[{ {} }] end
function calls.newindex (a)
  a[{ 1, { 1, -1, 2 } }] = { 7, 8 }
  tide.HostArray{ 2, 3 }[{ 1, 2 }] = 3
end

helper.each_device(function ()

describe("in a list that tide is given, a name is an error", function ()
  for _, name in ipairs(exports.sorted(calls)) do
    it("by " .. name, function ()
      local a = tide.ones{ 2, 3 }
      assert.is_true(check_all(name, function () calls[name](a) end) > 0)
    end)
  end

  it("whatever function it is", function ()
    local device, met = tide.get_device(), 0
    for _, name in ipairs(exports.sorted(sweep)) do
      if not HANDED_ON[name] then
        local made, f = pcall(sweep[name], device)
        if made and type(f) == "function" and pcall(f) then
          met = met + check_all(name, f)
        end
      end
    end
    assert.is_true(met > 30)
  end)
end)

describe("a list", function ()
  it("may say how many it has, as those of table.pack do", function ()
    local a = tide.zeros(table.pack(2, 3))
    assert.same({ 2, 3 }, { table.unpack(a.shape) })
    assert.same({ 5, 7 }, tide.array(table.pack(5, 7)):totable())
    assert.same({ 6.0 }, tide.ones{ 2, 3 }:sum(table.pack(1, 2),
                { keepdims = true }):reshape(-1):totable())
    assert.has_error(function () tide.zeros{ 2, 3, n = 3 } end,
      "bad argument #1 to 'zeros' (field 'n' in a shape, which is lengths " ..
      "alone, {2, 3}; what else there is are arguments of their own)")
  end)

  it("may be what tide returned", function ()
    local a = tide.zeros{ 2, 3 }
    assert.same({ 2, 3 }, { table.unpack(tide.ones(a.shape).shape) })
    assert.same({}, { table.unpack(tide.ones(tide.zeros{}.shape).shape) })
    assert.same({ 2, 3 }, tide.array(a.shape):totable())
  end)

  it("may have its elements in whatever order they were put there", function ()
    for n = 1, 40 do
      local t, backwards = { gone = 1, left = 2, away = 3 }, {}
      t.gone, t.left, t.away = nil, nil, nil
      for i = n, 1, -1 do backwards[i] = i end
      for i = 1, n do t[i] = i end
      assert.same(backwards, tide.array(t):totable())
      assert.same(t, tide.array(backwards):totable())
      t.stray = 1
      backwards.stray = 1
      for _, list in ipairs{ t, backwards } do
        assert.is_false(pcall(tide.array, list))
      end
    end
  end)

  it("with a gap is refused", function ()
    local a = tide.ones{ 2, 3 }
    assert.is_false(pcall(tide.zeros, { 1, nil, 2 }))
    assert.is_false(pcall(tide.zeros, { [1] = 1, [3] = 2 }))
    assert.is_false(pcall(tide.zeros, { [2] = 1 }))
    assert.is_false(pcall(tide.array, { 1, nil, 3 }))
    assert.is_false(pcall(tide.array, { { 1 }, nil, { 3 } }))
    assert.is_false(pcall(tide.array, { [1] = 1, [3] = 2 }))
    assert.is_false(pcall(a.sum, a, { [1] = 1, [3] = 2 }))
    assert.is_false(pcall(tide.concatenate, { [1] = a, [3] = a }))
  end)

  it("with keys that are neither names nor numbers is refused", function ()
    assert.has_error(function () tide.zeros{ 2, [true] = 3 } end,
      "bad argument #1 to 'zeros' (a boolean as a key in a shape, which " ..
      "is lengths alone, {2, 3}; what else there is are arguments of their " ..
      "own)")
    assert.has_error(function () tide.zeros{ 2, [1.5] = 3 } end,
      "bad argument #1 to 'zeros' (index 1.5 apart from the others in a " ..
      "shape, which is lengths alone, {2, 3}; what else there is are " ..
      "arguments of their own)")
  end)

  it("says in which argument it is (#312)", function ()
    local a, badarg = tide.ones{ 2, 3 }, helper.badarg
    badarg(2, "field 'mode' in a pair { before, after }; options", tide.pad, a,
           { 1, 1, mode = "edge" })
    badarg(2, "field 'mode' in a pair", tide.pad, a,
           { { 1, 1 }, { 1, 1, mode = "edge" } })
    for _, name in ipairs{ "modf", "frexp" } do
      badarg(2, "field 'x' in option 'out', a list of two arrays", tide[name],
             a, { out = { a, a, x = 1 } })
    end
    badarg(2, "field 'x' in option 'axis', a list", tide.sum, a,
           { axis = { 1, x = 2 } })
    helper.fails(debug.getinfo(1, "S").short_src, function ()
      tide.array{ 1, x = 2 }
    end)
  end)
end)

end)
