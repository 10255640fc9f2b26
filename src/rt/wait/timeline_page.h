/* timeline_page.h - the shared page of an event. See timeline_page.c. */
#ifndef TIDE_RT_WAIT_TIMELINE_PAGE_H
#define TIDE_RT_WAIT_TIMELINE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline.h"

enum {
  PAGE_SLOTS = 256,
  PAGE_PIDS = 64,   /* pids kept for messages: of the newest members */
  PAGE_BYTES = 4096 /* size of the file */
};

/* The contents of the file. All numbers are atomic. */
typedef struct Page {
  char magic[8];
  uint8_t id[TIMELINE_ID];
  uint64_t latest;  /* recorder's number << 32 | k; 0: none */
  uint32_t members; /* how many numbers were given out */
  uint32_t pid[PAGE_PIDS];
  uint32_t by[PAGE_SLOTS];     /* the recorder of each place, by its number */
  uint32_t done[PAGE_SLOTS];   /* by k % PAGE_SLOTS: the latest done, */
  uint32_t broken[PAGE_SLOTS]; /* and one that will never be done */
} Page;

/* The file as this process has it open, once for all its users. */
typedef struct PageFile {
  struct PageFile *next;
  int refs;
  int fd;                   /* handed to others */
  int lock;                 /* an open file description for the lock alone */
  uint32_t me;              /* this process's number */
  uint32_t own[PAGE_SLOTS]; /* atomic: our latest recordings */
  uint8_t id[TIMELINE_ID];
} PageFile;

/* Makes a new file with a page in it. The file is the caller's. Returns -1,
** with errno, on failure. */
int timeline_page_new (void);

/* Maps the page of a file; NULL, with errno, on failure. */
Page *timeline_page_map (int fd);
void timeline_page_unmap (Page *page);

/* Adds a reference to the file of that page; 'fd' stays the caller's. Returns
** NULL, with errno, on failure. */
PageFile *timeline_page_open (int fd, Page *page);
void timeline_page_close (PageFile *f);

/* Tells whether recording k may still be done: the process with that number has
** the file open, or it is this process and it made the recording. */
bool timeline_page_is_pending (const PageFile *f, uint32_t number, uint32_t k);

#endif
