--[[
A second rank 0 took the file by which the ranks of another one were to meet,
and said of that one, which waited for them, that it had died.
]]
local files = require "spec.support.npy_files"
local helper = require "spec.support.helper"

describe("a rank 0 that waits for its ranks #process", function ()
  files.around_each()

  it("keeps its file", function ()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local function init (rank, timeout)
        return pcall(tide.dist.init, { rank = rank, size = 2, file = path,
                                       timeout = timeout, device = "host" })
      end
      local other <close> = io.popen(([=[%s -e '
        local tide = require "tide"
        local comm = tide.dist.init{ rank = 0, size = 2, file = "%%s",
                                     timeout = 20, device = "host" }
        comm:barrier()
        io.write "met"
        io.read()
      ']=]):format(path))
      local start = tide.clock()
      while not io.open(path) do
        assert(tide.clock() - start < 20)
        tide.sleep(0.01)
      end
      local ok, err = init(0, 1)
      assert(not ok and err == "tide.dist.init: option 'file': " .. path ..
                               " is of another rank 0, which waits for its " ..
                               "ranks", err)
      local comm = assert(select(2, init(1, 20)))
      comm:barrier()
      assert(other:read "a" == "met")
      assert(not io.open(path))
    ]]):format(files.path "id", require "spec.support.child".lua))
  end)

  it("which has died has it no more", function ()
    helper.child_on("host", ([[
      local tide, path = require "tide", %q
      local other = io.popen(([=[echo $$; exec %s -e '
        require "tide".dist.init{ rank = 0, size = 2, file = "%%s",
                                  device = "host" }
      ']=]):format(path))
      local pid = other:read "n"
      while not io.open(path) do tide.sleep(0.01) end
      os.execute("kill -9 " .. pid)
      other:close()
      local ok, err = pcall(tide.dist.init, {
        rank = 0, size = 2, file = path, timeout = 0.2, device = "host" })
      assert(not ok and err:find("a rank 0 that has died had left", 1, true),
             err)
      assert(not io.open(path))
    ]]):format(files.path "id", require "spec.support.child".lua))
  end)
end)
