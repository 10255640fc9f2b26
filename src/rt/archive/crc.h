/* crc.h - the CRC-32 of zip files. See crc.c. */
#ifndef TIDE_RT_ARCHIVE_CRC_H
#define TIDE_RT_ARCHIVE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC of some bytes, of which 'crc' is that of all before these n;
** of no bytes it is 0. Any thread may call it. */
uint32_t crc_update (uint32_t crc, const void *bytes, size_t n);

/* Returns the CRC of two runs of bytes in a row, from the CRC of each and the
** crc_shift of the second one's length. */
uint32_t crc_join (uint32_t first, uint32_t second, uint32_t shift);
uint32_t crc_shift (uint64_t n);

#endif
