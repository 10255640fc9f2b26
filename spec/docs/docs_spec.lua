--[[
docs_spec.lua - the documentation is true: every function, method and field has
an entry under docs/api, every Lua block and every example runs, what the README
says a program prints is what it prints, and the demo refuses bad arguments
with a reason. Programs run on the host device, in processes of their own.
#process: see run.lua.
]]
local tide = require "tide"
local child = require "spec.support.child"
local exports = require "spec.checks.exports"

--{{ reading pages

local function read (path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

--- lines(command) -> what a command prints, line by line.
local function lines (command)
  local found, pipe = {}, assert(io.popen(command))
  for line in pipe:lines() do
    found[#found + 1] = line
  end
  pipe:close()
  return found
end

--- blocks(path) -> { lua =, text = } for every Lua block of a page; text is the
-- block of text that follows it at once, if one does.
local function blocks (path)
  local found, page = {}, "\n" .. read(path)
  for code, stop in page:gmatch "\n```lua\n(.-\n)```()" do
    local text = page:match("^\n\n```text\n(.-\n)```", stop)
    found[#found + 1] = { lua = code, text = text }
  end
  return found
end

--- Returns the words after --> behind a block's own calls of print, without a
-- remark behind them. Indented calls are left out: they may not run here.
local function promises (code)
  local found = {}
  for said in ("\n" .. code):gmatch "\nprint%([^\n]*%)%s+%-%->%s*([^\n]+)" do
    said = said:gsub(": .*", ""):gsub("%s+", " ")
    found[#found + 1] = said
  end
  return found
end

--- Tells whether a page has an entry (a heading, a row, an item) for a name,
-- behind the text 'mark': "%." for a field, ":" for a method.
local function has_entry (page, mark, name)
  for line in page:gmatch "[^\n]+" do
    if line:find "^[#|%-*]" and line:find(mark .. name .. "%f[^%w_]") then
      return true
    end
  end
  return false
end

--}}

--{{ running programs

local quote = child.quote

local function absolute (paths)
  local here = lines("pwd")[1]
  return (paths:gsub("[^;]+", function (path)
    return path:find "^/" and path or here .. "/" .. path
  end))
end

--- run(words...) -> what `lua words...` prints (errors too), and whether it
-- ended well.
local function run (...)
  local command = {
    "exec env -u TIDE_DEFAULT_STREAM -u TIDE_HOST_MEMORY TIDE_DEVICE=host",
    child.paths(absolute(package.path), absolute(package.cpath)), child.lua
  }
  for _, word in ipairs{ ... } do
    command[#command + 1] = quote(word)
  end
  local pipe = assert(io.popen(table.concat(command, " ") .. " 2>&1"))
  local printed = pipe:read "a"
  return printed, pipe:close() == true
end

--- The same for a program in a string.
local function run_code (code)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write(code)
  file:close()
  local printed, ok = run(path)
  os.remove(path)
  return printed, ok
end

--- A file that lives as long as fn runs.
local function with_file (content, fn)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
  local ok, message = pcall(fn, path)
  os.remove(path)
  assert(ok, message)
end

--}}

--{{ what is registered

-- Names that only testing builds have.
local INTERNAL = { T = true }

--- Types without a page of their own.
local PAGES = { RawKernel = "kernels", RawModule = "kernels",
                ElementwiseKernel = "kernels", Fused = "kernels",
                Generator = "random",
                ReductionKernel = "kernels", Connection = "ipc",
                Listener = "ipc", Communicator = "dist", Task = "tasks",
                Queue = "tasks", Semaphore = "tasks",
                Place = "tasks" }

--- Types whose members are another's.
local LIKE = { Symbol = "Array" }

--- The classes that have methods or fields.
local function types ()
  local found = {}
  for _, class in ipairs(exports.classes()) do
    if not LIKE[class.name] and
       (next(class.methods) or next(class.fields)) then
      found[#found + 1] = class
    end
  end
  return found
end

local function missing (page, mark, names, into)
  for name in pairs(names) do
    if not has_entry(page, mark, name) then
      into[#into + 1] = name
    end
  end
end

--}}

describe("docs/api #process", function ()
  it("finds the types", function ()
    local names = {}
    for _, t in ipairs(types()) do
      names[t.name] = true
    end
    for _, name in ipairs{ "Device", "Stream", "Event", "Graph", "Array",
                           "HostArray" } do
      assert.is_true(names[name], name)
    end
  end)

  for _, t in ipairs(types()) do
    it("has every method and field of " .. t.name, function ()
      local page = read("docs/api/" .. (PAGES[t.name] or t.name:lower()) ..
                        ".md")
      local without = {}
      missing(page, ":", t.methods, without)
      missing(page, "%.", t.fields, without)
      table.sort(without)
      assert.are.equal("", table.concat(without, " "))
    end)
  end

  it("has every function of the module", function ()
    local pages, names, without = {}, {}, {}
    for i, path in ipairs(lines "ls docs/api/*.md") do
      pages[i] = read(path)
    end
    for name in pairs(tide) do
      names[name] = not INTERNAL[name] or nil
    end
    missing(table.concat(pages, "\n"), "tide%.", names, without)
    table.sort(without)
    assert.are.equal("", table.concat(without, " "))
  end)

  it("has every environment variable", function ()
    local page = read "docs/api/tide.md"
    for _, name in ipairs(lines("grep -rhoE 'getenv\\(\"TIDE_[A-Z_]+\"' src" ..
                                " | grep -oE 'TIDE_[A-Z_]+'")) do
      assert.is_true(has_entry(page, "`", name) or
                     name:find "^TIDE_TEST_" ~= nil, name)  -- builds for tests
    end
  end)
end)

describe("the version #process", function ()
  local version = assert(tide._VERSION:match "^tide (%d+%.%d+%.%d+)$")

  local function first (path, pattern)
    return read(path):match(pattern)
  end

  it("is the one of the C source", function ()
    assert.are.equal(version, first("include/tide.h",
                                    "\n#define TIDE_VERSION ([^\n]+)")
      :match '"(.-)"')
    for other in read("include/tide.h"):gmatch '"(%d+%.%d+%.%d+)"' do
      assert.are.equal(version, other)  -- in comments
    end
  end)

  it("is the latest of the changelog", function ()
    assert.are.equal(version, first("CHANGELOG.md", "\n## %[([^%]]+)%]"))
  end)

  it("is on the page of tide, and in the rockspec", function ()
    assert.are.equal(version, first("lua/tide/api/tide.lua", '"tide (.-)"`'))
    assert.are.equal(version, first("docs/api/tide.md",
                                    '`tide%._VERSION` | `"tide (.-)"`'))
    assert.are.equal(version, first("tide-scm-1.rockspec",
                                    "This is tide ([%d.]+),"))
  end)

  it("is under the licence that the rockspec and the README name", function ()
    assert.is_truthy(first("LICENSE", "^MIT License\n"))
    assert.is_truthy(first("tide-scm-1.rockspec", 'license = "MIT"'))
    assert.is_truthy(first("README.md", "%[MIT%]%(LICENSE%)"))
  end)
end)

--- anchors(path) -> the set of a page's headings, as links name them.
local function anchors (path)
  local found = {}
  for heading in ("\n" .. read(path)):gmatch "\n#+ ([^\n]+)" do
    found[heading:lower():gsub("[^%w _-]", ""):gsub(" ", "-")] = true
  end
  return found
end

describe("links of the pages #process", function ()
  for _, path in ipairs(lines "ls *.md docs/*.md docs/api/*.md") do
    it("lead somewhere: " .. path, function ()
      local folder = path:match "^(.*/)" or ""
      for target in read(path):gmatch "%]%(([^)#]+)[^)]*%)" do
        local file = not target:find "^%w+://" and io.open(folder .. target)
        assert.is_truthy(file or target:find "^%w+://", target)
        if file then file:close() end
      end
      for target, anchor in read(path):gmatch "%]%(([^)#]*)#([^)]+)%)" do
        if not target:find "^%w+://" then
          local page = target == "" and path or folder .. target
          assert.is_true(anchors(page)[anchor], target .. "#" .. anchor)
        end
      end
    end)
  end
end)

describe("tables of the pages #process", function ()
  for _, path in ipairs(lines "ls *.md docs/*.md docs/api/*.md") do
    it("have as many cells in each row: " .. path, function ()
      local head, code = nil, false
      for line in read(path):gmatch "[^\n]*" do
        if line:find "^```" then code = not code end
        if code or not line:find "^|" then
          head = nil
        else
          local _, n = line:gsub("\\|", ""):gsub("|", "")
          head = head or n
          assert.equal(head, n, line)
          assert.matches("|$", line)
        end
      end
    end)
  end
end)

describe("sources that comments and pages name #process", function ()
  local OTHERS = { ["lua.c"] = true, ["x.c"] = true, ["kernel.cu"] = true }

  it("are there", function ()
    local there, gone = {}, {}
    local made = (os.getenv "TIDE_BUILD" or "build/testing"):gsub("/%w+$", "")
    for _, path in ipairs(lines("find src kernels spec bench " .. made ..
                                "/generated -type f")) do
      there[path:match "[^/]+$"] = true
    end
    for _, line in ipairs(lines("grep -rE '\\b[a-z0-9_]+\\.(c|cu|def)\\b' " ..
                                "src kernels docs README.md")) do
      for name, kind in line:gsub("^[^:]+:", "")
                            :gmatch "([%l%d_]+%.(%l+))%f[^%w_]" do
        if (kind == "c" or kind == "cu" or kind == "def") and
           not there[name] and not OTHERS[name] then
          gone[#gone + 1] = line:match "^[^:]+:" .. " " .. name
        end
      end
    end
    assert.are.equal("", table.concat(gone, "\n"))
  end)
end)

--- Pages besides those of docs/api whose --> are checked.
local KEEP_PROMISES = { ["docs/recipes.md"] = true, ["docs/how-fast.md"] = true,
                        ["docs/first-mistakes.md"] = true }

describe("Lua blocks #process", function ()
  for _, path in ipairs(lines("ls README.md docs/errors.md docs/growing.md " ..
                              "docs/hosts.md docs/numpy.md docs/prompt.md " ..
                              "docs/threads.md docs/recipes.md " ..
                              "docs/first-mistakes.md docs/how-fast.md " ..
                              "docs/api/*.md")) do
    for i, block in ipairs(blocks(path)) do
      it(("run: %s, block %d"):format(path, i), function ()
        local printed, ok = run_code(block.lua)
        assert.is_true(ok, printed)
        if block.text then
          assert.are.equal(block.text, printed)
        end
        if path:find "^docs/api/" or KEEP_PROMISES[path] then
          local words, at = printed:gsub("%s+", " "), 1
          for _, said in ipairs(promises(block.lua)) do
            local _, stop = words:find(said, at, true)
            assert.is_truthy(stop, ("no '%s' in: %s"):format(said, words))
            at = stop + 1
          end
        end
      end)
    end
  end

  it("of the guide run, as one program", function ()
    local code = {}
    for i, block in ipairs(blocks "docs/guide.md") do
      code[i] = block.lua
    end
    local printed, ok = run_code(table.concat(code, "\n"))
    assert.is_true(#code > 5 and ok, printed)
  end)
end)

describe("examples #process", function ()
  for _, path in ipairs(lines "ls examples/[0-9]*.lua") do
    it("run: " .. path, function ()
      local printed, ok = run(path)
      assert.is_true(ok, printed)
      assert.is_truthy(printed:find "%S")
    end)

    it("are short: " .. path, function ()
      local _, n = read(path):gsub("\n", "")
      assert.is_true(n <= 50, ("%d lines"):format(n))
    end)
  end
end)

describe("examples/pipeline.lua #process", function ()
  local DEMO = "examples/pipeline.lua"

  local function refuses (expected, ...)
    local printed, ok = run(DEMO, ...)
    assert.is_false(ok)
    assert.are.equal("pipeline: " .. expected .. "\n", printed)
  end

  local function line_of (printed, pattern)
    return assert(printed:match("\n(" .. pattern .. "[^\n]*)"), printed)
  end

  it("is right about a file of many chunks", function ()
    with_file(("tide\n"):rep(10000), function (path)
      local printed, ok = run(DEMO, path, "3", "4")
      assert.is_true(ok, printed)
      assert.are.equal("sum 4320000, squares 447820000, least 10, " ..
                       "greatest 116, newlines 10000",
                       line_of(printed, "sum"))
      line_of(printed, "the first and last of 13 chunks agree")
      line_of(printed, "stream 3  |")
      line_of(printed, "3 streams: ")
    end)
  end)

  it("takes a file smaller than a chunk, and more streams than chunks",
  function ()
    with_file("\0\255", function (path)
      local printed, ok = run(DEMO, path, "8")
      assert.is_true(ok, printed)
      assert.are.equal("sum 255, squares 65025, least 0, greatest 255, " ..
                       "newlines 0", line_of(printed, "sum"))
      line_of(printed, "one chunk: there is nothing to overlap")
    end)
  end)

  it("asks for a file", function ()
    refuses "usage: lua5.4 examples/pipeline.lua FILE [STREAMS] [KIB]"
  end)

  it("refuses what it cannot read", function ()
    refuses("cannot open 'no/such': No such file or directory", "no/such")
    refuses("cannot open 'src': Is a directory", "src")
  end)

  it("refuses an empty file", function ()
    with_file("", function (path)
      refuses(path .. " is empty: there is nothing to compute", path)
    end)
  end)

  it("refuses numbers that are none", function ()
    local streams = "the number of streams must be a whole number from 1 to " ..
                    "64, got "
    for _, bad in ipairs{ "x", "", "0", "-1", "2.5", "65", "nan" } do
      refuses(streams .. "'" .. bad .. "'", "README.md", bad)
    end
    refuses("the size of a chunk in KiB must be a whole number from 1 to " ..
            "1048576, got '0'", "README.md", "4", "0")
  end)
end)
