--[[
carray_spec.lua - HostArrays for other C modules, and theirs as HostArrays: by
spec/embed/carray.c, which is such a module. #process: see run.lua.
]]
local helper = require "spec.support.helper"

helper.each_device(function (kind)
  describe("_capi_carray #process", function ()
    for part, what in pairs{
      elements = "shows the elements of a HostArray",
      refused = "shows none that are no run of C's numbers",
      kept = "keeps them for others, beyond the state's end, for any thread",
      made = "makes HostArrays, also of others' memory",
      rules = "waits for what uses them",
      taken = "is how other modules' arrays become HostArrays",
      outlives = "holds other modules' arrays as long as they are used",
      scarce = "loses nothing where memory is short"
    } do
      it(what, function () helper.program(kind, "carray", part) end)
    end
  end)
end)
