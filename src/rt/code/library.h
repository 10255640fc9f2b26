/* library.h - finds NVIDIA's libraries, which are loaded when they are first
** needed. See library.c. */
#ifndef TIDE_RT_CODE_LIBRARY_H
#define TIDE_RT_CODE_LIBRARY_H

#include <stdbool.h>

#include "rt/rt.h"

/* Stores the address of an entry in *fn, a pointer to a function. Returns false
** if the library has none of that name; then *fn is NULL. */
bool library_entry (void *lib, const char *name, void *fn);

/* Calls load(name) for the library that the environment variable names, but not
** for "none"; if it names none, for each of 'names', which end with NULL, until
** one returns true. Returns whether one has. */
bool library_choose (const char *variable, const char *const *names,
                     bool (*load)(const char *name));

/* Waits until what a library has queued by itself is done: it may fill tables
** by copies on the legacy default stream, which go on after its call has
** returned, and our streams are not in order with that one. The device's lock
** is held. Returns false if the driver cannot tell: another's capture. */
bool library_settle (RtDevice *dev);

#endif
