/* sha256.h - SHA-256, which names code by its content. See sha256.c. */
#ifndef TIDE_RT_CODE_SHA256_H
#define TIDE_RT_CODE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

typedef struct Sha256 {
  uint32_t state[8];
  uint64_t bytes;
  unsigned char block[64];
} Sha256;

void sha256_begin (Sha256 *h);
void sha256_add (Sha256 *h, const void *p, size_t n);
void sha256_end (Sha256 *h, unsigned char key[SHA256_BYTES]);

/* Adds a text with its length, so that different lists of texts have different
** hashes. */
void sha256_add_text (Sha256 *h, const char *text);

#endif
