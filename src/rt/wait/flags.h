/* flags.h - words that the host sets and streams wait for, or the other way
** round. See flags.c. */
#ifndef TIDE_RT_WAIT_FLAGS_H
#define TIDE_RT_WAIT_FLAGS_H

#include "rt/rt.h"

/* Words in page-locked memory, which read 0, for kernels to write. */
Status rt_lendword (RtDevice *dev, int64_t **word);
void rt_returnword (RtDevice *dev, int64_t *word);  /* NULL: nothing */
void rt_clearword (int64_t *word);

/* The first half of such a word, for streams to wait for. */
Status rt_lendflag (RtDevice *dev, uint32_t **flag);
void rt_returnflag (RtDevice *dev, uint32_t *flag);  /* NULL: nothing */
void rt_freeflags (RtDevice *dev);
void rt_forgetflags (RtDevice *dev);  /* the device was reset */

/* Sets a flag: what waits for it on the device goes on. */
void rt_setflag (uint32_t *flag, uint32_t value);

#endif
