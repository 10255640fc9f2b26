"""arrays.py - cases of overlapping results, shapes, indices, new arrays."""
import numpy as np

from operands import TYPES, kind, number


# -- overlaps -----------------------------------------------------------------

# Name, what is called with parts of x, where out begins, NumPy's way.
OVERLAPS = [
    ("neg", "x:slice(1, 6)", 2, lambda x: -x[:6]),
    ("clip", "x:slice(1, 6), x:slice(2, 7), x:slice(4, 9)", 2,
     lambda x: np.minimum(np.maximum(x[:6], x[1:7]), x[3:])),
    ("cumsum", "x:slice(1, 6), 1", 2, lambda x: np.cumsum(x[:6])),
    ("cumprod", "x:slice(6, 1, -1), 1", 0, lambda x: np.cumprod(x[5::-1])),
    ("sum", "x:slice(1, 6):reshape{2, 3}, 1", 1,
     lambda x: x[:6].reshape(2, 3).sum(0)),
    ("max", "x:slice(1, 6):reshape{3, 2}, 2", 3,
     lambda x: x[:6].reshape(3, 2).max(1)),
    ("take", "x:slice(1, 6), {6, 5, 4, 3, 2, 1}", 2, lambda x: x[5::-1]),
    ("concatenate", "{ x:slice(4, 6), x:slice(1, 3) }, 1", 2,
     lambda x: np.concatenate([x[3:6], x[:3]])),
    ("matmul", "x:slice(1, 6):reshape{3, 2}, x:slice(4, 5)", 4,
     lambda x: x[:6].reshape(3, 2) @ x[3:5]),
]


def overlaps(w):
    for t in ("int64", "float32", "float64"):
        for name, lua, at, f in OVERLAPS:
            x = w.operand(t, (9,), tame=True, plain=True)
            result = f(x.a)
            x.a[at:at + len(result)] = result
            w.case(name, "tide.%s(%s, { out = x:slice(%d, %d) }) return x" % (
                name, lua, at + 1, at + len(result)), [x], x.a,
                   "sign" if t != "int64" and
                   name in ("clip", "max", "matmul") else "-")


# -- shapes -------------------------------------------------------------------

def braces(numbers):
    return "{%s}" % ", ".join(map(str, numbers))


def shape_calls(w, a):
    """-> name, Lua's arguments, NumPy's answer"""
    r, n = w.random, a.ndim
    other = list(a.shape)
    r.shuffle(other)
    yield "reshape", braces(other), a.reshape(other)
    if a.size:
        yield "reshape", "-1", a.reshape(-1)
        yield "reshape", "{1, -1, 1}", a.reshape(1, -1, 1)
    yield "flatten", "", a.flatten()
    yield "transpose", "", a.transpose()
    order = r.sample(range(n), n)
    for name in ("transpose", "permute"):
        yield name, braces(k + 1 for k in order), a.transpose(order)
    ones = [k for k in range(n) if a.shape[k] == 1]
    yield "squeeze", "", a.squeeze()
    if ones:
        yield "squeeze", str(ones[0] + 1), a.squeeze(ones[0])
        yield "squeeze", braces(k - n for k in ones), a.squeeze(tuple(ones))
    k = r.randrange(n + 1)
    yield "expand_dims", str(k + 1), np.expand_dims(a, k)
    yield "expand_dims", "{1, -1}", np.expand_dims(a, (0, -1))
    more = r.sample((2, 3), 1) + [3 if m == 1 else m for m in a.shape]
    yield "broadcast_to", braces(more), np.broadcast_to(a, more)
    yield "flip", "", np.flip(a)
    by, each = r.randrange(-5, 6), r.randrange(0, 3)
    yield "roll", str(by), np.roll(a, by)
    times = [r.randrange(0, 3) for _ in range(r.randrange(1, 4))]
    yield "tile", braces(times), np.tile(a, times)
    yield "tile", str(each), np.tile(a, each)
    yield "repeat_each", str(each), np.repeat(a, each)
    if n:
        k = r.randrange(-n, n)
        axis = k + 1 if k >= 0 else k
        yield "flip", str(axis), np.flip(a, k)
        yield "flip", braces(range(1, n + 1)), np.flip(a)
        yield "roll", "%d, %d" % (by, axis), np.roll(a, by, k)
        yield "repeat_each", "%d, %d" % (each, axis), np.repeat(a, each, k)
        every = range(1, n + 1)
        steps = [by + i for i in every]
        yield ("roll", "%s, %s" % (braces(steps), braces(every)),
               np.roll(a, steps, range(n)))
        yield ("roll", "%d, { axis = %s }" % (by, braces(every)),
               np.roll(a, by, range(n)))
        yield "roll", "%s, 1" % braces(steps), np.roll(a, steps, 0)
    yield "roll", braces((by, 3)), np.roll(a, (by, 3))


