"""peer_cupy.py - the rows in CuPy; see peers.py."""
import os
import threading

import cupy as cp
import numpy as np

from peers import (BIG, COPY, EVERYDAY, SOURCE, Bench, everyday,
                   everyday_arrays, take_everyday)


def launches(bench):
    x = cp.arange(1024, dtype=cp.float32)
    y = cp.arange(1024, dtype=cp.float32)
    z = cp.zeros(1024, dtype=cp.float32)
    kernel = cp.RawKernel(SOURCE, "mul3")
    grid, block, args = (4,), (256,), (x, y, z)
    stream, empty = cp.cuda.get_current_stream(), cp.empty

    @cp.fuse()
    def fused(a, b):
        return a * b + 8

    def launch3(n):
        for _ in range(n):
            kernel(grid, block, args)

    def launch_sync(n):
        for _ in range(n):
            kernel(grid, block, args)
            stream.synchronize()

    def mul(n):
        for _ in range(n):
            x * y

    def mul8_eager(n):
        for _ in range(n):
            x * y + 8

    def mul8_fused(n):
        for _ in range(n):
            fused(x, y)

    def sum1k(n):
        for _ in range(n):
            x.sum()

    def empty4k(n):
        for _ in range(n):
            empty(1024, dtype=cp.float32)

    bench.us("launch3", 2000, launch3)
    assert float(z[1023]) == 1023.0 * 1023.0
    bench.us("launch_sync", 1000, launch_sync)
    bench.us("mul", 10000, mul)
    bench.us("mul8_eager", 10000, mul8_eager)
    bench.us("mul8_fused", 10000, mul8_fused)
    bench.us("sum1k", 10000, sum1k)
    bench.us("empty4k", 10000, empty4k)

    share, take = cp.ndarray.__dlpack__, cp.fromDlpack

    def dlpack(n):
        for _ in range(n):
            take(share(x))

    assert take(share(x)).data.ptr == x.data.ptr
    bench.us("dlpack", 10000, dlpack)


def streams(bench):
    Event, Stream = cp.cuda.Event, cp.cuda.Stream
    current = cp.cuda.get_current_stream
    s, t = Stream(non_blocking=True), Stream(non_blocking=True)
    e = Event(disable_timing=True)

    def record(n):
        for _ in range(n):
            e.record(s)

    def wait(n):
        for _ in range(n):
            t.wait_event(e)

    def with_stream(n):
        for _ in range(n):
            with s:
                pass

    def current_stream(n):
        for _ in range(n):
            current()

    def new_event(n):
        for _ in range(n):
            Event(disable_timing=True)

    def new_stream(n):
        for _ in range(n):
            Stream(non_blocking=True)

    bench.us("record", 20000, record)
    bench.us("wait", 20000, wait)
    bench.us("with_stream", 20000, with_stream)
    bench.us("current_stream", 20000, current_stream)
    bench.us("new_event", 20000, new_event)
    bench.us("new_stream", 2000, new_stream)
    crossing(bench, s, t)


def crossing(bench, s, t):
    x = cp.ones(1024, dtype=cp.float32)
    z = cp.ones(1024, dtype=cp.float32)
    streams, multiply = (s, t), cp.multiply
    events = [cp.cuda.Event(disable_timing=True) for _ in streams]
    before = cp.cuda.get_current_stream()

    def cross(n):
        for k in range(n):
            i = k & 1
            streams[i].use()
            multiply(x, x, out=z)
            events[i].record(streams[i])
            streams[1 - i].wait_event(events[i])
        before.use()

    def nothing(_):
        pass

    def hostfunc_sync(n):
        for _ in range(n):
            s.launch_host_func(nothing, None)
            s.synchronize()

    bench.us("cross", 2000, cross)
    bench.us("hostfunc_sync", 1000, hostfunc_sync)


def graphs(bench):
    x = cp.ones(1024, dtype=cp.float32)
    z = cp.zeros(1024, dtype=cp.float32)
    s = cp.cuda.Stream(non_blocking=True)
    for nodes, calls in ((1, 2000), (10, 500), (100, 100)):
        with s:
            cp.multiply(x, x, out=z)  # compiled before the capture
            s.begin_capture()
            for _ in range(nodes):
                cp.multiply(x, x, out=z)
            graph = s.end_capture()

        def launch(n):
            for _ in range(n):
                graph.launch(s)

        bench.us(f"graph{nodes}", calls, launch)
    assert float(z[1023]) == 1.0


