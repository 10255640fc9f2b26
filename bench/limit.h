/*
** limit.h - shared by the files of the limit program.
*/
#ifndef limit_h
#define limit_h

#include <cuda.h>
#include <stddef.h>

#define SMALL 1024                   /* elements of the small arrays */
#define REPEATS 15                   /* samples of a row, at most */
#define WARM 1.5                     /* seconds of warm-up before all of them */

#define CU(call) must(call, #call)

typedef struct Limit {
  CUcontext ctx;
  CUmodule mod;
  CUstream s, t;                     /* two non-blocking streams */
  CUevent e[2];                      /* no timing */
  CUfunction mul3, busy, mul8, sum1;
  CUdeviceptr x, y, z;               /* small arrays */
} Limit;

extern Limit G;

/* makes n calls, which are timed */
typedef void (*Loop) (int n);

/* seconds per call */
typedef struct Sample { double min, median, max; } Sample;

/* limit.c: 'must' ends the program if a driver call fails */
void must (CUresult r, const char *call);
void require (int ok, const char *what);
Sample sample (Loop loop, int n, int repeats);
void us (const char *key, Loop loop, int n);
void print_rate (const char *key, Sample s, double bytes);
void launch (CUfunction f, unsigned grid, unsigned block, CUstream s,
             void **args);
CUfunction function (const char *name);
CUdeviceptr filled (size_t n);

/* limit_calls.c */
void check_small (void);
void call_rows (void);

/* limit_bytes.c */
void byte_rows (CUdevice dev);

/* limit_files.c; NULL: no file */
void file_rows (const char *path);

#endif
