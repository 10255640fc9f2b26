--[[
A loop that opens a file, queues a read, and closes it ran out of descriptors:
each file keeps its own until its work is done, and one that was no more than
garbage until it is collected. Both were looked for by nobody. What had been
done kept its file as well, until somebody asked for its error. And the program
needs some descriptors itself, also if a collection takes long.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"

helper.each_device(function (kind)

describe("files, with few descriptors #process", function ()
  local function run (loop, most)
    local pipe = io.popen(("ulimit -n %d; exec env TIDE_DEVICE=%s %s " ..
      "timeout 100 %s -e %s 2>&1"):format(most or 96, kind, child.paths(),
      child.lua, child.quote([[
        local tide = require "tide"
        local path = os.tmpname()
        tide.save(path, tide.arange(1000, "float32"))
        local size = tide.open(path).size
        local x = tide.empty(size, "uint8")
        local function open () return tide.open(path) end
      ]] .. loop .. [[
        os.remove(path)
        print(x:sum():item() > 0)
      ]])))
    local printed = pipe:read "a"
    pipe:close()
    assert.equal("true\n", printed)
  end

  it("are closed once their work is done", function ()
    run [[
      for _ = 1, 2000 do
        local f <close> = open()
        f:read(x)
      end
    ]]
  end)

  it("are collected", function ()
    run "for _ = 1, 2000 do open():read(x) end"
  end)

  it("make room for those that are read or written as a whole", function ()
    run [[
      local other = os.tmpname()
      for i = 1, 1000 do
        open():read(x)
        if i % 3 == 0 then assert(tide.load(path)[1000] == 999) end
        if i % 5 == 0 then tide.save(other, x) end
      end
      os.remove(other)
    ]]
  end)

  it("leave some to the program", function ()
    for _, last in ipairs{ "", "f:close()" } do
      run([[
        local heap = {}
        for i = 1, 300000 do heap[i] = { i } end
        for i = 1, 2000 do
          local f = open()
          f:read(x)
          ]] .. last .. [[
          if i % 100 == 0 then
            local ls <close> = io.popen "ls /proc/$PPID/fd | wc -l"
            local n = ls:read "n"
            assert(n < 600, n)
          end
        end
      ]], 1024)
    end
  end)

  it("run out where they are kept", function ()
    run [[
      local list = {}
      local ok, why = pcall(function ()
        for i = 1, 1000 do
          list[i] = open()
          list[i]:read(x)
        end
      end)
      assert(not ok and why:find("Too many open files", 1, true), why)
      list = nil
      for _ = 1, 100 do open():read(x) end
    ]]
  end)
end)

end)
