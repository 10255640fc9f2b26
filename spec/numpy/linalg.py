"""linalg.py - answers of numpy.linalg about matrices that are far from
singular, rounded to digits that every algorithm has right."""
import numpy as np

SQUARE = [
    ("solve", "tide.linalg.solve({x}, {y})",
     lambda x, y: np.linalg.solve(x, np.broadcast_to(
         y, x.shape[:-2] + y.shape))),
    ("inv", "tide.linalg.inv({x})", np.linalg.inv),
    ("cholesky", "tide.linalg.cholesky({x}:matmul(tide.matrix_transpose({x})"
     ":conj()))", lambda x: np.linalg.cholesky(x @ np.swapaxes(
         x, -1, -2).conj())),
    ("eigvalsh", "tide.linalg.eigvalsh({x}) / 10",
     lambda x: np.linalg.eigvalsh(x) / 10),
    ("det", "tide.linalg.det({x} / 400)", lambda x: np.linalg.det(x / 400)),
    ("slogdet", "select(2, tide.linalg.slogdet({x}))",
     lambda x: np.linalg.slogdet(x)[1]),
    ("slogdet", "(tide.linalg.slogdet({x}))", lambda x: np.linalg.slogdet(x)[0]),
    ("matrix_power", "tide.linalg.matrix_power({x} / 400, 5)",
     lambda x: np.linalg.matrix_power(x / 400, 5)),
    ("matrix_power", "tide.linalg.matrix_power({x}, -2)",
     lambda x: np.linalg.matrix_power(x, -2)),
    ("cond", "tide.linalg.cond({x}, 1)", lambda x: np.linalg.cond(x, 1)),
    ("trace", "tide.linalg.trace({x}, 1)",
     lambda x: np.trace(x, 1, -2, -1)),
]
ANY = [
    ("svdvals", "tide.linalg.svdvals({x})",
     lambda x: np.linalg.svd(x, compute_uv=False)),
    ("pinv", "tide.linalg.pinv({x})", np.linalg.pinv),
    ("matrix_rank", "tide.linalg.matrix_rank({x}):astype 'float64'",
     lambda x: np.asarray(np.linalg.matrix_rank(x), "float64")),
    ("qr", "select(2, tide.linalg.qr({x})):abs()",
     lambda x: np.abs(np.array([np.linalg.qr(m)[1] for m in x.reshape(
         (-1,) + x.shape[-2:])]).reshape(x.shape[:-2] + (
             min(x.shape[-2:]), x.shape[-1])))),
    ("cond", "tide.linalg.cond({x})", np.linalg.cond),
    ("lstsq", "(tide.linalg.lstsq({x}, {y}))",
     lambda x, y: np.linalg.pinv(x) @ y),
] + [
    ("matrix_norm", "tide.linalg.matrix_norm({x}, { ord = %s, keepdims = true "
     "})" % name, lambda x, ord=ord: np.linalg.norm(x, ord, (-2, -1), True))
    for ord, name in [(2, "2"), (-2, "-2"), ("nuc", "'nuc'"), ("fro", "'fro'"),
                      (1, "1"), (-np.inf, "-math.huge")]
]


def matrices(w):
    r = w.random
    for t in w.some(["float64", "complex128", "int32", "bool"], 3):
        kind = "complex128" if t == "complex128" else "float64"
        for name, lua, numpy in SQUARE + ANY:
            batch = w.shape(0, 1, False)
            m = r.randrange(1, 6)
            n = m if (name, lua, numpy) in SQUARE else r.randrange(1, 6)
            x = w.operand(t, batch + (m, n), True)
            y = w.operand(t, (m, r.randrange(1, 3)), True)
            far = x.a.astype(kind) + 400 * np.eye(m, n)
            args = [far] + [y.a.astype(kind)] * ("{y}" in lua)
            lua = lua.replace("{x}", "(x:astype '%s' + tide.eye(%d, %d) * 400)"
                              % (kind, m, n)).replace("{y}", "y")
            result = np.asarray(numpy(*args))
            parts = ("real", "imag") if result.dtype.kind == "c" else ("real",)
            for part in parts:
                own = np.real(result) if part == "real" else np.imag(result)
                w.case("linalg." + name, "(%s):%s():round(6) + 0" % (
                    lua, part), [x, y] if "y" in lua else [x],
                    np.round(own, 6) + 0.0)
