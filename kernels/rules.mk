# rules.mk - builds one object file from kernels/: KERNEL_OBJ, which defines
# image_data_bytes(). Included by the Makefile, which sets NVCC (empty: none),
# BUILD, CC and CFLAGS.

# The targets. KERNELS names generations (sm_90 ...), "all" means all since
# Ampere. The default are the GPUs of this machine; `make install` takes all.
# The PTX of the oldest is always added. From it a driver makes code for newer
# GPUs at the first start, which takes a while. From sm_90 on kernels begin with
# an instruction that older ones lack, so there are two front-end passes if both
# are named.
ifeq ($(origin KERNELS),undefined)
KERNELS := $(sort $(patsubst %,sm_%,$(subst .,,$(shell nvidia-smi \
             --query-gpu=compute_cap --format=csv,noheader 2>/dev/null))))
endif
KERNELS_LIST = $(if $(filter all,$(KERNELS)),sm_80 sm_90 sm_100 sm_120,$(KERNELS))
AMPERE = $(filter sm_8%,$(KERNELS_LIST))
NEWER = $(filter-out sm_8%,$(KERNELS_LIST))
KERNEL_PTX = $(if $(NEWER),90,80)
GENERATIONS = $(AMPERE) $(NEWER)
KERNEL_TARGETS = $(strip $(GENERATIONS) compute_$(KERNEL_PTX))

ifeq ($(NVCC),)
KERNEL_OBJ = $(BUILD)/src/rt/driver/no_kernels.o

$(KERNEL_OBJ): src/rt/driver/no_kernels.c src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -c -o $@ $<
else
KERNEL_OBJ = $(BUILD)/kernels/embed.o

# Built again when the targets change.
TARGETS_FILE = $(BUILD)/kernels/targets
ifneq ($(shell cat $(TARGETS_FILE) 2>/dev/null),$(KERNEL_TARGETS))
.PHONY: $(TARGETS_FILE)
endif
$(TARGETS_FILE):
	@mkdir -p $(@D)
	@echo '$(KERNEL_TARGETS)' > $@

# If no generation is named, the PTX is the only image.
KERNEL_IMAGE = $(BUILD)/kernels/$(if $(strip $(GENERATIONS)),image,ptx).fatbin
KERNEL_PTX_IMAGE = $(BUILD)/kernels/ptx.fatbin

$(KERNEL_OBJ): kernels/embed.c $(KERNEL_IMAGE) $(KERNEL_PTX_IMAGE) \
               src/rt/driver/image_data.h
	@mkdir -p $(@D)
	@echo "CC $@"
	@$(CC) $(CFLAGS) -fPIC -DKERNEL_IMAGE='"$(KERNEL_IMAGE)"' \
	  -DKERNEL_PTX_IMAGE='"$(KERNEL_PTX_IMAGE)"' \
	  -DKERNEL_TARGETS='"$(KERNEL_TARGETS)"' -c -o $@ $<

