--[[
numpy_spec.lua - every function against NumPy's own answers, on random shapes,
strides, dtypes and edge values. spec/numpy/cases.txt is kept, so that it needs
no NumPy; where there is one, it makes more cases. NUMPY_SEED=n: other ones.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local numbers = require "spec.support.numbers"

--- Where results are not NumPy's. Cases have the key with them, and what tide
-- promises for a result.
local DIFFERENCES = {
  arange = "each number is start + i * step; NumPy rounds the step first",
  bools = "NumPy calculates with bools as int8 here; tide raises or stays bool",
  complex = "NumPy orders complex numbers by their real parts, and has all " ..
            "functions for them; in tide these raise",
  float64 = "functions of small integers give float64, not float16 or " ..
            "float32; sums of floats are added in float64 and rounded once",
  nearest = "floats beyond an integer type become its last number, NaN 0: " ..
            "NumPy does not say",
  powers = "negative powers of integers are rounded to 0, where NumPy raises",
  sign = "which sign a zero has in a product of matrices or as the greater " ..
         "of zeros is open, in NumPy too",
  zeros = "sort puts -0.0 before 0.0; NumPy says nothing of that",
  take = "places out of range mean the nearest, of arrays on the device"
}

--- How many ulps off, besides numbers.inexact; 0 for all others. NumPy itself
-- promises 4.
local ULPS = { degrees = 1, radians = 1, rsqrt = 1, linspace = 1, var = 4,
               std = 4, cov = 8, corrcoef = 8, norm = 6, softmax = 8,
               logsoftmax = 64, nanvar = 4, nanstd = 4, nanmean = 1,
               logsumexp = 64, logspace = 64, geomspace = 64 }

--- The same of complex numbers.
local COMPLEX_ULPS = { abs = 4, div = 4, exp = 4, log = 4, sin = 4, cos = 4,
                       sqrt = 4, square = 4, mean = 4, pow = 8, norm = 8 }

-- For Fourier transforms, errors are measured by the largest element of the
-- result.
local FFT_ULPS <const> = 16

-- without the libraries that a sanitizer loads into all programs
local NUMPY = "env -u LD_PRELOAD /usr/bin/python3 -B "

--{{ cases

local known = {}  -- dtype: does tide have it?

local function is_known (dtype)
  if known[dtype] == nil then
    known[dtype] = (pcall(tide.zeros, 0, dtype))
  end
  return known[dtype]
end

-- Functions that are there if there are complex numbers.
local OF_COMPLEX = { conj = true, real = true, imag = true }

local function unhex (text)
  return (text:gsub("%x%x", function (x)
    return string.char(tonumber(x, 16))
  end))
end

--- "float32 [2,3] rest" -> "float32", { 2, 3 }, "rest"
local function read_array (text)
  local dtype, dims, rest = text:match "^(%S+) %[([%d,]*)%] ?(.*)$"
  local shape = {}
  for n in dims:gmatch "%d+" do
    shape[#shape + 1] = math.tointeger(n)
  end
  return dtype, shape, rest
end

--- The pools: dtype -> { character = bytes of that element }.
local function read_pool (hex)
  local names, pool = "", {}
  for _, range in ipairs{ "az", "AZ", "09" } do
    for c = range:byte(1), range:byte(2) do
      names = names .. string.char(c)
    end
  end
  local bytes = unhex(hex)
  local size = #bytes // #names
  for i = 1, #names do
    pool[names:sub(i, i)] = bytes:sub(size * (i - 1) + 1, size * i)
  end
  return pool
end

--- read(lines) -> the cases of dtypes that tide has, in order; and the
-- evaluated expressions of all cases, as one text.
local function read (lines)
  local cases, pools, all = {}, {}, {}
  for line in lines do
    local dtype, hex = line:match "^pool (%S+) (%x+)$"
    if dtype then
      pools[dtype] = read_pool(hex)
    else
      local case = { pools = pools }
      for field in line:gmatch "[^\t]+" do
        case[#case + 1] = field
        dtype = #case > 3 and field:match "^(%S+) %["
        if dtype and not is_known(dtype) then
          case.unknown = true
        end
      end
      case.name, case.why, case.lua, case.wanted = table.unpack(case)
      table.move(case, 2, #case, #all + 1, all)
      if not case.unknown and
         (is_known "complex64" or not OF_COMPLEX[case.name]) then
        cases[#cases + 1] = case
      end
    end
  end
  return cases, table.concat(all, "\n")
end

--}}

--{{ running one

local function compile (code, names)
  local head = "local " .. table.concat(names, ", ") .. " = ...; "
  local text = code:find "return" and code or "return " .. code
  return assert(load(head .. text, "=" .. code, "t"))
end

local NAMES = { "tide", "x", "y", "z", "X", "Y", "Z" }

--- The operands of a case: x, y, z, and their bases X, Y, Z.
local function operands (case)
  local values, none = { tide }, tide.zeros(0)
  for i = 2, #NAMES do
    values[i] = none
  end
  for i = 5, #case do
    local view = case[i]:match "^= X(.*)"
    local base = values[5]
    if not view then
      local dtype, shape, rest = read_array(case[i])
      local codes, steps = rest:match "^(%w*) (.*)$"
      base = tide.frombytes(codes:gsub(".", case.pools[dtype]), dtype, shape)
      view = steps
    end
    values[i - 3], values[i] = compile("X" .. view, { "X" })(base), base
  end
  return values
end

--- Returns the ulp of the largest number, or part of one.
local function largest_ulp (list, dtype)
  local most = 0
  for _, x in ipairs(list) do
    for _, part in ipairs(type(x) == "table" and x or { x }) do
      most = math.max(most, math.abs(part))
    end
  end
  return most * 2.0 ^ ((dtype == "complex64" or dtype == "float32") and -23 or
                       -52)
end

--- As compare, for sums of all elements of a line.
local function compare_sums (got, wanted, dtype)
  local size <const> = FFT_ULPS * largest_ulp(wanted, dtype)
  for i, x in ipairs(got) do
    local y <const> = wanted[i]
    local a <const> = type(x) == "table" and x or { x }
    local b <const> = type(y) == "table" and y or { y }
    for k = 1, #a do
      local off <const> = math.abs(a[k] - b[k])
      if off > size or off ~= off then return i, x, y end
    end
  end
end

--- How far complex numbers are apart, in ulps of the larger part of the second.
local function apart (x, y, dtype)
  local size = math.max(math.abs(y[1]), math.abs(y[2]))
  local ulp = size * 2.0 ^ (dtype == "complex64" and -23 or -52)
  local most = 0
  for i = 1, 2 do
    if (x[i] == x[i]) ~= (y[i] == y[i]) then
      return math.huge
    elseif x[i] ~= y[i] and x[i] == x[i] then
      most = math.max(most, math.abs(x[i] - y[i]) / ulp)
    end
  end
  return most
end

--- Returns the first place that differs, and both elements there, or nil.
local function compare (case, got, wanted, dtype)
  if got == wanted then
    return nil
  end
  local distance = dtype:find "^complex" and apart or numbers.ulps
  local is_complex = table.concat(case, " ", 5):find "complex"
  local ulps = is_complex and COMPLEX_ULPS[case.name] or
               ULPS[case.name] or numbers.inexact[case.name] or 0
  wanted, got = numbers.unpack(wanted, dtype), numbers.unpack(got, dtype)
  if case.name:find "^fft%..*fft" then
    return compare_sums(got, wanted, dtype)
  end
  for i, x in ipairs(got) do
    local y = wanted[i]
    if distance(x, y, dtype) > ulps and (case.why ~= "sign" or x ~= y) then
      return i, x, y
    end
  end
end

local function shown (x)
  return type(x) == "table" and x[1] .. "+" .. x[2] .. "i" or
         math.type(x) == "float" and ("%.17g"):format(x) or tostring(x)
end

--- problem(case) -> what is wrong, or nil
local function problem (case)
  local ok, got = pcall(compile(case.lua, NAMES),
                        table.unpack(operands(case)))
  if case.wanted == "error" then
    return ok and "no error" or nil
  elseif not ok then
    return got
  end
  local dtype, shape, hex = read_array(case.wanted)
  local header = got.dtype .. " " .. table.concat(got.shape, ",")
  local wanted = dtype .. " " .. table.concat(shape, ",")
  if header ~= wanted then
    return header .. ", not " .. wanted
  end
  local i, x, y = compare(case, got:tobytes(), unhex(hex), dtype)
  return i and ("element %d is %s, not %s"):format(i, shown(x), shown(y))
end

local MOST = tonumber(os.getenv "MOST" or 10)  -- problems that are told

local function run (cases)
  local told, count = {}, 0
  for _, case in ipairs(cases) do
    local what = problem(case)
    if what then
      count = count + 1
      if count <= MOST then
        local wanted = case.wanted:sub(1, 200)
        told[count] = table.concat({ what, case.lua, wanted,
                                     table.unpack(case, 5) }, "\n    ")
      end
    end
  end
  assert(count == 0, ("%d of %d cases:\n  %s"):format(
    count, #cases, table.concat(told, "\n  ")))
end

--}}

local kept, text = read(io.lines "spec/numpy/cases.txt")

--- The names of functions and methods in a text, as the page of Array has them.
local function names_in (lines)
  local names = {}
  for name in lines:gmatch "tide%.([%w_]+)[%( ']" do
    names[name] = true
  end
  for name in lines:gmatch "[%w%])]:([%w_]+)[%( {']" do
    names[":" .. name] = true
  end
  return names
end

-- Functions that NumPy lacks, or without an array as result: compare_spec.lua.
local OWN = { allclose = true, [":allclose"] = true, array_equal = true,
              [":array_equal"] = true, [":await"] = true,
              [":close"] = true, [":describe"] = true, [":item"] = true,
              group = true, resize = true,
              [":plot"] = true, [":to_dlpack"] = true,
              get_default_dtype = true, set_default_dtype = true,
              can_cast = true, finfo = true, iinfo = true, result_type = true,
              isdtype = true, broadcast_shapes = true }

describe("NumPy's answers", function ()
  it("are about every function of the page of Array", function ()
    local page <close> = assert(io.open "docs/api/array.md")
    local there, missing = names_in(text), {}
    for name in pairs(names_in(page:read "a")) do
      if not there[name] and not OWN[name] then
        missing[#missing + 1] = name
      end
    end
    table.sort(missing)
    assert.same({}, missing)
  end)

  it("are about every dtype", function ()
    for _, t in ipairs(dofile "kernels/table.lua".dtypes) do
      local dtype = t.name
      if dtype ~= "bfloat16" then  -- which NumPy has not
        assert(is_known(dtype))
        assert(text:find(dtype .. " [", 1, true), dtype)
      end
    end
  end)

  it("are others for the reasons that are listed", function ()
    for _, case in ipairs(kept) do
      assert(case.why == "-" or DIFFERENCES[case.why], case.why)
    end
    for key in pairs(DIFFERENCES) do
      assert(text:find("\n" .. key .. "\n", 1, true), key)
    end
  end)
end)

helper.each_device(function ()

describe("NumPy's answers, kept ones:", function ()
  local names, by_name = {}, {}
  for _, case in ipairs(kept) do
    local list = by_name[case.name] or {}
    by_name[case.name] = list
    names[#names + 1] = #list == 0 and case.name or nil
    list[#list + 1] = case
  end
  for _, name in ipairs(names) do
    it(name, function () run(by_name[name]) end)
  end
end)

describe("NumPy's answers, new ones", function ()
  local seed = os.getenv "NUMPY_SEED" or "1"

  it("of NUMPY_SEED=" .. seed .. " are tide's #process", function ()
    if not os.execute(NUMPY .. "-c 'import numpy' 2>/dev/null") then
      pending "no NumPy"
      return
    end
    local pipe = assert(io.popen(NUMPY .. "spec/numpy/cases.py " .. seed))
    local cases = read(pipe:lines())
    assert(pipe:close(), "cases.py failed")
    assert(#cases > #kept)
    run(cases)
  end)
end)

end)
