/*
** chunks.h - the counts of a radix sort in chunks, for its launches and its
** host kernels (src/rt/host/kernels/sort.c): on the host device alone.
*/
#ifndef TIDE_CHUNKS_H
#define TIDE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

/* For a chunk: the bits in which its keys differ from the first one of the row;
** and for each digit its count, or the place for its elements. */
typedef struct ChunkCounts {
  uint64_t differ;
  uint32_t digit[256];
} ChunkCounts;

/* Elements that are worth a chunk, and the most chunks of a row. */
enum { CHUNK_WORTH = 1 << 14, CHUNKS_MOST = 64 };

#endif
