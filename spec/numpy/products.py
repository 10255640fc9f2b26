"""products.py - cases of products, norms and their like."""
import numpy as np

from arrays import braces, pick_axes
from operands import TYPES, kind
from reductions import axes_of


def pairs(w, n):
    """-> two dtypes, that of their product"""
    for a in w.some(TYPES, n):
        for b in (a, w.random.choice(TYPES)):
            yield a, b, np.promote_types(a, b)


def why(t):
    return "sign" if np.dtype(t).kind in "fc" else "-"


def emit(w, name, more, operands, result, reason):
    """A function of two arrays in each of its forms, and with `out`."""
    result = np.asarray(result)
    lua = w.form(name, ("x:%s(y%s)", "tide.%s(x, y%s)")) % (name, more)
    w.case(name, lua, operands, result, reason)
    out = w.target(result)
    w.case(name, "tide.%s(x, y%s, { out = z }) return Z" % (name, more),
           operands + [out], out.base, reason)


def two(w):
    r = w.random
    for a, b, t in pairs(w, 6):
        def operands(first, second):
            x, y = w.operand(a, first, True), w.operand(b, second, True)
            return [x, y], x.a.astype(t), y.a.astype(t)

        k = r.choice((0, 1, 2, 3))
        xy, x, y = operands(w.shape(0, 2), w.shape(0, 2))
        emit(w, "outer", "", xy, np.outer(x, y), why(t))
        xy, x, y = operands(r.choice(((), (k,), (2, k))),
                            r.choice(((), (k,), (3, k), (2, 1, k))))
        emit(w, "inner", "", xy, np.inner(x, y), why(t))
        xy, x, y = operands(w.shape(0, 2), w.shape(0, 2))
        emit(w, "kron", "", xy, np.kron(x, y), why(t))
        batch = w.shape(0, 2, False)
        xy, x, y = operands(batch + (k,), w.partner(batch) + (k,))
        emit(w, "vecdot", r.choice(("", ", -1")), xy,
             np.einsum("...i,...i->...", x.conj(), y), why(t))
        xy, x, y = operands((k, 2), (k, r.choice((1, 2))))
        emit(w, "vecdot", ", 1", xy,
             np.einsum("i...,i...->...", x.conj(), y), why(t))
        if t != "bool":
            xy, x, y = operands(batch + (3,), w.partner(batch) + (3,))
            emit(w, "cross", "", xy, np.cross(x, y), why(t))
            xy, x, y = operands((3, 2), (3, 2))
            emit(w, "cross", ", 1", xy, np.cross(x, y, axis=0), why(t))


def tensordots(w):
    r = w.random
    for a, b, t in pairs(w, 6):
        shape = w.shape(0, 3)
        x = w.operand(a, shape, True)
        n = r.randrange(len(shape) + 1)
        y = w.operand(b, shape[len(shape) - n:] + w.shape(0, 1), True)
        result = np.tensordot(x.a.astype(t), y.a.astype(t), n)
        emit(w, "tensordot", ", %d" % n, [x, y], result, why(t))
        axes, names = pick_axes(w, x.a, n)
        order = r.sample(range(n), n)
        y = w.operand(b, tuple(shape[axes[i]] for i in order), True)
        others = [order.index(i) for i in range(n)]
        result = np.tensordot(x.a.astype(t), y.a.astype(t), (axes, others))
        emit(w, "tensordot", ", { %s, %s }" % (
            braces(names), braces(i + 1 for i in others)), [x, y], result,
             why(t))


def matrices(w):
    r = w.random
    for t in w.some(TYPES, 6):
        x = w.operand(t, w.shape(2, 3), True)
        w.case("matrix_transpose", w.form("matrix_transpose", (
            "x.mT", "tide.matrix_transpose(x)", "x:matrix_transpose()")), [x],
            x.a.swapaxes(-1, -2))
        if kind(t) != "f":  # sums of floats are rounded once
            k = r.randrange(-2, 3)
            axes, names = pick_axes(w, x.a, 2)
            w.case("trace", "x:trace(%d, %s)" % (k, braces(names)), [x],
                   np.trace(x.a, k, *axes))
            w.case("trace", "tide.trace(x, { dtype = 'float64' })"
                   if kind(t) != "c" else "tide.trace(x)", [x],
                   np.trace(x.a, dtype="float64" if kind(t) != "c" else None))


