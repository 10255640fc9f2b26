--[[
reachable_spec.lua - whatever a script can reach can be called with anything
(reachable.lua): the process goes on, and errors of public functions do not tell
of tide's own Lua. In a plain state, and in one from which the host program
leaves out all that it can (embed/limits.c). TIDE_SPEC_SCALE makes more calls,
by more seeds. #process: see run.lua.
]]
local child = require "spec.support.child"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local quote <const> = child.quote

local CALLS <const> = 1500
local SCALE <const> = tonumber(os.getenv "TIDE_SPEC_SCALE" or 1)
local BUILD <const> = os.getenv "TIDE_BUILD" or "build/testing"

local function lines (command)
  local pipe <close> = assert(io.popen(command))
  local list = {}
  for line in pipe:lines() do list[#list + 1] = line end
  return list
end

local here <const> = lines("pwd")[1]

local function absolute (paths)
  return (paths:gsub("[^;]+", function (path)
    return path:find "^/" and path or here .. "/" .. path
  end))
end

local function modules ()
  local list = lines "find lua/tide -name '*.lua' | sort"
  for i, path in ipairs(list) do
    list[i] = path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", "")
                  :gsub("/", ".")
  end
  return table.concat(list, " ")
end

--- The names of the methods of all classes.
local function methods ()
  local seen = {}
  for _, class in ipairs(exports.classes()) do
    for name in pairs(class.methods) do seen[name] = true end
  end
  return table.concat(exports.sorted(seen), " ")
end

local PROGRAM <const> = here .. "/spec/whole/reachable.lua"
local RUN <const> = {
  plain = child.lua:find "/" and absolute(child.lua) or child.lua,
  limited = ("%s/embed/limits leave_out=15 pinned_bytes=%d"):format(
    absolute(BUILD), 1 << 26)
}

--- Calls so many in an empty folder; fails with the call that ended it.
local function reach (how, public, seed, calls)
  local folder <const> = lines("mktemp -d")[1]
  local log <const> = folder .. "/.log"
  local program <const> = how == "limited" and
    quote(("dofile %q"):format(PROGRAM)) or PROGRAM
  local words <const> = {
    "cd", folder, "&& exec env -u TIDE_DEFAULT_STREAM TIDE_DEVICE=host",
    "TIDE_HOST_DEVICES=2 TIDE_HOST_MEMORY=64M TIDE_CACHE_DIR=",
    child.paths(absolute(package.path), absolute(package.cpath)),
    "REACH_SEED=" .. seed, "REACH_CALLS=" .. calls, "REACH_LOG=" .. log,
    "REACH_MODULES=" .. quote(modules()), "REACH_METHODS=" .. quote(methods()),
    "REACH_PUBLIC=" .. (public and "yes" or "no"),
    "timeout 300", RUN[how], program, "</dev/null 2>&1"
  }
  local pipe = assert(io.popen(table.concat(words, " ")))
  local printed <const> = pipe:read "a"
  local ok, reason, status = pipe:close()
  local file <close> = io.open(log)
  local last <const> = file and file:read "a" or "no call"
  os.execute("rm -r " .. folder)
  assert(ok, ("%s %s after %s\n%s"):format(reason, status, last,
                                          printed:sub(-2000)))
end

describe("whatever can be reached #process", function ()
  for _, how in ipairs{ "plain", "limited" } do
    for _, public in ipairs{ true, false } do
      it(("can be called with anything: %s, %s"):format(
         how, public and "public" or "all"), function ()
        for seed = 1, math.max(1, SCALE) do
          reach(how, public, seed, CALLS)
        end
      end)
    end
  end
end)

describe("what Lua ends", function ()
  it("has its metatable of class.c or guard.c #process", function ()
    local setting <const> = [[grep -rlE 'setfield\(.*"__(gc|close)"' src]]
    assert.same({ "src/module.c" }, lines(setting))  -- the State's own
  end)

  it("hides its metatable, whose functions look at what they get", function ()
    local path = os.tmpname()
    local a = helper.array({ 1 }, "int32")
    local lock <close> = require "tide.small_files".lock(path)
    local capsule <close> = a:to_dlpack()
    for _, object in ipairs{ lock, capsule } do
      assert.not_equal("table", type(getmetatable(object)))
      for _, name in ipairs{ "__gc", "__close" } do
        local f = debug.getmetatable(object)[name]
        for _, other in ipairs{ 1, "x", io.stdout, a } do pcall(f, other) end
        pcall(f)
      end
    end
    assert.same({ 1 }, helper.values(a))
    os.remove(path)
  end)
end)
