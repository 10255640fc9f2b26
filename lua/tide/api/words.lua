--[[
words.lua - what the pages beside it have in common: names of types, what
arguments of certain names are, and which letter stands for which object.
]]
return {

-- name = { what LuaCATS calls it, what it means }
types = {
  dtype = {
    '"bool" | "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | ' ..
    '"uint32" | "uint64" | "float16" | "bfloat16" | "float32" | "float64" | ' ..
    '"complex64" | "complex128"', "what the elements are" },
  shape = { "integer | integer[]", "lengths of the axes" },
  axes = { "integer | integer[]", "axes, from 1, negative ones from the end" },
  nested = { "table", "a table of tables of numbers" },
  element = { "number | boolean | tide.Complex", "one element" },
  operand = { "tide.Array | number | boolean | tide.Complex",
              "an array or a number" },
  key = { "integer | table",
          "an integer, or a table of integers and ranges { first, last, step }" },
  spec = { "tide.Device | string | integer",
           'a Device, "host:0" or a number' },
  pointer = { "integer | lightuserdata", "an address" },
  kind = { '"device" | "pinned"', "which memory" },
},

-- name = "type = default: what it is"
args = {
  dtype = "dtype",
  shape = "shape",
  axis = "integer: from 1, negative ones from the end",
  axes = "axes...",
  out = "Array?: written to, in place of a new array",
  fn = "function: or an object that is called as one",
  device = "spec",
  dev = "spec",
  e = "Event",
  g = "Graph",
  h = "HostArray",
  a = "Array",
  b = "Array",
  c = "Array",
  x = "operand",
  y = "operand",
  s = "Stream",
  t = "Stream",
  z = "Complex",
  w = "Complex",
  ["..."] = "any",
},

objects = {
  a = "Array", b = "Array", c = "Array", x = "Array",
  h = "HostArray", s = "Stream", e = "Event", g = "Graph", dev = "Device",
  z = "Complex", scope = "Scope", f = "Fused", m = "RawModule",
  conn = "Connection", listener = "Listener",
},

}
