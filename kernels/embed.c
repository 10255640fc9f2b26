/*
** embed.c - the CUDA image as bytes of this object file: KERNEL_IMAGE, a string
** with the fatbin's path, which rules.mk has compiled for KERNEL_TARGETS.
** Without nvcc src/rt/driver/no_kernels.c replaces this file.
*/
#include "../src/rt/driver/image_data.h"

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl tide_kernel_image\n"
        ".hidden tide_kernel_image\n"
        "tide_kernel_image:\n"
        ".incbin \"" KERNEL_IMAGE "\"\n"
        ".popsection\n");

extern const unsigned char tide_kernel_image[]
  __attribute__((visibility("hidden")));

const void *image_data_bytes (void) { return tide_kernel_image; }

const char *image_data_targets (void) { return KERNEL_TARGETS; }
