--
-- copy.lua - copies between host and device, GB/s.
-- Counted: the bytes of the array once, 256 MiB (TIDE_BENCH_COPY_MIB; 16 on
-- the host device).
--
local here = arg[0]:match("^.*/") or "./"
local harness = dofile(here .. "harness.lua")
local tide = harness.tide

local mib = tonumber(os.getenv("TIDE_BENCH_COPY_MIB"))
  or (harness.on_host() and 16 or 256)
local BYTES = mib << 20
local N = BYTES // 4
harness.note("%d MiB", mib)

local a = tide.arange(N, "float32")

harness.with({ "h2d_pinned", "d2h_pinned" }, function ()
  local h = tide.HostArray({ N }, "float32")
  a:tohost{ out = h }
  harness.same(h[N], a[N], "tohost")
  return h
end, function (h)
  harness.rate("h2d_pinned", 10, BYTES, function (n)
    for _ = 1, n do a:copy_from(h) end
  end)
  local options = { out = h, blocking = false }
  harness.rate("d2h_pinned", 10, BYTES, function (n)
    for _ = 1, n do a:tohost(options) end
  end)
  h:close()
end)

-- a Lua string becomes a new array; an array becomes a new Lua string
harness.with({ "h2d_pageable", "d2h_new" }, function ()
  local bytes = string.pack("<ff", 1.5, 2.5):rep(N // 2)
  harness.same(tide.frombytes(bytes, "float32", { N })[N], 2.5, "frombytes")
  return bytes
end, function (bytes)
  harness.rate("h2d_pageable", 2, BYTES, function (n)
    for _ = 1, n do tide.frombytes(bytes, "float32", { N }):close() end
  end)
  harness.rate("d2h_new", 2, BYTES, function (n)
    for _ = 1, n do a:tobytes() end
  end)
end)
