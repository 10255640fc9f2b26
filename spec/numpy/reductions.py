"""reductions.py - cases of reductions, running folds, sorting, products."""
import numpy as np

from operands import TYPES, kind


# -- reductions ---------------------------------------------------------------

def wide(dtype):
    """What tide adds the elements in; of bool and integers the result too."""
    return {"b": "int64", "i": "int64", "u": "uint64", "f": "float64",
            "c": "complex128"}[kind(dtype)]


def narrow(result, dtype):
    return np.asarray(result).astype(dtype if kind(dtype) in "fc"
                                     else np.asarray(result).dtype)


def folded(f):
    """With float64 for a while: NumPy adds in the dtype of the elements."""
    def fold(a, **options):
        return narrow(f(a, dtype=wide(a.dtype), **options), a.dtype)
    return fold


def moment(f):
    def fold(a, **options):
        t = "complex128" if a.dtype.kind == "c" else "float64"
        return narrow(f(a, dtype=t, **options), a.dtype)
    return fold


# Name: NumPy's way, the kinds of dtypes, whether the elements must be tame.
REDUCTIONS = {
    "sum": (folded(np.sum), "biufc", True),
    "prod": (folded(np.prod), "biufc", True),
    "mean": (moment(np.mean), "biufc", True),
    "var": (moment(np.var), "biuf", True),
    "std": (moment(np.std), "biuf", True),
    "min": (np.min, "biuf", False), "max": (np.max, "biuf", False),
    "any": (np.any, "biufc", False), "all": (np.all, "biufc", False),
    "count_nonzero": (np.count_nonzero, "biufc", False),
    "argmin": (lambda a, **options: np.argmin(a, **options) + 1, "biuf", False),
    "argmax": (lambda a, **options: np.argmax(a, **options) + 1, "biuf", False),
}


SMALL = ("float16", "float32", "complex64")

# Of many elements they are rounded in the order in which they are added.
ROUNDED = ("prod", "var", "std")


def axes_of(w, ndim, several):
    """-> NumPy's axes, tide's"""
    r = w.random
    if ndim == 0 or r.random() < 0.3:
        return None, ""
    if several and r.random() < 0.4:
        axes = r.sample(range(ndim), r.randrange(1, ndim + 1))
        names = [k + 1 if r.random() < 0.5 else k - ndim for k in axes]
        return tuple(axes), "{%s}" % ", ".join(map(str, names))
    k = r.randrange(-ndim, ndim)
    return k, str(k + 1 if k >= 0 else k)


def reduction_case(w, name, t):
    f, kinds, tame = REDUCTIONS[name]
    chance = w.random.random
    x = w.operand(t, w.shape(large=name not in ROUNDED), tame)
    axes, lua = axes_of(w, x.a.ndim, not name.startswith("arg"))
    options, words, operands = {"axis": axes}, [], [x]
    if chance() < 0.3:
        options["keepdims"] = True
        words.append("keepdims = true")
    if name in ("var", "std") and chance() < 0.3:
        options["ddof"] = 1
        words.append("ddof = 1")
    try:
        result = f(x.a, **options) if kind(t) in kinds else None
    except ValueError:  # the least of no elements
        result = None
    if result is not None and chance() < 0.2:
        operands.append(w.target(result))
        words.append("out = y")
        result = operands[1].base
    arguments = ["x"] + [lua] * (lua != "")
    if words:
        arguments.append("{ %s }" % ", ".join(words))
    if w.form(name, (True, False)):
        call = "x:%s(%s)" % (name, ", ".join(arguments[1:]))
    else:
        call = "tide.%s(%s)" % (name, ", ".join(arguments))
    w.case(name, call + " return Y" * (len(operands) - 1), operands, result,
           why_of(name, t))


def why_of(name, t):
    if kind(t) not in REDUCTIONS[name][1]:
        return "complex"
    if name in ("min", "max") and kind(t) == "f":
        return "sign"
    return "float64" if REDUCTIONS[name][2] and t in SMALL else "-"


