--[[
shape_spec.lua - other shapes of the same elements.
]]
local tide = require "tide"
local helper = require "spec.support.helper"
local model = require "spec.support.model"
local fails, badarg = helper.fails, helper.badarg

helper.each_device(function ()

describe("transpose", function ()
  it("reverses the axes, or puts them in the order given", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, a.T:totable())
    assert.same({ 1, 3 }, a.T.strides)
    assert.same(a.T:totable(), a:transpose():totable())
    assert.same(a.T:totable(), tide.transpose(a, { 2, 1 }):totable())
    assert.same(a:totable(), a:transpose(1, 2):totable())
    assert.same(a:totable(), a.T.T:totable())
    assert.equal(a.ptr, a.T.ptr)
    assert.same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, a:tohost().T:totable())
    local b = tide.zeros{ 2, 3, 4 }
    assert.same({ 4, 2, 3 }, b:permute{ 3, 1, 2 }.shape)
    assert.same({ 3, 4, 2 }, b:permute(-2, -1, 1).shape)
    assert.same({ 4, 3, 2 }, b.T.shape)
    assert.same({}, tide.array(1).T.shape)
    assert.same({}, tide.array(1):permute{}.shape)
  end)

  it("is copied in tiles where it is large", function ()
    local orders = { { 2, 1, 3 }, { 3, 2, 1 }, { 1, 3, 2 }, { 3, 1, 2 },
                     { 2, 3, 1 } }
    for _, t in ipairs{ "uint8", "int32", "float64" } do
      for _, shape in ipairs{ { 2, 64, 65 }, { 33, 3, 40 }, { 17, 130, 1 } } do
        local n = shape[1] * shape[2] * shape[3]
        local a = (tide.arange(n) % 251):astype(t):reshape(shape)
        local from = a:flatten():totable()
        for _, order in ipairs(orders) do
          for _, part in ipairs{ false, true } do
            local v = a:permute(order)
            if part then
              v = v:slice(2)
            end
            local got = v:copy():flatten():totable()
            local first, k = part and 1 or 0, 0
            local index = {}
            for x = first, shape[order[1]] - 1 do
              index[order[1]] = x
              for y = 0, shape[order[2]] - 1 do
                index[order[2]] = y
                for z = 0, shape[order[3]] - 1 do
                  index[order[3]] = z
                  k = k + 1
                  local at = (index[1] * shape[2] + index[2]) * shape[3] +
                             index[3]
                  if got[k] ~= from[at + 1] then
                    error(t .. " " .. table.concat(order, ",") .. ": " .. k)
                  end
                end
              end
            end
            assert.equal(#got, k)
          end
        end
      end
    end
  end)

  it("as reshape and others takes a list one after the other", function ()
    local a = tide.arange(6)
    assert.same({ { 0, 1 }, { 2, 3 }, { 4, 5 } }, a:reshape(3, 2):totable())
    assert.same({ 3, 1, 2 }, tide.reshape(a, 3, 1, -1).shape)
    assert.same({ 6 }, a:reshape(6, nil).shape)
    a = a:reshape(2, 3)
    assert.same({ { 5, 4, 3 }, { 2, 1, 0 } }, a:flip(1, 2):totable())
    assert.same(a:flip{ 1, 2 }:totable(), a:flip(nil, nil):totable())
    assert.same({ 1, 2, 1, 3 }, a:expand_dims(1, 3).shape)
    assert.same({ 2, 3 }, a:expand_dims(1, 3):squeeze(1, 3).shape)
    assert.same({ 2, 2, 3 }, a:broadcast_to(2, 2, 3).shape)
    assert.same({ 3, 2 }, a.T:reshape(3, 2).shape)  -- a copy
    badarg(1, "more axes than the array has", function () a:flip(1, 2, 1) end)
    badarg(1, "axis must be an integer, got nil", function ()
      a:flip(nil, 1)
    end)
    badarg(1, "shape must be an integer or a table of integers", function ()
      a:reshape()
    end)
  end)

  it("wants each axis once", function ()
    local a = tide.ones{ 2, 3 }
    badarg(1, "all 2 axes must be given", function () a:transpose{ 1 } end)
    badarg(1, "all 2 axes must be given", function () a:permute() end)
    badarg(1, "axis 1 is there twice", function () a:permute(1, 1) end)
    badarg(1, "axis 1 is there twice", function () a:permute(1, -2) end)
    badarg(1, "axis 3 is out of range for an array of 2 axes", function ()
      a:permute(1, 3)
    end)
    badarg(1, "axis 0 is out of range", function () a:permute(0, 1) end)
    badarg(1, "axis must be an integer, got string", function ()
      a:permute{ 1, "2" }
    end)
    badarg(1, "more axes than the array has", function ()
      a:permute(1, 2, 3)
    end)
  end)
end)

