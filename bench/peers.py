"""The rows of the bench in CuPy, PyTorch and NumPy.

    python3 bench/peers.py cupy|torch|numpy          all rows, as limit.c's
    python3 bench/peers.py cupy|torch calls          those of microseconds
    python3 bench/peers.py cupy|torch start          one result from cold

A sample is one loop of n calls and a wait for the device, over n; the loop
runs once before, for warm-up, that of the first row for WARM seconds. Rows a peer cannot do print '-' and why.
README.md says what a call is in each row.
"""
import os.path
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

    def us(self, key, n, loop):
        self.row(key, "us", n, REPEATS, loop, lambda s: s * 1e6)

    def rate(self, key, n, nbytes, loop):
        self.row(key, "GB/s", n, 7, loop, lambda s: nbytes / s / 1e9)

    def group(self, take, *keys):
        """take(self) prints rows; where it raises, 'keys' print '-'."""
        try:
            take(self)
        except Exception as error:
            for key in keys:
                self.missing(key, repr(error))


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
