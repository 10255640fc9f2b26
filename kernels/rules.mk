# rules.mk - builds one object file from kernels/: KERNEL_OBJ, which defines
# image_data_of(). Included by the Makefile, which sets NVCC (empty: none),
# BUILD, CC and CFLAGS.

# The targets. KERNELS names generations (sm_90 ...), "all" means all since
# Ampere. The default are the GPUs of this machine; `make install` takes all.
# The PTX of the oldest is always added. From it a driver makes code for newer
# GPUs at the first start, which takes a while. From sm_90 on kernels begin with
# an instruction that older ones lack, so there are two front-end passes if both
# are named. Overridable: TIDE_GENCODE="-arch=...".
comma := ,
empty :=
ifeq ($(origin KERNELS),undefined)
KERNELS := $(sort $(patsubst %,sm_%,$(subst .,,$(shell nvidia-smi \
             --query-gpu=compute_cap --format=csv,noheader 2>/dev/null))))
endif
KERNELS_LIST = $(if $(filter all,$(KERNELS)),sm_80 sm_90 sm_100 sm_120,$(KERNELS))
AMPERE = $(filter sm_8%,$(KERNELS_LIST))
NEWER = $(filter-out sm_8%,$(KERNELS_LIST))
gencode = -gencode arch=compute_$(1),code=[$(subst $(empty) $(empty),$(comma),$(strip $(2)))]
TIDE_GENCODE ?= $(strip \
  $(if $(AMPERE)$(if $(NEWER),,yes),$(call gencode,80,compute_80 $(AMPERE))) \
  $(if $(NEWER),$(call gencode,90,compute_90 $(NEWER))))

# -fmad=false: a built-in rounds where its expression does, like the host kernel.
KERNEL_NVCCFLAGS = -std=c++17 -O3 -fmad=false --compress-mode=size

# The units: each .cu file is an image of its own. What takes longest to compile
# comes first.
SLOWEST = max min moments prod select softmax sort sum
UNITS = $(patsubst %,$(BUILD)/kernels/%.fatbin,$(SLOWEST) $(filter-out \
  $(SLOWEST),$(basename $(notdir $(wildcard kernels/*.cu) \
    $(filter kernels/%.cu,$(GENERATED))))))
KERNEL_HEADERS = $(wildcard kernels/*.cuh kernels/*.h)

ifeq ($(NVCC),)
KERNEL_OBJ = $(BUILD)/src/rt/driver/no_kernels.o

$(KERNEL_OBJ): src/rt/driver/no_kernels.c src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -c -o $@ $<
else
KERNEL_OBJ = $(BUILD)/kernels/embed.o

$(KERNEL_OBJ): kernels/embed.c $(UNITS) $(MADE)/src/rt/kernels/units.def \
               src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -DKERNEL_FOLDER='"$(BUILD)/kernels"' \
	  -DKERNEL_TARGETS='"$(TIDE_GENCODE)"' -c -o $@ $<

# Built again when the targets change.
GENCODE_FILE = $(BUILD)/kernels/gencode
ifneq ($(shell cat $(GENCODE_FILE) 2>/dev/null),$(TIDE_GENCODE))
.PHONY: $(GENCODE_FILE)
endif
$(GENCODE_FILE):
	@mkdir -p $(@D)
	@echo '$(TIDE_GENCODE)' > $@

define compile_unit
	@mkdir -p $(@D)
	@echo "NVCC $@"
	@$(NVCC) -fatbin $(KERNEL_NVCCFLAGS) -I . -I $(MADE) $(TIDE_GENCODE) \
	  -o $@ $<
endef
$(BUILD)/kernels/%.fatbin: kernels/%.cu $(KERNEL_HEADERS) kernels/rules.mk \
                           $(GENCODE_FILE)
	$(compile_unit)
$(BUILD)/kernels/%.fatbin: $(MADE)/kernels/%.cu $(KERNEL_HEADERS) \
                           kernels/rules.mk $(GENCODE_FILE)
	$(compile_unit)
endif

# The host device's kernels are loops for the compiler to vectorise, so they
# need these flags whatever the rest is built with. None of them changes a
# result. The last one prevents changes by compilers for machines with fused
# multiply-add.
LOOPS = $(notdir $(filter %.c,$(filter src/rt/host/kernels/%,$(GENERATED)))) \
        along.c two_results.c compact.c convolve.c count.c divide.c dot.c fft.c \
        interleave.c matmul.c matmul_thin.c moments.c places.c random.c rejection.c rows.c \
        scatter.c search.c select.c softmax.c sort.c steps.c strided.c topk.c \
        transpose.c
# A sanitizer checks each access, so the compiler vectorises nothing.
HOST_KERNEL_OPT = $(if $(filter debug,$(VARIANT)),-O0,$(if \
  $(filter asan tsan fuzz,$(VARIANT)),-O1 -g1,-O3))
$(addprefix %/host/kernels/,$(LOOPS:.c=.o)): \
    CFLAGS += $(HOST_KERNEL_OPT) -fno-math-errno -fno-trapping-math -ffp-contract=off