# -- einsum -------------------------------------------------------------------

WIDE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}


def term(w, lengths, dots):
    """-> letters of one array, its shape"""
    r = w.random
    letters = [r.choice(list(lengths)) for _ in range(r.randrange(0, 4))]
    mine = {c: 1 if r.random() < 0.1 else n for c, n in lengths.items()}
    shape = [mine[c] for c in letters]
    if dots is not None and r.random() < 0.7:
        at = r.randrange(len(letters) + 1)
        letters.insert(at, "...")
        shape[at:at] = w.partner(dots)
    return letters, tuple(shape)


def result_of(w, terms):
    """-> what the text says of the result"""
    r = w.random
    if r.random() < 0.3:
        return ""
    seen = sorted(set(c for letters, _ in terms for c in letters))
    some = [c for c in seen if c == "..." or r.random() < 0.5]
    r.shuffle(some)
    return r.choice(("->", " -> ")) + "".join(some)


def einsums(w):
    r = w.random
    for n in (1, 1, 2, 2, 2, 3, 3, 4, 7):
        t = r.choice(TYPES)
        lengths = {c: r.choice((1, 2, 2, 3)) for c in "abZd"}
        if r.random() < 0.05:
            lengths["a"] = 0
        dots = w.shape(0, 2, False) if r.random() < 0.4 else None
        while True:
            terms = [term(w, lengths, dots) for _ in range(n)]
            if np.prod([1.0 + len(s) for _, s in terms]) < 500:
                break
        text = ",".join("".join(letters) for letters, _ in terms)
        text += result_of(w, terms)
        arrays = [w.operand(t, shape, True) for _, shape in terms[:3]]
        given = arrays + arrays[:1] * (n - 3)
        if n > 3:  # the others are the first array once more
            text = ",".join("".join(letters) for letters, _ in
                            terms[:3] + terms[:1] * (n - 3))
        result = np.einsum(text, *[x.a.astype(WIDE.get(t, t)) for x in given])
        names = ", ".join("xyz"[arrays.index(x)] for x in given)
        if np.all(np.isfinite(result)):
            w.case("einsum", "tide.einsum('%s', %s)" % (text, names), arrays,
                   np.asarray(result).astype(t), why(t))


# -- windows that slide -------------------------------------------------------

def sliding(w):
    r = w.random
    for a, b, t in pairs(w, 5):
        n, m = r.randrange(1, 9), r.randrange(1, 5)
        x, y = w.operand(a, (n,), True), w.operand(b, (m,), True)
        if r.random() < 0.3:
            x, y = y, x
        for name in ("convolve", "correlate"):
            mode = r.choice(("full", "same", "valid"))
            result = getattr(np, name)(x.a.astype(t), y.a.astype(t), mode)
            emit(w, name, ", '%s'" % mode, [x, y], result, why(t))
        both = np.promote_types(x.a.dtype, y.a.dtype)
        x = w.operand(a, (r.randrange(1, 5), r.randrange(1, 5)), True)
        y = w.operand(b, (r.randrange(1, 4), r.randrange(1, 4)), True)
        for name in ("convolve2d", "correlate2d"):
            modes = [m for m in ("full", "same", "valid") if m != "valid" or
                     all(i >= k for i, k in zip(x.a.shape, y.a.shape))]
            mode = r.choice(modes)
            result = slide2(x.a.astype(both), y.a.astype(both), mode,
                            name == "convolve2d")
            emit(w, name, ", '%s'" % mode, [x, y], result, why(both))


