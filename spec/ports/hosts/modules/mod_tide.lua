-- A module of Prosody's, whose requests wait in coroutines. Prosody as a daemon
-- forks after it has loaded its modules, so the descriptor is asked for with
-- the first request.
-- luacheck: globals module
module:depends "http"
local async = require "util.async"
local server = require "net.server"
local tide = require "tide"
require "tide.loop"
local job = require "tide_job"

local watch

local function answer ()
  watch = watch or server.watchfd(tide.pollfd(), function () tide.poll() end)
  local wait, done = async.waiter()
  local ok, text
  coroutine.wrap(function ()
    ok, text = pcall(job)
    done()
  end)()
  wait()
  return ok and text or 500
end

local function reload ()
  module:add_timer(0, function ()
    require "core.modulemanager".reload(module.host, "tide")
  end)
  return "reloads\n"
end

module:provides("http", {
  route = { ["GET /job"] = answer, ["GET /reload"] = reload }
})

function module.unload ()
  if watch then watch:close() end  -- the descriptor stays tide's
end