def bandwidth(bench):
    a = cp.arange(BIG, dtype=cp.float32)
    b = cp.arange(BIG, dtype=cp.float32)
    c = cp.zeros(BIG, dtype=cp.float32)

    def add_big(n):
        for _ in range(n):
            cp.add(a, b, out=c)

    def add_big_new(n):
        for _ in range(n):
            a + b

    def sum_big(n):
        for _ in range(n):
            a.sum()

    bench.rate("add_big", 20, 12 * BIG, add_big)
    assert float(c[1]) == 2.0
    bench.rate("add_big_new", 20, 12 * BIG, add_big_new)
    bench.rate("sum_big", 20, 4 * BIG, sum_big)
    del a, b, c


def functions(bench):
    a = cp.arange(BIG, dtype=cp.float32)
    b = cp.arange(BIG, dtype=cp.float32)
    c = cp.zeros(BIG, dtype=cp.float32)

    @cp.fuse()
    def fused(x, y):
        return x * y + 8

    def fused_big(n):
        for _ in range(n):
            fused(a, b)

    def sin_big(n):
        for _ in range(n):
            cp.sin(a, out=c)

    bench.rate("fused_big", 20, 12 * BIG, fused_big)
    a %= 1024
    a *= 0.25
    bench.rate("sin_big", 20, 8 * BIG, sin_big)


def matrices(bench):
    side = 1 << 14
    z = cp.zeros((side, side), dtype=cp.float32)
    m = z + cp.arange(side, dtype=cp.float32) % 1024
    row = cp.arange(side, dtype=cp.float32)
    column = row.reshape(side, 1)

    @cp.fuse()
    def fused(x, y, w):
        return (x + y) * w

    def row_big(n):
        for _ in range(n):
            cp.add(m, row, out=z)

    def fused_row_big(n):
        for _ in range(n):
            fused(m, row, column)

    def axis1_big(n):
        for _ in range(n):
            m.sum(axis=0)

    def axis2_big(n):
        for _ in range(n):
            m.sum(axis=1)

    def turned_big(n):
        for _ in range(n):
            z[...] = m.T

    bench.rate("row_big", 20, 8 * BIG, row_big)
    bench.rate("fused_row_big", 20, 8 * BIG, fused_row_big)
    bench.rate("axis1_big", 20, 4 * BIG, axis1_big)
    bench.rate("axis2_big", 20, 4 * BIG, axis2_big)
    bench.rate("turned_big", 20, 8 * BIG, turned_big)


