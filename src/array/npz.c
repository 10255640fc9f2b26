/*
** npz.c - archives of arrays, NumPy's .npz: zip files (rt/archive/zip.c) whose
** members are .npy files. Each member's array is named like it, without ".npy".
*/
#include "npz.h"

#include <stdlib.h>
#include <string.h>

#include "base/argerror.h"
#include "base/class.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/listing.h"
#include "base/type.h"
#include "copy.h"
#include "device/current.h"
#include "npy.h"
#include "rt/archive/crc.h"
#include "rt/archive/packer.h"
#include "rt/archive/zip.h"
#include "rt/os/reading.h"

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

/* Pushes the path of a member as errors tell it, between quotes. */
static const char *push_named (lua_State *L, const char *path,
                               const char *name) {
  return lua_pushfstring(L, "%s', array '%s", path, name);
}

/* {== load ============================================================ */

static int member__close (lua_State *L);

static const Guard member_guard = {"member of an archive", member__close, NULL};

static int member__close (lua_State *L) {
  member_close(guard_check(L, &member_guard));
  return 0;
}

static void read_file (lua_State *L, const WholeFile *f, void *to, size_t n,
                       uint64_t off) {
  int error = reading_at(f->fd, to, n, (off_t)off);
  if (error != 0)
    osfile_fail(L, f, error);
}

bool npz_test (lua_State *L, const WholeFile *f, size_t size) {
  unsigned char begin[ZIP_BEGIN];
  size_t n = size < ZIP_BEGIN ? size : ZIP_BEGIN;
  read_file(L, f, begin, n, 0);
  return zip_test(begin, n);
}

/* An archive that is loaded. */
typedef struct Archive {
  const WholeFile *f;
  ZipDirectory d;
  const unsigned char *directory; /* pushed */
  Member *m;                      /* the one that is read; a guard, pushed */
} Archive;

static void push_archive (lua_State *L, Archive *z, size_t size) {
  size_t n = size < ZIP_TAIL ? size : ZIP_TAIL;
  unsigned char *tail = class_new_memory(L, n);
  read_file(L, z->f, tail, n, size - n);
  const char *why = zip_find(&z->d, tail, n, size);
  if (why != NULL)
    osfile_refuse(L, z->f, why);
  lua_pop(L, 1);
  unsigned char *directory = class_new_memory(L, z->d.bytes);
  read_file(L, z->f, directory, z->d.bytes, z->d.at);
  z->directory = directory;
  z->m = guard_new(L, sizeof *z->m, 0, &member_guard);
  lua_toclose(L, -1);
}

/* Reads the next entry, and pushes its name as NumPy has it. */
static void push_next (lua_State *L, const Archive *z, ZipEntry *e,
                       size_t *at) {
  const char *why = zip_next(e, z->directory, z->d.bytes, at);
  if (why != NULL)
    osfile_refuse(L, z->f, why);
  size_t n = e->length;
  if (n >= SUFFIX && memcmp(e->name + n - SUFFIX, suffix, SUFFIX) == 0)
    n -= SUFFIX;
  lua_pushlstring(L, e->name, n);
}

/* Tells whether the entry is a folder, which has no bytes. */
static bool is_folder (const ZipEntry *e) {
  return e->bytes == 0 && e->length > 0 && e->name[e->length - 1] == '/';
}

/* Pushes the array of the member whose name is on the top. */
static void push_member (lua_State *L, const Archive *z, const ZipEntry *e) {
  unsigned char local[ZIP_LOCAL];
  WholeFile named = *z->f;
  named.path = push_named(L, z->f->path, lua_tostring(L, -1));
  Member *m = z->m;
  if (e->at > z->d.at || z->d.at - e->at < ZIP_LOCAL)
    osfile_refuse(L, &named, "corrupt: its place in the zip file is not valid");
  read_file(L, z->f, local, sizeof local, e->at);
  member_close(m);
  m->fd = z->f->fd;
  m->packed = e->packed;
  m->bytes = e->bytes;
  m->deflated = (e->method == ZIP_DEFLATED);
  m->crc = e->crc;
  const char *why = zip_locate(e, local, z->d.at, &m->begin);
  if (why == NULL)
    why = member_open(m);
  if (why != NULL)
    osfile_refuse(L, &named, why);
  npy_load(L, &(NpySource){named, m, (size_t)e->bytes});
}

/* Pushes the table of all arrays. */
static void push_all (lua_State *L, const Archive *z) {
  ZipEntry e;
  size_t at = 0;
  lua_newtable(L);
  int table = lua_gettop(L);
  for (uint64_t i = 0; i < z->d.members; i++, lua_settop(L, table)) {
    push_next(L, z, &e, &at);
    if (is_folder(&e))
      continue;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, table) != LUA_TNIL)
      osfile_refuse(L, z->f,
                    lua_pushfstring(L, "two arrays have the name '%s'",
                                    lua_tostring(L, table + 1)));
    lua_pop(L, 1);
    push_member(L, z, &e);
    lua_pushvalue(L, table + 1);
    lua_insert(L, -2);
    lua_rawset(L, table);
  }
  listing_set(L);
}

