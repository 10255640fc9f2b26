/*
** chunks.h - what a radix sort in chunks counts, for who launches it and for
** its twins (src/rt/host/kernels/sort.c): on the host device alone.
*/
#ifndef TIDE_CHUNKS_H
#define TIDE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

/* Of a chunk: in which bits its keys differ from the first one of the row, and
** how many of them have which digit, or where those go. */
typedef struct ChunkCounts {
  uint64_t differ;
  uint32_t digit[256];
} ChunkCounts;

/* Elements that are worth a chunk, and chunks of a row. */
enum { CHUNK_WORTH = 1 << 14, CHUNKS_MOST = 64 };

#endif
