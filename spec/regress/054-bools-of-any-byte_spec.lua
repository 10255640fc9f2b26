--[[
The host twins read elements of bool arrays as C's bool, which memory that
nobody has written yet need not be: undefined behaviour, which UBSan reports.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("a bool array that was never written", function ()
  it("has some value", function ()
    local a = tide.empty(100, "bool")
    local n = a:astype "int32":sum():item()
    assert.is_true(n >= 0)
    assert.is_boolean(a:any():item())
    assert.is_boolean((a:eq(a)):all():item())
  end)
end)

end)
