# Makefile - builds tide.core and runs what there is to run.

# == CHANGE THE SETTINGS TO SUIT YOUR MACHINE ===============================

# Builds and tests run it; what is built is for its version: 5.4 or 5.5.
LUA := $(or $(shell for v in 5.4 5.5; do \
         for p in lua$$v lua-$$v lua$$(echo $$v | tr -d .) lua; do \
         $$p -v 2>/dev/null | grep -q "^Lua $$v" && echo $$p && exit; done; \
         done), lua5.4)
LUA_VERSION := $(or $(shell \
         $(LUA) -v 2>/dev/null | sed -n 's/^Lua \(5\.[45]\).*/\1/p'),5.4)

# Where everything is built, and which build: VARIANT is empty (release),
# debug, testing, asan, tsan or fuzz, and has a folder of its own in BUILD.
BUILD = build$(patsubst %,/lua%,$(filter-out 5.4,$(LUA_VERSION)))
VARIANT =

# Where `make install` puts things. DESTDIR comes before all of them.
PREFIX = /usr/local
LUADIR = $(PREFIX)/share/lua/$(LUA_VERSION)
LIBDIR = $(PREFIX)/lib/lua/$(LUA_VERSION)
INCDIR = $(PREFIX)/include
STUBDIR = $(PREFIX)/share/tide/library
PKGDIR = $(PREFIX)/lib/pkgconfig
BINDIR = $(PREFIX)/bin

CC = cc
CLANG = clang
WERROR = -Werror
MYCFLAGS =

# nvcc makes the CUDA kernels. NVCC= (nothing): the host device only.
CUDA_HOME ?= /usr/local/cuda
ifeq ($(origin NVCC),undefined)
NVCC := $(firstword $(wildcard $(CUDA_HOME)/bin/nvcc \
          /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))
endif

# Lua's headers: pkg-config knows, or they are where they mostly are.
LUA_PC := $(shell v=$(LUA_VERSION); \
            for p in lua$$v lua-$$v lua$$(echo $$v | tr -d .); do \
            pkg-config --exists $$p 2>/dev/null && echo $$p && break; done)
LUA_CFLAGS := $(or $(if $(LUA_PC),$(shell pkg-config --cflags $(LUA_PC))), \
              $(patsubst %/lua.h,-I%,$(firstword $(wildcard \
                /usr/include/lua$(LUA_VERSION)/lua.h /usr/local/include/lua.h))))

# For the host programs that the specs start; tide itself is not linked with it.
LUA_LIBS := $(or $(if $(LUA_PC),$(shell pkg-config --libs $(LUA_PC))), \
              -llua$(LUA_VERSION))

# == END OF USER SETTINGS -- NO NEED TO CHANGE ANYTHING BELOW THIS LINE =====

# As many jobs as there are cores, unless -j says how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-print-directory
export BUILD CC CLANG LUA LUA_CFLAGS

ifneq ($(findstring $(dir $(abspath $(BUILD)/x)),$(CURDIR)/),)
$(error BUILD must name a folder of its own, not '$(BUILD)')
endif

OUT = $(BUILD)$(VARIANT:%=/%)
CORE = $(OUT)/tide/core.so

FLAGS_debug = -O0 -g3
FLAGS_testing = -g -DTIDE_TESTING=1
# The leak checker dies of thread-local blocks that malloc puts where it takes
# what stands before them for glibc's header: those of a dlopened library.
FLAGS_asan = $(FLAGS_testing) -O1 -fno-omit-frame-pointer \
             -ftls-model=initial-exec -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Without the calls that tell TSan the stack: an error of Lua leaves by longjmp
# from code that TSan does not know, and the stack that it keeps would only grow.
# TSAN_STACKS=1 for reports with more than the place itself.
FLAGS_tsan = $(FLAGS_testing) -fsanitize=thread \
             $(if $(TSAN_STACKS),,--param tsan-instrument-func-entry-exit=0)
FLAGS_fuzz = $(FLAGS_asan) -fsanitize=fuzzer-no-link -Wno-pass-failed

CFLAGS = -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra $(WERROR) \
         -iquote src -iquote $(MADE)/src -iquote . -fvisibility=hidden -fPIC \
         -fno-plt -pthread $(FLAGS_$(VARIANT)) $(MYCFLAGS)
LDFLAGS = -shared -pthread -Wl,-z,nodelete
LIBS = -lm -ldl

.DEFAULT_GOAL = all

