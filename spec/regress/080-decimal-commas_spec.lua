--[[
Where the program's locale writes decimal commas, 1.5 in a kernel's body was 1,
an identity of 0.5 became the expression 0,5, and arrays were printed with
commas. Floats are text the same way in every locale now. #process: see run.lua.
]]
local helper = require "spec.support.helper"

local LOCALE = [[
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
]]

--- with_commas(fn): calls fn with the folder of a locale "xx_XX" that is like C
-- but for its decimal point; false: there is no localedef to make it.
local function with_commas (fn)
  local pipe <close> = assert(io.popen "command -v localedef && mktemp -d")
  local base = pipe:read "a":match "\n([^\n]+)\n$"
  if not base then
    return false
  end
  local file = assert(io.open(base .. "/source", "w"))
  file:write(LOCALE)
  file:close()
  os.execute(("localedef -c -i %s/source %s/xx_XX >/dev/null 2>&1"):format(
             base, base))
  local ok, message = pcall(fn, base)
  os.execute("rm -r " .. base)
  assert(ok, message)
  return true
end

local PRELUDE = [[
  assert(os.setlocale("xx_XX", "numeric"), "no such locale")
  assert(tostring(1.5) == "1,5", tostring(1.5))
  local tide = require "tide"
  local function is (expected, got)
    if expected ~= got then
      error(("expected %s, got %s"):format(expected, got), 2)
    end
  end
]]

local function in_commas (kind, code, env)
  local variables = { LC_ALL = "C" }
  for name, value in pairs(env or {}) do
    variables[name] = value
  end
  local made = with_commas(function (folder)
    variables.LOCPATH = folder
    assert.equal("", helper.child_on(kind, PRELUDE .. code, variables))
  end)
  if not made then
    pending "localedef is not there to make a locale with decimal commas"
  end
end

helper.each_device(function (kind)

describe("decimal commas #process", function ()
  helper.host_it("change no number in a kernel's body", function ()
    in_commas(kind, [[
      local x = tide.array({ 1, 2 }, "float64")
      local k = tide.ElementwiseKernel("float64 x", "float64 y",
                                       "y = x * 1.5 + .25f + 2.5e-1")
      is(2.0, k(x)[1])
      is(0.75, tide.fuse(function (a) return a * 0.75 end)(x)[1])
    ]])
  end)

  helper.host_it("change no identity of a reduction", function ()
    in_commas(kind, [[
      local k = tide.ReductionKernel{ params = "float64 x", out = "float64 y",
        map = "x", reduce = "a + b", identity = 0.5 }
      is(0.5, k(tide.zeros(0)):item())
    ]])
  end)

  it("are not printed", function ()
    in_commas(kind, [[
      local x = tide.array({ 1.5, -2.25 }, "float64")
      is("[ 1.5  -2.25]", tostring(x):match "\n(.*)$")
      is("1.5-2.25j", tostring(tide.complex(1.5, -2.25)))
      local z = tide.array({ tide.complex(1.5, 0.5) }, "complex64")
      is("[1.5+0.5j]", tostring(z):match "\n(.*)$")
    ]])
  end)

  it("are not in messages", function ()
    in_commas(kind, [[
      local _, message = pcall(tide.random.uniform, -1e999, 2.5e300, 3,
                               "float32")
      is("-inf", message:match "([%-%w.+]+) is no finite")
      _, message = pcall(tide.random.uniform, 0, 2.5e300, 3, "float32")
      is("2.5e+300", message:match "([%-%w.+]+) is no finite")
    ]])
  end)

  helper.host_it("are no part of TIDE_HOST_MEMORY", function ()
    in_commas(kind, [[
      is(1.5 * 1024 * 1024, tide.get_device().total_memory)
    ]], { TIDE_HOST_MEMORY = "1.5M" })
  end)
end)

end)

describe("floats as text", function ()
  -- What a locale could change is called in one file.
  it("are made and read in numeral.c only", function ()
    local calls = { "strto[df]", "strtold", "atof", "is%l+ %(%(unsigned char",
                    "to%l+er %(", "ctype%.h", "%%[-+#0-9.*]*[aefgAEFG]" }
    local list <close> = assert(io.popen(
      "find src kernels -name '*.[ch]' ! -name numeral.c"))
    for path in list:lines() do
      local file <close> = assert(io.open(path))
      local number = 0
      for line in file:lines() do
        number = number + 1
        for _, pattern in ipairs(calls) do
          local text = pattern:find "^%%%%" and
                       (line:match "printf.*" or line:match '^%s+".*') or line
          if text:find("%f[%w%%]" .. pattern) and
             not text:find "^%s*[%*/]" then
            error(("%s:%d: %s"):format(path, number, line))
          end
        end
      end
    end
  end)
end)
