/*
** crc.c - CRC-32, 16 bytes at a time: table k tells the effect of a byte that
** k others follow. As the CRC is linear, that of two runs in a row follows from
** both, so several threads can each compute a part.
*/
#include "crc.h"

#include <pthread.h>
#include <string.h>

enum { SLICES = 16 };

static const uint32_t polynomial = 0xEDB88320; /* bits reversed: x^31 first */
static uint32_t tables[SLICES][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static uint32_t times_x (uint32_t a) {
  return a >> 1 ^ (polynomial & -(a & 1));
}

static void make_tables (void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++)
      c = times_x(c);
    tables[0][i] = c;
  }
  for (int k = 1; k < SLICES; k++)
    for (int i = 0; i < 256; i++) {
      uint32_t c = tables[k - 1][i];
      tables[k][i] = c >> 8 ^ tables[0][c & 255];
    }
}

static inline uint32_t eight_bytes (uint32_t t[8][256], uint64_t w) {
  return t[7][w & 255] ^ t[6][w >> 8 & 255] ^ t[5][w >> 16 & 255] ^
         t[4][w >> 24 & 255] ^ t[3][w >> 32 & 255] ^ t[2][w >> 40 & 255] ^
         t[1][w >> 48 & 255] ^ t[0][w >> 56];
}

uint32_t crc_update (uint32_t crc, const void *bytes, size_t n) {
  const unsigned char *at = bytes;
  pthread_once(&made, make_tables);
  crc = ~crc;
  for (; n >= SLICES; n -= SLICES, at += SLICES) {
    uint64_t w[2];
    memcpy(w, at, sizeof w);
    crc = eight_bytes(tables + 8, w[0] ^ crc) ^ eight_bytes(tables, w[1]);
  }
  for (; n > 0; n--)
    crc = crc >> 8 ^ tables[0][(crc ^ *at++) & 255];
  return ~crc;
}

/* Multiplies two polynomials modulo that of the CRC. */
static uint32_t multiply (uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (; a != 0; a <<= 1, b = times_x(b))
    product ^= b & -(a >> 31);
  return product;
}

/* Returns x^(8n). */
uint32_t crc_shift (uint64_t n) {
  uint32_t product = (uint32_t)1 << 31, power = (uint32_t)1 << 23;
  for (; n > 0; n >>= 1, power = multiply(power, power))
    if (n & 1)
      product = multiply(product, power);
  return product;
}

uint32_t crc_join (uint32_t first, uint32_t second, uint32_t shift) {
  return multiply(first, shift) ^ second;
}
