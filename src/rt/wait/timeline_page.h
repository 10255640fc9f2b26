/* timeline_page.h - what processes share of an event. See timeline_page.c. */
#ifndef TIDE_RT_WAIT_TIMELINE_PAGE_H
#define TIDE_RT_WAIT_TIMELINE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline.h"

enum {
  PAGE_SLOTS = 256,
  PAGE_PIDS = 64,    /* of processes, for messages: those that came last */
  PAGE_BYTES = 4096  /* of the file */
};

/* The file. All numbers are atomic. */
typedef struct Page {
  char magic[8];
  uint8_t id[TIMELINE_ID];
  uint64_t latest;             /* the recorder's number << 32 | k; 0: none */
  uint32_t members;            /* numbers given out */
  uint32_t pid[PAGE_PIDS];
  uint32_t by[PAGE_SLOTS];     /* whose the recording of that place is */
  uint32_t done[PAGE_SLOTS];   /* by k % PAGE_SLOTS: what was done last, */
  uint32_t broken[PAGE_SLOTS]; /* and the one that will never be */
} Page;

/* The file as this process has it open, once for all that use it. */
typedef struct PageFile {
  struct PageFile *next;
  int refs;
  int fd;          /* for others */
  int lock;        /* an open file description that nobody else has */
  uint32_t me;     /* the process's number */
  uint32_t own[PAGE_SLOTS];  /* atomic: the latest recordings of its own */
  uint8_t id[TIMELINE_ID];
} PageFile;

/* A new file, which stays the caller's, with a page in it: -1, and errno. */
int rt_newpage (void);

/* The page of a file; NULL: there is none, and errno. */
Page *rt_mappage (int fd);
void rt_unmappage (Page *page);

/* One reference to the file of that page, which stays the caller's; NULL:
** errno. */
PageFile *rt_openpage (int fd, Page *page);
void rt_closepage (PageFile *f);

/* Will recording k, of the process of that number, be done: has that process
** the file open, or did this one make it? */
bool rt_iscoming (const PageFile *f, uint32_t number, uint32_t k);

#endif
