--[[
spectrum.lua - which tones are in a sound: writes a WAV file of three of them
and noise, reads it, and finds them again by the spectra of short pieces.

  lua5.4 examples/spectrum.lua
]]
local tide = require "tide"

local RATE <const>, SECONDS <const>, PIECE <const> = 8000, 4, 4096
local TONES <const> = { [440] = 0.5, [1000] = 0.3, [2637.5] = 0.1 }  -- Hz
local HEAD <const> = "<c4I4c4c4I4I2I2I4I4I2I2c4I4"

--- Returns the samples of a sound, from -1 to 1.
local function play ()
  local t = tide.arange(RATE * SECONDS) / RATE
  local sound = tide.random.normal(0, 0.02, t.size)
  for hertz, loud in pairs(TONES) do
    sound:add_((t * (2 * math.pi * hertz)):sin() * loud)
  end
  return sound
end

--- Writes 16-bit samples of one channel.
local function write (path, sound)
  local bytes = (sound:clip(-1, 1) * 32767):round():astype "int16":tobytes()
  local file <close> = assert(io.open(path, "wb"))
  file:write(HEAD:pack("RIFF", 36 + #bytes, "WAVE", "fmt ", 16, 1, 1, RATE,
                       2 * RATE, 2, 16, "data", #bytes), bytes)
end

local function read (path)
  local file <close> = assert(io.open(path, "rb"))
  local bytes = file:read "a"
  local rate = select(8, HEAD:unpack(bytes))
  local samples = tide.frombytes(bytes:sub(HEAD:packsize() + 1), "int16")
  return samples:astype "float32" / 32767, rate
end

local path <const> = os.tmpname()
write(path, play())
local sound, rate = read(path)
os.remove(path)

-- pieces under a window, so that a tone stays near its frequency
local pieces = sound[{ {1, sound.size // PIECE * PIECE} }]:reshape(-1, PIECE)
local window = (tide.arange(PIECE) * (2 * math.pi / PIECE)):cos() * -0.5 + 0.5
local power = tide.fft.rfft(pieces * window:astype "float32"):abs():mean(1)
local hertz = tide.fft.rfftfreq(PIECE, 1 / rate)
-- a tone is louder than its neighbours, and than a tenth of the loudest
local middle = power[{ {2, -2} }]
local peaks = middle:gt(power[{ {1, -3} }]):logical_and(
  middle:gt(power[{ {3, -1} }])):logical_and(middle:gt(power:max() / 10))
local found = hertz[{ {2, -2} }][peaks]:totable()
print(("tones of %s Hz"):format(table.concat(found, ", ")))

assert(#found == 3, "three tones")
for i, wanted in ipairs{ 440, 1000, 2637.5 } do
  assert(math.abs(found[i] - wanted) <= rate / PIECE, wanted)
end
