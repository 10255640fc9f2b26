/* flags.h - words that the host sets and streams wait for. See flags.c. */
#ifndef TIDE_RT_WAIT_FLAGS_H
#define TIDE_RT_WAIT_FLAGS_H

#include "rt/rt.h"

/* Flags in page-locked memory, which read 0. */
Status rt_lendflag (RtDevice *dev, uint32_t **flag);
void rt_returnflag (RtDevice *dev, uint32_t *flag);  /* NULL: nothing */
void rt_freeflags (RtDevice *dev);

/* Sets a flag: what waits for it on the device goes on. */
void rt_setflag (uint32_t *flag, uint32_t value);

#endif
