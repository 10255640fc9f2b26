return {

[[
# Event loops

Coroutines of luv, cqueues, copas, or of your own event loop, that wait for the device.

## Purpose

A server runs each connection in a coroutine, and an event loop resumes the coroutines that can go
on. With the module for its loop loaded, a coroutine that waits for the device by `x:await()` yields
to the loop, which resumes it when the work is done. So no other coroutine waits for its kernels.

| module | whose coroutines | library |
|---|---|---|
| `tide.luv` | any; resumed in a callback | [luv](https://github.com/luvit/luv) |
| `tide.cqueues` | a controller's own | [cqueues](https://github.com/wahern/cqueues) |
| `tide.copas` | any; resumed as a thread | [copas](https://github.com/lunarmodules/copas) |
| `tide.loop` | any; resumed by `tide.poll()` | none |

These modules are loaded only by you, and tide needs none of the libraries itself. If one is
missing, the error says how to install it. A program uses one of `tide.luv`, `tide.copas` and
`tide.loop`: the last that it loads. Do not load another while coroutines wait in the first.
`tide.cqueues` can be combined with each of them.

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

## Waits

In a coroutine of a loop

- `x:await([seconds])` yields to the loop. Errors of the device and of host functions are raised in
  the coroutine, and a timeout returns `nil, "timeout"`.
- `tide.sleep(seconds)`, `q:put(v)`, `q:get()`, `semaphore:acquire()` and `task:await()` yield as
  well: queues and semaphores of [tasks](tasks.md) work between the loop's coroutines, and between
  these and tasks.
- The tasks of `tide.run(fn)` take turns with everything else in the loop. Several runs may be
  active, each in its own coroutine.
- `tide.spawn`, `tide.gather` and `tide.race` need a run: call them inside `tide.run`.
- `s:synchronize()`, `x:item()`, `x:totable()` and the like block the whole loop as usual: call
  `x:await()` first.

Without one of the modules, and in coroutines that no loop runs, `x:await()` blocks. It also blocks
in a coroutine created by a task of `tide.run`, and under cqueues in one created by a coroutine of a
controller, because the code that resumes it expects the values that it yields. Under the other
loops tide cannot detect this, and such a coroutine yields to its resumer: do not wait inside
generators there.

A coroutine that is closed while it waits stops waiting, and its `<close>` variables are closed. (Do
not close a coroutine of a cqueues controller: it belongs to the controller.)

[Host functions](stream.md#host-functions) run while a coroutine waits in the loop, by `x:await()`
or `tide.sleep`; under luv whenever the loop runs. They do not keep luv's loop alive; a waiting
coroutine does.

Ctrl-C raises `interrupted!` in the Lua code that runs next, and the loop handles it in its own way.

Copas before 2.0, which is Debian's version, does not close a connection whose handler ends after a
wait: close it yourself.

## Loops of your own

Watch the descriptor `tide.pollfd()`, and call `tide.poll()` when it is readable. Host functions
that are due make it readable. With `require "tide.loop"`, so do finished work that a coroutine
waits for and expired timeouts, so the loop needs no timer.

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

In SDL and other loops with frames, call `tide.poll()` once per frame. A loop that sleeps in `poll`
or `select` itself adds the descriptor to the others. A loop that does nothing else calls
`tide.poll(seconds)`, which waits.

For `api->poll` and `api->pollfd` see [embedding](../embedding.md). A script in such a host loads
`tide.loop` if its coroutines are to wait; the host resumes its own coroutines as usual.

## Cost

Each Lua state that has loaded one of the modules has a thread, which asks the driver whether the
first wait of each stream is over. It asks every 20 us at first and less often as the wait gets
longer, and sleeps while nothing waits. It puts nothing on the streams. Ten thousand coroutines that
wait for one stream cost one query.
]],

}