def pick_axes(w, a, many):
    """-> some axes of `a`, Lua's names for them"""
    axes = w.random.sample(range(a.ndim), many)
    return axes, [k + 1 if w.random.random() < 0.7 else k - a.ndim
                  for k in axes]


def axis_calls(w, a):
    """The same of functions that say where axes go."""
    r, n = w.random, a.ndim
    yield "ravel", "", a.ravel()
    yield "contiguous", "", np.array(a)
    if n == 0:
        return
    (i,), (lua,) = pick_axes(w, a, 1)
    (k,), (other,) = pick_axes(w, a, 1)
    yield "swapaxes", "%d, %d" % (lua, other), a.swapaxes(i, k)
    yield "moveaxis", "%d, %d" % (lua, other), np.moveaxis(a, i, k)
    many = r.randrange(n + 1)
    here, at = pick_axes(w, a, many)
    there, to = pick_axes(w, a, many)
    yield ("moveaxis", "%s, %s" % (braces(at), braces(to)),
           np.moveaxis(a, here, there))
    part = r.randrange(a.shape[i]) if a.shape[i] else 0
    if a.shape[i]:
        yield ("unstack", "%d)[%d" % (lua, part + 1),
               np.moveaxis(a, i, 0)[part])
    parts = r.randrange(1, 5)
    yield ("array_split", "%d, %d)[%d" % (parts, lua, parts),
           np.array_split(a, parts, i)[-1])
    places = sorted(r.randrange(6) for _ in range(3))
    yield ("split", "%s, %d)[%d" % (braces(p + 1 for p in places), lua, 2),
           np.split(a, places, i)[1])
    yield ("split", "{ -2, -1 }, %d)[3" % lua, np.split(a, [-2, -1], i)[2])
    if n < 2:
        return
    axes, names = pick_axes(w, a, 2)
    by = r.randrange(-3, 4)
    yield "rot90", str(by), np.rot90(a, by)
    yield "rot90", "%d, %s" % (by, braces(names)), np.rot90(a, by, axes)
    yield "diagonal", str(by), np.diagonal(a, by)
    yield ("diagonal", "%d, %s" % (by, braces(names)),
           np.diagonal(a, by, *axes))


