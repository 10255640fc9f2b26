--[[
Ranks that were to meet by a FIFO waited for ever, whatever their timeout was,
to open it; and what has no end, as /dev/zero, was read as far as memory went.
A limit of files ended rank 0.
]]
local child = require "spec.support.child"
local files = require "spec.support.npy_files"
local helper = require "spec.support.helper"

--- init(rank, path) -> code that fails to meet by that, with the error 'err'.
local function init (rank, path)
  return ([[
    local ok, err = pcall(require "tide".dist.init, {
      rank = %d, size = 2, file = %q, timeout = 0.5
    })
    assert(not ok)
  ]]):format(rank, path)
end

describe("ranks that meet by a file #process", function ()
  files.around_each()

  --- Fails unless both say so at once.
  local function refused (path)
    for rank = 0, 1 do
      helper.child_on("host", init(rank, path) .. ([[
        assert(err == "tide.dist.init: option 'file': " .. %q ..
                      " is not a regular file", err)
      ]]):format(path))
    end
  end

  it("want one that can be read at once", function ()
    local fifo = files.folder() .. "/fifo"
    assert(os.execute("mkfifo " .. fifo))
    refused(fifo)
    refused "/dev/zero"
    refused(files.path "folder")
    assert(os.execute("mkfifo " .. fifo .. "2.new"))
    helper.child_on("host", init(0, fifo .. "2") .. [[
      assert(err:find("2.new is not a regular file", 1, true), err)
    ]])
    assert.same({ "fifo", "fifo2.new" },
                files.lines("ls " .. files.path "folder"))
  end)

  it("write through no symbolic link", function ()
    local path, victim = files.path "id", files.path "victim"
    for _, name in ipairs{ path, path .. ".new" } do
      assert(os.execute(("ln -s %s %s"):format(victim, name)))
      helper.child_on("host", init(0, path) .. ([[
        assert(err:find(%q .. " is not a regular file", 1, true), err)
      ]]):format(name))
      assert.is_nil(io.open(victim))
      os.remove(name)
    end
  end)

  it("read no more of it than there may be", function ()
    local path = files.path "sparse"
    assert(os.execute("truncate -s 1T " .. path))
    helper.child_on("host", init(1, path) .. [[
      assert(err:find("is not what rank 0 writes", 1, true), err)
    ]])
  end)

  it("hear that it would be too large", function ()
    local path = files.path "id"
    local pipe = io.popen(("ulimit -f 0; env TIDE_DEVICE=host %s %s -e %s 2>&1")
      :format(child.paths(), child.lua,
              child.quote(init(0, path) .. "print(err)")))
    assert.equal("tide.dist.init: option 'file': " .. path ..
                 ".new: File too large\n", pipe:read "a")
    pipe:close()
    assert.equal("", files.there())
  end)
end)
