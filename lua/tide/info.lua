--[[
info.lua - prints `tide info`: versions, devices, libraries or the reasons why
they are missing, the cache, and variables of the environment.
]]
local found, tide = pcall(require, "tide")  -- or the error, if it cannot be
                                            -- loaded
local system = found and require "tide.system"
local units = require "tide.units"
local find <const>, gmatch <const>, gsub <const>, match <const> =
  string.find, string.gmatch, string.gsub, string.match

local NAMES <const> = {  -- variables, in the order of docs/api/tide.md
  "TIDE_DEVICE", "TIDE_DEFAULT_STREAM", "TIDE_UNHANDLED_ERRORS",
  "TIDE_HOST_DEVICES", "TIDE_HOST_THREADS",
  "TIDE_HOST_MEMORY", "TIDE_HOST_DELAYS", "TIDE_HOST_FAULTS",
  "TIDE_BLAS", "TIDE_LIBCUBLAS",
  "TIDE_LIBCUDA", "TIDE_LIBCUFFT", "TIDE_LIBCUSOLVER", "TIDE_LIBNCCL",
  "TIDE_LIBNVRTC", "TIDE_LIBPNG", "TIDE_LIBZ",
  "TIDE_CACHE_DIR",
  "TIDE_CACHE_SIZE", "TIDE_HISTORY", "TIDE_EDITOR", "XDG_CACHE_HOME",
  "XDG_STATE_HOME", "CUDA_HOME", "CUDA_VISIBLE_DEVICES",
  "CUDA_DEVICE_MAX_CONNECTIONS"
}

local PAIRS <const> = 8  -- listed pairs of devices without direct copies

local function add (lines, name, format, ...)
  lines[#lines + 1] = string.format("%-12s %s", name,
                                    string.format(format, ...))
end

