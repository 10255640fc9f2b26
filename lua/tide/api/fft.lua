return {

args = {
  n = "integer?: the length of the transform",
  s = "integer[]?: the length of each transform",
  axis = "integer = -1: from 1, negative ones from the end",
  axes = "integer | integer[] = nil: as `axis`",
  norm = [["backward" | "ortho" | "forward" = "backward": where the factor is]],
},


[[
# Fourier transforms

Discrete Fourier transforms along one axis or several, with NumPy's names and rules.

## Purpose

Spectra, filters and convolutions of signals and pictures. All other axes are a batch.

## Example

```lua
local tide = require "tide"

local rate, n = 8000, 1024                     -- samples in a second
local t = tide.arange(n) / rate
local tone = (t * (2 * math.pi * 1000)):sin()  -- 1000 Hz

local power = tide.fft.rfft(tone):abs()
local hertz = tide.fft.rfftfreq(n, 1 / rate)
print(hertz[power:argmax():item()])            --> 1000.0

local picture = tide.random.uniform({ 64, 48 })
local spectrum = tide.fft.fft2(picture)
local back = tide.fft.ifft2(spectrum)
print(tide.allclose(back:real(), picture))     --> true
```

## Functions

The elements of a spectrum are the sums of `a[j] * exp(-2 * pi * i * (j - 1) * (k - 1) / n)`;
inverse transforms have the other sign. `norm` is the factor: `"backward"` divides inverse
transforms by n, `"forward"` divides the others, and `"ortho"` divides both by the root of n.

Arrays of float32 and complex64 are transformed in that precision, float64 and complex128 in theirs,
float16 and bfloat16 as float32, and integers and bools as the default dtype of floats. The result
is complex64 or complex128; of `irfft`, `hfft` and their like it is float32 or float64.

`n` is the length of the transform. A longer axis is cut, a shorter one is continued with zeros. `s`
has such a length for each axis. Axes that are not given are the last ones: one for each length of
`s`; two for `fft2` and its like; otherwise all.
]],

{
  heading = "transforms along one axis",
  returns = "Array",
  raises = "if the axis has no elements",
  { "tide.fft.fft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = "the transform along one axis, the last by default",
    example = "tide.fft.fft(tide.array{ 1, 2, 3, 4 })  --> [10.+0.j -2.+2.j -2.+0.j -2.-2.j]" },
  { "tide.fft.ifft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = "the inverse transform along one axis",
    example = "tide.fft.ifft(tide.array{ 4, 0, 0, 0 })  --> [1.+0.j 1.+0.j 1.+0.j 1.+0.j]" },
  { "tide.fft.rfft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = [[
      the first half of the transform of real numbers, `n // 2 + 1` elements: the others are their
      conjugates]],
    raises = "if `a` is complex",
    example = "tide.fft.rfft(tide.array{ 1, 2, 3, 4 }):real()  --> [10. -2. -2.]" },
  { "tide.fft.irfft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = [[
      the inverse of `rfft`: real numbers, of which `a` has the first half of the transform. `n` is
      the length of the result, by default the even one. The imaginary parts of the first element
      and, if `n` is even, of the last one have no effect]],
    example = "tide.fft.irfft(tide.fft.rfft(tide.array{ 1, 2, 3, 4 }))  --> [1. 2. 3. 4.]" },
  { "tide.fft.hfft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = [[
      the transform of numbers of which `a` has the first half, and the others are the conjugates:
      its spectrum is real. `n` is its length, by default the even one]],
    example = "tide.fft.hfft(tide.array{ 1, 2, 1 })  --> [ 6. 0. -2. 0.]" },
  { "tide.fft.ihfft(a [, n] [, { axis=, n=, norm=, out= }])",
    text = "the inverse of `hfft`: the first half, of a real spectrum",
    raises = "if `a` is complex",
    example = "tide.fft.ihfft(tide.array{ 6, 0, -2, 0 }):real()  --> [1. 2. 1.]" },
},

