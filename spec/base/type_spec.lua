--[[
type_spec.lua - '.' for ':' and ':' for '.': the error says it, and the call
does nothing else.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local badarg = helper.badarg

local COLON = "a method is called with ':'"
local DOT = "(a function of a module is called with '.')"

helper.each_device(function ()

-- A Symbol, which fuse passes, has error messages of its own.
local function methods_of (class)
  return class.name == "Symbol" and {} or exports.sorted(class.methods)
end

describe("a method without its object", function ()
  for _, class in ipairs(exports.classes()) do
    local expected = ("tide.%s expected, got "):format(class.name)
    for _, name in ipairs(methods_of(class)) do
      it("is told: " .. class.name .. "." .. name, function ()
        local method = class.methods[name]
        local wrong = {
          [3] = "number", [print] = "function", [{}] = "table",
          [tide.Stream.ptds] = class.name ~= "Stream" and "tide.Stream" or nil
        }
        badarg(1, expected .. "no value; " .. COLON, function () method() end)
        for value, kind in pairs(wrong) do
          badarg(1, expected .. kind .. "; " .. COLON, function ()
            method(value)
          end)
        end
      end)
    end
  end

  it("is told where an argument looks like one", function ()
    local a, h, e = tide.ones(3), tide.HostArray(3), tide.Event()
    badarg(1, "tide.Array expected, got number; " .. COLON, function ()
      a.add(3)
    end)
    badarg(1, "tide.HostArray expected, got tide.Array; " .. COLON, function ()
      h.copy_from(a)
    end)
    badarg(1, "tide.Event expected, got tide.Stream; " .. COLON, function ()
      e.record(tide.Stream.null)
    end)
    e:close()
  end)

  it("runs nothing", function ()
    local s <close>, ran = tide.Stream{ non_blocking = true }, false
    badarg(1, "tide.Stream expected, got function", function ()
      s.with(function () ran = true end)
    end)
    assert.is_false(ran)
  end)
end)

it("a function of the module is no method", function ()
  for _, name in ipairs{ "sum", "save", "with_stream", "matmul" } do
    local message = helper.fails("bad argument", tide[name])
    assert.is_nil(message:find(COLON, 1, true), message)
  end
end)

describe("a function with its module", function ()
  local function sweep (prefix, module)
    for _, name in ipairs(exports.sorted(module)) do
      if type(module[name]) == "function" then
        it("is told: " .. prefix .. name, function ()
          for _, arg in ipairs{ 3, "x", print, {} } do
            local message = helper.fails(DOT, function ()
              local fn <const> = module[name]
              return fn(module, arg), nil
            end)
            assert.is_truthy(message:find "^spec/base/type_spec.lua:%d+: ",
                             message)
          end
          if module[name] ~= tide.help then  -- which may be asked about it
            helper.fails(DOT, function () return module[name](module), nil end)
          end
        end)
      end
    end
  end
  sweep("tide:", tide)
  sweep("tide.random:", tide.random)

  it("is told in Lua's own form", function ()
    helper.fails("calling 'zeros' on bad self " .. DOT, function ()
      tide:zeros()
    end)
    helper.fails("calling 'capture' on bad self " .. DOT, function ()
      tide:capture(print)
    end)
  end)
end)

end)
