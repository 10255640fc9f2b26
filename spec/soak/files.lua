--[[
files.lua - the files of a random program (program.lua). Each has three handles,
by two paths, and its elements in a table, as arrays have; what is read and
written are runs of elements, at places of which no page knows.

A file is emptied and closed with work under way. At the end all that it holds
is compared.
]]
local tide = require "tide"
local log = require "spec.soak.log"

local files = {}

local HELD <const> = 160   -- elements that a file has from the beginning,
local MOST <const> = 224   -- and may have
local BEGIN <const> = 4096 - 8 * 100 - 3  -- bytes before the first
local HANDLES <const> = 3  -- the last one is to read from alone

--{{ one file

local function pack (values, from, n)
  local list = {}
  for i = 1, n do list[i] = string.pack("=i8", values[from + i - 1]) end
  return table.concat(list)
end

--- Returns the bytes that the file should hold.
local function contents (file)
  return ("\0"):rep(BEGIN) .. pack(file, 1, file.held)
end

local function open_handle (file, pick, at)
  return tide.open(file.paths[pick(2)], at == HANDLES and "r" or "r+")
end

--- A file of random elements, which has a second path.
function files.new (pick)
  local path = os.tmpname()
  local file = { claims = setmetatable({}, { __mode = "k" }), handles = {},
                 name = log.name "file", held = HELD,
                 paths = { path, (path:gsub("[^/]*$", "./%0")) } }
  for i = 1, MOST do file[i] = i <= HELD and pick(1000) or 0 end
  local out <close> = assert(io.open(path, "wb"))
  assert(out:write(contents(file)))
  assert(out:close())
  for at = 1, HANDLES do file.handles[at] = open_handle(file, pick, at) end
  return file
end

--- Returns the paths to remove at the end, without a reference to the files.
function files.paths (list)
  local paths = {}
  for _, file in ipairs(list) do
    paths[#paths + 1] = file.paths[1]
  end
  return paths
end

--- Raises unless the file, with which all is done, is as it should be.
function files.same (world, file)
  local from <close> = assert(io.open(file.paths[1], "rb"))
  local got, wanted = from:read "a", contents(file)
  local size = file.handles[1].size
  if got == wanted and size == #wanted then return end
  local at = 1
  while at <= #got and got:byte(at) == wanted:byte(at) do at = at + 1 end
  error(("%s has %d bytes, of which size says %d, and should have %d; they " ..
         "differ from byte %d on, of element %d\n%s"):format(
    file.name, #got, size, #wanted, at - 1, (at - 1 - BEGIN) // 8 + 1,
    log.text(world, file.name)), 0)
end

--}}

--{{ kinds of operations: x.f is a file, x.handle one of its handles

--- From or to which byte of the file.
local function offset (at) return BEGIN + 8 * (at - 1) end

local function read (x, array)
  x.f.handles[x.handle]:read(array, offset(x.from))
end

local function write (x, array)
  x.f.handles[(x.handle - 1) % (HANDLES - 1) + 1]:write(array, offset(x.at))
end

local function write_model (x, from, first, n)
  table.move(from, first, first + n - 1, x.at, x.f)
  x.f.held = math.max(x.f.held, x.at + n - 1)
end

--- Numbers that say where: runs of n + 1 elements, of which a file always has
-- those that are read.
function files.choose (x, pick)
  x.handle = pick(HANDLES)
  x.from = pick(HELD - x.n)
  x.at = pick(MOST - x.n)
end

local parts = {
  a = function (array, i, j) return array:slice(i, j) end,
  h = function (array, i, j) return array[{ {i, j} }] end
}

--- The kinds; step(uses, queue, model) is of operations.lua.
function files.kinds (step)
  local kinds = {}
  local function add (name, ...)
    kinds[#kinds + 1] = { name = name, files = true, ... }
  end
  for _, key in ipairs{ "a", "h" } do
    local part = parts[key]
    local kind = key == "a" and "an array" or "a host array"
    add("a file into a part of " .. kind,
        step(key:upper() .. "f", function (x)
          read(x, part(x[key].array, x.i, x.i + x.n))
        end, function (x)
          table.move(x.f, x.from, x.from + x.n, x.i, x[key])
        end))
    add("a part of " .. kind .. " into a file",
        step("F" .. key, function (x)
          write(x, part(x[key].array, x.i, x.i + x.n))
        end, function (x) write_model(x, x[key], x.i, x.n + 1) end))
  end
  add("a temporary into a file and back",
      step("b", function (x)
        x.t = x.b.array:slice(x.j, x.j + x.n) * 3
      end, function (x)
        x.m = {}
        for k = 0, x.n do x.m[k + 1] = x.b[x.j + k] * 3 end
      end),
      step("F", function (x)
        write(x, x.t)
        x.t = nil
      end, function (x) write_model(x, x.m, 1, x.n + 1) end),
      step("f", function (x)
        x.t = tide.empty(x.n + 1, "int64")
        read(x, x.t)
      end, function (x)
        x.m = table.move(x.f, x.from, x.from + x.n, 1, {})
      end),
      step("A", function (x)
        x.a.array:slice(x.i, x.i + x.n):add_(x.t)
      end, function (x)
        for k = 0, x.n do x.a[x.i + k] = x.a[x.i + k] + x.m[k + 1] end
      end))
  return kinds
end

--}}

--{{ rounds

local function choose (world, pick)
  local file = world.files[pick(#world.files)]
  return next(file.claims) == nil and file or nil
end

--- One of its handles is closed, or dropped, whatever it has under way.
function files.reopen (world, pick)
  local file, at, closes = choose(world, pick), pick(HANDLES), pick(2) == 1
  if not file then return end
  log.add_pair(world, "opens handle " .. at, nil, "A", file)
  local old = file.handles[at]
  file.handles[at] = open_handle(file, pick, at)
  if closes then old:close() end
end

--- Empties a file by opening it, and writes HELD elements. The claim keeps
-- other readers away meanwhile.
function files.empty (world, pick)
  local file, s = choose(world, pick), world.streams[pick(#world.streams)]
  if not file then return end
  local key = {}
  file.claims[key] = true
  log.add_pair(world, "empties", s, "A", file)
  local f <close> = tide.open(file.paths[pick(2)], "w")
  for i = 1, MOST do file[i] = 0 end
  file.held = HELD
  s:with(function ()
    f:write(tide.full(HELD, 7, "int64"), BEGIN)
  end)
  for i = 1, HELD do file[i] = 7 end
  file.claims[key] = nil
end

--}}

return files
