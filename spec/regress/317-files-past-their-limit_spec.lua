--[[
A file past RLIMIT_FSIZE ended the process, by a signal, where the program's own
thread made it so long.
]]
local child = require "spec.support.child"
local files = require "spec.support.npy_files"

--- run(blocks, code) -> what is printed by code that may make files of so many
-- blocks, of 512 or 1024 bytes.
local function run (blocks, code)
  local pipe = io.popen(("ulimit -f %d; exec env TIDE_DEVICE=host %s " ..
    "timeout 60 %s -e %s 2>&1"):format(blocks, child.paths(), child.lua,
    child.quote(code)))
  local printed = pipe:read "a"
  assert(pipe:close(), printed)
  return printed
end

describe("past the limit of files #process", function ()
  local home
  files.around_each()
  before_each(function () home = files.folder() end)

  it("is an error, and nothing is left", function ()
    local code = [[
      local tide = require "tide"
      local home = HOME
      local function fails (name, fn, ...)
        local ok, err = pcall(fn, ...)
        assert(not ok and err:find(name .. "': File too large", 1, true), err)
      end
      tide.random.seed(1)
      local a = tide.random.randint(0, 255, { 900, 900 }, "uint8")
      for _ = 1, 2 do
        fails("a.npy", tide.save, home .. "/a.npy", a)
        fails("a.pgm", tide.save_image, home .. "/a.pgm", a)
        fails("a.png", tide.save_image, home .. "/a.png", a)
        local ok, err = pcall(tide.ipc.zeros, { 900, 900 }, "uint8")
        assert(not ok and err:find "tide.ipc: File too large: memory of 810000",
               err)
        tide.ipc.zeros(10):close()
      end
    ]]
    assert.equal("", run(200, (code:gsub("HOME", ("%q"):format(home)))))
    assert.same({}, files.lines("ls " .. home))
  end)

  it("is one where nothing may be written", function ()
    assert.equal("", run(0, [[
      local tide = require "tide"
      for _, new in ipairs{
        function () tide.ipc.zeros(10) end,
        function () tide.Event{ interprocess = true, disable_timing = true } end
      } do
        local ok, err = pcall(new)
        assert(not ok and err:find "File too large", err)
      end
    ]]))
  end)

  it("is what write says of the program's own", function ()
    local code = [[
      local tide = require "tide"
      local file = assert(io.open(PATH, "wb"))
      file:setvbuf "no"
      local h = tide.HostArray(1 << 20, "uint8"):fill(0)
      local ok, why, code = h:writeto(file)
      assert(ok == nil and why == "File too large" and code == 27, why)
    ]]
    assert.equal("", run(200, (code:gsub("PATH", ("%q"):format(home .. "/a")))))
  end)

  it("leaves signals as they were", function ()
    local code = [[
      local tide = require "tide"
      local function signals ()
        local file <close> = io.open "/proc/thread-self/status"
        return file:read "a":match "SigPnd.-SigIgn"
      end
      local before = signals()
      pcall(tide.save, PATH, tide.ones(1 << 20))
      pcall(tide.ipc.zeros, 1 << 20)
      assert(signals() == before, signals())
      print "not ended"
      io.stdout:flush()
      os.execute "kill -XFSZ $PPID"
      print "not ended by a signal"
    ]]
    local pipe = io.popen(("ulimit -c 0; ulimit -f 200; (env " ..
      "TIDE_DEVICE=host %s %s -e %s; echo $?) 2>&1"):format(child.paths(),
      child.lua, child.quote((code:gsub("PATH", ("%q"):format(home .. "/a"))))))
    assert.matches("^not ended\n.*153\n$", pipe:read "a")  -- 128 + SIGXFSZ
    pipe:close()
  end)
end)
