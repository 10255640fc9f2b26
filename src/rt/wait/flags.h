/* flags.h - words that the host sets and streams wait for, or that kernels
** write and the host reads. See flags.c. */
#ifndef TIDE_RT_WAIT_FLAGS_H
#define TIDE_RT_WAIT_FLAGS_H

#include "rt/rt.h"

/* Lends a word of page-locked memory, set to 0, for kernels to write. */
Status rt_lendword (RtDevice *dev, int64_t **word);
void rt_returnword (RtDevice *dev, int64_t *word); /* NULL: nothing */
void rt_clearword (int64_t *word);

/* Lends the first half of a word, for streams to wait for. */
Status rt_lendflag (RtDevice *dev, uint32_t **flag);
void rt_returnflag (RtDevice *dev, uint32_t *flag); /* NULL: nothing */
void rt_freeflags (RtDevice *dev);
void rt_forgetflags (RtDevice *dev); /* the device was reset */

/* Sets a flag: streams that wait for this value go on. */
void rt_setflag (uint32_t *flag, uint32_t value);

#endif
