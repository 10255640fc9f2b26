"""operands.py - what cases.py is made of: elements, shapes, views, lines.

Each dtype has a pool of elements, each of which has a character for a name, so
that operands take little room. Lower-case letters name tame ones: sums of them, and
products of 24 of them, are exact in float64, in whatever order. The others are
edge values and random ones.
"""
import random
import string

import numpy as np

TYPES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
         "float32 float64 complex64 complex128").split()

TAME, WILD = string.ascii_lowercase, string.ascii_uppercase + string.digits


def kind(dtype):
    return np.dtype(dtype).kind


def floats(dtype, r):
    info = np.finfo(dtype)
    tame = [x * y for x in (0.25, 0.5, 1, 2) for y in (-3, -1, 1, 3)]
    tame += [0, 1, 1, 1, -1, 2, 4, -8, 12, 0.125]
    wild = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, np.inf, -np.inf, np.nan,
            info.max, -info.max, info.tiny, info.smallest_subnormal, info.eps,
            1 + info.eps, np.pi, 88.5, -103.0, 2.0 ** 31, -2.0 ** 63]
    wild += [r.choice((-1, 1)) * 10 ** r.uniform(-4, 4) for _ in range(15)]
    return tame, wild


def integers(dtype, r):
    info = np.iinfo(dtype)
    low = 0 if kind(dtype) == "u" else -6
    tame = [r.randrange(low, 7) for _ in range(24)] + [0, 1]
    wild = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3,
            info.max // 2, info.max // 3, info.bits, info.bits - 1]
    if low:
        wild += [-1, -2, -7, info.min // 2]
    while len(wild) < 36:
        wild.append(r.randrange(info.min, info.max) >> r.randrange(info.bits))
    return tame, wild


def pool(dtype, r):
    if dtype == "bool":
        values = [False, True] * 31
    elif kind(dtype) == "c":
        # what C says of products with infinities is nobody's business here
        values = [complex(r.choice((-1, -0.5, 0, 1)), r.choice((0, 0.5, 1, 2)))
                  for _ in range(26)]
        values += [0, 1, -1, 1j, -1j]
        values += [complex(r.gauss(0, 3), r.gauss(0, 3)) for _ in range(31)]
    else:
        tame, wild = (floats if kind(dtype) == "f" else integers)(dtype, r)
        values = tame + wild
    if kind(dtype) in "iu":
        return np.array([int(v) for v in values], dtype)
    return np.array(values).astype(dtype)


class Operand:
    """An array, of a base of its own, and how a case writes it."""

    def __init__(self, base, a, text):
        self.base, self.a, self.text = base, a, text

    def part(self, lua, a):
        """One that shares its memory; `lua` makes it of the base, X."""
        return Operand(self.base, a, "= " + lua)


class Writer:
    """Random operands, and the lines of cases about them."""

    def __init__(self, seed, many):
        self.random, self.many, self.turns = random.Random(seed), many, {}
        self.pools = {t: pool(t, self.random) for t in TYPES}
        self.lines = ["pool %s %s" % (t, p.tobytes().hex())
                      for t, p in self.pools.items()]

    def some(self, items, n):
        """All of them, or n where there are to be few cases."""
        items = list(items)
        return items if self.many else self.random.sample(items, n)

    def form(self, name, forms):
        """The next of them, so that all have their turn."""
        self.turns[name] = self.turns.get(name, 0) + 1
        return forms[self.turns[name] % len(forms)]

    def shape(self, low=0, high=3, empty=True, large=True):
        r = self.random
        if self.many and large and high > 1 and r.random() < 0.004:
            return (r.randrange(40, 70), r.randrange(40, 70))
        ndim = r.randrange(low, high + 1)
        if self.many and high > 2 and r.random() < 0.02:
            ndim = r.choice((4, 5, 6))
        while True:
            shape = tuple(r.choice((1, 2, 2, 3, 4)) for _ in range(ndim))
            if np.prod(shape) <= (24 if self.many else 8):
                break
        if empty and ndim and r.random() < 0.07:
            at = r.randrange(ndim)
            shape = shape[:at] + (0,) + shape[at + 1:]
        return shape

    def partner(self, shape):
        """A shape that broadcasts with that one."""
        r = self.random
        shape = shape[r.choice((0, 0, 0, len(shape) // 2, len(shape))):]
        return tuple(1 if r.random() < 0.2 else n for n in shape)

    def step(self, shape, writable):
        """-> shape of the base, Lua and NumPy's way to a view of `shape`"""
        r = self.random
        axis = r.randrange(len(shape))
        n = shape[axis]
        what = r.choice(("permute", "flip", "slice", "slice", "select") +
                        (() if writable else ("broadcast",)))
        if what == "permute":
            order = r.sample(range(len(shape)), len(shape))
            base = [0] * len(shape)
            for i, k in enumerate(order):
                base[k] = shape[i]
            return (base, ":permute(%s)" % ",".join(str(k + 1) for k in order),
                    lambda a: a.transpose(order))
        if what == "flip":
            return (shape, ":flip(%d)" % (axis + 1),
                    lambda a: np.flip(a, axis))
        if what == "select":
            i = r.randrange(2)
            return (shape[:axis] + [2] + shape[axis:],
                    ":select(%d,%d)" % (axis + 1, i + 1),
                    lambda a: a[(slice(None),) * axis + (i,)])
        if what == "broadcast":
            base = shape[:axis] + [1] + shape[axis + 1:]
            return (base, ":broadcast_to{%s}" % ",".join(map(str, shape)),
                    lambda a: np.broadcast_to(a, shape))
        if n == 0:
            return shape, "", lambda a: a
        by, before, after = r.choice((1, 2, 3)), r.randrange(2), r.randrange(2)
        last = before + (n - 1) * by
        base = shape[:axis] + [last + 1 + after] + shape[axis + 1:]
        key = (slice(None),) * axis + (slice(before, last + 1, by),)
        text = ":slice(%d,%d,%d,%d)" % (before + 1, last + 1, by, axis + 1)
        return base, text, lambda a: a[key]

    def operand(self, dtype, shape, tame=False, plain=False, writable=False):
        r, base, text, steps = self.random, list(shape), "", []
        for _ in range(0 if plain else r.choice((0, 0, 1, 1, 2))):
            if base and len(base) < 7 and np.prod(base) < 5000:
                base, lua, way = self.step(base, writable)
                text, steps = lua + text, [way] + steps
        names = TAME if tame else r.choice((TAME + WILD, WILD))
        codes = [r.choice(names) for _ in range(int(np.prod(base)))]
        places = [(TAME + WILD).index(k) for k in codes]
        x = self.pools[dtype][places].reshape(base)
        a = x
        for way in steps:
            a = way(a)
        assert a.shape == tuple(shape), (shape, base, text)
        return Operand(x, a, "%s [%s] %s %s" % (
            dtype, ",".join(map(str, base)), "".join(codes), text))

    def target(self, result):
        """What `result` is to be written to: its base is as it is then."""
        result = np.asarray(result)
        out = self.operand(result.dtype.name, result.shape, writable=True)
        out.a[...] = result
        return out

    def case(self, name, lua, operands, result, why="-"):
        """`lua`: an expression, or statements, about x, y ..., of the bases X,
        Y ...; `result`: what is to come out, None for an error; `why`: the key
        of what NumPy does differently."""
        if result is None:
            wanted = "error"
        else:
            a = np.asarray(result)
            assert a.dtype.name in TYPES, (name, lua, a.dtype)
            wanted = "%s [%s] %s" % (a.dtype, ",".join(map(str, a.shape)),
                                     a.tobytes().hex())
        fields = [name, why, lua, wanted] + [o.text for o in operands]
        self.lines.append("\t".join(fields))


def number(value):
    """A scalar as Lua writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value) if value >= 0 else "(%d)" % value
    if value != value:
        return "(0/0)"
    return {np.inf: "math.huge", -np.inf: "(-math.huge)"}.get(
        value, "(%r)" % value)
