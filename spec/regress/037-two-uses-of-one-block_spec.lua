--[[
037: an operation that reads one part of a block and writes another leaves two
marks on it, but room was made for one: the second was written past the block.
The suite with address sanitizer sees that; random parts check the order.
]]
local tide = require "tide"
local helper = require "spec.support.helper"

helper.each_device(function ()

describe("an operation with two uses of one block", function ()
  it("has room for both", function ()
    for n = 2, 40 do
      local a = tide.arange(1, n + 1)
      for i = 1, n - 1 do
        a:slice(i, i):copy_from(a:slice(i + 1, i + 1))
      end
      a:slice(1, 1):add_(a:slice(n))
      a:sum{ out = a:slice(n):reshape{} }
      assert.equal(n + 2, a[1])
      assert.equal(n * (n + 1) // 2 - 1 + 2 * n, a[n])
    end
  end)

  it("has room for three on many streams", function ()
    local streams, a = {}, tide.arange(0, 60)
    for k = 1, 30 do
      streams[k] = tide.Stream{ non_blocking = true }
      streams[k]:with(function ()
        local x, y = a:slice(2 * k - 1, 2 * k - 1), a:slice(2 * k, 2 * k)
        tide.add(x, y, { out = x })
        tide.sub(x, y, { out = y })
      end)
    end
    for i, x in ipairs(a:totable()) do
      assert.equal(i % 2 == 1 and 2 * i - 1 or i - 2, x)
    end
    for _, s in ipairs(streams) do
      s:close()
    end
  end)

  it("has room for both in a graph", function ()
    local a = tide.arange(1, 11)
    local g <close> = tide.capture(function ()
      for i = 1, 9 do
        a:slice(i, i):copy_from(a:slice(i + 1, i + 1))
      end
    end)
    for _ = 1, 3 do
      g:launch()
    end
    assert.same({ 4, 5, 6, 7, 8, 9, 10, 10, 10, 10 }, a:totable())
  end)
end)

end)
