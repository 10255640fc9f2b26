/*
** timeline_page.c - the part of an interprocess event that processes share: a
** page in a file without a name, and the processes that have it open.
**
** Each process has a number in the page and, while it lives, a lock on the byte
** with that number. The lock belongs to an open file description (fcntl(2))
** that serves nothing else, so nothing else that the process does with the file
** releases it.
*/
#include "timeline_page.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/os/file_limit.h"

_Static_assert(sizeof(Page) <= PAGE_BYTES, "a timeline is one page");

static const char magic[8] = "tideev1";

/* {== processes that have it open ===================================== */

static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;
static PageFile *files;

/* Closes the files in a forked child, which must not pass for the process that
** recorded. */
static void leave_files (void) {
  for (PageFile *f = files; f != NULL; f = f->next) {
    close(f->lock);
    close(f->fd);
  }
  files = NULL;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void watch_forks (void) { pthread_atfork(NULL, NULL, leave_files); }

static int lock_byte (int fd, int how, uint32_t number, short *found) {
  struct flock l = {.l_type = F_WRLCK,
                    .l_whence = SEEK_SET,
                    .l_start = (off_t)number,
                    .l_len = 1};
  int error = fcntl(fd, how, &l);
  *found = l.l_type;
  return error;
}

/* Joins the page as a process of its own. Returns false, with errno, on
** failure. */
static bool join (PageFile *f, Page *page) {
  char path[64];
  short found;
  snprintf(path, sizeof path, "/proc/self/fd/%d", f->fd);
  f->lock = open(path, O_RDWR | O_CLOEXEC);
  if (f->lock < 0)
    return false;
  f->me = __atomic_add_fetch(&page->members, 1, __ATOMIC_RELAXED);
  if (lock_byte(f->lock, F_OFD_SETLK, f->me, &found) != 0) {
    close(f->lock);
    return false;
  }
  __atomic_store_n(&page->pid[f->me % PAGE_PIDS], (uint32_t)getpid(),
                   __ATOMIC_RELAXED);
  return true;
}

static PageFile *find_file (const uint8_t *id) {
  PageFile *f = files;
  while (f != NULL && memcmp(f->id, id, TIMELINE_ID) != 0)
    f = f->next;
  return f;
}

/* Adds a file. Returns NULL, with errno, on failure. The lock is held. */
static PageFile *add_file (int fd, Page *page) {
  PageFile *f = calloc(1, sizeof *f);
  if (f == NULL)
    return NULL;
  f->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (f->fd < 0 || !join(f, page)) {
    if (f->fd >= 0)
      close(f->fd);
    free(f);
    return NULL;
  }
  f->refs = 1;
  memcpy(f->id, page->id, TIMELINE_ID);
  f->next = files;
  files = f;
  return f;
}

PageFile *timeline_page_open (int fd, Page *page) {
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&files_lock);
  PageFile *f = find_file(page->id);
  if (f != NULL)
    f->refs++;
  else
    f = add_file(fd, page);
  pthread_mutex_unlock(&files_lock);
  return f;
}

void timeline_page_close (PageFile *f) {
  pthread_mutex_lock(&files_lock);
  if (--f->refs == 0) {
    PageFile **at = &files;
    while (*at != NULL && *at != f) /* not there in a child process */
      at = &(*at)->next;
    if (*at == f) {
      *at = f->next;
      close(f->lock);
      close(f->fd);
    }
    free(f);
  }
  pthread_mutex_unlock(&files_lock);
}

bool timeline_page_is_pending (const PageFile *f, uint32_t number, uint32_t k) {
  short found = F_UNLCK;
  uint32_t own = __atomic_load_n(&f->own[k % PAGE_SLOTS], __ATOMIC_ACQUIRE);
  if (number == f->me)
    return own != 0 && (int32_t)(own - k) >= 0;
  return lock_byte(f->lock, F_OFD_GETLK, number, &found) != 0 ||
         found != F_UNLCK;
}

/* ==} */

/* {== pages =========================================================== */

/* Makes a file that cannot shrink, because shrinking would kill its readers. */
static int make_file (void) {
  int fd = memfd_create("tide-event", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0)
    return -1;
  if (file_limit_truncate(fd, PAGE_BYTES) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    return fd;
  close(fd);
  return -1;
}

/* Tells whether the file has the seal; F_GET_SEALS fails for other kinds of
** files. */
static bool has_seal (int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

static Page *map_file (int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0 || st.st_size != PAGE_BYTES || !has_seal(fd)) {
    errno = EINVAL;
    return NULL;
  }
  void *p = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return (p != MAP_FAILED) ? p : NULL;
}

void timeline_page_unmap (Page *page) { munmap(page, PAGE_BYTES); }

int timeline_page_new (void) {
  int fd = make_file();
  Page *page = (fd >= 0) ? map_file(fd) : NULL;
  bool made = page != NULL &&
              getrandom(page->id, TIMELINE_ID, 0) == TIMELINE_ID;
  if (made)
    memcpy(page->magic, magic, sizeof magic);
  if (page != NULL)
    timeline_page_unmap(page);
  if (made || fd < 0)
    return fd;
  close(fd);
  return -1;
}

Page *timeline_page_map (int fd) {
  Page *page = map_file(fd);
  if (page == NULL || memcmp(page->magic, magic, sizeof magic) == 0)
    return page;
  timeline_page_unmap(page);
  errno = EINVAL;
  return NULL;
}

/* ==} */
