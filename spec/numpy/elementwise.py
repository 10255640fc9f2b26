"""elementwise.py - cases of operators, functions and casts.

Scalars take part as arrays of the dtype that NumPy 2 gives them.
"""
import math

import numpy as np

from operands import TYPES, kind, number

OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floordiv": "//",
             "mod": "%", "pow": "^", "band": "&", "bor": "|", "bxor": "~",
             "lshift": "<<", "rshift": ">>"}

# Name: NumPy's function, the kinds of dtypes that tide has it for.
BINARY = {
    "add": (np.add, "biufc"), "sub": (np.subtract, "iufc"),
    "mul": (np.multiply, "biufc"), "div": (np.true_divide, "biufc"),
    "floordiv": (np.floor_divide, "iuf"), "mod": (np.remainder, "iuf"),
    "pow": (np.power, "iufc"), "fmod": (np.fmod, "iuf"),
    "atan2": (np.arctan2, "biuf"), "hypot": (np.hypot, "biuf"),
    "copysign": (np.copysign, "biuf"), "logaddexp": (np.logaddexp, "biuf"),
    "logaddexp2": (np.logaddexp2, "biuf"), "nextafter": (np.nextafter, "biuf"),
    "heaviside": (np.heaviside, "biuf"), "gcd": (np.gcd, "iu"),
    "lcm": (np.lcm, "iu"), "fmax": (np.fmax, "biuf"),
    "fmin": (np.fmin, "biuf"), "maximum": (np.maximum, "biuf"),
    "minimum": (np.minimum, "biuf"), "lt": (np.less, "biuf"),
    "le": (np.less_equal, "biuf"), "gt": (np.greater, "biuf"),
    "ge": (np.greater_equal, "biuf"), "eq": (np.equal, "biufc"),
    "ne": (np.not_equal, "biufc"), "band": (np.bitwise_and, "biu"),
    "bor": (np.bitwise_or, "biu"), "bxor": (np.bitwise_xor, "biu"),
    "lshift": (np.left_shift, "iu"), "rshift": (np.right_shift, "iu"),
    "logical_and": (np.logical_and, "biufc"),
    "logical_or": (np.logical_or, "biufc"),
    "logical_xor": (np.logical_xor, "biufc"),
}
FLOAT_BINARY = ("div", "atan2", "hypot", "copysign", "logaddexp",
                "logaddexp2", "nextafter", "heaviside")
ORDER = ("lt", "le", "gt", "ge", "eq", "ne")
MIXED = ("iu", "ui")


def rsqrt(x):
    return np.reciprocal(np.sqrt(x))


def inverse_erf(x):
    """By bisection, of erf or, where that has no digits, of erfc."""
    if abs(x) >= 1 or x != x:
        return math.copysign(math.inf, x) if abs(x) == 1 else math.nan
    a, low, high = abs(x), 0.0, 6.0
    for _ in range(1100):
        y = (low + high) / 2
        if y in (low, high):
            break
        below = math.erf(y) < a if a < 0.5 else math.erfc(y) > 1 - a
        low, high = (y, high) if below else (low, y)
    return math.copysign(high, x)


def gamma(x):
    try:
        return math.gamma(x)
    except OverflowError:
        return math.copysign(math.inf, x)
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


def log_gamma(x):
    """Python's own loses all digits beside its zeros."""
    for zero, slope in (1, -0.5772156649015329), (2, 0.4227843350984671):
        if abs(x - zero) < 1e-12:
            return slope * (x - zero)
    if -20 < x < 0 and x != math.floor(x):
        return math.log(abs(math.gamma(x)))
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):
        return math.inf


def sigmoid(x):
    e = math.exp(-abs(x))
    return (1 if x >= 0 else e) / (1 + e)


def softplus(x):
    return (x if x > 0 or x != x else 0) + math.log1p(math.exp(-abs(x)))


def of_numbers(f):
    """NumPy has no such function: Python's own, rounded once."""
    each = np.vectorize(f, otypes=[np.float64])
    return lambda a: each(a.astype("float64")).astype(a.dtype)


def sinc(a):
    """Of float16 NumPy rounds at each step."""
    return np.sinc(a.astype("float32")).astype(a.dtype) \
        if a.dtype == "float16" else np.sinc(a)