# Each .cu file is compiled to PTX alone, side by side with others, and what
# takes longest begins first. All are one module for a generation: loading a module
# waits for the device, so tide does it once, when it opens a device. ptxas gets
# the whole module as one text, on all processors. Linked from relocatable code,
# half of the kernels need more registers, and rows added to a matrix take a
# sixth longer. ptxas and its like are beside nvcc, or are found as it is.
CUDA_BIN := $(dir $(firstword $(filter %nvcc,$(shell command -v $(NVCC)))))
SLOWEST = max min moments prod select softmax sort sum
UNITS = $(SLOWEST) $(filter-out $(SLOWEST),$(basename $(notdir \
  $(wildcard kernels/*.cu) $(filter kernels/%.cu,$(GENERATED)))))

# -fmad=false: a built-in rounds where its expression does, like the host kernel.
# -rdc=true: what is no kernel has a name that no other file uses.
define compile_to_ptx
	@mkdir -p $(@D)
	@echo "NVCC $@"
	@$(NVCC) -ptx -rdc=true -std=c++17 -O3 -fmad=false -I . -I $(MADE) \
	  -arch=$(notdir $(@D)) -o $@ $<
endef

# The PTX of all files is one text: the three lines of its head stand there once,
# and what nvcc takes from its own library has the file in its name.
define join_ptx
  FNR == 1 { n = split(FILENAME, part, /[\/.]/); unit = part[n - 1] "_" } \
  /^\.(version|target|address_size)/ && seen[$$1]++ { next } \
  { gsub(/__(internal|cudart)_/, "&" unit); print }
endef

INCLUDED = $(wildcard kernels/*.cuh kernels/*.h) src/rt/kernels/lapack.def

define passes
$(BUILD)/kernels/compute_$1/%.ptx: kernels/%.cu $(INCLUDED) kernels/rules.mk
	$$(compile_to_ptx)
$(BUILD)/kernels/compute_$1/%.ptx: $(MADE)/kernels/%.cu $(INCLUDED) \
                                   kernels/rules.mk
	$$(compile_to_ptx)

$(BUILD)/kernels/compute_$1.ptx: $(UNITS:%=$(BUILD)/kernels/compute_$1/%.ptx)
	@echo "JOIN $$@"
	@awk '$$(join_ptx)' $$^ > $$@
endef
$(foreach version,80 90,$(eval $(call passes,$(version))))
.PRECIOUS: $(BUILD)/kernels/compute_80/%.ptx $(BUILD)/kernels/compute_90/%.ptx

# $(call generation,sm_100,90): the module for GPUs of it, by way of that PTX.
define generation
$(BUILD)/kernels/$1.cubin: $(BUILD)/kernels/compute_$2.ptx
	@echo "PTXAS $$@"
	@$(CUDA_BIN)ptxas --gpu-name=$1 --split-compile=0 -o $$@ $$<
endef
$(foreach sm,$(AMPERE),$(eval $(call generation,$(sm),80)))
$(foreach sm,$(NEWER),$(eval $(call generation,$(sm),90)))

# The driver takes longer to decompress code than to load it (30 ms and 15 on an
# H200), so that of one generation is kept as it is.
$(BUILD)/kernels/image.fatbin: $(GENERATIONS:%=$(BUILD)/kernels/%.cubin) \
                               $(TARGETS_FILE)
	@echo "FATBINARY $@"
	@$(CUDA_BIN)fatbinary -64 --create=$@ \
	  $(if $(filter 1,$(words $(GENERATIONS))),--compress=false) \
	  $(foreach sm,$(GENERATIONS),\
	    --image3=kind=elf,sm=$(sm:sm_%=%),file=$(BUILD)/kernels/$(sm).cubin)

$(KERNEL_PTX_IMAGE): $(BUILD)/kernels/compute_$(KERNEL_PTX).ptx $(TARGETS_FILE)
	@echo "FATBINARY $@"
	@$(CUDA_BIN)fatbinary -64 --create=$@ \
	  --image3=kind=ptx,sm=$(KERNEL_PTX),file=$<
endif

# The host device's kernels are loops for the compiler to vectorise, so they
# need these flags whatever the rest is built with. None of them changes a
# result. The last one prevents changes by compilers for machines with fused
# multiply-add.
LOOPS = $(notdir $(filter %.c,$(filter src/rt/host/kernels/%,$(GENERATED)))) \
        along.c two_results.c compact.c convolve.c count.c divide.c dot.c fft.c \
        interleave.c lfilter.c matmul.c matmul_thin.c moments.c partition.c \
        places.c random.c rejection.c rows.c \
        scatter.c search.c select.c softmax.c sort.c steps.c strided.c topk.c \
        transpose.c
# A sanitizer checks each access, so the compiler vectorises nothing.
HOST_KERNEL_OPT = $(if $(filter debug,$(VARIANT)),-O0,$(if \
  $(filter asan tsan fuzz,$(VARIANT)),-O1 -g1,-O3))
$(addprefix %/host/kernels/,$(LOOPS:.c=.o)): \
    CFLAGS += $(HOST_KERNEL_OPT) -fno-math-errno -fno-trapping-math -ffp-contract=off
