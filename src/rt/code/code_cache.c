/*
** code_cache.c - compiled code, in files named by a hash of its inputs.
**
** DESIGN. An entry is never changed: it is written under a name of its own and
** then renamed, so readers see all of it or nothing. If two processes write the
** same entry either may win. A header with the sizes and a hash of the rest
** detects damaged entries, which count as missing and are written anew. Any
** failure costs a compilation and nothing else.
**
** An entry is code that will run with all rights of this process. It is trusted
** only if it, and the folder, belong to this user or to root and no other user
** can write to them; an entry is never a symbolic link. The folder is opened
** once for each use, and entries relative to it, so that it cannot be exchanged
** in between.
**
** TIDE_CACHE_DIR names the folder; if it is empty, nothing is kept. By default
** it is $XDG_CACHE_HOME/tide or ~/.cache/tide. For its size see disk_cache.c.
*/
#include "code_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk_cache.h"
#include "nvrtc.h"
#include "rt/os/file_limit.h"

typedef struct Head {
  char mark[8];                     /* changes with the format */
  uint64_t size;                    /* of the code */
  uint64_t nsymbols;                /* bytes of symbol names after it */
  unsigned char hash[SHA256_BYTES]; /* of both */
} Head;

static const char mark[8] = "tide001";

enum { LARGEST = 1 << 30 };

/* {== the folder ====================================================== */

/* Gets the name of the cache's folder; false: there is none. */
static bool folder_name (char path[PATH_MAX]) {
  const char *dir = getenv("TIDE_CACHE_DIR"), *after = "";
  if (dir == NULL) {
    dir = getenv("XDG_CACHE_HOME");
    after = "/tide";
    if (dir == NULL || *dir != '/') {
      dir = getenv("HOME");
      after = "/.cache/tide";
    }
  }
  if (dir == NULL || *dir == '\0')
    return false;
  int n = snprintf(path, PATH_MAX, "%s%s", dir, after);
  return n > 0 && n < PATH_MAX;
}

/* Makes the folder and its parents. */
static void make_folder (char *path) {
  for (char *at = path + 1; *at != '\0'; at++) {
    if (*at == '/') {
      *at = '\0';
      mkdir(path, 0700);
      *at = '/';
    }
  }
  mkdir(path, 0700);
}

