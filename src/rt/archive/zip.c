/*
** zip.c - the records of zip files, as bytes: for each member a local header
** before its data, then a directory with an entry for each, then the end, which
** tells where the directory is. Numbers that do not fit into 32 bits are in
** records of 64 bits beside them (zip64).
** After https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
*/
#include "zip.h"

#include <string.h>

#include "libz.h"

/* From here on a number has 64 bits. */
#if defined(TIDE_TESTING)
uint64_t zip_limit = 0xFFFFFFFF;
#else
static const uint64_t zip_limit = 0xFFFFFFFF;
#endif

enum { CENTRAL = 46, END = 22, LOCATOR = 20, END64 = 56 };
enum { FLAG_ENCRYPTED = 1 << 0, FLAG_STRONG = 1 << 6, FLAG_UTF8 = 1 << 11 };
enum {
  VERSION = 20,
  VERSION64 = 45,
  UNIX = 3,
  DATE = 0x21 /* 1980-01-01 */,
  ZIP64 = 1
};
#define PERMISSIONS ((uint64_t)0600 << 16)

static const char not_whole[] = "truncated: the end of its zip file is missing";
static const char not_valid[] = "corrupt: the directory of its zip file is not "
                                "valid";

/* {== reading ========================================================= */

/* Little-endian. */
static uint64_t get (const unsigned char *at, int n) {
  uint64_t x = 0;
  while (n-- > 0)
    x = x << 8 | at[n];
  return x;
}

static bool is_record (const unsigned char *at, const char *name) {
  return memcmp(at, "PK", 2) == 0 && memcmp(at + 2, name, 2) == 0;
}

bool zip_test (const unsigned char *begin, size_t n) {
  return n >= ZIP_BEGIN &&
         (is_record(begin, "\3\4") || is_record(begin, "\5\6"));
}

/* Returns the place of the end in the tail, or NULL. A comment may come behind
** it, of the length that it tells. */
static const unsigned char *find_end (const unsigned char *tail, size_t n) {
  for (size_t at = END; at <= n; at++) {
    const unsigned char *end = tail + n - at;
    if (is_record(end, "\5\6") && get(end + 20, 2) == at - END)
      return end;
  }
  return NULL;
}

/* Returns the end of 64 bits, if a locator that leads to it stands before the
** other end, or NULL. 'base' is the place of the tail in the file. */
static const unsigned char *find_end64 (const unsigned char *tail,
                                        const unsigned char *end,
                                        uint64_t base) {
  const unsigned char *locator = end - LOCATOR;
  if (end - tail < LOCATOR + END64 || !is_record(locator, "\6\7"))
    return NULL;
  uint64_t at = get(locator + 8, 8), least = base,
           most = base + (uint64_t)(locator - tail) - END64;
  if (at < least || at > most || !is_record(tail + (at - base), "\6\6"))
    return NULL;
  return tail + (at - base);
}

const char *zip_find (ZipDirectory *d, const unsigned char *tail, size_t n,
                      uint64_t size) {
  const unsigned char *end = find_end(tail, n);
  if (end == NULL)
    return not_whole;
  uint64_t base = size - n, before = base + (uint64_t)(end - tail);
  const unsigned char *end64 = find_end64(tail, end, base);
  *d = (ZipDirectory){get(end + 16, 4), get(end + 12, 4), get(end + 10, 2)};
  if (end64 != NULL) {
    *d = (ZipDirectory){get(end64 + 48, 8), get(end64 + 40, 8),
                        get(end64 + 32, 8)};
    before = base + (uint64_t)(end64 - tail);
  }
  if (get(end + 4, 2) != 0 && get(end + 4, 2) != 0xFFFF)
    return "it is one part of a zip file in several";
  if (d->at > before || d->bytes != before - d->at ||
      d->members > d->bytes / CENTRAL)
    return not_valid;
  return NULL;
}

/* Replaces the numbers that say so by those in the extra field of 64 bits.
** Returns false if they are missing there. */
static bool read_extra (ZipEntry *e, const unsigned char *at, size_t n) {
  uint64_t *numbers[] = {&e->bytes, &e->packed, &e->at};
  const unsigned char *more = at;
  size_t left = 0;
  while (n >= 4 && left == 0) {
    size_t length = (size_t)get(at + 2, 2);
    if (length > n - 4)
      return false;
    if (get(at, 2) == ZIP64) {
      more = at + 4;
      left = length;
    }
    at += 4 + length;
    n -= 4 + length;
  }
  for (int i = 0; i < 3; i++) {
    if (*numbers[i] != 0xFFFFFFFF)
      continue;
    if (left < 8)
      return false;
    *numbers[i] = get(more, 8);
    more += 8;
    left -= 8;
  }
  return true;
}

const char *zip_next (ZipEntry *e, const unsigned char *directory, size_t n,
                      size_t *at) {
  const unsigned char *r = directory + *at;
  if (n - *at < CENTRAL || !is_record(r, "\1\2"))
    return not_valid;
  uint64_t flags = get(r + 8, 2);
  size_t extra = (size_t)get(r + 30, 2), comment = (size_t)get(r + 32, 2);
  *e = (ZipEntry){.name = (const char *)r + CENTRAL,
                  .length = (size_t)get(r + 28, 2),
                  .encrypted = (flags & (FLAG_ENCRYPTED | FLAG_STRONG)) != 0,
                  .method = (int)get(r + 10, 2),
                  .crc = (uint32_t)get(r + 16, 4),
                  .packed = get(r + 20, 4),
                  .bytes = get(r + 24, 4),
                  .at = get(r + 42, 4)};
  size_t whole = CENTRAL + e->length + extra + comment;
  if (n - *at < whole || !read_extra(e, r + CENTRAL + e->length, extra))
    return not_valid;
  *at += whole;
  return NULL;
}

