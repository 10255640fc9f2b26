-- server.lua - HTTP on luv: each request runs kernels, and while those run the
-- others are answered. GET /N says what the mean of N random squares is.
--
--   lua5.4 examples/server.lua         serves itself, and says what came of it
--   lua5.4 examples/server.lua 8080    serves until Ctrl-C
local tide = require "tide"

local ok, uv = pcall(require, "luv")
if not ok then
  io.stderr:write("server.lua needs luv: luarocks install luv, " ..
                  "or apt install lua-luv\n")
  os.exit(0)
end
require "tide.luv"

local REQUESTS <const>, AT_ONCE <const> = 200, 20

local now, most = 0, 0                         -- requests that are worked on

--{{ the server

local function work (n)
  local stream <close> = tide.Stream{ non_blocking = true }
  local mean = stream:with(function ()
    local x = tide.random.uniform(0, 1, { n })
    return (x * x):mean()
  end)
  mean:await()                                 -- others are answered meanwhile
  return mean:item()
end

local function answer (client, line)
  local n = math.tointeger(tonumber(line:match "^GET /(%d+) "))
  local status, text = "400 Bad Request", "GET /N, N from 1 to 10000000\n"
  if n and n >= 1 and n <= 10000000 then
    now = now + 1
    most = math.max(most, now)
    status, text = "200 OK", ("%.3f\n"):format(work(n))
    now = now - 1
  end
  client:write(("HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n" ..
                "\r\n%s"):format(status, #text, text),
               function () client:close() end)
end

--- Calls fn(line) in a coroutine once the first line is there.
local function read_line (client, fn)
  local got = ""
  client:read_start(function (err, data)
    if err or not data then return client:close() end
    got = got .. data
    local line = got:match "^(.-)\r\n"
    if line then
      client:read_stop()
      coroutine.wrap(fn)(line)
    end
  end)
end

local function listen (port)
  local server = uv.new_tcp()
  assert(server:bind("127.0.0.1", port))
  assert(server:listen(128, function (err)
    assert(not err, err)
    local client = uv.new_tcp()
    server:accept(client)
    read_line(client, function (line) answer(client, line) end)
  end))
  return server, server:getsockname().port
end

--}}

--{{ a client, for when there is no other

--- Asks in a coroutine, which goes on with the body of the answer.
local function get (port, path)
  local me, client, got = coroutine.running(), uv.new_tcp(), ""
  client:connect("127.0.0.1", port, function (err)
    assert(not err, err)
    client:write("GET " .. path .. " HTTP/1.1\r\nHost: here\r\n\r\n")
    client:read_start(function (_, data)
      if data then
        got = got .. data
        return
      end
      client:close()
      coroutine.resume(me, got:match "\r\n\r\n(.*)$")
    end)
  end)
  return coroutine.yield()
end

local function ask_many (port, done)
  local answered, right, running = 0, 0, AT_ONCE
  for first = 1, AT_ONCE do
    coroutine.wrap(function ()
      for _ = first, REQUESTS, AT_ONCE do
        local mean = tonumber(get(port, "/200000"))
        answered = answered + 1
        if mean and math.abs(mean - 1 / 3) < 0.01 then right = right + 1 end
      end
      running = running - 1
      if running == 0 then done(answered, right) end
    end)()
  end
end

--}}

local server, port = listen(math.tointeger(tonumber(arg[1])) or 0)

if arg[1] then
  local interrupt = uv.new_signal()            -- lua's own handler waits for a
  interrupt:start("sigint", uv.stop)           -- line of Lua, and none may run
  print(("http://127.0.0.1:%d/1000000"):format(port))
  uv.run()
else
  local ticks, seconds = 0, tide.clock()
  local timer = uv.new_timer()
  timer:start(1, 1, function () ticks = ticks + 1 end)
  ask_many(port, function (answered, right)
    seconds = tide.clock() - seconds
    print("all are answered:", answered == REQUESTS and right == REQUESTS)
    print("at once:", most > 1 and most <= AT_ONCE)
    print("the loop went on meanwhile:", ticks > 0)
    io.stderr:write(("%d requests in %.0f ms, %d at once, %d ticks of 1 ms\n")
      :format(answered, seconds * 1000, most, ticks))
    timer:close()
    server:close()
  end)
  uv.run()
end