def slide2(x, y, mode, reverse):
    """SciPy's convolve2d and correlate2d."""
    (n, m), (p, q) = x.shape, y.shape
    y = y[::-1, ::-1] if reverse else y.conj()
    wide = np.zeros((n + 2 * p - 2, m + 2 * q - 2), x.dtype)
    wide[p - 1:p - 1 + n, q - 1:q - 1 + m] = x
    full = np.array([[(wide[i:i + p, k:k + q] * y).sum(dtype=x.dtype)
                      for k in range(m + q - 1)] for i in range(n + p - 1)])
    if mode == "full":
        return full
    if mode == "valid":
        return full[p - 1:n, q - 1:m]
    i, k = ((p - 1) // 2, (q - 1) // 2) if reverse else (p // 2, q // 2)
    return full[i:i + n, k:k + m]


# -- norms --------------------------------------------------------------------

ORDERS = [(None, "nil"), (0, "0"), (1, "1"), (2, "2"), (3, "3"), (-1, "-1"),
          (0.5, "0.5"), (np.inf, "math.huge"), (-np.inf, "-math.huge")]
OF_MATRICES = [("fro", "'fro'"), (1, "1"), (-1, "-1"), (np.inf, "math.huge"),
               (-np.inf, "-math.huge"), (None, "nil")]


def norms(w):
    r = w.random
    for t in w.some(TYPES, 6):
        wide = {"e": "f4", "F": "c8", "D": "c16", "f": "f4"}.get(
            np.dtype(t).char, "f8")
        to = {"e": "f2", "F": "f4", "f": "f4"}.get(np.dtype(t).char, "f8")

        def emit(x, lua, ord, axis, keep):
            result = np.linalg.norm(x.a.astype(wide), ord, axis, keep)
            w.case("norm", lua, [x], result.astype(to))

        x = w.operand(t, w.shape(0, 3), True)
        emit(x, w.form("norm", ("x:norm()", "tide.norm(x)")), None, None, False)
        x = w.operand(t, w.shape(1, 3, False), True)
        for ord, name in r.sample(ORDERS, 3):
            (axis,), (lua,) = pick_axes(w, x.a, 1)
            keep = r.random() < 0.3
            emit(x, "x:norm(%s, %d, { keepdims = %s })" % (
                name, lua, str(keep).lower()), ord, axis, keep)
        x = w.operand(t, w.shape(2, 3, False), True)
        for ord, name in r.sample(OF_MATRICES, 2):
            axes, names = pick_axes(w, x.a, 2)
            keep = r.random() < 0.3
            emit(x, "tide.norm(x, { ord = %s, axis = %s, keepdims = %s })" % (
                name, braces(names), str(keep).lower()), ord, tuple(axes),
                keep)


def softmaxes(w):
    for t in w.some([t for t in TYPES if kind(t) != "c"], 4):
        wild = kind(t) == "f" and w.random.random() < 0.5
        x = w.operand(t, w.shape(1, 3), not wild)
        to = t if kind(t) == "f" else "float64"
        a = x.a.astype("float64")
        (axis,), (lua,) = pick_axes(w, x.a, 1)
        if a.shape[axis] == 0:
            continue
        below = a - a.max(axis, keepdims=True)
        sums = np.exp(below).sum(axis, keepdims=True)
        lua = (lua,)
        w.case("softmax", w.form("softmax", (
            "x:softmax(%d)", "tide.softmax(x, %d)")) % lua, [x],
            (np.exp(below) / sums).astype(to))
        if wild or t == "float16":
            continue
        w.case("logsoftmax", w.form("logsoftmax", (
            "x:logsoftmax(%d):exp()", "tide.logsoftmax(x, %d):exp()")) % lua,
            [x], (np.exp(below) / sums).astype(to))


def logsumexps(w):
    for t in w.some([t for t in TYPES if kind(t) != "c"], 4):
        x = w.operand(t, w.shape(0, 3), True)
        axis, lua = axes_of(w, x.a.ndim, True)
        keep = w.random.random() < 0.3
        result = np.log(np.exp(x.a.astype("f8")).sum(axis, keepdims=keep))
        w.case("logsumexp", w.form("logsumexp", (
            "x:logsumexp(%s, { keepdims = %s })",
            "tide.logsumexp(x, %s, { keepdims = %s })")) % (
                lua or "nil", str(keep).lower()), [x],
            result.astype(t if kind(t) == "f" else "float64"))
