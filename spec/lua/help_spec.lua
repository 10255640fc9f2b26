--[[
help_spec.lua - tide.help: a name is found by all of its spellings, an object
and a function as what they are; and what is not there by what comes near.
]]
local tide = require "tide"
local help = require "tide.help"

local function begins (expected, ...)
  local text, why = help.text(...)
  assert(text, why)
  assert.are.equal(expected, text:sub(1, #expected))
  return text
end

local function near (expected, what)
  local text, why = help.text(what)
  assert.is_nil(text)
  assert.is_truthy(why:find(expected, 1, true), why)
end

describe("help of a name", function ()
  it("says all that there is to an entry", function ()
    local text = begins("tide.linspace(start, stop [, n] [, dtype] " ..
                        "[, { endpoint= }]) -> Array\n", "linspace")
    for _, said in ipairs{ "evenly from", "n         integer = 50",
                           "endpoint  boolean = true",
                           "Does not wait for the device.",
                           "> tide.linspace(0, 1, 5)", "docs/api/array.md" } do
      assert.is_truthy(text:find(said, 1, true), said)
    end
    assert.is_truthy(help.text "a:item":find("\n  Waits.", 1, true))
    assert.is_truthy(help.text "e:close":find("Raises if it is closed.", 1,
                                              true))
  end)

  it("takes it with its module, class or letter, and as at the prompt",
  function ()
    for _, name in ipairs{ "sum", "tide.sum", "Array.sum", "Array:sum",
                           "tide.Array.sum", "a:sum", "a.sum", "?sum",
                           " sum ", "tide.sum(a)", "a:sum{ 1 }" } do
      begins("tide.sum(a [, axis] [, { axis=, out=,", name)
    end
    begins("tide.random.uniform(", "random.uniform")
    begins("tide.add(x, y", "+")
    begins("s.done -> boolean", "s.done")
    begins("tide.Stream.null -> Stream", "Stream.null")
  end)

  it("takes what is written on a page", function ()
    begins("k:launch{ grid=", "k:launch")
    begins("p:add([n]) -> p", "p:add")
    begins("p:completed() -> number", "p:completed")
    begins("a[i] -> element | Array", "a[i]")
    begins("a[i] -> element | Array", "a[{ 1, 2 }]")
    begins("Random numbers:", "tide.random")
    begins("Progress: ", "Progress")
    local text = begins("TIDE_DEVICE: a variable of the environment\n",
                        "TIDE_DEVICE")
    assert.is_truthy(text:find("the default device", 1, true))
  end)

  it("tells that several values come back", function ()
    for _, name in ipairs{ "unique", "meshgrid", "nonzero", "unravel_index",
                           "broadcast_arrays" } do
      assert.is_truthy(help.text("tide." .. name):find "%) %-> Array%.%.%.\n",
                       name)
    end
    assert.is_truthy(help.text "tide.race":find "-> integer, any...\n")
  end)

  it("suggests no name that is far from what was asked", function ()
    for _, word in ipairs{ "sparse", "profile", "digamma" } do
      local _, why = help.text(word)
      for _, name in ipairs{ "save", "File", "tide.lgamma", "Array:real",
                             "Array.T", "tide.tile" } do
        assert.is_nil(why:find(name, 1, true), why)
      end
    end
    local _, why = help.text "sove"
    assert.is_truthy(why:find("did you mean tide.save", 1, true), why)
  end)

  it("tells all of one name", function ()
    local text = help.text "close"
    for _, class in ipairs{ "s:close()", "e:close()", "a:close()" } do
      assert.is_truthy(text:find(class, 1, true), class)
    end
  end)

  it("tells of every function and every table of functions", function ()
    local n = 0
    local function look (module, prefix)
      for name, value in pairs(module) do
        local kind <const> = type(value)
        if value ~= tide.T and (kind == "function" or kind == "table") then
          n = n + 1
          assert.is_truthy(help.text(value), prefix .. name)
          assert.is_truthy(help.text(value):lower():find(name:lower(), 1,
                                                         true) or
                           kind == "table", prefix .. name)
          if kind == "table" then look(value, prefix .. name .. ".") end
        end
      end
    end
    look(tide, "tide.")
    assert.is_true(n > 300, n)
  end)

  it("tells of types and pages", function ()
    local text = begins("Event: a point in the work", "Event")
    assert.is_truthy(text:find("e:record([stream])", 1, true))
    assert.is_nil(text:find("s:wait_event", 1, true))
    begins("Event: A point", "events")
    begins("Memory: How much", "memory")
    begins("tide: The module", "tide")
    begins("Event loops: ", "loops")
    begins("Kernels: ", "kernels")
    assert.is_nil(help.text "kernels":find("\nnil", 1, true))
  end)

  it("knows the operators by their operands, too", function ()
    begins("#a -> integer", "#a")
    begins("#a -> integer", "#")
    begins("a[i] -> element | Array", "a[m] = x")
  end)

  it("names the other pages of docs/", function ()
    begins("docs/guide.md: ", "guide")
    begins("docs/growing.md: ", "growing")
    begins("docs/errors.md: ", "errors")
    begins("docs/coming-from-cupy.md: ", "CuPy")
    local list <close> = io.popen "ls docs/*.md"
    for path in list:lines() do
      begins(path .. ": ", path:match "docs/(.*)%.md")
    end
  end)

  it("says first what an entry does", function ()
    for name, said in pairs{
      Task = "task:await([seconds])               lets others go on until it",
      tasks = "tide.gather(list)                   waits for all of them",
      Array = "a:totable()                         nested tables",
      Communicator = "comm:reduce(a, root [, op])         reduces `a` as"
    } do
      assert.is_truthy(help.text(name):find("  " .. said, 1, true), name)
    end
  end)

  it("says what may be left out", function ()
    for _, name in ipairs{ "all_reduce", "all_gather", "reduce_scatter",
                           "all_to_all", "scatter", "gather", "sort" } do
      local class <const> = name == "sort" and "Array:" or "Communicator:"
      assert.is_truthy(help.text(class .. name):find(
        "\n    out%s+[^\n]*, may be left out\n"), name)
    end
    for line in help.text "ElementwiseKernel":gmatch "    body[^\n]*" do
      assert.is_nil(line:find "may be left out")
    end
  end)

  it("has lines of 80 columns, but for signatures and examples", function ()
    for _, name in ipairs(help.names()) do
      for line in help.text(name):gmatch "[^\n]+" do
        assert.is_true(#line <= 80 or line:find "[({=]" ~= nil, line)
      end
    end
  end)
end)

describe("help of a value", function ()
  it("is that of its type, or of the function", function ()
    begins("Array:", tide.zeros(3))
    begins("Stream:", tide.Stream.null)
    begins("Stream:", tide.Stream)
    begins("tide.zeros(shape", tide.zeros)
    begins("tide.random.seed(", tide.random.seed)
    begins("tide:", tide)
    begins("Random numbers:", tide.random)
    begins("Progress:", tide.progress())
    begins("Queue:", tide.queue())
    begins("Semaphore:", tide.semaphore(1))
    begins("Place:", tide.semaphore(1):acquire())
    begins("Task:", tide.run(function () return tide.spawn(type, 1) end))
  end)

  it("of others is none", function ()
    near("no help for a number", 3)
    near("no help for a table", {})
    near("no help for a function", print)
    near("no help for a nil", nil)
  end)
end)

describe("help of a section", function ()
  it("has its text and its entries", function ()
    local text <const> = help.text "indexing"
    for _, part in ipairs{ "Array: Indexing\n\n  Indices count from 1",
                           "  a[{ i, j }] ", "  docs/api/array.md: Indexing",
                           "HostArray: Indexing", "  h[i] " } do
      assert.is_truthy(text:find(part, 1, true), part)
    end
    assert.is_nil(help.text "notes")
    assert.is_nil(help.text "example")
  end)

  it("or of a dtype has what is said of it", function ()
    local text <const> = help.text "bfloat16"
    for _, part in ipairs{ 'dtypes: "bool", "int8"', "float16 and bfloat16 are",
                           "docs/api/array.md: Numbers" } do
      assert.is_truthy(text:find(part, 1, true), part)
    end
    assert.is_nil(text:find("NumPy 2's", 1, true))
    assert.is_truthy(help.text "float32":find("NumPy 2's", 1, true))
    assert.equal(help.text "float32", help.text "dtypes")
  end)
end)

describe("help of what is not there", function ()
  it("names what comes near", function ()
    near("did you mean tide.sum", "smu")
    near("did you mean tide.abs", "absolute")
    near("did you mean Array:tohost", "a:get")
    near("did you mean Event.done, Stream.done", "query")
    near('did you mean a:tohost(), or a:to "host"', "x.cpu")
    near("did you mean tide.concatenate", "torch.cat")
    near("did you mean Event:record, Stream:record", "recrod")
    near("did you mean a:slice(first, last)", "torch.narrow")
    near("; there is nothing to do: tide knows", "a.record_stream")
    near("spoken of in tide.std", "standard deviation")
    near("no help for 'row view'; did you mean Array:view, HostArray:view; " ..
         "spoken of in a[i], tide.rot90", "row view")
    near("no help for 'frobnicate'; tide.help()", "frobnicate")
    near("no help for ''", "")
  end)

  it("takes any text", function ()
    for _, odd in ipairs{ "%", "%d", "[", "(", "\0", ("x"):rep(10000), ".:",
                          "a:", "tide.", "é" } do
      local text, why = help.text(odd)
      assert.is_truthy(text or #why < 400, odd)
    end
  end)
end)

describe("help.names", function ()
  it("are sorted, and each has a text", function ()
    local names = help.names()
    assert.is_true(#names > 350)
    for i, name in ipairs(names) do
      assert.is_true(i == 1 or names[i - 1] < name, name)
      assert.is_truthy(help.text(name), name)
    end
  end)
end)

describe("tide.help", function ()
  it("returns the text, or what may have been meant", function ()
    assert.are.equal(help.text "sum", tide.help "sum")
    assert.are.equal(help.text "tide", tide.help())
    assert.are.equal(help.text "tide", tide.help(tide))
    assert.has_error(function () tide:help "sum" end)
    assert.are.equal(select(2, help.text "smu"), tide.help "smu")
    assert.has_error(function () tide.help("sum", 1) end)
  end)
end)
