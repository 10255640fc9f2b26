/* npz.h - archives of arrays. See npz.c. */
#ifndef TIDE_ARRAY_NPZ_H
#define TIDE_ARRAY_NPZ_H

#include "osfile.h"

/* Tells whether an open file of 'size' bytes is an archive. */
bool npz_test (lua_State *L, const WholeFile *f, size_t size);

/* Pushes a table of all arrays of an archive; or the array that is named at 2,
** unless that is nil. */
void npz_load (lua_State *L, const WholeFile *f, size_t size);

/* Closes the reader or the writer of a member at 'idx' and returns true, if
** there is one; see guard_close. */
bool npz_close (lua_State *L, int idx);

/* Writes the arrays of the table at 2. Waits. */
void npz_save (lua_State *L, const char *path, bool compressed);

#endif
