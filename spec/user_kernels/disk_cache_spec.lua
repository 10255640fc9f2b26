--[[
disk_cache_spec.lua - the folder of compiled code: its entries, whose they must
be, and how much it holds. #process: see run.lua.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"

local nvrtc_it = helper.has_nvrtc() and it or pending

local function shell (command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  return (pipe:read "a":gsub("%s+$", ""))
end

--- Runs fn with a folder that does not exist, below one that does.
local function with_folder (fn)
  local base = shell "mktemp -d"
  local ok, message = pcall(fn, base .. "/a/cache")
  os.execute("chmod -R u+w " .. base .. "; rm -rf " .. base)
  assert(ok, message)
end

--- cached(folder, code [, size]) -> what a process with that cache prints.
local function cached (folder, code, size)
  local printed, ok = helper.child("local T = require 'tide'.T\n" .. code,
    { TIDE_CACHE_DIR = folder, TIDE_CACHE_SIZE = size, TIDE_DEVICE = "host" })
  assert(ok, printed)
  return printed
end

local COMPILE = [[
  io.write(#require "tide".T.compile("__global__ void f (int *x) { *x = %d; }"))
]]

local function compile (folder, n)
  return tonumber(cached(folder, COMPILE:format(n)))
end

--- command(folder, code [, variables]) -> what runs that in a shell.
local function command (folder, code, variables)
  return ("env TIDE_CACHE_DIR=%s TIDE_DEVICE=host %s %s %s -e '%s'"):format(
         folder, variables or "", child.paths(), child.lua, code)
end

--- Lists a folder's files with inodes, which change when an entry is rewritten.
local function files (folder)
  return shell("ls -i " .. folder)
end

local function entry (folder)
  return folder .. "/" .. files(folder):match "^%s*%d+ (%x+%.bin)$"
end

local function change (path, fn)
  local file = assert(io.open(path, "rb"))
  local content = file:read "a"
  file:close()
  file = assert(io.open(path, "wb"))
  file:write(fn(content))
  file:close()
  return content
end

describe("the disk cache #process", function ()
  nvrtc_it("has an entry for each source, made once", function ()
    with_folder(function (folder)
      local size = compile(folder, 1)
      local once = files(folder)
      assert.is_truthy(entry(folder))
      assert.equal(size, compile(folder, 1))
      assert.equal(once, files(folder))
      compile(folder, 2)
      assert.are_not.equal(once, files(folder))
    end)
  end)

  nvrtc_it("takes damaged entries for none, and mends them", function ()
    with_folder(function (folder)
      local size = compile(folder, 1)
      local path = entry(folder)
      local damages = {
        function () return "" end,
        function (s) return s:sub(1, 20) end,
        function (s) return s:sub(1, -2) end,
        function (s) return s:sub(1, -2) .. string.char(~s:byte(-1) & 255) end,
        function (s) return "X" .. s:sub(2) end,
        function (s) return s:sub(1, 8) .. ("\255"):rep(8) .. s:sub(17) end,
      }
      for i, damage in ipairs(damages) do
        local sound = change(path, damage)
        assert.equal(size, compile(folder, 1), i)
        assert.equal(sound, change(path, function (s) return s end), i)
      end
    end)
  end)

  nvrtc_it("is done without where it cannot be", function ()
    assert.is_true(compile("/proc/none/cache", 1) > 0)
    assert.is_true(compile("", 1) > 0)
    assert.is_true(compile(("x"):rep(5000), 1) > 0)
    with_folder(function (folder)
      os.execute("mkdir -p " .. folder)
      os.execute("chmod 0 " .. folder)
      assert.is_true(compile(folder, 1) > 0)
    end)
  end)

  nvrtc_it("is in XDG_CACHE_HOME or HOME by default", function ()
    with_folder(function (folder)
      local places = { ["XDG_CACHE_HOME=" .. folder] = "/tide",
                       ["-u XDG_CACHE_HOME HOME=" .. folder] = "/.cache/tide" }
      for variables, place in pairs(places) do
        shell(("env -u TIDE_CACHE_DIR %s TIDE_DEVICE=host %s %s -e '%s'")
              :format(variables, child.paths(), child.lua, COMPILE:format(1)))
        assert.is_truthy(entry(folder .. place))
      end
    end)
  end)

  nvrtc_it("may be written by many at once", function ()
    with_folder(function (folder)
      local one = command(folder, COMPILE:format(1)) .. " & "
      shell(one:rep(4) .. "wait")
      local path, once = entry(folder), files(folder)
      compile(folder, 1)
      assert.equal(once, files(folder))
      assert.is_truthy(path)
    end)
  end)
end)

-- T.store and T.stored are what NVRTC's results go through.
describe("an entry of the disk cache #process", function ()
  local function keep (folder)
    cached(folder, [[T.store("key", "code", "one\0two\0")]])
    return shell("ls " .. folder .. "/*.bin")
  end

  local function kept (folder, n)
    return cached(folder, ([[print(T.stored("key", %d))]]):format(n or 2))
  end

  --- It is found before these commands, and not after any of them.
  local function is_lost_by (...)
    for _, what in ipairs{ ... } do
      with_folder(function (folder)
        local path = keep(folder)
        assert.equal("code\tone\ttwo\n", kept(folder))
        assert.equal("", shell((what:gsub("FOLDER", folder)
                                    :gsub("ENTRY", path))))
        assert.equal("\n", kept(folder), what)
      end)
    end
  end

  it("is in a folder for its user alone, whatever the umask (#083)", function ()
    with_folder(function (folder)
      shell("umask 0; " .. command(folder,
            [[require "tide".T.store("key", "code", "")]]))
      assert.equal("700\n700\n600", shell(("stat -c %%a %s/.. %s %s/*.bin")
                                          :format(folder, folder, folder)))
    end)
  end)

  it("is none where others can write, nor if it is a link or pipe", function ()
    is_lost_by("chmod g+w ENTRY", "chmod o+w ENTRY", "chmod g+w FOLDER",
               "chmod 1777 FOLDER", "mv ENTRY FOLDER/x && ln -s x ENTRY",
               "rm ENTRY && mkfifo -m 600 ENTRY", "rm ENTRY && mkdir ENTRY")
    with_folder(function (folder)
      shell(("mkdir -p %s && chmod 777 %s"):format(folder, folder))
      cached(folder, [[T.store("key", "code", "")]])
      assert.equal("", shell("ls " .. folder))  -- nor is any written there
    end)
  end)

  local root_it = shell "id -u" == "0" and it or pending
  root_it("is none if it belongs to another user", function ()
    is_lost_by("chown 12345 ENTRY", "chown 12345 FOLDER")
  end)

  it("may be in a link to a folder", function ()
    with_folder(function (folder)
      keep(folder)
      shell(("ln -s cache %s/../link"):format(folder))
      assert.equal("code\tone\ttwo\n", kept(folder .. "/../link"))
    end)
  end)

  it("has just the names that are asked for", function ()
    with_folder(function (folder)
      keep(folder)
      for n = 0, 4 do
        assert.equal(n == 2 and "code\tone\ttwo\n" or "\n", kept(folder, n))
      end
      cached(folder, [[T.store("key", "code", "one\0two")]])
      assert.equal("\n", kept(folder, 1))
      assert.equal("\n", kept(folder, 2))
      cached(folder, [[T.store("key", "code", "")]])
      assert.equal("\n", kept(folder, 1))
      assert.equal("code\n", kept(folder, 0))
    end)
  end)
end)

describe("TIDE_CACHE_SIZE #process", function ()
  --- Code may call keep(name), of 300,000 bytes, has(name), and held(names).
  local function sized (folder, size, code)
    return cached(folder, [[
      function keep (name) T.store(name, ("x"):rep(300000), "") end
      function has (name) return T.stored(name, 0) ~= nil end
      function held (names)
        return (names:gsub("%S", function (c) return has(c) and c or "-" end))
      end
    ]] .. code, size)
  end

  --- Moves the last use of all that is there back in time.
  local function age (folder)
    os.execute("find " .. folder .. " -name '*.bin' -exec touch -r {} -d " ..
               "'-100 seconds' {} ';'")
  end

  local function bytes (folder)
    return tonumber(shell("cat " .. folder .. "/*.bin | wc -c"))
  end

  it("drops what was not used for the longest time (#084)", function ()
    with_folder(function (folder)
      for step in ('keep "a";keep "b";keep "c";has "a";has "c";keep "d"')
                  :gmatch "[^;]+" do
        sized(folder, "1", step)
        age(folder)
      end
      assert.is_true(bytes(folder) <= 1 << 20)
      assert.equal("a-cd\n", sized(folder, "1", [[print(held "abcd")]]))
    end)
  end)

  it("is 256 MiB if it is not set, or to no number", function ()
    for _, size in ipairs{ "", "-1", "1x", " 1", "0x1", "1.5",
                           ("9"):rep(30) } do
      with_folder(function (folder)
        assert.equal("12345678\n", sized(folder, size, [[
          for i = 1, 8 do keep(tostring(i)) end
          print(held "12345678")
        ]]))
        assert.is_true(bytes(folder) > 2 << 20)
      end)
    end
  end)

  it("keeps nothing that is larger, and nothing at all if it is 0", function ()
    with_folder(function (folder)
      assert.equal("a-\n", sized(folder, "2", [[
        keep "a" T.store("b", ("x"):rep(2 << 20), "") print(held "ab")
      ]]))
      assert.equal("---\n", sized(folder, "0", [[keep "c" print(held "abc")]]))
      assert.equal("", shell("ls " .. folder))
    end)
  end)

  it("drops what writers left that have died, and nothing else", function ()
    with_folder(function (folder)
      local digits = ("0"):rep(64)
      shell(("mkdir -p -m 700 %s && cd %s && mkdir %s.bin && " ..
             "touch new-1-1 other %s.bin.x && " ..
             "head -c 3000000 /dev/zero >large && ln -s large %s.bin && " ..
             "touch -d '-2 hours' new-2-2"):format(folder, folder, digits,
                                                   digits, ("1"):rep(64)))
      assert.equal("a\n", sized(folder, "1", [[keep "a" print(held "a")]]))
      local left = shell("ls " .. folder)
      assert.is_nil(left:find("new-2-2", 1, true))
      for _, name in ipairs{ "new-1-1", "other", "large", digits .. ".bin.x",
                             digits .. ".bin", ("1"):rep(64) .. ".bin" } do
        assert.is_truthy(left:find(name, 1, true), name)
      end
    end)
  end)

  it("holds where many use the cache at once", function ()
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
      local all = {}
      for r = 1, 4 do
        all[r] = command(folder, code, "TIDE_CACHE_SIZE=1 R=" .. r) .. " &\n"
      end
      assert.equal("", shell(table.concat(all) .. "wait"))
      local total = bytes(folder)
      assert.is_true(total <= 1 << 20 and total > 1 << 19, total)
      assert.equal("", shell("ls " .. folder .. " | grep -v bin"))
    end)
  end)
end)
