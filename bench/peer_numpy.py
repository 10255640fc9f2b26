"""peer_numpy.py - host.lua's rows in NumPy; see peers.py."""
import os
import tempfile
import types

import numpy as np

from peers import Bench, everyday, everyday_arrays, take_everyday


def rows():
    print("# numpy", np.__version__)
    bench = Bench(lambda: None)
    count = 1 << 24
    x, y = np.ones(count, np.float32), np.ones(count, np.float32)
    a, b = np.ones(1024, np.float32), np.ones(1024, np.float32)

    m, v = np.ones((4096, 4096), np.float32), np.ones(4096, np.float32)
    cube = np.ones((64, 512, 512), np.float32).transpose(2, 0, 1)
    tiny = np.ones((100000, 3, 3), np.float32)

    def repeated(f):
        def loop(n):
            for _ in range(n):
                f()
        return loop

    for key, nbytes, f in (
            ("host_add_24", 12, lambda: x + y),
            ("host_mul8_24", 20, lambda: x * y + 8),
            ("host_div_24", 12, lambda: x / y),
            ("host_exp_24", 8, lambda: np.exp(x)),
            ("host_square_24", 8, lambda: x ** 2),
            ("host_root_24", 8, lambda: x ** 0.5),
            ("host_sum_24", 4, lambda: x.sum()),
            ("host_argmax_24", 4, lambda: x.argmax()),
            ("host_cast_24", 12, lambda: x.astype(np.float64)),
            ("host_copy_24", 8, lambda: x.copy()),
            ("host_fused_24", 8, lambda: (m + v) * v[:, None]),
            ("host_turned_24", 8, lambda: np.square(m.T, order="C")),
            ("host_permuted_24", 4, lambda: cube.max(2)),
            ("host_matvec_24", 4, lambda: m @ v),
            ("host_vecmat_24", 4, lambda: v @ m)):
        bench.rate(key, 4, nbytes * count, repeated(f))

    path = os.path.join(tempfile.gettempdir(), "numpy-%d.npy" % os.getpid())
    np.save(path, x)
    bench.rate("host_load_24", 4, 4 * count, repeated(lambda: np.load(path)))
    bench.rate("host_save_24", 4, 4 * count, repeated(lambda: np.save(path, x)))
    os.remove(path)

    def add_cold(_):
        kept = [x + y for _ in range(8)]
        del kept

    bench.rate("host_add_cold_24", 1, 8 * 12 * count, add_cold)
    bench.us("host_tiny_100k", 10, repeated(lambda: tiny @ tiny))

    def mul_1k(n):
        for _ in range(n):
            a * b

    def sum_1k(n):
        for _ in range(n):
            a.sum()

    def item_1k(n):
        for _ in range(n):
            (a * b).sum().item()

    bench.us("host_mul_1k", 10000, mul_1k)
    bench.us("host_sum_1k", 10000, sum_1k)
    bench.us("host_item_1k", 1000, item_1k)
    every_day(bench)


def every_day(bench):
    env = everyday_arrays(np, 20)
    env["cupyx"] = types.SimpleNamespace(scatter_add=np.add.at,
                                         scatter_max=np.maximum.at)
    env["normal"] = np.random.default_rng(1).standard_normal
    try:
        import scipy.signal
        import scipy.special
        env["signal"] = scipy.signal
        env["special"] = scipy.special
    except ImportError:
        pass  # its rows say so
    slow = "host_every_matmul_f16"
    bench.missing(slow, "seconds each: NumPy has no library for float16")
    take_everyday(bench, [row for row in everyday(2, "host_every_")
                          if row[0] != slow], env)
