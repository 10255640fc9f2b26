--[[
place_spec.lua - an error begins with the place in Lua that called: every
function and method, called wrongly by a plain statement.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"

helper.each_device(function ()

-- Objects of the kernel types are in the specs of kernels.
local make = {
  Array = function () return tide.ones{ 2, 3 } end,
  HostArray = function () return tide.HostArray{ 2, 3 } end,
  Stream = function () return tide.Stream{ non_blocking = true } end,
  Event = function () return tide.Event() end,
  Device = function () return tide.get_device() end,
  Graph = function () return (tide.capture(function () end)) end,
  File = function () return tide.open "/proc/self/exe" end
}

local function nothing () end

-- Lists of arguments of which none is right for everything.
local function wrong ()
  local a, b = tide.ones{ 2, 3 }, tide.ones{ 4, 5 }
  return {
    {}, { nothing }, { {} }, { "no/such" }, { -1 }, { 1e30 }, { 0 / 0 },
    { io.tmpfile() }, { { -1 } }, { { x = 1 } }, { a, b }, { { a, b } },
    { a, a, a, a, a, a, a, a }, { b }, { b, b }, { a, 9 }, { a, { 9 } },
    { b, { 7, 7, 7 } }, { a, -9, -9 }, { "no/such", "no/such" }, { { 1, {} } },
    { a, "no/such" }, { a, { nonesuch = 1 } }
  }
end

-- It destroys what others have; they wait as long as they are told.
local LEFT_OUT = { ["Device:reset"] = true, ["tide.sleep"] = true,
                   ["tide.poll"] = true }

local function is_called (export)
  return not LEFT_OUT[export.name] and not export.name:find "%.__gc$" and
         (not export.class or make[export.class])
end

local function check (export, args)
  local self = export.class and make[export.class]()
  local ok, err = pcall(function ()
    if self then
      local _ = export.call(self, table.unpack(args))
    else
      local _ = export.call(table.unpack(args))
    end
  end)
  assert(ok or err:find "^[%w_./-]+%.lua:%d+: ", err)
end

for _, export in ipairs(exports.list(tide)) do
  if is_called(export) then
    it("errors have a place: " .. export.name, function ()
      for _, args in ipairs(wrong()) do
        check(export, args)
      end
    end)
  end
end

end)
