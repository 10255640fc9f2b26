#!/usr/bin/env python3
"""check.py DIRECTORY - are the files that spec/array/npy_spec.lua saved there what
NumPy reads as 1, 2, 3 ... in their dtype and shape? NAME.npy is called
DTYPE.SHAPE, as in int32.2x3; prints how many there were."""
import os
import sys

import numpy as np

directory = sys.argv[1]
files = [f for f in os.listdir(directory) if f.endswith(".npy")]
for file in files:
    dtype, shape = file[:-4].split(".")
    shape = tuple(int(n) for n in shape.split("x") if n)
    a = np.load(f"{directory}/{file}")
    n = int(np.prod(shape))
    wanted = np.arange(1, n + 1).astype(dtype).reshape(shape)
    assert a.dtype == wanted.dtype and a.shape == shape, (file, a)
    assert a.flags["C_CONTIGUOUS"] and np.array_equal(a, wanted), (file, a)
print(len(files))
