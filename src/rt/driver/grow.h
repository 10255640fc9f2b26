/* grow.h - lists that grow by doubling. See grow.c. */
#ifndef TIDE_RT_DRIVER_GROW_H
#define TIDE_RT_DRIVER_GROW_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces a list that is too small: see below. */
bool grow_now (const void *inside, void *list, int *cap, int wanted,
               size_t size, int least);

/*
** Makes room for 'wanted' elements of 'size' bytes in a list that has room for
** '*cap'. 'list' points to the list's pointer. The room starts with 'least'
** elements, and doubles. Returns false, and leaves the list as it was, if
** memory is short.
*/
static inline bool grow_list (void *list, int *cap, int wanted, size_t size,
                              int least) {
  return wanted <= *cap || grow_now(NULL, list, cap, wanted, size, least);
}

/* As above, for a list whose first elements are at 'inside', in its owner. */
static inline bool grow_list_from (const void *inside, void *list, int *cap,
                                   int wanted, size_t size) {
  return wanted <= *cap || grow_now(inside, list, cap, wanted, size, 1);
}

#endif
