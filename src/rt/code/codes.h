/*
** codes.h - a Runtime's hold on loaded code, from its first use to the end of
** the last work that runs it. See codes.c.
*/
#ifndef TIDE_RT_CODE_CODES_H
#define TIDE_RT_CODE_CODES_H

#include "nvrtc.h"
#include "rt/memory/hazard.h"

/* Makes a code with one reference and a name; its module is not loaded yet. */
Status rt_newcode (RtDevice *dev, const char *name, RtCode **out);

/* Gives the code the module of a source: a loaded one, one from the disk cache,
** or a newly compiled one. 'image' is empty before; call rt_freeimage after. If
** NVRTC refuses the source (RT_MISUSE), image->log has its messages. */
Status rt_compilecode (RtCode *c, RtSource *source, RtImage *image);

/* Gives the code the module of 'image', which is compiled already, by its
** key. */
Status rt_loadcode (RtCode *c, const unsigned char key[CACHE_KEY],
                    const RtImage *image);

/* Looks up a function of the code's module. RT_MISUSE: there is none. */
Status rt_codefunction (RtCode *c, const char *name, CUfunction *fn);

/* Returns the mangled symbol of name expression 'i' of the source, or NULL. */
const char *rt_codesymbol (const RtCode *c, int i);

/* Asks for an attribute, CU_FUNC_ATTRIBUTE_...; allows more than 48 KB of
** shared memory. */
Status rt_askfunction (RtDevice *dev, CUfunction fn, int attribute, int *value);
Status rt_codeshared (RtCode *c, CUfunction fn, unsigned bytes);

/*
** Gets the bytes of parameter 'i' of the compiled function; 0: it has no such
** parameter, -1: this driver does not tell.
*/
Status rt_parametersize (RtDevice *dev, CUfunction fn, int i, long *bytes);

void rt_retaincode (RtCode *c);

/* Drops a reference; does nothing for NULL. Calls no driver. */
void rt_dropcode (RtCode *c);

/* Makes room for a launch, so that rt_noteuse cannot fail. */
Status rt_reserveuse (RtCode *c);
void rt_noteuse (RtCode *c, RtStream *s, uint64_t seq);

/* Frees codes without references that no work runs any more: some, or all. */
void rt_draincodes (Runtime *rt, bool all);

/* For a Runtime that leaves the device: its codes lose their modules. */
void rt_forgetcodes (RtDevice *dev);

/* At close: frees all codes, even those with references. */
void rt_freecodes (Runtime *rt);

#endif
