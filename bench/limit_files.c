/*
** limit_files.c - the rows of the limit program about files and many streams.
*/
#define _GNU_SOURCE

#include "limit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
** {======================================================
** A file in the page cache to the device: threads that read into page-locked
** slots of their own, each with a stream.
** =======================================================
*/

#define PIECE ((size_t)4 << 20)      /* bytes that a thread reads at a time */
#define SLOTS 2                      /* of a thread */
#define READERS 12                   /* threads, at most */

typedef struct Reader {
  pthread_t thread;
  CUstream s;
  CUevent done[SLOTS];
  void *slot[SLOTS];
} Reader;

static struct {
  int file;
  size_t bytes;
  CUdeviceptr to;                    /* memory for all of it */
  atomic_size_t next;                /* the first byte that is not taken yet */
  Reader readers[READERS];
  int n;
} F;

static void read_piece (void *to, size_t at, size_t n) {
  while (n > 0) {
    ssize_t got = pread(F.file, to, n, (off_t)at);
    require(got > 0, "pread");
    to = (char *)to + got;
    at += (size_t)got;
    n -= (size_t)got;
  }
}

static void *read_pieces (void *ud) {
  Reader *r = ud;
  size_t at;
  CU(cuCtxSetCurrent(G.ctx));
  for (int i = 0; (at = atomic_fetch_add(&F.next, PIECE)) < F.bytes;
       i = (i + 1) % SLOTS) {
    size_t n = (F.bytes - at < PIECE) ? F.bytes - at : PIECE;
    CU(cuEventSynchronize(r->done[i]));
    read_piece(r->slot[i], at, n);
    CU(cuMemcpyHtoDAsync(F.to + at, r->slot[i], n, r->s));
    CU(cuEventRecord(r->done[i], r->s));
  }
  return NULL;
}

static void loop_file (int n) {
  while (n-- > 0) {
    atomic_store(&F.next, 0);
    for (int i = 0; i < F.n; i++)
      require(pthread_create(&F.readers[i].thread, NULL, read_pieces,
                             &F.readers[i]) == 0, "pthread_create");
    for (int i = 0; i < F.n; i++)
      pthread_join(F.readers[i].thread, NULL);
  }
}

static void open_readers (void) {
  for (int i = 0; i < READERS; i++) {
    Reader *r = &F.readers[i];
    CU(cuStreamCreate(&r->s, CU_STREAM_NON_BLOCKING));
    for (int k = 0; k < SLOTS; k++) {
      CU(cuMemHostAlloc(&r->slot[k], PIECE, CU_MEMHOSTALLOC_PORTABLE));
      CU(cuEventCreate(&r->done[k], CU_EVENT_DISABLE_TIMING));
    }
  }
}

/* Checks that the last byte arrived where it should be. */
static void check_file (void) {
  char got, want;
  read_piece(&want, F.bytes - 1, 1);
  CU(cuMemcpyDtoH(&got, F.to + F.bytes - 1, 1));
  require(got == want, "the file's last byte");
}

static void file_row (const char *path) {
  struct stat about;
  Sample best = { 1e9, 1e9, 1e9 };
  F.file = open(path, O_RDONLY);
  require(F.file >= 0 && fstat(F.file, &about) == 0 && about.st_size > 0,
          path);
  F.bytes = (size_t)about.st_size;
  CU(cuMemAlloc(&F.to, F.bytes));
  CU(cuMemsetD8(F.to, 0, F.bytes));
  open_readers();
  for (F.n = 4; F.n <= READERS; F.n += 4) {
    Sample s = sample(loop_file, 1, 7);
    best = (s.median < best.median) ? s : best;
  }
  check_file();
  print_rate("file_read", best, (double)F.bytes);
  close(F.file);
  CU(cuMemFree(F.to));
}

/* }====================================================== */

/*
** {======================================================
** Small jobs on many streams: 4 KiB in, two kernels, 4 KiB out, and the host
** looks at each result before the stream has its next job.
** =======================================================
*/

enum { JOBS = 64 };

static struct {
  CUstream s;
  CUevent done;
  CUdeviceptr x, y;
  float *h;
} jobs[JOBS];

static void loop_jobs (int n) {
  for (int i = 0; i < n; i++) {
    int k = i % JOBS;
    void *first[] = { &jobs[k].x, &jobs[k].x, &jobs[k].y };
    void *second[] = { &jobs[k].y, &jobs[k].x, &jobs[k].y };
    CU(cuEventSynchronize(jobs[k].done));
    CU(cuMemcpyHtoDAsync(jobs[k].x, jobs[k].h, SMALL * sizeof(float),
                         jobs[k].s));
    launch(G.mul3, SMALL / 256, 256, jobs[k].s, first);
    launch(G.mul8, SMALL / 256, 256, jobs[k].s, second);
    CU(cuMemcpyDtoHAsync(jobs[k].h, jobs[k].y, SMALL * sizeof(float),
                         jobs[k].s));
    CU(cuEventRecord(jobs[k].done, jobs[k].s));
  }
}

static void job_row (void) {
  for (int k = 0; k < JOBS; k++) {
    CU(cuStreamCreate(&jobs[k].s, CU_STREAM_NON_BLOCKING));
    CU(cuEventCreate(&jobs[k].done, CU_EVENT_DISABLE_TIMING));
    CU(cuMemAlloc(&jobs[k].x, SMALL * sizeof(float)));
    CU(cuMemAlloc(&jobs[k].y, SMALL * sizeof(float)));
    CU(cuMemHostAlloc((void **)&jobs[k].h, SMALL * sizeof(float),
                      CU_MEMHOSTALLOC_PORTABLE));
    for (int i = 0; i < SMALL; i++)
      jobs[k].h[i] = 1.0f;
  }
  loop_jobs(JOBS);
  CU(cuCtxSynchronize());
  require(jobs[0].h[SMALL - 1] == 9.0f, "1*1*1 + 8");
  us("job", loop_jobs, 2000);
}

/* }====================================================== */

void file_rows (const char *path) {
  job_row();
  if (path != NULL)
    file_row(path);
}
