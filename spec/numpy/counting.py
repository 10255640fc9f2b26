"""counting.py - cases of counting, of places in sorted arrays, of figures of
many elements."""
import numpy as np

from arrays import braces
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


def slopes(w):
    """With distances that are not even, results are rounded to nine digits."""
    for t in w.some([t for t in TYPES if t != "bool"], 6):
        order = w.random.choice((1, 2))
        x = w.operand(t, tuple(n + order for n in w.shape(1, 3, False, False)),
                      True)
        a = x.a if kind(t) in "fc" else x.a.astype("f8")
        k, axis = pair_of(w, x.a.ndim)
        results = np.gradient(a, edge_order=order)
        for i, result in enumerate(results if a.ndim > 1 else [results]):
            w.case("gradient", "select(%d, %s)" % (i + 1, both(
                w, "gradient", "{ edge_order = %d }" % order)), [x], result,
                "sign")
        w.case("gradient", "(x:gradient(0.5, { axis = %d }))" % axis, [x],
               np.gradient(a, 0.5, axis=k), "sign")
        if t in ("float16", "float32") or kind(t) == "c":
            continue
        at = np.cumsum([w.random.choice((1, 2, 4)) for _ in
                        range(x.a.shape[k])])
        w.case("gradient", "x:gradient(tide.array%s, { axis = %d, "
               "edge_order = %d }):round(9)" % (braces(at), axis, order), [x],
               np.round(np.gradient(a, at.astype("f8"), axis=k,
                                    edge_order=order), 9), "sign")


def polynomials(w):
    for t in w.some([t for t in TYPES if t != "bool"], 6):
        x = w.operand(t, w.shape(0, 3), True)
        p = w.operand(w.form("polyval", (t, "int8")),
                      (w.random.randrange(0, 4),), True)
        if np.promote_types(t, p.a.dtype) in ("float16", "float32"):
            continue
        w.case("polyval", w.form("polyval", (
            "x:polyval(y)", "tide.polyval(x, y)")), [p, x],
            np.polyval(p.a, x.a).astype(np.promote_types(t, p.a.dtype)),
            "sign")


def sets(w):
    """Neither ints beside uint64: see members."""
    for t in real(w, 8):
        x = w.operand(t, w.shape(), kind(t) == "f")
        other = w.random.choice(TYPES)
        if kind(other) in "c" or "uint64" in (t, other):
            other = t
        y = w.operand(other, w.shape(), kind(other) == "f")
        for name in "union1d", "intersect1d", "setdiff1d":
            result = getattr(np, name)(np.ravel(x.a), np.ravel(y.a))
            w.case(name, both(w, name, "y"), [x, y], result, "sign")
        found = np.intersect1d(x.a, y.a, return_indices=True)
        for k in 1, 2:
            w.case("intersect1d", "return select(%d, x:intersect1d(y, "
                   "{ return_indices = true }))" % (k + 1), [x, y],
                   found[k] + 1)
        x = w.operand(t, w.shape(1, 3), kind(t) == "f")
        k, axis = pair_of(w, x.a.ndim)
        if x.a.size == 0 or kind(t) == "f":
            continue
        result = list(np.unique(x.a, True, True, True, k))
        result[1] += 1
        result[2] = result[2].reshape(-1) + 1
        for i, name in enumerate(("return_index", "return_inverse",
                                  "return_counts")):
            w.case("unique", "return select(2, x:unique{ axis = %d, %s = true })" % (
                axis, name), [x], result[i + 1])
        w.case("unique", "(tide.unique(x, { axis = %d }))" % axis, [x],
               result[0])


def partitions(w):
    """Results are sorted where their order is open."""
    for t in real(w, 6):
        x = w.operand(t, w.shape(1, 3, False), kind(t) == "f")
        k, axis = pair_of(w, x.a.ndim)
        at = w.random.randrange(x.a.shape[k])
        result = np.partition(x.a, at, k)
        w.case("partition", "%s:select(%d, %d)" % (both(
            w, "partition", "%d, %d" % (at + 1, axis)), axis, at + 1), [x],
            result.take(at, k), "sign")
        w.case("argpartition", "x:take_along_axis(%s, %d):select(%d, %d)" % (
            both(w, "argpartition", "%d, { axis = %d }" % (at + 1, axis)),
            axis, axis, at + 1), [x], result.take(at, k), "sign")


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


