--[[
file_limits_spec.lua - files past RLIMIT_FSIZE, for which the system would send
SIGXFSZ: an error of the call that makes one, and the process goes on.
]]
local child = require "spec.support.child"
local files = require "spec.support.npy_files"

describe("past the limit of files #process", function ()
  local home
  files.around_each()
  before_each(function () home = files.folder() end)

  --- run(blocks, code) -> what is printed by code, which has HOME and may make
  -- files of so many blocks, of 512 or 1024 bytes; then Lua's exit code.
  local function run (blocks, code)
    local pipe <close> = io.popen(("ulimit -c 0; ulimit -f %d; (env " ..
      "TIDE_DEVICE=host %s %s -e %s; echo $?) 2>&1"):format(blocks,
      child.paths(), child.lua, child.quote("local HOME <const> = '" .. home ..
      "' " .. code)))
    return pipe:read "a"
  end

  it("save, tide.ipc and writeto raise or return an error (#317)", function ()
    assert.equal("0\n", run(200, [[
      local tide = require "tide"
      local function fails (name, fn, ...)
        local ok, err = pcall(fn, ...)
        assert(not ok and err:find(name .. ": File too large", 1, true), err)
      end
      tide.random.seed(1)
      local a = tide.random.randint(0, 255, { 900, 900 }, "uint8")
      for _ = 1, 2 do
        fails("a.npy'", tide.save, HOME .. "/a.npy", a)
        fails("a.pgm'", tide.save_image, HOME .. "/a.pgm", a)
        fails("a.png'", tide.save_image, HOME .. "/a.png", a)
        fails("tide.ipc", tide.ipc.zeros, { 900, 900 }, "uint8")
        tide.ipc.zeros(10):close()
      end
      local file <close> = assert(io.open(HOME .. "/a", "wb"))
      file:setvbuf "no"
      local h = tide.HostArray(1 << 20, "uint8"):fill(0)
      local ok, why, code = h:writeto(file)
      assert(ok == nil and why == "File too large" and code == 27, why)
    ]]))
    assert.same({ "a" }, files.lines("ls " .. home))
    assert.equal("0\n", run(0, [[
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

  it("signals are as they were (#317)", function ()
    local printed = run(200, [[
      local tide = require "tide"
      local function signals ()
        local file <close> = io.open "/proc/thread-self/status"
        return file:read "a":match "SigPnd.-SigIgn"
      end
      local before = signals()
      pcall(tide.save, HOME .. "/a", tide.ones(1 << 20))
      pcall(tide.ipc.zeros, 1 << 20)
      assert(signals() == before, signals())
      print "not ended"
      io.stdout:flush()
      os.execute "kill -XFSZ $PPID"
      print "not ended by a signal"
    ]])
    assert.matches("^not ended\n.*153\n$", printed)  -- 128 + SIGXFSZ
  end)
end)
