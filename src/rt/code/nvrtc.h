/*
** nvrtc.h - CUDA C++ to code for a device, by NVRTC. See nvrtc.c.
*/
#ifndef TIDE_RT_CODE_NVRTC_H
#define TIDE_RT_CODE_NVRTC_H

#include <stddef.h>

#include "compile_cache.h"
#include "rt/rt.h"

enum { MAX_OPTIONS = 64, MAX_NAMES = 64 };

/* A source to compile. */
typedef struct RtSource {
  const char *code;
  const char *name; /* the file name in messages */
  int arch;         /* 90: compute capability 9.0 */
  bool generated;   /* may include the headers of kernel_headers.c */
  bool no_files;    /* must open no file: see nofiles.c */
  int noptions, nnames;
  const char *options[MAX_OPTIONS]; /* the user's */
  const char *names[MAX_NAMES];     /* name expressions: "f", "g<float>" */
} RtSource;

/*
** The result: code for cuModuleLoadData, and the symbol of each name
** expression, one after the other, each with its zero.
*/
typedef struct RtImage {
  char *bytes;
  size_t size;
  char *symbols;
  size_t nsymbols; /* bytes of symbols */
  char *log;       /* if the compilation failed; or NULL */
} RtImage;

void rt_freeimage (RtImage *image);

/* Returns symbol number 'i'. */
const char *rt_symbol (const char *symbols, int i);

/*
** Compiles a source, or finds its code on disk: see compile_cache.c. RT_MISUSE:
** there is no NVRTC, and rt->detail says why; or NVRTC refuses the source, and
** image->log has its messages. Call rt_freeimage in any case.
*/
Status rt_compile (Runtime *rt, const RtSource *source, RtImage *image);

/* Computes a key from all that rt_compile's result depends on. RT_MISUSE: as
** there. */
Status rt_identify (Runtime *rt, const RtSource *source,
                    unsigned char key[CACHE_KEY]);

/* Returns 1000 * major + 10 * minor of NVRTC; or 0, and sets *why. */
int rt_nvrtcversion (const char **why);

#endif
