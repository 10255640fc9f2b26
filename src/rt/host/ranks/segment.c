/*
** segment.c - the memory that the ranks of a communicator share, and its
** layout: the Segment, two slots for each rank, and two letters for each pair
** of them. It is a file without a name, so nothing is left of it whichever rank
** dies; untouched pages take no memory.
*/
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ranks.h"
#include "rt/os/nap.h"

enum {
  PAGE = 1 << 12,
  HEAD = (sizeof(Segment) + PAGE - 1) / PAGE * PAGE,
  PAIR = PAGE + 2 * LETTER
};

_Static_assert(sizeof(RankPair) <= PAGE,
               "the letters of a pair come after a page");

/* {== creation and mapping ============================================ */

static size_t bytes_of (int size) {
  size_t n = (size_t)size;
  return HEAD + n * 2 * SLOT + n * n * PAIR;
}

int rank_make_segment (int size) {
  int fd = memfd_create("tide-ranks", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd >= 0 && (ftruncate(fd, (off_t)bytes_of(size)) != 0 ||
                  fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)) {
    close(fd);
    fd = -1;
  }
  return rank_keep_fd(fd);
}

/* A child of fork does not inherit the mapping. */
Mapping *rank_map_segment (int fd, int size) {
  struct stat s;
  Mapping *m = malloc(sizeof *m);
  if (m == NULL)
    return NULL;
  *m = (Mapping){1, size, bytes_of(size), MAP_FAILED};
  if (fstat(fd, &s) == 0 && (size_t)s.st_size == m->bytes)
    m->segment = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (m->segment == MAP_FAILED) {
    free(m);
    return NULL;
  }
  madvise(m->segment, m->bytes, MADV_DONTFORK);
  return m;
}

void rank_unmap_segment (Mapping *m) {
  if (m == NULL || --m->refs > 0)
    return;
  munmap(m->segment, m->bytes);
  free(m);
}

/* ==} */

/* {== places ========================================================== */

unsigned char *rank_slot (const Mapping *m, int rank, uint64_t step) {
  size_t at = 2 * (size_t)rank + step % 2;
  return (unsigned char *)m->segment + HEAD + at * SLOT;
}

RankPair *rank_pair (const Mapping *m, int from, int to) {
  size_t slots = (size_t)m->size * 2 * SLOT;
  size_t at = (size_t)from * (size_t)m->size + (size_t)to;
  return (RankPair *)((unsigned char *)m->segment + HEAD + slots + at * PAIR);
}

unsigned char *rank_letter (RankPair *p, uint64_t number) {
  return (unsigned char *)p + PAGE + number % 2 * LETTER;
}

/* ==} */

/* {== words and bells ================================================= */

uint64_t rank_read64 (const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

uint32_t rank_read32 (const uint32_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

void rank_write64 (uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Makes the rank look again at its condition. */
void rank_wake (Segment *g, int rank) {
  Member *m = &g->member[rank];
  __atomic_add_fetch(&m->bell, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&m->asleep, __ATOMIC_SEQ_CST) != 0)
    nap_wake_word(&m->bell);
}

void rank_wake_all (const Mapping *m) {
  for (int i = 0; i < m->size; i++)
    rank_wake(m->segment, i);
}

/* ==} */
