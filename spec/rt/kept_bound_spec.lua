--[[
kept_bound_spec.lua - how much is kept behind host functions at most (see
kept_spec.lua), and random programs under such bounds.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function (kind)

local function nothing () end

local function kept () return T.kept().operations end

local function finish () tide.Device(kind):synchronize() end

describe("the bound of what is kept", function ()
  after_each(function () T.limits() end)

  it("is for one more operation: the call runs functions first", function ()
    local s <close>, a, ran = new(), tide.zeros(4, "int64"), 0
    T.limits(100)
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function ()
      for i = 1, 99 do
        a:add_(1)
        assert.equal(0, ran)
        assert.equal(i + 1, kept())
      end
      a:add_(1)
    end)
    assert.same({ 1, 0 }, { ran, kept() })
    assert.equal(100, a[1])
  end)

  it("lets each function with work behind it through", function ()
    local s <close>, a = new(), tide.zeros(4, "int64")
    for room = 1, 5 do
      local ran = 0
      T.limits(room)
      a:fill(0)
      s:with(function ()
        for _ = 1, 200 do
          s:launch_host_func(function () ran = ran + 1 end)
          a:add_(1)
        end
      end)
      s:synchronize()
      assert.same({ 200, 200 }, { ran, a[4] })
    end
  end)

  it("is 65,536 operations", function ()
    local s <close>, a, ran = new(), tide.zeros(1, "int64"), 0
    s:launch_host_func(function () ran = ran + 1 end)
    s:with(function ()
      for _ = 1, 65535 do
        a:add_(1)
      end
      assert.same({ 0, 65536 }, { ran, kept() })
      a:add_(1)
    end)
    assert.equal(1, ran)
    assert.equal(65536, a[1])
  end)

  it("is refused in a function", function ()
    local s <close> = new()
    local t <close> = new()
    local a = tide.zeros(1, "int64")
    local n, message = 0, nil
    s:launch_host_func(function ()
      t:launch_host_func(nothing)
      t:with(function ()
        for _ = 1, 70000 do
          local ok, err = pcall(a.add_, a, 1)
          if not ok then
            message = err
            break
          end
          n = n + 1
        end
      end)
    end)
    s:synchronize()
    assert.matches("CUDA_ERROR_NOT_PERMITTED", message)
    assert.is_true(n > 65000 and n < 65536)
    finish()
    assert.equal(n, a[1])
  end)

  --- copies(fn) -> how many calls of fn, each with 1 MiB of page-locked memory,
  -- a function lets be queued behind it, of 300.
  local function copies (fn)
    local s <close>, ran, count = new(), false, 0
    local a = tide.zeros(1 << 20, "uint8")
    s:launch_host_func(function () ran = true end)
    s:with(function ()
      repeat
        fn(a)
        count = count + 1
      until ran or count == 300
    end)
    s:synchronize()
    return count
  end

  it("counts page-locked memory that nobody else has", function ()
    assert.equal(257, copies(function (a)
      local h <close> = tide.HostArray(1 << 20, "uint8")
      a:copy_from(h)
    end))
    assert.equal(257, copies(function (a)
      a:tohost{ blocking = false }:close()
    end))
  end)

  it("does not count what the program has", function ()
    local h = tide.HostArray(1 << 20, "uint8")
    assert.equal(300, copies(function (a) a:copy_from(h) end))
  end)

  it("is the same for what is copied from text", function ()
    local text = ("x"):rep(1 << 20)
    assert.is_true(copies(function (a) a:copy_from(text) end) >= 257)
  end)

  -- Random numbers of few bits are drawn wide, and cast: both go through then.
  it("is for all operations of a draw, which are not drawn again (#281)",
     function ()
    local function draw ()
      local a <close> = tide.random.poisson(20, 6, "int16")
      return a:tohost{ blocking = false }
    end
    local s <close>, long = new(), tide.ones(1 << 22)
    tide.random.seed(7)
    local wanted = draw():totable()
    for room = 1, 4 do
      tide.random.seed(7)
      local drawn
      s:with(function ()
        for _ = 1, 10 do long:sin_() end
        s:launch_host_func(nothing)
        T.limits(room)
        drawn = draw()
      end)
      assert.same(wanted, drawn:totable())
    end
  end)
end)

describe("random programs of functions", function ()
  -- Bytes that a host function writes into page-locked memory are there for the
  -- work behind it; work that it queues comes when it runs.
  helper.host_it("give on two devices what a table gives #process",
                 function ()
    assert.equal("ok\n", helper.child_on("host", [[
      package.path = "./?.lua;" .. package.path
      local tide = require "tide"
      local generator = require "spec.support.generator"

      local function program (seed, limited)
        local pick, ran, wanted = generator(seed), 0, 0
        local streams, arrays, model, events = {}, {}, {}, {}
        for i = 0, 1 do
          tide.with_device(tide.Device("host:" .. i), function ()
            for k = 1, 4 do
              streams[#streams + 1] = k == 1 and
                tide.Stream.null or tide.Stream{ non_blocking = k > 2 }
              arrays[#arrays + 1] = tide.zeros(16, "int64")
              model[#model + 1] = 0
            end
          end)
        end
        -- On a stream of the device of array a; which of the four, says s.
        local function on (s, a, fn)
          local first = (a - 1) // 4 * 4
          tide.with_device(arrays[a].device, function ()
            streams[first + s]:with(fn, streams[first + s])
          end)
        end
        local function operate (pick)
          local s, a, b = pick(4), pick(8), pick(8)
          on(s, a, function ()
            if (a > 4) ~= (b > 4) then
              arrays[a]:copy_from(arrays[b])
              model[a] = model[b]
            elseif pick(2) == 1 then
              arrays[a]:add_(arrays[b])
              model[a] = model[a] + model[b]
            else
              arrays[a]:mul_(3)
              model[a] = model[a] * 3
              arrays[a]:add_(s)
              model[a] = model[a] + s
            end
          end)
        end
        local function spawn (pick, depth)
          local s, a, x, inner = pick(4), pick(8), pick(1000), pick(1 << 20)
          local h = tide.HostArray(16, "int64")
          local queues = depth < 3 and pick(2) == 1
          wanted = wanted + 1
          local function fn ()
            ran = ran + 1
            h:fill(x)
            if queues then
              local own = generator(inner)
              for _ = 1, own(3) do operate(own) end
              if own(2) == 1 then spawn(own, depth + 1) end
            end
          end
          on(s, a, function (stream)
            stream:launch_host_func(fn)
            arrays[a]:copy_from(h)
          end)
          model[a] = x
        end
        for _ = 1, 150 do
          local how = pick(10)
          if how <= 4 then
            operate(pick)
          elseif how <= 7 then
            spawn(pick, 0)
          elseif how == 8 then
            streams[pick(8)]:wait_stream(streams[pick(8)])
          elseif how == 9 then
            local at = pick(3)
            if events[at] and pick(2) == 1 then
              streams[pick(8)]:wait_event(events[at])
            else
              events[at] = streams[pick(8)]:record()
            end
          else
            tide.poll()
          end
          if pick(20) == 1 then  -- a read is of what was queued before it
            local i = pick(8)
            while limited and tide.T.kept().operations > 0 do
              tide.poll()  -- or the read, too, may have to run functions first
            end
            local was = model[i]
            local got = arrays[i]:totable()
            assert(got[1] == was and got[16] == was, seed)
          end
        end
        repeat
          for i = 0, 1 do tide.Device("host:" .. i):synchronize() end
        until ran == wanted
        for i = 1, 8 do
          assert(arrays[i]:min():item() == model[i], seed .. " array " .. i)
          assert(arrays[i]:max():item() == model[i], seed .. " array " .. i)
        end
      end

      for seed = 1, 60 do
        tide.T.limits(seed % 3 == 0 and seed or 0)
        program(seed, seed % 3 == 0)
      end
      print "ok"
    ]], { TIDE_HOST_DEVICES = "2" }))
  end)
end)

end)
