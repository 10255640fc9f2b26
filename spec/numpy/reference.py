"""reference.py - what NumPy says about dtypes, for spec/array/dtype_spec.lua:

    python3 spec/numpy/reference.py > spec/numpy/reference.txt

A line for each pair of dtypes a and b: a, b, numpy.promote_types(a, b),
elements of type a as hexadecimal bytes, what astype(b) makes of them. What C
leaves undefined (floats that no integer of the type is near) has no place here.
"""
import warnings

import numpy as np

TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
         "float32 float64 complex64 complex128").split()

SMALL = [0.0, 0.5, 1.0, 2.5, 99.75, 127.0]
LARGE = [-0.0, -1.5, 0.1, 2049.0, 65519.0, 65520.0, 1 + 2.0 ** -11,
         1 + 2.0 ** -11 + 2.0 ** -30, 2.0 ** -25, 1.5 * 2.0 ** -24, 1e-40,
         16777217.0, 1e39, float("inf")]


def elements(dtype, to):
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [0, 1, 2, 100, info.max, info.max - 1, info.max // 3, info.min,
                  info.min // 5]
        return np.array(values, dtype)
    values = SMALL if to.kind in "iu" else SMALL + LARGE
    if dtype.kind == "c":
        values = [complex(x, y) for x, y in zip(values, values[::-1])]
    return np.array(values).astype(dtype)


def main():
    warnings.simplefilter("ignore")
    for a in TYPES:
        for b in TYPES:
            x = elements(np.dtype(a), np.dtype(b))
            print(a, b, np.promote_types(a, b), x.tobytes().hex(),
                  x.astype(b).tobytes().hex())


main()
