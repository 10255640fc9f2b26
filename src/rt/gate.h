/* gate.h - flags in page-locked memory that hold a stream. See gate.c. */
#ifndef TIDE_GATE_H
#define TIDE_GATE_H

#include "rt.h"

/* A flag that reads 0. */
Status rt_lendgate (RtDevice *dev, uint32_t **gate);
void rt_returngate (RtDevice *dev, uint32_t *gate);  /* NULL: nothing */
void rt_freegates (RtDevice *dev);

/*
** Before an operation is queued on 's' while gates are shut: if what is queued
** behind gates could fill the driver's queues, lets the host functions run
** first. 'weight': how much room it takes; 'shuts': it brings a gate.
*/
Status rt_makeroom (RtStream *s, int weight, bool shuts, const char *what);

/* 's' waits for 't': if that is behind a gate, so is 's' from now on. */
void rt_follow (RtStream *s, RtStream *t);

/* 'n' gates were queued on 's'; one of them was opened. */
void rt_noteshut (RtStream *s, int n);
void rt_noteopen (RtStream *s);

/* Sets a flag: what waits for it on the device goes on. */
void rt_opengate (uint32_t *gate, uint32_t value);

#endif
