"""transforms.py - cases of Fourier transforms."""
import numpy as np

from arrays import braces
from operands import TYPES, kind

NORMS = (None, "backward", "ortho", "forward")
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 67)


def precision(t):
    """-> the real dtype that stands for it, the complex one"""
    single = t in ("float16", "float32", "complex64")
    return ("float32", "complex64") if single else ("float64", "complex128")


def emit(w, name, x, lua, result):
    real, both = precision(x.a.dtype.name)
    to = both if kind(result.dtype) == "c" else real
    w.case("fft." + name, lua, [x], result.astype(to))


def settings(w, many, lengths, axes, names):
    """-> the options of NumPy, the rest of the call in Lua"""
    r = w.random
    norm = r.choice(NORMS)
    options, lua = {"norm": norm}, []
    given = r.random() < 0.6
    text = braces(map(str, lengths)) if many else str(lengths[0])
    if given:
        options["s" if many else "n"] = lengths if many else lengths[0]
    if not many or r.random() < 0.5 or not given:
        options["axes" if many else "axis"] = axes if many else axes[0]
        lua.append("axes = %s" % braces(names) if many else
                   "axis = %s" % names[0])
    elif many:
        options["axes"] = None
    if norm:
        lua.append("norm = '%s'" % norm)
    first = given and r.random() < 0.5
    if given and not first:
        lua.append("%s = %s" % ("s" if many else "n", text))
    return options, (", " + text if first else "") + (
        ", { %s }" % ", ".join(lua) if lua else "")


def transforms(w):
    r = w.random
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn",
                 "ifftn", "fft2", "ifft2", "rfft2", "irfft2", "rfftn",
                 "irfftn"):
        takes = [t for t in TYPES if kind(t) != "c" or
                 name not in ("rfft", "ihfft", "rfft2", "rfftn")]
        many = name[-1] in "n2"
        for t in w.some(takes, 3):
            x = w.operand(t, w.shape(2 if many else 1, 3, False), True)
            count = 1 if not many else 2 if name[-1] == "2" else \
                r.randrange(1, x.a.ndim + 1)
            axes = r.sample(range(x.a.ndim), count)
            names = [str(k + 1 if r.random() < 0.5 else k - x.a.ndim)
                     for k in axes]
            lengths = [r.choice(LENGTHS[:9] if many else LENGTHS)
                       for _ in axes]
            options, lua = settings(w, many, lengths, axes, names)
            a = x.a.astype(precision(t)[kind(t) == "c"])
            try:
                result = getattr(np.fft, name)(a, **options)
            except ValueError:  # no points
                w.case("fft." + name, "tide.fft.%s(x%s)" % (name, lua), [x],
                       None)
                continue
            emit(w, name, x, "tide.fft.%s(x%s)" % (name, lua), result)


def frequencies(w):
    r = w.random
    for name in ("fftfreq", "rfftfreq"):
        n, d = r.randrange(1, 12), r.choice((1, 0.5, 3, 0.1))
        w.case("fft." + name, "tide.fft.%s(%d, %r)" % (name, n, d), [],
               getattr(np.fft, name)(n, d))
    for name in ("fftshift", "ifftshift"):
        x = w.operand(r.choice(TYPES), w.shape(1, 3), True)
        shift = getattr(np.fft, name)
        w.case("fft." + name, "tide.fft.%s(x)" % name, [x], shift(x.a))
        axis = r.randrange(x.a.ndim)
        w.case("fft." + name, "tide.fft.%s(x, %d)" % (name, axis + 1), [x],
               shift(x.a, axis))
        axes = r.sample(range(x.a.ndim), r.randrange(1, x.a.ndim + 1))
        w.case("fft." + name, "tide.fft.%s(x, { axes = %s })" % (
            name, braces([k - x.a.ndim for k in axes])), [x],
            shift(x.a, axes))


PARTS = [transforms, frequencies]