/* Pushes the array that is named at 2. */
static void push_one (lua_State *L, const Archive *z) {
  ZipEntry e;
  size_t at = 0;
  for (uint64_t i = 0; i < z->d.members; i++, lua_pop(L, 1)) {
    push_next(L, z, &e, &at);
    if (!is_folder(&e) && lua_rawequal(L, -1, 2)) {
      push_member(L, z, &e);
      return;
    }
  }
  argerror_raise(L, 2, "'%s' has no array '%s'", z->f->path,
                 lua_tostring(L, 2));
}

void npz_load (lua_State *L, const WholeFile *f, size_t size) {
  Archive z = {.f = f};
  push_archive(L, &z, size);
  if (lua_isnil(L, 2))
    push_all(L, &z);
  else
    push_one(L, &z);
}

/* ==} */

/* {== save ============================================================ */

static int packer__close (lua_State *L);

static const Guard packer_guard = {"writer of an archive", packer__close, NULL};

static int packer__close (lua_State *L) {
  packer_close(guard_check(L, &packer_guard));
  return 0;
}

bool npz_close (lua_State *L, int idx) {
  return guard_close(L, idx, &member_guard) ||
         guard_close(L, idx, &packer_guard);
}

/* An archive that is written. */
typedef struct Writer {
  const WholeFile *f;
  Packer *packer; /* a guard, pushed; NULL: members are stored */
  ZipEntry *e;    /* the member that is written */
  uint64_t at;    /* bytes of the file */
} Writer;

static void write_bytes (lua_State *L, Writer *w, const void *bytes, size_t n) {
  osfile_write(L, w->f, bytes, n);
  w->at += n;
}

/* Writes the output of the packer that is there. */
static void write_packed (lua_State *L, Writer *w, bool last) {
  size_t n;
  while ((n = packer_take(w->packer, last)) > 0)
    write_bytes(L, w, w->packer->out, n);
}

/* The 'write' of an NpySink. */
static void write_member (lua_State *L, void *ud, const char *bytes, size_t n) {
  Writer *w = ud;
  w->e->crc = crc_update(w->e->crc, bytes, n);
  w->e->bytes += n;
  if (w->packer == NULL)
    write_bytes(L, w, bytes, n);
  for (size_t at = 0; w->packer != NULL && at < n; at += LIBZ_MOST) {
    packer_feed(w->packer, bytes + at, n - at < LIBZ_MOST ? n - at : LIBZ_MOST);
    write_packed(L, w, false);
  }
}

static void write_local (lua_State *L, Writer *w) {
  unsigned char to[ZIP_RECORD];
  zip_write_local(w->e, to);
  write_bytes(L, w, to, ZIP_LOCAL);
  write_bytes(L, w, w->e->name, w->e->length);
  write_bytes(L, w, to + ZIP_LOCAL, ZIP_EXTRA);
}

static void open_packer (lua_State *L, const Writer *w, const char *path) {
  const char *why = packer_open(w->packer);
  if (why != NULL)
    error_raise(L, "tide.save: '%s' cannot be written: %s", path, why);
}

static void write_directory (lua_State *L, Writer *w, const ZipEntry *entries,
                             size_t n) {
  unsigned char to[ZIP_RECORD];
  ZipDirectory d = {.at = w->at, .members = n};
  for (size_t i = 0; i < n; i++) {
    size_t extra, length = zip_write_entry(&entries[i], to, &extra);
    write_bytes(L, w, to, length);
    write_bytes(L, w, entries[i].name, entries[i].length);
    write_bytes(L, w, to + length, extra);
  }
  d.bytes = w->at - d.at;
  write_bytes(L, w, to, zip_write_end(&d, to));
}

/* Tells whether the name, which ends with a zero, is UTF-8. */
static bool is_utf8 (const char *name) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  for (const unsigned char *at = (const unsigned char *)name; *at != 0; at++) {
    int n = (*at < 0x80) ? 0 : (*at < 0xE0) ? 1 : (*at < 0xF0) ? 2 : 3;
    uint32_t c = (n == 0) ? *at : *at & (0x3Fu >> n);
    if ((*at >= 0x80 && *at < 0xC0) || *at >= 0xF8)
      return false;
    for (int i = 0; i < n; i++, c = c << 6 | (*at & 0x3F))
      if ((*++at & 0xC0) != 0x80)
        return false;
    if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
      return false;
  }
  return true;
}

