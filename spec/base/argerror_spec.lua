--[[
argerror_spec.lua - what errors call an argument: the operand of an operator,
what was called in the program's place; always with file and line.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, badarg = helper.fails, helper.badarg

--- says(text, code, ...): code, a chunk of these arguments, raises just that.
local function says (text, code, ...)
  local chunk = assert(load("local a, b = ... " .. code, "=chunk"))
  local ok, message = pcall(chunk, ...)
  assert.is_false(ok, code)
  assert.equal("chunk:1: " .. text, message, code)
end

helper.each_device(function (kind)

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
    says("clip: option 'out' must be an open tide.Array, got number",
         "a:clip(nil, 1, { out = 3 })", a)
    says("dot: option 'out' must be an open tide.Array, got number",
         "a:dot(b, { out = 3 })", a,
         tide.array(2))
    says("bad argument #2 to 'argpartition' (option 'out' must have dtype " ..
         "int64, has float64)", "a:argpartition(1, { out = b })", a, a)
    says("bad argument #2 to 'partition' (option 'out' must have shape 3, " ..
         "has 2)", "a:partition(1, { out = b })", a, tide.ones(2))
  end)

  it("is named where the program computes its name", function ()
    local a <const> = tide.ones(2)
    for _, name in ipairs{ "div", "maximum" } do
      for of, called in pairs{ [tide] = "tide." .. name, [a] = name } do
        local ok, err = pcall(function () local _ = of[name](a, "x") end)
        assert.is_false(ok)
        assert.matches(("#2 to '%s'"):format(called), err, 1, true)
      end
    end
  end)

  it("of C is named after the module that was required (#201) #process",
     function ()
    for _ = 1, 8 do  -- the order of a table is another one each time
      local printed = helper.child [[
        local tide = require "tide"
        print(select(2, pcall(tide.full)))
        print(select(2, pcall(tide.random.uniform, "x")))
        assert(require "tide" == require "tide.core")
        print "same"
      ]]
      assert(printed:find("argument #2 to 'tide.full'", 1, true), printed)
      assert(printed:find("to 'tide.random.uniform'", 1, true), printed)
      assert(printed:find "same", printed)
    end
  end)

  -- Each with the number of its options among the arguments.
  local OUT <const> = {
    average = 2, bincount = 2, convolve = 3, corrcoef = 2, cov = 2,
    correlate = 3, diff = 2, digitize = 3, median = 2, nanargmax = 2,
    nanmax = 2, nanmean = 2, nanmedian = 2, nanmin = 2, nanpercentile = 3,
    nanprod = 2, nanquantile = 3, nanstd = 2, nansum = 2, nanvar = 2,
    logsumexp = 2, percentile = 3, polyval = 3, ptp = 2, quantile = 3,
    searchsorted = 3, trapezoid = 2
  }

  it("counts options where the program has them (#310)", function ()
    local a <const> = tide.array({ 1, 2, 3 }, "int32")
    for name, at in pairs(OUT) do
      local q <const> = name:find "percentile" or name:find "quantile"
      for _, out in ipairs{ 1, tide.ones{ 5, 5 } } do
        local arguments <const> = { a, q and 0.5 or a }
        arguments[at] = { out = out }
        local err = badarg(at, "option 'out'", tide[name],
                           table.unpack(arguments, 1, at))
        assert(err:find(name, 1, true), err)
      end
    end
    badarg(2, "option 'out'", tide.lexsort, { a, a }, { out = 1 })
    for _, name in ipairs{ "convolve", "correlate" } do
      badarg(3, "option 'mode' must be 'full', 'same' or 'valid'", tide[name],
             a, a, { mode = "x" })
    end
  end)

  it("counts edges and lists as one argument", function ()
    local b <const>, gone <const> = tide.ones(3), closed(tide.ones, 2)
    local expected <const> = "number of bins, tide.Array or table of edges " ..
                             "expected, got string"
    badarg(2, expected, tide.histogram, b, "auto")
    badarg(3, expected, tide.histogram2d, b, b, "x")
    badarg(3, expected, tide.histogram2d, b, b, { 2, "x" })
    says("bad argument #1 to 'histogram' (" .. expected .. ")",
         "a:histogram 'auto'", b)
    badarg(2, "array is closed", tide.histogram, b, gone)
    badarg(3, "array is closed", tide.histogram2d, b, b, { 2, gone })
    badarg(1, "tide.Array, table or integer expected, got string",
           tide.ravel_multi_index, { "x" }, 2)
    badarg(1, "indices must be integers", tide.ravel_multi_index,
           { tide.ones(2) }, 2)
    assert.equal(2, tide.ravel_multi_index({ 1, 2 }, { 2, 2 }):item())
  end)

  it("has its own name, not that of a step (#333)", function ()
    local c <const> = tide.ones(4):astype "complex64"
    for _, name in ipairs{ "std", "var", "nanstd", "nanvar", "ptp", "nanmax",
                           "nanmin", "nanargmax", "nanargmin", "unique",
                           "unique_counts", "logsumexp", "unique_all",
                           "unique_inverse", "unique_values" } do
      fails(("'%s' is not defined for complex64 arrays"):format(name),
            tide[name], c)
    end
    fails("'ptp' is not defined for bool arrays", tide.ptp,
          tide.array{ true, false })
    badarg(2, "one axis expected", tide.nanargmax, tide.ones{ 2, 2 }, { 1, 2 })
    fails("nan_to_num: option 'out'", tide.nan_to_num, tide.ones(2, "int32"),
          { out = 1 })
    fails("'clip' is not defined for complex128 arrays", tide.clip,
          tide.ones(2), tide.complex(1, 2))
  end)

  it("has its line, or none at the foot of a coroutine (#314)", function ()
    local function message_of (fn)
      local ok, err = pcall(coroutine.wrap(fn))
      assert.is_false(ok)
      return err
    end
    local options <const> = { timout = 3 }
    local function call () tide.comm({ kind }, options) end
    assert.matches("^[^\n]-argerror[^\n]-:%d+: bad argument #2 to 'comm'",
                   message_of(call))
    local function give () return tide.comm({ kind }, options) end
    assert.matches("^bad argument #2 to 'comm'", message_of(give))
    assert.matches("^bad argument #1 to 'comm'", message_of(function ()
      return tide.comm{ kind, kind }
    end))
    local text = message_of(function ()
      return tide.capture(function () tide.ones(2):await() end)
    end)
    assert.matches("argerror[^\n]-:%d+: array:await: ", text)
    assert.is_nil(text:find("init.lua", 1, true))
  end)

  it("of a table has its name, and a place (#322)", function ()
    says("bad argument #1 to 'Stream' (options table expected, got number)",
         "a.Stream(3)", tide)
    for text, call in pairs{
      ["#1 to 'tide.Stream' (options table"] = { tide.Stream, 3 },
      ["#2 to 'tide.Stream' (no value expected"] = { tide.Stream, nil, 3 },
      ["#2 to 'tide.complex' (number expected"] = { tide.complex, 1, {} },
      ["#3 to 'tide.complex' (no value expected"] = { tide.complex, 1, 2, 3 }
    } do
      local message = fails("bad argument " .. text, table.unpack(call, 1, 4))
      assert.is_truthy(message:find("^[^:]+:%d+: bad"), message)
    end
  end)

  it("has a NaN without a sign (#312)", function ()
    local a <const> = tide.ones{ 2, 3 }
    for _, nan in ipairs{ 0 / 0, -(0 / 0) } do
      for _, fn in ipairs{ tide.sleep, tide.queue, tide.progress,
                           tide.random.permutation, tide.zeros } do
        fails("got nan", fn, nan)
      end
      fails("got nan", tide.random.bernoulli, nan, 3)
      fails("got nan", tide.random.gamma, nan, 1, 3)
      fails("got nan", tide.random.uniform, 0, 1, nan)
      fails("got nan", tide.pad, a, nan)
      fails("got nan", a.plot, a, { bins = nan })
    end
  end)

  it("says what it got", function ()
    local a, gone = tide.ones(3), closed(tide.ones, 3)
    badarg(3, "option 'out' must be an open tide.Array, got number",
           tide.random.uniform, nil, nil, { out = 3 })
    badarg(2, "option 'out' must be an open tide.Array, got a closed one",
           a.sort, a, { out = gone })
    badarg(2, "must be an open tide.HostArray, got tide.Array", a.tohost, a,
           { out = a })
    badarg(3, "expected, got no value", a.interp, a, a)
    badarg(3, "expected, got nil", a.interp, a, a, nil)
    for _, list in ipairs{ { gone }, { { gone } }, { 1, gone } } do
      badarg(1, "array is closed", tide.array, list)
      badarg(2, "array is closed", a.append, a, list)
    end
  end)

  it("knows what others call it", function ()
    fails("no field 'await' in tide.Device; did you mean dev:synchronize()",
          function () tide.get_device():await() end)
    for theirs, ours in pairs{ genfromtxt = "loadtxt", trapz = "trapezoid",
                               medfilt = "median_filter", ediff1d = "diff",
                               interpolate = "resize", zoom = "resize",
                               flatnonzero = "nonzero" } do
      fails("did you mean '" .. ours .. "'?", function ()
        return tide[theirs]
      end)
    end
    local a = tide.zeros(1)
    for name, module in pairs{ polyfit = "", resize = "", group = "",
                               einsum = "", save = "", stack = "",
                               svd = "linalg.", irfft = "fft.",
                               choice = "random." } do
      fails(("no field '%s' in tide.Array; did you mean tide.%s%s?"):format(
              name, module, name), function () return a[name] end)
    end
    fails("no field 'sleep' in tide.Stream; did you mean tide.sleep?",
          function () return tide.Stream.null.sleep end)
    for _, dtype in ipairs{ "bool", "int8", "uint64", "bfloat16" } do
      fails(('did you mean the string "%s"?'):format(dtype), function ()
        return tide[dtype]
      end)
      badarg(2, ('a device expected, got a dtype: a:astype "%s"'):format(dtype),
             a.to, a, dtype)
    end
    for _, x in ipairs{ tide.random, tide.random.Generator(1) } do
      fails("states of generators cannot be saved", function ()
        return x.get_state
      end)
    end
    fails("no field 'gauss' in tide.random; did you mean 'normal'?",
          function () return tide.random.gauss end)
    fails("no field 'gauss' in tide; did you mean tide.random.normal?",
          function () return tide.gauss end)
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

  it("is named in a finalizer as elsewhere", function ()
    local a <const>, s <const> = closed(tide.zeros, 3), closed(tide.Stream)
    local b <const> = tide.zeros(3)
    for fn, text in pairs{
      [function () return (tide.cumsum(a, 1)) end] =
        "bad argument #1 to 'cumsum' (array is closed)",
      [function () return (b:cumsum(2)) end] =
        "bad argument #1 to 'cumsum' (",
      [function () return (a:cumsum(1)) end] =
        "calling 'cumsum' on bad self (array is closed)",
      [function () return (b:cumsum(1, nil, 3)) end] =
        "bad argument #3 to 'cumsum' (no value expected, got number)",
      [function () return a + 1 end] =
        "bad left operand of '+' (array is closed)",
      [function () return 1 - a end] =
        "bad right operand of '-' (array is closed)",
      [function () return -a end] = "bad operand of '-' (array is closed)",
      [function () return (s:synchronize()) end] =
        "calling 'synchronize' on bad self (stream is closed)",
      [function () return a[1] end] = "cannot index: ",
      [function () a[1] = 1 end] = "cannot assign: ",
      [function () return (tide.zeros("x")) end] = "to 'zeros' (",
    } do
      local outside <const> = tostring(select(2, pcall(fn)))
      local inside
      setmetatable({}, { __gc = function ()
        inside = tostring(select(2, pcall(fn)))
      end })
      collectgarbage()
      assert.truthy(outside:find(text, 1, true), outside)
      assert.equal(outside, inside)
    end
  end)
end)

end)
