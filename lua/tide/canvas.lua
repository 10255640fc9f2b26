--[[
canvas.lua - a grid of dots drawn with characters: eight in each braille
character, or one per ASCII character; and the labels of axes.
]]
local format <const>, gsub <const>, rep <const> =
  string.format, string.gsub, string.rep

local canvas = {}

-- The bit of each dot of a braille character, by column and row.
local BITS <const> = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } }
local BRAILLE <const> = 0x2800

local methods = {}
methods.__index = methods

--- canvas.new(columns, rows, ascii) -> an empty canvas. Its dots count from 0,
-- x from the left and y from below; c.right and c.top are the last ones.
function canvas.new (columns, rows, ascii)
  local wide <const>, high <const> = ascii and 1 or 2, ascii and 1 or 4
  local cells = {}
  for row = 1, rows do
    cells[row] = {}
    for column = 1, columns do cells[row][column] = 0 end
  end
  return setmetatable({ cells = cells, wide = wide, high = high,
                        right = columns * wide - 1, top = rows * high - 1 },
                      methods)
end

function methods:dot (x, y)
  local from_top <const> = self.top - y
  local row <const> = self.cells[from_top // self.high + 1]
  local column <const> = x // self.wide + 1
  row[column] = row[column] | BITS[x % self.wide + 1][from_top % self.high + 1]
end

--- Draws a line from (x1, y1) to (x2, y2), with a dot for each step along the
-- longer side.
function methods:line (x1, y1, x2, y2)
  local steps <const> = math.max(math.abs(x2 - x1), math.abs(y2 - y1), 1)
  for i = 0, steps do
    self:dot((x1 + (x2 - x1) * i / steps + 0.5) // 1 | 0,
             (y1 + (y2 - y1) * i / steps + 0.5) // 1 | 0)
  end
end

--- -> a line of text for each row.
function methods:rows ()
  local rows = {}
  for i, row in ipairs(self.cells) do
    local letters = {}
    for k, bits in ipairs(row) do
      letters[k] = bits == 0 and " " or self.high == 1 and "*" or
                   utf8.char(BRAILLE + bits)
    end
    rows[i] = table.concat(letters)
  end
  return rows
end

--- canvas.number(x) -> four digits of x; integers in full.
function canvas.number (x)
  return x == x // 1 and x > -1e9 and x < 1e9 and format("%d", x // 1 | 0) or
         format("%.4g", x)
end

--- Returns the labels of the rows that have one; values close to 0 become 0.
local function labels_of (rows, low, high)
  local middle <const> = (rows + 1) // 2
  if low == high then return { [middle] = canvas.number(low) } end
  local labels <const> = { [1] = canvas.number(high),
                           [rows] = canvas.number(low) }
  local between = low / 2 + high / 2
  if math.abs(between) < (high / 2 - low / 2) / 512 then between = 0 end
  if rows > 4 then labels[middle] = canvas.number(between) end
  return labels
end

--- canvas.framed(rows, wide, low, high, last, ascii) -> the rows, of 'wide'
-- characters, with an axis on the left, from 'low' to 'high', and one below,
-- from 1 to 'last'.
function canvas.framed (rows, wide, low, high, last, ascii)
  local labels <const> = labels_of(#rows, low, high)
  local room = 0
  for _, label in pairs(labels) do room = math.max(room, #label) end
  local tick <const>, bar <const> = ascii and "+" or "┤", ascii and "|" or "│"
  local lines = {}
  for i, row in ipairs(rows) do
    local label <const> = labels[i] or ""
    lines[i] = gsub(rep(" ", room - #label) .. label .. " " ..
                    (labels[i] and tick or bar) .. row, "%s+$", "")
  end
  lines[#lines + 1] = rep(" ", room + 1) .. (ascii and "+" or "└") ..
                      rep(ascii and "-" or "─", wide)
  local ends <const> = tostring(last)
  lines[#lines + 1] = rep(" ", room + 2) .. (last == 1 and "1" or
    "1" .. rep(" ", wide - 1 - #ends) .. ends)
  return lines
end

return canvas
