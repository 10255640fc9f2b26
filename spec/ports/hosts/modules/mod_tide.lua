-- A module of Prosody's: a stream, a host function, and a wait that lets others
-- go on. Prosody forks after it has loaded its modules, if it is a daemon: the
-- descriptor is asked for with the first request.
-- luacheck: globals module
module:depends "http"
local async = require "util.async"
local server = require "net.server"
local tide = require "tide"
require "tide.loop"

local watch

local function start ()
  local s <close> = tide.Stream{ non_blocking = true }
  local ran
  s:launch_host_func(function (v) ran = v end, 42)
  local y = s:with(function ()
    local x = tide.arange(1000)
    return (x * x):sum()
  end)
  y:await()
  s:await()
  return ("%.0f %s\n"):format(y:item(), ran)
end

local function answer ()
  watch = watch or server.watchfd(tide.pollfd(), function () tide.poll() end)
  local wait, done = async.waiter()
  local ok, text
  coroutine.wrap(function ()
    ok, text = pcall(start)
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
