--[[
entry_spec.lua - a call is begun again when others come in between its
operations: all that it reads it reads at one time.
]]
local tide = require "tide"
local exports = require "spec.checks.exports"
local helper = require "spec.support.helper"
local finalizers = require "spec.support.finalizers"
local T = helper.T

helper.each_device(function (kind)

-- Single calls of several operations, which read 'a' in more than one of them.
local calls = {
  var = function (a) return a:var() end,
  ["var of an axis"] = function (a) return a:var(2) end,
  std = function (a) return a:std(1) end,
  concatenate = function (a, t) return tide.concatenate{ a, t, a } end,
  stack = function (a, t) return tide.stack{ t, a, t } end,
  vstack = function (a, t) return tide.vstack{ t, a, t } end,
  column_stack = function (a, t) return tide.column_stack{ t, a, t[1] } end,
  tile = function (a) return a:tile{ 2, 2 } end,
  roll = function (a) return a:roll(1) end,
  repeat_each = function (a) return a:repeat_each(2) end,
  where = function (a, t) return a:where(t, a) end,
  append = function (a, t) return a:append(t, 1) end,
  insert = function (a, t)
    return t:insert({ 1, 5, 9 }, a[{ {}, { 1, 3 } }], 2)
  end,
  delete = function (_, t) return t:delete({ 2, 7 }, 1) end,
  put = function (a)
    return tide.zeros({ 12, 12 }, "int64"):put(a, a, { mode = "wrap" })
  end,
  take_along_axis = function (_, t)
    return t:take_along_axis(t, { mode = "wrap" })
  end,
  scatter_add = function (a)
    return tide.zeros{ 12, 12 }:scatter_add(a, a, { mode = "wrap" })
  end,
  scatter_max = function (a)
    return tide.zeros({ 12, 12 }, "int64")
           :scatter_max(a, a, { mode = "wrap" })
  end,
  nonzero = function (_, t) return (t:nonzero()) end,
  pad = function (_, t) return t:pad(1) end,
  triu = function (_, t) return t:triu() end,
  dot = function (a, t) return tide.dot(a, t) end,
  matmul = function (a, t) return tide.matmul(t, a) end,
  inner = function (a, t) return tide.inner(a, t) end,
  kron = function (a, t) return tide.kron(a[1], t) end,
  tensordot = function (a, t) return tide.tensordot(a, t, { 1, 1 }) end,
  vecdot = function (a, t) return tide.vecdot(a, t) end,
  einsum = function (a, t) return tide.einsum("ij,jk,ki->i", a, t, a) end,
  cross = function (a, t)
    return tide.cross(a[{ {}, { 1, 3 } }], t[{ {}, { 1, 3 } }])
  end,
  convolve2d = function (a, t) return a:convolve2d(t, "same") end,
  norm = function (a) return a:norm(3, 1) end,
  softmax = function (a) return a:softmax(1) end,
  cumsum = function (a) return a:cumsum(1) end,
  diff = function (a, t) return a:diff(1, 1, { prepend = t }) end,
  bincount = function (_, t) return t:bincount{ base = 0, size = 97 } end,
  ["bincount of weights"] = function (a, t)
    return t:bincount(a, { base = 0, size = 97 })
  end,
  histogram = function (_, t) return (t:histogram(5)) end,
  searchsorted = function (a, t) return a[1]:searchsorted(t) end,
  isin = function (a, t) return a:isin(t) end,
  ["isin of complex numbers"] = function (_, t)
    return t:isin{ tide.complex(5, 0), 7 }
  end,
  nanstd = function (_, t) return t:nanstd(1) end,
  median = function (_, t) return t:median(1) end,
  unique = function (_, t) return t:unique() end,
  topk = function (_, t) return (t:topk(3, 1)) end,
  lexsort = function (a, t) return tide.lexsort{ a, t } end,
  ptp = function (_, t) return t:ptp(1) end,
  cov = function (a, t) return t:cov(a) end,
  sort = function (a) return a:sort(1) end,
  argsort = function (a) return a:argsort(1) end,
  totable = function (_, t) return t:totable() end,
  tohost = function (_, t) return t:tohost() end,
  tobytes = function (_, t) return t:tobytes() end
}

local function contents (x)
  if type(x) == "table" or type(x) == "string" then
    return x
  end
  return { x.shape, x:totable() }
end

local N = 12

--- Each with other elements, so that no mixture is what either gives.
local function elements (k)
  local rows = {}
  for i = 1, N do
    rows[i] = {}
    for j = 1, N do
      rows[i][j] = (k * (i * 31 + j * 17) + i * j) % 97
    end
  end
  return rows
end

--- new(rows) -> an array of them, and its transpose.
local function new (rows)
  local a = tide.array(rows)
  return a, a.T
end

local names = {}
for name in pairs(calls) do
  names[#names + 1] = name
end
table.sort(names)

describe("a finalizer that writes while a call is under way", function ()
  after_each(finalizers.restore)

  local again = 0

  for _, name in ipairs(names) do
    it("is before or after all of it: " .. name, function ()
      local call = calls[name]
      local first, second = elements(1), elements(5)
      local wanted = { contents(call(new(first))),
                       contents(call(new(second))) }
      local other = tide.array(second)
      for n = 0, 12 do
        local a, t = new(first)
        local wrote = false
        tide.get_device():synchronize()
        local result = finalizers.call(n, function ()
          a:copy_from(other)
          wrote = true
        end, call, a, t)
        again = again + (wrote and 1 or 0)
        local is = contents(result)
        local same = pcall(assert.same, wanted[2], is) or
                     pcall(assert.same, wanted[1], is)
        assert(same, ("%d: neither of before nor of after"):format(n))
      end
    end)
  end

  it("has come in between often", function ()
    assert(again > 50, again)
  end)
end)

describe("a call that begins again", function ()
  local function each (fn)
    for n = 1, 6 do
      T.again(n)
      local ok, err = pcall(fn)
      T.again(tonumber(os.getenv "TIDE_SPEC_AGAIN" or 0))
      assert(ok, err)
    end
  end

  it("draws its random numbers once", function ()
    tide.random.seed(5)
    local first = tide.random.uniform(0, 1, 1000):totable()
    each(function ()
      tide.random.seed(5)
      assert.same(first, tide.random.uniform(0, 1, 1000):totable())
    end)
  end)

  it("leaves nothing of its first attempts", function ()
    local a = tide.array(elements(1))
    local before = T.held().device_bytes
    each(function ()
      a:var():close()
      tide.concatenate{ a, a:astype "float32" }:close()
    end)
    collectgarbage()
    collectgarbage()
    tide.poll()
    assert.equal(before, T.held().device_bytes)
  end)

  it("calls no function of the program twice", function ()
    local n = 0
    local f = tide.fuse(function (x) n = n + 1 return x * 2 + 1 end)
    if not pcall(f, tide.ones(3)) then
      return  -- generated kernels need NVRTC
    end
    n = 0
    each(function ()
      local g = tide.fuse(function (x) n = n + 1 return x * 3 + 1 end)
      assert.equal(4, g(tide.ones(3))[1])
    end)
    assert.equal(6, n)
  end)

  it("has the arguments that it had", function ()
    local a = tide.array(elements(1))
    each(function ()
      local out = tide.empty({ N, N }, "int64")
      assert.equal(out, a:mul(2, { out = out }))
      assert.equal(a[1][1] * 2, out[1][1])
    end)
  end)

  helper.host_it("is what a host function makes room for", function ()
    local s <close> = tide.Stream{ non_blocking = true }
    local a, ran = tide.zeros(10), 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function ()
      T.limits(2000)
      for _ = 1, 3000 do
        a:add_(1)
      end
    end)
    assert.equal(1, ran)
    assert.equal(3000, a:max():item())
  end)
end)

-- Functions that take any number of arguments: these go on to the program's
-- function or to the kernel, or they are a shape, axes or operands.
local ANY = {}
for name in ([[capture scope with_stream with_device Stream:with Connection:send
    run spawn result_type einsum Communicator:group
    broadcast_to expand_dims flip permute reshape squeeze transpose view
    broadcast_shapes]]):gmatch
    "%S+" do
  ANY["tide." .. name], ANY["Array:" .. name], ANY[name] = true, true, true
  ANY["HostArray:" .. name] = true
end

-- A number there has an error of its own.
local TEXT = { ["tide.zeros"] = true, ["tide.ones"] = true,
               ["tide.empty"] = true, ["tide.HostArray"] = true,
               ["tide.indices"] = true,
               ["tide.ipc.zeros"] = true, ["tide.ipc.empty"] = true }

local function is_called (export)
  return not export.name:find "%.__" and not export.name:find "^%u%w*%."
end

describe("an argument too many", function ()
  local many = {}
  for i = 1, 40 do
    many[i] = i
  end

  for _, export in ipairs(exports.list(tide)) do
    if is_called(export) and not ANY[export.name] then
      it("is refused by " .. export.name, function ()
        local fn = export.call
        local first = (export.class or export.name == "tide.wrap") and
                      { print } or {}
        table.move(many, 1, 40, #first + 1, first)
        if TEXT[export.name] then
          first[2] = "float64"
        end
        local err = helper.fails("(", fn, table.unpack(first))
        local at = tonumber(err:match
          "bad argument #(%d+) to '[^']+' %(no value expected")
        assert(at and at <= 10, err)
        for i = at, 40 do
          first[i] = nil  -- what it takes, and nils
        end
        local _, other = pcall(fn, table.unpack(first, 1, 40))
        assert(not tostring(other):find "no value expected", other)
      end)
    end
  end

  it("is counted as Lua counts: without the object of a method", function ()
    local a = tide.ones(3)
    helper.badarg(3, "'zeros' (no value expected, got string)", function ()
      tide.zeros(3, "float32", "host")
    end)
    helper.badarg(1, "'close' (no value expected, got boolean)", function ()
      a:close(true)
    end)
    assert.equal(3, a.size)
    helper.badarg(5, "'zeros' (no value expected, got number)", function ()
      tide.zeros(3, nil, nil, nil, 1)
    end)
    a:close(nil, nil)
  end)

  it("is refused after a list that is a table", function ()
    local a = tide.ones{ 2, 3 }
    for _, name in ipairs{ "broadcast_to", "expand_dims", "flip", "permute",
                           "reshape", "squeeze", "transpose" } do
      helper.badarg(3, "no value expected, got number", tide[name], a, { 1 },
                    1)
    end
  end)
end)

-- This error comes before the call has an API entry of its own.
describe("a function that is called with its module after an error", function ()
  it("raises (#326) #process", function ()
    assert.equal("done\n", helper.child_on(kind, [[
      local tide = require "tide"
      local function deep (n) return n > 0 and deep(n - 1) .. "" or "" end
      local function call (text)
        return load("local tide = ... local x = " .. text .. " return x")
      end
      local second = {
        zeros = call "tide:zeros(3)", open = call "tide:open('x')",
        poll = call "tide:poll()", Event = call "tide:Event()",
        uniform = call "tide.random:uniform(3)"
      }
      for _, text in ipairs{ "tide.zeros('3')", "tide.ones(2):sum(7)",
          "tide.Stream{ x = 1 }", "tide.open('/nowhere/at/all')",
          "tide.einsum()" } do
        for name, fn in pairs(second) do
          assert(not pcall(call(text), tide))
          deep(50)
          local ok, why = pcall(fn, tide)
          assert(not ok and why:find("calling '" .. name .. "' on bad self " ..
                 "(a function of a module is called with '.')", 1, true), why)
        end
      end
      print "done"
    ]]))
  end)
end)

-- Functions that are made of others, whose methods they look up.
local MADE_OF_OTHERS <const> = {
  dot = function (a, b) return a:dot(b) end,
  std = function (a, b) return (a - b):std() end,
  cov = function (a, b) return a:cov(b) end,
  trapezoid = function (a, b) return a:trapezoid(b) end,
  isclose = function (a, b) return a:isclose(b) end,
  histogram = function (a) return (a:histogram(3)) end,
  unique = function (a) return select(2, a:unique{ return_inverse = true }) end,
  round = function (a) return a:round(2) end,
  clip = function (a, b) return a:clip(b, 3) end,
  ["a[mask]"] = function (a, b) return a[b:gt(1)] end,
  one_hot = function () return tide.array{ 1, 2 }:one_hot(3) end,
  norm = function (a, b) return (a + b):norm() end,
  einsum = function (a, b) return tide.einsum("i,j->ij", a, b) end
}

describe("a hook whose calls fail", function ()
  --- The call, and whether its hook was run at the n-th return.
  local function hooked (call, n, a, b)
    local i = 0
    debug.sethook(function ()
      i = i + 1
      if i ~= n then return end
      debug.sethook()
      helper.fails("bad argument", tide.ones, -1)
      tide.ones(2):close()
      helper.fails("bad argument", tide.ones, -1)
    end, "r")
    local ok, result = pcall(call, a, b)
    debug.sethook()
    assert(ok, result)
    return result, i >= n
  end

  for name, call in pairs(MADE_OF_OTHERS) do
    it(("does no harm wherever it runs in %s (#278)"):format(name), function ()
      local a, b = tide.array{ 1, 2, 3. }, tide.array{ 3, 4, 1. }
      local wanted = call(a, b):totable()
      local n, more = 0, true
      while more do
        n = n + 1
        local result
        result, more = hooked(call, n, a, b)
        assert.same(wanted, result:totable())
      end
      assert.is_true(n > 3)
    end)
  end
end)

end)
