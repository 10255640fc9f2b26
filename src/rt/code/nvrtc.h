/*
** nvrtc.h - CUDA C++ to code for a device, by NVRTC. See nvrtc.c.
*/
#ifndef TIDE_RT_CODE_NVRTC_H
#define TIDE_RT_CODE_NVRTC_H

#include <stddef.h>

#include "code_cache.h"
#include "rt/rt.h"

enum { MAX_OPTIONS = 64, MAX_NAMES = 64 };

/* A source to compile. */
typedef struct RtSource {
  const char *code;
  const char *name; /* the file name in messages */
  int arch;         /* 90: compute capability 9.0 */
  bool generated;   /* may include the headers of kernel_headers.c */
  bool no_files;    /* must open no file: see sandbox.c */
  bool wants_log;   /* NVRTC's messages, also if it compiles */
  size_t compiled;  /* bytes of 'code', if it is code for cuModuleLoadData */
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
  char *log;       /* if the compilation failed, or it is wanted; or NULL */
} RtImage;

void nvrtc_free_image (RtImage *image);

/* Returns symbol number 'i'. */
const char *nvrtc_symbol (const char *symbols, int i);

/*
** Compiles a source, or finds its code on disk: see code_cache.c. RT_MISUSE:
** there is no NVRTC, and rt->detail says why; or NVRTC refuses the source, and
** image->log has its messages. Call nvrtc_free_image in any case.
*/
Status nvrtc_compile (Runtime *rt, const RtSource *source, RtImage *image);

/* Computes a key from all that nvrtc_compile's result depends on. RT_MISUSE: as
** there. */
Status nvrtc_key (Runtime *rt, const RtSource *source,
                  unsigned char key[SHA256_BYTES]);

/* Returns 1000 * major + 10 * minor of NVRTC; or 0, and sets *why. */
int nvrtc_version (const char **why);

#endif
