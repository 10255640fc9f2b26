--[[
model.lua - what views of arrays are, in plain Lua: a shape and, in row-major
order, the places in the memory of the array that they were made of. And views
at random, of both.
]]
local model = {}

local function product (shape)
  local n = 1
  for _, k in ipairs(shape) do
    n = n * k
  end
  return n
end

--- new(shape) -> the whole of an array.
function model.new (shape)
  local m = { shape = shape, at = {} }
  for i = 1, product(shape) do
    m.at[i] = i
  end
  return m
end

--- Calls fn(i1, i2 ...) for each element of a shape, in order.
local function each (shape, fn, ...)
  local axis = select("#", ...) + 1
  if axis > #shape then
    fn(...)
    return
  end
  local index = { ... }
  for i = 1, shape[axis] do
    index[axis] = i
    each(shape, fn, table.unpack(index, 1, axis))
  end
end

model.each = each

--- The place of an element.
function model.place (m, index)
  local at = 0
  for axis, n in ipairs(m.shape) do
    at = at * n + index[axis] - 1
  end
  return m.at[at + 1]
end

--- make(shape, fn): the view whose element (i ...) is that of m at fn{i ...}.
function model.make (m, shape, fn)
  local v = { shape = shape, at = {} }
  each(shape, function (...)
    v.at[#v.at + 1] = model.place(m, fn{ ... })
  end)
  return v
end

--- values(m, memory) -> list of the elements, row-major.
function model.values (m, memory)
  local list = {}
  for i, at in ipairs(m.at) do
    list[i] = memory[at]
  end
  return list
end

--- nested(shape, list) -> what totable gives.
function model.nested (shape, list)
  local next = 0
  local function below (axis)
    if axis > #shape then
      next = next + 1
      return list[next]
    end
    local t = {}
    for i = 1, shape[axis] do
      t[i] = below(axis + 1)
    end
    return t
  end
  return below(1)
end

--{{ operations: each gives the view, and does the same to an array

function model.permute (m, a, axes)
  local shape = {}
  for i, axis in ipairs(axes) do
    shape[i] = m.shape[axis]
  end
  return model.make(m, shape, function (index)
    local own = {}
    for i, axis in ipairs(axes) do
      own[axis] = index[i]
    end
    return own
  end), a:permute(axes)
end

function model.flip (m, a, axis)
  return model.make(m, m.shape, function (index)
    index[axis] = m.shape[axis] + 1 - index[axis]
    return index
  end), a:flip(axis)
end

--- key: an integer or {first, last, step} for each axis.
function model.index (m, a, key)
  local shape, kept = {}, {}
  for axis, k in ipairs(key) do
    if type(k) == "table" then
      local size = 0
      for _ = k[1], k[2], k[3] do
        size = size + 1
      end
      shape[#shape + 1] = size
      kept[#kept + 1] = axis
    end
  end
  return model.make(m, shape, function (index)
    local own = table.move(key, 1, #key, 1, {})
    for i, axis in ipairs(kept) do
      own[axis] = key[axis][1] + (index[i] - 1) * key[axis][3]
    end
    return own
  end), a[{ table.unpack(key) }]
end

function model.reshape (m, a, shape)
  return { shape = shape, at = m.at }, a:reshape(shape)
end

function model.broadcast (m, a, shape)
  local more = #shape - #m.shape
  return model.make(m, shape, function (index)
    local own = {}
    for axis, n in ipairs(m.shape) do
      own[axis] = n == 1 and 1 or index[axis + more]
    end
    return own
  end), a and a:broadcast_to(shape)
end

--}}

--{{ at random; pick(n) gives 1 to n

function model.random_shape (pick, axes, most)
  local shape = {}
  for i = 1, pick(axes + 1) - 1 do
    shape[i] = pick(most)
  end
  return shape
end

local function random_key (pick, shape)
  local key = {}
  for axis, n in ipairs(shape) do
    local i, j, step = pick(n), pick(n), pick(3)
    if pick(5) == 1 and axis < #shape then
      key[axis] = i
    elseif pick(2) == 1 then
      key[axis] = { math.min(i, j), math.max(i, j), step }
    else
      key[axis] = { math.max(i, j), math.min(i, j), -step }
    end
  end
  return key
end

local function random_order (pick, n)
  local axes = {}
  for i = 1, n do
    table.insert(axes, pick(i), i)
  end
  return axes
end

--- A view of a view; memory that is shared stays shared.
local steps = {
  function (m, a, pick)
    return model.permute(m, a, random_order(pick, #m.shape))
  end,
  function (m, a, pick)
    return model.index(m, a, random_key(pick, m.shape))
  end,
  function (m, a, pick)
    if #m.shape == 0 then
      return m, a
    end
    return model.flip(m, a, pick(#m.shape))
  end,
  function (m, a, pick)  -- an axis of one element more
    local shape = table.move(m.shape, 1, #m.shape, 1, {})
    local axis = pick(#shape + 1)
    table.insert(shape, axis, 1)
    return { shape = shape, at = m.at }, a:expand_dims(axis)
  end
}

--- random_view(a, pick) -> model, view of the array
function model.random_view (a, pick)
  local m = model.new(a.shape)
  for _ = 1, pick(4) - 1 do
    m, a = steps[pick(#steps)](m, a, pick)
    if math.type(a) or #m.at == 0 then
      break
    end
  end
  return m, a
end

--}}

return model