def relu(a):
    return np.where(a <= 0, 0, a).astype(a.dtype)


# Functions of floats, for bool and integers too.
FLOAT_UNARY = {
    "reciprocal": np.reciprocal, "sqrt": np.sqrt, "rsqrt": rsqrt,
    "cbrt": np.cbrt, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh,
    "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
    "atanh": np.arctanh, "erf": of_numbers(math.erf),
    "erfc": of_numbers(math.erfc), "erfinv": of_numbers(inverse_erf),
    "gamma": of_numbers(gamma), "lgamma": of_numbers(log_gamma),
    "sigmoid": of_numbers(sigmoid), "softplus": of_numbers(softplus),
    "sinc": sinc, "degrees": np.degrees, "radians": np.radians,
}
UNARY = {
    "neg": (np.negative, "iufc"), "abs": (np.absolute, "biufc"),
    "square": (np.square, "biufc"), "relu": (relu, "iuf"), "sign": (np.sign, "iuf"),
    "floor": (np.floor, "biuf"), "ceil": (np.ceil, "biuf"),
    "trunc": (np.trunc, "biuf"), "round": (np.rint, "biuf"),
    "bnot": (np.invert, "biu"), "logical_not": (np.logical_not, "biufc"),
    "positive": (np.positive, "iufc"), "signbit": (np.signbit, "biuf"),
    "isnan": (np.isnan, "biufc"), "isinf": (np.isinf, "biuf"),
    "isfinite": (np.isfinite, "biuf"), "conj": (np.conj, "biufc"),
    "real": (np.real, "biufc"), "imag": (np.imag, "biufc"),
}
UNARY.update({name: (f, "biufc" if name in "sqrt exp log sin cos".split()
                     else "biuf") for name, f in FLOAT_UNARY.items()})
# NumPy 2 leaves integers as they are; NumPy 1 made floats of them.
ROUNDING = ("floor", "ceil", "trunc", "round")


def like_scalar(value, dtype):
    """The dtype of a Python scalar next to an array, as in NumPy 2."""
    if isinstance(value, bool):
        return np.dtype(dtype)
    if isinstance(value, int):
        return np.dtype("int64" if dtype == "bool" else dtype)
    return np.dtype(dtype if kind(dtype) in "fc" else "float64")


def powers(x, y):
    """NumPy has no negative powers of integers; tide rounds them."""
    if x.dtype.kind not in "iu" or (y >= 0).all():
        return np.power(x, y)
    odd = y % 2 == 1
    inverse = np.where(x == 1, 1, np.where(x == -1, np.where(odd, -1, 1), 0))
    result = np.where(y < 0, inverse, np.power(x, np.maximum(y, 0)))
    return result.astype(x.dtype)


def answer(name, x, y, common):
    """-> what tide promises, the key of how NumPy differs"""
    f, kinds = BINARY[name]
    k = common.kind
    if k not in kinds:
        return None, {"b": "bools", "c": "complex"}.get(k, "-")
    if name in FLOAT_BINARY and k in "biu":
        why = "-" if name == "div" or common.itemsize > 2 else "float64"
        common = np.dtype("float64")
    elif name == "pow" and k in "iu" and (y.astype(common) < 0).any():
        f, why = powers, "powers"
    elif name == "pow" and common == "complex64":
        return np.power(x.astype("complex128"), y).astype(common), "float64"
    elif name in ORDER and k == "f" and x.dtype.kind + y.dtype.kind in MIXED:
        # exact since NumPy 1.25
        return f(x.astype(object), y.astype(object)).astype(bool), "-"
    else:
        open_sign = ("maximum", "minimum", "fmax", "fmin")
        why = "sign" if k == "f" and name in open_sign else "-"
    return f(x.astype(common), y.astype(common)), why


def binary_case(w, name, a, b):
    shape = w.shape()
    first, second = w.form("sides", ((w.partner(shape), shape),
                                     (shape, w.partner(shape))))
    tame = "c" in kind(a) + kind(b)
    x, y = w.operand(a, first, tame), w.operand(b, second, tame)
    result, why = answer(name, x.a, y.a, np.promote_types(a, b))
    forms = [f"x:{name}(y)", f"tide.{name}(x, y)"]
    if name in OPERATORS:
        forms.append(f"x {OPERATORS[name]} y")
    w.case(name, w.form(name, forms), [x, y], result, why)


