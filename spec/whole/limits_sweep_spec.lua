--[[
limits_sweep_spec.lua - every name that tide exports, called in a state that the
host program leaves groups of functions out of: what is left out raises and says
so, everything else works; and nothing of either is felt outside: no file is
opened or changed, nor the process (spec/embed/limitsweep.c sees it), no address
is told, and another state's arrays, streams and graphs work on. Calls of groups
that are not left out are not made. #process: see run.lua.
]]
local helper = require "spec.support.helper"

-- The functions of each group, by their names in exports.lua. If you
-- export more of a kind, add them here.
local GROUPS = {
  [1] = "tide.ExternalStream tide.Pointer tide.Stream.from_external " ..
        "Stream.ptr Event.ptr Array.ptr HostArray.ptr tide.from_dlpack " ..
        "tide.from_carray " ..
        "Array:to_dlpack HostArray:to_dlpack",
  [2] = "tide.RawKernel tide.RawModule tide.ElementwiseKernel " ..
        "tide.ReductionKernel tide.fuse",
  [4] = "tide.load tide.save tide.loadtxt tide.savetxt " ..
        "tide.load_image tide.save_image " ..
        "HostArray:readfrom HostArray:writeto " ..
        "tide.open File:close File:read File:write File.mode File.offset " ..
        "File.path File.size File.__gc File.__close File.__index " ..
        "File.__newindex File.__tostring",
  [8] = "Device:reset",
}

local CODE = [=[
  local LEFT, OTHERS, GROUPS = %q, %q, %d
  local tide = require "tide"
  local calls = require "spec.whole.sweep_calls"
  local unpack = table.unpack
  local dev = tide.get_device()

  local names, has = {}, { left = {}, others = {} }
  for name in pairs(calls) do
    names[#names + 1] = name
  end
  table.sort(names)
  for name in LEFT:gmatch "%%S+" do
    assert(calls[name], name)
    has.left[name] = true
  end
  for name in OTHERS:gmatch "%%S+" do
    assert(calls[name], name)
    has.others[name] = true
  end

  -- Is that an address of this process?
  local function is_address (x)
    if type(x) == "string" then
      return x:find "0x%%x%%x%%x%%x%%x" ~= nil
    end
    return math.type(x) == "integer" and x >= 0x550000000000 and
           x < 0x800000000000
  end

  -- What of the results tells an address, or nil.
  local function told (results)
    for i = 1, results.n do
      local x = results[i]
      if type(x) == "userdata" and
         not tostring(getmetatable(x)):find "^tide%%." then
        return "light userdata"
      end
      if is_address(x) then
        return tostring(x)
      end
      for key, value in pairs(type(x) == "table" and x or {}) do
        if is_address(value) then
          return tostring(key) .. "=" .. tostring(value)
        end
      end
    end
  end

  -- Prepares and makes a call; true and nothing, or what is wrong with it.
  local function try (name)
    local ready, call = pcall(calls[name], dev)
    local results = { n = 0 }
    watch(true)
    if ready then
      results = table.pack(pcall(call))
    end
    local seen = watch(false)
    local err = not ready and call or not results[1] and results[2]
    if err and not err:find("left out by the host program", 1, true) then
      return err
    elseif has.left[name] and not err then
      return "is there"
    elseif seen ~= "" then
      return "does outside: " .. seen
    elseif GROUPS & 1 ~= 0 and told(results) then
      return "tells " .. told(results)
    end
  end

  for _, name in ipairs(names) do
    if not has.others[name] then
      local wrong = try(name)
      collectgarbage()
      tide.Stream.null:use()
      local ok, err = pcall(other, "CHECK()")
      wrong = wrong or (not ok and "is felt by another state: " .. err)
      assert(not wrong, name .. " " .. tostring(wrong))
    end
  end
]=]

--- Returns the names of the groups in the mask, and of the other groups.
local function split (mask)
  local left, others = {}, {}
  for bit, names in pairs(GROUPS) do
    local list = mask & bit ~= 0 and left or others
    list[#list + 1] = names
  end
  return table.concat(left, " "), table.concat(others, " ")
end

helper.each_device(function (kind)

describe("whatever is called #process", function ()
  for _, mask in ipairs{ 1, 2, 4, 8, 15 } do
    it("is not felt outside: leave_out = " .. mask, function ()
      local left, others = split(mask)
      helper.program_in({ TIDE_CACHE_DIR = "" }, kind, "limitsweep", mask,
                        CODE:format(left, others, mask))
    end)
  end
end)

end)
