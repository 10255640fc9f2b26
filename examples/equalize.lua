--[[
equalize.lua [FILE] - makes the most of the greys of a picture, PGM or PNG, and
blurs it: FILE-equalized.pgm and FILE-blurred.pgm. Without FILE it begins with a
pale picture of its own, and leaves nothing.

  lua5.4 examples/equalize.lua photo.png
]]
local tide = require "tide"

local LEVELS <const> = 256

--- Makes a picture of little contrast: a mountain in the fog.
local function pale ()
  local x, y = tide.linspace(-2, 2, 320):reshape(1, 320),
               tide.linspace(-2, 2, 240):reshape(240, 1)
  local height = (-(x * x + y * y)):exp() + (x * 9):sin() * (y * 9):cos() / 8
  return (height * 40 + 100):astype "uint8"
end

--- Each level becomes the share of the picture that is not brighter.
local function equalized (grey)
  local counts = grey:ravel():bincount{ base = 0, size = LEVELS }
  local sums = counts:cumsum()
  local least = tide.where(counts:gt(0), sums, grey.size):min()
  local levels = (sums - least) * (LEVELS - 1) / (grey.size - least):maximum(1)
  return levels:clip(0, 255):round():astype "uint8":take(grey, { base = 0 })
end

--- The weights of a bell, `radius` on each side, along both axes in turn.
local function blurred (grey, radius)
  local at = tide.arange(-radius, radius):astype "float32"
  local bell = (-(at / radius * 2) ^ 2 / 2):exp()
  bell = bell / bell:sum()
  local image = grey:astype "float32":pad(radius, { mode = "edge" })
  return image:convolve2d(bell:reshape(1, #bell), "valid")
              :convolve2d(bell:reshape(#bell, 1), "valid")
              :round():clip(0, 255):astype "uint8"
end

local path = arg[1] or os.tmpname()
local names = { path .. "-equalized.pgm", path .. "-blurred.pgm" }
if not arg[1] then tide.save_image(path, pale(), { format = "pgm" }) end

local image = tide.load_image(path)
local grey = image.ndim == 2 and image or
             image[{ {}, {}, { 1, 3 } }]:mean(3):round():astype "uint8"
local clear = equalized(grey)
local soft = blurred(clear, 3)
tide.save_image(names[1], clear)
tide.save_image(names[2], soft)
grey:plot{ kind = "histogram", bins = 8, width = 60 }
clear:plot{ kind = "histogram", bins = 8, width = 60 }
soft:plot{ width = 60 }
assert(clear:min():item() == 0 and clear:max():item() == 255)
assert(soft:std():item() <= clear:std():item())
assert(tide.array_equal(tide.load_image(names[2]), soft))
if not arg[1] then
  for _, name in ipairs{ path, names[1], names[2] } do os.remove(name) end
end
