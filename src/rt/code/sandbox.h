/*
** sandbox.h - refuses sources that make the compiler open files. See sandbox.c.
*/
#ifndef TIDE_RT_CODE_SANDBOX_H
#define TIDE_RT_CODE_SANDBOX_H

#include <stdbool.h>

#include "nvrtc.h"

enum { NOFILES_ERROR = 240 };

/* Returns false if the source or an option of it may make the compiler open a
** file; 'error' says which part does. */
bool sandbox_accepts (const RtSource *source, char error[NOFILES_ERROR]);

#endif
