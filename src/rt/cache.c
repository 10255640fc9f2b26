/*
** cache.c - code that was compiled, in files named by what it was made of.
**
** DESIGN. An entry is never changed: it is written under a name of its own and
** then renamed, so readers see all of it or none, and of two who write the
** same one either may win. A head with the sizes and a hash of the rest tells
** a damaged entry, which is like none at all and will be written anew.
** Whatever goes wrong costs a compilation and nothing else.
**
** TIDE_CACHE_DIR names the folder; empty, nothing is kept. Else it is
** $XDG_CACHE_HOME/tide or ~/.cache/tide.
*/
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nvrtc.h"

enum { NAME_ROOM = PATH_MAX };

typedef struct Head {
  char mark[8];        /* changes with the format */
  uint64_t size;       /* of the code */
  uint64_t nsymbols;   /* bytes of names after it */
  unsigned char hash[CACHE_KEY];  /* of both */
} Head;

static const char mark[8] = "tide001";

enum { LARGEST = 1 << 30 };

/* {== names =========================================================== */

/* The folder, without a slash at the end; false: there is none. */
static bool folder (char *path) {
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
  int n = snprintf(path, NAME_ROOM, "%s%s", dir, after);
  return n > 0 && n < NAME_ROOM - 128;
}

static void entry_name (char *path, const unsigned char key[CACHE_KEY]) {
  char *at = path + strlen(path);
  *at++ = '/';
  for (int i = 0; i < CACHE_KEY; i++)
    at += sprintf(at, "%02x", key[i]);
  strcpy(at, ".bin");
}

/* Makes the folder and those above it. */
static void make_folder (char *path) {
  for (char *at = path + 1; *at != '\0'; at++) {
    if (*at == '/') {
      *at = '\0';
      mkdir(path, 0777);
      *at = '/';
    }
  }
  mkdir(path, 0700);
}

/* ==} */

static void hash_content (const RtImage *image,
                          unsigned char hash[CACHE_KEY]) {
  CacheHash h;
  rt_hashbegin(&h);
  rt_hashadd(&h, image->bytes, image->size);
  rt_hashadd(&h, image->symbols, image->nsymbols);
  rt_hashend(&h, hash);
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

static bool is_sound (const Head *head, const RtImage *image) {
  unsigned char hash[CACHE_KEY];
  hash_content(image, hash);
  return memcmp(hash, head->hash, sizeof hash) == 0;
}

/* A zero is put after either: texts end even in a damaged entry. */
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

bool rt_cacheget (const unsigned char key[CACHE_KEY], RtImage *image) {
  char path[NAME_ROOM];
  if (!folder(path))
    return false;
  entry_name(path, key);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool found = read_entry(fd, image);
  close(fd);
  if (!found)
    rt_freeimage(image);
  return found;
}

/* ==} */

/* {== writing ========================================================= */

static bool write_all (int fd, const void *p, size_t n) {
  const char *from = p;
  while (n > 0) {
    ssize_t put = write(fd, from, n);
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

void rt_cacheput (const unsigned char key[CACHE_KEY], const RtImage *image) {
  char path[NAME_ROOM], temporary[NAME_ROOM];
  if (!folder(path))
    return;
  make_folder(path);
  strcpy(temporary, path);
  strcat(temporary, "/new-XXXXXX");
  entry_name(path, key);
  int fd = mkstemp(temporary);
  if (fd < 0)
    return;
  bool written = write_entry(fd, image);
  if (close(fd) != 0 || !written || rename(temporary, path) != 0)
    unlink(temporary);
}

/* ==} */
