/* member.h - the bytes of a member of a zip file. See member.c. */
#ifndef TIDE_RT_ARCHIVE_MEMBER_H
#define TIDE_RT_ARCHIVE_MEMBER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "libz.h"

#define MEMBER_BLOCK ((size_t)64 << 10) /* bytes that have a CRC of their own */

/* The caller sets the fields of the first part. */
typedef struct Member {
  int fd;
  uint64_t begin, packed, bytes; /* in the file, and unpacked */
  bool deflated;
  uint32_t crc;     /* as the file tells it */
  uint32_t *blocks; /* member_blocks words; see member_fill */

  uint64_t head; /* bytes that member_read has read */
  uint32_t head_crc;
  atomic_bool corrupt; /* what was deflated cannot be inflated */
  const Libz *lib;     /* NULL: nothing is inflated */
  pthread_mutex_t lock;
  pthread_cond_t turn; /* 'at' has changed, or 'corrupt' */
  LibzStream z;
  uint64_t at;    /* bytes that are inflated */
  uint64_t taken; /* bytes of the file that were read for that */
  unsigned char in[64 << 10];
} Member;

/* Return NULL, or the reason why it cannot be read. */
const char *member_open (Member *m);

/* Frees what an open member holds; may be called again, or for zeros. */
void member_close (Member *m);

/* Reads the next n bytes of the head, which are no data. Returns 0 or an
** errno. */
int member_read (Member *m, char *to, size_t n);

/* Returns the number of words for the CRCs of the data behind the head. */
size_t member_blocks (const Member *m);

/* Reads n bytes of the data: an RtFill's work, with 'off' a multiple of
** MEMBER_BLOCK, and so is n except at the end. */
int member_fill (Member *m, char *to, size_t off, size_t n);

/* Returns NULL once all bytes were read and were right; else the reason. */
const char *member_check (const Member *m);

#endif
