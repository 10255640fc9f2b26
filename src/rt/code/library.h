/* library.h - finds NVIDIA's libraries, which are loaded when they are first
** needed. See library.c. */
#ifndef TIDE_RT_CODE_LIBRARY_H
#define TIDE_RT_CODE_LIBRARY_H

#include <stdbool.h>

#include "rt/rt.h"

struct RtShared;

/* Stores the address of an entry in *fn, a pointer to a function. Returns false
** if the library has none of that name; then *fn is NULL. */
bool library_entry (void *lib, const char *name, void *fn);

/* Calls load(name) for the library that the environment variable names, but not
** for "none"; if it names none, for each of 'names', which end with NULL, until
** one returns true. Returns whether one has. */
bool library_choose (const char *variable, const char *const *names,
                     bool (*load)(const char *name));

/*
** A library may fill its tables by copies on the legacy default stream, which
** go on after its call has returned; streams of tide are not in order with that
** one. library_note is called behind such a call, library_order before 's' uses
** the tables. The device's lock is held. library_free: nothing uses them.
*/
void library_note (const RtDevice *dev);
void library_order (const RtStream *s);
void library_free (struct RtShared *sh);

#endif
