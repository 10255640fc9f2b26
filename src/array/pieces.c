/*
** pieces.c - the bytes of an array for a file, piece by piece as they come from
** the device.
*/
#include "pieces.h"

#include "copy.h"
#include "device/current.h"
#include "rt/kernels/dtypes.h"

enum { PIECE = 4 << 20 }; /* two such pieces of page-locked memory */

static size_t least (size_t a, size_t b) { return a < b ? a : b; }

/* Passes one piece on while the next one comes. If others do come in between,
** the call begins again, and with it the file. */
static void pass_device (lua_State *L, Array *a, PieceSink sink, void *ud,
                         const char *what) {
  RtStream *s = current_get_stream(L, a->dev);
  size_t n = array_bytes(a);
  int64_t size = (int64_t)least(n, PIECE);
  Array *h[2];
  for (int i = 0; i < 2; i++)
    h[i] = array_new_host(L, a->dev, DTYPE_BOOL, 1, &size);
  copy_fetch_bytes(L, s, a, 0, least(n, PIECE), h[0]);
  for (size_t at = 0, k = 0; at < n; at += PIECE, k ^= 1) {
    size_t next = at + PIECE;
    if (next < n)
      copy_fetch_bytes(L, s, a, next, least(n - next, PIECE), h[k ^ 1]);
    array_wait_own(L, h[k], what);
    sink(L, ud, copy_host_bytes(h[k]), least(n - at, PIECE));
  }
  for (int i = 0; i < 2; i++)
    array_release(h[i]);
  lua_pop(L, 2);
}

void pieces_pass (lua_State *L, int arg, PieceSink sink, void *ud,
                  const char *what) {
  Array *a = array_test_any(L, arg);
  if (a->size == 0)
    return;
  if (a->object.class == &array_class)
    pass_device(L, array_push_dense(L, arg), sink, ud, what);
  else
    sink(L, ud, copy_push_bytes(L, a, what), array_bytes(a));
  lua_pop(L, 1);
}
