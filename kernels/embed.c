/*
** embed.c - the CUDA images as bytes of this object file: KERNEL_IMAGE and
** KERNEL_PTX_IMAGE, strings with the fatbins' paths, which rules.mk has
** compiled for KERNEL_TARGETS. Without nvcc src/rt/driver/no_kernels.c
** replaces this file.
*/
#include "../src/rt/driver/image_data.h"

#define EMBED(name, path) \
  __asm__(".pushsection .rodata\n" \
          ".balign 16\n" \
          ".globl " #name "\n" \
          ".hidden " #name "\n" #name ":\n" \
          ".incbin \"" path "\"\n" \
          ".popsection\n"); \
  extern const unsigned char name[] __attribute__((visibility("hidden")))

EMBED(tide_kernel_image, KERNEL_IMAGE);
EMBED(tide_kernel_ptx, KERNEL_PTX_IMAGE);

const void *image_data_bytes (void) { return tide_kernel_image; }

const void *image_data_ptx (void) { return tide_kernel_ptx; }

const char *image_data_targets (void) { return KERNEL_TARGETS; }
