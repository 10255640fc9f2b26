--[[
The disk cache grew for ever. It holds TIDE_CACHE_SIZE MiB at most now, and what
was not used for the longest time goes first. #process: see run.lua.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"

local function shell (command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  return (pipe:read "a":gsub("%s+$", ""))
end

local function with_folder (fn)
  local folder = shell "mktemp -d"
  local ok, message = pcall(fn, folder)
  os.execute("rm -rf " .. folder)
  assert(ok, message)
end

--- Runs a program with that cache; it has keep(name), of 300,000 bytes, and
-- has(name).
local function cached (folder, size, code)
  local printed, ok = helper.child([[
    local T = require "tide".T
    function keep (name) T.store(name, ("x"):rep(300000), "") end
    function has (name) return T.stored(name, 0) ~= nil end
    function held (names)
      return (names:gsub("%S", function (c) return has(c) and c or "-" end))
    end
  ]] .. code, { TIDE_CACHE_DIR = folder, TIDE_CACHE_SIZE = size,
                TIDE_DEVICE = "host" })
  assert(ok, printed)
  return printed
end

--- Moves the last use of all that is there back in time.
local function age (folder)
  os.execute("find " .. folder .. " -name '*.bin' -exec touch -r {} -d " ..
             "'-100 seconds' {} ';'")
end

local function bytes (folder)
  return tonumber(shell("cat " .. folder .. "/*.bin | wc -c"))
end

describe("the cache on disk #process", function ()
  it("drops what was not used for the longest time", function ()
    with_folder(function (folder)
      for name in ("abc"):gmatch "." do
        age(folder)
        cached(folder, "1", ("keep %q"):format(name))
      end
      assert.equal("abc\n", cached(folder, "1", [[print(held "abc")]]))
      age(folder)
      cached(folder, "1", [[has "a"]])
      age(folder)
      cached(folder, "1", [[has "c"]])
      age(folder)
      cached(folder, "1", [[keep "d"]])
      assert.is_true(bytes(folder) <= 1 << 20)
      assert.equal("a-cd\n", cached(folder, "1", [[print(held "abcd")]]))
    end)
  end)

  it("holds 256 MiB if nobody says how much, or in no number", function ()
    for _, size in ipairs{ "", "-1", "1x", " 1", "0x1", "1.5",
                           ("9"):rep(30) } do
      with_folder(function (folder)
        cached(folder, size, [[for i = 1, 8 do keep(tostring(i)) end]])
        assert.is_true(bytes(folder) > 2 << 20)
        assert.equal("12345678\n", cached(folder, size,
                                          [[print(held "12345678")]]))
      end)
    end
  end)

  it("keeps nothing that is larger, and nothing at all of 0", function ()
    with_folder(function (folder)
      cached(folder, "2", [[keep "a" T.store("b", ("x"):rep(2 << 20), "")]])
      assert.equal("a-\n", cached(folder, "2", [[print(held "ab")]]))
      cached(folder, "0", [[keep "c"]])
      assert.equal("---\n", cached(folder, "0", [[print(held "abc")]]))
      assert.equal("", shell("ls " .. folder))
    end)
  end)

  it("drops what writers left that have died, and nothing else", function ()
    with_folder(function (folder)
      local digits = ("0"):rep(64)
      shell(("cd %s && mkdir %s.bin && touch new-1-1 other %s.bin.x && " ..
             "head -c 3000000 /dev/zero >large && ln -s large %s.bin && " ..
             "touch -d '-2 hours' new-2-2"):format(folder, digits, digits,
                                                   ("1"):rep(64)))
      cached(folder, "1", [[keep "a"]])
      assert.equal("a\n", cached(folder, "1", [[print(held "a")]]))
      local left = shell("ls " .. folder)
      assert.is_nil(left:find("new-2-2", 1, true))
      for _, name in ipairs{ "new-1-1", "other", "large", digits .. ".bin.x",
                             digits .. ".bin", ("1"):rep(64) .. ".bin" } do
        assert.is_truthy(left:find(name, 1, true), name)
      end
    end)
  end)

  it("is used and made smaller by many at once", function ()
    with_folder(function (folder)
      local code = [[
        local T = require "tide".T
        local r = tonumber(os.getenv "R")
        for i = 1, 60 do
          local name = ("%d"):format((i * r + r) % 23)
          local text = name .. ("x"):rep(100000)
          T.store(name, text, "")
          local found = T.stored(("%d"):format(i % 23), 0)
          assert(not found or found == i % 23 .. ("x"):rep(100000))
        end
      ]]
      local command = {}
      for r = 1, 4 do
        command[r] = ("R=%d TIDE_CACHE_SIZE=1 TIDE_CACHE_DIR=%s " ..
          "TIDE_DEVICE=host %s %s -e '%s' &\n"):format(
            r, folder, child.paths(), child.lua, code)
      end
      assert.equal("", shell(table.concat(command) .. "wait"))
      local total = bytes(folder)
      assert.is_true(total <= 1 << 20 and total > 1 << 19, total)
      assert.equal("", shell("ls " .. folder .. " | grep -v bin"))
    end)
  end)
end)
