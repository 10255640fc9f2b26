--[[
collectives_spec.lua - what all ranks take part in: reductions, copies for all,
parts for each. The same programs with ranks that are devices of one process,
and with ranks that are processes, on host devices and on GPUs.
]]
local helper = require "spec.support.helper"
local ranks = require "spec.support.ranks"

helper.each_device(function (kind)

local on_ranks = ranks.specs(kind)

describe("operations of all ranks", function ()
  on_ranks("reduce in place, by every operation", [[
    local n = comm.size
    local expected = {
      sum = function (i) return n * i + n * (n - 1) / 2 end,
      avg = function (i) return i + (n - 1) / 2 end,
      max = function (i) return i + n - 1 end,
      min = function (i) return i end,
      prod = function (i)
        local p = 1
        for r = 0, n - 1 do p = p * (i + r) end
        return p
      end
    }
    for _, op in ipairs{ "sum", "avg", "max", "min", "prod" } do
      local f = expected[op]
      local x = each(function (r) return tide.arange(1, 6, "float64") + r end)
      assert(comm:all_reduce(x, op)[1] == x[1])
      local wanted = {}
      for i = 1, 5 do wanted[i] = f(i) end
      for _, a in ipairs(x) do
        -- NCCL multiplies by 1/n
        is(op == "avg" and (a * 16):round() / 16 or a, wanted)
      end
    end
  ]])

  on_ranks("reduce every dtype there is a way for", [[
    local n = comm.size
    for _, t in ipairs{ "int8", "uint8", "int32", "uint32", "int64", "uint64",
                        "float16", "bfloat16", "float32", "float64" } do
      for _, size in ipairs{ 0, 1, 7, 1000 } do
        local x = each(function (r)
          return tide.full({ size }, r + 1, t)
        end)
        comm:all_reduce(x)
        for _, a in ipairs(x) do
          assert(a.dtype == t and a.size == size)
          assert(size == 0 or a[size] == n * (n + 1) / 2)
          assert(a:eq(n * (n + 1) // 2):all():item())
        end
      end
    end
    for _, t in ipairs{ "complex64", "complex128" } do
      local z = each(function (r)
        return tide.full({ 3 }, tide.complex(r, 1), t)
      end)
      comm:all_reduce(z)
      for _, a in ipairs(z) do
        assert(a[2].re == n * (n - 1) / 2 and a[2].im == n)
      end
      fails("there is no 'max' of " .. t, comm.all_reduce, comm, z, "max")
    end
    local b = each(function (r) return tide.array{ r == 0, true, false } end)
    comm:all_reduce(b, "max")
    for _, a in ipairs(b) do
      assert(a[1] == true and a[2] == true and a[3] == false)
    end
    b = each(function (r) return tide.array{ r == 0, true, false } end)
    comm:all_reduce(b, "min")
    for _, a in ipairs(b) do assert(a[1] == false and a[2] == true) end
    fails("there is no 'sum' of bool", comm.all_reduce, comm, b)
    fails("there is no 'sum' of int16", comm.all_reduce, comm,
          each(function () return tide.zeros(3, "int16") end))
  ]])

  on_ranks("NaN wins, infinities stay, integers wrap", [[
    local inf, nan = math.huge, 0 / 0
    local x = each(function (r)
      return tide.array({ r == 0 and nan or 1, r == 1 and nan or 1,
                          r == 0 and inf or 1 }, "float32")
    end)
    comm:all_reduce(x)
    for _, a in ipairs(x) do
      assert(a[1] ~= a[1] and a[2] ~= a[2] and a[3] == inf)
    end
    local k = each(function () return tide.full({ 2 }, 127, "int8") end)
    comm:all_reduce(k)
    local sum = 127 * comm.size & 0xFF
    for _, a in ipairs(k) do assert(a[1] & 0xFF == sum) end
  ]])

  on_ranks("out= leaves the operand as it is", [[
    local n = comm.size
    local x = each(function (r) return tide.full({ 4 }, r + 1.0) end)
    local z = each(function () return tide.zeros(4) end)
    assert(comm:all_reduce(x, { out = z, op = "sum" })[1] == z[1])
    for i, a in ipairs(x) do
      is(a, { comm.ranks[i] + 1, comm.ranks[i] + 1, comm.ranks[i] + 1,
              comm.ranks[i] + 1 })
      assert(z[i][4] == n * (n + 1) / 2)
    end
    x = each(function (r) return tide.full({ 4 }, r + 1.0) end)
    local some = each(function (r)
      return r == comm.rank and x[1] or tide.zeros(4)
    end)
    comm:all_reduce(x, { out = some })          -- the first one in place
    for i, a in ipairs(some) do
      assert(a[4] == n * (n + 1) / 2)
      assert(i == 1 or x[i][4] == comm.ranks[i] + 1)
    end
    fails("option 'out': shape 4 expected, got 3", comm.all_reduce, comm, x,
          { out = each(function () return tide.zeros(3) end) })
    fails("option 'out': dtype float64 expected, got int8", comm.all_reduce,
          comm, x, { out = each(function () return tide.zeros(4, "int8") end) })
    fails("option 'op' must be", comm.all_reduce, comm, x, { op = "mean" })
    fails("sum", comm.all_reduce, comm, x, "mean")
  ]])

  on_ranks("broadcast, reduce, gather, scatter have a root", [[
    local n = comm.size
    for root = 0, n - 1 do
      local x = each(function (r) return tide.full({ 3 }, r) end)
      comm:broadcast(x, root)
      for _, a in ipairs(x) do is(a, { root, root, root }) end

      x = each(function (r) return tide.full({ 2 }, r + 1) end)
      comm:reduce(x, root)
      for i, a in ipairs(x) do
        local r = comm.ranks[i]
        local wanted = r == root and n * (n + 1) // 2 or r + 1
        is(a, { wanted, wanted })
      end

      x = each(function (r) return tide.full({ 1, 2 }, r) end)
      local all, has_root = comm:gather(x, root), false
      for _, r in ipairs(comm.ranks) do has_root = has_root or r == root end
      assert(has_root == (all ~= nil))
      if all then
        assert(all.shape[1] == n and all.shape[2] == 2)
        for r = 1, n do assert(all[r][1] == r - 1) end
      end

      local whole
      each(function (r)
        if r == root then whole = tide.arange(2 * n, "int32") end
      end)
      local parts = comm:scatter(whole, root, {
        out = each(function () return tide.zeros(2, "int32") end) })
      for i, a in ipairs(parts) do
        local r = comm.ranks[i]
        is(a, { 2 * r, 2 * r + 1 })
      end
    end
    local size, all = 100000, nil               -- results within the operand
    local parts = each(function (r)
      if r ~= 0 then return tide.zeros(size, "int64") end
      all = tide.arange(size * n, "int64")
      return all:slice(size * (n - 1) + 1, size * n)
    end)
    for i, a in ipairs(comm:scatter(all, 0, { out = parts })) do
      assert(a[1] == size * comm.ranks[i] and a[size] == a[1] + size - 1)
    end
    parts = each(function (r)
      if r ~= 0 then return tide.full(size, r, "int64") end
      all = tide.zeros(size * n, "int64")
      return all:slice(size * (n - 1) + 1, size * n):fill(9)
    end)
    all = comm:gather(parts, 0, all and { out = all })
    if all then
      assert(all[1] == 9 and all[size] == 9)
      for r = 1, n - 1 do assert(all[size * (r + 1)] == r) end
    end
    local x = each(function () return tide.zeros(3) end)
    fails("#3 to 'broadcast' (root from 0 to " .. n - 1 .. " expected, got",
          comm.broadcast, comm, x, n)
    fails("root from 0 to", comm.broadcast, comm, x, -1)
    local last = n - 1
    local function lacks_root (call, args, ...)
      for _, root in ipairs{ {}, { "sum" }, { { root = 0 } }, { 0.5 } } do
        fails(("root expected, an integer from 0 to %d, got "):format(last),
              call, comm, (...), root[1])
      end
      fails("got no value; the arguments are " .. args, call, comm, (...))
    end
    lacks_root(comm.broadcast, "a, root", x)
    lacks_root(comm.reduce, "a, root [, op]", x)
    lacks_root(comm.gather, "a, root [, { out= }]", x)
    lacks_root(comm.scatter, "a, root [, { out= }]", x[1])
    fails("#3 to 'reduce' (root from 0 to", comm.reduce, comm, x, n)
    fails("#4 to 'reduce' (op expected, 'sum', 'prod', 'max', 'min' or " ..
          "'avg', got table; the arguments are a, root", comm.reduce, comm, x,
          0, { op = "sum" })
    fails("#3 to 'all_reduce' (op expected, 'sum', 'prod', 'max', 'min' or " ..
          "'avg', got 0; the arguments are a [, op]", comm.all_reduce, comm,
          x, 0)
  ]])

  on_ranks("all_gather, reduce_scatter, all_to_all go along the first axis", [[
    local n = comm.size
    local x = each(function (r) return tide.full({ 2, 3 }, r, "int16") end)
    for _, a in ipairs(comm:all_gather(x)) do
      assert(a.shape[1] == 2 * n and a.shape[2] == 3 and a.dtype == "int16")
      for r = 1, n do assert(a[2 * r][3] == r - 1) end
    end
    local scalars = comm:all_gather(each(function (r) return tide.array(r) end))
    for _, a in ipairs(scalars) do
      assert(a.size == n and a[n] == n - 1)
    end
    x = each(function (r) return tide.arange(2 * n, "float32") + r end)
    for i, a in ipairs(comm:reduce_scatter(x)) do
      local r, plus = comm.ranks[i], n * (n - 1) / 2
      is(a, { n * 2 * r + plus, n * (2 * r + 1) + plus })
    end
    x = each(function (r) return tide.arange(2 * n, "int64") + 100 * r end)
    for i, a in ipairs(comm:all_to_all(x)) do
      local r = comm.ranks[i]
      for from = 0, n - 1 do
        assert(a[2 * from + 1] == 100 * from + 2 * r)
        assert(a[2 * from + 2] == 100 * from + 2 * r + 1)
      end
    end
    local odd = each(function () return tide.zeros(2 * n + 1) end)
    fails("multiple of " .. n, comm.reduce_scatter, comm, odd)
    fails("multiple of " .. n, comm.all_to_all, comm, odd)
    fails("multiple of " .. n, comm.all_to_all, comm,
          each(function () return tide.array(1) end))
  ]])

  on_ranks("views go through copies, and overlaps are seen", [[
    local n = comm.size
    local m = each(function (r)
      return tide.arange(6, "float32"):reshape{ 2, 3 } + r
    end)
    local plus = n * (n - 1) / 2
    comm:all_reduce(each(function (r)
      return m[r - comm.rank + 1].T
    end))
    for _, a in ipairs(m) do
      is(a, { plus, n + plus, 2 * n + plus, 3 * n + plus, 4 * n + plus,
              5 * n + plus })
    end
    comm:broadcast(each(function (r)
      return m[r - comm.rank + 1][{ {}, { 1, 3, 2 } }]:fill(r)
    end), 0)
    for _, a in ipairs(m) do
      assert(a[1][1] == 0 and a[2][3] == 0 and a[1][2] == n + plus)
    end
    local x = each(function () return tide.arange(2 * n, "float32") end)
    comm:reduce_scatter(x, { out = each(function (r)
      return x[r - comm.rank + 1]:slice(2, 3)
    end) })
    for i, a in ipairs(x) do
      local r = comm.ranks[i]
      assert(a[2] == n * 2 * r and a[3] == n * (2 * r + 1))
    end
  ]])

  -- Each gives the same as without 'out', whatever it shares with the operand:
  -- the same memory, part of it at either end, or with gaps.
  on_ranks("an 'out' that overlaps is written after the operand is read", [[
    local n, first = comm.size, comm.rank
    local M <const> = 300
    local CALLS <const> = {  -- how many times M the operand and 'out' have
      { "all_reduce", 1, 1, "max" }, { "all_gather", 1, n },
      { "reduce_scatter", n, 1, "max" }, { "all_to_all", n, n },
      { "gather", 1, n }, { "scatter", n, 1 }
    }
    local function buffers (of)
      return each(function (r)
        return tide.arange(of, "float32") + 10000 * r
      end)
    end
    local function slices (whole, at, step, parts)
      return each(function (r)
        return whole[r - first + 1]:slice(at, at + step * (parts * M - 1), step)
      end)
    end
    --- The results, where 'out' begins at 'at', and has those gaps.
    local function try (call, root, where, at, step, apart)
      local name, takes, gives, how = table.unpack(call)
      local whole = buffers(4 * n * M)
      local x = slices(whole, where, 1, takes)
      local to = apart and buffers(4 * n * M) or whole
      local out = slices(to, at, step, gives)
      local place = root - first + 1
      local here = out[place] ~= nil
      if name == "gather" then
        out = here and { out[place] } or {}
        comm:gather(x, root, { out = out[1] })
      elseif name == "scatter" then
        comm:scatter(x[place], root, { out = out })
      else
        comm[name](comm, x, { op = how, out = out })
      end
      for i, o in ipairs(out) do out[i] = o:totable() end
      return out
    end
    for i, call in ipairs(CALLS) do
      for root = 0, i > 4 and n - 1 or 0 do
        local where <const> = n * M // 2
        for _, at in ipairs{ where, where + M // 2, where - M // 2,
                             where + M } do
          for step = 1, 2 do
            local wanted = try(call, root, where, at, step, true)
            local got = try(call, root, where, at, step)
            assert(#got == #wanted)
            for j, list in ipairs(wanted) do
              for k, v in ipairs(list) do
                if got[j][k] ~= v then
                  error(("%s, root %d, out at %d of %d by %d: [%d] is %s, " ..
                         "not %s"):format(call[1], root, at, where, step, k,
                                          got[j][k], v))
                end
              end
            end
          end
        end
      end
    end
  ]])

  -- The recipe of docs/growing.md, of which docs_spec has one rank.
  on_ranks("parts that differ are gathered with padding", [[
    local file <close> = assert(io.open("docs/growing.md", "rb"))
    local code
    for block in file:read "a":gmatch "```lua\n(.-)```" do
      if block:find("tide.pad", 1, true) then code = block end
    end
    local dots
    code, dots = code:gsub("= tide%.dist%.init{.-}", "= ...")
    code = code:gsub("comm:close%(%)", "return tide.concatenate(parts)")
    assert(dots == 1)
    local all = assert(load(code))(comm)
    local i = 0
    for r = 0, comm.size - 1 do
      for k = 1, r + 3 do
        i = i + 1
        assert(all[i] == k)
      end
    end
    assert(all.size == i)
  ]], "processes")

  on_ranks("arrays that do not fit are refused before anything is sent", [[
    local x = each(function () return tide.zeros(3) end)
    fails("tide.Array", comm.all_reduce, comm, 7)
    local named = each(function () return tide.ones(2) end)
    named.op = "max"
    fails("(field 'op' in a list of arrays; options are a table of their own)",
          comm.all_reduce, comm, named)
    fails("(field 'op' in option 'out', a list of arrays)", comm.all_reduce,
          comm, table.move(named, 1, #named, 1, {}), { out = named })
    fails("tide.Array", comm.all_reduce, comm,
          each(function () return tide.HostArray(3) end))
    x[1]:close()
    fails("closed", comm.all_reduce, comm, x)
    if #comm.ranks > 1 then
      fails("a list of " .. #comm.ranks .. " arrays expected", comm.all_reduce,
            comm, { tide.zeros(3) })
      local y = each(function () return tide.zeros(3) end)
      fails("rank 0 is on", comm.all_reduce, comm, { y[2], y[1],
            table.unpack(y, 3) })
      y[2] = tide.with_device(comm.devices[2], function ()
        return tide.zeros(4)
      end)
      fails("arrays of one shape expected", comm.all_reduce, comm, y)
    end
    local z = each(function () return tide.broadcast_to(tide.zeros(1), 3) end)
    fails("writ", comm.all_reduce, comm, z)
    comm:barrier()                             -- it still works
  ]])

  on_ranks("large ones are whole", [[
    local n, size = comm.size, 3 * 1000 * 1000 + 1
    local x = each(function (r) return tide.arange(size, "int32") + r end)
    comm:all_reduce(x)
    for _, a in ipairs(x) do
      local wanted = tide.with_device(a.device, function ()
        return tide.arange(size, "int32") * n + n * (n - 1) // 2
      end)
      assert(tide.with_device(a.device, function ()
        return a:eq(wanted):all():item()
      end))
    end
    local all = comm:all_gather(each(function (r)
      return tide.full({ size }, r, "int8")
    end))
    for _, a in ipairs(all) do
      for r = 1, n do assert(a[r * size] == r - 1) end
    end
  ]])
end)

end)