def many(bench):
    x = cp.random.uniform(size=BIG // 4, dtype=cp.float32)
    z = cp.zeros(BIG // 4, dtype=cp.float32)
    generator = cp.random.default_rng(1)

    def cumsum(n):
        for _ in range(n):
            cp.cumsum(x, out=z)

    def sort(n):
        for _ in range(n):
            cp.sort(x)

    def uniform(n):
        for _ in range(n):
            generator.random(dtype=cp.float32, out=z)

    bench.us("cumsum_26", 5, cumsum)
    bench.us("sort_26", 3, sort)
    bench.us("uniform_26", 10, uniform)


def copies(bench):
    n4 = COPY // 4
    a = cp.arange(n4, dtype=cp.float32)
    s = cp.cuda.get_current_stream()
    memory = cp.cuda.alloc_pinned_memory(COPY)
    pinned = np.frombuffer(memory, np.float32, n4)
    data = np.arange(n4, dtype=np.float32).tobytes()
    pinned[...] = np.frombuffer(data, np.float32)

    def h2d_pinned(n):
        for _ in range(n):
            a.set(pinned, stream=s)

    def d2h_pinned(n):
        for _ in range(n):
            a.get(stream=s, out=pinned, blocking=False)

    def h2d_pageable(n):
        for _ in range(n):
            cp.asarray(np.frombuffer(data, np.float32))

    def d2h_new(n):
        for _ in range(n):
            cp.asnumpy(a)

    bench.rate("h2d_pinned", 10, COPY, h2d_pinned)
    bench.rate("d2h_pinned", 10, COPY, d2h_pinned)
    bench.rate("h2d_pageable", 2, COPY, h2d_pageable)
    bench.rate("d2h_new", 2, COPY, d2h_new)
    assert pinned[1] == 1.0


CHUNK = 64 << 20  # of a file, as in file.lua
JOBS = 64         # at a time, on as many streams


def pinned_array(n, dtype):
    memory = cp.cuda.alloc_pinned_memory(n * np.dtype(dtype).itemsize)
    return np.frombuffer(memory, dtype, n)


def statistics(x):
    """Returns sum, sum of squares, minimum, maximum, newlines of bytes."""
    wide = x.astype(cp.int32)
    return (wide.sum(), (wide * wide).sum(), x.min(), x.max(),
            cp.count_nonzero(x == 10))


def files(bench):
    """A file in the page cache, by chunks over four streams in turn."""
    path = os.environ["TIDE_BENCH_FILE"]
    size = os.path.getsize(path)
    lanes = [(cp.cuda.Stream(non_blocking=True), pinned_array(CHUNK, np.uint8),
              cp.empty(CHUNK, dtype=cp.uint8)) for _ in range(4)]

    def read_all(use):
        results = []
        with open(path, "rb", buffering=0) as file:
            for i in range((size + CHUNK - 1) // CHUNK):
                stream, pinned, x = lanes[i % 4]
                stream.synchronize()
                n = file.readinto(pinned)
                with stream:
                    x[:n].set(pinned[:n])
                    results.append(use(x[:n]))
        return results

    def file_read(n):
        for _ in range(n):
            read_all(lambda x: None)

    def main_job(n):
        for _ in range(n):
            list(map(lambda r: [int(v) for v in r], read_all(statistics)))

    bench.rate("file_read", 1, size, file_read)
    bench.rate("main_job", 1, size, main_job)


def jobs(bench):
    """Small jobs, a thread for each of the streams."""
    def work(n):
        stream = cp.cuda.Stream(non_blocking=True)
        h = pinned_array(1024, np.float32)
        h[...] = 1
        x, y = cp.empty(1024, cp.float32), cp.empty(1024, cp.float32)
        with stream:
            for _ in range(n):
                x.set(h)
                cp.multiply(x, x, out=y)
                cp.add(y, 8, out=y)
                y.get(stream=stream, out=h, blocking=False)
                stream.synchronize()

    def job(n):
        threads = [threading.Thread(target=work, args=(n // JOBS,))
                   for _ in range(JOBS)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    bench.us("job", 1984, job)


def every_day(bench):
    import cupyx.scipy.signal
    import cupyx.scipy.special
    generator = cp.random.default_rng(1)
    env = everyday_arrays(cp, EVERYDAY)
    env["signal"] = cupyx.scipy.signal
    env["special"] = cupyx.scipy.special
    env["cupyx"] = cupyx
    env["normal"] = lambda n: generator.standard_normal(n, dtype=cp.float32)
    take_everyday(bench, everyday(2, "every_"), env)


def calls():
    bench = Bench(cp.cuda.Device().synchronize)
    bench.group(launches, "launch3", "mul", "mul8_fused", "sum1k")
    bench.group(streams, "record", "wait", "cross", "hostfunc_sync")
    bench.group(graphs, "graph1", "graph10", "graph100")


def rows():
    print("# cupy", cp.__version__)
    calls()
    bench = Bench(cp.cuda.Device().synchronize)
    bench.group(bandwidth, "add_big", "sum_big")
    bench.group(functions, "fused_big", "sin_big")
    bench.group(matrices, "row_big", "fused_row_big", "axis1_big", "axis2_big",
                "turned_big")
    bench.group(many, "cumsum_26", "sort_26", "uniform_26")
    bench.group(copies, "h2d_pinned", "d2h_pinned", "h2d_pageable")
    bench.group(every_day)
    bench.group(jobs, "job")
    if "TIDE_BENCH_FILE" in os.environ:
        bench.group(files, "file_read", "main_job")


def start():
    x = cp.arange(1024, dtype=cp.float32)
    assert abs(float((x * x).sum()) - 357389824) < 1e4