/* Tells whether only this user and root can have written to it. */
static bool is_own (int fd, mode_t type) {
  struct stat st;
  return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == type &&
         (st.st_uid == geteuid() || st.st_uid == 0) &&
         (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int checked (int fd, mode_t type) {
  if (fd < 0 || is_own(fd, type))
    return fd;
  close(fd);
  return -1;
}

/* Opens the folder; -1: there is none that can be trusted. */
static int open_folder (bool make) {
  char path[PATH_MAX];
  if (!folder_name(path))
    return -1;
  if (make)
    make_folder(path);
  return checked(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), S_IFDIR);
}

/* ==} */

static void entry_name (char at[CACHE_NAME],
                        const unsigned char key[SHA256_BYTES]) {
  for (int i = 0; i < SHA256_BYTES; i++)
    at += sprintf(at, "%02x", key[i]);
  strcpy(at, ".bin");
}

static void hash_content (const RtImage *image,
                          unsigned char hash[SHA256_BYTES]) {
  Sha256 h;
  sha256_begin(&h);
  sha256_add(&h, image->bytes, image->size);
  sha256_add(&h, image->symbols, image->nsymbols);
  sha256_end(&h, hash);
}

/* {== reading ========================================================= */

static bool read_all (int fd, void *p, size_t n) {
  char *to = p;
  while (n > 0) {
    ssize_t got = read(fd, to, n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    to += got;
    n -= (size_t)got;
  }
  return true;
}

/* Tells whether the image has n names, each with its zero. */
static bool has_names (const RtImage *image, int n) {
  for (size_t i = 0; i < image->nsymbols; i++)
    n -= (image->symbols[i] == '\0');
  return n == 0 &&
         (image->nsymbols == 0 || image->symbols[image->nsymbols - 1] == '\0');
}

static bool is_sound (const Head *head, const RtImage *image) {
  unsigned char hash[SHA256_BYTES];
  hash_content(image, hash);
  return memcmp(hash, head->hash, sizeof hash) == 0;
}

/* Puts a zero after both parts, so that texts end even in a damaged entry. */
static bool read_entry (int fd, RtImage *image) {
  Head head;
  if (!read_all(fd, &head, sizeof head) ||
      memcmp(head.mark, mark, sizeof mark) != 0 || head.size > LARGEST ||
      head.nsymbols > LARGEST)
    return false;
  image->bytes = calloc(1, head.size + 1);
  image->symbols = calloc(1, head.nsymbols + 1);
  if (image->bytes == NULL || image->symbols == NULL)
    return false;
  image->size = head.size;
  image->nsymbols = head.nsymbols;
  return read_all(fd, image->bytes, image->size) &&
         read_all(fd, image->symbols, image->nsymbols) &&
         is_sound(&head, image);
}

/* O_NONBLOCK avoids waiting for a pipe. */
static int open_entry (const unsigned char key[SHA256_BYTES]) {
  char name[CACHE_NAME];
  int folder = open_folder(false);
  if (folder < 0)
    return -1;
  entry_name(name, key);
  int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  close(folder);
  return checked(fd, S_IFREG);
}

bool code_cache_get (const unsigned char key[SHA256_BYTES],
                     const RtSource *source, RtImage *image) {
  int fd = open_entry(key);
  if (fd < 0)
    return false;
  bool found = read_entry(fd, image) && has_names(image, source->nnames);
  if (found && !source->no_files)
    futimens(fd, NULL); /* marks it as used: see disk_cache.c */
  close(fd);
  if (!found)
    nvrtc_free_image(image);
  return found;
}

/* ==} */

/* {== writing ========================================================= */

static bool write_all (int fd, const void *p, size_t n) {
  const char *from = p;
  while (n > 0) {
    ssize_t put = file_limit_write(fd, from, n);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      return false;
    from += put;
    n -= (size_t)put;
  }
  return true;
}

static bool write_entry (int fd, const RtImage *image) {
  Head head;
  memset(&head, 0, sizeof head);
  memcpy(head.mark, mark, sizeof mark);
  head.size = image->size;
  head.nsymbols = image->nsymbols;
  hash_content(image, head.hash);
  return write_all(fd, &head, sizeof head) &&
         write_all(fd, image->bytes, image->size) &&
         write_all(fd, image->symbols, image->nsymbols);
}

/* Creates a file under a new, unique name. */
static int open_new (int folder, char name[CACHE_NAME]) {
  static atomic_uint count;
  int fd = -1;
  for (int i = 0; i < 100 && fd < 0 && (i == 0 || errno == EEXIST); i++) {
    snprintf(name, CACHE_NAME, "new-%ld-%u", (long)getpid(),
             atomic_fetch_add(&count, 1));
    fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  return fd;
}

static void put_entry (int folder, const unsigned char key[SHA256_BYTES],
                       const RtImage *image) {
  char temporary[CACHE_NAME], name[CACHE_NAME];
  int fd = open_new(folder, temporary);
  if (fd < 0)
    return;
  entry_name(name, key);
  bool written = write_entry(fd, image);
  if (close(fd) != 0 || !written ||
      renameat(folder, temporary, folder, name) != 0)
    unlinkat(folder, temporary, 0);
}

void code_cache_put (const unsigned char key[SHA256_BYTES],
                     const RtImage *image) {
  int folder = open_folder(true);
  if (folder < 0)
    return;
  if (sizeof(Head) + image->size + image->nsymbols <= disk_cache_limit())
    put_entry(folder, key, image);
  disk_cache_trim(folder);
  close(folder);
}

/* ==} */

/* {== the state of the cache ========================================== */

/* Tells whether the folder could be made: its nearest existing parent must be
** writable. */
static bool can_make (const char *path) {
  char above[PATH_MAX];
  snprintf(above, sizeof above, "%s", path);
  for (;;) {
    char *slash = strrchr(above, '/');
    if (slash == NULL)
      return access(".", W_OK) == 0;
    *slash = '\0';
    const char *at = (above[0] == '\0') ? "/" : above;
    if (access(at, F_OK) == 0 || slash == above)
      return access(at, W_OK) == 0;
  }
}

static const char *look_into (int folder, RtCacheAbout *about) {
  if (!is_own(folder, S_IFDIR))
    return "it is not this user's, or others can write to it";
  disk_cache_sum(folder, &about->files, &about->bytes);
  return faccessat(folder, ".", W_OK, AT_EACCESS) == 0
           ? NULL
           : "it cannot be written to";
}

static const char *look (RtCacheAbout *about) {
  if (!folder_name(about->path)) {
    about->path[0] = '\0';
    const char *dir = getenv("TIDE_CACHE_DIR");
    return (dir != NULL) ? "TIDE_CACHE_DIR is empty" : "there is no HOME";
  }
  int folder = open(about->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return (errno == ENOENT && can_make(about->path))
             ? NULL
             : "it cannot be made, or not be read";
  const char *why = look_into(folder, about);
  close(folder);
  return why;
}

void code_cache_describe (RtCacheAbout *about) {
  memset(about, 0, sizeof *about);
  about->limit = disk_cache_limit();
  about->why = look(about);
  if (about->why == NULL && about->limit == 0)
    about->why = "TIDE_CACHE_SIZE is 0";
}

/* ==} */
