"""peer_torch.py - the rows in PyTorch; see peers.py."""
import torch

from peers import BIG, COPY, EVERYDAY, Bench, everyday, take_everyday


def launches(bench):
    x = torch.arange(1024, dtype=torch.float32, device="cuda")
    y = torch.arange(1024, dtype=torch.float32, device="cuda")
    z = torch.zeros(1024, device="cuda")
    stream, empty = torch.cuda.current_stream(), torch.empty
    product = torch.mul

    def launch_sync(n):
        for _ in range(n):
            product(x, y, out=z)
            stream.synchronize()

    def mul(n):
        for _ in range(n):
            x * y

    def mul8_eager(n):
        for _ in range(n):
            x * y + 8

    def sum1k(n):
        for _ in range(n):
            x.sum()

    def empty4k(n):
        for _ in range(n):
            empty(1024, device="cuda")

    bench.missing("launch3", "no raw kernel launch")
    bench.us("launch_sync", 1000, launch_sync)
    assert float(z[1023]) == 1023.0 * 1023.0
    bench.us("mul", 10000, mul)
    bench.us("mul8_eager", 10000, mul8_eager)
    bench.missing("mul8_fused", "torch.compile is another program")
    bench.us("sum1k", 10000, sum1k)
    bench.us("empty4k", 10000, empty4k)

    share, take = torch.utils.dlpack.to_dlpack, torch.utils.dlpack.from_dlpack

    def dlpack(n):
        for _ in range(n):
            take(share(x))

    assert take(share(x)).data_ptr() == x.data_ptr()
    bench.us("dlpack", 10000, dlpack)


def streams(bench):
    Event, Stream = torch.cuda.Event, torch.cuda.Stream
    current, use = torch.cuda.current_stream, torch.cuda.stream
    s, t = Stream(), Stream()
    e = Event()

    def record(n):
        for _ in range(n):
            e.record(s)

    def wait(n):
        for _ in range(n):
            t.wait_event(e)

    def with_stream(n):
        for _ in range(n):
            with use(s):
                pass

    def current_stream(n):
        for _ in range(n):
            current()

    def new_event(n):
        for _ in range(n):
            Event()

    def new_stream(n):
        for _ in range(n):
            Stream()

    bench.us("record", 20000, record)
    bench.us("wait", 20000, wait)
    bench.us("with_stream", 20000, with_stream)
    bench.us("current_stream", 20000, current_stream)
    bench.us("new_event", 20000, new_event)
    bench.us("new_stream", 2000, new_stream)
    crossing(bench, s, t)
    bench.missing("hostfunc_sync", "no host functions")


def crossing(bench, s, t):
    x = torch.ones(1024, device="cuda")
    z = torch.ones(1024, device="cuda")
    streams, use = (s, t), torch.cuda.set_stream
    events = [torch.cuda.Event() for _ in streams]
    before = torch.cuda.current_stream()

    def cross(n):
        for k in range(n):
            i = k & 1
            use(streams[i])
            torch.mul(x, x, out=z)
            events[i].record(streams[i])
            streams[1 - i].wait_event(events[i])
        use(before)

    bench.us("cross", 2000, cross)


def graphs(bench):
    x = torch.ones(1024, device="cuda")
    z = torch.zeros(1024, device="cuda")
    s = torch.cuda.Stream()
    for nodes, calls in ((1, 2000), (10, 500), (100, 100)):
        torch.mul(x, x, out=z)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=s):
            for _ in range(nodes):
                torch.mul(x, x, out=z)

        def launch(n):
            with torch.cuda.stream(s):
                for _ in range(n):
                    graph.replay()

        bench.us(f"graph{nodes}", calls, launch)
    assert float(z[1023]) == 1.0


def bandwidth(bench):
    a = torch.arange(BIG, dtype=torch.float32, device="cuda")
    b = torch.arange(BIG, dtype=torch.float32, device="cuda")
    c = torch.zeros(BIG, device="cuda")

    def add_big(n):
        for _ in range(n):
            torch.add(a, b, out=c)

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

    def sin_big(n):
        for _ in range(n):
            torch.sin(a, out=c)

    a.remainder_(1024).mul_(0.25)
    bench.rate("sin_big", 20, 8 * BIG, sin_big)