# A second tree of sources, made of kernels/table.lua. files.mk lists them as
# GENERATED, relative to it; make makes it first of all, and begins again. Not for
# goals that may have to bring Lua, and leave the rest to another make.
MADE = $(BUILD)/generated
ifneq ($(filter-out clean docs deps deps-% demo test test-all,$(or $(MAKECMDGOALS),all)),)
include $(MADE)/files.mk
endif
$(MADE)/files.mk: $(wildcard kernels/*.lua kernels/generate/*.lua)
	@mkdir -p $(@D)
	@echo "LUA $@"
	@$(LUA) kernels/generate.lua $(MADE)

# Functions for tests are in folders of their own, which other builds leave out.
TESTED = $(findstring -DTIDE_TESTING,$(FLAGS_$(VARIANT)) $(MYCFLAGS))

# What takes longest to compile comes first.
SOURCES := $(filter %.c,$(GENERATED)) $(shell find src -name '*.c' \
             $(if $(TESTED),,-not -path '*/testing/*') | sort -r)

# The testing build has these from the release: nothing in them is different, and
# they take most of the time that compiling takes.
SAME = $(filter src/rt/host/kernels/% src/rt/program/% src/rt/kernels/%,$(SOURCES))
SAME_OUT = $(if $(filter testing,$(VARIANT)),$(BUILD),$(OUT))
OBJECTS = $(SAME:%.c=$(SAME_OUT)/%.o) \
  $(patsubst %.c,$(OUT)/%.o,$(filter-out %/no_kernels.c %/static.c $(SAME), \
                              $(SOURCES)))

# The release is optimised when it is linked, by gcc: a call of tide goes through
# many files, and x*y takes a sixth less for it. (What is warned of there was seen
# file by file.) Not what the testing build has as well, nor texts by .incbin.
ifeq ($(VARIANT),)
LTO := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),,$(shell \
         echo 'int main(void) { return 0; }' | $(CC) -flto=auto -O2 -x c -o \
         /dev/null - 2>/dev/null && echo -flto=auto))
endif
WHOLE = $(filter-out $(SAME:%.c=$(SAME_OUT)/%.o) %/kernel_headers.o,$(OBJECTS))
$(WHOLE): CFLAGS += $(LTO)

# tide as an archive, with its Lua half in it, for programs that link it.
ARCHIVE = $(OUT)/libtide.a
LUA_HALF := $(shell find lua -name '*.lua')
OBJCOPY = $(shell $(CC) -print-prog-name=objcopy)
AR = $(shell $(CC) -print-prog-name=ar)

# CUDA drivers that cannot be used, for spec/processes/loader_spec.lua.
FAKE_empty = -DFAKE_EMPTY
FAKE_bare = -DFAKE_BARE
FAKE_old = -DFAKE_VERSION=11040
FAKE_stub = -DFAKE_CODE=34
FAKE_lacking = -DFAKE_LACKS='"cuGraphExecUpdate"'
FAKE_mismatched = -DFAKE_INIT=803
FAKE_deviceless = -DFAKE_INIT=100
FAKES = $(patsubst %,$(OUT)/fake/%.so,empty bare old stub lacking \
          mismatched deviceless idle device threads)

.PHONY: all lib debug docs demo deps deps-build deps-all quick test test-all test-gpu \
        asan tsan stress bench install install-module uninstall release static \
        dist rock ports deps-ports check clean echo fuzz soak soak-gpu lib-testing \
        lib-asan lib-tsan lib-fuzz compile_commands.json
.DELETE_ON_ERROR:

all: lib
	@$(if $(NVCC),,echo "without nvcc: tide is built for the host device only")

# Host programs, for the specs of the same name.
EMBEDS = $(patsubst spec/%.c,$(OUT)/%,$(wildcard spec/embed/*.c)) \
         $(patsubst %.c,$(OUT)/%,$(wildcard examples/embed/*.c)) \
         $(if $(shell command -v $(CXX)),$(OUT)/examples/embed/vectors)

# Beside a sanitizer's runtime: see spec/fake/alone.c.
ALONE = $(if $(filter asan tsan,$(VARIANT)),$(OUT)/fake/alone.so)

lib: $(CORE) $(if $(filter-out debug,$(VARIANT)),$(FAKES) $(EMBEDS) $(ALONE))

# KERNEL_OBJ, the CUDA kernels or their absence: one for all variants.
include kernels/rules.mk
$(KERNEL_OBJ): override VARIANT =

# Linked again when nvcc comes or goes: either object may be an old one.
LINKED = $(OUT)/tide/linked
ifneq ($(shell cat $(LINKED) 2>/dev/null),$(KERNEL_OBJ))
.PHONY: $(LINKED)
endif
$(LINKED):
	@mkdir -p $(@D)
	@echo '$(KERNEL_OBJ)' > $@

# gcc exports functions of target_clones, hidden or not: the map does not.
$(CORE): $(KERNEL_OBJ) $(OBJECTS) $(LINKED) src/exports.map
	@mkdir -p $(@D)
	@echo "LINK $@"
	@$(CC) $(CFLAGS) $(LTO:%=% -w) $(LDFLAGS) -Wl,--version-script=src/exports.map \
	  -o $@ $(OBJECTS) $(KERNEL_OBJ) $(LIBS)

# One object, of which nothing but the openers is seen: whatever else is linked.
$(ARCHIVE): $(KERNEL_OBJ) $(OBJECTS) $(OUT)/src/static/static.o $(LINKED)
	@echo "AR $@"
	@$(CC) $(if $(LTO),-O2 -fPIC $(LTO) -flinker-output=nolto-rel) -r -nostdlib \
	  -o $(OUT)/src/static/tide.o $(filter %.o,$^)
	@$(OBJCOPY) --keep-global-symbol=luaopen_tide \
	  --keep-global-symbol=luaopen_tide_core $(OUT)/src/static/tide.o
	@$(RM) $@
	@$(AR) rcsD $@ $(OUT)/src/static/tide.o

$(OUT)/src/static/static.o: $(OUT)/static/modules.h
$(OUT)/src/static/static.o: CFLAGS += -iquote $(OUT)
$(OUT)/static/modules.h: src/static/modules.lua $(LUA_HALF)
	@mkdir -p $(@D)
	@$(LUA) src/static/modules.lua $@

# The wall: what runs (src/rt) is compiled without the way to Lua's headers.
$(OUT)/src/rt/%.o: src/rt/%.c Makefile
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/src/rt/%.o: $(MADE)/src/rt/%.c Makefile
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# Texts in it: .incbin tells the compiler of no dependency.
$(OUT)/src/rt/code/kernel_headers.o: kernels/ops.h kernels/types.h kernels/half.h \
                         kernels/complex.h kernels/overloads.h kernels/special.h

$(OUT)/src/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) $(LUA_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/fake/%.so: spec/fake/driver.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(FAKE_$*) $(LDFLAGS) -o $@ $<

# These are loaded by LD_PRELOAD.
$(OUT)/fake/alone.so $(OUT)/fake/threads.so: $(OUT)/fake/%.so: spec/fake/%.c \
                                             Makefile
	@mkdir -p $(@D)
	@$(CC) -fPIC -shared -o $@ $< -ldl

# And one that works, for spec/user_kernels/rawkernel_spec.lua.
$(OUT)/fake/device.so: spec/fake/device.c src/rt/driver/driver.h Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

$(OUT)/embed/%: spec/embed/%.c spec/embed/embed.h spec/embed/heap.h spec/embed/host.h include/tide.h Makefile
	@mkdir -p $(@D)
	@$(CC) $(filter-out -fPIC,$(CFLAGS)) $(LUA_CFLAGS) -Wl,-E \
	  -o $@ $< $(filter %.a,$^) $(LUA_LIBS) -lm -ldl

$(OUT)/embed/static: $(ARCHIVE)

# The examples of host programs, compiled as a user would.
$(OUT)/examples/embed/%: examples/embed/%.c include/tide.h Makefile
	@mkdir -p $(@D)
	@$(CC) -std=c11 -Wall -Wextra $(WERROR) $(FLAGS_$(VARIANT)) -Iinclude \
	  $(LUA_CFLAGS) -Wl,-E -o $@ $< $(LUA_LIBS) -pthread

$(OUT)/examples/embed/%: examples/embed/%.cpp include/tide.h Makefile
	@mkdir -p $(@D)
	@$(CXX) -std=c++14 -Wall -Wextra $(WERROR) $(FLAGS_$(VARIANT)) -Iinclude \
	  $(LUA_CFLAGS) -Wl,-E -o $@ $< $(LUA_LIBS)

# The fuzz target, by clang: Lua, tide and libFuzzer in one program.
$(OUT)/fuzz: spec/fuzz/fuzz.c $(OBJECTS) $(OUT)/src/rt/driver/no_kernels.o
	@echo "LINK $@"
	@$(CC) $(filter-out -fsanitize=fuzzer-no-link,$(CFLAGS)) \
	  -fsanitize=fuzzer $(LUA_CFLAGS) -o $@ $^ $(LUA_LIBS) -lm -ldl

-include $(OBJECTS:.o=.d) $(OUT)/src/static/static.d

# A variant is another set of flags, hence another make. Warnings are errors
# in the builds without sanitizers only: instrumented code fools gcc.
lib-testing: $(KERNEL_OBJ) $(SAME:%.c=$(BUILD)/%.o)
	@+$(MAKE) VARIANT=testing lib

lib-asan lib-tsan: $(KERNEL_OBJ)
	@+$(MAKE) VARIANT=$(@:lib-%=%) WERROR= lib

# For a debugger: build/debug/tide/core.so, not optimised, nor the host kernels.
debug: $(KERNEL_OBJ)
	@+$(MAKE) VARIANT=debug lib

lib-fuzz:
	@+$(MAKE) VARIANT=fuzz CC="$(CLANG)" WERROR= NVCC= $(BUILD)/fuzz/fuzz

# Another make, because `deps` may bring the headers that settings look for.
test: deps
	@+$(MAKE) all lib-testing $(if $(GPU)$(HAS_KERNELS),,NVCC=)
	@$(LUA) spec/run.lua testing examples check

# What takes long, besides `make test`: FUZZ_SECONDS, SOAK_SECONDS say how long.
test-all: deps-all deps-ports
	@+$(MAKE) all lib-testing lib-asan lib-tsan lib-fuzz
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-1800} SOAK_SECONDS=$${SOAK_SECONDS:-1800} \
	  $(LUA) spec/run.lua asan tsan again longlived soak fuzz ports

# While one works at something: the specs of what has changed since the last
# commit, or those that SPECS names.
quick: lib-testing
	@$(LUA) spec/run.lua quick

# Other ways to build: packed and installed, by luarocks, for Lua 5.5, by clang,
# with musl, for aarch64. TIDE_LUA_SOURCES=folder: has lua-5.5.0 and lua-5.4.8.
ports: deps-ports
	@$(LUA) spec/run.lua ports

test-gpu: all lib-testing
	@$(LUA) spec/run.lua gpu memcheck racecheck

asan: lib-asan
tsan: lib-tsan
stress: lib-testing
check: all
asan tsan stress check:
	@$(LUA) spec/run.lua $@

# For longer than `make test` has: FUZZ_SECONDS, SOAK_SECONDS, SOAK_SEED,
# SOAK_THREADS say how. docs/reliability.md
fuzz: lib-fuzz
soak: lib-testing lib-tsan
soak-gpu: all lib-testing
fuzz soak soak-gpu:
	@$(LUA) spec/run.lua $@

# Without a GPU demo and test leave out the CUDA kernels; test-all compiles them.
GPU = $(wildcard /dev/nvidia[0-9]* /dev/dxg)
HAS_KERNELS = $(wildcard $(BUILD)/kernels/embed.o)
demo: deps-build
	@+$(MAKE) all $(if $(GPU)$(HAS_KERNELS),,NVCC=)
	@$(LUA) spec/run.lua demo

# What building, testing, and all tests want; installed if it is missing.
deps-build deps deps-all deps-ports:
	@.ci/deps $(@:deps-%=%) "$(CC)" "$(LUA)" "$(LUA_CFLAGS)" "$(CLANG)"

# docs/api/*.md and library/tide.lua, of lua/tide/api.
docs:
	@$(LUA) docs/generate.lua

bench: all
	@bench/run $(BUILD)/bench

# To be used elsewhere: for any GPU, unless KERNELS says which.
release:
	@+$(MAKE) $(if $(filter file undefined,$(origin KERNELS)),KERNELS=all) \
	  all static

static: $(ARCHIVE)
	@:

# The module and its header; for programs that link it, the archive besides.
install-module: release
	install -d $(DESTDIR)$(LUADIR) $(DESTDIR)$(LIBDIR)/tide $(DESTDIR)$(INCDIR) \
	  $(DESTDIR)$(STUBDIR)
	cp -R lua/tide $(DESTDIR)$(LUADIR)
	install -m 755 $(CORE) $(DESTDIR)$(LIBDIR)/tide/core.so
	install -m 644 include/tide.h $(DESTDIR)$(INCDIR)/tide.h
	install -m 644 library/tide.lua $(DESTDIR)$(STUBDIR)/tide.lua

# The command: it finds what is installed with it wherever that is.
COMMAND = '\#!/usr/bin/env $(LUA)' \
  'package.path = "$(LUADIR)/?.lua;$(LUADIR)/?/init.lua;" .. package.path' \
  'package.cpath = "$(LIBDIR)/?.so;" .. package.cpath' \
  'local command = require "tide.command"' \
  'command.exit(command.main(arg))'

install: install-module
	install -d $(DESTDIR)$(PKGDIR) $(DESTDIR)$(BINDIR)
	install -m 644 $(ARCHIVE) $(DESTDIR)$(LIBDIR)/libtide.a
	@echo "writing $(DESTDIR)$(BINDIR)/tide, $(DESTDIR)$(PKGDIR)/tide.pc"
	@printf '%s\n' $(COMMAND) > $(DESTDIR)$(BINDIR)/tide
	@chmod 755 $(DESTDIR)$(BINDIR)/tide
	@$(PC) > $(DESTDIR)$(PKGDIR)/tide.pc

# Of the header and the archive alone: the module, Lua finds by itself.
VERSION := $(shell sed -n 's/^.define TIDE_VERSION "\(.*\)"/\1/p' include/tide.h)
PC = printf '%s\n' 'prefix=$(PREFIX)' 'lua_version=$(LUA_VERSION)' \
  'luadir=$(LUADIR)' 'libdir=$(LIBDIR)' 'includedir=$(INCDIR)' '' 'Name: tide' \
  'Description: CUDA streams, events, graphs and device arrays for Lua' \
  'Version: $(VERSION)' $(if $(LUA_PC),'Requires.private: $(LUA_PC)') \
  'Cflags: -I$${includedir}$(if $(LUA_PC),, $(LUA_CFLAGS))' \
  'Libs: -L$${libdir} -ltide $(LIBS) -pthread'

# Folders that are empty then go as well, and those around them up to PREFIX; but
# not those that every system has.
EMPTIED = $(addprefix $(LUADIR)/,$(shell cd lua && find tide -depth -type d)) \
  $(LIBDIR)/tide $(STUBDIR) $(INCDIR) $(PKGDIR) $(BINDIR)
STANDARD = $(foreach p,/usr /usr/local, \
  $p $(addprefix $p/,bin include lib lib/pkgconfig share))

# What `make install` with the same settings has put there.
uninstall:
	$(RM) $(addprefix $(DESTDIR)$(LUADIR)/,$(LUA_HALF:lua/%=%)) \
	  $(DESTDIR)$(LIBDIR)/tide/core.so $(DESTDIR)$(LIBDIR)/libtide.a \
	  $(DESTDIR)$(INCDIR)/tide.h $(DESTDIR)$(PKGDIR)/tide.pc \
	  $(DESTDIR)$(STUBDIR)/tide.lua $(DESTDIR)$(BINDIR)/tide
	@for d in $(EMPTIED); do \
	  while case " $(STANDARD) " in *" $$d "*) false ;; esac && \
	        rmdir "$(DESTDIR)$$d" 2>/dev/null; do \
	    case $$d in $(PREFIX)/*) d=$${d%/*} ;; *) break ;; esac; done; done

# The sources: what git tracks or, where there is no git, all but what was made.
# The same sources make the same bytes.
dist:
	@.ci/dist tide-$(VERSION) $(BUILD)/tide-$(VERSION).tar.gz

# A rock of binaries, to be installed by `luarocks install FILE` where there is
# the same system: no compiler, no nvcc.
LUAROCKS := $(firstword $(shell command -v luarocks-$(LUA_VERSION)) luarocks)
rock:
	@$(RM) -r $(BUILD)/rock && mkdir -p $(BUILD)/rock
	@+$(LUAROCKS) make --tree $(abspath $(BUILD))/rock/tree tide-scm-1.rockspec
	@cd $(BUILD)/rock && $(LUAROCKS) pack --tree $(abspath $(BUILD))/rock/tree tide

clean:
	$(RM) -r $(addprefix $(BUILD)/,src tide generated kernels \
	  debug testing asan tsan fuzz bench static libtide.a rock)

# For clangd and its like: the commands that make would run for the sources.
CLANGD = {"directory": "$(CURDIR)", "file": "\2", "command": "\1"}
compile_commands.json:
	@$(MAKE) -nB MYCFLAGS=-DTIDE_TESTING=1 lib | \
	  sed -nE 's/["\\]/\\&/g; s|^(.* -c -o [^ ]+ ([^ ]+\.c))$$|$(CLANGD)|p' | \
	  sed '1s/^/[/; $$!s/$$/,/; $$s/$$/]/' > $@

echo:
	@$(foreach v,BUILD VARIANT PREFIX LUADIR LIBDIR INCDIR STUBDIR BINDIR LUA LUA_CFLAGS LUA_LIBS CC \
	  CFLAGS LDFLAGS LIBS CUDA_HOME NVCC KERNEL_OBJ,echo '$v = $($v)';)