describe("reshape", function ()
  it("finds out one axis", function ()
    local a = tide.arange(12)
    assert.same({ 3, 4 }, a:reshape{ 3, -1 }.shape)
    assert.same({ 12 }, a:reshape{ 3, -1 }:reshape(-1).shape)
    assert.same({ 2, 2, 3 }, tide.reshape(a, { -1, 2, 3 }).shape)
    assert.same({ 0, 5 }, tide.ones{ 5, 0 }:reshape{ -1, 5 }.shape)
    for _, shape in ipairs{ { 5, -1 }, { 0, -1 }, { 24, -1 },
                            { math.maxinteger, math.maxinteger, -1 } } do
      badarg(1, "shape has another number of elements", function ()
        a:reshape(shape)
      end)
    end
    badarg(1, "elements: the array has 12, no multiple of 5", function ()
      a:reshape(5, -1)
    end)
    badarg(1, "elements: 4x2 has 8, the array 12", function ()
      a:reshape(4, 2)
    end)
    badarg(1, "shape may have one -1 only", function ()
      a:reshape{ -1, -1 }
    end)
    badarg(1, "shape has another number", function ()
      tide.ones(0):reshape{ 0, -1 }
    end)
  end)

  it("is a view where strides can say it, else a copy", function ()
    local a = tide.arange(24):reshape{ 2, 3, 4 }
    local v = a[{ {}, {}, { 1, 4, 2 } }]:reshape{ 6, 2 }
    v[{}] = -1
    assert.same({ -1, 1, -1, 3 }, a[1][1]:totable())
    local t = a.T:reshape{ 4, 6 }
    assert.same({ -1, -1, -1, -1, -1, -1 }, t[1]:totable())
    assert.same({ 1, 13, 5, 17, 9, 21 }, t[2]:totable())
    t:fill(7)
    assert.equal(1, a[{ 1, 1, 2 }])
    assert.same({ 4, 1, 3, 2 }, a.T:reshape{ 4, 1, 3, 2 }.shape)
    assert.equal(a.ptr, a.T:reshape{ 4, 1, 3, 2 }.ptr)
    assert.equal(a.ptr, a.T:reshape{ 2, 2, 3, 1, 2 }.ptr)
    assert.is_true(a.ptr ~= a.T:reshape{ 12, 2 }.ptr)
  end)

  it("at random has the elements in order", function ()
    local pick = helper.generator(23)
    for _ = 1, 200 do
      local a = tide.arange(120):reshape{ 2, 3, 4, 5 }
      local _, v = model.random_view(a, pick)
      if not math.type(v) then
        local flat = v:flatten():totable()
        local n, shape = v.size, {}
        while n > 1 do
          local k = pick(n)
          if n % k == 0 then
            shape[#shape + 1] = k
            n = n // k
          end
        end
        local b = v:reshape(shape)
        assert.same(shape, b.shape)
        assert.same(flat, b:flatten():totable())
      end
    end
  end)

  it("of no elements to some is refused (#056)", function ()
    local a = tide.zeros{ 0, 3 }
    fails("another number of elements", a.reshape, a, 3)
    assert.same({ 3, 0 }, a:reshape{ 3, 0 }.shape)
  end)
end)

describe("flatten", function ()
  it("is a copy", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    a:flatten():fill(9)
    assert.same({ 0, 3, 1, 4, 2, 5 }, a.T:flatten():totable())
    assert.same({ 5 }, tide.flatten(tide.array(5)):totable())
    assert.same({}, tide.ones{ 2, 0 }:flatten():totable())
  end)
end)

describe("ravel", function ()
  it("is a view where strides can say it", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    local v = a:ravel()
    v[1] = 7
    assert.equal(7, a[1][1])
    assert.same({ 7, 1, 2, 3, 4, 5 }, v:totable())
    local w = tide.ravel(a.T)
    w[1] = 8
    assert.equal(7, a[1][1])
    assert.same({ 8, 3, 1, 4, 2, 5 }, w:totable())
    local every = a[{ {}, { 1, 1 } }]:ravel()
    assert.same({ 3 }, every.strides)
    assert.same({ 1 }, tide.array(3):ravel().shape)
    assert.same({ 0 }, tide.ones{ 2, 0 }:ravel().shape)
    fails("cannot be written", function ()
      tide.ones(3):broadcast_to(1, 3):ravel():fill(0)
    end)
  end)
end)

describe("contiguous", function ()
  it("is the array itself, or a copy", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.equal(a, a:contiguous())
    local row = a[2]
    assert.equal(row, tide.contiguous(row))
    local b = a.T:contiguous()
    assert.same({ 2, 1 }, b.strides)
    assert.same({ { 0, 3 }, { 1, 4 }, { 2, 5 } }, b:totable())
    b[1] = 9
    assert.equal(0, a[1][1])
    local wide = tide.ones(3):broadcast_to(2, 3):contiguous()
    wide[1] = 0  -- which can be written
    assert.same({ { 0, 0, 0 }, { 1, 1, 1 } }, wide:totable())
    badarg(1, "tide.Array expected, got number", tide.contiguous, 1)
  end)
end)

describe("squeeze and expand_dims", function ()
  it("drop and add axes of one element", function ()
    local a = tide.arange(6):reshape{ 1, 2, 1, 3 }
    assert.same({ 2, 3 }, a:squeeze().shape)
    assert.same({ 2, 1, 3 }, a:squeeze(1).shape)
    assert.same({ 1, 2, 3 }, a:squeeze(-2).shape)
    assert.same({ 2, 3 }, tide.squeeze(a, { 3, 1 }).shape)
    assert.same({}, tide.ones{ 1, 1 }:squeeze().shape)
    assert.same({ 1, 2, 1, 3, 1 }, a:expand_dims(-1).shape)
    assert.same({ 1, 1, 2, 1, 1, 3 }, a:expand_dims{ 1, 5 }.shape)
    assert.same({ 1, 5 }, tide.expand_dims(tide.ones(5), 1).shape)
    assert.same({ 1 }, tide.array(3):expand_dims(1).shape)
  end)

  it("want such axes", function ()
    local a = tide.ones{ 1, 2 }
    badarg(1, "axis 2 has 2 elements", function () a:squeeze(2) end)
    badarg(1, "axis 3 is out of range for an array of 2 axes", function ()
      a:squeeze(3)
    end)
    badarg(1, "axis 4 is out of range for a result of 3 axes", function ()
      a:expand_dims(4)
    end)
    badarg(1, "axis must be an integer, got nil", function ()
      a:expand_dims(nil)
    end)
    local all = {}
    for i = 1, 31 do
      all[i] = i
    end
    badarg(1, "the result would have more than 32 axes", function ()
      a:expand_dims(all)
    end)
  end)
end)

describe("flip", function ()
  it("is a view in reverse", function ()
    local a = tide.arange(6):reshape{ 2, 3 }
    assert.same({ { 5, 4, 3 }, { 2, 1, 0 } }, a:flip():totable())
    assert.same({ { 2, 1, 0 }, { 5, 4, 3 } }, a:flip(2):totable())
    assert.same({ { 3, 4, 5 }, { 0, 1, 2 } }, tide.flip(a, { 1 }):totable())
    assert.same(a:totable(), a:flip{}:totable())
    a:flip()[1] = 0
    assert.same({ { 0, 1, 2 }, { 0, 0, 0 } }, a:totable())
    assert.same({}, tide.ones(0):flip():totable())
  end)
end)

describe("broadcast_to", function ()
  it("is a view that repeats", function ()
    local a = tide.arange(3)
    local b = a:broadcast_to{ 2, 3 }
    assert.same({ { 0, 1, 2 }, { 0, 1, 2 } }, b:totable())
    assert.same({ 0, 1 }, b.strides)
    assert.equal(48, b.nbytes)
    assert.same({ 7, 7 }, tide.broadcast_to(tide.array(7), 2):totable())
    assert.same({ { 0, 0 }, { 1, 1 }, { 2, 2 } },
                a:expand_dims(2):broadcast_to{ 3, 2 }:totable())
    assert.same({ 0, 3 }, a:broadcast_to{ 0, 3 }.shape)
    assert.equal(6, b:sum():item())
    assert.same({ { 1, 2, 3 }, { 1, 2, 3 } }, (b + 1):totable())
  end)

  it("cannot be written", function ()
    local b = tide.arange(3):broadcast_to{ 2, 3 }
    local text = "elements of a broadcast array share memory and cannot be " ..
                 "written; write to a :copy() of it"
    fails(text, b.fill, b, 0)
    fails(text, b.add_, b, 1)
    fails(text, b.copy_from, b, tide.zeros({ 2, 3 }, "int64"))
    fails(text, tide.add, b, 1, { out = b })
    assert.same({ 0, 1, 2 }, b[1]:totable())
  end)

  it("nor can views of it be", function ()
    local a = tide.arange(3)
    local b = a:expand_dims(2):broadcast_to{ 3, 2 }
    local text = "elements of a broadcast array share memory and cannot be " ..
                 "written; write to a :copy() of it"
    for _, v in ipairs{ b[1], b[{ {}, 1 }], b[{ { 1, 1 } }], b.T[2],
                        b:select(2, 1), b:slice(1, 1):squeeze(),
                        b:flip(1):transpose(), b[{ {}, 2 }]:reshape{ 3, 1 },
                        b[{ { 2, 2 }, { 1, 1 } }] } do
      fails(text, v.fill, v, 0)
      fails(text, v.add_, v, 1)
      fails(text, function () v[{ {} }] = 7 end)
      fails(text, v.copy_from, v, v:copy())
      fails(text, tide.neg, v, { out = v })
    end
    fails(text, tide.sum, a, { out = b[{ { 1, 1 }, { 1, 1 } }] })
    assert.same({ 0, 1, 2 }, a:totable())
    local c = b:copy()
    c[1] = 9
    assert.same({ { 9, 9 }, { 1, 1 }, { 2, 2 } }, c:totable())
    assert.same({ 5, 5 }, b:reshape(6)[{ { 1, 2 } }]:fill(5):totable())
  end)

  it("wants a shape that fits", function ()
    local a = tide.ones{ 2, 3 }
    for text, shape in pairs{ ["3"] = 3, ["2x4"] = { 2, 4 },
                              ["2x3x1"] = { 2, 3, 1 } } do
      badarg(1, "shape 2x3 cannot be broadcast to " .. text, function ()
        a:broadcast_to(shape)
      end)
    end
    badarg(1, "shape must not be negative", function ()
      a:broadcast_to{ -1, 3 }
    end)
  end)
end)

describe("32 axes", function ()
  local shape = {}
  for i = 1, 32 do
    shape[i] = (i <= 16 and i or 33 - i) % 4 == 0 and 2 or 1
  end

  it("do what fewer do", function ()
    local a = tide.arange(256):reshape(shape)
    local b = (a.T + a:flip()):flatten()
    local wanted = {}
    for i = 0, 255 do
      local back = 0
      for bit = 0, 7 do
        back = back | (i >> bit & 1) << (7 - bit)
      end
      wanted[i + 1] = back + 255 - i
    end
    assert.same(wanted, b:totable())
    assert.same({ 256, 32 }, { a.T:copy().size, a.T:copy().ndim })
    assert.equal(32640, a.T:sum():item())
    fails("more than 32", a.expand_dims, a, 1)
    local shuffled = a:permute{ 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9, 16, 15,
                                14, 13, 20, 19, 18, 17, 24, 23, 22, 21, 28, 27,
                                26, 25, 32, 31, 30, 29 }
    assert.same(a:flatten():totable(), shuffled:flatten():totable())
  end)
end)

describe("view", function ()
  it("reads the same bytes as another dtype", function ()
    local a = tide.array({ 1, -2 }, "float64")
    local v = a:view "uint8"
    assert.same({ 16 }, v.shape)
    assert.same({ 0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 192 },
                v:totable())
    assert.equal(a.ptr, v.ptr)
    assert.same({ 1, -2 }, v:view "float64":totable())
    v[8] = 64
    assert.equal(65536.0, a[1])
    a[1] = 1  -- uses are ordered
    assert.equal(63, v[8])
    assert.same({ 1 }, tide.ones{}:view "int64":view "float64":reshape(1)
                                  :totable())
  end)

  it("is between any dtypes", function ()
    local dtypes = dofile "kernels/table.lua".dtypes
    local bytes = tide.arange(64, "uint8"):reshape{ 4, 16 }
    for _, x in ipairs(dtypes) do
      for _, y in ipairs(dtypes) do
        if x.name ~= "bool" and y.name ~= "bool" then
          local v = bytes:view(x.name):view(y.name)
          assert.equal(y.name, v.dtype)
          assert.equal(64, v.nbytes)
          assert.is_true(tide.array_equal(bytes, v:view "uint8"))
        end
      end
    end
    local truths = tide.array{ true, false, true }
    assert.same({ 1, 0, 1 }, truths:view "uint8":totable())
    assert.same({ true, false, true }, truths:view "bool":totable())
    badarg(1, "bytes of uint8 may be other than those of bools, 0 and 1; " ..
           "a:ne(0) makes bools", function () bytes:view "bool" end)
  end)

  it("is of views", function ()
    local a = tide.arange(24, "uint8"):reshape{ 2, 3, 4 }
    local v = a:permute(2, 1, 3):view "uint16"
    assert.same({ 3, 2, 2 }, v.shape)
    assert.same({ 2, 6, 1 }, v.strides)
    assert.equal(5 << 8 | 4, v[2][1][1])
    assert.same({ 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9,
                  8, 7, 6, 5, 4, 3, 2, 1, 0 },
                a:view "int8":flatten():flip():totable())
    assert.same({ -2 }, tide.array({ 1, 254 }, "uint8"):flip():view "int8"
                            :slice(1, 1):totable())
    local wide = tide.ones(1, "float32"):broadcast_to(2, 1):view "int8"
    assert.same({ 2, 4 }, wide.shape)
    fails("cannot be written", wide.fill, wide, 1)
    local g
    local x, y = tide.ones(2, "float32"), tide.zeros(2, "int32")
    g = tide.capture(function () y:copy_from(x:view "int32") end)
    x:fill(2)
    g:launch()
    assert.same({ 0x40000000, 0x40000000 }, y:totable())
  end)

  it("of nothing is nothing", function ()
    assert.same({ 0 }, tide.empty(0, "int8"):view "float64".shape)
    assert.same({ 2, 0 }, tide.empty({ 2, 0 }, "float64"):view "int8".shape)
    assert.same({ 0, 24 }, tide.empty({ 0, 3 }, "float64"):view "int8".shape)
    assert.same({ 0, 3 }, tide.empty({ 0, 6 }, "int8"):view "int16".shape)
  end)

  it("is of HostArrays as well", function ()
    local h = tide.HostArray(2, "float32"):fill(1)
    local v = h:view "int32"
    assert.equal("int32", v.dtype)
    assert.same({ 0x3f800000, 0x3f800000 }, v:totable())
    assert.same({ 8 }, tide.view(h, "uint8").shape)
  end)

  it("says what is wrong", function ()
    local a = tide.arange(24, "uint8"):reshape{ 4, 6 }
    local function refuses (why, x, ...)
      local more <const> = table.pack(...)
      badarg(1, why, function () x:view(table.unpack(more, 1, more.n)) end)
    end
    refuses("the last axis has 6 bytes, no multiple of the 4 of float32", a,
            "float32")
    badarg(1, "the last axis is not contiguous, so its elements cannot be " ..
           "taken as int16, which has another size; a:contiguous()",
           function () a.T:view "int16" end)
    badarg(1, "a step along axis 1 has 6 bytes, no multiple of the 4 of",
           function () a:slice(1, 4, 1, 2):view "int32" end)
    badarg(1, "the address of the first element is no multiple of the 2 " ..
           "bytes of int16; a:copy()",
           function () a:flatten():slice(2, 3):view "int16" end)
    assert.same({ 2 << 8 | 1 },
                a:flatten():slice(2, 3):copy():view "int16":totable())
    refuses("an array without axes keeps the size of its element: float64 " ..
            "has 8 bytes, int8 has 1", tide.ones{}, "int8")
    refuses("dtype string expected, got number; a:reshape(shape) is the " ..
            "view with another shape", a, 6, 4)
    refuses("dtype string expected, got table; a:reshape", a, { 6, 4 })
    refuses("dtype string expected, got no value", a)
    refuses("unknown dtype 'itn8'; did you mean 'int8'?", a, "itn8")
    badarg(2, "no value expected, got number",
           function () a:view("int8", 3) end)
    fails("array is closed", function ()
      local b = tide.ones(2)
      b:close()
      b:view "int8"
    end)
    fails("tide.Array expected, got number", tide.view, 3, "int8")
  end)
end)

end)
