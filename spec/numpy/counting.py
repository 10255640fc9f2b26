"""counting.py - cases of counting, of places in sorted arrays, of figures of
many elements."""
import numpy as np

from operands import TYPES, kind, number
from reductions import SMALL, axes_of, narrow, ordered, wide


def both(w, name, arguments):
    """A call as a function or as a method."""
    if w.form(name, (True, False)):
        return "x:%s(%s)" % (name, arguments)
    return "tide.%s(x%s%s)" % (name, ", " if arguments else "", arguments)


def real(w, n=5):
    return [t for t in w.some(TYPES, n) if kind(t) != "c"]


def pair_of(w, ndim):
    """-> an axis as NumPy and as Lua have it"""
    k = w.random.randrange(-ndim, ndim)
    return k, k + 1 if k >= 0 else k


def running(w):
    for t in real(w, 8):
        for name, f in (("cummax", np.maximum), ("cummin", np.minimum)):
            x = w.operand(t, w.shape(large=False))
            axis, lua = axes_of(w, x.a.ndim, False)
            a = x.a.reshape(-1) if axis is None else x.a
            result = f.accumulate(a, axis or 0)
            why = "sign" if kind(t) == "f" else "-"
            w.case(name, both(w, name, lua), [x], result, why)
            out = w.target(result)
            w.case(name, "tide.%s(x, %s, { out = y }) return Y" % (
                name, lua or "nil"), [x, out], out.base, why)
        x = w.operand(t, w.shape(1))
        a = ordered(x.a, -1)
        w.case("sort", "x:sort{ descending = true }", [x], a[..., ::-1],
               "zeros" if kind(t) == "f" else "-")
        if kind(t) == "f":
            continue
        down = ~x.a if kind(t) in "bu" else -1 - x.a
        w.case("argsort", "x:argsort{ descending = true }", [x],
               np.argsort(down, kind="stable") + 1)


def differences(w):
    for t in w.some(TYPES, 6):
        r, x = w.random, w.operand(t, w.shape(1), kind(t) == "c")
        k, axis = pair_of(w, x.a.ndim)
        n = r.randrange(3)
        if kind(t) == "c" and x.a.size == 0:
            continue
        w.case("diff", both(w, "diff", ""), [x], np.diff(x.a))
        w.case("diff", "x:diff(%d, %d)" % (n, axis), [x],
               np.diff(x.a, n, k))
        y = w.operand(t, x.a.shape, True)
        z = w.operand(t, x.a.shape, True)
        result = np.diff(x.a, 1, k, y.a, z.a)
        w.case("diff", "x:diff(1, %d, { prepend = y, append = z })" % axis,
               [x, y, z], result)
        one = "true" if t == "bool" else "1"
        result = np.diff(x.a, 1, -1, np.array(1, t))
        out = w.target(result)
        w.case("diff", "x:diff{ prepend = %s, out = y } return Y" % one,
               [x, out], out.base)
    for t in w.some(TYPES, 6):
        x = w.operand(t, w.shape(1, 3, False), True)
        k, axis = pair_of(w, x.a.ndim)
        a = x.a.astype(wide(t) if kind(t) in "fc" else "f8")
        n = x.a.shape[k]
        y = w.operand("float64", (n,), True)
        result = narrow(np.trapz(a, y.a, axis=k), "float64"
                        if kind(t) != "c" else "complex128")
        why = "-"
        if t in ("float32", "complex64"):
            t = "float64" if t == "float32" else "complex128"
            x = w.operand(t, x.a.shape, True)
            result = np.trapz(x.a, y.a, axis=k)
        w.case("trapezoid", "x:trapezoid(y, { axis = %d })" % axis, [x, y],
               result, why)
        if t not in ("float16",):
            w.case("trapezoid", "tide.trapezoid(x, { dx = 0.5 })", [x],
                   np.trapz(x.a.astype(result.dtype), dx=0.5))


def spread(w):
    for t in w.some(TYPES, 6):
        x = w.operand(t, w.shape(1, 3, False))
        axis, lua = axes_of(w, x.a.ndim, True)
        if kind(t) != "c" and t != "bool":
            w.case("ptp", both(w, "ptp", lua), [x], np.ptp(x.a, axis),
                   "sign" if kind(t) == "f" else "-")
        if kind(t) not in "biu" and t != "float64":
            continue
        k, axis = pair_of(w, x.a.ndim)
        x = w.operand(t, x.a.shape, True)
        y = w.operand("int8", (x.a.shape[k],), True)
        if y.a.sum():
            w.case("average", "x:average(%d, { weights = y })" % axis, [x, y],
                   np.average(x.a, k, y.a), "sign")
        w.case("average", both(w, "average", "%d" % axis), [x],
               np.mean(x.a, k, "float64"))
    for t in w.some(TYPES, 6):
        if kind(t) == "c":
            continue
        n = w.random.choice((2, 4))  # so that means are exact
        x = w.operand(t, (2, n), True)
        y, z = w.operand(t, (n,), True), w.operand("uint8", (n,), True)
        w.case("cov", both(w, "cov", ""), [x], np.cov(x.a))
        w.case("cov", "x:cov(y, { ddof = 0 })", [x, y],
               np.cov(x.a, y.a, ddof=0))
        w.case("cov", "x:cov{ rowvar = false, bias = true }", [x],
               np.cov(x.a, rowvar=False, bias=True))
        if z.a.sum() > 1:
            w.case("cov", "x:cov{ fweights = z }", [x, y, z],
                   np.cov(x.a, fweights=z.a))
        if (x.a.astype("f8").std(1) > 0).all():
            w.case("corrcoef", both(w, "corrcoef", ""), [x],
                   np.corrcoef(x.a))


PARTS = [running, differences, spread]
