# rules.mk - builds one object file from kernels/: KERNEL_OBJ, which defines
# image_data_bytes(). Included by the Makefile, which sets NVCC (empty: none),
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
KERNEL_NVCCFLAGS = -std=c++17 -O3 -fmad=false --compress-mode=size --threads 0

KERNEL_SOURCES = $(wildcard kernels/*.cu kernels/*.cuh kernels/*.h) \
                 $(addprefix $(MADE)/,$(filter kernels/%,$(GENERATED)))

ifeq ($(NVCC),)
KERNEL_OBJ = $(BUILD)/src/rt/driver/no_kernels.o

$(KERNEL_OBJ): src/rt/driver/no_kernels.c src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -c -o $@ $<
else
KERNEL_OBJ = $(BUILD)/kernels/embed.o

$(KERNEL_OBJ): kernels/embed.c $(BUILD)/kernels.fatbin src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -DKERNEL_IMAGE='"$(BUILD)/kernels.fatbin"' \
	  -DKERNEL_TARGETS='"$(TIDE_GENCODE)"' -c -o $@ $<

# Built again when the targets change.
GENCODE_FILE = $(BUILD)/kernels/gencode
ifneq ($(shell cat $(GENCODE_FILE) 2>/dev/null),$(TIDE_GENCODE))
.PHONY: $(GENCODE_FILE)
endif
$(GENCODE_FILE):
	@mkdir -p $(@D)
	@echo '$(TIDE_GENCODE)' > $@

$(BUILD)/kernels.fatbin: $(KERNEL_SOURCES) kernels/rules.mk $(GENCODE_FILE)
	@mkdir -p $(@D)
	@echo "NVCC $@, for $(strip PTX $(KERNELS_LIST)): about a minute"
	@$(NVCC) -fatbin $(KERNEL_NVCCFLAGS) -I . -I $(MADE) $(TIDE_GENCODE) \
	  -o $@ kernels/image.cu
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