def reductions(w):
    for name, (f, kinds, tame) in REDUCTIONS.items():
        for t in w.some(TYPES, 8):
            for _ in range(4 if w.many else 1):
                reduction_case(w, name, t)
    for name in ("sum", "prod", "mean", "var", "std"):
        for t in ("float32", "float64"):
            x = w.operand(w.random.choice(("int32", "uint8", t)),
                          w.shape(1, large=False), True)
            result = getattr(np, name)(x.a, dtype="float64").astype(t)
            w.case(name, "x:%s({ dtype = '%s' })" % (name, t), [x], result,
                   "float64")


def ordered(a, axis):
    """-0.0 comes before 0.0, which NumPy leaves open."""
    first = np.argsort(~np.signbit(a) if a.dtype.kind == "f" else a, axis,
                       "stable")
    return np.sort(np.take_along_axis(a, first, axis), axis, "stable")


def scans(w):
    for t in w.some(TYPES, 8):
        shape = w.shape(large=False)
        for name, f in (("cumsum", np.cumsum), ("cumprod", np.cumprod)):
            if kind(t) == "c":
                continue
            x = w.operand(t, shape, True)
            axis, lua = axes_of(w, x.a.ndim, False)
            result = narrow(f(x.a, axis=axis, dtype=wide(t)), t)
            why = "float64" if t in SMALL else "-"
            w.case(name, "x:%s(%s)" % (name, lua), [x], result, why)
            out = w.target(result)
            w.case(name, "tide.%s(x, %s, { out = y }) return Y" % (
                name, lua or "nil"), [x, out], out.base, why)
        if kind(t) == "c":
            continue
        x = w.operand(t, w.shape(1))
        axis, lua = w.random.choice([(-1, ""), (-1, "-1"), (0, "1")])
        order = np.argsort(x.a, axis=axis, kind="stable")
        w.case("argsort", "x:argsort(%s)" % lua, [x], order + 1)
        w.case("argsort", "tide.argsort(x)", [x],
               np.argsort(x.a, kind="stable") + 1)
        why = "zeros" if kind(t) == "f" else "-"
        w.case("sort", "x:sort(%s)" % lua, [x], ordered(x.a, axis), why)
        w.case("sort", "tide.sort(x)", [x], ordered(x.a, -1), why)


# -- products -----------------------------------------------------------------

def products(w):
    r = w.random
    for a in w.some(TYPES, 8):
        for b in (a, r.choice(TYPES)):
            if "c" in kind(a) + kind(b):
                continue
            t = np.promote_types(a, b)
            n, k, m = (r.choice((0, 1, 2, 3)) for _ in range(3))
            batch = w.shape(0, 2, False)
            first = r.choice(((k,), (n, k), batch + (n, k)))
            second = r.choice(((k,), (k, m), w.partner(batch) + (k, m)))
            x, y = w.operand(a, first, True), w.operand(b, second, True)
            result = np.matmul(x.a.astype(t), y.a.astype(t))
            lua = w.form("matmul", ("x:matmul(y)", "tide.matmul(x, y)"))
            why = "sign" if t.kind == "f" else "-"
            w.case("matmul", lua, [x, y], result, why)
            out = w.target(result)
            w.case("matmul", "tide.matmul(x, y, { out = z }) return Z",
                   [x, y, out], out.base, why)
            second = r.choice(((), (k,), (k, m), (2, k, m)))
            x = w.operand(a, r.choice(((), (k,), (n, k), (2, n, k)))
                          if second else first, True)
            y = w.operand(b, second if x.a.ndim else (n, k, m), True)
            w.case("dot", w.form("dot", ("x:dot(y)", "tide.dot(x, y)")), [x, y],
                   np.dot(x.a.astype(t), y.a.astype(t)), why)