def places(w):
    for t in real(w, 8):
        r, x = w.random, w.operand(t, (w.random.randrange(9),))
        other = r.choice(TYPES[:-2])
        y = w.operand(other, w.shape())
        common = np.promote_types(t, other)
        for side in "left", "right":
            order = np.argsort(x.a, kind="stable")
            a = x.a[order].astype(common)
            w.case("searchsorted", "x:searchsorted(y, { side = '%s', sorter = "
                   "x:argsort() })" % side, [x, y],
                   np.searchsorted(a, y.a.astype(common), side) + 1)
            w.case("searchsorted", "tide.searchsorted(x:sort(), y, { side = "
                   "'%s' })" % side, [x, y],
                   np.searchsorted(a, y.a.astype(common), side) + 1)
        x = w.operand(t, w.shape())
        edges = sorted(r.sample(range(-9, 9), 4))
        right = r.random() < 0.5
        w.case("digitize", both(w, "digitize", "%s, { right = %s }" % (
            braces(edges), number(right))), [x],
               np.digitize(x.a.astype("f8"), edges, right))
        w.case("digitize", "x:digitize(%s, { descending = true, right = %s })"
               % (braces(edges[::-1]), number(right)), [x],
               np.digitize(x.a.astype("f8"), edges[::-1], right))
        xs = sorted(r.sample(range(-6, 9), 5))
        ys = [r.randrange(-9, 9) for _ in xs]
        lua = "%s, %s" % (braces(xs), braces(ys))
        a = x.a.astype("f8")
        if np.isnan(a).any():
            continue
        w.case("interp", both(w, "interp", lua), [x], np.interp(a, xs, ys))
        w.case("interp", "x:interp(%s, { left = -1, right = 0/0 })" % lua, [x],
               np.interp(a, xs, ys, -1, np.nan))
        x = w.operand(t, w.shape(), True)
        w.case("interp", "x:interp(%s, { period = 7 })" % lua, [x],
               np.interp(x.a.astype("f8"), xs, ys, period=7))


def counts(w):
    for t in w.some(TYPES, 6):
        r, n = w.random, w.random.randrange(12)
        y = w.operand(t, (n,), True)
        if kind(t) in "biu":
            x = w.operand(t, (n,), True)
            lua = "x:abs()" if kind(t) == "i" else "x"
            a = np.abs(x.a.astype("int64"))
            least = r.randrange(9)
            w.case("bincount", "%s:bincount{ base = 0, minlength = %d }" % (
                lua, least), [x], np.bincount(a, None, least))
            w.case("bincount", "tide.bincount(%s, { size = 3 })" % lua, [x],
                   np.bincount(a, None, 4)[1:4])
            z = w.operand(r.choice(("float64", "int8", "float32")), (n,), True)
            if n:  # else NumPy gives integers
                w.case("bincount", "%s:bincount(y, { base = 0 })" % lua,
                       [x, z], np.bincount(a, z.a))
        if kind(t) == "c" or t == "float16":
            continue
        x = w.operand(t, w.shape(1, 2, False), True)
        bins = r.choice((1, 3, 4, 8))
        y = w.operand("int8", x.a.shape, True)
        a = x.a.astype("f8") if kind(t) in "biu" else x.a
        for name, i in ("histogram", 0), ("histogram", 1):
            w.case(name, "select(%d, %s)" % (i + 1, both(
                w, name, "%d" % bins)), [x], np.histogram(a, bins)[i])
        w.case("histogram", "(x:histogram(%d, { range = { -2, 2 }, weights = y "
               "}))" % bins, [x, y], np.histogram(
                   a, bins, (-2, 2), weights=y.a)[0])
        edges = sorted(r.sample(range(-6, 9), 4))
        result = np.histogram(x.a, edges, density=True)[0]
        if (result == result).all():
            w.case("histogram", "(x:histogram(%s, { density = true }))" %
                   braces(edges), [x], result)
        w.case("histogram", "(x:histogram(%s))" % braces(edges), [x],
               np.histogram(x.a, edges)[0])
        h = np.histogram2d(a.ravel(), y.a.ravel(), [bins, edges])
        for k in range(3):
            result = h[k].astype("int64") if k == 0 else h[k]
            if k == 2:
                result = np.array(edges)
            elif k == 1:
                result = np.histogram(a, bins)[1]
            w.case("histogram2d", "select(%d, x:histogram2d(y, { %d, %s }))" % (
                k + 1, bins, braces(edges)), [x, y], result)
        h = np.histogram2d(a.ravel(), y.a.ravel(), 3, [[-2, 2], [-3, 3]],
                           weights=y.a.ravel())[0]
        w.case("histogram2d", "(tide.histogram2d(x, y, 3, { weights = y, range "
               "= { { -2, 2 }, { -3, 3 } } }))", [x, y], h.astype("int8"))


