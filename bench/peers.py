"""The rows of the bench in CuPy, PyTorch and NumPy.

    python3 bench/peers.py cupy|torch|numpy          all rows, as limit.c's
    python3 bench/peers.py cupy|torch calls          only rows in microseconds
    python3 bench/peers.py cupy|torch start          one result from cold

A sample is one loop of n calls and a wait for the device, divided by n. The
loop runs once before, for warm-up, and the first row's loop for WARM seconds. A
row that a peer cannot do prints '-' and the reason. README.md describes the
calls of each row.
"""
import os
import runpy
import sys
import time

REPEATS = 15
WARM = 1.5
BIG = 1 << 28
COPY = 256 << 20
SOURCE = """
extern "C" __global__ void mul3(const float *x, const float *y, float *z) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1024) z[i] = x[i] * y[i];
}"""


def samples(loop, n, repeats, drain):
    """Seconds per call of each sample, in ascending order."""
    global WARM
    start = time.perf_counter()
    while True:
        loop(n)
        drain()
        if time.perf_counter() - start >= WARM:
            break
    WARM = 0
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        loop(n)
        drain()
        taken.append((time.perf_counter() - start) / n)
    return sorted(taken)


class Bench:
    """Takes and prints rows; drain() waits for the device."""

    def __init__(self, drain):
        self.drain = drain

    def missing(self, key, why):
        print(key, "-", "-", " ".join(str(why).split())[:200], sep="\t",
              flush=True)

    def row(self, key, unit, n, repeats, loop, figure):
        try:
            t = [figure(s) for s in samples(loop, n, repeats, self.drain)]
        except Exception as error:  # the next row may still be had
            return self.missing(key, repr(error))
        print(key, f"{t[repeats // 2]:.5g}", unit, f"{min(t):.5g}",
              f"{max(t):.5g}", sep="\t", flush=True)

    def us(self, key, n, loop, repeats=REPEATS):
        self.row(key, "us", n, repeats, loop, lambda s: s * 1e6)

    def rate(self, key, n, nbytes, loop):
        self.row(key, "GB/s", n, 7, loop, lambda s: nbytes / s / 1e9)

    def group(self, take, *keys):
        """take(self) prints rows; if it raises, 'keys' print '-'."""
        try:
            take(self)
        except Exception as error:
            for key in keys:
                self.missing(key, repr(error))


EVERYDAY = 24  # bits


def everyday(column, prefix):
    """(key, expression) of the rows of everyday.txt that this column has."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "everyday.txt")
    with open(path) as lines:
        rows = [[cell.strip() for cell in line.split(" | ")] for line in lines
                if line.strip() and line[0] != "#"]
    return [(prefix + row[0], row[column]) for row in rows
            if row[column] != "-"]


def take_everyday(bench, rows, env):
    """Rows of microseconds a call, for expressions with the names of env."""
    for key, text in rows:
        call = eval("lambda: " + text, env)
        try:
            call()
            start = time.perf_counter()
            call()
            bench.drain()
            n = int(0.01 / (time.perf_counter() - start))
        except Exception as error:
            bench.missing(key, repr(error))
            continue

        def loop(count, call=call):
            for _ in range(count):
                call()

        bench.us(key, max(1, min(1000, n)), loop, 7)


def everyday_arrays(xp, bits):
    """The operands of the expressions, in NumPy or a module like it."""
    n, side, edge = 1 << bits, 1 << bits // 2, 1 << bits // 3
    x = xp.random.uniform(size=n).astype(xp.float32)
    y = xp.random.uniform(size=n).astype(xp.float32)
    m = x.reshape(side, side)
    u = x[:1 << 20].astype(xp.complex64)
    a = x[:1 << 18].reshape(512, 512) + 512 * xp.eye(512, dtype=xp.float32)
    return {
        "u": u, "o": u.reshape(1024, 1024), "a": a, "f": a + a.T,
        "j": x[:1 << 18].reshape(4096, 8, 8) + 8 * xp.eye(8, dtype=xp.float32),
        "xp": xp, "N": n, "x": x, "y": y, "d": x.astype(xp.float64),
        "h": x.astype(xp.float16), "i": xp.random.randint(0, 1000, n),
        "b": x < 0.5, "m": m, "g": m.astype(xp.float16), "q": x.reshape(-1, 4),
        "c": x[:edge ** 3].reshape(edge, edge, edge), "p0": y.argsort(),
        "k": xp.zeros(n, "int64"), "t10": xp.zeros(1000, "float32"),
        "e0": xp.random.randint(0, 1000, n),
        "z": x.copy(), "n": m.copy(), "s0": m.argsort(1), "w": x[x < 0.5],
        "r0": xp.random.permutation(side), "t": xp.random.randint(0, 1000, 1000)
    }


def main():
    """Runs rows() or start() of the peer's own file."""
    peer, what = (sys.argv[1:] + ["rows"])[:2] if sys.argv[1:] else ("", "")
    if peer not in ("cupy", "torch", "numpy") or what not in (
            "rows", "calls", "start"):
        sys.exit(__doc__)
    sys.modules["peers"] = sys.modules[__name__]  # what the files import from
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        functions = runpy.run_path(f"{here}/peer_{peer}.py")
    except ImportError as error:
        print(f"bench: not installed: {error}", file=sys.stderr)
        sys.exit(3)
    if what == "rows":
        print("# Python", sys.version.split()[0])
    functions[what]()


if __name__ == "__main__":
    main()
