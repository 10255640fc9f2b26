--[[
png_files.lua - PNG files of every form, written by hand, beside what libpng
does: chunks with their sums, deflate without compression, interlacing.
]]
local png = {}

png.MARK = "\137PNG\r\n\26\n"

local crcs = {}
for n = 0, 255 do
  local c = n
  for _ = 1, 8 do
    c = c & 1 == 1 and 0xedb88320 ~ (c >> 1) or c >> 1
  end
  crcs[n] = c
end

local function crc (bytes)
  local c = 0xffffffff
  for i = 1, #bytes do
    c = crcs[(c ~ bytes:byte(i)) & 255] ~ (c >> 8)
  end
  return c ~ 0xffffffff
end

function png.chunk (name, data)
  return string.pack(">I4", #data) .. name .. data ..
         string.pack(">I4", crc(name .. data))
end

--- deflated(bytes) -> as zlib has it, in blocks that are stored as they are.
local function deflated (bytes)
  local parts, a, b = { "\x78\x01" }, 1, 0
  for at = 1, math.max(#bytes, 1), 65535 do
    local block = bytes:sub(at, at + 65534)
    parts[#parts + 1] = string.pack("<BI2I2", at + 65535 > #bytes and 1 or 0,
                                    #block, ~#block & 0xffff) .. block
  end
  for i = 1, #bytes do
    a = (a + bytes:byte(i)) % 65521
    b = (b + a) % 65521
  end
  parts[#parts + 1] = string.pack(">I2I2", b, a)
  return table.concat(parts)
end

--- A row of samples, whose number of bits is 'depth'.
local function packed (samples, depth)
  local bytes = {}
  for _, x in ipairs(samples) do
    if depth == 16 then
      bytes[#bytes + 1] = string.pack(">I2", x)
    elseif depth == 8 then
      bytes[#bytes + 1] = string.char(x)
    end
  end
  for i = 1, depth < 8 and #samples or 0, math.max(8 // depth, 1) do
    local byte = 0
    for k = 0, 8 // depth - 1 do
      byte = byte << depth | (samples[i + k] or 0)
    end
    bytes[#bytes + 1] = string.char(byte)
  end
  return table.concat(bytes)
end

local PASSES <const> = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 },
                         { 2, 0, 4, 4 }, { 0, 2, 2, 4 }, { 1, 0, 2, 2 },
                         { 0, 1, 1, 2 } }  -- x, y, and the steps of both

--- The rows of one pass; each with filter 0 before it.
local function pass_of (p, from, wide, high)
  local rows = {}
  for y = from[2], high - 1, from[4] do
    local samples = {}
    for x = from[1], wide - 1, from[3] do
      for k = 1, p.channels do
        samples[#samples + 1] = p.rows[y + 1][x * p.channels + k]
      end
    end
    rows[#rows + 1] = #samples > 0 and "\0" .. packed(samples, p.depth) or nil
  end
  return table.concat(rows)
end

--- png.file{ rows =, channels =, depth =, colour =, interlaced =, before = } ->
-- its bytes. rows: lists of samples; colour: of the header; before: chunks
-- between header and data.
function png.file (p)
  local high, wide = #p.rows, #p.rows[1] // p.channels
  local parts = {}
  for i, pass in ipairs(p.interlaced and PASSES or { { 0, 0, 1, 1 } }) do
    parts[i] = pass_of(p, pass, wide, high)
  end
  return png.MARK .. png.chunk("IHDR", string.pack(">I4I4BBBBB", wide, high,
           p.depth, p.colour, 0, 0, p.interlaced and 1 or 0)) ..
         (p.before or "") .. png.chunk("IDAT", deflated(table.concat(parts))) ..
         png.chunk("IEND", "")
end

return png
