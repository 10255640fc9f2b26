"""ranks_torch.py - the rows of ranks.lua by PyTorch.

python3 bench/ranks_torch.py peers     copies between two GPUs
python3 bench/ranks_torch.py ranks     one rank: RANK, WORLD_SIZE, MASTER_ADDR,
                                       MASTER_PORT
"""
import os
import sys
import time

import torch

REPEATS = 15


def row(key, n, call, wait, size=None, prints=True):
    """Microseconds a call, or GB/s of 'size' bytes."""
    def loop():
        for _ in range(n):
            call()
        wait()
    loop()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        loop()
        times.append((time.perf_counter() - start) / n)
    times.sort()
    unit = "GB/s" if size else "us"
    of = (lambda t: size / t / 1e9) if size else (lambda t: t * 1e6)
    low, high = sorted((of(times[0]), of(times[-1])))
    if prints:
        print(f"{key}\t{of(times[REPEATS // 2]):.5g}\t{unit}\t{low:.5g}\t"
              f"{high:.5g}", flush=True)


def peers():
    def wait():
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
    for key, n, calls, rate in (("peer_256m", 1 << 26, 50, True),
                                ("peer_1m", 1 << 18, 500, False),
                                ("peer_4k", 1024, 2000, False)):
        a = torch.ones(n, device="cuda:0")
        b = torch.zeros(n, device="cuda:1")
        row(key, calls, lambda: b.copy_(a, non_blocking=True), wait,
            4 * n if rate else None)


def ranks():
    import torch.distributed as dist
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    for key, n, calls, rate in (("reduce_1g", 1 << 28, 5, True),
                                ("reduce_1m", 1 << 18, 500, False),
                                ("reduce_8", 2, 2000, False)):
        x = torch.zeros(n, device="cuda")
        row(key, calls, lambda: dist.all_reduce(x), torch.cuda.synchronize,
            4 * n if rate else None, rank == 0)
    dist.destroy_process_group()


if __name__ == "__main__":
    {"peers": peers, "ranks": ranks}[sys.argv[1]]()
