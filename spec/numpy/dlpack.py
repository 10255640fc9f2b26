"""Arrays from tide to NumPy and back, without copies: a lua_State in this
process, and capsules made and taken by Python's C API. Prints ok. See
spec/interop/dlpack_spec.lua and lua_state.py."""
import sys

import numpy as np

from lua_state import Tensor, close, give, number

# tide's memory in NumPy
x = np.from_dlpack(Tensor("""
  a = tide.arange(24):reshape(2, 3, 4)
  return a:transpose(2, 1, 3):to_dlpack{ versioned = false }:release()"""))
assert x.shape == (3, 2, 4) and x.dtype == np.int64 and x[2, 1, 3] == 23
assert np.array_equal(x, np.arange(24).reshape(2, 3, 4).transpose(1, 0, 2))
number("a:add_(100) a:tobytes() a:close() a = nil")  # NumPy 1's may not write
assert x[0, 0, 0] == 100 and x[2, 1, 3] == 123
del x
assert number("collectgarbage() tide.poll() tide.zeros(1)"
              " return tide.memory_stats().live") <= 512

# NumPy's in tide
for name in ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
             "float32 float64 complex64 complex128").split():
    try:
        y = np.ones((3, 5), name)
        give(y)
    except (BufferError, TypeError):
        continue  # this NumPy cannot
    assert number("""
      b = tide.from_dlpack(pointer, { versioned = false })
      assert(b.dtype == '%s' and b.size == 15)
      if b.dtype ~= 'bool' then b:mul_(2) end
      tide.get_device():synchronize()
      return b[{ 3, 5 }] == true and 2 or tide.real(b[{ 3, 5 }]:item())"""
                  .replace("b[{ 3, 5 }]:item()", "tide.array(b[{ 3, 5 }])")
                  .replace("tide.real(tide.array(b[{ 3, 5 }]))",
                           "tide.real(tide.array(b[{ 3, 5 }])):item()")
                  % name) == 2
    assert name == "bool" or y[2, 4] == 2, name
z = np.arange(12.0).reshape(3, 4)[::-1, ::2]
give(z)
assert number("b = tide.from_dlpack(pointer, { versioned = false })"
              " b:add_(10) return b[{ 1, 2 }]") == 20
assert z[0, 1] == 20
before = sys.getrefcount(z)
number("b:close() b = nil tide.poll() collectgarbage() tide.poll()")
assert sys.getrefcount(z) <= before

# and what one still has when the state is gone
w = np.from_dlpack(Tensor(
    "return tide.full(1000, 7.0):to_dlpack{ versioned = false }:release()"))
close()
assert w[999] == 7 and w.sum() == 7000
del w
print("ok")
