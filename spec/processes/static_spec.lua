--[[
static_spec.lua - libtide.a, which the host program spec/embed/static.c has
linked in. #process: see run.lua.
]]
local helper = require "spec.support.helper"

local BUILD = os.getenv "TIDE_BUILD" or "build/testing"

helper.each_device(function (kind)

describe("libtide.a #process", function ()
  it("is all of tide, with no file beside it", function ()
    helper.program(kind, "static", "alone")
  end)

  it("has everything of its own beside the module", function ()
    helper.program(kind, "static", "both")
  end)

  it("says that it needs the library 'package'", function ()
    helper.program(kind, "static", "bare")
  end)

  it("leaves what the host has preloaded", function ()
    helper.program(kind, "static", "taken")
  end)

  it("says that the prompt is left out", function ()
    helper.program(kind, "static", "limited")
  end)
end)

end)

describe("libtide.a #process", function ()
  it("shows its openers and nothing else", function ()
    local pipe <close> = assert(io.popen(
      ("nm -g --defined-only %s/libtide.a | sed -n 's/^[0-9a-f]* . //p'")
      :format(BUILD)))
    assert.equal("luaopen_tide\nluaopen_tide_core\n", pipe:read "a")
  end)

  it("asks for no function of CUDA's", function ()
    local pipe <close> = assert(io.popen("nm -u " .. BUILD .. "/libtide.a"))
    for name in pipe:read "a":gmatch "U (%S+)" do
      assert(not name:find "^cu" and not name:find "^nvrtc", name)
    end
  end)
end)