{
  heading = "transforms along several axes",
  returns = "Array",
  raises = "if an axis has no elements; if `s` and `axes` differ in length",
  { "tide.fft.fft2(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the transform along two axes",
    example = "tide.fft.fft2(tide.ones({ 2, 2 }))[1][1]  --> 4+0j" },
  { "tide.fft.ifft2(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the inverse transform along two axes",
    example = "tide.fft.ifft2(tide.fft.fft2(tide.eye(2))):real()[2]  --> [0. 1.]" },
  { "tide.fft.fftn(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the transform along several axes, all by default",
    example = "tide.fft.fftn(tide.ones({ 2, 2, 2 }), { axes = { 1, -1 } }).shape  --> {2, 2, 2}" },
  { "tide.fft.ifftn(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the inverse transform along several axes",
    example = "tide.fft.ifftn(tide.fft.fftn(tide.eye(2))):real()[1]  --> [1. 0.]" },
  { "tide.fft.rfft2(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "`rfft` along the last of two axes, `fft` along the other",
    raises = "if `a` is complex",
    example = "tide.fft.rfft2(tide.ones({ 4, 6 })).shape  --> {4, 4}" },
  { "tide.fft.irfft2(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the inverse of `rfft2`; the last of `s` is the length of real lines",
    example = "tide.fft.irfft2(tide.fft.rfft2(tide.eye(2)))[2]  --> [0. 1.]" },
  { "tide.fft.rfftn(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "`rfft` along the last of the axes, `fft` along the others",
    raises = "if `a` is complex",
    example = "tide.fft.rfftn(tide.ones({ 4, 6 })).shape  --> {4, 4}" },
  { "tide.fft.irfftn(a [, s] [, { axes=, norm=, out=, s= }])",
    text = "the inverse of `rfftn`; the last of `s` is the length of real lines",
    example = "tide.fft.irfftn(tide.fft.rfftn(tide.ones({ 4, 4 })))[1]  --> [1. 1. 1. 1.]" },
},

{
  heading = "frequencies",
  returns = "Array",
  args = {
    n = "integer: the length of the transform, from 1 on",
    d = "number = 1: the distance of two samples",
    dtype = "dtype?: the dtype, of floats",
    axes = "integer | integer[] = nil: all by default",
  },
  { "tide.fft.fftfreq(n [, d] [, dtype])",
    text = [[
      the frequency of each element of `fft`, in cycles per unit of `d`: those from 0 on, then the
      negative ones]],
    example = "tide.fft.fftfreq(4, 0.5)  --> [ 0. 0.5 -1. -0.5]" },
  { "tide.fft.rfftfreq(n [, d] [, dtype])",
    text = "the frequency of each element of `rfft`",
    example = "tide.fft.rfftfreq(4, 0.5)  --> [0. 0.5 1. ]" },
  { "tide.fft.fftshift(a [, axes] [, { axes=, out= }])",
    text = "moves frequency 0 to the middle of the axes",
    example = "tide.fft.fftshift(tide.fft.fftfreq(4))  --> [-0.5 -0.25 0. 0.25]" },
  { "tide.fft.ifftshift(a [, axes] [, { axes=, out= }])",
    text = "the inverse of `fftshift`: moves frequency 0 to the beginning",
    example = "tide.fft.ifftshift(tide.array{ -1, 0, 1 })  --> [ 0 1 -1]" },
},

[[
## How it is computed

The work of a transform of n elements grows as `n log n`, for every n. The host device uses the
algorithm of Cooley and Tukey (1965) in Stockham's form, with factors of up to 61. A length with a
larger prime factor is a convolution of at least twice the length, by Bluestein's algorithm (1970).
The roots of unity are computed in float64 from angles of an eighth of the circle at most, so
that errors grow as the root of `log n`. Real transforms of even length are complex ones of half the
length. Workers share the lines of a batch, and the parts of a line of more than 16384 elements.

The tables of a length are kept for the next transform: the latest ones, of up to 64 MiB together,
or one that is larger. They are the process's own memory, in no limit of tide's. Results are the
same every time, on any number of workers.

GPUs use cuFFT, which must be installed (`TIDE_LIBCUFFT` names the library); its workspace is
memory of tide's pool. Its plans are kept for the next transform: the 64 used last on each device,
and those in graphs. Transforms along several axes are made along one after the other.

Captures may contain transforms; each launch computes them again.

Errors: `bad argument #2 to 'fft' (a transform has at least one point, got 0)`; an axis out of
range; `bad argument #1 to 'rfft' (an array of real numbers expected, got complex64)`; an `out` that
does not match.
]],

}
