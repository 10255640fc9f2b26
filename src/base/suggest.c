/*
** suggest.c - "did you mean": edit distance with transpositions (optimal
** string alignment), so 'dnoe' is one step from 'done'.
*/
#include "suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 31 };

static int min3 (int a, int b, int c) {
  int m = a < b ? a : b;
  return m < c ? m : c;
}

static int edit_distance (const char *a, int n, const char *b, int m) {
  int d[LONGEST + 1][LONGEST + 1];
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++) {
    for (int j = 1; j <= m; j++) {
      int change = (a[i - 1] != b[j - 1]);
      d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
                     d[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < d[i][j])
        d[i][j] = d[i - 2][j - 2] + 1;
    }
  }
  return d[n][m];
}

void tide_suggest (const char *name, const char *candidate, const char **best,
                   int *distance) {
  size_t n = strlen(name), m = strlen(candidate);
  if (n > LONGEST || m > LONGEST)
    return;
  int d = edit_distance(name, (int)n, candidate, (int)m);
  int limit = (n < 4) ? 1 : (int)(n + 2) / 3;
  if (d <= limit && (*best == NULL || d < *distance)) {
    *best = candidate;
    *distance = d;
  }
}

const char *tide_nearest (const char *name, const char *const names[]) {
  const char *best = NULL;
  int distance = 0;
  for (int i = 0; names[i] != NULL; i++)
    tide_suggest(name, names[i], &best, &distance);
  return best;
}
