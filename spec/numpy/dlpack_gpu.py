"""Arrays from tide to CuPy or PyTorch and back on a GPU, without copies and
without a wait of the host, whose work each comes behind other work that takes
its time. The fourth argument is cupy or torch. Prints ok. See
spec/interop/dlpack_spec.lua and lua_state.py."""
import sys

from lua_state import Tensor, close, give, number, run

N = 1 << 22
CUDA = (2, 0)


class CuPy:
    def __init__(self):
        import cupy
        self.lib = cupy
        self.stream = cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        self.handle = self.stream.ptr

    def arange(self, n):
        return self.lib.arange(n, dtype=self.lib.float32)

    def pointer(self, a):
        return a.data.ptr

    def delay(self):
        self.lib.RawKernel(r"""
            extern "C" __global__ void delay() {
              long long from = clock64();
              while (clock64() - from < 500000000) { }
            }""", "delay")((1,), (1,), ())

    def idle(self):
        return self.stream.done


class Torch:
    def __init__(self):
        import torch
        self.lib = torch
        self.stream = torch.cuda.Stream()
        torch.cuda.set_stream(self.stream)
        self.handle = self.stream.cuda_stream

    def arange(self, n):
        return self.lib.arange(n, dtype=self.lib.float32, device="cuda")

    def pointer(self, a):
        return a.data_ptr()

    def delay(self):
        self.lib.cuda._sleep(500000000)

    def idle(self):
        return self.stream.query()


peer = (CuPy if sys.argv[4] == "cupy" else Torch)()
# A quarter of a second: what is compiled first may take longer, and other
# programs have the GPU as well.
peer.delay()
warm = peer.arange(N)
warm += 1
float(warm.sum())
number("""
  delay = tide.RawKernel([[
    extern "C" __global__ void delay() {
      long long from = clock64();
      while (clock64() - from < 500000000) { }
    }]], "delay")
  mine = tide.Stream{ non_blocking = true }
  mine:use()
  a = tide.zeros(%d, "float32")
  delay(1, 1)
  mine:synchronize()""" % N)

for _ in range(3):
    # out: what is queued on the consumer's stream waits for tide's
    number("delay(1, 1) a:fill(3)")
    x = peer.lib.from_dlpack(Tensor("""
      return a:to_dlpack{ stream = %s, versioned = false }:release()""", CUDA))
    assert peer.pointer(x) == number("return a.ptr")
    x.sum()
    assert not peer.idle() and number("return mine.done and 1 or 0") == 0
    assert float(x.sum()) == 3 * N

    # in: tide's stream waits for the producer's, and writes the same memory
    y = peer.arange(N)
    peer.delay()
    y += 1
    give(y, stream=peer.handle)
    run("b = tide.from_dlpack(pointer, { versioned = false, stream = %d })"
        % peer.handle)
    assert peer.pointer(y) == number("return b.ptr")
    number("total = b:astype('float64'):sum() b:mul_(2)")
    assert not peer.idle() and number("return mine.done and 1 or 0") == 0
    assert number("mine:synchronize() return total:item()") == N * (N + 1) / 2
    assert float(y[N - 1]) == 2 * N
    number("b:close() b, total = nil")
    del x, y

# what the consumer still has outlives the state
x = peer.lib.from_dlpack(Tensor("""
  return tide.full(%d, 2, 'float32'):to_dlpack{
    stream = %%s, versioned = false }:release()""" % N, CUDA))
peer.stream.synchronize()
close()
assert float(x.sum()) == 2 * N
del x
print("ok")
