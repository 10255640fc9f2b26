--[[
locale_spec.lua - floats as text are those of C, whatever the program's locale
is: here one that writes decimal commas. #process: see run.lua.
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
  if not base then return false end
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

local function in_commas (kind, code, memory)
  local made = with_commas(function (folder)
    assert.equal("", helper.child_on(kind, PRELUDE .. code, {
      LC_ALL = "C", LOCPATH = folder, TIDE_HOST_MEMORY = memory }))
  end)
  if not made then
    pending "localedef is not there to make a locale with decimal commas"
  end
end

helper.each_device(function (kind)

describe("decimal commas (#080) #process", function ()
  helper.host_it("change no number that is read", function ()
    in_commas(kind, [[
      is(1.5 * 1024 * 1024, tide.get_device().total_memory)
      local x = tide.array({ 1, 2 }, "float64")
      local k = tide.ElementwiseKernel("float64 x", "float64 y",
                                       "y = x * 1.5 + .25f + 2.5e-1")
      is(2.0, k(x)[1])
      is(0.75, tide.fuse(function (a) return a * 0.75 end)(x)[1])
      local r = tide.ReductionKernel{ params = "float64 x", out = "float64 y",
        map = "x", reduce = "a + b", identity = 0.5 }
      is(0.5, r(tide.zeros(0)):item())
      local path = os.tmpname()
      local file <close> = assert(io.open(path, "w"))
      file:write("1.5 9007199254740993.0 1e-310 0.1\n"):flush()
      local y = tide.loadtxt(path, { dtype = "float64" })[1]:totable()
      local z = tide.loadtxt(path, { dtype = "float32" })
      os.remove(path)
      is(1.5, y[1]); is(2.0 ^ 53, y[2]); is(1e-310, y[3]); is(1.5, z[{ 1, 1 }])
    ]], "1.5M")
  end)

  it("are neither printed nor in messages", function ()
    in_commas(kind, [[
      local x = tide.array({ 1.5, -2.25 }, "float64")
      is("[ 1.5  -2.25]", tostring(x):match "\n(.*)$")
      is("1.5-2.25j", tostring(tide.complex(1.5, -2.25)))
      local z = tide.array({ tide.complex(1.5, 0.5) }, "complex64")
      is("[1.5+0.5j]", tostring(z):match "\n(.*)$")
      for expected, low in pairs{ ["-inf"] = -1e999, ["2.5e+300"] = 0 } do
        local _, message = pcall(tide.random.uniform, low, 2.5e300, 3,
                                 "float32")
        is(expected, message:match "([%-%w.+]+) is no finite")
      end
      local path = os.tmpname()
      tide.savetxt(path, x, { fmt = "%.1f" })
      local file <close> = assert(io.open(path))
      is("1.5", file:read "l")
      os.remove(path)
    ]])
  end)
end)

end)

describe("floats as text", function ()
  -- All that a locale could change is called in one file.
  it("are made and read in numeral.c only", function ()
    local calls = { "strto[df]", "strtold", "atof", "is%l+ %(%(unsigned char",
                    "to%l+er %(", "ctype%.h", "%%[-+#0-9.*]*[aefgAEFG]" }
    local list <close> = assert(io.popen(
      "find src kernels -name '*.[ch]' ! -name numeral.c"))
    for path in list:lines() do
      local number = 0
      for line in io.lines(path) do
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
