--[[
errors_spec.lua - what errors look like: argument errors in Lua's own form,
driver errors with call, name, number and text; errorinfo; sync_debug.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

helper.each_device(function ()

describe("messages", function ()
  it("say what would do", function ()
    local a = tide.ones(2, "int32")
    fails("several arrays are in one: { a, b }", tide.concatenate, a, a)
    fails("{ descending = true }", tide.sort, a, true)
    fails('a dtype is written by itself: "float32"', tide.zeros, 3,
          { dtype = "int32" })
    fails('an operand of int32 would do: :astype "int32"', a.add_, a,
          tide.ones(2))
    for _, name in ipairs{ "nonzero", "argwhere", "unique" } do
      fails("{ size = n } says it", tide.capture, function () a[name](a) end)
    end
  end)
end)

describe("a driver error", function ()
  it("is call: NAME (code): text, with the line of Lua", function ()
    local s <close> = new()
    T.failcall(1, 700, "cuEventRecord")
    local message = fails("cuEventRecord: CUDA_ERROR_ILLEGAL_ADDRESS (700): ",
                          function () s:record() end)
    assert.is_truthy(message:find("^spec/device/errors_spec.lua:%d+: "),
                     message)
    assert.is_true(#message:match "%(700%): (.*)" > 5)
  end)

  it("of a number nobody knows keeps the number", function ()
    local s <close> = new()
    T.failcall(1, 4242, "cuEventRecord")
    fails("cuEventRecord: CUDA_ERROR_UNKNOWN (4242)", s.record, s)
  end)

  it("is a string", function ()
    local s <close> = new()
    T.failcall(1, 1, "cuEventRecord")
    local _, err = pcall(s.record, s)
    assert.equal("string", type(err))
  end)
end)

describe("a name that is not there", function ()
  local function get (t, key) return t[key] end

  it("raises, with the nearest one", function ()
    fails("no field 'Strem' in tide; did you mean 'Stream'?", get, tide,
          "Strem")
    fails("no field 'nul' in tide.Stream; did you mean 'null'?", get,
          tide.Stream, "nul")
    fails("no field 'xyzzy' in tide", get, tide, "xyzzy")
    fails("no field '1' in tide", get, tide, 1)
    assert.is_nil(rawget(tide, "Strem"))
  end)

  it("or what others mean by it, and nothing else", function ()
    local a, s <close> = tide.ones(3), new()
    fails("no field 'clone' in tide.Array; did you mean 'copy'?", get, a,
          "clone")
    fails("no field 'cat' in tide; did you mean 'concatenate'?", get, tide,
          "cat")
    fails("no field 'double' in tide.Array; did you mean 'astype'?", get, a,
          "double")
    assert.is_nil(fails("no field 'clone'", get, s, "clone"):find "did you")
    assert.is_nil(fails("no field 'foor'", get, a, "foor"):find "four")
    for name, meant in pairs{ copy_ = "copy_from", zero_ = "fill",
                              clamp_ = "clip_", narrow = "slice" } do
      fails(("no field '%s' in tide.Array; did you mean '%s'?"):format(
        name, meant), get, a, name)
    end
    for name, meant in pairs{ float = "float64", int = "int64",
                              double = "float64", half = "float16",
                              f4 = "float32", i8 = "int64", uint = "uint64",
                              boolean = "bool", complex = "complex128" } do
      fails(("unknown dtype '%s'; did you mean '%s'?"):format(name, meant),
            tide.zeros, 3, name)
    end
  end)
end)

describe("a name that means something else here", function ()
  local function told (where, name, of, phrase)
    helper.fails(("no field '%s' in %s; did you mean %s?"):format(
      name, of, phrase), function () return where[name] end)
  end

  it("is told by what is written for it", function ()
    local a, e, s <close> = tide.ones(3), tide.Event(), new()
    told(tide, "nan", "tide", "0/0")
    told(tide, "repl", "tide", 'require "tide.repl"')
    told(tide, "set_device", "tide", "dev:use()")
    told(tide, "asnumpy", "tide", "a:totable() or a:tohost()")
    told(tide, "synchronize", "tide", "dev:synchronize() or s:synchronize()")
    told(tide, "add_", "tide", "a:add_()")
    told(tide, "float32", "tide", 'the string "float32"')
    told(tide, "randn", "tide", "tide.random.normal")
    told(tide, "cuda", "tide", 'tide.Device "cuda"')
    told(a, "cuda", "tide.Array", 'a:to "cuda"')
    told(e, "elapsed_time", "tide.Event", "tide.get_elapsed_time(e, later)")
    told(a, "len", "tide.Array", "#a, or a.size")
    told(e, "wait", "tide.Event", "e:synchronize(), or s:wait_event(e)")
    told(s, "wait", "tide.Stream", "s:synchronize() or s:wait_event(e)")
    told(a, "wait", "tide.Array", "a:await()")
    told(tide, "File", "tide", "tide.open(path)")
    told(tide, "fromfile", "tide", "tide.open(path):read(a)")
    told(tide, "luv", "tide", 'require "tide.luv"')
    told(tide, "poisson", "tide", "tide.random.poisson")
    told(a, "tofile", "tide.Array", 'tide.open(path, "w"):write(a)')
    e:close()
  end)

  it("or that nothing need be written", function ()
    local a = tide.ones(3)
    fails("no field 'record_stream' in tide.Array; there is nothing to do: " ..
          "tide knows who uses what", function () return a.record_stream end)
  end)

  it("or by its name", function ()
    local a, e, s <close> = tide.ones(3), tide.Event(), new()
    told(a, "rint", "tide.Array", "'round'")
    told(tide, "rint", "tide", "'round'")
    told(tide, "current_device", "tide", "'get_device'")
    told(tide, "get_stream", "tide", "'get_current_stream'")
    told(e, "query", "tide.Event", "'done'")
    told(s, "query", "tide.Stream", "'done'")
    told(tide.random, "random", "tide.random", "'uniform'")
    told(tide.random, "integers", "tide.random", "'randint'")
    told(tide.random, "randperm", "tide.random", "'permutation'")
    e:close()
  end)

  it("and not by a name that shares no letter with it", function ()
    local a = tide.ones(3)
    for _, name in ipairs{ "x", "y", "q", "_" } do
      local err = fails("no field", function () return a[name] end)
      assert.is_nil(err:find("did you", 1, true), err)
    end
  end)
end)

describe("what is no function", function ()
  it("is refused by capture and wrap", function ()
    fails("bad argument #1 to 'tide.capture' (function expected, got no value)",
          tide.capture)
    fails("bad argument #1 to 'wrap' (function expected, got number)",
          tide.wrap, 3)
  end)
end)

describe("errorinfo", function ()
  it("takes a driver error apart", function ()
    local s <close> = new()
    T.failcall(1, 2, "cuEventRecord")
    local _, err = pcall(function () s:record() end)
    assert.same({ call = "cuEventRecord", name = "CUDA_ERROR_OUT_OF_MEMORY",
                  code = 2 }, tide.errorinfo(err))
  end)

  it("knows tide's own calls", function ()
    local s <close> = new()
    s:begin_capture()
    local _, err = pcall(s.synchronize, s)
    assert.same({ call = "stream:synchronize", code = 900,
                  name = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED" },
                tide.errorinfo(err))
    s:end_capture():close()
  end)

  it("knows who queued a host function that failed", function ()
    local s <close> = new()
    s:launch_host_func(function () error "CUDA" end)
    local _, err = pcall(s.synchronize, s)
    local info = tide.errorinfo(err)
    assert.equal("host function", info.call)
    assert.matches("errors_spec.lua:%d+$", info.queued)
    assert.matches("^0x%x+$", info.stream)
    assert.is_nil(info.code)
    s:launch_host_func(function () s:synchronize() end)
    _, err = pcall(s.synchronize, s)
    info = tide.errorinfo(err)
    assert.equal("stream:synchronize", info.call)
    assert.equal("CUDA_ERROR_NOT_PERMITTED", info.name)
    assert.equal(800, info.code)
    assert.matches("errors_spec.lua:%d+$", info.queued)
  end)

  it("is nil for anything else", function ()
    local _, own = pcall(tide.zeros, -1)
    local mute = setmetatable({}, { __tostring = function () error "no" end })
    for _, x in ipairs{ "oops", 5, {}, "x: CUDA_ERROR (x)", own, mute, print,
                        true, tide.Stream.null } do
      assert.is_nil(tide.errorinfo(x))
    end
    assert.is_nil(tide.errorinfo(nil))
    assert.is_nil(tide.errorinfo())
  end)
end)

describe("an argument error", function ()
  it("is in Lua's own form", function ()
    local s <close> = new()
    fails("bad argument #1 to 'wait_event' (tide.Event expected, got number)",
          function () s:wait_event(1) end)
    fails("bad argument #1 to 'launch_host_func' (function expected, got nil)",
          function () s:launch_host_func(nil) end)
    fails("bad argument #1 to 'record' (tide.Stream expected, got number; ",
          function () s.record(1) end)
  end)
end)

describe("numbers and strings", function ()
  local badarg = helper.badarg

  it("are what they are: a numeric string is no number", function ()
    local v, a, h = tide.arange(5), tide.ones{ 2, 3 }, tide.HostArray(3)
    local f <close> = assert(io.tmpfile())
    local number = "number expected, got string"
    badarg(1, number, tide.eye, "3")
    badarg(1, number, tide.linspace, "0", 1)
    badarg(2, number, tide.linspace, 0, "1")
    badarg(1, number, tide.complex, "1")
    badarg(2, number, tide.complex, 1, "2")
    badarg(1, "a share is above 0%", tide.memory_limit, "100")
    badarg(1, number, tide.random.seed, "5")
    badarg(3, number, tide.allclose, a, a, "1")
    badarg(4, number, tide.allclose, a, a, 1, "1")
    badarg(1, number, tide.Pointer, "3")
    for _, call in ipairs{
      function () v:slice("1") end, function () v:select("1") end,
      function () v:roll("1") end
    } do
      badarg(1, number, call)
    end
    badarg(2, number, function () v:slice(1, "2") end)
    badarg(3, number, function () v:slice(1, 2, "1") end)
    badarg(2, number, function () h:readfrom(f, "3") end)
    badarg(2, number, function () h:writeto(f, "3") end)
    badarg(1, "how often must be an integer from 0 on, got string",
           function () v:repeat_each "2" end)
    badarg(1, "how often must be an integer from 0 on, got string",
           function () v:tile{ "2" } end)
    badarg(1, "option 'ddof' must be a number, got string",
           function () v:std{ ddof = "1" } end)
  end)

  it("and a number is no string", function ()
    badarg(1, "string expected, got number", tide.frombytes, 3, "int8")
    badarg(2, "string expected, got number", tide.fuse, function () end, 3)
    badarg(1, "string expected, got number",
           function () tide.HostArray(1, "int8"):set(5) end)
  end)

  it("and what was got is said", function ()
    local a, h = tide.ones{ 2, 3 }, tide.HostArray(3)
    for _, x in ipairs{ a, h } do
      local fill = "number or boolean expected, got "
      badarg(1, fill .. "string", function () x:fill "x" end)
      badarg(1, fill .. "no value", function () x:fill() end)
    end
    local often = "how often must be an integer from 0 on, got "
    badarg(1, often .. "no value", function () a:tile() end)
    badarg(1, often .. "no value", function () a:repeat_each() end)
    badarg(1, often .. "-1", function () a:tile{ 1, -1 } end)
    badarg(1, often .. "1.5", function () a:repeat_each(1.5) end)
    badarg(3, "it has 3 bytes, 2x2 int16 has 8", tide.frombytes, "abc",
           "int16", { 2, 2 })
    badarg(1, "it has 3 bytes, one int16 has 2", tide.frombytes, "abc",
           "int16")
    badarg(3, "has more than there can be", tide.frombytes, "abc", "int8",
           { 1 << 40, 1 << 40 })
    badarg(1, "options table expected, got number", tide.Event, 5)
    badarg(1, "options table expected, got number", tide.Stream, 5)
  end)

  it("and no object is refused for what it is", function ()
    local a, capsule = tide.ones{ 2, 3 }, tide.ones(3):to_dlpack()
    tide.from_dlpack(capsule):close()
    for said, call in pairs{
      ["not one of shape 2x3"] = function () a:item() end,
      ["the tensor was taken already"] = function () capsule:release() end
    } do
      assert.is_nil(fails(said, call):find("bad self", 1, true))
    end
  end)

  it("where either may stand, and it is no dtype", function ()
    local said = "unknown dtype '5'; a number is written without quotes"
    badarg(2, said, tide.arange, 1, "5")
    badarg(2, said, tide.eye, 3, "5")
    badarg(3, said, tide.linspace, 0, 1, "5")
  end)
end)

describe("a stumble is told what would do:", function ()
  local badarg = helper.badarg

  it("a shape goes into a table", function ()
    for _, name in ipairs{ "empty", "zeros", "ones", "HostArray" } do
      badarg(2, ("a shape of several axes is a table: %s{2, 3})"):format(name),
             tide[name], 2, 3)
      badarg(2, ("%s{2, 3, ...}"):format(name), tide[name], 2, 3, 4)
    end
    fails("no value expected", tide.zeros, 2, "int32", 3)
  end)

  it("an array is an index of a device's array, and alone", function ()
    local a = tide.ones{ 2, 3 }
    local m = a:gt(0)
    for _, key in ipairs{ { 1, m }, tide.HostArray(2) } do
      fails("a[mask]", function () return a[key] end)
      fails("a:take(indices, axis)", function () a[key] = 1 end)
    end
    fails("an array is an index alone", function ()
      return tide.HostArray(2)[m]
    end)
  end)

  it("comparisons give one boolean in Lua", function ()
    local a = tide.ones(2)
    fails("use a:lt(b), a:gt(b)", function () return a < 2 end)
    fails("use a:lt(b), a:gt(b)", function () return a > a end)
    fails("use a:le(b), a:ge(b)", function () return 2 >= a end)
    local item = "a:item() is the number of a 0-d array"
    fails(item, function () return a:sum() < 2 end)
    fails(item, function () return 2 >= a:sum() end)
    local message = fails("'<' and '>'", function () return a < 2 end)
    assert.is_nil(message:find(item, 1, true))
  end)

  it("bits are of integers", function ()
    local a, i = tide.ones(2), tide.ones(2, "int32")
    fails("'lshift' is not defined for float64 arrays: operands must be " ..
          "integers", function () return i << 1.5 end)
    fails("'rshift' is not defined for float64 arrays: operands must be " ..
          "integers", function () return a >> i end)
    fails("'band' is not defined for float64 arrays: operands must be " ..
          "integers or bool", function () return a & 1 end)
    fails("'bnot' is not defined for float64 arrays: operands must be " ..
          "integers or bool", function () return ~a end)
    local message = fails("'sub' is not defined for bool arrays", tide.sub,
                          a:gt(0), true)
    assert.is_nil(message:find("operands", 1, true))
  end)

  it("a shape is lengths alone", function ()
    for _, name in ipairs{ "shape", "size", "dtype" } do
      badarg(1, ("field '%s' in a shape, which is lengths alone, {2, 3}; " ..
                 "what else there is are arguments of their own"):format(name),
             tide.zeros, { [name] = 2 })
    end
    badarg(1, "shape must be an integer or a table of integers, got 2.5",
           tide.zeros, 2.5)
    badarg(1, "shape must be an integer or a table of integers, got no value",
           tide.zeros)
    badarg(1, "integers, got string", tide.ones, { 2, "3" })
  end)

  it("s:with gives the stream to what it calls", function ()
    local s <close> = new()
    local a = tide.ones(2)
    local text = "got tide.Stream (s:with(fn, ...) calls fn(s, ...))"
    for _, fn in ipairs{ tide.zeros, tide.arange, tide.HostArray,
                         tide.linspace, tide.eye, tide.sum, tide.array,
                         tide.random.uniform, tide.random.randint } do
      badarg(1, text, s.with, s, fn)
    end
    badarg(1, text, s.with, s, tide.full, 3, 3)
    badarg(2, "got tide.Stream)", tide.add, a, s)
    for _, fn in ipairs{ tide.zeros, tide.Stream.from_external,
                         tide.get_elapsed_time, tide.Device } do
      badarg(1, "got tide.Stream)", fn, s)
    end
  end)

  it("names of others that tide has under another one, or not at all",
     function ()
    local a = tide.ones(2)
    for name, said in pairs{
      ifft = "tide.fft.ifft",
      digamma = "; tide has lgamma", solve = "tide.linalg.solve",
      time = "tide.clock(), or", cumulative_sum = "'cumsum'?"
    } do
      fails(said, function () return tide[name] end)
      fails(said, function () return a[name] end)
    end
    for name, said in pairs{
      vectorize = "tide.fuse(fn)?", elapsed = "tide.get_elapsed_time(e, later)",
      profile = "nsys?", block = "x:await() or s:synchronize()",
      max_memory_allocated = "'memory_stats'"
    } do
      fails(said, function () return tide[name] end)
    end
  end)

  it("a device has another name elsewhere", function ()
    for name, meant in pairs{ cpu = "host", CPU = "host", gpu = "cuda",
                              ["GPU:1"] = "cuda:1", CUDA = "cuda",
                              nvidia = "cuda", ["cpu:2"] = "host:2" } do
      fails(("no device is called '%s' (expected \"cuda\", \"cuda:N\", " ..
             "\"host\" or \"host:N\"); did you mean \"%s\"?")
              :format(name, meant), tide.Device, name)
    end
    local message = fails("no device is called 'moon'", tide.Device, "moon")
    assert.is_nil(message:find("did you mean", 1, true))
  end)

  it("axes and indices count from 1", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "axes count from 1", function () a:sum(0) end)
    fails("indices count from 1", function () return a[0] end)
    fails("indices count from 1", function () return a[{ 1, 0 }] end)
    fails("indices count from 1", a.select, a, 0)
  end)

  it("what does not fit into an array of integers", function ()
    local a = tide.ones(3, "int32")
    badarg(1, "a result of float64 does not fit into int32", function ()
      a:add_(1.5)
    end)
    fails("a result of float64 does not fit into int32", a.add_, a,
          tide.ones(3, "float32"))
  end)

  it("which options there are", function ()
    local s <close> = new()
    badarg(1, "invalid option 'foo': 'relaxed', 'thread_local' or 'global' " ..
           "expected", function () s:begin_capture "foo" end)
    badarg(1, "'device' or 'pinned' expected", tide.memory_stats, "x")
  end)

  it("shapes are broadcast", function ()
    fails("shapes 2x3 and 3x2 do not match: they cannot be broadcast",
          function () return tide.ones{ 2, 3 } + tide.ones{ 3, 2 } end)
  end)
end)

describe("an error that a capture is the reason of", function ()
  it("says which stream began it, and where", function ()
    local s <close> = new()
    s:begin_capture()
    local line = debug.getinfo(1, "l").currentline - 1
    local address = tostring(s):match "0x%x+"
    local began = ("a capture is open: stream %s began it at " ..
                   "spec/device/errors_spec.lua:%d"):format(address, line)
    fails(began, s.synchronize, s)
    fails(began, s.begin_capture, s)
    fails(began, s.close, s)
    s:end_capture():close()
    assert.is_nil(fails("(401)", s.end_capture, s):find "is open")
  end)

  it("of tide.capture too", function ()
    local a = tide.ones(1)
    local line = debug.getinfo(1, "l").currentline + 2
    fails("began it at spec/device/errors_spec.lua:" .. line, function ()
      tide.capture(function () a:item() end)
    end)
  end)
end)

describe("every method wants its own kind of object:", function ()
  local kinds = {
    { "stream", "tide.Stream", new, { "add_callback", "begin_capture",
      "close", "end_capture", "is_capturing", "launch_host_func", "record",
      "scope", "synchronize", "use", "wait_event", "wait_stream", "with" } },
    { "event", "tide.Event", function () return tide.Event() end,
      { "close", "record", "synchronize" } },
    { "graph", "tide.Graph", function ()
      return (tide.capture(function () end))
    end, { "close", "debug_dot", "launch", "update", "upload" } },
    { "file", "tide.File", function () return tide.open "/proc/self/exe" end,
      { "close", "read", "write" } },
  }
  for _, entry in ipairs(kinds) do
    local name, class, make, methods = table.unpack(entry)
    for _, method in ipairs(methods) do
      it(name .. ":" .. method, function ()
        local object <close> = make()
        local other <close> = name == "event" and new() or tide.Event()
        for _, wrong in ipairs{ 1, "x", {}, true, io.stdout, other } do
          fails(class .. " expected, got ", object[method], wrong)
        end
        fails(class .. " expected", object[method])
        fails(class .. " expected", object[method], nil, nil, nil)
        if name ~= "stream" or method ~= "with" then
          local closed = make()
          closed:close()
          fails(name .. " is closed", object[method], closed)
        end
      end)
    end
  end
end)

describe("every constructor checks its options:", function ()
  it("Event", function ()
    fails("unknown option 'disable_timming'; did you mean 'disable_timing'?",
          tide.Event, { disable_timming = true })
    fails("option 'block' must be a boolean, got number", tide.Event,
          { block = 1 })
    fails("options must have names", tide.Event, { true })
    fails("table expected, got boolean", tide.Event, true)
  end)

  it("Stream", function ()
    fails("unknown option 'nonblocking'; did you mean 'non_blocking'?",
          tide.Stream, { nonblocking = true })
    fails("option 'priority' must be an integer, got number", tide.Stream,
          { priority = 1.5 })
    fails("options must have names", tide.Stream, { 1 })
    fails("table expected, got string", tide.Stream, "null")
  end)

  it("tohost and debug_dot", function ()
    local a = tide.ones(3)
    fails("unknown option 'bloking'; did you mean 'blocking'?", a.tohost, a,
          { bloking = false })
    fails("option 'out' must be an open tide.HostArray", a.tohost, a,
          { out = a })
    fails("option 'blocking' must be a boolean", a.tohost, a,
          { blocking = 1 })
  end)
end)

describe("bad arguments leave nothing behind:", function ()
  it("what comes after the last one, behind those left out", function ()
    local a = tide.ones(4)
    fails("#4 to 'tide.eye' (no value expected, got number)", tide.eye, 3, 3,
          "float32", 1)
    fails("#3 to 'tide.eye' (no value expected, got string)", tide.eye, 3,
          "float32", "x")
    fails("#4 to 'tide.linspace' (no value expected, got number)",
          tide.linspace, 0, 1, { endpoint = false }, 4)
    fails("#4 to 'tide.allclose' (no value expected, got number)",
          tide.allclose, a, a, { rtol = 1 }, 2)
    fails("dtype string expected, got number", tide.arange, 0, 10, 2, 3)
    fails("options table expected, got boolean", a.sum, a, 1, true)
  end)

  it("shapes, sizes, dtypes, indices", function ()
    local a = tide.ones(4)
    fails("shape must not be negative", tide.zeros, -1)
    fails("shape must be an integer", tide.zeros, "4")
    fails("2^46", tide.zeros, 1 << 60)
    fails("2^46", tide.zeros, { 1 << 40, 1 << 40 })
    fails("CUDA_ERROR_OUT_OF_MEMORY (2)", tide.empty, 1 << 44)
    fails("CUDA_ERROR_OUT_OF_MEMORY (2)", tide.HostArray, 1 << 43)
    fails("unknown dtype 'flaot64'; did you mean 'float64'?", tide.zeros, 4,
          "flaot64")
    fails("shape 4 expected, got 5", a.copy_from, a, tide.ones(5))
    fails("dtype float64 expected, got int64", a.copy_from, a,
          tide.ones(4, "int64"))
    fails("out of range", function () return a[6] end)
    fails("out of range", function () return a[0] end)
    fails("out of range", a.slice, a, 2, 9)
    assert.equal(4, a:sum():item())
  end)

  it("arrays of no elements are fine", function ()
    local a, h = tide.zeros(0), tide.HostArray({ 0, 3 })
    a:add_(1)
    a:copy_from(a:copy())
    assert.equal(0, a:sum():item())
    assert.same({}, a:totable())
    assert.equal("", a:tobytes())
    assert.equal(0, h.size)
    local g <close> = tide.capture(function () a:fill(3) end)
    g:launch()
  end)
end)

describe("sync_debug", function ()
  it("counts how often the host blocked", function ()
    local s <close> = new()
    local key = T.hold(s)
    local mode, before = tide.sync_debug()
    assert.equal("off", mode)
    s:launch_host_func(function () end)
    T.release(key)
    s:synchronize()
    local _, after = tide.sync_debug()
    assert.equal(1, after - before)
    s:synchronize()  -- all done: does not block
    assert.is_true(select(2, tide.sync_debug()) - after <= 1)
  end)

  it("error makes what would block raise, by name", function ()
    local s <close> = new()
    local key = T.hold(s)
    local e <close> = s:record()
    assert.equal("off", (tide.sync_debug "error"))
    fails("sync_debug: stream:synchronize blocks", s.synchronize, s)
    fails("sync_debug: event:synchronize blocks", e.synchronize, e)
    local a = s:with(function () return tide.ones(3) end)
    fails("blocks", a.item, s:with(function () return a:sum() end))
    assert.equal("error", (tide.sync_debug "off"))
    T.release(key)
    s:synchronize()
    assert.equal(3, a:sum():item())
  end)

  it("names what the program has called", function ()
    local a = tide.ones{ 2, 2 }
    local h = tide.HostArray(4)
    local calls = {
      ["describe"] = function () a:describe() end,
      ["plot"] = function () a:plot{ string = true } end,
      ["group"] = function () tide.group(a:flatten()) end,
      ["lfilter"] = function () tide.lfilter(a[1], { 1 }, a) end,
      ["expm"] = function () tide.linalg.expm(a) end,
      ["array:totable"] = function () a:totable() end,
      ["hostarray:totable"] = function () h:totable() end,
      ["hostarray:tobytes"] = function () h:tobytes() end,
      ["hostarray:item"] = function () h[{ { 1, 1 } }]:item() end,
    }
    for name, fn in pairs(calls) do
      local s <close> = new()
      local key = T.hold(s)
      s:with(function () a:add_(0) h:copy_from(a:flatten()) end)
      tide.sync_debug "error"
      local ok, why = pcall(fn)
      tide.sync_debug "off"
      T.release(key)
      assert.is_false(ok, name)
      assert.is_truthy(why:find("sync_debug: " .. name .. " blocks", 1, true),
                       why)
    end
  end)

  it("refuses other modes", function ()
    fails("invalid option 'loud'", tide.sync_debug, "loud")
    assert.equal("off", (tide.sync_debug()))
  end)
end)

describe("a variable of the environment #process", function ()
  it("that means nothing is an error in the program's line", function ()
    local names <const> = { "TIDE_DEFAULT_STREAM", "TIDE_UNHANDLED_ERRORS",
                            "TIDE_DEVICE" }
    if helper.kinds[1] == "host" then
      table.move({ "TIDE_HOST_DEVICES", "TIDE_HOST_MEMORY", "TIDE_HOST_DELAYS",
                   "TIDE_HOST_FAULTS" }, 1, 4, #names + 1, names)
    end
    for _, name in ipairs(names) do
      local printed = helper.child_on(helper.kinds[1], [[
        print(pcall(function () local x = require "tide".ones(2) end))
      ]], { [name] = "bogus" })
      assert.matches("^false\t%(command line%):1: " .. name .. ".*'bogus'",
                     printed)
    end
  end)
end)

describe("two copies of the library #process", function ()
  it("are told apart", function ()
    local printed = helper.child_on(helper.kinds[1], [[
      local tide = require "tide"
      local file = assert(package.searchpath("tide.core", package.cpath))
      local copy = os.tmpname()
      assert(os.execute(("cp %s %s"):format(file, copy)))
      local other = assert(package.loadlib(copy, "luaopen_tide_core"))()
      os.remove(copy)
      print(pcall(tide.sum, other.ones(3)))
      print(pcall(tide.sum, io.stdout))
    ]])
    assert.is_truthy(printed:find(
      "this tide.Array is of another copy of tide's library", 1, true), printed)
    assert.is_truthy(printed:find("tide.Array expected, got FILE*", 1, true),
                     printed)
  end)
end)

describe("sync_debug warn #process", function ()
  it("says through warn where Lua blocks", function ()
    local printed = helper.child_on(helper.kinds[1], [[
      local tide = require "tide"
      tide.sync_debug "warn"
      local s = tide.Stream()
      s:launch_host_func(function () end)
      s:synchronize()
      tide.sync_debug "off"
    ]])
    assert.is_truthy(printed:find(
      "Lua warning: .-:5: sync_debug: stream:synchronize blocks"), printed)
  end)
end)

end)
