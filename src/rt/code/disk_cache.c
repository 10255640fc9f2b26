/*
** disk_cache.c - keeps the disk cache below its limit. A process that adds an
** entry looks at all entries afterwards, and removes those with the oldest last
** use, which is their modification time.
**
** Other processes do the same at any time. The last one sees all entries, so
** the limit holds once no process adds any more. Two processes at once remove
** the same entries; an entry that is gone already counts as removed. An entry
** that is removed while a process reads it stays whole for that process. An
** entry that was used since it was looked at stays.
*/
#include "disk_cache.h"
#include "rt/driver/grow.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_MIB = 256, FORGOTTEN = 3600 /* seconds */ };

typedef struct CacheEntry {
  char name[CACHE_NAME];
  uint64_t size;
  struct timespec used;
} CacheEntry;

typedef struct Listing {
  CacheEntry *at;
  int n, room;
  uint64_t total;
} Listing;

uint64_t disk_cache_limit (void) {
  const char *text = getenv("TIDE_CACHE_SIZE");
  size_t digits = (text != NULL) ? strspn(text, "0123456789") : 0;
  bool sound = digits > 0 && digits < 12 && text[digits] == '\0';
  return (sound ? strtoull(text, NULL, 10) : DEFAULT_MIB) << 20;
}

/* {== listing ========================================================= */

static bool is_entry (const char *name) {
  return strspn(name, "0123456789abcdef") == 64 &&
         strcmp(name + 64, ".bin") == 0;
}

/* Tells whether this is a file of a writer that has died. */
static bool is_forgotten (const char *name, const struct stat *st) {
  return strncmp(name, "new-", 4) == 0 && st->st_mtime < time(NULL) - FORGOTTEN;
}

static bool look (int folder, const char *name, struct stat *st) {
  return fstatat(folder, name, st, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(st->st_mode);
}

/* An entry for which there is no memory is left for the next time. */
static void list_one (Listing *l, int folder, const char *name) {
  struct stat st;
  if (!look(folder, name, &st))
    return;
  if (is_forgotten(name, &st))
    unlinkat(folder, name, 0);
  if (!is_entry(name) ||
      !grow_list(&l->at, &l->room, l->n + 1, sizeof *l->at, 64))
    return;
  CacheEntry *k = &l->at[l->n++];
  strcpy(k->name, name);
  k->size = (uint64_t)st.st_size;
  k->used = st.st_mtim;
  l->total += k->size;
}

static void list_all (Listing *l, int folder) {
  int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = (again >= 0) ? fdopendir(again) : NULL;
  if (dir == NULL) {
    if (again >= 0)
      close(again);
    return;
  }
  for (const struct dirent *e; (e = readdir(dir)) != NULL;)
    list_one(l, folder, e->d_name);
  closedir(dir);
}

void disk_cache_sum (int folder, uint64_t *files, uint64_t *bytes) {
  Listing l = {0};
  list_all(&l, folder);
  *files = (uint64_t)l.n;
  *bytes = l.total;
  free(l.at);
}

/* ==} */

static int compare_times (const struct timespec *x, const struct timespec *y) {
  if (x->tv_sec != y->tv_sec)
    return x->tv_sec < y->tv_sec ? -1 : 1;
  return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Entries of equal time are ordered by name, so that all processes have one
** order. */
static int compare (const void *a, const void *b) {
  const CacheEntry *x = a, *y = b;
  int order = compare_times(&x->used, &y->used);
  return order != 0 ? order : strcmp(x->name, y->name);
}

/* Returns true if the entry is gone. It stays if it was used since it was
** listed. */
static bool remove_one (int folder, const CacheEntry *k) {
  struct stat st;
  if (!look(folder, k->name, &st))
    return true;
  return compare_times(&st.st_mtim, &k->used) == 0 &&
         unlinkat(folder, k->name, 0) == 0;
}

void disk_cache_trim (int folder) {
  Listing l = {0};
  uint64_t limit = disk_cache_limit();
  list_all(&l, folder);
  if (l.total > limit)
    qsort(l.at, (size_t)l.n, sizeof *l.at, compare);
  for (int i = 0; i < l.n && l.total > limit; i++)
    if (remove_one(folder, &l.at[i]))
      l.total -= l.at[i].size;
  free(l.at);
}
