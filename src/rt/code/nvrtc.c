/*
** nvrtc.c - CUDA's run-time compiler, opened with dlopen when a user's first
** kernel is compiled. It is loaded once per process and never unloaded. Its
** results are kept on disk: see code_cache.c.
*/
#include "nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code_cache.h"
#include "kernel_headers.h"
#include "rt/driver/status.h"
#include "sandbox.h"

typedef struct NvrtcProgram_st *NvrtcProgram;

enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_COMPILATION = 6, MAX_ARCHS = 64 };

typedef struct Nvrtc {
#define X(result, name, params) result(*name) params;
#include "nvrtc.def"
#undef X
} Nvrtc;

typedef struct NvrtcEntry {
  const char *name;
  size_t slot;
} NvrtcEntry;

static const NvrtcEntry entries[] = {
#define X(result, name, params) {#name, offsetof(Nvrtc, name)},
#include "nvrtc.def"
#undef X
};

static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static Nvrtc N;
static int version; /* 0: unusable, for a */
static char reason[240];
static int archs[MAX_ARCHS], narchs;
static char include[256]; /* option for CUDA's headers, or empty */

/* {== loading ========================================================= */

static const char *cuda_home (void) {
  const char *home = getenv("CUDA_HOME");
  return (home != NULL && *home != '\0') ? home : "/usr/local/cuda";
}

static void *open_library (void) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12",
                                      "libnvrtc.so"};
  char path[512];
  const char *named = getenv("TIDE_LIBNVRTC");
  if (named != NULL && *named != '\0')
    return dlopen(named, RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; i < 6; i++) {
    const char *name = names[i % 3];
    snprintf(path, sizeof path, "%s/lib64/%s", cuda_home(), name);
    void *lib = dlopen(i < 3 ? name : path, RTLD_NOW | RTLD_LOCAL);
    if (lib != NULL)
      return lib;
  }
  return NULL;
}

static bool load_entries (void *lib) {
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
    void *address = dlsym(lib, entries[i].name);
    if (address == NULL) {
      snprintf(reason, sizeof reason, "the CUDA compiler library has no %s",
               entries[i].name);
      return false;
    }
    memcpy((char *)&N + entries[i].slot, &address, sizeof address);
  }
  return true;
}

/* Headers such as cuda_fp16.h; most of what kernels need is built in. */
static void find_headers (void) {
  char path[sizeof include];
  snprintf(path, sizeof path - 16, "%s/include", cuda_home());
  if (access(path, R_OK) == 0)
    snprintf(include, sizeof include, "-I%.*s", (int)sizeof include - 4, path);
}

static void load (void) {
  int major = 0, minor = 0;
  void *lib = open_library();
  if (lib == NULL) {
    snprintf(reason, sizeof reason,
             "the CUDA compiler library (NVRTC, of the CUDA toolkit) cannot be "
             "loaded (%s)",
             dlerror());
    return;
  }
  if (!load_entries(lib))
    return;
  if (N.nvrtcVersion(&major, &minor) != NVRTC_SUCCESS ||
      N.nvrtcGetNumSupportedArchs(&narchs) != NVRTC_SUCCESS || narchs < 1 ||
      narchs > MAX_ARCHS || N.nvrtcGetSupportedArchs(archs) != NVRTC_SUCCESS) {
    snprintf(reason, sizeof reason,
             "the CUDA compiler library does not say what it compiles for");
    return;
  }
  find_headers();
  version = major * 1000 + minor * 10;
}

int nvrtc_version (const char **why) {
  pthread_once(&loaded, load);
  *why = (version == 0) ? reason : NULL;
  return version;
}

/* ==} */

/* {== options ========================================================= */

/* The compiler's options: the user's and ours. */
typedef struct Options {
  const char *at[MAX_OPTIONS + 4];
  int n;
  char arch[32];
  bool ptx; /* PTX, which the driver translates */
} Options;

