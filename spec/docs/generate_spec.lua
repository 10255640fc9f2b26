--[[
generate_spec.lua - kernels/generate.lua: what it writes again, and what not,
when kernels/table.lua changes.
]]
local child = require "spec.support.child"

local function read (path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function lines (command)
  local list <close> = assert(io.popen(command))
  local found = {}
  for line in list:lines() do found[#found + 1] = line end
  return found
end

describe("kernels/generate.lua #process", function ()
  local folder, stamp

  --- Runs it in a copy; gives the files that it wrote, but for the list.
  local function generate ()
    stamp = os.tmpname()
    local ok = os.execute(("cd %s && %s kernels/generate.lua made 2>/dev/null")
                          :format(folder, child.lua))
    local written = lines(("cd %s/made && find . -name '*.*' -type f -newer " ..
                           "%s ! -name files.mk | sort"):format(folder, stamp))
    os.remove(stamp)
    assert(ok)
    return written
  end

  local function change (from, to, name)
    local path = folder .. "/kernels/" .. (name or "table.lua")
    local text = read(path)
    local at, last = text:find(from, 1, true)
    assert(at, from)
    local file <close> = assert(io.open(path, "w"))
    file:write(text:sub(1, at - 1), to, text:sub(last + 1))
  end

  before_each(function ()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir %s && cp -R kernels %s"):format(folder, folder)))
    assert.is_true(#generate() > 100)
  end)

  after_each(function ()
    os.execute("rm -r " .. folder)
  end)

  it("writes nothing but the list if nothing has changed", function ()
    assert.same({}, generate())
  end)

  it("writes an operation's files for another expression", function ()
    change('"hypot(x, y)"', '"hypot(y, x)"')
    assert.same({ "./kernels/hypot.cu", "./src/rt/host/kernels/hypot.c",
                  "./src/rt/kernels/expressions.c" }, generate())
  end)

  it("takes away what is not made any more, and lists the rest", function ()
    change('{ "hypot", "FLOAT", "hypot(x, y)", forms = "pairs", ' ..
           'batched = true },', "")
    generate()
    assert.is_nil(io.open(folder .. "/made/kernels/hypot.cu"))
    local list = read(folder .. "/made/files.mk")
    assert.is_nil(list:find("hypot", 1, true))
    assert.truthy(list:find("src/rt/host/kernels/atan2.c", 1, true))
  end)

  --- Expects that it fails, with those words in its message.
  local function refuses (words)
    local output = table.concat(lines(
      ("cd %s && %s kernels/generate.lua made 2>&1"):format(folder, child.lua)))
    assert.truthy(output:find(words, 1, true), output)
    assert.has_error(generate)
  end

  it("refuses a kernel of the host without a rule for its parts", function ()
    change('"wrrnnnnnnnn", "MAP_BLOCK",\n    parts = "window"',
           '"wrrnnnnnnnn", "MAP_BLOCK"', "by_hand.lua")
    refuses "correlate_c128: its row names no rule of kernels/parts.lua"
  end)

  it("refuses a rule that there is not", function ()
    change('parts = "topk"', 'parts = "top"', "by_hand.lua")
    refuses "topk_k32: its row names no rule of kernels/parts.lua"
  end)

  it("refuses a rule for which a kernel lacks an argument", function ()
    change('"xrnni"', '"xrnii"', "by_hand.lua")
    refuses "bincount_i32: no argument is 'bins' of rule 'bins'"
  end)

  it("asks for no rule of a kernel for CUDA alone", function ()
    change('{ "sums_joined", "FLOATS", "xrrnn"',
           '{ "sums_joined", "FLOATS", "xrrnd"', "by_hand.lua")
    assert.same({ "./src/rt/host/kernels/host_kernels.c",
                  "./src/rt/kernels/tables.c" }, generate())
  end)

  it("makes no file of a name that one written by hand has", function ()
    change('{ "hypot",', '{ "sort",')
    assert(os.execute(("cd %s && mkdir -p src/rt/host/kernels && " ..
                       "touch src/rt/host/kernels/sort.c"):format(folder)))
    assert.has_error(generate)
  end)
end)

-- -Wextra makes a function that does not divide its work say (void)block.
describe("a kernel of the host device that is written by hand", function ()
  local sources = {}
  for i, path in ipairs(lines "ls src/rt/host/kernels/*.c") do
    sources[i] = read(path)
  end
  sources = table.concat(sources, "\n\n")

  --- Returns the text of the function; nil if a macro makes the name.
  local function text_of (name)
    local at = sources:find("HOST_KERNEL%(" .. name .. "_##") or
               sources:find("HOST_KERNEL%(" .. name .. "[%)_]")
    return at and sources:match("^.-\n%s*}\n", at)
  end

  it("does a part of its launch if its row has a rule", function ()
    local by_hand, found = dofile "kernels/by_hand.lua", 0
    for _, list in ipairs{ by_hand.by_width, by_hand.by_type } do
      for _, row in ipairs(list) do
        local full = row[1] .. "_" .. (row[2] or ""):match "%w*"
        local text = row.only ~= "cuda" and row.parts and
                     (text_of(full) or text_of(row[1]))
        if text then
          found = found + 1
          assert.equal(row.parts == "one",
                       text:find("(void)block", 1, true) ~= nil, row[1])
        end
      end
    end
    assert.is_true(found > 30)
  end)
end)

describe("what kernels/generate.lua makes #process", function ()
  it("has each kernel by its name, on CUDA and on the host", function ()
    local build = os.getenv "TIDE_BUILD" or "build/testing"
    local made = build:gsub("/%w+$", "") .. "/generated/"
    local host = read(made .. "src/rt/host/kernels/add.c")
    local kernels = read(made .. "kernels/add.cu")
    for _, form in ipairs{ "vv", "vs", "nd" } do
      local head = ("add_%s_f32 ("):format(form)
      assert.truthy(host:find(head, 1, true))
      assert.truthy(kernels:find(head, 1, true))
    end
  end)

  -- The driver starts a kernel while the one before it is ending. Without the
  -- wait a kernel would read data that are not there yet.
  it("begins each CUDA kernel with a wait for what comes before", function ()
    local build = os.getenv "TIDE_BUILD" or "build/testing"
    local made = build:gsub("/%w+$", "") .. "/generated/kernels/*.cu"
    local kernels = 0
    for _, path in ipairs(lines("ls kernels/*.cu " .. made)) do
      local text = "\n" .. read(path):gsub("\\\n", " ")
      text = text:gsub("\n#undef[^\n]*", "")
      for _, word in ipairs{ "KERNEL", "PASSES", "REJECTION" } do
        text = text:gsub("\n#define " .. word .. "%f[%W][^\n]*", "")
      end
      for _, word in ipairs{ 'extern "C" __global__', "%f[%w]KERNEL%f[%W]",
                             "%f[%w]PASSES%f[%W]", "%f[%w]REJECTION%f[%W]" } do
        for at in text:gmatch("()" .. word) do
          local body = text:match("%b{}", at)
          assert.truthy(body and body:find "^{%s*after_previous%(%);",
                        path .. ": " .. text:sub(at, at + 200))
          kernels = kernels + 1
        end
      end
    end
    assert.is_true(kernels > 800)
  end)
end)
