--[[
While any capture was open nothing was freed, of no stream: a program whose
captures overlapped, so that there always was one, kept all that it dropped.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local T, new = helper.T, helper.new_stream

helper.each_device(function ()

--- count() -> driver objects, bytes, structs.
local function count ()
  collectgarbage()
  collectgarbage()
  tide.poll()
  local all = {}
  for name, n in pairs(T.live()) do
    all[name] = n
  end
  for name, n in pairs(T.kept()) do
    all["kept " .. name] = n
  end
  for _, kind in ipairs{ "device", "pinned" } do
    all["bytes, " .. kind] = tide.memory_stats(kind).live
  end
  return all
end

--- What round(i) has dropped is gone after many rounds, give or take some.
local function stays (round)
  local before
  for i = 1, 600 do
    round(i)
    if i % 20 == 0 then
      collectgarbage()
    end
    if i == 100 then
      before = count()
    end
  end
  local after = count()
  for name, n in pairs(after) do
    local most = before[name] + (name:find "bytes" and 65536 or 20)
    assert(n <= most, ("%s: %d, then %d"):format(name, before[name], n))
  end
end

--- One of each kind, used on a stream of its own and dropped.
local function use_all ()
  local s <close> = new()
  local x <close> = tide.ones(1000)
  s:with(function () x:add_(1) end)
  s:record():close()
  local g <close> = tide.capture(function () x:add_(1) end)
  g:launch(s)
  s:launch_host_func(function () end)
  local h <close> = x:tohost()
  assert(h[1000] == 3)
  s:synchronize()
end

describe("what is dropped", function ()
  it("is freed while a capture is open", function ()
    local s <close> = new()
    local a = tide.zeros(1000)
    s:begin_capture()
    s:with(function () a:add_(1) end)
    stays(use_all)
    local g <close> = s:end_capture()
    g:launch()
    assert.equal(1000, a:sum():item())
  end)

  it("is freed while captures overlap", function ()
    local open, arrays = {}, {}
    for i = 0, 4 do
      arrays[i] = tide.zeros(1000)
    end
    stays(function (i)
      local s = new():begin_capture()
      s:with(function () arrays[i % 5]:add_(1) end)
      open[#open + 1] = s
      if #open > 3 then
        local first = table.remove(open, 1)
        local g <close> = first:end_capture()
        g:launch()
        first:close()
      end
      if i % 3 == 0 then
        use_all()
      end
    end)
    for _, s in ipairs(open) do
      s:end_capture():close()
    end
    assert.equal(119, arrays[0][1000])
  end)
end)

end)
