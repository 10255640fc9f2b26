--[[
exports.lua - what tide exports, asked of tide itself: the functions of the
module, and of each class its methods, fields and metamethods. The sweep wants
a call for each, the fuzzer calls them all; neither has a list of its own.
]]
local exports = {}

-- Tables whose functions are not exported: only testing builds have T.
local NONE = { T = true }

--- sorted(t) -> its keys, in order.
local function sorted (t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

exports.sorted = sorted

--- through[name]: scripts cannot get at metamethods, so they are called as Lua
-- calls them.
exports.through = {
  __add = function (a, b) return a + b end,
  __sub = function (a, b) return a - b end,
  __mul = function (a, b) return a * b end,
  __div = function (a, b) return a / b end,
  __mod = function (a, b) return a % b end,
  __pow = function (a, b) return a ^ b end,
  __idiv = function (a, b) return a // b end,
  __band = function (a, b) return a & b end,
  __bor = function (a, b) return a | b end,
  __bxor = function (a, b) return a ~ b end,
  __shl = function (a, b) return a << b end,
  __shr = function (a, b) return a >> b end,
  __unm = function (a) return -a end,
  __bnot = function (a) return ~a end,
  __len = function (a) return #a end,
  __pairs = function (a) for _ in pairs(a) do end end,
  __lt = function (a, b) return a < b end,
  __le = function (a, b) return a <= b end,
  __eq = function (a, b) return a == b end,
  __index = function (a, key) return a[key] end,
  __newindex = function (a, key, value) a[key] = value end,
  __tostring = function (a) return tostring(a) end,
  __call = function (a, ...) return a(...) end,
  __close = function (a) local _ <close> = a end,
  __gc = function () collectgarbage() end,
}

--- classes() -> { name =, meta =, methods =, fields = } of each class: of all
-- metatables that class.c made, whose __index has both as upvalues. By name.
function exports.classes ()
  local found = {}
  for _, meta in pairs(debug.getregistry()) do
    local name = type(meta) == "table" and rawget(meta, "__name")
    local index = name and rawget(meta, "__index")
    if type(name) == "string" and name:find "^tide%." and
       type(index) == "function" then
      local _, methods = debug.getupvalue(index, 2)
      local _, fields = debug.getupvalue(index, 3)
      found[#found + 1] = { name = name:match "%w+$", meta = meta,
                            methods = methods, fields = fields }
    end
  end
  table.sort(found, function (a, b) return a.name < b.name end)
  return found
end

local function add_module (list, prefix, module)
  for _, name in ipairs(sorted(module)) do
    local value = module[name]
    if type(value) == "table" and not NONE[name] then
      local meta = getmetatable(value) or {}
      if meta.__call then
        list[#list + 1] = { name = prefix .. name, call = value }
      end
      add_module(list, prefix .. name .. ".", value)
    elseif type(value) == "function" then
      list[#list + 1] = { name = prefix .. name, call = value }
    end
  end
end

-- A HostArray's operators only raise an error that names the types with them.
local OPERATORS = {}
for name in ([[add band bnot bor bxor div idiv le lt mod mul pow shl shr sub
               unm]]):gmatch "%a+" do
  OPERATORS["__" .. name] = true
end

local function add_class (list, class)
  for _, name in ipairs(sorted(class.methods)) do
    list[#list + 1] = { name = class.name .. ":" .. name, class = class.name,
                        call = class.methods[name] }
  end
  for _, name in ipairs(sorted(class.fields)) do
    list[#list + 1] = { name = class.name .. "." .. name, class = class.name,
                        call = function (object) return object[name] end }
  end
  for _, name in ipairs(sorted(class.meta)) do
    local value = class.meta[name]
    if type(value) == "function" and
       not (class.name == "HostArray" and OPERATORS[name]) then
      list[#list + 1] = { name = class.name .. "." .. name,
                          class = class.name,
                          call = assert(exports.through[name], name) }
    end
  end
end

--- list(tide) -> { name =, class =, call = } of everything there is to call, in
-- an order that is always the same. Names: "tide.zeros", "tide.Stream.null"
-- (a value, left out), "Stream:record", "Stream.done", "Stream.__eq".
function exports.list (tide)
  local list = {}
  add_module(list, "tide.", tide)
  for _, class in ipairs(exports.classes()) do
    add_class(list, class)
  end
  return list
end

return exports
