/* flags.h - words that the host sets and streams wait for, or that kernels
** write and the host reads. See flags.c. */
#ifndef TIDE_RT_WAIT_FLAGS_H
#define TIDE_RT_WAIT_FLAGS_H

#include "rt/rt.h"

/* Takes a word of page-locked memory, set to 0, for kernels to write. */
Status flag_take_word (RtDevice *dev, int64_t **word);
void flag_return_word (RtDevice *dev, int64_t *word); /* NULL: nothing */
void flag_clear_word (int64_t *word);

/* Takes the first half of a word, for streams to wait for. */
Status flag_take (RtDevice *dev, uint32_t **flag);
void flag_return (RtDevice *dev, uint32_t *flag); /* NULL: nothing */
void flag_free_all (RtDevice *dev);
void flag_forget_all (RtDevice *dev); /* the device was reset */

/* Sets a flag: streams that wait for this value go on. */
void flag_set (uint32_t *flag, uint32_t value);

#endif
