--[[
blame_spec.lua - what errors call an argument: the operand of an operator, what
was called in the program's place; always with file and line.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails = helper.fails

--- says(text, code, ...): code, a chunk of these arguments, raises just that.
local function says (text, code, ...)
  local chunk = assert(load("local a, b = ... " .. code, "=chunk"))
  local ok, message = pcall(chunk, ...)
  assert.is_false(ok, code)
  assert.equal("chunk:1: " .. text, message, code)
end

helper.each_device(function ()

local function closed (make, ...)
  local object = make(...)
  object:close()
  return object
end

describe("an operator names its operand:", function ()
  local SYMBOLS = { "+", "-", "*", "/", "//", "%", "^", "&", "|", "~", "<<",
                    ">>" }

  it("which of two", function ()
    local a, gone = tide.ones(3, "int32"), closed(tide.ones, 3)
    for _, symbol in ipairs(SYMBOLS) do
      says(("bad right operand of '%s' (array is closed)"):format(symbol),
           ("return a %s b"):format(symbol), a, gone)
      says(("bad left operand of '%s' (array is closed)"):format(symbol),
           ("return b %s a"):format(symbol), a, gone)
      says(("bad right operand of '%s' (tide.Array, number or boolean " ..
            "expected, got table)"):format(symbol),
           ("return a %s {}"):format(symbol), a)
    end
    says("bad left operand of '+' (tide.Array, number or boolean expected, " ..
         "got string)", "return 'x' + a", a)
    says("bad right operand of '+' (number is out of range for int32: " ..
         "1099511627776)", "return a + (1 << 40)", a)
    says("bad left operand of '-' (number is out of range for int32: " ..
         "1099511627776)", "return (1 << 40) - a", a)
    says("bad right operand of '*' (array is closed)", "return a * b",
         tide.complex(1, 2), gone)
  end)

  it("the only one", function ()
    local gone = closed(tide.ones, 3)
    for _, symbol in ipairs{ "-", "~", "#" } do
      says(("bad operand of '%s' (array is closed)"):format(symbol),
           ("return %sa"):format(symbol), gone)
    end
    says("bad operand of '#' (array is closed)", "return #a",
         closed(tide.HostArray, 3))
  end)

  it("a HostArray, of which there could be an array", function ()
    local text = "tide.Array, number or boolean expected, got tide.HostArray"
    says(("bad right operand of '+' (%s; tide.asarray(x) is one)"):format(text),
         "return a + b", tide.ones(3), tide.HostArray(3))
    says("bad argument #1 to 'add' (" .. text .. "; tide.asarray(x) is one)",
         "return a:add(b)", tide.ones(3), tide.HostArray(3))
    text = ("(%s; tide.asarray(x) is one)"):format(text)
    for symbol in ("+ - * / // % ^ & | ~ << >>"):gmatch "%S+" do
      says(("bad left operand of '%s' %s"):format(symbol, text),
           ("return a %s b"):format(symbol), tide.HostArray(3), 1)
      says(("bad right operand of '%s' %s"):format(symbol, text),
           ("return a %s b"):format(symbol), 1, tide.HostArray(3))
    end
    for _, symbol in ipairs{ "-", "~" } do
      says(("bad operand of '%s' %s"):format(symbol, text),
           ("return %sa"):format(symbol), tide.HostArray(3))
    end
    for _, symbol in ipairs{ "<", "<=", ">", ">=" } do
      says("'<', '<=', '>' and '>=' give one boolean in Lua, for arrays use " ..
           "a:lt(b), a:le(b), a:gt(b), a:ge(b); tide.asarray(h) is one",
           ("return a %s b"):format(symbol), tide.HostArray(3), 1)
    end
  end)
end)

describe("indexing is called so:", function ()
  it("what is closed", function ()
    for _, make in ipairs{ tide.ones, tide.HostArray } do
      local gone = closed(make, 3)
      says("cannot index: array is closed", "return a[1]", gone)
      says("cannot index: array is closed", "return a.shape", gone)
      says("cannot assign: array is closed", "a[1] = 2", gone)
      says("pairs: array is closed", "return pairs(a)", gone)
    end
    says("cannot index: stream is closed", "return a.done",
         closed(tide.Stream))
    says("cannot index: event is closed", "return a.done", closed(tide.Event))
    says("cannot index: graph is closed", "return a.device",
         closed(tide.capture, function () tide.ones(1) end))
  end)

  it("what does not fit", function ()
    local a = tide.ones{ 2, 3 }
    says("cannot assign: shape 4 cannot be broadcast to 3", "a[1] = b", a,
         tide.ones(4))
    says("cannot assign: shape 2 cannot be broadcast to 3", "a[1] = {1, 2}", a)
    says("cannot assign: shape 3 cannot be broadcast to 2x2",
         "a[{ {}, {1, 2} }] = b", a, tide.ones(3))
    says("cannot assign: shape 2 cannot be broadcast to ()",
         "a[{1, 1}] = {1, 2}", a)
    says("cannot assign: dtype float64 expected, got int8", "a[1] = b", a,
         tide.HostArray(3, "int8"))
    says("cannot assign: array is closed", "a[1] = b", a,
         closed(tide.ones, 3))
    says("cannot assign: number, boolean, table or array expected, got string",
         "a[1] = 'x'", a)
    says("cannot assign: number or boolean expected, got tide.Complex",
         "a[1] = b", a, tide.complex(1, 2))
    says("cannot assign: elements of a broadcast array share memory and " ..
         "cannot be written; write to a :copy() of it", "a[1] = 0",
         a:broadcast_to{ 2, 2, 3 })
  end)
end)

describe("a call", function ()
  it("counts its arguments as ever", function ()
    local a, gone = tide.ones(3), closed(tide.ones, 3)
    says("bad argument #1 to 'add_' (array is closed)", "a:add_(b)", a, gone)
    says("bad argument #2 to 'add' (array is closed)", "b.add(b, a)", gone, a)
  end)

  it("through pcall has its name, and a place", function ()
    local message = fails("bad argument #2 to 'add_' (array is closed)",
                          tide.ones(3).add_, tide.ones(3),
                          closed(tide.ones, 3))
    assert.is_truthy(message:find("^spec/support/helper.lua:%d+: bad"), message)
    local a, e = tide.ones(4), tide.Event()
    for text, call in pairs{
      ["#2 to 'copy_from' (string of 32 bytes expected, got 2)"] =
        { a.copy_from, a, "ab" },
      ["#2 to 'item' (no value expected, got number)"] = { a.item, a, 1 },
      ["#1 to 'synchronize' (event was never recorded)"] =
        { e.synchronize, e },
      ["#1 to 'listen' (string expected, got number)"] = { tide.ipc.listen, 3 },
      ["#4 to 'tide.eye' (no value expected, got number)"] =
        { tide.eye, 3, 3, "int32", 1 }
    } do
      message = fails("bad argument " .. text, table.unpack(call))
      assert.is_truthy(message:find("^spec/support/helper.lua:%d+: bad"),
                       message)
    end
  end)

  it("of tide's own Lua is the program's", function ()
    local gone, fixed = closed(tide.ones, 3), tide.zeros(1):broadcast_to(5)
    says("bad argument #1 to 'shuffle' (array is closed)",
         "local _ = a.shuffle(b)", tide.random, gone)
    says("bad argument #1 to 'choice' (array is closed)",
         "local _ = a.choice(b, 1)", tide.random, gone)
    says("bad argument #3 to 'choice' (unknown option 'repalce'; did you " ..
         "mean 'replace'?)", "local _ = a.choice(5, 3, { repalce = true })",
         tide.random)
    says("bad argument #2 to 'choice' (field 'replace' in a shape, which is " ..
         "lengths alone, {2, 3}; what else there is are arguments of their " ..
         "own)", "local _ = a.choice(5, { replace = false })", tide.random)
    says("bad argument #1 to 'shuffle' (elements of a broadcast array share " ..
         "memory and cannot be written; write to a :copy() of it)",
         "local _ = a.shuffle(b)", tide.random, fixed)
    says("bad argument #3 to 'bernoulli' (unknown dtype 'quux')",
         "local _ = a.bernoulli(0.5, 2, 'quux')", tide.random)
    local g = closed(tide.random.Generator)
    for call, name in pairs{ ["choice(3, 1)"] = "choice",
                             ["bernoulli(0.5, 1)"] = "bernoulli",
                             ["permutation(3)"] = "permutation",
                             ["shuffle(b)"] = "shuffle" } do
      says(("calling '%s' on bad self (generator is closed)"):format(name),
           "local _ = a:" .. call, g, tide.zeros(2))
    end
  end)

  it("that tide makes itself is the one that the program made", function ()
    local a = tide.ones(3)
    says("clip: option 'out' must be an open tide.Array",
         "a:clip(nil, 1, { out = 3 })", a)
    says("dot: option 'out' must be an open tide.Array",
         "a:dot(b, { out = 3 })", a,
         tide.array(2))
  end)

  it("in a finalizer is not the call that has failed (#263)", function ()
    --- Calls fn where nothing shallow overwrites what it leaves in the stack.
    local function deep (n, fn)
      if n > 0 then pcall(deep, n - 1, fn) else fn() end
    end
    local gone = closed(tide.Stream)
    local a, f = tide.zeros(10), tide.fuse(function (x) return x * 2 end)
    f(a)
    local err
    deep(40, function () f(a, { output = 1 }) end)
    setmetatable({}, { __gc = function ()
      err = select(2, pcall(gone.with, gone, print))
    end })
    collectgarbage()
    assert.truthy(err:find("bad argument #1 to 'with' (stream is closed)", 1,
                           true), err)
  end)
end)

end)
