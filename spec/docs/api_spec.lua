--[[
api_spec.lua - what lua/tide/api says is true: each name that tide exports has
an entry, each entry has a name that exists, fields have the documented types,
examples run and print what they say. The numbers of arguments and the options
are in api_arguments_spec.lua, functions that wait in api_waits_spec.lua.
]]
local tide = require "tide"
local api = require "tide.api"
local example = require "spec.support.example"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local described = require "spec.support.described"
local forms, none = described.forms, described.none

describe("api: names", function ()
  it("every export has an entry", function ()
    local missing = {}
    for name in pairs(described.exported()) do
      missing[#missing + 1] = not api.named(name) and name or nil
    end
    none(missing)
  end)

  it("every constant of the module has one", function ()
    local missing = {}
    for name, value in pairs(tide) do
      if type(value) ~= "function" and type(value) ~= "table" then
        missing[#missing + 1] = not api.named("tide." .. name) and name or nil
      end
    end
    none(missing)
  end)

  it("every class of scripts is one of the pages", function ()
    local missing, classes = {}, api.classes()
    for _, class in ipairs(exports.classes()) do
      if not described.INTERNAL[class.name] and not classes[class.name] then
        missing[#missing + 1] = class.name
      end
    end
    none(missing)
    assert.is_nil(classes.Symbol)
  end)

  it("no entry is of what does not exist", function ()
    local there, wrong = described.exported(), {}
    for _, name in ipairs(api.names()) do
      local last = name:match "[%w_]+$"
      local owner = name:match "^tide%.(.*)%.[%w_]+$"
      local module = owner and tide[owner] or tide
      if not there[name] and not described.EVERYWHERE[last] and
         not (name:find "^tide%." and rawget(module, last) ~= nil) then
        wrong[#wrong + 1] = name
      end
    end
    none(wrong)
  end)

  it("each is described on one page", function ()
    local wrong = {}
    for _, name in ipairs(api.names()) do
      local list = api.named(name)
      for _, entry in ipairs(list) do
        if entry.page ~= list[1].page then
          wrong[#wrong + 1] = name
        end
      end
    end
    none(wrong)
  end)

  it("rows that point elsewhere point at something", function ()
    for _, entry in ipairs(api.entries()) do
      if entry.see then
        assert.is_truthy(api.named(entry.see), entry[1])
      end
    end
  end)
end)

--{{ types

local BASIC <const> = {
  any = true, boolean = true, float = true, integer = true,
  lightuserdata = true, number = true, string = true, table = true,
  userdata = true, ["nil"] = true, ["function"] = true
}

--- Appends to 'into' each type that has an unknown atom.
local function unknown_types (text, owner, into)
  for one in (text .. "|"):gmatch "%s*(.-)%s*|" do
    for atom in (one .. ","):gmatch "%s*(.-)%s*," do
      local name = atom:gsub("%[%]$", ""):gsub("%?$", "")
      if not (BASIC[name] or api.classes()[name] or
              api.words.types[name] or name:find '^"[%w_]+"$' or
              api.words.objects[name] or name == "..." or name == owner) then
        into[#into + 1] = text
      end
    end
  end
end

describe("api: types", function ()
  it("of arguments are known, and all arguments have one", function ()
    local wrong = {}
    for entry, form in forms() do
      for _, param in ipairs(api.args(entry, form)) do
        for _, one in ipairs(param.fields or { param }) do
          unknown_types(one.type, nil, wrong)
        end
      end
    end
    none(wrong)
  end)

  it("of results and fields are known, and all fields have one", function ()
    local wrong = {}
    for entry, form in forms() do
      local said = entry.type or entry.returns
      if said and said ~= "nil" then
        unknown_types(api.argument(said).type, form.owner, wrong)
      end
      if form.kind == "field" then
        assert.is_truthy(said, form.form)
      end
    end
    none(wrong)
  end)

  it("are those of the fields", function ()
    local a, h = tide.ones{ 2, 3 }, tide.HostArray{ 2, 3 }
    local s = tide.Stream()
    local objects = { Array = a, HostArray = h, Stream = s,
                      Event = s:record(), Device = tide.get_device(),
                      Complex = tide.complex(1, 2) }
    local checked = 0
    for entry, form in forms() do
      local object = form.kind == "field" and objects[form.class]
      if object then
        local type_name = api.argument(entry.type).type
        local value = object[form.key]
        local got = math.type(value) or getmetatable(value) and
                    type(getmetatable(value)) == "string" and
                    getmetatable(value):match "%w+$" or type(value)
        local names = { ["integer[]"] = "table", dtype = "string",
                        number = "float" }
        assert.are.equal(names[type_name] or type_name, got, form.name)
        checked = checked + 1
      end
    end
    assert.is_true(checked > 30)
  end)

  it("that are strings of a list have all of it on the page", function ()
    local missing, n = {}, 0
    for _, entry in ipairs(api.entries()) do
      local file <close> = io.open("docs/api/" .. entry.page.name .. ".md")
      local text <const> = file:read "a"
      for _, form in ipairs(entry.forms) do
        for _, param in ipairs(api.args(entry, form)) do
          for _, one in ipairs(param.fields or { param }) do
            for value in one.type:gmatch '"[^"]+"' do
              n = n + 1
              missing[#missing + 1] = not text:find(value, 1, true) and
                form.form .. ": " .. one.name .. " = " .. value or nil
            end
          end
        end
      end
    end
    assert.same({}, missing)
    assert.is_true(n > 100)
  end)

  it("no argument is explained that no form has", function ()
    local wrong = {}
    for _, entry in ipairs(described.entries()) do
      local there = {}
      for _, form in ipairs(entry.forms) do
        for _, param in ipairs(api.args(entry, form)) do
          for _, one in ipairs(param.fields or { param }) do
            there[one.name] = true
          end
        end
      end
      for name in pairs(entry.args or {}) do
        wrong[#wrong + 1] = not there[name] and entry[1] .. " " .. name or nil
      end
    end
    none(wrong)
  end)

  it("entries have no other fields", function ()
    local KNOWN <const> = {
      inplace = true, returns = true, type = true, text = true, args = true,
      waits = true, raises = true, example = true, also = true, see = true,
      group = true, page = true, section = true, forms = true
    }
    for _, entry in ipairs(api.entries()) do
      for key in pairs(entry) do
        assert.is_true(math.type(key) == "integer" or KNOWN[key],
                       entry[1] .. ": " .. tostring(key))
      end
    end
  end)
end)

--}}

--{{ examples

describe("api: examples on the host device", function ()
  local function settle ()
    helper.settle()
    tide.set_default_dtype "float64"
  end

  it("every entry has one", function ()
    local without = {}
    for _, entry in ipairs(described.entries()) do
      without[#without + 1] = not entry.example and entry[1] or nil
    end
    none(without)
  end)

  it("run, and print what they say", function ()
    local wrong, compared = {}, 0
    tide.Device "host":use()
    for _, entry in ipairs(described.entries()) do
      local ok, said = pcall(example.run, tide, entry.example)
      if ok then
        compared = compared + said
      else
        wrong[#wrong + 1] = entry[1] .. ": " .. tostring(said)
      end
    end
    settle()
    none(wrong)
    assert.is_true(compared > 250, tostring(compared))
  end)

  it("that print another thing are noticed", function ()
    assert.has_error(function () example.run(tide, "1 + 1 --> 3") end,
                     "line 1 printed '2', not '3'")
    assert.has_error(function ()
      example.run(tide, "a = tide.arange(3)\na  --> [0 1 3]")
    end)
    assert.has_error(function () example.run(tide, "nothing()") end)
    assert.are.equal(1, example.run(tide, "print(1, 2) --> 1 2"))
  end)
end)

--}}

--{{ stubs

describe("library/tide.lua", function ()
  local file <close> = assert(io.open("library/tide.lua", "rb"))
  local text = file:read "a"

  it("is Lua", function ()
    assert.is_truthy(load(text, "@library/tide.lua", "t"))
  end)

  it("has every function, method and field", function ()
    local missing = {}
    for _, name in ipairs(api.names()) do
      local form = api.named(name)[1].forms[1]
      local last = name:match "[%w_]+$"
      local there = text:find("function " .. name .. "(", 1, true) or
                    text:find("---@field " .. last .. " ", 1, true) or
                    text:find("\n" .. name .. " = ", 1, true) or
                    last:find "^__"
      missing[#missing + 1] = not there and name .. " " .. form.kind or nil
    end
    none(missing)
  end)

  it("names no type that it does not define", function ()
    local defined, missing = {}, {}
    for name in text:gmatch "%-%-%-@%l+ (tide[%w_.]*)" do
      defined[name] = true
    end
    for word, rest in text:gmatch "%-%-%-@(%l+) ([^\n]+)" do
      local types = (word == "param" or word == "field") and
                    rest:match "^%S+ (%S+)" or rest
      for name in types:gmatch "tide%.[%w_.]*[%w_]" do
        missing[#missing + 1] = not defined[name] and name or nil
      end
    end
    none(missing)
  end)
end)

--}}
