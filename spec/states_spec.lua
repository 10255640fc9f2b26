--[[
states_spec.lua - several lua_States, threads, and allocators that fail. The
host program is spec/embed/states.c; where it was not built, all is pending.
#process: see run.lua.
]]
local helper = require "spec.helper"

local PROGRAM = (os.getenv "TIDE_BUILD" or "build/testing") .. "/embed/states"

local function is_built ()
  local file = io.open(PROGRAM)
  return file and file:close()
end

--- states(kind, ...): runs the program, which must print ok.
local function states (kind, ...)
  local command = ("exec env TIDE_DEVICE=%s LUA_PATH_5_4='%s' " ..
    "LUA_CPATH_5_4='%s' timeout 300 %s %s 2>&1"):format(
    kind, package.path, package.cpath, PROGRAM, table.concat({ ... }, " "))
  local pipe = assert(io.popen(command))
  local printed = pipe:read "a"
  pipe:close()
  assert.equal("ok\n", printed)
end

helper.each_device(function (kind)

describe("lua_States #process", function ()
  if not is_built() then
    pending("need " .. PROGRAM)
    return
  end

  it("on two threads at once", function () states(kind, "threads", "2") end)

  it("on eight threads at once", function () states(kind, "threads", "8") end)

  it("closed with work pending", function () states(kind, "pending") end)

  -- cuMemFreeHost waits for gates that only this thread could open
  pending("closed while another one of the thread has gates shut")

  it("moved from thread to thread", function () states(kind, "move") end)

  for _, task in ipairs{ "require", "streams", "arrays", "callbacks",
                         "graphs", "coroutines" } do
    it("with an allocator that fails at every point: " .. task .. " #slow",
       function () states(kind, "alloc", task) end)
  end
end)

end)
