return {

args = {
  stream = [[
    Stream | pointer | boolean = nil: the stream that uses the memory next (`to_dlpack`) or used it
    last (`from_dlpack`); by default the legacy default stream; `false` omits synchronization]],
  versioned = [[
    boolean = true: `DLManagedTensorVersioned`; `false`: `DLManagedTensor`, the struct before
    DLPack 1.0]],
},


[[
# DLPack

Arrays exported to other libraries, and imported from them, without copies.

## Purpose

[DLPack](https://dmlc.github.io/dlpack/latest/) is a struct that describes the elements of an array
and how to tell its owner that they are no longer used. NumPy, CuPy, PyTorch, JAX and TVM support
it. There is more for C: see [host programs](../embedding.md).

## Example

```lua
local tide = require "tide"

local a = tide.arange(6):reshape(2, 3)
local capsule = a:to_dlpack()                -- for another library; here it comes home
local b = tide.from_dlpack(capsule)
b:add_(10)                                   -- the same memory
print(a:sum():item(), capsule)               --> 75   dltensor_versioned (used)
```

## Functions
]],

{
  columns = "returns",
  { "a:to_dlpack{ stream=, versioned= }", see = "Array:to_dlpack",
    text = "exports the elements as a capsule for another library; also of a HostArray" },
  { "tide.from_dlpack(x [, { stream=, versioned= }])",
    args = {
      x = "userdata | lightuserdata: a capsule, or the struct's address as light userdata",
    },
    returns = "Array | HostArray",
    text = [[
      returns an array over the elements; a HostArray if CUDA has page-locked the memory. From then
      on tide owns the tensor, and calls its deleter when nothing uses it any more]],
    raises = "if the capsule was consumed already, or its dtype or device is not supported",
    example = "tide.from_dlpack(tide.arange(3):to_dlpack())  --> [0 1 2]" },
},

[[
## Rules

- A capsule is a userdata whose first word is the pointer. A consumer takes the pointer out and sets
  the word to `NULL`. A capsule without a consumer releases the tensor when it is collected.
  `capsule:release()` returns the pointer as a light userdata for a consumer, and marks the capsule
  as used.
- Its metatable is in Lua's registry as `dltensor_versioned`, or `dltensor` for the older struct.
- On a GPU the streams wait for each other, on the device. The host does not wait, but it first runs
  the host functions that the work comes after. Memory of the host has no streams, so `to_dlpack`
  waits until nothing uses it.
- Tensors that overlap each other or an array of tide are ordered if the one with the lower address
  is imported first; otherwise the second one is refused. It is also refused if they are of two
  devices.
- tide does not see later accesses by another library. Hand the memory over, or queue the work as
  [host programs](../embedding.md) do.
- A tensor that tide exported and that returns to the same Lua state shares its block, so accesses
  to both are ordered.
- Broadcast arrays and read-only tensors are read-only for the importer. NumPy before 2.1 supports
  only the older struct, which cannot be read-only.
- `dev:reset()` frees the memory of a device, including exported memory. Other libraries must not
  use it from then on, and are not told. They release it as usual.
- Left out with `TIDE_POINTERS`.
]],

}