METHODS = ["linear", "lower", "higher", "midpoint", "nearest", "hazen",
           "weibull", "median_unbiased", "normal_unbiased", "inverted_cdf",
           "averaged_inverted_cdf", "interpolated_inverted_cdf",
           "closest_observation"]


def quantiles(w):
    for t in real(w, 8):
        if t in ("float16", "float32", "bool"):
            continue
        r, x = w.random, w.operand(t, w.shape(0, 3, False), True)
        axis, lua = axes_of(w, x.a.ndim, True)
        w.case("median", both(w, "median", lua), [x], np.median(x.a, axis))
        for method in METHODS if w.many else METHODS[:1] + r.sample(METHODS, 3):
            q = r.choice((0.0, 1.0, 0.5, 0.25, 0.3, 0.875))
            options = "{ keepdims = true, method = '%s' }" % method
            result = np.quantile(x.a, q, axis, method=method, keepdims=True)
            w.case("quantile", both(w, "quantile", "%r, %s, %s" % (
                q, lua or "nil", options)), [x], result)
        if kind(t) == "f":
            y = w.operand("bool", x.a.shape)
            a = np.where(y.a, np.nan, x.a)
            for name, most in ("nanquantile", 1), ("nanpercentile", 100):
                method = r.choice(METHODS)
                q = most * r.choice((0.0, 1.0, 0.5, 0.25, 0.3, 0.875))
                result = getattr(np, name)(a, q, axis, method=method,
                                           keepdims=True)
                words = "%r, %s, { keepdims = true, method = '%s' }" % (
                    q, lua or "nil", method)
                for call in ("y:where(0/0, x):%s(%s)",
                            "tide.%s(y:where(0/0, x), %s)"):
                    w.case(name, call % (name, words), [x, y], result)
        else:
            w.case("nanquantile", both(w, "nanquantile", "0.3"), [x],
                   np.quantile(x.a, 0.3))
        q = [0, 62.5, 50]
        w.case("percentile", "x:percentile(%s, %s)" % (braces(q), lua or "nil"),
               [x], np.percentile(x.a, q, axis))
        w.case("percentile", "tide.percentile(x, 75)", [x],
               np.percentile(x.a, 75))


