#!/usr/bin/env python3
"""check_archive.py FILE.npz - are the arrays of the archive that
spec/array/npz_spec.lua saved what NumPy reads from the .npy files beside it, and
is every CRC right? Prints how many there were."""
import os
import sys
import zipfile

import numpy as np

path = sys.argv[1]
with zipfile.ZipFile(path) as archive:
    assert archive.testzip() is None
with np.load(path) as arrays:
    for name in arrays.files:
        file = f"{os.path.dirname(path)}/{name.replace('/', '-')}.npy"
        wanted, a = np.load(file), arrays[name]
        assert a.dtype == wanted.dtype and a.shape == wanted.shape, (name, a)
        assert a.tobytes() == wanted.tobytes(), (name, a)
    print(len(arrays.files))
