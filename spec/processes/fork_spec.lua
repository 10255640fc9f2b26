--[[
fork_spec.lua - a program that loads tide, makes settings, and forks: the child
can use tide. After a use it cannot, and gets the error that says so. The
settings are those that docs/embedding.md shows. #process: see run.lua.
]]
local helper = require "spec.support.helper"

--- The block of Lua in the section about fork.
local function settings ()
  local file <close> = assert(io.open "docs/embedding.md")
  local section = file:read "a":match "\n## fork\n(.*)"
  return (assert(section:match "\n```lua\n(.-)\n```\n"))
end

--- A program that runs 'before', forks, and runs 'child' in the child. Its
-- parent uses tide as well, after that.
local function forks (kind, before, child)
  helper.program(kind, "several", ([[
    package.path = package.path .. ";/usr/share/lua/5.2/?.lua"
    %s
    local tide = require "tide"
    local function use ()
      return (tide.arange(1000) * 2):sum():item() == 999000
    end
    local function child ()
      %s
    end
    local pid = fork()
    if pid == 0 then
      local ok, err = pcall(child)
      if not ok then print(err) end
      io.stdout:flush()
      leave(ok and 0 or 1)
    end
    assert(wait(pid) == 0)
    assert(use())
  ]]):format(before, child))
end

helper.each_device(function (kind)

describe("before a fork #process", function ()
  for line in settings():gmatch "[^\n]+" do
    if not line:find('require "tide"', 1, true) then
      it("nothing is opened by " .. line:gsub("%s*%-%-.*", ""), function ()
        forks(kind, 'local tide = require "tide"\n' .. line, "assert(use())")
      end)
    end
  end

  local loops <const> = { cqueues = "cqueues", luv = "luv", copas = "copas" }
  for name, library in pairs(loops) do
    package.path = package.path .. ";/usr/share/lua/5.2/?.lua"
    local test <const> = pcall(require, library) and it or pending
    test("nothing is opened by tide." .. name, function ()
      forks(kind, ('require "tide.%s"'):format(name), "assert(use())")
    end)
  end

  it("a seed is the child's", function ()
    forks(kind, 'require "tide".random.seed(7)', [[
      local a = tide.random.uniform(0, 1, { 4 })
      tide.random.seed(7)
      assert(tide.array_equal(a, tide.random.uniform(0, 1, { 4 })))
    ]])
  end)

  it("a seed that nobody knows is each child's own", function ()
    forks(kind, [[
      local tide = require "tide"
      tide.random.seed(7)
      tide.random.seed()
    ]], [[
      local a = tide.random.uniform(0, 1, { 4 })
      tide.random.seed(7)
      assert(not tide.array_equal(a, tide.random.uniform(0, 1, { 4 })))
    ]])
  end)

  it("limits of memory are the child's", function ()
    forks(kind, [[
      local tide = require "tide"
      assert(tide.memory_limit(1 << 30) == 0)
      assert(tide.memory_limit(1 << 20) == 1 << 30)
      assert(tide.memory_limit(1 << 19, "pinned") == 0)
    ]], [[
      assert(tide.memory_limit() == 1 << 20)
      assert(tide.memory_limit(nil, "pinned") == 1 << 19)
      assert(not pcall(tide.zeros, 1 << 20))
      tide.memory_limit(0)
      tide.memory_limit(0, "pinned")
      assert(tide.memory_limit() == 0)
    ]])
  end)

  it("limits of memory hold for a device that is chosen by name", function ()
    forks(kind, [[require "tide".memory_limit(1 << 20)]], [[
      tide.Device(os.getenv "TIDE_DEVICE"):use()
      assert(not pcall(tide.zeros, 1 << 20))
    ]])
  end)

  it("coroutines of a loop wait in the child", function ()
    forks(kind, 'require "tide.loop"', [[
      local over
      coroutine.wrap(function ()
        tide.sleep(0.001)
        tide.arange(100000):sum():await()
        over = true
      end)()
      local fd = tide.pollfd()
      while not over do tide.poll(1) end
      assert(fd >= 0)
    ]])
  end)
end)

describe("a use before a fork #process", function ()
  local uses <const> = {
    "tide.zeros(3)", "tide.HostArray(3)", "tide.Stream{}", "tide.Event()",
    "tide.get_device()", "tide.devices()", "tide.pollfd()", "tide.poll(0.001)",
    "tide.random.uniform(0, 1, { 3 })", "tide.random.Generator(1)",
    "tide.run(function () tide.sleep(0) end)"
  }
  for _, use in ipairs(uses) do
    it("is one: " .. use, function ()
      forks(kind, 'local tide = require "tide"\n' ..
                  (use:find "^tide.run" and use or "local _ = " .. use), [[
        local ok, why = pcall(tide.zeros, 3)
        assert(not ok and why:find("tide was opened before fork", 1, true),
               why)
      ]])
    end)
  end

  helper.host_it("leaves the parent the file that it saves (#223)", function ()
    local path = os.tmpname()
    helper.program(kind, "several", ([[
      local tide = require "tide"
      local s, a = tide.Stream{ non_blocking = true }, tide.ones(1000)
      local child
      s:launch_host_func(function () child = fork() end)
      s:with(function () a:add_(1) end)
      local ok, why = pcall(tide.save, %q, a)
      if child == 0 then
        leave(ok and 1 or 0)
      end
      assert(ok, why)
      assert(wait(child) == 0)
      assert(tide.load(%q):sum():item() == 2000)
    ]]):format(path, path))
    os.remove(path)
  end)
end)

end)