def target_case(w, name, a, b):
    """The result in place of the first operand, or somewhere else."""
    shape = w.shape()
    tame = "c" in kind(a) + kind(b)
    x = w.operand(a, shape, tame, writable=True)
    y = w.operand(b, w.partner(shape), tame)
    result, why = answer(name, x.a, y.a, np.promote_types(a, b))
    if result is None:
        return
    if result.dtype == a and w.form("target" + name, (False, True)):
        x.a[...] = result
        w.case(name, f"x:{name}_(y) return X", [x, y], x.base, why)
    else:
        out = w.target(result)
        w.case(name, f"tide.{name}(x, y, {{ out = z }}) return Z", [x, y, out],
               out.base, why)


def scalar_case(w, name, a):
    values = [True, 2, 3, 2.5]
    values += [0, 1] if kind(a) in "bu" else [-1, 0]
    values += [np.inf, -0.0] if kind(a) != "c" else []
    if kind(a) != "c" and name != "copysign":  # whatever sign 0/0 has in Lua
        values.append(np.nan)
    value = w.random.choice(values)
    s = like_scalar(value, a)
    x = w.operand(a, w.shape(), tame=kind(a) == "c")
    y = np.array(value).astype(s).reshape((1,) * x.a.ndim)
    lua, sign = number(value), OPERATORS.get(name)
    forms = [(x.a, y, f"tide.{name}(x, {lua})"), (x.a, y, f"x:{name}({lua})"),
             (y, x.a, f"tide.{name}({lua}, x)")]
    if sign:
        forms += [(x.a, y, f"x {sign} {lua}"), (y, x.a, f"{lua} {sign} x")]
    left, right, form = w.form(name, forms)
    result, why = answer(name, left, right, np.promote_types(a, s))
    w.case(name, form, [x], result, why)


def overlap_case(w, name, a):
    """The result is written over its operands, some elements further on."""
    n, off = w.random.randrange(3, 7), w.random.randrange(1, 4)
    x = w.operand(a, (n + off,), plain=True)
    y = x.part("X:slice(1, %d)" % n, x.a[:n])
    z = x.part("X:slice(%d, 1, -1)" % n, x.a[:n][::-1])
    result, why = answer(name, y.a, z.a, np.dtype(a))
    if result.dtype != a:
        return
    text = x.text, y.text, z.text
    x.a[off:] = result
    w.case(name, "tide.%s(y, z, { out = x:slice(%d) }) return x" % (
        name, off + 1), [x, y, z], x.a, why)
    assert text == (x.text, y.text, z.text)


def binary(w):
    for name, (f, kinds) in BINARY.items():
        types = [t for t in TYPES if kind(t) in kinds]
        own = ("bool" if name in ORDER or name.startswith("logical") else
               "float32" if "f" in kinds else "int64")
        for a in [own] + w.some(types, 4):
            binary_case(w, name, a, a)
            target_case(w, name, a, a)
            scalar_case(w, name, a)
            for b in w.some(types, 1):
                binary_case(w, name, a, b)
        for a in w.some([t for t in types if kind(t) in "uf"], 1):
            overlap_case(w, name, a)
        for t in ("bool", "float32", "complex64"):
            if kind(t) not in kinds:
                binary_case(w, name, t, t)
    for value in (-129, 128):
        x = w.operand("int8", (2,))
        w.case("add", "x + (%d)" % value, [x], None)
        w.case("lt", "x:lt(%d)" % value, [x], x.a < value)


def unary_answer(name, a):
    f, kinds = UNARY[name]
    k = a.dtype.kind
    if k not in kinds:
        return None, {"b": "-", "c": "complex"}.get(k, "-")
    if name in FLOAT_UNARY and k in "biu":
        small = a.dtype.itemsize <= 2 or name == "reciprocal"
        return f(a.astype("float64")), "float64" if small else "-"
    if name in ROUNDING and k in "biu":
        return a, "bools" if name == "round" and k == "b" else "-"
    if name in ("square", "conj") and k == "b":
        return a, "bools"
    if name == "imag" and k != "c":
        return np.zeros_like(a), "-"
    if name in FLOAT_UNARY and a.dtype == "complex64":
        return f(a.astype("complex128")).astype(a.dtype), "float64"
    return f(a), "-"