def matrices(bench):
    side = 1 << 14
    z = torch.zeros((side, side), device="cuda")
    m = z + torch.arange(side, dtype=torch.float32, device="cuda") % 1024
    row = torch.arange(side, dtype=torch.float32, device="cuda")

    def row_big(n):
        for _ in range(n):
            torch.add(m, row, out=z)

    def axis1_big(n):
        for _ in range(n):
            m.sum(dim=0)

    def axis2_big(n):
        for _ in range(n):
            m.sum(dim=1)

    def turned_big(n):
        for _ in range(n):
            z.copy_(m.T)

    bench.rate("row_big", 20, 8 * BIG, row_big)
    bench.missing("fused_row_big", "torch.compile is another program")
    bench.rate("axis1_big", 20, 4 * BIG, axis1_big)
    bench.rate("axis2_big", 20, 4 * BIG, axis2_big)
    bench.rate("turned_big", 20, 8 * BIG, turned_big)


def many(bench):
    x = torch.rand(BIG // 4, device="cuda")
    z = torch.zeros(BIG // 4, device="cuda")

    def cumsum(n):
        for _ in range(n):
            torch.cumsum(x, 0, out=z)

    def sort(n):
        for _ in range(n):
            torch.sort(x)

    def uniform(n):
        for _ in range(n):
            z.uniform_()

    bench.us("cumsum_26", 5, cumsum)
    bench.us("sort_26", 3, sort)
    bench.us("uniform_26", 10, uniform)


def copies(bench):
    n4 = COPY // 4
    a = torch.arange(n4, dtype=torch.float32, device="cuda")
    pinned = torch.arange(n4, dtype=torch.float32).pin_memory()
    data = bytearray(pinned.numpy().tobytes())

    def h2d_pinned(n):
        for _ in range(n):
            a.copy_(pinned, non_blocking=True)

    def d2h_pinned(n):
        for _ in range(n):
            pinned.copy_(a, non_blocking=True)

    def h2d_pageable(n):
        for _ in range(n):
            torch.frombuffer(data, dtype=torch.float32).to("cuda")

    def d2h_new(n):
        for _ in range(n):
            a.cpu()

    bench.rate("h2d_pinned", 10, COPY, h2d_pinned)
    bench.rate("d2h_pinned", 10, COPY, d2h_pinned)
    bench.rate("h2d_pageable", 2, COPY, h2d_pageable)
    bench.rate("d2h_new", 2, COPY, d2h_new)
    assert pinned[1] == 1.0


def every_day(bench):
    n, side = 1 << EVERYDAY, 1 << EVERYDAY // 2
    x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    m = x.view(side, side)
    u = x[:1 << 20].to(torch.complex64)
    a = x[:1 << 18].view(512, 512) + 512 * torch.eye(512, device="cuda")
    take_everyday(bench, everyday(3, "every_"), {
        "u": u, "o": u.view(1024, 1024), "a": a, "f": a + a.T,
        "j": x[:1 << 18].view(4096, 8, 8) + 8 * torch.eye(8, device="cuda"),
        "torch": torch, "F": torch.nn.functional, "device": "cuda",
        "N": n, "x": x, "y": y, "d": x.double(), "h": x.half(),
        "i": torch.randint(0, 1000, (n,), device="cuda"),
        "b": x < 0.5, "m": m, "g": m.half(), "q": x.view(-1, 4),
        "c": x.view(256, 256, 256), "p0": y.argsort(),
        "k": torch.zeros(n, dtype=torch.int64, device="cuda"),
        "t10": torch.zeros(1000, device="cuda"),
        "e0": torch.randint(0, 1000, (n,), device="cuda"),
        "z": x.clone(), "n": m.clone(), "s0": m.argsort(1), "w": x[x < 0.5],
        "r0": torch.randperm(side, device="cuda"),
        "t": torch.randint(0, 1000, (1000,), device="cuda")
    })


def calls():
    bench = Bench(torch.cuda.synchronize)
    bench.group(launches, "mul", "mul8_eager", "sum1k", "empty4k",
                "dlpack")
    bench.group(streams, "record", "wait", "cross")
    bench.group(graphs, "graph1", "graph10", "graph100")


def rows():
    print("# torch", torch.__version__)
    calls()
    bench = Bench(torch.cuda.synchronize)
    bench.group(bandwidth, "add_big", "sum_big")
    bench.group(matrices, "row_big", "axis1_big", "axis2_big", "turned_big")
    bench.group(many, "cumsum_26", "sort_26", "uniform_26")
    bench.group(copies, "h2d_pinned", "d2h_pinned", "h2d_pageable")
    bench.group(every_day)


def start():
    x = torch.arange(1024, dtype=torch.float32, device="cuda")
    assert abs(float((x * x).sum()) - 357389824) < 1e4
