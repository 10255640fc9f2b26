return {

args = {
  stream = [[
    Stream | pointer | boolean = nil: on which it is used next (`to_dlpack`) or was used last
    (`from_dlpack`); by default the legacy default stream; `false`: nobody waits]],
  versioned = [[
    boolean = true: `DLManagedTensorVersioned`; `false`: `DLManagedTensor`, the form of before
    DLPack 1.0]],
},


[[
# DLPack

Arrays handed to other libraries, and theirs taken in, without copies.

## Purpose

[DLPack](https://dmlc.github.io/dlpack/latest/) is a struct that says where the elements of an array
are and how to tell its owner that they are used no more. NumPy, CuPy, PyTorch, JAX and TVM know it.
From C there is more: [host programs](../embedding.md).

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
    text = "a capsule with the elements, for somebody else; of a HostArray as well" },
  { "tide.from_dlpack(x [, { stream=, versioned= }])",
    args = {
      x = "userdata | lightuserdata: a capsule, or the struct's address as light userdata",
    },
    returns = "Array | HostArray",
    text = [[
      an array over them, a HostArray if CUDA has page-locked the memory. From now on the tensor is
      tide's, and its deleter is called when nothing uses it any more]],
    raises = "if the capsule was taken already, or its dtype or device is not known here",
    example = "tide.from_dlpack(tide.arange(3):to_dlpack())  --> [0 1 2]" },
},

[[
## Rules

- A capsule is a userdata whose first word is the pointer. Who takes it out sets that to `NULL`; a
  capsule that nobody took gives the tensor back when it is collected. `capsule:release()` returns
  the pointer as a light userdata, for whoever takes that, and the capsule is used then.
- Its metatable is in Lua's registry as `dltensor_versioned`, or `dltensor` for the older form.
- On a GPU the streams wait for each other, on the device; the host does not, except that host
  functions that the work comes after run first. Memory of the host has no streams: `to_dlpack`
  waits until nothing uses it.
- Tensors that overlap, with each other or with an array of tide's, are in order if the one that
  begins first comes in first, else the second one is refused. So it is if they are of two devices.
- What another library does to the memory after that, tide does not see: hand it over, or queue it
  as [host programs](../embedding.md) do.
- A tensor that tide handed out and that comes back to the same Lua state shares its block, so that
  whoever uses either is in order.
- Arrays that are broadcast, and read-only tensors, are read-only for whoever gets them. NumPy
  before 2.1 knows the older form alone, and none that is read-only.
- `dev:reset()` frees the memory of a device, also what others have of it: they must not use it from
  then on, and nobody tells them. They give it back as ever.
- Left out with `TIDE_POINTERS`.
]],

}
