/*
** nvrtc.h - CUDA C++ to code for a device, by NVRTC. See nvrtc.c.
*/
#ifndef TIDE_RT_CODE_NVRTC_H
#define TIDE_RT_CODE_NVRTC_H

#include <stddef.h>

#include "compile_cache.h"
#include "rt/rt.h"

enum { MAX_OPTIONS = 64, MAX_NAMES = 64 };

/* What is to be compiled. */
typedef struct RtSource {
  const char *code;
  const char *name;            /* for messages: the file it seems to be */
  int arch;                    /* 90: compute capability 9.0 */
  bool generated;              /* may include what kernel_headers.c has */
  bool no_files;               /* the compiler must open none: see nofiles.c */
  int noptions, nnames;
  const char *options[MAX_OPTIONS];  /* the user's */
  const char *names[MAX_NAMES];  /* name expressions: "f", "g<float>" */
} RtSource;

/*
** What came of it: code for cuModuleLoadData, and for each name expression
** the symbol that it became, one after the other, each with its zero.
*/
typedef struct RtImage {
  char *bytes;
  size_t size;
  char *symbols;
  size_t nsymbols;  /* bytes of them */
  char *log;        /* of a compilation that failed; or NULL */
} RtImage;

void rt_freeimage (RtImage *image);

/* Number 'i' of such symbols. */
const char *rt_symbol (const char *symbols, int i);

/*
** Compiles, or finds what was compiled before: see compile_cache.c. RT_MISUSE:
** NVRTC cannot be had, and rt->detail says why; or it refuses the source, and
** image->log says what it has to say. rt_freeimage in any case.
*/
Status rt_compile (Runtime *rt, const RtSource *source, RtImage *image);

/* All that rt_compile's result depends on, as a key. RT_MISUSE: as there. */
Status rt_identify (Runtime *rt, const RtSource *source,
                    unsigned char key[CACHE_KEY]);

/* 1000 * major + 10 * minor of NVRTC, or 0 and why there is none. */
int rt_nvrtcversion (const char **why);

#endif
