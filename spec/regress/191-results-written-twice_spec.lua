--[[
Where a call takes several operations, a result that overlaps an operand was
written to before the last one; a call that began again there read what it had
written.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T = helper.T

helper.each_device(function ()

describe("a call that begins again", function ()
  local low, high = { { 1, 10000 } }, { { 51, 10050 } }

  local function base () return tide.arange(30000, "float64"):mod_(17) end

  --- op(into) writes a result over what it reads, and returns it.
  local function check (wanted, op)
    for n = 1, 6 do
      local own = base()
      T.again(n)
      local ok, z = pcall(op, own)
      T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))
      assert(ok, z)
      assert.is_true(z:eq(wanted):all():item(), n)
    end
  end

  it("has not changed what a cube is of", function ()
    local x = base()[low]
    check(x * x * x, function (a)
      return tide.pow(a[low], 3, { out = a[high] })
    end)
  end)

  it("has not copied a transpose over the other operand", function ()
    local x = base()[low]:reshape{ 100, 100 }
    local other = tide.arange(10000, "float64"):reshape{ 100, 100 }.T
    check(other:copy() - x, function (a)
      return tide.sub(other, a[low]:reshape{ 100, 100 },
                      { out = a[high]:reshape{ 100, 100 } })
    end)
    check(-x.T:copy(), function (a)
      return tide.neg(a[low]:reshape{ 100, 100 }.T,
                      { out = a[high]:reshape{ 100, 100 } })
    end)
  end)
end)

end)
