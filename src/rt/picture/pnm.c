/*
** pnm.c - PGM and PPM, the formats of Netpbm: "P5", width, height, the greatest
** value, and samples. P6 has three samples for a pixel; P2 and P3 have them as
** text. Words are separated by blanks and by comments, from '#' to the end of a
** line.
**
** Samples are scaled to the whole range of their type, so white is 255 or 65535
** whatever the greatest value of a file is.
*/
#include "picture.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE_MOST = 65535, PIECE = 4096 };

size_t picture_bytes (const Picture *m) {
  size_t n = (size_t)m->channels * (size_t)m->bytes;
  if (__builtin_mul_overflow(n, m->width, &n) ||
      __builtin_mul_overflow(n, m->height, &n))
    return SIZE_MAX;
  return n;
}

static bool refuse (Picture *m, const char *why) {
  snprintf(m->why, sizeof m->why, "%s", why);
  return false;
}

/* {== words =========================================================== */

typedef struct PnmReader {
  const unsigned char *at, *end;
} PnmReader;

typedef struct PnmHeader {
  PnmReader rest; /* the samples, and any bytes after them */
  bool text;
  uint32_t most; /* the greatest value */
} PnmHeader;

static bool is_blank (int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_blanks (PnmReader *r) {
  while (r->at < r->end && (is_blank(*r->at) || *r->at == '#')) {
    if (*r->at == '#')
      while (r->at < r->end && *r->at != '\n' && *r->at != '\r')
        r->at++;
    else
      r->at++;
  }
}

/* Reads a number of at most 'most'; false: there is none, and 'why' says so. */
static bool read_number (PnmReader *r, Picture *m, uint32_t most, uint32_t *n) {
  uint64_t value = 0;
  skip_blanks(r);
  if (r->at == r->end)
    return refuse(m, "truncated: numbers are missing");
  if (*r->at < '0' || *r->at > '9')
    return refuse(m, "corrupt: there is something else than a number");
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
    value = value * 10 + (*r->at - '0');
    if (value > most)
      return refuse(m, "corrupt: a number is too large");
  }
  *n = (uint32_t)value;
  return true;
}

/* ==} */

/* {== reading ========================================================= */

/* Tells whether the file has as many bytes as the samples take at least. */
static bool check_length (Picture *m, const PnmHeader *h) {
  size_t need = picture_bytes(m), left = (size_t)(h->rest.end - h->rest.at);
  if (h->text) { /* a digit each, and blanks between them */
    need /= (size_t)m->bytes;
    left = left / 2 + 1;
  }
  return need <= left ||
         refuse(m, "truncated: it has not all samples that its header tells");
}

static bool read_header (const PictureFile *f, Picture *m, PnmHeader *h) {
  PnmReader *r = &h->rest;
  *r = (PnmReader){f->bytes, f->bytes + f->n};
  if (f->n < 2 || r->at[0] != 'P' || r->at[1] < '1' || r->at[1] > '7')
    return refuse(m, "it is no PGM, PPM or PNG file");
  int kind = r->at[1] - '0';
  if (kind == 1 || kind == 4 || kind == 7)
    return refuse(m, kind == 7 ? "PAM files are not read"
                               : "bitmaps of Netpbm (P1, P4) are not read");
  r->at += 2;
  if (!read_number(r, m, INT32_MAX, &m->width) ||
      !read_number(r, m, INT32_MAX, &m->height) ||
      !read_number(r, m, SAMPLE_MOST, &h->most))
    return false;
  if (m->width == 0 || m->height == 0 || h->most == 0)
    return refuse(m, "corrupt: a number of its header is 0");
  h->text = (kind <= 3);
  m->channels = (kind == 2 || kind == 5) ? 1 : 3;
  m->bytes = (h->most > 255) ? 2 : 1;
  if (!h->text && (r->at == r->end || !is_blank(*r->at)))
    return refuse(m, r->at == r->end
                       ? "truncated: it has no samples"
                       : "corrupt: its header does not end with a blank");
  r->at += !h->text; /* the one blank before binary samples */
  return check_length(m, h);
}

/* Reads the next sample; false: there is none, and 'why' says so. */
static bool read_sample (PnmHeader *h, Picture *m, uint32_t *x) {
  PnmReader *r = &h->rest;
  if (h->text) {
    if (!read_number(r, m, SAMPLE_MOST, x))
      return false;
  } else {
    *x = *r->at++;
    if (m->bytes == 2)
      *x = *x << 8 | *r->at++;
  }
  return *x <= h->most ||
         refuse(m, "corrupt: a sample is above the greatest value");
}

static void store (void *to, size_t i, int bytes, uint32_t x) {
  if (bytes == 1)
    ((uint8_t *)to)[i] = (uint8_t)x;
  else
    memcpy((char *)to + 2 * i, &(uint16_t){(uint16_t)x}, 2);
}

static bool decode_pnm (const PictureFile *f, Picture *m, void *to) {
  PnmHeader h;
  if (!read_header(f, m, &h))
    return false;
  size_t n = picture_bytes(m) / (size_t)m->bytes;
  uint32_t white = (m->bytes == 1) ? 255 : SAMPLE_MOST;
  if (!h.text && h.most == 255) {
    memcpy(to, h.rest.at, n);
    return true;
  }
  for (size_t i = 0; i < n; i++) {
    uint32_t x;
    if (!read_sample(&h, m, &x))
      return false;
    store(to, i, m->bytes, (x * white + h.most / 2) / h.most);
  }
  return true;
}

bool picture_read (const PictureFile *f, Picture *m) {
  PnmHeader h;
  memset(m, 0, sizeof *m);
  return picture_is_png(f) ? picture_read_png(f, m) : read_header(f, m, &h);
}

bool picture_decode (const PictureFile *f, Picture *m, void *to) {
  return picture_is_png(f) ? picture_decode_png(f, m, to)
                           : decode_pnm(f, m, to);
}

/* ==} */

/* Writes samples of two bytes with the bytes swapped, piece by piece. */
static bool write_turned (const char *from, size_t n, PictureSink sink,
                          void *ud) {
  char piece[PIECE];
  for (size_t at = 0; at < n; at += PIECE) {
    size_t part = (n - at < PIECE) ? n - at : PIECE;
    for (size_t i = 0; i < part; i++)
      piece[i] = from[(at + i) ^ 1];
    if (sink(ud, piece, part) != 0)
      return false;
  }
  return true;
}

bool picture_write_pnm (Picture *m, const void *from, PictureSink sink,
                        void *ud) {
  char header[64];
  size_t n = picture_bytes(m);
  m->why[0] = '\0';
  if (m->channels == 4)
    return refuse(m, "PGM and PPM have no fourth channel; PNG has");
  int length = snprintf(header, sizeof header, "P%d\n%u %u\n%d\n",
                        m->channels == 1 ? 5 : 6, (unsigned)m->width,
                        (unsigned)m->height, m->bytes == 1 ? 255 : SAMPLE_MOST);
  if (sink(ud, header, (size_t)length) != 0)
    return false;
  return m->bytes == 1 ? sink(ud, from, n) == 0
                       : write_turned(from, n, sink, ud);
}
