#!/usr/bin/env python3
"""generate.py DIRECTORY - writes the files that spec/array/npy_spec.lua and npz_spec.lua read,
with NumPy. They are kept in this folder; NumPy 1.24 wrote them."""
import sys
import zipfile

import numpy as np
from numpy.lib import format as npy

directory = sys.argv[1]

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16",
          "uint32", "uint64", "float16", "float32", "float64", "complex64",
          "complex128"]


def save(name, a, version=None):
    with open(f"{directory}/{name}.npy", "wb") as f:
        npy.write_array(f, a, version=version)


for name in DTYPES:
    save(name, np.arange(6).reshape(2, 3).astype(name))

count = np.arange(24, dtype="<i4")
save("fortran", np.asfortranarray(count.reshape(2, 3, 4)))
save("fortran-1d", count[:3].copy(order="F"))
save("fortran-bytes", np.asfortranarray(count.reshape(4, 6).astype("u1")))
save("scalar", np.array(2.5))
save("empty", np.zeros((0, 3), "f4"))
save("one", np.zeros(1, "u1") + 7)
save("deep", np.full((1,) * 32, 5, "i8"))
save("version2", count[:5], (2, 0))

save("version3", count[:5], (3, 0))
save("big-endian", count[:5].astype(">i4"))
save("objects", np.array([None, 1], dtype=object))
save("unicode", np.array(["tide", "ebb"]))
save("bytes", np.array([b"tide", b"ebb"]))
save("structured", np.zeros(2, [("x", "<f4"), ("y", "<i4")]))
save("times", np.array(["2024-01-01"], "datetime64[D]"))

# archives
arrays = {"grid": np.arange(6).reshape(2, 3), "folder/x": np.arange(3, dtype="f4"),
          "scalar": np.array(2.5), "empty": np.zeros((0, 3), "f4"),
          "tide.npy": np.array([True, False]), "flut-\u00e4": np.arange(4, dtype="u1"),
          "fortran": np.asfortranarray(count.reshape(4, 6))}
in_order = dict(sorted(arrays.items()))
np.savez(f"{directory}/stored.npz", **in_order)
np.savez_compressed(f"{directory}/deflated.npz", **in_order)
np.savez(f"{directory}/none.npz")
np.savez(f"{directory}/objects.npz", good=np.ones(2), bad=np.array([None, 1], dtype=object))
with zipfile.ZipFile(f"{directory}/other.npz", "w", zipfile.ZIP_BZIP2) as z:
    z.writestr("x.npy", b"tide")