def unary(w):
    for name, (f, kinds) in UNARY.items():
        wanted = [t for t in TYPES if kind(t) == "f"]
        others = [t for t in TYPES if kind(t) != "f"]
        for t in (wanted if "f" in kinds else []) + w.some(others, 4):
            x = w.operand(t, w.shape())
            result, why = unary_answer(name, x.a)
            forms = [f"x:{name}()", f"tide.{name}(x)"]
            forms += {"neg": ["-x"], "bnot": ["~x"]}.get(name, [])
            w.case(name, w.form(name, forms), [x], result, why)
            if result is not None and w.random.random() < 0.3:
                out = w.target(result)
                w.case(name, "tide.%s(x, { out = y }) return Y" % name,
                       [x, out], out.base, why)


def in_place(w):
    """Each function whose result may have the operand's dtype."""
    for name in UNARY:
        if name == "positive":
            continue
        for t in w.some(TYPES, len(TYPES)):
            x = w.operand(t, w.shape(), writable=True)
            result, why = unary_answer(name, x.a)
            if result is not None and result.dtype == t:
                x.a[...] = result
                w.case(name, "x:%s_() return X" % name, [x], x.base, why)
                break
    for t in w.some([t for t in TYPES if kind(t) in "iuf"], 3):
        x = w.operand(t, w.shape(), writable=True)
        x.a[...] = between(x.a, np.array(1, t), np.array(5, t))
        w.case("clip", "x:clip_(1, 5) return X", [x], x.base,
               "sign" if kind(t) == "f" else "-")


def parts(w):
    """modf and frexp, each result, and both into arrays that there are."""
    for name, f in (("modf", np.modf), ("frexp", np.frexp)):
        for t in w.some([t for t in TYPES if kind(t) == "f"], 3):
            x = w.operand(t, w.shape())
            first, second = f(x.a)
            w.case(name, "local u = tide.%s(x) return u" % name, [x], first)
            w.case(name, "local u, v = x:%s() return v" % name, [x], second)
            y, z = w.target(first), w.target(second)
            lua = "x:%s{ out = { y, z } } return %s"
            w.case(name, lua % (name, "Y"), [x, y, z], y.base)
            w.case(name, lua % (name, "Z"), [x, y, z], z.base)


def powers_of_two(w):
    exponents = [t for t in TYPES if kind(t) in "iu" and t != "uint64"]
    for t in w.some([t for t in TYPES if kind(t) == "f"], 3):
        n, shape = w.random.choice(exponents), w.shape()
        x, y = w.operand(t, shape), w.operand(n, w.partner(shape))
        w.case("ldexp", "x:ldexp(y)", [x, y],
               np.ldexp(x.a, y.a.astype("int64")))
        w.case("ldexp", "tide.ldexp(x, -3)", [x], np.ldexp(x.a, -3))
        x = w.operand(t, shape, writable=True)
        x.a[...] = np.ldexp(x.a, 5)
        w.case("ldexp", "x:ldexp_(5) return X", [x], x.base)
    x, y = w.operand("int32", (2,)), w.operand("float32", (2,))
    w.case("ldexp", "x:ldexp(2)", [x], np.ldexp(x.a.astype("float64"), 2))
    w.case("ldexp", "x:ldexp(y)", [x, y], None)


def near(w):
    for t in w.some([t for t in TYPES if kind(t) in "biuf"], 5):
        shape = w.shape()
        x, y = w.operand(t, shape), w.operand(t, w.partner(shape))
        tame = {"rtol": 0.25, "atol": 0.5}
        for lua, more in (("tide.isclose(x, y)", {}),
                          ("x:isclose(y, %g, %g)" % tuple(tame.values()), tame),
                          ("x:isclose(y, { equal_nan = true })",
                           {"equal_nan": True})):
            w.case("isclose", lua, [x, y], np.isclose(x.a, y.a, **more))


