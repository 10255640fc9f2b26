/*
** codes.h - a Runtime's hold on loaded code, from its first use to the end of
** the last work that runs it. See codes.c.
*/
#ifndef TIDE_RT_CODE_CODES_H
#define TIDE_RT_CODE_CODES_H

#include "nvrtc.h"
#include "rt/memory/hazard.h"

/* Makes a code with one reference and a name; its module is not loaded yet. */
Status code_new (RtDevice *dev, const char *name, RtCode **out);

/* Gives the code the module of a source: a loaded one, one from the disk cache,
** or a newly compiled one. 'image' is empty before; call nvrtc_free_image
** after. If NVRTC refuses the source (RT_MISUSE), image->log has its messages;
** it has them as well if the source wants them, and then NVRTC compiles in any
** case.
*/
Status code_compile (RtCode *c, RtSource *source, RtImage *image);

/* Gives the code the module of 'image', which is compiled already, by its
** key. */
Status code_load (RtCode *c, const unsigned char key[SHA256_BYTES],
                  const RtImage *image);

/* Looks up a function of the code's module. RT_MISUSE: there is none. */
Status code_function (RtCode *c, const char *name, CUfunction *fn);

/* Returns the mangled symbol of name expression 'i' of the source, or NULL. */
const char *code_symbol (const RtCode *c, int i);

/* Looks up a variable of the code's module. RT_MISUSE: there is none. */
Status code_variable (RtCode *c, const char *name, CUdeviceptr *p,
                      size_t *bytes);

/* Imports its memory, as import_memory does. The module stays until the import
** ends. */
Status code_import_variable (RtCode *c, CUdeviceptr p, size_t bytes,
                             RtImport **import, RtBlock **block);

/* Returns the first variable of the code's module behind 'after', or of all;
** NULL: there is none. */
const RtVariable *code_next_variable (const RtCode *c, const RtVariable *after);

/* Asks for an attribute, CU_FUNC_ATTRIBUTE_...; allows more than 48 KB of
** shared memory. */
Status code_attribute (RtDevice *dev, CUfunction fn, int attribute, int *value);
Status code_allow_shared (RtCode *c, CUfunction fn, unsigned bytes);

/* The driver's occupancy calculator: the most blocks of so many threads that a
** multiprocessor holds at a time; the block with the most threads on it, and
** the least grid that fills the device. */
Status code_active_blocks (RtCode *c, CUfunction fn, int threads, size_t shared,
                           int *blocks);
Status code_best_block (RtCode *c, CUfunction fn, size_t shared, int limit,
                        int *grid, int *block);

/*
** Gets the bytes of parameter 'i' of the compiled function; 0: it has no such
** parameter, -1: this driver does not tell.
*/
Status code_param_size (RtDevice *dev, CUfunction fn, int i, long *bytes);

void code_retain (RtCode *c);

/* Drops a reference; does nothing for NULL. Calls no driver. */
void code_drop (RtCode *c);

/* Makes room for a launch, so that code_note_use cannot fail. */
Status code_reserve_use (RtCode *c);
void code_note_use (RtCode *c, RtStream *s, uint64_t seq);

/* Frees codes without references that no work runs any more: some, or all. */
void code_drain (Runtime *rt, bool all);

/* For a Runtime that leaves the device: its codes lose their modules. */
void code_forget_all (RtDevice *dev);

/* At close: frees all codes, even those with references. */
void code_free_all (Runtime *rt);

#endif