def shapes(w):
    for t in w.some(TYPES, 5):
        x = w.operand(t, w.shape())
        for calls in shape_calls, axis_calls:
            for name, arguments, result in calls(w, x.a):
                lua = "x:%s(%s)" % (name, arguments)
                if w.form(name, (True, False)):
                    lua = "tide.%s(x%s)" % (name,
                                            arguments and ", " + arguments)
                if "[" in arguments:  # which of a list it is
                    lua = lua[:-1] + "]"
                w.case(name, lua, [x], result)
        y = w.operand(t, w.shape(), tame=True)
        w.case("T", "x.T", [y], y.a.T)
        for lua in ("x:copy()", "tide.copy(x)", "x:to 'host'"):
            w.case("copy", lua, [y], y.a)
        w.case("asarray", "tide.asarray(x)", [y], y.a)
        w.case("asarray", "tide.array(x, 'float32')", [y], y.a.astype("f4"))
        w.case("totable", "tide.array(x:totable(), '%s'):reshape(x.shape)" % t,
               [y], y.a)
        w.case("tobytes", "tide.frombytes(x:tobytes(), '%s', x.shape)" % t,
               [y], y.a)
        w.case("tohost", "tide.array(x:tohost())", [y], y.a)
        for field in "shape", "size", "ndim", "nbytes":
            w.case(field, "tide.array(x.%s, 'int64')" % field, [y],
                   np.array(getattr(y.a, field), "int64"))
    huge = 2 ** 40
    x = w.operand("float32", (1, 3))
    a = np.broadcast_to(x.a, (huge, 3))
    for lua, result in ((".shape", a.shape), (".size", a.size),
                        (".nbytes", a.nbytes)):
        w.case("huge", "tide.array(x:broadcast_to{%d, 3}%s)" % (huge, lua),
               [x], np.array(result))
    w.case("huge", "x:broadcast_to{%d, 3}:slice(-3)" % huge, [x], a[-3:])
    w.case("huge", "x:broadcast_to{%d, 3}[{ {1, -1, %d}, {3, 1, -1} }]" % (
        huge, huge // 2), [x], a[::huge // 2, ::-1])


def joins(w):
    for t in w.some(TYPES, 8):
        shape, other = w.shape(1), w.random.choice(TYPES)
        k = w.random.randrange(len(shape))
        longer = shape[:k] + (w.random.randrange(3),) + shape[k + 1:]
        x, y = w.operand(t, shape), w.operand(other, longer)
        common = np.promote_types(t, other)
        parts = [x.a.astype(common), y.a.astype(common)]
        w.case("concatenate", "tide.concatenate({ x, y }, %d)" % (k + 1),
               [x, y], np.concatenate(parts, k))
        result = np.concatenate(parts[::-1], k)
        out = w.target(result)
        w.case("concatenate", "tide.concatenate({ y, x }, %d, { out = z }) "
               "return Z" % (k - len(shape)), [x, y, out], out.base)
        y = w.operand(other, shape)
        parts = [x.a.astype(common), y.a.astype(common)]
        k = w.random.randrange(len(shape) + 1)
        w.case("stack", "tide.stack({ x, y }, %d)" % (k + 1), [x, y],
               np.stack(parts, k))
        stacks(w, t, other)


def stacks(w, t, other):
    """Of matrices, of vectors, of both."""
    r, common = w.random, np.promote_types(t, other)
    n, m = r.randrange(4), r.randrange(4)
    for name, shapes in (("vstack", ((n, m), (3, m), (m,))),
                         ("hstack", ((n, m), (n, 2), (n, m))),
                         ("hstack", ((n,), (m,), ())),
                         ("column_stack", ((n, m), (n, 2), (n,)))):
        parts = [shapes[k] for k in r.sample(range(3), 2)]
        x, y = w.operand(t, parts[0]), w.operand(other, parts[1])
        result = getattr(np, name)([x.a.astype(common), y.a.astype(common)])
        w.case(name, "tide.%s({ x, y })" % name, [x, y], result)
        out = w.target(result)
        w.case(name, "tide.%s({ x, y }, { out = z }) return Z" % name,
               [x, y, out], out.base)


PAD_MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def padded(a, pairs, mode):
    """np.pad, which before NumPy 2 goes wrong where it repeats `a`."""
    if mode in PAD_MODES[:2]:
        return np.pad(a, pairs or 0, mode)
    for axis, (before, after) in enumerate(pairs):
        n = a.shape[axis]
        places = np.arange(n)
        turned = {"reflect": places[-2:0:-1], "symmetric": places[::-1],
                  "wrap": places[:0]}[mode]
        period = np.concatenate([places, turned])
        at = np.arange(-before, n + after) % len(period)
        a = a.take(period[at], axis)
    return a


def pads(w):
    for t in w.some(TYPES, 5):
        r = w.random
        for mode in PAD_MODES:
            x = w.operand(t, w.shape(0, 3, mode == "constant", False))
            pairs = [(r.randrange(6), r.choice((0, 1, 2, 9)))
                     for _ in x.a.shape]
            lua = braces(braces(p) for p in pairs)
            if x.a.ndim == 0:
                lua = "1"
            result = padded(x.a, pairs, mode)
            w.case("pad", w.form("pad", (
                "x:pad(%s, { mode = '%s' })", "tide.pad(x, %s, { mode = '%s' "
                "})")) % (lua, mode), [x], result)
            out = w.target(result)
            w.case("pad", "x:pad(%s, { mode = '%s', out = y }) return Y" % (
                lua, mode), [x, out], out.base)
        w.case("pad", "x:pad(2)", [x], np.pad(x.a, 2))
        w.case("pad", "x:pad({ 1, 3 }, { value = %s })" % (
            "true" if t == "bool" else "1"), [x],
               np.pad(x.a, (1, 3), constant_values=np.array(1, t)))


def index_of(r, n, more):
    """-> an index of n elements, or one more, as NumPy and as Lua have it"""
    i = r.randrange(-n, n + more)
    return i, i + 1 if i >= 0 else i


def inserts(w):
    for t in w.some(TYPES, 5):
        r, x = w.random, w.operand(t, w.shape(1, 3, False))
        other = r.choice(TYPES)
        y, common = w.operand(other, w.shape()), np.promote_types(t, other)
        w.case("append", "tide.append(x, y)", [x, y], np.append(
            x.a.astype(common), y.a.astype(common)))
        k = r.randrange(x.a.ndim)
        n = x.a.shape[k]
        longer = x.a.shape[:k] + (r.randrange(4),) + x.a.shape[k + 1:]
        y = w.operand(t, longer)
        w.case("append", "x:append(y, %d)" % (k + 1), [x, y],
               np.append(x.a, y.a, k))
        one, lua = index_of(r, n, 1)
        here, at = zip(*[index_of(r, n, 1) for _ in range(3)])
        several = x.a.shape[:k] + (3,) + x.a.shape[k + 1:]
        y = w.operand(t, several[r.randrange(k + 1):])
        w.case("insert", "x:insert(%s, y, %d)" % (braces(at), k + 1), [x, y],
               np.insert(x.a, here, y.a, k))
        y = w.operand(t, several)
        w.case("insert", "tide.insert(x, { %d }, y, %d)" % (lua, k + 1),
               [x, y], np.insert(x.a, [one], y.a, k))
        y = w.operand(t, np.moveaxis(x.a, k, 0).shape[1:])
        result = np.insert(x.a, one, y.a, k)
        out = w.target(result)
        w.case("insert", "x:insert(%d, y, %d, { out = z }) return Z" % (
            lua, k + 1), [x, y, out], out.base)
        one, lua = index_of(r, x.a.size, 1)
        w.case("insert", "x:insert(%d, %s)" % (
            lua, "true" if t == "bool" else "1"), [x],
               np.insert(x.a, one, np.array(1, t)))
        here, at = zip(*[index_of(r, n, 0) for _ in range(3)])
        w.case("delete", "x:delete(%s, %d)" % (braces(at), k + 1), [x],
               np.delete(x.a, here, k))
        one, lua = index_of(r, x.a.size, 0)
        w.case("delete", "tide.delete(x, %d)" % lua, [x],
               np.delete(x.a, one))


def triangles(w):
    for t in w.some(TYPES, 5):
        for ndim in 1, 2:
            x, k = w.operand(t, w.shape(ndim, ndim)), w.random.randrange(-2, 3)
            w.case("diag", "x:diag()", [x], np.diag(x.a))
            w.case("diag", "tide.diag(x, %d)" % k, [x], np.diag(x.a, k))
        for name, f in ("tril", np.tril), ("triu", np.triu):
            x, k = w.operand(t, w.shape(2)), w.random.randrange(-4, 5)
            w.case(name, "x:%s()" % name, [x], f(x.a))
            w.case(name, "tide.%s(x, %d)" % (name, k), [x], f(x.a, k))
            out = w.target(f(x.a, k))
            w.case(name, "x:%s(%d, { out = y }) return Y" % (name, k),
                   [x, out], out.base)


def grids(w):
    for t in w.some(TYPES, 5):
        x, y = w.operand(t, w.shape(1, 1)), w.operand("int32", w.shape(0, 1))
        z = w.operand("bool", (2,))
        k, sparse = w.random.randrange(3), w.form("sparse", (True, False))
        for name in "xy", "ij":
            w.case("meshgrid", "select(%d, tide.meshgrid({ x, y, z }, { "
                   "indexing = '%s', sparse = %s }))" % (
                       k + 1, name, number(sparse)), [x, y, z],
                   np.meshgrid(x.a, y.a, z.a, indexing=name,
                               sparse=sparse)[k])
        shape = w.shape()
        x = w.operand(t, w.partner(shape))
        y = w.operand("int8", w.partner(shape))
        for k in range(2):
            w.case("broadcast_arrays", "select(%d, tide.broadcast_arrays({ "
                   "x, y }))" % (k + 1), [x, y], np.broadcast_arrays(x.a, y.a)[k])
        n, i = w.random.randrange(5), w.operand("int8", w.shape())
        w.case("one_hot", "x:one_hot(%d, '%s')" % (n, t), [i],
               (i.a[..., None] == np.arange(1, n + 1)).astype(t))
        w.case("one_hot", "tide.one_hot(x, %d)" % n, [i],
               (i.a[..., None] == np.arange(1, n + 1)).astype("f8"))
        if t != "bool" and kind(t) != "c":
            w.case("indices", "tide.indices(%s, '%s')" % (braces(shape), t),
                   [], np.indices(shape, t) + np.array(1, t))


def counts_and_bytes(w):
    """repeat_each by counts, and views as another dtype"""
    r = w.random
    for t in w.some(TYPES, 5):
        x = w.operand(t, w.shape())
        k = r.randrange(-x.a.ndim, x.a.ndim) if x.a.ndim else None
        n = x.a.size if k is None else x.a.shape[k]
        axis = "nil" if k is None else str(k + 1 if k >= 0 else k)
        counts = [r.randrange(3) for _ in range(n)]
        result = np.repeat(x.a, counts, k)
        w.case("repeat_each", "x:repeat_each(%s, %s)" % (braces(counts), axis),
               [x], result)
        y = w.operand("bool", (n,))
        w.case("repeat_each", "tide.repeat_each(x, y, %s)" % axis, [x, y],
               np.repeat(x.a, y.a, k))
        out = w.target(result)
        w.case("repeat_each", "x:repeat_each(%s, { axis = %s, out = y }) "
               "return Y" % (braces(counts), axis), [x, out], out.base)
        x, other = w.operand(t, w.shape(), plain=True), r.choice(TYPES[1:])
        try:
            result = x.a.view(other)
        except ValueError:
            result = None
        w.case("view", w.form("view", ("x:view '%s'", "tide.view(x, '%s')")) %
               other, [x], result)


# -- indices ------------------------------------------------------------------

def component(w, n):
    """-> Lua's component of a key, NumPy's"""
    r = w.random
    what = r.choice(("whole", "index", "range", "backwards"))
    if what == "whole" or n == 0:
        return "{}", slice(None)
    if what == "index":
        i = r.randrange(-n, n)
        return str(i + 1 if i >= 0 else i), i
    if what == "backwards":
        by = r.randrange(1, 3)
        return "{nil, nil, %d}" % -by, slice(None, None, -by)
    i = r.randrange(n)
    j, by = r.randrange(i, n), r.randrange(1, 3)
    return "{%d, %d, %d}" % (i + 1, j - n, by), slice(i, j + 1, by)


def indices(w):
    for t in w.some(TYPES, 8):
        x = w.operand(t, w.shape(1, 3), plain=True, writable=True)
        parts = [component(w, n) for n in x.a.shape]
        parts = parts[:w.random.randrange(1, len(parts) + 1)]
        lua = "x[{ %s }]" % ", ".join(p for p, _ in parts)
        key = tuple(p for _, p in parts)
        result = np.asarray(x.a[key])
        w.case("index", lua if result.ndim else
               "tide.full({}, %s, '%s')" % (lua, t), [x], result)
        y = w.operand(t, w.partner(x.a[key].shape))
        text = x.text
        x.a[key] = y.a
        w.case("assign", lua + " = y return x", [x, y], x.a)
        x.a[key] = np.array(1, t)
        x.text = text
        w.case("assign", lua + " = %s return x" % (
            "true" if t == "bool" else "1"), [x], x.a)
        x = w.operand(t, w.shape(1), plain=False, writable=True)
        x.a[...] = np.array(1, t)
        for lua in ("x:fill(%s) return X", "tide.fill(x, %s) return X"):
            w.case("fill", lua % ("true" if t == "bool" else "1"), [x],
                   x.base)
        take(w, t)
        m = w.shape(1, 3)
        k = w.random.randrange(1, len(m) + 1)
        x, y = w.operand(t, m), w.operand("bool", m[:k])
        w.case("mask", w.form("mask", ("x:mask(y)", "tide.mask(x, y)")),
               [x, y], x.a[y.a])


def take(w, t):
    x = w.operand(t, w.shape(1, 3, False))
    k = w.random.randrange(x.a.ndim)
    i = w.operand(w.random.choice(("int32", "int64", "uint8")), w.shape(0, 2))
    for axis, lua in ((k, ", %d" % (k + 1)), (None, "")):
        n = x.a.size if axis is None else x.a.shape[axis]
        places = np.asarray(i.a).astype("int64")
        places = np.where(places < 0, np.maximum(places, -n) + n,
                          np.maximum(places, 1) - 1)
        result = np.take(x.a, np.minimum(places, n - 1), axis)
        w.case("take", "tide.take(x, y%s, { mode = \"clip\" })" % lua, [x, i],
               result, "take")
        w.case("take", "x:take({1, -1}%s)" % lua, [x],
               np.take(x.a, [0, n - 1], axis))


def lua_array(dtype, values):
    """An array of indices, as Lua makes it."""
    values = np.asarray(values)
    return "tide.array({%s}, '%s'):reshape%s" % (
        ", ".join(map(str, values.flatten())), dtype, braces(values.shape))


def from_one(at):
    return np.where(at < 0, at, at + 1)


def written(x, write):
    """`x` as it is once write(x) has been done to a copy."""
    x = x.copy()
    write(x)
    return x


def writes(w):
    r = w.random
    for t in w.some(TYPES, 6):
        x = w.operand(t, w.shape(1, 3, False), writable=True)
        k = r.randrange(x.a.ndim)
        n = x.a.shape[k]
        at = np.array([r.randrange(-n, n) for _ in range(r.randrange(1, 5))])
        lua = lua_array(r.choice(("int64", "int8")), from_one(at))
        y = w.operand(t, x.a.shape[:k] + at.shape + x.a.shape[k + 1:])
        z = w.operand(t, at.shape)

        def put_rows(a):
            np.moveaxis(a, k, 0)[at] = np.moveaxis(y.a, k, 0)
        w.case("put", "x:put(%s, y, %d) return x" % (lua, k + 1), [x, y],
               written(x.a, put_rows))
        if k == 0:
            w.case("put", "x[%s] = y return x" % lua, [x, y],
                   written(x.a, put_rows))
        w.case("put", "tide.put(x, %s, y) return x" % lua, [x, z],
               written(x.a, lambda a: np.put(a, at, z.a)))
        m = w.operand("bool", x.a.shape[:r.randrange(x.a.ndim + 1)])
        w.case("mask", "x[y]", [x, m], x.a[m.a])
        w.case("put", "x[y] = z[{ { 1, 1 } }] return x", [x, m, z],
               written(x.a, lambda a: a.__setitem__(m.a, z.a[0])))
        v = w.operand(t, x.a[m.a].shape)
        w.case("put", "x[y] = z return x", [x, m, v],
               written(x.a, lambda a: a.__setitem__(m.a, v.a)))
        along_axis(w, x, k)


def scatters(w):
    r = w.random
    for t in w.some(TYPES, 6):
        # -1 is the last one; sums of tame elements are exact
        x = w.operand(t, w.shape(1, 3, False), tame=True, writable=True)
        k = r.randrange(x.a.ndim)
        n = x.a.shape[k]
        at = np.array([r.randrange(-n, n) for _ in range(r.randrange(1, 7))])
        lua = lua_array("int32", from_one(at))
        y = w.operand(t, x.a.shape[:k] + at.shape + x.a.shape[k + 1:],
                      tame=True)
        for name, f in (("scatter_add", np.add), ("scatter_min", np.minimum),
                        ("scatter_max", np.maximum)):
            if kind(t) == "c" and f is not np.add:
                continue

            def join(a):
                f.at(np.moveaxis(a, k, 0), at, np.moveaxis(y.a, k, 0))
            for call in "x:%s(" % name, "tide.%s(x, " % name:
                w.case(name, "%s%s, y, %d) return x" % (call, lua, k + 1),
                       [x, y], written(x.a, join))


def along_axis(w, x, k):
    n, length = x.a.shape[k], w.random.randrange(1, 4)
    shape = x.a.shape[:k] + (length,) + x.a.shape[k + 1:]
    at = np.array([w.random.randrange(-n, n) for _ in range(np.prod(shape))])
    at = at.reshape(shape)
    lua = lua_array("int32", from_one(at))
    result = np.take_along_axis(x.a, at, k)
    w.case("take_along_axis", "x:take_along_axis(%s, { axis = %d })" % (
        lua, k + 1), [x], result)
    w.case("take_along_axis", "tide.take_along_axis(x, %s, %d)" % (
        lua, k - x.a.ndim), [x], result)
    y = w.operand(x.a.dtype.name, shape)
    result = written(x.a, lambda a: np.put_along_axis(a, at, y.a, k))
    for call in "x:put_along_axis(", "tide.put_along_axis(x, ":
        w.case("put_along_axis", "%s%s, y, %d) return x" % (call, lua, k + 1),
               [x, y], result)


def nonzeros(w):
    r = w.random
    for t in w.some(TYPES, 6):
        x = w.operand(t, w.shape(1, 3))
        for k, at in enumerate(np.nonzero(x.a)):
            w.case("argwhere", w.form("argwhere", (
                "x:argwhere()", "tide.argwhere(x)")), [x],
                np.argwhere(x.a) + 1)
            for call in "x:nonzero()", "tide.nonzero(x)":
                w.case("nonzero", "(select(%d, %s))" % (k + 1, call), [x],
                       at + 1)
            w.case("nonzero", "(select(%d, tide.where(x, { base = 0 })))" % (
                k + 1), [x], at)
    shape = tuple(r.randrange(1, 5) for _ in range(r.randrange(1, 4)))
    at = np.array([r.randrange(np.prod(shape)) for _ in range(5)])
    for k, index in enumerate(np.unravel_index(at, shape)):
        w.case("unravel_index", "(select(%d, tide.unravel_index(%s, %s)))" % (
            k + 1, braces(at + 1), braces(shape)), [], index + 1)
    w.case("ravel_multi_index", "tide.ravel_multi_index({ %s }, %s, { base = 0 "
           "})" % (", ".join(braces(i) for i in np.unravel_index(at, shape)),
                   braces(shape)), [], at)


# -- new ones -----------------------------------------------------------------

def creation(w):
    r = w.random
    for t in w.some(TYPES, 7):
        shape = w.shape()
        for name, f in (("zeros", np.zeros), ("ones", np.ones)):
            w.case(name, "tide.%s(%s, '%s')" % (name, braces(shape), t), [],
                   f(shape, t))
        one = "true" if t == "bool" else "1"
        w.case("full", "tide.full(%s, %s, '%s')" % (braces(shape), one, t), [],
               np.ones(shape, t))
        w.case("empty", "tide.empty(%s, '%s'):fill(%s)" % (
            braces(shape), t, one), [], np.ones(shape, t))
        x = w.operand(t, shape)
        for name, f in (("zeros", np.zeros), ("ones", np.ones)):
            w.case(name, "tide.%s_like(x)" % name, [x], f(shape, t))
        w.case("full", "tide.full_like(x, %s)" % one, [x], np.ones(shape, t))
        w.case("empty", "tide.empty_like(x):fill(%s)" % one, [x],
               np.ones(shape, t))
        n, m, k = r.randrange(5), r.randrange(5), r.randrange(-5, 6)
        w.case("eye", "tide.eye(%d, %d, %d, '%s')" % (n, m, k, t), [],
               np.eye(n, m, k, t))
        if t == "bool" or kind(t) == "c":
            continue
        a, b, by = r.randrange(0, 9), r.randrange(0, 40), r.randrange(1, 5)
        w.case("arange", "tide.arange(%d, %d, %d, '%s')" % (a, b, by, t), [],
               np.arange(a, b, by).astype(t))
        w.case("linspace", "tide.linspace(%d, %d, %d, '%s')" % (a, b, n, t),
               [], np.linspace(a, b, n, dtype=t))
    for _ in range(9 if w.many else 3):
        a, b = r.randrange(-80, 80) / 8, r.uniform(-9, 9)
        by = (b - a) / r.choice((0.5, 3, 4, 7.5))
        w.case("arange", "tide.arange(%s, %s, %s)" % (a, number(b), by), [],
               a + np.arange(len(np.arange(a, b, by))) * by, "arange")
        n, end = r.randrange(9), r.random() < 0.5
        w.case("linspace", "tide.linspace(%s, %s, %d, { endpoint = %s })" % (
            a, number(b), n, number(end)), [], np.linspace(a, b, n, end))
        base = r.choice((2, 3, 10, 0.5))
        w.case("logspace", "tide.logspace(%s, %s, %d, "
               "{ base = %s, endpoint = %s })" % (
                   a, number(b), n, base, number(end)), [],
               np.logspace(a, b, n, end, base))
        a, b = r.uniform(0.1, 100), r.uniform(0.1, 100)
        sign = r.choice((-1, 1))
        w.case("geomspace", "tide.geomspace(%s, %s, %d, { endpoint = %s })" % (
            number(sign * a), number(sign * b), n, number(end)), [],
            np.geomspace(sign * a, sign * b, n, end))
    w.case("arange", "tide.arange(5)", [], np.arange(5))
    w.case("arange", "tide.arange(9, -9, -4)", [], np.arange(9, -9, -4))
