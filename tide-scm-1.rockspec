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
  "lua >= 5.4.4, < 5.5"
}

-- The Makefile owns the build: it finds nvcc, and does without.
build = {
  type = "make",
  build_target = "all",
  build_variables = {
    CC = "$(CC)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
    MYCFLAGS = "$(CFLAGS)",
    WERROR = ""
  },
  install_variables = {
    CC = "$(CC)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
    MYCFLAGS = "$(CFLAGS)",
    WERROR = "",
    LUADIR = "$(LUADIR)",
    LIBDIR = "$(LIBDIR)",
    INCDIR = "$(PREFIX)/include"
  }
}

test = {
  type = "command",
  command = "make test"
}