const char *zip_locate (const ZipEntry *e, const unsigned char local[ZIP_LOCAL],
                        uint64_t end, uint64_t *begin) {
  *begin = e->at + ZIP_LOCAL + get(local + 26, 2) + get(local + 28, 2);
  if (e->encrypted)
    return "it is encrypted";
  if (e->method != ZIP_STORED && e->method != ZIP_DEFLATED)
    return "it is compressed by another method than zlib's";
  bool fits = is_record(local, "\3\4") && *begin <= end &&
              e->packed <= end - *begin &&
              (e->method == ZIP_STORED ? e->packed == e->bytes
                                       : e->bytes / LIBZ_RATIO <= e->packed);
  return fits ? NULL : "corrupt: its place in the zip file is not valid";
}

/* ==} */

/* {== writing ========================================================= */

/* A record that is being written. */
typedef struct Record {
  unsigned char *at;
} Record;

static void put (Record *r, uint64_t x, int n) {
  for (; n > 0; n--, x >>= 8)
    *r->at++ = (unsigned char)x;
}

static void put_name (Record *r, const char *name) {
  memcpy(r->at, "PK", 2);
  memcpy(r->at + 2, name, 2);
  r->at += 4;
}

static bool is_large (uint64_t x) { return x >= zip_limit; }

static void put_small (Record *r, uint64_t x, bool large) {
  put(r, large ? 0xFFFFFFFF : x, 4);
}

/* Writes the part that local headers and entries share, up to the length of
** the name. */
static void put_common (Record *r, const ZipEntry *e, int version, bool large) {
  put(r, (uint64_t)version, 2);
  put(r, e->utf8 ? FLAG_UTF8 : 0, 2);
  put(r, (uint64_t)e->method, 2);
  put(r, 0, 2);
  put(r, DATE, 2);
  put(r, e->crc, 4);
  put_small(r, e->packed, large);
  put_small(r, e->bytes, large);
  put(r, e->length, 2);
}

static bool has_large (const ZipEntry *e) {
  return is_large(e->packed) || is_large(e->bytes);
}

/* There is always room for sizes of 64 bits, because it is written before they
** are known. */
void zip_write_local (const ZipEntry *e, unsigned char to[ZIP_RECORD]) {
  Record r = {to};
  bool large = has_large(e);
  put_name(&r, "\3\4");
  put_common(&r, e, large ? VERSION64 : VERSION, large);
  put(&r, ZIP_EXTRA, 2);
  put(&r, ZIP64, 2);
  put(&r, ZIP_EXTRA - 4, 2);
  put(&r, e->bytes, 8);
  put(&r, e->packed, 8);
}

size_t zip_write_entry (const ZipEntry *e, unsigned char to[ZIP_RECORD],
                        size_t *extra) {
  Record r = {to};
  bool sizes = has_large(e), place = is_large(e->at);
  int version = (sizes || place) ? VERSION64 : VERSION;
  *extra = (sizes || place) ? 4u + (sizes ? 16 : 0) + (place ? 8 : 0) : 0;
  put_name(&r, "\1\2");
  put(&r, (uint64_t)(version | UNIX << 8), 2);
  put_common(&r, e, version, sizes);
  put(&r, *extra, 2);
  put(&r, 0, 2 + 2 + 2); /* no comment, part 0, attributes */
  put(&r, PERMISSIONS, 4);
  put_small(&r, e->at, place);
  if (*extra > 0) {
    put(&r, ZIP64, 2);
    put(&r, *extra - 4, 2);
  }
  if (sizes) {
    put(&r, e->bytes, 8);
    put(&r, e->packed, 8);
  }
  if (place)
    put(&r, e->at, 8);
  return CENTRAL;
}

static void put_end64 (Record *r, const ZipDirectory *d) {
  put_name(r, "\6\6");
  put(r, END64 - 12, 8);
  put(r, VERSION64 | VERSION64 << 16, 4);
  put(r, 0, 8); /* part 0 */
  put(r, d->members, 8);
  put(r, d->members, 8);
  put(r, d->bytes, 8);
  put(r, d->at, 8);
  put_name(r, "\6\7");
  put(r, 0, 4);
  put(r, d->at + d->bytes, 8);
  put(r, 1, 4);
}

size_t zip_write_end (const ZipDirectory *d, unsigned char to[ZIP_RECORD]) {
  Record r = {to};
  bool many = d->members >= 0xFFFF, bytes = is_large(d->bytes),
       place = is_large(d->at);
  if (many || bytes || place)
    put_end64(&r, d);
  put_name(&r, "\5\6");
  put(&r, 0, 4);
  put(&r, many ? 0xFFFF : d->members, 2);
  put(&r, many ? 0xFFFF : d->members, 2);
  put_small(&r, d->bytes, bytes);
  put_small(&r, d->at, place);
  put(&r, 0, 2);
  return (size_t)(r.at - to);
}

/* ==} */
