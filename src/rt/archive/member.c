/*
** member.c - reads the bytes of a member of a zip file, by several threads.
**
** Stored bytes are read from their place. Deflated ones can be inflated only
** from the first to the last, so the threads take turns, straight into the
** memory that each was given. Threads take their parts in order, so the one
** whose turn it is has always begun. A part from before the latest one is for
** an upload that starts over, alone: it inflates from the beginning.
**
** Each block of bytes has a CRC of its own, which it keeps if it is read again.
** member_check joins them.
*/
#include "member.h"

#include "crc.h"
#include "rt/os/reading.h"

static int read_file (const Member *m, void *to, size_t n, uint64_t off) {
  return reading_at(m->fd, to, n, (off_t)(m->begin + off));
}

/* {== inflating ======================================================= */

/* Reads the next input. Without any more the data is cut off, and inflate says
** so. */
static int refill (Member *m) {
  uint64_t left = m->packed - m->taken;
  size_t n = left < sizeof m->in ? (size_t)left : sizeof m->in;
  int error = read_file(m, m->in, n, m->taken);
  m->z.next_in = m->in;
  m->z.avail_in = (unsigned)n;
  m->taken += n;
  return error;
}

/* Inflates the next bytes. */
static int inflate_next (Member *m, char *to, size_t n) {
  int error = 0;
  m->at += n;
  while (n > 0 && error == 0 && !m->corrupt) {
    unsigned room = n < LIBZ_MOST ? (unsigned)n : LIBZ_MOST;
    m->z.next_out = (unsigned char *)to;
    m->z.avail_out = room;
    if (m->z.avail_in == 0)
      error = refill(m);
    int result = m->lib->inflate(&m->z, LIBZ_NO_FLUSH);
    to += room - m->z.avail_out;
    n -= room - m->z.avail_out;
    m->corrupt = result != LIBZ_OK && (result != LIBZ_STREAM_END || n > 0);
  }
  return error;
}

/* Inflates the first 'off' bytes again, for those after them. */
static int rewind_to (Member *m, uint64_t off) {
  char skipped[4096];
  int error = 0;
  m->lib->inflateReset(&m->z);
  m->z.avail_in = 0;
  m->at = m->taken = 0;
  while (m->at < off && error == 0) {
    uint64_t n = off - m->at;
    error = inflate_next(m, skipped, n < sizeof skipped ? n : sizeof skipped);
  }
  return error;
}

/* Inflates n bytes from 'off' on. Waits for its turn, which comes because each
** call either advances by its n or makes the member corrupt. */
static int inflate_at (Member *m, char *to, uint64_t off, size_t n) {
  int error = 0;
  pthread_mutex_lock(&m->lock);
  if (m->at > off)
    error = rewind_to(m, off);
  while (m->at < off && !m->corrupt)
    pthread_cond_wait(&m->turn, &m->lock);
  if (error == 0 && !m->corrupt)
    error = inflate_next(m, to, n);
  m->corrupt = m->corrupt || error != 0;
  pthread_cond_broadcast(&m->turn);
  pthread_mutex_unlock(&m->lock);
  return error;
}

const char *member_open (Member *m) {
  const char *why = NULL;
  m->head = m->at = m->taken = 0;
  m->head_crc = 0;
  m->corrupt = false;
  if (!m->deflated)
    return NULL;
  const Libz *lib = libz_find(&why);
  if (lib == NULL)
    return why;
  if (!libz_begin_inflate(lib, &m->z))
    return "no memory";
  pthread_mutex_init(&m->lock, NULL);
  pthread_cond_init(&m->turn, NULL);
  m->lib = lib;
  return NULL;
}

void member_close (Member *m) {
  if (m->lib == NULL)
    return;
  m->lib->inflateEnd(&m->z);
  pthread_mutex_destroy(&m->lock);
  pthread_cond_destroy(&m->turn);
  m->lib = NULL;
}

/* ==} */

static int read_at (Member *m, char *to, uint64_t off, size_t n) {
  return m->deflated ? inflate_at(m, to, off, n) : read_file(m, to, n, off);
}

int member_read (Member *m, char *to, size_t n) {
  int error = read_at(m, to, m->head, n);
  if (error == 0 && !m->corrupt)
    m->head_crc = crc_update(m->head_crc, to, n);
  m->head += n;
  return error;
}

size_t member_blocks (const Member *m) {
  return (size_t)((m->bytes - m->head + MEMBER_BLOCK - 1) / MEMBER_BLOCK);
}

int member_fill (Member *m, char *to, size_t off, size_t n) {
  int error = read_at(m, to, m->head + off, n);
  if (error != 0 || m->corrupt)
    return error;
  for (size_t at = 0; at < n; at += MEMBER_BLOCK)
    m->blocks[(off + at) / MEMBER_BLOCK] =
      crc_update(0, to + at, n - at < MEMBER_BLOCK ? n - at : MEMBER_BLOCK);
  return error;
}

const char *member_check (const Member *m) {
  uint64_t left = m->bytes - m->head;
  uint32_t crc = m->head_crc, shift = crc_shift(MEMBER_BLOCK);
  if (m->corrupt)
    return "corrupt: its compressed data is not valid";
  for (size_t i = 0; left > 0; i++) {
    uint64_t n = left < MEMBER_BLOCK ? left : MEMBER_BLOCK;
    crc = crc_join(crc, m->blocks[i], n < MEMBER_BLOCK ? crc_shift(n) : shift);
    left -= n;
  }
  return (crc == m->crc) ? NULL : "corrupt: its CRC-32 is wrong";
}
