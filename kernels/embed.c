/*
** embed.c - the CUDA images as bytes of this object file: a fatbin for each
** unit in KERNEL_FOLDER, which rules.mk has compiled for KERNEL_TARGETS. If
** there is no nvcc, src/rt/driver/no_kernels.c replaces this file.
*/
#include "../src/rt/driver/image_data.h"

#define UNIT(name) \
  __asm__(".pushsection .rodata\n" \
          ".balign 16\n" \
          ".globl tide_kernels_" #name "\n" \
          ".hidden tide_kernels_" #name "\n" \
          "tide_kernels_" #name ":\n" \
          ".incbin \"" KERNEL_FOLDER "/" #name ".fatbin\"\n" \
          ".popsection\n"); \
  extern const unsigned char tide_kernels_##name[] \
    __attribute__((visibility("hidden")));
#include "rt/kernels/units.def"

#define UNIT(name) tide_kernels_##name,
static const unsigned char *const images[] = {
#include "rt/kernels/units.def"
};

const void *image_data_of (int unit) { return images[unit]; }

const char *image_data_targets (void) { return KERNEL_TARGETS; }