static bool starts (const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Tells whether there is an option of that name. */
static bool says (const RtSource *source, const char *name) {
  for (int i = 0; i < source->noptions; i++)
    if (starts(source->options[i] + strspn(source->options[i], "-"), name))
      return true;
  return false;
}

/* Returns the value if option 'i' is "-arch=sm_90", "--gpu-architecture=..." or
** either with the value as a word of its own. */
static const char *architecture (const RtSource *source, int i) {
  const char *o = source->options[i];
  const char *value = strchr(o, '=');
  if (!starts(o, "-arch") && !starts(o, "--gpu-architecture"))
    return NULL;
  if (value != NULL)
    return value + 1;
  return (i + 1 < source->noptions) ? source->options[i + 1] : "";
}

/* Compiles for the device itself. If the device is newer than the compiler,
** compiles PTX for its driver. */
static void choose_arch (Options *o, int arch) {
  int best = archs[0];
  for (int i = 0; i < narchs; i++)
    if (archs[i] <= arch && archs[i] > best)
      best = archs[i];
  o->ptx = (best != arch);
  snprintf(o->arch, sizeof o->arch, "-arch=%s_%d", o->ptx ? "compute" : "sm",
           best);
  o->at[o->n++] = o->arch;
}

static void choose_options (Options *o, const RtSource *source) {
  const char *arch = NULL;
  o->n = 0;
  if (source->no_files && !says(source, "std="))
    o->at[o->n++] = "-std=c++17"; /* excludes modules, whatever the default */
  for (int i = 0; i < source->noptions; i++) {
    const char *given = architecture(source, i);
    if (given != NULL)
      arch = given;
    o->at[o->n++] = source->options[i];
  }
  if (arch == NULL)
    choose_arch(o, source->arch);
  else
    o->ptx = !starts(arch, "sm_");
  if (!source->no_files && include[0] != '\0')
    o->at[o->n++] = include;
}

/* ==} */

/* {== one compilation ================================================= */

void nvrtc_free_image (RtImage *image) {
  free(image->bytes);
  free(image->symbols);
  free(image->log);
  memset(image, 0, sizeof *image);
}

const char *nvrtc_symbol (const char *symbols, int i) {
  while (i-- > 0)
    symbols += strlen(symbols) + 1;
  return symbols;
}

static Status refused (Runtime *rt, const char *call, int result) {
  return status_explain(rt, RT_MISUSE, NULL, "%s: %s (%d)", call,
                        N.nvrtcGetErrorString(result), result);
}

static Status read_log (Runtime *rt, NvrtcProgram p, RtImage *image) {
  size_t size = 0;
  int r = N.nvrtcGetProgramLogSize(p, &size);
  if (r != NVRTC_SUCCESS)
    return refused(rt, "nvrtcGetProgramLogSize", r);
  image->log = malloc(size + 1);
  if (image->log == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  image->log[size] = '\0';
  r = N.nvrtcGetProgramLog(p, image->log);
  return r ? refused(rt, "nvrtcGetProgramLog", r) : 0;
}

static Status read_errors (Runtime *rt, NvrtcProgram p, RtImage *image) {
  Status st = read_log(rt, p, image);
  return (st != 0)
           ? st
           : status_explain(rt, RT_MISUSE, NULL, "NVRTC refuses the source");
}

static Status read_code (Runtime *rt, NvrtcProgram p, bool ptx,
                         RtImage *image) {
  int r = ptx ? N.nvrtcGetPTXSize(p, &image->size)
              : N.nvrtcGetCUBINSize(p, &image->size);
  if (r != NVRTC_SUCCESS)
    return refused(rt, ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize", r);
  image->bytes = malloc(image->size + 1);
  if (image->bytes == NULL)
    return status_fail(rt, RT_NOMEM, NULL);
  r = ptx ? N.nvrtcGetPTX(p, image->bytes) : N.nvrtcGetCUBIN(p, image->bytes);
  image->bytes[image->size] = '\0';
  return r ? refused(rt, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", r) : 0;
}

static Status read_symbols (Runtime *rt, NvrtcProgram p, const RtSource *source,
                            RtImage *image) {
  for (int i = 0; i < source->nnames; i++) {
    const char *symbol = NULL;
    int r = N.nvrtcGetLoweredName(p, source->names[i], &symbol);
    if (r != NVRTC_SUCCESS)
      return refused(rt, "nvrtcGetLoweredName", r);
    size_t len = strlen(symbol) + 1;
    char *more = realloc(image->symbols, image->nsymbols + len);
    if (more == NULL)
      return status_fail(rt, RT_NOMEM, NULL);
    memcpy(more + image->nsymbols, symbol, len);
    image->symbols = more;
    image->nsymbols += len;
  }
  return 0;
}

static Status run (Runtime *rt, NvrtcProgram p, const RtSource *source,
                   const Options *o, RtImage *image) {
  for (int i = 0; i < source->nnames; i++) {
    int r = N.nvrtcAddNameExpression(p, source->names[i]);
    if (r != NVRTC_SUCCESS)
      return refused(rt, "nvrtcAddNameExpression", r);
  }
  int r = N.nvrtcCompileProgram(p, o->n, o->at);
  if (r == NVRTC_ERROR_COMPILATION)
    return read_errors(rt, p, image);
  if (r != NVRTC_SUCCESS) { /* unknown option: the log says so */
    Status st = read_errors(rt, p, image);
    return image->log != NULL && image->log[0] != '\0'
             ? st
             : refused(rt, "nvrtcCompileProgram", r);
  }
  Status st = source->wants_log ? read_log(rt, p, image) : 0;
  if (st == 0)
    st = read_code(rt, p, o->ptx, image);
  return (st != 0) ? st : read_symbols(rt, p, source, image);
}

static Status compile (Runtime *rt, const RtSource *source, const Options *o,
                       RtImage *image) {
  NvrtcProgram p = NULL;
  int n = source->generated ? kernel_header_count : kernel_header_public;
  const char *name = source->no_files ? "kernel" : source->name;
  int r = N.nvrtcCreateProgram(&p, source->code, name, n, kernel_header_texts,
                               kernel_header_names);
  if (r != NVRTC_SUCCESS)
    return refused(rt, "nvrtcCreateProgram", r);
  Status st = run(rt, p, source, o, image);
  N.nvrtcDestroyProgram(&p);
  return st;
}

/* ==} */

static void hash (const RtSource *source, const Options *o,
                  unsigned char key[SHA256_BYTES]) {
  Sha256 h;
  sha256_begin(&h);
  sha256_add(&h, &version, sizeof version);
  sha256_add_text(&h, source->code);
  sha256_add_text(&h, source->name);
  sha256_add(&h, &o->n, sizeof o->n);
  for (int i = 0; i < o->n; i++)
    sha256_add_text(&h, o->at[i]);
  sha256_add(&h, &source->nnames, sizeof source->nnames);
  for (int i = 0; i < source->nnames; i++)
    sha256_add_text(&h, source->names[i]);
  int n = source->generated ? kernel_header_count : kernel_header_public;
  for (int i = 0; i < n; i++)
    sha256_add_text(&h, kernel_header_texts[i]);
  sha256_end(&h, key);
}

static Status prepare (Runtime *rt, const RtSource *source, Options *o,
                       unsigned char key[SHA256_BYTES]) {
  const char *why;
  char error[NOFILES_ERROR];
  if (source->no_files && !sandbox_accepts(source, error))
    return status_explain(rt, RT_MISUSE, NULL, "%s", error);
  if (nvrtc_version(&why) == 0)
    return status_explain(rt, RT_MISUSE, NULL, "%s", why);
  choose_options(o, source);
  hash(source, o, key);
  return 0;
}

Status nvrtc_key (Runtime *rt, const RtSource *source,
                  unsigned char key[SHA256_BYTES]) {
  Options o;
  return prepare(rt, source, &o, key);
}

Status nvrtc_compile (Runtime *rt, const RtSource *source, RtImage *image) {
  unsigned char key[SHA256_BYTES];
  Options o;
  memset(image, 0, sizeof *image);
  Status st = prepare(rt, source, &o, key);
  if (st != 0 || (!source->wants_log && code_cache_get(key, source, image)))
    return st;
  st = compile(rt, source, &o, image);
  if (st == 0 && !source->no_files)
    code_cache_put(key, image);
  return st;
}
