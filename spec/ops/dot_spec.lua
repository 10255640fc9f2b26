--[[
dot_spec.lua - graph:debug_dot: the nodes of a graph with the names of their
kernels, and the edges between them, without those that others imply.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local fails, new = helper.fails, helper.new_stream

--- edges(g) -> its edges as text, sorted; and as a list of { from, to }.
local function edges (g)
  local words, list = {}, {}
  for a, b in g:debug_dot():gmatch "n(%d+) %-> n(%d+);" do
    list[#list + 1] = { tonumber(a), tonumber(b) }
    words[#words + 1] = a .. ">" .. b
  end
  table.sort(words)
  return table.concat(words, " "), list
end

--- reaches(list, from, to, without) -> is there a path, not along 'without'?
-- Edges lead from lower numbers to higher ones.
local function reaches (list, from, to, without)
  local seen = { [from] = true }
  table.sort(list, function (x, y) return x[1] < y[1] end)
  for _, e in ipairs(list) do
    if e ~= without and seen[e[1]] then
      seen[e[2]] = true
    end
  end
  return seen[to] == true
end

helper.each_device(function ()

describe("debug_dot", function ()
  it("is DOT text that names the kernels and their order", function ()
    local a = tide.zeros(4, "float32")
    local g <close> = tide.capture(function ()
      a:add_(1)
      a:mul_(2)
    end)
    local dot = g:debug_dot()
    assert.is_truthy(dot:find("^digraph"))
    assert.is_truthy(dot:find("add", 1, true) and dot:find("mul", 1, true))
    assert.equal("1>2", (edges(g)))
    assert.is_true(#g:debug_dot{ verbose = true } >= #dot)
    fails("unknown option 'verbos'; did you mean 'verbose'?", g.debug_dot, g,
          { verbos = true })
  end)

  it("has names in quotes as Graphviz reads them", function ()
    local k = tide.ElementwiseKernel("T x", "T y", "y = x;",
                                     'my "kernel" \\ of\nmine')
    local x = tide.ones(2)
    if not pcall(k, x) then return end  -- without NVRTC
    local g <close> = tide.capture(function () k(x) end)
    local wanted = [[label="my \"kernel\" \\ of\nmine]]
    assert.is_truthy(g:debug_dot():find(wanted .. '"', 1, true))
    assert.is_truthy(g:debug_dot{ verbose = true }:find(wanted, 1, true))
  end)

  it("of a graph without nodes has none", function ()
    local g <close> = tide.capture(function () end)
    assert.equal("", (edges(g)))
    assert.is_nil(g:debug_dot():find("label", 1, true))
  end)

  it("shows a fork and its join", function ()
    local s <close> = new()
    local t <close> = new()
    local x, y = tide.ones(4), tide.ones(4)
    s:begin_capture()
    s:with(function () x:add_(1) end)
    t:wait_stream(s)
    t:with(function () y:add_(x) end)          -- 2
    local z = s:with(function () return x * 2 end)
    s:with(function () z:add_(y) end)          -- 4, after both
    local g <close> = s:end_capture()
    assert.equal("1>2 1>3 2>4 3>4", (edges(g)))
  end)

  it("has no edges where nothing is shared, also on one stream", function ()
    local x, list = tide.ones(4), {}
    for i = 1, 8 do list[i] = tide.zeros(4) end
    local g <close> = tide.capture(function ()
      for i = 1, 8 do tide.add(x, i, { out = list[i] }) end
      for i = 1, 8 do list[i]:mul_(2) end
      x:fill(7)  -- after all that read it
    end)
    assert.equal("1>17 1>9 2>10 2>17 3>11 3>17 4>12 4>17 5>13 5>17 6>14 " ..
                 "6>17 7>15 7>17 8>16 8>17", (edges(g)))
  end)

  it("is at most 16 nodes wide", function ()
    local list = {}
    for i = 1, 100 do list[i] = tide.zeros(4) end
    local g <close> = tide.capture(function ()
      for i = 1, 100 do list[i]:fill(i) end
    end)
    local _, found = edges(g)
    assert.equal(100 - 16, #found)
    for i = 1, 16 do
      for j = i + 16, 100, 16 do assert.is_true(reaches(found, i, j)) end
    end
    g:launch()
    for i = 1, 100 do assert.equal(i, list[i][1]) end
  end)

  it("keeps the order of a stream that others know", function ()
    local s <close> = new()
    local list = {}
    for i = 1, 5 do list[i] = tide.zeros(4) end
    s:begin_capture()
    s:with(function () list[1]:fill(1) list[2]:fill(2) end)
    assert.is_truthy(s.ptr)
    s:with(function () for i = 3, 5 do list[i]:fill(i) end end)
    local g <close> = s:end_capture()
    assert.equal("1>3 2>3 3>4 4>5", (edges(g)))
  end)

  it("leaves out what a longer way implies", function ()
    local s <close> = new()
    local t <close> = new()
    local x = tide.ones(4)
    s:begin_capture()
    s:with(function () x:add_(1) end)
    t:wait_stream(s)
    t:with(function () x:add_(1) end)
    s:wait_stream(t)                           -- s: after 1 and 2
    s:with(function () x:add_(1) end)
    local g <close> = s:end_capture()
    assert.equal("1>2 2>3", (edges(g)))
  end)

  it("leaves out what a way of many steps implies", function ()
    local s <close> = new()
    local t <close> = new()
    local u <close> = new()
    local x = tide.ones(4)
    s:begin_capture()
    s:with(function () x:add_(1) end)
    t:wait_stream(s)
    u:wait_stream(s)                           -- u: after 1
    t:with(function () x:add_(1) x:add_(1) x:add_(1) end)
    u:wait_stream(t)                           -- and after 4
    u:with(function () x:add_(1) end)
    s:wait_stream(u)
    s:wait_stream(t)
    local g <close> = s:end_capture()
    assert.equal("1>2 2>3 3>4 4>5", (edges(g)))
  end)

  it("keeps all order that is needed, and no edge that is not", function ()
    math.randomseed(7)
    for _ = 1, 20 do
      local streams, arrays, ops = {}, {}, {}
      for i = 1, 4 do
        streams[i], arrays[i] = new(), tide.zeros(4)
      end
      streams[1]:begin_capture()
      for i = 2, 4 do
        streams[i]:wait_stream(streams[1])
      end
      for i = 1, 24 do
        local op = { s = math.random(4), to = math.random(4),
                     from = math.random(4) }
        ops[i] = op
        streams[op.s]:with(function () arrays[op.to]:add_(arrays[op.from]) end)
      end
      for i = 2, 4 do
        streams[1]:wait_stream(streams[i])
      end
      local g <close> = streams[1]:end_capture()
      local text, list = edges(g)
      local after = {}  -- after[j][i]: j has to follow i, directly or not
      for j, op in ipairs(ops) do
        after[j] = {}
        for i = 1, j - 1 do
          local before = ops[i]
          if before.to == op.to or before.to == op.from or
             before.from == op.to then
            after[j][i] = true
            for k in pairs(after[i]) do after[j][k] = true end
          end
        end
        for i = 1, j - 1 do
          assert.equal(after[j][i] or false, reaches(list, i, j),
                       i .. " " .. j .. ": " .. text)
        end
      end
      for _, e in ipairs(list) do
        assert.is_true(e[1] < e[2])
        assert.is_false(reaches(list, e[1], e[2], e), e[1] .. ">" .. e[2] ..
                        ": " .. text)
      end
    end
  end)
end)

end)
