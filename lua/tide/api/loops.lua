return {

[[
# Event loops

Coroutines of luv, cqueues, copas, or of a loop of your own, that wait for the device.

## Purpose

A server runs each of its connections in a coroutine, and an event loop resumes the one that can
go on. With the module for its loop loaded, a coroutine that waits for the device by `x:await()`
yields to that loop as well, and is resumed by it once the work is done: nobody else waits for a
kernel.

| module | whose coroutines | library |
|---|---|---|
| `tide.luv` | any; resumed in a callback | [luv](https://github.com/luvit/luv) |
| `tide.cqueues` | a controller's own | [cqueues](https://github.com/wahern/cqueues) |
| `tide.copas` | any; resumed as a thread | [copas](https://github.com/lunarmodules/copas) |
| `tide.loop` | any; resumed by `tide.poll()` | none |

Nothing else loads them, and tide needs none of these libraries itself; where one is missing, the
error says how it is installed. Of `tide.luv`, `tide.copas` and `tide.loop` a program has one, the
last that it loads, which must not be while coroutines wait in another one; `tide.cqueues` goes with
each of them.

## Example

```
local tide = require "tide"
local uv = require "luv"
require "tide.luv"

local function serve (n)
  local x = tide.random.uniform(0, 1, { n })
  local y = (x * x):sum()
  y:await()                                    -- the loop goes on with others
  print(n, y:item() / n)
end

for _, n in ipairs{ 1e6, 1e4 } do coroutine.wrap(serve)(n) end
uv.run()
```

`examples/server.lua` answers HTTP in this way.

## What waits

In a coroutine of a loop

- `x:await([seconds])` yields to the loop; errors of the device and of host functions are raised in
  the coroutine, and a timeout gives `nil, "timeout"`.
- `tide.sleep(seconds)`, `q:put(v)`, `q:get()`, `semaphore:acquire()` and `task:await()` yield as
  well: what [tasks](tasks.md) use works between the loop's coroutines, and between these and tasks.
- `tide.run(fn)` has its tasks take turns with all else that the loop has. Several runs may go on,
  each in its coroutine.
- `tide.spawn`, `tide.gather` and `tide.race` need a run: call them inside `tide.run`.
- `s:synchronize()`, `x:item()`, `x:totable()` and the like block the whole loop, as ever:
  `x:await()` first.

Without one of the modules, and in coroutines of nobody's, `x:await()` blocks. So it does in a
coroutine that one of `tide.run`'s tasks has made, or under cqueues in one that a coroutine of a
controller has made: who resumes those expects what they yield. Under the other loops that cannot
be told, and such a coroutine yields to whoever resumed it: wait outside of generators there.

A coroutine that is closed where it waits waits no longer; `<close>` runs. (One of a cqueues
controller is the controller's: leave it alone.)

[Host functions](stream.md#host-functions) run while somebody waits in the loop, by `x:await()` or
`tide.sleep`; under luv whenever the loop runs. They do not keep luv's loop from ending, as
somebody who waits does.

Ctrl-C raises `interrupted!` in Lua code that runs next, which the loop passes on in its own way.

Under a copas older than 2.0, which is what Debian has, a connection whose handler ends after a
wait is not closed by copas: close it.

## Loops of your own

Watch the descriptor `tide.pollfd()`, and call `tide.poll()` when it is readable. Host functions
make it readable, and with `require "tide.loop"` work that a coroutine waits for, and its time if
that is up: no timer of the loop's is needed.

```lua
local tide = require "tide"
require "tide.loop"

local go_on = coroutine.wrap(function ()
  local x = tide.ones(1000) + 1
  assert(x:await(10))
  print(x:sum():item())                        --> 2000.0
  return "done"
end)

local done = go_on()
while not done do
  tide.poll(1)                                 -- or: whatever says that the descriptor is readable
  done = true                                  -- one turn of the loop
end
```

With GLib, by lgi, or in C:

```
GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, tide.pollfd(), GLib.IOCondition.IN,
                      function () tide.poll() return true end)

static gboolean due (gint fd, GIOCondition what, gpointer L) {
  (void)fd; (void)what;
  api->poll(L);                                /* tide.h; raises: call it in a lua_pcall */
  return G_SOURCE_CONTINUE;
}
g_unix_fd_add(api->pollfd(L), G_IO_IN, due, L);
```

libevent, and libuv from C:

```
event_new(base, api->pollfd(L), EV_READ | EV_PERSIST, due, L);

uv_poll_init(loop, &handle, api->pollfd(L));
uv_poll_start(&handle, UV_READABLE, due);
```

SDL, and other loops that have a frame: `tide.poll()` once in each. One that sleeps in `poll` or
`select` itself has the descriptor among the others. In a loop that does nothing else,
`tide.poll(seconds)` waits.

For `api->poll` and `api->pollfd` see [embedding](../embedding.md). A script in such a host loads
`tide.loop` if its coroutines are to wait; the host's own are resumed as ever.

## What it costs

A thread for each Lua state that has loaded one of the modules asks the driver whether the first
wait of each stream is over, every 20 us at first, and less often the longer that takes; it sleeps
while nobody waits. Nothing is put on the streams. Ten thousand coroutines that wait for one
stream are one question.
]],

}
