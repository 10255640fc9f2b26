/* packer.h - deflates a stream of bytes. See packer.c. */
#ifndef TIDE_RT_ARCHIVE_PACKER_H
#define TIDE_RT_ARCHIVE_PACKER_H

#include "libz.h"

typedef struct Packer {
  const Libz *lib; /* NULL: closed */
  LibzStream z;
  unsigned char out[64 << 10];
} Packer;

/* Begins a stream. Returns NULL, or the reason why there is none. */
const char *packer_open (Packer *p);

/* packer_feed gives n bytes, which have to stay until packer_take has returned
** 0. packer_take returns how many bytes of output are in 'out'; 'last': no more
** input will come. */
void packer_feed (Packer *p, const void *bytes, size_t n);
size_t packer_take (Packer *p, bool last);

void packer_close (Packer *p);

#endif