def different(w):
    for t in real(w, 8):
        x = w.operand(t, w.shape(), kind(t) == "f")
        names = ("return_index", "return_inverse", "return_counts")
        result = list(np.unique(x.a, True, True, True))
        result[1] += 1
        result[2] = result[2].reshape(x.a.shape) + 1
        for k, name in enumerate(names):
            w.case("unique", "return select(2, x:unique{ %s = true })" % name, [x],
                   result[k + 1])
        w.case("unique", "(tide.unique(x))", [x], result[0])
        if x.a.size:
            w.case("unique", "(x:unique{ size = 2 })", [x],
                   np.append(result[0], [0, 0])[:2].astype(t))
        for k, name in enumerate(("values", "counts", "inverse", "all")):
            w.case("unique_" + name, "select(%d, %s)" % (
                min(k + 1, 2), both(w, "unique_" + name, "")), [x],
                   result[(0, 3, 2, 1)[k]])
        if kind(t) == "f":
            x = w.operand(t, w.shape(1, 3, False))
            if np.isnan(x.a).any() or (x.a == 0).any():
                continue
        else:
            x = w.operand(t, w.shape(1, 3, False))
        k, axis = pair_of(w, x.a.ndim)
        n = w.random.randrange(x.a.shape[k] + 1)
        down = x.a if kind(t) == "f" else ~x.a if kind(t) in "bu" else -1 - x.a
        order = np.argsort(-down if kind(t) == "f" else down, k, "stable")
        order = order.take(range(n), k)
        w.case("topk", "(x:topk(%d, %d))" % (n, axis), [x],
               np.take_along_axis(x.a, order, k))
        w.case("topk", "select(2, tide.topk(x, %d, %d))" % (n, axis), [x],
               order + 1)
        order = np.argsort(x.a, k, "stable").take(range(n), k)
        w.case("topk", "select(2, x:topk(%d, %d, { largest = false }))" % (
            n, axis), [x], order + 1)
        y = w.operand("bool", x.a.shape)
        z = w.operand("int8", x.a.shape, True)
        w.case("lexsort", "tide.lexsort({ x, y, z }, %d)" % axis, [x, y, z],
               np.lexsort([x.a, z.a, y.a][:0] + [x.a, y.a, z.a], k) + 1)


NANFOLDS = {"nansum": 0, "nanprod": 0, "nanmean": 0, "nanvar": 4, "nanstd": 4,
            "nanmin": 0, "nanmax": 0, "nanargmin": 0, "nanargmax": 0,
            "nanmedian": 0}


def without_nans(w):
    for t in "float64", "float32", "int8":
        for name in NANFOLDS:
            x = w.operand(t, w.shape(0, 3, False, False), True)
            y = w.operand("bool", x.a.shape)
            axis, lua = axes_of(w, x.a.ndim, not name.startswith("nanarg"))
            a = np.where(y.a, np.nan, x.a) if kind(t) == "f" else x.a
            a = a.astype(t)
            more = {"ddof": 1} if NANFOLDS[name] and w.random.random() < 0.5 \
                else {}
            try:
                wide = a.astype("f8") if kind(t) == "f" else a
                result = getattr(np, name)(wide, axis, keepdims=True, **more)
            except ValueError:  # of NaNs alone there is no place
                continue
            result = np.asarray(result)
            if kind(t) == "f" and result.dtype.kind == "f":
                result = result.astype(t)
            if name.startswith("nanarg"):
                result = result + 1
            of = "y:where(0/0, x)" if kind(t) == "f" else "x"
            lua = "%s, { keepdims = true%s }" % (
                lua or "nil", ", ddof = 1" if more else "")
            lua = w.form(name, ("%s:%s(%s)" % (of, name, lua),
                                "tide.%s(%s, %s)" % (name, of, lua)))
            w.case(name, lua, [x, y], result)


def members(w):
    """ints beside uint64 are not: NumPy compares those as float64."""
    for t in TYPES:
        r, x = w.random, w.operand(t, w.shape(), True)
        other = r.choice(TYPES)
        if "uint64" in (t, other) and kind(t) + kind(other) in ("iu", "ui"):
            other = t
        y = w.operand(other, w.shape(0, 3, False), True)
        common = np.promote_types(t, other)
        a, b = x.a.astype(common), y.a.astype(common)
        for invert in False, True:
            w.case("isin", both(w, "isin", "y, { invert = %s }" %
                                number(invert)), [x, y],
                   np.isin(a, b, invert=invert))


PARTS = [running, differences, spread, places, counts, quantiles, different,
         without_nans, members, slopes, polynomials, sets, partitions]
