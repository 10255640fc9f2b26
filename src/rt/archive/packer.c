/* packer.c - deflates a stream of bytes that comes in pieces. */
#include "packer.h"

const char *packer_open (Packer *p) {
  const char *why;
  const Libz *lib = libz_find(&why);
  packer_close(p);
  if (lib == NULL)
    return why;
  if (!libz_begin_deflate(lib, &p->z))
    return "no memory";
  p->lib = lib;
  return NULL;
}

void packer_feed (Packer *p, const void *bytes, size_t n) {
  p->z.next_in = bytes;
  p->z.avail_in = (unsigned)n;
}

/* With room for output and a state of its own, deflate cannot fail. */
size_t packer_take (Packer *p, bool last) {
  p->z.next_out = p->out;
  p->z.avail_out = sizeof p->out;
  p->lib->deflate(&p->z, last ? LIBZ_FINISH : LIBZ_NO_FLUSH);
  return sizeof p->out - p->z.avail_out;
}

void packer_close (Packer *p) {
  if (p->lib != NULL)
    p->lib->deflateEnd(&p->z);
  p->lib = NULL;
}