/* Returns the reason why a name cannot be that of a member, or NULL. */
static const char *refuse_name (const char *name, size_t n) {
  return (strlen(name) < n)        ? "it has a zero byte"
         : (n > ZIP_NAME - SUFFIX) ? "it is too long"
         : !is_utf8(name)          ? "it is not UTF-8"
                                   : NULL;
}

/* Pushes the name of the member for the name at 'key', and sets it. */
static void push_name (lua_State *L, int key, ZipEntry *e) {
  size_t n;
  argerror_check(L, lua_type(L, key) == LUA_TSTRING, 2,
                 "the names of arrays must be strings, got a %s",
                 luaL_typename(L, key));
  const char *name = lua_tolstring(L, key, &n), *why = refuse_name(name, n);
  argerror_check(L, why == NULL, 2, "'%s' cannot name an array: %s", name, why);
  for (size_t i = 0; i < n; i++)
    e->utf8 = e->utf8 || (unsigned char)name[i] >= 0x80;
  lua_pushvalue(L, key);
  lua_pushstring(L, suffix);
  lua_concat(L, 2);
  e->name = lua_tolstring(L, -1, &e->length);
}

/* Returns the array at 'idx', which is that of a member. */
static Array *check_array (lua_State *L, int idx, const ZipEntry *e) {
  Array *a = array_test_any(L, idx);
  const char *name = lua_pushlstring(L, e->name, e->length - SUFFIX);
  argerror_check(L, a != NULL, 2,
                 "array '%s': tide.Array or tide.HostArray expected, got %s",
                 name, luaL_typename(L, idx));
  argerror_check(L, !a->closed, 2, "array '%s' is closed", name);
  array_check_open(L, 2, a);
  array_check_readable(L, current_get_stream(L, a->dev), a, "tide.save");
  lua_pop(L, 1);
  return a;
}

/* Writes the array at 'idx' as the next member. Its local header is written
** once more in the end, when CRC and sizes are known. */
static void write_array (lua_State *L, Writer *w, int idx) {
  uint64_t begin = w->at;
  w->e->at = begin;
  write_local(L, w);
  uint64_t data = w->at;
  if (w->packer != NULL)
    open_packer(L, w, w->f->path);
  npy_save(L, write_member, w, check_array(L, idx, w->e), idx);
  if (w->packer != NULL)
    write_packed(L, w, true);
  uint64_t end = w->at;
  w->e->packed = end - data;
  osfile_seek(L, w->f, (off_t)begin);
  write_local(L, w);
  osfile_seek(L, w->f, (off_t)end);
  w->at = end;
}

static int compare_entries (const void *a, const void *b) {
  const ZipEntry *x = a, *y = b;
  size_t n = (x->length < y->length) ? x->length : y->length;
  int order = memcmp(x->name, y->name, n);
  return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

/* Pushes the entries for the *n arrays of the table at 2, sorted, and a list
** that keeps their names. */
static ZipEntry *push_entries (lua_State *L, size_t *n, const char *path) {
  size_t i = 0, most = *n;
  ZipEntry *entries = memset(class_new_memory(L, most * sizeof *entries), 0,
                             most * sizeof *entries);
  lua_newtable(L);
  int kept = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1), i++) {
    argerror_check(L, i < most, 2, "a finalizer adds to the table meanwhile");
    push_name(L, kept + 1, &entries[i]);
    Array *a = check_array(L, kept + 2, &entries[i]);
    npy_check_dtype(L, a, push_named(L, path, lua_tostring(L, kept + 1)));
    lua_pop(L, 1);
    lua_rawseti(L, kept, (lua_Integer)i + 1);
  }
  *n = i;
  qsort(entries, i, sizeof *entries, compare_entries);
  return entries;
}

/* Counts what is in the table at 2. */
static size_t count (lua_State *L) {
  size_t n = 0;
  type_check(L, 2, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1))
    n++;
  return n;
}

/* Pushes a packer, and begins with it before there is a file, so that the error
** comes early if there is none. */
static void push_packer (lua_State *L, Writer *w, const char *path) {
  w->packer = guard_new(L, sizeof *w->packer, 0, &packer_guard);
  lua_toclose(L, -1);
  open_packer(L, w, path);
}

void npz_save (lua_State *L, const char *path, bool compressed) {
  Writer w = {0};
  size_t n = count(L);
  ZipEntry *entries = push_entries(L, &n, path);
  if (compressed)
    push_packer(L, &w, path);
  WholeFile *f = osfile_begin(L, path, "tide.save");
  w.f = f;
  int top = lua_gettop(L);
  for (size_t i = 0; i < n; i++, lua_settop(L, top)) {
    w.e = &entries[i];
    w.e->method = compressed ? ZIP_DEFLATED : ZIP_STORED;
    lua_pushlstring(L, w.e->name, w.e->length - SUFFIX);
    lua_rawget(L, 2);
    write_array(L, &w, top + 1);
  }
  write_directory(L, &w, entries, n);
  osfile_end(L, f);
}

/* ==} */
