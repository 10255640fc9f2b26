--[[
closed_meanwhile_spec.lua - a finalizer or a host function closes what a call
works on, in the middle of the call. The call raises, or returns the result that
it would have had; it never uses memory or handles that are gone.
]]
local tide = require "tide"
local finalizers = require "spec.support.finalizers"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

local MB <const> = 1 << 20

helper.each_device(function ()

describe("a finalizer that a search for memory runs", function ()
  local closed

  --- Leaves garbage that closes x, and memory that is garbage, if 'garbage'
  -- makes some. The limit permits no more memory.
  local function trap (x, kind, garbage)
    tide.get_device():synchronize()
    tide.trim()
    collectgarbage()
    collectgarbage "stop"
    closed = false
    setmetatable({}, { __gc = function ()
      closed = true
      x:close()
      if garbage then tide.trim() end
    end })
    if garbage then garbage(MB, "uint8") end
    tide.memory_limit(tide.memory_stats(kind).reserved, kind)
  end

  after_each(function ()
    collectgarbage "restart"
    tide.memory_limit(0)
    tide.memory_limit(0, "pinned")
  end)

  -- The only memory there is for the result is the operand's.
  for name, use in pairs{
    ["x + x"] = function (x) return x + x end,
    ["x + 1.5"] = function (x) return x + 1.5 end,
    ["-x"] = function (x) return -x end,
    copy = function (x) return x:copy() end,
    astype = function (x) return x:astype "int32" end,
    sum = function (x) return x:sum() end,
  } do
    it("closes an operand (#20): " .. name, function ()
      local x = tide.ones(MB // 4, "float32")
      trap(x)
      fails("array is closed", use, x)
    end)
  end

  local function ones () return tide.ones(MB, "uint8") end
  local function pinned () return tide.HostArray(MB, "uint8") end

  for name, case in pairs{
    to = { pinned, function (h) return h:to(tide.get_device()) end },
    array = { pinned, tide.array },
    copy = { ones, function (a) return a:copy() end },
    tohost = { ones, function (a) return a:tohost() end, "pinned" },
    tobytes = { ones, function (a) return a:tobytes() end, "pinned" },
    totable = { ones, function (a) return a:totable() end, "pinned" },
    copy_from = { function () return tide.zeros(20000, "uint8") end,
                  function (a) a:copy_from(("x"):rep(20000)) end, "pinned" },
    reshape = { function () return tide.ones({ 1024, 1024 }, "uint8").T end,
                function (a) return a:reshape{ MB } end },
  } do
    it("closes a source or a target (#124): " .. name, function ()
      local make, use, kind = table.unpack(case)
      local x = make()
      trap(x, kind, kind and tide.HostArray or tide.empty)
      local ok, err = pcall(use, x)
      assert(ok or err:find("array is closed", 1, true) or
             err:find("OUT_OF_MEMORY", 1, true), err)
    end)
  end

  it("closes an array that is being read", function ()
    local x = tide.ones(MB // 4, "float32")
    trap(x, "pinned", tide.HostArray)
    fails("array is closed", x.tobytes, x)
    assert.is_true(closed)
  end)
end)

describe("a finalizer", function ()
  after_each(finalizers.restore)

  --- Calls use(x), in which a finalizer closes x, at many places.
  local function check (make, use, whole)
    local closed = 0
    for n = 1, 20 do
      local x = make()
      local ok, result = finalizers.call(n, function ()
        x:close()
        closed = closed + 1
      end, pcall, use, x)
      assert(ok and whole(result) or
             not ok and result:find("array is closed", 1, true),
             ok and "it is not whole" or result)
    end
    assert.is_true(closed > 0)
  end

  for name, make in pairs{
    Array = function () return tide.full({ 3000, 2 }, 2) end,
    complex = function () return tide.full({ 3000, 2 }, 2, "complex64") end,
    HostArray = function () return tide.HostArray{ 3000, 2 }:fill(2) end,
  } do
    local value = name == "complex" and tide.complex(2, 0) or 2
    it("closes an array whose table is made (#72): " .. name, function ()
      check(make, function (x) return x:totable() end, function (t)
        for i = 1, 3000 do
          if t[i][2] ~= value then return false end
        end
        return #t == 3000
      end)
    end)
  end

  it("closes an array whose bytes are joined", function ()
    check(function ()
      return tide.HostArray({ 50, 100 }, "int32"):fill(0x01010101).T
    end, function (x)
      return x:tobytes()
    end, function (bytes)
      return bytes == ("\1"):rep(50 * 100 * 4)
    end)
  end)

  it("closes an array that is shown", function ()
    local function make () return tide.ones(1000, "complex64") end
    local text = tostring(make())
    check(make, tostring, function (shown)
      return shown == text or shown == text:match "^[^\n]+" or
             shown == "tide.Array (closed)"
    end)
  end)

  for name, make in pairs{
    stream = new, event = function () return tide.Stream.null:record() end,
  } do
    it("closes what is shown (#140): " .. name, function ()
      check(make, tostring, function (text)
        return text:find "^tide%.%a+ .*%(.*%)$"
      end)
    end)
  end

  -- The call closes what it has converted, and no array of the list.
  for _, name in ipairs{ "concatenate", "stack" } do
    it("empties the list that is joined by " .. name ..
       " (#74) #once #collector", function ()
      local a, b = tide.ones(3, "float32"), tide.ones(3, "float16")
      local emptied = 0
      for n = 1, 20 do
        local list = {}
        for i = 1, 200 do list[i] = i % 2 == 0 and a or b end
        finalizers.call(n, function ()
          emptied = emptied + 1
          for i = #list, 1, -1 do list[i] = nil end
        end, function () tide[name](list):close() end)
        assert.same({ 1, 1, 1 }, a:totable())
        assert.same({ 1, 1, 1 }, b:totable())
      end
      assert.is_true(emptied > 0)
    end)
  end
end)

-- A call that finds no room behind a host function runs it.
describe("a host function", function ()
  local N <const> = 1 << 16

  --- Calls fn(s) until it raises, because the function has closed 'object'.
  local function close_inside (object, fn)
    local s <close> = new()
    local spare <close> = new()
    local ran, ok, err = false, nil, nil
    tide.get_device():synchronize()
    s:launch_host_func(function ()
      ran = true
      object:close()
      tide.poll()
      tide.trim()
      T.trim()
      spare:with(function () tide.zeros(N, "uint8") end)
    end)
    T.limits(100)
    for _ = 1, 2000 do
      ok, err = pcall(s.with, s, fn, s)
      if not ok then break end
    end
    T.limits()
    assert(ran and not ok and err:find("closed", 1, true), err)
    tide.get_device():synchronize()
  end

  local function ones () return tide.ones(N, "float32") end
  local plus = tide.ElementwiseKernel("T x", "T y", "y = x + 1", "next")

  for name, case in pairs{
    ["an operand"] = { ones, function (x, y) return x + y end },
    ["what is written"] = { ones, function (x) x:add_(1) end },
    ["what is summed"] = { ones, function (x) return x:sum() end },
    ["what is copied from"] = { ones, function (x, y) y:copy_from(x) end },
    ["what is copied to"] = { ones, function (x, y) x:copy_from(y) end },
    ["what text is copied to"] = {
      function () return tide.zeros(1000, "uint8") end,
      function (x) x:copy_from(("x"):rep(1000)) end },
    ["what is sorted"] = { ones, function (x) return x:sort() end },
    ["what is cast"] = { ones, function (x) return x:astype "int64" end },
    ["what is joined"] = { ones, function (x, y)
      return tide.concatenate{ y, x }
    end },
    ["a kernel's argument"] = { ones, function (x) plus(x) end },
    ["a HostArray that is copied from"] = {
      function () return tide.HostArray(N, "float32") end,
      function (h, y) y:copy_from(h) end },
    ["a HostArray that is copied to"] = {
      function () return tide.HostArray(N, "float32") end,
      function (h, y) h:copy_from(y) end },
    ["an event that is recorded"] = {
      function () return tide.Event() end,
      function (e, _, s) s:record(e) end },
    ["an event that is waited for"] = {
      function () return tide.Event() end,
      function (e, y, s, t)
        t:with(function () y:add_(1) end)
        t:record(e)
        s:wait_event(e)
      end },
    ["a graph that is launched, and its arrays"] = {
      function ()
        local a <close> = ones()
        return (tide.capture(function () a:add_(1) a:mul_(1) end))
      end, function (g) g:launch() end },
  } do
    it("closes " .. name .. " (#120)", function ()
      local make, use = table.unpack(case)
      local y, t <close> = ones(), new()
      local x = make()
      close_inside(x, function (s) use(x, y, s, t) end)
      assert.equal(N, (y * 0 + 1):sum():item())
    end)
  end

  it("closes the HostArray that is waited for (#20)", function ()
    for name, use in pairs{
      index = function (h) return h[1] end,
      newindex = function (h) h[1] = 1 end,
      fill = function (h) h:fill(2) end,
      set = function (h) h:set(("x"):rep(64)) end,
      totable = function (h) return h:totable() end,
      item = function (h) return h:item() end,
    } do
      local s <close> = new()
      local n = name == "item" and 1 or 8
      local h, x = tide.HostArray(n), tide.ones(n)
      s:wait_stream(tide.Stream.null)
      s:launch_host_func(function () h:close() end)
      s:with(function () x:tohost{ out = h, blocking = false } end)
      fails("array is closed", use, h)
    end
  end)

  -- Lua may have opened another one in its place.
  it("closes the file that a HostArray reads or writes (#160)", function ()
    local path = os.tmpname()
    do
      local file <close> = assert(io.open(path, "w"))
      file:write(("x"):rep(100))
    end
    for _, name in ipairs{ "readfrom", "writeto" } do
      local s <close> = new()
      local h, a = tide.HostArray(40, "uint8"), tide.ones(40, "uint8")
      local file, other = assert(io.open(path, "r+")), nil
      s:launch_host_func(function ()
        file:close()
        other = io.open(path, "r+")
      end)
      s:with(function () h:copy_from(a) end)
      fails("file is closed", h[name], h, file)
      other:close()
      assert.equal(1, h[1])
      local check <close> = assert(io.open(path))
      assert.equal(("x"):rep(100), check:read "a")
    end
    os.remove(path)
  end)
end)

end)

it("a finalizer closes a source on another device (#124) #process", function ()
  assert.equal("done\n", helper.child_on("host", [[
    local tide = require "tide"
    local one, two = tide.Device "host:0", tide.Device "host:1"
    local function try (n, new, kind, scarce)
      one:use()
      tide.trim()
      local x = new(n, "uint8")
      scarce:use()
      collectgarbage()
      tide.trim()
      collectgarbage "stop"
      setmetatable({}, { __gc = function ()
        x:close()
        one:use()
        tide.trim()
      end })
      local garbage = kind and tide.HostArray or tide.empty
      garbage(n, "uint8")
      tide.memory_limit(tide.memory_stats(kind).reserved, kind)
      two:use()
      local ok, y = pcall(x.to, x, two)
      assert(ok or y:find("array is closed", 1, true), y)
      collectgarbage "restart"
      scarce:use()
      tide.memory_limit(0, kind)
      assert(not ok or y:max():item() < 2)
    end
    for _, n in ipairs{ 1000, 1 << 20 } do
      for _, new in ipairs{ tide.HostArray, tide.ones } do
        try(n, new, nil, two)
        try(n, new, "pinned", two)
        try(n, new, "pinned", one)
      end
    end
    print "done"
  ]], { TIDE_HOST_DEVICES = "2" }))
end)
