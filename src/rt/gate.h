/* gate.h - flags in page-locked memory that hold a stream. See gate.c. */
#ifndef TIDE_GATE_H
#define TIDE_GATE_H

#include "rt.h"

/* A flag that reads 0. */
Status rt_lendgate (RtDevice *dev, uint32_t **gate);
void rt_returngate (RtDevice *dev, uint32_t *gate);  /* NULL: nothing */
void rt_freegates (RtDevice *dev);

/* Sets a flag: what waits for it on the device goes on. */
void rt_opengate (uint32_t *gate, uint32_t value);

#endif
