/*
** about.c - describes the installation, for `tide info`: CUDA's libraries, a
** BLAS, the targets of the kernels, the cache on disk.
*/
#include <stdio.h>

#include "base/class.h"
#include "openers.h"
#include "rt/code/code_cache.h"
#include "rt/code/cublas.h"
#include "rt/code/cufft.h"
#include "rt/code/cusolver.h"
#include "rt/code/nvrtc.h"
#include "rt/driver/driver.h"
#include "rt/driver/image_data.h"
#include "rt/driver/nccl.h"
#include "rt/host/kernels/blas.h"
#include "rt/host/kernels/lapack_host.h"

/* Sets a field of the table on the top, unless the text is NULL. */
static void set_text (lua_State *L, const char *name, const char *text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, name);
}

static void set_number (lua_State *L, const char *name, uint64_t n) {
  lua_pushinteger(L, (lua_Integer)n);
  lua_setfield(L, -2, name);
}

/* Sets a field to "12.4" for version 12040. */
static void set_version (lua_State *L, const char *name, int version) {
  if (version == 0)
    return;
  lua_pushfstring(L, "%d.%d", version / 1000, version % 1000 / 10);
  lua_setfield(L, -2, name);
}

static void set_cache (lua_State *L) {
  RtCacheAbout about;
  code_cache_describe(&about);
  lua_createtable(L, 0, 5);
  if (about.path[0] != '\0')
    set_text(L, "path", about.path);
  set_number(L, "files", about.files);
  set_number(L, "bytes", about.bytes);
  set_number(L, "limit", about.limit);
  set_text(L, "why", about.why);
  lua_setfield(L, -2, "cache");
}

/* about() -> { driver=, no_driver=, nvrtc=, no_nvrtc=, cublas=, cufft=,
** cusolver=, blas=, lapack=, nccl=, no_nccl=, targets=, cache= }: versions and
** names, and reasons for what is missing. */
static int system_about (lua_State *L) {
  const char *why;
  lua_createtable(L, 0, 13);
  driver_cuda(&why);
  set_text(L, "no_driver", why);
  set_version(L, "driver", driver_cuda_version());
  set_version(L, "nvrtc", nvrtc_version(&why));
  set_text(L, "no_nvrtc", why);
  set_text(L, "cublas", cublas_name());
  set_text(L, "cufft", cufft_name());
  set_text(L, "blas", blas_name());
  set_text(L, "cusolver", cusolver_name());
  set_text(L, "lapack", lapack_host_name());
  const Nccl *nccl = nccl_cuda(&why);
  set_text(L, "no_nccl", why);
  set_text(L, "nccl", nccl != NULL ? nccl->name : NULL);
  set_text(L, "targets", image_data_targets());
  set_cache(L);
  return 1;
}

static const Function functions[] = {
  {"about", system_about, 0},
  {NULL, NULL, 0},
};

void open_about (lua_State *L) { class_set_funcs(L, functions); }
