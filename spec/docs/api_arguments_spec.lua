--[[
api_arguments_spec.lua - functions take as many arguments as lua/tide/api says,
and the options that it names, and no others.
]]
local tide = require "tide"
local api = require "tide.api"
local described = require "spec.support.described"
local forms, none = described.forms, described.none

--{{ how many arguments

local MANY <const> = 40

--- How many arguments fn takes, as it says of one too many; nil: any number.
local function most (fn)
  local args = {}
  for i = 1, MANY do args[i] = true end
  local _, message = pcall(fn, table.unpack(args))
  local at = tostring(message):match "#(%d+) to .-no value expected"
  return at and tonumber(at) - 1
end

local function function_of (name, there)
  local export = there[name]
  local call = export and export.call
  return type(call) == "function" and call or nil
end

describe("api: arguments", function ()
  it("are as many as the function takes", function ()
    local there, wrong, checked = described.exported(), {}, 0
    for _, name in ipairs(api.names()) do
      local fn = name:find "[%.:]%l[%w_]*$" and function_of(name, there) or
                 name:find "^tide%.%u" and function_of(name, there)
      -- what is written in Lua counts behind the object, as Lua does
      local object = name:find ":" and fn and
                     debug.getinfo(fn, "S").what == "C" and 1 or 0
      local longest, free = 0, false
      for _, entry in ipairs(fn and api.named(name) or {}) do
        for _, form in ipairs(entry.forms) do
          if form.name == name and form.params then
            local args = api.args(entry, form)
            longest = math.max(longest, #args + object)
            for _, arg in ipairs(args) do
              free = free or arg.name == "..." or arg.spread
            end
          elseif form.name == name then
            fn = nil
          end
        end
      end
      local taken = fn and not free and most(fn)
      if taken then
        checked = checked + 1
        if taken ~= longest then
          wrong[#wrong + 1] = ("%s takes %d, said to take %d"):format(
            name, taken, longest)
        end
      end
    end
    none(wrong)
    assert.is_true(checked > 150, tostring(checked))
  end)
end)

--}}

--{{ options

--- All words in quotes of the C source: each option that there is is one.
local function quoted_words ()
  local found, list = {}, {}
  local pipe <close> = assert(io.popen(
    "grep -rhoE '\"[a-z_]+\"' src --include=*.c"))
  for word in pipe:lines() do
    word = word:sub(2, -2)
    if not found[word] then
      found[word] = true
      list[#list + 1] = word
    end
  end
  return list
end

--- Returns an argument of a type, so that the options are looked at.
local function sample (one)
  local source = "__global__ void f (float *y) { y[0] = 1; }"
  local by_name = { code = source, params = "T x", out = "T y",
                    body = "y = x", map = "x", reduce = "a + b",
                    dtype = "float64", name = "f", stop = 5, root = 0,
                    path = "x.png", m = tide.ones(3):gt(0), indices = 1,
                    list = { tide.ones(3), tide.ones(3) } }
  local ints = tide.ones(3, "int32")
  local by_type = { operand = ints, Array = ints, shape = 3,
                    number = 1, integer = 1, ["integer | integer[]"] = 1 }
  if by_name[one.name] ~= nil then
    return by_name[one.name]
  end
  return by_type[one.type] or by_type[one.type:match "^[%w%[%]]+"]
end

local OBJECTS <const> = {
  Array = function () return tide.ones(3, "int32") end,
  HostArray = function () return tide.HostArray(3) end,
  Graph = function () return (tide.capture(function () end)) end,
  RawKernel = function ()
    return tide.RawKernel("__global__ void f (float *y) { y[0] = 1; }", "f")
  end,
  RawModule = function ()
    return tide.RawModule "__global__ void f (float *y) { y[0] = 1; }"
  end,
  ReductionKernel = function ()
    return tide.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "f")
  end,
  ElementwiseKernel = function ()
    return tide.ElementwiseKernel("T x", "T y", "y = x", "f")
  end,
  File = function () return tide.open "/dev/zero" end,
  Generator = function () return tide.random.Generator(1) end,
  Communicator = function () return tide.comm{ "host" } end,
  Fused = function () return tide.fuse(function (x) return -x end) end,
}

--- caller(entry, form, args) -> a function of an options table.
local function caller (form, args, there)
  local given, n = {}, 0
  if form.class then
    given[1], n = OBJECTS[form.class](), 1
  end
  for _, arg in ipairs(args) do
    if arg.name == "..." then break end
    n = n + 1
    if not arg.fields then
      given[n] = sample(arg)
    end
  end
  if args[#args].fields and args[#args - 1] and
     args[#args - 1].name == "..." then
    n = n + 1
  end
  local fn = form.kind == "method" and given[1][form.key] or
             form.kind == "function" and there[form.name].call or
             function (k, ...) return k(...) end
  return function (options)
    given[n] = options
    return pcall(fn, table.unpack(given, 1, n))
  end
end

describe("api: options #process", function ()
  -- On the host device, which needs no library for ranks.
  it("are those that tide takes, and no others", function ()
    local before = tide.get_device()
    tide.Device("host"):use()
    local there, words = described.exported(), quoted_words()
    local wrong, checked = {}, 0
    for entry, form in forms() do
      local args = form.params and api.args(entry, form) or {}
      local last = args[#args]
      if last and last.fields then
        local call, said = caller(form, args, there), {}
        for _, field in ipairs(last.fields) do
          said[field.name] = true
          local _, near = call{ [field.name .. field.name:sub(-1)] = 1 }
          if not tostring(near):find("did you mean '", 1, true) then
            wrong[#wrong + 1] = form.form .. ": " .. tostring(near)
          end
        end
        local ok, message = call{ no_such_option = 1 }
        assert(not ok and message:find("no_such_option", 1, true),
               form.form .. ": " .. tostring(message))
        for _, word in ipairs(words) do
          _, message = call{ [word] = io.stdout }
          local known = not tostring(message):find("unknown option", 1, true)
          if known ~= (said[word] or false) then
            wrong[#wrong + 1] = ("%s: '%s' is %s"):format(form.form, word,
              known and "taken, and not said" or "said, and not taken")
          end
          checked = checked + 1
        end
      end
    end
    before:use()
    none(wrong)
    assert.is_true(checked > 10000, tostring(checked))
  end)
end)

--}}
