/*
** codes.h - loaded code that a Runtime holds, from the first need of it to the
** end of the last work that runs it. See codes.c.
*/
#ifndef TIDE_RT_CODE_CODES_H
#define TIDE_RT_CODE_CODES_H

#include "nvrtc.h"
#include "rt/memory/hazard.h"

/* A code with one reference and a name, whose module is yet to be loaded. */
Status rt_newcode (RtDevice *dev, const char *name, RtCode **out);

/* Gives it the module of a source: what is loaded already, or was compiled
** before, or is compiled now. 'image' is empty; where NVRTC refuses the source
** (RT_MISUSE), image->log is what it says. rt_freeimage it. */
Status rt_compilecode (RtCode *c, RtSource *source, RtImage *image);

/* Gives it the module of 'image', which is compiled already, by its key. */
Status rt_loadcode (RtCode *c, const unsigned char key[CACHE_KEY],
                    const RtImage *image);

/* A function of the code's module, ready to run. RT_MISUSE: there is none. */
Status rt_codefunction (RtCode *c, const char *name, CUfunction *fn);

/* The symbol that name expression 'i' of the source became; NULL: none did. */
const char *rt_codesymbol (const RtCode *c, int i);

/* CU_FUNC_ATTRIBUTE_...; and room for more than 48 KB of shared memory. */
Status rt_askfunction (RtDevice *dev, CUfunction fn, int attribute,
                       int *value);
Status rt_codeshared (RtCode *c, CUfunction fn, unsigned bytes);

/*
** The bytes of parameter 'i' of the compiled function; 0: it has no such
** parameter, -1: this driver does not tell.
*/
Status rt_parametersize (RtDevice *dev, CUfunction fn, int i, long *bytes);

void rt_retaincode (RtCode *c);

/* Gives a reference back, or takes none (NULL). Calls no driver. */
void rt_dropcode (RtCode *c);

/* Makes room for a launch, so that noting it cannot fail; notes it. */
Status rt_reserveuse (RtCode *c);
void rt_noteuse (RtCode *c, RtStream *s, uint64_t seq);

/* Gives up what nobody holds and nothing runs any more: some of it, or all. */
void rt_draincodes (Runtime *rt, bool all);

/* This Runtime leaves the device: its codes have no module any more. */
void rt_forgetcodes (RtDevice *dev);

/* At close: all, whoever holds them. */
void rt_freecodes (Runtime *rt);

#endif
