"""filters.py - answers about polyfit, and about SciPy's lfilter, gaussian_filter
and median_filter, which are made of NumPy's functions here."""
import numpy as np

from arrays import braces

MODES = {"reflect": "symmetric", "constant": "constant", "nearest": "edge",
         "mirror": "reflect", "wrap": "wrap"}


def fits(w):
    r = w.random
    for t in w.some(["float64", "complex128", "int32", "float32", "bool"], 3):
        n, degree = r.randrange(4, 9), r.randrange(0, 4)
        shape = (n,) if r.random() < 0.5 else (n, 2)
        y, v = w.operand(t, shape, True), w.operand("int8", (n,), True)
        weights = np.abs(v.a.astype(int)) + 1
        result = np.asarray(np.polyfit(np.arange(n), y.a, degree, w=weights))
        for part in ("real", "imag")[:1 + (result.dtype.kind == "c")]:
            w.case("polyfit", "tide.polyfit(tide.arange(%d), x, %d, { w = y:"
                   "astype 'int64':abs() + 1 }):%s():round(6) + 0" % (
                       n, degree, part), [y, v],
                   np.round(getattr(result, part), 6) + 0.0)


def extend(a, axis, before, after, mode):
    width = [(0, 0)] * a.ndim
    width[axis] = (before, after)
    return np.pad(a, width, MODES[mode])


def derivative(x, sigma, order):
    """A Gaussian's, by the polynomials of Hermite."""
    he = np.polynomial.hermite_e.HermiteE.basis(order)
    phi = np.exp(-0.5 * (x / sigma) ** 2)
    return he(x / sigma) * (-1 / sigma) ** order * phi / phi.sum()


def smooth(a, sigmas, orders, mode, truncate):
    for axis, (sigma, order) in enumerate(zip(sigmas, orders)):
        radius = int(truncate * sigma + 0.5)
        weights = derivative(np.arange(-radius, radius + 1), sigma, order)
        wide = extend(a, axis, radius, radius, mode)
        a = sum(weight * np.take(wide, np.arange(a.shape[axis]) + 2 * radius -
                                 i, axis) for i, weight in enumerate(weights))
    return a


def smooths(w):
    r = w.random
    for t in w.some(["float64", "complex128", "int16", "bool"], 3):
        for mode in MODES:
            x = w.operand(t, w.shape(1, 3, False), True)
            n = x.a.ndim
            kind = "complex128" if t == "complex128" else "float64"
            sigmas = [r.choice((0.5, 1, 1.75)) for _ in range(n)]
            orders = [r.randrange(0, 3) for _ in range(n)]
            truncate = r.choice((2, 4))
            result = smooth(x.a.astype(kind), sigmas, orders, mode, truncate)
            for part in ("real", "imag")[:1 + (kind[0] == "c")]:
                w.case("gaussian_filter", "tide.gaussian_filter(x, %s, { mode ="
                       " '%s', order = %s, truncate = %d }):%s():round(6) + 0"
                       % (braces(map(str, sigmas)), mode,
                          braces(map(str, orders)), truncate, part), [x],
                       np.round(getattr(result, part), 6) + 0.0)


def medians(w):
    r = w.random
    for t in w.some(["float64", "float16", "int8", "uint64", "bool"], 3):
        for mode in MODES:
            x = w.operand(t, w.shape(1, 3, False), True)
            sizes = [r.randrange(1, 5) for _ in range(x.a.ndim)]
            wide = x.a
            for axis, size in enumerate(sizes):
                wide = extend(wide, axis, size // 2, size - 1 - size // 2, mode)
            windows = np.lib.stride_tricks.sliding_window_view(wide, sizes)
            flat = np.sort(windows.reshape(x.a.shape + (-1,)), -1)
            w.case("median_filter", "tide.median_filter(x, %s, { mode = '%s' })"
                   % (braces(map(str, sizes)), mode), [x],
                   flat[..., flat.shape[-1] // 2], "sign")


def recursive(b, a, x, z):
    """SciPy's lfilter along the first axis, for a[0] = 1."""
    y = np.zeros(x.shape, np.result_type(x, "f8"))
    z = list(z) + [np.zeros(x.shape[1:])]
    for i, now in enumerate(x):
        y[i] = b[0] * now + z[0]
        z[:-1] = [b[k + 1] * now + z[k + 1] - a[k + 1] * y[i]
                  for k in range(len(a) - 1)]
    return y, np.array(z[:-1])


def recursions(w):
    r = w.random
    for t in w.some(["float64", "complex128", "int32", "bool"], 3):
        order, n = r.randrange(1, 5), r.choice((1, 3, 40, 70))
        x = w.operand(t, (n, 2), True)
        z = w.operand("float64", (order, 2), True)
        b = [r.choice((-1, 0.5, 2)) for _ in range(order + 1)]
        a = [1] + [r.choice((-0.25, 0.125)) for _ in range(order)]
        y, last = recursive(b, a, x.a, z.a)
        for result, lua in ((y, "%s"), (last, "select(2, %s)")):
            for part in ("real", "imag")[:1 + (result.dtype.kind == "c")]:
                lua_call = lua % (
                    "tide.lfilter(%s, %s, x, { axis = 1, zi = y })" % (
                        braces(map(str, b)), braces(map(str, a))))
                w.case("lfilter", "(%s):%s():round(6) + 0" % (lua_call, part),
                       [x, z], np.round(getattr(result, part), 6) + 0.0)


PARTS = [fits, smooths, medians, recursions]
