--[[
image_spec.lua - tide.save_image and tide.load_image: PGM, PPM and PNG there and
back, files that others write, what is corrupt, truncated or too large, and
files that are damaged at random.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local files = require "spec.support.npy_files"
local png = require "spec.support.png_files"
local child = require "spec.support.child"
local fails, badarg = helper.fails, helper.badarg
local path, read, write = files.path, files.read, files.write

--- load(bytes) -> what such a file holds.
local function load (bytes)
  write(path "a.pic", bytes)
  return tide.load_image(path "a.pic")
end

local function refused (why, bytes)
  fails("a.pic' cannot be read: " .. why, load, bytes)
end

--- Elements from 0 to the greatest there is, with both of these.
local function picture (shape, dtype)
  local most = dtype == "uint8" and 255 or 65535
  local a = tide.random.randint(0, most, shape, dtype)
  a:reshape(-1)[1], a:reshape(-1)[2] = 0, most
  return a
end

local SHAPES <const> = { { 1, 2 }, { 3, 5 }, { 70, 33 }, { 3, 5, 3 },
                         { 31, 64, 3 }, { 3, 5, 4 }, { 2000, 3 } }

local function endings (shape)
  return shape[3] == 4 and { "png" } or
         shape[3] == 3 and { "ppm", "pnm", "png" } or { "pgm", "pnm", "png" }
end

helper.each_device(function ()

files.around_each()
before_each(function () tide.random.seed(5) end)

describe("pictures", function ()
  for _, dtype in ipairs{ "uint8", "uint16" } do
    it("of " .. dtype .. " come back as they went", function ()
      for _, shape in ipairs(SHAPES) do
        local a = picture(shape, dtype)
        for _, ending in ipairs(endings(shape)) do
          local name = path("a." .. ending)
          tide.save_image(name, a)
          local b = tide.load_image(name)
          assert.equal(dtype, b.dtype)
          assert.same(a.shape, b.shape)
          assert.equal(a:tobytes(), b:tobytes())
          tide.save_image(name, a:tohost())
          assert.equal(a:tobytes(), tide.load_image(name):tobytes())
        end
      end
    end)
  end

  it("may be views, and have a last axis of one", function ()
    local a = picture({ 6, 8, 3 }, "uint8")
    for _, view in ipairs{ a:transpose{ 2, 1, 3 }, a[{ { 2, 5 }, { 1, 7 } }],
                           a:flip(1) } do
      tide.save_image(path "a.ppm", view)
      assert.equal(view:tobytes(), tide.load_image(path "a.ppm"):tobytes())
      tide.save_image(path "a.png", view:tohost())
      assert.equal(view:tobytes(), tide.load_image(path "a.png"):tobytes())
    end
    tide.save_image(path "a.pgm", picture({ 4, 5, 1 }, "uint8"))
    assert.same({ 4, 5 }, tide.load_image(path "a.pgm").shape)
    local h = tide.HostArray({ 4, 6 }, "uint8"):fill(7)[{ { 1, 4 }, { 2, 3 } }]
    tide.save_image(path "a.pgm", h)
    assert.equal(7 * 8, tide.load_image(path "a.pgm"):sum():item())
  end)

  it("are what the format says, byte for byte", function ()
    tide.save_image(path "a.pgm", tide.array({ { 1, 2, 3 } }, "uint8"))
    assert.equal("P5\n3 1\n255\n\1\2\3", read(path "a.pgm"))
    tide.save_image(path "a.ppm", tide.array({ { { 1, 2, 772 } } }, "uint16"))
    assert.equal("P6\n1 1\n65535\n\0\1\0\2\3\4", read(path "a.ppm"))
    tide.save_image(path "a.png", tide.array({ { 1 } }, "uint8"))
    assert.equal(png.MARK, read(path "a.png"):sub(1, 8))
  end)

  it("have the format that the name or the option says", function ()
    local a = tide.zeros({ 2, 2 }, "uint8")
    tide.save_image(path "a.PNG", a)
    assert.equal(png.MARK, read(path "a.PNG"):sub(1, 8))
    tide.save_image(path "a.png", a, { format = "pgm" })
    assert.equal("P5", read(path "a.png"):sub(1, 2))
    assert.same({ 2, 2 }, tide.load_image(path "a.png").shape)
    tide.save_image(path "a.x", a, { format = "png" })
    assert.equal(png.MARK, read(path "a.x"):sub(1, 8))
  end)

  it("are there as they were when they are saved", function ()
    local a = tide.zeros({ 40, 40 }, "uint8")
    for i = 1, 20 do a:add_(i % 3) end
    tide.save_image(path "a.pgm", a)
    a:fill(0)
    assert.equal(1600 * 21, tide.load_image(path "a.pgm"):sum{ dtype = "int64" }
                                :item())
  end)

  it("go to a graph that is captured", function ()
    tide.save_image(path "a.pgm", tide.full({ 2, 2 }, 3, "uint8"))
    local z = tide.zeros({ 2, 2 }, "uint8")
    local g <close> = tide.capture(function ()
      z:copy_from(tide.load_image(path "a.pgm"))
    end)
    os.remove(path "a.pgm")
    g:launch()
    assert.equal(12, z:sum():item())
    fails("captur", tide.capture, function ()
      tide.save_image(path "a.pgm", z)
    end)
  end)
end)

describe("load_image of Netpbm", function ()
  it("reads text, comments and blanks of all kinds", function ()
    local a = load "P2 # x\n# y\r3\t2#z\n 7\n0 1 2 3 # four\n\f\v4 7\nmore"
    assert.same({ { 0, 36, 73 }, { 109, 146, 255 } }, a:totable())
    a = load "P3\n2 1 255 1 2 3 4 5 6"
    assert.same({ { { 1, 2, 3 }, { 4, 5, 6 } } }, a:totable())
    a = load "P5#\n2#a\n1#b\n255 ab"
    assert.same({ { 97, 98 } }, a:totable())
    assert.same({ { 35, 10 } }, load("P5 2 1 255\n#\nmore"):totable())
    assert.same({ { 0, 65535 } }, load("P2 2 1 1000 0 1000"):totable())
  end)

  it("brings samples to the whole range", function ()
    assert.same({ { 0, 128, 255 } }, load("P5 3 1 2\n\0\1\2"):totable())
    assert.same({ { 0, 255 } }, load("P2 2 1 1 0 1"):totable())
    local a = load("P6 1 1 256\n\0\0\0\128\1\0")
    assert.equal("uint16", a.dtype)
    assert.same({ { { 0, 32768, 65535 } } }, a:totable())
    assert.same({ { 258 } }, load("P5 1 1 65535\n\1\2"):totable())
  end)

  it("refuses what is corrupt", function ()
    for _, bytes in ipairs{ "", "P", "P0 1 1 1 ", "P8 1 1 1 ", "p5 1 1 255 x",
                            "GIF89a" } do
      refused("it is no PGM, PPM or PNG file", bytes)
    end
    refused("bitmaps of Netpbm", "P1 1 1 1")
    refused("bitmaps of Netpbm", "P4 1 1\nx")
    refused("PAM files", "P7\nWIDTH 1")
    refused("corrupt: there is something else", "P5 -1 1 255 x")
    refused("corrupt: there is something else", "P5 1.5 1 255 x")
    refused("corrupt: there is something else", "P2 2 1 255 1 x")
    refused("corrupt: a number of its header is 0", "P5 0 1 255 x")
    refused("corrupt: a number of its header is 0", "P5 1 1 0 x")
    refused("corrupt: a number is too large", "P5 1 1 65536 x")
    refused("corrupt: a number is too large", "P5 4294967297 1 255 x")
    refused("corrupt: a number is too large",
            "P5 99999999999999999999999 1 255 x")
    refused("corrupt: its header does not end", "P5 1 1 255x")
    refused("corrupt: a sample is above", "P5 1 1 254 \255")
    refused("corrupt: a sample is above", "P2 1 1 254 255")
    refused("truncated: it has not all samples", "P5 2147483647 2147483647 9 x")
    refused("truncated: it has not all samples", "P3 2147483647 2147483647 9 1")
  end)

  it("refuses what is truncated, wherever", function ()
    for _, whole in ipairs{ "P5 3 2 255 abcdef", "P6 1 2 999 \0\1\0\2\0\3" ..
                            "\0\1\0\2\0\3", "P2 3 1 9 1 2 3" } do
      assert.truthy(load(whole))
      for n = 2, #whole - 1 do
        local err = fails("cannot be read: ", load, whole:sub(1, n))
        assert.truthy(err:find("truncated", 1, true), err)
      end
    end
  end)
end)

describe("load_image of PNG", function ()
  local function rows (wide, high, most)
    local all = {}
    for y = 1, high do
      all[y] = {}
      for x = 1, wide do all[y][x] = (x * 7 + y * 3) % (most + 1) end
    end
    return all
  end

  it("reads grey of every depth, interlaced or not", function ()
    for _, depth in ipairs{ 1, 2, 4, 8, 16 } do
      local most = (1 << depth) - 1
      for _, interlaced in ipairs{ false, true } do
        for _, side in ipairs{ 1, 3, 9 } do
          local list = rows(side, side + 1, most)
          local a = load(png.file{ rows = list, channels = 1, depth = depth,
                                   colour = 0, interlaced = interlaced })
          local scale = depth < 8 and 255 // most or 1
          for _, row in ipairs(list) do
            for x in ipairs(row) do row[x] = row[x] * scale end
          end
          assert.equal(depth == 16 and "uint16" or "uint8", a.dtype)
          assert.same(list, a:totable())
        end
      end
    end
  end)

  it("reads colours, palettes and what is transparent", function ()
    local list = { { 1, 2, 3, 40, 50, 60 } }
    for _, depth in ipairs{ 8, 16 } do
      for _, interlaced in ipairs{ false, true } do
        local a = load(png.file{ rows = list, channels = 3, depth = depth,
                                 colour = 2, interlaced = interlaced })
        assert.same({ { { 1, 2, 3 }, { 40, 50, 60 } } }, a:totable())
      end
      local a = load(png.file{ rows = { { 1, 2, 3, 4 } }, channels = 4,
                               depth = depth, colour = 6 })
      assert.same({ { { 1, 2, 3, 4 } } }, a:totable())
      a = load(png.file{ rows = { { 9, 5 } }, channels = 2, depth = depth,
                         colour = 4 })
      assert.same({ { { 9, 9, 9, 5 } } }, a:totable())
    end
    local palette = png.chunk("PLTE", "\1\2\3\4\5\6\7\8\9")
    local p = { rows = { { 2, 0, 1 } }, channels = 1, depth = 2, colour = 3,
                before = palette }
    assert.same({ { { 7, 8, 9 }, { 1, 2, 3 }, { 4, 5, 6 } } },
                load(png.file(p)):totable())
    p.before = palette .. png.chunk("tRNS", "\0\9")
    assert.same({ { { 7, 8, 9, 255 }, { 1, 2, 3, 0 }, { 4, 5, 6, 9 } } },
                load(png.file(p)):totable())
    assert.same({ { { 1, 1, 1, 255 }, { 2, 2, 2, 0 } } }, load(png.file{
      rows = { { 1, 2 } }, channels = 1, depth = 8, colour = 0,
      before = png.chunk("tRNS", "\0\2") }):totable())
  end)

  it("takes samples as they are, whatever the gamma", function ()
    for _, depth in ipairs{ 8, 16 } do
      local a = load(png.file{ rows = { { 10, 200 } }, channels = 1,
                               depth = depth, colour = 0, before =
                               png.chunk("gAMA", string.pack(">I4", 100000)) })
      assert.same({ { 10, 200 } }, a:totable())
    end
  end)

  it("refuses what is truncated, wherever, and what is damaged", function ()
    local whole = png.file{ rows = rows(9, 9, 255), channels = 1, depth = 8,
                            colour = 0 }
    for n = 8, #whole - 1 do
      refused("", whole:sub(1, n))
    end
    refused("truncated: it ends within a chunk", whole:sub(1, 20))
    for at = 9, #whole - 12, 5 do
      local ok, err = pcall(load, whole:sub(1, at - 1) ..
                            string.char(whole:byte(at) ~ 64) ..
                            whole:sub(at + 1))
      assert.is_true(ok or err:find("cannot be read: ", 1, true) ~= nil, err)
    end
  end)

  it("makes no room for what cannot come", function ()
    local function header (wide, high)
      return png.MARK .. png.chunk("IHDR", string.pack(">I4I4BBBBB", wide, high,
               16, 6, 0, 0, 0)) .. png.chunk("IDAT", "x") ..
             png.chunk("IEND", "")
    end
    refused("truncated: it cannot have all samples", header(1000000, 1000000))
    refused("truncated: it cannot have all samples", header(60000, 60000))
    refused("", header(0x7fffffff, 0x7fffffff))
    refused("", header(0xffffffff, 1))
    refused("", header(0, 1))
  end)
end)

describe("load_image", function ()
  it("reads a file that was damaged at random, or says why not", function ()
    local pick = helper.generator(tonumber(os.getenv "IMAGE_SEED" or 77))
    local wholes = { "P2 3 2 9 1 2 3 4 5 6 # x\n", "P5 3 2 255 abcdef",
      "P3 1 2 300 1 2 3 4 5 6", "P6 2 1 999 \0\1\0\2\0\3\0\1\0\2\0\3",
      png.file{ rows = { { 1, 2, 3 }, { 4, 5, 6 } }, channels = 1, depth = 8,
                colour = 0, interlaced = true },
      png.file{ rows = { { 1, 0, 1 } }, channels = 1, depth = 1, colour = 3,
                before = png.chunk("PLTE", "abcdef") ..
                         png.chunk("tRNS", "xy") } }
    local read_well = 0
    for _ = 1, 1500 do
      local bytes = wholes[pick(#wholes)]
      for _ = 1, pick(3) do
        local at, kind = pick(#bytes), pick(4)
        local byte = kind == 1 and string.char(pick(256) - 1) or
                     kind == 2 and ("0123456789# \nP"):sub(pick(14)):sub(1, 1)
                     or kind == 3 and "" or bytes:sub(at, at + pick(9))
        bytes = bytes:sub(1, at - 1) .. byte .. bytes:sub(at + (kind == 4 and 0
                                                                or 1))
      end
      local ok, a = pcall(load, bytes)
      if ok then
        read_well = read_well + 1
        assert.equal(a.size, #a:astype("uint8"):tobytes())
      else
        assert.truthy(a:find("a.pic' cannot be read: ", 1, true), a)
      end
    end
    assert.is_true(read_well > 50, tostring(read_well))
  end)

  it("says what there is instead of a file", function ()
    fails("tide.load_image: '/no/such.png': No such file or directory",
          tide.load_image, "/no/such.png")
    fails("tide.load_image: '/dev/null' is not a regular file",
          tide.load_image, "/dev/null")
    badarg(1, "path expected", tide.load_image, "a\0b")
    badarg(1, "string expected", tide.load_image, 1)
    badarg(2, "no value expected", tide.load_image, "a", {})
  end)
end)

describe("save_image", function ()
  it("leaves what was there when it fails, and nothing of its own #process",
     function ()
    local name = path "a.pgm"
    local a = tide.zeros({ 2, 2 }, "uint8")
    tide.save_image(name, tide.full({ 2, 2 }, 9, "uint8"))
    fails("", tide.save_image, name, tide.zeros({ 2, 2, 3 }, "uint8"))
    fails("", tide.save_image, name, tide.zeros{ 2, 2 })
    assert.equal(36, tide.load_image(name):sum():item())
    local home = files.folder()
    assert.equal("", table.concat((files.lines("ls " .. home))))
    fails("No such file or directory", tide.save_image, home .. "/x/a.pgm", a)
    fails("is not a regular file", tide.save_image, "/dev/null", a,
          { format = "pgm" })
    assert.equal("", table.concat((files.lines("ls " .. home))))
    tide.save_image(home .. "/a.png", a)
    assert.equal("a.png", table.concat((files.lines("ls " .. home)), " "))
  end)

  it("says when no more can be written, and leaves nothing #process",
     function ()
    local code = [[local tide = require "tide"
      tide.random.seed(1)
      local a = tide.random.randint(0, 255, { 400, 400 }, "uint8")
      for _, ending in ipairs{ "pgm", "png" } do
        print(pcall(tide.save_image, FOLDER .. "/a." .. ending, a))
      end]]
    local home = files.folder()
    local printed = helper.child(
      ("os.execute(%q)"):format(("ulimit -f 16; trap '' XFSZ; exec %s -e '%s'")
        :format(child.lua, code:gsub("FOLDER", '"' .. home .. '"'):gsub("\n",
                                                                        " "))),
      { TIDE_DEVICE = "host" })
    for _, ending in ipairs{ "pgm", "png" } do
      assert.truthy(printed:find(("tide.save_image: '%s/a.%s': File too large")
                                 :format(home, ending), 1, true), printed)
    end
    assert.equal("", table.concat((files.lines("ls " .. home))))
  end)

  it("names what is wrong", function ()
    local a = tide.zeros({ 2, 2 }, "uint8")
    badarg(1, "a path that ends in .pgm, .ppm, .pnm or .png expected",
           tide.save_image, "a.jpg", a)
    badarg(1, "a path that ends in", tide.save_image, "png", a)
    badarg(2, "tide.Array or tide.HostArray expected", tide.save_image,
           "a.png", {})
    badarg(2, "uint8 or uint16 expected, got float32; of numbers from 0 to " ..
           "1 make (a * 255):round():clip(0, 255):astype 'uint8'",
           tide.save_image, "a.png", tide.zeros({ 2, 2 }, "float32"))
    badarg(2, "uint8 or uint16 expected, got bool", tide.save_image, "a.png",
           tide.zeros({ 2, 2 }, "bool"))
    for _, shape in ipairs{ 4, { 2, 2, 2 }, { 2, 2, 5 }, { 1, 2, 2, 3 } } do
      badarg(2, "a shape {height, width} expected", tide.save_image, "a.png",
             tide.zeros(shape, "uint8"))
    end
    badarg(2, "it has no elements", tide.save_image, "a.png",
           tide.zeros({ 0, 2 }, "uint8"))
    badarg(2, "pnm has no fourth channel; png has", tide.save_image, "a.pnm",
           tide.zeros({ 1, 1, 4 }, "uint8"))
    badarg(2, "pgm has no colours; ppm and png have", tide.save_image, "a.pgm",
           tide.zeros({ 1, 1, 3 }, "uint8"))
    badarg(2, "ppm has no pictures of one channel", tide.save_image, "a.ppm", a)
    badarg(3, "option 'format' must be 'pgm', 'ppm', 'pnm' or 'png'",
           tide.save_image, "a.png", a, { format = "jpg" })
    badarg(3, "unknown option 'quality'", tide.save_image, "a.png", a,
           { quality = 1 })
    a:close()
    badarg(2, "array is closed", tide.save_image, "a.png", a)
  end)
end)

end)

describe("pictures without libpng #process", function ()
  it("are PGM and PPM; of PNG it is said what is missing", function ()
    local printed = helper.child([[
      local tide = require "tide"
      local name, a = os.tmpname(), tide.zeros({ 2, 2 }, "uint8")
      tide.save_image(name, a, { format = "pgm" })
      print(tide.load_image(name).size)
      print(pcall(tide.save_image, name, a, { format = "png" }))
      local file <close> = io.open(name, "wb")
      file:write "\137PNG\r\n\26\nx"
      file:flush()
      print(pcall(tide.load_image, name))
      os.remove(name)
    ]], { TIDE_DEVICE = "host", TIDE_LIBPNG = "/no/libpng.so" })
    assert.truthy(printed:find "^4\n")
    local _, n = printed:gsub("cannot be %a+: libpng 1.6 cannot be loaded " ..
                              "%(Debian has it as libpng16%-16%)", "")
    assert.equal(2, n, printed)
  end)
end)
