rockspec_format = "3.0"
package = "tide"
version = "scm-1"

source = {
  url = "git+file://."
}

description = {
  summary = "CUDA streams, events, graphs and device arrays",
  detailed = [[
CUDA streams, events, graphs and n-d arrays, with the ordering between streams
kept by the library. The same program runs without a GPU, on a host device.
This is tide 0.1.0, unreleased.]],
  license = "MIT"
}

dependencies = {
  "lua >= 5.4, < 5.6"  -- 5.4.4, in fact, which luarocks calls 5.4 as well
}

-- The Makefile owns the build: it finds nvcc, and does without. NVCC= in the
-- environment is without; KERNELS=sm_90, for these GPUs only.
build = {
  type = "make",
  build_target = "release",
  install_target = "install-module",
  build_variables = {
    CC = "$(CC)",
    LUA = "$(LUA)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
    MYCFLAGS = "$(CFLAGS)",
    WERROR = ""
  },
  install_variables = {
    CC = "$(CC)",
    LUA = "$(LUA)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
    MYCFLAGS = "$(CFLAGS)",
    WERROR = "",
    LUADIR = "$(LUADIR)",
    LIBDIR = "$(LIBDIR)",
    INCDIR = "$(PREFIX)/include",
    STUBDIR = "$(PREFIX)/library"
  },
  install = {
    bin = { tide = "lua/tide/command.lua" }
  },
  copy_directories = { "docs", "examples" }
}

test = {
  type = "command",
  command = "make test"
}
