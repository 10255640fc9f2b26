"""cases.py [SEED] - NumPy's answers about random arrays, for numpy_spec.lua:

    /usr/bin/python3 -B spec/numpy/cases.py > spec/numpy/cases.txt

Without a seed there are few cases, which are kept; with one many. A line each:
name of the function, key of what NumPy does differently or -, what to evaluate
in Lua, the result, operands.
"""
import sys
import warnings

import arrays
import counting
import elementwise
import filters
import linalg
import products
import reductions
import transforms
from operands import Writer

PARTS = [elementwise.binary, elementwise.unary, elementwise.casts,
         elementwise.in_place, elementwise.parts, elementwise.powers_of_two,
         elementwise.near, elementwise.decimals, elementwise.numbers_for_nan]
PARTS += [elementwise.choices, reductions.reductions, reductions.scans,
          reductions.products, products.two, products.tensordots,
          products.matrices, products.einsums,
          products.sliding, products.norms, products.softmaxes,
          products.logsumexps,
          arrays.overlaps, arrays.shapes, arrays.joins,
          arrays.grids, arrays.pads,
          arrays.triangles, arrays.inserts, arrays.indices, arrays.writes,
          arrays.scatters,
          arrays.nonzeros, arrays.creation] * 2
PARTS += counting.PARTS * 3 + [arrays.counts_and_bytes] * 2
PARTS += transforms.PARTS * 4
PARTS += [linalg.matrices]
PARTS += filters.PARTS


def main():
    warnings.simplefilter("ignore")
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else None
    w = Writer(seed or 0, seed is not None)
    for part in PARTS if w.many else dict.fromkeys(PARTS):
        part(w)
    print("\n".join(w.lines))


main()
