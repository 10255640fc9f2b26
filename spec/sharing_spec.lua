--[[
sharing_spec.lua - while a gate is shut, no driver call is made that waits for
the device: streams come from a stock, kernels are loaded, page-locked memory
is freed later. On CUDA each of these would hang where the rule is broken.
]]
local tide = require "tide"
local helper = require "spec.helper"
local T, fails, new = helper.T, helper.fails, helper.new_stream

--- calls(name, fn, ...) -> how often fn calls a driver entry.
local function calls (name, fn, ...)
  local before = T.calls(name)
  fn(...)
  return T.calls(name) - before
end

helper.each_device(function (kind)

describe("a stream's handle", function ()
  it("is used again once its work is done", function ()
    local s = new()
    s:record():synchronize()
    s:close()
    tide.Device(kind):synchronize()
    tide.poll()
    assert.equal(0, calls("cuStreamCreateWithPriority", function ()
      new():close()
    end))
  end)

  it("is not while its work is pending", function ()
    local s, t = new(), new()
    local key = T.hold(s)
    local ptr = s.ptr
    s:close()
    local u = new()
    assert.not_equal(ptr, u.ptr)
    T.release(key)
    t:close()
    u:close()
  end)

  it("is one of its own kind", function ()
    tide.Stream{ priority = -1 }:close()
    tide.Device(kind):synchronize()
    tide.poll()
    local s <close> = tide.Stream{ non_blocking = true, priority = -1 }
    local t <close> = new()
    assert.is_true(s.is_non_blocking and s.priority == -1)
    assert.is_true(t.is_non_blocking and t.priority == 0)
  end)

  it("is destroyed if its capture ended badly", function ()
    local s = new():begin_capture()
    s:with(function () tide.ones(3) end)
    T.failcall(1, 999, "cuStreamEndCapture")
    assert.is_false((pcall(s.end_capture, s)))
    T.failcall(0)
    s:close()
    tide.poll()
    for _ = 1, 3 do
      tide.with_stream(function (t)
        assert.is_false(t:is_capturing())
        assert.equal(3, tide.ones(3):sum():item())
      end)
    end
  end)
end)

describe("inside a host function with work behind it", function ()
  local s
  before_each(function () s = new() end)
  after_each(function () s:close() end)

  local function run (fn)
    s:launch_host_func(fn)
    s:record()
    s:synchronize()
  end

  it("streams are there, and none is made", function ()
    local made = {}
    assert.equal(0, calls("cuStreamCreateWithPriority", function ()
      run(function ()
        for i = 1, 12 do
          made[i] = tide.Stream{ non_blocking = i % 2 == 0 }
        end
      end)
    end))
    assert.equal(12, #made)
    for _, t in ipairs(made) do
      t:record():synchronize()
      t:close()
    end
  end)

  it("too many of them are refused", function ()
    local made, message = {}, nil
    run(function ()
      local ok
      repeat
        ok, message = pcall(new)
        made[#made + 1] = ok and message or nil
      until not ok or #made > 1000
    end)
    assert.is_true(#made >= 12 and #made < 1000)
    assert.is_truthy(message:find("CUDA_ERROR_NOT_PERMITTED", 1, true))
    for _, t in ipairs(made) do
      t:record():synchronize()
      t:close()
    end
    new():close()
  end)

  it("no graph can be made, and the stream is free again", function ()
    local a = tide.zeros(3)
    run(function ()
      fails("CUDA_ERROR_NOT_PERMITTED", tide.capture, function ()
        a:add_(1)
      end)
      a:add_(1)
    end)
    local g <close> = tide.capture(function () a:add_(1) end)
    g:launch()
    assert.equal(6, a:sum():item())
  end)

  it("a kernel never used before runs", function ()
    local a, b
    assert.equal(0, calls("cuModuleGetFunction", run, function ()
      a = (tide.ones(5, "uint8") * 3):sum()
      b = tide.full(4, 2, "float32"):astype "int32"
    end))
    assert.equal(15, a:item())
    assert.same({ 2, 2, 2, 2 }, b:totable())
  end)

  it("page-locked memory can be dropped", function ()
    local h = tide.HostArray(1000)
    assert.equal(0, calls("cuMemFreeHost", run, function ()
      h:close()
      T.trim()
    end))
  end)
end)

describe("inside a host function with none behind it", function ()
  it("streams and graphs can be made as ever", function ()
    local s <close> = new()
    local a, made, g = tide.zeros(3), {}, nil
    s:launch_host_func(function ()
      for i = 1, 200 do
        made[i] = new()
      end
      g = tide.capture(function () a:add_(1) end)
    end)
    s:synchronize()
    for _, t in ipairs(made) do
      t:close()
    end
    g:launch()
    assert.equal(3, a:sum():item())
    g:close()
  end)
end)

describe("a stream that is held", function ()
  it("keeps page-locked memory from being freed, until it goes on", function ()
    local s <close> = new()
    T.trim()
    local key = T.hold(s)
    local h = tide.HostArray(5000)
    h:close()
    assert.equal(0, calls("cuMemFreeHost", T.trim))
    T.release(key)
    s:synchronize()
    tide.HostArray(6000):close()
    assert.is_true(calls("cuMemFreeHost", T.trim) >= 2)
  end)
end)

describe("a graph", function ()
  local function capture (n, fn)
    return tide.capture(function ()
      for _ = 1, n do
        tide.get_current_stream():launch_host_func(fn)
      end
    end)
  end

  it("holds forty host functions, launched over and over", function ()
    local s <close> = new()
    local n = 0
    local g <close> = capture(40, function () n = n + 1 end)
    for _ = 1, 5 do
      g:launch(s)
    end
    s:synchronize()
    assert.equal(200, n)
  end)

  it("refuses one more, and the capture goes on", function ()
    local s <close> = new()
    s:begin_capture()
    for _ = 1, 40 do
      s:launch_host_func(print, "never")
    end
    fails("a graph holds at most 40 host functions",
          s.launch_host_func, s, print)
    s:end_capture():close()
  end)
end)

end)