def decimals(w):
    for t in w.some([t for t in TYPES if kind(t) in "if"], 5):
        n = w.random.choice((-2, -1, 1, 2, 3))
        x = w.operand(t, w.shape(), tame=kind(t) == "i", writable=True)
        result = np.round(x.a, n)
        w.case("round", "x:round(%d)" % n, [x], result)
        x.a[...] = result
        w.case("round", "x:round_(%d) return X" % n, [x], x.base)


def numbers_for_nan(w):
    for t in w.some([t for t in TYPES if kind(t) in "biuf"], 5):
        x = w.operand(t, w.shape(), writable=True)
        some = {"nan": 1.5, "posinf": 2, "neginf": -3}
        w.case("nan_to_num", "tide.nan_to_num(x)", [x], np.nan_to_num(x.a))
        w.case("nan_to_num", "x:nan_to_num(1.5, 2, -3)", [x],
               np.nan_to_num(x.a, **some))
        x.a[...] = np.nan_to_num(x.a, posinf=7)
        w.case("nan_to_num", "x:nan_to_num_{ posinf = 7 } return X", [x],
               x.base)


def cast(a, to):
    """NumPy does not say what becomes of floats that integers cannot be."""
    if a.dtype.kind == "c" and kind(to) not in "bc":
        a = a.real
    if a.dtype.kind != "f" or kind(to) not in "iu":
        return a.astype(to), "-"
    info = np.iinfo(to)
    values = [0 if v != v else info.max if v >= info.max else
              info.min if v <= info.min else int(v) for v in a.ravel().tolist()]
    near = np.array(values, to).reshape(a.shape)
    same = np.all((a > info.min) & (a < info.max))
    return near, "-" if same else "nearest"


def casts(w):
    for a in TYPES:
        for b in w.some(TYPES, 6):
            x = w.operand(a, w.shape(1, 2))
            result, why = cast(x.a, b)
            for lua in ("x:astype '%s'", "tide.astype(x, '%s')"):
                w.case("astype", lua % b, [x], result, why)
            y = w.operand(b, x.a.shape, writable=True)
            if a == b:
                y.a[...] = x.a
                w.case("copy_from", "y:copy_from(x) return Y", [x, y], y.base)


def choices(w):
    for t in w.some(TYPES, 8):
        b = w.random.choice(TYPES)
        shape = w.shape(1)
        c = w.operand("bool", w.partner(shape))
        x, y = w.operand(t, w.partner(shape)), w.operand(b, shape)
        common = np.promote_types(t, b)
        result = np.where(c.a, x.a.astype(common), y.a.astype(common))
        lua = w.form("where", ("tide.where(x, y, z)", "x:where(y, z)"))
        w.case("where", lua, [c, x, y], result)
        value = w.random.choice((2, 2.5, True))
        s = np.promote_types(t, like_scalar(value, t))
        result = np.where(c.a, x.a.astype(s), np.array(value).astype(s))
        w.case("where", "x:where(y, %s)" % number(value), [c, x], result)
        if kind(t) in "iuf":
            clip(w, t)


def between(a, lo, hi):
    """np.clip, which lets some NaNs among the bounds pass."""
    a = a if lo is None else np.maximum(a, lo)
    return a if hi is None else np.minimum(a, hi)


def clip(w, t):
    shape, why = w.shape(), "sign" if kind(t) == "f" else "-"
    x = w.operand(t, shape)
    lo, hi = w.operand(t, w.partner(shape)), w.operand(t, w.partner(shape))
    low, high = np.array([1, 5], t)
    for lua, operands, bounds in (
            ("x:clip(y, z)", [x, lo, hi], (lo.a, hi.a)),
            ("tide.clip(x, y, z)", [x, lo, hi], (lo.a, hi.a)),
            ("x:clip(1, 5)", [x], (low, high)),
            ("x:clip(nil, 5)", [x], (None, high)),
            ("x:clip(y)", [x, lo], (lo.a, None))):
        w.case("clip", lua, operands, between(x.a, *bounds), why)
    out = w.target(between(x.a, low, None))
    w.case("clip", "tide.clip(x, 1, nil, { out = y }) return Y", [x, out],
           out.base, why)
