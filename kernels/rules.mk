# rules.mk - from kernels/ to one object file: KERNEL_OBJ, which defines
# rt_cuda_image(). Included by the Makefile, which sets NVCC (empty: none),
# BUILD, CC and CFLAGS.

# What to compile for: SASS of every generation since Ampere, and PTX of the
# oldest for what comes later. The code uses nothing newer than sm_80, so one
# front-end pass serves all. Overridable: TIDE_GENCODE="-arch=native", say.
TIDE_GENCODE ?= \
  -gencode arch=compute_80,code=[compute_80,sm_80,sm_90,sm_100,sm_120]

# -fmad=false: a built-in rounds where its expression does, as its twin does.
KERNEL_NVCCFLAGS = -std=c++17 -O3 -fmad=false --compress-mode=size --threads 0

KERNEL_SOURCES = $(wildcard kernels/*.cu kernels/*.cuh kernels/*.h) \
                 kernels/kernels.def

ifeq ($(NVCC),)
KERNEL_OBJ = $(BUILD)/src/rt/driver/no_kernels.o

$(KERNEL_OBJ): src/rt/driver/no_kernels.c src/rt/driver/image_data.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -c -o $@ $<
else
KERNEL_OBJ = $(BUILD)/kernels/embed.o

$(KERNEL_OBJ): kernels/embed.c $(BUILD)/kernels.fatbin src/rt/driver/image_data.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -DKERNEL_IMAGE='"$(BUILD)/kernels.fatbin"' -c -o $@ $<

$(BUILD)/kernels.fatbin: $(KERNEL_SOURCES) kernels/rules.mk
	@mkdir -p $(@D)
	$(NVCC) -fatbin $(KERNEL_NVCCFLAGS) $(TIDE_GENCODE) -o $@ kernels/image.cu
endif

# The twins are loops for the compiler to vectorise, so they want these flags
# whatever the rest is built with. None of them changes a result; the last one
# keeps compilers for machines with fused multiply-add from changing one.
%/host/kernels/axis.o %/host/kernels/elementwise.o %/host/kernels/matmul.o \
%/host/kernels/random.o %/host/kernels/scan.o %/host/kernels/select.o \
%/host/kernels/sort.o %/host/kernels/steps.o %/host/kernels/strided.o: \
    CFLAGS += -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off
