--[[
Compiled code on disk was believed whoever had written it: in a folder that
others can write to, anybody's code ran. An entry with fewer names than were
asked for was believed, too, and names were read from behind its end. #process:
see run.lua.
]]
local child = require "spec.support.child"
local helper = require "spec.support.helper"

local function shell (command)
  local pipe <close> = assert(io.popen(command .. " 2>&1"))
  return (pipe:read "a":gsub("%s+$", ""))
end

--- Runs fn with the name of a folder that is not there, below one that is.
local function with_folder (fn)
  local base = shell "mktemp -d"
  local ok, message = pcall(fn, base .. "/a/cache")
  os.execute("rm -rf " .. base)
  assert(ok, message)
end

--- What a process with that cache prints.
local function cached (folder, code)
  local printed, ok = helper.child("local T = require 'tide'.T\n" .. code,
                                   { TIDE_CACHE_DIR = folder,
                                     TIDE_DEVICE = "host" })
  assert(ok, printed)
  return printed
end

local function keep (folder)
  cached(folder, [[T.store("key", "code", "one\0two\0")]])
  return shell("ls " .. folder .. "/*.bin")
end

local function kept (folder, n)
  return cached(folder, ([[print(T.stored("key", %d))]]):format(n or 2))
end

--- What it was found as before and after a command; it is there again once the
-- code was kept anew.
local function is_lost_by (command)
  with_folder(function (folder)
    local path = keep(folder)
    assert.equal("code\tone\ttwo\n", kept(folder))
    assert.equal("", shell((command:gsub("FOLDER", folder)
                                   :gsub("ENTRY", path))))
    assert.equal("\n", kept(folder))
  end)
end

describe("the cache on disk #process", function ()
  it("makes folders for its user alone, whatever the umask", function ()
    with_folder(function (folder)
      shell(("umask 0; TIDE_CACHE_DIR=%s TIDE_DEVICE=host %s " ..
             "%s -e 'require %q.T.store(%q, %q, %q)'")
            :format(folder, child.paths(), child.lua, "tide", "key", "code",
                    ""))
      assert.equal("700\n700\n600", shell(("stat -c %%a %s/.. %s %s/*.bin")
                                          :format(folder, folder, folder)))
    end)
  end)

  it("is none if others can write to it", function ()
    is_lost_by "chmod g+w ENTRY"
    is_lost_by "chmod o+w ENTRY"
    is_lost_by "chmod g+w FOLDER"
    is_lost_by "chmod 1777 FOLDER"
  end)

  it("takes no link and no pipe for an entry", function ()
    is_lost_by "mv ENTRY FOLDER/x && ln -s x ENTRY"
    is_lost_by "rm ENTRY && mkfifo -m 600 ENTRY"
    is_lost_by "rm ENTRY && mkdir ENTRY"
  end)

  it("may itself be a link to a folder", function ()
    with_folder(function (folder)
      keep(folder)
      shell(("ln -s cache %s/../link"):format(folder))
      assert.equal("code\tone\ttwo\n", kept(folder .. "/../link"))
    end)
  end)

  local root = shell "id -u" == "0"
  local root_it = root and it or pending
  root_it("is none if it belongs to another user", function ()
    is_lost_by "chown 12345 ENTRY"
    is_lost_by "chown 12345 FOLDER"
  end)

  it("is not written where it would not be believed", function ()
    with_folder(function (folder)
      shell(("mkdir -p %s && chmod 777 %s"):format(folder, folder))
      cached(folder, [[T.store("key", "code", "")]])
      assert.equal("", shell("ls " .. folder))
    end)
  end)

  it("has an entry only with the names that were asked for", function ()
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
