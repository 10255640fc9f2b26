/* zip.h - the records of zip files. See zip.c. */
#ifndef TIDE_RT_ARCHIVE_ZIP_H
#define TIDE_RT_ARCHIVE_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  ZIP_BEGIN = 4,          /* bytes that tell a zip file */
  ZIP_TAIL = 98 + 0xFFFF, /* the longest end */
  ZIP_LOCAL = 30,         /* a local header, without what follows it */
  ZIP_EXTRA = 20,         /* and what follows the name in ours */
  ZIP_RECORD = 128,       /* any record of ours, without a name */
  ZIP_NAME = 0xFFFF       /* the longest name */
};

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };

/* The list of members in a file. */
typedef struct ZipDirectory {
  uint64_t at, bytes, members;
} ZipDirectory;

typedef struct ZipEntry {
  const char *name; /* in the directory, 'length' bytes */
  size_t length;
  bool encrypted, utf8;
  int method;
  uint32_t crc;
  uint64_t packed, bytes;
  uint64_t at; /* of the local header */
} ZipEntry;

/* Tells whether a file that begins with those n bytes is a zip file. */
bool zip_test (const unsigned char *begin, size_t n);

/* Return NULL, or the reason why the file cannot be read. */

/* Finds the directory of a file of 'size' bytes, whose last n are 'tail'. */
const char *zip_find (ZipDirectory *d, const unsigned char *tail, size_t n,
                      uint64_t size);

/* Reads the entry at *at of a directory of n bytes, and advances *at. */
const char *zip_next (ZipEntry *e, const unsigned char *directory, size_t n,
                      size_t *at);

/* Finds the data of a member, which ends before 'end', by its local header. */
const char *zip_locate (const ZipEntry *e, const unsigned char local[ZIP_LOCAL],
                        uint64_t end, uint64_t *begin);

/* Write records to 'to' and return their length. The name comes behind the
** first ZIP_LOCAL bytes of a local header, and behind all of ZIP_CENTRAL. */
void zip_write_local (const ZipEntry *e, unsigned char to[ZIP_RECORD]);
size_t zip_write_entry (const ZipEntry *e, unsigned char to[ZIP_RECORD],
                        size_t *extra);
size_t zip_write_end (const ZipDirectory *d, unsigned char to[ZIP_RECORD]);

#if defined(TIDE_TESTING)
extern uint64_t zip_limit; /* see T.zip64 */
#endif

#endif
