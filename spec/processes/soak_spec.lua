--[[
soak_spec.lua - a few seconds of `make soak`: random programs give what the same
programs give in plain Lua (spec/soak/program.lua), alone and on threads with
lua_States of their own (spec/embed/soak.c). random_spec.lua is about arrays
across streams alone, with more of them at a time.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local run = require "spec.soak.program"
local fails = helper.fails

helper.each_device(function (kind)

describe("random programs", function ()
  for first = 1, 31, 10 do
    it(("give what their model gives, seeds from %d on"):format(first),
    function ()
      local tried, refused = 0, 0
      for seed = first, first + 9 do
        local n, m = run(seed, 200, "alone")
        tried, refused = tried + n, refused + m
      end
      assert(tried > 100 and refused * 8 < tried, refused .. " refused")
    end)
  end

  it("are told about when they do not: elements, and what came before",
  function ()
    local operations = require "spec.soak.operations"
    local world = { log = require "spec.soak.log".new(), streams = {},
                    inside = 0, wanted = 2, ran = 1, round = 7 }
    local a, b = operations.new_array(1), operations.new_array(2)
    local c, d = operations.new_array(3), operations.new_array(4)
    local h, s = operations.new_host(), tide.Stream{ non_blocking = true }
    local function add (x, y)
      operations.do_kind(world, 1, x, y, h)
    end
    s:with(function () add(b, c) end)
    add(d, d)
    add(a, b)
    a[5], a[9] = 0, 1
    local ok, message = pcall(operations.same, world, a, "an array")
    assert.is_false(ok)
    for _, text in ipairs{
      "an array %(array 1%), read on stream %d+ %(null%), after 2 functions",
      "2 of 64 elements differ: %[5%] 30, not 0; %[9%] 54, not 1",
      "later, by totable: 2 of 64", "later, by tobytes: 2 of 64",
      "later, by a copy on the null stream: 2 of 64",
      "round   7 on stream 1 %(non%-blocking%): add, step 1 of 1 " ..
      "%[writes array 2, reads array 3"
    } do
      assert(message:find(text), message)
    end
    assert.is_nil(message:find "array 4")
  end)

  it("are told about files that are not as they should be", function ()
    local files = require "spec.soak.files"
    local pick = require "spec.support.generator" (1)
    local world = { log = require "spec.soak.log".new() }
    local file = files.new(pick)
    files.same(world, file)
    file.handles[2]:write(tide.full(3, -1, "int64"), file.handles[1].size)
    tide.get_device():synchronize()
    fails("file 1 has 4597 bytes, of which size says 4597, and should have " ..
          "4573; they differ from byte 4573 on, of element 161", files.same,
          world, file)
    for i = 1, 3 do file[file.held + i] = -1 end
    file.held = file.held + 3
    files.same(world, file)
    file[5] = file[5] + 1
    fails("of element 5\n", files.same, world, file)
    for _, path in ipairs(files.paths{ file }) do os.remove(path) end
  end)

  helper.host_it("do so on a device that is not the default one #process",
  function ()
    local printed = helper.child_on("host", [[
      package.path = "./?.lua;" .. package.path
      require "tide".Device "host:1":use()
      for seed = 1, 20 do require "spec.soak.program" (seed, 200, "alone") end
      print "ok"
    ]], { TIDE_HOST_DEVICES = "2" })
    assert.equal("ok\n", printed)
  end)

  it("do so on threads of their own #process", function ()
    helper.program_in({ TIDE_HOST_DEVICES = "2" }, kind, "soak", "-q", 3, 1000,
                      3)
  end)
end)

end)