--{{ devices

--- reasons() -> why(err): returns the error text without a position in this
-- file; "as above" for a repeated text.
local function reasons ()
  local said = {}
  return function (err)
    local text = gsub(tostring(err), "^[^\n:]*tide/info%.lua:%d+: ", "")
    if said[text] then return "as above" end
    said[text] = true
    return text
  end
end

local function device_text (dev, why)
  local text = string.format("%s, %s", dev.name, units.bytes(dev.total_memory))
  local ok, free = pcall(dev.memory_info, dev)
  if ok then
    text = string.format("%s (%s free)", text, units.bytes(free))
  end
  if dev.kind == "cuda" then
    text = string.format("%s, compute capability %s", text,
                         dev.compute_capability)
  end
  return ok and text or text .. ": " .. why(free)
end

--- Adds a line for each pair of devices of one kind whose copies go through the
-- host. A device that fails has its own line already.
local function add_peers (lines, list)
  local pairs_of, far = 0, {}
  for i, a in ipairs(list) do
    for k = i + 1, #list do
      local b <const> = list[k]
      local ok, direct, why = pcall(a.can_access_peer, a, b)
      if ok and a.kind == b.kind then
        pairs_of = pairs_of + 1
        if not direct then
          far[#far + 1] = string.format("%s and %s by way of the host: %s",
                                        a, b, why)
        end
      end
    end
  end
  if pairs_of > 0 then
    add(lines, "peers", "%s", far[1] or "copies go from memory to memory")
  end
  for i = 2, math.min(#far, PAIRS) do add(lines, "", "%s", far[i]) end
  if #far > PAIRS then add(lines, "", "and %d more", #far - PAIRS) end
end

local function add_devices (lines)
  local why = reasons()
  local ok, list = pcall(tide.devices)
  if not ok then
    add(lines, "devices", "none: %s", why(list))
    return
  end
  for _, dev in ipairs(list) do
    local known, text = pcall(device_text, dev, why)
    add(lines, tostring(dev), "%s", known and text or why(text))
  end
  add_peers(lines, list)
  local works, default = pcall(tide.get_device)
  add(lines, "default", works and "%s" or "none: %s",
      works and tostring(default) or why(default))
end

--}}

--{{ libraries

--- Returns the remedy for a missing part of CUDA.
local function advice (about)
  if not about.driver then
    return "install NVIDIA's driver, or name its libcuda.so.1 in TIDE_LIBCUDA"
  elseif about.no_driver then
    return "see what nvidia-smi says, and CUDA_VISIBLE_DEVICES"
  end
end

local function add_driver (lines, about)
  if about.driver then
    add(lines, "driver", "CUDA %s%s", about.driver,
        about.no_driver and ": " .. about.no_driver or "")
  else
    add(lines, "driver", "none: %s", about.no_driver)
  end
  local what = about.no_driver and advice(about)
  if what then add(lines, "", "%s", what) end
end

--- Returns the GPU architectures of the built-in kernels, from the options of
-- nvcc.
local function targets_text (targets)
  local list, seen = {}, {}
  for name in gmatch(gsub(targets or "", "arch=compute_%d+,", ""),
                     "%a+_%d+%a?") do
    if not seen[name] then
      seen[name] = true
      list[#list + 1] = find(name, "^compute") and name .. " (PTX)" or name
    end
  end
  return list[1] and table.concat(list, ", ")
end

local function add_kernels (lines, about)
  local text = targets_text(about.targets)
  if text then
    add(lines, "kernels", "for %s", text)
  else
    add(lines, "kernels", "none for GPUs: tide was built without nvcc")
    add(lines, "", "install the CUDA toolkit and build tide again")
  end
end

local function add_libraries (lines, about)
  if about.nvrtc then
    add(lines, "NVRTC", "%s: kernels of yours can be compiled", about.nvrtc)
  else
    add(lines, "NVRTC", "none: %s", about.no_nvrtc)
    add(lines, "", "RawKernel and others want it on GPUs: install the CUDA " ..
        "toolkit, or name it in TIDE_LIBNVRTC")
  end
  add(lines, "cuBLAS", "%s", about.cublas or
      "none: products of matrices on GPUs are by tide's own kernel")
  add(lines, "cuFFT", "%s", about.cufft or
      "none: there are no Fourier transforms on GPUs")
  add(lines, "cuSOLVER", "%s", about.cusolver or
      "none: tide.linalg needs it on GPUs; it comes with the CUDA toolkit")
  add(lines, "NCCL", "%s", about.nccl or
      "none for ranks on GPUs: " .. about.no_nccl)
  add(lines, "BLAS", "%s", about.blas or
      "none: those on the host are by tide's own loops (Debian has " ..
      "libopenblas0)")
  add(lines, "LAPACK", "%s", about.lapack or
      "none: tide.linalg on the host is by tide's own loops")
end

--}}

local function add_cache (lines, cache)
  if not cache.path then
    add(lines, "cache", "none: %s", cache.why)
    return
  end
  add(lines, "cache", "%s: %d file%s, %s of at most %s", cache.path,
      cache.files, cache.files == 1 and "" or "s", units.bytes(cache.bytes),
      units.bytes(cache.limit))
  if cache.why then
    add(lines, "", "nothing is kept there: %s", cache.why)
  end
end

local function add_environment (lines)
  local n = #lines
  for _, name in ipairs(NAMES) do
    local value = os.getenv(name)
    if value then
      add(lines, #lines == n and "environment" or "", "%s=%s", name, value)
    end
  end
end

--- Returns the program that runs Lua: the first word of the command line.
-- Options may stand between it and the script, as in the wrappers of LuaRocks.
local function interpreter ()
  local first = arg and arg[-1] and -1
  while first and arg[first - 1] do first = first - 1 end
  return first and arg[first] or "in a host program"
end

local function add_modules (lines)
  local path = package.searchpath("tide", package.path) or "?"
  if found then
    add(lines, "tide", "%s, %s", match(tide._VERSION, "%S+$"), path)
  else
    add(lines, "tide", "%s, which cannot be loaded: %s", path, tide)
  end
  add(lines, "Lua", "%s, %s", match(_VERSION, "%S+$"),
      interpreter())
  local editor = package.searchpath("readline", package.path) and "readline" or
                 (package.searchpath("linenoise", package.path) or
                  package.searchpath("linenoise", package.cpath)) and
                 "linenoise"
  add(lines, "prompt", "%s", editor and "keys and completion by " .. editor or
      "no completion: install lua-readline (LuaRocks: readline)")
end

local function add_all (lines)
  local about = system.about()
  add_devices(lines)
  add_driver(lines, about)
  add_kernels(lines, about)
  add_libraries(lines, about)
  add_cache(lines, about.cache)
end

--- info() -> the text.
return function ()
  local lines = {}
  add_modules(lines)
  if found then add_all(lines) end
  add_environment(lines)
  return table.concat(lines, "\n")
end
